package order

import (
	"sync"
)

type activity struct {
	x    int
	name string
	own  int
}

// A goroutine outside any loop works on what its spawner goes on using.
func H7_spawnerGoesOn() {
	a := &activity{}
	p := &activity{}
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		p.x = 1         // race! p.x
		a.name = "bg"   // race! a.name
		a.own = len("") // norace
	}()
	p.x = 2       // race! p.x
	a.name = "fg" // race! a.name
	wg.Wait()
}

// The spawner waits before it goes on.
func H7b_spawnerWaits() {
	p := &activity{}
	done := make(chan struct{})
	go func() {
		p.x = 1 // norace
		close(done)
	}()
	<-done
	p.x = 2 // norace
}

// The spawner is done with the object before it spawns.
func B10_beforeSpawn() {
	p := &activity{}
	p.x = 2 // norace
	var wg sync.WaitGroup
	wg.Go(func() {
		p.x = 1 // norace
	})
	wg.Wait()
}

// Nobody waits: the read after the loop runs beside the bodies.
func B10_missingWait() {
	own := make([]int, n)
	done := make(chan bool, n)
	for i := range own {
		go func() {
			own[i] = i // race! own[*]
			done <- true
		}()
	}
	for i := range own {
		uses.Add(int64(own[i])) // race! own[*]
	}
	for range own {
		<-done
	}
}

// Two goroutines that are spawned one after the other, on two fields.
func S48_twoFields() {
	s := &activity{}
	var wg sync.WaitGroup
	wg.Go(func() {
		s.x++ // norace
	})
	wg.Go(func() {
		s.name = "b" // norace
	})
	wg.Wait()
}

// Two goroutines on one field.
func S48b_oneField() {
	s := &activity{}
	var wg sync.WaitGroup
	wg.Go(func() {
		s.x++ // race! s.x
	})
	wg.Go(func() {
		s.x = 3 // race! s.x
	})
	wg.Wait()
}

// Goroutine 2 is only spawned after goroutine 1 was waited for.
func B10_oneAfterTheOther() {
	s := &activity{}
	var wg sync.WaitGroup
	wg.Go(func() {
		s.x++ // norace
	})
	wg.Wait()
	wg.Go(func() {
		s.x = 3 // norace
	})
	wg.Wait()
}

// The loop's body goes on changing its variables, of which the goroutine
// captured copies.
func S41_loopGoesOnWithCopies() {
	src := make([]int, 3*n)
	off := 0
	var wg sync.WaitGroup
	for range 3 {
		part, from := src[:n], off
		wg.Go(func() {
			for i := range part {
				part[i] = from // norace
			}
		})
		off += n
		src = src[n:]
	}
	wg.Wait()
}

// The goroutine captured the variables themselves.
func S41b_loopGoesOnWithCaptured() {
	off := 0
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			uses.Add(int64(off)) // race! off
		})
		off += n // race! off
	}
	wg.Wait()
}

type result struct{ v int }

// Without the capacity, append copies elements while they are written.
func S9b_growingReallocates() {
	parts := []int{1, 2, 3, 4}
	var out []result
	var wg sync.WaitGroup
	for _, p := range parts {
		out = append(out, result{}) // race! _[*].v
		r := &out[len(out)-1]
		wg.Add(1)
		go fill(p, r, &wg)
	}
	wg.Wait()
}

func fill(v int, r *result, wg *sync.WaitGroup) {
	defer wg.Done()
	r.v = v // race! _[*].v
}

// A loop in which each round waits for its own goroutines.
func B10_waitInEachRound() {
	total := 0
	for range 3 {
		var wg sync.WaitGroup
		wg.Go(func() {
			total++ // norace
		})
		wg.Wait()
		total++ // norace
	}
}

// Phases: the second loop reads what the first wrote, and a variable that the
// spawner assigns in between.
func S42_phases() {
	own := make([]int, n)
	coeffs := []int{1, 2, 3}
	var wg sync.WaitGroup
	for i := range own {
		wg.Go(func() {
			own[i] = coeffs[i%3] // norace
		})
	}
	wg.Wait()
	coeffs = []int{4, 5, 6} // norace
	for i := range own {
		wg.Go(func() {
			uses.Add(int64(coeffs[i%3] + own[n-1-i])) // norace
		})
	}
	wg.Wait()
}

