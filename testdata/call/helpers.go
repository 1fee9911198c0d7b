package call

import "sync"

// One method works on a shared particle before the loop and on fresh ones in
// it: it must be analysed for each.
func T6_methodInsideAndOutside() {
	shared := &P{}
	shared.moveTo(3, 4)
	ps := make([]*P, n)
	var wg sync.WaitGroup
	for i := range ps {
		wg.Add(1)
		go func() {
			defer wg.Done()
			p := &P{}
			p.moveTo(1, 2)
			ps[i] = p
		}()
	}
	wg.Wait()
}

// As T6, through one more call.
func T7_twoLevelsInsideAndOutside() {
	shared := &P{}
	compute(shared)
	ps := make([]*P, n)
	var wg sync.WaitGroup
	for i := range ps {
		wg.Add(1)
		go func() {
			defer wg.Done()
			p := &P{}
			compute(p)
			ps[i] = p
		}()
	}
	wg.Wait()
}

// As T6, through a recursive function.
func T8_recursionInsideAndOutside() {
	shared := &P{}
	computeRec(shared, 3)
	ps := make([]*P, n)
	var wg sync.WaitGroup
	for i := range ps {
		wg.Add(1)
		go func() {
			defer wg.Done()
			p := &P{}
			computeRec(p, 4)
			ps[i] = p
		}()
	}
	wg.Wait()
}

// An iteration moves a fresh particle and the shared one: only the latter
// races, and only its call leads there.
func T9_freshAndShared() {
	shared := &P{}
	ps := make([]*P, n)
	var wg sync.WaitGroup
	for i := range ps {
		wg.Add(1)
		go func() {
			defer wg.Done()
			p := &P{}
			p.moveTo(1, 2)      // norace
			shared.moveTo(1, 2) // race! shared.x shared.y
			ps[i] = p           // norace
		}()
	}
	wg.Wait()
}

// A package function increments a field of a global's object.
func T21_functionOnGlobal() {
	var wg sync.WaitGroup
	for range n {
		wg.Add(1)
		go func() {
			defer wg.Done()
			count() // race! _.x
		}()
	}
	wg.Wait()
}

var counted = &P{}

func count() {
	counted.x++ // race! _.x
}

// Two parallel loops call one helper, the first on a shared particle.
func X8_helperOfTwoLoops() {
	shared := &P{}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			compute(shared) // race! shared.x shared.y
		})
	}
	wg.Wait()
	for range n {
		wg.Go(func() {
			compute(&P{}) // norace
		})
	}
	wg.Wait()
}

// A function calls itself: the walk of its callees must end.
func T129_recursiveOnShared() {
	shared := &P{}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			computeRec(shared, 3) // race! shared.x shared.y
		})
	}
	wg.Wait()
}

func idle() {}

// A call of an empty function reaches nothing.
func T125_emptyCallee() {
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() { idle() })
	}
	wg.Wait()
}

// A method increments a field: it reads and writes.
func T126_incrementInCallee() {
	t := &tally{}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			t.hit() // race! t.hits
		})
	}
	wg.Wait()
}

type tally struct{ hits int }

func (t *tally) hit() {
	t.hits++ // race! t.hits
}

func hitOnce(t *tally) { t.hit() }
func hitToo(t *tally)  { t.hit() }

// Two callers lead to one increment: both are on the paths to it.
func T128_twoCallersOfOneIncrement() {
	t := &tally{}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			hitOnce(t) // race! t.hits
			hitToo(t)  // race! t.hits
		})
	}
	wg.Wait()
}
