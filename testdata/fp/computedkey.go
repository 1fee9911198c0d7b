package fp

import "sync"

type keyShard struct {
	mu sync.Mutex
	m  map[int]int
}

type keyShards struct{ shards []*keyShard }

func (s *keyShards) of(key int) *keyShard { return s.shards[key%4] }

// What is computed for a call has no name by which the result of the same computation is known.
func FP_computedKey() {
	s := &keyShards{}
	for range 4 {
		s.shards = append(s.shards, &keyShard{m: map[int]int{}})
	}
	var wg sync.WaitGroup
	for k := range 9 {
		wg.Go(func() {
			s.of(k + 1).mu.Lock()
			s.of(k + 1).m[k]++ // race m[*]; the two sums are two values
			s.of(k + 1).mu.Unlock()
		})
	}
	wg.Wait()
}
