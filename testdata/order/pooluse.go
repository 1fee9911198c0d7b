package order

import (
	"io"
	"net/http"
	"runtime"
	"strings"
	"sync"
)

// sipper is a pooled reader that connections keep behind an interface.
type sipper struct {
	src io.Reader
	n   int
}

func (s *sipper) Read(p []byte) (int, error) {
	s.n++ // assumed _.n
	return s.src.Read(p)
}

var sippers = sync.Pool{New: func() any { return &sipper{} }}

// telegram gives its sipper back as soon as it is read, and forgets it.
type telegram struct{ s *sipper }

func (m *telegram) Read(p []byte) (int, error) {
	if m.s == nil {
		return 0, io.EOF
	}
	n, err := m.s.Read(p)
	if err == io.EOF {
		m.Close()
	}
	return n, err
}

func (m *telegram) Close() error {
	sippers.Put(m.s)
	m.s = nil
	return nil
}

type cable struct{ in io.ReadCloser }

func (w *cable) next() io.Reader {
	if w.in != nil {
		w.in.Close()
	}
	s := sippers.Get().(*sipper)
	s.src = strings.NewReader("x")
	w.in = &telegram{s}
	return w.in
}

// Each iteration reads its messages through sippers that it does not use after
// it has put them back: the field is nil then.
func PU1_forgottenWhenPut() {
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			w := new(cable)
			for range 3 {
				io.ReadAll(w.next())
			}
		})
	}
	wg.Wait()
}

// The field still holds what was put back.
func PU1b_keptWhenPut() {
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			f := &bezel{eyepieces.Get().(*eyepiece)}
			f.drop()
			f.l.look()
		})
	}
	wg.Wait()
}

type eyepiece struct{ n int }

func (l *eyepiece) look() { l.n++ } // race! _.n

var eyepieces = sync.Pool{New: func() any { return &eyepiece{} }}

type bezel struct{ l *eyepiece }

func (f *bezel) drop() {
	eyepieces.Put(f.l) // and the field keeps it
}

// The field is nil, but the object was taken out of it before.
func PU1c_heldBeside() {
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			m := &socket{facets.Get().(*facet)}
			p := m.p
			m.drop()
			p.look()
		})
	}
	wg.Wait()
}

type facet struct{ n int }

func (p *facet) look() { p.n++ } // race! _.n

var facets = sync.Pool{New: func() any { return &facet{} }}

type socket struct{ p *facet }

func (m *socket) drop() {
	facets.Put(m.p)
	m.p = nil
}

// hinge's handler is a closure over it: nothing but itself holds it.
type hinge struct {
	n      int
	handle func()
}

func newHinge() *hinge {
	l := &hinge{}
	l.setHandler(nil)
	return l
}

func (l *hinge) setHandler(h func()) {
	if h == nil {
		h = func() { l.n++ } // norace
	}
	l.handle = h // norace
}

func (l *hinge) run() {
	l.n++ // norace
	l.handle()
}

// Two handlers make links of their own by the same code.
func PU2_closureOverItself() {
	http.HandleFunc("/a", func(http.ResponseWriter, *http.Request) { newHinge().run() })
	http.HandleFunc("/b", func(http.ResponseWriter, *http.Request) { newHinge().run() })
}

// What the closure is over, the goroutine knows too: it is started with the object.
func PU2b_closureHandedOn() {
	x := newVertex()
	go x.handle()
	x.handle()
}

type vertex struct {
	n      int
	handle func()
}

func newVertex() *vertex {
	x := &vertex{}
	x.handle = func() { x.n++ } // race! _.n
	return x
}

type edge struct {
	n      int
	handle func()
}

var lastEdge *edge

// One handler leaves in a variable what it makes, and the other finds it there.
func PU2c_closureLeft() {
	e := &edge{}
	e.handle = func() { e.n++ }                                                           // race! _.n
	http.HandleFunc("/d", func(http.ResponseWriter, *http.Request) { lastEdge = e })      // race! lastEdge
	http.HandleFunc("/e", func(http.ResponseWriter, *http.Request) { lastEdge.handle() }) // race! lastEdge
}

var inks = sync.Pool{New: func() any { return &ink{data: make([]byte, 0, 64)} }}

type ink struct{ data []byte }

