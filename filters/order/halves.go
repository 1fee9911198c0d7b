package order

import (
	"fmt"
	"slices"
	"strings"

	"github.com/iterace/iterace/internal/ssair"
	"github.com/iterace/iterace/model"
	"github.com/iterace/iterace/pta"
	"github.com/iterace/iterace/pta/flow"
)

// This file is the rule for divide and conquer: a function gives one part of
// its slice to a goroutine and calls itself with another,
//
//	wg.Go(func() { f(a[:m]) })
//	f(a[m:])
//
// All that a call does to the elements of its slice it does within that slice.
// So if the parts that one call hands out are apart, then any two accesses below
// different parts are, however deep: they part in the call that is the last
// common one. What is left to look at is the function's own code beside the
// goroutine, and the order of things where nothing below a part is entered.
//
// The goroutine may be started by a helper that is given what it runs, and that may run it at
// once instead if enough goroutines are there:
//
//	wait := s.fork(func() { f(a[:m]) })
//	f(a[m:])
//
// A part is taken not to reach beyond the length of what it is a part of
// (soundness: within-length).

// A bound is the start or end of a part, as a value of the function's frame.
type bound struct {
	path flow.Path
	add  int64
	open bool // the start or end of the whole
	lost bool // not a value of the frame
}

// An extent is what part of the slice an access stays in.
type extent struct {
	lo, hi bound
	part   bool // not the whole
}

// before reports whether x ends where y begins, or earlier.
func (x extent) before(y extent) bool {
	h, l := x.hi, y.lo
	return x.part && y.part && !h.lost && !l.lost && !h.open && !l.open && h.path == l.path && h.add <= l.add
}

func apartAll(xs, ys []extent) bool {
	for _, x := range xs {
		for _, y := range ys {
			if !x.before(y) && !y.before(x) {
				return false
			}
		}
	}
	return true
}

func extentOf(f *flow.Func, s *flow.Sub) extent {
	b := func(b flow.Bound) bound { return bound{path: f.Path(b.Path), add: b.Add, open: b.Open} }
	return extent{b(s.Low), b(s.High), true}
}

// up translates the extent into the frame of a caller, that of g at step st.
func (x extent) up(g *flow.Func, st *flow.Step) extent {
	bs := g.Bindings(st)
	for _, b := range []*bound{&x.lo, &x.hi} {
		if b.open || !b.path.Known() || strings.HasPrefix(b.path.Root, "c:") {
			continue
		}
		p, ok := flow.Up(b.path, bs)
		if !ok {
			p, ok = settled(g, st, b.path)
		}
		b.path, b.lost = p, b.lost || !ok
	}
	return x
}

// settled is flow.Up for what a closure finds in a captured variable when it starts, and
// nobody changes after the closure is made.
func settled(g *flow.Func, st *flow.Step, p flow.Path) (flow.Path, bool) {
	at, k, ok := boundAt(g, st, p)
	if !ok || p.Sels != "~e" {
		return p, false
	}
	return g.SettledAt(at, k)
}

// boundAt returns where the closure is made that a step runs, and which of its free
// variables a path of its frame is rooted in.
func boundAt(g *flow.Func, st *flow.Step, p flow.Path) (at ssair.Instr, k int, ok bool) {
	if k, ok = captured(p.Root); !ok {
		return 0, 0, false
	}
	at, ok = g.Callee(st).Made()
	return at, k, ok
}

// captured returns the number of the free variable that a root of a closure's frame is.
func captured(root string) (k int, ok bool) {
	n, err := fmt.Sscanf(root, "f%d", &k)
	return k, n == 1 && err == nil
}

// A climb follows the slice of an access up to the parameter of the function
// that it is a part of.
type climb struct {
	a     *Analysis
	tops  []pta.InstID
	param string // root of the parameter, once it is found
	seen  map[name]bool
	out   []extent
}

// climb returns the parts, in terms of the frames of tops, that access x, known to
// others as m, stays in below them; ok is false if it need not stay in the parameter at all.
func (a *Analysis) climb(m *model.Access, x access, tops []pta.InstID) (param string, out []extent, ok bool) {
	c := &climb{a: a, tops: tops, seen: make(map[name]bool)}
	f := a.w.Flow(x.inst)
	p := a.addr(x).Base()
	if q, builtin, ok := f.Touched(x.at, a.w.Argument(m)); ok {
		if !builtin && !a.w.WithinLen(m) {
			return "", nil, false
		}
		p = q.Base()
	}
	ok = c.up(x.inst, p, extent{})
	return c.param, c.out, ok && c.param != "" && len(c.out) > 0
}

