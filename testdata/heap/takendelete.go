package heap

import (
	"slices"
	"sync"
)

// What is taken out of the middle of a list, which is shifted together.

// The first is deleted from the list by who takes it.
func DQ1_deleted() {
	q := &listedErrands{}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			for range 3 * n {
				e := q.pop()
				if e == nil {
					return
				}
				e.tries++        // norace
				if e.tries < 3 { // norace
					go q.push(e)
				}
			}
		})
	}
	for i := range n {
		q.push(&listedErrand{id: i})
	}
	wg.Wait()
}

type listedErrand struct{ id, tries int }

type listedErrands struct {
	mu    sync.Mutex
	ready []*listedErrand
}

func (q *listedErrands) push(e *listedErrand) {
	q.mu.Lock()
	q.ready = append(q.ready, e)
	q.mu.Unlock()
}

func (q *listedErrands) pop() *listedErrand {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.ready) > 1 {
		e := q.ready[0]
		q.ready = slices.Delete(q.ready, 0, 1)
		return e
	}
	return nil
}

// Another one is deleted.
func DQ1b_otherDeleted() {
	q := &listedChores{}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			for range 3 * n {
				c := q.pop()
				if c == nil {
					return
				}
				c.tries++        // race! tries
				if c.tries < 3 { // race! tries
					go q.push(c)
				}
			}
		})
	}
	for i := range n {
		q.push(&listedChore{id: i})
	}
	wg.Wait()
}

type listedChore struct{ id, tries int }

type listedChores struct {
	mu    sync.Mutex
	ready []*listedChore
}

func (q *listedChores) push(c *listedChore) {
	q.mu.Lock()
	q.ready = append(q.ready, c)
	q.mu.Unlock()
}

func (q *listedChores) pop() *listedChore {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.ready) > 1 {
		c := q.ready[0]
		q.ready = slices.Delete(q.ready, 1, 2)
		return c
	}
	return nil
}

// None is deleted.
func DQ1c_noneDeleted() {
	q := &listedDutys{}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			for range 3 * n {
				d := q.pop()
				if d == nil {
					return
				}
				d.tries++        // race! tries
				if d.tries < 3 { // race! tries
					go q.push(d)
				}
			}
		})
	}
	for i := range n {
		q.push(&listedDuty{id: i})
	}
	wg.Wait()
}

type listedDuty struct{ id, tries int }

type listedDutys struct {
	mu    sync.Mutex
	ready []*listedDuty
}

func (q *listedDutys) push(d *listedDuty) {
	q.mu.Lock()
	q.ready = append(q.ready, d)
	q.mu.Unlock()
}

func (q *listedDutys) pop() *listedDuty {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.ready) > 1 {
		d := q.ready[0]
		q.ready = slices.Delete(q.ready, 0, 0)
		return d
	}
	return nil
}

// The one that is found on the list is deleted from it.
func DQ2_found() {
	q := &listedMissions{}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			for range 3 * n {
				m := q.pop()
				if m == nil {
					return
				}
				m.tries++        // norace
				if m.tries < 3 { // norace
					go q.push(m)
				}
			}
		})
	}
	for i := range n {
		q.push(&listedMission{id: i})
	}
	wg.Wait()
}

type listedMission struct{ id, tries int }

type listedMissions struct {
	mu    sync.Mutex
	ready []*listedMission
}

func (q *listedMissions) push(m *listedMission) {
	q.mu.Lock()
	q.ready = append(q.ready, m)
	q.mu.Unlock()
}

func (q *listedMissions) pop() *listedMission {
	q.mu.Lock()
	defer q.mu.Unlock()
	for i, m := range q.ready {
		if i > 0 && i+2 <= len(q.ready) {
			q.ready = slices.Delete(q.ready, i, i+1)
			return m
		}
	}
	return nil
}

// The one behind it is deleted.
func DQ2b_neighbour() {
	q := &listedSorties{}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			for range 3 * n {
				s := q.pop()
				if s == nil {
					return
				}
				s.tries++        // race! tries
				if s.tries < 3 { // race! tries
					go q.push(s)
				}
			}
		})
	}
	for i := range n {
		q.push(&listedSortie{id: i})
	}
	wg.Wait()
}

type listedSortie struct{ id, tries int }

type listedSorties struct {
	mu    sync.Mutex
	ready []*listedSortie
}

func (q *listedSorties) push(s *listedSortie) {
	q.mu.Lock()
	q.ready = append(q.ready, s)
	q.mu.Unlock()
}

