package flow_test

import (
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"

	"github.com/iterace/iterace/internal/ssair"
	"github.com/iterace/iterace/model/library"
	"github.com/iterace/iterace/pta/flow"
)

// ops is the model of the tests.
type ops map[string]library.Func

func (o ops) Called(c *ssa.CallCommon) *library.Func {
	name := flow.CalleeName(c)
	f, ok := o[name]
	if !ok {
		return nil
	}
	f.Name = name
	return &f
}

var model = ops{
	"(*sync.Mutex).Lock":        {Op: library.OpLock},
	"(*sync.Mutex).Unlock":      {Op: library.OpUnlock},
	"(*sync.Mutex).TryLock":     {Op: library.OpTryLock},
	"(*sync.WaitGroup).Wait":    {Op: library.OpWGWait},
	"(*sync.WaitGroup).Go":      {Op: library.OpSpawn, Body: 1, Join: true},
	"(*sync/atomic.Int32).Load": {Op: library.OpAtomicLoad},
	"(*sync/atomic.Int32).Add":  {Op: library.OpAtomicAdd},
	"math.Abs":                  {},
}

const prelude = `package p

import ("sync"; "sync/atomic"; "math")

type dog struct { mu sync.Mutex; father *dog; age int }

var c bool
var list []int
var fl float64

func buy() *dog { return new(dog) }
func step() {}
func err() error { return nil }

var _ atomic.Int32
var _ = math.Abs
`

var (
	fset = token.NewFileSet()
	std  = importer.ForCompiler(fset, "source", nil)
)

func build(t *testing.T, src string) *flow.Func {
	t.Helper()
	file, err := parser.ParseFile(fset, "p.go", prelude+src, 0)
	if err != nil {
		t.Fatal(err)
	}
	pkg, _, err := ssautil.BuildPackage(&types.Config{Importer: std, GoVersion: "go1.26"},
		fset, types.NewPackage("p", "p"), []*ast.File{file}, ssa.InstantiateGenerics)
	if err != nil {
		t.Fatal(err)
	}
	return flow.Build(ssair.New(pkg.Func("F")), model)
}

// H1 to H5: are two operands of Lock the same mutex? The calls of Lock in
// each body are compared.
func TestMustAlias(t *testing.T) {
	for _, tt := range []struct {
		body string
		same bool
	}{
		{`rex.mu.Lock(); rex.mu.Lock()`, true},
		{`laica := new(dog); rex.mu.Lock(); laica.mu.Lock()`, false},
		{`rex.father.mu.Lock(); rex.father.mu.Lock()`, true},
		{`rex.father.mu.Lock(); rex.father = buy(); rex.father.mu.Lock()`, false},
		{`rex.father.mu.Lock(); f := rex.father; rex.father = f; rex.father.mu.Lock()`, false},

		{`rex.father.mu.Lock(); rex.age = 3; rex.father.mu.Lock()`, true},
		{`rex.father.mu.Lock(); if c { rex.father = nil }; rex.father.mu.Lock()`, false},
		{`rex.father.mu.Lock(); step(); rex.father.mu.Lock()`, false}, // what is called may store
		{`rex.father.mu.Lock(); math.Abs(fl); rex.father.mu.Lock()`, true},
		{`rex.father.mu.Lock(); *rex = dog{}; rex.father.mu.Lock()`, false},
		{`p := &rex.father; rex.father.mu.Lock(); *p = nil; rex.father.mu.Lock()`, false},
		{`xs := []*int{nil}; rex.father.mu.Lock(); xs = append(xs, nil); rex.father.mu.Lock(); _ = xs`, true}, // no element is a field
		{`xs := []dog{}; rex.father.mu.Lock(); xs = append(xs, dog{}); rex.father.mu.Lock(); _ = xs`, false},  // one may have fields
		{`xs := []*dog{rex}; p := &rex.father; (*p).mu.Lock(); xs = append(xs, nil); (*p).mu.Lock(); _ = xs`, true},
		{`xs := []*dog{rex}; xs[0].mu.Lock(); _ = append(xs[:0], nil); xs[0].mu.Lock()`, false},
		{`xs := []*dog{rex}; xs[0].mu.Lock(); copy(xs, []*dog{nil}); xs[0].mu.Lock()`, false},
		{`xs := []*dog{rex}; xs[0].mu.Lock(); clear(xs); xs[0].mu.Lock()`, false},
		{`xs := []*dog{rex}; xs[0].mu.Lock(); copy([]int{1}, []int{2}); xs[0].mu.Lock()`, true},
		{`r := rex; func() { _ = r }(); r.mu.Lock(); step(); r.mu.Lock()`, true},      // assigned once
		{`r := rex; func() { r = buy() }(); r.mu.Lock(); step(); r.mu.Lock()`, false}, // assigned by the closure
	} {
		f := build(t, "func F(rex *dog) { "+tt.body+" }")
		var paths []flow.Path
		for _, s := range f.Steps {
			if s.Op == library.OpLock {
				paths = append(paths, f.Path(s.Args[0]))
			}
		}
		if len(paths) != 2 || !paths[0].Known() {
			t.Errorf("%s: paths %v", tt.body, paths)
		} else if same := paths[0] == paths[1]; same != tt.same {
			t.Errorf("%s: %s and %s, same %v, want %v", tt.body, paths[0], paths[1], same, tt.same)
		}
	}
}

