package channel

import (
	"bytes"
	"sync"
)

// A block goes out to a reader and comes back; the reader keeps it in a field meanwhile, and
// forgets it there when it gives it back.
func TR1_keptInField() {
	s := newScroll()
	go s.readAhead()
	for range 3 {
		println(s.next())
	}
	close(s.stop)
}

type scroll struct {
	free, full chan []byte
	stop       chan bool
	current    []byte
	at         int
}

func newScroll() *scroll {
	s := &scroll{free: make(chan []byte, 2), full: make(chan []byte, 2), stop: make(chan bool)}
	for range 2 {
		s.free <- make([]byte, 4)
	}
	return s
}

func (s *scroll) readAhead() {
	for {
		var buf []byte
		select {
		case buf = <-s.free:
		case <-s.stop:
			return
		}
		buf[0]++ // assumed _[*]
		select {
		case s.full <- buf:
		case <-s.stop:
			s.free <- buf
			return
		}
	}
}

func (s *scroll) next() byte {
	if s.at == len(s.current) {
		s.current, s.at = <-s.full, 0
	}
	b := s.current[s.at] // assumed _[*]
	if s.at++; s.at == len(s.current) {
		s.free <- s.current
		s.current, s.at = nil, 0
	}
	return b
}

// TR1b_keptOn still has the block in the field when the other one fills it.
func TR1b_keptOn() {
	s := &papyrus{free: make(chan []byte, 2), full: make(chan []byte, 2)}
	s.free <- make([]byte, 4)
	go func() {
		for buf := range s.free {
			buf[0]++ // race! _[*]
			s.full <- buf
		}
	}()
	for range 3 {
		s.load()
		println(s.current[0]) // race! _[*]
	}
}

type papyrus struct {
	free, full chan []byte
	current    []byte
}

func (s *papyrus) load() {
	s.current = <-s.full
	s.free <- s.current
}

// TR1c_sentTwice has two readers of one block.
func TR1c_sentTwice() {
	s := &parchment{free: make(chan []byte, 2), full: make(chan []byte, 2)}
	s.free <- make([]byte, 4)
	go func() {
		for buf := range s.free {
			s.full <- buf
			s.full <- buf
		}
	}()
	go s.read()
	s.read()
}

type parchment struct {
	free, full chan []byte
	current    []byte
}

func (s *parchment) read() {
	for buf := range s.full {
		buf[0]++ // race! _[*]
		s.free <- buf
	}
}

// TR1d_listedToo has the blocks in a list, too.
func TR1d_listedToo() {
	s := &folio{full: make(chan *leafOf, 2)}
	go func() {
		for l := range s.full {
			l.n++ // race! _.n
		}
	}()
	s.put(&leafOf{})
	for _, l := range s.all {
		println(l.n) // race! _.n
	}
}

type leafOf struct{ n int }

type folio struct {
	full chan *leafOf
	all  []*leafOf
}

func (s *folio) put(l *leafOf) {
	s.list(l)
	s.full <- l
}

func (s *folio) list(l *leafOf) { s.all = append(s.all, l) }

// Full buffers go to goroutines, which put them back into a pool; what they make of them is sent
// on, each by a channel of its own, in the order of a queue.
func TR2_inOrder(text []byte) {
	p := newPress2()
	p.write(text)
	p.flush()
	close(p.queue)
	<-p.done
}

type press2 struct {
	pool  sync.Pool
	queue chan chan []byte
	cur   []byte
	sum   int
	done  chan bool
}

func newPress2() *press2 {
	p := &press2{queue: make(chan chan []byte, 4), done: make(chan bool)}
	p.pool.New = func() any { return make([]byte, 0, 16) }
	p.cur = p.pool.Get().([]byte)
	go p.collect()
	return p
}

func (p *press2) collect() {
	defer close(p.done)
	for c := range p.queue {
		out := <-c
		for _, b := range out { // assumed _[*]
			p.sum += int(b)
		}
		p.pool.Put(out[:0])
	}
}

func (p *press2) write(text []byte) {
	for _, b := range text {
		if p.cur = append(p.cur, b); len(p.cur) == 16 { // assumed _[*]
			p.flush()
		}
	}
}

func (p *press2) flush() {
	full := p.cur
	c := make(chan []byte, 1)
	p.queue <- c
	go p.squeeze(full, c)
	p.cur = p.pool.Get().([]byte)[:0]
}

func (p *press2) squeeze(in []byte, c chan []byte) {
	out := p.pool.Get().([]byte)[:0]
	for _, b := range in {
		out = append(out, b+1) // assumed _[*]
	}
	p.pool.Put(in[:0])
	c <- out
}

// TR2b_goesOn writes to the buffer that the goroutine has.
func TR2b_goesOn(text []byte) {
	p := &press3{done: make(chan bool), cur: make([]byte, 16)}
	for range 2 {
		p.flush()
	}
	<-p.done
}

type press3 struct {
	cur  []byte
	done chan bool
}

func (p *press3) flush() {
	go func(b []byte) {
		println(b[0]) // race! _[*]
		p.done <- true
	}(p.cur)
	p.cur[0]++ // race! _[*]
}

