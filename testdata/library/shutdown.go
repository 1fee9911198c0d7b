package library

import (
	"context"
	"net/http"
)

type requests struct{ n, early, late, other, direct int }

// Who has shut the server down looks at what its handlers have counted.
func SD1_shutDown() {
	s := &requests{}
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(http.ResponseWriter, *http.Request) {
		s.n++     // race! s.n
		s.early++ // race! s.early
		s.late++  // race! s.late
	})
	srv := &http.Server{Handler: mux}
	go srv.ListenAndServe()
	println(s.early) // race! s.early
	if err := srv.Shutdown(context.Background()); err != nil {
		println(err.Error())
	}
	println(s.n) // assumed s.n
}

// There is a way around.
func SD2_ifAsked(ask bool) {
	s := &requests{}
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(http.ResponseWriter, *http.Request) {
		s.late++ // race! s.late
	})
	srv := &http.Server{Handler: mux}
	go srv.ListenAndServe()
	if ask {
		srv.Shutdown(context.Background())
	}
	println(s.late) // race! s.late
}

// One of two is shut down.
func SD3_oneOfTwo() {
	s := &requests{}
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(http.ResponseWriter, *http.Request) {
		s.other++ // race! s.other
	})
	srv, admin := &http.Server{Handler: mux}, &http.Server{Handler: mux}
	go srv.ListenAndServe()
	go admin.ListenAndServe()
	srv.Shutdown(context.Background())
	println(s.other) // race! s.other
}

// The server has a handler of its own.
func SD4_ownHandler() {
	s := &requests{}
	srv := &http.Server{Handler: counting{s}}
	go srv.ListenAndServe()
	srv.Shutdown(context.Background())
	println(s.direct) // assumed s.direct
}

type counting struct{ s *requests }

func (c counting) ServeHTTP(http.ResponseWriter, *http.Request) {
	c.s.direct++ // race! s.direct
}

// Another goroutine looks, which nobody waits for.
func SD5_otherGoroutine() {
	s := &requests{}
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(http.ResponseWriter, *http.Request) {
		s.n = 1 // race! s.n
	})
	srv := &http.Server{Handler: mux}
	go srv.ListenAndServe()
	go func() {
		println(s.n) // race! s.n
	}()
	srv.Shutdown(context.Background())
}
