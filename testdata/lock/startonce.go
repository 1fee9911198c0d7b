package lock

import (
	"errors"
	"sync"
	"sync/atomic"
	"time"
)

// A goroutine is started the first time that something happens, under a lock; a field says
// whether it has been. Here it is the field that the goroutine uses.
func SO1_pointer() {
	s := &lazyWorker{}
	for range n {
		go s.changed()
	}
}

type lazyWorker struct {
	mu    sync.Mutex
	ticks *lazyTicks
}

type lazyTicks struct{ n int }

func (s *lazyWorker) changed() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ticks != nil { // norace
		return
	}
	s.ticks = &lazyTicks{} // norace
	go s.count()
}

func (s *lazyWorker) count() { useCount(s.ticks.n) } // norace

// The field is set first, and what the goroutine uses afterwards.
func SO2_setFirst() {
	s := &starting{}
	for range n {
		go s.start()
	}
}

type starting struct {
	mu      sync.Mutex
	running bool
	quit    chan bool
	sum     int
}

func (s *starting) start() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.running {
		return errors.New("running")
	}
	s.running = true
	s.quit = make(chan bool) // norace
	s.sum = 1                // norace
	go s.loop()
	return nil
}

func (s *starting) loop() {
	for {
		select {
		case <-s.quit: // norace
			return
		default:
			s.sum++ // norace
		}
	}
}

// The lock is not held any more when the rest is done.
func SO3_unlocked() {
	s := &starting{}
	for range n {
		go s.startUnlocked()
	}
}

func (s *starting) startUnlocked() {
	s.mu.Lock()
	if s.running {
		s.mu.Unlock()
		return
	}
	s.running = true
	s.mu.Unlock()
	s.quit = make(chan bool) // norace
	s.sum = 1                // norace
	go s.loop()
}

// The goroutine is a literal, and tells when it is done.
func SO4_literal() {
	s := &starting{}
	for range n {
		go s.startLiteral()
	}
}

func (s *starting) startLiteral() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.running {
		s.running = true
		s.quit = make(chan bool) // norace
		go func() {
			<-s.quit // norace
			s.mu.Lock()
			s.sum++
			s.mu.Unlock()
		}()
	}
	s.sum++
}

// The flag is atomic.
func SO5_atomic() {
	s := &startingAtomic{}
	for range n {
		go s.start()
	}
}

type startingAtomic struct {
	running atomic.Bool
	quit    chan bool
}

func (s *startingAtomic) start() {
	if !s.running.CompareAndSwap(false, true) {
		return
	}
	s.quit = make(chan bool) // norace
	go s.loop()
}

func (s *startingAtomic) loop() { <-s.quit } // norace

// Who asks is told whether it is his to start.
func SO6_told() {
	s := &starting{}
	for range n {
		go s.startIfFirst()
	}
}

func (s *starting) first() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.running {
		return false
	}
	s.running = true
	return true
}

func (s *starting) startIfFirst() {
	if !s.first() {
		return
	}
	s.quit = make(chan bool) // norace
	s.sum = 1                // norace
	go s.loop()
}

// The field is set when the goroutine has been started, under the lock still.
func SO7_setLast() {
	s := &starting{}
	for range n {
		go s.startThenSet()
	}
}

func (s *starting) startThenSet() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.running {
		return
	}
	s.quit = make(chan bool) // norace
	s.sum = 1                // norace
	go s.loop()
	s.running = true
}

// What is started uses what the starter's helpers have set before.
func SO8_prepared() {
	s := &starting{}
	for range n {
		go s.startPrepared()
	}
}

func (s *starting) prepare() {
	s.quit = make(chan bool) // norace
	s.sum = 1                // norace
}

func (s *starting) startPrepared() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.running {
		return
	}
	s.running = true
	s.prepare()
	go s.loop()
}

// The goroutine starts another one.
func SO9_nested() {
	s := &starting{}
	for range n {
		go s.startNested()
	}
}

func (s *starting) startNested() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.running {
		return
	}
	s.running = true
	s.quit = make(chan bool) // norace
	s.sum = 1                // norace
	go func() { go s.loop() }()
}

// Who stops it lets it be started again, while the goroutine has not ended.
func SO10_again() {
	s := &restarting{}
	for range n {
		go s.start()
		go s.stop()
	}
}

type restarting struct {
	mu      sync.Mutex
	running bool
	quit    chan bool
}

func (s *restarting) start() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.running {
		return
	}
	s.running = true
	s.quit = make(chan bool) // race! s.quit
	go s.loop()
}

func (s *restarting) stop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.running {
		s.running = false
		close(s.quit)
	}
}

func (s *restarting) loop() {
	for {
		select {
		case <-s.quit: // race! s.quit
			return
		default:
		}
	}
}