func (q *listedSorties) pop() *listedSortie {
	q.mu.Lock()
	defer q.mu.Unlock()
	for i, s := range q.ready {
		if i > 0 && i+2 <= len(q.ready) {
			q.ready = slices.Delete(q.ready, i+1, i+2)
			return s
		}
	}
	return nil
}

// What follows it takes its place.
func DQ3_closedUp() {
	q := &listedStints{}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			for range 3 * n {
				s := q.pop()
				if s == nil {
					return
				}
				s.tries++        // norace
				if s.tries < 3 { // norace
					go q.push(s)
				}
			}
		})
	}
	for i := range n {
		q.push(&listedStint{id: i})
	}
	wg.Wait()
}

type listedStint struct{ id, tries int }

type listedStints struct {
	mu    sync.Mutex
	ready []*listedStint
}

func (q *listedStints) push(s *listedStint) {
	q.mu.Lock()
	q.ready = append(q.ready, s)
	q.mu.Unlock()
}

func (q *listedStints) pop() *listedStint {
	q.mu.Lock()
	defer q.mu.Unlock()
	for i, s := range q.ready {
		if i > 0 && i+2 <= len(q.ready) {
			q.ready = append(q.ready[:i], q.ready[i+1:]...)
			return s
		}
	}
	return nil
}

// It follows itself.
func DQ3b_again() {
	q := &listedShifts{}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			for range 3 * n {
				s := q.pop()
				if s == nil {
					return
				}
				s.tries++        // race! tries
				if s.tries < 3 { // race! tries
					go q.push(s)
				}
			}
		})
	}
	for i := range n {
		q.push(&listedShift{id: i})
	}
	wg.Wait()
}

type listedShift struct{ id, tries int }

type listedShifts struct {
	mu    sync.Mutex
	ready []*listedShift
}

func (q *listedShifts) push(s *listedShift) {
	q.mu.Lock()
	q.ready = append(q.ready, s)
	q.mu.Unlock()
}

func (q *listedShifts) pop() *listedShift {
	q.mu.Lock()
	defer q.mu.Unlock()
	for i, s := range q.ready {
		if i > 0 && i+2 <= len(q.ready) {
			q.ready = append(q.ready[:i], q.ready[i:]...)
			return s
		}
	}
	return nil
}

// The one behind it is left out.
func DQ3c_nextLeftOut() {
	q := &listedGigs{}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			for range 3 * n {
				g := q.pop()
				if g == nil {
					return
				}
				g.tries++        // race! tries
				if g.tries < 3 { // race! tries
					go q.push(g)
				}
			}
		})
	}
	for i := range n {
		q.push(&listedGig{id: i})
	}
	wg.Wait()
}

type listedGig struct{ id, tries int }

type listedGigs struct {
	mu    sync.Mutex
	ready []*listedGig
}

func (q *listedGigs) push(g *listedGig) {
	q.mu.Lock()
	q.ready = append(q.ready, g)
	q.mu.Unlock()
}

func (q *listedGigs) pop() *listedGig {
	q.mu.Lock()
	defer q.mu.Unlock()
	for i, g := range q.ready {
		if i > 0 && i+2 <= len(q.ready) {
			q.ready = append(q.ready[:i+1], q.ready[i+2:]...)
			return g
		}
	}
	return nil
}

// What follows comes from a list in which it still lies.
func DQ3d_leftInOther() {
	q := &listedPostings{}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			for range 3 * n {
				p := q.pop()
				if p == nil {
					return
				}
				p.tries++        // race! tries
				if p.tries < 3 { // race! tries
					go q.push(p)
				}
			}
		})
	}
	for i := range n {
		q.push(&listedPosting{id: i})
	}
	wg.Wait()
}

type listedPosting struct{ id, tries int }

type listedPostings struct {
	mu    sync.Mutex
	ready []*listedPosting
	all   []*listedPosting
}

func (q *listedPostings) push(p *listedPosting) {
	q.mu.Lock()
	q.ready = append(q.ready, p)
	q.all = append(q.all, p)
	q.mu.Unlock()
}

func (q *listedPostings) pop() *listedPosting {
	q.mu.Lock()
	defer q.mu.Unlock()
	for i, p := range q.ready {
		if i > 0 && i+2 <= len(q.ready) {
			q.ready = append(q.ready[:i], q.all[i+1:]...)
			return p
		}
	}
	return nil
}
