package analyzer

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/iterace/iterace/model"
)

// TestPathWithoutLock: of two ways to an access the shorter one holds a lock; as the access
// is said to hold none, the other way is the one that is shown.
func TestPathWithoutLock(t *testing.T) {
	found := false
	for _, r := range allPrograms(t).races {
		if r.Object.Name != "farState" {
			continue
		}
		found = true
		if n := len(r.A.Path); n == 0 || !strings.HasSuffix(r.A.Path[n-1].Func, ".farReset") || r.A.Path[n-1].Call.Line < 60 {
			t.Errorf("%v: path %v, want the one by farReset5, without the lock", r.A.Pos, r.A.Path)
		}
	}
	if !found {
		t.Error("no race on farState")
	}
}

// TestPathOfOther: the path to an access of a goroutine that another loop starts begins where that
// starts it, and not in code beside it that comes to the access by a shorter way.
func TestPathOfOther(t *testing.T) {
	begins, other := 0, 0
	for _, r := range allPrograms(t).races {
		if r.Other == nil || r.Other.Kind != "go" || len(r.B.Path) == 0 {
			continue
		}
		if r.B.Path[0].Call == r.Other.Spawn {
			begins++
			continue
		}
		if other++; other < 5 {
			t.Logf("%v with %v, started at %v: path %v", r.A.Pos, r.B.Pos, r.Other.Spawn, r.B.Path)
		}
	}
	if begins == 0 || other > 0 {
		t.Errorf("%d paths begin where the goroutine is started, %d elsewhere", begins, other)
	}
}

// TestPathOfCalled: where a loop calls a function that starts a goroutine, the path to what the
// goroutine does shows the go statement.
func TestPathOfCalled(t *testing.T) {
	shown, hidden := 0, 0
	for _, r := range allPrograms(t).races {
		if r.Loop.Kind != "call" || r.A.Thread != model.Alpha {
			continue
		}
		if slices.ContainsFunc(r.A.Path, func(f model.Frame) bool {
			line := sourceLine(t, f.Call)
			return strings.HasPrefix(line, "go ") || strings.Contains(line, ".Go(") || strings.Contains(line, "AfterFunc(")
		}) {
			shown++
			continue
		}
		if hidden++; hidden < 5 {
			t.Logf("%v of the loop at %v: path %v", r.A.Pos, r.Loop.Pos, r.A.Path)
		}
	}
	if shown == 0 || hidden > 0 {
		t.Errorf("%d paths show the go statement, %d do not", shown, hidden)
	}
}

// TestLoopPosition: a loop is said to be where its statement is, if it has no clause, too.
func TestLoopPosition(t *testing.T) {
	seen := make(map[model.Pos]bool)
	for _, r := range allPrograms(t).races {
		l := r.Loop
		if l.Single || l.Form == "operator" || l.Form == model.FormClient || seen[l.Pos] {
			continue
		}
		seen[l.Pos] = true
		if line := sourceLine(t, l.Pos); !strings.Contains(line, "for ") {
			t.Errorf("loop at %v: %s", l.Pos, line)
		}
	}
	if len(seen) < 100 {
		t.Errorf("%d loops", len(seen))
	}
}

func sourceLine(t *testing.T, p model.Pos) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", p.File))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(data), "\n")
	if p.Line < 1 || p.Line > len(lines) {
		t.Fatalf("no line %v", p)
	}
	return strings.TrimSpace(lines[p.Line-1])
}

// TestWhyMaps: of a map it is not said that its indices were not compared, whatever its type is called.
func TestWhyMaps(t *testing.T) {
	res := runText(t, `package main

type header map[string]int

func main() {
	list := make([]struct{ h header }, 3)
	for i := range list {
		list[i].h = header{}
	}
	list[1] = list[0]
	for i := range 3 {
		go func() { at(list, i).h["a"] = i }()
	}
}

func at(list []struct{ h header }, i int) *struct{ h header } { return &list[i*i%3] }
`)
	why := reasons(res)
	if !slices.Contains(why, "nothing shows that the accesses are to two maps") || slices.Contains(why, "index arithmetic gave up") {
		t.Errorf("%q", why)
	}
}

// TestWhyOneMap: where there is one map only, it is not said that there may be two.
func TestWhyOneMap(t *testing.T) {
	why := reasons(runText(t, `package main

func main() {
	m := map[string]int{}
	go func() { m["a"] = 1 }()
	println(len(m))
}
`))
	if len(why) == 0 || slices.Contains(why, "nothing shows that the accesses are to two maps") {
		t.Errorf("%q", why)
	}
}

// TestWhyLate: a Wait that need not wait is named, as it looks like a join.
func TestWhyLate(t *testing.T) {
	res := runText(t, `package main

import "sync"

func main() {
	var wg sync.WaitGroup
	n := 0
	go func() {
		wg.Add(1)
		n++
		wg.Done()
	}()
	wg.Wait()
	println(n)
}
`)
	want := "no join between the spawn at line 8 and line 14: the Wait at line 13 need not wait for goroutines that call Add themselves"
	if why := reasons(res); !slices.Contains(why, want) {
		t.Errorf("%q", why)
	}
	for _, r := range res.Final(nil) {
		if r.Confidence() != model.Definite {
			t.Errorf("the race on %s is %v: that somebody waits for the group is no ground for doubt", r.Object.Name, r.Confidence())
		}
	}
}

// reasons lists why nothing removes the races of a result.
func reasons(res *Result) (why []string) {
	for _, r := range res.Final(nil) {
		for _, x := range r.Races {
			for _, y := range x.Why {
				why = append(why, y.Text)
			}
		}
	}
	return why
}