// TR3_stateInTurn has one state, which goes from each goroutine to the next one.
func TR3_stateInTurn() {
	s := newInTurn()
	for i := range 5 {
		s.add(func(t *turn) {
			if i > 2 {
				t.get().code = i // assumed _.code
			}
		})
	}
	last := make(chan int, 1)
	s.add(func(t *turn) { last <- t.get().code }) // assumed _.code
	println(<-last)
}

type turnState struct{ code int }

type turn struct {
	prev <-chan *turnState
	st   *turnState
}

func (t *turn) get() *turnState {
	if t.st == nil {
		t.st = <-t.prev
	}
	return t.st
}

type inTurn struct{ prev <-chan *turnState }

func newInTurn() *inTurn {
	first := make(chan *turnState, 1)
	first <- &turnState{}
	return &inTurn{prev: first}
}

func (s *inTurn) add(f func(*turn)) {
	t := &turn{prev: s.prev}
	next := make(chan *turnState, 1)
	s.prev = next
	go func() {
		f(t)
		next <- t.get()
	}()
}

// TR3b_afterItsTurn goes on with a state that it has passed on.
func TR3b_afterItsTurn() {
	prev := make(chan *lateState, 1)
	prev <- &lateState{}
	for range 5 {
		next := make(chan *lateState, 1)
		go func(prev chan *lateState) {
			st := <-prev
			next <- st
			st.code++ // race! _.code
		}(prev)
		prev = next
	}
	println((<-prev).code) // race! _.code
}

type lateState struct{ code int }

// TR4_swapped has two buffers, which change places.
func TR4_swapped(n int) {
	req, res := make(chan []byte), make(chan []byte)
	go func() {
		buf := make([]byte, 8)
		for {
			res <- buf
			next, ok := <-req
			if !ok {
				return
			}
			buf = next
			println(buf[0]) // assumed _[*]
		}
	}()
	w := &swapper{buf: make([]byte, 8), req: req, res: res}
	for i := range n {
		w.flush(byte(i))
	}
	close(req)
}

type swapper struct {
	buf      []byte
	req, res chan []byte
}

func (w *swapper) flush(b byte) {
	w.buf[0] = b // assumed _[*]
	other := <-w.res
	w.req <- w.buf
	w.buf = other
}

// TR5_sharedByRequests has requests that all refer to one state.
func TR5_sharedByRequests() {
	st := &tally{}
	in := make(chan *vote)
	for range 2 {
		go func() {
			for r := range in {
				r.of.n++ // race! st.n
				r.done <- true
			}
		}()
	}
	go cast(in, st)
	cast(in, st)
}

type tally struct{ n int }

type vote struct {
	of   *tally
	done chan bool
}

func cast(in chan *vote, st *tally) {
	r := &vote{st, make(chan bool, 1)}
	in <- r
	<-r.done
}

// TR6_wrapped has the block in a buffer while it is filled.
func TR6_wrapped() {
	free, full := make(chan []byte, 2), make(chan []byte, 2)
	free <- make([]byte, 8)
	go func() {
		for b := range free {
			w := bytes.NewBuffer(b[:0])
			w.WriteByte(1) // norace
			full <- w.Bytes()
		}
		close(full)
	}()
	for b := range full {
		println(b[0]) // norace
		free <- b
	}
}

// TR6b_goesOn fills the block after it has sent it.
func TR6b_goesOn() {
	full := make(chan []byte, 2)
	go func() {
		b := make([]byte, 8)
		full <- b
		b[0]++ // race! _[*]
	}()
	println((<-full)[0]) // race! _[*]
}

// A full batch is sent, and another one begun, under the lock.
func TR7_batchUnderLock() {
	c := &crate{items: make([]int, 0, 4), out: make(chan []int, 4)}
	done := make(chan bool)
	go func() {
		for b := range c.out {
			for _, x := range b { // norace
				_ = x
			}
		}
		done <- true
	}()
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() { c.add(i) })
	}
	wg.Wait()
	close(c.out)
	<-done
}

type crate struct {
	mu    sync.Mutex
	items []int
	out   chan []int
}

func (c *crate) add(x int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.items = append(c.items, x) // norace
	if len(c.items) == cap(c.items) {
		c.out <- c.items
		c.items = make([]int, 0, 4)
	}
}

// TR7b_batchReused begins the next batch in the memory of the one that was sent.
func TR7b_batchReused() {
	c := &basket{items: make([]int, 0, 4), out: make(chan []int, 4)}
	done := make(chan bool)
	go func() {
		for b := range c.out {
			for _, x := range b { // race! _[*]
				_ = x
			}
		}
		done <- true
	}()
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() { c.add(i) })
	}
	wg.Wait()
	close(c.out)
	<-done
}

type basket struct {
	mu    sync.Mutex
	items []int
	out   chan []int
}

func (c *basket) add(x int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.items = append(c.items, x) // race! _[*]
	if len(c.items) == cap(c.items) {
		c.out <- c.items
		c.items = c.items[:0]
	}
}

