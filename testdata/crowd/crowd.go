// Package crowd has types whose clients are not in view, and which several goroutines of a client are
// meant to use at the same time: they have a lock.
package crowd

import (
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// A getter forgets the lock.
func CR1_getter() *Tally { return &Tally{of: make(map[string]int)} }

type Tally struct {
	mu    sync.Mutex
	of    map[string]int
	total int
}

func (t *Tally) Add(name string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.of[name]++ // race! of
	t.total++    // race! t.total
}

func (t *Tally) Of(name string) int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.of[name] // norace
}

func (t *Tally) Total() int { return t.total } // race! t.total

func (t *Tally) Len() int { return len(t.of) } // race! of

// A lock that is held for reading does not keep out others who do the same.
func CR2_readLock() *Lookup { return &Lookup{of: make(map[string]int)} }

type Lookup struct {
	mu   sync.RWMutex
	of   map[string]int
	hits int
}

func (l *Lookup) Get(name string) int {
	l.mu.RLock()
	defer l.mu.RUnlock()
	l.hits++          // race! l.hits
	return l.of[name] // norace
}

func (l *Lookup) Put(name string, n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.of[name] = n // norace
}

// What is tested without the lock may be set meanwhile.
func CR3_doubleChecked(load func() map[string]string) *Settings { return &Settings{read: load} }

type Settings struct {
	mu   sync.Mutex
	read func() map[string]string
	of   map[string]string
}

func (s *Settings) Get(name string) string {
	if s.of == nil { // race! s.of
		s.mu.Lock()
		if s.of == nil { // norace
			s.of = s.read() // race! s.of
		}
		s.mu.Unlock()
	}
	return s.of[name] // race! s.of
}

// The lock is released too early.
func CR4_released() *Stack { return &Stack{} }

type Stack struct {
	mu   sync.Mutex
	list []int
	low  int
}

func (s *Stack) Push(n int) {
	s.mu.Lock()
	s.list = append(s.list, n) // norace
	s.mu.Unlock()
}

func (s *Stack) Pop() int {
	s.mu.Lock()
	last := len(s.list) - 1
	n := s.list[last]
	s.list = s.list[:last] // norace
	s.mu.Unlock()
	if last < s.low { // race! s.low
		s.low = last // race! s.low
	}
	return n
}

// The lock covers the outer map only.
func CR5_inner() *Groups { return &Groups{of: make(map[string]map[string]bool)} }

type Groups struct {
	mu sync.Mutex
	of map[string]map[string]bool
}

func (g *Groups) members(group string) map[string]bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	m := g.of[group]
	if m == nil {
		m = make(map[string]bool)
		g.of[group] = m
	}
	return m
}

func (g *Groups) Join(group, name string) {
	g.members(group)[name] = true // race! members
}

func (g *Groups) Count(group string) int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return len(g.of[group]) // race! members
}

// Two locks for one field.
func CR6_twoLocks() *Range { return &Range{} }

type Range struct {
	lowMu, highMu sync.Mutex
	low, high, n  int
}

func (r *Range) Low(n int) {
	r.lowMu.Lock()
	r.low = min(r.low, n) // norace
	r.n++                 // race! r.n
	r.lowMu.Unlock()
}

func (r *Range) High(n int) {
	r.highMu.Lock()
	r.high = max(r.high, n) // norace
	r.n++                   // race! r.n
	r.highMu.Unlock()
}

// Each call has a lock of its own, and all the same map.
func CR7_copied() *Visits { return &Visits{of: make(map[string]int)} }

type Visits struct {
	mu sync.Mutex
	of map[string]int
}

func (v Visits) Hit(page string) {
	v.mu.Lock()
	v.of[page]++ // race! of
	v.mu.Unlock()
}

// Nothing makes such an object: the zero value will do.
type CR8_zero struct {
	mu   sync.Mutex
	text strings.Builder
}

func (t *CR8_zero) Say(s string) {
	t.mu.Lock()
	t.text.WriteString(s) // race! t
	t.mu.Unlock()
}

func (t *CR8_zero) Len() int { return t.text.Len() } // race! t

// A generic one.
type CR9_generic[K ~string, V any] struct {
	mu    sync.Mutex
	ready bool
	of    map[K]V
}

func (l *CR9_generic[K, V]) Get(k K) (v V) {
	if !l.ready { // race! l.ready
		return v
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.of[k] // norace
}

func (l *CR9_generic[K, V]) Fill(of map[K]V) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.of, l.ready = of, true // race! l.ready
}

