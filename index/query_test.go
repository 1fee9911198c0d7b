package index

import (
	"reflect"
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/iterace/iterace/internal/ssair"
)

// A scout finds instructions of a test program by what they are.
type scout struct {
	t *testing.T
	p *program
}

func newScout(t *testing.T, body string) *scout {
	return &scout{t, loadProgram(t, "package p\n"+body)}
}

// step returns the step at the n-th instruction of the function for which is
// holds. Closures are named by their SSA names: "f$1".
func (s *scout) step(fn string, n int, is func(ssa.Instruction) bool) Step {
	s.t.Helper()
	f := s.fn(fn)
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			if is(in) {
				if n == 0 {
					return Step{s.p.index(f), s.p.ir(f).Num(in)}
				}
				n--
			}
		}
	}
	s.t.Fatalf("no such instruction in %s", fn)
	return Step{}
}

func (s *scout) fn(name string) *ssa.Function {
	base, _, _ := strings.Cut(name, "$")
	f := s.p.pkg.Func(base)
	var find func(f *ssa.Function) *ssa.Function
	find = func(f *ssa.Function) *ssa.Function {
		if f.Name() == name {
			return f
		}
		for _, a := range f.AnonFuncs {
			if x := find(a); x != nil {
				return x
			}
		}
		return nil
	}
	if f != nil {
		f = find(f)
	}
	if f == nil {
		s.t.Fatalf("no function %s", name)
	}
	return f
}

func isStore(in ssa.Instruction) bool {
	st, ok := in.(*ssa.Store)
	if !ok {
		return false
	}
	switch st.Addr.(type) {
	case *ssa.IndexAddr, *ssa.FieldAddr, *ssa.UnOp:
		return true
	}
	return false
}

func isGo(in ssa.Instruction) bool { _, ok := in.(*ssa.Go); return ok }

func isCall(in ssa.Instruction) bool {
	c, ok := in.(*ssa.Call)
	if !ok {
		return false
	}
	_, builtin := c.Call.Value.(*ssa.Builtin)
	return !builtin
}

func access(steps ...Step) Access { return Access{Chain: steps, Arg: -1, Write: true} }

func (s *scout) want(q *Query, answer Answer) Verdict {
	s.t.Helper()
	v := NewProver(nil).Overlap(q)
	if v.Answer != answer {
		s.t.Errorf("%v: %s vs %s by %q, missing %q, witness %q; want %v", v.Answer, v.FormA, v.FormB, v.Why, v.Missing, v.Witness, answer)
	}
	return v
}

// invariants is an oracle that declares every load invariant, or none.
type invariants bool

func (o invariants) Invariant([]Step, ssair.Instr) bool                { return bool(o) }
func (o invariants) OneOrNil([]Step, ssair.Instr) bool                 { return bool(o) }
func (o invariants) Kept([]Step, ssair.Instr) bool                     { return bool(o) }
func (o invariants) Fed([]Step, ssair.Instr) (Feed, bool)              { return Feed{}, false }
func (o invariants) Filled([]Step, ssair.Instr) (*Func, []ssair.Instr) { return nil, nil }
func (o invariants) Born([]Step, ssair.Instr, Birth) bool              { return bool(o) }
func (o invariants) Taken([]Step, ssair.Instr, ssair.Instr) Knowledge  { return No }
func (o invariants) Begins([]Step, ssair.Instr) (*Func, ssair.Instr)   { return nil, ssair.NoInstr }
func (o invariants) Least([]Step, ssair.Instr) (int64, bool)           { return 0, false }
func (o invariants) OnlyAdds([]Step, ssair.Instr) Knowledge            { return Unknown }
func (o invariants) Callee([]Step, ssair.Instr) *Func                  { return nil }
func (o invariants) UniqueItems([]Step, ssair.Instr) Knowledge         { return Unknown }
func (o invariants) GivenApart([]Step, Given, Given) bool              { return false }
func (o invariants) Makes([]Step, ssair.Instr) bool                    { return false }
func (o invariants) OneRow() bool                                      { return false }
func (o invariants) Injective(string) bool                             { return false }
func (o invariants) Rising(string) bool                                { return false }
func (o invariants) Indices(string) int                                { return -1 }

