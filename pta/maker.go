package pta

import (
	"slices"

	"github.com/iterace/iterace/internal/bitset"
	"github.com/iterace/iterace/internal/ssair"
	"github.com/iterace/iterace/model"
)

// This file finds where a function was made that a thread has received, or taken out of a list, and runs, as nobody else does:
//
//	for i, x := range xs { tasks <- func() { out[i] = f(x) } }
//
// What two threads have is then what was made in two rounds of that loop.

// maxBelowMade bounds the calls between a function that was received and what it touches, and
// maxRunners the calls that may run it.
const (
	maxBelowMade = 4
	maxRunners   = 64
)

// FromMaker returns the chain to a site that begins where the function was made that the thread has received
// and runs, and by which alone it comes there; ok is false if it may have been sent twice, or made in several
// places, or not in the one run of a function that has made the object.
//
//	for i, x := range xs { tasks <- func() { out[i] = f(x) } }
func (v *View) FromMaker(t model.Thread, to Site, of *model.Object) (Chain, bool) {
	c, ok := v.FromMakers(t, to, of)
	obj, known := v.describedBase(of)
	return c, ok && known && v.ofOneRun(c.Sites[0].Inst, obj)
}

// FromMakers is FromMaker whichever runs of the function have made the functions that two threads have received, and the object.
func (v *View) FromMakers(t model.Thread, to Site, of *model.Object) (Chain, bool) {
	sites := []Site{to}
	for range maxBelowMade {
		callers := v.callersOn(t, sites[0].Inst)
		if made, taken, ok := v.madeBy(callers, sites[0].Inst, of); ok {
			return Chain{Sites: append([]Site{made}, sites...), Made: true, Once: v.inNoLoop(made), Taken: taken}, true
		}
		if len(callers) != 1 {
			break
		}
		sites = append(callers, sites...)
	}
	return Chain{}, false
}

// maxAbove bounds the calls above what makes a function, and the ways by which these lead there.
const maxAbove = 4

// FromCallers returns the chains by which calls lead to the beginning of one that FromMakers has found: what has made the
// function may have been given what that calls by who has called it.
func (v *View) FromCallers(c Chain) []Chain {
	out := []Chain{c}
	for range maxAbove {
		var next []Chain
		for _, x := range out {
			callers := v.Callers(x.Sites[0].Inst)
			if x.Spawn == c.Spawn {
				callers = v.givenBy(x, callers)
			}
			met := func(s Site) bool {
				return slices.ContainsFunc(x.Sites[:x.Spawn+1], func(y Site) bool { return y.Inst == s.Inst })
			}
			spawns := func(s Site) bool {
				return slices.ContainsFunc(v.ov.inst(s.Inst).fn.Spawns, func(sp Spawn) bool { return sp.At == s.At })
			}
			if len(callers) == 0 || slices.ContainsFunc(callers, met) || slices.ContainsFunc(callers, spawns) {
				next = append(next, x)
				continue
			}
			for _, s := range callers {
				y := x
				y.Sites = append([]Site{s}, x.Sites...)
				y.Spawn++
				next = append(next, y)
			}
		}
		if len(next) > maxAbove {
			break
		}
		out = next
	}
	return out
}

// givenBy returns those callers of the function that a chain begins in that may give it what the chain calls further down as
// what it was given.
func (v *View) givenBy(c Chain, callers []Site) []Site {
	for n := 1; n+1 < len(c.Sites); n++ {
		in := v.ov.inst(c.Sites[n].Inst)
		for k := range in.fn.Calls {
			call := &in.fn.Calls[k]
			if call.At != c.Sites[n].At || call.Kind != CallDynamic {
				continue
			}
			top, root, _ := v.loadedBy(c, n, call.Recv)
			if top >= 0 || root.Kind != RootParam {
				continue
			}
			var made []Site
			for _, e := range in.callees[k] {
				if at, ok := v.closureMade(e); ok && e.callee == c.Sites[n+1].Inst {
					made = append(made, at)
				} else if e.callee == c.Sites[n+1].Inst {
					return callers
				}
			}
			return slices.DeleteFunc(slices.Clone(callers), func(s Site) bool { return !v.mayGive(s, root.K, made) })
		}
	}
	return callers
}

