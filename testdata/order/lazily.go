package order

import (
	"errors"
	"os"
	"regexp"
	"sync"
)

type gear struct{ teeth, turns int }

var few = os.Getenv("FEW") != ""

func newGear() *gear { return &gear{teeth: n} }

// What is made by the first who asks is there before the goroutines are.
func LZ1_variable() {
	mainGear()
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() { _ = mainGear().teeth })
	}
	wg.Wait()
}

var main1 *gear

func mainGear() *gear {
	if main1 == nil { // assumed main1
		main1 = newGear() // assumed main1
	}
	return main1
}

func LZ2_notBefore() {
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() { _ = secondGear().teeth })
	}
	secondGear()
	wg.Wait()
}

var main2 *gear

func secondGear() *gear {
	if main2 == nil { // race! main2
		main2 = newGear() // race! main2
	}
	return main2 // race! main2
}

// The same for a field, which the constructor has asked for; what is done to what was made
// is over, too.
func LZ3_field() {
	m := newMachine3()
	for range n {
		go func() { println(m.gear().teeth) }()
	}
	println(m.gear().teeth)
}

type machine3 struct{ g *gear }

func newMachine3() *machine3 {
	m := &machine3{}
	m.gear().turns++
	return m
}

func (m *machine3) gear() *gear {
	if m.g == nil { // norace
		m.g = newGear()  // norace
		m.g.teeth++      // norace
		m.g.turnBy(1, n) // norace
	}
	return m.g
}

func (g *gear) turnBy(from, to int) {
	for i := from; i < to; i++ {
		g.turns++ // norace
	}
}

func LZ4_onSomeWays(quiet bool) {
	m := &machine4{}
	if !quiet {
		m.gear()
	}
	for range n {
		go func() { println(m.gear().teeth) }()
	}
}

type machine4 struct{ g *gear }

func (m *machine4) gear() *gear {
	if m.g == nil { // race! m.g
		m.g = newGear() // race! m.g
	}
	return m.g // race! m.g
}

var errNoGear = errors.New("no gear")

// Who has got an error does not start the goroutines.
func LZ5_error() {
	m := &machine5{}
	if err := m.prepare(); err != nil {
		println(err.Error())
		return
	}
	for range n {
		go func() {
			m.prepare()
			println(m.g.teeth)
		}()
	}
}

type machine5 struct{ g *gear }

func (m *machine5) prepare() error {
	if m.g == nil { // norace
		if few {
			return errNoGear
		}
		m.g = newGear() // norace
	}
	return nil
}

func LZ6_errorIgnored() {
	m := &machine6{}
	m.prepare()
	for range n {
		go func() { m.prepare() }()
	}
}

type machine6 struct{ g *gear }

func (m *machine6) prepare() error {
	if m.g == nil { // race! m.g
		if few {
			return errNoGear
		}
		m.g = newGear() // race! m.g
	}
	return nil
}

// What is made may be nil.
func LZ7_mayBeNil() {
	m := &machine7{}
	m.gear()
	for range n {
		go func() { m.gear() }()
	}
}

type machine7 struct{ g *gear }

func (m *machine7) gear() *gear {
	if m.g == nil { // race! m.g
		m.g = gearOr(few) // race! m.g
	}
	return m.g // race! m.g
}

func gearOr(none bool) *gear {
	if none {
		return nil
	}
	return newGear()
}

// It is taken away again.
func LZ8_reset() {
	m := &machine8{}
	m.gear()
	m.reset()
	for range n {
		go func() { m.gear() }()
	}
}

type machine8 struct{ g *gear }

func (m *machine8) reset() { m.g = nil }

func (m *machine8) gear() *gear {
	if m.g == nil { // race! m.g
		m.g = newGear() // race! m.g
	}
	return m.g // race! m.g
}

// Another object of those that one line makes was asked.
func LZ9_otherObject() {
	var ms []*machine9
	for range n {
		ms = append(ms, &machine9{})
	}
	ms[0].gear()
	m := ms[1]
	for range n {
		go func() { m.gear() }()
	}
}

type machine9 struct{ g *gear }

func (m *machine9) gear() *gear {
	if m.g == nil { // race! g
		m.g = newGear() // race! g
	}
	return m.g // race! g
}