func (c *climb) up(i pta.InstID, p flow.Path, cur extent) bool {
	f := c.a.w.Flow(i)
	if f == nil || !p.Known() {
		return false
	}
	for {
		if s := f.SubOf(p); s != nil {
			cur, p = extentOf(f, s), f.Path(s.Of)
		} else if q, ok := f.RestOf(p); ok {
			p = q
		} else {
			break
		}
	}
	if slices.Contains(c.tops, i) {
		if p.Sels != "" || p.Root[0] != 'p' || c.param != "" && c.param != p.Root {
			return false
		}
		c.param = p.Root
		c.out = append(c.out, cur)
		return true
	}
	if c.seen[name{i, p}] {
		return true // what recursion leads back to
	}
	c.seen[name{i, p}] = true
	callers := c.a.in.Callers(i)
	for _, s := range callers {
		g := c.a.w.Flow(s.Inst)
		if g == nil {
			return false
		}
		steps := g.StepsAt(s.At)
		if len(steps) != 1 {
			return false
		}
		st := &g.Steps[steps[0]]
		q, part := c.given(g, st, p)
		next := cur.up(g, st)
		if part != nil {
			next = extentOf(g, part)
		}
		if !q.Known() && c.passedDown(i, s, st, p, cur) {
			continue
		}
		if !c.up(s.Inst, q, next) {
			return false
		}
	}
	return len(callers) > 0
}

// passedDown is up for what a closure has captured that its caller has from those who call that: in the frames that
// have made the closure.
func (c *climb) passedDown(i pta.InstID, s pta.Site, st *flow.Step, p flow.Path, cur extent) bool {
	k, ok := captured(p.Root)
	if !ok || p.Sels != "*" {
		return false
	}
	made, ok := c.a.in.Makers(s.Inst, c.a.w.Flow(s.Inst).Callee(st), c.a.w.Flow(i).Name)
	return ok && len(made) > 0 && !slices.ContainsFunc(made, func(m pta.Site) bool {
		h := c.a.w.Flow(m.Inst)
		q, part := h.CapturedAt(m.At, k)
		next := cur.upMade(h, m.At)
		if part != nil {
			next = extentOf(h, part)
		}
		if !q.Known() {
			q, _ = h.UpCaptured(m.At, p)
		}
		return !c.up(m.Inst, q, next)
	})
}

// upMade translates the extent from the frame of a closure into the one that has made it.
func (x extent) upMade(h *flow.Func, at ssair.Instr) extent {
	for _, b := range []*bound{&x.lo, &x.hi} {
		if b.open || !b.path.Known() || strings.HasPrefix(b.path.Root, "c:") {
			continue
		}
		p, ok := h.UpCaptured(at, b.path)
		if k, is := captured(b.path.Root); !ok && is && b.path.Sels == "~e" {
			p, ok = h.SettledAt(at, k)
		}
		b.path, b.lost = p, b.lost || !ok
	}
	return x
}

// given returns what a caller passes, or lets the callee capture, for the
// callee's path p.
func (c *climb) given(g *flow.Func, st *flow.Step, p flow.Path) (flow.Path, *flow.Sub) {
	if k, ok := parameter(p); ok && p.Sels == "" && st.Body < 0 {
		return g.Passed(st, k)
	}
	at, k, ok := boundAt(g, st, p)
	if !ok || p.Sels != "*" {
		return flow.Path{}, nil
	}
	if q, part := g.CapturedAt(at, k); q.Known() {
		return q, part
	}
	q, _ := g.UpCaptured(at, p)
	return q, nil
}

// inHalves reports whether x and y meet only below parts that are apart.
func (a *Analysis) inHalves(r *model.Race, x, y access) bool {
	self := a.recursion()
	if self == nil || len(self.sites) == 0 && r.Other == nil {
		return false
	}
	px, ex, okx := a.climb(r.A, x, self.tops)
	if !okx {
		return false
	}
	py, ey, oky := a.climb(r.B, y, self.tops)
	if !oky || px != py {
		return false
	}
	return a.partsApart(r, y, self, ex, ey, func(s pta.Site) (extent, bool) { return a.passes(self.f, s, px) })
}

