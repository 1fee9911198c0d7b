// Package fn holds programs with races that are missed today, with the reason.
// When one is found its test fails, and it moves to its topic.
package fn

import (
	"bytes"
	"context"
	"encoding/xml"
	"flag"
	"fmt"
	"io"
	"iter"
	"log"
	"log/slog"
	"math"
	"net"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"reflect"
	"runtime"
	"runtime/pprof"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

const n = 10

// The field is written through reflection.
func FN_reflectSet() {
	var s struct{ N int }
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			reflect.ValueOf(&s).Elem().Field(0).SetInt(int64(i)) // missed s.N; reflection is not followed to the field
		})
	}
	wg.Wait()
}

// A send races with the close of the channel.
func FN_sendAndClose() {
	ch := make(chan int, n+1)
	var wg sync.WaitGroup
	wg.Go(func() {
		ch <- 1 // missed ch; operations on a channel itself are no accesses
	})
	for len(ch) == 0 {
		runtime.Gosched()
	}
	close(ch) // missed ch; operations on a channel itself are no accesses
	wg.Wait()
}

// An unknown method is called on a shared interface value: it is assumed to
// take care of itself.
func FN_interfaceParameter(w io.Writer, lines [][]byte) {
	var wg sync.WaitGroup
	for _, l := range lines {
		wg.Go(func() {
			w.Write(l) // missed _; the dynamic type of a parameter is not known, and nothing is assumed of it
		})
	}
	wg.Wait()
}

// The counter goes up and down again: a slot may be handed out twice.
func FN_S31b_slotGivenBackAndReused() {
	slots := make([]int, n+1)
	var used atomic.Int32
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			for range 100 {
				k := used.Add(1)
				runtime.Gosched()
				slots[k] += i // missed slots[*]; graded assumed: that the counter only grows is taken on trust (S14)
				used.Add(-1)
			}
		})
	}
	wg.Wait()
}

// The index comes from a table, which may hold a number twice.
func FN_tableIndex() {
	idx := make([]int, n)
	for i := range idx {
		idx[i] = i / 2
	}
	res := make([]int, n)
	var wg sync.WaitGroup
	for i := range idx {
		wg.Go(func() {
			res[idx[i]] = i // missed res[*]; graded assumed: what a table holds is not looked at (S11)
		})
	}
	wg.Wait()
}

// The rows overlap: the second is the first without its first element.
func FN_rowsOverlap() {
	all := make([]int, n+1)
	m := [][]int{all[:n], all[1:]}
	var wg sync.WaitGroup
	for j := range n {
		wg.Go(func() {
			for _, row := range m {
				row[j]++ // missed _[*]; graded assumed: where a row starts is not known (S59)
			}
		})
	}
	wg.Wait()
}

// The producer sends each index twice.
func FN_S33b_indexSentTwice() {
	work := make(chan int)
	res := make([]int, n)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for i := range work {
				res[i] += i // missed res[*]; graded assumed: that an integer is sent once is taken on trust (S13)
			}
		})
	}
	for i := range n {
		work <- i
		work <- i
	}
	close(work)
	wg.Wait()
}

// A function that calls itself starts a goroutine in each call. They are one to
// the analysis, since it starts them at one place outside any loop.
func FN_goroutineOfEachCall() {
	var wg sync.WaitGroup
	last(make([]int, n), &wg)
	wg.Wait()
}

func last(a []int, wg *sync.WaitGroup) {
	if len(a) == 0 {
		return
	}
	wg.Go(func() {
		a[len(a)-1]++ // missed a[*]; the goroutines of two calls of one function are not paired
	})
	last(a[1:], wg)
}

// A timer's function is started again while it still runs.
func FN_timerFunctionBesideItself() {
	sum := 0
	started := make(chan bool, 2)
	t := time.AfterFunc(1, func() {
		started <- true
		sum++ // missed sum; the runs of one timer's function are not paired with one another
	})
	<-started
	t.Reset(1)
	<-started
	time.Sleep(time.Millisecond)
}

// What the body of a generic function does depends on its type argument, and
// nothing instantiates it: it is not looked at, as a notice says.
func FN_genericVague[S []int | [4]int](s *S, n *int) {
	for i := range 4 {
		go func() {
			*n = (*s)[i] // missed n; elements of a slice or of an array
		}()
	}
}

// A Once is set anew, and its body runs again beside who knows it to be over.
func FN_onceSetAnew() {
	r := &renewed{}
	r.once.Do(func() { r.x = 1 })
	done := make(chan bool)
	go func() {
		_ = r.x // missed r.x; a Once is taken to be done for good (S61)
		done <- true
	}()
	r.once = sync.Once{}
	r.once.Do(func() { r.x = 2 }) // missed r.x; the same
	<-done
}

type renewed struct {
	once sync.Once
	x    int
}

// The flag is taken back with the lock held, by a plain store. That races with
// those who look at it without; what follows from it is not reported as well.
func FN_flagSetAnew() {
	r := &refilled{}
	r.fill(1)
	done := make(chan bool)
	go func() {
		if atomic.LoadUint32(&r.done) == 0 { // race! done
			r.fill(1)
		}
		_ = r.x // missed r.x; the flag is taken to be set for good (S61)
		done <- true
	}()
	r.mu.Lock()
	r.done = 0 // race! done
	r.mu.Unlock()
	runtime.Gosched()
	r.fill(2)
	<-done
}

type refilled struct {
	mu   sync.Mutex
	done uint32
	x    int
}

func (r *refilled) fill(x int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.done == 0 {
		r.x = x // missed r.x; the same
		atomic.StoreUint32(&r.done, 1)
	}
}

// A struct is printed while a buffer that it has is written to. The print is
// taken to read what the library's type has in its fields, but not what lies
// behind them (S18).
func FN_behindLibraryField() {
	r := &struct{ b bytes.Buffer }{}
	r.b.WriteString("0123456789")
	data := r.b.Bytes()
	var wg sync.WaitGroup
	wg.Go(func() { data[0] = 'x' }) // missed data[*]; see above
	_ = fmt.Sprint(r)               // missed data[*]; see above
	wg.Wait()
}