// Whether it is closed is asked without the lock.
func CR10_closed() *Pool { return &Pool{} }

type Pool struct {
	mu     sync.Mutex
	closed bool
	idle   []int
}

func (p *Pool) Put(n int) {
	if p.closed { // race! p.closed
		return
	}
	p.mu.Lock()
	p.idle = append(p.idle, n) // norace
	p.mu.Unlock()
}

func (p *Pool) Close() {
	p.mu.Lock()
	p.closed, p.idle = true, nil // race! p.closed
	p.mu.Unlock()
}

// What a Once sets is read beside it.
func CR11_once(text string) *Template { return &Template{text: text} }

type Template struct {
	mu    sync.Mutex
	once  sync.Once
	text  string
	parts []string
}

func (t *Template) Parts() []string {
	t.once.Do(func() { t.parts = strings.Fields(t.text) }) // race! t.parts
	return t.parts                                         // norace
}

func (t *Template) Loaded() bool { return t.parts != nil } // race! t.parts

// What is found under the lock is read without it.
func CR12_entry() *Latencies { return &Latencies{of: make(map[string]*Latency)} }

type Latencies struct {
	mu sync.Mutex
	of map[string]*Latency
}

type Latency struct {
	n   int
	sum time.Duration
}

func (l *Latencies) Add(name string, d time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	e := l.of[name]
	if e == nil {
		e = new(Latency)
		l.of[name] = e
	}
	e.n++      // race! e.n
	e.sum += d // norace
}

func (l *Latencies) N(name string) int {
	l.mu.Lock()
	e := l.of[name]
	l.mu.Unlock()
	if e == nil {
		return 0
	}
	return e.n // race! e.n
}

// What a goroutine of the object still does, who ends it does not wait for.
func CR13_shutdown() *Jobs { return &Jobs{} }

type Jobs struct {
	mu   sync.Mutex
	errs []error
}

func (j *Jobs) Go(f func() error) {
	go func() {
		err := f()
		j.mu.Lock()
		j.errs = append(j.errs, err) // race! j.errs
		j.mu.Unlock()
	}()
}

func (j *Jobs) Shutdown() []error {
	j.mu.Lock()
	println(len(j.errs)) // norace
	j.mu.Unlock()
	return j.errs // race! j.errs
}

// A batch that has been handed out lies in the array that the next one is put into.
func CR14_truncated(write func(int)) *Batch { return &Batch{write: write} }

type Batch struct {
	mu    sync.Mutex
	buf   []int
	write func(int)
}

func (b *Batch) Add(n int) {
	b.mu.Lock()
	b.buf = append(b.buf, n) // race! buf
	b.mu.Unlock()
}

func (b *Batch) Flush() {
	b.mu.Lock()
	full := b.buf
	b.buf = b.buf[:0]
	b.mu.Unlock()
	for _, n := range full { // race! buf
		b.write(n)
	}
}

// Who finds another one's entry does not wait until it is there.
func CR15_unready(get func(string) int) *Memo { return &Memo{get: get, of: make(map[string]*entry)} }

type Memo struct {
	mu  sync.Mutex
	get func(string) int
	of  map[string]*entry
}

type entry struct {
	ready chan struct{}
	n     int
	word  string
}

func (m *Memo) Get(name string) int {
	m.mu.Lock()
	e := m.of[name]
	if e != nil {
		m.mu.Unlock()
		return e.n // race! e.n
	}
	e = &entry{ready: make(chan struct{})}
	e.word = name // norace
	m.of[name] = e
	m.mu.Unlock()
	e.n = m.get(name) // race! e.n
	close(e.ready)
	return e.n // norace
}

// Each entry has a lock, which does not guard what is beside the entries.
func CR17_entryLocks() *Table { return &Table{rows: make(map[int]*row)} }

type Table struct {
	mu   sync.Mutex
	rows map[int]*row
	n    int
}

type row struct {
	mu sync.Mutex
	n  int
}

func (t *Table) row(i int) *row {
	t.mu.Lock()
	defer t.mu.Unlock()
	r := t.rows[i]
	if r == nil {
		r = &row{}
		t.rows[i] = r
	}
	return r
}

func (t *Table) Add(i int) {
	r := t.row(i)
	r.mu.Lock()
	r.n++ // norace
	t.n++ // race! t.n
	r.mu.Unlock()
}

// What is set without a lock may have to be set before others have the object.
func CS1_setUp() *Server { return &Server{} }

