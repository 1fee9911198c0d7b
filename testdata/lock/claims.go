package lock

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// Who is the first to set a flag has for itself what it stands for.

type claimed struct {
	mu   sync.Mutex
	done atomic.Bool
	seen bool
	n    int
	val  int
	next *claimed
}

func CL1_swapped(c *claimed) {
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			if c.done.CompareAndSwap(false, true) {
				c.val++ // norace
			}
		})
	}
	wg.Wait()
}

func CL1b_theOthers() {
	c := new(claimed)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			if !c.done.CompareAndSwap(false, true) {
				c.val++ // race! val
			}
		})
	}
	wg.Wait()
}

func CL1c_afterwards() {
	c := new(claimed)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			if c.done.CompareAndSwap(false, true) {
				c.val++ // race! val
			}
			_ = c.val // race! val
		})
	}
	wg.Wait()
}

func CL1d_givenBackByAnyone() {
	c := new(claimed)
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			if i%2 == 0 {
				c.done.Store(false)
			} else if c.done.CompareAndSwap(false, true) {
				c.val++ // race! val
			}
		})
	}
	wg.Wait()
}

func CL1e_looksFirst() {
	c := new(claimed)
	var wg sync.WaitGroup
	for range 64 {
		wg.Go(func() {
			if !c.done.Load() {
				runtime.Gosched()
				c.done.Store(true)
				c.val++ // race! val
			}
		})
	}
	wg.Wait()
}

func CL1f_spins(n *int) {
	var busy atomic.Bool
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for !busy.CompareAndSwap(false, true) {
			}
			*n++ // norace
			busy.Store(false)
		})
	}
	wg.Wait()
}

func CL1g_tooEarly() {
	var busy atomic.Bool
	var wg sync.WaitGroup
	n := 0
	for range 4 {
		wg.Go(func() {
			for !busy.CompareAndSwap(false, true) {
			}
			busy.Store(false)
			n++ // race! n
		})
	}
	wg.Wait()
}

func CL1h_ofACopy() {
	c := new(claimed)
	var wg sync.WaitGroup
	for range 4 {
		var done int32
		wg.Go(func() {
			if atomic.CompareAndSwapInt32(&done, 0, 1) {
				c.val++ // race! val
			}
		})
	}
	wg.Wait()
}

func CL2_exchanged(c *claimed) {
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			if c.done.Swap(true) {
				return
			}
			c.val++ // norace
		})
	}
	wg.Wait()
}

func CL2b_notAsked() {
	c := new(claimed)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			c.done.Swap(true)
			c.val++ // race! val
		})
	}
	wg.Wait()
}

func CL3_counted(c *claimed) {
	var count atomic.Int32
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			if count.Add(1) == 1 {
				c.val++ // norace
			}
		})
	}
	wg.Wait()
}

func CL3b_countedDown() {
	c := new(claimed)
	var count atomic.Int32
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 500 {
				first := count.Add(1) == 1
				count.Add(-1)
				if first {
					c.val++ // race! val
				}
			}
		})
	}
	wg.Wait()
}

func CL4_underLock(cs []*claimed) {
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for _, c := range cs {
				c.mu.Lock()
				if c.seen {
					c.mu.Unlock()
					continue
				}
				c.seen = true
				c.mu.Unlock()
				c.val++ // norace
			}
		})
	}
	wg.Wait()
}

func CL4b_letGoBetween() {
	c := new(claimed)
	var wg sync.WaitGroup
	for range 64 {
		wg.Go(func() {
			c.mu.Lock()
			seen := c.seen
			c.mu.Unlock()
			if seen {
				return
			}
			runtime.Gosched()
			c.mu.Lock()
			c.seen = true
			c.mu.Unlock()
			c.val++ // race! val
		})
	}
	wg.Wait()
}

func CL4c_letGoBetween() {
	c := new(claimed)
	var wg sync.WaitGroup
	for range 64 {
		wg.Go(func() {
			c.mu.Lock()
			if c.seen {
				c.mu.Unlock()
				return
			}
			c.mu.Unlock()
			runtime.Gosched()
			c.mu.Lock()
			c.seen = true
			c.mu.Unlock()
			c.val++ // race! val
		})
	}
	wg.Wait()
}

func CL4d_running(c *claimed) {
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			c.mu.Lock()
			if c.seen {
				c.mu.Unlock()
				return
			}
			c.seen = true
			c.mu.Unlock()
			c.val++ // norace
			c.mu.Lock()
			c.seen = false
			c.mu.Unlock()
		})
	}
	wg.Wait()
}

func CL4e_stoppedByAnyone() {
	c := new(claimed)
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			if i%2 == 0 {
				c.mu.Lock()
				c.seen = false
				c.mu.Unlock()
				return
			}
			c.mu.Lock()
			if c.seen {
				c.mu.Unlock()
				return
			}
			c.seen = true
			c.mu.Unlock()
			c.val++ // race! val
		})
	}
	wg.Wait()
}

