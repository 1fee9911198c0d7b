package library

import (
	"bytes"
	"io"
	"net/http"
	"os/exec"
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

// What a command prints is copied by a goroutine of the command's own, until Wait.
func CL2_output() {
	var out bytes.Buffer
	cmd := exec.Command("echo", "x")
	cmd.Stdout = &out
	if cmd.Start() != nil {
		return
	}
	cmd.Wait()
	_ = out.String() // norace
}

func CL2b_outputTooEarly() {
	var out bytes.Buffer
	cmd := exec.Command("echo", "x")
	cmd.Stdout = &out
	if cmd.Start() != nil { // race! out
		return
	}
	_ = out.String() // race! out
	cmd.Wait()
}
