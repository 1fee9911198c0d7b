package locks

import (
	"slices"
	"strings"

	"github.com/iterace/iterace/internal/ssair"
	"github.com/iterace/iterace/pta"
	"github.com/iterace/iterace/pta/flow"
)

// This file follows lock and datum up the calls to a frame that names both. Most often it
// is the one that has locked. It is another one where that frame was given a function:
//
//	func (t *table) locked(f func()) { t.mu.Lock(); f(); t.mu.Unlock() }
//	func (t *table) count()          { t.locked(func() { t.n++ }) }
//
// What f has captured has a name only where f is made.

// A place names what is asked about in a frame: a path, or what a function has captured
// that the frame was given.
type place struct {
	path flow.Path // of the function, where it is what one has captured
	fn   string    // the function's name, if it is
	free flow.Path // and what is asked about in its frame
}

// lift names a place of instance i in the frame of a call that leads to i. It reports
// elsewhere if the call passes another function than the one that the place is about.
func (a *Analysis) lift(c pta.Site, i pta.InstID, at place) (up place, elsewhere, ok bool) {
	f := a.w.Flow(c.Inst)
	if p, ok := a.yielded(i, at.path); ok {
		at.path = p
	}
	if p, ok := f.UpAt(c.At, at.path.Loose()); ok { // an index is a value of the frame below
		at.path = p
	} else if fn := callee(f, c.At); at.fn != "" || !fn.Known() || !strings.HasPrefix(at.path.Root, "f") {
		return place{}, false, false
	} else {
		at = place{fn, a.w.Flow(i).Name, at.path}
	}
	made, direct := at.path.Made()
	if at.fn == "" || !direct || at.path.Sels != "" {
		return at, false, true
	}
	cl := f.ClosureAt(made)
	if cl == nil || cl.Fn != at.fn {
		return place{}, cl != nil, cl != nil
	}
	p, ok := f.UpCaptured(made, at.free.Loose())
	return place{path: p}, false, ok
}

// maxYields bounds the calls that yield what others yield.
const maxYields = 4

// yielded names what is selected from the result of a call by what the functions that are
// called return on all ways: c.table for c.get(), which makes a table where there is none. It
// returns p, and false, if p is no such. Loads lose their versions.
func (a *Analysis) yielded(i pta.InstID, p flow.Path) (flow.Path, bool) {
	return a.yieldedBy(i, p, maxYields)
}

func (a *Analysis) yieldedBy(i pta.InstID, p flow.Path, depth int) (flow.Path, bool) {
	at, ok := p.Made()
	f := a.w.Flow(i)
	if !ok || f == nil || depth == 0 {
		return p, false
	}
	call, k := f.ResultOf(at)
	steps := f.StepsAt(call)
	if len(steps) != 1 || f.Steps[steps[0]].Kind != flow.Call {
		return p, false
	}
	var out flow.Path
	for _, c := range a.in.Callees(i, f, steps[0]) {
		g := a.w.Flow(c)
		if g == nil {
			return p, false
		}
		q, _ := a.yieldedBy(c, g.Result(k), depth-1)
		up, ok := f.UpAt(call, q.Loose())
		if !ok || !q.Known() || out.Known() && up != out {
			return p, false
		}
		out = up
	}
	if !out.Known() {
		return p, false
	}
	out.Sels += p.Sels
	if q, ok := a.yieldedBy(i, out, depth-1); ok {
		out = q
	}
	return out, true
}

// anyOneOf reports whether the base of a lock and a datum, which is found at a distance from the lock, is some element
// of which the path does not say which.
func anyOneOf(lock flow.Path, d distance) bool {
	return strings.Contains(strings.TrimSuffix(lock.Unversioned().Sels, d.lock), "[c:]")
}

// alikeCalls reports whether two paths of a frame begin at results of calls that find the same: the same function is given
// the same arguments. Another key may have another shard.
func (a *Analysis) alikeCalls(i pta.InstID, p, q flow.Path) bool {
	return a.alikeResults(i, p, q, maxYields)
}

func (a *Analysis) alikeResults(i pta.InstID, p, q flow.Path, depth int) bool {
	if p.Root == q.Root {
		return true
	}
	f := a.w.Flow(i)
	at, of := p.Made()
	other, on := q.Made()
	if !of || !on || f == nil || depth == 0 {
		return false
	}
	at, k := f.ResultOf(at)
	other, l := f.ResultOf(other)
	xs, ys := f.StepsAt(at), f.StepsAt(other)
	if k != l || len(xs) != 1 || len(ys) != 1 {
		return false
	}
	x, y := &f.Steps[xs[0]], &f.Steps[ys[0]]
	if x.Kind != flow.Call || y.Kind != flow.Call || len(x.Args) != len(y.Args) || !slices.EqualFunc(a.in.Callees(i, f, xs[0]), a.in.Callees(i, f, ys[0]), a.sameFunc) {
		return false
	}
	for n := range x.Args {
		u, v := f.Path(x.Args[n]).Unversioned(), f.Path(y.Args[n]).Unversioned()
		if !u.Known() || !v.Known() || u.Sels != v.Sels || !a.alikeResults(i, u, v, depth-1) {
			return false
		}
	}
	return true
}

