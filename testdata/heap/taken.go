package heap

import "sync"

// What is taken out of a list, and what stays there. The list has a lock, its
// elements have none.

type tool struct {
	uses int
	next *tool
}

type shed struct {
	mu    sync.Mutex
	free  []*tool
	named map[int]*tool
	first *tool
	made  int
}

func (s *shed) put(t *tool) {
	s.mu.Lock()
	s.free = append(s.free, t)
	s.mu.Unlock()
}

// The last is taken off the list, by whoever comes first.
func TL1_takenOff() {
	s := &shed{}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			t := s.takeLast()
			t.uses++ // norace
			s.put(t)
		})
	}
	wg.Wait()
}

func (s *shed) takeLast() *tool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if k := len(s.free); k > 0 {
		t := s.free[k-1]
		s.free = s.free[:k-1]
		return t
	}
	s.made++
	return &tool{}
}

// It stays on the list.
func TL1b_left() {
	s := &shed{}
	s.put(&tool{})
	s.put(&tool{})
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			t := s.last()
			t.uses++ // race! uses
		})
	}
	wg.Wait()
}

func (s *shed) last() *tool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if k := len(s.free); k > 0 {
		return s.free[k-1]
	}
	return &tool{}
}

// The first is taken, but the list begins with it still.
func TL1c_lastCutOff() {
	s := &shed{}
	for range n {
		s.put(&tool{})
	}
	var wg sync.WaitGroup
	for range n - 1 {
		wg.Go(func() {
			t := s.firstOf()
			t.uses++ // race! uses
		})
	}
	wg.Wait()
}

func (s *shed) firstOf() *tool {
	s.mu.Lock()
	defer s.mu.Unlock()
	k := len(s.free)
	t := s.free[0]
	s.free = s.free[:k-1]
	return t
}

// Taken from the front.
func TL1d_front() {
	s := &shed{}
	for range n {
		s.put(&tool{})
	}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			t := s.takeFront()
			t.uses++ // norace
			s.put(t)
		})
	}
	wg.Wait()
}

func (s *shed) takeFront() *tool {
	s.mu.Lock()
	defer s.mu.Unlock()
	t := s.free[0]
	s.free = s.free[1:]
	return t
}

// Looked up in a map, and made on demand.
func TL2_lookedUp() {
	s := &shed{named: map[int]*tool{}}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			t := s.name(i % 2)
			t.uses++ // race! uses
		})
	}
	wg.Wait()
}

func (s *shed) name(k int) *tool {
	s.mu.Lock()
	defer s.mu.Unlock()
	t, ok := s.named[k]
	if !ok {
		t = &tool{}
		s.named[k] = t
	}
	return t
}

// And deleted there.
func TL2b_deleted() {
	s := &shed{named: map[int]*tool{}}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			t := s.take(i % 2)
			t.uses++ // norace
			s.giveBack(i%2, t)
		})
	}
	wg.Wait()
}

func (s *shed) take(k int) *tool {
	s.mu.Lock()
	defer s.mu.Unlock()
	t, ok := s.named[k]
	if !ok {
		t = &tool{}
	}
	delete(s.named, k)
	return t
}

func (s *shed) giveBack(k int, t *tool) {
	s.mu.Lock()
	s.named[k] = t
	s.mu.Unlock()
}

// A list by pointers.
func TL3_linked() {
	s := &shed{}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			t := s.pop()
			t.uses++ // norace
			s.push(t)
		})
	}
	wg.Wait()
}

func (s *shed) pop() *tool {
	s.mu.Lock()
	defer s.mu.Unlock()
	t := s.first
	if t == nil {
		return &tool{}
	}
	s.first = t.next
	return t
}

func (s *shed) push(t *tool) {
	s.mu.Lock()
	t.next = s.first
	s.first = t
	s.mu.Unlock()
}

// The second becomes the first, but the first is handed out as well.
func TL3b_peeked() {
	s := &shed{}
	for range 2 * n {
		s.push(&tool{})
	}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			t := s.peek()
			t.uses++ // race! uses
		})
	}
	wg.Wait()
}

func (s *shed) peek() *tool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.first
}

// It is taken off in another stretch of the lock.
func TL4_takenLater() {
	s := &shed{}
	for range 200 * n {
		s.put(&tool{})
	}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			for range 100 {
				t := s.look()
				t.uses++ // race! uses
				s.drop()
			}
		})
	}
	wg.Wait()
}

