package analyzer

import (
	"slices"
	"testing"

	"github.com/iterace/iterace/model/library"
)

// TestIdle: no SSA is made where no goroutine can start, and it is where one can, by
// whatever the unit says of it.
func TestIdle(t *testing.T) {
	t.Parallel()
	const head = "package p\n\n"
	test := func(text string) string { return head + "import \"testing\"\n\n" + text }
	lib := func(text string) string { return head + "import \"example.com/m/lib\"\n\n" + text }
	cases := map[string]struct {
		text string
		idle bool
	}{
		"nothing":    {head + "func F() int { return 1 }\n", true},
		"go":         {head + "func F() { go func() {}() }\n", false},
		"variable":   {head + "var V = func() int { go F(); return 1 }()\n\nfunc F() {}\n", false},
		"generic":    {head + "func F[T interface{ Go() }](x T) { x.Go() }\n", false},
		"receiver":   {head + "type T[E any] struct{ e E }\n\nfunc (t *T[E]) M() {}\n", false},
		"plain":      {lib("func F() { lib.Plain(func() {}) }\n"), true},
		"unexported": {lib("func F() { lib.Start() }\n"), true}, // it starts none of ours
		"spawns":     {lib("func F() { lib.Spawn() }\n"), false},
		"value":      {lib("var start = lib.StartWith\n\nfunc F() { start(func() {}) }\n"), false},
		"method":     {lib("func F(g lib.Group) { g.Go(func() {}) }\n"), false},
		"promoted":   {lib("type T struct{ *lib.Group }\n\nfunc F(t T) { t.Go(func() {}) }\n"), false},
		"model":      {head + "import \"sync\"\n\nfunc F(wg *sync.WaitGroup) { wg.Go(func() {}) }\n", false},
		"timer":      {head + "import \"time\"\n\nfunc F() { time.AfterFunc(1, func() {}) }\n", false},
		"safe":       {head + "import \"sync\"\n\nfunc F(mu *sync.Mutex) { mu.Lock() }\n", true},
		"assembly":   {head + "func f(g func())\n\nfunc F() { f(func() {}) }\n", false},
		"subtest":    {test("func F(t *testing.T) { t.Run(\"\", func(t *testing.T) {}) }\n"), true},
		"parallel":   {test("func F(t *testing.T) { t.Run(\"\", func(t *testing.T) { t.Parallel() }) }\n"), false},
		"oneTest":    {test("func TestA(t *testing.T) { t.Parallel() }\n"), true},
		"twoTests":   {test("func TestA(t *testing.T) { t.Parallel() }\n\nfunc TestB(t *testing.T) { t.Parallel() }\n"), false},
		"serial":     {test("func TestA(t *testing.T) {}\n\nfunc TestB(t *testing.T) {}\n"), true},
		"helper":     {head + "import (\n\t\"testing\"\n\n\t\"example.com/m/lib\"\n)\n\nfunc F(t *testing.T) { t.Run(\"\", func(t *testing.T) { lib.Parallel(t) }) }\n", false},
	}
	files := map[string]string{
		"go.mod": "module example.com/m\n\ngo 1.26\n",
		"lib/lib.go": `package lib

import "testing"

func Plain(f func()) { f() }

func Start() { Spawn() }

func Spawn() { go func() {}() }

func StartWith(f func()) { spawnWith(f) }

func spawnWith(f func()) { go f() }

type Group struct{ n int }

func (g *Group) Go(f func()) { go f() }

func Parallel(t *testing.T) { t.Parallel() }
`,
	}
	for name, c := range cases {
		files[name+"/p.go"] = c.text
		if name == "assembly" {
			files[name+"/p.s"] = ""
		}
	}
	model, err := library.Load(library.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, u := range loadUnits(t, &Config{Dir: writeFiles(t, files), Patterns: []string{"./..."}}) {
		name := u.Pkg.Path()[len("example.com/m/"):]
		c, ok := cases[name]
		if !ok {
			continue
		}
		if got := u.idle(model); got != c.idle {
			t.Errorf("%s: idle is %v", name, got)
		}
		delete(cases, name)
	}
	for name := range cases {
		t.Errorf("%s is not looked at", name)
	}
}

// TestIdlePrograms: where a unit is idle, SSA shows no function that starts goroutines.
func TestIdlePrograms(t *testing.T) {
	t.Parallel()
	cfg := programsConfig(t)
	cfg.Patterns = append(slices.Clip(cfg.Patterns), "net/http", "testing", "context", "os/exec", "text/template", "strconv", "encoding/json", "sort")
	idle := 0
	for _, u := range loadUnits(t, cfg) {
		r, err := u.newRun(cfg)
		if err != nil {
			t.Fatal(err)
		}
		if !u.idle(r.lib) {
			continue
		}
		idle++
		r.loaded.prog, r.loaded.funcs, r.loaded.source = u.ssa.Prog, u.funcs, u.source
		r.loaded.starts = r.newProgram().Starts
		if r.loaded.starting(r.lib) {
			t.Errorf("%s is idle, and starts goroutines", u.Pkg.Path())
		}
	}
	if idle == 0 {
		t.Error("no unit is idle")
	}
	t.Logf("%d units are idle", idle)
}
