package lock

import (
	"errors"
	"io"
	"sync"
)

// A constant says whether the lock is taken, and it is held when the function returns without
// an error.
func TL1_begunForWriting(fail bool) {
	s := &begun{fail: fail}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			tx, err := s.begin(true)
			if err != nil {
				return
			}
			s.sum++ // norace
			tx.end()
		})
	}
	s.begin(false)
	wg.Wait()
}

type begun struct {
	fail bool
	mu   sync.Mutex
	log  bool
	sum  int
	last int
	read int
	oops int
	asks int
	any  int
}

type begunTx struct {
	of *begun
}

func (s *begun) begin(writing bool) (tx *begunTx, err error) {
	if s.log {
		defer func() {
			if err != nil {
				println(writing, err)
			}
		}()
	}
	if writing {
		return s.beginWriting()
	}
	return s.beginReading()
}

func (s *begun) beginWriting() (*begunTx, error) {
	s.mu.Lock()
	if s.fail {
		s.mu.Unlock()
		return nil, io.ErrShortWrite
	}
	return &begunTx{s}, nil
}

func (s *begun) beginReading() (*begunTx, error) {
	if s.fail {
		return nil, errors.New("failed")
	}
	return &begunTx{s}, nil
}

func (tx *begunTx) end() { tx.of.mu.Unlock() }

// The constant says that it is not taken.
func TL1b_begunForReading() {
	s := &begun{}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			if _, err := s.begin(false); err != nil {
				return
			}
			s.read++ // race! s
		})
	}
	s.begin(true)
	wg.Wait()
}

// Who begins says it by a parameter of its own, which a caller knows.
func TL2_handedOn() {
	s := &begun{}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			tx, err := s.beginFor(true)
			if err != nil {
				return
			}
			s.last++ // norace
			tx.end()
		})
	}
	s.beginFor(false)
	wg.Wait()
}

func (s *begun) beginFor(writing bool) (*begunTx, error) { return s.begin(writing) }

// A variable says it.
func TL2b_notConstant(writing bool) {
	s := &begun{}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			if _, err := s.begin(writing); err != nil {
				return
			}
			s.any++ // race! s
		})
	}
	wg.Wait()
}

// It is set anew before it is asked.
func TL3_setAnew() {
	s := &begun{}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			s.lockUnless(true, len(s.title()) > 3)
			s.asks++ // race! s
		})
	}
	s.lockUnless(false, true)
	wg.Wait()
}

func (s *begun) title() string { return "begun" }

func (s *begun) lockUnless(writing, not bool) {
	if not {
		writing = false
	}
	if writing {
		s.mu.Lock()
	}
}

// Where there is an error it is not held.
func TL4_failed(fail bool) {
	s := &begun{fail: fail}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			_, err := s.begin(true)
			if err != nil {
				s.oops++ // race! s
				return
			}
			s.mu.Unlock()
		})
	}
	s.begin(false)
	wg.Wait()
}

// One takes it for writing, the other for reading, as a constant says.
func TL5_mode() {
	t := &told{}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			t.lock(true)
			t.sum++ // norace
			t.unlock(true)
		})
	}
	wg.Go(func() {
		t.lock(false)
		println(t.sum)
		t.unlock(false)
	})
	wg.Wait()
}

type told struct {
	mu  sync.RWMutex
	sum int
	n   int
}

func (t *told) lock(writing bool) {
	if writing {
		t.mu.Lock()
	} else {
		t.mu.RLock()
	}
}

func (t *told) unlock(writing bool) {
	if writing {
		t.mu.Unlock()
	} else {
		t.mu.RUnlock()
	}
}

// Two readers write.
func TL5b_modeForReading() {
	t := &told{}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			t.lock(false)
			t.n++ // race! t
			t.unlock(false)
		})
	}
	t.lock(true)
	t.unlock(true)
	wg.Wait()
}
