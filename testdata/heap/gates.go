package heap

import (
	"fmt"
	"reflect"
	"sync"
)

type gateVersion int

const (
	gateV1 gateVersion = iota
	gateV2
	gateV3
)

type gateConn struct {
	version gateVersion
	flags   int
	hook    func()
	n       int
}

func (c *gateConn) validate(v *int) {
	if c.version == gateV3 {
		*v |= 4 // norace
	}
}

// Nothing makes the version that the write is for.
func GT1_fieldNeverSo() {
	c := &gateConn{version: gateV1}
	c.version = gateV2
	flags := 0
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() { c.validate(&flags) })
	}
	wg.Wait()
}

// Something does.
func GT1b_fieldSo() {
	c := &laterConn{version: gateV1}
	c.version = gateV3
	flags := 0
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() { c.validate(&flags) })
	}
	wg.Wait()
}

type laterConn struct{ version gateVersion }

func (c *laterConn) validate(v *int) {
	if c.version == gateV3 {
		*v |= 4 // race! flags
	}
}

// What only a branch calls or starts that is not taken does not run either.
func GT2_goNeverSo() {
	c := &gateConn{}
	if c.hook != nil {
		go c.count()
	}
	c.count()
}

func (c *gateConn) count() { c.n++ } // norace

func GT2b_goSo() {
	c := &hookedConn{hook: func() {}}
	if c.hook != nil {
		go c.count()
	}
	c.count()
}

type hookedConn struct {
	hook func()
	n    int
}

func (c *hookedConn) count() { c.n++ } // race! c.n

// The iterations pass what the write is not for.
func GT3_argumentNever() {
	d := &gateDict{ids: map[string]int{}}
	d.load("x")
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() { d.match("x") })
	}
	wg.Wait()
}

type gateDict struct{ ids map[string]int }

func (d *gateDict) match(w string) int { return gateToken(w, true, d) }

func (d *gateDict) load(w string) { gateToken(w, false, d) }

func (d *gateDict) add(w string) { d.ids[w] = len(d.ids) } // norace

// The dictionary of each call is written through the same method.
func gateToken(w string, normalize bool, d *gateDict) int {
	own := &gateDict{ids: map[string]int{}}
	own.add(w)
	gateAppend(w, normalize, d)
	return d.ids[w]
}

func gateAppend(w string, normalize bool, d *gateDict) {
	if !normalize {
		d.add(w)
	}
}

// One of them passes what depends on the word.
func GT3b_argumentOnce() {
	d := &openDict{ids: map[string]int{}}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() { d.match("x") })
	}
	wg.Wait()
}

type openDict struct{ ids map[string]int }

func (d *openDict) match(w string) int { return openToken(w, true, d) + openToken(w, len(w) > 3, d) }

func openToken(w string, normalize bool, d *openDict) int {
	if !normalize {
		d.ids[w] = len(d.ids) // race! d.ids[*]
	}
	return d.ids[w] // race! d.ids[*]
}

// Reflection may set any field.
func GT4_reflected() {
	o := &gateOptions{}
	reflect.ValueOf(o).Elem().FieldByName("Count").SetBool(true)
	n := 0
	if o.Count {
		go func() { n++ }() // race! n
	}
	n++ // race! n
}

type gateOptions struct{ Count bool }

// So may what is given to a scanner.
func GT4b_scanned() {
	var count int
	fmt.Sscan("1", &count)
	n := 0
	if count == 1 {
		go func() { n++ }() // race! n
	}
	n++ // race! n
}

// Other callers of an exported function may pass something else.
func GT5_exported() { GateCount(false) }

func GateCount(twice bool) {
	n := 0
	if twice {
		go func() { n++ }() // race! n
	}
	n++ // race! n
}

// What stands in a variable that a package exports anyone may have put there, and with -ldflags=-X
// what stands in one that holds a string; see testdata/call/hooks.go for others.
func GT6_packageVariable() {
	n, m, k := 0, 0, 0
	if GateVerbose {
		go func() { n++ }() // race! n
	}
	n++ // race! n
	if gateBuild != "" {
		go func() { m++ }() // race! m
	}
	m++ // race! m
	if gateVerbose {
		go func() { k++ }() // norace
	}
	k++ // norace
}

// GateVerbose is for others to set.
var GateVerbose bool

var (
	gateVerbose bool
	gateBuild   string
)

// The argument is handed on as it is to the next call of the function itself.
func GT7_recursion() {
	n := 0
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() { gateDown(3, false, &n) })
	}
	wg.Wait()
}

func gateDown(depth int, count bool, n *int) {
	if count {
		*n++ // norace
	}
	if depth > 0 {
		gateDown(depth-1, count, n)
	}
}

func GT7b_recursionTurns() {
	n := 0
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() { gateTurn(3, false, &n) })
	}
	wg.Wait()
}

func gateTurn(depth int, count bool, n *int) {
	if count {
		*n++ // race! n
	}
	if depth > 0 {
		gateTurn(depth-1, !count, n)
	}
}

// Either of two calls takes another side, and they race.
func GT8_bothSides() {
	n := 0
	var wg sync.WaitGroup
	wg.Go(func() { gateSides(true, &n) })
	gateSides(false, &n)
	wg.Wait()
}

func gateSides(read bool, n *int) {
	if read {
		println(*n) // race! n
	} else {
		*n++ // race! n
	}
}

// The callback does nothing if it is told so, and is, wherever no goroutine runs it.
func GT9_argumentSaysNo() {
	buf := make([]int, 1)
	task := func(on bool) {
		if on {
			buf[0]++ // norace
		}
	}
	go task(true)
	task(false)
}
