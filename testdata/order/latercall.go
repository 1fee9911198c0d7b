package order

import "sync"

// Each call of the constructor makes a reader, whose goroutine may outlive the next call.
func LC1_laterCall(names []string) {
	for _, name := range names {
		if r := newAhead(name, len(name)); r != nil {
			r.next()
		}
	}
	r := newAhead("x", n)
	r.next()
	r = newAhead("y", n)
	r.next()
}

type ahead struct {
	name string
	bufs [][]byte
	out  chan []byte
}

type nextOf interface{ next() []byte }

type aheadOf struct{ *ahead }

func newAhead(name string, size int) (r nextOf) {
	a := &ahead{}
	if size > 5 {
		r = &aheadOf{a}
	} else {
		r = a
	}
	a.init(name, size)
	return r
}

func (a *ahead) init(name string, size int) {
	bufs := make([][]byte, n)
	for i := range bufs {
		bufs[i] = make([]byte, size)
	}
	a.begin(name, bufs)
}

func (a *ahead) begin(name string, bufs [][]byte) {
	a.name = name                // norace
	a.bufs = bufs                // norace
	a.out = make(chan []byte, n) // norace
	go func() {
		for _, b := range a.bufs { // norace
			b[0] = a.name[0] // norace
			a.out <- b       // norace
		}
	}()
}

func (a *ahead) next() []byte { return <-a.out } // norace

// The later call has the same one.
func LC1b_sameAgain() {
	a := &onceMore{}
	for i := range n {
		a.begin(i)
	}
}

type onceMore struct{ k int }

func (a *onceMore) begin(k int) {
	a.k = k // race! a.k
	go func() {
		println(a.k) // race! a.k
	}()
}

// It takes the one that is there already.
func LC1c_kept() {
	for i := range n {
		beginKept(i)
	}
}

var keptAhead *keptOne

type keptOne struct{ k int }

func beginKept(k int) {
	x := &keptOne{}
	if keptAhead == nil {
		keptAhead = x
	}
	x = keptAhead
	x.begin(k)
}

func (a *keptOne) begin(k int) {
	a.k = k // race! k
	go func() {
		println(a.k) // race! k
	}()
}

// The goroutine gets a later one, from a variable.
func LC1d_goesToLater() {
	var mu sync.Mutex
	var last *laterOne
	for i := range n {
		x := &laterOne{}
		mu.Lock()
		last = x
		mu.Unlock()
		x.begin(i, func() *laterOne {
			mu.Lock()
			defer mu.Unlock()
			return last
		})
	}
}

type laterOne struct{ k int }

func (a *laterOne) begin(k int, get func() *laterOne) {
	go func() {
		println(get().k) // race! x.k
	}()
	a.k = k // race! x.k
}

// A visitor that calls itself is given two functions, one after the other. That it comes to
// the second one from within the first visit is not excluded; but then for another object.
func LC2_visitorOfTwo() {
	t := &visited{}
	var wg sync.WaitGroup
	t.each(func(k *visited) {
		wg.Go(func() { println(k.n) }) // norace
	})
	wg.Wait()
	t.each(func(k *visited) {
		k.n++ // norace
	})
}

type visited struct {
	n    int
	kids []*visited
}

func (t *visited) each(f func(*visited)) {
	f(t)
	for _, k := range t.kids {
		k.each(f)
	}
}

// Nobody waits between the visits.
func LC2b_visitsOverlap() {
	t := &revisited{}
	var wg sync.WaitGroup
	t.each(func(k *revisited) {
		wg.Go(func() { println(k.n) }) // race! n
	})
	t.each(func(k *revisited) {
		k.n++ // race! n
	})
	wg.Wait()
}

type revisited struct {
	n    int
	kids []*revisited
}

func (t *revisited) each(f func(*revisited)) {
	f(t)
	for _, k := range t.kids {
		k.each(f)
	}
}

// What is started for the one is no matter to the other.
func LC3_partsStarted() {
	p := &duplex{read: &endOf{}, write: &endOf{}}
	p.open()
}

type endOf struct{ n int }

type duplex struct{ read, write *endOf }

func (p *duplex) open() {
	p.read.start()
	p.write.start()
}

func (e *endOf) start() {
	e.n = 1 // norace
	go func() {
		e.n++ // norace
	}()
}

// The second is started twice.
func LC3b_startedAgain() {
	p := &duplexAgain{read: &endAgain{}, write: &endAgain{}}
	p.open()
}

type endAgain struct{ n int }

type duplexAgain struct{ read, write *endAgain }

func (p *duplexAgain) open() {
	p.read.start()
	p.write.start()
	p.write.start()
}

func (e *endAgain) start() {
	e.n = 1 // race! n
	go func() {
		e.n++ // race! n
	}()
}

// Both have one.
func LC3c_bothHaveIt() {
	e := &endShared{}
	p := &duplexShared{read: e, write: e}
	p.open()
}

type endShared struct{ n int }

type duplexShared struct{ read, write *endShared }

func (p *duplexShared) open() {
	p.read.start()
	p.write.start()
}

func (e *endShared) start() {
	e.n = 1 // race! n
	go func() {
		e.n++ // race! n
	}()
}

// Parts of one struct, which are no pointers.
func LC4_embeddedParts() {
	d := &device{}
	d.a.start()
	d.b.start()
}

type partOf struct{ n int }

type device struct{ a, b partOf }

func (p *partOf) start() {
	p.n = 1 // norace
	go func() {
		p.n++ // norace
	}()
}

// One of the parts is started twice.
func LC4b_partAgain() {
	d := &deviceAgain{}
	d.a.start()
	d.b.start()
	d.a.start()
}

type partAgain struct{ n int }

type deviceAgain struct{ a, b partAgain }

func (p *partAgain) start() {
	p.n = 1 // race! n
	go func() {
		p.n++ // race! n
	}()
}

// A part is started by itself, and as what the whole begins with.
func LC4c_partAndWhole() {
	d := &deviceWhole{}
	d.a.start()
	d.start()
}

type partWhole struct{ n int }

type deviceWhole struct{ a, b partWhole }

func (d *deviceWhole) start() { d.a.start() }

func (p *partWhole) start() {
	p.n = 1 // race! n
	go func() {
		p.n++ // race! n
	}()
}

// The parts' own parts are pointers, and equal.
func LC4d_partsPointers() {
	x := &partPointed{}
	d := &devicePointed{}
	d.a.p, d.b.p = x, x
	d.a.p.start()
	d.b.p.start()
}

type partPointed struct{ n int }

type devicePointed struct{ a, b struct{ p *partPointed } }

func (p *partPointed) start() {
	p.n = 1 // race! n
	go func() {
		p.n++ // race! n
	}()
}

// What an element points to is nothing of the array: each call has an array of its own, and
// all arrays have one object.
func LC5_elementsPoint() {
	x := &pointedTo{}
	for i := range n {
		d := &arrayed{[2]*pointedTo{x, x}}
		d.begin(i)
	}
}

type pointedTo struct{ k int }

type arrayed struct{ arr [2]*pointedTo }

func (d *arrayed) begin(i int) {
	d.arr[i&1].k = i // race! k
	go func() {
		println(d.arr[i&1].k) // race! k
	}()
}
