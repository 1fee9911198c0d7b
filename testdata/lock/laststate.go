package lock

import (
	"errors"
	"sync"
)

// A client is closed once, whatever it has been before: what others set under the lock where it is not, they have set
// before that.
func LS1_closedOnce() {
	c := &stateClient{state: stateConnecting}
	go c.close()
	c.connect(n)
}

type clientState int

const (
	stateConnecting clientState = 1
	stateConnected  clientState = 2
	stateClosed     clientState = 3
)

type stateClient struct {
	mu     sync.Mutex
	state  clientState
	labels []int
	user   int
}

func (c *stateClient) connect(user int) {
	c.mu.Lock()
	c.user = user // race! c.user
	c.mu.Unlock()
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.state == stateClosed {
		return
	}
	c.labels = []int{user} // norace
	c.state = stateConnected
}

func (c *stateClient) close() {
	c.mu.Lock()
	if c.state == stateClosed {
		c.mu.Unlock()
		return
	}
	c.state = stateClosed
	c.mu.Unlock()
	useCount(len(c.labels)) // norace
	useCount(c.user)        // race! c.user
}

// It is opened again.
func LS2_openedAgain() {
	c := &reopened{state: stateConnecting}
	go c.close()
	c.open()
	c.connect(n)
}

type reopened struct {
	mu     sync.Mutex
	state  clientState
	labels []int
}

func (c *reopened) connect(user int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.state == stateClosed {
		return
	}
	c.labels = []int{user} // race! c.labels
}

func (c *reopened) close() {
	c.mu.Lock()
	if c.state == stateClosed {
		c.mu.Unlock()
		return
	}
	c.state = stateClosed
	c.mu.Unlock()
	useCount(len(c.labels)) // race! c.labels
}

func (c *reopened) open() {
	c.mu.Lock()
	c.state = stateConnecting
	c.mu.Unlock()
}

// Another state than the one that is looked for says nothing of it.
func LS3_otherState() {
	c := &otherState{state: stateConnected}
	go c.close()
	c.connect(n)
}

type otherState struct {
	mu     sync.Mutex
	state  clientState
	labels []int
}

func (c *otherState) connect(user int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.state == stateConnecting {
		return
	}
	c.labels = []int{user} // race! c.labels
}

func (c *otherState) close() {
	c.mu.Lock()
	if c.state == stateClosed {
		c.mu.Unlock()
		return
	}
	c.state = stateClosed
	c.mu.Unlock()
	useCount(len(c.labels)) // race! c.labels
}

// Whoever finds a state that is not the last one finds that, too.
func LS4_namedState() {
	c := &namedState{state: stateConnecting}
	go c.close()
	c.connect(n)
}

type namedState struct {
	mu     sync.Mutex
	state  clientState
	labels []int
}

func (c *namedState) connect(user int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.state != stateConnecting {
		return
	}
	c.labels = []int{user} // norace
	c.state = stateConnected
}

func (c *namedState) close() {
	c.mu.Lock()
	if c.state == stateClosed {
		c.mu.Unlock()
		return
	}
	c.state = stateClosed
	c.mu.Unlock()
	useCount(len(c.labels)) // norace
}

// That it is not closed is known by another lock, which who closes it has, too.
func LS5_twoLocks() {
	c := &twiceLocked{state: stateConnecting}
	go c.close()
	c.label(n)
	c.connected()
}

type twiceLocked struct {
	op, mu sync.Mutex
	state  clientState
	labels []int
}

func (c *twiceLocked) label(user int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.state == stateClosed {
		return
	}
	c.labels = []int{user} // norace
}

func (c *twiceLocked) connected() {
	c.op.Lock()
	defer c.op.Unlock()
	c.mu.Lock()
	connecting := c.state == stateConnecting
	c.mu.Unlock()
	if connecting {
		c.mu.Lock()
		c.state = stateConnected
		c.mu.Unlock()
	}
}

func (c *twiceLocked) close() {
	c.op.Lock()
	defer c.op.Unlock()
	c.mu.Lock()
	if c.state == stateClosed {
		c.mu.Unlock()
		return
	}
	c.state = stateClosed
	c.mu.Unlock()
	useCount(len(c.labels)) // norace
}

// Who closes it does not have that lock: it may be closed between the test and the store, and then is not any more.
func LS6_otherLock() {
	c := &halfLocked{state: stateConnecting}
	go c.close()
	c.connected()
	c.label(n)
}

type halfLocked struct {
	op, mu sync.Mutex
	state  clientState
	labels []int
}

