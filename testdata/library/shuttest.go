package library

import (
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
)

type tally struct {
	mu               sync.Mutex
	n, early, direct int
	other, either    int
	unused           int
}

func (s *tally) ask(url string) {
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			if resp, err := http.Get(url); err == nil {
				io.Copy(io.Discard, resp.Body)
				resp.Body.Close()
			}
		})
	}
	wg.Wait()
}

// A test's server is closed before its tally is looked at.
func ST1_closed() {
	s := &tally{}
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(http.ResponseWriter, *http.Request) {
		s.mu.Lock()
		s.n++     // assumed s.n
		s.early++ // race! s.early
		s.mu.Unlock()
	})
	srv := httptest.NewServer(mux)
	s.ask(srv.URL)
	println(s.early) // race! s.early
	srv.Close()
	println(s.n) // assumed s.n
}

// The handler is the server's own.
func ST2_ownHandler() {
	s := &tally{}
	srv := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		s.mu.Lock()
		s.direct++ // assumed s.direct
		s.mu.Unlock()
	}))
	s.ask(srv.URL)
	srv.Close()
	println(s.direct) // assumed s.direct
}

// One of two is closed.
func ST3_oneOfTwo() {
	s := &tally{}
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(http.ResponseWriter, *http.Request) {
		s.mu.Lock()
		s.other++ // race! s.other
		s.mu.Unlock()
	})
	srv, second := httptest.NewServer(mux), httptest.NewServer(mux)
	go s.ask(second.URL)
	s.ask(srv.URL)
	srv.Close()
	println(s.other) // race! s.other
}

// The last of several is closed.
func ST4_oneOfMany() {
	s := &tally{}
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(http.ResponseWriter, *http.Request) {
		s.mu.Lock()
		s.either++ // race! s.either
		s.mu.Unlock()
	})
	var srv *httptest.Server
	for range 2 {
		srv = httptest.NewServer(mux)
		go s.ask(srv.URL)
	}
	srv.Close()
	println(s.either) // race! s.either
}

// Another one is closed, which was never started.
func ST5_another() {
	s := &tally{}
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(http.ResponseWriter, *http.Request) {
		s.mu.Lock()
		s.unused++ // race! s.unused
		s.mu.Unlock()
	})
	srv, idle := httptest.NewServer(mux), httptest.NewUnstartedServer(nil)
	s.ask(srv.URL)
	idle.Close()
	println(s.unused) // race! s.unused
}