// An XML encoder has a buffer of its own, which it writes where it was made to. That is not
// seen (S46).
func FN_streamKept() {
	var buf bytes.Buffer
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			xml.NewEncoder(&buf).Encode(n) // missed buf.buf; the model says what Encode does to its receiver only
		})
	}
	wg.Wait()
}

type keepsLogger struct{ log *log.Logger }

// A logger that lies in a field is not followed to what it writes to (S46).
func FN_loggerInField() {
	var buf bytes.Buffer
	k := &keepsLogger{log.New(&buf, "", 0)}
	go func() {
		k.log.Print("x") // missed buf; see above
	}()
	println(buf.String()) // missed buf; the same
}

// The function is given the flags of the set, which are the same for all. The model
// does not say so, and it gets new memory (S47).
func FN_partsOfArgument(set *flag.FlagSet) {
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			set.VisitAll(func(f *flag.Flag) {
				f.Usage = "x" // missed _.Usage; the flags are those of the set
			})
		})
	}
	wg.Wait()
}

// The lock of a Cond is changed while a goroutine waits, which then comes back
// with another one (S36).
func FN_condChanged() {
	var one, two sync.Mutex
	c := sync.NewCond(&one)
	x, waiting := 0, false
	done := make(chan bool)
	go func() {
		one.Lock()
		waiting = true
		c.Wait()
		x++ // missed x; it seems to hold one
		two.Unlock()
		done <- true
	}()
	for {
		one.Lock()
		if waiting {
			break
		}
		one.Unlock()
	}
	c.L = &two
	c.Signal()
	x++ // missed x; it does hold one
	one.Unlock()
	<-done
}

// attempt goes on where f panics.
func attempt(f func()) {
	defer func() { recover() }()
	f()
}

// Where the function panics, nothing is locked after it. That path is not followed
// (S42).
func FN_panicBeforeLock(c bool) {
	var mu sync.Mutex
	x := 0
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			attempt(func() {
				if c {
					panic("c")
				}
				mu.Lock()
			})
			x++ // missed x; it seems that mu is held
			if !c {
				mu.Unlock()
			}
		})
	}
	wg.Wait()
}

// The goroutine and its spawner meet at what lies three calls below one and three
// below the other, none of which begins what its function does. So far apart they are
// compared, but only graded assumed (S31).
func FN_farApart() {
	f := &far{}
	done := make(chan bool)
	go func() {
		f.one()
		done <- true
	}()
	f.four()
	<-done
}

type far struct{ n int }

func (f *far) one()   { f.see(); f.two() }
func (f *far) two()   { f.see(); f.three() }
func (f *far) three() { f.n++ } // missed f.n; graded assumed
func (f *far) four()  { f.see(); f.five() }
func (f *far) five()  { f.see(); f.six() }
func (f *far) six()   { f.n++ } // missed f.n; graded assumed
func (f *far) see()   {}

// The lock has been given back: nothing says that the two meet.
func FN_farAfterLock() {
	g := &early{}
	done := make(chan bool)
	go func() {
		g.serve()
		done <- true
	}()
	g.ask()
	<-done
}

type early struct {
	mu   sync.Mutex
	n, m int
}

func (g *early) serve()  { g.see(); g.handle() }
func (g *early) handle() { g.see(); g.store() }
func (g *early) store() {
	g.mu.Lock()
	g.m++
	g.mu.Unlock()
	g.n++ // missed g.n; graded assumed
}
func (g *early) see()      {}
func (g *early) ask()      { g.see(); g.look() }
func (g *early) look()     { g.see(); g.read() }
func (g *early) read() int { return g.n } // missed g.n; graded assumed

type cell struct{ n int }

func addCell(cells []*cell, c *cell) []*cell { return append(cells, c) }

// A helper that appends is called twice with one object.
func FN_appendedByHelper() {
	var cells []*cell
	for i := range n {
		c := &cell{i}
		cells = addCell(cells, c)
		cells = addCell(cells, c)
	}
	var wg sync.WaitGroup
	for _, c := range cells {
		wg.Go(func() {
			c.n++ // missed _.n; graded assumed: the object stands for many, and each append may have another (S2)
		})
	}
	wg.Wait()
}

// A list holds the windows of a slice, whose elements are used by index too.
func FN_keptWindowAndElement() {
	xs := make([]*cell, 40)
	for i := range xs {
		xs[i] = &cell{}
	}
	var list [][]*cell
	for i := 0; i+4 <= len(xs); i += 4 {
		list = append(list, xs[i:i+4])
	}
	var wg sync.WaitGroup
	for i, w := range list {
		wg.Go(func() {
			for _, x := range w {
				x.n++ // missed _.n; the windows are one way to part the slice, the indices another
			}
			xs[i].n++ // missed _.n; the windows are one way to part the slice, the indices another
		})
	}
	wg.Wait()
}

// A callee exchanges the object between taking its slice and giving it back
// (S65), so that two of them have one slice.
func FN_movedByCallee() {
	var a, b sync.Mutex
	left, right := &scroll{text: make([]byte, 1)}, &scroll{text: make([]byte, 1)}
	t := newTable(left)
	text := t.cur.text
	t.turn(right)
	t.cur.text = text[:1]
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			a.Lock()
			left.write(byte(i))
			a.Unlock()
			b.Lock()
			right.write(byte(i))
			b.Unlock()
		})
	}
	wg.Wait()
}

type scroll struct{ text []byte }

func (s *scroll) write(c byte) { s.text[0] = c } // missed text[*]; the slice is taken to be each scroll's own

type table struct{ cur *scroll }

func newTable(s *scroll) *table { return &table{s} }

func (t *table) turn(s *scroll) { t.cur = s }

type parcel struct{ done bool }

// What is sent on was sent twice by the one before.
func FN_forwardedTwice() {
	first, second := make(chan *parcel), make(chan *parcel)
	go func() {
		for p := range first {
			second <- p
		}
		close(second)
	}()
	go func() {
		for range 4 {
			p := new(parcel)
			first <- p
			first <- p
		}
		close(first)
	}()
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for p := range second {
				p.done = true // missed _.done; S28: that the one before sends each once is assumed
			}
		})
	}
	wg.Wait()
}

