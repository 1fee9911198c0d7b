package heap

import "sync"

// Functions that call themselves pass on what they were given.

// Each iteration has a summer of its own, which a walk takes down with it.
func RC1_passedOn() {
	sums := []*adder{new(adder), new(adder)}
	var wg sync.WaitGroup
	for i := range 2 {
		wg.Go(func() { add(i+3, sums[i]) })
	}
	wg.Wait()
}

type adder struct {
	sum  int
	next *adder
}

func add(n int, s *adder) {
	if n > 0 {
		add(n-1, s)
	}
	s.sum += n // norace
}

// A method that is bound to it.
func RC1b_bound() {
	sums := []*meter{new(meter), new(meter)}
	var wg sync.WaitGroup
	for i := range 2 {
		f := sums[i].visit
		wg.Go(func() { walk(i+3, f) })
	}
	wg.Wait()
}

type meter struct{ sum int }

func (s *meter) visit(n int) { s.sum += n } // norace

func walk(n int, f func(int)) {
	if n > 0 {
		walk(n-1, f)
	}
	f(n)
}

// One meter is in both places.
func RC1c_boundToOne() {
	one := new(summer)
	sums := []*summer{one, one}
	var wg sync.WaitGroup
	for i := range 2 {
		f := sums[i].visit
		wg.Go(func() { walk(i+3, f) })
	}
	wg.Wait()
}

type summer struct{ sum int }

func (s *summer) visit(n int) { s.sum += n } // race! sum

// The walk goes on with what its own leads to.
func RC1d_theNext() {
	b := new(adder)
	sums := []*adder{{next: b}, b}
	var wg sync.WaitGroup
	for i := range 2 {
		wg.Go(func() { addNext(i+1, sums[i]) })
	}
	wg.Wait()
}

func addNext(n int, s *adder) {
	if s == nil {
		return
	}
	if n < 3 {
		addNext(n+1, s.next)
	}
	s.sum += n // race! sum
}

// The walk takes another one further down.
func RC1e_another() {
	sums := []*adder{new(adder), new(adder)}
	var wg sync.WaitGroup
	for i := range 2 {
		wg.Go(func() { addOther(3, sums[i], sums) })
	}
	wg.Wait()
}

func addOther(n int, s *adder, all []*adder) {
	if n > 0 {
		addOther(n-1, all[n%2], all)
	}
	s.sum += n // race! sum
}

// The walk looks its own up by what it counts down.
func RC1f_lookedUp() {
	sums := []*adder{new(adder), new(adder)}
	var wg sync.WaitGroup
	for i := range 2 {
		wg.Go(func() { addAt(i+1, sums) })
	}
	wg.Wait()
}

func addAt(i int, all []*adder) {
	if i > 0 {
		addAt(i-1, all)
	}
	all[i%2].sum++ // race! sum
}

// Two parameters change places.
func RC1g_changePlaces() {
	sums := []*adder{new(adder), new(adder), new(adder)}
	var wg sync.WaitGroup
	for i := range 2 {
		wg.Go(func() { addSwapped(3, sums[i], sums[i+1]) })
	}
	wg.Wait()
}

func addSwapped(n int, s, t *adder) {
	if n > 0 {
		addSwapped(n-1, t, s)
	}
	s.sum += n // race! sum
}
