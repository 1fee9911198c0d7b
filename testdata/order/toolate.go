package order

import "sync"

// What is made when the workers are over, though it is put where they looked.

type stint struct{ n int }

func TL1_putWhenClosed() {
	s := new(stints2)
	s.start()
	s.close()
	s.put(&stint{})
}

type stints2 struct {
	mu   sync.Mutex
	list []*stint
	wg   sync.WaitGroup
}

func (s *stints2) start() {
	s.wg.Add(2)
	for range 2 {
		go s.work()
	}
}

func (s *stints2) put(c *stint) {
	s.mu.Lock()
	s.list = append(s.list, c)
	s.mu.Unlock()
}

func (s *stints2) next() *stint {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.list) == 0 {
		return nil
	}
	return s.list[0]
}

func (s *stints2) close() { s.wg.Wait() }

func (s *stints2) work() {
	defer s.wg.Done()
	for range 100 {
		if c := s.next(); c != nil {
			c.n++ // norace
		}
	}
}

func TL1b_putBefore() {
	s := new(stints)
	s.start()
	s.put(&stint{})
	s.close()
}

type stints struct {
	mu     sync.Mutex
	list   []*stint
	closed bool
	wg     sync.WaitGroup
}

func (s *stints) start() {
	s.wg.Add(2)
	for range 2 {
		go s.work()
	}
}

func (s *stints) put(c *stint) {
	s.mu.Lock()
	s.list = append(s.list, c)
	s.mu.Unlock()
}

func (s *stints) next() *stint {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.list) == 0 {
		return nil
	}
	return s.list[0] // and leaves it there
}

func (s *stints) close() {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.wg.Wait()
}

func (s *stints) work() {
	defer s.wg.Done()
	for range 100 {
		if c := s.next(); c != nil {
			c.n++ // race! _.n
		}
	}
}

// They are made by one line, before the end and after it.
func TL1c_madeByOne() {
	s := new(stints3)
	s.wg.Add(2)
	putNew(s)
	for range 2 {
		go s.work()
	}
	s.wg.Wait()
	putNew(s)
}

func putNew(s *stints3) {
	s.mu.Lock()
	s.list = append(s.list, &stint{})
	s.mu.Unlock()
}

type stints3 struct {
	mu   sync.Mutex
	list []*stint
	wg   sync.WaitGroup
}

func (s *stints3) next() *stint {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.list) == 0 {
		return nil
	}
	return s.list[0]
}

func (s *stints3) work() {
	defer s.wg.Done()
	for range 100 {
		if c := s.next(); c != nil {
			c.n++ // race! _.n
		}
	}
}

var readyStints = new(stints4)

func init() { readyStints.add(3) }

// The initialiser has made one, too.
func TL1d_madeByInitialiser() {
	s := readyStints
	s.wg.Add(2)
	for range 2 {
		go s.work()
	}
	s.wg.Wait()
	s.add(3)
}

type stints4 struct {
	list []*stint
	wg   sync.WaitGroup
}

// add calls itself, and so is not told apart by call.
func (s *stints4) add(n int) {
	if n > 0 {
		s.add(n - 1)
		return
	}
	s.list = append(s.list, &stint{})
}

func (s *stints4) work() {
	defer s.wg.Done()
	for _, c := range s.list {
		c.n++ // race! _.n
	}
}

// The next workers have it.
func TL1e_workersAgain() {
	s := new(stints5)
	for range 2 {
		s.wg.Add(2)
		for range 2 {
			go s.work()
		}
		s.wg.Wait()
		s.list = append(s.list, &stint{})
	}
}

type stints5 struct {
	list []*stint
	wg   sync.WaitGroup
}

func (s *stints5) work() {
	defer s.wg.Done()
	for _, c := range s.list {
		c.n++ // race! _.n
	}
}

// Another goroutine makes it, which nobody has waited for.
func TL1f_madeBeside() {
	s := new(stints6)
	s.wg.Add(2)
	for range 2 {
		go s.work()
	}
	go func() { s.put(&stint{}) }()
	s.wg.Wait()
}

type stints6 struct {
	mu   sync.Mutex
	list []*stint
	wg   sync.WaitGroup
}

func (s *stints6) put(c *stint) {
	s.mu.Lock()
	s.list = append(s.list, c)
	s.mu.Unlock()
}

func (s *stints6) next() *stint {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.list) == 0 {
		return nil
	}
	return s.list[0]
}

func (s *stints6) work() {
	defer s.wg.Done()
	for range 100 {
		if c := s.next(); c != nil {
			c.n++ // race! _.n
		}
	}
}

// Another goroutine makes one when the workers are over, and one like it has made one before.
func TL1g_madeByAnother() {
	s := new(stints7)
	go s.fill(3)
	s.wg.Add(2)
	for range 2 {
		go s.work()
	}
	s.wg.Wait()
	go s.fill(3)
}

type stints7 struct {
	mu   sync.Mutex
	list []*stint
	wg   sync.WaitGroup
}

func (s *stints7) fill(n int) {
	if n > 0 {
		s.fill(n - 1)
		return
	}
	s.mu.Lock()
	s.list = append(s.list, &stint{})
	s.mu.Unlock()
}

func (s *stints7) next() *stint {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.list) == 0 {
		return nil
	}
	return s.list[0]
}

func (s *stints7) work() {
	defer s.wg.Done()
	for range 100 {
		if c := s.next(); c != nil {
			c.n++ // race! _.n
		}
	}
}

// Workers that start later have it.
func TL1h_startedAgain() {
	s := new(stints8)
	s.start()
	s.wg.Wait()
	s.list = append(s.list, &stint{})
	s.start()
	s.wg.Wait()
}

type stints8 struct {
	list []*stint
	wg   sync.WaitGroup
}

func (s *stints8) start() {
	s.wg.Add(2)
	for range 2 {
		go s.work()
	}
}

func (s *stints8) work() {
	defer s.wg.Done()
	for _, c := range s.list {
		c.n++ // race! _.n
	}
}

// What was made before the workers were started is theirs.
func TL1i_madeBefore() {
	s := new(stints9)
	s.list = append(s.list, &stint{})
	s.wg.Add(2)
	for range 2 {
		go s.work()
	}
	s.wg.Wait()
}

type stints9 struct {
	list []*stint
	wg   sync.WaitGroup
}

func (s *stints9) work() {
	defer s.wg.Done()
	for _, c := range s.list {
		c.n++ // race! _.n
	}
}
