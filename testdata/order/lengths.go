package order

import (
	"errors"
	"fmt"
	"time"
)

// Programs that collect results until they have as many as there are goroutines.

type ywPart interface{ run() error }

type ywExit struct {
	name string
	err  error
}

type ywApp struct {
	parts []ywPart
	limit time.Duration
}

type ywQueue struct{ sum int }

func (q *ywQueue) run() error {
	q.sum++ // norace
	return nil
}

// YW1: the list has as many results as there are parts, or it says that something is late.
func YW1_length() {
	q := &ywQueue{}
	app := &ywApp{parts: []ywPart{q}, limit: time.Second}
	got, err := app.run()
	fmt.Println("stopped")
	if err != nil {
		return
	}
	fmt.Println(got, q.sum) // norace
}

func (a *ywApp) run() ([]ywExit, error) {
	exits := make(chan ywExit, len(a.parts))
	for _, p := range a.parts {
		go func() { exits <- ywExit{"part", p.run()} }()
	}
	late := time.After(a.limit)
	var got []ywExit
	for len(got) < len(a.parts) {
		select {
		case e := <-exits:
			got = append(got, e)
		case <-late:
			return got, errors.New("late")
		}
	}
	return got, nil
}

// YW2: the list has a result before anything is received.
func YW2_oneTooFew(n int) {
	out := make([]int, n)
	done := make(chan int, n)
	for i := range n {
		go func() {
			out[i] = i // race! out[*]
			done <- i
		}()
	}
	got := make([]int, 1)
	for len(got) < n {
		got = append(got, <-done)
	}
	fmt.Println(out, got) // race! out[*]
}

// YW3: each result is in the list twice.
func YW3_twice(n int) {
	out := make([]int, n)
	done := make(chan int, n)
	for i := range n {
		go func() {
			out[i] = i // race! out[*]
			done <- i
		}()
	}
	var got []int
	for len(got) < n {
		v := <-done
		got = append(got, v, v)
	}
	fmt.Println(out, got) // race! out[*]
}

// YW4: some results are in another list.
func YW4_another(n int) {
	out := make([]int, n)
	done := make(chan int, n)
	for i := range n {
		go func() {
			out[i] = i // norace
			done <- i
		}()
	}
	var got, odd []int
	for len(got) < n {
		v := <-done
		if v%2 == 1 {
			odd = append(odd, v)
		}
		got = append(got, v)
	}
	fmt.Println(out, got, odd) // norace
}

// YW5: the number of parts changes while they run.
func YW5_shrinks() {
	q := &ywSlow{}
	app := &ywShrinking{parts: []ywPart{q, &ywNothing{}}}
	fmt.Println(app.run(ywShrinking{}), q.n) // race! q.n
}

type ywSlow struct{ n int }

func (q *ywSlow) run() error {
	q.n++ // race! q.n
	return nil
}

type ywNothing struct{}

func (*ywNothing) run() error { return nil }

type ywShrinking struct{ parts []ywPart }

func (a *ywShrinking) run(none ywShrinking) []error {
	exits := make(chan error, len(a.parts))
	for _, p := range a.parts {
		go func() { exits <- p.run() }()
	}
	var got []error
	for len(got) < len(a.parts) {
		got = append(got, <-exits)
		*a = none
	}
	return got
}

// YW6: the parts' number is the same, whatever is put together beside it.
func YW6_structBeside() {
	q := &ywQuiet{}
	app := &ywBeside{parts: []ywPart{q}}
	app.run()
	fmt.Println(q.n) // norace
}

type ywQuiet struct{ n int }

func (q *ywQuiet) run() error {
	q.n++ // norace
	return nil
}

type ywBeside struct{ parts []ywPart }

func (a *ywBeside) run() (last ywExit) {
	exits := make(chan ywExit, len(a.parts))
	for _, p := range a.parts {
		go func() { exits <- ywExit{"part", p.run()} }()
	}
	for i := 0; i < len(a.parts); i++ {
		last = <-exits
		last.name += "!"
	}
	return last
}

// YW7: the number is a field of a struct that is replaced meanwhile.
func YW7_replaced(n int, none ywLimits) {
	out := make([]int, n)
	done := make(chan int, n)
	limits := ywLimits{n: n}
	limit := &limits.n
	for i := range *limit {
		go func() {
			out[i] = i // race! out[*]
			done <- i
		}()
	}
	for i := 0; i < *limit; i++ {
		<-done
		limits = none
	}
	fmt.Println(out) // race! out[*]
}

type ywLimits struct{ n int }

// YW8: the number may be a field of it.
func YW8_pointedTo(limits *ywLimits, limit *int, none ywLimits) {
	out := make([]int, *limit)
	done := make(chan int, *limit)
	for i := range *limit {
		go func() {
			out[i] = i // race! out[*]
			done <- i
		}()
	}
	for i := 0; i < *limit; i++ {
		<-done
		*limits = none
	}
	fmt.Println(out) // race! out[*]
}
