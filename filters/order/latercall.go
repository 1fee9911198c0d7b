package order

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/iterace/iterace/model"
	"github.com/iterace/iterace/pta"
	"github.com/iterace/iterace/pta/flow"
)

// This file is the rule for a method that is called again, with another object, while
// what an earlier call has started still runs:
//
//	d := newDecoder(f)
//	d.Start() // d.inputs = …; go func() { … d.inputs … }()
//	…
//	d = newDecoder(g)
//	d.Start()
//
// The goroutine of the first call has its object from there. What a later call does to
// its own is beside it, but not to the same one: if the call is not passed that
// object, or one that was made when the goroutine had been started.

// laterCall reports whether y comes, beside what x's goroutine does, only in calls that
// begin later and have another object than x.
func (a *Analysis) laterCall(r *model.Race, x, y access) bool {
	for _, t := range a.threadsOf(y.inst) {
		if !a.up[t] {
			return false // it may have been started first
		}
	}
	if a.cut != nil || a.touchesSeveral(x) || a.touchesSeveral(y) {
		return false
	}
	p := a.addr(y).Base()
	if _, given := parameter(p); !given {
		return false
	}
	x.birth = noSite
	c := a.classOf(x)
	a.solve(c)
	if a.givenOther(r, c.outward, y.inst, y, p, a.hasFromSpawn(x), nil, 0) {
		return true
	}
	routes, ok := a.routesOf(r, x)
	return ok && !slices.ContainsFunc(routes, func(ro *route) bool {
		return !a.givenOther(r, a.goingOn(c, ro), y.inst, y, p, true, ro, 0)
	})
}

// A route is a chain of calls by which the frame that starts a goroutine gets what the
// goroutine is given. Where two parts of one thing are started,
//
//	d.reader.start()
//	d.writer.start()
//
// the goroutine of the reader is beside what follows the first call only.
type route struct {
	spawn pta.Site
	by    map[pta.InstID]pta.Site // the calls, by the instance that they run
	top   pta.InstID              // the frame that makes the first of them
	path  flow.Path               // of what is passed, there
	key   string
}

// maxRoutes bounds the routes of one goroutine.
const maxRoutes = 8

// routesOf lists the routes by which x's goroutine may have been given the object of r;
// ok is false where there are too many, or none of any use.
func (a *Analysis) routesOf(r *model.Race, x access) (out []*route, ok bool) {
	var follow func(ro route, depth int) bool
	follow = func(ro route, depth int) bool {
		k, given := parameter(ro.path)
		if !given || depth > maxClimb {
			out = append(out, &ro)
			return len(ro.by) > 0 && len(out) <= maxRoutes
		}
		for _, c := range a.in.Callers(ro.top) {
			if a.in.IsSpawn(c) {
				return false
			}
			if !a.w.MayPassObject(c, k, r.Object) {
				continue
			}
			i, up, ok := a.in.Up(ro.top, c, ro.path)
			if !ok {
				return false
			}
			by := maps.Clone(ro.by)
			by[ro.top] = c
			if !follow(route{ro.spawn, by, i, up, fmt.Sprint(ro.key, c)}, depth+1) {
				return false
			}
		}
		return true
	}
	for _, t := range a.threadsOf(x.inst) {
		if !a.atSpawns(x.inst, t, a.addr(x).Base(), 0, func(pta.Site) bool { return true }, func(s pta.Site, j pta.InstID, p flow.Path) bool {
			return j == s.Inst && len(a.resetsOf(s)) == 0 && follow(route{s, map[pta.InstID]pta.Site{}, j, p, fmt.Sprint(s)}, 0)
		}) {
			return nil, false
		}
	}
	return out, len(out) > 0
}

// goingOn is all that may happen beside a class that was started by a route.
func (a *Analysis) goingOn(c *class, ro *route) *walk {
	if w := c.routes[ro.key]; w != nil {
		return w
	}
	w := a.newWalk()
	w.spawns, w.birth, w.leaves = true, c.birth, ro.by
	w.until(c).fromSpawn(ro.spawn)
	w.besideThread(a.threadsOf(ro.spawn.Inst)...).sharing(c).run()
	if c.routes == nil {
		c.routes = make(map[string]*walk)
	}
	c.routes[ro.key] = w
	return w
}

// anotherPart reports whether two paths of one frame lead to different fields of one struct.
func anotherPart(p, q flow.Path) bool {
	if p.Root != q.Root {
		return false
	}
	n := 0
	for n < len(p.Sels) && n < len(q.Sels) && p.Sels[n] == q.Sels[n] {
		n++
	}
	if n = strings.LastIndexByte(p.Sels[:n], '.'); n < 0 {
		return false
	}
	field := func(s string) (name string, inPlace bool) { // the first that may differ
		name, _, _ = strings.Cut(s[1:], ".")
		return name, !strings.ContainsAny(s, "~*[")
	}
	f, inP := field(p.Sels[n:])
	g, inQ := field(q.Sels[n:])
	return f != g && inP && inQ
}

// givenOther reports whether the frames of an instance in which a walk comes to an access
// or a call are entered by the walk, and given another object than that of a race at a
// path; where the walk's goroutine got its own by a route, another than that. Where it is
// new memory of an entered frame it is another one, if the object was there when the walk
// began.
func (a *Analysis) givenOther(r *model.Race, w *walk, i pta.InstID, at access, p flow.Path, before bool, ro *route, depth int) bool {
	f := a.w.Flow(i)
	if f == nil || !p.Known() || p.Loads() || depth > maxClimb || w.comesInFrame(at) {
		return false
	}
	if made, ok := p.Made(); ok {
		return before && (f.MakesMemory(made) || a.w.Makes(pta.Site{Inst: i, At: made}))
	}
	k, ok := parameter(p)
	if !ok {
		return false
	}
	for _, c := range a.in.Callers(i) {
		if a.in.IsSpawn(c) {
			return false
		}
		if !w.reaches(c.Inst, c.At) || !a.w.MayPassObject(c, k, r.Object) {
			continue
		}
		j, up, ok := a.in.Up(i, c, p)
		if ok && ro != nil && j == ro.top && anotherPart(up, ro.path) {
			continue
		}
		if !ok || !a.givenOther(r, w, j, access{inst: c.Inst, at: c.At}, up, before, ro, depth+1) {
			return false
		}
	}
	return true
}

// hasFromSpawn reports whether x gets at its object by what its goroutine is started
// with.
func (a *Analysis) hasFromSpawn(x access) bool {
	ts := a.threadsOf(x.inst)
	for _, t := range ts {
		if !a.atSpawns(x.inst, t, a.addr(x).Base(), 0, func(pta.Site) bool { return true }, func(pta.Site, pta.InstID, flow.Path) bool { return true }) {
			return false
		}
	}
	return len(ts) > 0
}