type Server struct {
	mu    sync.Mutex
	log   func(string)
	limit int
	n     int
}

func (s *Server) SetLog(f func(string)) { s.log = f } // norace

func (s *Server) SetLimit(n int) {
	s.limit = n // race! s.limit
	s.mu.Lock()
	s.n = 0 // norace
	s.mu.Unlock()
}

func (s *Server) Handle() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.n++; s.n > s.limit && s.log != nil { // race! s.limit
		s.log("too many") // norace
	}
}

// What comes first by its name, or last, does so.
func CS2_beginAndEnd() *Life { return &Life{} }

type Life struct {
	mu    sync.Mutex
	addr  string
	name  string
	conns []int
}

func (l *Life) Start(addr string) {
	l.mu.Lock()
	l.addr = addr // norace
	l.mu.Unlock()
}

func (l *Life) Addr() string { return l.addr } // norace

func (l *Life) Startle(name string) {
	l.mu.Lock()
	l.name = name // race! l.name
	l.mu.Unlock()
}

func (l *Life) Name() string { return l.name } // race! l.name

func (l *Life) Add(n int) {
	l.mu.Lock()
	l.conns = append(l.conns, n) // race! l.conns
	l.mu.Unlock()
}

func (l *Life) Close() {
	for range l.conns { // norace
		println("closed")
	}
}

func (l *Life) Closest() int {
	return len(l.conns) // race! l.conns
}

// What is documented for one goroutine is for one.
func CS3_documented() *Reader { return &Reader{} }

type Reader struct {
	mu      sync.Mutex
	pos, at int
}

func (r *Reader) Seek(n int) {
	r.mu.Lock()
	r.pos, r.at = n, n // race! r.at
	r.mu.Unlock()
}

// Pos returns the position. It is not safe to call it while others seek.
func (r *Reader) Pos() int { return r.pos } // norace

// At returns the position.
func (r *Reader) At() int { return r.at } // race! r.at

func CS4_documentedType() *Cursor { return &Cursor{} }

// A Cursor is not safe for concurrent use. The lock is for what goes through all cursors.
type Cursor struct {
	mu  sync.Mutex
	pos int
}

func (c *Cursor) Next() {
	c.mu.Lock()
	c.pos++ // norace
	c.mu.Unlock()
}

func (c *Cursor) Pos() int { return c.pos } // norace

// A helper says by its name that a lock is held, which is not known here.
func CS5_named(lock, unlock func()) *Journal { return &Journal{lock: lock, unlock: unlock} }

type Journal struct {
	lock, unlock func()
	mu           sync.Mutex
	file         string
	size         int
}

func (j *Journal) Write() {
	j.lock()
	j.writeLocked()
	j.unlock()
}

func (j *Journal) writeLocked() {
	println(j.file) // norace
}

func (j *Journal) Size() int { return j.sizeNow() }

func (j *Journal) sizeNow() int { return j.size } // race! j.size

func (j *Journal) Rotate(file string) {
	j.lock()
	j.mu.Lock()
	j.file = file // norace
	j.size = 0    // race! j.size
	j.mu.Unlock()
	j.unlock()
}

// What a method makes again and again it may fill before others find it.
func CS6_made() *Plan { return &Plan{} }

type Plan struct {
	mu   sync.Mutex
	list []int
}

func (p *Plan) build(old []int) []int {
	list := make([]int, 0, 4)
	list = append(list, old...)
	return append(list, 1)
}

func (p *Plan) check(list []int) { println(list[0]) } // norace

func (p *Plan) Refresh(n int) {
	var list []int
	for range n {
		list = p.build(list)
		p.check(list)
		p.mu.Lock()
		p.list = list
		p.mu.Unlock()
	}
}

func (p *Plan) Bump() {
	p.mu.Lock()
	p.list[0] = 3 // norace
	p.mu.Unlock()
}

// What has been taken out, another one put in its place, is its taker's.
func CS7_swapped(f func(int)) *Queue {
	q := &Queue{seen: f, kept: make([]int, 8)}
	q.fresh()
	q.ring = &ring{drop: q.evict}
	return q
}

type Queue struct {
	mu      sync.Mutex
	seen    func(int)
	ring    *ring
	n       int
	evicted []int
	kept    []int
}

func (q *Queue) fresh() { q.evicted, q.n = make([]int, 8), 0 }

func (q *Queue) Add(n int) {
	q.mu.Lock()
	q.ring.add(n)
	q.kept[0] = n // race! kept
	q.mu.Unlock()
}

