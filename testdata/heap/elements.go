package heap

import (
	"runtime"
	"sync"
)

// A sequential loop makes the elements, a parallel loop writes them: each
// iteration has its own.
func T2_elementsMadeBefore() {
	ps := make([]*P, n)
	for i := range ps {
		ps[i] = &P{}
	}
	var wg sync.WaitGroup
	for _, p := range ps {
		wg.Add(1)
		go func() {
			defer wg.Done()
			p.x = 10 // norace (without twothreads: race _.x)
		}()
	}
	wg.Wait()
}

// The elements are distinct, but all point to one shared origin.
func T4_elemOriginShared() {
	shared := &P{}
	ps := make([]*P, n)
	for i := range ps {
		ps[i] = &P{origin: shared}
	}
	var wg sync.WaitGroup
	for _, p := range ps {
		wg.Add(1)
		go func() {
			defer wg.Done()
			p.origin.x = 10 // race! shared.x (without twothreads: race shared.x)
		}()
	}
	wg.Wait()
}

// The fresh particle refers to the shared one in origin, and to another fresh
// one in origin1: only the latter is written.
func T5_otherField() {
	shared := &P{}
	ps := make([]*P, n)
	var wg sync.WaitGroup
	for i := range ps {
		wg.Add(1)
		go func() {
			defer wg.Done()
			p := &P{origin: shared} // norace (without twothreads: race _.origin)
			p.origin1 = &P{}        // norace (without twothreads: race _.origin1)
			p.origin1.x = 10        // norace (without twothreads: race _.x)
			ps[i] = p               // norace
		}()
	}
	wg.Wait()
}

// A sequential loop over the slice writes a shared particle; the parallel one
// only touches elements.
func T10_sequentialLoopWritesShared() {
	shared := &P{}
	ps := make([]*P, n)
	for i := range ps {
		ps[i] = &P{}
		shared.x = i
		shared.y = i
	}
	var wg sync.WaitGroup
	for _, p := range ps {
		wg.Add(1)
		go func() {
			defer wg.Done()
			p.x = 10 // norace
		}()
	}
	wg.Wait()
	_ = shared.x + shared.y
}

// Each iteration publishes a fresh particle through a shared field, and then
// writes whichever was published last.
func T11_publishedThenReloaded() {
	shared := &P{}
	var wg sync.WaitGroup
	for range n {
		wg.Add(1)
		go func() {
			defer wg.Done()
			shared.origin = &P{} // race! shared.origin
			shared.origin.x = 10 // race! shared.origin _.x
		}()
	}
	wg.Wait()
}

// Two hops: elements point to shared, whose origin is the last particle that
// the sequential loop made.
func T12_sharedChainThroughElements() {
	shared := &P{}
	ps := newParticles()
	for _, p := range ps {
		shared.origin = &P{}
		p.origin = shared
	}
	var wg sync.WaitGroup
	for _, p := range ps {
		wg.Add(1)
		go func() {
			defer wg.Done()
			p.origin.origin.moveTo(5, 7) // race! _.x _.y
		}()
	}
	wg.Wait()
}

// All iterations read element 0; iteration 0 replaces it.
func T13_firstElementIsShared() {
	shared := &P{}
	ps := make([]*P, n)
	ps[0] = shared
	var wg sync.WaitGroup
	for i := range ps {
		wg.Add(1)
		go func() {
			defer wg.Done()
			p := ps[0]   // race! ps[*]
			p.x = 10     // race! shared.x
			ps[i] = &P{} // race! ps[*]
		}()
	}
	wg.Wait()
}

// The elements become the shared particle: their slots are distinct, it is not.
func T14_sharedStoredInElements() {
	shared := &P{}
	ps := make([]*P, n)
	var wg sync.WaitGroup
	for i := range ps {
		wg.Add(1)
		go func() {
			defer wg.Done()
			shared.x = 10  // race! shared.x
			ps[i] = shared // norace
		}()
	}
	wg.Wait()
}

// Distinct elements are overwritten by element 0, so that all are one.
func T15_elementCopiedToAll() {
	ps := make([]*P, n)
	for i := range ps {
		ps[i] = &P{}
	}
	for i := range ps {
		ps[i] = ps[0]
	}
	var wg sync.WaitGroup
	for _, p := range ps {
		wg.Add(1)
		go func() {
			defer wg.Done()
			p.x = 10 // race! _.x
		}()
	}
	wg.Wait()
}

// As T15, but the elements become one only after the parallel loop.
func T16_elementsMergedAfterwards() {
	ps := make([]*P, n)
	for i := range ps {
		ps[i] = &P{}
	}
	var wg sync.WaitGroup
	for _, p := range ps {
		wg.Add(1)
		go func() {
			defer wg.Done()
			p.x = 10 // norace
		}()
	}
	wg.Wait()
	s := &P{}
	for i := range ps {
		ps[i] = s
	}
}

// The same over several rounds: from the second on, two elements may have taken
// one origin.
func T17b_originReplacedInEarlierRound() {
	s := &P{}
	ps := make([]*P, n)
	for i := range ps {
		ps[i] = &P{origin: &P{}}
	}
	for range 4 {
		var wg sync.WaitGroup
		for _, p := range ps {
			wg.Add(1)
			go func() {
				defer wg.Done()
				p.origin.x = 10 // race! _.x
				s.origin = &P{} // race! s.origin
				runtime.Gosched()
				p.origin = s.origin // race! s.origin
			}()
		}
		wg.Wait()
	}
}

// A constant index is the same element in each iteration.
func T23_constantIndex() {
	shared := make([]*P, 1)
	var wg sync.WaitGroup
	for range n {
		wg.Add(1)
		go func() {
			defer wg.Done()
			shared[0] = &P{} // race! shared[*]
		}()
	}
	wg.Wait()
}

// A particle escapes to shared memory, but nobody else ever looks at its x.
func T24_escapedButUnread() {
	shared := &P{}
	var wg sync.WaitGroup
	for range n {
		wg.Add(1)
		go func() {
			defer wg.Done()
			p := &P{}
			shared.origin = p // race! shared.origin
			p.x = 10          // norace
		}()
	}
	wg.Wait()
}
