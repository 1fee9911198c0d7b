package lock

import "sync"

// A store guards its index, each method by itself.
type store struct {
	mu  sync.Mutex
	idx *index
}

type index struct{ n, gets int }

func (x *index) put() {
	x.n++ // norace
	x.count()
}

func (x *index) get() int {
	x.count()
	return x.n // norace
}

func (x *index) count() { x.gets++ } // norace

func newStore() *store { return &store{idx: &index{}} }

func (s *store) put() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.idx.put()
}

func (s *store) get() int {
	s.mu.Lock()
	n := s.idx.get()
	s.mu.Unlock()
	return n
}

func OL1_eachMethodLocks() {
	var ss []*store
	for range n {
		ss = append(ss, newStore())
	}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			ss[i/2].put()
			ss[i/2].get()
		})
	}
	wg.Wait()
}

// One of the methods has another lock.
func OL2_twoLocks() {
	s := &twice{idx: &index2{}}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			s.put()
			s.get()
		})
	}
	wg.Wait()
}

type twice struct {
	mu, other sync.Mutex
	idx       *index2
}

type index2 struct{ gets int }

func (x *index2) count() { x.gets++ } // race! gets

func (s *twice) put() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.idx.count()
}

func (s *twice) get() {
	s.other.Lock()
	s.idx.count()
	s.other.Unlock()
}

// Two stores have one index.
func OL3_twoStores() {
	x := &index3{}
	a, b := &store3{idx: x}, &store3{idx: x}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			if i%2 == 0 {
				a.put()
			} else {
				b.get()
			}
		})
	}
	wg.Wait()
}

type store3 struct {
	mu  sync.Mutex
	idx *index3
}

type index3 struct{ gets int }

func (x *index3) count() { x.gets++ } // race! gets

func (s *store3) put() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.idx.count()
}

func (s *store3) get() {
	s.mu.Lock()
	s.idx.count()
	s.mu.Unlock()
}

// The lock is that of one part of the store, the counter is of the other.
func OL4_ofTheOtherPart() {
	s := &parts{}
	s.left.idx, s.right.idx = &index4{}, &index4{}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			if i%2 == 0 {
				s.put()
			} else {
				s.get()
			}
		})
	}
	wg.Wait()
}

type parts struct{ left, right part }

type part struct {
	mu  sync.Mutex
	idx *index4
}

type index4 struct{ gets int }

func (x *index4) count() { x.gets++ } // race! gets

func (s *parts) put() {
	s.left.mu.Lock()
	s.left.idx.count()
	s.left.mu.Unlock()
}

func (s *parts) get() {
	s.right.mu.Lock()
	s.left.idx.count()
	s.right.mu.Unlock()
}

// Two lists have one array, each under its own lock.
func OL5_oneArrayTwoLocks() {
	a := &half{mu: new(sync.Mutex), xs: make([]int, 4)}
	b := &half{mu: new(sync.Mutex), xs: a.xs}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			if i%2 == 0 {
				a.bump()
			} else {
				b.bump()
			}
		})
	}
	wg.Wait()
}

type half struct {
	mu *sync.Mutex
	xs []int
}

func (h *half) bump() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.xs[0]++ // race! xs
}

// There are more ways to the counter than are told apart.
func OL6_manyWays() {
	var ss []*store6
	for range n {
		ss = append(ss, &store6{idx: &index6{}})
	}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			ss[i/2].put()
			ss[i/2].get()
		})
	}
	wg.Wait()
}

type store6 struct {
	mu  sync.Mutex
	idx *index6
}

type index6 struct{ gets int }

func (x *index6) count() { x.gets++ } // norace

func (s *store6) put() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.idx.count()
	s.idx.count()
	s.idx.count()
	s.idx.count()
	s.idx.count()
	s.idx.count()
	s.idx.count()
	s.idx.count()
	s.idx.count()
	s.idx.count()
	s.idx.count()
	s.idx.count()
	s.idx.count()
	s.idx.count()
	s.idx.count()
	s.idx.count()
	s.idx.count()
	s.idx.count()
}

func (s *store6) get() {
	s.mu.Lock()
	s.idx.count()
	s.idx.count()
	s.idx.count()
	s.idx.count()
	s.idx.count()
	s.idx.count()
	s.idx.count()
	s.idx.count()
	s.idx.count()
	s.idx.count()
	s.idx.count()
	s.idx.count()
	s.idx.count()
	s.idx.count()
	s.idx.count()
	s.idx.count()
	s.idx.count()
	s.idx.count()
	s.mu.Unlock()
}