// mayGive reports whether a call may pass one of some function literals, by where they are made, as an argument.
func (v *View) mayGive(s Site, arg int32, made []Site) bool {
	in := v.ov.base.inst(v.outer(s.Inst))
	for k := range in.fn.Calls {
		c := &in.fn.Calls[k]
		if c.At != s.At || c.Kind == CallInvoke || int(arg) >= len(c.Args) || c.Args[arg].Node == None {
			continue
		}
		return slices.ContainsFunc(made, func(m Site) bool { return v.holdsMade(in, c.Args[arg].Node, m) })
	}
	return true
}

// callersOn returns what calls an instance on a thread.
func (v *View) callersOn(t model.Thread, id InstID) (out []Site) {
	for _, c := range v.Callers(id) {
		if v.Thread(c.Inst) == t {
			out = append(out, c)
		}
	}
	return out
}

// inNoLoop reports whether what is made at a site of the base is made once in a run of its function.
func (v *View) inNoLoop(s Site) bool {
	return !slices.ContainsFunc(v.ov.base.inst(s.Inst).fn.Allocs, func(a Alloc) bool { return a.At == s.At && (a.InLoop || a.Loop >= 0) })
}

// madeBy returns where the function literal is made that an instance runs, if all that call it have received
// it, and it is sent once; or have taken it from a list into which it is put once, by the loads that are returned.
func (v *View) madeBy(callers []Site, id InstID, of *model.Object) (made Site, taken []Site, ok bool) {
	if len(callers) > maxRunners {
		return made, nil, false
	}
	some := false
	for _, c := range callers {
		in := v.ov.inst(c.Inst)
		for k := range in.fn.Calls {
			call := &in.fn.Calls[k]
			if call.At != c.At || !slices.ContainsFunc(in.callees[k], func(e edge) bool { return e.callee == id }) {
				continue
			}
			for _, e := range in.callees[k] {
				if e.callee != id {
					continue
				}
				at, known := v.closureMade(e)
				if !known || some && at != made {
					return made, nil, false
				}
				made, some = at, true
			}
			loads, ok := v.receives(in, c.Inst, call, of, made)
			if !ok {
				return made, nil, false
			}
			taken = append(taken, loads...)
		}
	}
	return made, taken, some && v.passedOnce(made)
}

// receives reports whether a call runs what was received from a channel, and is sent once, or what was taken from a list,
// by the loads that are returned, and is put there once; or what is kept so in an object of which that holds.
func (v *View) receives(in *instance, id InstID, call *Call, of *model.Object, made Site) (taken []Site, ok bool) {
	if call.Kind != CallDynamic || call.Through > 0 && !v.listedOnce(Site{Inst: id, At: call.Through - 1}, made) {
		return nil, false
	}
	return v.receivesAt(in, id, call.Recv, of, made, maxBelowMade)
}

// receivesAt is receives for what has a root in an instance.
func (v *View) receivesAt(in *instance, id InstID, root Root, of *model.Object, made Site, depth int) (taken []Site, ok bool) {
	switch root.Kind {
	case RootRecv:
		return nil, v.SentOnce(Site{Inst: id, At: root.At}, root.K, of)
	case RootElem:
		taken = []Site{{Inst: id, At: root.At}}
	case RootParam:
		callers := v.Callers(id)
		if depth == 0 || len(callers) == 0 || len(callers) > maxRunners {
			return nil, false
		}
		for _, s := range callers {
			loads, ok := v.receivesAt(v.ov.inst(s.Inst), s.Inst, v.argRoot(s, root.K), of, made, depth-1)
			if !ok {
				return nil, false
			}
			taken = append(taken, loads...)
		}
		return taken, true
	case RootResult:
		for k := range in.fn.Calls {
			if in.fn.Calls[k].At != root.At {
				continue
			}
			for _, e := range in.callees[k] {
				loads, known := v.Index(e.callee).Returns(int(root.K))
				if !known {
					return nil, false
				}
				for _, at := range loads {
					taken = append(taken, Site{Inst: e.callee, At: at})
				}
			}
		}
	}
	return taken, len(taken) > 0 && !slices.ContainsFunc(taken, func(s Site) bool { return !v.listedOnce(s, made) })
}

