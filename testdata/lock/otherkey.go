package lock

import "sync"

// A helper finds the shard of a key: another one for another key, of which the lock is not held.

type keyShard struct {
	mu sync.Mutex
	m  map[int]int
}

type keyShards struct {
	shards []*keyShard
	first  *keyShard
}

func newKeyShards() *keyShards {
	s := &keyShards{first: &keyShard{m: map[int]int{}}}
	for range 4 {
		s.shards = append(s.shards, &keyShard{m: map[int]int{}})
	}
	return s
}

func (s *keyShards) of(key int) *keyShard { return s.shards[key%4] }

func (s *keyShards) next(key int) *keyShard { return s.shards[(key+1)%4] }

func (s *keyShards) both(a, b int) (*keyShard, *keyShard) { return s.shards[a%4], s.shards[b%4] }

func (s *keyShards) one(key int) *keyShard { return s.first }

func spread(key int) int { return key * 31 }

func OY1_otherKey() {
	s := newKeyShards()
	var wg sync.WaitGroup
	for k := range 9 {
		wg.Go(func() {
			src, dst := s.of(k), s.of(k+1)
			src.mu.Lock()
			src.m[k]++   // race! m[*]
			dst.m[k+1]++ // race! m[*]
			src.mu.Unlock()
		})
	}
	wg.Wait()
}

func OY2_sameKey() {
	s := newKeyShards()
	var wg sync.WaitGroup
	for k := range 9 {
		wg.Go(func() {
			s.of(k).mu.Lock()
			s.of(k).m[k]++ // norace
			s.of(k).mu.Unlock()
		})
	}
	wg.Wait()
}

func OY3_bothLocked() {
	s := newKeyShards()
	var wg sync.WaitGroup
	for k := range 9 {
		wg.Go(func() {
			src, dst := s.of(k), s.of(k+1)
			if src == dst {
				return
			}
			if k%4 > (k+1)%4 {
				dst.mu.Lock()
				src.mu.Lock()
			} else {
				src.mu.Lock()
				dst.mu.Lock()
			}
			src.m[k]++   // norace
			dst.m[k+1]++ // norace
			src.mu.Unlock()
			dst.mu.Unlock()
		})
	}
	wg.Wait()
}

// What finds the key is asked twice, too.
func OY4_mixedKey() {
	s := newKeyShards()
	var wg sync.WaitGroup
	for k := range 9 {
		wg.Go(func() {
			s.of(spread(k)).mu.Lock()
			s.of(spread(k)).m[k]++ // norace
			s.of(spread(k)).mu.Unlock()
		})
	}
	wg.Wait()
}

func OY5_otherMixedKey() {
	s := newKeyShards()
	var wg sync.WaitGroup
	for k := range 9 {
		wg.Go(func() {
			s.of(spread(k)).mu.Lock()
			s.of(spread(k + 1)).m[k]++ // race! m[*]
			s.of(spread(k)).mu.Unlock()
		})
	}
	wg.Wait()
}

// The second shard of two is another one than the first.
func OY6_secondOfTwo() {
	s := newKeyShards()
	var wg sync.WaitGroup
	for k := range 9 {
		wg.Go(func() {
			a, b := s.both(k, k+1)
			a.mu.Lock()
			a.m[k]++ // race! m[*]
			b.m[k]++ // race! m[*]
			a.mu.Unlock()
		})
	}
	wg.Wait()
}

// What another function finds for the same key is another shard.
func OY7_otherFunction() {
	s := newKeyShards()
	var wg sync.WaitGroup
	for k := range 9 {
		wg.Go(func() {
			s.of(k).mu.Lock()
			s.of(k).m[k]++   // race! m[*]
			s.next(k).m[k]++ // race! m[*]
			s.of(k).mu.Unlock()
		})
	}
	wg.Wait()
}

// What is no element is one, whatever the key.
func OY8_oneForAll() {
	s := newKeyShards()
	var wg sync.WaitGroup
	for k := range 9 {
		wg.Go(func() {
			s.one(k).mu.Lock()
			s.one(k + 1).m[k]++ // norace
			s.one(k).mu.Unlock()
		})
	}
	wg.Wait()
}

// The key is found in memory, which nobody changes.
func OY9_storedKey() {
	type item struct{ key int }
	s := newKeyShards()
	items := []*item{{1}, {2}, {3}}
	var wg sync.WaitGroup
	for _, it := range items {
		wg.Go(func() {
			s.of(it.key).mu.Lock()
			s.of(it.key).m[it.key]++ // norace
			s.of(it.key).mu.Unlock()
		})
	}
	wg.Wait()
}

func OY9b_otherStoredKey() {
	type item struct{ key, other int }
	s := newKeyShards()
	items := []*item{{1, 2}, {2, 3}, {3, 1}}
	var wg sync.WaitGroup
	for _, it := range items {
		wg.Go(func() {
			s.of(it.key).mu.Lock()
			s.of(it.other).m[it.key]++ // race! m[*]
			s.of(it.key).mu.Unlock()
		})
	}
	wg.Wait()
}
