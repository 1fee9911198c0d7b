package locks

import (
	"slices"

	"github.com/iterace/iterace/internal/ssair"
	"github.com/iterace/iterace/model"
	"github.com/iterace/iterace/pta"
	"github.com/iterace/iterace/pta/flow"
)

// This file is about locks that are taken where a variable says so:
//
//	func (c *cache) lock() {
//		if c.shared {
//			c.mu.Lock()
//		}
//	}
//
// Where ways meet of which one has found the variable set and the other not, a lock
// that one of them has is held when the variable is as it found it. Two accesses under
// such locks exclude one another if they do so whatever the variable is, as where the
// other way takes another lock; if they do so for one value only, the program takes
// it that there is nothing to exclude for the other (soundness: left-out). A variable
// that may be written while the loop runs says nothing.
//
// Where one way has a lock for writing and the other has it for reading,
//
//	if tx.writable { db.mu.Lock() } else { db.mu.RLock() }
//
// the variable says which it is, and who writes what the lock guards is taken to have it
// for writing (soundness: write-mode).
//
// Where a parameter says so, another call has another value: what is held under its test
// is told to who passes a constant for it, and to nobody else; and inside, to the call that does.

// A test is what a way has found a variable to be.
type test struct {
	path flow.Path // of the variable, in the frame at hand; zero if it has no name there
	set  bool      // it is not zero, or nil
	load pta.Site
	// param is set for a parameter of the frame at hand, which another call has otherwise.
	// What is held under such a test is told by who passes a constant, and else by nobody.
	param bool
}

// A when is the test that a lock is held under.
type when struct {
	test
	// rel is how lock and variable lie to one another in the frame that acquired the lock:
	// the ways to them from what they have in common, or the name of the variable.
	rel flow.Path
}

// maxTests bounds the tests that a state remembers.
const maxTests = 8

// told is s where the test of an event has told what a variable is: locks that are
// held under that test are held, and those under the contrary are not.
func (a *Analysis) told(i pta.InstID, f *flow.Func, ev *flow.Event, s *state) *state {
	if s == nil || ev.Kind != flow.PlainTest && ev.Kind != flow.ParamTest {
		return s
	}
	under := slices.ContainsFunc(s.held, func(h Held) bool { return h.conditional() || h.writes != nil })
	if !a.chooses[i] && !under {
		return s // no lock hangs on it: with all tests a fuzzy finder's loops took 2.3 and not 1.8 s
	}
	p := f.Path(ev.Path)
	set := !ev.Allows(0)
	if !p.Known() || !set && (ev.Cmp != "==" || ev.Const != 0) {
		return s
	}
	t := test{p, set, pta.Site{Inst: i, At: ev.Site}, ev.Kind == flow.ParamTest}
	if !under && slices.Contains(s.tests, t) {
		return s
	}
	out := s.without(func(h *Held) bool { return h.when != nil && h.when.path == p && h.when.set != set })
	out = out.but(out.held)
	if under {
		out.held = slices.Clone(out.held)
	}
	for k := range out.held {
		if h := &out.held[k]; h.when != nil && h.when.path == p {
			h.when = nil
		}
		if h := &out.held[k]; h.writes != nil && h.writes.path == p {
			h.Write, h.writes = h.writes.set == set, nil
		}
	}
	if slices.ContainsFunc(s.tests, func(u test) bool { return u.path == p && u.set != set && a.asFound(&u) && a.asFound(&t) }) {
		out.never = true // only a way that comes later to where both meet leads here
	}
	out.tests = slices.DeleteFunc(slices.Clone(out.tests), func(t test) bool { return t.path == p })
	if len(out.tests) < maxTests {
		out.tests = append(out.tests, t)
	}
	return out
}

// asFound reports whether a variable is always as a test has found it.
func (a *Analysis) asFound(t *test) bool { return t.param || !a.renewed(t.load) }

// apartBy returns the test by which two ways differ, as the first has found it; the last
// one, where there are several.
func apartBy(x, y *state) *test {
	for k := len(x.tests) - 1; k >= 0; k-- {
		t := &x.tests[k]
		if slices.ContainsFunc(y.tests, func(u test) bool { return u.path == t.path && u.set != t.set }) {
			return t
		}
	}
	return nil
}

