package disjoint

import (
	"slices"

	"github.com/iterace/iterace/index"
	"github.com/iterace/iterace/internal/ssair"
	"github.com/iterace/iterace/model"
	"github.com/iterace/iterace/pta"
)

// An oracle answers for one pair of chains.
type oracle struct {
	w    World
	a, b pta.Chain
	r    *model.Race
	// origins is set if the chains end at the loads of elements that gave the two
	// accesses their pointers.
	origins bool
	// races are those that are left of all when the stage begins.
	races raceTable
}

// sites returns where the loads are that index forms name by a chain of steps:
// at an instruction of a step of the two chains, or of a function called from
// there; nil if that is not known.
func (o *oracle) sites(chain []index.Step, at ssair.Instr) []pta.Site {
	var out []pta.Site
	for _, c := range []pta.Chain{o.a, o.b} {
		k := 0
		for k < len(chain) && k < len(c.Sites) && o.w.Index(c.Sites[k].Inst) == chain[k].Fn {
			k++
		}
		if k == 0 {
			continue
		}
		ids := []pta.InstID{c.Sites[k-1].Inst}
		for ; k < len(chain) && len(ids) > 0; k++ {
			if chain[k].Fn == nil {
				ids = nil // the other chain's, by way of a function without forms
				break
			}
			// A small callee, known by its name only.
			var next []pta.InstID
			for _, id := range ids {
				for _, callee := range o.w.Callees(id, chain[k-1].At) {
					if o.w.FuncName(callee) == chain[k].Fn.Name {
						next = append(next, callee)
					}
				}
			}
			ids = next
		}
		for _, id := range ids {
			out = append(out, pta.Site{Inst: id, At: at})
		}
	}
	return out
}

// every reports whether there are loads and all satisfy the predicate.
func every(sites []pta.Site, holds func(pta.Site) bool) bool {
	for _, s := range sites {
		if !holds(s) {
			return false
		}
	}
	return len(sites) > 0
}

// early reports whether a load may run before the loop, though one of the two chains has it: with two loops, the
// other one may come first. What keeps its value from then on is told by Kept; of what the other's goroutines
// load that is not known.
func (o *oracle) early(chain []index.Step, at ssair.Instr) bool {
	if !twoLoops(o.r) {
		return false
	}
	n := o.a.Spawn + 1
	if len(chain) <= n {
		return !o.Kept(chain, at)
	}
	return n >= len(o.a.Sites) || n < len(o.b.Sites) && o.w.Index(o.b.Sites[n].Inst) == chain[n].Fn || o.w.Index(o.a.Sites[n].Inst) != chain[n].Fn
}

func (o *oracle) Invariant(chain []index.Step, at ssair.Instr) bool {
	return !o.early(chain, at) && every(o.sites(chain, at), func(s pta.Site) bool {
		return !o.w.Written(s) && (!o.a.Made && o.r.B.Thread != model.Main || !o.w.WrittenBeside(s, o.a.Made))
	})
}

func (o *oracle) OneOrNil(chain []index.Step, at ssair.Instr) bool {
	return !twoLoops(o.r) && every(o.sites(chain, at), func(s pta.Site) bool {
		return !o.w.OtherStored(s) && (!o.a.Made && o.r.B.Thread != model.Main || !o.w.OtherBeside(s, o.a.Made))
	})
}

// Kept also knows of a load in a small callee, which runs where the chain's last function in common calls it.
func (o *oracle) Kept(chain []index.Step, at ssair.Instr) bool {
	n := 0
	for n < len(chain) && n <= o.a.Spawn && o.w.Index(o.a.Sites[n].Inst) == chain[n].Fn {
		n++
	}
	if n == 0 || o.a.Made {
		return false
	}
	s := o.a.Sites[n-1]
	from := pta.Site{Inst: s.Inst, At: at}
	if n == len(chain) {
		return o.w.Kept(from, from, s.At)
	}
	from.At = chain[n-1].At
	return every(o.sites(chain, at), func(load pta.Site) bool { return o.w.Kept(load, from, s.At) })
}

func (o *oracle) Makes(chain []index.Step, at ssair.Instr) bool {
	return every(o.sites(chain, at), o.w.Makes)
}

