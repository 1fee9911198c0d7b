package index

import (
	"bufio"
	"bytes"
	"fmt"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"
)

// conflict is a pair of sites of one function at which different iterations
// were seen to touch one element.
type conflict struct {
	fn   string
	a, b int
}

// observe compiles the functions and runs them on many inputs.
func observe(t *testing.T, text string, names []string) (seen map[conflict]string, runs map[string]int) {
	t.Helper()
	var main strings.Builder
	main.WriteString("\nfunc main() {\n")
	for _, n := range names {
		fmt.Fprintf(&main, "\ttry(%q, %s)\n", n, n)
	}
	main.WriteString("}\n")
	dir := t.TempDir()
	write := func(name, s string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(s), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("go.mod", "module run\n\ngo 1.26\n")
	write("main.go", running(text)+main.String())
	cmd := exec.Command("go", "run", "main.go")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=-gcflags=-N")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, stderr.String())
	}
	seen, runs = make(map[conflict]string), make(map[string]int)
	for sc := bufio.NewScanner(bytes.NewReader(out)); sc.Scan(); {
		var c conflict
		var n int
		if _, err := fmt.Sscanf(sc.Text(), "runs %s %d", &c.fn, &n); err == nil {
			runs[c.fn] = n
			continue
		}
		if _, err := fmt.Sscanf(sc.Text(), "%s %d %d", &c.fn, &c.a, &c.b); err != nil {
			t.Fatalf("%v: %s", err, sc.Text())
		}
		seen[c] = sc.Text()
	}
	return seen, runs
}

// site returns the number of the site that a store is, or 0.
func (p *program) site(a *Access) int {
	last := a.Chain[len(a.Chain)-1]
	for fn, f := range p.funcs {
		if f == last.Fn && f != nil {
			if s, ok := p.ir(fn).At(last.At).(*ssa.Store); ok {
				if c, ok := s.Val.(*ssa.Const); ok && c.Value != nil {
					return int(c.Int64())
				}
			}
		}
	}
	return 0
}

// compareWithRuns generates n functions and checks that no pair of accesses
// proved disjoint was seen to collide.
func compareWithRuns(t *testing.T, seed int64, n int) {
	g := &generator{r: rand.New(rand.NewSource(seed))}
	var texts, names []string
	for i := range n {
		name := fmt.Sprintf("F%d", i)
		g.b.Reset()
		g.function(name)
		texts = append(texts, g.b.String())
		names = append(names, name)
	}
	all := helpers + strings.Join(texts, "\n")
	p := loadProgram(t, analysed(all))
	seen, runs := observe(t, all, names)
	var disjoint, apart, collided int
	for i, name := range names {
		w := &walker{p: p, spawn: -1, written: make(map[string]bool), funcs: make(map[ssa.Value]*ssa.Function), allocs: make(map[ssa.Value]ssa.Value)}
		w.walk(p.pkg.Func(name), nil)
		pr := NewProver(nil)
		for j, a := range w.accesses {
			for _, b := range w.accesses[j:] {
				sa, sb := p.site(&a.Access), p.site(&b.Access)
				if sa == 0 || sb == 0 || !a.Write || !b.Write {
					continue
				}
				v := pr.Overlap(&Query{A: a.Access, B: b.Access, Spawn: a.spawn, Loop: -1, Brief: true, Oracle: &testOracle{w: w}})
				c := conflict{name, min(sa, sb), max(sa, sb)}
				how, hit := seen[c]
				switch {
				case v.Answer == Disjoint && hit && !v.Weak():
					t.Errorf("proved disjoint, but collided: %s\n%q %q\n%s", how, v.Why, v.Assumed, analysed(texts[i]))
				case v.Answer == Disjoint && !v.Weak():
					disjoint++
				case hit:
					collided++
				default:
					if os.Getenv("INDEX_UNPROVED") != "" && runs[name] > 100 {
						t.Logf("not proved, not seen to collide (%d runs): %s vs %s: %v\n%s", runs[name], v.FormA, v.FormB, v.Why, analysed(texts[i]))
					}
					apart++
				}
			}
		}
	}
	t.Logf("seed %d: proved %d, collided %d, neither %d", seed, disjoint, collided, apart)
	if n >= 100 && disjoint < n/10 {
		t.Errorf("only %d of the pairs of %d functions proved", disjoint, n)
	}
}

// TestExtractionAgainstRuns pins the soundness of extraction and proof
// together: random loops are run and what they touch is recorded.
func TestExtractionAgainstRuns(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles and runs programs")
	}
	compareWithRuns(t, 1, 150)
}

func FuzzExtraction(f *testing.F) {
	f.Add(int64(1))
	f.Fuzz(func(t *testing.T, seed int64) { compareWithRuns(t, seed, 40) })
}