// Something is set when the goroutine runs already.
func SO11_startedTooEarly() {
	s := &startingEarly{}
	for range n {
		go s.start()
	}
}

type startingEarly struct {
	mu      sync.Mutex
	running bool
	sum     int
}

func (s *startingEarly) start() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.running {
		return
	}
	s.running = true
	go s.loop()
	s.sum = 1 // race! s.sum
}

func (s *startingEarly) loop() { s.sum++ } // race! s.sum

// Two goroutines are started, and use one thing.
func SO12_two() {
	s := &startingTwo{}
	for range n {
		go s.start()
	}
}

type startingTwo struct {
	mu      sync.Mutex
	running bool
	sum     int
}

func (s *startingTwo) start() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.running {
		return
	}
	s.running = true
	s.sum = 1 // norace
	for range 2 {
		go s.loop()
	}
}

func (s *startingTwo) loop() { s.sum++ } // race! s.sum

// The field is tested under one lock, and set when that has been released meanwhile.
func SO13_testedEarlier() {
	s := &startingLate{}
	for range n {
		go s.start()
	}
}

type startingLate struct {
	mu      sync.Mutex
	running bool
	quit    chan bool
}

func (s *startingLate) start() {
	s.mu.Lock()
	running := s.running
	s.mu.Unlock()
	if running {
		return
	}
	s.mu.Lock()
	s.running = true
	s.quit = make(chan bool) // race! s.quit
	go s.loop()
	s.mu.Unlock()
}

func (s *startingLate) loop() { <-s.quit } // race! s.quit

// What the goroutine uses is common to two that are started.
func SO14_ofTwo() {
	log := &lazyTicks{}
	x, y := &startingShared{log: log}, &startingShared{log: log}
	for range n {
		go x.start()
		go y.start()
	}
}

type startingShared struct {
	mu      sync.Mutex
	running bool
	log     *lazyTicks
}

func (s *startingShared) start() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.running {
		return
	}
	s.running = true
	s.log.n = 1 // race! log.n
	go s.loop()
}

func (s *startingShared) loop() { s.log.n++ } // race! log.n

// Someone else than the goroutine uses what is being set.
func SO15_askedByOthers() {
	s := &startingAsked{}
	for range n {
		go s.start()
		go s.ask()
	}
}

type startingAsked struct {
	mu      sync.Mutex
	running bool
	sum     int
}

func (s *startingAsked) start() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.running {
		return
	}
	s.running = true
	s.sum = 1 // race! s.sum
	go s.loop()
}

func (s *startingAsked) loop() { useCount(s.sum) } // norace

func (s *startingAsked) ask() { useCount(s.sum) } // race! s.sum

// The first starts several, one after the other, by a method that prepares each.
func SO16_each() {
	s := &startingEach{}
	for range n {
		go s.start()
	}
}

type startingEach struct {
	mu      sync.Mutex
	running bool
	sum     int
}

func (s *startingEach) start() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.running {
		return
	}
	s.running = true
	for range 2 {
		s.one()
	}
}

func (s *startingEach) one() {
	s.sum = 1 // race! s.sum
	go s.loop()
}

func (s *startingEach) loop() { useCount(s.sum) } // race! s.sum

// The goroutine itself lets another be started, and goes on.
func SO17_endsTooEarly() {
	s := &startingSelf{}
	for range n {
		go s.start()
	}
}

type startingSelf struct {
	mu      sync.Mutex
	running bool
	sum     int
}

func (s *startingSelf) start() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.running {
		return
	}
	s.running = true
	s.sum = 1 // race! s.sum
	go s.loop()
}

func (s *startingSelf) loop() {
	s.mu.Lock()
	s.running = false
	s.mu.Unlock()
	s.sum++ // race! s.sum
}

// The field is set after the lock is released: another finds it not to be.
func SO18_setTooLate() {
	s := &startingLast{}
	for range n {
		go s.start()
	}
}

func (s *startingLast) start() {
	s.mu.Lock()
	if s.running { // race! s.running
		s.mu.Unlock()
		return
	}
	s.sum = 1 // race! s.sum
	go s.loop()
	s.mu.Unlock()
	s.running = true // race! s.running
}

type startingLast struct {
	mu      sync.Mutex
	running bool
	sum     int
}

func (s *startingLast) loop() { useCount(s.sum) } // race! s.sum

// The atomic flag is set back.
func SO19_atomicAgain() {
	s := &restartingAtomic{}
	for range n {
		go s.start()
		go s.stop()
	}
}

type restartingAtomic struct {
	running atomic.Bool
	quit    chan bool
}

func (s *restartingAtomic) start() {
	if !s.running.CompareAndSwap(false, true) {
		return
	}
	s.quit = make(chan bool) // race! s.quit
	go s.loop()
}

func (s *restartingAtomic) loop() { <-s.quit } // race! s.quit

