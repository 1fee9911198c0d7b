package order

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// What is built when it is first needed, under a lock, and told by a flag.

// build runs f for a few keys on several goroutines.
func build(f func(key int) int) {
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { f(i % 3) })
	}
	wg.Wait()
}

type workshop struct {
	mu    sync.Mutex
	ready atomic.Bool
	tools []int
}

func (w *workshop) open() {
	if w.ready.Load() {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.ready.Load() {
		return
	}
	w.tools = append(w.tools, 1) // norace
	w.fill()
	w.ready.Store(true)
}

func (w *workshop) fill() { w.tools = append(w.tools, 2) } // norace

// Each looks at the flag before, and again under the lock.
func F4_builtOnce() {
	var w workshop
	build(func(key int) int {
		w.open()
		w.open()
		return w.tools[key%2] // norace
	})
}

type hurried struct {
	mu    sync.Mutex
	ready atomic.Bool
	tools []int
}

// The flag is set before all is there.
func F4b_setTooEarly() {
	var w hurried
	build(func(key int) int {
		if !w.ready.Load() {
			w.mu.Lock()
			if !w.ready.Load() {
				w.ready.Store(true)
				w.tools = make([]int, 3) // race! w.tools
			}
			w.mu.Unlock()
		}
		return len(w.tools) // race! w.tools
	})
}

// The lock was let go of in between.
func F4c_twoSections() {
	var w hurried
	build(func(key int) int {
		if !w.ready.Load() {
			w.mu.Lock()
			if !w.ready.Load() {
				w.mu.Unlock()
				for range 100 {
					runtime.Gosched()
				}
				w.mu.Lock()
				w.tools = make([]int, 3) // race! w.tools
				w.ready.Store(true)
			}
			w.mu.Unlock()
		}
		return len(w.tools) // race! w.tools
	})
}

// The flag is reset.
func F4d_builtAgain() {
	var w hurried
	build(func(key int) int {
		if !w.ready.Load() {
			w.mu.Lock()
			if !w.ready.Load() {
				w.tools = make([]int, 3) // race! w.tools
				w.ready.Store(true)
			}
			w.mu.Unlock()
		}
		k := len(w.tools) // race! w.tools
		w.ready.Store(false)
		return k
	})
}

// Some do not look at the flag.
func F4e_notLookedAt() {
	var w hurried
	build(func(key int) int {
		if key > 0 && !w.ready.Load() {
			w.mu.Lock()
			if !w.ready.Load() {
				w.tools = make([]int, 3) // race! w.tools
				w.ready.Store(true)
			}
			w.mu.Unlock()
		}
		return len(w.tools) // race! w.tools
	})
}

// The flag is not looked at again under the lock.
func F4f_notLookedAtAgain() {
	var w hurried
	build(func(key int) int {
		if !w.ready.Load() {
			w.mu.Lock()
			w.tools = make([]int, 3) // race! w.tools
			w.ready.Store(true)
			w.mu.Unlock()
		}
		return len(w.tools) // race! w.tools
	})
}

// One way leads around the Store.
func F4g_notAlwaysSet() {
	var w hurried
	build(func(key int) int {
		if !w.ready.Load() {
			w.mu.Lock()
			if !w.ready.Load() {
				w.tools = make([]int, 3) // race! w.tools
				if key > 0 {
					w.ready.Store(true)
				}
			}
			w.mu.Unlock()
		}
		return len(w.tools) // race! w.tools
	})
}
