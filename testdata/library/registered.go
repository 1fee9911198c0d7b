package library

import (
	"net/http"
	"net/http/httptest"
)

type served struct{ limit, name, port, level int }

// What is registered runs once the server is started.
func RG1_beforeServing() {
	s := &served{}
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(http.ResponseWriter, *http.Request) {
		println(s.limit, // assumed s.limit
			s.name) // race! s.name
	})
	s.limit = 1 // assumed s.limit
	go http.ListenAndServe(":80", mux)
	s.name = 1 // race! s.name
	select {}
}

func RG2_inServer() {
	s := &served{}
	mux := http.NewServeMux()
	mux.Handle("/", handler2{s})
	s.setLimit()
	srv := &http.Server{Handler: mux}
	if err := srv.ListenAndServe(); err != nil {
		println(err.Error())
	}
}

func (s *served) setLimit() { s.limit = 2 } // assumed s.limit

type handler2 struct{ s *served }

func (h handler2) ServeHTTP(http.ResponseWriter, *http.Request) {
	println(h.s.limit) // assumed s.limit
}

// The mux is served already, by another goroutine.
func RG3_afterwards() {
	s := &served{}
	mux := http.NewServeMux()
	go func() {
		http.ListenAndServe(":80", mux)
	}()
	mux.HandleFunc("/", func(http.ResponseWriter, *http.Request) {
		println(s.port) // race! s.port
	})
	s.port = 1 // race! s.port
	select {}
}

// A goroutine serves, and another one writes meanwhile.
func RG4_otherThread() {
	s := &served{}
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(http.ResponseWriter, *http.Request) {
		println(s.level) // race! s.level
	})
	go func() {
		s.level = 1 // race! s.level
	}()
	srv := httptest.NewServer(mux)
	defer srv.Close()
	select {}
}

// In the second round the first round's server runs.
func RG5_rounds() {
	s := &served{}
	for range 2 {
		mux := http.NewServeMux()
		mux.HandleFunc("/", func(http.ResponseWriter, *http.Request) {
			println(s.level) // race! s.level
		})
		s.level = 1 // race! s.level
		srv := httptest.NewServer(mux)
		defer srv.Close()
	}
}

// Who serves is not in view.
func RG6_servedByOthers() {
	s := &served{}
	http.HandleFunc("/", func(http.ResponseWriter, *http.Request) {
		println(s.level) // race! s.level
	})
	s.level = 1 // race! s.level
}

// Handlers run at the same time, and may write.
func RG7_handlers() {
	s := &served{}
	http.HandleFunc("/", func(http.ResponseWriter, *http.Request) {
		s.limit++ // race! s.limit
	})
	http.ListenAndServe(":80", nil)
}
