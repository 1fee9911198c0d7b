// Package initial holds goroutines that the package's initialiser starts, which run
// beside what comes after it.
package initial

import (
	"io"
	"net/http"
	"sync"
	"time"
)

var (
	mu     sync.Mutex
	counts = map[string]int{}
	hits   int
)

func init() {
	go func() {
		for range 10 {
			mu.Lock()
			for k := range counts { // race! counts[*]
				counts[k]++ // race! counts[*]
			}
			hits = 0 // norace
			mu.Unlock()
			time.Sleep(1)
		}
	}()
}

// The goroutine of init is there when the function is called.
func IN1_withoutLock(k string) {
	counts[k] = 1 // race! counts[*]
}

func IN1_withLock() {
	mu.Lock()
	defer mu.Unlock()
	hits++ // norace
}

// The variable's initialiser calls a constructor that starts one.
var seen = newAges()

// What the constructor does before it starts the goroutine is over by then, and so is
// what init does to another variable.
func newAges() *ages {
	a := &ages{m: map[string]int{}}
	a.limit = 10 // norace
	go a.clean()
	return a
}

type ages struct {
	mu    sync.Mutex
	m     map[string]int
	limit int
	swept int
}

func (a *ages) clean() {
	for range time.Tick(1) {
		a.mu.Lock()
		a.m = make(map[string]int, a.limit) // race! m
		a.mu.Unlock()
		a.swept++ // race! swept
	}
}

func IN2_withoutLock() int {
	return len(seen.m) // race! m
}

func IN2_withLock(k string) {
	seen.mu.Lock()
	defer seen.mu.Unlock()
	seen.m[k]++ // norace
}

// What the function's own goroutine touches is touched by that of the initialiser.
func IN2_besideAnother() {
	done := make(chan bool)
	go func() {
		println(seen.swept) // race! swept
		done <- true
	}()
	<-done
}

// The goroutine is over when the initialiser is.
var table = func() []int {
	t := make([]int, 10)
	var wg sync.WaitGroup
	for i := range t {
		wg.Go(func() { t[i] = i }) // norace
	}
	wg.Wait()
	return t
}()

func IN3_overByThen() int { return table[0] } // norace

// It is not: nothing waits for it.
var late = func() []int {
	t := make([]int, 10)
	for i := range t {
		go func() { t[i] = i }() // race! t[*]
	}
	return t
}()

func IN3_notOver() int { return late[0] } // race! t[*]

var greeting string

// A handler that init registers waits for a server, which is run when the variables are
// there that it uses.
func init() {
	http.HandleFunc("/greet", func(w http.ResponseWriter, _ *http.Request) {
		io.WriteString(w, greeting) // norace
	})
}

func IN4_serve() {
	greeting = "hello" // norace
	http.ListenAndServe(":0", nil)
}

var (
	sent  = make(chan func())
	first = new(int)
	total int
)

// A goroutine runs what it is sent, by initialisers and by functions that are called later.
func init() {
	go func() {
		for f := range sent {
			f()
		}
	}()
}

// What the initialiser has done before it makes a function literal is over when that runs; what
// comes later is not.
func IN5_made() {
	total = 1 // race! total
}

func init() {
	*first = 1 // norace
	sent <- func() {
		*first++ // norace
		total++  // race! total
	}
}
