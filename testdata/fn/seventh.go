package fn

import "sync"

type keyShard struct {
	mu sync.Mutex
	m  map[int]int
}

type keyShards struct{ shards [4]keyShard }

func (s *keyShards) of(key int) *keyShard { return &s.shards[key%4] }

// A helper finds the shard of a key: another one for another key, of which the lock is not held.
func FN_otherKeysShard() {
	s := &keyShards{}
	for i := range s.shards {
		s.shards[i].m = map[int]int{}
	}
	var wg sync.WaitGroup
	for k := range 3 {
		wg.Go(func() {
			src, dst := s.of(k), s.of(k+1)
			src.mu.Lock()
			src.m[k]++   // missed m[*]; what the calls return has one name, without the key
			dst.m[k+1]++ // missed m[*]; the same
			src.mu.Unlock()
		})
	}
	wg.Wait()
}