func LZ10_startedEarlier() {
	m := &machine10{}
	go func() { m.gear() }()
	m.gear()
	go func() { println(m.gear().teeth) }()
}

type machine10 struct{ g *gear }

func (m *machine10) gear() *gear {
	if m.g == nil { // race! m.g
		m.g = newGear() // race! m.g
	}
	return m.g // race! m.g
}

// The first of the goroutines is started before.
func LZ11_betweenRounds() {
	m := &machine11{}
	for range n {
		go func() { m.gear() }()
		m.gear()
	}
}

type machine11 struct{ g *gear }

func (m *machine11) gear() *gear {
	if m.g == nil { // race! m.g
		m.g = newGear() // race! m.g
	}
	return m.g // race! m.g
}

// That the field is set shows that somebody has set it, but not that he has done so before.
func LZ12_seenSet() {
	m := &machine12{}
	go m.gear()
	if m.g != nil { // race! m.g
		go func() { println(m.gear().teeth) }()
	}
}

type machine12 struct{ g *gear }

func (m *machine12) gear() *gear {
	if m.g == nil { // race! m.g
		m.g = newGear() // race! m.g
	}
	return m.g // race! m.g
}

// One of the callers of what starts the goroutines has not asked.
func LZ13_twoCallers() {
	a, b := &machine13{}, &machine13{}
	a.gear()
	a.run()
	b.run()
}

type machine13 struct{ g *gear }

func (m *machine13) run() {
	for range n {
		go func() { m.gear() }()
	}
}

func (m *machine13) gear() *gear {
	if m.g == nil { // race! b.g
		m.g = newGear() // race! b.g
	}
	return m.g // race! b.g
}

func LZ14_deferred() {
	m := &machine14{}
	defer m.gear()
	for range n {
		go func() { m.gear() }()
	}
}

type machine14 struct{ g *gear }

func (m *machine14) gear() *gear {
	if m.g == nil { // race! m.g
		m.g = newGear() // race! m.g
	}
	return m.g // race! m.g
}

func LZ15_inInit() {
	for range n {
		go func() { println(initGear().teeth) }()
	}
}

func init() { initGear() }

var main15 *gear

func initGear() *gear {
	if main15 == nil { // assumed main15
		main15 = newGear() // assumed main15
	}
	return main15
}

// What a function of the model returns is taken to be something.
func LZ16_modelled() {
	m := &machine16{}
	m.expr()
	for range n {
		go func() { println(m.expr().String()) }()
	}
}

type machine16 struct{ e *regexp.Regexp }

func (m *machine16) expr() *regexp.Regexp {
	if m.e == nil { // assumed m.e
		m.e = regexp.MustCompile(".") // assumed m.e
	}
	return m.e
}

// But not where it may be an error.
func LZ17_modelledError() {
	m := &machine17{}
	m.expr()
	for range n {
		go func() { println(m.expr().String()) }()
	}
}

type machine17 struct{ e *regexp.Regexp }

func (m *machine17) expr() *regexp.Regexp {
	if m.e == nil { // race! m.e
		m.e, _ = regexp.Compile(".") // race! m.e
	}
	return m.e // race! m.e
}

// A flag says that it is there.
func LZ18_flag() {
	m := &machine18{}
	m.ensure()
	for range n {
		go func() {
			m.ensure()
			println(m.g.teeth)
		}()
	}
}

type machine18 struct {
	made bool
	g    gear
}

func (m *machine18) ensure() {
	if !m.made {
		m.g.teeth = n // norace
		m.made = true // norace
	}
}

// The flag is set only after what it stands for was tried, which may stop early.
func LZ19_flagLeft() {
	m := &machine19{}
	m.ensure()
	for range n {
		go func() {
			m.ensure()
			println(m.g.teeth) // race! m.g.teeth
		}()
	}
}

type machine19 struct {
	made bool
	g    gear
}

func (m *machine19) ensure() {
	if !m.made { // race! m.made
		m.g.teeth++           // race! m.g.teeth
		if m.g.teeth < 1000 { // race! m.g.teeth
			return
		}
		m.made = true // race! m.made
	}
}

// Where it is asked for by another goroutine, that may be late.
func LZ20_askedBeside() {
	m := &machine20{}
	var wg sync.WaitGroup
	wg.Go(func() { m.gear() })
	for range n {
		go func() { m.gear() }()
	}
	wg.Wait()
}

