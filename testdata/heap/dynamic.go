package heap

import (
	"fmt"
	"sync"
)

type dynConn interface{ write() }

// What is of the case's type is not what the default writes to.
func DY1_defaultIsOther() {
	shared := &dynTCP{}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			dynDefault(shared)
			dynDefault(&dynMem{})
		})
	}
	wg.Wait()
}

type (
	dynTCP struct{ n int }
	dynMem struct{ n int }
)

func (c *dynTCP) write() { c.n++ } // norace
func (c *dynMem) write() { c.n++ } // norace

func dynDefault(x dynConn) {
	switch c := x.(type) {
	case *dynTCP:
	default:
		c.write()
		fmt.Println(c)
	}
}

// The variable has got another value since.
func DY1b_reassigned() {
	shared := &dynTCP2{}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { dynReassigned(&dynMem{}, shared, i) })
	}
	wg.Wait()
}

type dynTCP2 struct{ n int }

func (c *dynTCP2) write() { c.n++ } // race! c.n

func dynReassigned(x, y dynConn, i int) {
	if _, ok := x.(*dynTCP2); ok {
		return
	}
	if i > 1 {
		x = y
	}
	x.write()
}

// The variable is loaded again for the call.
func DY1c_loadedTwice() {
	shared := &dynTCP3{}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() { dynLoaded(&dynMem{}, shared) })
	}
	wg.Wait()
}

func dynLoaded(x, next dynConn) {
	turn := func() { x = next }
	if _, ok := x.(*dynTCP3); !ok {
		turn()
		x.write()
	}
}

type dynTCP3 struct{ n int }

func (c *dynTCP3) write() { c.n++ } // race! c.n

// What has the type embedded is of another one.
func DY1d_embedded() {
	shared := &dynOuter{}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() { dynEmbedded(shared) })
	}
	wg.Wait()
}

type (
	dynTCP4  struct{ n int }
	dynOuter struct{ dynTCP4 }
)

func (c *dynTCP4) write() { c.n++ } // race! c.n

func dynEmbedded(x dynConn) {
	switch x.(type) {
	case *dynTCP4:
	default:
		x.write()
	}
}

// A clause for two types has values of these two.
func DY2_clauseOfTwo() {
	shared := &dynTLS{}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			dynTwo(shared)
			dynTwo(&dynPipe{})
			dynTwo(&dynUnix{})
		})
	}
	wg.Wait()
}

type (
	dynTLS  struct{ n int }
	dynPipe struct{ n int }
	dynUnix struct{ n int }
)

func (c *dynTLS) write()  { c.n++ } // norace
func (c *dynPipe) write() { c.n++ } // norace
func (c *dynUnix) write() { c.n++ } // norace

func dynTwo(x dynConn) {
	switch c := x.(type) {
	case *dynPipe, *dynUnix:
		c.write()
	}
}

// One of the two is an interface.
func DY2b_orInterface() {
	shared := &dynClosing{}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			dynOr(shared)
			dynOr(&dynPipe{})
		})
	}
	wg.Wait()
}

type dynClosing struct{ n int }

func (c *dynClosing) write() { c.n++ } // race! c.n
func (c *dynClosing) close() {}

func dynOr(x dynConn) {
	switch c := x.(type) {
	case *dynPipe, interface{ close() }:
		c.write()
	}
}

// The clause is reached in another way, too.
func DY2c_fallenInto() {
	shared := &dynTLS2{}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { dynFallen(shared, i) })
	}
	wg.Wait()
}

type dynTLS2 struct{ n int }

func (c *dynTLS2) write() { c.n++ } // race! c.n

func dynFallen(x dynConn, i int) {
	if _, ok := x.(*dynPipe); ok || i > 2 {
		x.write()
	}
}

// What implements the case's interface does not come to the default, and not to later cases.
func DY3_interfaceCase() {
	shared := &dynCloser{}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			dynNotClosed(shared)
			dynNotClosed(&dynMem{})
		})
	}
	wg.Wait()
}

type (
	dynCanClose struct{ n int }
	dynCloser   struct{ dynCanClose }
)

func (c *dynCanClose) write() { c.n++ } // norace
func (c *dynCanClose) close() {}

func dynNotClosed(x dynConn) {
	switch c := x.(type) {
	case interface{ close() }:
	case interface{ write() }:
		c.write()
	default:
		x.write()
	}
}

// Only pointers implement it, and this is a value.
func DY3b_onlyPointers() {
	shared := new(int)
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() { dynNotClosed2(dynByValue{shared}) })
	}
	wg.Wait()
}

type dynByValue struct{ n *int }