func (s *restartingAtomic) stop() { s.running.Store(false) }

// One function starts it, stops it and starts it again.
func SO20_inTurn() {
	s := &restartingInTurn{}
	s.start()
	s.stop()
	s.start()
}

type restartingInTurn struct {
	mu      sync.Mutex
	running bool
	quit    chan bool
}

func (s *restartingInTurn) start() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.running {
		return
	}
	s.running = true
	s.quit = make(chan bool) // race! s.quit
	go s.loop()
}

func (s *restartingInTurn) stop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.running {
		s.running = false
		close(s.quit)
	}
}

func (s *restartingInTurn) loop() { <-s.quit } // race! s.quit

// It is stopped by replacing all that it has.
func SO21_replaced() {
	s := &restartingWhole{}
	for range n {
		go s.start()
		go s.stop()
	}
}

type restartingWhole struct {
	mu    sync.Mutex
	state wholeState
}

type wholeState struct {
	running bool
	quit    chan bool
}

func (s *restartingWhole) start() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.state.running {
		return
	}
	s.state.running = true
	s.state.quit = make(chan bool) // race! s.state.quit
	go s.loop()
}

func (s *restartingWhole) stop() {
	s.mu.Lock()
	s.state = wholeState{} // race! s.state.quit
	s.mu.Unlock()
}

func (s *restartingWhole) loop() { <-s.state.quit } // race! s.state.quit

// One of two goroutines is started by a goroutine, in a function that is called twice.
func SO22_nestedTwice() {
	s := &startingNested{}
	for range n {
		go s.start()
	}
}

type startingNested struct {
	mu      sync.Mutex
	running bool
	sum     int
}

func (s *startingNested) start() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.running {
		return
	}
	s.running = true
	s.sum = 1 // norace
	go func() {
		s.fork()
		s.fork()
	}()
}

func (s *startingNested) fork() { go s.loop() }

func (s *startingNested) loop() { s.sum++ } // race! s.sum

// What prepares it is called again when it has been started.
func SO23_preparedAgain() {
	s := &startingPrepared{}
	for range n {
		go s.start()
	}
}

type startingPrepared struct {
	mu      sync.Mutex
	running bool
	sum     int
}

func (s *startingPrepared) start() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.running {
		return
	}
	s.running = true
	for range 2 {
		s.prepare()
		go s.loop()
	}
}

func (s *startingPrepared) prepare() { s.sum = 1 } // race! s.sum

func (s *startingPrepared) loop() { useCount(s.sum) } // race! s.sum

// A function that the body of a Once runs twice prepares and starts, each time.
func SO24_onceEach() {
	s := &onceEach{}
	for range n {
		go s.once.Do(s.start)
	}
}

type onceEach struct {
	once sync.Once
	sum  int
}

func (s *onceEach) start() {
	for range 2 {
		s.one()
	}
}

func (s *onceEach) one() {
	s.sum = 1 // race! s.sum
	go s.loop()
}

func (s *onceEach) loop() { useCount(s.sum) } // race! s.sum

// All of it stands in package variables.
func SO25_package() {
	for range n {
		go startPackage()
	}
}

var (
	startMu   sync.Mutex
	startQuit chan bool
	startSum  int
)

func startPackage() {
	startMu.Lock()
	defer startMu.Unlock()
	if startQuit == nil {
		startQuit = make(chan bool) // norace
		startSum = 1                // norace
		go loopPackage()
	}
}

func loopPackage() {
	for {
		select {
		case <-startQuit: // norace
			return
		default:
			startSum++ // norace
		}
	}
}

// A function that is made by the first says that there is one.
func SO26_function() {
	s := &startingFunc{}
	for range n {
		go s.start()
	}
}

type startingFunc struct {
	mu   sync.Mutex
	stop func()
	quit chan bool
}

func (s *startingFunc) start() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stop != nil {
		return
	}
	s.quit = make(chan bool)               // norace
	s.stop = sync.OnceFunc(s.closeChannel) // norace
	go s.loop()
}

func (s *startingFunc) closeChannel() { close(s.quit) }

func (s *startingFunc) loop() {
	<-s.quit // norace
	s.stop() // norace
}

// A timer's function is started once, and again by who sets the timer anew.
func SO27_timer() {
	s := &startingTimer{}
	for range n {
		go s.start()
		go s.kick()
	}
}

type startingTimer struct {
	mu      sync.Mutex
	running bool
	timer   *time.Timer
	sum     int
}

func (s *startingTimer) start() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.running {
		return
	}
	s.running = true
	s.timer = time.AfterFunc(time.Hour, s.tick)
}

func (s *startingTimer) kick() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.timer != nil {
		s.timer.Reset(0)
	}
}

func (s *startingTimer) tick() { s.sum++ } // race! s.sum

