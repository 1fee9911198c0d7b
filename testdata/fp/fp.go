// Package fp holds programs without races that are reported today, with the
// reason. When one falls silent its test fails, and it moves to its topic.
package fp

import (
	"iter"
	"sync"
)

const n = 10

type result struct{ v int }

func gen(v int, r *result, wg *sync.WaitGroup) {
	defer wg.Done()
	r.v = v // race _.v; see S9: that the capacity suffices is not known
}

// A slice with room for all grows while goroutines fill what was appended.
func FP_S9_growingWithinCapacity() {
	parts := []int{1, 2, 3, 4}
	out := make([]result, 0, len(parts))
	var wg sync.WaitGroup
	for _, p := range parts {
		out = append(out, result{}) // race _.v; growing reads the old elements, if it happens
		r := &out[len(out)-1]
		wg.Add(1)
		go gen(p, r, &wg)
	}
	wg.Wait()
}

// P is an object with a name and another one.
type P struct {
	x      int
	origin *P
}

// Each element's origin starts as its own, and is then taken from a field that
// all iterations write. The write to x comes before that, so it is to the own
// origin still.
func FP_T17_originReplacedByPublished() {
	s := &P{}
	ps := make([]*P, n)
	for i := range ps {
		ps[i] = &P{origin: &P{}}
	}
	var wg sync.WaitGroup
	for _, p := range ps {
		wg.Add(1)
		go func() {
			defer wg.Done()
			p.origin.x = 10     // race _.x; the contents of p.origin have no order in time
			s.origin = &P{}     // race! s.origin
			p.origin = s.origin // race! s.origin
		}()
	}
	wg.Wait()
}

func withLock(mu *sync.Mutex, f func()) { mu.Lock(); f(); mu.Unlock() }

// A variable of the round, set by a callback before the goroutine starts.
func FP_roundVariableSetByCallback() {
	var mu sync.Mutex
	for i := range n {
		x := 0
		withLock(&mu, func() { x = i }) // race x; the next round's callback sets another x
		go func() {
			println(x) // race x; see there
		}()
	}
	withLock(&mu, func() {}) // with one call alone it is seen
}

type parts struct{ all []int }

// As many messages are received as goroutines were started.
func FP_countBehindPointer(p *parts) int {
	res := make(chan int, len(p.all))
	sum := 0
	for i := range p.all {
		go func() {
			sum = i // race! sum
			res <- i
		}()
	}
	for k := 0; k < len(p.all); k++ {
		p.count(<-res)
	}
	return sum // race sum; the length is loaded again after a call in the loop
}

func (p *parts) count(int) {}

// The bounds come from a local function with two results.
func FP_boundsFromClosure() {
	xs := make([]int, n)
	bounds := func(p int) (int, int) { return p * n / 4, (p + 1) * n / 4 }
	var wg sync.WaitGroup
	for p := range 4 {
		wg.Go(func() {
			lo, hi := bounds(p)
			for i := lo; i < hi; i++ {
				xs[i]++ // race xs[*]; a function that is called through a captured variable is not looked into
			}
		})
	}
	wg.Wait()
}

// Each round has a variable of its own, also where its goroutine runs the function again.
func FP_variableOfRound() {
	countWords(&wordList{[]string{"a", "b"}}, 3)
}

type wordList struct{ words []string }

func (l *wordList) all() iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, w := range l.words {
			if !yield(w) {
				return
			}
		}
	}
}

func countWords(l *wordList, depth int) {
	var wg sync.WaitGroup
	for word := range l.all() {
		wg.Go(func() {
			word += "." // race word; the round's own, in a range over a function that its goroutine comes to again
			if depth > 0 {
				countWords(l, depth-1)
			}
		})
	}
	wg.Wait()
}
