package lock

import (
	"errors"
	"sync"
)

// A lazyImage is computed by whoever asks first, under a lock; the flag is tested and set
// under it, too.
type lazyImage struct {
	mu       sync.Mutex
	computed bool
	size     int
	layers   []int
}

func (i *lazyImage) compute() {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.computed { // norace
		return
	}
	i.size = 3                // norace
	i.layers = []int{1, 2, 3} // norace
	i.computed = true         // norace
}

func (i *lazyImage) total() int {
	i.compute()
	return i.size + i.layers[0] // norace
}

func PL1_computedOnce() {
	i := &lazyImage{}
	for range n {
		go func() { i.total() }()
	}
}

// The flag is not set where it fails, and who uses the result asks whether it did.
type lazyFile struct {
	mu     sync.Mutex
	parsed bool
	text   string
	bad    bool
	size   int
}

func (f *lazyFile) parse() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.parsed {
		return nil
	}
	if f.bad {
		return errors.New("bad")
	}
	f.text = "text" // norace
	f.size = 4      // race! f.size
	f.parsed = true
	return nil
}

func (f *lazyFile) get() (string, error) {
	if err := f.parse(); err != nil {
		return "", err
	}
	return f.text, nil // norace
}

func PL2_fails() {
	f := &lazyFile{bad: n == 7}
	for range n {
		go func() { f.get() }()
		go func() {
			if f.parse() != nil {
				return
			}
		}()
	}
}

// Who does not ask may use what another is just writing.
func PL2b_notAsked() {
	f := &lazyFile{bad: n == 7}
	for range n {
		go func() {
			f.parse()
			useCount(f.size) // race! f.size
		}()
	}
}

// The flag is taken back.
type lazyCache struct {
	mu    sync.Mutex
	valid bool
	sum   int
}

func (c *lazyCache) load() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.valid {
		return
	}
	c.sum = 4 // race! c.sum
	c.valid = true
}

func (c *lazyCache) drop() {
	c.mu.Lock()
	c.valid = false
	c.mu.Unlock()
}

func PL3_takenBack() {
	c := &lazyCache{}
	for i := range n {
		go func() {
			c.load()
			useCount(c.sum) // race! c.sum
			if i == 2 {
				c.drop()
			}
		}()
	}
}

// The flag is set before what it announces is done, when the lock is not held.
type lazyEarly struct {
	mu   sync.Mutex
	done bool
	sum  int
}

func (e *lazyEarly) load() {
	e.mu.Lock()
	if e.done {
		e.mu.Unlock()
		return
	}
	e.done = true
	e.mu.Unlock()
	e.sum = 4 // race! e.sum
}

func PL4_setTooEarly() {
	e := &lazyEarly{}
	for range n {
		go func() {
			e.load()
			useCount(e.sum) // race! e.sum
		}()
	}
}

// It is found to be set under one lock, and set under another.
type lazyTwoLocks struct {
	mu, other sync.Mutex
	done      bool
	sum       int
}

func (e *lazyTwoLocks) load() {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.done {
		return
	}
	e.sum = 4     // race! e.sum
	e.done = true // race! e.done
}

func (e *lazyTwoLocks) asked() bool {
	e.other.Lock()
	defer e.other.Unlock()
	if e.done { // race! e.done
		return true
	}
	if n == 9 {
		e.done = true
	}
	return false
}

func PL5_twoLocks() {
	e := &lazyTwoLocks{}
	for range n {
		go func() { e.load() }()
		go func() {
			if e.asked() {
				useCount(e.sum) // race! e.sum
			}
		}()
	}
}

// The flag of one object tells nothing of the sum of another.
type lazyPair struct {
	mu   sync.Mutex
	done bool
	sum  int
}

func (p *lazyPair) load() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.done {
		return
	}
	p.sum = 4 // race! y.sum
	p.done = true
}

func PL6_ofAnother() {
	x, y := &lazyPair{}, &lazyPair{}
	for range n {
		go func() {
			x.load()
			useCount(y.sum) // race! y.sum
		}()
		go func() { y.load() }()
	}
}

// A pointer that is nil is the flag: who finds none makes one.
type lazyConn struct {
	mu   sync.Mutex
	conn *lazyPair
	used int
}

func (c *lazyConn) ensure() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.conn != nil { // norace
		return nil
	}
	conn, err := dialPair()
	if err != nil {
		return err
	}
	c.conn = conn // norace
	return nil
}

func dialPair() (*lazyPair, error) {
	if n == 9 {
		return nil, errors.New("nine")
	}
	return new(lazyPair), nil
}

func (c *lazyConn) send() int {
	if err := c.ensure(); err != nil {
		return 0
	}
	return c.conn.sum // norace
}

