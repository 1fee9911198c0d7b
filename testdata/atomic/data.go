package atomics

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// Atomic against atomic is no race; the plain read comes after Wait.
func B10_counter() {
	var c int64
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			atomic.AddInt64(&c, 1) // norace
		})
	}
	wg.Wait()
	_ = c // norace
}

// Typed atomics.
func B10_typedCounter() {
	var c atomic.Int64
	var stop atomic.Bool
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			if stop.Load() {
				return
			}
			if c.Add(1) > 5 {
				stop.Store(true)
			}
		})
	}
	wg.Wait()
}

// A plain read beside the atomic writes.
func B10_mixedAccess() {
	var c int64
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			atomic.AddInt64(&c, 1) // race! c
			if c > 5 {             // race! c
				return
			}
		})
	}
	wg.Wait()
}

// Load and Store are atomic each, but the update is lost; no data race.
func B10_lostUpdate() {
	var c atomic.Int64
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			c.Store(c.Load() + 1) // norace
		})
	}
	wg.Wait()
}

// The pointer is published atomically after the node was written.
func B10_publishedPointer() {
	var head atomic.Pointer[node]
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			nd := &node{}
			nd.id = i // norace
			head.Store(nd)
			if h := head.Load(); h != nil {
				_ = h.id // norace
			}
		})
	}
	wg.Wait()
}

// The node is written after it was published.
func B10_writtenAfterPublication() {
	var head atomic.Pointer[node]
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			nd := &node{}
			head.Store(nd)
			nd.id = i // race! _.id
			if h := head.Load(); h != nil {
				_ = h.id + 1 // race! _.id
			}
		})
	}
	wg.Wait()
}

// A lock-free stack: nodes are linked before they are published.
func B10_casPush() {
	var head atomic.Pointer[node]
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			nd := &node{id: i}
			for {
				old := head.Load()
				nd.next = old // norace
				if head.CompareAndSwap(old, nd) {
					break
				}
			}
		})
	}
	wg.Wait()
	for nd := head.Load(); nd != nil; nd = nd.next { // norace
		_ = nd.id // norace
	}
}

// The winner of the CAS is one: only it writes.
func B10_casWinner() {
	var won atomic.Bool
	result := 0
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			if won.CompareAndSwap(false, true) {
				result = i // norace
			}
		})
	}
	wg.Wait()
	_ = result // norace
}

// The flag is checked and set in two steps: two may win.
func B10_checkThenSet() {
	var won atomic.Bool
	result := 0
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			if !won.Load() {
				result = i // race! result
				runtime.Gosched()
				won.Store(true)
			}
		})
	}
	wg.Wait()
	_ = result
}

// The flag is stored after the write, and seen before the read.
func B10_flagOrders() {
	var ready atomic.Bool
	config := 0
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			if ready.Load() {
				_ = config + 1 // norace
			}
		})
	}
	config = 42 // norace
	ready.Store(true)
	wg.Wait()
}

// The read is on the branch where the flag was not seen.
func B10_flagNotSeen() {
	var ready atomic.Bool
	config := 0
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			if !ready.Load() {
				_ = config + 1 // race! config
			}
		})
	}
	runtime.Gosched()
	config = 42 // race! config
	ready.Store(true)
	wg.Wait()
}

// A plain flag orders nothing, and races itself.
func B10_plainFlag() {
	ready := false
	config := 0
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			if ready { // race! ready
				_ = config + 1 // race! config
			}
		})
	}
	config = 42  // race! config
	ready = true // race! ready
	wg.Wait()
}

// It counts to one, when another may still be writing.
func S43b_lastButOneOut() {
	parts := make([]int, n)
	var left atomic.Int64
	left.Store(n)
	var wg sync.WaitGroup
	for i := range parts {
		wg.Go(func() {
			parts[i] = i // race! parts[*]
			if left.Add(-1) == 1 {
				sum := 0
				for _, p := range parts { // race! parts[*]
					sum += p // norace
				}
				_ = sum
			}
		})
	}
	wg.Wait()
}

// The counter is a package's, and another run of the function counts by it, too.
func S43b_lastOneOutOfAll() {
	parts := make([]int, n)
	allLeft.Store(n)
	var wg sync.WaitGroup
	for i := range parts {
		wg.Go(func() {
			parts[i] = i // race! parts[*]
			if allLeft.Add(-1) == 0 {
				println(parts[0]) // race! parts[*]
			}
		})
	}
	wg.Wait()
}

var allLeft atomic.Int64

// The last one out reads what all have written.
func S43_lastOneOut() {
	parts := make([]int, n)
	var left atomic.Int64
	left.Store(n)
	var wg sync.WaitGroup
	for i := range parts {
		wg.Go(func() {
			parts[i] = i // norace
			if left.Add(-1) == 0 {
				sum := 0
				for _, p := range parts { // norace
					sum += p // norace
				}
				_ = sum
			}
		})
	}
	wg.Wait()
}

// An atomic pointer is compared with one that is not nil.
func B10_comparedPointer() {
	var at atomic.Pointer[int]
	x := 0
	_ = x
	p := new(int)
	go func() {
		x = 1 // norace
		at.Store(p)
	}()
	for at.Load() != p {
		runtime.Gosched()
	}
	x = 2 // norace
}

// The other one may be nil.
func B10_comparedPointerOrNil(q *int) {
	var at atomic.Pointer[int]
	x := 0
	_ = x
	go func() {
		x = 1 // race! x
		at.Store(q)
	}()
	for at.Load() != q {
		runtime.Gosched()
	}
	x = 2 // race! x
}