func (o *oracle) GivenApart(chain []index.Step, p, q index.Given) bool {
	return every(o.sites(chain, ssair.NoInstr), func(s pta.Site) bool { return o.w.GivenApart(s.Inst, p, q) })
}

func (o *oracle) Born(chain []index.Step, at ssair.Instr, b index.Birth) bool {
	return every(o.sites(chain, at), func(s pta.Site) bool { return o.w.Born(s, b) })
}

func (o *oracle) Filled(chain []index.Step, at ssair.Instr) (fn *index.Func, stores []ssair.Instr) {
	one := every(o.sites(chain, at), func(s pta.Site) bool {
		by, ok := o.w.Filled(s)
		return ok && every(by, func(s pta.Site) bool {
			if fn == nil {
				fn = o.w.Index(s.Inst)
			}
			if !slices.Contains(stores, s.At) {
				stores = append(stores, s.At)
			}
			return fn != nil && o.w.Index(s.Inst) == fn
		})
	})
	if !one {
		return nil, nil
	}
	slices.Sort(stores)
	return fn, stores
}

func (o *oracle) Fed(chain []index.Step, at ssair.Instr) (f index.Feed, ok bool) {
	var from pta.Feed
	for i, s := range o.sites(chain, at) {
		x, ok := o.w.Fed(s)
		if !ok || i > 0 && (x.Made != from.Made || len(x.Sender) != len(from.Sender) ||
			x.Sender[len(x.Sender)-1].At != from.Sender[len(from.Sender)-1].At) {
			return f, false
		}
		from = x
	}
	f.Made, f.Closed = from.Made, from.Closed
	for _, s := range from.Sender {
		f.Sender = append(f.Sender, index.Step{Fn: o.w.Index(s.Inst), At: s.At})
	}
	return f, len(f.Sender) > 0
}

func (o *oracle) Callee(chain []index.Step, at ssair.Instr) *index.Func {
	var one *index.Func
	for _, s := range o.sites(chain, at) {
		for _, c := range o.w.Callees(s.Inst, at) {
			fn := o.w.Index(c)
			if fn == nil || one != nil && one != fn {
				return nil
			}
			one = fn
		}
	}
	return one
}

func (o *oracle) OneRow() bool {
	if o.origins {
		return o.w.RowsOnce(o.a) && o.w.RowsOnce(o.b)
	}
	one := func(a *model.Access, c pta.Chain) bool {
		load, ok := o.w.RowLoad(c, a.Index)
		return ok && o.w.StoredOnce(load, o.r.Object)
	}
	return one(o.r.A, o.a) && one(o.r.B, o.b)
}

// Taken looks at all that writes what the load reads. That a lock keeps takes
// apart shows in that no race between them is left.
func (o *oracle) Taken(chain []index.Step, at, store ssair.Instr) index.Knowledge {
	if twoLoops(o.r) {
		return index.No
	}
	know := index.Yes
	sites := o.sites(chain, at)
	for _, s := range sites {
		fn := o.w.Index(s.Inst)
		how := fn.Takes(store)
		writers, ok := o.w.Writers(s)
		if !ok || how == "" {
			return index.No
		}
		ends := []code{{fn, at}}
		for _, w := range writers {
			by := o.w.Index(w.Inst)
			switch x := by.Takes(w.At); {
			case x == "":
				return index.No
			case x != how || x == index.TakeOther:
				know = index.Unknown
				if x != how && x != index.TakeOther && how != index.TakeOther {
					return index.No
				}
			}
			if !slices.Contains(ends, code{by, w.At}) {
				ends = append(ends, code{by, w.At})
			}
		}
		if o.races.between(ends) {
			return index.No
		}
	}
	if len(sites) == 0 || o.a.Made {
		return index.No // what the maker writes is no writer of the region
	}
	return know
}

// popped reports whether a chain ends at the load of an element that is then cut off
// its list, under a lock by which everybody else takes from the list or adds to it.
func (f *filter) popped(c pta.Chain) bool {
	return !c.Recv && !c.Round && f.poppedAt(c.Sites[len(c.Sites)-1])
}

