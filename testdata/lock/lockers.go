package lock

// Programs that lock by interfaces of their own, of which nothing in view is an implementation.

type yzMutex interface {
	Lock()
	Unlock()
}

type yzRWMutex interface {
	yzMutex
	RLock()
	RUnlock()
}

// YzStore is made by who uses the package, or by what is not in view.
type YzStore struct {
	mu yzMutex
	rw yzRWMutex
	m  map[int]int
	r  map[int]int
	n  int
}

// YZ1: whatever the value is, it is a lock.
func (s *YzStore) YZ1_own() {
	for i := range 4 {
		go func() {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.m[i]++ // norace
		}()
	}
}

// YZ2: readers write.
func (s *YzStore) YZ2_readers() {
	for i := range 4 {
		go func() {
			s.rw.RLock()
			s.r[i]++ // race! s.r[*]
			s.rw.RUnlock()
		}()
	}
}

// YZ3: the lock is released before.
func (s *YzStore) YZ3_released() {
	for range 4 {
		go func() {
			s.mu.Lock()
			s.mu.Unlock()
			s.n++ // race! s.n
		}()
	}
}

type yzKeyed interface {
	Lock(key int)
	Unlock(key int)
}

// YzKeyed has a lock for each key.
type YzKeyed struct {
	mu yzKeyed
	n  int
}

// YZ4: a method that takes something is no lock's.
func (s *YzKeyed) YZ4_keyed() {
	for i := range 4 {
		go func() {
			s.mu.Lock(i)
			s.n++ // race! s.n
			s.mu.Unlock(i)
		}()
	}
}

type yzDoor interface {
	Lock()
	Open() bool
}

// YzHouse has doors.
type YzHouse struct {
	door yzDoor
	n    int
}

// YZ5: nor is one that nothing undoes.
func (s *YzHouse) YZ5_door() {
	for range 4 {
		go func() {
			s.door.Lock()
			s.n++ // race! s.n
		}()
	}
}

// yzLogged is a lock that counts.
type yzLogged struct {
	yzMutex
	taken int
}

func (l *yzLogged) Lock() {
	l.yzMutex.Lock()
	l.taken++ // norace
}

// YZ6: one of the program's own has another one inside.
func YZ6_wrapped(inner yzMutex) {
	var mu yzMutex = &yzLogged{yzMutex: inner}
	n := 0
	for range 4 {
		go func() {
			mu.Lock()
			n++ // norace
			mu.Unlock()
		}()
	}
}

// YZ7: what is known of the lock tells, also of what it does itself.
func YZ7_ofItsOwn() {
	var mu yzMutex = &yzCounted{mu: make(chan bool, 1)}
	n := 0
	for range 4 {
		go func() {
			mu.Lock()
			n++ // norace
			mu.Unlock()
		}()
	}
}

// yzCounted is a lock that counts before it is taken.
type yzCounted struct {
	mu    chan bool
	taken int
}

func (c *yzCounted) Lock() {
	c.taken++ // race! c.taken
	c.mu <- true
}

func (c *yzCounted) Unlock() { <-c.mu }
