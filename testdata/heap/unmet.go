package heap

import "sync"

type registry struct {
	mu    sync.Mutex
	names map[string]int
	limit int
	label string
}

func newRegistry() *registry { return &registry{names: map[string]int{}, limit: 10, label: "r"} }

// The only constructor makes the map, so that nobody finds it missing.
func UM1_lazy() {
	r := newRegistry()
	var wg sync.WaitGroup
	for _, k := range []string{"a", "b"} {
		wg.Go(func() {
			r.set(k, 1) // norace
		})
	}
	wg.Wait()
}

func (r *registry) set(k string, n int) {
	if r.names == nil {
		r.names = map[string]int{} // norace
	}
	r.mu.Lock()
	r.names[k] = n
	r.mu.Unlock()
}

// Without a constructor the first one to come makes it.
func UM1b_unset() {
	r := &lazyRegistry{}
	var wg sync.WaitGroup
	for _, k := range []string{"a", "b"} {
		wg.Go(func() {
			r.set(k, 1)
		})
	}
	wg.Wait()
}

type lazyRegistry struct {
	mu    sync.Mutex
	names map[string]int
}

func (r *lazyRegistry) set(k string, n int) {
	if r.names == nil { // race! r.names
		r.names = map[string]int{} // race! r.names
	}
	r.mu.Lock()
	r.names[k] = n // race! r.names
	r.mu.Unlock()
}

// It is made, and taken back later.
func UM1c_reset() {
	r := &resetRegistry{names: map[string]int{}}
	r.reset()
	var wg sync.WaitGroup
	for _, k := range []string{"a", "b"} {
		wg.Go(func() {
			r.set(k, 1)
		})
	}
	wg.Wait()
}

type resetRegistry struct {
	mu    sync.Mutex
	names map[string]int
}

func (r *resetRegistry) reset() { *r = resetRegistry{} }

func (r *resetRegistry) set(k string, n int) {
	if r.names == nil { // race! r.names
		r.names = map[string]int{} // race! r.names
	}
	r.mu.Lock()
	r.names[k] = n // race! r.names
	r.mu.Unlock()
}

// What another constructor makes has no map.
func UM1d_constructors() {
	rs := []*twoRegistry{newFull(), newEmpty()}
	var wg sync.WaitGroup
	for _, k := range []string{"a", "b"} {
		wg.Go(func() {
			rs[0].set(k)
			rs[1].set(k)
		})
	}
	wg.Wait()
}

type twoRegistry struct{ names map[string]int }

func newFull() *twoRegistry  { return &twoRegistry{names: map[string]int{}} }
func newEmpty() *twoRegistry { return new(twoRegistry) }

func (r *twoRegistry) set(k string) {
	if r.names == nil { // race! names
		r.names = map[string]int{} // race! names
	}
}

// The caller says whether there is one.
func UM1e_given() {
	r := newGiven(nil)
	var wg sync.WaitGroup
	for _, k := range []string{"a", "b"} {
		wg.Go(func() {
			r.set(k)
		})
	}
	wg.Wait()
}

type givenRegistry struct{ names map[string]int }

func newGiven(names map[string]int) *givenRegistry { return &givenRegistry{names: names} }

func (r *givenRegistry) set(k string) {
	if r.names == nil { // race! names
		r.names = map[string]int{} // race! names
	}
}

// What a constructor returns may be nil.
func UM1f_returned() {
	r := &returnedRegistry{names: namesOf(0)}
	q := &returnedRegistry{names: someNames()}
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			if r.names == nil { // race! r.names
				r.names = map[string]int{} // race! r.names
			}
			if q.names == nil {
				q.names = map[string]int{} // norace
			}
		})
	}
	wg.Wait()
}

type returnedRegistry struct{ names map[string]int }

func namesOf(n int) map[string]int {
	if n == 0 {
		return nil
	}
	return map[string]int{}
}

func someNames() map[string]int { return makeNames() }
func makeNames() map[string]int { return make(map[string]int, 4) }

// It is put there after others may have seen the object.
func UM1g_late() {
	r := &lateRegistry{}
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			if r.names == nil { // race! r.names
				r.names = map[string]int{} // race! r.names
			}
		})
	}
	r.names = map[string]int{} // race! r.names
	wg.Wait()
}

type lateRegistry struct{ names map[string]int }

type checked struct {
	most, least int
	label       string
	on          bool
}

// No limit is out of bounds.
func UM2_clamped() {
	l := &checked{most: 100, label: "l"}
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(l.check)
	}
	wg.Wait()
}

// check puts right what is out of bounds.
func (l *checked) check() {
	if l.most > 1000 {
		l.most = 1000 // norace
	}
	if l.least > 0 && l.least < 8 {
		l.least = 8 // norace
	}
	if l.label == "" {
		l.label = "none" // norace
	}
	if len(l.label) == 0 {
		l.label = "nothing" // norace
	}
	if !l.on {
		return
	}
	l.on = false // norace
}

// Each of them is.
func UM2b_outOfBounds() {
	l := &badLimits{most: 5000, least: 2, on: true}
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(l.check)
	}
	wg.Wait()
}

type badLimits struct {
	most, least int
	label       string
	on          bool
}

func (l *badLimits) check() {
	if l.most > 1000 { // race! l.most
		l.most = 1000 // race! l.most
	}
	if l.least > 0 && l.least < 8 { // race! l.least
		l.least = 8 // race! l.least
	}
	if l.label == "" { // race! l.label
		l.label = "none" // race! l.label
	}
	if !l.on { // race! l.on
		return
	}
	l.on = false // race! l.on
}

type ladder struct{ n, m int }

// One step leads to the next.
func UM3_chain() {
	s := &ladder{}
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			if s.n == 1 { // race! s.n
				s.n = 2 // race! s.n
			}
			if s.n == 2 { // race! s.n
				s.n = 3 // race! s.n
			}
			if s.n == 0 { // race! s.n
				s.n = 1 // race! s.n
			}
			if s.m == 1 {
				s.m = 2 // norace
			}
			if s.m == 2 {
				s.m = 1 // norace
			}
		})
	}
	wg.Wait()
}

type outer struct{ in *inner }
type inner struct{ n int }

// What is loaded again may be another object.
func UM4_swapped() {
	o := &outer{in: &inner{n: 1}}
	o.in = &inner{}
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			if o.in.n == 0 { // race! o.in.n
				o.in.n = 1 // race! o.in.n
			}
		})
	}
	wg.Wait()
}

func UM4b_both() {
	o := &outer{in: &inner{n: 1}}
	o.in = &inner{n: 2}
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			if o.in.n == 0 {
				o.in.n = 1 // norace
			}
		})
	}
	wg.Wait()
}