// sharedTests returns the tests that both ways have found alike.
func sharedTests(x, y *state) []test {
	if len(x.tests) == 0 || len(y.tests) == 0 {
		return nil
	}
	if !slices.ContainsFunc(x.tests, func(t test) bool { return !slices.Contains(y.tests, t) }) {
		return x.tests
	}
	return slices.DeleteFunc(slices.Clone(x.tests), func(t test) bool { return !slices.Contains(y.tests, t) })
}

// under is lock h of one way, which y does not have, where both meet: held under the test
// by which they differ, as the first has found it; nil if there is none.
func under(h *Held, t *test, y *state) bool {
	if h.Once || h.Flag || h.Claim || len(h.lent) > 0 {
		return false
	}
	if h.when != nil { // y has found the contrary
		return h.when.contraryTo(y)
	}
	if t == nil {
		return false
	}
	h.when = h.heldUnder(t)
	return true
}

// heldUnder is the test t as what lock h is held under.
func (h *Held) heldUnder(t *test) *when {
	w := &when{test: *t, rel: t.path}
	if l, sel, ok := apart(h.Path, t.path); ok && h.Path.Known() {
		w.rel = flow.Path{Root: l, Sels: sel}
	}
	return w
}

// meetMode sets the mode of lock h of way x where it meets way y, which has the lock as g:
// the weaker one. The tests by which the ways differ are as each has found them.
func (h *Held) meetMode(g *Held, ofX, ofY *test, x, y *state) {
	if h.Write && g.Write {
		return
	}
	var w *when
	switch {
	case h.Once || h.Flag || h.Claim:
	case h.Write && g.writes == nil && ofX != nil:
		w = h.heldUnder(ofX)
	case g.Write && h.writes == nil && ofY != nil:
		w = g.heldUnder(ofY)
	case h.writes != nil && (g.Write || sameWhen(h.writes, g.writes) || h.writes.contraryTo(y)):
		w = h.writes
	case g.writes != nil && (h.Write || g.writes.contraryTo(x)):
		w = g.writes
	}
	h.Write, h.writes = false, w
}

// contraryTo reports whether a way has found the variable of a test to be the contrary.
func (w *when) contraryTo(s *state) bool {
	return w.path.Known() && slices.ContainsFunc(s.tests, func(t test) bool { return t.path == w.path && t.set != w.set })
}

// forWriting reports whether a lock held at an access excludes readers: it is held for
// writing, or the access writes and a variable that stays as it is says for what it is held.
func (a *Analysis) forWriting(x side, h *Held) bool {
	return h.Write || h.writes != nil && x.Kind == model.Write && !a.w.Renewed(h.writes.load)
}

// sameWhen reports whether two locks are held under one test, or none, in one frame.
func sameWhen(x, y *when) bool {
	if x == nil || y == nil {
		return x == y
	}
	return x.set == y.set && x.path == y.path && x.rel == y.rel
}

// renamed is a test with the name that its variable has in another frame, by to.
func (w *when) renamed(to func(flow.Path) (flow.Path, bool)) *when {
	if w == nil || !w.path.Known() {
		return w
	}
	out := *w
	p, ok := to(w.path)
	if !ok {
		p = flow.Path{}
	}
	out.path = p
	return &out
}

// stale drops the name of the tested variable if it depends on a value that gone says
// is another one now.
func (w *when) stale(gone func(ssair.Instr) bool) *when {
	return w.renamed(func(p flow.Path) (flow.Path, bool) { return p, !slices.ContainsFunc(p.Defined(), gone) })
}

// decided settles the test of a parameter that a lock of a callee is held under, where step
// st of f passes a constant for it,
//
//	tx, err := db.Begin(true) // if writable { db.mu.Lock() }
//
// or a parameter of its own. It reports whether the lock may be held at all: who passes
// something else is told nothing.
func (h *Held) decided(f *flow.Func, st *flow.Step, names []flow.Binding) bool {
	if w := h.when; w != nil && w.param {
		zero, constant := f.PassesZero(st, w.path)
		switch {
		case constant && zero == w.set:
			return false
		case constant:
			h.when = nil
		case !handsOn(w, names):
			return false
		}
	}
	if w := h.writes; w != nil && w.param {
		if zero, constant := f.PassesZero(st, w.path); constant {
			h.Write, h.writes = zero != w.set, nil
		} else if !handsOn(w, names) {
			h.writes = nil
		}
	}
	return true
}

