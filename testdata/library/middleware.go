package library

import (
	"context"
	"io"
	"net"
	"net/http"
	"sync"
)

// Handlers behind handlers: what a library says of its own code is nothing about who
// implements its interfaces.

func HM1_behindHandler() {
	http.ListenAndServe(":8080", &passOn{&hitCounter{}})
}

type hitCounter struct{ hits, misses int }

func (c *hitCounter) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c.hits++ // race! _.hits
}

type passOn struct{ next http.Handler }

func (p *passOn) ServeHTTP(w http.ResponseWriter, r *http.Request) { p.next.ServeHTTP(w, r) }

// The handler before it holds its lock.
func HM1b_underItsLock() {
	http.ListenAndServe(":8080", &underLock{next: &lockedCounter{}})
}

type lockedCounter struct {
	mu   sync.Mutex
	hits int
}

func (c *lockedCounter) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c.hits++ // norace
}

type underLock struct {
	mu   sync.Mutex
	next http.Handler
}

func (p *underLock) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.next.ServeHTTP(w, r)
}

func HM2_roundTrips() {
	var rt http.RoundTripper = &onwardTrip{&countingTrip{next: http.DefaultTransport}}
	var wg sync.WaitGroup
	for _, u := range []string{"http://a", "http://b"} {
		wg.Go(func() {
			r, err := http.NewRequest("GET", u, nil)
			if err == nil {
				rt.RoundTrip(r)
			}
		})
	}
	wg.Wait()
}

type countingTrip struct {
	next http.RoundTripper
	n    int
}

func (t *countingTrip) RoundTrip(r *http.Request) (*http.Response, error) {
	t.n++ // race! _.n
	return t.next.RoundTrip(r)
}

type onwardTrip struct{ next http.RoundTripper }

func (t *onwardTrip) RoundTrip(r *http.Request) (*http.Response, error) { return t.next.RoundTrip(r) }

func HM2b_lockedTrips() {
	var rt http.RoundTripper = &onwardTrip{&quietTrip{next: http.DefaultTransport}}
	var wg sync.WaitGroup
	for _, u := range []string{"http://a", "http://b"} {
		wg.Go(func() {
			r, err := http.NewRequest("GET", u, nil)
			if err == nil {
				rt.RoundTrip(r)
			}
		})
	}
	wg.Wait()
}

type quietTrip struct {
	next http.RoundTripper
	mu   sync.Mutex
	n    int
}

func (t *quietTrip) RoundTrip(r *http.Request) (*http.Response, error) {
	t.mu.Lock()
	t.n++ // norace
	t.mu.Unlock()
	return t.next.RoundTrip(r)
}

// The same of connections, listeners and contexts of our own.
func HM3_ownConn() {
	var c net.Conn = &countedConn{}
	var l net.Listener = &countedListener{}
	var ctx context.Context = &countedContext{Context: context.Background()}
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			c.Read(nil)
			l.Accept()
			ctx.Value(0)
		})
	}
	wg.Wait()
}

type countedConn struct {
	net.Conn
	reads int
}

func (c *countedConn) Read(b []byte) (int, error) {
	c.reads++ // race! _.reads
	return 0, io.EOF
}

type countedListener struct {
	net.Listener
	accepted int
}

func (l *countedListener) Accept() (net.Conn, error) {
	l.accepted++ // race! _.accepted
	return nil, io.EOF
}

type countedContext struct {
	context.Context
	asked int
}

func (c *countedContext) Value(key any) any {
	c.asked++ // race! _.asked
	return nil
}

// Each goroutine has a connection of its own.
func HM3b_connEach() {
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			var c net.Conn = &oneConn{}
			c.Read(nil)
		})
	}
	wg.Wait()
}

type oneConn struct {
	net.Conn
	reads int
}

func (c *oneConn) Read(b []byte) (int, error) {
	c.reads++ // norace
	return 0, io.EOF
}
