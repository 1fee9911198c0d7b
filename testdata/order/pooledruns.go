package order

import (
	"errors"
	"io"
	"sort"
	"sync"
)

type bough struct {
	bare bool
	kids map[string]*bough
}

var listings = sync.Pool{New: func() any { s := make([]string, 0, 16); return &s }}

// PK1_eachRunItsOwn: a function that calls itself takes a list for each run that needs
// one, and puts it back at its end.
func PK1_eachRunItsOwn(b *bough) {
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() { b.list() })
	}
	wg.Wait()
}

func (b *bough) list() error {
	var names []string
	var from *[]string
	if !b.bare {
		from = listings.Get().(*[]string)
		names = *from // assumed _
		names = names[:0]
		for k := range b.kids {
			names = append(names, k) // assumed _[*]
		}
		sort.Strings(names)
	}
	for _, k := range names {
		if err := b.kids[k].list(); err != nil {
			if from != nil {
				*from = names // assumed _
				listings.Put(from)
			}
			return errors.New(k)
		}
	}
	if from != nil {
		*from = names
		listings.Put(from)
	}
	return nil
}

// PK1b_twiceInOneRun: the run puts it back where something went wrong, and at its end.
func PK1b_twiceInOneRun(b *bough) {
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() { b.count() })
	}
	wg.Wait()
}

type score struct{ n int }

var scores = sync.Pool{New: func() any { return &score{} }}

func (b *bough) count() (n int) {
	var t *score
	if len(b.kids) > 0 {
		t = scores.Get().(*score)
		t.n = 0 // race! _.n
	}
	for _, k := range b.kids {
		t.n += k.count() // race! _.n
		if t.n > 100 {   // race! _.n
			scores.Put(t)
		}
	}
	if t != nil {
		n = t.n // race! _.n
		scores.Put(t)
	}
	return n
}

// PK1c_handedDown: a run puts back what it was given, and so does who has given it.
func PK1c_handedDown(b *bough) {
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() { b.sum(&ledge{}, nil) })
	}
	wg.Wait()
}

type point struct{ n int }

var points = sync.Pool{New: func() any { return &point{} }}

type ledge struct{ top *point }

func (b *bough) sum(l *ledge, p *point) {
	if p == nil {
		p = points.Get().(*point)
		l.top = p
	}
	p.n++ // race! _.n
	for _, k := range b.kids {
		k.sum(l, p)
	}
	points.Put(p)
}

type line interface{ small() bool }

var frames = sync.Pool{New: func() any { b := make([]byte, 1024); return &b }}

func fillFrame(dst []byte, k int) ([]byte, error) {
	return append(dst, byte(k)), nil // assumed _[*]
}

// PK2_replaced: the variable holds another frame as soon as the first is put back; the one
// that it holds in the end is put back then.
func PK2_replaced(lines []line) {
	var wg sync.WaitGroup
	for _, l := range lines {
		wg.Go(func() { sendFrames(l) })
	}
	wg.Wait()
}

func sendFrames(l line) (err error) {
	f := frames.Get().(*[]byte)
	defer func() {
		if cap(*f) < 1<<16 { // assumed _
			frames.Put(f)
		}
	}()
	for k := range 10 {
		*f, err = fillFrame((*f)[:0], k) // assumed _
		if err != nil {
			return err
		}
		if l.small() {
			g := frames.Get().(*[]byte)
			*g, err = fillFrame((*g)[:0], k)
			frames.Put(f)
			f = g
			if err != nil {
				return err
			}
		}
	}
	return nil
}

type plate struct{ n int }

func (p *plate) dull() bool { return p.n < 0 }

// PK2b_newOnePut: the one that the variable holds from now on is put back.
func PK2b_newOnePut() {
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			p := plates1.Get().(*plate)
			defer func() { _ = p }()
			q := plates1.Get().(*plate)
			p = q
			plates1.Put(p)
			p.n++ // race! _.n
		})
	}
	wg.Wait()
}

var plates1, plates2, plates3 = pool(), pool(), pool()

func pool() *sync.Pool { return &sync.Pool{New: func() any { return &plate{} }} }

// PK2c_oldOneHeld: another variable still holds the first.
func PK2c_oldOneHeld() {
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			r := &rack{cups.Get().(*cup)}
			old := r.c
			r.swap()
			old.fill()
		})
	}
	wg.Wait()
}

type cup struct{ n int }