// An object is touched after it was put back, when the goroutine of the next tenure
// may run.
func FN_touchedAfterPut() {
	var old *juicer
	for i := range 4 {
		j := newJuicer()
		if old != nil {
			old.n = i // missed _.n; what the spawner keeps of an earlier round is not taken for the object that this round gets
		}
		j.close()
		old = j
	}
}

type juicer struct {
	n  int
	wg sync.WaitGroup
}

var juicers = sync.Pool{New: func() any { return &juicer{} }}

func newJuicer() *juicer {
	j := juicers.Get().(*juicer)
	j.wg.Add(1)
	go j.run()
	return j
}

func (j *juicer) run() {
	defer j.wg.Done()
	j.n++ // missed _.n; see above
}

func (j *juicer) close() {
	j.wg.Wait()
	juicers.Put(j)
}

type fnTask struct{ out int }

type fnTaskQueue struct {
	mu    sync.Mutex
	tasks []*fnTask
}

func (q *fnTaskQueue) push(t *fnTask) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.tasks = append(q.tasks, t)
}

func (q *fnTaskQueue) pop() *fnTask {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.tasks) == 0 {
		return nil
	}
	t := q.tasks[0]
	q.tasks = q.tasks[1:]
	return t
}

// Each task is taken once, but each is in the queue twice.
func FN_pushedTwice() {
	var q fnTaskQueue
	for range 16 {
		t := &fnTask{}
		q.push(t)
		q.push(t)
	}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for t := q.pop(); t != nil; t = q.pop() {
				t.out++ // missed t.out; graded assumed: the store is in another function than the two calls that lead to it (S2)
			}
		})
	}
	wg.Wait()
}

type spade struct{ uses int }

type toolbox struct {
	mu   sync.Mutex
	free []*spade
}

func (b *toolbox) put(s *spade) {
	b.mu.Lock()
	b.free = append(b.free, s)
	b.mu.Unlock()
}

func (b *toolbox) get() *spade {
	b.mu.Lock()
	defer b.mu.Unlock()
	if k := len(b.free); k > 0 {
		s := b.free[k-1]
		b.free = b.free[:k-1]
		return s
	}
	return &spade{}
}

// What is taken off a list by hand is used after it was put back. Of channels and
// pools that is seen, of lists not: each is taken to have another (S2).
func FN_usedAfterPutBack() {
	b := &toolbox{}
	var wg sync.WaitGroup
	for range 10 {
		wg.Go(func() {
			for range 20 {
				s := b.get()
				b.put(s)
				s.uses++ // missed _.uses; graded assumed
			}
		})
	}
	wg.Wait()
}

type shelf struct{ last *volume }

type volume struct{ n int }

var shelves = sync.Pool{New: func() any { return &shelf{} }}

// What the pool holds still refers to what its last user goes on using, and is not
// filled anew before it is looked at (S66).
func FN_leftInPool() {
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			s := shelves.Get().(*shelf)
			if s.last != nil {
				s.last.n++ // missed _.n; it is assumed that what a pool yields is filled anew
			}
			v := &volume{}
			s.last = v
			shelves.Put(s)
			v.n++ // missed _.n; the same
		})
	}
	wg.Wait()
}

// A method of a new object is given a method value of it, and hands that on. What is
// done to the object after that is taken to come before what others do (S30).
func FN_handedOnByItsMethod() {
	var mu sync.Mutex
	var last func() int
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			d := &dial{}
			d.start(d.value, func(f func() int) {
				mu.Lock()
				defer mu.Unlock()
				last = f
			})
			d.set()
			mu.Lock()
			f := last
			mu.Unlock()
			f()
		})
	}
	wg.Wait()
}

type dial struct {
	n    int
	self func() int
}

func (d *dial) start(f func() int, tell func(func() int)) {
	d.self = f
	d.tell(tell)
}

func (d *dial) tell(tell func(func() int)) { tell(d.self) }

func (d *dial) value() int { return d.n } // missed _.n; graded assumed: what a method finds in its object it is not seen to hand on

func (d *dial) set() { d.n = 2 } // missed _.n; see value

// A profile is written by a goroutine until it is stopped. The model leaves that out
// (S24).
func FN_readWhileProfiled() int {
	c := new(countingWriter)
	_ = pprof.StartCPUProfile(c)
	seen := c.n // missed c.n; the model says that the profile is written where it is started
	pprof.StopCPUProfile()
	return seen
}

type countingWriter struct{ n int }

func (c *countingWriter) Write(p []byte) (int, error) {
	c.n += len(p) // missed c.n; see FN_readWhileProfiled
	return len(p), nil
}

// What a command prints is copied by goroutines that package os/exec starts for it, one for each output
// where they are different writers; they are taken for one. Here both write to one buffer.
func FN_twoOutputs() {
	var all bytes.Buffer
	cmd := exec.Command("sh", "-c", "echo x; echo y >&2")
	cmd.Stdout = io.MultiWriter(&all)
	cmd.Stderr = io.MultiWriter(&all)
	cmd.Run() // missed all; goroutines of the library's
}

// Of two commands in a list the second is waited for, and the output of the first looked at (S92).
func FN_waitsForOther() {
	var out bytes.Buffer
	var cmds []*exec.Cmd
	for range 2 {
		cmds = append(cmds, exec.Command("echo", "x"))
	}
	cmds[0].Stdout = &out
	if cmds[0].Start() != nil { // missed out; any wait for a command is taken for one for this
		return
	}
	cmds[1].Wait()
	_ = out.String() // missed out; the same
}

// A request is answered twice, and sent again when the first answer has come: the
// second one then says nothing (S73).
func FN_answeredTwice() {
	in := make(chan *query)
	go func() {
		for q := range in {
			q.a++ // missed _.a; each sending is taken to have one answer
			q.done <- true
			q.done <- true
		}
	}()
	ask := func() {
		q := &query{done: make(chan bool, 2)}
		for range 2 {
			in <- q
			<-q.done
			q.a++ // missed _.a; the same
		}
	}
	go ask()
	ask()
}

type query struct {
	a    int
	done chan bool
}