func (c dynByValue) write()  { *c.n++ } // race! shared
func (c *dynByValue) close() {}

func dynNotClosed2(x dynConn) {
	if _, ok := x.(interface{ close() }); !ok {
		x.write()
	}
}

// In a loop the test is about the round's value.
func DY4_roundsValue() {
	shared := &dynLink{}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			for _, x := range []dynConn{shared, &dynMem{}} {
				if _, ok := x.(*dynLink); ok {
					continue
				}
				x.write()
			}
		})
	}
	wg.Wait()
}

type dynLink struct{ n int }

func (c *dynLink) write() { c.n++ } // norace

// The value has gone on since the test.
func DY4b_goneOn() {
	shared := &dynLink2{}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			var x dynConn = &dynMem{}
			for i := range 3 {
				if _, ok := x.(*dynLink2); ok && i == 0 {
					continue
				}
				x.write()
				x = shared
			}
		})
	}
	wg.Wait()
}

type dynLink2 struct{ n int }

func (c *dynLink2) write() { c.n++ } // race! c.n

// With nil, the case has the other type.
func DY5_nilOrType() {
	shared := &dynNil{}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			dynOrNil(shared)
			dynOrNil(&dynMem{})
		})
	}
	wg.Wait()
}

type dynNil struct{ n int }

func (c *dynNil) write() { c.n++ } // race! c.n

func dynOrNil(x dynConn) {
	switch c := x.(type) {
	case nil, *dynNil:
		if c != nil {
			c.write()
		}
	}
}

// Each goroutine passes one type, and takes the branch for that only.
func DY6_typePassed() {
	c := &dynCount{}
	var wg sync.WaitGroup
	wg.Go(func() { c.handle(&dynEventA{}) })
	c.handle(&dynEventB{})
	wg.Wait()
}

type (
	dynEventA struct{ n int }
	dynEventB struct{ n int }
	dynCount  struct{ a, b, both, other int }
)

func (c *dynCount) handle(e any) {
	c.on(e)
	if _, ok := e.(*dynEventA); !ok {
		c.started()
	}
}

func (c *dynCount) started() { c.both++ } // norace

func (c *dynCount) on(e any) {
	switch e.(type) {
	case *dynEventA:
		c.a++ // norace
	case *dynEventB:
		c.b++ // norace
	case fmt.Stringer, error:
		c.other++ // norace
	}
}

// Goroutines of one function pass different types, and what it starts for one of them is not started for
// the other.
func DY9_goroutines() {
	c := &dynStarter{}
	var wg sync.WaitGroup
	wg.Go(func() { c.handle("a", &dynEventA{}) })
	wg.Go(func() { c.handle("b", &dynEventB{}) })
	wg.Wait()
}

type dynStarter struct{ a, b, c int }

func (c *dynStarter) handle(name string, e any) {
	c.on(e)
	c.onBoth(e, name)
}

func (c *dynStarter) on(e any) {
	switch e := e.(type) {
	case *dynEventA:
		c.a++ // norace
	case *dynEventB:
		go c.started(e)
	}
}

func (c *dynStarter) started(e *dynEventB) { c.b += e.n } // norace

func (c *dynStarter) onBoth(e any, name string) {
	switch e.(type) {
	case *dynEventB, *dynEventA:
		c.c++ // race! c.c
	}
}

// Two of them pass the same type.
func DY9b_sameType() {
	c := &dynStarterB{}
	var wg sync.WaitGroup
	wg.Go(func() { c.on(&dynEventA{}) })
	wg.Go(func() { c.on(&dynEventB{}) })
	wg.Go(func() { c.on(&dynEventA{}) })
	wg.Go(func() { c.on(&dynEventB{}) })
	wg.Wait()
}

type dynStarterB struct{ a, b, c int }

func (c *dynStarterB) on(e any) {
	switch e := e.(type) {
	case *dynEventA:
		c.a++ // race! c.a
	case *dynEventB:
		go c.started(e)
	}
}

func (c *dynStarterB) started(e *dynEventB) { c.b += e.n } // race! c.b

// What one of them hands on may be of either type.
func DY9c_either() {
	c := &dynStarterC{}
	var wg sync.WaitGroup
	wg.Go(func() { c.on(&dynEventA{}) })
	wg.Go(func() { c.on(dynAny(2)) })
	wg.Wait()
}

type dynStarterC struct{ a int }

func (c *dynStarterC) on(e any) {
	if _, ok := e.(*dynEventA); ok {
		c.a++ // race! c.a
	}
}

// The parameter has another value at the test.
func DY9d_assigned() {
	c := &dynStarterD{}
	var wg sync.WaitGroup
	wg.Go(func() { c.on(&dynEventA{}, 1) })
	wg.Go(func() { c.on(&dynEventB{}, 2) })
	wg.Wait()
}

