package heap

import "sync"

// tally has a sentinel that stands for "none" and is never written.
type tally struct {
	count int
	next  *tally
}

var emptyTally = &tally{}

// bump replaces the sentinel before it writes.
func bump(l *tally) *tally {
	if l == nil || l == emptyTally {
		l = &tally{}
	}
	l.count++ // norace
	return l
}

// Y30: the shared sentinel is replaced by new memory before the write.
func Y30_sentinelReplaced() {
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			l := emptyTally
			for range 3 {
				l = bump(l)
			}
		})
	}
	wg.Wait()
}

// Y31: where the pointer is the sentinel, the function returns; and where it is,
// a conversion to an interface has come between.
func Y31_sentinelReturns() {
	visit := func(v any) {
		if v == any(emptyTally) {
			return
		}
		if l, ok := v.(*tally); ok {
			l.count++ // norace
		}
	}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			l := emptyTally
			if i%2 == 0 {
				l = &tally{}
			}
			visit(l)
			if l == emptyTally {
				l = nil
			}
			if l != nil {
				l.count = i // norace
			}
		})
	}
	wg.Wait()
}

var plainTally tally

// Y32: the sentinel is a variable, compared by its address.
func Y32_sentinelVariable() {
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			l := &plainTally
			if i%2 == 0 {
				l = new(tally)
			}
			if l != &plainTally {
				l.count = i // norace
			}
		})
	}
	wg.Wait()
}

var wrongTally = &tally{}

// Y33: the comparison is the wrong way round, and one comes too late.
func Y33_sentinelWritten() {
	touch := func(l *tally) {
		l.count++ // race! _.count
		if l == wrongTally {
			l.next = nil // race! _.next
		}
	}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() { touch(wrongTally) })
	}
	wg.Wait()
}

var movedTally = &tally{}

// Y34: the sentinel is set anew, and the old one is no sentinel any more.
func Y34_sentinelAssigned() {
	old := movedTally
	movedTally = &tally{}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			l := old
			if l != movedTally {
				l.count = i // race! _.count
			}
		})
	}
	wg.Wait()
}

// setTally may let any variable refer to another tally.
func setTally(v **tally) { *v = &tally{} }

var lentTally = &tally{}

// Y35: the sentinel's variable is assigned through its address.
func Y35_sentinelLent() {
	old := lentTally
	setTally(&lentTally)
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			l := old
			if l != lentTally {
				l.count = i // race! _.count
			}
		})
	}
	wg.Wait()
}

var firstTally, secondTally = &tally{}, &tally{}

// Y36: not the one sentinel is the other, on one of two paths.
func Y36_twoSentinels() {
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			l := firstTally
			if i%2 == 0 {
				l = secondTally
			}
			if l != firstTally {
				l.count = i // race! _.count
			}
			if l != firstTally && l != secondTally {
				l.count = i // norace
			}
		})
	}
	wg.Wait()
}

type headed struct {
	first tally
	rest  int
}

var emptyHeaded = &headed{}

// Y37: a pointer to the sentinel's first field is not the sentinel, and points
// to the same memory.
func Y37_sentinelField() {
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			var v any = &emptyHeaded.first
			if v != any(emptyHeaded) {
				v.(*tally).count = i // race! _.first.count
			}
		})
	}
	wg.Wait()
}

var loopTally = &tally{}

// Y38: the pointer is compared, then assigned anew, in the rounds of a loop.
func Y38_sentinelComesBack() {
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			l := &tally{}
			for range 3 {
				if l != loopTally {
					l = loopTally
				}
				l.count++ // race! _.count
			}
		})
	}
	wg.Wait()
}

var orTally = &tally{}

// Y39: the write is reached where the pointers differ, and also where they need
// not.
func Y39_sentinelOrElse() {
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			l := orTally
			if l != orTally || i > 1 {
				l.count = i // race! _.count
			}
		})
	}
	wg.Wait()
}
