package order

import "sync"

// What the spawner does in the round of an iteration, before it starts it.

// A client's decoder is made in two steps, which know of each other, before the client is
// served.
func RD1_filledBeforeItStarts(conns []int) {
	for _, conn := range conns {
		c := &rdClient{conn: conn}
		c.dec = newRDDecoder(conn)
		go c.serve()
	}
}

type rdClient struct {
	conn int
	dec  *rdDecoder
}

func (c *rdClient) serve() {
	for range 3 {
		c.dec.decode()
	}
}

type rdDecoder struct {
	d     rdDriver
	in    *rdInput
	depth int
	err   error
}

type rdDriver interface {
	reset()
	read() int
}

type rdMsg struct {
	d *rdDecoder
	n int
}

func (m *rdMsg) reset()    { m.n = m.d.in.conn } // norace
func (m *rdMsg) read() int { m.n++; return m.n } // norace

type rdInput struct{ conn int }

func newRDDecoder(conn int) *rdDecoder {
	d := &rdDecoder{}
	d.d = &rdMsg{d: d} // norace
	d.reset(conn)
	return d
}

func (d *rdDecoder) reset(conn int) {
	if d.in == nil {
		d.in = &rdInput{}
	}
	d.in.conn = conn // norace
	d.resetCommon()
}

func (d *rdDecoder) resetCommon() {
	d.d.reset()
	d.err = nil // norace
	d.depth = 0 // norace
}

func (d *rdDecoder) decode() {
	d.depth += d.d.read() // norace
	d.err = nil           // norace
}

// The same, but it is reset again when it is served.
func RD1b_resetAfterItStarts(conns []int) {
	for _, conn := range conns {
		c := &rdLate{}
		c.dec = newRDLateDecoder()
		go c.serve()
		c.dec.reset(conn)
	}
}

type rdLate struct{ dec *rdLateDecoder }

func (c *rdLate) serve() { c.dec.depth++ } // race! _.depth

type rdLateDecoder struct {
	self  *rdLateDecoder
	depth int
}

func newRDLateDecoder() *rdLateDecoder {
	d := &rdLateDecoder{}
	d.self = d
	return d
}

func (d *rdLateDecoder) reset(conn int) { d.self.depth = conn } // race! _.depth

// A round resets what the one before it has made.
func RD1c_resetByTheNext(conns []int) {
	var last *rdNext
	for _, conn := range conns {
		c := &rdNext{dec: newRDNextDecoder(conn)}
		if last != nil {
			last.dec.reset(conn)
		}
		go c.serve()
		last = c
	}
}

type rdNext struct{ dec *rdNextDecoder }

func (c *rdNext) serve() { c.dec.depth++ } // race! _.depth

type rdNextDecoder struct {
	self  *rdNextDecoder
	depth int
}

func newRDNextDecoder(conn int) *rdNextDecoder {
	d := &rdNextDecoder{}
	d.self = d
	d.reset(conn)
	return d
}

func (d *rdNextDecoder) reset(conn int) { d.self.depth = conn } // race! _.depth

// All clients have one decoder, which each round resets before it starts.
func RD1d_oneForAll(conns []int) {
	dec := newRDSharedDecoder()
	for _, conn := range conns {
		c := &rdSharing{dec: dec}
		c.dec.reset(conn)
		go c.serve()
	}
}

type rdSharing struct{ dec *rdSharedDecoder }

func (c *rdSharing) serve() { c.dec.depth++ } // race! _.depth

type rdSharedDecoder struct {
	self  *rdSharedDecoder
	depth int
}

func newRDSharedDecoder() *rdSharedDecoder {
	d := &rdSharedDecoder{}
	d.self = d
	return d
}

func (d *rdSharedDecoder) reset(conn int) { d.self.depth = conn } // race! _.depth

// A client can be found in a map before it is filled, by those that were started before.
func RD1e_foundBeforeFilled(conns []int) {
	s := &rdServer{clients: map[int]*rdFound{}}
	for _, conn := range conns {
		c := &rdFound{conn: conn}
		s.mu.Lock()
		s.clients[conn] = c
		s.mu.Unlock()
		c.dec = newRDFoundDecoder(conn) // race! _.dec
		go s.serve(c)
	}
}

type rdServer struct {
	mu      sync.Mutex
	clients map[int]*rdFound
}

type rdFound struct {
	conn int
	dec  *rdFoundDecoder
}

func (s *rdServer) serve(c *rdFound) {
	s.mu.Lock()
	other := s.clients[c.conn-1]
	s.mu.Unlock()
	if other != nil && other.dec != nil { // race! _.dec
		other.dec.decode() // race! _.dec
	}
}

type rdFoundDecoder struct {
	self  *rdFoundDecoder
	depth int
}

func newRDFoundDecoder(conn int) *rdFoundDecoder {
	d := &rdFoundDecoder{}
	d.self = d
	return d
}

func (d *rdFoundDecoder) decode() { d.depth++ } // race! _.depth

