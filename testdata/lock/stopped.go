package lock

import (
	"context"
	"sync"
)

func ST1_again() {
	s := &stopServer{}
	s.start()
	s.start()
	s.stop()
	s.start()
	s.stop()
}

// A goroutine is started if none is running, and who stops it waits for it before he says so.

type stopServer struct {
	mu      sync.Mutex
	running bool
	wg      sync.WaitGroup
	n       int
}

func (s *stopServer) start() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.running {
		return
	}
	s.running = true
	s.n = 0 // norace
	s.wg.Add(1)
	go s.loop()
}

func (s *stopServer) loop() {
	defer s.wg.Done()
	s.n++ // norace
}

func (s *stopServer) stop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.running {
		return
	}
	s.wg.Wait()
	s.running = false
}

func ST2_cancel() {
	s := &cancelServer{}
	s.start()
	s.start()
	s.stop()
	s.start()
	s.stop()
}

// What is set and reset is a function.
type cancelServer struct {
	mu     sync.Mutex
	cancel context.CancelFunc
	wg     sync.WaitGroup
	n      int
}

func (s *cancelServer) start() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.cancel != nil {
		return
	}
	ctx, cancel := context.WithCancel(context.Background())
	s.cancel = cancel
	s.n = 0 // norace
	s.wg.Add(1)
	go func() {
		defer s.wg.Done()
		<-ctx.Done()
		s.n++ // norace
	}()
}

func (s *cancelServer) stop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.cancel == nil {
		return
	}
	s.cancel()
	s.wg.Wait()
	s.cancel = nil
	useCount(s.n) // norace
}

func ST3_saysSoFirst() {
	s := &hastyServer{}
	for range n {
		go func() {
			s.start()
			s.stop()
		}()
	}
	s.start()
	s.stop()
}

// Who stops it says so first.
type hastyServer struct {
	mu      sync.Mutex
	running bool
	wg      sync.WaitGroup
	n       int
}

func (s *hastyServer) start() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.running {
		return
	}
	s.running = true
	s.n = 0 // race! s.n
	s.wg.Add(1)
	go s.loop()
}

func (s *hastyServer) loop() {
	defer s.wg.Done()
	s.n++ // race! s.n
}

func (s *hastyServer) stop() {
	s.mu.Lock()
	if !s.running {
		s.mu.Unlock()
		return
	}
	s.running = false
	s.mu.Unlock()
	s.wg.Wait()
}

func ST4_notAlways(wait bool) {
	s := &politeServer{}
	s.start()
	s.stop(wait)
	s.start()
	s.stop(true)
}

// It waits only if it is asked to.
type politeServer struct {
	mu      sync.Mutex
	running bool
	wg      sync.WaitGroup
	n       int
}

func (s *politeServer) start() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.running {
		return
	}
	s.running = true
	s.n = 0 // race! s.n
	s.wg.Add(1)
	go s.loop()
}

func (s *politeServer) loop() {
	defer s.wg.Done()
	s.n++ // race! s.n
}

func (s *politeServer) stop(wait bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.running {
		return
	}
	if wait {
		s.wg.Wait()
	}
	s.running = false
}

func ST5_unlocked() {
	s := &lateServer{}
	go s.start()
	s.stop()
	s.start()
	s.stop()
}

// The lock is not held any more when the rest is done.
type lateServer struct {
	mu      sync.Mutex
	running bool
	wg      sync.WaitGroup
	n       int
}

func (s *lateServer) start() {
	s.mu.Lock()
	if s.running {
		s.mu.Unlock()
		return
	}
	s.running = true
	s.mu.Unlock()
	s.n = 0 // race! s.n
	s.wg.Add(1)
	go s.loop()
}

func (s *lateServer) loop() {
	defer s.wg.Done()
	s.n++ // race! s.n
}

func (s *lateServer) stop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.running {
		return
	}
	s.wg.Wait()
	s.running = false
}

func ST6_cleared() {
	s := &looseServer{}
	s.start()
	s.stop()
	s.start()
}

// The flag is cleared without the lock.
type looseServer struct {
	mu      sync.Mutex
	running bool
	wg      sync.WaitGroup
	n       int
}

func (s *looseServer) start() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.running {
		return
	}
	s.running = true
	s.n = 0 // race! s.n
	s.wg.Add(1)
	go s.loop()
}

func (s *looseServer) loop() {
	defer s.wg.Done()
	s.n++ // race! s.n
}

func (s *looseServer) stop() { s.running = false }

func ST7_two() {
	s := &pairServer{}
	s.start()
	s.stop()
	s.start()
	s.stop()
}

// Two goroutines are started each time.
type pairServer struct {
	mu      sync.Mutex
	running bool
	wg      sync.WaitGroup
	n       int
}

func (s *pairServer) start() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.running {
		return
	}
	s.running = true
	s.wg.Add(2)
	go s.loop()
	go s.loop()
}

func (s *pairServer) loop() {
	defer s.wg.Done()
	s.n++ // race! s.n
}

func (s *pairServer) stop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.running {
		return
	}
	s.wg.Wait()
	s.running = false
}

func ST8_child() {
	s := &parentServer{}
	s.start()
	s.stop()
	s.start()
	s.stop()
}

// What it starts itself nobody waits for.
type parentServer struct {
	mu      sync.Mutex
	running bool
	wg      sync.WaitGroup
	n       int
}

func (s *parentServer) start() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.running {
		return
	}
	s.running = true
	s.n = 0 // race! s.n
	s.wg.Add(1)
	go s.loop()
}

func (s *parentServer) loop() {
	defer s.wg.Done()
	go s.work()
}

func (s *parentServer) work() {
	s.n++ // race! s.n
}

func (s *parentServer) stop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.running {
		return
	}
	s.wg.Wait()
	s.running = false
}

func FP_ST9_byIterations() {
	s := &sharedServer{}
	for range n {
		go func() {
			s.start()
			s.stop()
		}()
	}
}

// Iterations start and stop it. What one of them waits for is not known to be over for another one.
type sharedServer struct {
	mu      sync.Mutex
	running bool
	wg      sync.WaitGroup
	n       int
}

func (s *sharedServer) start() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.running {
		return
	}
	s.running = true
	s.n = 0 // race s.n; what other iterations clear is not followed
	s.wg.Add(1)
	go s.loop()
}

func (s *sharedServer) loop() {
	defer s.wg.Done()
	s.n++ // race s.n; what other iterations clear is not followed
}

func (s *sharedServer) stop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.running {
		return
	}
	s.wg.Wait()
	s.running = false
}
