package analyzer

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/iterace/iterace/model"
)

// TestDefinite: a race is definite if both accesses go to one object whenever they happen:
// their pointers lead to nothing else, or come from one variable, or from one value of the
// frame that starts the goroutine. Otherwise it is likely.
func TestDefinite(t *testing.T) {
	t.Parallel()
	const meeting = `
		type meeting struct {
			mu           sync.Mutex
			cond         *sync.Cond
			size, n, gen int
		}

		func (b *meeting) wait() bool {
			b.mu.Lock()
			defer b.mu.Unlock()
			gen := b.gen
			if b.n++; b.n == b.size {
				b.n = 0
				b.gen++
				b.cond.Broadcast()
				return true
			}
			for gen == b.gen {
				b.cond.Wait()
			}
			return false`
	for _, test := range []struct {
		name, body string // what main does, and functions that it calls behind it
		want       model.Confidence
	}{
		{"leads to one", `
			x := &item{}
			go func() { x.n++ }()
			x.n++`, model.Definite},
		{"leads to several", `
			x, y := &item{}, &item{}
			go func() { pick(x, y).n++ }()
			pick(x, y).n++`, model.Likely},
		{"one of them leads to several", `
			x, y := &item{}, &item{}
			go func() { pick(x, y).n++ }()
			x.n++`, model.Likely},
		{"from one variable", `
			current = pick(&item{}, &item{})
			go func() { current.n++ }()
			current.n++`, model.Definite},
		{"from two variables", `
			x, y := &item{}, &item{}
			current, other = pick(x, y), pick(y, x)
			go func() { current.n++ }()
			other.n++`, model.Likely},
		{"from elements", `
			x, y := &item{}, &item{}
			list := []*item{pick(x, y), pick(y, x)}
			go func() { list[0].n++ }()
			list[1].n++`, model.Likely},
		{"from a field of which there are several", `
			x, y := &item{}, &item{}
			u, v := newHolder(pick(x, y)), newHolder(pick(y, x))
			go func() { u.it.n++ }()
			v.it.n++`, model.Likely},
		{"from one value of the frame", `
			each(&item{})
			each(&item{})
		}

		func each(x *item) {
			go func() { x.n++ }()
			x.n++`, model.Definite},
		{"from one value of the frame, by calls", `
			twice(&item{})
			twice(&item{})
		}

		func twice(x *item) {
			go touch(x)
			touch(x)`, model.Definite},
		{"one package variable by a function that is passed two", `
			go touch(&first)
			go touch(&second)
			touch(&first)`, model.Definite},
		{"the one package variable before, and one of two later", `
			touch(&first)
			begin(&first)
			begin(&third)
			touch(pick(&first, &second))
		}

		func begin(x *item) {
			go touch(x)`, model.Likely},
		{"the one package variable later", `
			begin(&first)
			begin(&third)
			touch(pick(&first, &second))
			touch(&first)
		}

		func begin(x *item) {
			go touch(x)`, model.Definite},
		{"from two values of the frame", `
			x, y := &item{}, &item{}
			both(pick(x, y), pick(y, x))
		}

		func both(x, y *item) {
			go touch(x)
			touch(y)`, model.Likely},
		{"one function, by several goroutines", `
			x, y := &item{}, &item{}
			go deep(pick(x, y))
			deep(pick(y, x))
		}

		func deep(x *item) {
			for range len(os.Args) {
				x.n++
				if x.n > 3 {
					deep(x)
				}
			}`, model.Likely},
		{"far apart, by functions that only hand on", `
			go func() { first.one() }()
			first.one()
		}

		func (x *item) one()   { x.two() }
		func (x *item) two()   { x.three() }
		func (x *item) three() { x.four() }
		func (x *item) four() {
			x.n++`, model.Likely},
		{"told by a barrier for which there may be too many", `
			b := &meeting{size: len(os.Args)}
			b.cond = sync.NewCond(&b.mu)
			x := &item{}
			for range 4 {
				go func() {
					if b.wait() {
						x.n++
					}
				}()
			}
		}

` + meeting, model.Likely},
		{"not told by a barrier", `
			b := &meeting{size: len(os.Args)}
			b.cond = sync.NewCond(&b.mu)
			x := &item{}
			for range 4 {
				go func() {
					if !b.wait() {
						x.n++
						return
					}
					x.n++
				}()
			}
		}

` + meeting, model.Definite},
		{"near, by functions that only hand on", `
			go func() { first.one() }()
			first.one()
		}

		func (x *item) one() { x.two() }
		func (x *item) two() {
			x.n++`, model.Definite},
		{"from one variable that is set again", `
			current = pick(&item{}, &item{})
			go func() { current.n++ }()
			current = pick(&item{}, &item{})
			current.n++`, model.Likely},
		{"from one variable that the goroutine sets", `
			current = pick(&item{}, &item{})
			go func() {
				current = pick(&item{}, &item{})
				current.n++
			}()
			current.n++`, model.Likely},
		{"from a value of each round", `
			x, y := &item{}, &item{}
			for range 2 {
				go touch(pick(x, y))
			}`, model.Likely},
		{"from elements of a list into which it is put once, and passed to a variadic function", `
			add(newItem())
			add(&first)
			for _, x := range list {
				go touch(x)
			}
		}

		func add(x *item) {
			list = append(list, x)
			println(count(x))`, model.Likely},
		{"from elements of a list into which a recursive function puts it", `
			put(newItem(), 3)
			for _, x := range list {
				go touch(x)
			}
		}

		func put(x *item, n int) {
			if n > 0 {
				put(x, n-1)
				return
			}
			list = append(list, x)`, model.Likely},
		{"from elements of a list that is filled from a map", `
			m := map[int]*item{1: newItem()}
			for _, x := range m {
				list = append(list, x)
			}
			for _, x := range list {
				go touch(x)
			}`, model.Likely},
		{"from elements of a list into which it is put twice", `
			x := newItem()
			list = append(list, x)
			list = append(list, x)
			for _, x := range list {
				go touch(x)
			}`, model.Definite},
		{"from elements of a list into which it is put in each round", `
			x := newItem()
			for range 2 {
				list = append(list, x)
			}
			for _, x := range list {
				go touch(x)
			}`, model.Definite},
		{"by literals of several rounds, of which any may be run", `
			for range 2 {
				w := &worker{ops: make(chan func())}
				go w.run()
				do(w, func() { w.n++ })
			}
		}

		type worker struct {
			ops chan func()
			n   int
		}

		func (w *worker) run() {
			for f := range w.ops {
				f()
			}
		}

		func do(w *worker, f func()) {
			done := make(chan bool)
			w.ops <- func() { f(); close(done) }
			<-done`, model.Likely},
		{"by the literal of the round", `
			for range 2 {
				x, ops := newItem(), make(chan func())
				go run(ops)
				ops <- func() { x.n++ }
				x.n++
			}
		}

		func run(ops chan func()) {
			for f := range ops {
				f()
			}`, model.Definite},
		{"of a pool, waited for by who puts it back", `
			new(output).all(os.Args)
			w := newWriter()
			w.c <- 1
			w.close()
		}

		type output struct{ w *writer }

		func (o *output) all(list []string) {
			for _, x := range list {
				if o.w == nil {
					o.w = newWriter()
				}
				o.w.c <- len(x)
				if len(x) > 3 {
					o.w.close()
					o.w = nil
				}
			}
		}

		type writer struct {
			n  int
			c  chan int
			wg sync.WaitGroup
		}

		var writers = sync.Pool{New: func() any { return &writer{} }}

		func newWriter() *writer {
			w := writers.Get().(*writer)
			w.n, w.c = 0, make(chan int)
			w.wg.Add(1)
			go w.run()
			return w
		}

		func (w *writer) run() {
			defer w.wg.Done()
			for k := range w.c {
				w.n += k
			}
		}

		func (w *writer) close() {
			close(w.c)
			w.wg.Wait()
			writers.Put(w)`, model.Likely},
		{"of a pool, and touched after the start", `
			w := counters.Get().(*item)
			go touch(w)
			w.n++
		}

		var counters = sync.Pool{New: func() any { return &item{} }}

		func again() {
			counters.Put(&item{})`, model.Definite},
		{"started for an element of a list, and touched then", `
			c := &control{kept: append(list, newItem())}
			c.start()
		}

		type control struct{ kept []*item }

		func (c *control) start() {
			for _, x := range c.kept {
				start(x)
				x.n = 1
			}
		}

		func start(x *item) {
			go touch(x)`, model.Definite},
		{"started twice for one", `
			x := newItem()
			start(x)
			start(x)
		}

		func start(x *item) {
			x.n = 0
			go touch(x)`, model.Definite},
		{"started for one element twice", `
			x := newItem()
			for _, x := range []*item{x, x} {
				start(x)
			}
		}

		func start(x *item) {
			x.n = 0
			go touch(x)`, model.Definite},
		{"kept in a list, or started at once", `
			c, d := &control{}, &control{}
			d.kept = append(d.kept, newItem())
			for _, x := range d.kept {
				c.watch(x)
			}
			c.start()
		}

		type control struct {
			started bool
			kept    []*item
		}

		func (c *control) watch(x *item) {
			if !c.started {
				c.kept = append(c.kept, x)
				return
			}
			start(x)
		}

		func (c *control) start() {
			for _, x := range c.kept {
				start(x)
			}
			c.started = true
		}

		func start(x *item) {
			x.n = 0
			go touch(x)`, model.Likely},
		{"a channel of each in a part of the list is received from", `
			x := newItem()
			var dones []chan bool
			for range len(os.Args) {
				done := make(chan bool)
				dones = append(dones, done)
				go func() {
					mu.Lock()
					x.n++
					mu.Unlock()
					close(done)
				}()
			}
			for _, done := range dones[0:] {
				<-done
			}
			x.n++`, model.Likely},
		{"a channel of each in a part of the list is received from, or the loop left", `
			x := newItem()
			dones := make([]chan bool, len(os.Args))
			for i := range dones {
				dones[i] = make(chan bool)
				go func() {
					mu.Lock()
					x.n++
					mu.Unlock()
					dones[i] <- true
				}()
			}
			for _, done := range dones[0:] {
				select {
				case <-done:
				case <-stop:
					return
				}
			}
			x.n++`, model.Likely},
		{"channels are received from that are closed too early", `
			x := newItem()
			dones := make([]chan bool, len(os.Args))
			for i := range dones {
				done := make(chan bool)
				dones[i] = done
				go func() {
					close(done)
					mu.Lock()
					x.n++
					mu.Unlock()
				}()
			}
			for _, done := range dones {
				<-done
			}
			x.n++`, model.Definite},
		{"channels are received from that may not be closed", `
			x := newItem()
			dones := make([]chan bool, len(os.Args))
			for i := range dones {
				done := make(chan bool)
				dones[i] = done
				go func() {
					mu.Lock()
					x.n++
					mu.Unlock()
					close(done)
				}()
			}
			for _, done := range dones {
				select {
				case <-done:
				default:
				}
			}
			x.n++`, model.Definite},
		{"rounds that workers and the code beside them take in turns", `
			x := newItem()
			var starts []chan bool
			done := make(chan bool, len(os.Args))
			for range len(os.Args) {
				start := make(chan bool)
				starts = append(starts, start)
				go func() {
					for {
						select {
						case <-start:
						case <-stop:
							return
						}
						println(x.n)
						done <- true
					}
				}()
			}
			for range 3 {
				for _, start := range starts {
					start <- true
				}
				for range len(os.Args) {
					<-done
				}
				x.n++
			}`, model.Likely},
		{"rounds of which the workers begin one before they are told to", `
			x := newItem()
			start, done := make(chan bool), make(chan bool, len(os.Args))
			for range len(os.Args) {
				go func() {
					for {
						done <- true
						println(x.n)
						<-start
					}
				}()
			}
			for range 3 {
				for range len(os.Args) {
					<-done
				}
				x.n++
				for range len(os.Args) {
					start <- true
				}
			}`, model.Definite},
		{"one channel is received from too few times", `
			x := newItem()
			done := make(chan bool)
			for range 4 {
				go func() {
					mu.Lock()
					x.n++
					mu.Unlock()
					done <- true
				}()
			}
			for range 3 {
				<-done
			}
			x.n++`, model.Definite},
		{"waited for in a loop of which the rounds are not counted", `
			x, pending, done := &item{}, 0, make(chan bool)
			each := func(yield func() bool) { for range os.Args { if !yield() { return } } }
			for range each {
				pending++
				go func() {
					mu.Lock()
					x.n++
					mu.Unlock()
					done <- true
				}()
			}
			for ; pending > 0; pending-- {
				<-done
			}
			x.n++`, model.Likely},
		{"waited for behind a loop of which the rounds are not counted", `
			x, pending, done := &item{}, 0, make(chan bool)
			each := func(yield func() bool) { for range os.Args { if !yield() { return } } }
			for range each {
				pending++
				go func() {
					mu.Lock()
					x.n++
					mu.Unlock()
					done <- true
				}()
			}
			x.n++
			for ; pending > 0; pending-- {
				<-done
			}`, model.Definite},
		{"answered in turn to who tells", `
			x, told := &item{}, make(chan bool)
			in, out := make(chan bool), make(chan bool, 1)
			go func() {
				for range in {
					x.n++
					out <- true
				}
			}()
			go func() {
				for range os.Args {
					in <- true
					<-out
				}
				in <- true
				told <- true
			}()
			<-told
			x.n++`, model.Likely},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			res := runText(t, `package main

import (
	"os"
	"sync"
)

var mu sync.Mutex

var stop chan bool

type item struct{ n int }

type holder struct{ it *item }

var current, other *item

var first, second, third item

func newHolder(x *item) *holder { return &holder{x} }

func pick(x, y *item) *item {
	if len(os.Args) > 1 {
		return x
	}
	return y
}

func touch(x *item) { x.n++ }

func newItem() *item { return &item{} }

func count(xs ...*item) int { return len(xs) }

var list []*item

func main() {
`+test.body+"\n}\n")
			var got []model.Confidence
			for _, r := range res.Final(nil) {
				if r.Field == ".n" {
					got = append(got, r.Confidence())
				}
			}
			if diff := cmp.Diff([]model.Confidence{test.want}, slices.Compact(got)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// condBarrier ends main, and is a hand-written barrier.
const condBarrier = `}

		type barrier struct {
			mu                sync.Mutex
			cond              *sync.Cond
			n, arrived, round int
		}

		func newBarrier(n int) *barrier {
			b := &barrier{n: n}
			b.cond = sync.NewCond(&b.mu)
			return b
		}

		func (b *barrier) wait() {
			b.mu.Lock()
			defer b.mu.Unlock()
			round := b.round
			if b.arrived++; b.arrived == b.n {
				b.arrived = 0
				b.round++
				b.cond.Broadcast()
			}
			for round == b.round {
				b.cond.Wait()
			}`

// TestDefiniteParts: where each side has got its slice for itself, both may be parts of one
// array that have nothing in common, and index arithmetic does not know.
func TestDefiniteParts(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, body string
		want       model.Confidence
	}{
		{"numbers in what a channel hands on", `
			type item struct{ n int }
			sums, ch, free := make([]int, 9), make(chan *item), make(chan *item, 2)
			free <- &item{}
			free <- &item{}
			for range 3 {
				go func() {
					for x := range ch {
						sums[x.n]++
						free <- x
					}
				}()
			}
			for i := range sums {
				x := <-free
				x.n = i
				ch <- x
			}
			close(ch)`, model.Likely},
		{"parts that a channel hands on", `
			buf, ch := make([]byte, 16), make(chan []byte, 2)
			for len(buf) > 0 {
				part := buf
				if len(part) > 8 {
					part = part[:8]
				}
				ch <- part
				buf = buf[len(part):]
			}
			go func() { copy(<-ch, os.Args[0]) }()
			copy(<-ch, os.Args[0])`, model.Likely},
		{"places from where a table says on", `
			offsets, out := []int{0, len(os.Args), 9}, make([]int, 9)
			for w := range 2 {
				go func() {
					at := offsets[w]
					for _, arg := range os.Args {
						if len(arg) > w {
							out[at] = w
							at++
						}
					}
				}()
			}`, model.Likely},
		{"the part that a message tells", `
			type part struct{ lo, hi int }
			out, parts := make([]int, 9), make(chan part, 2)
			for lo := 0; lo < len(out); lo += len(os.Args) {
				parts <- part{lo, min(lo+len(os.Args), len(out))}
			}
			for range 2 {
				go func() {
					for p := range parts {
						for i := p.lo; i < p.hi; i++ {
							out[i] = p.lo
						}
					}
				}()
			}`, model.Likely},
		{"places from the beginning on", `
			out := make([]int, 9)
			for w := range 2 {
				go func() {
					at := 0
					for _, arg := range os.Args {
						if len(arg) > w {
							out[at] = w
							at++
						}
					}
				}()
			}`, model.Definite},
		{"an append to what a library returns", `
			args := strings.Fields(os.Args[0])
			go func() { println(len(append(args, "x"))) }()
			println(len(append(args, "y")))`, model.Likely},
		{"an append to what has room", `
			args := make([]string, 0, 8)
			go func() { println(len(append(args, "x"))) }()
			println(len(append(args, "y")))`, model.Definite},
		{"one buffer", `
			buf := make([]byte, 16)
			go func() { copy(buf, os.Args[0]) }()
			copy(buf, os.Args[0])`, model.Definite},
		{"one element, by a function", `
			counts := make([]int, 4)
			go count(counts, 1)
			count(counts, 1)
		}

		func count(counts []int, i int) {
			counts[i]++`, model.Definite},
		{"elements that a function which calls itself goes to", `
			counts := make([]int, 4)
			go count(counts, len(os.Args))
			count(counts, len(os.Args[0]))
		}

		func count(counts []int, i int) {
			if i > 3 {
				count(counts, i/2)
				return
			}
			counts[i]++`, model.Likely},
		{"fields of elements that a function which calls itself goes to", `
			cells := make([]struct{ n int }, 4)
			go count(cells, len(os.Args))
			count(cells, len(os.Args[0]))
		}

		func count(cells []struct{ n int }, i int) {
			if i > 3 {
				count(cells, i/2)
				return
			}
			p := &cells[i]
			p.n++`, model.Likely},
		{"a field, by a function that calls itself", `
			cell := &struct{ n int }{}
			go count(cell, len(os.Args))
			count(cell, len(os.Args[0]))
		}

		func count(cell *struct{ n int }, i int) {
			if i > 3 {
				count(cell, i/2)
				return
			}
			cell.n++`, model.Definite},
		{"elements that depend on the round of a loop with a barrier", `
			data, b := make([]int, 64), newBarrier(3)
			for w := range 3 {
				go func() {
					for h := 1; h < 64; h *= 2 {
						for k := w; k < 32; k += 3 {
							data[(k-k&(h-1))<<1|k&(h-1)]++
						}
						b.wait()
					}
				}()
			}
` + condBarrier, model.Likely},
		{"elements that do not", `
			data, b := make([]int, 64), newBarrier(3)
			for w := range 3 {
				go func() {
					for h := 1; h < 64; h *= 2 {
						for k := w; k < 32; k += 3 {
							data[k/2]++
						}
						b.wait()
					}
				}()
			}
` + condBarrier, model.Definite},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			res := runText(t, "package main\n\nimport (\n\"os\"\n\"strings\"\n\"sync\"\n)\n\nvar _, _, _ = strings.Fields, os.Args, sync.NewCond\n\nfunc main() {\n"+test.body+"\n}\n")
			var got []model.Confidence
			for _, r := range res.Final(nil) {
				got = append(got, r.Confidence())
			}
			if diff := cmp.Diff([]model.Confidence{test.want}, slices.Compact(got)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// runText analyses a program of one file.
func runText(t *testing.T, text string) *Result {
	t.Helper()
	return runFile(t, "main.go", text)
}

// runFile is runText for a file of that name, which may be one of tests.
func runFile(t *testing.T, name, text string) *Result {
	t.Helper()
	dir := writeFiles(t, map[string]string{"go.mod": "module m\n\ngo 1.26\n", name: text})
	res, err := Run(&Config{Dir: dir, Sure: true, Tests: strings.HasSuffix(name, "_test.go")})
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// TestDefiniteLocks: where a lock is held on some ways to an access, one test may decide
// about both the lock and the access.
func TestDefiniteLocks(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, body string
		want       model.Confidence
	}{
		{"held under a test until the function ends", `
			if shared(name) {
				mu.Lock()
				defer mu.Unlock()
			}
			count(name)
		}

		func count(name string) {
			if shared(name) {
				used[name]++
			}`, model.Likely},
		{"held under a test, by a loop", `
			for range len(name) {
				if shared(name) {
					mu.Lock()
				}
				used[name]++
				if shared(name) {
					mu.Unlock()
				}
			}`, model.Likely},
		{"released before", `
			if shared(name) {
				mu.Lock()
				mu.Unlock()
			}
			used[name]++`, model.Definite},
		{"released before, by a call", `
			if shared(name) {
				mu.Lock()
				release()
			}
			used[name]++
		}

		func release() {
			mu.Unlock()`, model.Definite},
		{"acquired after", `
			used[name]++
			if shared(name) {
				mu.Lock()
				defer mu.Unlock()
			}`, model.Definite},
		{"held under a test by one caller, by another not at all", `
			if shared(name) {
				mu.Lock()
				defer mu.Unlock()
				count(name)
			} else {
				count(name)
			}
		}

		func count(name string) {
			used[name]++`, model.Definite},
		{"left held by a call, on some ways", `
			begin(name)
			used[name]++
			if shared(name) {
				mu.Unlock()
			}
		}

		func begin(name string) {
			if shared(name) {
				mu.Lock()
			}`, model.Likely},
		{"released by the call that has acquired it", `
			begin(name)
			used[name]++
		}

		func begin(name string) {
			if shared(name) {
				mu.Lock()
				mu.Unlock()
			}`, model.Definite},
		{"left held by a call, and released before", `
			begin(name)
			mu.Unlock()
			used[name]++
		}

		func begin(name string) {
			mu.Lock()
			if !shared(name) {
				mu.Unlock()
				panic(name)
			}`, model.Definite},
		{"perhaps the same lock", `
			pick(&mu, &other).Lock()
			used[name]++
			pick(&mu, &other).Unlock()`, model.Likely},
		{"perhaps the same lock, for reading", `
			pick(&rw, &readers).RLock()
			used[name]++
			pick(&rw, &readers).RUnlock()`, model.Definite},
		{"held for reading, under a test for writing", `
			rw.RLock()
			n, grow := used[name], false
			if shared(name) {
				rw.RUnlock()
				rw.Lock()
				defer rw.Unlock()
				grow = used[name] == n
			} else {
				defer rw.RUnlock()
			}
			for _, other := range os.Args {
				if shared(other) {
					return
				}
			}
			if grow {
				used[name]++
			}`, model.Likely},
		{"held for reading, for writing by another caller", `
			if shared(name) {
				rw.Lock()
				defer rw.Unlock()
				count(name)
			} else {
				rw.RLock()
				defer rw.RUnlock()
				count(name)
			}
		}

		func count(name string) {
			used[name]++`, model.Definite},
		{"another lock under a test", `
			var own sync.Mutex
			if shared(name) {
				own.Lock()
				defer own.Unlock()
			}
			used[name]++`, model.Definite},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			res := runText(t, `package main

import (
	"os"
	"sync"
)

var mu, other sync.Mutex

var rw, readers sync.RWMutex

func pick[T any](x, y *T) *T {
	if len(os.Args) > 1 {
		return x
	}
	return y
}

var used = map[string]int{}

func shared(name string) bool { return len(name) > 3 }

func main() {
	for _, name := range os.Args {
		go use(name)
	}
}

func use(name string) {
`+test.body+"\n}\n")
			got := model.Assumed
			for _, r := range res.Final(nil) {
				got = max(got, r.Confidence())
			}
			if got != test.want {
				t.Errorf("%s, want %s", got, test.want)
			}
		})
	}
}

// TestDefiniteOrder: a race is not definite if a join is there that is only not known to be
// one, or if each side has made an object for itself.
func TestDefiniteOrder(t *testing.T) {
	t.Parallel()
	waiting := func(start string) string {
		return `
			s := newServer()
			go s.upgrade()
			go s.send()
			go s.start()
		}

		func (s *server) send() {
			mu.Lock()
			s.n++
			mu.Unlock()
		}
` + start + `

		func (s *server) upgrade() {
			s.n++
			s.done <- true`
	}
	stopped := func(stop string) string {
		return `
			s := newServer()
			s.quit = make(chan bool)
			go func() {
				<-s.quit
				s.n++
				close(s.done)
			}()
			if stopAll(other{}, s) == nil {
				s.n++
			}
		}

		type stopper interface{ stop() error }

		type other struct{}

		func (other) stop() error { return nil }

		func stopAll(all ...stopper) (err error) {
			for _, x := range all {
				if e := x.stop(); e != nil {
					err = errors.Join(err, e)
				}
			}
			return err
		}

		func (s *server) stop() error {` + stop
	}
	for _, test := range []struct {
		name, body string
		want       model.Confidence
	}{
		{"told by one of two, perhaps by another channel", `
			s, u := newServer(), newServer()
			go s.run(pick(s, u).done)
			go func() { pick(u, s).done <- true }()
			<-pick(s, u).done
			s.n++
		}

		func (s *server) run(done chan bool) {
			s.n++
			done <- true`, model.Likely},
		{"told by one of two, by one channel", `
			s := newServer()
			go s.run(s.done)
			go func() { s.done <- true }()
			<-s.done
			s.n++
		}

		func (s *server) run(done chan bool) {
			s.n++
			done <- true`, model.Definite},
		{"told by some, in a loop", `
			s := newServer()
			go s.run(s.done)
			go func() {
				for range len(os.Args) {
					s.done <- true
				}
			}()
			for range 3 {
				<-s.done
			}
			s.n++
		}

		func (s *server) run(done chan bool) {
			s.n++
			done <- true`, model.Likely},
		{"told by each of many tasks", `
			s, u := newServer(), newServer()
			tasks := make(chan func(), 10)
			go func() {
				for f := range tasks {
					f()
				}
			}()
			for range 10 {
				pick(s, u).wg.Add(1)
				tasks <- func() {
					defer pick(s, u).wg.Done()
					s.n++
				}
			}
			pick(u, s).wg.Wait()
			s.n++`, model.Likely},
		{"told before each of many tasks", `
			s, u := newServer(), newServer()
			tasks := make(chan func(), 10)
			go func() {
				for f := range tasks {
					f()
				}
			}()
			for range 10 {
				pick(s, u).wg.Add(1)
				tasks <- func() {
					pick(s, u).wg.Done()
					s.n++
				}
			}
			pick(u, s).wg.Wait()
			s.n++`, model.Definite},
		{"closed when there are enough, in rounds", `
			s := newServer()
			go s.run(len(os.Args))
			<-s.done
			s.n++
		}

		func (s *server) run(enough int) {
			for i := range 10 {
				s.n++
				if i == enough {
					close(s.done)
				}
			}`, model.Likely},
		{"closed first, in rounds", `
			s := newServer()
			go s.run(len(os.Args))
			<-s.done
			s.n++
		}

		func (s *server) run(last int) {
			close(s.done)
			for range last {
				s.n++
			}`, model.Definite},
		{"told too early", `
			s, u := newServer(), newServer()
			go s.run(pick(s, u).done)
			<-pick(u, s).done
			s.n++
		}

		func (s *server) run(done chan bool) {
			done <- true
			s.n++`, model.Definite},
		{"told by another goroutine", `
			s, u := newServer(), newServer()
			go func() { s.n++ }()
			go func() { pick(s, u).done <- true }()
			<-pick(u, s).done
			s.n++`, model.Definite},
		{"a group that may be the one that is waited for", `
			s, u := newServer(), newServer()
			pick(s, u).wg.Add(1)
			go s.run(&pick(s, u).wg)
			pick(u, s).wg.Wait()
			s.n++
		}

		func (s *server) run(wg *sync.WaitGroup) {
			s.n++
			wg.Done()`, model.Likely},
		{"a group that is waited for on one way only", `
			s, u := newServer(), newServer()
			pick(s, u).wg.Add(1)
			go s.run(&pick(s, u).wg)
			if len(os.Args) > 3 {
				pick(u, s).wg.Wait()
			}
			s.n++
		}

		func (s *server) run(wg *sync.WaitGroup) {
			s.n++
			wg.Done()`, model.Definite},
		{"the lock is held by who waits for the other", waiting(`
		func (s *server) start() {
			mu.Lock()
			<-s.done
			mu.Unlock()
		}`), model.Likely},
		{"the lock is held by who has waited for the other", waiting(`
		func (s *server) start() {
			<-s.done
			mu.Lock()
			mu.Unlock()
		}`), model.Definite},
		{"another lock is held by who waits for the other", waiting(`
		var other sync.Mutex

		func (s *server) start() {
			other.Lock()
			<-s.done
			other.Unlock()
		}`), model.Definite},
		{"set up by the first", `
			s := newServer()
			s.parse(os.Args)
			s.open()
			s.open()
		}

		func (s *server) parse(args []string) {
			if len(args) > 2 {
				s.state = newState(args)
			}
		}

		// newState may return nil, for all that is known.
		func newState(args []string) *int {
			if len(args) > 5 {
				return nil
			}
			return new(int)
		}

		func (s *server) open() {
			if s.state == nil {
				s.state = newState(os.Args)
				s.n++
			}
			go func() { println(s.n) }()`, model.Likely},
		{"told by who was started before, when he has been told", `
			s := newServer()
			go func() {
				for range s.done {
					go func() { s.done <- true }()
				}
			}()
			go func() { <-s.done; println(s.n) }()
			s.n = 1
			go func() { s.done <- true }()`, model.Likely},
		{"told by who was started before", `
			s := newServer()
			go func() { s.done <- true }()
			go func() { <-s.done; println(s.n) }()
			s.n = 1
			go func() { s.done <- true }()`, model.Definite},
		{"told by a function that each of two has been given", `
			go func() {
				s := &server{}
				s.start()
				<-s.done
				println(s.n)
			}()
			go func() {
				s := &server{}
				s.start()
				<-s.done
				println(s.n)
			}()
		}

		func (s *server) open() func() {
			if s.done == nil {
				s.done = make(chan bool)
			}
			return func() { close(s.done) }
		}

		func (s *server) start() {
			opened := s.open()
			go func() {
				s.n++
				opened()
			}()`, model.Likely},
		{"by a function that waits, or by another one where nothing was started", `
			s := newServer()
			stop := s.begin()
			stop()
			s.n++
		}

		func (s *server) begin() func() {
			if len(os.Args) > 3 {
				return func() {}
			}
			go func() {
				s.n++
				close(s.done)
			}()
			return func() { <-s.done }`, model.Likely},
		{"by a function that waits, for what is told where nothing was started, too", `
			s := newServer()
			stop := s.begin()
			stop()
			s.n++
		}

		func (s *server) begin() func() {
			if len(os.Args) > 3 {
				close(s.done)
				return func() {}
			}
			go func() {
				s.n++
				close(s.done)
			}()
			return func() { <-s.done }`, model.Likely},
		{"by a channel that is closed where something was started", `
			s := newServer()
			s.begin()
			<-s.done
			s.n++
		}

		func (s *server) begin() {
			go func() {
				s.n++
				close(s.done)
			}()
			if len(os.Args) > 3 {
				close(s.done)
			}`, model.Definite},
		{"by functions of which none waits for it", `
			s := newServer()
			stop := s.begin()
			stop()
			s.n++
		}

		func (s *server) begin() func() {
			if len(os.Args) > 3 {
				return func() {}
			}
			go func() {
				close(s.done)
				s.n++
			}()
			return func() { <-s.done }`, model.Definite},
		{"by the method of one of several elements, without an error", stopped(`
			close(s.quit)
			select {
			case <-s.done:
				return nil
			case <-time.After(time.Second):
				return errors.New("late")
			}`), model.Likely},
		{"by the method of one of several elements, with an error", stopped(`
			close(s.quit)
			select {
			case <-s.done:
				return errors.New("over")
			case <-time.After(time.Second):
				return nil
			}`), model.Definite},
		{"by none of the methods of several elements", stopped(`
			close(s.quit)
			return nil`), model.Definite},
		{"by a method that goes on where it does not wait", stopped(`
			close(s.quit)
			select {
			case <-s.done:
			case <-time.After(time.Second):
			}
			return nil`), model.Definite},
		{"set up again after it was taken away", `
			s := newServer()
			s.open()
			s.state = nil
			s.open()
		}

		func (s *server) open() {
			if s.state == nil {
				s.state = new(int)
				s.n++
			}
			go func() { println(s.n) }()`, model.Definite},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			wantSurest(t, ".n", test.want, `package main

import (
	"errors"
	"os"
	"sync"
	"time"
)

var _, _ = errors.New, time.After

type server struct {
	n     int
	quit  chan bool
	done  chan bool
	wg    sync.WaitGroup
	state *int
}

var mu sync.Mutex

func newServer() *server { return &server{done: make(chan bool)} }

func pick(x, y *server) *server {
	if len(os.Args) > 1 {
		return x
	}
	return y
}

func main() {
`+test.body+"\n}\n")
		})
	}
}

// TestDefiniteAnew: what is made anew each time is not definitely what a goroutine has that was
// started before. The programs are libraries: what is not exported is called, and not by a main
// function that sets all up once.
func TestDefiniteAnew(t *testing.T) {
	t.Parallel()
	client := func(body string) string {
		return `
			type client struct{ opening *item }

			func (c *client) Send(n int) {
				for range n {
					c.renew()
				}
			}

			func (c *client) renew() {
				c.opening = &item{}
				c.send(func() { c.handle(c.opening) })
			}

			func (c *client) send(f func()) { f() }

			func (c *client) handle(x *item) {` + body + `}

			func (c *client) expire(x *item) { println(x.n) }`
	}
	consumer := func(makes, sets string) string {
		return `
			type sub struct{ it *item }

			type consumer struct {
				it   *item
				subs map[int]*sub
			}

			func parse(fs ...func(*item)) *item {
				it := &item{}
				for _, f := range fs {
					f(it)
				}
				` + sets + `
				return it
			}

			func (c *consumer) Consume(fs ...func(*item)) {
				s := &sub{}
				s.it = ` + makes + `
				c.subs[1] = s
				go func() { println(s.it.n) }()
			}

			type ordered struct{ c *consumer }

			func (o *ordered) Consume(fs ...func(*item)) {
				o.c.Consume(fs...)
				go func() {
					for {
						o.c.Consume(fs...)
					}
				}()
			}`
	}
	for _, test := range []struct {
		name, body string
		want       model.Confidence
	}{
		{"one value of the frame, in another run of it", client(`
			x.n = 1
			go c.expire(x)
		`), model.Likely},
		{"one value of the frame, in one run of it", client(`
			go c.expire(x)
			x.n = 1
		`), model.Definite},
		{"made again before it is touched", consumer("parse(fs...)", "if it.n > 5 { it.n = 4 }"), model.Likely},
		{"made once, and touched by each", consumer("c.it; c.it.n = 4", ""), model.Definite},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			wantSurest(t, ".n", test.want, "package m\n\ntype item struct{ n int }\n"+test.body+"\n")
		})
	}
}

