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
