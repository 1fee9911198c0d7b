package order

import (
	"slices"

	"github.com/iterace/iterace/internal/idset"
	"github.com/iterace/iterace/internal/ssair"
	"github.com/iterace/iterace/model"
	"github.com/iterace/iterace/pta"
	"github.com/iterace/iterace/pta/flow"
)

// This file finds races that are certain although the pointers of both accesses may lead
// to several objects: what the code does with one of them it does with that of the other,
//
//	func poll(c *client) { // called for many
//		go func() { c.n++ }()
//		c.n++
//	}
//
// since both have it from one value of a frame, or one is passed the same variable as the
// other.

// oneObject reports whether both accesses of a race have their pointer from one value of
// a frame, in one run of it, the other one by a call that may happen beside the iteration's.
func (a *Analysis) oneObject(r *model.Race) bool {
	mine, theirs := a.originsOf(r.A), a.originsOf(r.B)
	return slices.ContainsFunc(theirs, func(o origin) bool {
		return slices.ContainsFunc(mine, func(m origin) bool { return m.value == o.value && a.inRun(m, o) }) &&
			(o.call == noSite || a.overlap(r, a.accessOf(r.A), accessAt(o.call)).overlap)
	})
}

// ofOneValue is what oneObject asks first, without walks.
func (a *Analysis) ofOneValue(r *model.Race) bool {
	mine := a.originsOf(r.A)
	return len(mine) > 0 && slices.ContainsFunc(a.originsOf(r.B), func(o origin) bool {
		return slices.ContainsFunc(mine, func(m origin) bool { return m.value == o.value })
	})
}

// originsOf is origins of the pointer by which an access goes to its object, listed once.
func (a *Analysis) originsOf(x *model.Access) []origin {
	s := a.accessOf(x).touch()
	out, ok := a.sources[s]
	if !ok {
		if a.sources == nil {
			a.sources = make(map[touch][]origin)
		}
		out = a.origins(s.Inst, s.At, a.pointerOf(x))
		a.sources[s] = out
	}
	return out
}

// inRun reports whether one run of the frame that has the value of two origins comes from where
// it leads to the first access on to where it leads to the second one, or the other way round if that
// is in a goroutine, too. Another run has another value:
//
//	func (c *conn) open(s *session) { // called again for the next one
//		s.n = 1
//		go func() { s.n++ }()
//	}
func (a *Analysis) inRun(m, o origin) bool {
	if m.inst == noThread || m.at == ssair.NoInstr || o.at == ssair.NoInstr {
		return true
	}
	leads := func(m, o origin) bool {
		w := a.newWalk()
		w.within = m.inst
		return m.spawned && w.fromSite(pta.Site{Inst: m.inst, At: m.at}).run().reaches(o.inst, o.at)
	}
	return leads(m, o) || leads(o, m)
}

// placeChanges reports whether what the pointers of both accesses are read from may be written
// once the iteration's thread is there: then one may have been read before, and one after that.
//
//	func (c *client) reconnect() {
//		c.conn = dial()
//		c.conn.n = 1 // another one than the goroutine has that the first call has started
//		go func() { c.conn.n++ }()
//	}
func (a *Analysis) placeChanges(r *model.Race) bool {
	l := pta.Loc(r.Place - 1)
	stores, ok := a.w.StoresTo(l)
	if !ok {
		return true
	}
	l = a.w.Object(l).Canon
	x := pta.InstID(r.A.Inst)
	beside := a.alongside(x)
	fns := make(map[*flow.Func][]ssair.Instr)
	for _, s := range stores {
		if f := a.w.Flow(s.Inst); f != nil {
			fns[f] = append(fns[f], s.At)
		}
	}
	for _, i := range a.in.Instances() {
		for _, at := range fns[a.w.Flow(i)] {
			if slices.Contains(a.w.Stored(pta.Site{Inst: i, At: at}), l) && (a.w.Thread(i) != model.Main || beside.reaches(i, at)) {
				return true
			}
		}
	}
	return false
}

// A value is a path in a frame, or anywhere if it is that of a package variable.
type value struct {
	inst pta.InstID
	path flow.Path
}

// An origin is a value that an access has its pointer from, and the first call of the
// access's own goroutine by which it is passed down; noSite if there is none.
type origin struct {
	value
	call    pta.Site
	at      ssair.Instr // where the frame passes it down, or the access itself; NoInstr if others do
	spawned bool        // it is passed to a goroutine on the way
}

// maxOrigins bounds the values that are looked at for one access.
const maxOrigins = 64

// origins lists the values that are passed down to a frame as a path of it, the nearest
// first. One that means another thing in each round of a loop is none.
func (a *Analysis) origins(i pta.InstID, at ssair.Instr, p flow.Path) []origin {
	if !p.Known() {
		return nil
	}
	out := []origin{{value{i, p}, noSite, at, false}}
	for k := 0; k < len(out) && len(out) < maxOrigins; k++ {
		o := out[k]
		for _, c := range a.in.Callers(o.inst) {
			j, up, ok := a.in.Up(o.inst, c, o.path)
			if !ok {
				continue
			}
			first, spawned := c, o.spawned
			if a.in.IsSpawn(c) {
				first, spawned = o.call, true
			}
			at := c.At
			if j != c.Inst {
				at = ssair.NoInstr // a literal that j has made, and somebody else calls
			}
			if n := (origin{value{j, up}, first, at, spawned}); !slices.Contains(out, n) {
				out = append(out, n)
			}
		}
	}
	for k := range out {
		if out[k].path.Global() {
			out[k].inst = noThread
		}
	}
	return slices.DeleteFunc(out, func(o origin) bool {
		return o.inst != noThread && !(a.starting(o.inst) && a.steady(o.inst, o.path))
	})
}

// starting reports whether instance i starts iterations, or calls what does: one run of it
// is beside the other access. (What an iteration and others call is run anew by each.)
func (a *Analysis) starting(i pta.InstID) bool {
	if a.spawners == nil {
		a.spawners = new(idset.Set[pta.InstID])
		var work []pta.InstID
		for _, s := range a.spawns {
			work = append(work, s.Inst)
		}
		a.callersBy(a.spawners, work, func(s pta.Site) bool { return !a.in.IsSpawn(s) })
	}
	return a.spawners.Has(i) && a.byMain(i)
}

// pointerOf is the path of the pointer by which an access goes to its object.
func (a *Analysis) pointerOf(x *model.Access) flow.Path { return a.addr(a.accessOf(x)).Pointer() }

// steady reports whether a path means the same in all rounds of the loops of a frame.
func (a *Analysis) steady(i pta.InstID, p flow.Path) bool {
	f := a.w.Flow(i)
	return f != nil && !slices.ContainsFunc(p.Defined(), func(at ssair.Instr) bool { return f.Innermost(f.Block(at)) >= 0 })
}