// Two variables change places before one is sent and the other one put back.
func TR8_changePlaces() {
	free, full := make(chan []byte, 4), make(chan []byte, 4)
	for range 4 {
		free <- make([]byte, 8)
	}
	go func() {
		for {
			in, out := <-free, <-free
			func() {
				if in[0] = 1; len(in) > 4 { // assumed _[*]
					in, out = out, in
				}
				full <- out
				free <- in
			}()
		}
	}()
	for range 4 {
		b := <-full
		println(b[0]) // assumed _[*]
		free <- b
	}
}

// TR8b_sentBefore sends one of the two before they change places.
func TR8b_sentBefore() {
	full, more := make(chan []byte, 4), make(chan []byte, 4)
	go func() {
		in, out := make([]byte, 8), make([]byte, 8)
		func() {
			full <- out
			in, out = out, in
			more <- in
		}()
	}()
	go func() {
		b := <-more
		b[0]++ // race! _[*]
	}()
	b := <-full
	b[0]++ // race! _[*]
}

// The other side closes the channel by which it was sent something when it is done with it.
func TR9_sameChannelBack() {
	queue := make(chan chan *brick)
	go func() {
		for c := range queue {
			b := <-c
			println(b.n) // assumed _.n
			close(c)
		}
	}()
	for i := range 3 {
		c := make(chan *brick)
		queue <- c
		go func() {
			b := &brick{}
			b.n = i
			c <- b
			<-c
			b.n = 0 // assumed _.n
		}()
	}
}

type brick struct{ n int }

// TR9b_notWaited does not wait for that.
func TR9b_notWaited() {
	queue := make(chan chan *cobble)
	go func() {
		for c := range queue {
			b := <-c
			println(b.n) // race! _.n
			close(c)
		}
	}()
	for range 3 {
		c := make(chan *cobble)
		queue <- c
		go func() {
			b := &cobble{}
			c <- b
			b.n = 0 // race! _.n
			<-c
		}()
	}
}

type cobble struct{ n int }

// A batch is sent by a literal, which begins another one.
func TR10_sentByLiteral() {
	out := make(chan []int)
	go func() {
		defer close(out)
		batch := make([]int, 0, 8)
		send := func() {
			if len(batch) == 0 {
				return
			}
			out <- batch
			batch = make([]int, 0, 8)
		}
		for v := range 50 {
			if batch = append(batch, v); len(batch) == 8 { // assumed _[*]
				send()
			}
		}
		send()
	}()
	for b := range out {
		for i := range b {
			b[i] *= 2 // assumed _[*]
		}
	}
}

// TR10b_cut begins it in the memory of the one that was sent.
func TR10b_cut() {
	out := make(chan []int)
	go func() {
		defer close(out)
		batch := make([]int, 0, 8)
		send := func() {
			out <- batch
			batch = batch[:0]
		}
		for v := range 50 {
			if batch = append(batch, v); len(batch) == 8 { // race! _[*]
				send()
			}
		}
	}()
	for b := range out {
		for i := range b {
			b[i] *= 2 // race! _[*]
		}
	}
}

// TR10c_atTimes begins another one at times.
func TR10c_atTimes() {
	out := make(chan []int)
	go func() {
		defer close(out)
		batch := make([]int, 0, 8)
		send := func(last bool) {
			out <- batch
			if !last {
				batch = make([]int, 0, 8)
			}
		}
		for v := range 50 {
			if batch = append(batch, v); len(batch) == 8 { // race! _[*]
				send(v > 40)
			}
		}
	}()
	for b := range out {
		for i := range b {
			b[i] *= 2 // race! _[*]
		}
	}
}

// TR10d_putBack puts the same one into the variable again.
func TR10d_putBack() {
	out := make(chan []int)
	go func() {
		defer close(out)
		batch := make([]int, 0, 8)
		send := func() {
			old := batch
			out <- batch
			batch = old
		}
		for v := range 50 {
			if batch = append(batch, v); len(batch) == 8 { // race! _[*]
				send()
			}
		}
	}()
	for b := range out {
		for i := range b {
			b[i] *= 2 // race! _[*]
		}
	}
}

// TR10e_foundBefore goes on with what it has found in the variable before.
func TR10e_foundBefore() {
	out := make(chan []int)
	go func() {
		defer close(out)
		batch := make([]int, 8)
		send := func() {
			out <- batch
			batch = make([]int, 8)
		}
		for v := range 50 {
			b := batch
			send()
			b[0] = v // race! _[*]
		}
	}()
	for b := range out {
		for i := range b {
			b[i] *= 2 // race! _[*]
		}
	}
}

// TR10f_beforeIt sets the variable before it sends.
func TR10f_beforeIt() {
	out := make(chan []int)
	go func() {
		defer close(out)
		batch := make([]int, 0, 8)
		send := func() {
			batch = make([]int, 0, 8)
			out <- batch
		}
		for v := range 50 {
			if batch = append(batch, v); len(batch) == 8 { // race! _[*]
				send()
			}
		}
	}()
	for b := range out {
		for i := range b {
			b[i] *= 2 // race! _[*]
		}
	}
}
