package heap

import "sync"

// A batch is filled under a lock, and taken away with all that it has.
type ledger struct {
	counts map[string]int
	n      int
}

type ledgers struct {
	mu  sync.Mutex
	cur *ledger
}

func (r *ledgers) inc(k string) {
	r.mu.Lock()
	r.cur.counts[k]++ // assumed _[*]
	r.cur.n++
	r.mu.Unlock()
}

func (r *ledgers) swap() *ledger {
	r.mu.Lock()
	defer r.mu.Unlock()
	old := r.cur
	r.cur = &ledger{counts: map[string]int{}}
	return old
}

// TO1: the map of what is taken away is nobody else's.
func TO1_swapped() {
	r := &ledgers{cur: &ledger{counts: map[string]int{}}}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			r.inc("a")
			b := r.swap()
			delete(b.counts, "tmp") // assumed _[*]
			b.n = len(b.counts)
		})
	}
	wg.Wait()
}

type ledgers2 struct {
	mu  sync.Mutex
	cur *ledger2
}

type ledger2 struct{ counts map[string]int }

// TO2: the new one has the map of the old one.
func TO2_handedOver() {
	r := &ledgers2{cur: &ledger2{map[string]int{}}}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			r.mu.Lock()
			r.cur.counts["a"]++ // race! _[*]
			r.mu.Unlock()
			r.mu.Lock()
			old := r.cur
			r.cur = &ledger2{old.counts}
			r.mu.Unlock()
			delete(old.counts, "tmp") // race! _[*]
		})
	}
	wg.Wait()
}

type ledgers3 struct {
	mu  sync.Mutex
	cur *ledger3
}

type ledger3 struct{ counts map[string]int }

// TO3: one is used when the lock is released.
func TO3_usedLater() {
	r := &ledgers3{cur: &ledger3{map[string]int{}}}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			r.mu.Lock()
			cur := r.cur
			r.mu.Unlock()
			cur.counts["a"]++ // race! _[*]
			r.mu.Lock()
			old := r.cur
			r.cur = &ledger3{map[string]int{}}
			r.mu.Unlock()
			delete(old.counts, "tmp") // race! _[*]
		})
	}
	wg.Wait()
}

type ledgers4 struct {
	mu  sync.Mutex
	cur *ledger4
}

type ledger4 struct{ counts map[string]int }

// TO4: it is not taken away.
func TO4_left() {
	r := &ledgers4{cur: &ledger4{map[string]int{}}}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			r.mu.Lock()
			r.cur.counts["a"]++ // race! _[*]
			r.mu.Unlock()
			r.mu.Lock()
			old := r.cur
			r.mu.Unlock()
			delete(old.counts, "tmp") // race! _[*]
		})
	}
	wg.Wait()
}

type ledgers5 struct {
	mu       sync.Mutex
	cur      *ledger5
	together map[string]int
}

type ledger5 struct{ counts map[string]int }

// TO5: another place has the map, too.
func TO5_foundElsewhere() {
	r := &ledgers5{cur: &ledger5{map[string]int{}}}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			r.mu.Lock()
			r.together["a"]++ // race! _[*]
			r.mu.Unlock()
			r.mu.Lock()
			old := r.cur
			m := map[string]int{}
			r.cur = &ledger5{m}
			r.together = m
			r.mu.Unlock()
			delete(old.counts, "tmp") // race! _[*]
		})
	}
	wg.Wait()
}
