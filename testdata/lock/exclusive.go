package lock

import "sync"

type ledger struct {
	mu    sync.Mutex
	lines []int
	tag   func() int
}

func newLedger(tag func() int) *ledger { return &ledger{tag: tag} }

func (l *ledger) add() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lines = append(l.lines, l.tag())
}

// The ledger is made in one of two ways; there is one ledger, and one lock, all
// the same.
func E1_madeInEitherBranch(fast bool) {
	var l *ledger
	sum := 0
	if fast {
		l = newLedger(func() int {
			sum++ // norace
			return 1
		})
	} else {
		l = newLedger(func() int {
			sum-- // norace
			return 2
		})
	}
	var wg sync.WaitGroup
	for range n {
		wg.Go(l.add)
	}
	wg.Wait()
}

// Both are made here, and each iteration takes one: the sum has two locks.
func E1b_bothMade() {
	sum := 0
	count := func() int {
		sum++ // race! sum
		return 1
	}
	ls := [2]*ledger{newLedger(count), newLedger(count)}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			l := ls[0]
			if i > 3 {
				l = ls[1]
			}
			l.add()
		})
	}
	wg.Wait()
}

// box keeps what callbacks get under its lock.
type box struct {
	mu     sync.Mutex
	events map[int]int
}

func (b *box) with(f func(*map[int]int)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	f(&b.events)
}

func clear2(m *map[int]int) {
	for k := range *m {
		delete(*m, k) // norace
	}
}

// Several callbacks hand what they get to one helper: the box's lock is held
// whichever it is.
func E2_helperOfCallbacks() {
	a, b := &box{events: map[int]int{}}, &box{events: map[int]int{}}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			a.with(func(m *map[int]int) { clear2(m) })
			b.with(func(m *map[int]int) { clear2(m) })
			a.mu.Lock()
			a.events[i] = i // norace
			a.mu.Unlock()
		})
	}
	wg.Wait()
}