// TestDefiniteWinner: two methods start a goroutine each, if a flag was not set; of which object is not seen.
func TestDefiniteWinner(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, close string
		want        model.Confidence
	}{
		{"both ask", "if c.sent.CompareAndSwap(false, true) { go c.request() }", model.Likely},
		{"one does not ask", "go c.request()", model.Definite},
		{"one has asked before something else", "if c.sent.CompareAndSwap(false, true) { println() }; go c.request()", model.Definite},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			wantSurest(t, ".n", test.want, `package m

			import "sync/atomic"

			type item struct{ n int }

			func Two(a, b *item) {
				c, d := newCall(a), newCall(b)
				c.send()
				c.close()
				d.send()
				d.close()
			}

			func newCall(x *item) *call {
				c := &call{}
				c.on = func() { x.n = 1 }
				return c
			}

			type call struct {
				sent atomic.Bool
				on   func()
			}

			func (c *call) send() { if c.sent.CompareAndSwap(false, true) { go c.request() } }

			func (c *call) close() { `+test.close+` }

			func (c *call) request() { c.on() }
			`)
		})
	}
}

// TestDefiniteActor: of the goroutines that run an actor's messages there is one at a time, if each is started by who
// has found no message there.
func TestDefiniteActor(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, start string
		want        model.Confidence
	}{
		{"by the first", "if tail != nil { tail.next.Store(m) } else { go in.run(m) }", model.Likely},
		{"by each", "if tail != nil { tail.next.Store(m) }; go in.run(m)", model.Definite},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			wantSurest(t, "", test.want, `package main

			import "sync/atomic"

			type message struct {
				do   func()
				next atomic.Pointer[message]
			}

			type inbox struct{ tail atomic.Pointer[message] }

			func (in *inbox) act(do func()) {
				m := &message{do: do}
				tail := in.tail.Swap(m)
				`+test.start+`
			}

			func (in *inbox) run(m *message) {
				for m != nil {
					m.do()
					if m.next.Load() == nil && in.tail.CompareAndSwap(m, nil) {
						return
					}
					for m.next.Load() == nil {
					}
					m = m.next.Load()
				}
			}

			func main() {
				n, in := 0, &inbox{}
				in.act(func() { n++ })
				in.act(func() { n += 2 })
			}
			`)
		})
	}
}