func (s *shed) look() *tool {
	s.mu.Lock()
	t := s.free[0]
	s.mu.Unlock()
	return t
}

func (s *shed) drop() {
	s.mu.Lock()
	s.free = s.free[1:]
	s.mu.Unlock()
}

// The lock is let go in between.
func TL4b_lockedTwice() {
	s := &shed{}
	for range 200 * n {
		s.put(&tool{})
	}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			for range 100 {
				s.mu.Lock()
				t := s.free[0]
				s.mu.Unlock()
				t.uses++ // race! uses
				s.mu.Lock()
				s.free = s.free[1:]
				s.mu.Unlock()
			}
		})
	}
	wg.Wait()
}

// It is taken off sometimes only.
func TL4c_sometimes() {
	s := &shed{}
	for range 2 * n {
		s.put(&tool{})
	}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			t := s.maybe(i%2 == 0)
			t.uses++ // race! uses
		})
	}
	wg.Wait()
}

func (s *shed) maybe(take bool) *tool {
	s.mu.Lock()
	defer s.mu.Unlock()
	t := s.free[0]
	if take {
		s.free = s.free[1:]
	}
	return t
}

type stock struct {
	mu        sync.Mutex
	all, left []*tool
}

// The list is filled again with what was taken.
func TL4d_refilled() {
	s := &stock{}
	for range 2 {
		s.all = append(s.all, &tool{})
	}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			t := s.next()
			t.uses++ // race! uses
		})
	}
	wg.Wait()
}

func (s *stock) next() *tool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.left) == 0 {
		s.left = s.all
	}
	t := s.left[0]
	s.left = s.left[1:]
	return t
}

// Without the lock two may take one, but the list itself races then.
func TL5_noLock() {
	s := &shed{}
	for range 4 * n {
		s.put(&tool{})
	}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			t := s.free[0]      // race! free
			s.free = s.free[1:] // race! free
			_ = t
		})
	}
	wg.Wait()
}

// A kit is of its own type in each of the cases.
type kit[T any] struct {
	parts []int
}

type kits[T any] struct {
	mu   sync.Mutex
	free []*kit[T]
	last []int
}

func (s *kits[T]) put(k *kit[T]) {
	s.mu.Lock()
	s.free = append(s.free, k)
	s.mu.Unlock()
}

func (s *kits[T]) take() *kit[T] {
	s.mu.Lock()
	defer s.mu.Unlock()
	if k := len(s.free); k > 0 {
		t := s.free[k-1]
		s.free = s.free[:k-1]
		return t
	}
	return &kit[T]{}
}

func (k *kit[T]) fill(i int) {
	k.parts = append(k.parts[:0], i, i) // norace
}

// TL6: what has been made for one that is taken lies in that alone.
func TL6_madeForTaken() {
	s := &kits[int]{}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			k := s.take()
			k.fill(i)
			k.parts[0]++ // norace
			s.put(k)
		})
	}
	wg.Wait()
}

func (k *kit[T]) fillShown(i int) {
	k.parts = append(k.parts[:0], i, i) // race! _[*]
}

// TL6b: others have it from elsewhere.
func TL6b_shown() {
	s := &kits[string]{}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			k := s.take()
			k.fillShown(i)
			s.mu.Lock()
			last := s.last
			s.last = k.parts
			s.mu.Unlock()
			for j := range last {
				last[j]++ // race! _[*]
			}
			s.put(k)
		})
	}
	wg.Wait()
}

func (k *kit[T]) fillTwo(l *kit[T], i int) {
	k.parts = append(k.parts[:0], i, i) // race! _[*]
	l.parts = k.parts
}

// TL6c: it lies in two of them.
func TL6c_inTwo() {
	s := &kits[bool]{}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			k, l := s.take(), s.take()
			k.fillTwo(l, i)
			k.parts[0]++ // race! _[*]
			s.put(k)
			s.put(l)
		})
	}
	wg.Wait()
}

func (k *kit[T]) set(parts []int) { k.parts = parts }

// TL6d: one function puts it into both.
func TL6d_inTwoByOne() {
	s := &kits[byte]{}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			k, l := s.take(), s.take()
			parts := make([]int, 2)
			k.set(parts)
			l.set(parts)
			k.parts[0] = i // race! _[*]
			l.parts[0]++   // race! _[*]
			s.put(k)
			s.put(l)
		})
	}
	wg.Wait()
}
