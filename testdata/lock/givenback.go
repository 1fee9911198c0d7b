package lock

import "sync"

// A claim is given back by who does not have it, beside the goroutine that makes it: then two may
// have it at a time.

type gbServer struct {
	mu   sync.Mutex
	busy bool
	n    int
}

func (s *gbServer) claim() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.busy {
		return false
	}
	s.busy = true
	return true
}

func (s *gbServer) reset() {
	s.mu.Lock()
	s.busy = false
	s.mu.Unlock()
}

func GB1_resetBeside() {
	s := &gbServer{}
	work := func() {
		if s.claim() {
			s.n++ // race! s.n
		}
	}
	go work()
	s.reset()
	work()
}

// Before anyone works.
func GB2_resetBefore() {
	s := &gbServer{}
	work := func() {
		if s.claim() {
			s.n++ // norace
		}
	}
	s.reset()
	go work()
	work()
}

// By who has it.
func GB3_resetByOwner() {
	s := &gbServer{}
	work := func() {
		if s.claim() {
			s.n++ // norace
			s.reset()
		}
	}
	go work()
	work()
}

// The same by a loop, whose iterations the spawner disturbs.
func GB4_resetBesideLoop() {
	s := &gbServer{}
	var wg sync.WaitGroup
	for range 4 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			if s.claim() {
				s.n++ // race! s.n
			}
		}()
	}
	s.reset()
	wg.Wait()
}

// What is done once is done again after its flag is taken back.
func GB5_flagTakenBack() {
	s := &gbServer{}
	set := func() {
		s.mu.Lock()
		if !s.busy {
			s.n = 1 // race! s.n
			s.busy = true
		}
		s.mu.Unlock()
	}
	go func() {
		set()
		println(s.n) // race! s.n
	}()
	s.reset()
	set()
}

func GB6_flagKept() {
	s := &gbServer{}
	set := func() {
		s.mu.Lock()
		if !s.busy {
			s.n = 1 // norace
			s.busy = true
		}
		s.mu.Unlock()
	}
	go func() {
		set()
		println(s.n) // norace
	}()
	set()
}

// Of another server, beside; of this one, before.
func GB7_otherReset() {
	s, t := &gbServer{}, &gbServer{}
	work := func() {
		if s.claim() {
			s.n++ // norace
		}
	}
	s.reset()
	go work()
	if t.claim() {
		t.reset()
	}
	t.reset()
	work()
}