// callee is the path of the function that the call at an instruction runs.
func callee(f *flow.Func, at ssair.Instr) flow.Path {
	if f == nil || len(f.StepsAt(at)) == 0 {
		return flow.Path{}
	}
	return f.Callee(&f.Steps[f.StepsAt(at)[0]])
}

// A frameName is what is asked about in a frame.
type frameName struct {
	inst pta.InstID
	at   place
	lock flow.Path // where it is asked about, too
}

// maxUp bounds the callers of one function that are followed up, and maxFrames the
// frames on the way.
const (
	maxUp     = 16
	maxFrames = 6
)

// distanceVia follows the path of a datum up the calls that lead to the access,
// and from there up all calls.
func (a *Analysis) distanceVia(x side, p flow.Path, h *Held) (distance, bool) {
	i, at := pta.InstID(x.Inst), place{path: p}
	for k := len(x.calls) - 1; k >= 0 && !a.sameFunc(i, h.Acq.Inst); k-- {
		up, elsewhere, ok := a.lift(x.calls[k], i, at)
		if elsewhere || !ok {
			return distance{}, false
		}
		i, at = x.calls[k].Inst, up
	}
	key := distanceKey{frameName{inst: i, at: at}, h.Acq, h.Orig, a.reset(h)}
	if d, ok := a.distances[key]; ok {
		return d.distance, d.ok
	}
	out, _, ok := a.distanceUp(key.frameName, h, nil)
	a.distances[key] = knownDistance{out, ok}
	return out, ok
}

// A distanceKey is all that distanceUp's answer depends on.
type distanceKey struct {
	frameName
	acq   pta.Site
	orig  flow.Path
	reset bool
}

// A knownDistance is an answer of distanceUp.
type knownDistance struct {
	distance
	ok bool
}

// distanceUp follows a place up to the frame that acquired h, on all calls that lead to
// it, and further up with the lock, if that frame does not name both: all must
// agree. A call of a function by itself that passes the same on is as good as the call
// from outside; way has what is asked about already. None is true where no call leads
// to the place.
func (a *Analysis) distanceUp(n frameName, h *Held, way []frameName) (out distance, none, ok bool) {
	if !n.lock.Known() && a.sameFunc(n.inst, h.Acq.Inst) {
		n.lock = h.Orig
	}
	if n.lock.Known() && n.at.fn == "" {
		if q, ok := a.yielded(n.inst, n.at.path); ok && n.lock.Root != n.at.path.Root {
			n.at.path = q
		}
		if out, ok = between(n.lock, n.at.path); ok || !given(n.lock) || !given(n.at.path) {
			out.loose = out.loose && !a.steady(n, h, out)
			return out, false, ok
		}
	}
	callers := a.in.Callers(n.inst)
	if len(way) == maxFrames || len(callers) > maxUp {
		return distance{}, false, false
	}
	way, none = append(way, n), true
	for _, c := range callers {
		at, elsewhere, known := a.lift(c, n.inst, n.at)
		if elsewhere {
			continue
		}
		up := frameName{c.Inst, at, flow.Path{}}
		if known && n.lock.Known() {
			up.lock, known = a.w.Flow(c.Inst).UpAt(c.At, n.lock.Loose())
		}
		if !known {
			return distance{}, false, false
		}
		if slices.Contains(way, up) {
			continue
		}
		d, elsewhere, known := a.distanceUp(up, h, way)
		if elsewhere {
			continue
		}
		d.loose = d.loose || out.loose
		if out.loose = d.loose; !known || !none && d != out {
			return distance{}, false, false
		}
		out, none = d, false
	}
	return out, none, !none
}

// steady reports whether the base of lock h and a datum is found by the loads that have found
// the lock, in the frame that has acquired it, of pointers that are not set anew: it is one
// object whenever it is loaded (soundness: set-once).
func (a *Analysis) steady(n frameName, h *Held, d distance) bool {
	base := strings.TrimSuffix(h.Orig.Unversioned().Sels, d.lock)
	return n.lock == h.Orig && a.sameFunc(n.inst, h.Acq.Inst) && !strings.ContainsAny(base, "[#^") && !a.reset(h)
}

// given reports whether a path begins at what a frame gets from its caller.
func given(p flow.Path) bool { return p.Root != "" && (p.Root[0] == 'p' || p.Root[0] == 'f') }

// between relates a lock and a datum that one frame names. Their base is one object if
// it has the same name, loads and all; else it may have been loaded at another time.
func between(lock, datum flow.Path) (distance, bool) {
	l, d, ok := apart(lock.Unversioned(), datum.Unversioned())
	out := distance{lock: l, datum: d, fixed: fixed(l)}
	if m, e, _ := apart(lock, datum); m != l || e != d {
		out.loose = through(strings.TrimSuffix(lock.Unversioned().Sels, l))
	}
	return out, ok
}

// fixed reports whether all indices among some selectors are constants.
func fixed(sels string) bool {
	return strings.Count(sels, "[") == strings.Count(sels, "[c:") && !strings.Contains(sels, "[c:]")
}
