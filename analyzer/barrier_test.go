package analyzer

import (
	"testing"

	"github.com/iterace/iterace/model"
)

// TestBarrier: a race is not definite if what may be a barrier of one's own stands between the
// accesses of each iteration, and assumed if it is known to be one.
func TestBarrier(t *testing.T) {
	t.Parallel()
	const (
		cond = `
func (b *barrier) wait() {
	b.mu.Lock()
	defer b.mu.Unlock()
	round := b.round
	if b.k++; b.k == 4 {
		b.k = 0
		b.round++
		b.c.Broadcast()
		return
	}
	for round == b.round {
		b.c.Wait()
	}
}
`
		channel = `
func (b *barrier) wait() {
	b.mu.Lock()
	ch := b.ch
	if b.k++; b.k == 4 {
		b.k = 0
		b.ch = make(chan int)
		close(ch)
		b.mu.Unlock()
		return
	}
	b.mu.Unlock()
	<-ch
}
`
		unknown = `
func (b *barrier) wait() {
	b.mu.Lock()
	ch := b.ch
	if b.k++; b.k > 3 {
		b.k = 0
		b.ch = make(chan int)
		close(ch)
		b.mu.Unlock()
		return
	}
	b.mu.Unlock()
	<-ch
}
`
		counter = `
func (b *barrier) wait() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.k++
	b.c.Broadcast()
}
`
		letGo = `
func (b *barrier) wait() {
	b.mu.Lock()
	defer b.mu.Unlock()
	round := b.round
	if b.k++; b.k > 3 {
		b.n++
		b.k = 0
		b.round++
		b.c.Broadcast()
		return
	}
	for round == b.round {
		b.c.Wait()
	}
}
`
		passed = unknown + `
func (b *barrier) pass() { b.wait() }
`
		phases  = `b.n += w; b.wait(); println(b.n)`
		twice   = `for range 3 { b.own[w] = w; b.wait(); println(b.own[3-w]); b.wait() }`
		between = `b.own[w] = w; b.wait(); println(b.own[3-w])`
	)
	for _, test := range []struct {
		name, wait, before, body, field string
		want                            model.Confidence
	}{
		{"condition", cond, "", between, "[*]", model.Assumed},
		{"closed channel", channel, "", between, "[*]", model.Assumed},
		{"two phases in each round", channel, "", twice, "[*]", model.Assumed},
		{"asked in a way that is not known", unknown, "", between, "[*]", model.Likely},
		{"two phases in each round of that", unknown, "", twice, "[*]", model.Likely},
		{"and one of them a call further", passed, "", `for range 3 { b.own[w] = w; b.wait(); println(b.own[3-w]); b.pass() }`, "[*]", model.Likely},
		{"by who lets all go", letGo, "", `_ = b.n; b.wait()`, ".n", model.Likely},
		{"by who lets all go, beside who starts them", letGo, "println(b.n)", `b.wait()`, ".n", model.Likely},
		{"beside who starts them", letGo, "println(b.n)", `b.n++; b.wait()`, ".n", model.Definite},
		{"one in each round", channel, "", `for range 3 { b.own[w] = w; b.wait(); println(b.own[3-w]) }`, "[*]", model.Definite},
		{"before the barrier", cond, "", `b.own[w] = w; println(b.own[3-w]); b.wait()`, "[*]", model.Definite},
		{"on one way only", cond, "", `b.own[w] = w; if w > 1 { b.wait() }; println(b.own[3-w])`, "[*]", model.Definite},
		{"both on one side of it", cond, "", phases, ".n", model.Definite},
		{"nobody waits", counter, "", between, "[*]", model.Definite},
		{"on other ways", cond, "", `if w > 1 { b.own[w] = w; b.wait() } else { println(b.own[3-w]) }`, "[*]", model.Definite},
	} {
		t.Run(test.name, func(t *testing.T) {
			res := runText(t, `package main

import "sync"

type barrier struct {
	mu       sync.Mutex
	c        *sync.Cond
	k, round int
	ch       chan int
	n        int
	own      []int
}
`+test.wait+`
func main() {
	b := &barrier{ch: make(chan int), own: make([]int, 4)}
	b.c = sync.NewCond(&b.mu)
	var wg sync.WaitGroup
	for w := range 4 {
		_ = w
		`+test.before+`
		wg.Go(func() { `+test.body+` })
	}
	wg.Wait()
}
`)
			if got := surest(res, test.field); got != test.want {
				t.Errorf("%s, want %s", got, test.want)
			}
		})
	}
}
