package order_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/iterace/iterace/filters/internal/smallworld"
	"github.com/iterace/iterace/filters/order"
	"github.com/iterace/iterace/model"
)

const prelude = `package p

import (
	"sync"
	"sync/atomic"
)

var c bool
var list []int

type group struct{ wg sync.WaitGroup }

func (g *group) start(f func()) { g.wg.Add(1); go func() { defer g.wg.Done(); f() }() }
func (g *group) wait()          { g.wg.Wait() }

type job struct{ n int }

var _ atomic.Int32
var _ sync.Mutex

func use(...any) {}

func Test() {
	var x int
	BODY
	_ = x
}
`

// Each body has one shared variable, x, or a field n of what it passes on;
// race says whether two accesses of it may overlap.
var orderTests = []struct {
	rule string
	race bool
	body string
}{
	// Before the spawn and after the join.
	{"spawn", false, `x = 1; go func() { x = 2 }(); return`},
	{"spawn", true, `go func() { x = 2 }(); x = 1; return`},
	{"spawn", true, `for range 3 { go func() { x = 2 }() }; return`},

	// W: wait groups.
	{"W", false, `var wg sync.WaitGroup; wg.Add(1); go func() { defer wg.Done(); x = 1 }(); wg.Wait()`},
	{"W early Done", true, `var wg sync.WaitGroup; wg.Add(1); go func() { wg.Done(); x = 1 }(); wg.Wait()`},
	{"W Add inside", true, `var wg sync.WaitGroup; go func() { wg.Add(1); defer wg.Done(); x = 1 }(); wg.Wait()`},
	{"W on one path", true, `var wg sync.WaitGroup; wg.Add(1); go func() { defer wg.Done(); x = 1 }(); if c { wg.Wait() }`},
	{"W another group", true, `var wg, wh sync.WaitGroup; wg.Add(1); wh.Add(1); go func() { defer wh.Done(); x = 1 }(); wg.Wait()`},
	{"W deferred in a callee", false, `func() { var wg sync.WaitGroup; defer wg.Wait(); wg.Add(1); go func() { defer wg.Done(); x = 1 }() }()`},
	{"W wrapper type", false, `var g, h group; h.start(func() {}); h.wait(); g.start(func() { x = 1 }); g.wait()`},
	{"W wrapper type, another group", true, `var g, h group; g.start(func() { x = 1 }); h.start(func() {}); h.wait()`},
	{"W wg.Go", false, `var wg sync.WaitGroup; wg.Go(func() { x = 1 }); wg.Wait()`},
	{"W in a returned closure", false, `start := func() func() { var wg sync.WaitGroup; wg.Add(1); go func() { defer wg.Done(); x = 1 }(); return func() { wg.Wait() } }; wait := start(); wait()`},
	{"W rounds", false, `for range 3 { var wg sync.WaitGroup; wg.Add(1); go func() { x = 1; wg.Done() }(); wg.Wait() }`},
	{"W nested", false, `var wg sync.WaitGroup; wg.Add(1); go func() { defer wg.Done(); wg.Add(1); go func() { x = 1; wg.Done() }() }(); wg.Wait()`},

	// C1, C2: receives and closes.
	{"C1", false, `ch := make(chan int); go func() { x = 1; ch <- 1 }(); <-ch`},
	{"C1 after the send", true, `ch := make(chan int); go func() { ch <- 1; x = 1 }(); <-ch`},
	{"C1 close", false, `ch := make(chan int); go func() { defer close(ch); x = 1 }(); <-ch`},
	{"C1 two senders", true, `ch := make(chan int, 2); go func() { x = 1; ch <- 1 }(); go func() { ch <- 1 }(); <-ch`},
	{"C1 another channel", true, `ch, dh := make(chan int), make(chan int, 1); go func() { x = 1; ch <- 1; dh <- 1 }(); dh <- 1; <-dh; use(ch)`},
	{"C1 the child waits", false, `ch := make(chan int); go func() { <-ch; x = 1 }(); x = 2; ch <- 1; return`},
	{"C2 closer", false, `ch := make(chan int); var wg sync.WaitGroup; for range 3 { wg.Add(1); go func() { defer wg.Done(); ch <- 1 }() }; wg.Add(1); go func() { defer wg.Done(); x = 1 }(); go func() { wg.Wait(); close(ch) }(); for range ch { }`},
	{"C2 break", true, `ch := make(chan int, 9); var wg sync.WaitGroup; wg.Add(1); go func() { defer wg.Done(); ch <- 1; x = 1 }(); go func() { wg.Wait(); close(ch) }(); for range ch { break }`},
	{"C3", false, `ch := make(chan int); go func() { x = 1; <-ch }(); ch <- 1`},
	{"C3 buffered", true, `ch := make(chan int, 1); go func() { x = 1; <-ch }(); ch <- 1`},
	{"C4 select", false, `ch, q := make(chan int), make(chan int); go func() { x = 1; ch <- 1 }(); go func() { close(q) }(); select { case <-ch: x = 2; case <-q: }; return`},
	{"C4 either case", true, `ch, q := make(chan int, 1), make(chan int); go func() { x = 1; ch <- 1 }(); go func() { close(q) }(); select { case <-ch: case <-q: }`},
	{"C5 dead case", false, `ch, q := make(chan int), make(chan int); go func() { x = 1; ch <- 1 }(); select { case <-ch: case <-q: }`},

	// K: counting.
	{"K", false, `ch := make(chan int); for range 3 { go func() { use(x); ch <- 1 }() }; for range 3 { <-ch }; x = 1`},
	{"K too few", true, `ch := make(chan int, 3); for range 3 { go func() { use(x); ch <- 1 }() }; for range 2 { <-ch }; x = 1`},
	{"K one receive", true, `ch := make(chan int, 3); for range 3 { go func() { use(x); ch <- 1 }() }; <-ch; x = 1`},
	{"K same slice", false, `ch := make(chan int); for range list { go func() { use(x); ch <- 1 }() }; for range list { <-ch }; x = 1`},
	{"K early exit", true, `ch := make(chan int, 3); for range 3 { go func() { use(x); ch <- 1 }() }; for range 3 { if <-ch == 0 { break } }; x = 1`},
	{"K by the round", false, `ch := make(chan int); for range 3 { go func() { x++; ch <- 1 }(); <-ch }`},
	{"K sends fill the buffer", false, `ch := make(chan int, 2); for range 5 { ch <- 1; go func() { use(x); <-ch }() }; for i := 0; i < cap(ch); i++ { ch <- 1 }; x = 1`},

	// Semaphores.
	{"cap 1 inside", false, `s := make(chan int, 1); for range 3 { go func() { s <- 1; x++; <-s }() }; return`},
	{"cap 2 inside", true, `s := make(chan int, 2); for range 3 { go func() { s <- 1; x++; <-s }() }; return`},
	{"cap 1 before go", false, `s := make(chan int, 1); for range 3 { s <- 1; go func() { x++; <-s }() }; return`},
	{"cap 2 before go", true, `s := make(chan int, 2); for range 3 { s <- 1; go func() { x++; <-s }() }; return`},
	{"token", false, `s := make(chan int, 1); s <- 1; for range 3 { go func() { <-s; x++; s <- 1 }() }; return`},
	{"two tokens", true, `s := make(chan int, 2); s <- 1; s <- 1; for range 3 { go func() { <-s; x++; s <- 1 }() }; return`},

	// B: a variable of each round.
	{"B", false, `for i := range 3 { y := i; go func() { use(y) }(); use(y) }; return`},
	{"B outside", true, `for i := range 3 { go func() { use(x) }(); x = i }; return`},

	// O: Once.
	{"O", false, `var o sync.Once; var wg sync.WaitGroup; for range 3 { wg.Add(1); go func() { defer wg.Done(); o.Do(func() { x = 1 }); use(x) }() }; wg.Wait()`},
	{"O before Do", true, `var o sync.Once; var wg sync.WaitGroup; for range 3 { wg.Add(1); go func() { defer wg.Done(); use(x); o.Do(func() { x = 1 }) }() }; wg.Wait()`},

	// F: flags.
	{"F", false, `var f atomic.Bool; go func() { x = 1; f.Store(true) }(); if f.Load() { x = 2 }; return`},
	{"F negative", true, `var f atomic.Bool; go func() { x = 1; f.Store(true) }(); if !f.Load() { x = 2 }; return`},
	{"F too early", true, `var f atomic.Bool; go func() { f.Store(true); x = 1 }(); if f.Load() { x = 2 }; return`},
	{"F initially so", true, `var f atomic.Int32; f.Store(1); go func() { x = 1; f.Store(1) }(); if f.Load() == 1 { x = 2 }; return`},
	{"F countdown", false, `var f atomic.Int32; f.Store(2); for range 2 { go func() { use(x); if f.Add(-1) == 0 { x = 1 } }() }; return`},
	{"F countdown too early", true, `var f atomic.Int32; f.Store(3); for range 3 { go func() { use(x); if f.Add(-1) == 1 { x = 1 } }() }; return`},

	{"F3", false, `var mu sync.Mutex; f := false; go func() { x = 1; mu.Lock(); f = true; mu.Unlock() }(); mu.Lock(); for !f { mu.Unlock(); mu.Lock() }; mu.Unlock(); x = 2; return`},
	{"F3 unlocked", true, `var mu sync.Mutex; f := false; go func() { x = 1; f = true }(); mu.Lock(); for !f { mu.Unlock(); mu.Lock() }; mu.Unlock(); x = 2; return`},
	{"F3 too early", true, `var mu sync.Mutex; f := false; go func() { mu.Lock(); f = true; mu.Unlock(); x = 1 }(); mu.Lock(); for !f { mu.Unlock(); mu.Lock() }; mu.Unlock(); x = 2; return`},
	{"F3 two writers", true, `var mu sync.Mutex; f := false; go func() { x = 1; mu.Lock(); f = true; mu.Unlock() }(); go func() { mu.Lock(); f = true; mu.Unlock() }(); mu.Lock(); for !f { mu.Unlock(); mu.Lock() }; mu.Unlock(); x = 2; return`},
	{"F one winner", false, `var f atomic.Int32; for range 3 { go func() { if f.CompareAndSwap(0, 1) { x = 1 } }() }; return`},
	{"F winner again", true, `var f atomic.Int32; for range 3 { go func() { if f.CompareAndSwap(0, 1) { x = 1; f.Store(0); x = 2 } }() }; return`},
	{"F one counts", false, `var f atomic.Int32; for range 3 { go func() { if f.Add(1) == 2 { x = 1 } }() }; return`},
	{"F up and down", true, `var f atomic.Int32; for range 3 { go func() { if f.Add(1) == 1 { x = 1 }; f.Add(-1) }() }; return`},

	// M: ownership.
	{"M", false, `in := make(chan *job); for range 2 { go func() { for j := range in { j.n++ } }() }; for i := range 9 { in <- &job{i} }; close(in); return`},
	{"M used after the send", true, `in := make(chan *job); for range 2 { go func() { for j := range in { j.n++ } }() }; for i := range 9 { j := &job{i}; in <- j; j.n++ }; close(in); return`},
	{"M sent twice", true, `in := make(chan *job, 2); for range 2 { go func() { for j := range in { j.n++ } }() }; j := &job{1}; in <- j; in <- j; return`},

	// Chains of channels.
	{"chain", false, `prev := make(chan int); close(prev); for range 3 { next := make(chan int); go func(a, b chan int) { <-a; x++; close(b) }(prev, next); prev = next }; <-prev; x = 1`},
	{"chain by value", false, `prev := make(chan int, 1); prev <- 1; for range 3 { next := make(chan int, 1); go func(a, b chan int) { n := <-a; x++; b <- n }(prev, next); prev = next }; <-prev; x = 1`},
	{"chain not awaited at the end", true, `prev := make(chan int); close(prev); for range 3 { next := make(chan int); go func(a, b chan int) { <-a; x++; close(b) }(prev, next); prev = next }; x = 1`},
	{"chain released early", true, `prev := make(chan int); close(prev); for range 3 { next := make(chan int); go func(a, b chan int) { <-a; close(b); x++ }(prev, next); prev = next }; return`},
	{"chain of one channel", true, `prev := make(chan int); close(prev); next := make(chan int); for range 3 { go func(a, b chan int) { <-a; x++; if c { close(b) } }(prev, next) }; return`},
	{"chain released by another", true, `prev := make(chan int); close(prev); for range 3 { next := make(chan int); go func(a, b chan int) { <-a; x++; close(b) }(prev, next); go func() { next <- 1 }(); prev = next }; return`},
	{"chain in an inner loop", true, `prev := make(chan int); close(prev); for range 3 { next := make(chan int, 2); for range 2 { go func(a, b chan int) { <-a; x++; b <- 1 }(prev, next) }; prev = next }; return`},

	// Flags compared with what is no constant.
	{"F not nil", false, `var f atomic.Pointer[job]; p := &job{}; go func() { x = 1; f.Store(p) }(); if f.Load() == p { x = 2 }; return`},
	{"F not nil, other edge", true, `var f atomic.Pointer[job]; p := &job{}; go func() { x = 1; f.Store(p) }(); if f.Load() != p { x = 2 }; return`},
	{"F perhaps nil", true, `var f atomic.Pointer[job]; var p *job; if c { p = &job{} }; go func() { x = 1; f.Store(p) }(); if f.Load() == p { x = 2 }; return`},
	{"F countdown by length", false, `parts := make([]int, 3); var f atomic.Int32; f.Store(3); for range parts { go func() { use(x); if f.Add(-1) == 0 { x = 1 } }() }; return`},

	// Loops of one round, and of none.
	{"one round", false, `for i := 0; i < 1; i++ { go func() { x++ }() }; return`},
	{"no round", false, `go func() { x++ }(); for i := 0; i < 0; i++ { x++ }; return`},
	{"two rounds", true, `for i := 0; i < 2; i++ { go func() { x++ }() }; return`},
}

func TestOrder(t *testing.T) {
	for _, tt := range orderTests {
		p, err := smallworld.Solve("Test", strings.Replace(prelude, "BODY", tt.body, 1))
		if err != nil {
			t.Fatalf("%s: %v", tt.body, err)
		}
		var got []string
		for _, v := range p.Views() {
			rs := v.Races().Filter(func(r *model.Race) bool {
				return r.Object.Name == "x" || r.Object.Name == "y" || r.Field == ".n"
			})
			for _, r := range order.Filter(v, rs).Races {
				if len(r.Why) == 0 {
					t.Fatalf("%s: %s\nno reason given", tt.rule, tt.body)
				}
				got = append(got, r.Object.Name+r.Field+" "+r.Why[0].Text)
			}
		}
		if (len(got) > 0) != tt.race {
			slices.Sort(got)
			t.Errorf("%s: race %v, want %v\n%s\n%s", tt.rule, len(got) > 0, tt.race, tt.body, strings.Join(slices.Compact(got), "\n"))
		}
	}
}