// oneRow knows that rows are in one place only, too.
type oneRow struct{ invariants }

func (oneRow) OneRow() bool { return true }

const halves = `
func fill(v []int) { for i := range v { v[i] = 1 } }
func safe(v []int) {
	m := len(v) / 2
	go fill(v[:m])
	fill(v[m:])
}
func racy(v []int) {
	m := len(v) / 2
	go fill(v[:m+1])
	fill(v[m:])
}
func rec(v []int) {
	if len(v) < 2 { return }
	m := len(v) / 2
	go rec(v[:m])
	rec(v[m:])
	v[0] = 1
}
`

// TestMainBeside pins a spawned body against what the spawner does meanwhile:
// halves by recursion.
func TestMainBeside(t *testing.T) {
	s := newScout(t, halves)
	for _, x := range []struct {
		fn   string
		want Answer
	}{{"safe", Disjoint}, {"racy", May}} {
		st := s.step("fill", 0, isStore)
		a := access(s.step(x.fn, 0, isGo), st)
		b := access(s.step(x.fn, 0, isCall), st)
		s.want(&Query{A: a, B: b, Loop: -1, MainB: true}, x.want)
	}
	// One level of recursion, by the slices that are handed down: a callee
	// that stays within the length of its slice stays within its half.
	a, b := access(s.step("rec", 0, isGo)), access(s.step("rec", 0, isCall))
	a.Arg, b.Arg = 0, 0
	a.WithinLen = true
	s.want(&Query{A: a, B: b, Loop: -1, MainB: true}, Disjoint)
	// Up to the capacity the halves overlap.
	a.WithinLen = false
	s.want(&Query{A: a, B: b, Loop: -1, MainB: true}, May)
	// After the call the spawner writes to the spawned half.
	a.WithinLen = true
	s.want(&Query{A: a, B: access(s.step("rec", 0, isStore)), Loop: -1, MainB: true}, May)
}

// TestMainInLoop pins the spawner's own accesses in the round of the spawn, in
// later rounds and after the loop.
func TestMainInLoop(t *testing.T) {
	s := newScout(t, `
func same(a []int, n int) { for i := range n { go func() { a[i] = 1 }(); a[i] = 2 } }
func next(a []int, n int) { for i := range n { go func() { a[i] = 1 }(); a[i+1] = 2 } }
func before(a []int, n int) { for i := 1; i < n; i++ { go func() { a[i] = 1 }(); a[i-1] = 2 } }
func skipped(a []int, n int) { for i := range n { if a[i] < 0 { a[i] = 2; continue }; go func() { a[i] = 1 }() } }
func skips(a []int, n int) { for i := range n { if a[i] > 0 { go func() { a[i] = 1 }() }; a[i] = 2 } }
func twice(a []int, n int) { for i := range n { for k := range 2 { if k > 0 { a[i] = 2; continue }; go func() { a[i] = 1 }() } } }
func after(a []int, n int) { for i := range n { go func() { a[i] = 1 }() }; a[0] = 2 }
func beyond(a []int, n int) { for i := range n { go func() { a[i] = 1 }() }; a[n] = 2 }
`)
	for _, x := range []struct {
		fn   string
		want Answer
	}{{"same", May}, {"next", Disjoint}, {"before", May}, {"skipped", Disjoint}, {"skips", May}, {"twice", May}, {"after", May}, {"beyond", Disjoint}} {
		a := access(s.step(x.fn, 0, isGo), s.step(x.fn+"$1", 0, isStore))
		b := access(s.step(x.fn, 0, isStore))
		s.want(&Query{A: a, B: b, Loop: -1, MainB: true, Oracle: invariants(true)}, x.want)
	}
}

// TestPhases pins the meaning of Query.Loop: rounds of loops around it are the
// same on both sides.
func TestPhases(t *testing.T) {
	s := newScout(t, `
func f(a []int, n, rounds int) {
	for r := range rounds { for i := range n { go func() { a[r+i] = 1 }() } }
}`)
	a := access(s.step("f", 0, isGo), s.step("f$1", 0, isStore))
	s.want(&Query{A: a, B: a, Loop: -1}, May)
	s.want(&Query{A: a, B: a, Loop: 0}, May)
	s.want(&Query{A: a, B: a, Loop: 1}, Disjoint)
}

