package lock

import "sync"

// Locks that are taken in an order of their own.

type purse struct {
	id      int
	mu      sync.Mutex
	balance int
}

var purses = []*purse{{id: 0}, {id: 1}, {id: 2}}

func betweenPurses(move func(from, to *purse, x int)) {
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { move(purses[i%3], purses[(i+1)%3], i) })
	}
	wg.Wait()
}

// Two locks are taken in the order of their numbers.
func EI1_byNumber() {
	betweenPurses(func(from, to *purse, x int) {
		first, second := from, to
		if first.id > second.id {
			first, second = second, first
		}
		first.mu.Lock()
		defer first.mu.Unlock()
		second.mu.Lock()
		defer second.mu.Unlock()
		from.balance -= x // norace
		to.balance += x   // norace
	})
}

// Both branches choose.
func EI2_bothBranches() {
	betweenPurses(func(from, to *purse, x int) {
		var first, second *purse
		if from.id < to.id {
			first, second = from, to
		} else {
			first, second = to, from
		}
		first.mu.Lock()
		second.mu.Lock()
		from.balance -= x // norace
		second.mu.Unlock()
		first.mu.Unlock()
	})
}

// One of the two is locked.
func EI3_firstOnly() {
	betweenPurses(func(from, to *purse, x int) {
		first, second := from, to
		if first.id > second.id {
			first, second = second, first
		}
		first.mu.Lock()
		defer first.mu.Unlock()
		from.balance -= x // race! _.balance
		_ = second
	})
}

// On one of the ways both are the same.
func EI4_sameTwice() {
	betweenPurses(func(from, to *purse, x int) {
		first, second := from, to
		if first.id > second.id {
			first = second
		}
		first.mu.Lock()
		defer first.mu.Unlock()
		if second != first {
			second.mu.Lock()
			defer second.mu.Unlock()
		}
		from.balance -= x // race! _.balance
	})
}

// Whichever is first is released before the other's balance is set.
func EI5_releasedEarly() {
	betweenPurses(func(from, to *purse, x int) {
		first, second := from, to
		if first.id > second.id {
			first, second = second, first
		}
		first.mu.Lock()
		second.mu.Lock()
		from.balance -= x // race! _.balance
		first.mu.Unlock()
		to.balance += x // race! _.balance
		second.mu.Unlock()
	})
}

// They are released by their own names, one too early.
func EI6_releasedByName() {
	betweenPurses(func(from, to *purse, x int) {
		first, second := from, to
		if first.id > second.id {
			first, second = second, first
		}
		first.mu.Lock()
		second.mu.Lock()
		to.mu.Unlock()
		to.balance += x // race! _.balance
		from.mu.Unlock()
	})
}

// One is for reading.
func EI7_oneForReading() {
	var wg sync.WaitGroup
	shared := []*sharedPurse{{id: 0}, {id: 1}, {id: 2}}
	for i := range n {
		wg.Go(func() { shared[i%3].take(shared[(i+1)%3], i) })
	}
	wg.Wait()
}

type sharedPurse struct {
	id      int
	mu      sync.RWMutex
	balance int
}

func (from *sharedPurse) take(to *sharedPurse, x int) {
	first, second := from, to
	if first.id > second.id {
		first, second = second, first
	}
	first.mu.Lock()
	defer first.mu.Unlock()
	second.mu.RLock()
	defer second.mu.RUnlock()
	from.balance -= x // race! _.balance
}

// The variables are chosen in two places.
func EI8_twoPlaces() {
	betweenPurses(func(from, to *purse, x int) {
		first := from
		if first.id > to.id {
			first = to
		}
		second := to
		if x%2 == 0 {
			second = from
		}
		first.mu.Lock()
		defer first.mu.Unlock()
		if second != first {
			second.mu.Lock()
			defer second.mu.Unlock()
		}
		from.balance -= x // race! _.balance
	})
}

// A closure releases them, which finds the variables in memory.
func EI9_releasedByClosure() {
	betweenPurses(func(from, to *purse, x int) {
		first, second := from, to
		if first.id > second.id {
			first, second = second, first
		}
		first.mu.Lock()
		second.mu.Lock()
		defer func() {
			second.mu.Unlock()
			first.mu.Unlock()
		}()
		from.balance -= x // norace
		to.balance += x   // norace
	})
}

// It is returned by the function that locks.
func EI10_returnedRelease() {
	betweenPurses(func(from, to *purse, x int) {
		defer lockPurses(from, to)()
		from.balance -= x // norace
		to.balance += x   // norace
	})
}

func lockPurses(a, b *purse) (unlock func()) {
	if a.id > b.id {
		a, b = b, a
	}
	a.mu.Lock()
	b.mu.Lock()
	return func() {
		b.mu.Unlock()
		a.mu.Unlock()
	}
}

// Both variables are one of the two where they are not swapped.
func EI11_bothTheSame() {
	betweenPurses(func(from, to *purse, x int) {
		first, second := from, from
		if first.id > to.id {
			first, second = to, first
		}
		first.mu.Lock()
		if second != first {
			second.mu.Lock()
		}
		defer func() {
			if second != first {
				second.mu.Unlock()
			}
			first.mu.Unlock()
		}()
		to.balance += x // race! _.balance
	})
}

// A closure sets one of them, too.
func EI12_setByClosure() {
	betweenPurses(func(from, to *purse, x int) {
		first, second := from, to
		other := func() { second = first }
		if first.id > second.id {
			first, second = second, first
		}
		if x%2 == 0 {
			other()
		}
		first.mu.Lock()
		defer first.mu.Unlock()
		if second != first {
			second.mu.Lock()
			defer second.mu.Unlock()
		}
		to.balance += x // race! _.balance
	})
}

// The lock is that of the round before.
func EI13_ofAnotherRound() {
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			var last *purse
			for k := range 3 {
				p := purses[k]
				if i%2 == 0 {
					p = purses[2-k]
				}
				if last != nil {
					last.mu.Lock()
					p.balance++ // race! _.balance
					last.mu.Unlock()
				}
				last = p
			}
			func() { println(last.id) }()
		})
	}
	wg.Wait()
}

// A variable is stored to in a loop, and used behind it.
func EI14_behindLoop() {
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			found := purses[0]
			for _, p := range purses {
				if p.id == i {
					found = p
				}
				p.balance++ // race! _.balance
			}
			found.mu.Lock()
			defer func() { found.mu.Unlock() }()
			found.balance++ // race! _.balance
		})
	}
	wg.Wait()
}

// The variable, which is stored to once, has gone over to another purse between the lock and the use.
func EI15_overBetween() {
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			var last *purse
			for k := range 3 {
				p := purses[(k+i)%3]
				if last != nil {
					last.mu.Lock()
				}
				before := last
				last = p
				last.balance++ // race! _.balance
				if before != nil {
					before.mu.Unlock()
				}
			}
			func() { println(last.id) }()
		})
	}
	wg.Wait()
}