func PL7_pointer() {
	c := &lazyConn{}
	for range n {
		go func() { c.send() }()
	}
}

// It is given back.
type lazyLink struct {
	mu   sync.Mutex
	conn *lazyPair
}

func (c *lazyLink) ensure() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.conn == nil {
		c.conn = new(lazyPair) // race! c.conn
	}
}

func (c *lazyLink) reset() {
	c.mu.Lock()
	c.conn = nil // race! c.conn
	c.mu.Unlock()
}

func PL7b_pointerTakenBack() {
	c := &lazyLink{}
	for i := range n {
		go func() {
			c.ensure()
			useCount(c.conn.sum) // race! c.conn
			if i == 1 {
				c.reset()
			}
		}()
	}
}

// That the first error is kept, which may be none, tells nothing.
type lazyErrors struct {
	mu    sync.Mutex
	first error
}

func (e *lazyErrors) keep(err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.first == nil {
		e.first = err // race! e.first
	}
}

func PL7c_firstError() {
	e := &lazyErrors{}
	for i := range n {
		go func() {
			var err error
			if i == 3 {
				err = errors.New("three")
			}
			e.keep(err)
			if e.first != nil { // race! e.first
				useCount(i)
			}
		}()
	}
}

// What is set once may be what is read: who finds it set may read it without the lock.
type closing struct {
	mu  sync.Mutex
	err error
	n   int
}

func (c *closing) close(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err != nil {
		return
	}
	c.err = err // norace
}

func (c *closing) dial() error {
	c.mu.Lock()
	if c.err != nil {
		c.mu.Unlock()
		return c.err // norace
	}
	c.n++
	c.mu.Unlock()
	return nil
}

func PL8_errorIsKept() {
	c := &closing{}
	for range n {
		go c.close(errors.New("closed"))
		go c.dial()
	}
}

// Another sets it whatever there is.
func PL9_errorIsReplaced() {
	c := &reopening{}
	for range n {
		go c.close(errors.New("closed"))
		go c.reset(nil)
		go c.dial()
	}
}

type reopening struct {
	mu  sync.Mutex
	err error
}

func (c *reopening) close(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err != nil {
		return
	}
	c.err = err // race! c.err
}

func (c *reopening) reset(err error) {
	c.mu.Lock()
	c.err = err // race! c.err
	c.mu.Unlock()
}

func (c *reopening) dial() error {
	c.mu.Lock()
	if c.err != nil {
		c.mu.Unlock()
		return c.err // race! c.err
	}
	c.mu.Unlock()
	return nil
}

// PL10: the flag is tested and set under a lock that is held within another one.
func PL10_insideAnother() {
	l := &wiredLink{}
	go l.close()
	l.rename("x")
	l.move("y")
}

type wiredLink struct {
	turn   sync.Mutex
	mu     sync.Mutex
	closed bool
	name   string
	peer   string
}

func (l *wiredLink) close() {
	l.turn.Lock()
	defer l.turn.Unlock()
	l.mu.Lock()
	if l.closed {
		l.mu.Unlock()
		return
	}
	l.closed = true
	l.mu.Unlock()
	println(l.name) // norace
	println(l.peer) // race! peer
}

func (l *wiredLink) rename(name string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.closed {
		l.name = name // norace
	}
}

func (l *wiredLink) move(peer string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.peer = peer // race! peer
}

// PL10b: it is taken back, under both locks or one.
func PL10b_takenBack() {
	l := &rewiredLink{}
	go l.close()
	l.reopen()
	l.rename("x")
}

type rewiredLink struct {
	turn   sync.Mutex
	mu     sync.Mutex
	closed bool
	name   string
}

func (l *rewiredLink) close() {
	l.turn.Lock()
	defer l.turn.Unlock()
	l.mu.Lock()
	if l.closed {
		l.mu.Unlock()
		return
	}
	l.closed = true
	l.mu.Unlock()
	println(l.name) // race! name
}

func (l *rewiredLink) rename(name string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.closed {
		l.name = name // race! name
	}
}

func (l *rewiredLink) reopen() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.closed = false
}

// PL10c: it is set before, under the outer lock only.
func PL10c_underTheOuter() {
	l := &crossedLink{}
	go l.close()
	l.rename("x")
}

type crossedLink struct {
	turn   sync.Mutex
	mu     sync.Mutex
	closed bool
	name   string
}

func (l *crossedLink) close() {
	l.turn.Lock()
	l.mu.Lock()
	if l.closed {
		l.mu.Unlock()
		l.turn.Unlock()
		return
	}
	l.mu.Unlock()
	l.closed = true // race! closed
	l.turn.Unlock()
	println(l.name) // race! name
}

func (l *crossedLink) rename(name string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.closed { // race! closed
		l.name = name // race! name
	}
}