type ring struct {
	list []int
	drop func(int)
}

func (r *ring) add(n int) {
	if r.list = append(r.list, n); len(r.list) > 9 {
		old := r.list[0]
		r.list = r.list[1:]
		r.drop(old)
	}
}

func (r *ring) purge() {
	for _, n := range r.list {
		r.drop(n)
	}
	r.list = nil
}

func (q *Queue) evict(n int) {
	q.evicted[q.n%8] = n // norace
	q.n++
}

func (q *Queue) Purge() {
	var all []int
	q.mu.Lock()
	q.ring.purge()
	if q.seen != nil && q.n > 0 {
		all = q.evicted
		q.fresh()
	}
	q.mu.Unlock()
	if q.seen != nil {
		for i := 0; i < len(all); i++ {
			println(all[i]) // norace
		}
	}
}

func (q *Queue) Show(n int) {
	q.mu.Lock()
	q.kept = append(q.kept, n)
	all := q.kept
	q.mu.Unlock()
	for i := range all {
		println(all[i]) // race! kept
	}
}

func (q *Queue) Drop() {
	q.mu.Lock()
	q.kept = q.kept[1:]
	all := q.kept
	q.mu.Unlock()
	for i := range all {
		println(all[i]) // race! kept
	}
}

// Whether the lock is taken, the caller says, who else has it.
func CS8_onSomeWays() *Cache { return &Cache{of: make(map[string]int)} }

type Cache struct {
	mu   sync.Mutex
	of   map[string]int
	hits int
}

func (c *Cache) get(name string) int {
	c.hits++          // norace
	return c.of[name] // norace
}

func (c *Cache) getWith(name string, lock bool, opts ...func()) int {
	if lock {
		c.mu.Lock()
	}
	n := c.get(name)
	if lock {
		c.mu.Unlock()
	}
	if n == 0 {
		for _, o := range opts {
			o()
		}
	}
	return n
}

func (c *Cache) Get(name string, opts ...func()) int { return c.getWith(name, true, opts...) }

func (c *Cache) Take(name string, opts ...func()) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := c.getWith(name, false, opts...)
	delete(c.of, name) // norace
	return n
}

func (c *Cache) Hits() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.hits // norace
}

// What a method has made it may fill before others find it, and what it finds it may have for itself.
func CS9_made() *Files { return &Files{last: &file{}, next: &file{}} }

type Files struct {
	mu         sync.Mutex
	last, next *file
}

type file struct {
	mu   sync.Mutex
	size int
	refs int
}

func (f *Files) load(x *file) { x.size = 3 } // norace

func (f *Files) Load() int {
	x := &file{refs: 1}
	f.load(x)
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.last != nil {
		f.last.done()
	}
	f.last = x
	return x.size // norace
}

func (x *file) done() {
	x.mu.Lock()
	if x.refs--; x.refs == 0 { // norace
		x.size = 0 // norace
	}
	x.mu.Unlock()
}

func (f *Files) take() *file {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.last.mu.Lock()
	f.last.refs++ // norace
	f.last.mu.Unlock()
	return f.last
}

func (f *Files) Show() {
	x := f.take()
	println(x.size) // norace
	f.show(x)
	x.done()
}

func (f *Files) show(x *file) {
	f.mu.Lock()
	println(f.last == x)
	f.mu.Unlock()
	println(x.size) // norace
}

// Nothing says that it is for several goroutines.
func CS10_noLock() *Plain { return &Plain{} }

type Plain struct{ n int }

func (p *Plain) Add()   { p.n++ }      // norace
func (p *Plain) N() int { return p.n } // norace

// It is for tests.
func CS11_forTests(t testing.TB) *Fake { return &Fake{t: t} }

type Fake struct {
	t  testing.TB
	mu sync.Mutex
	n  int
}

func (f *Fake) Call() {
	f.mu.Lock()
	f.n++ // norace
	f.mu.Unlock()
}

func (f *Fake) N() int { return f.n } // norace

// One of several locks has been given back, which guards something else.
func CS12_otherLock() *Sink { return &Sink{} }

type Sink struct {
	mu, errMu sync.Mutex
	err       error
	buf       []byte
	n         int
}

func (s *Sink) Write() error {
	s.errMu.Lock()
	err := s.err // norace
	s.errMu.Unlock()
	if err == nil {
		s.n++ // norace
	}
	return err
}

func (s *Sink) Fail(err error) {
	s.errMu.Lock()
	s.err = err // norace
	s.errMu.Unlock()
}

