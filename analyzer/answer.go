package analyzer

import (
	"crypto/sha256"
	"fmt"
	"path/filepath"
	"slices"
	"sync"

	"github.com/iterace/iterace/internal/wire"
	"github.com/iterace/iterace/model"
	"golang.org/x/tools/go/packages"
)

// This file keeps what was found, so that who asks the same again has it at once: the
// report in another form, or an explanation of a race set, or the same in another run of
// a build that has changed nothing. The question is a hash of all that the answer rests
// on, so nothing in between can be out of date: positions are those of the same text.

// An answer is a Result as it is kept: all that its users see but phases and stages,
// which are of the run that found it.
type answer struct {
	Module     string
	Modules    []string
	Root       string
	Trimmed    int
	Pairs      int
	Unasked    int
	Notices    []model.Notice
	Complete   bool
	Marks      []mark
	Loops      []model.Loop // these four are in the order in which they are met
	Objects    []model.Object
	Accesses   []model.Access
	Races      []model.Race
	Suppressed []suppressed
	Reports    []model.Report
}

// A suppressed race is one that a verdict is about.
type suppressed struct {
	Race    *model.Race
	Verdict verdict
}

// answerSchema encodes pointers into the tables of an answer as numbers, since who has
// the answer compares them.
var answerSchema = sync.OnceValue(func() *wire.Schema {
	s := wire.NewSchema()
	s.Skip("analyzer.mark.used") // which Suppress sets
	byNumber(s, func(a *answer) []model.Loop { return a.Loops })
	byNumber(s, func(a *answer) []model.Object { return a.Objects })
	byNumber(s, func(a *answer) []model.Access { return a.Accesses })
	byNumber(s, func(a *answer) []model.Race { return a.Races })
	wire.Compile[answer](s)
	return s
})

// byNumber encodes pointers to T as places in a table. That is there when the first of
// them is read: its elements may be yet to come.
func byNumber[T any](s *wire.Schema, table func(*answer) []T) {
	wire.Number(s, func(e *wire.Encoder, p *T) {
		if p == nil {
			e.Uint(0)
			return
		}
		n, ok := e.Context.(*numbering).of[p]
		if !ok {
			panic(fmt.Sprintf("answer: a %T that no report leads to", p))
		}
		e.Uint(uint64(n) + 1)
	}, func(d *wire.Decoder) *T {
		n, list := d.Uint(), table(d.Context.(*answer))
		if n > uint64(len(list)) {
			d.Fail()
		}
		if n == 0 || d.Bad {
			return nil
		}
		return &list[n-1]
	})
}

// A numbering fills the tables of an answer.
type numbering struct {
	*answer
	of map[any]int // pointers
}

func number[T any](n *numbering, table *[]T, p *T) (isNew bool) {
	if p == nil {
		return false
	}
	if _, ok := n.of[p]; ok {
		return false
	}
	n.of[p] = len(*table)
	*table = append(*table, *p)
	return true
}

func (n *numbering) race(r *model.Race) {
	if !number(n, &n.Races, r) {
		return
	}
	number(n, &n.Loops, r.Loop)
	number(n, &n.Loops, r.Other)
	number(n, &n.Objects, r.Object)
	for _, o := range r.Through {
		number(n, &n.Objects, o)
	}
	for _, a := range []*model.Access{r.A, r.B, r.Lapse} {
		number(n, &n.Accesses, a)
	}
	n.race(r.Deep)
}

func (n *numbering) report(r *model.Report) {
	number(n, &n.Loops, r.Loop)
	number(n, &n.Objects, r.Object)
	for _, a := range slices.Concat(r.Alpha, r.Beta) {
		number(n, &n.Accesses, a)
	}
	for _, x := range r.Races {
		n.race(x)
	}
	n.Reports = append(n.Reports, *r)
}

