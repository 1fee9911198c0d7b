package fp

import (
	"sync"
	"sync/atomic"
)

// A leaseTerm is what a place holds: that of its holder, or of nobody.
type leaseTerm struct{ holder, number int }

type leasePlace struct{ cur atomic.Pointer[leaseTerm] }

func (p *leasePlace) acquire(id int) (*leaseTerm, bool) {
	old := p.cur.Load()
	if old.holder != 0 {
		return nil, false
	}
	next := &leaseTerm{id, old.number + 1}
	return next, p.cur.CompareAndSwap(old, next)
}

func (p *leasePlace) release(t *leaseTerm) { p.cur.CompareAndSwap(t, &leaseTerm{number: t.number}) }

// Who has exchanged the mark of nobody for his own has the log to himself. That marks with a holder
// are not exchanged by others shows in a field of what they find there.
func FP_leased() {
	var p leasePlace
	p.cur.Store(new(leaseTerm))
	log := []int{}
	var wg sync.WaitGroup
	for id := range 5 {
		wg.Go(func() {
			if t, ok := p.acquire(id + 1); ok {
				log = append(log, t.number) // race log; see above
				p.release(t)
			}
		})
	}
	wg.Wait()
}
