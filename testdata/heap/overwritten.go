package heap

import (
	"maps"
	"sync"
	"sync/atomic"
)

// A copy of what others have gets a map of its own, which is filled before the copy is published.
type flagConf struct {
	version int
	flags   map[string]bool
}

type flagSetter struct {
	mu   sync.Mutex
	cur  atomic.Pointer[flagConf]
	last map[string]bool
}

func newFlagSetter() *flagSetter {
	s := &flagSetter{}
	s.cur.Store(&flagConf{flags: map[string]bool{}})
	return s
}

// OW1: the field is set anew first.
func OW1_copied() {
	s := newFlagSetter()
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			if !s.cur.Load().flags["a"] { // norace
				s.update("a")
			}
			if !s.cur.Load().flags["b"] { // norace
				s.try("b")
			}
		})
	}
	wg.Wait()
}

func (s *flagSetter) update(k string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	next := *s.cur.Load()
	next.flags = maps.Clone(next.flags)
	next.flags[k] = true // norace
	s.cur.Store(&next)
}

func (s *flagSetter) try(k string) {
	for {
		old := s.cur.Load()
		next := *old
		next.flags = make(map[string]bool)
		for k, v := range old.flags { // norace
			next.flags[k] = v // norace
		}
		next.flags[k] = true // norace
		if s.cur.CompareAndSwap(old, &next) {
			return
		}
	}
}

// OW2: it is not.
func OW2_notAnew() {
	s := newFlagSetter()
	for range n {
		go func() {
			next := *s.cur.Load()
			next.flags["a"] = true // race! _[*]
			s.cur.Store(&next)
		}()
	}
}

// OW3: on some ways only.
func OW3_sometimes(all bool) {
	s := newFlagSetter()
	for range n {
		go func() {
			next := *s.cur.Load()
			if all {
				next.flags = maps.Clone(next.flags) // race! _[*]
			}
			next.flags["a"] = true // race! _[*]
			s.cur.Store(&next)
		}()
	}
}

// OW4: what was there comes back.
func OW4_backAgain() {
	s := newFlagSetter()
	for range n {
		go func() {
			next := *s.cur.Load()
			next.flags = maps.Clone(next.flags) // race! _[*]
			next = *s.cur.Load()
			next.flags["a"] = true // race! _[*]
			s.cur.Store(&next)
		}()
	}
}

// OW5: it is published first.
func OW5_publishedFirst() {
	s := newFlagSetter()
	for range n {
		go func() {
			next := *s.cur.Load()
			next.flags = maps.Clone(next.flags) // race! _[*]
			s.cur.Store(&next)
			next.flags["a"] = true           // race! _[*]
			println(s.cur.Load().flags["b"]) // race! _[*]
		}()
	}
}

// OW6: the map is kept elsewhere, too.
func OW6_keptElsewhere() {
	s := newFlagSetter()
	for range n {
		go func() {
			next := *s.cur.Load()
			next.flags = maps.Clone(next.flags)
			s.mu.Lock()
			s.last = next.flags
			s.mu.Unlock()
			next.flags["a"] = true // race! _[*]
			s.mu.Lock()
			println(s.last["a"]) // race! _[*]
			s.mu.Unlock()
		}()
	}
}

// OW7: another copy has it.
func OW7_copiedAgain() {
	s := newFlagSetter()
	for range n {
		go func() {
			next := *s.cur.Load()
			next.flags = maps.Clone(next.flags) // race! _[*]
			other := next
			s.cur.Store(&other)
			next.flags["a"] = true           // race! _[*]
			println(s.cur.Load().flags["b"]) // race! _[*]
		}()
	}
}

// OW8: another one is put there by who is given the field.
func OW8_replaced() {
	s := newFlagSetter()
	for range n {
		go func() {
			next := *s.cur.Load()
			next.flags = maps.Clone(next.flags) // race! _[*]
			s.replace(&next.flags)
			next.flags["a"] = true // race! _[*]
			s.cur.Store(&next)
		}()
	}
}

func (s *flagSetter) replace(m *map[string]bool) { *m = s.cur.Load().flags }
