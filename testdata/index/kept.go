package index

import "sync"

// Lists of parts that a constructor has put into a field, long before somebody starts an iteration for each.

type keptStretch struct {
	lo, hi int
	sum    int
}

type acre struct {
	mu    sync.Mutex
	data  []int
	parts []keptStretch
	more  []keptStretch
}

func (f *acre) each(do func(*keptStretch)) {
	var wg sync.WaitGroup
	for i := range f.parts {
		wg.Go(func() { do(&f.parts[i]) })
	}
	wg.Wait()
}

// KL1: the parts are equal.
func KL1_equal() {
	for n := range 3 {
		f := newEqual(100+n, 4)
		for range 2 {
			f.each(func(s *keptStretch) {
				s.sum = 0
				for j := s.lo; j < s.hi; j++ {
					f.data[j]++ // norace
					s.sum += j
				}
			})
		}
	}
}

func newEqual(n, w int) *acre {
	f := &acre{data: make([]int, n), parts: make([]keptStretch, w)}
	for i := range f.parts {
		f.parts[i] = keptStretch{lo: i * n / w, hi: (i + 1) * n / w}
	}
	return f
}

// They overlap by one.
func KL1b_overlapping() {
	f := newOverlapping(100, 4)
	f.each(func(s *keptStretch) {
		for j := s.lo; j < s.hi; j++ {
			f.data[j]++ // race! f.data[*]
		}
	})
}

func newOverlapping(n, w int) *acre {
	f := &acre{data: make([]int, n+1), parts: make([]keptStretch, w)}
	for i := range f.parts {
		f.parts[i] = keptStretch{lo: i * n / w, hi: (i+1)*n/w + 1}
	}
	return f
}

// The loop begins before the list is filled: all parts begin at 0.
func KL1c_tooLate() { newTooLate(100, 4) }

func newTooLate(n, w int) *acre {
	f := &acre{data: make([]int, n), parts: make([]keptStretch, w)}
	f.each(func(s *keptStretch) {
		f.data[s.lo]++ // race! f.data[*]
	})
	for i := range f.parts {
		f.parts[i] = keptStretch{lo: i, hi: i + 1}
	}
	return f
}

// Half of the list is filled.
func KL1d_half() {
	f := newHalf(100, 4)
	f.each(func(s *keptStretch) {
		f.data[s.lo]++ // race! f.data[*]
	})
}

func newHalf(n, w int) *acre {
	f := &acre{data: make([]int, n), parts: make([]keptStretch, w)}
	for i := range w / 2 {
		f.parts[i] = keptStretch{lo: i, hi: i + 1}
	}
	return f
}

// KL2: a part ends where enough has come together.
func KL2_byWeight(weights []int) {
	f := &acre{data: make([]int, len(weights))}
	f.parts = cutByWeight(weights, 10)
	for range 2 {
		f.each(func(s *keptStretch) {
			for j := s.lo; j < s.hi; j++ {
				f.data[j]++ // norace
			}
		})
	}
}

func cutByWeight(weights []int, most int) []keptStretch {
	var ts []keptStretch
	lo, sum := 0, 0
	for v, w := range weights {
		sum += w
		if sum >= most || v == len(weights)-1 {
			ts = append(ts, keptStretch{lo: lo, hi: v + 1})
			lo, sum = v+1, 0
		}
	}
	return ts
}

// The next part begins with the last one's end.
func KL2b_tooEarly(weights []int) {
	f := &acre{data: make([]int, len(weights))}
	f.parts = cutTooEarly(weights, 10)
	f.each(func(s *keptStretch) {
		for j := s.lo; j < s.hi; j++ {
			f.data[j]++ // race! f.data[*]
		}
	})
}

func cutTooEarly(weights []int, most int) []keptStretch {
	var ts []keptStretch
	lo, sum := 0, 0
	for v, w := range weights {
		sum += w
		if sum >= most || v == len(weights)-1 {
			ts = append(ts, keptStretch{lo: lo, hi: v + 1})
			lo, sum = v, 0
		}
	}
	return ts
}

