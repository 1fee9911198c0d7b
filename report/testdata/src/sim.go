package sim

import "sync"

type particle struct{ x, m float64 }

type Sim struct {
	mu      sync.Mutex
	com     *particle
	history []*particle
}

func (s *Sim) Step(ps []*particle) {
	var wg sync.WaitGroup
	total := 0
	for _, p := range ps {
		wg.Go(func() {
			old := s.com
			s.com = &particle{}
			s.mu.Lock()
			s.com.m = old.m + p.m
			s.mu.Unlock()
			s.com.x = old.x + p.x
			total++
			s.log("π", s.com)
		})
	}
	wg.Wait()
}

func (s *Sim) log(what string, p *particle) { s.history = append(s.history, p) }

func (s *Sim) Start() (err error) {
	go func() {
		err = s.check()
	}()
	return err
}