// A block is sent out of a buffer, and the buffer, which still has it, filled again: what a
// method returns of what its object holds is taken for the caller's alone (S80).
func FN_sentOutOfBuffer() {
	free, full := make(chan []byte, 2), make(chan []byte, 2)
	free <- make([]byte, 8)
	go func() {
		for b := range free {
			w := &blockWriter{b}
			w.fill(1) // missed _[*]; the same
			full <- w.block()
			w.fill(2) // missed _[*]; that w has what was sent is not looked at
		}
	}()
	b := <-full
	println(b[0]) // missed _[*]; the same
}

type blockWriter struct{ buf []byte }

func (w *blockWriter) fill(x byte) { w.buf[0] = x }

func (w *blockWriter) block() []byte { return w.buf }

// A map is found in one round and put into in the next one, under the lock that was taken
// in the same place: another goroutine may have taken it away in between (S75).
func FN_foundInEarlierRound() {
	b := &marks{}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			var seen map[int]bool
			for range 2 {
				b.mu.Lock()
				if seen == nil {
					if b.seen == nil {
						b.seen = map[int]bool{}
					}
					seen = b.seen
				}
				seen[i] = true // missed seen[*]; what is found under a lock is taken to be used under that
				b.mu.Unlock()
			}
			_ = len(b.take()) // missed seen[*]; the same
		})
	}
	wg.Wait()
}

type marks struct {
	mu   sync.Mutex
	seen map[int]bool
}

func (b *marks) take() map[int]bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	seen := b.seen
	b.seen = nil
	return seen
}

// One object has the map of another, which is made in the same place and has a lock of its
// own (S75).
func FN_foundInTwoObjects() {
	b, c := newSharedMarks(), newSharedMarks()
	b.reset()
	c.seen = b.seen
	var wg sync.WaitGroup
	wg.Go(func() {
		b.mu.Lock()
		seen := b.seen
		b.seen = nil
		b.mu.Unlock()
		delete(seen, 0) // missed seen[*]; c has it, too
	})
	c.mu.Lock()
	c.seen[1] = true // missed seen[*]; the same
	c.mu.Unlock()
	wg.Wait()
}

type sharedMarks struct {
	mu   sync.Mutex
	seen map[int]bool
}

func newSharedMarks() *sharedMarks { return &sharedMarks{} }

func (m *sharedMarks) reset() { m.seen = make(map[int]bool) }

// Entries go from table to table, and stay in the first one as well: each table has a
// lock, and what is found in a table is taken to be guarded by that (S27).
func FN_entryOfTwoTables() {
	var ts []*tableOf
	for i := range 10 {
		ts = append(ts, &tableOf{entries: map[int]*entry{i: {}}})
	}
	for i := range 9 {
		ts[i+1].entries[i] = ts[i].entries[i]
	}
	var wg sync.WaitGroup
	for i := range 9 {
		wg.Go(func() {
			ts[i].use(i)
			ts[i+1].use(i)
		})
	}
	wg.Wait()
}

type tableOf struct {
	mu      sync.Mutex
	entries map[int]*entry
}

type entry struct{ uses int }

func (t *tableOf) use(k int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	e, ok := t.entries[k]
	if !ok {
		e = new(entry)
		t.entries[k] = e
	}
	e.uses++ // missed _.uses; the lock of a table that has it is held
}

// New memory has its own address, and a method of it hands on what it finds there. What
// is done to the memory after that is taken to come before what others do (S30).
func FN_handedOnThroughItself() {
	var mu sync.Mutex
	var last *ticket
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			t := &ticket{}
			t.in.self = t
			t.show(func(u *ticket) {
				mu.Lock()
				defer mu.Unlock()
				last = u
			})
			t.n = i // missed t.n; graded assumed: what a method finds in new memory it is not seen to hand on
			mu.Lock()
			u := last
			mu.Unlock()
			_ = u.n // missed _.n; see t.n
		})
	}
	wg.Wait()
}

type ticket struct {
	n  int
	in struct{ self *ticket }
}

func (t *ticket) show(to func(*ticket)) { to(t.in.self) }

// A purse is forked by each, which shares its coins, and each fork has a lock of its own.
// The coins of a fork are taken for guarded by its lock (S27): that fork takes them out of
// another purse is not seen, since that one's lock is not held.
func FN_forkedByEach() {
	p := newPurse()
	for k := range 3 {
		p.turn(k)
	}
	var wg sync.WaitGroup
	for range 100 {
		wg.Go(func() {
			p.fork().turn(1)
		})
	}
	wg.Wait()
}

type penny struct{ turns int }

type purse struct {
	mu sync.Mutex
	m  map[int]*penny
}

func newPurse() *purse { return &purse{m: map[int]*penny{}} }

func (p *purse) turn(k int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	c, ok := p.m[k]
	if !ok {
		c = &penny{}
		p.m[k] = c
	}
	c.turns++ // missed _.turns; see FN_forkedByEach
}

func (p *purse) fork() *purse {
	q := newPurse()
	p.mu.Lock()
	defer p.mu.Unlock()
	for k, c := range p.m {
		q.m[k] = c
	}
	return q
}

// What is pulled out of an iterator runs on a coroutine, and what it yields is not
// followed to who pulls.
func FN_pulled() {
	var all []*penny
	for range 3 {
		all = append(all, &penny{})
	}
	var wg sync.WaitGroup
	for range 100 {
		wg.Go(func() {
			next, stop := iter.Pull(slices.Values(all))
			defer stop()
			if c, ok := next(); ok {
				c.turns++ // missed _.turns; what next returns is not known
			}
		})
	}
	wg.Wait()
}

// Each visitor finds the one that comes after it, before that is all there. That the next
// one can be found races, and is told; what is found that way is taken for another's.
func FN_linkedBeforeFilled() {
	var last *visitor
	for i := range n {
		v := &visitor{}
		if last != nil {
			last.next = v // race! _.next
		}
		v.age = i // missed _.age; S2
		go v.look()
		last = v
	}
}

type visitor struct {
	next *visitor
	age  int
}

func (v *visitor) look() {
	if v.next != nil { // race! _.next
		_ = v.next.age // race! _.next
	}
}

// Nobody switches the lock on.
func FN_lockSwitchedOff() {
	c := &switchedOff{}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			if c.shared {
				c.mu.Lock()
				defer c.mu.Unlock()
			}
			c.sum += i // missed c.sum; hidden: a lock is taken to be left out where one thread is there
		})
	}
	wg.Wait()
}