// Two lists, of two runs of the function.
func KL2c_twoLists(weights []int) {
	f := &acre{data: make([]int, len(weights))}
	f.parts = cutByWeight(weights, 10)
	f.more = cutByWeight(weights, 20)
	var wg sync.WaitGroup
	for i := range min(len(f.parts), len(f.more)) {
		wg.Go(func() {
			s, t := f.parts[i], f.more[i]
			f.data[s.lo]++ // race! f.data[*]
			f.data[t.lo]++ // race! f.data[*]
		})
	}
	wg.Wait()
}

// Somebody else adds a part.
func KL2d_added(weights []int) {
	f := &acre{data: make([]int, len(weights))}
	f.parts = cutByWeight(weights, 10)
	f.parts = append(f.parts, keptStretch{lo: 0, hi: len(weights)})
	f.each(func(s *keptStretch) {
		for j := s.lo; j < s.hi; j++ {
			f.data[j]++ // race! f.data[*]
		}
	})
}

// Somebody moves the parts' ends.
func KL2e_moved(weights []int) {
	f := &acre{data: make([]int, len(weights))}
	f.parts = cutByWeight(weights, 10)
	f.widen()
	f.each(func(s *keptStretch) {
		for j := s.lo; j < s.hi; j++ {
			f.data[j]++ // race! f.data[*]
		}
	})
}

func (f *acre) widen() {
	for i := range f.parts {
		f.parts[i].hi = len(f.data)
	}
}

// A function adds to what it is given, and is called twice.
func KL2f_addedTwice() {
	f := &acre{data: make([]int, 10)}
	f.parts = addParts(f.parts, 10)
	f.parts = addParts(f.parts, 10)
	f.each(func(s *keptStretch) {
		f.data[s.lo]++ // race! f.data[*]
	})
}

func addParts(ts []keptStretch, n int) []keptStretch {
	for i := range n {
		ts = append(ts, keptStretch{lo: i, hi: i + 1})
	}
	return ts
}

// Another list comes into its place while the iterations run.
func KL2g_replaced(weights []int) {
	f := &acre{data: make([]int, len(weights))}
	f.parts = cutByWeight(weights, 10)
	var wg sync.WaitGroup
	for i := range len(weights) / 20 {
		wg.Go(func() {
			f.mu.Lock()
			s := f.parts[i]
			f.parts = cutByWeight(weights, i)
			f.mu.Unlock()
			f.data[s.lo]++ // race! f.data[*]
		})
	}
	wg.Wait()
}

// KL3: each worker has its part.
func KL3_workers() {
	c := newCrew(make([]int, 100), 4)
	for range 3 {
		c.step()
	}
}

type plower struct {
	lo, hi int
	data   []int
}

func (p *plower) run() {
	for j := p.lo; j < p.hi; j++ {
		p.data[j]++ // norace
	}
}

type crew struct{ ps []*plower }

func newCrew(data []int, n int) *crew {
	c := &crew{}
	size := (len(data) + n - 1) / n
	for i := range n {
		p := &plower{lo: i * size, hi: min((i+1)*size, len(data)), data: data}
		c.ps = append(c.ps, p)
	}
	return c
}

func (c *crew) step() {
	var wg sync.WaitGroup
	for _, p := range c.ps {
		wg.Add(1)
		go func() {
			defer wg.Done()
			p.run()
		}()
	}
	wg.Wait()
}

// The last part of each crew is as long as all.
func KL3b_toTheEnd() {
	newGang(make([]int, 100), 4).step()
}

type digger struct {
	lo, hi int
	data   []int
}

func (d *digger) run() {
	for j := d.lo; j < d.hi; j++ {
		d.data[j]++ // race! data[*]
	}
}

type gang struct{ ds []*digger }

func newGang(data []int, n int) *gang {
	g := &gang{}
	for i := range n {
		g.ds = append(g.ds, &digger{lo: i * len(data) / n, hi: len(data), data: data})
	}
	return g
}

func (g *gang) step() {
	var wg sync.WaitGroup
	for _, d := range g.ds {
		wg.Add(1)
		go func() {
			defer wg.Done()
			d.run()
		}()
	}
	wg.Wait()
}

// Each element is of two parts.
func KL4_pairs() {
	f := newEqual(100, 4)
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			s := f.parts[i/2]
			f.data[s.lo]++ // race! f.data[*]
		})
	}
	wg.Wait()
}
