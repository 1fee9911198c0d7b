package order

import (
	"slices"
	"strings"

	"github.com/iterace/iterace/model"
	"github.com/iterace/iterace/pta"
	"github.com/iterace/iterace/pta/flow"
)

// This file is halves.go for functions that are told by two integers which part of a slice is
// theirs:
//
//	go sort(a, lo, p-1)
//	sort(a, p+1, hi)
//
// That such a call touches nothing outside its part is not proved: a merge has its indices
// from counting, and a partition its own from values (soundness: within-range). It must not
// be shown to do so: by an element at the part's end, where one part ends where the next
// begins; or by an index that is a constant, or a bound and more.

// inRanges reports whether x and y meet only below parts that are apart, if each call keeps to
// its part.
func (a *Analysis) inRanges(r *model.Race, x, y access) bool {
	self := a.recursion()
	if self == nil || len(self.sites) == 0 && r.Other == nil {
		return false
	}
	ks := a.givenInts(self)
	if len(ks) < 2 {
		return false
	}
	px, ex, okx := a.sliceOf(r.A, x, self)
	py, ey, oky := a.sliceOf(r.B, y, self)
	if !okx || !oky || px != py {
		return false
	}
	shows := func(k int, role flow.Role) bool { return a.shows(self.f, self.tops, k, role, 0) }
	for _, lo := range ks {
		for _, hi := range ks {
			if lo == hi || !shows(lo, flow.First) && !shows(hi, flow.End) || shows(hi, flow.First) || shows(lo, flow.End) {
				continue
			}
			p := rangeParams{slice: rootOf(px), lo: lo, hi: hi, closed: shows(hi, flow.Last)}
			if !a.strays(r.A, x, self, p, ex) && !a.strays(r.B, y, self, p, ey) && a.keepsTo(r, x, y, self, p) {
				return true
			}
		}
	}
	return false
}

// sliceOf is climb, but that the slice may be a field, which nobody sets, of what a parameter
// points to, or what the function has captured.
func (a *Analysis) sliceOf(m *model.Access, x access, self *recursion) (slice string, parts []extent, ok bool) {
	if param, out, ok := a.climb(m, x, self.tops); ok {
		return param, out, true
	}
	f := a.w.Flow(x.inst)
	p, loads := a.addr(x).Base(), f.LoadsAt(x.at)
	if g, ok := f.RegionAt(x.at, a.w.Argument(m)); ok {
		if !g.Builtin && !a.w.WithinLen(m) {
			return "", nil, false
		}
		p, loads = f.Path(g.Of).Base(), f.LoadsOf(g.Of)
	}
	if strings.HasPrefix(p.Root, "f") && p.Sels == "*" && f == self.f {
		return p.String(), nil, true
	}
	field := p.Unversioned().Sels
	if _, ok := p.Param(); !ok || flow.Derefs(field) != 1 || !strings.HasSuffix(field, "*") {
		return "", nil, false
	}
	for _, at := range loads {
		if a.w.Renewed(pta.Site{Inst: x.inst, At: at}) {
			return "", nil, false
		}
	}
	c := &climb{a: a, tops: self.tops, seen: make(map[name]bool)}
	ok = c.up(x.inst, flow.Path{Root: p.Root}, extent{})
	return c.param + field, c.out, ok && c.param != "" && len(c.out) > 0
}

// rangeParams names the parameters of a function that tell it where its part begins and ends.
type rangeParams struct {
	slice  flow.Path // by which it has the slice: a parameter, or what it has captured
	lo, hi int
	closed bool // the code shows that the end is part of it
}

func rootOf(slice string) flow.Path {
	if i := strings.IndexAny(slice, ".*"); i >= 0 {
		slice = slice[:i]
	}
	return flow.Path{Root: slice}
}

// givenInts lists the parameters of a recursion's function by which it is given integers that
// it has made itself.
func (a *Analysis) givenInts(self *recursion) (ks []int) {
	for _, i := range a.w.Named(self.f.Name) {
		for _, c := range a.in.Callers(i) {
			f := a.w.Flow(c.Inst)
			if f == nil {
				continue
			}
			for _, g := range f.Givens {
				if g.At == c.At && !slices.Contains(ks, g.Arg) {
					ks = append(ks, g.Arg)
				}
			}
		}
	}
	slices.Sort(ks)
	return ks
}

// keepsTo is inRanges for two parameters.
func (a *Analysis) keepsTo(r *model.Race, x, y access, self *recursion, p rangeParams) bool {
	cx := &rangeClimb{a: a, self: self, params: p, seen: make(map[pta.InstID]bool)}
	if !cx.up(x.inst, nil) || len(cx.out) == 0 {
		return false
	}
	cy := &rangeClimb{a: a, self: self, params: p, seen: make(map[pta.InstID]bool)}
	if len(a.startedIn(y, self)) > 0 && (!cy.up(y.inst, nil) || len(cy.out) == 0) {
		return false
	}
	return a.partsApart(r, y, self, cx.out, cy.out, func(s pta.Site) (extent, bool) {
		st := &self.f.Steps[self.f.StepsAt(s.At)[0]]
		e := p.of(self.f).given(self.f, st)
		return p.closing(e), once(self.f, s.At) && !e.lo.lost && !e.hi.lost && p.passesAll(self.f, st)
	})
}

// passesAll reports whether a call of the function itself passes on its slice as it is: in a part
// of it indices would mean others.
func (p rangeParams) passesAll(f *flow.Func, st *flow.Step) bool {
	k, ok := parameter(p.slice)
	if !ok {
		return true // captured
	}
	q, part := f.Passed(st, k)
	return part == nil && q == p.slice
}