// TestDefiniteUnknown: the group that is waited for comes from where nothing is in view.
func TestDefiniteUnknown(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, over, wait string
		want             model.Confidence
	}{
		{"waited for", "g.Done()", "g.Wait()", model.Likely},
		{"not told", "", "g.Wait()", model.Definite},
		{"not waited for", "g.Done()", "", model.Definite},
		{"waited for on one way", "g.Done()", "if len(h) > 2 { g.Wait() }", model.Definite},
		{"by a channel", "close(c)", "<-c", model.Likely},
		{"by a channel, and nobody closes it", "g.Done()", "<-c", model.Definite},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			wantSurest(t, ".n", test.want, `package m

			import "sync"

			var groups sync.Pool

			var Channel func() chan int

			type item struct{ n int }

			func F(h string) {
				x := &item{}
				g := groups.Get().(*sync.WaitGroup)
				c := Channel()
				g.Add(1)
				go func() {
					x.n++
					`+test.over+`
				}()
				`+test.wait+`
				println(x.n, g, c)
			}
			`)
		})
	}
}

// TestDefiniteRequests: handlers of a server of the program's own run for requests that nobody may
// send, or only who then waits for the answer.
func TestDefiniteRequests(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, ask string
		want      model.Confidence
	}{
		{"nobody asks in view", "Ask(srv.URL)", model.Likely},
		{"one asks", "http.Get(srv.URL)", model.Assumed},
		{"two ask", "for range 2 { go func() { http.Get(srv.URL) }() }", model.Definite},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			wantSurest(t, ".n", test.want, `package main

			import (
				"net/http"
				"net/http/httptest"
			)

			type page struct{ n int }

			var Ask func(url string)

			func main() {
				p := &page{}
				srv := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { p.n++ }))
				`+test.ask+`
				println(p.n)
			}
			`)
		})
	}
}

