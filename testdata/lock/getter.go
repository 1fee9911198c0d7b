package lock

import "sync"

// What a getter yields has its owner's lock, though the frame that holds the lock has
// no name for it but the call.

type wordlist []string

func (m *wordlist) add(s string) {
	*m = append(*m, s) // norace
}

type marks struct {
	ends, leaves wordlist
	changed      chan struct{}
	n            int
}

type session struct {
	mu    sync.Mutex
	marks *marks
	peer  *session
	uid   string
	state struct{ a, b int }
}

func (c *session) getMarks() *marks {
	if c.marks == nil {
		c.marks = &marks{}
	}
	return c.marks
}

func (c *session) signal() chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	t := c.getMarks()
	if t.changed == nil {
		t.changed = make(chan struct{}) // norace
	}
	return t.changed
}

func (c *session) leave(s string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.getMarks().leaves.add(s)
}

func (c *session) end(s string) {
	c.mu.Lock()
	t := c.getMarks()
	t.ends.add(s)
	c.mu.Unlock()
}

type sessions struct {
	mu  sync.Mutex
	all map[string]*session
}

func (h *sessions) put(uid string) {
	h.mu.Lock()
	h.all[uid] = &session{uid: uid, peer: h.all["0"]}
	h.mu.Unlock()
}

func (h *sessions) get(uid string) *session {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.all[uid]
}

func newSessions() *sessions {
	h := &sessions{all: make(map[string]*session)}
	h.put("0")
	h.put("1")
	return h
}

func GE1_getter(ids []string) {
	h := newSessions()
	for _, id := range ids {
		go func() {
			h.get(id).signal()
		}()
	}
}

func GE2_partsThroughOneHelper(ids []string) {
	h := newSessions()
	for _, id := range ids {
		c := h.get(id)
		go func() {
			c.leave(id)
			c.end(id)
		}()
	}
}

func (c *session) marksOf() *marks {
	if c.marks == nil { // race c.marks; as below
		c.marks = &marks{} // race c.marks; as below
	}
	return c.marks // race c.marks; as below
}

// The lock is that of another session than the one whose marks the getter yields.
func GE3_getterOfAnother(ids []string) {
	h := newSessions()
	shared := h.get("0")
	for _, id := range ids {
		c := h.get(id)
		go func() {
			c.mu.Lock()
			defer c.mu.Unlock()
			shared.marksOf().n++ // race c.marks.n; others have other sessions
		}()
	}
}

func (c *session) set(n int) struct{ a, b int } {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.state.a = n // norace
	return c.state
}

// A struct that is copied is what its fields are.
func GE4_wholeAndPart() {
	cs := []*session{{}, {}}
	for i := range n {
		go func() { println(cs[i%2].set(i).a) }()
	}
}

func (c *session) setOnly(n int) {
	c.mu.Lock()
	c.state.a = n // race! c.state.a
	c.mu.Unlock()
}

func GE5_wholeWithoutLock() {
	c := &session{}
	for i := range n {
		go func() {
			c.setOnly(i)
			s := c.state // race! c.state.a
			println(s.a)
		}()
	}
}