func (c *cup) fill() { c.n++ } // race! _.n

var cups = sync.Pool{New: func() any { return &cup{} }}

type rack struct{ c *cup }

func (r *rack) swap() {
	cups.Put(r.c)
	r.c = &cup{}
}

// PK2d_itselfAgain: what is put there is what was there.
func PK2d_itselfAgain() {
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			b := &shelfOfMugs{mugs.Get().(*mug)}
			b.renew()
			b.m.fill()
		})
	}
	wg.Wait()
}

type mug struct{ n int }

func (m *mug) fill() { m.n++ } // race! _.n

var mugs = sync.Pool{New: func() any { return &mug{} }}

type shelfOfMugs struct{ m *mug }

func (b *shelfOfMugs) renew() {
	mugs.Put(b.m)
	b.m = polished(b.m)
}

func polished(m *mug) *mug { return m }

// PK2g_usedBetween: a closure finds it there before there is another one.
func PK2g_usedBetween() {
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			p := plates3.Get().(*plate)
			use := func() { p.n++ } // race! _.n
			plates3.Put(p)
			use()
			p = &plate{}
		})
	}
	wg.Wait()
}

// PK2f_swapped has the other one from then on.
func PK2f_swapped() {
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			t := &tray{jars.Get().(*jar)}
			t.swap()
			t.j.fill()
			jars.Put(t.j)
		})
	}
	wg.Wait()
}

type jar struct{ n int }

func (j *jar) fill() { j.n++ } // assumed _.n

var jars = sync.Pool{New: func() any { return &jar{} }}

type tray struct{ j *jar }

func (t *tray) swap() {
	jars.Put(t.j)
	t.j = jars.Get().(*jar)
}

// PK2e_sometimes: it is replaced on one of two ways.
func PK2e_sometimes(some bool) {
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			p := plates2.Get().(*plate)
			defer func() { _ = p }()
			plates2.Put(p)
			if some {
				p = &plate{}
			}
			p.n++ // race! _.n
		})
	}
	wg.Wait()
}

// packet keeps a part of what it was made from.
type packet struct{ payload []byte }

func (p *packet) keep(b []byte) { p.payload = b[1:] }

func relay(r io.Reader, p *packet, errs chan error) {
	b := relays.Get()
	defer relays.Put(b)
	errs <- p.from(r, b.([]byte))
}

func (p *packet) from(r io.Reader, b []byte) error {
	for {
		n, err := r.Read(b) // assumed _[*]
		if err != nil {
			return err
		}
		p.keep(b[:n])
	}
}

var relays = sync.Pool{New: func() any { return make([]byte, 64) }}

type bridge struct {
	in, out       io.Reader
	first, second *packet
}

// PK4_knownElsewhere: two goroutines take a buffer each, of which something else knows, too.
func PK4_knownElsewhere(b *bridge) {
	errs := make(chan error, 2)
	func() {
		r, p := b.in, b.first
		go relay(r, p, errs)
	}()
	func() {
		r, p := b.out, b.second
		go relay(r, p, errs)
	}()
	<-errs
	<-errs
}

// PK4b_foundElsewhere: another goroutine finds it there.
func PK4b_foundElsewhere(c *crate, r io.Reader) {
	var wg sync.WaitGroup
	wg.Add(2)
	go func() {
		defer wg.Done()
		b := slips.Get().([]byte)
		c.payload = b[1:] // race! c.payload
		r.Read(b)         // race! _[*]
		slips.Put(b)
	}()
	go func() {
		defer wg.Done()
		c.payload[0] = 2 // race! c.payload _[*]
	}()
	wg.Wait()
}

type crate struct{ payload []byte }

var slips = sync.Pool{New: func() any { return make([]byte, 64) }}

var leases = sync.Pool{New: func() any { return make([]byte, 64) }}

// PK4c_takenForBoth: one buffer is taken for two goroutines.
func PK4c_takenForBoth(p, q *carton) {
	b := leases.Get().([]byte)
	var wg sync.WaitGroup
	wg.Add(2)
	go func(b []byte) {
		defer wg.Done()
		p.read(b)
	}(b)
	go func(b []byte) {
		defer wg.Done()
		q.read(b)
	}(b)
	wg.Wait()
	leases.Put(b)
}

type carton struct{ payload []byte }

func (c *carton) read(b []byte) {
	b[1] = 1 // race! _[*]
	c.payload = b[1:]
}
