package order

import (
	"runtime"
	"sync"
)

// The round takes an object from a pool, lends it to a goroutine, joins the
// goroutine and puts the object back.
func B24_pooledAndJoined() {
	for i := range 4 {
		m := newMixer()
		m.ch <- i
		m.close()
	}
}

type mixer struct {
	n  int
	ch chan int
	wg sync.WaitGroup
}

var mixers = sync.Pool{New: func() any { return &mixer{} }}

func newMixer() *mixer {
	m := mixers.Get().(*mixer)
	m.ch = make(chan int)
	m.wg.Add(1)
	go m.run()
	return m
}

func (m *mixer) run() {
	defer m.wg.Done()
	for v := range m.ch {
		m.n += v // assumed _.n
	}
}

func (m *mixer) close() {
	close(m.ch)
	m.wg.Wait()
	m.n = 0
	mixers.Put(m)
}

// The object is put back before the goroutine is joined.
func B24_putBeforeJoin() {
	for i := range 4 {
		b := newBlender()
		b.n = i // race! _.n
		b.close()
	}
}

type blender struct {
	n  int
	wg sync.WaitGroup
}

var blenders = sync.Pool{New: func() any { return &blender{} }}

func newBlender() *blender {
	b := blenders.Get().(*blender)
	b.wg.Add(1)
	go b.run()
	return b
}

func (b *blender) run() {
	b.n++ // race! _.n
	b.wg.Done()
}

func (b *blender) close() {
	blenders.Put(b)
	b.wg.Wait()
}

// Nobody waits for the goroutine.
func B24_putNotJoined() {
	for range 4 {
		s := newSifter()
		s.close()
	}
}

type sifter struct{ n int }

var sifters = sync.Pool{New: func() any { return &sifter{} }}

func newSifter() *sifter {
	s := sifters.Get().(*sifter)
	go s.run()
	return s
}

func (s *sifter) run() {
	s.n++ // race! _.n
}

func (s *sifter) close() { sifters.Put(s) }

// A round joins what the one before started, and that has put its object
// back at once.
func B24_putThenJoinedLater() {
	var last *grinder
	for range 4 {
		g := newGrinder()
		grinders.Put(g)
		if last != nil {
			last.wg.Wait()
		}
		last = g
	}
}

type grinder struct {
	n  int
	wg sync.WaitGroup
}

var grinders = sync.Pool{New: func() any { return &grinder{} }}

func newGrinder() *grinder {
	g := grinders.Get().(*grinder)
	g.wg.Add(1)
	go g.run()
	return g
}

func (g *grinder) run() {
	defer g.wg.Done()
	g.n++ // race! _.n
}

// A goroutine and its spawner take a buffer each, and pass what it holds on.

type keyBuffer struct{ buf []byte }

var (
	keys1 = sync.Pool{New: func() any { return &keyBuffer{make([]byte, 64)} }}
	keys2 = sync.Pool{New: func() any { return &keyBuffer{make([]byte, 64)} }}
	keys3 = sync.Pool{New: func() any { return &keyBuffer{make([]byte, 64)} }}
	keys4 = sync.Pool{New: func() any { return &keyBuffer{make([]byte, 64)} }}
	keys5 = sync.Pool{New: func() any { return &keyBuffer{make([]byte, 64)} }}
)

// B27_partPassed uses it until it is put back.
func B27_partPassed() {
	done := make(chan bool)
	go func() {
		defer close(done)
		b := keys1.Get().(*keyBuffer)
		putKey1(b.buf)
		keys1.Put(b)
	}()
	b := keys1.Get().(*keyBuffer)
	putKey1(b.buf)
	keys1.Put(b)
	<-done
}

func putKey1(buf []byte) {
	buf[0] = 1 // norace
}

// B27b_partAfterPut passes it when the buffer is back.
func B27b_partAfterPut() {
	ready := make(chan bool)
	done := make(chan bool)
	go func() {
		defer close(done)
		b := keys2.Get().(*keyBuffer)
		keys2.Put(b)
		ready <- true
		putKey2(b.buf)
	}()
	<-ready
	b := keys2.Get().(*keyBuffer)
	putKey2(b.buf)
	keys2.Put(b)
	<-done
}

func putKey2(buf []byte) {
	runtime.Gosched()
	buf[0] = 1 // race! buf[*]
}

// B27c_partKept keeps what the buffer holds.
func B27c_partKept() {
	ready := make(chan bool)
	done := make(chan bool)
	go func() {
		defer close(done)
		b := keys3.Get().(*keyBuffer)
		k := b.buf
		keys3.Put(b)
		ready <- true
		putKey3(k)
	}()
	<-ready
	b := keys3.Get().(*keyBuffer)
	putKey3(b.buf)
	keys3.Put(b)
	<-done
}

func putKey3(buf []byte) {
	runtime.Gosched()
	buf[0] = 1 // race! buf[*]
}

// B27d_bufferShared takes one buffer for both.
func B27d_bufferShared() {
	b := keys4.Get().(*keyBuffer)
	done := make(chan bool)
	go func() {
		defer close(done)
		putKey4(b.buf)
	}()
	putKey4(b.buf)
	<-done
}

func putKey4(buf []byte) {
	runtime.Gosched()
	buf[0] = 1 // race! buf[*]
}

// B27e_onePart gives all buffers one array.
func B27e_onePart() {
	one := make([]byte, 8)
	done := make(chan bool)
	go func() {
		defer close(done)
		b := keys5.Get().(*keyBuffer)
		b.buf = one
		putKey5(b.buf)
		keys5.Put(b)
	}()
	b := keys5.Get().(*keyBuffer)
	b.buf = one
	putKey5(b.buf)
	keys5.Put(b)
	<-done
}

func putKey5(buf []byte) {
	runtime.Gosched()
	buf[0] = 1 // race! buf[*]
}

// B28_otherPutBack returns what it has from one pool when it has put back what it has
// from another.
func B28_otherPutBack() {
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			s := fillVoucher(i > 2)
			_ = s.text // norace
			putVoucher(s)
		})
	}
	wg.Wait()
}

type voucher struct {
	text  string
	notes []string
}

var vouchers = sync.Pool{New: func() any { return new(voucher) }}

var folios = sync.Pool{New: func() any { return new([]byte) }}

func putVoucher(s *voucher) { vouchers.Put(s) }

func getFolio() *[]byte { return folios.Get().(*[]byte) }

func putFolio(b *[]byte) { folios.Put(b) }

func newVoucher(s *voucher) *voucher {
	if s == nil {
		s = vouchers.Get().(*voucher)
		s.text, s.notes = "", s.notes[:0] // norace
	}
	s.notes = append(s.notes, "new") // norace
	return s
}

func fillVoucher(long bool) *voucher {
	s := newVoucher(nil)
	if long {
		s = newVoucher(s)
	}
	b := getFolio()
	defer putFolio(b)
	*b = append((*b)[:0], s.notes[0]...) // norace
	s.text = string(*b)                  // norace
	return s
}

// B28b_returnedSpent returns what it puts back.
func B28b_returnedSpent() {
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			_ = spentChit().text // race! _.text
		})
	}
	wg.Wait()
}

type chit struct{ text string }

var chits = sync.Pool{New: func() any { return new(chit) }}

func getChit() *chit { return chits.Get().(*chit) }

func putChit(n *chit) { chits.Put(n) }

func spentChit() *chit {
	n := getChit()
	defer putChit(n)
	n.text = "new" // race! _.text
	return n
}
