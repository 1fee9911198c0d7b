package library

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"sync"
	"time"
)

// The error of a library call does not hold what the call was made on.
func FM1_errorOfWriter(params map[string]string) {
	form := multipart.NewWriter(io.Discard)
	errs := make(chan error, 1)
	go func() {
		for k, v := range params {
			if err := form.WriteField(k, v); err != nil { // norace
				errs <- err
				return
			}
		}
		form.Close() // norace
	}()
	if err := <-errs; err != nil {
		fmt.Println(err) // norace
	}
}

// Nor where the call yields a part of it, too.
func FM1c_errorBesidePart() {
	form := multipart.NewWriter(io.Discard)
	_, err := form.CreateFormFile("file", "name")
	go func() {
		form.Close() // norace
	}()
	fmt.Println(err) // norace
}

// What the call was made on is printed itself.
func FM1b_writerPrinted(params map[string]string) {
	form := multipart.NewWriter(io.Discard)
	go func() {
		form.WriteField("k", "v") // race! form
	}()
	fmt.Println(form) // race! form
}

// Why a context is cancelled tells nothing of the context.
func FM2_cause(s *service) {
	go func() {
		s.state = 1 // norace
	}()
	if err := context.Cause(s); err != nil {
		fmt.Println("stopped:", err) // norace
	}
}

type service struct {
	context.Context
	state int
}

// It may be an error that has been given to the context.
func FM2b_causeOfItsOwn() {
	ctx, cancel := context.WithTimeoutCause(context.Background(), time.Second, tooLate)
	defer cancel()
	go func() {
		tooLate.n = 1 // race! _.n
	}()
	fmt.Println(context.Cause(ctx))
}

var tooLate = &reason{}

type reason struct{ n int }

func (r *reason) Error() string {
	if r.n > 0 { // race! _.n
		return "late"
	}
	return "reason"
}

// Who has the error from elsewhere prints what it leads to.
func FM2c_errorOfOwner(s *service) {
	err := error(failure{s})
	go func() {
		s.state = 2 // race! s.state
	}()
	fmt.Println(err)
}

type failure struct{ of *service }

func (f failure) Error() string { return fmt.Sprint(f.of.state) } // race! s.state

// A part of an array is printed, not what the array is a part of.
func FM3_partOfArray(w *wire) {
	go func() {
		w.err = errors.New("gone") // norace
	}()
	fmt.Printf("%q\n", w.scratch[:4]) // norace
}

type wire struct {
	scratch [8]byte
	slots   [4]slot
	err     error
}

type slot struct{ n, m int }

// Any element of the array may be in the part.
func FM3b_elementOfPart(w *wire) {
	go func() {
		w.scratch[1] = 'x' // race! w.scratch[*]
	}()
	fmt.Printf("%q\n", w.scratch[:4]) // race! w.scratch[*]
}

// All fields of an element are printed.
func FM3c_fieldOfElement(w *wire) {
	go func() {
		w.slots[1].m = 1 // race! w.slots[*].m
	}()
	fmt.Println(w.slots[:2]) // race! w.slots[*].m
}

// The whole is printed.
func FM3d_whole(w *wire) {
	go func() {
		w.err = errors.New("gone") // race! w.err
	}()
	fmt.Println(w) // race! w.err
}

// Inside of what is printed, pointers are printed as such.
func FM4_pointerInside() {
	p := &slot{}
	go func() {
		p.n = 1 // norace
	}()
	fmt.Println([]any{p, "x"}) // norace
}

// A pointer that is an operand is followed, whatever comes beside it.
func FM4b_pointerItself() {
	p := &slot{}
	go func() {
		p.n = 1 // race! p.n
	}()
	fmt.Println(p, []any{p}) // race! p.n
}

// What prints itself does so inside, too.
func FM4c_printsItself() {
	why := &reason{}
	go func() {
		why.n = 1 // race! why.n
	}()
	fmt.Println([]any{why}) // race! why.n
}

type board struct {
	mu   sync.Mutex
	last map[string]*entry
}

type entry struct {
	Name  string
	Count *int
}

// A message is read into new memory before others find it.
func FM5_filledFirst(b *board, messages [][]byte) {
	for _, data := range messages {
		go func() {
			var e entry
			if json.Unmarshal(data, &e) != nil { // norace
				return
			}
			b.mu.Lock()
			b.last[e.Name] = &e
			b.mu.Unlock()
		}()
	}
	b.mu.Lock()
	for _, e := range b.last {
		fmt.Println(e.Name) // norace
	}
	b.mu.Unlock()
}

// It is read when others have found the memory.
func FM5b_foundFirst(b *board, messages [][]byte) {
	for _, data := range messages {
		go func() {
			var e entry
			b.mu.Lock()
			b.last[string(data)] = &e
			b.mu.Unlock()
			json.Unmarshal(data, &e) // race! e.Name
		}()
	}
	b.mu.Lock()
	for _, e := range b.last {
		fmt.Println(e.Name) // race! e.Name
	}
	b.mu.Unlock()
}

// The new memory leads to what others have.
func FM5c_leadsToOthers(b *board, data []byte) {
	total := 0
	go func() {
		e := entry{Count: &total}
		if json.Unmarshal(data, &e) == nil { // race! total
			b.mu.Lock()
			b.last[e.Name] = &e
			b.mu.Unlock()
		}
	}()
	total++ // race! total
}
