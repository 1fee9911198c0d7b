package library

import (
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
)

type seen struct{ hits, twice, early, other, mux, real, helped, crowd, left, joined int }

// One request after the other: a handler runs while its asker waits.
func EX1_oneByOne() {
	s := &seen{}
	srv := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		s.hits++ // assumed s.hits
	}))
	defer srv.Close()
	for range 2 {
		if resp, err := http.Get(srv.URL); err == nil {
			resp.Body.Close()
		}
	}
	println(s.hits) // assumed s.hits
}

// Two ask at the same time.
func EX1b_twoAsk() {
	s := &seen{}
	srv := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		s.twice++ // race! s.twice
	}))
	defer srv.Close()
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() { http.Get(srv.URL) })
	}
	wg.Wait()
	println(s.twice) // race! s.twice
}

// A goroutine asks, and who started it does not wait.
func EX1c_askedBeside() {
	x := 0
	srv := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		x++ // race! x
	}))
	go http.Get(srv.URL)
	println(x) // race! x
}

// The answer leaves while the handler goes on.
func EX1d_flushed() {
	s := &seen{}
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.(http.Flusher).Flush()
		s.early++ // race! s.early
	}))
	defer srv.Close()
	client := srv.Client()
	client.Get(srv.URL)
	println(s.early) // race! s.early
}

// A goroutine that does not ask looks at what the handler has noted.
func EX1e_lookedAtBeside() {
	s := &seen{}
	srv := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		s.other++ // race! s.other
	}))
	go func() {
		println(s.other) // race! s.other
	}()
	http.Get(srv.URL)
}

// Nothing in view asks.
func EX1f_unseen(ask func(string)) {
	x := 0
	srv := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		x++ // race! x
	}))
	ask(srv.URL)
	println(x) // race! x
}

// By way of a mux, and of a server that asks another one for each request.
func EX2_mux() {
	s := &seen{}
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(http.ResponseWriter, *http.Request) {
		s.mux++ // assumed s.mux
	})
	srv := httptest.NewServer(mux)
	defer srv.Close()
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		resp, err := http.Post(srv.URL, "text/plain", nil)
		if err == nil {
			io.Copy(w, resp.Body)
		}
	}))
	defer front.Close()
	http.Head(front.URL)
	println(s.mux) // assumed s.mux
}

// The mux is served to the world, too.
func EX2b_real() {
	s := &seen{}
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(http.ResponseWriter, *http.Request) {
		s.real++ // race! s.real
	})
	srv := httptest.NewServer(mux)
	defer srv.Close()
	go http.ListenAndServe(":80", mux)
	http.Get(srv.URL)
	println(s.real) // race! s.real
}

func serve(h http.HandlerFunc) *httptest.Server {
	return httptest.NewServer(h)
}

func ask(url string) {
	http.Get(url)
}

// Others ask at the same time by the same functions, but in other runs.
func EX3_ownRun() {
	s := &seen{}
	srv := serve(func(http.ResponseWriter, *http.Request) {
		s.helped++ // assumed s.helped
	})
	defer srv.Close()
	ask(srv.URL)
	println(s.helped) // assumed s.helped
}

func EX3b_crowd() {
	s := &seen{}
	srv := serve(func(http.ResponseWriter, *http.Request) {
		s.crowd++ // race! s.crowd
	})
	defer srv.Close()
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() { ask(srv.URL) })
	}
	wg.Wait()
	println(s.crowd) // race! s.crowd
}

// A handler starts a goroutine that goes on after the answer.
func EX4_left() {
	s := &seen{}
	srv := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		go func() {
			s.left++ // race! s.left
		}()
	}))
	defer srv.Close()
	http.Get(srv.URL)
	println(s.left) // race! s.left
}

// It waits for that.
func EX4b_joined() {
	s := &seen{}
	srv := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		var wg sync.WaitGroup
		wg.Go(func() {
			s.joined++ // assumed s.joined
		})
		wg.Wait()
	}))
	defer srv.Close()
	http.Get(srv.URL)
	println(s.joined) // assumed s.joined
}
