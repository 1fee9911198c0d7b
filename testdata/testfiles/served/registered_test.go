// Package served has tests in which something is served, and others.
package served

import (
	"net/http"
	"testing"
)

// What a test registers with a package's own mux runs only if something is served.

type limited struct{ limit, hits int }

func (l *limited) ServeHTTP(http.ResponseWriter, *http.Request) { println(l.limit) }

// Nothing is.
func TestRG21_unserved(t *testing.T) {
	l := &limited{}
	http.Handle("/rg21", l)
	l.limit = 10 // assumed l.limit
}

// The server is started before.
func TestRG22_served(t *testing.T) {
	l := &served22{}
	go http.ListenAndServe("localhost:0", nil)
	http.Handle("/rg22", l)
	l.limit = 10 // race! l.limit
}

type served22 struct{ limit int }

func (l *served22) ServeHTTP(http.ResponseWriter, *http.Request) {
	println(l.limit) // race! l.limit
}