// TestDefiniteTested: what a test has for itself its handlers touch when it sends requests, also where the server is
// one that the world may ask.
func TestDefiniteTested(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, serve, ask string
		want             model.Confidence
		handle           string // what the handler does with w, or "" if that is p.n++
	}{
		{"one goroutine asks", "srv := httptest.NewServer(h)", "go func() { http.Get(srv.URL); done <- true }(); <-done", model.Likely, ""},
		{"goroutines ask", "srv := httptest.NewServer(h)", "for range 2 { go http.Get(srv.URL); go func() { http.Get(srv.URL) }() }", model.Definite, ""},
		{"two goroutines ask", "srv := httptest.NewServer(h)", "go func() { http.Get(srv.URL) }(); go func() { http.Get(srv.URL) }()", model.Definite, ""},
		{"the test asks, too", "srv := httptest.NewServer(h)", "go func() { http.Get(srv.URL) }(); http.Get(srv.URL)", model.Definite, ""},
		{"a server for the world", "go http.ListenAndServe(addr, h)", "http.Get(addr)", model.Likely, ""},
		{"a server for the world, and goroutines", "go http.ListenAndServe(addr, h)", "for range 2 { go func() { http.Get(addr) }() }", model.Definite, ""},
		{"a handler starts a goroutine", "srv := httptest.NewServer(h)", "http.Get(srv.URL)", model.Definite, "go func() { p.n++ }()"},
		{"and waits for it", "srv := httptest.NewServer(h)", "http.Get(srv.URL)", model.Assumed, "d := make(chan bool); go func() { p.n++; close(d) }(); <-d"},
		{"and waits for it on some way", "srv := httptest.NewServer(h)", "http.Get(srv.URL)", model.Definite, "d := make(chan bool); go func() { p.n++; close(d) }(); if w.Header() != nil { <-d }"},
		{"a tunnel", "srv := httptest.NewServer(h)", "http.Get(srv.URL)", model.Likely, "c, _, _ := w.(http.Hijacker).Hijack(); go func() { p.n++; c.Close() }()"},
		{"the answer leaves before", "srv := httptest.NewServer(h)", "http.Get(srv.URL)", model.Definite, "w.(http.Flusher).Flush(); p.n++"},
		{"a proxy's goroutine asks", "srv := httptest.NewServer(h); front := httptest.NewServer(proxy(srv.URL))", "http.Get(front.URL)", model.Likely, ""},
		{"a proxy's goroutines ask", "srv := httptest.NewServer(h); front := httptest.NewServer(crowd(srv.URL, 2))", "http.Get(front.URL)", model.Definite, ""},
	} {
		if test.handle == "" {
			test.handle = "p.n++"
		}
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			res := runFile(t, "m_test.go", `package m

			import (
				"net/http"
				"net/http/httptest"
				"testing"
			)

			type page struct{ n int }

			const addr = "localhost:8080"

			var _ httptest.Server

			func proxy(url string) http.HandlerFunc {
				return func(http.ResponseWriter, *http.Request) {
					d := make(chan bool)
					go func() { http.Get(url); close(d) }()
					<-d
				}
			}

			func crowd(url string, n int) http.HandlerFunc {
				return func(http.ResponseWriter, *http.Request) {
					d := make(chan bool)
					for range n {
						go func() { http.Get(url); d <- true }()
					}
					for range n {
						<-d
					}
				}
			}

			func TestPage(*testing.T) {
				p, done := &page{}, make(chan bool)
				_ = done
				h := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
					`+test.handle+`
				})
				`+test.serve+`
				`+test.ask+`
				println(p.n)
			}
			`)
			if got := surest(res, ".n"); got != test.want {
				t.Errorf("%s, want %s", got, test.want)
			}
		})
	}
}