type switchedOff struct {
	mu     sync.Mutex
	shared bool
	sum    int
}

// One place of the channel is taken, of as many as it was widened to.
func FN_placeLeft() {
	d := &doorway{width: 1}
	d.widen(5)
	sum := make([]int, n)
	for i := range sum {
		d.let(func() { sum[i] = i }) // missed sum[*]; hidden: who takes slots in a loop is taken to take all
	}
	for range d.width {
		d.sem <- struct{}{}
	}
	println(sum[0]) // missed sum[*]; the same
}

type doorway struct {
	sem   chan struct{}
	width int
}

func (d *doorway) widen(width int) { d.sem = make(chan struct{}, width) }

func (d *doorway) let(f func()) {
	d.sem <- struct{}{}
	go func() { f(); <-d.sem }()
}

// The lock is for reading whenever the counter is changed.
func FN_writesAsReader() {
	c := &modalCounter{}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			if c.exclusive {
				c.mu.Lock()
			} else {
				c.mu.RLock()
			}
			c.sum++ // missed c.sum; hidden: who writes is taken to have the lock for writing
			if c.exclusive {
				c.mu.Unlock()
			} else {
				c.mu.RUnlock()
			}
		})
	}
	wg.Wait()
}

type modalCounter struct {
	mu        sync.RWMutex
	exclusive bool
	sum       int
}

// A function that is run by goroutines only starts two of itself. What it is itself then has
// the same name as what it starts, and the second half is taken for the one that has started
// the first.
func FN_splitByItself() {
	a := make([]int, n)
	var wg sync.WaitGroup
	wg.Add(1)
	go splitByItself(a, &wg)
	wg.Wait()
}

func splitByItself(a []int, wg *sync.WaitGroup) {
	defer wg.Done()
	if len(a) < 2 {
		return
	}
	a[0]++ // missed a[*]; the halves share an element
	wg.Add(2)
	go splitByItself(a[:len(a)/2+1], wg)
	go splitByItself(a[len(a)/2:], wg)
}

// The lock is taken by who stops the module at once; who does so many calls below the body,
// by a call that may run one method or another, does without.
func FN_farWay() {
	for k := range n {
		go func() {
			if k == 0 {
				farMu.Lock()
				farModules["counter"].stop()
				farMu.Unlock()
				return
			}
			farRequest(farModules[farNames[k%len(farNames)]])
		}()
	}
}

var (
	farMu      sync.Mutex
	farCount   int
	farNames   = []string{"counter", "store"}
	farModules = map[string]farModule{"counter": &farCounter{}, "store": &farStore{}}
)

type farModule interface{ stop() }

type farCounter struct{ name string }

func (*farCounter) stop() { farCount++ } // missed farCount; hidden: on near ways the lock is held

type farStore struct{ name string }

func (*farStore) stop() {}

func farRequest(m farModule) { farRoute(m) }
func farRoute(m farModule)   { farHandle(m) }
func farHandle(m farModule)  { farProvide(m) }
func farProvide(m farModule) { farClean(m) }
func farClean(m farModule)   { m.stop() }

// What is found in a table is taken after the table's lock was released: it may have been
// given back for the last time by then.
func FN_referenceTakenLate() {
	t := &sharedEntries{entries: map[int]*sharedEntry{0: {refs: 1}}}
	for range n {
		go func() {
			t.mu.Lock()
			e := t.entries[0]
			t.mu.Unlock()
			atomic.AddInt32(&e.refs, 1)
			e.value++ // missed e.value; hidden: who gives a reference back afterwards is taken to have one
			if atomic.AddInt32(&e.refs, -1) == 0 {
				e.value = 0
			}
		}()
		break
	}
	t.drop()
}

type sharedEntries struct {
	mu      sync.Mutex
	entries map[int]*sharedEntry
}

type sharedEntry struct {
	refs  int32
	value int
}

func (t *sharedEntries) drop() {
	t.mu.Lock()
	e := t.entries[0]
	t.mu.Unlock()
	if atomic.AddInt32(&e.refs, -1) == 0 {
		e.value = 0
	}
}

// A goroutine has done the Once of one object and uses another, which others set up
// meanwhile: who comes after the Do of such a Once is taken to know that of the object (S27).
func FN_onceOfAnother() {
	var hs []*setUp
	for range 10 {
		hs = append(hs, &setUp{})
	}
	var wg sync.WaitGroup
	for i := range 9 {
		wg.Go(func() {
			hs[i].init()
			user := &setUpUser{hs[i+1]}
			user.use(i)
		})
	}
	wg.Wait()
}

type setUp struct {
	once sync.Once
	m    map[int]bool
}

func (h *setUp) init() {
	h.once.Do(func() { h.m = map[int]bool{0: true} }) // missed _.m; graded assumed: which object was set up is not asked for (S27)
}

type setUpUser struct{ h *setUp }

func (u *setUpUser) use(k int) { u.h.has(k) }

func (h *setUp) has(k int) bool { return h.m[k] } // missed _.m; as above

type told struct{ n int }

// FN_startedByTwo starts both in methods of their own.
func FN_startedByTwo() {
	for range 10 {
		t := &told{}
		t.first()
		t.second()
	}
}

func (t *told) first()  { go func() { t.n = 1 }() } // missed t.n; both are one iteration, and two functions start them (S85)
func (t *told) second() { go func() { t.n = 2 }() } // missed t.n; as above

// FN_madeAnew asks for what is made before the goroutines start, and may get nothing.
func FN_madeAnew() {
	h := &namedHost{name: "localhost"}
	h.addr()
	for range 10 {
		go func() { h.addr() }()
	}
}

type namedHost struct {
	name string
	ip   net.IP
}

func (h *namedHost) addr() net.IP {
	if h.ip == nil { // missed h.ip; graded assumed: what a function of the model returns is taken to be something (S86)
		h.ip = net.ParseIP(h.name) // missed h.ip; as above
	}
	return h.ip
}

// What was found in the holder is used once more after a goroutine was started with that.
func FN_foundInHolder() {
	w := &holderWriter{r: &heldRunner{&cell{}}}
	for range n {
		c := w.r.c
		r := w.r
		w.r = &heldRunner{&cell{}}
		go r.run()
		c.n++ // missed c.n; graded assumed: what else a given-up object holds is not followed (S80)
	}
}

