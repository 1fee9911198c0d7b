package library

import (
	"net/http"
	"sync"
)

// A clone of a request has a header and a URL of its own.
func O8_requestClone(r *http.Request) {
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			c := r.Clone(r.Context())  // norace
			c.ContentLength = int64(i) // norace
			c.Header.Set("a", "b")     // norace
			c.URL.Path = "x"           // norace
		})
	}
	wg.Wait()
}

// A shallow copy shares them.
func O9_requestWithContext(r *http.Request) {
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			c := r.WithContext(r.Context())
			c.ContentLength = int64(i) // norace
			c.Header.Add("a", "b")     // race! _
			c.URL.Path = "x"           // race! r.URL.Path
		})
	}
	wg.Wait()
}
