package report

import (
	"path/filepath"
	"testing"

	"github.com/iterace/iterace/model"
)

func TestShort(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{"int", "int"},
		{"[]*example.com/m/sim.Particle", "[]*sim.Particle"},
		{"(*example.com/m/sim.Sim).Step$1", "(*sim.Sim).Step$1"},
		{"map[a.b/c.K]d.e/f.V", "map[c.K]f.V"},
		{"example.com/m/v2.T", "m.T"},
		{"gopkg.in/yaml.v3.Node", "yaml.v3.Node"},
		{"func(...example.com/m.T) error", "func(...m.T) error"},
		{"example.com/m.List[example.com/n.T]", "m.List[n.T]"},
		{"chan<- int", "chan<- int"},
	} {
		if got := short(tt.in); got != tt.want {
			t.Errorf("short(%q) = %q, want %q", tt.in, got, tt.want)
		}
	}
}

// TestConflict pins the sentence for each way in which two accesses meet.
func TestConflict(t *testing.T) {
	loop := &model.Loop{Kind: "go", Form: "for", Pos: model.Pos{File: "f.go", Line: 1, Col: 1}}
	single := &model.Loop{Kind: "go", Pos: model.Pos{File: "f.go", Line: 2, Col: 1}, Single: true}
	operator := &model.Loop{Kind: "workqueue.ParallelizeUntil", Form: "operator", Pos: model.Pos{File: "f.go", Line: 3, Col: 1}}
	one := &model.Loop{Kind: "T.Parallel", Form: model.FormTest, Func: "example.com/m.TestA", Pos: model.Pos{File: "f_test.go", Line: 4, Col: 6}, Single: true}
	two := &model.Loop{Kind: "T.Parallel", Form: model.FormTest, Func: "example.com/m.TestB", Pos: model.Pos{File: "f_test.go", Line: 8, Col: 6}, Single: true}
	access := func(t model.Thread, k model.AccessKind, line int) end {
		return end{Access: &model.Access{Thread: t, Kind: k, Pos: model.Pos{File: "f.go", Line: line, Col: 1}}}
	}
	foreign := func(l *model.Loop, k model.AccessKind, line int) end {
		e := access(model.Alpha, k, line)
		e.loop, e.foreign = l, true
		return e
	}
	const r, w = model.Read, model.Write
	for _, tt := range []struct {
		loop     *model.Loop
		w, other end
		want     string
	}{
		{loop, access(model.Alpha, w, 5), access(model.Beta, w, 5),
			"two iterations of the loop at f.go:1:1 may write it at the same time"},
		{loop, access(model.Alpha, w, 5), access(model.Beta, r, 5),
			"written by one iteration of the loop at f.go:1:1 and read by another"},
		{loop, access(model.Alpha, w, 5), access(model.Beta, r, 6),
			"written by one iteration of the loop at f.go:1:1 and read by another, at f.go:6:1"},
		{loop, access(model.Alpha, w, 5), access(model.Main, w, 7),
			"written by an iteration of the loop at f.go:1:1 and by the code that runs beside the loop, at f.go:7:1"},
		{loop, access(model.Main, w, 7), access(model.Alpha, r, 5),
			"written by code that runs beside the loop at f.go:1:1 and read by an iteration of it, at f.go:5:1"},
		{single, access(model.Alpha, w, 5), access(model.Main, r, 7),
			"written by the goroutine started at f.go:2:1 and read by the code that runs beside it, at f.go:7:1"},
		{single, access(model.Main, w, 7), access(model.Alpha, r, 5),
			"written by the code that runs beside the goroutine started at f.go:2:1 and read by that goroutine, at f.go:5:1"},
		{single, access(model.Alpha, w, 5), access(model.Beta, w, 9),
			"written by the goroutine started at f.go:2:1 and by another goroutine, at f.go:9:1"},
		{operator, access(model.Alpha, w, 5), access(model.Beta, w, 5),
			"two iterations of the calls that workqueue.ParallelizeUntil makes at f.go:3:1 may write it at the same time"},
		{loop, access(model.Alpha, w, 5), foreign(single, w, 9),
			"written by an iteration of the loop at f.go:1:1 and by the goroutine started at f.go:2:1, at f.go:9:1"},
		{single, foreign(loop, w, 9), access(model.Alpha, r, 5),
			"written by an iteration of the loop at f.go:1:1 and read by the goroutine started at f.go:2:1, at f.go:5:1"},
		{one, foreign(one, w, 5), foreign(two, r, 9),
			"written by m.TestA and read by m.TestB, both of which call t.Parallel, at f.go:9:1"},
	} {
		for _, e := range []*end{&tt.w, &tt.other} {
			if !e.foreign {
				e.loop = tt.loop
			}
		}
		if got := conflict(tt.w, tt.other, model.Pos.String); got != tt.want {
			t.Errorf("got  %s\nwant %s", got, tt.want)
		}
	}
}

// TestSubject: the raced-on thing is called what the source calls it, or by
// its type and place.
func TestSubject(t *testing.T) {
	p := model.Pos{File: "f.go", Line: 3, Col: 2}
	for _, tt := range []struct {
		o     model.Object
		field string
		want  string
	}{
		{model.Object{Kind: "var", Name: "counts", Type: "map[string]int", Pos: p}, "[*]", "counts[*]"},
		{model.Object{Kind: "global", Name: "example.com/m.total"}, "", "m.total"},
		{model.Object{Kind: "new", Type: "example.com/m.T", Pos: p}, ".x", ".x of a m.T (allocated at f.go:3:2)"},
		{model.Object{Kind: "make", Type: "[]int", Pos: p}, "[*]", "[*] of a []int (made at f.go:3:2)"},
		{model.Object{Kind: "closure"}, "", "a closure"},
		{model.Object{Kind: "result", Name: "result of os/exec.Command"}, ".Process", "Process of the result of exec.Command"},
		{model.Object{Kind: "var", Name: "sc"}, " (inside library code)", "sc (inside library code)"},
		{model.Object{Kind: "new", Name: "m", Type: "example.com/l.Members", Pos: model.Pos{File: filepath.Join(t.TempDir(), "l.go"), Line: 3}}, " (inside library code)", "a l.Members (inside library code)"},
		{model.Object{Kind: "new", Type: "bufio.Scanner"}, " (inside library code)", "a bufio.Scanner (inside library code)"},
	} {
		if got := subject(&tt.o, tt.field, model.Pos.String); got != tt.want {
			t.Errorf("got %q, want %q", got, tt.want)
		}
	}
}
