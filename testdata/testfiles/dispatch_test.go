package testfiles

import (
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
)

// A mux that nothing serves is asked by the tests themselves.

type page struct {
	mu           sync.Mutex
	hits, late   int
	inner, outer int
}

func ask(h http.Handler, path string) {
	h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", path, nil))
}

// One request after the other.
func TestDP1_oneByOne(t *testing.T) {
	p := &page{}
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(http.ResponseWriter, *http.Request) {
		p.hits++ // assumed p.hits
	})
	ask(mux, "/")
	mux.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", "/", nil))
	println(p.hits) // norace
}

// Goroutines ask, and who reads waits for them.
func TestDP2_waitedFor(t *testing.T) {
	p := &page{}
	mux := http.NewServeMux()
	mux.Handle("/", hits2{p})
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() { ask(mux, "/") })
	}
	wg.Wait()
	println(p.hits) // assumed p.hits
}

type hits2 struct{ p *page }

func (h hits2) ServeHTTP(http.ResponseWriter, *http.Request) {
	h.p.mu.Lock()
	h.p.hits++ // assumed h.p.hits
	h.p.mu.Unlock()
}

// They do so without a lock.
func TestDP3_atOnce(t *testing.T) {
	p := &page{}
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(http.ResponseWriter, *http.Request) {
		p.hits++ // race! p.hits
	})
	for range 3 {
		go ask(mux, "/")
	}
}

// Who reads has not waited.
func TestDP4_notWaitedFor(t *testing.T) {
	p := &page{}
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(http.ResponseWriter, *http.Request) {
		p.late++ // race! p.late
	})
	go ask(mux, "/")
	println(p.late) // race! p.late
}

// The handler lies behind another one, which asks.
func TestDP5_middleware(t *testing.T) {
	p := &page{}
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(http.ResponseWriter, *http.Request) {
		p.inner++ // race! p.inner
	})
	h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p.mu.Lock()
		p.outer++ // norace
		p.mu.Unlock()
		mux.ServeHTTP(w, r)
	})
	for range 2 {
		go ask(h, "/")
	}
}

// One goroutine asks, and is waited for.
func TestDP6_joined(t *testing.T) {
	p := &page{}
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(http.ResponseWriter, *http.Request) {
		p.inner++ // assumed p.inner
	})
	done := make(chan bool)
	go func() {
		ask(mux, "/")
		close(done)
	}()
	<-done
	ask(mux, "/")
	println(p.inner) // norace
}

// A handler is run by itself, and not by way of the mux.
func TestDP7_itself(t *testing.T) {
	p := &page{}
	h := http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		p.outer++ // assumed p.outer
	})
	mux := http.NewServeMux()
	mux.Handle("/", h)
	ask(h, "/")
	println(p.outer) // norace
}

// Others call the method of another handler that is a function.
func TestDP8_another(t *testing.T) {
	p := &page{}
	mux := http.NewServeMux()
	mux.Handle("/", http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		p.outer++ // race! p.outer
	}))
	ask(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}), "/")
}