func TestTrip(t *testing.T) {
	for _, tt := range []struct{ loop, want string }{
		{`for range 3 { step() }`, "3"},
		{`for i := range 3 { _ = i; step() }`, "3"},
		{`for i := 0; i < 3; i++ { step() }`, "3"},
		{`for i := 1; i <= 3; i++ { step() }`, "3"},
		{`for i := 0; i < 7; i += 2 { step() }`, "4"},
		{`for i := 3; i > 0; i-- { step() }`, "3"},
		{`for i := 0; i < 3; i++ { go func() { _ = i }(); step() }`, "3"},
		{`for i := 0; i < 3; i++ { func() { i++ }(); step() }`, "?"},
		{`k := 2; for i := 0; i < k; i++ { step() }`, "2"},
		{`ch := make(chan int, 4); for i := 0; i < cap(ch); i++ { step() }`, "4"},
		{`for range n { step() }`, "p0+0"},
		{`for i := 0; i < n; i++ { step() }`, "p0+0"},
		{`for i := 1; i < n; i++ { step() }`, "p0+-1"},
		{`for i := n; i > 0; i-- { step() }`, "p0+0"},
		{`for range list { step() }`, "g:p.list~e#+0"},
		{`s := list; for i := 0; i < len(s); i++ { math.Abs(fl) }`, "g:p.list~e#+0"},
		{`for i := 0; i < len(list); i++ { math.Abs(fl) }`, "g:p.list~e#+0"},
		{`s := list; for i := 0; i < len(s); i++ { s = s[1:] }`, "?"},
		{`for i := 0; i < len(list); i++ { list = list[1:] }`, "?"},
		{`for range [5]int{} { step() }`, "5"},
		{`for { step() }`, "?"},
		{`for c { step() }`, "?"},
		{`for i := 0; i < n; i++ { step(); n++ }`, "?"},
	} {
		f := build(t, "func F(n int) { "+tt.loop+" }")
		if len(f.Loops) != 1 {
			t.Errorf("%s: %d loops", tt.loop, len(f.Loops))
			continue
		}
		got := "?"
		switch trip := f.Loops[0].Trip; trip.Kind {
		case flow.TripConst:
			got = fmt.Sprint(trip.N)
		case flow.TripBound:
			got = fmt.Sprintf("%s+%d", f.Path(trip.Bound), trip.N)
		}
		if got != tt.want {
			t.Errorf("%s: trip %s, want %s", tt.loop, got, tt.want)
		}
	}
}

// Steps in the order in which they happen.
func TestSteps(t *testing.T) {
	for _, tt := range []struct{ body, want string }{
		{`mu.Lock(); defer mu.Unlock(); defer step(); wg.Wait()`, "lock wg.wait call unlock"},
		{`if c { defer step() }; mu.Lock(); mu.Unlock()`, "lock unlock call?"},
		{`for range 3 { defer step() }`, "call?*"},
		{`wg.Go(step); go step(); step()`, "spawn+ spawn call"},
		{`math.Abs(fl); x := 1; x++; _ = x`, ""},
		{`ch := make(chan int); ch <- 1; <-ch; v, ok := <-ch; _, _ = v, ok; close(ch)`, "send recv recv,ok close"},
	} {
		f := build(t, "func F(mu *sync.Mutex, wg *sync.WaitGroup) { "+tt.body+" }")
		var got []string
		for _, s := range f.Steps {
			w := string(s.Op)
			switch s.Kind {
			case flow.Call:
				w = "call"
			case flow.Spawn:
				w = "spawn"
			case flow.Send:
				w = "send"
			case flow.Recv:
				w = "recv"
			case flow.Close:
				w = "close"
			}
			for _, mark := range []struct {
				on   bool
				text string
			}{{s.Join, "+"}, {s.Optional, "?"}, {s.Repeat, "*"}, {s.CommaOk, ",ok"}} {
				if mark.on {
					w += mark.text
				}
			}
			got = append(got, w)
		}
		if s := strings.Join(got, " "); s != tt.want {
			t.Errorf("%s: %s, want %s", tt.body, s, tt.want)
		}
	}
}

