package order

import "sync"

// OS1: the object is known by what was made after Do; there are several.
func OS1_afterDo() {
	for range n {
		h := &hub{}
		dialHub(h, 1)
		dialHub(h, 2)
	}
}

// A hub is set up by who comes first, in a method that all others call.
type hub struct {
	once  sync.Once
	mu    sync.Mutex
	known map[int]bool
}

func (h *hub) init() {
	h.once.Do(func() { h.known = map[int]bool{} }) // assumed h.known
}

func (h *hub) add(k int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.known[k] = true // assumed h.known
}

func (h *hub) close() {
	h.init()
	h.mu.Lock()
	defer h.mu.Unlock()
	clear(h.known)
}

type link struct{ h *hub }

func (c *link) run(k int) { c.h.add(k) }

func dialHub(h *hub, k int) {
	h.init()
	c := &link{h}
	go func() {
		c.run(k)
		h.close()
	}()
}

// OS1b: one that is dialled has not been set up.
func OS1b_withoutDo() {
	for range n {
		h := &bareHub{}
		h.dial(1)
		h.dial(2)
	}
}

type bareHub struct {
	once  sync.Once
	mu    sync.Mutex
	known map[int]bool
}

func (h *bareHub) init() {
	h.once.Do(func() { h.known = map[int]bool{} }) // race! h.known
}

func (h *bareHub) add(k int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.known[k] = true // race! h.known
}

type bareLink struct{ h *bareHub }

func (c *bareLink) run(k int) { c.h.add(k) }

func (h *bareHub) dial(k int) {
	c := &bareLink{h}
	go func() { c.run(k) }()
	h.init()
}

// OS1c: on one way it has.
func OS1c_atTimes() {
	for i := range n {
		h := &oddHub{}
		h.dial(i)
		h.dial(i + 1)
	}
}

type oddHub struct {
	once  sync.Once
	mu    sync.Mutex
	known map[int]bool
}

func (h *oddHub) init() {
	h.once.Do(func() { h.known = map[int]bool{} }) // race! h.known
}

func (h *oddHub) add(k int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.known[k] = true // race! h.known
}

type oddLink struct{ h *oddHub }

func (c *oddLink) run(k int) { c.h.add(k) }

func (h *oddHub) dial(k int) {
	if k > 2 {
		h.init()
	}
	c := &oddLink{h}
	go func() {
		c.run(k)
		h.init()
	}()
}

// OS1d: what sets it up is no body of the Once.
func OS1d_besideOnce() {
	for range n {
		h := &lateHub{}
		h.dial(1)
		h.dial(2)
	}
}

type lateHub struct {
	once  sync.Once
	mu    sync.Mutex
	known map[int]bool
	made  bool
}

func (h *lateHub) init() {
	h.once.Do(func() { h.made = true })
	h.known = map[int]bool{} // race! h.known
}

func (h *lateHub) add(k int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.known[k] = true // race! h.known
}

type lateLink struct{ h *lateHub }

func (c *lateLink) run(k int) { c.h.add(k) }

func (h *lateHub) dial(k int) {
	h.init()
	c := &lateLink{h}
	go func() {
		c.run(k)
		h.init()
	}()
}

// OS2: the body starts who uses the object, when it has been set up.
func OS2_startedByBody() {
	for range n {
		h := &echo{}
		h.init()
		go h.init()
	}
}

type echo struct {
	once sync.Once
	ch   chan int
	self *echo
}

func (h *echo) init() {
	h.once.Do(func() {
		h.self = h
		h.ch = make(chan int, 1) // norace
		go h.self.listen()
	})
}

func (h *echo) listen() {
	h.ch <- 1 // norace
}

// OS2b: the body starts it before.
func OS2b_startedTooEarly() {
	for range n {
		h := &rashHub{}
		h.init()
		go h.init()
	}
}

type rashHub struct {
	once sync.Once
	ch   chan int
	self *rashHub
}

func (h *rashHub) init() {
	h.once.Do(func() {
		h.self = h
		go h.self.listen()
		h.ch = make(chan int, 1) // race! _.ch
	})
}

func (h *rashHub) listen() {
	select {
	case h.ch <- 1: // race! _.ch
	default:
	}
}
