package library

import (
	"io"
	"net"
	"net/http"
	"sync"
)

// One handler serves many requests at once.

// visit asks a server a few times, and ends it.
func visit(l net.Listener, end func() error) {
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			if r, err := http.Get("http://" + l.Addr().String()); err == nil {
				io.Copy(io.Discard, r.Body)
				r.Body.Close()
			}
		})
	}
	wg.Wait()
	end()
}

// The handler of a server is a field of it.
func W1_handlerOfServer() {
	l, err := net.Listen("tcp", "localhost:0")
	if err != nil {
		return
	}
	s := &http.Server{Handler: &visits{}}
	go s.Serve(l)
	visit(l, s.Close)
}

type visits struct {
	mu   sync.Mutex
	n    int
	last string
}

func (v *visits) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	v.mu.Lock()
	v.n++ // norace
	v.mu.Unlock()
	v.last = r.URL.Path // race! _.last
}

// It locks.
func W1b_lockingHandler() {
	l, err := net.Listen("tcp", "localhost:0")
	if err != nil {
		return
	}
	s := &http.Server{Handler: &calm{}}
	go s.Serve(l)
	visit(l, s.Close)
}

type calm struct {
	mu sync.Mutex
	n  int
}

func (c *calm) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.n++ // norace
	path := r.URL.Path
	w.Header().Set("path", path) // norace
}

// It is registered for a path.
func W2_handlerOfMux() {
	l, err := net.Listen("tcp", "localhost:0")
	if err != nil {
		return
	}
	mux := http.NewServeMux()
	mux.Handle("/", &busy{})
	go http.Serve(l, mux)
	visit(l, l.Close)
}

type busy struct{ n int }

func (b *busy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	b.n++ // race! _.n
}

// A function that is registered has variables that all requests share.
func W3_handlerFunction() {
	l, err := net.Listen("tcp", "localhost:0")
	if err != nil {
		return
	}
	total, safe := 0, 0
	var mu sync.Mutex
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		own := 0
		own++   // norace
		total++ // race! total
		mu.Lock()
		safe += own // norace
		mu.Unlock()
	})
	go http.Serve(l, mux)
	visit(l, l.Close)
}
