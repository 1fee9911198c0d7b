package library

import (
	"io"
	"net/http"
	"strings"
	"sync"
)

// A client calls its transport for each request, on the goroutine of the request.
func CL1_transport() {
	t := &retries{}
	c := &http.Client{Transport: t}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() { c.Get("http://localhost/") })
	}
	wg.Wait()
}

type retries struct {
	mu   sync.Mutex
	seen int
	next int
}

func (t *retries) RoundTrip(r *http.Request) (*http.Response, error) {
	t.mu.Lock()
	t.seen++ // norace
	t.mu.Unlock()
	t.next++ // race! t.next
	return &http.Response{StatusCode: 200, Body: io.NopCloser(strings.NewReader("")), Request: r}, nil
}