type holderWriter struct{ r *heldRunner }

type heldRunner struct{ c *cell }

func (r *heldRunner) run() { r.c.n++ } // missed r.c.n; as above

type startedOnce struct {
	once sync.Once
	out  int
}

var startedOnceSum int

// FN_startedByOnce starts a goroutine for each element, by a function that a Once runs. A
// method that starts a goroutine itself is seen to start many where a loop calls it, one
// that has it started by a literal is not.
func FN_startedByOnce() {
	for _, s := range []*startedOnce{{}, {}} {
		s.start()
	}
}

func (s *startedOnce) start() {
	s.once.Do(func() {
		go func() {
			startedOnceSum++ // missed startedOnceSum; see FN_startedByOnce (S85)
		}()
	})
}

// FN_sameSubtree goes down to the left twice. All forks are made at one place, and two
// goroutines that have theirs on two ways are taken to have different ones (S2).
func FN_sameSubtree() { newFork(3).fill() }

type fork struct {
	left, right *fork
	sum         int
}

func newFork(depth int) *fork {
	if depth == 0 {
		return nil
	}
	return &fork{left: newFork(depth - 1), right: newFork(depth - 1)}
}

func (f *fork) fill() {
	if f == nil {
		return
	}
	var wg sync.WaitGroup
	wg.Add(2)
	go func() { defer wg.Done(); f.left.fill() }()
	go func() { defer wg.Done(); f.left.fill() }()
	wg.Wait()
	f.sum = 1 // missed _.sum; graded assumed
}

// A function that is told its part goes to another element by way of a table.
func FN_beyondItsPart() {
	near := make([]int, n)
	for i := range near {
		near[i] = (i + n/2) % n
	}
	addNear(make([]int, n), near, 0, n)
}

func addNear(a, near []int, lo, hi int) {
	if hi-lo < 4 {
		for i := lo; i < hi; i++ {
			a[i] += a[near[i]] // missed a[*]; graded assumed: that a call keeps to its part is not looked at (S89)
		}
		return
	}
	m := (lo + hi) / 2
	var wg sync.WaitGroup
	wg.Go(func() { addNear(a, near, lo, m) })
	addNear(a, near, m, hi)
	wg.Wait()
}

// Main gives back what it has not claimed, by the method by which the goroutine gives back what it
// has: that is taken to be as right beside the goroutine as in it (S61).
func FN_givenBackByAll() {
	c := &claimedCount{}
	go c.work()
	c.reset()
	c.work()
}

type claimedCount struct {
	mu   sync.Mutex
	busy bool
	n    int
}

func (c *claimedCount) work() {
	if c.claim() {
		c.n++ // missed c.n; who has given the claim back is not seen (S61)
		c.reset()
	}
}

func (c *claimedCount) claim() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.busy {
		return false
	}
	c.busy = true
	return true
}

func (c *claimedCount) reset() {
	c.mu.Lock()
	c.busy = false
	c.mu.Unlock()
}

// What is taken out of one map lies in another one while it is used, and is found there: whoever takes
// something is taken to be the only one who has it (S66).
func FN_foundWhileTaken() {
	l := newLeases()
	var wg sync.WaitGroup
	for range 10 {
		wg.Go(func() {
			if w := l.take(); w != nil {
				w.jobs++ // missed _.jobs; graded assumed
			}
			l.mu.Lock()
			w := l.busy[1]
			l.mu.Unlock()
			if w != nil {
				println(w.jobs) // missed _.jobs; as above
			}
		})
	}
	wg.Wait()
}

type leases struct {
	mu         sync.Mutex
	idle, busy map[int]*lessee
}

type lessee struct{ id, jobs int }

func newLeases() *leases {
	l := &leases{idle: map[int]*lessee{}, busy: map[int]*lessee{}}
	for i := range 2 {
		l.idle[i] = &lessee{id: i}
	}
	return l
}

func (l *leases) take() *lessee {
	l.mu.Lock()
	defer l.mu.Unlock()
	for id, w := range l.idle {
		delete(l.idle, id)
		l.busy[id] = w
		return w
	}
	return nil
}

// What iterations put back twice, two of them find. That it lies there once is assumed (S66), also where one more is made when
// all are over: that one no two iterations have.
func FN_putBackTwice() {
	r := new(cabRank)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			c := r.take()
			c.drive()
			r.put(c)
			r.put(c)
		})
	}
	wg.Wait()
	c := r.take()
	c.drive()
	r.put(c)
}

type cab struct{ fares int }

func (c *cab) drive() {
	c.fares++ // missed _.fares; graded assumed
}

type cabRank struct {
	mu   sync.Mutex
	idle []*cab
}

func (r *cabRank) take() *cab {
	r.mu.Lock()
	defer r.mu.Unlock()
	if n := len(r.idle) - 1; n >= 0 {
		c := r.idle[n]
		r.idle = r.idle[:n]
		return c
	}
	return &cab{}
}

func (r *cabRank) put(c *cab) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.idle = append(r.idle, c)
}

// What is deferred runs after a call that never returns, too: a goroutine's end, as here, or
// a test's Fatal. That path is not followed (S42).
func FN_deferredAfterExit(c bool) {
	x := 0
	var wg sync.WaitGroup
	wg.Go(func() {
		done := make(chan int)
		go func() {
			x = 1 // missed x; it seems that the way to the read passes the receive
			close(done)
		}()
		defer func() { _ = fmt.Sprint(x) }() // missed x; on the way past the receive
		if c {
			runtime.Goexit()
		}
		<-done
	})
	wg.Wait()
}

// The receiver is an interface, and who implements it has a Fatalf that returns (S90).
func FN_fatalReturns() {
	x := 0
	done := make(chan int)
	go func() {
		x = 1 // missed x; the model says that Fatalf never returns
		close(done)
	}()
	awaitedBy(forgiving{}, done)
	_ = fmt.Sprint(x) // missed x; its Fatalf returns
}

type forgiving struct{ testing.TB }

func (forgiving) Fatalf(string, ...any) {}

func awaitedBy(t testing.TB, done chan int) {
	select {
	case <-done:
	case <-time.After(1):
		t.Fatalf("late")
	}
}