// TestDefiniteOnce: what a Once does may be over wherever its Do has been come by on some ways.
func TestDefiniteOnce(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, use string
		want      model.Confidence
	}{
		{"on some ways", "if s, ok := ids.(*source); ok { s.init() }; ids.next()", model.Likely},
		{"before it", "ids.next(); src.init()", model.Definite},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			wantSurest(t, ".n", test.want, `package main

			import "sync"

			type source struct {
				once sync.Once
				n    int
			}

			func (s *source) init() { s.once.Do(func() { s.n = 1 }) }
			func (s *source) next() int { return s.n }

			type fixed struct{}

			func (fixed) next() int { return 0 }

			type numbers interface{ next() int }

			var src = &source{}

			func main() {
				for i := range 9 {
					go use(i)
				}
			}

			func use(i int) {
				ids := numbers(src)
				if i > 100 {
					ids = fixed{}
				}
				`+test.use+`
			}
			`)
		})
	}
}

// TestDefiniteOnces: of a method of several objects, the Once that has been come by may be the one.
func TestDefiniteOnces(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, first string
		want        model.Confidence
	}{
		{"on some ways", "c.start()", model.Likely},
		{"of another object", "(&client{}).stop()", model.Definite},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			wantSurest(t, ".n", test.want, `package main

			import (
				"os"
				"sync"
			)

			type client struct {
				once sync.Once
				n    *int
			}

			func (c *client) start() { c.once.Do(func() { c.n = new(int) }) }
			func (c *client) stop()  {}

			func (c *client) close() {
				c.start()
				c.look()
			}

			func (c *client) look() { println(c.n) }

			func (c *client) handle() {
				for i := range os.Args {
					if i == 0 {
						`+test.first+`
						continue
					}
					c.look()
				}
			}

			func main() {
				c := &client{}
				go c.close()
				c.handle()
				run(c)
				run(&client{})
			}

			func run(c *client) {
				go c.close()
				c.handle()
			}
			`)
		})
	}
}

// TestDefinitePhase: what is done under a lock as long as a state is zero is over for who has set that.
func TestDefinitePhase(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, test, set string
		want            model.Confidence
	}{
		{"set before", "s.state == 0", "s.mu.Lock(); s.state = 1; s.mu.Unlock()", model.Likely},
		{"set without the lock", "s.state == 0", "s.state = 1", model.Definite},
		{"set on some ways", "s.state == 0", "s.mu.Lock(); if s.spare { s.state = 1 }; s.mu.Unlock()", model.Definite},
		{"another test", "s.state != 0", "s.mu.Lock(); s.state = 1; s.mu.Unlock()", model.Definite},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			wantSurest(t, ".n", test.want, `package main

			import (
				"os"
				"sync"
			)

			type service struct {
				mu    sync.Mutex
				state int
				spare bool
				n     int
			}

			func (s *service) add() {
				s.mu.Lock()
				defer s.mu.Unlock()
				if `+test.test+` {
					s.n++
				}
			}

			func (s *service) serve() {
				`+test.set+`
				s.work()
			}

			func (s *service) work() { s.n = 0 }

			func main() {
				s := &service{}
				s.spare = len(os.Args) > 1
				go s.serve()
				s.add()
			}
			`)
		})
	}
}

// TestDefiniteAcquired: who fails to acquire the whole of a semaphore has not waited, but that is not known to happen.
func TestDefiniteAcquired(t *testing.T) {
	got := make(map[string]model.Confidence)
	for _, r := range allPrograms(t).res.Final(nil) {
		fn := r.Loop.Func[strings.LastIndexByte(r.Loop.Func, '.')+1:]
		got[fn] = max(got[fn], r.Confidence())
	}
	for fn, want := range map[string]model.Confidence{
		"M1b_partTaken": model.Definite, "M1d_releasedFirst": model.Definite,
		"M1e_mayFail": model.Likely, "FillWeighted": model.Likely,
	} {
		if got[fn] != want {
			t.Errorf("%s: %s, want %s", fn, got[fn], want)
		}
	}
}

