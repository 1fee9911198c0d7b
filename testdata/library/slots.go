package library

import "sync"

// Go has no thread-local storage. Where the original tool's cases use it, a
// slot per iteration comes nearest.

// Each iteration fills its slot.
func T117_ownSlotSet() {
	locals := make([]*P, n)
	var wg sync.WaitGroup
	for i := range locals {
		wg.Go(func() {
			locals[i] = &P{} // norace
		})
	}
	wg.Wait()
}

// Each iteration reads its slot.
func T118_ownSlotGet() {
	locals := make([]*P, n)
	for i := range locals {
		locals[i] = &P{}
	}
	var wg sync.WaitGroup
	for i := range locals {
		wg.Go(func() {
			_ = locals[i] // norace
		})
	}
	wg.Wait()
}

// What a pool hands out belongs to the taker until it is put back.
func T119_pool() {
	pool := sync.Pool{New: func() any { return new(P) }}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			p := pool.Get().(*P)
			p.x = i // norace
			pool.Put(p)
		})
	}
	wg.Wait()
}

// It is written after it was put back.
func T119b_poolUsedAfterPut() {
	pool := sync.Pool{New: func() any { return new(P) }}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			p := pool.Get().(*P)
			pool.Put(p)
			p.x = i // race! _.x
		})
	}
	wg.Wait()
}

// It is put back twice, so two may have it.
func T119c_poolPutTwice() {
	pool := sync.Pool{New: func() any { return new(P) }}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			p := pool.Get().(*P)
			p.x = i // race! _.x
			pool.Put(p)
			pool.Put(p)
		})
	}
	wg.Wait()
}

// A helper puts back what is used afterwards.
func T119d_poolHelperPuts() {
	pool := &sync.Pool{New: func() any { return new(P) }}
	put := func(p *P) { pool.Put(p) }
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			p := pool.Get().(*P)
			p.x = 0 // race! _.x
			put(p)
			p.x = i // race! _.x
		})
	}
	wg.Wait()
}

// The put is deferred, and a copy of the pointer is kept.
func T119e_poolDeferred() {
	pool := sync.Pool{New: func() any { return new(P) }}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			p := pool.Get().(*P)
			defer pool.Put(p)
			p.x = i // norace
		})
	}
	wg.Wait()
}

// The spawner goes on with what it has put back.
func T119f_poolSpawnerKeeps() {
	for range 20 {
		done := make(chan bool)
		pool := &sync.Pool{New: func() any { return new(P) }}
		p := pool.Get().(*P)
		p.x = 1
		pool.Put(p)
		go func() {
			pool.Get().(*P).x = 2 // race! _.x
			done <- true
		}()
		p.x = 3 // race! _.x
		<-done
	}
}

// The object in the own slot is written under its other name.
func T120_ownSlotObject() {
	locals := make([]*P, n)
	var wg sync.WaitGroup
	for i := range locals {
		wg.Go(func() {
			p := &P{}
			locals[i] = p // norace
			p.x = 7       // norace
		})
	}
	wg.Wait()
}

// The object is read back from the own slot.
func T121_ownSlotRetrieved() {
	locals := make([]*P, n)
	var wg sync.WaitGroup
	for i := range locals {
		wg.Go(func() {
			locals[i] = &P{} // norace
			locals[i].x = 7  // norace
		})
	}
	wg.Wait()
}

// All slots get the shared object.
func T122_sharedInOwnSlot() {
	shared := &P{}
	locals := make([]*P, n)
	var wg sync.WaitGroup
	for i := range locals {
		wg.Go(func() {
			locals[i] = shared // norace
			locals[i].x = 7    // race! shared.x
		})
	}
	wg.Wait()
}

// The object in the own slot refers to the shared one.
func T124_ownSlotRefersToShared() {
	shared := &P{}
	locals := make([]*P, n)
	var wg sync.WaitGroup
	for i := range locals {
		wg.Go(func() {
			locals[i] = &P{origin: shared} // norace
			locals[i].origin.x = 7         // race! shared.x
			locals[i].x = 9                // norace
		})
	}
	wg.Wait()
}
