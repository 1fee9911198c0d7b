package heap

import "sync"

// What a closure finds in a variable is what was stored last before it was made, if
// nothing is stored there from then on.

type agent struct {
	id, failures int
}

type agents struct {
	wg  sync.WaitGroup
	all map[int]*agent
}

func (a *agents) start(f func()) {
	a.wg.Add(1)
	go func() {
		defer a.wg.Done()
		f()
	}()
}

func (a *agents) run(s *agent) {
	s.failures++ // norace
}

// CP1: each agent is run by the goroutine that is started for it when it is made.
func CP1_madeIfMissing(ids []int) {
	a := &agents{all: make(map[int]*agent)}
	for range 3 {
		for _, id := range ids {
			s, ok := a.all[id]
			if !ok {
				s = &agent{id: id}
				a.all[id] = s
				a.start(func() { a.run(s) })
			}
		}
	}
	a.wg.Wait()
}

// CP2: it is run whether it is there or not.
func CP2_anyway(ids []int) {
	a := &agents{all: make(map[int]*agent)}
	for range 3 {
		for _, id := range ids {
			s, ok := a.all[id]
			if !ok {
				s = &agent{id: id}
				a.all[id] = s
			}
			a.start(func() {
				s.failures++ // race! s.failures
			})
		}
	}
	a.wg.Wait()
}

// CP3: what was made is replaced by what all have.
func CP3_replaced(ids []int) {
	shared := &agent{}
	var wg sync.WaitGroup
	for _, id := range ids {
		s := &agent{id: id}
		if id > 3 {
			s = shared
		}
		wg.Add(1)
		go func() {
			defer wg.Done()
			s.failures++ // race! shared.failures
		}()
	}
	wg.Wait()
}

// CP4: another is stored while the goroutine runs.
func CP4_later(ids []int) {
	shared := &agent{}
	var wg sync.WaitGroup
	for _, id := range ids {
		s := &agent{id: id}
		wg.Add(1)
		go func() {
			defer wg.Done()
			x := s       // race! s
			x.failures++ // race! shared.failures
		}()
		s = shared // race! s
	}
	wg.Wait()
}