// TestSpawnBelowLoop pins that a go statement in a callee of the loop's
// function still makes the loop's rounds the iterations, and that without any
// known loop nothing is shared.
func TestSpawnBelowLoop(t *testing.T) {
	s := newScout(t, `
func start(f func()) { go f() }
func f(a []int, n int) { for i := range n { start(func() { a[i] = 1 }) } }
func g(a []int, n int) { start(func() { a[n] = 1 }) }
func two(a []int, n, m int) { for i := range n { many(a, i, m) } }
func many(a []int, i, m int) { for j := range m { go func() { a[i*m+j] = 1 }() } }
`)
	start := s.step("start", 0, isGo)
	in := func(fn string) Access { return access(s.step(fn, 0, isCall), start, s.step(fn+"$1", 0, isStore)) }
	for _, spawn := range []int{0, 1} {
		s.want(&Query{A: in("f"), B: in("f"), Spawn: spawn, Loop: -1}, Disjoint)
		s.want(&Query{A: in("g"), B: in("g"), Spawn: spawn, Loop: -1}, GaveUp)
	}
	two := access(s.step("two", 0, isCall), s.step("many", 0, isGo), s.step("many$1", 0, isStore))
	for _, q := range []*Query{{Spawn: 0, Loop: 0}, {Spawn: 1, Loop: 0}, {Spawn: 1, Loop: -1}} {
		q.A, q.B = two, two
		s.want(q, Disjoint)
	}
	// The caller's frame is not known: neither is whether it loops.
	cut := access(Step{nil, -1}, two.Chain[1], two.Chain[2])
	s.want(&Query{A: cut, B: cut, Spawn: 1, Loop: -1}, GaveUp)
	s.want(&Query{A: cut, B: cut, Spawn: 1, Loop: 0}, Disjoint)
}

// TestUniqueParameter pins the index that a library operator hands out.
func TestUniqueParameter(t *testing.T) {
	s := newScout(t, `
func parallelize(n int, f func(i int), x string)
func f(a []int) { parallelize(len(a), func(i int) { a[i] = 1; a[i/2] = 2 }, "") }
`)
	call := s.step("f", 0, isCall)
	own, half := access(call, s.step("f$1", 0, isStore)), access(call, s.step("f$1", 1, isStore))
	s.want(&Query{A: own, B: own, Loop: -1, Unique: []int{0}}, Disjoint)
	s.want(&Query{A: own, B: own, Loop: -1, Many: true}, May)
	s.want(&Query{A: own, B: own, Loop: -1}, GaveUp) // two calls of f
	s.want(&Query{A: half, B: half, Loop: -1, Unique: []int{0}}, May)
}