func (s *Sink) Fill(b []byte) {
	s.mu.Lock()
	s.buf = b // norace
	s.mu.Unlock()
}

// The only one is for something, as its name says.
func CS23_namedLock() *Source { return &Source{} }

type Source struct {
	errMu sync.Mutex
	err   error
	n     int
}

func (s *Source) Read() error {
	s.errMu.Lock()
	err := s.err // norace
	s.errMu.Unlock()
	if err == nil {
		s.n++ // norace
	}
	return err
}

func (s *Source) Fail(err error) {
	s.errMu.Lock()
	s.err = err // norace
	s.errMu.Unlock()
}

// What is atomic at both, or done once, needs no lock.
func CS13_atomic() *Count { return &Count{} }

type Count struct {
	mu   sync.Mutex
	n    atomic.Int64
	once sync.Once
	name string
}

func (c *Count) Add() {
	c.mu.Lock()
	c.n.Add(1) // norace
	c.mu.Unlock()
}

func (c *Count) N() int64 { return c.n.Load() } // norace

func (c *Count) Name() string {
	c.once.Do(func() { c.name = "count" }) // norace
	return c.name                          // norace
}

// What another object has in a field is guarded as that one says.
func CS14_further() *Store { return &Store{mem: &mem{data: make([]byte, 0, 99)}} }

type Store struct {
	mu  sync.Mutex
	mem *mem
}

type mem struct {
	mu   sync.Mutex
	data []byte
	ends []int
}

func (m *mem) put(b byte) {
	m.mu.Lock()
	m.ends = append(m.ends, len(m.data))
	m.data = append(m.data, b) // norace
	m.mu.Unlock()
}

func (m *mem) get(i int) []byte {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.data[m.ends[i]:]
}

func (s *Store) Put(b byte) { s.mem.put(b) }

func (s *Store) Get(i int) byte { return s.mem.get(i)[0] } // norace

// Its client is in view.
func CS15_inView() {
	v := NewSeen()
	v.Add()
	println(v.N())
}

func NewSeen() *Seen { return &Seen{} }

type Seen struct {
	mu sync.Mutex
	n  int
}

func (s *Seen) Add() {
	s.mu.Lock()
	s.n++ // norace
	s.mu.Unlock()
}

func (s *Seen) N() int { return s.n } // norace

// What starts a goroutine once, under the lock, may set it up first.
type CS16_started struct {
	mu      sync.Mutex
	running bool
	quit    chan int
	n       int
}

func (l *CS16_started) Write() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.n++ // norace
	if !l.running {
		l.run()
	}
}

func (l *CS16_started) run() {
	l.quit, l.running = make(chan int), true // norace
	go l.loop()
}

func (l *CS16_started) loop() {
	<-l.quit // norace
}

// Far below, two locks may both be held by who has a third one.
func CS17_twoLocksBelow(lock, unlock func()) *Deep { return &Deep{lock: lock, unlock: unlock} }

type Deep struct {
	lock, unlock func()
	aMu          sync.Mutex
	bMu          sync.Mutex
	n            int
}

func (d *Deep) a() {
	d.aMu.Lock()
	d.n++ // norace
	d.aMu.Unlock()
}

func (d *Deep) b() {
	d.bMu.Lock()
	d.n++ // norace
	d.bMu.Unlock()
}

func (d *Deep) A() {
	d.lock()
	d.a()
	d.unlock()
}

func (d *Deep) B() {
	d.lock()
	d.b()
	d.unlock()
}

// Who ends it has told the others before, under some lock.
func CS18_ended() *Hub { return &Hub{} }

type Hub struct {
	mu      sync.Mutex
	closeMu sync.Mutex
	closed  bool
	subs    []int
	sent    int
}

func (h *Hub) Add(n int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.closed {
		h.subs = append(h.subs, n) // norace
		h.sent++                   // norace
	}
}

func (h *Hub) Close() {
	h.mu.Lock()
	h.closed = true
	h.mu.Unlock()
	println(len(h.subs)) // norace
	h.closeMu.Lock()
	h.sent = 0 // norace
	h.closeMu.Unlock()
}

// Who waits for goroutines by something that is not known here need not lock.
type CS20_waits struct {
	All  Waiter
	mu   sync.Mutex
	errs []error
}

type Waiter interface {
	Add(int)
	Done()
	Wait()
}