func (c *halfLocked) label(user int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.state == stateClosed {
		return
	}
	c.labels = []int{user} // race! c.labels
}

func (c *halfLocked) connected() {
	c.op.Lock()
	defer c.op.Unlock()
	c.mu.Lock()
	connecting := c.state == stateConnecting
	c.mu.Unlock()
	if connecting {
		c.mu.Lock()
		c.state = stateConnected
		c.mu.Unlock()
	}
}

func (c *halfLocked) close() {
	c.mu.Lock()
	if c.state == stateClosed {
		c.mu.Unlock()
		return
	}
	c.state = stateClosed
	c.mu.Unlock()
	useCount(len(c.labels)) // race! c.labels
}

// It is set without the lock.
func LS7_bare() {
	c := &bareState{state: stateConnecting}
	go c.close()
	c.connect(n)
}

type bareState struct {
	mu     sync.Mutex
	state  clientState
	labels []int
}

func (c *bareState) connect(user int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.state == stateClosed { // race! c.state
		return
	}
	c.labels = []int{user} // race! c.labels
}

func (c *bareState) close() {
	if c.state == stateClosed {
		return
	}
	c.state = stateClosed   // race! c.state
	useCount(len(c.labels)) // race! c.labels
}

// Something that is computed may be any state, the last one, too.
func LS8_computed() {
	c := &computedState{state: stateConnecting}
	go c.close()
	c.set(clientState(n))
	c.connect(n)
}

type computedState struct {
	mu     sync.Mutex
	state  clientState
	labels []int
}

func (c *computedState) connect(user int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.state == stateClosed {
		return
	}
	c.labels = []int{user} // race! c.labels
}

func (c *computedState) set(s clientState) {
	c.mu.Lock()
	c.state = s
	c.mu.Unlock()
}

func (c *computedState) close() {
	c.mu.Lock()
	if c.state == stateClosed {
		c.mu.Unlock()
		return
	}
	c.state = stateClosed
	c.mu.Unlock()
	useCount(len(c.labels)) // race! c.labels
}

// An error that is set by who finds none, and in another place whatever is there: it is never none again, but changes.
func LS9_neverNone(err error) {
	e := &endedOnce{own: n == 3}
	for i := range n {
		go func() {
			e.end(err)
			if e.dial() != nil && i == 3 {
				e.shut(err)
			}
		}()
	}
}

var errEnded = errors.New("ended")

type endedOnce struct {
	mu   sync.Mutex
	err  error
	own  bool
	last int
}

func (e *endedOnce) end(err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.err != nil {
		return
	}
	e.last = n // norace
	e.err = err
}

func (e *endedOnce) shut(err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.own {
		e.err = errEnded // race! e.err
	} else if err != nil {
		e.err = err // race! e.err
	}
}

func (e *endedOnce) dial() error {
	e.mu.Lock()
	if e.err != nil {
		e.mu.Unlock()
		useCount(e.last) // norace
		return e.err     // race! e.err
	}
	e.mu.Unlock()
	return nil
}

// It may be none again.
func LS10_noneAgain(err error) {
	e := &endedTwice{}
	for range n {
		go func() {
			e.end(err)
			e.dial()
			e.shut(err)
		}()
	}
}

type endedTwice struct {
	mu   sync.Mutex
	err  error
	last int
}

func (e *endedTwice) end(err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.err != nil {
		return
	}
	e.last = n // race! e.last
	e.err = err
}

func (e *endedTwice) shut(err error) {
	e.mu.Lock()
	e.err = err
	e.mu.Unlock()
}

func (e *endedTwice) dial() {
	e.mu.Lock()
	if e.err != nil {
		e.mu.Unlock()
		useCount(e.last) // race! e.last
		return
	}
	e.mu.Unlock()
}

// Who finds that it is not one state does not find that it is the last one.
func LS11_notThatOne() {
	c := &unnamedState{state: stateConnected}
	go c.read()
	go c.close()
	c.connect(n)
}

type unnamedState struct {
	mu     sync.Mutex
	state  clientState
	labels []int
}

func (c *unnamedState) connect(user int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.state == stateClosed {
		return
	}
	c.labels = []int{user} // race! c.labels
}

func (c *unnamedState) read() {
	c.mu.Lock()
	if c.state != stateConnecting {
		c.mu.Unlock()
		useCount(len(c.labels)) // race! c.labels
		return
	}
	c.mu.Unlock()
}

func (c *unnamedState) close() {
	c.mu.Lock()
	if c.state == stateClosed {
		c.mu.Unlock()
		return
	}
	c.state = stateClosed
	c.mu.Unlock()
}
