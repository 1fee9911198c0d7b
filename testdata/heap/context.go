package heap

import "sync"

// Shared and fresh particles go through one identity function; the callers'
// results must be told apart.
func T115_identityOfSharedAndFresh() {
	shared := &P{}
	var wg sync.WaitGroup
	for range n {
		wg.Add(1)
		go func() {
			defer wg.Done()
			same(shared)
			q := same(&P{})
			q.x = 8 // norace
		}()
	}
	wg.Wait()
}

// As T115, with the shared argument read from a field that all write.
func T116_identityOfPublishedAndFresh() {
	shared := &P{}
	var wg sync.WaitGroup
	for range n {
		wg.Add(1)
		go func() {
			defer wg.Done()
			shared.origin = &P{} // race! shared.origin
			same(shared.origin)  // race! shared.origin
			q := same(&P{})
			q.x = 8 // norace
		}()
	}
	wg.Wait()
}

// Nothing was ever stored in the elements: the write cannot happen.
func U1_elementsNeverMade() {
	ps := make([]*P, n)
	var wg sync.WaitGroup
	for _, p := range ps {
		wg.Add(1)
		go func() {
			defer wg.Done()
			if p != nil {
				p.x = 10 // norace
			}
		}()
	}
	wg.Wait()
}

// Every element has element 3 for its origin: iteration 3 writes what the
// others read.
func U3_originIsOneElement() {
	ps := newParticles()
	for i := range ps {
		ps[i] = &P{origin: ps[3]}
	}
	var wg sync.WaitGroup
	for _, p := range ps {
		wg.Add(1)
		go func() {
			defer wg.Done()
			p.x = 10       // race! _.x
			_ = p.origin.x // race! _.x
		}()
	}
	wg.Wait()
}

// As U3, with the elements made first: a plain alias of one of them.
func U3b_originIsOneOfTheElements() {
	ps := newParticles()
	for i := range ps {
		ps[i].origin = ps[3]
	}
	var wg sync.WaitGroup
	for _, p := range ps {
		wg.Add(1)
		go func() {
			defer wg.Done()
			p.x = 10       // race! _.x
			_ = p.origin.x // race! _.x
		}()
	}
	wg.Wait()
}

// Two slices of particles: the second's origins are all one particle of the
// first. Only y is written through the origin.
func U4_twoSlices() {
	first := make([]*P, n)
	for i := range first {
		first[i] = &P{}
	}
	second := make([]*P, n)
	for i := range second {
		second[i] = &P{origin: first[0]}
	}
	var wg sync.WaitGroup
	for _, p := range second {
		wg.Add(1)
		go func() {
			defer wg.Done()
			p.x = 10        // norace
			p.origin.y = 10 // race! _.y
		}()
	}
	wg.Wait()
}

// As U4, with both slices made by one factory: its objects must be cloned per
// call.
func U5_twoSlicesFromFactory() {
	first := newParticles()
	second := newParticles()
	for i := range second {
		second[i].origin = first[0]
	}
	var wg sync.WaitGroup
	for _, p := range second {
		wg.Add(1)
		go func() {
			defer wg.Done()
			p.x = 10        // norace
			p.origin.y = 10 // race! _.y
		}()
	}
	wg.Wait()
}

type frame struct{ c *P }

// Particles are made in one parallel loop and updated in the next, which
// replaces the frame's centre and accumulates into it.
func U6_accumulateThroughField() {
	f := &frame{c: &P{}}
	ps := make([]*P, n)
	var wg sync.WaitGroup
	for i := range ps {
		wg.Add(1)
		go func() {
			defer wg.Done()
			ps[i] = &P{} // norace
		}()
	}
	wg.Wait()
	for _, p := range ps {
		wg.Add(1)
		go func() {
			defer wg.Done()
			p.x += p.vX        // norace
			p.y += p.vX        // norace
			f.c = &P{}         // race! f.c
			f.c.m += p.m       // race! f.c _.m
			f.c.x += p.x * p.m // race! f.c _.x
			f.c.y += p.y       // race! f.c _.y
		}()
	}
	wg.Wait()
}