// of is the part that a frame of the function is given, as it names it.
func (p rangeParams) of(f *flow.Func) extent {
	return extent{bound{path: flow.ParamPath(p.lo)}, bound{path: flow.ParamPath(p.hi)}, true}
}

// closing is an extent whose last element is part of it, if that is what the code shows.
func (p rangeParams) closing(e extent) extent {
	if p.closed {
		e.hi.add++
	}
	return e
}

// given translates an extent into the frame of a caller, that of g at step st, where integers
// that g makes are arguments.
func (x extent) given(g *flow.Func, st *flow.Step) extent {
	bs := g.Bindings(st)
	for _, b := range []*bound{&x.lo, &x.hi} {
		if !b.path.Known() {
			continue // a constant
		}
		if k, ok := parameter(b.path); ok && b.path.Sels == "" {
			n, ok := g.GivenAt(st.At, k)
			b.path, b.lost = g.Path(n.Path), b.lost || !ok || st.Body >= 0
			b.add += n.Add
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

// A rangeClimb follows what leads to an access up to the frames that start a recursion's
// goroutines.
type rangeClimb struct {
	a      *Analysis
	self   *recursion
	params rangeParams
	seen   map[pta.InstID]bool
	out    []extent // the parts that those have handed on
}

func (c *rangeClimb) up(i pta.InstID, cur *extent) bool {
	f := c.a.w.Flow(i)
	switch {
	case f == nil:
		return false
	case slices.Contains(c.self.tops, i):
		if cur == nil || cur.lo.lost || cur.hi.lost {
			return false // what starts the goroutine does it itself, or has no name for the part
		}
		c.out = append(c.out, c.params.closing(*cur))
		return true
	case c.seen[i]:
		return true // what recursion leads back to
	}
	c.seen[i] = true
	if f == c.self.f {
		if !c.wholeSlice(i) {
			return false
		}
		e := c.params.of(f)
		cur = &e
	}
	callers := c.a.in.Callers(i)
	return len(callers) > 0 && !slices.ContainsFunc(callers, func(s pta.Site) bool {
		g := c.a.w.Flow(s.Inst)
		if g == nil || len(g.StepsAt(s.At)) != 1 {
			return true
		}
		next := cur
		if cur != nil {
			e := cur.given(g, &g.Steps[g.StepsAt(s.At)[0]])
			next = &e
		}
		return !c.up(s.Inst, next)
	})
}

// wholeSlice is passesAll for all that leads to a frame of the function.
func (c *rangeClimb) wholeSlice(i pta.InstID) bool {
	if _, ok := parameter(c.params.slice); !ok {
		return true
	}
	w := &climb{a: c.a, tops: c.self.tops, seen: make(map[name]bool)}
	return w.up(i, c.params.slice, extent{}) && !slices.ContainsFunc(w.out, func(e extent) bool { return e.part })
}

// shows reports whether the code shows that an integer parameter of a function has a role: the
// function itself, or one that it hands the parameter to.
func (a *Analysis) shows(f *flow.Func, insts []pta.InstID, k int, r flow.Role, depth int) bool {
	if f.ShowsParam(k, r) {
		return true
	}
	if depth == maxHandedOn {
		return false
	}
	for s := range f.Steps {
		st := &f.Steps[s]
		for arg, p := range st.Args {
			if st.Kind != flow.Call || st.Body >= 0 || f.Path(p) != flow.ParamPath(k) {
				continue
			}
			for _, i := range insts {
				for _, c := range a.in.Callees(i, f, int32(s)) {
					if g := a.w.Flow(c); g != nil && g != f && a.shows(g, []pta.InstID{c}, arg, r, depth+1) {
						return true
					}
				}
			}
		}
	}
	return false
}

// maxHandedOn is how many calls an integer is followed down.
const maxHandedOn = 2

// strays reports whether an access shows that it goes to an element outside the part of the
// frame of the function that it is below. A helper may have been given the part as a slice, and
// what else it is told is taken to be within the part.
func (a *Analysis) strays(m *model.Access, x access, self *recursion, p rangeParams, slice []extent) bool {
	f := a.w.Flow(x.inst)
	sliced := slices.ContainsFunc(slice, func(e extent) bool { return e.part })
	if g, ok := f.RegionAt(x.at, a.w.Argument(m)); ok {
		return p.leftBy(f, &g, f == self.f, sliced)
	}
	return slices.ContainsFunc(f.Named, func(n flow.Named) bool {
		switch index := f.Path(n.Path); {
		case n.At != x.at:
			return false
		case !index.Known():
			return f == self.f || !sliced // always the same, or from the beginning
		case f != self.f:
			return false
		case index == flow.ParamPath(p.lo):
			return n.Add < 0
		case index == flow.ParamPath(p.hi):
			return n.Add > 0
		}
		return true
	})
}

// leftBy reports whether a region of the slice shows that it is not within the part: what is
// copied to a place, or from there, need not go up to its end. Only the function itself, own, is
// told the part by the parameters; what a helper is told is taken to be within it.
func (p rangeParams) leftBy(f *flow.Func, g *flow.Region, own, sliced bool) bool {
	if len(g.Parts) == 0 {
		return !sliced
	}
	s := g.Parts[len(g.Parts)-1]
	switch {
	case s.Low.Path == 0, s.High.Open && g.Alone, s.High.Path == 0 && !s.High.Open: // always the same
		return own || !sliced
	case !own:
		return false
	}
	last := int64(0)
	if p.closed {
		last = 1
	}
	return f.Path(s.Low.Path) == flow.ParamPath(p.lo) && s.Low.Add < 0 || f.Path(s.High.Path) == flow.ParamPath(p.hi) && s.High.Add > last
}
