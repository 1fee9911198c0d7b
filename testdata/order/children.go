package order

import (
	"sync"
	"time"
)

// What is received was sent by a goroutine that is started when an access is over.

type feed struct {
	events chan int
	names  map[int]string
	seen   []string
}

func (f *feed) handle() {
	for e := range f.events {
		f.seen = append(f.seen, f.names[e]) // norace
	}
}

func (f *feed) connect() {
	for i := range 3 {
		f.send(i)
	}
	close(f.events)
}

func (f *feed) send(e int) { f.events <- e }

func CH1_setBeforeSenderStarts() {
	f := &feed{events: make(chan int)}
	go f.handle()
	f.names = map[int]string{1: "a"} // norace
	go f.connect()
}

type earlyFeed struct {
	events chan int
	names  map[int]string
}

func (f *earlyFeed) handle() string {
	return f.names[<-f.events] // race! f.names
}

func (f *earlyFeed) connect() { f.events <- 1 }

func CH1b_setAfterSenderStarts() {
	f := &earlyFeed{events: make(chan int)}
	go f.handle()
	go f.connect()
	f.names = map[int]string{1: "a"} // race! f.names
}

type twice struct {
	events chan int
	names  map[int]string
}

func (f *twice) handle() {
	for e := range f.events {
		_ = f.names[e] // race! f.names
	}
}

// One of two that send was started before.
func CH1c_oneOfTwo() {
	f := &twice{events: make(chan int)}
	go f.handle()
	go func() { f.events <- 1 }()
	f.names = map[int]string{1: "a"} // race! f.names
	go func() { f.events <- 2 }()
}

type both struct {
	events chan int
	names  map[int]string
}

func (f *both) send(e int) { f.events <- e }

// The thread itself sends, too, and before.
func CH1d_sentByItself() {
	f := &both{events: make(chan int, 1)}
	go func() {
		for e := range f.events {
			_ = f.names[e] // race! f.names
		}
	}()
	f.send(1)
	f.names = map[int]string{1: "a"} // race! f.names
	go f.send(2)
}

// The one that sends is started by one that is started afterwards, and what is received is handled by a goroutine
// of its own.
func CH2_below() {
	f := &feed2{events: make(chan int)}
	go func() {
		for e := range f.events {
			go f.handle(e)
		}
	}()
	f.names = map[int]string{1: "a"} // norace
	go func() {
		go f.connect()
	}()
}

type feed2 struct {
	events chan int
	names  map[int]string
}

func (f *feed2) handle(e int) string { return f.names[e] } // norace

func (f *feed2) connect() { f.events <- 1 }

// A timer that is stopped until something comes, which is told by such a goroutine.
type debouncer struct {
	mu     sync.Mutex
	timer  *time.Timer
	events []int
	call   func([]int)
}

func newDebouncer(call func([]int)) *debouncer {
	d := &debouncer{timer: time.NewTimer(time.Second), call: call}
	d.timer.Stop()
	go d.run()
	return d
}

func (d *debouncer) run() {
	for range d.timer.C {
		d.mu.Lock()
		if len(d.events) > 0 {
			go d.call(d.events)
			d.events = nil
		}
		d.mu.Unlock()
	}
}

func (d *debouncer) add(n int) {
	d.mu.Lock()
	d.timer.Reset(time.Second)
	d.events = append(d.events, n)
	d.mu.Unlock()
}

type listening struct {
	d     *debouncer
	names map[int]string
}

func (s *listening) handle(ns []int) {
	for _, n := range ns {
		_ = s.names[n] // norace
	}
}

func CH3_debounced() {
	s := &listening{}
	s.d = newDebouncer(s.handle)
	s.names = make(map[int]string) // norace
	go s.d.add(1)
}

type rounds struct {
	events chan int
	last   int
}

// In the next round the one of the round before may send still.
func CH4_nextRound(n int) {
	f := &rounds{events: make(chan int)}
	go func() {
		for range f.events {
			_ = f.last // race! f.last
		}
	}()
	for i := range n {
		f.last = i // race! f.last
		go func() { f.events <- i }()
	}
}

// CH5_goroutineHandsOver has a goroutine that starts another one when it is done, which tells of both.
func CH5_goroutineHandsOver() {
	x, y := 0, 0
	done := make(chan bool)
	go func() {
		x = 1 // norace
		go func() {
			y = 1 // norace
			close(done)
		}()
	}()
	<-done
	println(x, y) // norace
}

// CH5b_groupToldByTheOther is told by a timer's function.
func CH5b_groupToldByTheOther() {
	x := 0
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		x = 1 // norace
		time.AfterFunc(time.Millisecond, func() {
			x++ // norace
			wg.Done()
		})
	}()
	wg.Wait()
	println(x) // norace
}

// CH5c_afterTheStart goes on when it has started the other one.
func CH5c_afterTheStart() {
	x := 0
	done := make(chan bool)
	go func() {
		go func() { close(done) }()
		x = 1 // race! x
	}()
	<-done
	println(x) // race! x
}

// CH5d_orTellsItself starts no other one at times, and is not done then when it tells.
func CH5d_orTellsItself(alone bool) {
	x := 0
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		if alone {
			wg.Done()
			x = 1 // race! x
			return
		}
		go func() { wg.Done() }()
	}()
	wg.Wait()
	println(x) // race! x
}

// CH5e_orCloses is the same with a channel.
func CH5e_orCloses(alone bool) {
	x := 0
	done := make(chan bool)
	go func() {
		if alone {
			close(done)
			x = 1 // race! x
			return
		}
		go func() { close(done) }()
	}()
	<-done
	println(x) // race! x
}

// CH6b_ofOneOfThem is told by what one of them has started.
func CH6b_ofOneOfThem() {
	x := make([]int, 3)
	done := make(chan bool)
	for i := range x {
		go func() {
			x[i] = i // race! x[*]
			go func() { done <- true }()
		}()
	}
	<-done
	println(x[0]) // race! x[*]
}

// CH6_ofAllOfThem is told by what all of them have started.
func CH6_ofAllOfThem() {
	x := make([]int, 3)
	var wg sync.WaitGroup
	for i := range x {
		wg.Add(1)
		go func() {
			x[i] = i // norace
			go func() { wg.Done() }()
		}()
	}
	wg.Wait()
	println(x[0]) // norace
}

// CH6c_startedTwice is started from two places, and one is heard.
func CH6c_startedTwice() {
	x := 0
	done := make(chan bool)
	hand := func() {
		x++ // race! x
		go func() { done <- true }()
	}
	go hand()
	go hand()
	<-done
	println(x) // race! x
}