// The goroutine is started by the constructor, which has filled the object, by methods,
// before.
func RD2_startedByConstructor(names []string) []*rdOutput {
	var outs []*rdOutput
	for _, name := range names {
		outs = append(outs, newRDOutput(name))
	}
	return outs
}

type rdOutput struct {
	p     rdProducer
	stats rdStats
}

type rdProducer struct {
	o    *rdOutput
	name string
	sent int
}

type rdStats struct {
	o *rdOutput
	n int
}

func newRDOutput(name string) *rdOutput {
	o := &rdOutput{}
	o.p.init(o, name)
	o.stats.init(o)
	go o.run()
	return o
}

func (p *rdProducer) init(o *rdOutput, name string) {
	p.o, p.name = o, name // norace
	p.sent = len(name)    // norace
}

func (s *rdStats) init(o *rdOutput) {
	s.o = o // norace
	s.n = 1 // norace
}

func (o *rdOutput) run() {
	for range 3 {
		o.stats.o.p.o.p.sent++ // norace
		o.p.o.stats.n++        // norace
	}
}

// The same, but what is filled last is filled when the goroutine runs.
func RD2b_startedTooEarly(names []string) []*rdEarly {
	var outs []*rdEarly
	for _, name := range names {
		outs = append(outs, newRDEarly(name))
	}
	return outs
}

type rdEarly struct {
	stats rdEarlyStats
}

type rdEarlyStats struct {
	o *rdEarly
	n int
}

func newRDEarly(name string) *rdEarly {
	o := &rdEarly{}
	go o.run()
	o.stats.init(o, len(name))
	return o
}

func (s *rdEarlyStats) init(o *rdEarly, n int) {
	s.o = o // race! _.stats.o
	s.n = n // race! _.stats.n
}

func (o *rdEarly) run() {
	if o.stats.o != nil { // race! _.stats.o
		o.stats.n++ // race! _.stats.n
	}
}

// A command starts what its methods have put into a list of functions.
func RD3_functionsOfItsOwn(bodies []string) {
	for _, body := range bodies {
		cmd := &rdCommand{in: &rdReader{s: body}}
		cmd.start()
	}
}

type rdReader struct {
	s string
	i int
}

func (r *rdReader) read() {
	for r.i < len(r.s) { // norace
		r.i++ // norace
	}
}

type rdCommand struct {
	in    *rdReader
	funcs []func()
}

func (c *rdCommand) start() {
	c.stdin()
	for _, fn := range c.funcs {
		go fn()
	}
}

func (c *rdCommand) stdin() {
	c.funcs = append(c.funcs, func() { c.in.read() })
}

// The same, with one reader for all.
func RD3b_oneReader(bodies []string) {
	in := &rdOneReader{}
	for range bodies {
		cmd := &rdOneCommand{in: in}
		cmd.start()
	}
}

type rdOneReader struct {
	s string
	i int
}

func (r *rdOneReader) read() {
	for r.i < len(r.s) { // race! _.i
		r.i++ // race! _.i
	}
}

type rdOneCommand struct {
	in    *rdOneReader
	funcs []func()
}

func (c *rdOneCommand) start() {
	c.stdin()
	for _, fn := range c.funcs {
		go fn()
	}
}

func (c *rdOneCommand) stdin() {
	c.funcs = append(c.funcs, func() { c.in.read() })
}

// What is deferred in a round is done when all rounds are over, and the clients may be served
// still.
func RD4_deferredInItsRound(conns []int) {
	for _, conn := range conns {
		c := &rdDeferred{dec: &rdDeferredDecoder{}}
		c.dec.self = c.dec
		defer rdRelease(c, conn)
		go c.serve()
	}
}

type rdDeferred struct{ dec *rdDeferredDecoder }

type rdDeferredDecoder struct {
	self  *rdDeferredDecoder
	depth int
}

func (c *rdDeferred) serve() { c.dec.self.depth++ } // race! _.depth

func rdRelease(c *rdDeferred, conn int) *rdDeferred {
	c.dec.self.depth = conn // race! _.depth
	return c
}

// A constructor calls one that starts goroutines of its own, in a function with loops: those
// are of the object's round, too.
func RD5_startedFurtherDown(names []string) []*rdSink {
	var sinks []*rdSink
	for _, name := range names {
		sinks = append(sinks, newRDSink(name))
	}
	return sinks
}

type rdSink struct{ cl *rdConn }

func newRDSink(name string) *rdSink {
	s := &rdSink{cl: newRDConn(name)}
	go s.run()
	return s
}

func (s *rdSink) run() { _ = s.cl.stats.cl.name } // norace

type rdConn struct {
	name  string
	seeds []string
	stats rdConnStats
}

type rdConnStats struct {
	cl *rdConn
	n  int
}

func newRDConn(name string) *rdConn {
	cl := &rdConn{name: name}
	for range 2 {
		cl.seeds = append(cl.seeds, name)
	}
	cl.stats.init(cl)
	go cl.push()
	return cl
}

func (s *rdConnStats) init(cl *rdConn) {
	s.cl = cl // norace
	s.n = 1   // norace
}

func (cl *rdConn) push() {
	for range 3 {
		cl.stats.n++ // norace
	}
}