type machine20 struct{ g *gear }

func (m *machine20) gear() *gear {
	if m.g == nil { // race! m.g
		m.g = newGear() // race! m.g
	}
	return m.g // race! m.g
}

// What starts goroutines stands behind the test itself, before what is done to what was made.
func LZ21_startedBehind() {
	m := &machine21{}
	m.gear()
	m.gear()
}

type machine21 struct{ g *gear }

func (m *machine21) gear() *gear {
	if m.g == nil {
		g := &gear{}
		m.g = g
		m.start(g)
		g.turns++ // race! g.turns
	}
	return m.g
}

func (m *machine21) start(g *gear) {
	go func() {
		println(m.gear().teeth, g.turns) // race! g.turns
	}()
}

// What is done to a place while it is empty is not all that is done.
func LZ22_doneAfter() {
	m := &machine22{}
	for i := range n {
		m.gear(i)
	}
}

type machine22 struct{ g *gear }

func (m *machine22) gear(i int) {
	if m.g == nil {
		m.g = newGear()
	}
	m.g.turns = i // race! turns
	go func() {
		println(m.g.turns) // race! turns
	}()
}

// What is asked for, and made, before the goroutines start may be looked at without the function.
func LZ23_readOnly() {
	m := &machine23{}
	m.gear()
	for range n {
		go func() {
			println(m.g) // norace
			if m.g == nil {
				m.gear().turns++ // norace
			}
		}()
	}
}

type machine23 struct{ g *gear }

func (m *machine23) gear() *gear {
	if m.g == nil {
		m.g = newGear() // norace
	}
	return m.g
}

// What is made when it is first asked for has been asked for before the goroutines
// start.
func LZ24_madeBefore() {
	e := new(surroundings)
	if e.get() == nil {
		return
	}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() { _ = e.get() })
	}
	wg.Wait()
}

type surroundings struct {
	made bool
	vars []string
}

func (e *surroundings) get() []string {
	if !e.made { // norace
		e.vars = []string{"a"} // norace
		e.made = true          // norace
	}
	return e.vars // norace
}

// Each round has one to ask, and what is done behind the test is done in each.
func LZ25_eachRound() {
	for range n {
		m := &machine25{}
		m.gear()
		go func() {
			println(m.gear().teeth, gears25) // race! gears25
		}()
	}
}

var gears25 int

type machine25 struct{ g *gear }

func (m *machine25) gear() *gear {
	if m.g == nil { // norace
		gears25++       // race! gears25
		m.g = newGear() // norace
	}
	return m.g
}

// Who else has the machine that is given cannot take away what only this package can.
func LZ26_given(m *Machine26) {
	m.gear()
	for range n {
		go func() { println(m.gear().teeth) }()
	}
}

type Machine26 struct{ g *gear }

func (m *Machine26) gear() *gear {
	if m.g == nil { // assumed m.g
		m.g = newGear() // assumed m.g
	}
	return m.g
}

// Others can set a field with an exported name.
func LZ26b_exported(m *Machine26b) {
	m.gear()
	for range n {
		go func() { println(m.gear().teeth) }()
	}
}

type Machine26b struct{ G *gear }

func (m *Machine26b) gear() *gear {
	if m.G == nil { // race! m.G
		m.G = newGear() // race! m.G
	}
	return m.G // race! m.G
}

// The package takes it away.
func LZ26c_reset(m *Machine26c) {
	m.gear()
	m.reset()
	for range n {
		go func() { println(m.gear().teeth) }()
	}
}

type Machine26c struct{ g *gear }

func (m *Machine26c) reset() { m.g = nil }

func (m *Machine26c) gear() *gear {
	if m.g == nil { // race! m.g
		m.g = newGear() // race! m.g
	}
	return m.g // race! m.g
}

// It was not asked for on all ways.
func LZ26d_onSomeWays(m *Machine26d, now bool) {
	if now {
		m.gear()
	}
	for range n {
		go func() { println(m.gear().teeth) }()
	}
}

type Machine26d struct{ g *gear }

func (m *Machine26d) gear() *gear {
	if m.g == nil { // race! m.g
		m.g = newGear() // race! m.g
	}
	return m.g // race! m.g
}