// pack returns a result as bytes.
func (res *Result) pack() []byte {
	v := res.verdicts
	a := &answer{
		Module: res.Module, Modules: res.Modules, Root: res.Root,
		Trimmed: res.Trimmed, Pairs: res.Pairs, Unasked: res.Unasked, Notices: res.Notices,
		Complete: v.complete, Marks: v.marks,
	}
	n := &numbering{a, make(map[any]int)}
	for _, r := range res.Reports {
		n.report(r)
		for _, x := range r.Races {
			if by := v.by[x]; by != nil {
				a.Suppressed = append(a.Suppressed, suppressed{x, *by})
			}
		}
	}
	e := wire.Encoder{Context: n}
	wire.Encode(answerSchema(), &e, a)
	return append(e.Strings(), e.Out...)
}

// readAnswer returns the result that was packed, or nil.
func readAnswer(data []byte) *Result {
	d := wire.NewDecoder(data, nil)
	table := d.ReadStrings()
	a := new(answer)
	d = wire.NewDecoder(d.In, table)
	d.Context = a
	wire.Decode(answerSchema(), d, a)
	if d.Bad || len(d.In) > 0 {
		return nil
	}
	res := &Result{
		Module: a.Module, Modules: a.Modules, Root: a.Root,
		Trimmed: a.Trimmed, Pairs: a.Pairs, Unasked: a.Unasked, Notices: a.Notices,
		verdicts: &verdicts{root: a.Root, complete: a.Complete, marks: a.Marks, by: make(map[*model.Race]*verdict)},
	}
	for i := range a.Suppressed {
		s := &a.Suppressed[i]
		res.verdicts.by[s.Race] = &s.Verdict
	}
	for i := range a.Reports {
		res.Reports = append(res.Reports, &a.Reports[i])
	}
	return res
}

// answers reports whether answers are given and kept. A log is of the analysis itself,
// and fixes need the syntax.
func (cfg *Config) answers() bool {
	return cfg.Answers && cfg.Log == nil && !cfg.Fixes && !cfg.Naive && cfg.Shuffle == 0
}

// question hashes what an answer rests on beside what packages' keys have: flags,
// the directories that names are relative to, and which package is whose. Names are
// absolute, so that of two copies of one module each has its own.
func (l *loading) question(keys *keyMaker, pkgs []*packages.Package) hash {
	h := sha256.New()
	h.Write(keys.base)
	fmt.Fprintf(h, "answer %q %t %t %t\n", l.cfg.Disable, l.cfg.Tests, l.cfg.Sure, l.cfg.SkipGenerated)
	fmt.Fprintf(h, "root %q module %q of %q\n", l.p.root, l.p.module, l.p.modules())
	for _, name := range l.lib.Files() {
		if abs, err := filepath.Abs(name); err == nil {
			name = abs
		}
		fmt.Fprintf(h, "model %q\n", name)
	}
	for _, pkg := range l.order {
		sum := keys.keys[pkg]
		fmt.Fprintf(h, "package %q %q for %q own %t %x\n", pkg.ID, pkg.PkgPath, pkg.ForTest, l.p.own[pkg.PkgPath], sum)
		fmt.Fprintf(h, "files %q of %q\n", pkg.CompiledGoFiles, pkg.GoFiles)
		if m := pkg.Module; m != nil {
			fmt.Fprintf(h, "module %q %t\n", m.Path, m.Main)
		}
	}
	for _, pkg := range pkgs {
		fmt.Fprintf(h, "asked about %q\n", pkg.ID)
	}
	return hash(h.Sum(nil))
}

// answer returns what was found when the same was asked before, or nil.
func (s *stock) answer(question hash) *Result {
	if kept := s.get(question); kept != nil {
		return readAnswer(kept.blob)
	}
	return nil
}

// keep keeps what was found, if all of it loads.
func (r *run) keep() {
	if q := r.loaded.question; q != nil && len(r.out.Errors) == 0 {
		q.stock.put(q.hash, &storedPart{blob: r.out.pack()})
	}
}

// A question is what an answer is kept under, and where.
type question struct {
	stock *stock
	hash  hash
}
