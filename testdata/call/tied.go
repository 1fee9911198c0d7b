package call

import "sync"

// An object that keeps a closure of its own method, which runs it again: each has its own,
// though one method has made all.

type shell struct {
	status int
	config *substitution
}

type substitution struct {
	run func(*command)
}

type command struct {
	background  bool
	list, words []*command
}

func script() *command {
	return &command{list: []*command{{background: true}, {background: true, words: []*command{{}}}}}
}

func (s *shell) tie() {
	s.config = &substitution{run: func(c *command) {
		below := s.below()
		below.all(c.list)
		s.status = below.status // norace
	}}
}

func (s *shell) below() *shell {
	t := &shell{}
	t.tie()
	return t
}

func (s *shell) start(c *command) {
	s.tie()
	s.one(c)
}

func (s *shell) all(list []*command) {
	for _, c := range list {
		s.one(c)
	}
}

func (s *shell) one(c *command) {
	s.status = 0 // norace
	if c.background {
		t := s.below()
		go func() { t.start(c) }()
		return
	}
	s.all(c.list)
	expandWords(s.config, c)
}

func expandWords(cfg *substitution, c *command) {
	for _, w := range c.words {
		cfg.run(w)
	}
}

func TB1_shells() {
	s := &shell{}
	for range 3 {
		s.start(script())
	}
}

// Its near twin: what runs in the background is of the same shell.
func TB1b_oneShell() {
	s := &oneShell{}
	s.tie()
	for range 3 {
		s.one(script())
	}
}

type oneShell struct {
	status int
	config *substitution
}

func (s *oneShell) tie() {
	s.config = &substitution{run: func(c *command) {
		below := s.below()
		below.all(c.list)
		s.status = below.status // race! s.status
	}}
}

func (s *oneShell) below() *oneShell {
	t := &oneShell{}
	t.tie()
	return t
}

func (s *oneShell) all(list []*command) {
	for _, c := range list {
		s.one(c)
	}
}

func (s *oneShell) one(c *command) {
	if c.background {
		cfg := s.config
		go func() { expandWords(cfg, c) }()
		return
	}
	s.all(c.list)
}

// Closures that are kept by what was made for both.

type bell struct {
	rung int
	ring func()
}

func (b *bell) hang() { b.ring = func() { b.rung++ } } // norace

func TB2_bells() {
	a, b := &bell{}, &bell{}
	a.hang()
	b.hang()
	var wg sync.WaitGroup
	wg.Go(a.ring)
	wg.Go(b.ring)
	wg.Wait()
}

func TB2b_gong() {
	a, b := &gong{}, &gong{}
	a.hang()
	b.hang()
	var wg sync.WaitGroup
	wg.Go(a.ring)
	wg.Go(a.ring)
	wg.Go(b.ring)
	wg.Wait()
}

type gong struct {
	rung int
	ring func()
}

func (g *gong) hang() { g.ring = func() { g.rung++ } } // race! g.rung
