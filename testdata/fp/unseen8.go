package fp

import "sync"

// Shrunk from programs of two pages that were written blind.

// The workers of a simulation are told to begin a tick, and each says when it is done.
func FP_ticks() {
	w := &tickWorld{cur: make([]int, n), next: make([]int, n), done: make(chan bool, n)}
	for id := range n {
		start := make(chan bool)
		w.starts = append(w.starts, start)
		go w.work(id, start)
	}
	for range 3 {
		w.tick()
	}
}

type tickWorld struct {
	cur, next []int
	starts    []chan bool
	done      chan bool
}

func (w *tickWorld) work(id int, start chan bool) {
	for range start {
		w.next[id] = w.cur[(id+1)%n] // race w.cur w.next _[*]; that each worker has sent once is not counted
		w.done <- true
	}
}

func (w *tickWorld) tick() {
	for _, start := range w.starts {
		start <- true
	}
	for range w.starts {
		<-w.done
	}
	w.cur, w.next = w.next, w.cur // race w.cur w.next; the same
}

// Who goes through the list of those that nobody has taken has its lock.
func FP_reaped() {
	s := &links{}
	go s.reap()
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			l := s.take()
			l.sent++ // race _.sent; that what is found on the list under its lock is nobody's is not seen
			s.put(l)
		})
	}
	wg.Wait()
}

type link struct{ sent int }

type links struct {
	mu   sync.Mutex
	idle []*link
}

func (s *links) take() *link {
	s.mu.Lock()
	defer s.mu.Unlock()
	if k := len(s.idle); k > 0 {
		l := s.idle[k-1]
		s.idle = s.idle[:k-1]
		return l
	}
	return &link{}
}

func (s *links) put(l *link) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.idle = append(s.idle, l)
}

func (s *links) reap() {
	s.mu.Lock()
	defer s.mu.Unlock()
	keep := s.idle[:0]
	for _, l := range s.idle {
		if l.sent < 10 { // race _.sent; the same
			keep = append(keep, l)
		}
	}
	s.idle = keep
}

type purse struct {
	mu    sync.Mutex
	coins int
}

// All purses are locked by a helper before any of them is looked into: what its loop leaves held has no
// name where it was called.
func FP_lockedByHelper() {
	purses := make([]*purse, 3)
	for i := range purses {
		purses[i] = &purse{}
	}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			lockPurses(purses)
			purses[i%3].coins++ // race _.coins; see above
			for _, p := range purses {
				println(p.coins) // race _.coins; see above
			}
			for _, p := range purses {
				p.mu.Unlock()
			}
		})
	}
	wg.Wait()
}

func lockPurses(purses []*purse) {
	for _, p := range purses {
		p.mu.Lock()
	}
}

// Each element of the first half gets one of the second half added.
func FP_halvesAdded(xs []int) int {
	for len(xs) > 1 {
		half := (len(xs) + 1) / 2
		var wg sync.WaitGroup
		for w := range 4 {
			wg.Go(func() {
				for i := w; i < len(xs)/2; i += 4 {
					xs[i] += xs[i+half] // race xs[*]; that no i comes up to half takes two divisions
				}
			})
		}
		wg.Wait()
		xs = xs[:half]
	}
	return xs[0]
}

// What a stage makes and fills is not what it was given.
func FP_madeByStage() {
	img := &picture{make([]byte, n)}
	for _, stage := range []func(*picture) *picture{inverted, blurred, blurred} {
		img = stage(img)
	}
	println(img.pix[0])
}

type picture struct{ pix []byte }

func inverted(img *picture) *picture {
	out := &picture{make([]byte, n)}
	for i, v := range img.pix {
		out.pix[i] = 255 - v
	}
	return out
}

func blurred(img *picture) *picture {
	out := &picture{make([]byte, n)}
	var wg sync.WaitGroup
	for i := 1; i < n; i++ {
		wg.Go(func() {
			out.pix[i] = img.pix[i-1]/2 + img.pix[i]/2 // race _[*]; an earlier call has made what this one is given
		})
	}
	wg.Wait()
	return out
}
