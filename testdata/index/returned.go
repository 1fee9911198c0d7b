package index

import "sync"

// Functions that a call returns have captured what the call was given: one that a goroutine calls, or that a literal has
// captured, goes by the index of the round that has made it.

type rtfLane struct {
	ops   int
	codes map[int]int
}

type rtfRecorder struct {
	mu    sync.RWMutex
	lanes []rtfLane
}

func rtfNew(n int) *rtfRecorder {
	r := &rtfRecorder{lanes: make([]rtfLane, n)}
	for i := range r.lanes {
		r.lanes[i].codes = map[int]int{}
	}
	return r
}

func (r *rtfRecorder) lane(i int) func() {
	own := &r.lanes[i]
	return func() {
		own.ops++ // norace
	}
}

func RTF1_own() {
	r := rtfNew(4)
	var wg sync.WaitGroup
	for i := range 4 {
		record := r.lane(i)
		wg.Go(func() {
			for range 10 {
				record()
			}
		})
	}
	wg.Wait()
}

func (r *rtfRecorder) half(i int) func() {
	own := &r.lanes[i/2]
	return func() {
		own.ops++ // race! lanes[*].ops
	}
}

func RTF2_twoHaveOne() {
	r := rtfNew(4)
	var wg sync.WaitGroup
	for i := range 4 {
		record := r.half(i)
		wg.Go(func() { record() })
	}
	wg.Wait()
}

func (r *rtfRecorder) previous(i int) func() {
	own := &r.lanes[i]
	return func() {
		own.ops++ // race! lanes[*].ops
	}
}

func RTF3_ofThePreviousRound() {
	r := rtfNew(5)
	var wg sync.WaitGroup
	last := r.previous(0)
	for i := range 4 {
		record := r.previous(i + 1)
		last := last
		wg.Go(func() {
			record()
			last()
		})
	}
	last()
	wg.Wait()
}

func (r *rtfRecorder) atOnce(i int) func() {
	return func() {
		r.lanes[i].ops++ // norace
	}
}

func RTF4_startedAtOnce() {
	r := rtfNew(4)
	for i := range 4 {
		go r.atOnce(i)()
	}
}

func (r *rtfRecorder) first(int) func() {
	return func() {
		r.lanes[0].ops++ // race! lanes[*].ops
	}
}

func RTF5_startedForOne() {
	r := rtfNew(4)
	for i := range 4 {
		go r.first(i)()
	}
}

func (r *rtfRecorder) leftLoop(i int) func() {
	return func() {
		r.lanes[i].ops++ // race! lanes[*].ops
	}
}

func RTF6_madeBeforeTheLoop() {
	r := rtfNew(4)
	var record func()
	for i := 0; ; i++ {
		record = r.leftLoop(i)
		if i == 3 {
			break
		}
	}
	for range 4 {
		go func() { record() }()
	}
}

// By a pointer to an element the pointers in it are loaded from that element.
func (r *rtfRecorder) coded(i int) func(int) {
	own := &r.lanes[i]
	return func(code int) {
		r.mu.RLock()
		own.codes[code]++ // norace
		r.mu.RUnlock()
	}
}

func (r *rtfRecorder) rotate() (n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for i := range r.lanes {
		l := &r.lanes[i]
		n += len(l.codes)
		*l = rtfLane{codes: map[int]int{}}
	}
	return n
}

func RTF7_mapsOfElements() {
	r := rtfNew(4)
	var wg sync.WaitGroup
	for i := range 4 {
		record := r.coded(i)
		wg.Go(func() { record(i) })
	}
	r.rotate()
	wg.Wait()
}

func (r *rtfRecorder) codedOne(i int) func(int) {
	own := &r.lanes[i]
	return func(code int) {
		r.mu.RLock()
		own.codes[code]++ // race! codes[*]
		r.mu.RUnlock()
	}
}

func (r *rtfRecorder) rotateOne() {
	r.mu.Lock()
	defer r.mu.Unlock()
	codes := map[int]int{}
	for i := range r.lanes {
		l := &r.lanes[i]
		*l = rtfLane{codes: codes}
	}
}

func RTF8_oneMapForAll() {
	r := rtfNew(4)
	var wg sync.WaitGroup
	for i := range 4 {
		record := r.codedOne(i)
		wg.Go(func() { record(i) })
	}
	r.rotateOne()
	wg.Wait()
}

func (r *rtfRecorder) codedTwo(i int) func(int) {
	own := &r.lanes[i]
	return func(code int) {
		r.mu.RLock()
		own.codes[code]++ // race! codes[*]
		r.mu.RUnlock()
	}
}

func (r *rtfRecorder) rotateTwo() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for i := 0; i+1 < len(r.lanes); i += 2 {
		l := rtfLane{codes: map[int]int{}}
		r.lanes[i] = l
		r.lanes[i+1] = l
	}
}

func RTF9_copiedTwice() {
	r := rtfNew(4)
	var wg sync.WaitGroup
	for i := range 4 {
		record := r.codedTwo(i)
		wg.Go(func() { record(i) })
	}
	r.rotateTwo()
	wg.Wait()
}

func (r *rtfRecorder) codedFirst(i int) func(int) {
	own := &r.lanes[i]
	return func(code int) {
		r.mu.RLock()
		own.codes[code]++ // race! codes[*]
		r.mu.RUnlock()
	}
}

func (r *rtfRecorder) rotateFirst() {
	r.mu.Lock()
	defer r.mu.Unlock()
	l := rtfLane{codes: map[int]int{}}
	first := l
	for i := range r.lanes {
		r.lanes[i] = first
	}
}

func RTF10_filledBeforeTheLoop() {
	r := rtfNew(4)
	var wg sync.WaitGroup
	for i := range 4 {
		record := r.codedFirst(i)
		wg.Go(func() { record(i) })
	}
	r.rotateFirst()
	wg.Wait()
}

func (r *rtfRecorder) pick(i int) *rtfLane { return &r.lanes[i/2] }

func RTF11_oneElementForTwo() {
	r := rtfNew(4)
	var wg sync.WaitGroup
	for i := range 4 {
		own := r.pick(i)
		wg.Go(func() {
			own.codes[i]++ // race! lanes[*].codes[*]
		})
	}
	wg.Wait()
}