// TestDefinitePolled: what is read where a test under a lock has found that it is set may have been waited for.
func TestDefinitePolled(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, body string // what main does
		want       model.Confidence
	}{
		{"the place itself", `
			go s.set()
			for {
				s.mu.Lock()
				n := s.n
				s.mu.Unlock()
				if strconv.Itoa(n) != "0" {
					break
				}
			}
			println(s.n)`, model.Likely},
		{"what is set with it, by a method", `
			go s.setBoth()
			for !s.isReady() {
				runtime.Gosched()
			}
			println(s.n)`, model.Likely},
		{"what is set after it", `
			go func() {
				s.n = 1
				s.setReady()
			}()
			s.wait()
			println(s.n)`, model.Likely},
		{"by the goroutine", `
			go func() {
				s.wait()
				println(s.n)
			}()
			s.setBoth()`, model.Likely},
		{"on a branch", `
			go s.setBoth()
			s.mu.Lock()
			ok := s.ready
			s.mu.Unlock()
			if ok {
				println(s.n)
			}`, model.Likely},
		{"what is set before it", `
			go func() {
				s.setReady()
				s.n = 1
			}()
			s.wait()
			println(s.n)`, model.Definite},
		{"of which there is more", `
			go func() {
				for range 9 {
					s.set()
				}
			}()
			for {
				s.mu.Lock()
				n := s.n
				s.mu.Unlock()
				if n != 0 {
					break
				}
			}
			println(s.n)`, model.Definite},
		{"a count to which each of several adds", `
			for range 3 {
				go s.count()
			}
			for s.counted() < 3 {
				runtime.Gosched()
			}
			println(s.n)`, model.Likely},
		{"a count of which one of several is enough", `
			for range 3 {
				go s.count()
			}
			for s.counted() == 0 {
				runtime.Gosched()
			}
			println(s.n)`, model.Definite},
		{"what one of several sets", `
			for range 3 {
				go s.setBoth()
			}
			s.wait()
			println(s.n)`, model.Definite},
		{"without leaving the loop for it", `
			go s.setBoth()
			for range 3 {
				println(s.isReady())
			}
			println(s.n)`, model.Definite},
		{"on some ways only", `
			go s.setBoth()
			if len(os.Args) > 1 {
				s.wait()
			}
			println(s.n)`, model.Definite},
		{"something else", `
			go s.set()
			s.wait()
			println(s.n)`, model.Definite},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			wantSurest(t, ".n", test.want, `package main

import (
	"fmt"
	"os"
	"runtime"
	"strconv"
	"sync"
)

type server struct {
	mu    sync.Mutex
	ready bool
	n     int
	many  int
}

func (s *server) set() {
	s.mu.Lock()
	s.n++
	s.mu.Unlock()
}

func (s *server) setReady() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ready = true
}

func (s *server) setBoth() {
	s.mu.Lock()
	s.ready = true
	s.n = 1
	s.mu.Unlock()
}

func (s *server) isReady() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.ready
}

func (s *server) count() {
	s.mu.Lock()
	s.n++
	s.many++
	s.mu.Unlock()
}

func (s *server) counted() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.many
}

func (s *server) wait() {
	for !s.isReady() {
		runtime.Gosched()
	}
}

func main() {
	fmt.Println(len(os.Args), runtime.NumCPU(), strconv.Itoa(1))
	s := &server{}
`+test.body+`
}
`)
		})
	}
}

// TestDefinitePreset: a caller may set a field so that the function starts no goroutine.
func TestDefinitePreset(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, body string // of a method that main calls
		want       model.Confidence
	}{
		{"none is started", "s.single = true; s.read(); s.n = 1", model.Likely},
		{"one is started", "s.single = false; s.read(); s.n = 1", model.Definite},
		{"another field", "s.other = true; s.read(); s.n = 1", model.Definite},
		{"set again", "s.single = true; s.single = len(os.Args) > 1; s.read(); s.n = 1", model.Definite},
		{"one was started before", "s.read(); s.single = true; s.read(); s.n = 1", model.Definite},
		{"another object", "o := &server{}; o.single = true; s.read(); s.n = 1", model.Definite},
		{"set too late", "s.read(); s.single = true; s.n = 1", model.Definite},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			wantSurest(t, ".n", test.want, `package main

import "os"

type server struct {
	single, other bool
	n             int
}

func (s *server) read() {
	if !s.single && len(os.Args) < 3 {
		go s.loop()
	}
}

func (s *server) loop() { println(s.n) }

func (s *server) init() {
	`+test.body+`
}

func main() {
	s := &server{}
	s.init()
}
`)
		})
	}
}

// wantSurest checks how sure the surest race on a field is that a program has.
func wantSurest(t *testing.T, field string, want model.Confidence, text string) {
	t.Helper()
	if got := surest(runText(t, text), field); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// surest returns the confidence of the surest race set about a field, assumed if there is none.
func surest(res *Result, field string) model.Confidence {
	c := model.Assumed
	for _, r := range res.Final(nil) {
		if r.Field == field {
			c = max(c, r.Confidence())
		}
	}
	return c
}

// TestDefiniteFlag: an atomic flag of an object that comes from elsewhere may have been set at first, which does not
// show that it was.
func TestDefiniteFlag(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, start string
		want        model.Confidence
	}{
		{"set afterwards", "n.id = 5; n.member.Store(1)", model.Likely},
		{"set before", "n.member.Store(1); n.id = 5", model.Definite},
		{"reset afterwards", "n.id = 5; n.member.Store(0)", model.Definite},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			wantSurest(t, ".id", test.want, `package m

			import (
				"errors"
				"net/http"
				"sync/atomic"
			)

			type node struct {
				member atomic.Int32
				id     int
			}

			func Serve(n *node) {
				http.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) { n.look() })
				go http.ListenAndServe(":80", nil)
				`+test.start+`
			}

			func (n *node) leader() error {
				if n.member.Load() != 1 {
					return errors.New("no member")
				}
				return nil
			}

			func (n *node) look() int {
				if err := n.leader(); err != nil {
					return 0
				}
				return n.id
			}
			`)
		})
	}
}

// TestDefiniteCancelled: who waits until a context is done may wait for the goroutine that cancels one.
func TestDefiniteCancelled(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, run, wait string
		want            model.Confidence
	}{
		{"cancelled after it", "s.n++; s.cancel()", "<-s.ctx.Done()", model.Likely},
		{"cancelled in the end", "defer s.cancel(); s.n++", "<-s.ctx.Done()", model.Likely},
		{"in a select", "s.n++; s.cancel()", "select { case <-s.ctx.Done(): case <-s.other.Done(): }", model.Likely},
		{"cancelled before it", "s.cancel(); s.n++", "<-s.ctx.Done()", model.Definite},
		{"not cancelled", "s.n++", "<-s.ctx.Done()", model.Definite},
		{"not always waited for", "s.n++; s.cancel()", "if len(os.Args) > 1 { <-s.ctx.Done() }", model.Definite},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			wantSurest(t, ".n", test.want, `package main

			import (
				"context"
				"os"
			)

			type service struct {
				ctx, other context.Context
				cancel     context.CancelFunc
				n          int
			}

			func (s *service) run() { `+test.run+` }

			func main() {
				s := &service{other: context.Background()}
				s.ctx, s.cancel = context.WithCancel(context.Background())
				go s.run()
				`+test.wait+`
				println(s.n, len(os.Args))
			}
			`)
		})
	}
}

// TestDefiniteRunning: who has started a goroutine waits for it where a place says so.
func TestDefiniteRunning(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, start, stop string
		want              model.Confidence
	}{
		{"a flag", "s.running = true; go s.loop()", "if !s.running { return }; close(s.stop); <-s.done; s.running = false", model.Likely},
		{"a flag that is set after the start", "go s.loop(); s.running = true", "if s.running { close(s.stop); <-s.done; s.running = false }", model.Likely},
		{"a channel", "s.stop = make(chan bool); go s.loop()", "if s.stop == nil { return }; close(s.stop); <-s.done; s.stop = nil", model.Likely},
		{"another flag", "s.running = true; go s.loop()", "if !s.spare { return }; close(s.stop); <-s.done; s.running = false", model.Definite},
		{"set on some ways", "if s.spare { s.running = true }; go s.loop()", "if !s.running { return }; close(s.stop); <-s.done; s.running = false", model.Definite},
		{"not waited for", "s.running = true; go s.loop()", "if !s.running { return }; close(s.stop); s.running = false", model.Definite},
		{"waited for where it does not run", "s.running = true; go s.loop()", "if s.running { return }; close(s.stop); <-s.done", model.Definite},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			wantSurest(t, ".n", test.want, `package main

			import "os"

			type service struct {
				running, spare bool
				stop, done     chan bool
				n              int
			}

			func (s *service) start() { `+test.start+` }

			func (s *service) loop() {
				defer close(s.done)
				for {
					select {
					case <-s.stop:
						return
					default:
						s.n++
					}
				}
			}

			func (s *service) end() { `+test.stop+` }

			func main() {
				s := &service{stop: make(chan bool), done: make(chan bool)}
				s.spare = len(os.Args) > 1
				s.start()
				s.end()
				println(s.n)
			}
			`)
		})
	}
}

