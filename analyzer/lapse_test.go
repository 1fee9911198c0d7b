package analyzer

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/iterace/iterace/model"
)

// A registry whose lookups add to it under its lock, and which a body uses that reaches
// too much. What stands for READ is far below the body.
const registry = `package main

import "sync"

type pending struct{ mu sync.Mutex }

type layer struct {
	pending *pending
	types   map[string]int
	funcs   map[string]int
	plain   int
	never   map[string]int
	later   int
}

type registry struct{ layers []*layer }

func newRegistry() *registry {
	r := new(registry)
	for range 2 {
		r.layers = append(r.layers, &layer{new(pending), make(map[string]int), make(map[string]int), 0, make(map[string]int), 0})
	}
	return r
}

func main() {
	r := newRegistry()
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			link0()
			shared0(r)
			own0(nil)
		})
	}
	wg.Wait()
	for _, l := range r.layers {
		l.later++ // nobody else is left
	}
}

func lookup(r *registry) int {
	n := 0
	for _, l := range r.layers {
		l.need()
		n += READ
		n += l.fn("x") + l.plain
		n += l.never["x"]
		l.never["x"] = n
	}
	return n
}

func (l *layer) typ(name string) int {
	l.pending.mu.Lock()
	defer l.pending.mu.Unlock()
	return l.types[name]
}

func (l *layer) need() {
	l.pending.mu.Lock()
	defer l.pending.mu.Unlock()
	l.decode()
}

func (l *layer) decode() {
	l.addType()
	l.addFunc()
	l.later++
	_ = l.plain
}

func (l *layer) addType() { l.types["x"] = 1 }
func (l *layer) addFunc() { l.funcs["x"] = 1 }

// lock returns with the lock.
func (l *layer) lock() func() {
	l.pending.mu.Lock()
	return l.pending.mu.Unlock
}

func (l *layer) fn(name string) int {
	defer l.lock()()
	return l.funcs[name]
}
`

// TestLapse: of what lies far below the body of a loop that reaches too much, memory that
// is written under a lock beside it and read without is reported; not what each iteration
// has made for itself, what is read only, what has no lock anywhere, and what always has it, be it
// by a caller or by a callee that returns with it.
func TestLapse(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		read string
		want []string
	}{
		{`l.types["x"]`, []string{".types[*]"}},
		{`l.typ("x")`, nil},
	} {
		dir := writeFiles(t, map[string]string{
			"go.mod":  "module example.com/lapse\n\ngo 1.26\n",
			"main.go": strings.ReplaceAll(registry, "READ", test.read),
			"deep.go": deepCalls(),
		})
		res, err := Run(&Config{Dir: dir, Sure: true})
		if err != nil {
			t.Fatal(err)
		}
		if !slices.ContainsFunc(res.Notices, func(n model.Notice) bool { return n.Code == model.SoundnessNumber("deep-cone") }) {
			t.Fatal("the loop does not reach too much")
		}
		var got []string
		for _, r := range res.Reports {
			got = append(got, r.Object.Name+r.Field)
			for _, race := range r.Races {
				if race.Confidence != model.Likely {
					t.Errorf("%s is %v", got, race.Confidence)
				}
			}
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("reading %s: races on %q, want %q", test.read, got, test.want)
		}
	}
}

// deepCalls has the chains of calls that lead to lookup, and one that makes a body reach
// too much.
func deepCalls() string {
	const deep, links, leaves = 9, 100, 60
	var src strings.Builder
	src.WriteString("package main\n")
	for i := range deep {
		fmt.Fprintf(&src, "func shared%d(r *registry) { shared%d(r) }\nfunc own%d(r *registry) { own%d(r) }\n", i, i+1, i, i+1)
	}
	fmt.Fprintf(&src, "func shared%d(r *registry) { lookup(r) }\nfunc own%d(*registry) { lookup(newRegistry()) }\n", deep, deep)
	for i := range links {
		fmt.Fprintf(&src, "func link%d() {", i)
		for k := range leaves {
			fmt.Fprintf(&src, " leaf%d_%d();", i, k)
		}
		if i < links-1 {
			fmt.Fprintf(&src, " link%d()", i+1)
		}
		src.WriteString(" }\n")
		for k := range leaves {
			fmt.Fprintf(&src, "func leaf%d_%d() {}\n", i, k)
		}
	}
	return src.String()
}

// TestFarMemory: what there is one of is one however far below it is touched, if it is a variable;
// memory that has been made may be one of several.
func TestFarMemory(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		decl, pass string
		want       model.Confidence
	}{
		{"var count int", "count++", model.Definite},
		{"type item struct{ n int }\n\nvar one = &item{}", "one.n++", model.Likely},
	} {
		dir := writeFiles(t, map[string]string{
			"go.mod": "module example.com/deep\n\ngo 1.26\n",
			"main.go": `package main

import "sync"

` + test.decl + `

type registry struct{}

func newRegistry() *registry { return nil }

func main() {
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			link0()
			shared0(nil)
		})
	}
	wg.Wait()
}

func lookup(*registry) { ` + test.pass + ` }
`,
			"deep.go": deepCalls(),
		})
		res, err := Run(&Config{Dir: dir, Sure: true})
		if err != nil {
			t.Fatal(err)
		}
		got := model.Assumed
		for _, r := range res.Reports {
			for _, race := range r.Races {
				got = max(got, race.Confidence)
			}
		}
		if got != test.want {
			t.Errorf("%s is %v, want %v", test.pass, got, test.want)
		}
	}
}
