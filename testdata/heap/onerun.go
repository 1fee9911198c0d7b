package heap

import (
	"sync"
	"sync/atomic"
)

// Programs about what one run of a function has in common with all that it starts, however often the
// function is called: the iterations of its loop call one closure, a goroutine has the object of its starter's run.

func orForEach(n int, do func(int)) {
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { do(i) })
	}
	wg.Wait()
}

// All iterations of a run call the function that the run was given.
func Onerun_helper() {
	for range 3 {
		orCount("a")
		orCount("b")
	}
}

func orCount(key string) int {
	m := map[string]int{}
	total := 0
	orForEach(10, func(i int) {
		m[key]++   // race! m[*]
		total += i // race! total
	})
	return len(m) + total
}

// So they do where it comes in a struct.
func Onerun_options() {
	for range 3 {
		orOptions()
	}
}

type orOpts struct{ on func(int) }

func orOptions() int {
	last := 0
	orRun(20, orOpts{on: func(d int) { last = d }}) // race! last
	return last
}

func orRun(n int, o orOpts) {
	jobs := make(chan int)
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			for j := range jobs {
				o.on(j)
			}
		})
	}
	for i := range n {
		jobs <- i
	}
	close(jobs)
	wg.Wait()
}

// The runs are iterations of another loop.
func Onerun_inIterations() {
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() { orSum() })
	}
	wg.Wait()
}

func orSum() int {
	sum := 0
	orForEach(10, func(i int) { sum += i }) // race! sum
	return sum
}

// Each iteration calls a closure of its own.
func Onerun_ownClosures() {
	for range 3 {
		orOwn()
	}
}

func orOwn() {
	var fs []func(int)
	for range 4 {
		m := map[int]int{}
		fs = append(fs, func(i int) { m[i]++ }) // norace
	}
	orForEach(len(fs), func(i int) { fs[i](i) })
}

// What is captured is made by the iteration.
func Onerun_ownVariable() {
	for range 3 {
		orForEach(4, func(i int) {
			m := map[int]int{}
			set := func() { m[i]++ } // norace
			set()
		})
	}
}

// Jobs that others have queued are not the run's.
func Onerun_queued() {
	jobs := make(chan func())
	go func() {
		for i := range 10 {
			m := map[int]int{}
			jobs <- func() { m[i]++ } // norace
		}
		close(jobs)
	}()
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			for job := range jobs {
				job()
			}
		})
	}
	wg.Wait()
}

// A literal in the iteration puts what it finds in a map into a variable of the round.
func Onerun_foundByLiteral() {
	var mu sync.Mutex
	m := map[string]*orStat{}
	jobs := make(chan string)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for j := range jobs {
				var st *orStat
				func() {
					mu.Lock()
					defer mu.Unlock()
					st = m[j]
					if st == nil {
						st = &orStat{}
						m[j] = st
					}
				}()
				st.hits++ // race! st.hits
			}
		})
	}
	for range 10 {
		jobs <- "a"
	}
	close(jobs)
	wg.Wait()
}

type orStat struct{ hits int }

// The literal makes it, and nobody else has it.
func Onerun_madeByLiteral() {
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 3 {
				var st *orStat
				func() { st = &orStat{} }()
				st.hits++ // norace
			}
		})
	}
	wg.Wait()
}

// Two goroutines that a method starts for one object of the run.
func Onerun_twoStarted() {
	for range 3 {
		orFans()
	}
}

type orFan struct {
	n  int
	wg sync.WaitGroup
}

func (f *orFan) begin() {
	f.wg.Add(1)
	go func() {
		defer f.wg.Done()
		f.n++ // race! f.n
	}()
}

func orFans() {
	f := &orFan{}
	f.begin()
	f.begin()
	f.wg.Wait()
}

// Each has one of its own.
func Onerun_oneStarted() {
	for range 3 {
		orFan1()
	}
}

type orLone struct {
	n  int
	wg sync.WaitGroup
}

func (f *orLone) begin() {
	f.wg.Add(1)
	go func() {
		defer f.wg.Done()
		f.n++ // norace
	}()
}

func orFan1() {
	f := &orLone{}
	f.n = 1 // norace
	f.begin()
	g := &orLone{}
	g.begin()
	f.wg.Wait()
	g.wg.Wait()
}

// A constructor starts the workers, and what it returns is used while they run.
func Onerun_constructed() {
	orConstruct()
	orConstruct()
}

type orPool struct {
	jobs  chan int
	mu    sync.Mutex
	total int
	name  string
}

func orNewPool(n int) *orPool {
	p := &orPool{jobs: make(chan int, 64)}
	p.name = "pool" // norace
	for range n {
		go func() {
			for v := range p.jobs {
				p.mu.Lock()
				p.total += v // race! p.total
				p.mu.Unlock()
				println(p.name)
			}
		}()
	}
	return p
}

func orConstruct() int {
	p := orNewPool(3)
	for i := range 30 {
		p.jobs <- i
	}
	close(p.jobs)
	return p.total // race! p.total
}

// It is used under the lock.
func Onerun_constructedLocked() {
	orConstructLocked()
	orConstructLocked()
}

type orGuarded struct {
	jobs  chan int
	mu    sync.Mutex
	total int
}

func orNewGuarded(n int) *orGuarded {
	p := &orGuarded{jobs: make(chan int, 64)}
	for range n {
		go func() {
			for v := range p.jobs {
				p.mu.Lock()
				p.total += v // norace
				p.mu.Unlock()
			}
		}()
	}
	return p
}

func orConstructLocked() int {
	p := orNewGuarded(3)
	close(p.jobs)
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.total // norace
}

// What an atomic pointer of the run leads to.
func Onerun_atomicPointer() {
	for range 3 {
		orLoad()
	}
}

type orConf struct{ limits map[string]int }

func orLoad() int {
	var cur atomic.Pointer[orConf]
	cur.Store(&orConf{limits: map[string]int{"a": 1}})
	stop := make(chan struct{})
	go func() {
		defer close(stop)
		for i := range 20 {
			c := cur.Load()
			c.limits["a"] = i // race! limits[*]
		}
	}()
	n := cur.Load().limits["a"] // race! limits[*]
	<-stop
	return n
}

// The run waits first.
func Onerun_atomicPointerAwaited() {
	for range 3 {
		orLoadAwaited()
	}
}

func orLoadAwaited() int {
	var cur atomic.Pointer[orConf]
	cur.Store(&orConf{limits: map[string]int{"a": 1}})
	stop := make(chan struct{})
	go func() {
		defer close(stop)
		cur.Load().limits["a"] = 2 // norace
	}()
	<-stop
	return cur.Load().limits["a"] // norace
}
