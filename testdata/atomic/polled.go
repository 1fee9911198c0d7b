package atomics

import (
	"os"
	"sync"
	"sync/atomic"
	"time"
)

// Helpers that ask until they are told yes. The second gives up and does not return.
func until(cond func() bool) {
	for !cond() {
		time.Sleep(time.Millisecond)
	}
}

func soon(cond func() bool) {
	for range 100 {
		if cond() {
			return
		}
		time.Sleep(time.Millisecond)
	}
	os.Exit(1)
}

// Helpers that ask until they are told no, that give up, and that ask once.
func unless(cond func() bool) {
	for cond() {
		time.Sleep(time.Millisecond)
	}
}

func maybeSoon(cond func() bool) {
	for range 100 {
		if cond() {
			return
		}
		time.Sleep(time.Millisecond)
	}
}

func asked(cond func() bool) bool { return cond() }

// An atomic flag that is polled by way of a function is polled.
func PL1_closure() {
	var ready atomic.Bool
	x := 0
	go func() {
		x = 1 // norace
		ready.Store(true)
	}()
	until(func() bool { return ready.Load() })
	println(x) // norace
}

func PL1b_otherWay() {
	var ready atomic.Bool
	x := 0
	go func() {
		x = 1 // race! x
		ready.Store(true)
	}()
	unless(func() bool { return ready.Load() })
	println(x) // race! x
}

func PL2_methodValue() {
	var ready atomic.Bool
	x := 0
	go func() {
		x = 1 // norace
		ready.Store(true)
	}()
	soon(ready.Load)
	println(x) // norace
}

func PL2b_givesUp() {
	var ready atomic.Bool
	x := 0
	go func() {
		x = 1 // race! x
		ready.Store(true)
	}()
	maybeSoon(ready.Load)
	println(x) // race! x
}

// The flag is set too early.
func PL2c_early() {
	var ready atomic.Bool
	x := 0
	go func() {
		ready.Store(true)
		x = 1 // race! x
	}()
	soon(ready.Load)
	println(x) // race! x
}

// It is another flag.
func PL2d_another() {
	var ready, other atomic.Bool
	x := 0
	go func() {
		x = 1 // race! x
		ready.Store(true)
	}()
	go func() { other.Store(true) }()
	soon(other.Load)
	println(x) // race! x
}

// The answer goes through two functions, and one that turns it round.
type beacon struct{ lit atomic.Int32 }

func (b *beacon) isLit() bool  { return b.lit.Load() == 1 }
func (b *beacon) isDark() bool { return !b.isLit() }

func PL3_method() {
	b := &beacon{}
	x := 0
	go func() {
		x = 1 // norace
		b.lit.Store(1)
	}()
	until(b.isLit)
	println(x) // norace
}

// One of its own: a method has one copy for all objects.
type lantern struct{ lit atomic.Int32 }

func (l *lantern) isLit() bool  { return l.lit.Load() == 1 }
func (l *lantern) isDark() bool { return !l.isLit() }

func PL3b_turnedRound() {
	b := &lantern{}
	x := 0
	go func() {
		x = 1 // norace
		b.lit.Store(1)
	}()
	unless(b.isDark)
	println(x) // norace
}

func PL3c_wrongTurn() {
	b := &beacon{}
	x := 0
	go func() {
		x = 1 // race! x
		b.lit.Store(1)
	}()
	until(b.isDark)
	println(x) // race! x
}

func PL4_twoFunctions() {
	b := &beacon{}
	x := 0
	go func() {
		x = 1 // norace
		b.lit.Store(1)
	}()
	for !asked(func() bool { return b.isLit() }) {
	}
	println(x) // norace
}

// Two flags by way of one helper; each orders what its setter has done.
func PL5_twoFlags() {
	var first, second atomic.Bool
	x, y := 0, 0
	go func() {
		x = 1 // norace
		first.Store(true)
	}()
	go func() {
		y = 1 // race! y
		second.Store(true)
	}()
	soon(first.Load)
	println(x) // norace
	println(y) // race! y
	soon(second.Load)
}

// A lock that is taken by a function that says so.
type gate struct {
	mu sync.Mutex
	n  int
}

func (g *gate) tryEnter() bool { return g.mu.TryLock() }

func PL6_tryLock() {
	g := &gate{}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			if g.tryEnter() {
				g.n++ // norace
				g.mu.Unlock()
			}
		})
	}
	wg.Wait()
}

func PL6b_notTaken() {
	g := &gate{}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			if !g.tryEnter() {
				g.n++ // race! _.n
				return
			}
			g.mu.Unlock()
		})
	}
	wg.Wait()
}

// The lock is given back before the function says that it was taken.
func (g *gate) passed() bool {
	ok := g.mu.TryLock()
	if ok {
		g.mu.Unlock()
	}
	return ok
}

func PL6c_givenBack() {
	g := &gate{}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			if g.passed() {
				g.n++ // race! _.n
			}
		})
	}
	wg.Wait()
}
