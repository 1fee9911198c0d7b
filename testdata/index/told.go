package index

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// This file has numbers and parts that come together with a truth value, which says whether
// they are any good.

type shares struct {
	next atomic.Int64
	end  int64
	step int64
}

// An atomic cursor hands out chunks of a size that a field has, and the rest at the end.
func TD1_chunks() {
	out := make([]int, 300)
	inChunks(300, 7, func(i int64) {
		out[i]++ // assumed out
	})
}

func inChunks(n, step int64, body func(i int64)) {
	s := &shares{end: n, step: step}
	var wg sync.WaitGroup
	for range 4 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for {
				lo, hi, ok := s.grab()
				if !ok {
					return
				}
				for i := lo; i < hi; i++ {
					body(i)
				}
			}
		}()
	}
	wg.Wait()
}

func (s *shares) grab() (lo, hi int64, ok bool) {
	hi = s.next.Add(s.step)
	lo = hi - s.step
	if lo >= s.end {
		return 0, 0, false
	}
	return lo, min(hi, s.end), true
}

// The chunk's last element is the next one's first.
func TD1b_oneTooMany() {
	out := make([]int, 301)
	s := &shares{end: 300, step: 7}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for {
				lo, hi, ok := s.grab()
				if !ok {
					return
				}
				for i := lo; i <= hi; i++ {
					runtime.Gosched()
					out[i]++ // race! out
				}
			}
		})
	}
	wg.Wait()
}

// The step that is taken off again is not the one that was added.
func TD1c_otherStep() {
	out := make([]int, 320)
	s := &shares{end: 300, step: 7}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for {
				lo, hi, ok := s.grabMore()
				if !ok {
					return
				}
				for i := lo; i < hi; i++ {
					runtime.Gosched()
					out[i]++ // race! out
				}
			}
		})
	}
	wg.Wait()
}

func (s *shares) grabMore() (lo, hi int64, ok bool) {
	hi = s.next.Add(s.step)
	lo = max(hi-2*s.step, 0)
	if lo >= s.end {
		return 0, 0, false
	}
	return lo, hi, true
}

// What was added is not what is looked at: another one may have added meanwhile.
func TD1d_loadedAfter() {
	out := make([]int, 400)
	s := &shares{end: 300, step: 7}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for {
				lo, hi, ok := s.grabAndLoad()
				if !ok {
					return
				}
				for i := lo; i < hi; i++ {
					out[i]++ // race! out
				}
			}
		})
	}
	wg.Wait()
}

func (s *shares) grabAndLoad() (lo, hi int64, ok bool) {
	s.next.Add(s.step)
	runtime.Gosched()
	hi = s.next.Load()
	lo = hi - s.step
	if lo >= s.end {
		return 0, 0, false
	}
	return lo, hi, true
}

type slots struct {
	next atomic.Uint32
	n    int
}

func (s *slots) take() (int, bool) {
	i := int(s.next.Add(1) - 1)
	if i >= s.n {
		return 0, false
	}
	return i, true
}

func TD2_slot() {
	out := make([]int, 64)
	s := &slots{n: 64}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for {
				i, ok := s.take()
				if !ok {
					return
				}
				out[i]++ // norace
			}
		})
	}
	wg.Wait()
}

// Who gets no slot uses the first.
func TD2b_notAsked() {
	out := make([]int, 64)
	s := &slots{n: 64}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 32 {
				i, _ := s.take()
				runtime.Gosched()
				out[i]++ // race! out
			}
		})
	}
	wg.Wait()
}

func TD2c_askedTheWrongWay() {
	out := make([]int, 64)
	s := &slots{n: 64}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 32 {
				i, ok := s.take()
				if ok {
					continue
				}
				runtime.Gosched()
				out[i]++ // race! out
			}
		})
	}
	wg.Wait()
}

// The truth value is the outcome of a comparison: a number that goes round is
// different as long as it has not gone round.
func (s *slots) first() (int, bool) {
	i := int(s.next.Add(1) - 1)
	return i % s.n, i < s.n
}