// TestDefiniteClosing: who has started a goroutine has set a state so that what he calls next does nothing.
func TestDefiniteClosing(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, lock, closes string
		want               model.Confidence
	}{
		{"a state", "switch c.state { case busy: return errBusy; case closed: return errClosed }; c.state = busy; return nil", "if c.state == closed { return }; c.state = closed; go c.finish()", model.Likely},
		{"after the start", "if c.state == closed { return errClosed }; return nil", "if c.state == closed { return }; go c.finish(); c.state = closed", model.Likely},
		{"set on some ways", "if c.state == closed { return errClosed }; return nil", "if c.spare { c.state = closed }; go c.finish()", model.Definite},
		{"another state", "if c.state == busy { return errClosed }; return nil", "if c.state == closed { return }; c.state = closed; go c.finish()", model.Definite},
		{"another field", "if c.spare { return errClosed }; return nil", "if c.state == closed { return }; c.state = closed; go c.finish()", model.Definite},
		{"it goes on all the same", "if c.state == closed { println(c.state); return nil }; return nil", "if c.state == closed { return }; c.state = closed; go c.finish()", model.Definite},
		{"it may go on", "if c.state == closed { if c.spare { return nil }; return errClosed }; return nil", "if c.state == closed { return }; c.state = closed; go c.finish()", model.Definite},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			wantSurest(t, ".buf", test.want, `package main

			import (
				"errors"
				"os"
			)

			const (
				idle = iota + 1
				busy
				closed
			)

			var errBusy, errClosed = errors.New("busy"), errors.New("closed")

			type conn struct {
				state int
				spare bool
				buf   []byte
			}

			func (c *conn) lock() error { `+test.lock+` }

			func (c *conn) finish() { c.buf = append(c.buf, 'X') }

			func (c *conn) close() { `+test.closes+` }

			func (c *conn) exec(q string) error {
				if err := c.lock(); err != nil {
					return err
				}
				c.buf = append(c.buf, q...)
				if _, err := os.Stdout.Write(c.buf); err != nil {
					c.close()
					return err
				}
				c.state = idle
				return nil
			}

			func main() {
				c := &conn{state: idle, spare: len(os.Args) > 1}
				for range 10 {
					c.exec("ping")
				}
			}
			`)
		})
	}
}

// TestDefiniteServed: what a goroutine does for who asks it is over when all have their answers.
func TestDefiniteServed(t *testing.T) {
	t.Parallel()
	const (
		asks   = "req <- k; if err := <-ack; err != nil { more <- true; return }; more <- true"
		serves = "for k := range req { err := d.write(k); ack <- err; <-more }"
	)
	for _, test := range []struct {
		name, serves, asks, ends string
		want                     model.Confidence
	}{
		{"all are answered", serves, asks, "wg.Wait(); d.close()", model.Likely},
		{"of one more request", serves, asks, "wg.Wait(); req <- 1; d.close()", model.Definite},
		{"they are not waited for", serves, asks, "d.close(); wg.Wait()", model.Definite},
		{"one does not wait for the answer", serves, "req <- k; select { case <-ack: more <- true; case <-time.After(9): return }", "wg.Wait(); d.close()", model.Definite},
		{"it goes on when it has answered", "for k := range req { ack <- nil; d.write(k); println(more) }", "req <- k; <-ack", "wg.Wait(); d.close()", model.Definite},
		{"it does not wait to be asked", "for { select { case k := <-req: ack <- d.write(k); <-more; default: d.write(1) } }", asks, "wg.Wait(); d.close()", model.Definite},
		{"another one does not wait for the answer", serves, "if k == 0 { go func() { req <- 7 }() }; " + asks, "wg.Wait(); d.close()", model.Definite},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			wantSurest(t, ".journal", test.want, `package main

			import (
				"sync"
				"time"
			)

			type db struct{ journal int }

			func (d *db) write(b int) error { d.journal += b; return nil }
			func (d *db) close()            { println(d.journal) }

			func main() {
				d := &db{}
				var wg sync.WaitGroup
				req, ack, more := make(chan int), make(chan error), make(chan bool)
				go func() { `+test.serves+` }()
				for range 3 {
					wg.Add(1)
					go func() {
						defer wg.Done()
						for k := range 4 {
							`+test.asks+`
						}
					}()
				}
				`+test.ends+`
				time.Sleep(1)
			}
			`)
		})
	}
}

// TestDefiniteHandedOn: what is sent when an access is over, to who does the other one and sends it again.
func TestDefiniteHandedOn(t *testing.T) {
	t.Parallel()
	const gets = "for { select { case j = <-q: err = j.run(); case <-quit: return }; if err != nil { println(j.id); m.later.Store(j.id, j) } }"
	for _, test := range []struct {
		name, puts, calls string
		want              model.Confidence
	}{
		{"sent again by others", "j.id = m.count; q <- j", "m.enqueue(j)", model.Likely},
		{"used when it has been sent", "q <- j; j.id = m.count", "m.enqueue(j)", model.Definite},
		{"sent, and used again for the next one", "j.id = m.count; q <- j; if j.again() { m.enqueue(j) }", "m.enqueue(j)", model.Definite},
		{"sent by another one", "last = j; j.id = m.count; println(q)", "go m.enqueue(j); if qc, ok := m.queues.Load(j.queue); ok && last != nil { qc.(chan *job) <- last }", model.Definite},
		{"sent by two", "j.id = m.count; q <- j", "go m.enqueue(j); m.enqueue(j)", model.Definite},
		{"sent by several", "j.id = m.count; q <- j", "for range 2 { go m.enqueue(j) }", model.Definite},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			wantSurest(t, ".id", test.want, `package main

			import (
				"errors"
				"sync"
				"time"
			)

			type job struct {
				id, tries int
				queue     string
			}

			func (j *job) run() error {
				if len(j.queue) > 4 {
					return errors.New("too long")
				}
				return nil
			}

			func (j *job) again() bool { return len(j.queue) > 3 }

			var last *job

			type backend struct {
				queues, later, seen sync.Map
				count               int
			}

			func (m *backend) enqueue(j *job) {
				qc, ok := m.queues.Load(j.queue)
				if !ok {
					return
				}
				q := qc.(chan *job)
				if _, found := m.seen.Load(j.queue); found {
					return
				}
				m.seen.Store(j.queue, j)
				m.count++
				`+test.puts+`
			}

			func (m *backend) start(name string, quit chan int) {
				m.queues.Store(name, make(chan *job, 3))
				qc, ok := m.queues.Load(name)
				if !ok {
					return
				}
				go m.schedule()
				q := qc.(chan *job)
				for range 3 {
					go func() {
						var j *job
						var err error
						`+gets+`
					}()
				}
			}

			func (m *backend) schedule() {
				for {
					m.later.Range(func(_, v any) bool {
						j := v.(*job)
						m.later.Delete(j.queue)
						go func() {
							time.Sleep(time.Second)
							if qc, ok := m.queues.Load(j.queue); ok {
								qc.(chan *job) <- j
							}
						}()
						return true
					})
					time.Sleep(time.Second)
				}
			}

			func main() {
				m, quit := &backend{}, make(chan int)
				m.start("queue", quit)
				j := &job{queue: "queue"}
				`+test.calls+`
				close(quit)
			}
			`)
		})
	}
}

// TestDefiniteShutDown: a server that is shut down may have had its handlers come to their end.
func TestDefiniteShutDown(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, before string
		want         model.Confidence
	}{
		{"shut down", "srv.Close()", model.Assumed},
		{"perhaps", "if len(os.Args) > 1 { srv.Close() }", model.Definite},
		{"later", "defer srv.Close()", model.Definite},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			wantSurest(t, ".n", test.want, `package main

			import (
				"net/http"
				"net/http/httptest"
				"os"
				"sync"
			)

			type counter struct {
				sync.Mutex
				n int
			}

			func main() {
				c := &counter{}
				mux := http.NewServeMux()
				mux.HandleFunc("/", func(http.ResponseWriter, *http.Request) {
					c.Lock()
					c.n++
					c.Unlock()
				})
				srv := httptest.NewServer(mux)
				for range 10 {
					go func() { http.Get(srv.URL) }()
				}
				`+test.before+`
				println(c.n, len(os.Args))
			}
			`)
		})
	}
}

// TestDefiniteCounted: a count that several add to may be reached when all have.
func TestDefiniteCounted(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, until string
		want        model.Confidence
	}{
		{"all", "count.Load() != 2", model.Likely},
		{"as many", "count.Load() < 2", model.Likely},
		{"one", "count.Load() == 0", model.Definite},
		{"another count", "other.Load() != 2", model.Definite},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			wantSurest(t, ".n", test.want, `package main

			import (
				"runtime"
				"sync/atomic"
			)

			type result struct{ n int }

			var count, other atomic.Int32

			func main() {
				r := &result{}
				go func() { r.n = 1; count.Add(1) }()
				go func() { count.Add(1); other.Add(1) }()
				for `+test.until+` {
					runtime.Gosched()
				}
				println(r.n)
			}
			`)
		})
	}
}

// TestDefiniteSlot: a channel of one place that each run of a function makes is a lock for its run. That another run may go on
// beside it is not shown.
func TestDefiniteSlot(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, places, last string
		want               model.Confidence
	}{
		{"taken", "1", "pending <- struct{}{}", model.Likely},
		{"two places", "2", "pending <- struct{}{}", model.Definite},
		{"not taken", "1", "", model.Definite},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			wantSurest(t, ".n", test.want, `package main

			import "sync"

			type store struct {
				n  int
				wg sync.WaitGroup
			}

			func (s *store) run() {
				defer s.wg.Done()
				pending := make(chan struct{}, `+test.places+`)
				for range 10 {
					pending <- struct{}{}
					go func() {
						s.n++
						<-pending
					}()
				}
				`+test.last+`
				s.n++
				<-pending
			}

			func main() {
				s := &store{}
				s.wg.Add(1)
				go s.run()
				s.restart()
				s.restart()
			}

			func (s *store) restart() {
				s.wg.Wait()
				s.wg.Add(1)
				go s.run()
			}
			`)
		})
	}
}