// allPopped is poppedAt for each of some loads.
func (f *filter) allPopped(loads []pta.Site) bool {
	return !slices.ContainsFunc(loads, func(s pta.Site) bool { return !f.poppedAt(s) })
}

// poppedAt is popped for the load.
func (f *filter) poppedAt(s pta.Site) bool {
	fn := f.w.Index(s.Inst)
	load, ok := fn.Popped(s.At)
	if !ok {
		return false
	}
	writers, ok := f.w.Writers(pta.Site{Inst: s.Inst, At: load})
	ends := []code{{fn, load}}
	for _, w := range writers {
		by := code{f.w.Index(w.Inst), w.At}
		if !by.fn.TakesItems(w.At) {
			return false
		}
		if !slices.Contains(ends, by) {
			ends = append(ends, by)
		}
	}
	return ok && !f.races.between(ends)
}

// A code is an instruction of a function, whatever the context.
type code struct {
	fn *index.Func
	at ssair.Instr
}

// A raceTable holds which instructions race.
type raceTable map[[2]code]bool

func newRaceTable(w World, rs *model.RaceSet) raceTable {
	t := make(raceTable)
	of := func(a *model.Access) code { return code{w.Index(pta.InstID(a.Inst)), ssair.Instr(a.Instr)} }
	for _, r := range rs.Races {
		t[[2]code{of(r.A), of(r.B)}] = true
	}
	return t
}

// between reports whether two of some instructions race, or one with itself.
func (t raceTable) between(cs []code) bool {
	for _, a := range cs {
		for _, b := range cs {
			if a.fn == nil || t[[2]code{a, b}] {
				return true
			}
		}
	}
	return false
}

// OnlyAdds looks at all that writes a counter: additions of one sign, and assignments that are no part of the
// loop, nor beside it: another goroutine's would race with the additions, while what it sets by an atomic
// operation would not. The rest is not evidence of the contrary: who takes too many may give back what
// was too much, and who is the last may set the counter back for the next time.
func (o *oracle) OnlyAdds(chain []index.Step, at ssair.Instr) index.Knowledge {
	up, down := false, false
	add := func(s pta.Site) bool {
		x := o.w.Index(s.Inst).Changes(s.At)
		up, down = up || x.By > 0, down || x.By < 0
		return x.Known && !x.Set
	}
	all := every(o.sites(chain, at), func(s pta.Site) bool {
		c, ok := o.w.Changes(s)
		return ok && every(c.While, add) && every(c.Ever, func(s pta.Site) bool {
			return o.w.Index(s.Inst).Changes(s.At).Plain || add(s)
		})
	})
	if all && up != down {
		return index.Yes
	}
	return index.Unknown
}

// Least looks at what sets a counter, anywhere and at any time.
func (o *oracle) Least(chain []index.Step, at ssair.Instr) (least int64, ok bool) {
	ok = every(o.sites(chain, at), func(s pta.Site) bool {
		c, ok := o.w.Changes(s)
		return ok && every(c.Ever, func(s pta.Site) bool {
			x := o.w.Index(s.Inst).Changes(s.At)
			if x.Set {
				least = min(least, x.By)
			}
			return x.Known && (x.Set || x.By >= 0)
		})
	})
	return least, ok
}

func (o *oracle) Begins(chain []index.Step, at ssair.Instr) (fn *index.Func, set ssair.Instr) {
	ok := every(o.sites(chain, at), func(s pta.Site) bool {
		c, ok := o.w.Changes(s)
		return ok && every(c.Ever, func(s pta.Site) bool {
			by := o.w.Index(s.Inst)
			x := by.Changes(s.At)
			if !x.Set {
				return x.Known && x.By > 0
			}
			first := fn == nil
			if first {
				fn, set = by, s.At
			}
			return first || fn == by && set == s.At
		})
	})
	if !ok {
		return nil, ssair.NoInstr
	}
	return fn, set
}

func (o *oracle) UniqueItems([]index.Step, ssair.Instr) index.Knowledge { return index.Unknown }
func (o *oracle) Injective(f string) bool                               { return o.w.Injective(f) }
func (o *oracle) Rising(f string) bool                                  { return o.w.Rising(f) }
func (o *oracle) Indices(f string) int                                  { return o.w.Indices(f) }