// listedOnce reports whether nothing that lies where a load finds it is put there twice, as far as the code shows, and what is
// made at a site by one instruction only (soundness: sent-once).
func (v *View) listedOnce(load, made Site) bool {
	base := v.ov.base
	ok, some := true, false
	var put []Site
	v.everStored(load, func(c int32) bool {
		if ok = ok && c < v.ov.first && v.ov.ownerOf(c) >= 0 && v.ov.object(v.ov.ownerOf(c)).kind == objAlloc; !ok {
			return false
		}
		base.overlapping(c, func(l int32) {
			for _, p := range base.storesTo(l) {
				if p.fact < 0 {
					ok = false
					continue
				}
				f := &base.inst(p.inst).fn.Facts[p.fact]
				ok, some = ok && !f.Again, true
				if s := (Site{Inst: p.inst, At: f.At}); v.namesMade(base.pts(p.src), made) && !slices.Contains(put, s) {
					put = append(put, s)
				}
			}
		})
		return false
	}, nil)
	return ok && some && len(put) <= 1
}

// passedOnce reports whether the function that makes a closure passes it on by one call at most, once each time.
func (v *View) passedOnce(made Site) bool {
	s := v.ov.base
	in := s.inst(made.Inst)
	last := ssair.NoInstr
	for k := range in.fn.Calls {
		c := &in.fn.Calls[k]
		passes := slices.ContainsFunc(c.Args, func(a Arg) bool { return a.Node != None && v.holdsMade(in, a.Node, made) })
		if !passes {
			continue
		}
		if last != ssair.NoInstr && c.At != last || in.fn.Index.InLoopWithout(c.At, made.At) {
			return false
		}
		last = c.At
	}
	return true
}

// holdsMade reports whether a node of an instance may hold what the instance makes at a site.
func (v *View) holdsMade(in *instance, n Node, made Site) bool {
	return v.namesMade(v.ov.base.pts(in.node(n)), made)
}

// namesMade reports whether a set of the base has what is made at a site.
func (v *View) namesMade(set *bitset.Set, made Site) bool {
	s := v.ov.base
	for l := range set.All() {
		if oid := s.ownerOf(l); oid >= 0 {
			if o := s.object(oid); o.kind == objAlloc && o.inst == made.Inst && s.inst(o.inst).fn.Allocs[o.alloc].At == made.At {
				return true
			}
		}
	}
	return false
}

// closureMade returns where the closure is made that an edge enters.
func (v *View) closureMade(e edge) (Site, bool) {
	if e.obj < 0 {
		return Site{}, false
	}
	s := v.ov.base
	oid := v.baseOf(v.ov.object(e.obj).loc)
	if oid < 0 || oid >= v.ov.firstObj || s.object(oid).kind != objAlloc {
		return Site{}, false
	}
	o := s.object(oid)
	return Site{Inst: o.inst, At: s.inst(o.inst).fn.Allocs[o.alloc].At}, true
}

// ofOneRun reports whether two uses of an object by what runs of a function have made are by what one
// run has made: there is one, or each makes the object, itself or by what it alone calls. What an iteration of another
// loop runs once, others run, too.
func (v *View) ofOneRun(id InstID, obj int32) bool {
	s := v.ov.base
	if s.inst(id).ctx.tag == tagMain && v.res.base.once(id) {
		return true
	}
	if obj < 0 || obj >= v.ov.firstObj || s.object(obj).kind != objAlloc {
		return false
	}
	maker := s.object(obj).inst
	for range maxHead {
		if maker == id {
			return true
		}
		callers := s.inst(maker).callers
		if len(callers) != 1 {
			return false
		}
		maker = callers[0].Inst
	}
	return false
}
