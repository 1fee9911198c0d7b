package order

import "sync"

// A lazy is filled when it is first asked for.
type lazy struct {
	once sync.Once
	x    int
}

func (l *lazy) get() int {
	l.once.Do(func() { l.x = 1 }) // norace
	return l.x                    // norace
}

// Each element has a Once of its own, and every goroutine asks many of them.
func O51_onceOfEach() {
	ls := make([]*lazy, n)
	for i := range ls {
		ls[i] = &lazy{}
	}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			for _, l := range ls {
				l.get()
			}
		})
	}
	wg.Wait()
}

// The element is looked at before its Once.
func O51b_lookedAtBefore() {
	ls := make([]*hasty, n)
	for i := range ls {
		ls[i] = &hasty{}
	}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			for _, l := range ls {
				l.get()
			}
		})
	}
	wg.Wait()
}

type hasty struct {
	once sync.Once
	x    int
}

func (l *hasty) get() int {
	if l.x > 0 { // race! l.x
		return l.x // race! l.x
	}
	l.once.Do(func() { l.x = 1 }) // race! l.x
	return l.x
}

type changed struct {
	once sync.Once
	x    int
}

// What is written after the Once is not what the Once wrote.
func O51c_writtenAfter() {
	l := &changed{}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			l.once.Do(func() { l.x = 1 }) // norace
			l.x++                         // race! l.x
		})
	}
	wg.Wait()
}

type work struct {
	once sync.Once
	stop chan int
}

func (w *work) open() { w.once.Do(func() { w.stop = make(chan int, 1) }) }

func (w *work) run() {
	w.open()
	<-w.stop
}

// The channel is made before the goroutine is started; the Once that run comes to
// does nothing any more.
func O52_onceBeforeSpawn() {
	w := &work{}
	w.open()
	go func() { w.stop <- 1 }() // norace
	w.run()
}

// The Once comes after the goroutine is started.
func O52b_onceAfterSpawn() {
	w := &job{}
	go func() { w.stop <- 1 }() // race! w.stop
	w.open()
}

type job struct {
	once sync.Once
	stop chan int
}

func (w *job) open() {
	w.once.Do(func() { w.stop = make(chan int, 1) }) // race! w.stop
}

// Only one of the ways to the goroutine comes by the Once.
func O52c_onceOnOneWay(early bool) {
	w := &task{}
	if early {
		w.open()
	}
	go func() { w.stop <- 1 }() // race! w.stop
	w.open()
}

type task struct {
	once sync.Once
	stop chan int
}

func (w *task) open() {
	w.once.Do(func() { w.stop = make(chan int, 1) }) // race! w.stop
}

type pair struct{ a, b chore }

type chore struct {
	once sync.Once
	x    int
}

// It is the Once of another.
func O52d_anotherOnce() {
	p := &pair{}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			p.a.once.Do(func() { p.b.x = 1 }) // race! p.b.x
			p.b.once.Do(func() {})
			_ = p.b.x
		})
		wg.Go(func() {
			p.b.once.Do(func() {})
			_ = p.b.x // race! p.b.x
		})
	}
	wg.Wait()
}

// Each round has a Once of its own, and all write one variable.
func O52e_onceOfEachRound() {
	x := 0
	var wg sync.WaitGroup
	for range n {
		var once sync.Once
		once.Do(func() { x++ }) // race! x
		wg.Go(func() {
			_ = x // race! x
		})
	}
	wg.Wait()
}

// OB1: the body of a Once sets what the goroutine that it starts reads; it is not run again.
func OB1_onceStarts() {
	var wg sync.WaitGroup
	for range n {
		wg.Go(startResolver)
	}
	startResolver()
	wg.Wait()
}

var (
	resolverOnce sync.Once
	theResolver  []int
	lateResolver []int
)

func startResolver() {
	resolverOnce.Do(func() {
		theResolver = make([]int, n) // norace
		go refresh()
		lateResolver = make([]int, n) // race! lateResolver
	})
}

func refresh() {
	println(theResolver[0])  // norace
	println(lateResolver[0]) // race! lateResolver
}

// OB1b: each has a Once of its own.
func OB1b_onceOfEach() {
	for range n {
		var c onceEach
		c.start()
	}
}

type onceEach struct{ once sync.Once }

var lastOfEach []int

func (c *onceEach) start() {
	c.once.Do(func() {
		lastOfEach = make([]int, n) // race! lastOfEach
		go println(lastOfEach[0])
		go func() {
			println(lastOfEach[0]) // race! lastOfEach
		}()
	})
}
