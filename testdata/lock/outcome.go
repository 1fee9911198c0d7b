package lock

import (
	"errors"
	"fmt"
	"sync"
)

type gate struct {
	mu   sync.Mutex
	shut bool
	n    int
	m    int
}

// enter locks the gate unless it is shut.
func (g *gate) enter() bool {
	g.mu.Lock()
	if g.shut { // norace
		g.mu.Unlock()
		return false
	}
	return true
}

// The result says that the lock is held.
func O1_heldIfTrue() {
	g := &gate{}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			if !g.enter() {
				g.m++ // race! g.m
				return
			}
			g.n++ // norace
			g.shut = g.n > 3
			g.mu.Unlock()
		})
	}
	wg.Wait()
}

// claim locks the gate, or tells why not.
func (g *gate) claim() (int, error) {
	g.mu.Lock()
	if g.shut { // norace
		g.mu.Unlock()
		return 0, errors.New("shut")
	}
	return g.n, nil
}

// The error says that it is not.
func O2_heldIfNoError() {
	g := &gate{}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			v, err := g.claim()
			if err != nil {
				g.m++ // race! g.m
				return
			}
			g.n = v + 1 // norace
			g.shut = v > 3
			g.mu.Unlock()
		})
	}
	wg.Wait()
}

// step does one thing under the lock; it gives the lock back if it is the last.
func (g *gate) step(k int) bool {
	if k > 2 {
		g.mu.Unlock()
		return false
	}
	g.n += k // norace
	return true
}

// steps does what step does, for each of ks.
func (g *gate) steps(ks []int) bool {
	for _, k := range ks {
		if !g.step(k) {
			return false
		}
	}
	return true
}

// The last step releases the lock, and all that is left is to stop.
func O3_releasedIfFalse() {
	g := &gate{}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			g.mu.Lock()
			g.step(1)
			if !g.steps([]int{1, 2, i}) {
				return
			}
			g.n++ // norace
			g.mu.Unlock()
		})
	}
	wg.Wait()
}

// Here the one who stops touches the data once more.
func O3b_touchedAfterRelease() {
	g := &gate{}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			g.mu.Lock()
			if !g.steps([]int{i}) {
				g.m++ // race! g.m
				return
			}
			g.mu.Unlock()
		})
	}
	wg.Wait()
}

// O4: who has the error of a closed one does not have the lock, and who has none does.
func O4_closedError() {
	g := &shutGate{}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			if err := g.enter(); err != nil {
				return
			}
			g.n++ // norace
			g.mu.Unlock()
		})
	}
	wg.Wait()
}

// O4b: the error is looked at the wrong way round.
func O4b_wrongWayRound() {
	g := &shutGate{}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			if err := g.enter(); err == nil {
				g.mu.Unlock()
				return
			}
			g.m++ // race! g.m
		})
	}
	wg.Wait()
}

type shutGate struct {
	mu   sync.Mutex
	shut bool
	n, m int
}

var errShut = errors.New("shut")

func (g *shutGate) enter() error {
	g.mu.Lock()
	if g.shut {
		g.mu.Unlock()
		return errShut
	}
	return nil
}

// O4c: the variable may have been set to nil.
func O4c_errorSetAnew() {
	g := &vagueGate{}
	var wg sync.WaitGroup
	errVague = nil
	for range n {
		wg.Go(func() {
			if err := g.enter(); err != nil {
				return
			}
			g.n++ // race! g.n
			g.mu.Unlock()
		})
	}
	wg.Wait()
}

type vagueGate struct {
	mu   sync.Mutex
	shut bool
	n    int
}

var errVague = errors.New("vague")

func (g *vagueGate) enter() error {
	g.mu.Lock()
	if g.shut {
		g.mu.Unlock()
		return errVague
	}
	return nil
}

// O5: who gets an entry gets it locked.
func O5_returnedLocked() {
	t := &lockedTable{entries: map[int]*lockedEntry{}}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			e := t.get(i % 3)
			e.n++ // norace
			e.mu.Unlock()
			e.late++ // race! e.late
		})
	}
	wg.Wait()
}

type lockedTable struct {
	mu      sync.Mutex
	entries map[int]*lockedEntry
}

type lockedEntry struct {
	mu      sync.Mutex
	n, late int
}

func (t *lockedTable) get(k int) *lockedEntry {
	t.mu.Lock()
	defer t.mu.Unlock()
	e := t.entries[k]
	if e == nil {
		e = &lockedEntry{}
		t.entries[k] = e
	}
	e.mu.Lock()
	return e
}

// O6: what was found tells that the lock is free, though it is not the last result.
func O6_foundFirst() {
	t := &hostTable{addrs: map[string]int{}}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			found, _ := t.lookup("a")
			if found {
				t.hits++ // race! t.hits
				return
			}
			t.last = i // norace
			t.mu.Unlock()
		})
	}
	wg.Wait()
}

// O6b: of two booleans neither is known to be the one that tells.
func O6b_twoBooleans() {
	t := &hostTable{addrs: map[string]int{}}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			if old, _, _ := t.lookupTwo("a"); !old {
				t.last = i // race! t.last
			}
		})
	}
	wg.Wait()
}