// The bytes are the pool's again when the caller reads them.
func PU3_bytesAfterPut() {
	var wg sync.WaitGroup
	for range 10 {
		wg.Go(func() {
			for range 50 {
				b := written()
				runtime.Gosched()
				for _, c := range b { // race! _[*]
					_ = c
				}
			}
		})
	}
	wg.Wait()
}

func written() []byte {
	k := inks.Get().(*ink)
	defer inks.Put(k)
	k.data = k.data[:0]
	for i := range 8 {
		k.data = append(k.data, byte(i)) // race! _[*]
	}
	return k.data
}

// The bytes are copied before the Put.
func PU3b_copiedBeforePut() {
	var wg sync.WaitGroup
	for range 10 {
		wg.Go(func() {
			for _, c := range copied() { // norace
				_ = c
			}
		})
	}
	wg.Wait()
}

func copied() []byte {
	k := inks.Get().(*ink)
	defer inks.Put(k)
	k.data = k.data[:0]
	for i := range 8 {
		k.data = append(k.data, byte(i)) // norace
	}
	return append([]byte(nil), k.data...)
}

// What the variable held is put back, and the variable gets another one.
func PU9_anotherInVariable() {
	s := new(desk)
	for k := range 3 {
		go s.serve(k)
	}
}

type desk struct {
	pool sync.Pool
	slow bool
}

type leaf struct{ n, m int }

func (s *desk) get() *leaf {
	v := s.pool.Get()
	if v == nil {
		return new(leaf)
	}
	l := v.(*leaf)
	l.m = 0 // norace
	return l
}

func (s *desk) put(l *leaf) {
	l.n = 0 // norace
	s.pool.Put(l)
}

func (s *desk) turn(p **leaf) {
	l := *p
	s.put(l)
	*p = nil
	l = s.get()
	*p = l
	l.n = 1 // norace
}

func (s *desk) serve(k int) {
	l := s.get()
	l.n = k // norace
	for i := range k {
		if s.slow && i > 0 {
			s.turn(&l)
		}
		l.n = i // norace
		l.m++   // norace
	}
	s.put(l)
}

// What was put back is used through another variable.
func PU9b_oldOneKept() {
	s := new(till)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(s.serve)
	}
	wg.Wait()
}

type till struct{ pool sync.Pool }

type slip struct{ n int }

func (s *till) get() *slip {
	if v := s.pool.Get(); v != nil {
		return v.(*slip)
	}
	return new(slip)
}

func (s *till) turn(p **slip) {
	l := *p
	s.pool.Put(l)
	*p = nil
	runtime.Gosched()
	*p = s.get()
}

func (s *till) serve() {
	l := s.get()
	for range 300 {
		old := l
		s.turn(&l)
		old.n++ // race! _.n
	}
	s.pool.Put(l)
}

// Each call has an object of its own from the pool, and so have those that it makes.
func PU10_inRecursion() {
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() { goDown(i) })
	}
	wg.Wait()
}

type marks struct{ seen map[int]bool }

var marksPool = sync.Pool{New: func() any { return &marks{seen: make(map[int]bool)} }}

func putMarks(m *marks) {
	clear(m.seen) // norace
	marksPool.Put(m)
}

func goDown(d int) {
	m := marksPool.Get().(*marks)
	defer putMarks(m)
	if d > 0 {
		goDown(d - 1)
	}
	m.mark(d)
}

func (m *marks) mark(d int) {
	m.seen[d] = true // norace
}

// What each call has is what those around it have, too.
func PU10b_oneForAllCalls() {
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			d := &diver{notesPool.Get().(*notes)}
			d.goDown(i)
		})
	}
	wg.Wait()
}

type notes struct{ seen map[int]bool }

var notesPool = sync.Pool{New: func() any { return &notes{seen: make(map[int]bool)} }}

type diver struct{ n *notes }

func (d *diver) notes() *notes { return d.n }

func (d *diver) goDown(depth int) {
	n := d.notes()
	defer putNotes(n)
	if depth > 0 {
		d.goDown(depth - 1)
	}
	n.note(depth)
}

func putNotes(n *notes) {
	clear(n.seen) // race! seen[*]
	notesPool.Put(n)
}

func (n *notes) note(d int) {
	n.seen[d] = true // race! seen[*]
}
