package order

import "sync"

// A roll tells the last one to come that he is.
type roll struct {
	mu     sync.Mutex
	cond   *sync.Cond
	size   int
	n, gen int
}

func newRoll(size int) *roll {
	r := &roll{size: size}
	r.cond = sync.NewCond(&r.mu)
	return r
}

func (r *roll) call() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	g := r.gen
	r.n++
	if r.n == r.size {
		r.n = 0
		r.gen++
		r.cond.Broadcast()
		return true
	}
	for g == r.gen {
		r.cond.Wait()
	}
	return false
}

// PY51_told has the last one to come add up.
func PY51_told() int {
	total := 0
	r := newRoll(4)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 9 {
				if r.call() {
					addTold(&total)
				}
				r.call()
			}
		})
	}
	wg.Wait()
	return total
}

func addTold(total *int) {
	*total++ // norace
}

// PY52_oneCall has another last one in each round.
func PY52_oneCall() {
	total := 0
	r := newRoll(4)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 9 {
				if r.call() {
					total++ // norace
				}
			}
		})
	}
	wg.Wait()
}

// PY53_others has all others do it.
func PY53_others() {
	total := 0
	r := newRoll(4)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 9 {
				if !r.call() {
					total++ // race! total
				}
				r.call()
			}
		})
	}
	wg.Wait()
}

// PY54_orFirst has the first one that was started do it, too.
func PY54_orFirst() {
	total := 0
	r := newRoll(4)
	var wg sync.WaitGroup
	for w := range 4 {
		wg.Go(func() {
			for range 9 {
				if r.call() || w == 0 {
					total++ // race! total
				}
				r.call()
			}
		})
	}
	wg.Wait()
}

// PY55_read has the others look at it meanwhile.
func PY55_read() {
	total := 0
	r := newRoll(4)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 9 {
				if r.call() {
					total++ // race! total
				} else {
					_ = total // race! total
				}
				r.call()
			}
		})
	}
	wg.Wait()
}

// PY56_before has two do it before they come.
func PY56_before() {
	total := 0
	r := newRoll(4)
	var wg sync.WaitGroup
	for w := range 4 {
		wg.Go(func() {
			if w < 2 {
				addEarly(&total)
			}
			if r.call() {
				addEarly(&total)
			}
		})
	}
	wg.Wait()
}

func addEarly(total *int) {
	*total++ // race! total
}

// PY57_behindNext has who was the last one do it when the others have gone on, as the last one of the next call does.
func PY57_behindNext() {
	total := 0
	r := newRoll(4)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			if r.call() {
				r.call()
				total++ // race! total
				return
			}
			if r.call() {
				total++ // race! total
			}
		})
	}
	wg.Wait()
}

// PY58_more has more goroutines than the roll waits for.
func PY58_more() {
	total := 0
	r := newRoll(4)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if r.call() {
				total++ // race! total
			}
		})
	}
	wg.Wait()
}

func (r *roll) callEven() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	g := r.gen
	r.n++
	if r.n == r.size {
		r.n = 0
		r.gen++
		r.cond.Broadcast()
		return true
	}
	for g == r.gen {
		r.cond.Wait()
	}
	return r.gen%2 == 0
}

// PY59_even tells it the others, too, in every other round.
func PY59_even() {
	total := 0
	r := newRoll(4)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 9 {
				if r.callEven() {
					total++ // race! total
				}
			}
		})
	}
	wg.Wait()
}

func (r *roll) callAll() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	g := r.gen
	r.n++
	if r.n == r.size {
		r.n = 0
		r.gen++
		r.cond.Broadcast()
		return true
	}
	for g == r.gen {
		r.cond.Wait()
	}
	return true
}

// PY60_all tells it all.
func PY60_all() {
	total := 0
	r := newRoll(4)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			if r.callAll() {
				total++ // race! total
			}
		})
	}
	wg.Wait()
}

// PY61_stale looks at what the first call has told behind the second one, which has told it another one.
func PY61_stale() {
	total := 0
	r := newRoll(4)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			first := r.call()
			second := r.call()
			if first {
				total++ // race! total
			}
			if second {
				total++ // race! total
			}
		})
	}
	wg.Wait()
}
