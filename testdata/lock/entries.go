package lock

import "sync"

// Several entry points are given, or make, an object with a lock of its own. They
// run at different times: of all these locks there is one at a time.

func EN1_made() { newFilled(1).start() }

func EN1_madeToo() { newFilled(2).start() }

func EN1_given(f *filled) { f.start() }

func newFilled(n int) *filled { return &filled{buf: make([]int, n)} }

type filled struct {
	mu  sync.Mutex
	buf []int
}

// start, and what it calls, is one for all callers.
func (f *filled) start() { f.begin() }

func (f *filled) begin() { f.both() }

func (f *filled) both() {
	done := make(chan bool)
	go func() {
		f.once()
		close(done)
	}()
	f.once()
	<-done
}

func (f *filled) once() {
	f.mu.Lock()
	w := &filler{f.buf}
	w.fill()
	f.mu.Unlock()
}

type filler struct{ buf []int }

func (w *filler) fill() { w.buf[0]++ } // norace

// Two objects of one entry point share a buffer, and each has its lock.
func EN2_twoLocks() {
	newPaired(1).start()
	newPaired(2).start()
}

func newPaired(n int) *paired { return &paired{buf: make([]int, n)} }

type paired struct {
	mu   sync.Mutex
	buf  []int
	peer *paired
}

func (s *paired) start() { s.begin() }

func (s *paired) begin() {
	s.peer = &paired{buf: s.buf}
	s.both()
}

func (s *paired) both() {
	done := make(chan bool)
	go func() {
		s.peer.once()
		close(done)
	}()
	s.once()
	<-done
}

func (s *paired) once() {
	s.mu.Lock()
	w := &sharedFiller{s.buf}
	w.fill()
	s.mu.Unlock()
}

type sharedFiller struct{ buf []int }

func (w *sharedFiller) fill() { w.buf[0]++ } // race! buf[*]

// What the package's initialiser makes is there beside what an entry point makes.
func EN3_initial() { newLogger(standard.buf).start() }

var standard = newLogger(make([]int, 4))

func newLogger(buf []int) *logger { return &logger{buf: buf} }

type logger struct {
	mu  sync.Mutex
	buf []int
}

func (l *logger) start() { l.begin() }

func (l *logger) begin() {
	done := make(chan bool)
	go func() {
		standard.once()
		close(done)
	}()
	l.once()
	<-done
}

func (l *logger) once() {
	l.mu.Lock()
	w := &logFiller{l.buf}
	w.fill()
	l.mu.Unlock()
}

type logFiller struct{ buf []int }

func (w *logFiller) fill() { w.buf[0]++ } // race! standard.buf[*]