// Who asks gives up before there is an answer (S91).
func FN_answeredBefore() {
	x := 0
	srv := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		time.Sleep(time.Second)
		x++ // missed x; graded assumed
	}))
	client := http.Client{Timeout: time.Millisecond}
	client.Get(srv.URL)
	x++ // missed x; graded assumed
}

// Of two goroutines one adds itself: which of them an Add is for is not counted.
func FN_oneAddsItself() {
	var wg sync.WaitGroup
	n := 0
	wg.Add(1)
	go func() {
		wg.Add(1)
		n++ // missed n; the Add of the spawner is taken to be for it
		wg.Done()
	}()
	go func() {
		defer wg.Done()
	}()
	wg.Wait()
	fmt.Println(n) // missed n; the same
}

// What comes from a pool is sent, and put back while the receiver has it still.
func FN_sentAndPutBack() {
	pool := sync.Pool{New: func() any { return new([8]int) }}
	out := make(chan *[8]int, 4)
	go func() {
		for b := range out {
			println(b[0]) // missed _[*]; graded assumed: that it is given away twice is not seen (S80)
		}
	}()
	for i := range n {
		go func() {
			b := pool.Get().(*[8]int)
			b[0] = i // missed _[*]; the same
			out <- b
			pool.Put(b)
		}()
	}
}

// An iterator goes on with the buffer that it has yielded.
func FN_yieldedAgain() {
	var wg sync.WaitGroup
	for pair := range pairsOf([]int{1, 2, 3, 4}) {
		wg.Go(func() {
			println(pair[0]) // missed buf[*]; graded assumed (S2): append makes many arrays
		})
	}
	wg.Wait()
}

func pairsOf(xs []int) iter.Seq[[]int] {
	return func(yield func([]int) bool) {
		var buf []int
		for _, x := range xs {
			buf = append(buf, x) // missed buf[*]; as above
			if len(buf) == 2 {
				if !yield(buf) {
					return
				}
				buf = buf[:0]
			}
		}
	}
}

type lineWriter struct {
	w     io.Writer
	lines int
}

func (l *lineWriter) Write(p []byte) (int, error) {
	l.lines += bytes.Count(p, []byte("\n"))
	return l.w.Write(p) // missed out; graded assumed (S31): io.Copy calls it five calls down
}

// The buffer is looked at before the goroutine that copies to it has been waited for.
func FN_copiedTo(r io.Reader) string {
	var out bytes.Buffer
	var wg sync.WaitGroup
	wg.Add(1)
	go copyTo(&wg, &lineWriter{w: &out}, r)
	s := out.String() // missed out; as above
	wg.Wait()
	return s
}

func copyTo(wg *sync.WaitGroup, w io.Writer, r io.Reader) {
	defer wg.Done()
	io.Copy(w, r)
}

// A handler of the program's own has a lock of its own in each clone.
func FN_lockOfClone() {
	base := slog.New(&lockedHandler{buf: new(bytes.Buffer)})
	var wg sync.WaitGroup
	for i := range n {
		l := base.With("worker", i)
		wg.Go(func() {
			l.Info("started")
		})
	}
	wg.Wait()
}

type lockedHandler struct {
	mu  sync.Mutex
	buf *bytes.Buffer
}

func (h *lockedHandler) Enabled(context.Context, slog.Level) bool { return true }

func (h *lockedHandler) WithAttrs([]slog.Attr) slog.Handler { return &lockedHandler{buf: h.buf} }

func (h *lockedHandler) WithGroup(string) slog.Handler { return &lockedHandler{buf: h.buf} }

func (h *lockedHandler) Handle(_ context.Context, r slog.Record) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.buf.WriteString(r.Message) // missed h.buf; what With makes is taken to have the handler of its receiver
	return nil
}

// A map is in view of readers before it is complete.
func FN_setAfterStore() {
	var current atomic.Pointer[ruleTable]
	current.Store(&ruleTable{rules: map[string]int{}})
	var wg sync.WaitGroup
	wg.Go(func() {
		for i := range n {
			old := current.Load()
			next := &ruleTable{rules: map[string]int{"new": i}}
			current.Store(next)
			for k, v := range old.rules {
				next.rules[k] = v // missed rules[*]; of many tables each reader may have another (hidden, S2)
			}
		}
	})
	for range 2 {
		wg.Go(func() {
			for range n {
				println(current.Load().rules["new"]) // missed rules[*]; see above
			}
		})
	}
	wg.Wait()
}

type ruleTable struct{ rules map[string]int }

// A goroutine's channel is not put into the list of those that are received from.
func FN_droppedFromList(keep func(int) bool) {
	out := make([]int, n)
	var dones []chan bool
	for i := range out {
		done := make(chan bool, 1)
		if keep(i) {
			dones = append(dones, done)
		}
		go func() {
			out[i] = i // missed out[*]; a list that is waited for is taken to have all channels of its name
			done <- true
		}()
	}
	for _, done := range dones {
		<-done
	}
	println(out[0]) // missed out[*]; the same
}

// The counter is set to fewer than count down.
func FN_countedTooLow(few int) {
	out := make([]int, n)
	done := make(chan bool)
	var left atomic.Int32
	left.Store(int32(few))
	for i := range out {
		go func() {
			out[i] = i // missed out[*]; a counter is taken to be set to as many as there are
			if left.Add(-1) == 0 {
				close(done)
			}
		}()
	}
	<-done
	println(out[0]) // missed out[*]; the same
}

// Who finds that the numbers are used up begins anew, while others still use theirs.
func FN_counterSetBack() {
	slots := make([]int, n)
	var used atomic.Int32
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			for range 100 {
				k := used.Add(1) - 1
				if k >= n {
					used.Store(0)
					continue
				}
				runtime.Gosched()
				slots[k] += i // missed slots[*]; graded assumed: that the counter only grows is taken on trust (S14)
			}
		})
	}
	wg.Wait()
}

// Another goroutine sets the counter back, which is no data race.
func FN_counterSetBackBeside() {
	slots := make([]int, 1<<10)
	var used atomic.Int32
	done := make(chan bool)
	go func() {
		for range 100 {
			used.Store(0)
			runtime.Gosched()
		}
		close(done)
	}()
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			for range 100 {
				k := used.Add(1)
				runtime.Gosched()
				slots[k] += i // missed slots[*]; graded assumed: that the counter only grows is taken on trust (S14)
			}
		})
	}
	wg.Wait()
	<-done
}