// TestDefiniteBehindWait: who starts a goroutine anew has waited for the one that was there. That two do so at a time is not shown.
func TestDefiniteBehindWait(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, wait string
		want       model.Confidence
	}{
		{"wait", "c.wg.Wait()", model.Likely},
		{"none", "", model.Definite},
		{"another group", "c.others.Wait()", model.Definite},
		{"on one way", "if c.n > 3 { c.wg.Wait() }", model.Definite},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			wantSurest(t, ".ps", test.want, `package main

			import "sync"

			type state struct{ n int }

			type conn struct {
				mu         sync.Mutex
				wg, others sync.WaitGroup
				n          int
				ps         *state
				in         chan []byte
			}

			func (c *conn) start() {
				go c.ping()
				c.wg.Add(2)
				go c.read()
				go c.flush()
			}

			func (c *conn) read() {
				defer c.wg.Done()
				c.mu.Lock()
				if c.ps == nil {
					c.ps = &state{}
				}
				c.mu.Unlock()
				for b := range c.in {
					if len(b) == 0 {
						c.failed()
						break
					}
					c.ps.n += len(b)
				}
				c.mu.Lock()
				c.ps = nil
				c.mu.Unlock()
			}

			func (c *conn) flush() {
				defer c.wg.Done()
				c.failed()
			}

			func (c *conn) ping() { c.failed() }

			func (c *conn) failed() { go c.reconnect() }

			func (c *conn) reconnect() {
				`+test.wait+`
				c.mu.Lock()
				defer c.mu.Unlock()
				c.start()
			}

			func main() {
				c := &conn{in: make(chan []byte)}
				c.others.Add(1)
				go c.others.Done()
				c.mu.Lock()
				c.start()
				c.mu.Unlock()
				for i := range 10 {
					c.in <- make([]byte, i)
				}
				select {}
			}
			`)
		})
	}
}

// TestDefiniteOwnMutex: methods of a lock that is made of a channel are for each such lock, and which of them they take is not
// told apart.
func TestDefiniteOwnMutex(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, places, lock string
		want               model.Confidence
	}{
		{"locked", "1", "if !c.reading.lock(quit) { return }", model.Likely},
		{"two places", "2", "if !c.reading.lock(quit) { return }", model.Definite},
		{"not locked", "1", "", model.Definite},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			wantSurest(t, ".buf", test.want, `package main

			import "sync"

			type lock struct{ ch chan bool }

			func newLock() *lock { return &lock{make(chan bool, `+test.places+`)} }

			func (l *lock) force() { l.ch <- true }
			func (l *lock) lock(quit chan bool) bool {
				select {
				case <-quit:
					return false
				case l.ch <- true:
					return true
				}
			}
			func (l *lock) unlock() {
				select {
				case <-l.ch:
				default:
				}
			}

			type conn struct {
				mu               sync.Mutex
				reading, writing *lock
				buf, out         []byte
			}

			func (c *conn) read(quit chan bool) {
				`+test.lock+`
				println(len(c.buf))
			}

			func (c *conn) write() {
				if c.writing.lock(nil) {
					c.out = append(c.out, 1)
					c.writing.unlock()
				}
			}

			func (c *conn) close() {
				c.reading.force()
				c.buf = nil
				c.writing.force()
				c.out = nil
			}

			func main() {
				c := &conn{reading: newLock(), writing: newLock(), buf: make([]byte, 4)}
				go c.close()
				go c.write()
				quit := make(chan bool)
				go close(quit)
				c.read(quit)
			}
			`)
		})
	}
}

// TestDefiniteLease: who has put his own mark in a place, and puts another one there later, may have a lease.
func TestDefiniteLease(t *testing.T) {
	t.Parallel()
	const lead = "if l, ok := r.acquire(id); ok { "
	for _, test := range []struct {
		name, body string
		want       model.Confidence
	}{
		{"until it is given back", lead + "log.n++; r.cur.CompareAndSwap(l, new(lease)) }", model.Likely},
		{"until another one is stored", lead + "log.n++; r.cur.Store(&lease{term: l.term}) }", model.Likely},
		{"in a call", lead + "log.add(); r.cur.Store(&lease{term: l.term}) }", model.Likely},
		{"tested as it is given back", lead + "log.n++; if !r.cur.CompareAndSwap(l, new(lease)) { panic(id) } }", model.Likely},
		{"the others give up", "l, ok := r.acquire(id); if !ok { return }; log.n++; r.cur.CompareAndSwap(l, new(lease))", model.Likely},
		{"never given back", lead + "log.n++; _ = l }", model.Definite},
		{"given back otherwise", lead + "if id == 7 { r.cur.CompareAndSwap(l, new(lease)); return }; log.n++ }", model.Definite},
		{"given back elsewhere", "other := new(registry); " + lead + "log.n++; other.cur.Store(l) }", model.Definite},
		{"done before", "log.n++; " + lead + "r.cur.CompareAndSwap(l, new(lease)) }", model.Definite},
		{"given back before", lead + "r.cur.CompareAndSwap(l, new(lease)); log.n++ }", model.Definite},
		{"given back and tested before", lead + "if r.cur.CompareAndSwap(l, new(lease)) { log.n++ } }", model.Definite},
		{"once more when it is given back", lead + "for range 2 { log.n++; r.cur.CompareAndSwap(l, new(lease)) } }", model.Definite},
		{"not always had", "l, ok := r.acquire(id); log.n++; if ok { r.cur.CompareAndSwap(l, new(lease)) }", model.Definite},
		{"given back by who has not had it", "if id == 7 { r.cur.Store(new(lease)) }; " + lead + "log.n++; r.cur.CompareAndSwap(l, new(lease)) }", model.Definite},
		{"one for each", "r := new(registry); " + lead + "log.n++; r.cur.CompareAndSwap(l, new(lease)) }", model.Definite},
		{"only one of the accesses", lead + "log.n++; r.cur.CompareAndSwap(l, new(lease)) } else { println(log.n) }", model.Definite},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			wantSurest(t, ".n", test.want, `package main

			import "sync/atomic"

			type lease struct{ holder, term int }

			type registry struct{ cur atomic.Pointer[lease] }

			func (r *registry) acquire(id int) (*lease, bool) {
				old := r.cur.Load()
				if old == nil || old.holder != 0 {
					return nil, false
				}
				next := &lease{id, old.term + 1}
				return next, r.cur.CompareAndSwap(old, next)
			}

			type journal struct{ n int }

			func (j *journal) add() { j.n++ }

			func (r *registry) run(log *journal, id int) {
				for range 10 {
					`+test.body+`
				}
			}

			func main() {
				r, log := new(registry), new(journal)
				r.cur.Store(new(lease))
				for id := range 5 {
					go r.run(log, id)
				}
				select {}
			}
			`)
		})
	}
}

// TestDefiniteOwn: who comes to an access only when it has made an object has that one, and not what an iteration has made by the same code.
func TestDefiniteOwn(t *testing.T) {
	t.Parallel()
	const find = "p.mu.Lock(); c := p.last; p.mu.Unlock(); if c != nil { println(c.log) }"
	for _, test := range []struct {
		name, get, main string
		want            model.Confidence
	}{
		{"each starts its own", `
			p.mu.Lock()
			c := p.conns["a"]
			if c == nil {
				c = newConn()
				p.conns["a"] = c
				p.mu.Unlock()
				c.start()
			} else {
				p.mu.Unlock()
			}
			<-c.ready`, "newProducer(p)", model.Likely},
		{"the goroutine's is found", "p.keep().start()", "go p.get(); " + find, model.Definite},
		{"it is found by a goroutine that was there before", "p.keep().start()", "go func() { for { " + find + " } }(); go p.get()", model.Definite},
		{"it is found by who has made another one", "p.keep().start()", "go p.get(); p.spare = &conn{}; " + find, model.Definite},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			wantSurest(t, ".log", test.want, `package main

			import (
				"sync"
				"sync/atomic"
			)

			type conn struct {
				started atomic.Bool
				mu      sync.Mutex
				log     string
				ready   chan bool
			}

			func newConn() *conn { return &conn{ready: make(chan bool)} }

			func (c *conn) start() {
				if !c.started.CompareAndSwap(false, true) {
					println(c.log)
					return
				}
				go func() {
					c.mu.Lock()
					c.log += "connected"
					c.mu.Unlock()
					close(c.ready)
				}()
			}

			type pool struct {
				mu          sync.Mutex
				conns       map[string]*conn
				last, spare *conn
			}

			func (p *pool) keep() *conn {
				c := newConn()
				p.mu.Lock()
				p.last = c
				p.mu.Unlock()
				return c
			}

			func (p *pool) get() { `+test.get+`
			}

			type producer struct{ p *pool }

			func newProducer(p *pool) *producer {
				q := &producer{p: p}
				q.create()
				go func() {
					for {
						q.create()
					}
				}()
				return q
			}

			func (q *producer) create() {
				for range 3 {
					go func() { q.p.get() }()
				}
			}

			func main() {
				p := &pool{conns: map[string]*conn{}}
				`+test.main+`
			}
			`)
		})
	}
}

// TestDefiniteFailed: a race that is there only when the test has been told that it has failed is no certain one.
func TestDefiniteFailed(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, late, after string
		want              model.Confidence
	}{
		{"who gives up waiting has failed", `t.Error("late")`, "", model.Likely},
		{"who gives up waiting says so", `t.Log("late")`, "", model.Definite},
		{"who gives up waiting fails for good", `t.Fatal("late")`, "", model.Assumed},
		{"who has given up fails", `late = true`, `if late { t.Errorf("late") }`, model.Likely},
		{"who has given up may fail", `late = true`, `if x.n == 0 { t.Errorf("none") }`, model.Definite},
		{"a benchmark's does", `testing.TB(t).Errorf("late")`, "", model.Likely},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			wantSurest(t, ".n", test.want, `package m

			import (
				"testing"
				"time"
			)

			type item struct{ n int }

			func Check(t *testing.T) {
				x := &item{}
				done := make(chan bool)
				go func() {
					x.n++
					close(done)
				}()
				late := false
				select {
				case <-done:
				case <-time.After(time.Second):
					`+test.late+`
				}
				`+test.after+`
				if x.n != 1 {
					t.Error(x.n, late)
				}
			}
			`)
		})
	}
}