func CL4f_afterStopping() {
	c := new(claimed)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			c.mu.Lock()
			if c.seen {
				c.mu.Unlock()
				return
			}
			c.seen = true
			c.mu.Unlock()
			c.mu.Lock()
			c.seen = false
			c.mu.Unlock()
			c.val++ // race! val
		})
	}
	wg.Wait()
}

func (c *claimed) start() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.seen {
		return false
	}
	c.seen = true
	return true
}

func (c *claimed) stop() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.seen = false
}

func CL4g_startAndStop(c *claimed) {
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			if !c.start() {
				return
			}
			defer c.stop()
			c.val++ // norace
		})
	}
	wg.Wait()
}

func CL4h_notStarted() {
	c := new(claimed)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			c.start()
			c.val++ // race! val
		})
	}
	wg.Wait()
}

func CL5_elements() {
	const n = 16
	var took [n]int32
	out := make([]int, n)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for i := range n {
				if atomic.CompareAndSwapInt32(&took[i], 0, 1) {
					out[i]++ // norace
				}
			}
		})
	}
	wg.Wait()
}

func CL5b_otherElements() {
	const n = 16
	var took [n]int32
	out := make([]int, n)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for i := range n {
				if atomic.CompareAndSwapInt32(&took[i], 0, 1) {
					out[i/2]++ // race! out
				}
			}
		})
	}
	wg.Wait()
}

func CL5c_plainElements(n int) {
	took := make([]bool, n)
	out := make([]int, n)
	var mu sync.Mutex
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for i := range n {
				mu.Lock()
				if took[i] {
					mu.Unlock()
					continue
				}
				took[i] = true
				mu.Unlock()
				out[i]++ // norace
			}
		})
	}
	wg.Wait()
}

type visits struct {
	mu   sync.Mutex
	seen map[*claimed]bool
}

func (v *visits) first(c *claimed) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.seen[c] {
		return false
	}
	v.seen[c] = true
	return true
}

func CL6_visited(cs []*claimed) {
	v := &visits{seen: make(map[*claimed]bool)}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for _, c := range cs {
				if v.first(c) {
					c.val++ // norace
				}
			}
		})
	}
	wg.Wait()
}

func CL6b_theNext() {
	a := new(claimed)
	cs := []*claimed{a, {next: a}}
	v := &visits{seen: make(map[*claimed]bool)}
	var wg sync.WaitGroup
	for range 64 {
		wg.Go(func() {
			for _, c := range cs {
				runtime.Gosched()
				if v.first(c) {
					c.val++ // race! val
					if c.next != nil {
						c.next.val++ // race! val
					}
				}
			}
		})
	}
	wg.Wait()
}

func CL6c_there(cs []*claimed) {
	seen := make(map[*claimed]struct{})
	var mu sync.Mutex
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for _, c := range cs {
				mu.Lock()
				_, ok := seen[c]
				if ok {
					mu.Unlock()
					continue
				}
				seen[c] = struct{}{}
				mu.Unlock()
				c.val++ // norace
			}
		})
	}
	wg.Wait()
}

func CL6d_forgotten() {
	c := new(claimed)
	seen := make(map[*claimed]struct{})
	var mu sync.Mutex
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			mu.Lock()
			if i%2 == 0 {
				delete(seen, c)
				mu.Unlock()
				return
			}
			if _, ok := seen[c]; ok {
				mu.Unlock()
				return
			}
			seen[c] = struct{}{}
			mu.Unlock()
			c.val++ // race! val
		})
	}
	wg.Wait()
}

func CL6e_ownMaps() {
	c := new(claimed)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			v := &visits{seen: make(map[*claimed]bool)}
			if v.first(c) {
				c.val++ // race! val
			}
		})
	}
	wg.Wait()
}

func CL6f_mapSetAnew() {
	c := new(claimed)
	v := &visits{seen: make(map[*claimed]bool)}
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			if i%2 == 0 {
				v.mu.Lock()
				v.seen = make(map[*claimed]bool)
				v.mu.Unlock()
				return
			}
			if v.first(c) {
				c.val++ // race! val
			}
		})
	}
	wg.Wait()
}

func CL6g_readLock() {
	c := new(claimed)
	seen := make(map[*claimed]bool)
	var mu sync.RWMutex
	var wg sync.WaitGroup
	for range 64 {
		wg.Go(func() {
			mu.RLock()
			if seen[c] {
				mu.RUnlock()
				return
			}
			mu.RUnlock()
			runtime.Gosched()
			mu.Lock()
			seen[c] = true
			mu.Unlock()
			c.val++ // race! val
		})
	}
	wg.Wait()
}

func CL7_byTurns() {
	c := new(claimed)
	var wg sync.WaitGroup
	var mu sync.Mutex
	var turn int
	for i := range 8 {
		wg.Go(func() {
			mu.Lock()
			if turn != 0 {
				mu.Unlock()
				return
			}
			turn = i
			mu.Unlock()
			c.val++ // race! val
		})
	}
	wg.Wait()
}
