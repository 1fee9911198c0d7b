package library

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"
)

// A method of what a struct embeds is called by way of an interface: what it does it does to
// what is embedded, and not to the struct.

type form interface{ ParseForm() error }

type namedRequest struct {
	*http.Request
	name string
}

// Each has a struct of its own, and all have one request.
func PM1_oneEmbedded() {
	r := &http.Request{}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			var f form = &namedRequest{r, "x"}
			f.ParseForm() // race! _
		})
	}
	wg.Wait()
}

// Each has its own request.
func PM2_ownEmbedded() {
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			var f form = &namedRequest{&http.Request{}, "x"}
			f.ParseForm() // norace
		})
	}
	wg.Wait()
}

// The struct's fields are only read.
func PM3_besideEmbedded() {
	w := &namedRequest{&http.Request{}, "x"}
	var f form = w
	done := make(chan bool)
	go func() {
		println(w.name, w.Request) // norace
		done <- true
	}()
	f.ParseForm() // norace
	<-done
}

// The request itself is looked at meanwhile.
func PM4_embeddedBeside() {
	w := &namedRequest{&http.Request{}, "x"}
	var f form = w
	done := make(chan bool)
	go func() {
		println(w.Form == nil) // race! w.Request.Form
		done <- true
	}()
	f.ParseForm() // race! w.Request.Form
	<-done
}

type countedWriter struct {
	io.Writer
	n int
}

// What is embedded is an interface value.
func PM5_embeddedInterface() {
	var buf bytes.Buffer
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			var w io.Writer = &countedWriter{&buf, 0}
			w.Write([]byte("x")) // race! buf
		})
	}
	wg.Wait()
}

// A method of a value, called by a pointer to it, is that of the type itself.
func PM6_valueMethod() {
	t := time.Now()
	var s fmt.Stringer = &t
	done := make(chan bool)
	go func() {
		t = time.Time{} // race! t
		done <- true
	}()
	println(s.String()) // race! t
	<-done
}