// Two places start one, each if nobody has yet.
func SO28_twoPlaces() {
	s := &sending{}
	s.send()
	s.finish()
}

type sending struct {
	sent atomic.Bool
	sum  int
}

func (s *sending) send() {
	if s.sent.CompareAndSwap(false, true) {
		go s.run()
	}
}

func (s *sending) finish() {
	if s.sent.CompareAndSwap(false, true) {
		go s.run()
	}
}

func (s *sending) run() { s.sum++ } // norace

// Each under the lock.
func SO29_twoPlacesLocked() {
	s := &sendingLocked{}
	for range n {
		go s.send()
	}
	s.finish()
}

type sendingLocked struct {
	mu   sync.Mutex
	sent bool
	sum  int
}

func (s *sendingLocked) send() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.sent {
		s.sent = true
		go s.run()
	}
}

func (s *sendingLocked) finish() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.sent {
		return
	}
	s.sent = true
	go s.run()
}

func (s *sendingLocked) run() { s.sum++ } // norace

// The second one gives it back first.
func SO30_givenBackBetween() {
	s := &sendingAgain{}
	s.send()
	s.finish()
}

type sendingAgain struct {
	sent atomic.Bool
	sum  int
}

func (s *sendingAgain) send() {
	if s.sent.CompareAndSwap(false, true) {
		go s.run()
	}
}

func (s *sendingAgain) finish() {
	s.sent.Store(false)
	if s.sent.CompareAndSwap(false, true) {
		go s.run()
	}
}

func (s *sendingAgain) run() { s.sum++ } // race! s.sum

// Each place has its own flag.
func SO31_twoFlags() {
	s := &sendingTwice{}
	s.send()
	s.finish()
}

type sendingTwice struct {
	sent, finished atomic.Bool
	sum            int
}

func (s *sendingTwice) send() {
	if s.sent.CompareAndSwap(false, true) {
		go s.run()
	}
}

func (s *sendingTwice) finish() {
	if s.finished.CompareAndSwap(false, true) {
		go s.run()
	}
}

func (s *sendingTwice) run() { s.sum++ } // race! s.sum

// One of the places does not look at the flag.
func SO32_setOnly() {
	s := &sendingAnyway{}
	s.send()
	s.finish()
}

type sendingAnyway struct {
	sent atomic.Bool
	sum  int
}

func (s *sendingAnyway) send() {
	if s.sent.CompareAndSwap(false, true) {
		go s.run()
	}
}

func (s *sendingAnyway) finish() {
	s.sent.Store(true)
	go s.run()
}

func (s *sendingAnyway) run() { s.sum++ } // race! s.sum

// One place starts two.
func SO33_twoByOne() {
	s := &sendingBoth{}
	s.send()
	s.finish()
}

type sendingBoth struct {
	sent atomic.Bool
	sum  int
}

func (s *sendingBoth) send() {
	if s.sent.CompareAndSwap(false, true) {
		go s.run()
	}
}

func (s *sendingBoth) finish() {
	if s.sent.CompareAndSwap(false, true) {
		go s.run()
		go s.run()
	}
}

func (s *sendingBoth) run() { s.sum++ } // race! s.sum

// Two methods start the request, each if nobody has sent it, and what the goroutine changes hangs on the call by a
// closure only. That a request has one call, with one flag, is not seen.
func SO9_eitherMethod(a, b *outgoing) {
	c := newDuplexCall(a)
	c.send()
	c.closeWrite()
	d := newDuplexCall(b)
	d.send()
	d.closeWrite()
}

func newDuplexCall(req *outgoing) *duplexCall {
	c := &duplexCall{}
	c.onSend = func() {
		req.method = "POST" // race _.method; the flags may be two
	}
	return c
}

type outgoing struct{ method string }

type duplexCall struct {
	sent   atomic.Bool
	onSend func()
}

func (c *duplexCall) send() {
	first := c.sent.CompareAndSwap(false, true)
	if first {
		go c.request()
	}
}

func (c *duplexCall) closeWrite() {
	if c.sent.CompareAndSwap(false, true) {
		go c.request()
	}
}

func (c *duplexCall) request() { c.onSend() }

// One of the two does not ask.
func SO9b_doesNotAsk(a, b *outgoing) {
	c := newHastyCall(a)
	c.send()
	c.closeWrite()
	d := newHastyCall(b)
	d.send()
	d.closeWrite()
}

func newHastyCall(req *outgoing) *hastyCall {
	c := &hastyCall{}
	c.onSend = func() {
		req.method = "POST" // race! _.method
	}
	return c
}

type hastyCall struct {
	sent   atomic.Bool
	onSend func()
}

func (c *hastyCall) send() {
	if c.sent.CompareAndSwap(false, true) {
		go c.request()
	}
}

func (c *hastyCall) closeWrite() { go c.request() }

func (c *hastyCall) request() { c.onSend() }
