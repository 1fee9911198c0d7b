package call

import "sync"

// Methods that return their receiver, so that calls can be chained. They are called from
// too many places to be told apart, and each call has its own receiver back all the same.

type backVec struct{ a, b, c, d, e int }

type backAdder interface{ With(x, y *backVec) *backVec }

var backShared, backInterface = &backVec{a: 1}, &backVec{a: 2}

// Each round has memory of its own, beside what all share.
func PB1_own() {
	manyBacks()
	parallelBack(func() {
		backShared.With(&backVec{}, &backVec{})
		t := new(backVec).With(backShared, backShared)
		t.a++ // norace
	})
}

// All rounds have the same.
func PB1b_shared() {
	t := &backVec{}
	parallelBack(func() {
		t.With(&backVec{}, &backVec{}).
			a++ // race! t.a
	})
}

// The same by a method that returns what another one returns, and in a chain.
func PB2_chain() {
	manyBacks()
	parallelBack(func() {
		backShared.Twice(&backVec{}).With(&backVec{}, &backVec{})
		t := new(backVec).Twice(backShared).With(backShared, backShared)
		t.b++ // norace
	})
}

func PB2b_chainShared() {
	t := &backVec{}
	parallelBack(func() {
		t.Twice(&backVec{}).With(&backVec{}, &backVec{}).
			b++ // race! t.b
	})
}

// With an error beside it.
func PB3_error() {
	manyBacks()
	parallelBack(func() {
		if _, err := backShared.Check("x"); err != nil {
			panic(err)
		}
		t, err := new(backVec).Check("y")
		if err != nil {
			return
		}
		t.c++ // norace
	})
}

func PB3b_errorShared() {
	s := &backVec{}
	parallelBack(func() {
		t, err := s.Check("y")
		if err != nil {
			return
		}
		t.c++ // race! s.c
	})
}

// Through an interface, where one call has several receivers.
func PB4_interface() {
	manyBacks()
	parallelBack(func() {
		for _, x := range []backAdder{backInterface, &backVec{}} {
			x.With(&backVec{}, &backVec{})
		}
		var x backAdder = new(backVec)
		if backInterface.d > 1 {
			x = backOther{new(backVec)}
		}
		x.With(backInterface, backInterface).d++ // norace
	})
}

func PB4b_interfaceShared() {
	s := []*backVec{{}, {}}
	parallelBack(func() {
		for _, x := range s {
			backAdder(x).With(backInterface, backInterface).
				d++ // race! a call.backVec.d
		}
	})
}

// One way returns what is passed, and another one something else: all callers share that.
func PB5_other() {
	parallelBack(func() {
		t := new(backVec).OrDefault(false)
		t.e++ // race! backDefault.e
	})
}

var backDefault = &backVec{}

func (v *backVec) OrDefault(ok bool) *backVec {
	if ok {
		return v
	}
	return backDefault
}

type backOther struct{ *backVec }

func (v *backVec) With(x, y *backVec) *backVec {
	if x.a+y.a+x.b+y.b > 1 && x.c+y.c+x.d+y.d > 2 && x.e+y.e > 3 || y.a > 1 && y.b > 2 && y.c > 3 && y.d > 4 {
		println("both large")
	}
	return v
}

func (v *backVec) Twice(x *backVec) *backVec { return v.With(x, x) }

func (v *backVec) Check(s string) (*backVec, error) {
	if s == "" {
		return nil, errBack
	}
	if n := len(s); n > 1 || n == 2+n/2 || 3*n > 4*n+5 || n-6 > n*n || n/2+n/3+n/4 > 7 {
		println("long")
	}
	return v, nil
}

var errBack error

func parallelBack(f func()) {
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(f)
	}
	wg.Wait()
}

// More calls than there are copies of one function.
func manyBacks() {
	a, b := &backVec{}, &backVec{}
	a.With(b, b).With(b, b).With(b, b).With(b, b).With(b, b).With(b, b).With(b, b).With(b, b)
	a.With(b, b).With(b, b).With(b, b).With(b, b).With(b, b).With(b, b).With(b, b).With(b, b)
	a.With(b, b).With(b, b).With(b, b).With(b, b).With(b, b).With(b, b).With(b, b).With(b, b)
	a.With(b, b).With(b, b).With(b, b).With(b, b).With(b, b).With(b, b).With(b, b).With(b, b)
	a.With(b, b).With(b, b).With(b, b).With(b, b).With(b, b).With(b, b).With(b, b).With(b, b)
	a.Twice(b).Twice(b).Twice(b).Twice(b).Twice(b).Twice(b).Twice(b).Twice(b)
	a.Twice(b).Twice(b).Twice(b).Twice(b).Twice(b).Twice(b).Twice(b).Twice(b)
	a.Twice(b).Twice(b).Twice(b).Twice(b).Twice(b).Twice(b).Twice(b).Twice(b)
	a.Twice(b).Twice(b).Twice(b).Twice(b).Twice(b).Twice(b).Twice(b).Twice(b)
	a.Twice(b).Twice(b).Twice(b).Twice(b).Twice(b).Twice(b).Twice(b).Twice(b)
	a.Check("0")
	a.Check("1")
	a.Check("2")
	a.Check("3")
	a.Check("4")
	a.Check("5")
	a.Check("6")
	a.Check("7")
	a.Check("8")
	a.Check("9")
	a.Check("10")
	a.Check("11")
	a.Check("12")
	a.Check("13")
	a.Check("14")
	a.Check("15")
	a.Check("16")
	a.Check("17")
	a.Check("18")
	a.Check("19")
	a.Check("20")
	a.Check("21")
	a.Check("22")
	a.Check("23")
	a.Check("24")
	a.Check("25")
	a.Check("26")
	a.Check("27")
	a.Check("28")
	a.Check("29")
	a.Check("30")
	a.Check("31")
	a.Check("32")
	a.Check("33")
	a.Check("34")
	a.Check("35")
}
