package fp

import (
	"sync"
	"sync/atomic"
)

// False alarms of programs that were written without knowing the analysis, cut down.

type pieceOfText struct{ lines []int }

// A worker changes the lines of its piece and hands it on. Two pieces have no line in common, and who has a piece has it
// from the worker: of the lines, which lie in one array, neither alone is enough.
func FP_piecesHandedOn() {
	lines := make([]int, 100)
	raw, cooked := make(chan *pieceOfText), make(chan *pieceOfText)
	go func() {
		for len(lines) > 0 {
			n := min(8, len(lines))
			raw <- &pieceOfText{lines: lines[:n:n]}
			lines = lines[n:]
		}
		close(raw)
	}()
	for range 3 {
		go func() {
			for p := range raw {
				for i := range p.lines {
					p.lines[i]++ // race lines; two that have one piece one after the other, and two that have pieces apart, are two proofs
				}
				cooked <- p
			}
		}()
	}
	for range 13 {
		p := <-cooked
		print(p.lines[0]) // race lines; so here
	}
}

type term struct {
	elected atomic.Bool
	gate    chan struct{}
	leader  int
	next    *term
}

func newTerm() *term { return &term{gate: make(chan struct{})} }

// The one who is elected fills in the term, and the next one, and opens the gate that all others wait at; terms are a list of
// which every member goes from one to the next.
func FP_termsOfLeaders() {
	first := newTerm()
	var wg sync.WaitGroup
	for id := range 5 {
		wg.Go(func() {
			e := first
			for range 60 {
				if e.elected.CompareAndSwap(false, true) {
					e.leader = id      // race e.leader; the claim and the gate are of one term of many
					e.next = newTerm() // race e.next; so here
					close(e.gate)
				} else {
					<-e.gate
				}
				if e.leader == id { // race e.leader; so here
					print(id)
				}
				e = e.next // race e.next; so here
			}
		})
	}
	wg.Wait()
}

// Where a bit is unset the elements go to where the sum of those before says, else behind these: that no two of these
// places are one is a matter of what the sums are.
func FP_scattered(keys []uint32, bit int) []uint32 {
	pos := make([]int, len(keys))
	zeros := 0
	for i := range keys {
		pos[i] = zeros
		zeros += int(1 - keys[i]>>bit&1)
	}
	out := make([]uint32, len(keys))
	var wg sync.WaitGroup
	for w := range 4 {
		wg.Go(func() {
			for i := w; i < len(keys); i += 4 {
				if keys[i]>>bit&1 == 0 {
					out[pos[i]] = keys[i] // race out; nothing is known of sums that a loop leaves in a table
				} else {
					out[zeros+i-pos[i]] = keys[i] // race out; so here
				}
			}
		})
	}
	wg.Wait()
	return out
}

// Two halves are transformed at the same time, and put together by two goroutines, when both are there.
func FP_transformed() {
	out, in := make([]int, 64), make([]int, 64)
	transform(out, in, 1, 2)
}

func transform(out, in []int, stride, forks int) {
	n := len(out)
	if n == 1 {
		out[0] = in[0] // race out; what each run starts once its halves are there, the runs of its halves have ended before
		return
	}
	half := n / 2
	if forks > 0 {
		var even sync.WaitGroup
		even.Go(func() { transform(out[:half], in, 2*stride, forks-1) })
		transform(out[half:], in[stride:], 2*stride, forks-1)
		even.Wait()
	} else {
		transform(out[:half], in, 2*stride, 0)
		transform(out[half:], in[stride:], 2*stride, 0)
	}
	combine := func(lo, hi int) {
		for k := lo; k < hi; k++ {
			e, o := out[k], out[k+half]    // race out; so here
			out[k], out[k+half] = e+o, e-o // race out; so here
		}
	}
	done := make(chan struct{})
	mid := half / 2
	go func() {
		defer close(done)
		combine(mid, half)
	}()
	combine(0, mid)
	<-done
}

// A merge sort whose two buffers change places from level to level, and that starts a goroutine where there is a token.
func FP_sortedByTokens() {
	data := make([]int, 3000)
	aux := make([]int, len(data))
	splitSorted(make(chan struct{}, 3), aux, data)
}

func splitSorted(tokens chan struct{}, src, dst []int) {
	if len(dst) < 2 {
		return
	}
	mid := len(dst) / 2
	select {
	case tokens <- struct{}{}:
		var wg sync.WaitGroup
		wg.Go(func() {
			defer func() { <-tokens }()
			splitSorted(tokens, dst[:mid], src[:mid])
		})
		splitSorted(tokens, dst[mid:], src[mid:])
		wg.Wait()
	default:
		splitSorted(tokens, dst[:mid], src[:mid])
		splitSorted(tokens, dst[mid:], src[mid:])
	}
	mergeSorted(dst, src[:mid], src[mid:])
}

func mergeSorted(dst, a, b []int) {
	i, j := 0, 0
	for k := range dst {
		if j == len(b) || i < len(a) && a[i] <= b[j] { // race dst; the two buffers change places in what each run hands to itself
			dst[k] = a[i] // race dst; so here
			i++
		} else {
			dst[k] = b[j] // race dst; so here
			j++
		}
	}
}