// TestOracle pins that what may be written is not taken to be equal, and that
// rows count only if they cannot be one object.
func TestOracle(t *testing.T) {
	s := newScout(t, `
type img struct { pix []int; w int }
func f(p *img, h int) { for y := range h { go func() { for x := 0; x < p.w; x++ { p.pix[y*p.w+x] = 1 } }() } }
func rows(m [][]int) { for i := range m { go func() { for j := range m[i] { m[i][j] = 1 } }() } }
func columns(m [][]int, n int) { for j := range n { go func() { for i := range m { m[i][j] = 1 } }() } }
func pointers(m []*[8]int) { for j := range 8 { go func() { for i := range m { m[i][j] = 1 } }() } }
func deep(m [][][]int) { for i := range m { go func() { for j := range m { for k := range m { m[j][i][k] = 1 } } }() } }
func fields(p *img, h int) { for y := range h { go func() { p.w = y; p.pix[y] = 0 }() } }
`)
	a := access(s.step("f", 0, isGo), s.step("f$1", 0, isStore))
	s.want(&Query{A: a, B: a, Loop: -1, Oracle: invariants(true)}, Disjoint)
	s.want(&Query{A: a, B: a, Loop: -1, Oracle: invariants(false)}, GaveUp)
	s.want(&Query{A: a, B: a, Loop: -1}, GaveUp)

	r := access(s.step("rows", 0, isGo), s.step("rows$1", 0, isStore))
	s.want(&Query{A: r, B: r, Loop: -1, Oracle: invariants(true)}, Disjoint)
	s.want(&Query{A: r, B: r, Loop: -1, Oracle: invariants(true), RowsMayAlias: true}, GaveUp)

	s.want(&Query{A: r, B: r, Loop: -1, Oracle: oneRow{true}, RowsMayAlias: true}, Disjoint)

	c := access(s.step("columns", 0, isGo), s.step("columns$1", 0, isStore))
	if v := s.want(&Query{A: c, B: c, Loop: -1, Oracle: invariants(true), RowsMayAlias: true}, Disjoint); !reflect.DeepEqual(v.Assumed, []string{AssumeNoWrap, AssumeRowsApart}) {
		t.Errorf("columns: assumes %q", v.Assumed)
	}
	if v := s.want(&Query{A: c, B: c, Loop: -1, Oracle: oneRow{true}, RowsMayAlias: true}, Disjoint); v.Weak() {
		t.Errorf("columns of rows that are in one place: assumes %q", v.Assumed)
	}
	b := access(s.step("pointers", 0, isGo), s.step("pointers$1", 0, isStore))
	if v := s.want(&Query{A: b, B: b, Loop: -1, Oracle: invariants(true), RowsMayAlias: true}, Disjoint); v.Weak() {
		t.Errorf("columns of what pointers point to: assumes %q", v.Assumed)
	}
	// That the innermost rows are in one place says nothing of the rows around them.
	d := access(s.step("deep", 0, isGo), s.step("deep$1", 0, isStore))
	if v := s.want(&Query{A: d, B: d, Loop: -1, Oracle: oneRow{true}, RowsMayAlias: true}, Disjoint); !v.Weak() {
		t.Error("rows of rows: assumes nothing")
	}

	w := access(s.step("fields", 0, isGo), s.step("fields$1", 0, isStore))
	s.want(&Query{A: w, B: w, Loop: -1, Oracle: invariants(true)}, May) // one field, no index
	el := access(w.Chain[0], s.step("fields$1", 1, isStore))
	s.want(&Query{A: w, B: el, Loop: -1, Oracle: invariants(true)}, GaveUp) // two pointers, maybe one object
}

// TestMissingAndWitness pins the two explanations of "may be equal".
func TestMissingAndWitness(t *testing.T) {
	s := newScout(t, `
func f(a []int, stride, w, h int) { for y := range h { go func() { for x := range w { a[y*stride+x] = 1 } }() } }
`)
	a := access(s.step("f", 0, isGo), s.step("f$1", 0, isStore))
	v := s.want(&Query{A: a, B: a, Loop: -1}, May)
	if v.FormA != "a[y*stride+x]" {
		t.Errorf("form %q", v.FormA)
	}
	if v.Missing != "w <= stride" {
		t.Errorf("missing %q", v.Missing)
	}
	if !strings.Contains(v.Witness, "stride = ") || !strings.Contains(v.Witness, "both touch element") {
		t.Errorf("witness %q", v.Witness)
	}
}

// TestNames pins what forms call a field of a struct that a call has returned, and memory that is made for a variable.
func TestNames(t *testing.T) {
	s := newScout(t, `
type grid struct{ w, stride int }
func load() grid { return grid{} }
var keep func() int
func fields(a []int, h int) {
	c := load()
	keep = func() int { return c.w }
	stride := c.stride
	for y := range h { a[y*stride] = 1 }
}
func made(h int) {
	out := make([]int, h)
	keep = func() int { return len(out) }
	for y := range h { out[y/2] = 1 }
}
`)
	for fn, want := range map[string]string{"fields": "a[y*load().stride]", "made": "out[y/2]"} {
		x := access(s.step(fn, 0, func(in ssa.Instruction) bool { return isStore(in) && in.(*ssa.Store).Addr.Type().String() == "*int" }))
		if v := NewProver(nil).Overlap(&Query{A: x, B: x, Loop: -1}); v.FormA != want {
			t.Errorf("%s: form %q, want %q", fn, v.FormA, want)
		}
	}
}

