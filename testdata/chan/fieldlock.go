package channel

import (
	"context"
	"sync"
)

func FL1_field(ctx context.Context) {
	s := &flSenders{m: make(map[int]*flSender)}
	for i := range n {
		go func() { s.get(i % 2).send(ctx) }()
	}
}

// Each object has a channel of capacity one, which is its lock.

type flSender struct {
	busy chan struct{}
	n    int
}

type flSenders struct {
	mu sync.Mutex
	m  map[int]*flSender
}

func (s *flSenders) get(k int) *flSender {
	s.mu.Lock()
	defer s.mu.Unlock()
	c, ok := s.m[k]
	if !ok {
		c = &flSender{busy: make(chan struct{}, 1)}
		s.m[k] = c
	}
	return c
}

func (c *flSender) send(ctx context.Context) error {
	select {
	case c.busy <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { <-c.busy }()
	c.n++ // assumed c.n
	return nil
}

func FL2_type(ctx context.Context) {
	s := &flPeers{m: make(map[int]*flPeer)}
	for i := range n {
		go func() { s.get(i % 2).send(ctx) }()
	}
}

// The channel is a type that locks.
type flMutex chan struct{}

func newFlMutex() flMutex { return make(flMutex, 1) }

func (m flMutex) lock(ctx context.Context) error {
	select {
	case m <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (m flMutex) unlock() {
	select {
	case <-m:
	default:
		panic("not locked")
	}
}

type flPeer struct {
	lk flMutex
	n  int
}

type flPeers struct {
	mu sync.Mutex
	m  map[int]*flPeer
}

func (s *flPeers) get(k int) *flPeer {
	s.mu.Lock()
	defer s.mu.Unlock()
	c, ok := s.m[k]
	if !ok {
		c = &flPeer{lk: newFlMutex()}
		s.m[k] = c
	}
	return c
}

func (c *flPeer) send(ctx context.Context) error {
	if err := c.lk.lock(ctx); err != nil {
		return err
	}
	defer c.lk.unlock()
	c.count()
	return nil
}

func (c *flPeer) count() { c.n++ } // assumed c.n

func FL3_notLocked(ctx context.Context) {
	s := &flHasties{m: make(map[int]*flHasty)}
	for i := range n {
		go func() { s.get(i % 2).send(ctx) }()
	}
}

// Who cannot lock it goes on.
type flHasty struct {
	lk flMutex
	n  int
}

type flHasties struct {
	mu sync.Mutex
	m  map[int]*flHasty
}

func (s *flHasties) get(k int) *flHasty {
	s.mu.Lock()
	defer s.mu.Unlock()
	c, ok := s.m[k]
	if !ok {
		c = &flHasty{lk: newFlMutex()}
		s.m[k] = c
	}
	return c
}

func (c *flHasty) send(ctx context.Context) {
	if err := c.lk.lock(ctx); err == nil {
		defer c.lk.unlock()
	}
	c.n++ // race! c.n
}

func FL4_another() {
	s := &flPairs{m: make(map[int]*flPair)}
	for i := range n {
		go func() { move(s.get(i), s.get(i+1)) }()
	}
}

// The lock is another object's.
type flPair struct {
	busy chan struct{}
	n    int
}

type flPairs struct {
	mu sync.Mutex
	m  map[int]*flPair
}

func (s *flPairs) get(k int) *flPair {
	s.mu.Lock()
	defer s.mu.Unlock()
	c, ok := s.m[k]
	if !ok {
		c = &flPair{busy: make(chan struct{}, 1)}
		s.m[k] = c
	}
	return c
}

func move(from, to *flPair) {
	from.busy <- struct{}{}
	to.n++ // race! to.n
	<-from.busy
}

func FL5_twoLocks() {
	s := &flDuplexes{m: make(map[int]*flDuplex)}
	for i := range n {
		go func() {
			s.get(i % 2).read()
			s.get(i % 3).write()
		}()
	}
}

// It has two locks.
type flDuplex struct {
	reading, writing chan struct{}
	n                int
}

type flDuplexes struct {
	mu sync.Mutex
	m  map[int]*flDuplex
}

func newSlot() chan struct{} { return make(chan struct{}, 1) }

func (s *flDuplexes) get(k int) *flDuplex {
	s.mu.Lock()
	defer s.mu.Unlock()
	c, ok := s.m[k]
	if !ok {
		c = &flDuplex{reading: newSlot(), writing: newSlot()}
		s.m[k] = c
	}
	return c
}

func (c *flDuplex) read() {
	c.reading <- struct{}{}
	c.n++ // race! c.n
	<-c.reading
}

func (c *flDuplex) write() {
	c.writing <- struct{}{}
	c.n++ // race! c.n
	<-c.writing
}

func FL6_reset() {
	s := &flResets{m: make(map[int]*flReset)}
	for i := range n {
		go func() {
			c := s.get(i % 2)
			c.send()
			c.reset()
		}()
	}
}

// The field gets another channel.
type flReset struct {
	mu   sync.Mutex
	busy chan struct{}
	n    int
}

type flResets struct {
	mu sync.Mutex
	m  map[int]*flReset
}

func (s *flResets) get(k int) *flReset {
	s.mu.Lock()
	defer s.mu.Unlock()
	c, ok := s.m[k]
	if !ok {
		c = &flReset{}
		c.reset()
		s.m[k] = c
	}
	return c
}

func (c *flReset) reset() { c.busy = newSlot() } // race! c.busy

func (c *flReset) send() {
	c.busy <- struct{}{} // race! c.busy
	c.n++                // race! c.n
	<-c.busy             // race! c.busy
}

func FL7_roomForTwo() {
	s := &flWides{m: make(map[int]*flWide)}
	for i := range n {
		go func() { s.get(i % 2).send() }()
	}
}

// Two have room in it.
type flWide struct {
	busy chan struct{}
	n    int
}

type flWides struct {
	mu sync.Mutex
	m  map[int]*flWide
}

func (s *flWides) get(k int) *flWide {
	s.mu.Lock()
	defer s.mu.Unlock()
	c, ok := s.m[k]
	if !ok {
		c = &flWide{busy: make(chan struct{}, 2)}
		s.m[k] = c
	}
	return c
}

func (c *flWide) send() {
	c.busy <- struct{}{}
	c.n++ // race! c.n
	<-c.busy
}

func FL8_before() {
	s := &flEarlies{m: make(map[int]*flEarly)}
	for i := range n {
		go func() { s.get(i % 2).send() }()
	}
}

// It is touched before it is locked, too.
type flEarly struct {
	busy chan struct{}
	n    int
}

type flEarlies struct {
	mu sync.Mutex
	m  map[int]*flEarly
}

func (s *flEarlies) get(k int) *flEarly {
	s.mu.Lock()
	defer s.mu.Unlock()
	c, ok := s.m[k]
	if !ok {
		c = &flEarly{busy: make(chan struct{}, 1)}
		s.m[k] = c
	}
	return c
}

func (c *flEarly) send() {
	if c.n > 0 { // race! c.n
		return
	}
	c.busy <- struct{}{}
	c.n++ // race! c.n
	<-c.busy
}