// Phases without the Wait in between.
func S42b_phasesWithoutWait() {
	coeffs := []int{1, 2, 3}
	own := make([]int, n)
	var wg sync.WaitGroup
	for i := range own {
		wg.Go(func() {
			own[i] = coeffs[i%3] // race! coeffs
		})
	}
	coeffs = []int{4, 5, 6} // race! coeffs
	for range own {
		wg.Go(func() {
			uses.Add(int64(coeffs[0])) // norace
		})
	}
	wg.Wait()
}

// What one of the two modes starts is waited for by a deferred call of that mode.
type answer struct{ arch string }

func asksInMode(mode int) (out *answer, err error) {
	r := &answer{}
	if mode&1 != 0 {
		failed := make(chan error)
		go func() {
			r.arch = "x" // norace
			failed <- nil
		}()
		defer func() { err = <-failed }()
	}
	return r, nil
}

func B25_deferredInOneMode() {
	rs := make([]*answer, n)
	var wg sync.WaitGroup
	for i := range rs {
		wg.Go(func() { rs[i], _ = asksInMode(i) })
	}
	wg.Wait()
	for _, r := range rs {
		_ = r.arch // norace
	}
}

// In one of the modes nobody waits.
func B25b_notWaitedFor() {
	rs := make([]*answer, n)
	var wg sync.WaitGroup
	for i := range rs {
		wg.Go(func() { rs[i] = asksTwice(i) })
	}
	wg.Wait()
	for _, r := range rs {
		_ = r.arch // race! _.arch
	}
}

func asksTwice(mode int) *answer {
	r := &answer{}
	done := make(chan bool, 1)
	go func() {
		r.arch = "x" // race! _.arch
		done <- true
	}()
	if mode&1 != 0 {
		defer func() { <-done }()
	}
	return r
}

// It is waited for before it is started.
func B25c_waitedForTooEarly() {
	rs := make([]*answer, n)
	var wg sync.WaitGroup
	for i := range rs {
		wg.Go(func() { rs[i] = asksLate(i) })
	}
	wg.Wait()
	for _, r := range rs {
		_ = r.arch // race! _.arch
	}
}

func asksLate(mode int) *answer {
	r := &answer{}
	done := make(chan bool, 1)
	done <- true
	if mode&1 != 0 {
		<-done
		go func() {
			r.arch = "x" // race! _.arch
			done <- true
		}()
	}
	return r
}

// Each round makes its batch, in one of two ways, and fills it before it starts
// the goroutine.
func B26_madeInEitherBranch(k int) {
	var batch []int
	var wg sync.WaitGroup
	for i := range n {
		if i == n-1 {
			batch = make([]int, k+1)
		} else {
			batch = make([]int, k)
		}
		batch[0] = i // norace
		wg.Add(1)
		go readsBatch(batch, &wg)
	}
	wg.Wait()
}

func readsBatch(batch []int, wg *sync.WaitGroup) {
	_ = batch[0] // norace
	wg.Done()
}

// One of the branches takes what was made before the loop.
func B26b_madeInOneBranch(k int) {
	common := make([]int, k)
	var batch []int
	var wg sync.WaitGroup
	for i := range n {
		if i%2 == 0 {
			batch = common
		} else {
			batch = make([]int, k)
		}
		batch[0] = i // race! common[*]
		wg.Add(1)
		go readsBatch2(batch, &wg)
	}
	wg.Wait()
}

func readsBatch2(batch []int, wg *sync.WaitGroup) {
	_ = batch[0] // race! common[*]
	wg.Done()
}

type box26 struct{ v int }

// The same with structs.
func B26c_takenInOneBranch() {
	common := &box26{}
	var wg sync.WaitGroup
	for i := range n {
		b := common
		if i%2 == 0 {
			b = &box26{}
		}
		b.v = i // race! common.v
		wg.Add(1)
		go readsBox(b, &wg)
	}
	wg.Wait()
}

func readsBox(b *box26, wg *sync.WaitGroup) {
	_ = b.v // race! common.v
	wg.Done()
}
