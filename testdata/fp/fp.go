// Package fp holds programs without races that are reported today, with the
// reason. When one falls silent its test fails, and it moves to its topic.
package fp

import "sync"

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
