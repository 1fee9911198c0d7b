package order

import "sync"

// What a round has found in a list, its goroutine and the spawner both have, whether the spawner
// has loaded it before the start or not.

type bundle struct{ n int }

func (p *bundle) unpackIt() {
	p.n++ // race! _.n
}

func (p *bundle) post() {
	go p.unpackIt()
}

// RV1_usedAfterStart goes on with the element.
func RV1_usedAfterStart() {
	bundles := []*bundle{{}, {}}
	for _, p := range bundles {
		go func() {
			p.n++ // race! p.n
		}()
		p.n = 1 // race! p.n
	}
}

// RV2_startedByCall does so where a method starts the goroutine.
func RV2_startedByCall() {
	bundles := []*bundle{{}, {}}
	for _, p := range bundles {
		p.post()
		p.n = 1 // race! _.n
	}
}

// RV3_ofMap goes through a map.
func RV3_ofMap() {
	bundles := map[string]*bundle{"a": {}, "b": {}}
	for _, p := range bundles {
		go func() {
			p.n++ // race! p.n
		}()
		p.n = 1 // race! p.n
	}
}

// RV4_onOneWay uses it in a branch behind the start.
func RV4_onOneWay() {
	bundles := []*bundle{{}, {}}
	for k, p := range bundles {
		go func() {
			p.n++ // race! p.n
		}()
		if k%2 == 0 {
			continue
		}
		p.n = 1 // race! p.n
	}
}

// RV5_setBefore is done with it.
func RV5_setBefore() {
	bundles := []*bundle{{}, {}}
	for _, p := range bundles {
		p.n = 1 // norace
		go func() {
			p.n++ // norace
		}()
	}
}

// RV6_setBeforeOfMap is, too.
func RV6_setBeforeOfMap() {
	bundles := map[string]*bundle{"a": {}, "b": {}}
	for _, p := range bundles {
		p.n = 1 // norace
		go func() {
			p.n++ // norace
		}()
	}
}

// RV7_eitherOr starts it, or changes it itself.
func RV7_eitherOr() {
	bundles := []*bundle{{}, {}}
	for k, p := range bundles {
		if k%2 == 0 {
			p.n = 1 // norace
			continue
		}
		go func() {
			p.n++ // norace
		}()
	}
}

// RV8_waitedFor waits for the goroutine in the round.
func RV8_waitedFor() {
	bundles := []*bundle{{}, {}}
	for _, p := range bundles {
		var wg sync.WaitGroup
		wg.Go(func() {
			p.n++ // norace
		})
		wg.Wait()
		p.n = 1 // norace
	}
}

// RV9_nextOne changes the one that comes next, before its goroutine starts.
func RV9_nextOne() {
	bundles := []*bundle{{}, {}}
	for k := range bundles {
		p := bundles[k]
		go func() {
			p.n++ // norace
		}()
		if k+1 < len(bundles) {
			bundles[k+1].n = 1 // norace
		}
	}
}