func (t *CS20_waits) Go(f func() error) {
	t.All.Add(1)
	go func() {
		defer t.All.Done()
		err := f()
		t.mu.Lock()
		t.errs = append(t.errs, err) // norace
		t.mu.Unlock()
	}()
}

func (t *CS20_waits) Wait() []error {
	t.All.Wait()
	return t.errs // norace
}

// Which of two locks it is, may be the right one.
func CS21_either() *Split { return &Split{} }

type Split struct {
	even, odd sync.Mutex
	n         [2]int
}

func (s *Split) Add(k int) {
	mu := &s.even
	if k%2 == 1 {
		mu = &s.odd
	}
	mu.Lock()
	s.n[k%2]++ // norace
	mu.Unlock()
}

func (s *Split) Even() int {
	s.even.Lock()
	defer s.even.Unlock()
	return s.n[0] // norace
}

// What has been published by an atomic variable needs no lock.
func CS22_atomicFlag() *Signal { return &Signal{} }

type Signal struct {
	mu    sync.Mutex
	state uint32
	ch    chan int
	n     int
}

func (s *Signal) Chan() chan int {
	if atomic.LoadUint32(&s.state)&2 != 0 {
		return s.ch // norace
	}
	return s.slow()
}

func (s *Signal) slow() chan int {
	s.mu.Lock()
	if state := s.state; state&2 == 0 { // norace
		s.ch = make(chan int) // norace
		atomic.StoreUint32(&s.state, state|2)
	}
	s.mu.Unlock()
	return s.ch // norace
}

func CS24_atomicBelow() *Chan { return &Chan{} }

type Chan struct {
	mu   sync.Mutex
	done atomic.Uint32
	ch   chan int
}

func (c *Chan) make() {
	if c.done.Load() == 0 {
		c.slow()
	}
}

func (c *Chan) slow() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ch == nil {
		c.ch = make(chan int) // norace
		c.done.Or(1)
	}
}

func (c *Chan) Send(n int) {
	c.make()
	c.ch <- n // norace
}

// The lock is the method's own, which another one has not.
func CR16_ownLock() *Log { return &Log{} }

type Log struct {
	mu sync.Mutex
	at int
}

type visit struct {
	mu sync.Mutex
	n  int
}

func (l *Log) Visit() int {
	v := &visit{}
	v.mu.Lock()
	defer v.mu.Unlock()
	v.n = l.at // race! l.at
	return v.n
}

func (l *Log) Seek(n int) {
	l.mu.Lock()
	l.at = n // race! l.at
	l.mu.Unlock()
}

// Who tells by a flag under the lock that a field has been set does so after that.
func FP_crowdFlag() *Lazy { return &Lazy{} }

type Lazy struct {
	mu   sync.Mutex
	done bool
	name string
}

func (l *Lazy) ready() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.done
}

func (l *Lazy) Fill(name string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.done {
		l.name = name // race l.name; nobody sets it when done is set, and who reads it has seen that
		l.done = true
	}
}

func (l *Lazy) Name() string {
	if !l.ready() {
		return ""
	}
	return l.name // race l.name; see above
}

// Whoever closes may be one of several, but nothing says that.
func FN_crowdClose() *Feed { return &Feed{} }

type Feed struct {
	mu     sync.Mutex
	closed bool
}

func (f *Feed) Send() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return !f.closed // missed f.closed; many-clients, begin-and-end
}

func (f *Feed) Close() { f.closed = true } // missed f.closed; see above

// It may be closed by two goroutines at once.
func FN_crowdClosedTwice() *Bell { return &Bell{} }

type Bell struct {
	mu     sync.Mutex
	closed bool
	rings  int
}

func (b *Bell) Close() {
	b.mu.Lock()
	println(b.closed)
	b.closed = true
	b.mu.Unlock()
	b.rings++ // missed b.rings; begin-and-end
}

// Nothing says that the flag is for several goroutines, but that it makes no sense for one.
func FN_crowdNoLock() *Flag { return &Flag{} }

type Flag struct{ set bool }

func (f *Flag) Set()      { f.set = true } // missed f.set; many-clients
func (f *Flag) Has() bool { return f.set } // missed f.set; see above

// What a method returns out of the lock, its client goes through.
func FN_crowdReturned() *Names { return &Names{of: make(map[string]int)} }

type Names struct {
	mu sync.Mutex
	of map[string]int
}

func (n *Names) Put(name string) {
	n.mu.Lock()
	n.of[name]++ // missed of; many-clients
	n.mu.Unlock()
}

func (n *Names) All() map[string]int {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.of // missed of; see above
}