// partsApart reports whether what x stays in below the loop's spawn, what y stays in below other
// spawns of the function, and what its calls of itself are passed are apart, and x and y are in
// order where nothing of all that is entered.
func (a *Analysis) partsApart(r *model.Race, y access, self *recursion, ex, ey []extent, passes func(pta.Site) (extent, bool)) bool {
	groups := [][]extent{ex}
	sites := [][]ssair.Instr{{self.spawn}}
	cut := self.cuts()
	for k, s := range self.sites {
		if slices.ContainsFunc(self.sites[:k], func(t pta.Site) bool { return t.At == s.At }) {
			continue // the same call, of another instance
		}
		e, ok := passes(s)
		if !ok {
			return false
		}
		groups, sites = append(groups, []extent{e}), append(sites, []ssair.Instr{s.At})
	}
	if other := a.startedIn(y, self); len(other) > 0 {
		var at []ssair.Instr
		for _, s := range other {
			at = append(at, s.At)
		}
		groups, sites, cut = append(groups, ey), append(sites, at), append(cut, other...)
	}
	if len(cut) == 0 {
		return false
	}
	for i := range groups {
		for k := range groups[:i] {
			if !apartAll(groups[i], groups[k]) && !eitherOr(self.f, sites[i], sites[k]) {
				return false
			}
		}
	}
	return !a.without(cut).judge(r).overlap
}

// eitherOr reports whether one call of f comes to steps of one of two lists at
// most: a small slice is sorted without goroutines, for example.
func eitherOr(f *flow.Func, as, bs []ssair.Instr) bool {
	for _, x := range as {
		for _, y := range bs {
			xs, ys := f.StepsAt(x), f.StepsAt(y)
			if x == y || len(xs) != 1 || len(ys) != 1 || f.Reaches(f.AfterStep(xs[0]), f.BeforeStep(ys[0]), ssair.NoInstr, -1) ||
				f.Reaches(f.AfterStep(ys[0]), f.BeforeStep(xs[0]), ssair.NoInstr, -1) {
				return false
			}
		}
	}
	return true
}

// A recursion is how a function that starts goroutines at one place calls itself: by
// nothing but some calls of its own, and it comes to the place once.
type recursion struct {
	f     *flow.Func
	spawn ssair.Instr
	tops  []pta.InstID // its instances that start them
	sites []pta.Site   // the calls
	// A helper that starts the goroutines may run what it is given at once instead: by these calls.
	inline []pta.Site
}

// cuts lists all calls by which the function comes to itself.
func (r *recursion) cuts() []pta.Site { return slices.Concat(r.sites, r.inline) }

// recursion returns how the function with the loop's spawn calls itself; nil where that
// is not known.
func (a *Analysis) recursion() *recursion { return a.recursionOf(noThread, a.spawns) }

// recursionOf returns how the function that starts a thread, at the given sites, calls
// itself; nil where that is not known.
func (a *Analysis) recursionOf(t pta.InstID, spawns []pta.Site) *recursion {
	if a.cut != nil {
		return nil
	}
	r, known := a.recursions[t]
	if !known {
		if r = a.findRecursion(spawns); a.recursions == nil {
			a.recursions = make(map[pta.InstID]*recursion)
		}
		a.recursions[t] = r
	}
	return r
}

func (a *Analysis) findRecursion(spawns []pta.Site) *recursion {
	r := new(recursion)
	for k, s := range spawns {
		f := a.w.Flow(s.Inst)
		if k == 0 {
			r.f, r.spawn = f, s.At
		}
		if f == nil || f != r.f || s.At != r.spawn {
			return nil
		}
		r.tops = append(r.tops, s.Inst)
	}
	if len(r.tops) == 0 || !once(r.f, r.spawn) {
		return nil
	}
	var ok bool
	r.sites, _, ok = a.selfCalls(r.tops, nil)
	if !ok || len(r.sites) == 0 {
		if up := a.aboveHelper(r); up != nil {
			return up
		}
	}
	if !ok {
		return nil
	}
	return r
}

