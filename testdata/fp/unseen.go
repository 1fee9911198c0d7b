package fp

import (
	"context"
	"iter"
	"sync"
	"sync/atomic"
)

// False alarms of programs that were written without the tool at hand.

type order struct {
	customer      string
	amount, share int
}

// Each order is in the group of its one customer.
func FP_grouped() {
	orders := []order{{customer: "a", amount: 3}, {customer: "b", amount: 4}, {customer: "a", amount: 5}}
	groups := make(map[string][]*order)
	for i := range orders {
		o := &orders[i]
		groups[o.customer] = append(groups[o.customer], o)
	}
	var wg sync.WaitGroup
	for _, g := range groups {
		wg.Go(func() {
			for _, o := range g {
				o.share = o.amount // race _.share; that a pointer goes into one of the lists only is not seen
			}
		})
	}
	wg.Wait()
}

type ring struct {
	buf        [8]int
	head, tail atomic.Uint64
}

// One goroutine puts in, the other takes out.
func FP_ring() {
	r := &ring{}
	done := make(chan bool)
	go func() {
		for got := 0; got < 20; {
			if h := r.head.Load(); h != r.tail.Load() {
				_ = r.buf[h%8] // race _.buf[*]; the distance of the two counters says that these are different elements
				r.head.Store(h + 1)
				got++
			}
		}
		done <- true
	}()
	for i := 0; i < 20; {
		if t := r.tail.Load(); t-r.head.Load() < 8 {
			r.buf[t%8] = i // race _.buf[*]; see there
			r.tail.Store(t + 1)
			i++
		}
	}
	<-done
}

type leaf struct {
	up, left, right *leaf
	v               int
}

func leaves(lo, hi int, up *leaf) *leaf {
	if lo >= hi {
		return nil
	}
	m := (lo + hi) / 2
	l := &leaf{up: up}
	l.left, l.right = leaves(lo, m, l), leaves(m+1, hi, l)
	return l
}

func (l *leaf) all() iter.Seq[*leaf] { return func(yield func(*leaf) bool) { l.push(yield) } }

func (l *leaf) push(yield func(*leaf) bool) bool {
	return l == nil || l.left.push(yield) && yield(l) && l.right.push(yield)
}

// Each node is visited once.
func FP_visitedOnce() {
	root := leaves(0, 9, nil)
	var wg sync.WaitGroup
	for l := range root.all() {
		wg.Go(func() {
			l.v++ // race _.v; the root comes to each round by the same variable, and that it does so once is not seen
		})
	}
	wg.Wait()
}

func pairsOf(xs []int) iter.Seq[[]int] {
	return func(yield func([]int) bool) {
		for len(xs) > 2 {
			if !yield(xs[:2]) {
				return
			}
			xs = xs[2:]
		}
	}
}

// The body of the range counts, in a variable outside.
func FP_rangeBodyCounts() {
	sums := make([]int, n)
	k := 0
	var wg sync.WaitGroup
	for p := range pairsOf(make([]int, n)) {
		at := k
		wg.Go(func() {
			sums[at] = len(p) // race sums[*]; the variable is a closure's, and has no value by round
		})
		k++
	}
	wg.Wait()
}

// What is waited for is there just when the goroutine was started.
func FP_waitIfStarted() {
	for _, parallel := range []bool{true, false} {
		x := 0
		var wg *sync.WaitGroup
		if parallel {
			wg = new(sync.WaitGroup)
			wg.Add(1)
			go func() {
				x = 1 // race x; that wg is not nil on the path from here is not seen
				wg.Done()
			}()
		}
		if wg != nil {
			wg.Wait()
		}
		x++ // race x; the same
	}
}

type twig struct {
	n    int
	kids []*twig
}

// What is worked off begins with one object, which is never added again.
func FP_oneToBeginWith() {
	root := &twig{kids: []*twig{{}, {}}}
	rest := []*twig{root}
	var mu sync.Mutex
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			for {
				mu.Lock()
				if len(rest) == 0 {
					mu.Unlock()
					return
				}
				t := rest[len(rest)-1]
				rest = rest[:len(rest)-1]
				mu.Unlock()
				t.n++ // race root.n; each append copies what is there into other memory
				mu.Lock()
				rest = append(rest, t.kids...)
				mu.Unlock()
			}
		})
	}
	wg.Wait()
}

// A context that only the goroutine cancels says that it is over. Contexts are not
// channels to the analysis.
func FP_contextJoins() {
	for i := range n {
		sum := 0
		ctx, cancel := context.WithCancel(context.Background())
		go func() {
			sum += i // race sum; what Done is received from is not known to be closed by cancel only
			cancel()
		}()
		<-ctx.Done()
		_ = sum // race sum; the same
	}
}

// A visitor that calls itself is given two functions. What the first one starts goes on,
// as far as the walk can tell, into the second one's calls, since the visitor is one
// function for both: the walk comes back into it from a call in the middle and does
// not know any more which of the two it was given.
func FP_visitorOfTwo() {
	t := &limb{kids: []*limb{{}, {}}}
	var wg sync.WaitGroup
	t.each(func(k *limb) {
		wg.Go(func() { _ = k.n }) // race n; waited for before the second visit
	})
	wg.Wait()
	t.each(func(k *limb) {
		k.n++ // race n; see above
	})
}

type limb struct {
	n    int
	kids []*limb
}

func (t *limb) each(f func(*limb)) {
	f(t)
	for _, k := range t.kids {
		k.each(f)
	}
}

// Each call of a recursion has a list and a lock of its own, and hands both to its
// goroutines in one struct; which list goes with which lock is not known.
func FP_listOfEachCall() { _ = resolve(&tree{sub: []*tree{{}, {}}}) }

type tree struct {
	id  int
	sub []*tree
}

type handed struct {
	wg   *sync.WaitGroup
	mu   *sync.Mutex
	list *[]int
	sub  []*tree
}

func resolve(t *tree) (list []int) { // race list; the recursion
	list = append(list, t.id)
	var wg sync.WaitGroup
	var mu sync.Mutex
	for range 2 {
		wg.Add(1)
		go collect(&handed{&wg, &mu, &list, t.sub})
	}
	wg.Wait()
	return list
}

func collect(a *handed) {
	defer a.wg.Done()
	for _, t := range a.sub {
		below := resolve(t)
		a.mu.Lock()
		*a.list = append(*a.list, below...) // race list; the recursion
		a.mu.Unlock()
	}
}
