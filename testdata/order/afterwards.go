package order

import "sync"

// What a thread keeps in something that it has taken off a list is its own as long as it has that, though one more such thing is made
// when all are over.

// WX1_afterwards says one more word when all have.
func WX1_afterwards() {
	p := new(phones)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() { p.exec("worker") })
	}
	wg.Wait()
	p.exec("main")
}

type phone struct{ buf []byte }

func (l *phone) say(s string) int {
	l.buf = append(l.buf[:0], s...) // norace
	l.buf[0]++                      // norace
	return len(l.buf)
}

type phones struct {
	mu   sync.Mutex
	idle []*phone
}

func (p *phones) take() *phone {
	p.mu.Lock()
	defer p.mu.Unlock()
	if n := len(p.idle) - 1; n >= 0 {
		l := p.idle[n]
		p.idle = p.idle[:n]
		return l
	}
	return &phone{}
}

func (p *phones) put(l *phone) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.idle = append(p.idle, l)
}

func (p *phones) exec(s string) {
	l := p.take()
	defer p.put(l)
	l.say(s)
}

// WX2_twice has put one back twice before: two find the same.
func WX2_twice() {
	p := new(hotlines)
	l := p.take()
	l.say("main")
	p.put(l)
	p.put(l)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() { p.exec("worker") })
	}
	wg.Wait()
}

type hotline struct{ buf []byte }

func (l *hotline) say(s string) int {
	l.buf = append(l.buf[:0], s...) // race! _.buf[*]
	l.buf[0]++                      // race! _.buf[*]
	return len(l.buf)
}

type hotlines struct {
	mu   sync.Mutex
	idle []*hotline
}

func (p *hotlines) take() *hotline {
	p.mu.Lock()
	defer p.mu.Unlock()
	if n := len(p.idle) - 1; n >= 0 {
		l := p.idle[n]
		p.idle = p.idle[:n]
		return l
	}
	return &hotline{}
}

func (p *hotlines) put(l *hotline) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.idle = append(p.idle, l)
}

func (p *hotlines) exec(s string) {
	l := p.take()
	defer p.put(l)
	l.say(s)
}