// One of them is nobody, and so the flag is free while it has it (S100).
func FN_claimedAsNobody() {
	var holder atomic.Int32
	n := 0
	var wg sync.WaitGroup
	for i := range 64 {
		wg.Go(func() {
			for !holder.CompareAndSwap(0, int32(i)) {
			}
			n++ // missed n; own-marks
			holder.Store(0)
		})
	}
	wg.Wait()
}

// Nothing in view closes the channel, so what stands behind the loops over it is not looked at; who is given it may close it.
func FN_closedByOthers() *WaitsForOthers {
	w := &WaitsForOthers{Done: make(chan struct{}, 1)}
	w.Done <- struct{}{}
	for range n {
		go func() {
			for range w.Done {
			}
			w.ended++ // missed w.ended; nothing in view closes the channel (S1)
		}()
	}
	return w
}

// A WaitsForOthers has a channel that others are to close.
type WaitsForOthers struct {
	Done  chan struct{}
	ended int
}

// Both get at the shard through what has the locks, of which each has another one.
func FN_lockOfAnotherIndex() {
	s := new(Striped)
	for i := range s.shards {
		s.shards[i] = make(map[uint32]int)
	}
	for i := range n {
		go func() {
			h := uint32(i)
			mu := s.lock(h)
			mu.Lock()
			s.shard(h)[h]++ // missed _[*]; the indices of lock and shard are not compared: their owner is one (S27)
			mu.Unlock()
		}()
	}
}

// Striped has eight locks for sixteen shards, and the number of the lock does not follow from that of the shard.
type Striped struct {
	locks  [8]sync.Mutex
	shards [16]map[uint32]int
}

func (s *Striped) lock(h uint32) *sync.Mutex     { return &s.locks[h/16%8] }
func (s *Striped) shard(h uint32) map[uint32]int { return s.shards[h%16] }

// The list is kept with elements that nobody has filled: they all begin at 0 (S104).
func FN_beyondKeptList() {
	c := newCutter(100, 4)
	var wg sync.WaitGroup
	for _, p := range c.parts {
		wg.Go(func() { c.data[p.lo]++ }) // missed c.data[*]; kept-list
	}
	wg.Wait()
}

type cutter struct {
	data  []int
	parts []struct{ lo, hi int }
}

func newCutter(n, w int) *cutter {
	parts := make([]struct{ lo, hi int }, 0, 2*w)
	for i := range w {
		parts = append(parts, struct{ lo, hi int }{i, i + 1})
	}
	return &cutter{make([]int, n), parts[:2*w]}
}

var lineBuffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// The buffer goes back to the pool while its bytes are on their way: the library makes the array of a buffer at several
// places, each of which may be that of either (S87).
func FN_bytesOfPooled() {
	lines := make(chan []byte, 4)
	for range 4 {
		go func() {
			buf := lineBuffers.Get().(*bytes.Buffer)
			defer lineBuffers.Put(buf)
			buf.Reset()
			buf.WriteString("a") // missed b.buf; many-places
			lines <- buf.Bytes()
		}()
	}
	n := 0
	for range 4 {
		n += int((<-lines)[0]) // missed b.buf; many-places
	}
	print(n)
}

type listedItem struct{ n int }

// What has been put into a list is used on when the list has gone to a goroutine (S80: of what is given away with what has
// it, that is not looked at).
func FN_usedOnInList() {
	in := make(chan *listedItem)
	go func() {
		for i := range 100 {
			in <- &listedItem{i}
		}
		close(in)
	}()
	var wg sync.WaitGroup
	var batch []*listedItem
	for x := range in {
		if batch = append(batch, x); len(batch) == 10 {
			full := batch
			wg.Go(func() {
				for _, x := range full {
					x.n++ // missed _.n; travels
				}
			})
			batch = nil
		}
		x.n++ // missed _.n; travels
	}
	wg.Wait()
}

type turnedByOther struct {
	buf [2][]int
	cur int
}

// Who is asked by a channel changes the index between the two loads, so that both are one buffer. What other goroutines do to
// a field meanwhile is taken for a race of its own, which it is not if channels order it (S26).
func FN_turnedByOther() {
	w := &turnedByOther{buf: [2][]int{make([]int, 64), make([]int, 64)}}
	ask, done := make(chan int), make(chan int)
	go func() {
		for range ask {
			w.cur = 1 - w.cur
			done <- 0
		}
	}()
	old := w.buf[w.cur]
	ask <- 0
	<-done
	next := w.buf[1-w.cur]
	var wg sync.WaitGroup
	for i := range 63 {
		wg.Go(func() {
			next[i] = old[i+1] // missed _[*]; stable-base
		})
	}
	wg.Wait()
}

// Who is sent the timer sets it before the Reset that is in view.
func FN_farTimerResetElsewhere(timers chan<- *time.Timer) {
	v := 0
	_ = v
	t := time.AfterFunc(math.MaxInt64, func() {
		v = 1 // missed v; it is reset out of view (S110)
	})
	timers <- t
	v = 2 // missed v; the other side
	t.Reset(1)
}

type errand struct {
	tries int
	run   func(int) error
}

type errands struct {
	mu    sync.Mutex
	queue []*errand
}

func (q *errands) put(e *errand) {
	q.mu.Lock()
	q.queue = append(q.queue, e)
	q.mu.Unlock()
}

func (q *errands) take() *errand {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.queue) == 0 {
		return nil
	}
	e := q.queue[len(q.queue)-1]
	q.queue = q.queue[:len(q.queue)-1]
	return e
}

// What has been put back is written to, where others may have taken it.
func FN_countedAfterPut(jobs []func(int) error) {
	q := new(errands)
	for _, j := range jobs {
		q.put(&errand{run: j})
	}
	for range 4 {
		go func() {
			for e := q.take(); e != nil; e = q.take() {
				if e.run(e.tries) != nil { // missed tries; who takes it off the list is taken to have it alone
					q.put(e)
					e.tries++ // missed tries; as above
				}
			}
		}()
	}
}