// What taking an edge proves.
func TestEvents(t *testing.T) {
	kinds := [...]string{"case", "sent", "closed", "acquired", "flag", "plain"}
	for _, tt := range []struct{ body, want string }{
		{`if mu.TryLock() { step() }`, "acquired"},
		{`if !mu.TryLock() { step() }`, "acquired"},
		{`for range ch { step() }`, "closed sent"},
		{`if v, ok := <-ch; ok { _ = v }`, "closed sent"},
		{`select { case <-ch: step(); case ch <- 1: }`, "case0 case1!"},
		{`select { case <-ch: step(); default: }`, "case0"},
		{`if f.Load() == 1 { step() }`, "flag!=1 flag==1"},
		{`if f.Add(-1) == 0 { step() }`, "flag!=0 flag==0"},
		{`if 2 < f.Load() { step() }`, "flag<=2 flag>2"},
		{`if c { step() }`, "plain!=0 plain==0"},
		{`debug := false; func() { _ = debug }(); if debug { step() }`, "dead"},
	} {
		f := build(t, "func F(mu *sync.Mutex, ch chan int, f *atomic.Int32) { "+tt.body+" }")
		var got []string
		for _, b := range f.Blocks {
			for _, e := range b.Succs {
				if e.Dead && len(e.Events) == 0 && tt.want == "dead" {
					got = append(got, "dead")
				}
				for _, ev := range e.Events {
					w := kinds[ev.Kind]
					switch ev.Kind {
					case flow.CaseTaken:
						w += fmt.Sprint(ev.Operand)
						if ev.Send {
							w += "!"
						}
					case flow.FlagTest, flow.PlainTest:
						w += ev.Cmp + fmt.Sprint(ev.Const)
					}
					got = append(got, w)
				}
			}
		}
		slices.Sort(got)
		if s := strings.Join(got, " "); s != tt.want {
			t.Errorf("%s: %s, want %s", tt.body, s, tt.want)
		}
	}
}

// The loads of a return statement happen after its calls; `return n` of a
// result n is no access at all.
func TestReturn(t *testing.T) {
	for _, tt := range []struct {
		fn             string
		moved, phantom int
	}{
		{`func F() (int, error) { var n int; go func() { n++ }(); return n, err() }`, 1, 0},
		{`func F() (int, error) { var n int; go func() { n++ }(); m := n; return m, err() }`, 0, 0},
		{`func F() (int, error) { var n int; go func() { n++ }(); return n + 1, err() }`, 0, 0},
		{`func F() (n int) { go func() { n++ }(); return n }`, 0, 2},
		{`func F() (n int) { go func() { n++ }(); m := n; step(); n = m; return }`, 0, 0},
	} {
		f := build(t, tt.fn)
		moved, phantom := 0, 0
		last := f.Blocks[len(f.Blocks)-1].End
		for at := ssair.Instr(0); at < last; at++ {
			if f.Effective(at) != at {
				moved++
			}
			if f.Phantom(at) {
				phantom++
			}
		}
		if moved != tt.moved || phantom != tt.phantom {
			t.Errorf("%s: %d moved, %d phantom, want %d, %d", tt.fn, moved, phantom, tt.moved, tt.phantom)
		}
	}
}

// What StepsBetween lists is what two questions to Reaches, for each step, would give.
func TestStepsBetween(t *testing.T) {
	for _, body := range []string{
		`step(); step()`,
		`step(); if c { step() } else { step() }; step()`,
		`for c { step(); if fl > 1 { step(); continue }; step() }; step()`,
		`for range 3 { step(); for c { step() }; if fl > 2 { return }; step() }; step()`,
		`step(); for { if c { step(); break }; step() }; if fl > 3 { step(); return }; step()`,
	} {
		f := build(t, "func F(rex *dog) { "+body+" }")
		some := false
		for g := range flow.Gap(f.NGaps()) {
			for b := range int32(len(f.Blocks)) {
				var want []int32
				for s := range int32(len(f.Steps)) {
					if f.AfterStep(s) != g && f.Reaches(g, f.BeforeStep(s), ssair.NoInstr, g) && f.Reaches(f.AfterStep(s), f.Last(b), ssair.NoInstr, g) {
						want = append(want, s)
					}
				}
				if got := f.StepsBetween(g, b); !slices.Equal(got, want) {
					t.Errorf("%s: from gap %d to block %d: %v, want %v", body, g, b, got, want)
				}
				some = some || len(want) > 0
			}
		}
		if !some {
			t.Errorf("%s: no steps", body)
		}
	}
}