type hostTable struct {
	mu         sync.Mutex
	addrs      map[string]int
	last, hits int
}

func (t *hostTable) lookup(host string) (found bool, addr []int) {
	t.mu.Lock()
	k, ok := t.addrs[host] // norace
	if !ok {
		return found, addr
	}
	t.mu.Unlock()
	return true, []int{k}
}

func (t *hostTable) lookupTwo(host string) (old, found bool, addr []int) {
	t.mu.Lock()
	k, ok := t.addrs[host]
	t.mu.Unlock()
	return !ok, ok, []int{k}
}

// O7: the only ledger in view never fails. What is done after a failure holds its locks
// all the same, and no others.
func O7_neverFails() {
	a := &pendings{pending: map[int]int{}, ledger: new(takesAll)}
	for i := range n {
		go func() { a.add(i) }()
	}
}

// allOrNothing keeps what is put into it; this one takes everything.
type allOrNothing interface{ put(k int) error }

type takesAll struct {
	mu sync.Mutex
	n  int
}

func (t *takesAll) put(k int) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.n += k // norace
	return nil
}

type pendings struct {
	mu      sync.Mutex
	pending map[int]int
	failed  int
	dropped int
	ledger  allOrNothing
}

func (a *pendings) add(k int) error {
	if err := a.ledger.put(k); err != nil {
		a.mu.Lock()
		a.pending[k] = 0 // norace
		a.mu.Unlock()
		a.drop()
		a.failed++ // race! a.failed
		return err
	}
	return nil
}

func (a *pendings) drop() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.forget()
}

func (a *pendings) forget() {
	a.dropped++ // norace
}

// O8: an error that fmt.Errorf makes.
func O8_errorf() {
	g := &toldGate{}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			if err := g.enter(i); err != nil {
				g.m++ // race! g.m
				return
			}
			g.n++ // norace
			g.mu.Unlock()
		})
	}
	wg.Wait()
}

type toldGate struct {
	mu   sync.Mutex
	shut bool
	n, m int
}

func (g *toldGate) enter(who int) error {
	g.mu.Lock()
	if g.shut {
		g.mu.Unlock()
		return fmt.Errorf("shut for %d", who)
	}
	return nil
}

// O9: it is told by a result that has a name, in a function that defers calls.
func O9_namedResult() {
	g := &countingGate{}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { g.pass(i) })
	}
	wg.Wait()
}

type countingGate struct {
	toldGate
	tries int
}

// pass has a result with a name, which go/ssa keeps in a variable, as what it defers may change it.
func (g *countingGate) pass(who int) (err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("pass: %w", err)
		}
	}()
	err = g.enter(who)
	if err != nil {
		g.m++ // race! g.toldGate.m
		return err
	}
	defer g.mu.Unlock()
	g.tries++ // norace
	return nil
}

// O9b: a closure has set it to nil meanwhile.
func O9b_setMeanwhile() {
	g := &resetGate{}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { g.pass(i) })
	}
	wg.Wait()
}

type resetGate struct {
	toldGate
	tries int
}

// pass forgets the error by a closure.
func (g *resetGate) pass(who int) (err error) {
	defer func() { println(err) }()
	forget := func() { err = nil }
	err = g.enter(who)
	forget()
	if err != nil {
		return err
	}
	g.tries++ // race! g.tries
	g.mu.Unlock()
	return nil
}

type wrappedGate struct {
	toldGate
	tries int
}

// O9c: a deferred call is passed where the result is kept, and may change it when the function returns.
func O9c_wrapped() {
	g := &wrappedGate{}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { g.pass(i) })
	}
	wg.Wait()
}

func (g *wrappedGate) pass(who int) (err error) {
	defer wrapWith(&err, "failed to pass")
	err = g.enter(who)
	if err != nil {
		return err
	}
	g.tries++ // norace
	g.mu.Unlock()
	return nil
}

func wrapWith(err *error, what string) {
	if *err != nil {
		*err = fmt.Errorf("%s: %w", what, *err)
	}
}

type forgivingGate struct {
	toldGate
	tries int
}

// O9d: what is passed where the error is kept has forgotten it before it is looked at.
func O9d_forgiven() {
	g := &forgivingGate{}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { g.pass(i) })
	}
	wg.Wait()
}

func (g *forgivingGate) pass(who int) (err error) {
	err = g.enter(who)
	forgive(&err, who)
	if err != nil {
		return err
	}
	g.tries++ // race! g.tries
	g.mu.TryLock()
	g.mu.Unlock()
	return nil
}

func forgive(err *error, who int) {
	if who > 2 {
		*err = nil
	}
}

type aliasedGate struct {
	toldGate
	tries int
}

// O9e: the error is set anew by another name for where it is kept.
func O9e_aliased() {
	g := &aliasedGate{}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { g.pass(i) })
	}
	wg.Wait()
}

func (g *aliasedGate) pass(who int) (err error) {
	p := &err
	defer wrapWith(p, "failed to pass")
	if who > 2 {
		p = new(error)
	}
	err = g.enter(who)
	*p = nil
	if err != nil {
		return err
	}
	g.tries++ // race! g.tries
	g.mu.TryLock()
	g.mu.Unlock()
	return nil
}