type dynStarterD struct{ a int }

func (c *dynStarterD) on(e any, i int) {
	for range i {
		if _, ok := e.(*dynEventA); ok {
			c.a++ // race! c.a
		}
		e = &dynEventA{}
	}
}

// Both pass both.
func DY6b_bothPassed() {
	c := &dynCountB{}
	var wg sync.WaitGroup
	for _, e := range []any{&dynEventA{}, &dynEventB{}} {
		wg.Go(func() { c.handle(e) })
	}
	wg.Wait()
}

type dynCountB struct{ a, b int }

func (c *dynCountB) handle(e any) {
	switch e.(type) {
	case *dynEventA:
		c.a++ // race! c.a
	case *dynEventB:
		c.b++ // race! c.b
	}
}

// A nil pointer has a type.
func DY6c_typedNil() {
	c := &dynCountC{}
	var none *dynEventA
	var wg sync.WaitGroup
	wg.Go(func() { c.handle(none) })
	wg.Go(func() { c.handle(none) })
	wg.Wait()
}

type dynCountC struct{ a, b int }

func (c *dynCountC) handle(e any) {
	switch e.(type) {
	case *dynEventA:
		c.a++ // race! c.a
	}
}

// What is passed implements the interface of the case.
func DY6d_implements() {
	c := &dynCountD{}
	var wg sync.WaitGroup
	wg.Go(func() { c.handle(dynText("x")) })
	wg.Go(func() { c.handle(dynText("y")) })
	wg.Wait()
}

type (
	dynText   string
	dynCountD struct{ a, b int }
)

func (dynText) String() string { return "" }

func (c *dynCountD) handle(e any) {
	switch e.(type) {
	case *dynEventA, fmt.Stringer:
		c.a++ // race! c.a
	}
}

// Nil is of no type.
func DY6e_nilPassed() {
	c := &dynCountE{}
	var wg sync.WaitGroup
	wg.Go(func() { c.handle(nil) })
	wg.Go(func() { c.handle(nil) })
	wg.Wait()
}

type dynCountE struct{ a, b int }

func (c *dynCountE) handle(e any) {
	switch e.(type) {
	case any:
		c.a++ // norace
	default:
		c.b++ // race! c.b
	}
}

// Others may pass another type to an exported method.
func DY6f_exported() {
	c := &DynCountF{}
	c.Handle(&dynEventA{})
}

type DynCountF struct{ a int }

func (c *DynCountF) Handle(e any) {
	switch e.(type) {
	case *dynEventB:
		go func() { c.a++ }() // race! c.a
	}
	c.a++ // race! c.a
}

// An instance of a generic function is for one type.
func DY7_instance() {
	a := 0
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { dynGeneric(i, &a) })
	}
	wg.Wait()
}

func dynGeneric[T any](x T, to *int) {
	switch any(x).(type) {
	case string:
		*to++ // norace
	}
}

func DY7b_ofThatType() {
	a := 0
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() { dynGenericB("x", &a) })
	}
	wg.Wait()
}

func dynGenericB[T any](x T, to *int) {
	switch any(x).(type) {
	case string:
		*to++ // race! a
	}
}

// Nothing stores the type that the write is for.
func DY8_fieldOfType() {
	c := &dynHolder{of: &dynEventA{}}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() { c.look() })
	}
	wg.Wait()
}

type dynHolder struct {
	of any
	n  int
}

func (c *dynHolder) look() {
	if _, ok := c.of.(*dynEventB); ok {
		c.n++ // norace
	}
}

// One of several does.
func DY8b_fieldOfBoth() {
	c := &dynHolderB{of: &dynEventA{}}
	if n > 3 {
		c.of = &dynEventB{}
	}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() { c.look() })
	}
	wg.Wait()
}

type dynHolderB struct {
	of any
	n  int
}

func (c *dynHolderB) look() {
	if _, ok := c.of.(*dynEventB); ok {
		c.n++ // race! c.n
	}
}

// What it is given from elsewhere may be anything.
func DY8c_fieldOfAny() {
	c := &dynHolderC{of: &dynEventA{}}
	c.of = dynAny(1)
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() { c.look() })
	}
	wg.Wait()
}

func dynAny(i int) any {
	if i > 1 {
		return &dynEventB{}
	}
	return &dynEventA{}
}

type dynHolderC struct {
	of any
	n  int
}

func (c *dynHolderC) look() {
	if _, ok := c.of.(*dynEventB); ok {
		c.n++ // race! c.n
	}
}
