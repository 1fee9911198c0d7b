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

// What a constructor takes from a variable of a package is there, since the package sets that first.
func UM5_default() {
	t := newSizedTable()
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			t.put("a")
		})
	}
	wg.Wait()
}

var defaultSizes = map[string]int{"a": 1}

type sizedTable struct {
	mu    sync.Mutex
	sizes map[string]int
	used  int
}

func newSizedTable() *sizedTable { return &sizedTable{sizes: defaultSizes} }

func (t *sizedTable) put(x string) {
	if t.sizes == nil {
		t.sizes = defaultSizes // norace
	}
	t.mu.Lock()
	t.used += t.sizes[x]
	t.mu.Unlock()
}

// The variable is taken back.
func UM5b_takenBack() {
	emptySizes = nil
	t := &emptyTable{sizes: emptySizes}
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			t.put("a")
		})
	}
	wg.Wait()
}

var emptySizes = map[string]int{"a": 1}

type emptyTable struct {
	mu    sync.Mutex
	sizes map[string]int
	used  int
}

func (t *emptyTable) put(x string) {
	if t.sizes == nil { // race! t.sizes
		t.sizes = map[string]int{x: 1} // race! t.sizes
	}
	t.mu.Lock()
	t.used += t.sizes[x] // race! t.sizes
	t.mu.Unlock()
}

// The variable is set by who comes first to need it.
func UM5c_unset() {
	t := &unsetTable{sizes: unsetSizes}
	unsetSizes = map[string]int{"a": 1}
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			t.put("a")
		})
	}
	wg.Wait()
}

var unsetSizes map[string]int

type unsetTable struct {
	mu    sync.Mutex
	sizes map[string]int
	used  int
}

func (t *unsetTable) put(x string) {
	if t.sizes == nil { // race! t.sizes
		t.sizes = unsetSizes // race! t.sizes
	}
	t.mu.Lock()
	t.used += t.sizes[x] // race! t.sizes
	t.mu.Unlock()
}

// An initialiser makes the object while the variable is not set: it is found by way of an interface.
func UM5d_initial() {
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			initialTable.put("a")
		})
	}
	wg.Wait()
}

type initialMaker struct{}

func (initialMaker) make() *initial { return &initial{sizes: initialSizes} }

var initialTable = interface{ make() *initial }(initialMaker{}).make()

var initialSizes = map[string]int{"a": 1}

type initial struct {
	mu    sync.Mutex
	sizes map[string]int
	used  int
}

func (t *initial) put(x string) {
	if t.sizes == nil { // race! initialTable.sizes
		t.sizes = initialSizes // race! initialTable.sizes
	}
	t.mu.Lock()
	t.used += t.sizes[x] // race! initialTable.sizes
	t.mu.Unlock()
}