func TD3_compared() {
	out := make([]int, 64)
	s := &slots{n: 64}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for {
				i, ok := s.first()
				if !ok {
					return
				}
				out[i]++ // norace
			}
		})
	}
	wg.Wait()
}

func TD3b_notAsked() {
	out := make([]int, 64)
	s := &slots{n: 64}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 64 {
				i, _ := s.first()
				runtime.Gosched()
				out[i]++ // race! out
			}
		})
	}
	wg.Wait()
}

func TD3c_askedTheWrongWay() {
	out := make([]int, 64)
	s := &slots{n: 64}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 64 {
				i, ok := s.first()
				if ok {
					continue
				}
				runtime.Gosched()
				out[i]++ // race! out
			}
		})
	}
	wg.Wait()
}

func (s *slots) wrapped() (int, bool) {
	i := int(s.next.Add(1) - 1)
	return i % s.n, i/s.n != 0
}

func TD3d_wrapped() {
	out := make([]int, 64)
	s := &slots{n: 64}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for {
				i, again := s.wrapped()
				if again {
					return
				}
				out[i]++ // norace
			}
		})
	}
	wg.Wait()
}

func TD3e_wrappedAlready() {
	out := make([]int, 64)
	s := &slots{n: 64}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 128 {
				i, again := s.wrapped()
				if !again {
					continue
				}
				runtime.Gosched()
				out[i]++ // race! out
			}
		})
	}
	wg.Wait()
}

func (s *slots) firstIfAny() (int, bool) {
	i := int(s.next.Add(1) - 1)
	if s.n == 0 {
		return 0, false
	}
	return i % s.n, i < s.n
}

func TD3f_comparedOrFalse() {
	out := make([]int, 64)
	s := &slots{n: 64}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for {
				i, ok := s.firstIfAny()
				if !ok {
					return
				}
				out[i]++ // norace
			}
		})
	}
	wg.Wait()
}

func TD3g_askedTheWrongWay() {
	out := make([]int, 64)
	s := &slots{n: 64}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 64 {
				i, ok := s.firstIfAny()
				if ok {
					continue
				}
				runtime.Gosched()
				out[i]++ // race! out
			}
		})
	}
	wg.Wait()
}

func (s *slots) wrappedOrNone() (int, bool) {
	i := int(s.next.Add(1) - 1)
	if s.n == 0 {
		return 0, true
	}
	return i % s.n, i/s.n != 0
}

func TD3h_wrappedOrNone() {
	out := make([]int, 64)
	s := &slots{n: 64}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for {
				i, again := s.wrappedOrNone()
				if again {
					return
				}
				out[i]++ // norace
			}
		})
	}
	wg.Wait()
}

func TD3i_wrappedAlready() {
	out := make([]int, 64)
	s := &slots{n: 64}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 128 {
				i, again := s.wrappedOrNone()
				if !again {
					continue
				}
				runtime.Gosched()
				out[i]++ // race! out
			}
		})
	}
	wg.Wait()
}

// What is handed out is a part of a slice.
type strips struct {
	next atomic.Int64
	all  []int
}

func (s *strips) strip() ([]int, bool) {
	hi := int(s.next.Add(4))
	if hi > len(s.all) {
		return s.all[:4], false
	}
	return s.all[hi-4 : hi], true
}

func TD4_strip() {
	s := &strips{all: make([]int, 64)}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for {
				part, ok := s.strip()
				if !ok {
					return
				}
				for i := range part {
					part[i]++ // norace
				}
			}
		})
	}
	wg.Wait()
}

func TD4b_notAsked() {
	s := &strips{all: make([]int, 64)}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 32 {
				part, _ := s.strip()
				for i := range part {
					runtime.Gosched()
					part[i]++ // race! all
				}
			}
		})
	}
	wg.Wait()
}

func TD4c_askedTheWrongWay() {
	s := &strips{all: make([]int, 64)}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 32 {
				part, ok := s.strip()
				if ok {
					continue
				}
				for i := range part {
					runtime.Gosched()
					part[i]++ // race! all
				}
			}
		})
	}
	wg.Wait()
}
