package order

import (
	"math"
	"sync"
	"time"
)

// A timer is stopped before it fires, most likely, and started again when the
// goroutine that waits for it may run.
func B10_timerStoppedAndReset() {
	v := 0
	_ = v
	done := make(chan bool)
	t := time.NewTimer(time.Hour)
	go func() {
		<-t.C
		v = 1 // assumed v
		done <- true
	}()
	t.Stop()
	v = 2 // assumed v
	t.Reset(1)
	<-done
	v = 3 // norace
}

// Nothing stops it.
func B10_timerReset() {
	v := 0
	_ = v
	done := make(chan bool)
	t := time.NewTimer(1)
	go func() {
		<-t.C
		v = 1 // race! v
		done <- true
	}()
	v = 2 // race! v
	t.Reset(1)
	<-done
}

// What comes before the timer is made is over when it fires.
func B10_timerMadeLater() {
	v := 0
	_ = v
	timers := make(chan *time.Timer)
	go func() {
		t := <-timers
		<-t.C
		v = 1 // norace
	}()
	v = 2 // norace
	timers <- time.NewTimer(1)
}

// The second goroutine waits for another timer.
func B10_twoTimers() {
	v := 0
	_ = v
	s, t := time.NewTimer(1), time.NewTimer(time.Millisecond)
	go func() {
		<-s.C
		v = 1 // race! v
	}()
	<-t.C
	v = 2 // race! v
	s.Reset(1)
}

// A ticker ticks again, for each of those that wait for it.
func B10_tickerIsNoLock() {
	v := 0
	_ = v
	done := make(chan bool)
	t := time.NewTicker(1)
	for range 2 {
		go func() {
			<-t.C
			v++ // race! v
			done <- true
		}()
	}
	<-done
	<-done
}

// A timer's function is started again when the first run is over.
func B10_functionResetAgain() {
	v := 0
	_ = v
	done := make(chan bool)
	t := time.AfterFunc(1, func() {
		v = 1 // race! v
		done <- true
	})
	<-done
	v = 2 // norace
	t.Reset(1)
	v = 3 // race! v
	<-done
	v = 4 // norace
}

// It is stopped, most likely, before it has run.
func B10_functionStopped() {
	v := 0
	_ = v
	t := time.AfterFunc(time.Hour, func() {
		v = 1 // assumed v
	})
	t.Stop()
	v = 2 // assumed v
}

type watched struct {
	mu     sync.Mutex
	notify func()
	n      int
	poke   chan bool
}

// The goroutine looks at n when a tick comes, whatever it is sent later.
func B10_tickBesideStarter() {
	w := &watched{poke: make(chan bool)}
	t := time.NewTicker(1)
	go func() {
		for {
			select {
			case <-t.C:
				_ = w.n // race! w.n
			case <-w.poke:
				return
			}
		}
	}()
	time.Sleep(time.Millisecond)
	w.n = 1 // race! w.n
	w.poke <- true
}

// A timer that has fired is stopped in vain.
func B10_stoppedAfterFiring() {
	w := &watched{poke: make(chan bool)}
	done := make(chan bool)
	go func() {
		t := time.NewTimer(time.Hour)
		for {
			t.Reset(1)
			select {
			case <-t.C:
				t.Stop()
				w.mu.Lock()
				if w.notify != nil { // race! w.notify
					w.notify() // race! w.notify
				}
				w.mu.Unlock()
			case <-w.poke:
				t.Stop()
				done <- true
				return
			}
		}
	}()
	time.Sleep(time.Millisecond)
	w.notify = func() {} // race! w.notify
	w.poke <- true
	<-done
}

type farTimer struct {
	mu   sync.Mutex
	t    *time.Timer
	n, m int
	on   bool
}

func (x *farTimer) fire() {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.on {
		x.n++             // race! x.n
		x.t.Reset(1)      // norace
		println(x.m, x.n) // race! x.n
	}
}

func newFarTimer() *farTimer {
	x := &farTimer{}
	x.t = time.AfterFunc(math.MaxInt64, x.fire) // norace
	x.t.Stop()
	x.m = 1 // norace
	return x
}

func (x *farTimer) start() {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.on = true
	x.t.Reset(1)
}

// What a timer runs that nobody lives to see fire is run when it has been reset.
func B11_farTimer() {
	x := newFarTimer()
	x.start()
	x.n = 2 // race! x.n
}

// It may also fire by itself.
func B11_nearTimer() {
	v := 0
	_ = v
	t := time.AfterFunc(24*time.Hour, func() {
		v = 1 // race! v
	})
	v = 2 // race! v
	t.Reset(1)
}

// So it may if nobody knows for how long it is set.
func B11_timerOfSomeTime(d time.Duration) {
	v := 0
	_ = v
	t := time.AfterFunc(d, func() {
		v = 1 // race! v
	})
	v = 2 // race! v
	t.Reset(1)
}

// Who else has the timer resets it.
func B11_farTimerHandedOn(timers chan<- *time.Timer) {
	v := 0
	_ = v
	t := time.AfterFunc(math.MaxInt64, func() {
		v = 1 // race! v
	})
	timers <- t
	v = 2 // race! v
}