// toldBy is what a frame holds that one of some calls enters: where a parameter says whether it is held, or
// for what, each of them may pass a constant for that.
func (a *Analysis) toldBy(calls []pta.Site, hs []Held) []Held {
	if len(calls) == 0 {
		return hs
	}
	var out []Held
	for _, h := range hs {
		if !h.byParam() || a.toldHeld(calls, &h) || h.when == nil || !h.when.param {
			out = append(out, h)
		}
	}
	return out
}

// toldHeld reports whether a lock is held that is so where a parameter says so, by what each call passes.
func (a *Analysis) toldHeld(calls []pta.Site, h *Held) bool {
	told := *h
	told.when, told.writes, told.Write = nil, nil, true
	for _, c := range calls {
		f := a.w.Flow(c.Inst)
		if f == nil || len(f.StepsAt(c.At)) == 0 {
			return false
		}
		for _, k := range f.StepsAt(c.At) {
			g := *h
			if !g.decided(f, &f.Steps[k], nil) || g.byParam() {
				return false
			}
			told.Write = told.Write && g.Write
		}
	}
	*h = told
	return true
}

// handsOn reports whether the parameter of a test is one of the caller's, too.
func handsOn(w *when, names []flow.Binding) bool {
	p, ok := flow.Up(w.path, names)
	_, param := p.Param()
	return ok && param && p.Sels == ""
}

// withoutParams leaves out what is known only where a parameter of the frame at hand is known.
func withoutParams(hs []Held) []Held {
	if !slices.ContainsFunc(hs, func(h Held) bool { return h.byParam() }) {
		return hs
	}
	out := slices.DeleteFunc(slices.Clone(hs), func(h Held) bool { return h.when != nil && h.when.param })
	for k := range out {
		if w := out[k].writes; w != nil && w.param {
			out[k].writes = nil
		}
	}
	return out
}

// byParam reports whether a parameter of the frame at hand says whether a lock is held, or for what.
func (h *Held) byParam() bool {
	return h.when != nil && h.when.param || h.writes != nil && h.writes.param
}

// conditional reports whether a lock is held under a test only.
func (h *Held) conditional() bool { return h.when != nil }

// surely leaves out locks that are held under a test only.
func surely(hs []Held) []Held {
	if !slices.ContainsFunc(hs, func(h Held) bool { return h.conditional() }) {
		return hs
	}
	return slices.DeleteFunc(slices.Clone(hs), func(h Held) bool { return h.conditional() })
}

// A halves is what protects two accesses for either value of a variable.
type halves struct {
	path      flow.Path // of the variable, as one side knows it
	zero, set verdict
}

// half notes that two locks, of which one at least is held under a test, protect two
// accesses where both are held, if the tests are of one variable that stays as it is.
func (a *Analysis) half(hs []halves, g, h *Held, v verdict) []halves {
	w := g.when
	if w == nil {
		w = h.when
	}
	if h.when != nil && (w.set != h.when.set || w.rel != h.when.rel || a.w.Renewed(h.when.load)) || a.w.Renewed(w.load) {
		return hs
	}
	k := slices.IndexFunc(hs, func(x halves) bool { return x.path == w.path && w.path.Known() })
	if k < 0 {
		k = len(hs)
		hs = append(hs, halves{path: w.path})
	}
	if w.set {
		hs[k].set = max(hs[k].set, v)
	} else {
		hs[k].zero = max(hs[k].zero, v)
	}
	return hs
}

// whole returns how far the halves protect two accesses. Where either has another lock
// for the other value, it is not left out.
func (h *halves) whole(x, y []Held) verdict {
	v := min(h.zero, h.set)
	other := func(g Held) bool {
		return g.when != nil && g.when.set == (h.set == unprotected) && (g.when.path == h.path || !g.when.path.Known())
	}
	if v == unprotected && !slices.ContainsFunc(x, other) && !slices.ContainsFunc(y, other) {
		return leftOut
	}
	return v
}