// TestDecode pins that damaged data is refused, not obeyed.
func TestDecode(t *testing.T) {
	s := newScout(t, halves)
	data := s.p.index(s.fn("rec")).Data
	if (&Func{Data: data}).body() == nil {
		t.Fatal("sound data refused")
	}
	for i := range data {
		for _, x := range []byte{0, 1, 0x7f, 0xff} {
			bad := append([]byte(nil), data...)
			bad[i] ^= x
			(&Func{Data: bad}).body() // must not panic or hang
		}
		if i < len(data)-1 && (&Func{Data: data[:i]}).body() != nil {
			t.Errorf("data cut at %d accepted", i)
		}
	}
}

// TestSendsDistinct pins which producers never send a value twice.
func TestSendsDistinct(t *testing.T) {
	s := newScout(t, `
func count(ch chan int, n int) { for i := range n { ch <- i } }
func chunks(ch chan int, n, size int) { for i := 0; i < n; i += size { ch <- i } }
func twice(ch chan int, n int) { for i := range n { ch <- i / 2 } }
func grid(ch chan int, n, m int) { for i := range n { for j := range m { ch <- i*m + j } } }
func rounds(ch chan int, n, m int) { for range n { for j := range m { ch <- j } } }
func items(ch chan int, xs []int) { for _, x := range xs { ch <- x } }
func once(ch chan int) { ch <- 7 }
func closure(ch chan int, n int) { go func() { for i := 0; i < n; i++ { ch <- i }; close(ch) }() }
`)
	isSend := func(in ssa.Instruction) bool { _, ok := in.(*ssa.Send); return ok }
	for _, x := range []struct {
		fn   string
		want bool
	}{
		{"count", true}, {"chunks", true}, {"twice", false}, {"grid", true},
		{"rounds", false}, {"items", false}, {"once", true}, {"closure$1", true},
	} {
		if got := NewProver(nil).SendsDistinct([]Step{s.step(x.fn, 0, isSend)}, nil); got != x.want {
			t.Errorf("%s: %v, want %v", x.fn, got, x.want)
		}
	}
}

// TestKnowledge pins that an oracle's answer turns a weak verdict into a sure
// one, or into none.
func TestKnowledge(t *testing.T) {
	p := loadProgram(t, formsHead+`
func counter(out []int, w int) { var next atomic.Int64; for range w { go func() { out[next.Add(1)] = 1 }() } }
func channel(out []int, w int, ch chan int) { for range w { go func() { for i := range ch { out[i] = 1 } }() } }
`)
	for _, name := range []string{"counter", "channel"} {
		w := &walker{p: p, spawn: -1, written: make(map[string]bool), funcs: make(map[ssa.Value]*ssa.Function), allocs: make(map[ssa.Value]ssa.Value)}
		w.walk(p.pkg.Func(name), nil)
		for _, a := range w.accesses {
			for know, want := range map[Knowledge]Answer{Yes: Disjoint, No: May, Unknown: Disjoint} {
				v := NewProver(nil).Overlap(&Query{A: a.Access, B: a.Access, Spawn: a.spawn, Loop: -1, Oracle: &testOracle{w: w, know: know}})
				if a.Write && (v.Answer != want || v.Answer == Disjoint && v.Weak() != (know == Unknown)) {
					t.Errorf("%s, known %v: %v under %v", name, know, v.Answer, v.Assumed)
				}
			}
		}
	}
}

// TestSameAnswers pins that a verdict does not depend on what was asked before.
func TestSameAnswers(t *testing.T) {
	shared := NewProver(nil)
	for _, ft := range formTests[:5] {
		p := loadProgram(t, formsHead+ft.body)
		for _, name := range p.names() {
			w := &walker{p: p, spawn: -1, written: make(map[string]bool), funcs: make(map[ssa.Value]*ssa.Function), allocs: make(map[ssa.Value]ssa.Value)}
			w.walk(p.pkg.Func(name), nil)
			for _, a := range w.accesses {
				q := &Query{A: a.Access, B: a.Access, Spawn: a.spawn, Loop: -1, Oracle: &testOracle{w: w}}
				first := NewProver(nil).Overlap(q)
				for range 2 {
					if again := shared.Overlap(q); !reflect.DeepEqual(first, again) {
						t.Errorf("%s: %+v, then %+v", name, first, again)
					}
				}
			}
		}
	}
}
