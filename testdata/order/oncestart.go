package order

import "sync"

// OS1: what a Once starts comes after what the body has done before, whichever object it is of:
// the body runs once for each.
func OS1_startedByOnce() {
	serveOnce(&onceServer{})
	serveOnce(&onceServer{})
}

func serveOnce(s *onceServer) {
	s.start()
	s.start()
}

// OS1b: what the body does after it has started the goroutine is beside it.
func OS1b_setAfterStart() {
	for range 2 {
		s := &lateServer{}
		s.start()
		s.start()
	}
}

// OS1c: the goroutine of one looks at another.
func OS1c_otherServer() {
	a := &pairedServer{}
	b := &pairedServer{peer: a}
	b.start()
	a.start()
}

type onceServer struct {
	once  sync.Once
	limit int
	peers map[string]int
}

func (s *onceServer) start() {
	s.once.Do(func() {
		s.limit = 3                // norace
		s.peers = map[string]int{} // norace
		go func() { s.serve() }()
	})
}

func (s *onceServer) serve() {
	for range s.limit { // norace
		println(len(s.peers)) // norace
	}
}

type lateServer struct {
	once  sync.Once
	limit int
}

func (s *lateServer) start() {
	s.once.Do(func() {
		go func() { println(s.limit) }() // race! s.limit
		s.limit = 3                      // race! s.limit
	})
}

type pairedServer struct {
	once  sync.Once
	peer  *pairedServer
	limit int
}

func (s *pairedServer) start() {
	s.once.Do(func() {
		s.limit = 3 // race s.limit; the object is one of two
		go func() {
			if s.peer != nil {
				println(s.peer.limit) // race s.limit; the object is one of two
			}
		}()
	})
}

// OS2: whoever comes to the Once first, another goroutine perhaps, it is one run.
func OS2_startedByEither() { dialEither(&eitherServer{}) }

func dialEither(s *eitherServer) {
	s.start()
	go func() {
		if s.one {
			s.start()
		}
	}()
	s.start()
}

// OS2b: the body goes on after it has started the goroutine, whoever runs it.
func OS2b_eitherGoesOn() { dialLate(&eitherLate{}) }

func dialLate(s *eitherLate) {
	s.start()
	go func() {
		if s.one {
			s.start()
		}
	}()
	s.start()
}

type eitherServer struct {
	once  sync.Once
	limit int
	one   bool
}

func (s *eitherServer) start() {
	s.once.Do(func() {
		s.limit = 3 // norace
		go s.run()
	})
}

func (s *eitherServer) run() {
	println(s.limit) // norace
}

type eitherLate struct {
	once  sync.Once
	limit int
	one   bool
}

func (s *eitherLate) start() {
	s.once.Do(func() {
		go s.run()
		s.limit = 3 // race! s.limit
	})
}

func (s *eitherLate) run() {
	println(s.limit) // race! s.limit
}