// aboveHelper returns the recursion of the function that has a helper start its goroutines, by one
// call; nil if there is none.
func (a *Analysis) aboveHelper(h *recursion) *recursion {
	r := new(recursion)
	for _, i := range h.tops {
		for _, c := range a.in.Callers(i) {
			f := a.w.Flow(c.Inst)
			if r.f == nil {
				r.f, r.spawn = f, c.At
			}
			if f == nil || f != r.f || c.At != r.spawn || a.in.IsSpawn(c) {
				return nil
			}
			if !slices.Contains(r.tops, c.Inst) {
				r.tops = append(r.tops, c.Inst)
			}
		}
	}
	if len(r.tops) == 0 || !once(r.f, r.spawn) {
		return nil
	}
	var ok bool
	if r.sites, r.inline, ok = a.selfCalls(r.tops, h.tops); !ok || len(r.sites) == 0 {
		return nil
	}
	for _, s := range r.inline {
		if !eitherOr(h.f, []ssair.Instr{h.spawn}, []ssair.Instr{s.At}) {
			return nil // it does both: a part is worked on twice
		}
	}
	return r
}

// once reports whether one call of f comes to the step at most once.
func once(f *flow.Func, at ssair.Instr) bool {
	steps := f.StepsAt(at)
	return len(steps) == 1 && !f.Steps[steps[0]].Repeat && f.Innermost(f.BlockOf(f.BeforeStep(steps[0]))) < 0
}

// selfCalls returns the calls by which instances of a function call one another, and those of its helpers
// that lead to it; ok is false if they also do so by way of others.
func (a *Analysis) selfCalls(tops, helpers []pta.InstID) (sites, inline []pta.Site, ok bool) {
	seen := make(map[pta.InstID]bool)
	var work []pta.InstID
	add := func(j pta.InstID) {
		if !seen[j] {
			seen[j] = true
			work = append(work, j)
		}
	}
	for _, i := range tops {
		for _, s := range a.in.Callers(i) {
			if !slices.Contains(tops, s.Inst) {
				add(s.Inst)
			} else if !slices.Contains(sites, s) {
				sites = append(sites, s)
			}
		}
	}
	for len(work) > 0 {
		j := work[len(work)-1]
		work = work[:len(work)-1]
		for _, s := range a.in.Callers(j) {
			if a.in.IsSpawn(s) {
				continue // what a goroutine calls is not entered by who starts it
			}
			if slices.Contains(helpers, s.Inst) {
				if !slices.Contains(inline, s) {
					inline = append(inline, s)
				}
				continue
			}
			if slices.Contains(tops, s.Inst) {
				return nil, nil, false
			}
			add(s.Inst)
		}
	}
	return sites, inline, true
}

// passes returns the part of a parameter that a call of the function itself
// passes on as that parameter.
func (a *Analysis) passes(f *flow.Func, s pta.Site, param string) (extent, bool) {
	k, ok := parameter(flow.Path{Root: param})
	if !ok || !once(f, s.At) {
		return extent{}, false
	}
	p, part := f.Passed(&f.Steps[f.StepsAt(s.At)[0]], k)
	e := extent{}
	if part != nil {
		e = extentOf(f, part)
	}
	for s := f.SubOf(p); s != nil; s = f.SubOf(p) {
		e, p = extentOf(f, s), f.Path(s.Of)
	}
	return e, e.part && p == flow.Path{Root: param}
}

// startedIn returns the other spawns of the function by which all threads of y
// are started.
func (a *Analysis) startedIn(y access, self *recursion) []pta.Site {
	var out []pta.Site
	for _, t := range a.threadsOf(y.inst) {
		if a.up[t] {
			return nil
		}
		for _, s := range a.spawnsOf(t) {
			if g := a.w.Flow(s.Inst); g == nil || g.Name != self.f.Name || slices.Contains(a.spawns, s) || !once(g, s.At) {
				return nil
			}
			out = append(out, s)
		}
	}
	return out
}

// without returns an analysis whose walks enter nothing at the given calls and
// spawns.
func (a *Analysis) without(cut []pta.Site) *Analysis {
	slices.SortFunc(cut, compareSites)
	cut = slices.Compact(cut) // several threads may be of one recursion
	key := fmt.Sprint(cut)
	b := a.cuts[key]
	if b == nil {
		b = New(a.w, a.locksets, a.set)
		b.cut = make(map[pta.Site]bool)
		for _, s := range cut {
			b.cut[s] = true
		}
		if a.cuts == nil {
			a.cuts = make(map[string]*Analysis)
		}
		a.cuts[key] = b
	}
	b.fuel = min(b.fuel, a.fuel)
	return b
}

// severed reports whether thread t is started only where nothing is entered.
func (a *Analysis) severed(t pta.InstID) bool {
	if a.cut == nil {
		return false
	}
	sites := a.spawnsOf(t)
	return len(sites) > 0 && !slices.ContainsFunc(sites, func(s pta.Site) bool { return !a.cut[s] })
}
