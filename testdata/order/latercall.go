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
