package order

import (
	"slices"
	"strings"

	"github.com/iterace/iterace/filters/locks"
	"github.com/iterace/iterace/internal/ssair"
	"github.com/iterace/iterace/model/library"
	"github.com/iterace/iterace/pta"
	"github.com/iterace/iterace/pta/flow"
)

// This file is the rule for promises: an object with a channel that is closed
// when its other fields are set. Whoever fills the object closes its channel
// afterwards; whoever reads it has received from its channel before. There may
// be many such objects: to meet at the datum is to meet at the channel, since
// both are selected from one base. That the field with the channel is not set
// anew between is (soundness: stable-base); that no one else closes the channel
// follows from (soundness: closed-view), since a second close panics.
//
// A second close that comes no earlier, as that of a deferred function which looks whether
// the first was made, changes nothing; and what a function literal captures has been waited
// for if it was before the literal was made.
//
// Several functions may fill the object, or part of it, of which each closes the channel when it has
// done so: they see to it that one of them comes, or the second close panics.
//
// The receive may be one case of several of a select, in that case's body.
//
// A WaitGroup in the object does as well, if one Done is all that is ever waited
// for; and so does a Once, of which the body fills the object: whoever returns
// from Do finds it filled.

// A promise relates a channel and a datum by what is selected from their base.
type promise struct{ ch, datum string }

// A kept promise is an operation on the channel of one, and the calls that lead to it from
// the frame at hand, the innermost first.
type promiseOp struct {
	promise
	op    *op
	calls []pta.Site
}

// nilRoot is the root of the paths from nil.
const nilRoot = "c:nil"

// promiseDepth bounds the calls followed up from an access.
const promiseDepth = 4

// promised reports whether x happens before the channel of its object is
// closed, or in the body of its Once, and y after a receive from it or its Do.
func (a *Analysis) promised(x, y access) bool {
	px, py := a.addr(x), a.addr(y)
	if !px.Known() || !py.Known() {
		return false
	}
	closes := append(a.closedAfter(x.inst, x.at, px, promiseDepth), a.bodyOf(x.inst, px, promiseDepth)...)
	if len(closes) == 0 {
		return false
	}
	f, here, ok := a.gap(y.inst, y.at)
	if !ok {
		return false
	}
	if a.alsoCloses(y.inst, f, here, py, closes) {
		return true
	}
	rs := a.receivedBefore(y.inst, f, here, py, promiseDepth, false, waits)
	if rs.own && !a.makes(x.inst, px) || slices.ContainsFunc(rs.handed, func(s pta.Site) bool { return !a.comesBefore(x, px, s) }) {
		return false
	}
	return a.closedFor(rs.ops, closes, x, px)
}

// closedFor reports whether some receive is completed by none but a close of the same promise, or what closes it later than x.
func (a *Analysis) closedFor(receives, closes []promiseOp, x access, px flow.Path) bool {
	return slices.ContainsFunc(receives, func(r promiseOp) bool {
		return slices.ContainsFunc(closes, func(c promiseOp) bool {
			return r.promise == c.promise && a.onlyCloses(r.op, c, func(o *op) bool { return a.closesLater(x, px, r.promise, o) })
		})
	})
}

// alsoCloses reports whether a channel is closed on all ways to a gap by what closes it for some promises, too: that is one
// close, and what comes before it is over; or they have different objects, since a second one panics.
func (a *Analysis) alsoCloses(i pta.InstID, f *flow.Func, here flow.Gap, p flow.Path, closes []promiseOp) bool {
	if !slices.ContainsFunc(closes, func(c promiseOp) bool { return c.op.kind == opClose }) {
		return false
	}
	rs := a.receivedBefore(i, f, here, p, promiseDepth, false, func(o *op) bool { return o.kind == opClose && o.step >= 0 })
	return !rs.own && len(rs.handed) == 0 && slices.ContainsFunc(rs.ops, func(r promiseOp) bool {
		return slices.ContainsFunc(closes, func(c promiseOp) bool { return r.promise == c.promise && a.doneAt(r.op, c) })
	})
}

// comesBefore reports whether a site is in the function of x, each run of which makes the
// object at x's path, and x never comes after it.
func (a *Analysis) comesBefore(x access, px flow.Path, s pta.Site) bool {
	f, here, ok := a.gap(x.inst, x.at)
	return ok && a.w.Flow(s.Inst).Name == f.Name && !f.Reaches(f.GapOf(s.At), here, ssair.NoInstr, birthOf(f, px, x.at))
}

// closesLater reports whether a close may come after x in its frame, by a deferred
// function for instance, and never before it: of the channel by which x is promised.
func (a *Analysis) closesLater(x access, px flow.Path, pr promise, o *op) bool {
	f, here, ok := a.gap(x.inst, x.at)
	if !ok || o.kind != opClose || o.step < 0 {
		return false
	}
	for _, same := range a.allOps {
		if same.kind != opClose || same.step < 0 || same.f.Name != o.f.Name || same.site != o.site {
			continue
		}
		site, path, ok := a.closeIn(x.inst, same)
		if !ok {
			continue
		}
		q, ok := relate(path, px)
		for _, s := range f.StepsAt(site) {
			ok = ok && !f.Reaches(f.AfterStep(s), here, ssair.NoInstr, birthOf(f, px, x.at))
		}
		if ok && q == pr {
			return true
		}
	}
	return false
}

// birthOf returns the gap in which the object at a path is made, if that is the frame's and
// comes before an instruction: in another round it is another one.
func birthOf(f *flow.Func, p flow.Path, at ssair.Instr) flow.Gap {
	made, ok := p.Made()
	if ok && f.MakesMemory(made) && made < at {
		return f.GapOf(made)
	}
	return -1
}

// foundIn returns the last gap in which the frame determines its pointer to the object at a path, if that
// comes before an instruction: what is found in another round is another object, or the channel that is
// closed after the instruction would be closed a second time.
func foundIn(f *flow.Func, p flow.Path, at ssair.Instr) flow.Gap {
	on := p.Pointer().Defined()
	if len(on) == 0 || slices.Max(on) >= at {
		return -1
	}
	return f.GapOf(slices.Max(on))
}

// makes reports whether the object at a path is made by the function, or by what
// it calls.
func (a *Analysis) makes(i pta.InstID, p flow.Path) bool {
	at, ok := p.Made()
	return ok && (a.w.Flow(i).MakesMemory(at) || a.w.Makes(pta.Site{Inst: i, At: at}))
}

// closedTwice reports whether the channel of the object would be closed after x
// and after y: that panics, so they have different objects.
func (a *Analysis) closedTwice(x, y access) bool {
	px, py := a.addr(x), a.addr(y)
	if !px.Known() || !py.Known() {
		return false
	}
	ys := a.closedAfter(y.inst, y.at, py, promiseDepth)
	return len(ys) > 0 && closesBoth(a.closedAfter(x.inst, x.at, px, promiseDepth), ys)
}

// closesBoth reports whether there is a close among some operations and among others, of one promise.
func closesBoth(xs, ys []promiseOp) bool {
	return slices.ContainsFunc(xs, func(c promiseOp) bool {
		return c.op.kind == opClose && slices.ContainsFunc(ys, func(d promiseOp) bool { return d.op.kind == opClose && c.promise == d.promise })
	})
}

// closing reports whether an operation tells once and for all that something is
// done.
func closing(o *op) bool {
	return o.step >= 0 && (o.kind == opClose || o.lib == library.OpWGDone)
}

// waits reports whether an operation completes when another has told so.
func waits(o *op) bool {
	return o.kind == opRecv || o.step >= 0 && (o.lib == library.OpWGWait || o.lib == library.OpOnce)
}

// comesFirst reports whether an operation of f is over on every way to a gap. The case of a
// select is if the gap is reached through what stands in that case alone.
func comesFirst(o *op, f *flow.Func, here flow.Gap) bool {
	if o.step >= 0 {
		return !f.Reaches(f.Entry(), here, o.site, -1)
	}
	arm := o.after[0]
	blk := f.BlockOf(arm)
	if arm != f.First(blk) {
		return false // another case may have been taken
	}
	return f.Entries(blk) == 1 && (here == arm || !f.Reaches(f.Entry(), here, ssair.NoInstr, arm))
}

// bodyOf returns the Once values in the bodies of which alone an instance is run,
// with the promises in which the datum at path p takes part with them.
func (a *Analysis) bodyOf(i pta.InstID, p flow.Path, depth int) []promiseOp {
	callers := a.in.Callers(i)
	if depth == 0 || len(callers) == 0 {
		return nil
	}
	var out []promiseOp
	for k, c := range callers {
		if a.in.IsSpawn(c) {
			return nil
		}
		up, ok := a.w.Flow(c.Inst).UpAt(c.At, p)
		if !ok {
			return nil
		}
		var here []promiseOp
		for _, o := range a.allOps {
			if o.lib != library.OpOnce || o.inst != c.Inst || o.site != c.At {
				continue
			}
			if pr, ok := relate(o.path, up); ok {
				here = append(here, promiseOp{pr, o, nil})
			}
		}
		if len(here) == 0 {
			here = a.bodyOf(c.Inst, up, depth-1)
		}
		if k > 0 {
			here = slices.DeleteFunc(here, func(x promiseOp) bool {
				return !slices.ContainsFunc(out, func(y promiseOp) bool { return x.promise == y.promise })
			})
		}
		if out = here; len(out) == 0 {
			return nil
		}
	}
	return out
}

// onlyCloses reports whether all that can complete receive r is the close c,
// by whichever instance of its function, or another that comes late enough, too. Of what
// comes in from outside the view only the operations in view are known.
func (a *Analysis) onlyCloses(r *op, by promiseOp, late func(*op) bool) bool {
	c := by.op
	switch {
	case c.lib == library.OpOnce || r.lib == library.OpOnce:
		return c.lib == r.lib
	case (c.lib == library.OpWGDone) != (r.lib == library.OpWGWait):
		return false
	case c.lib == library.OpWGDone:
		return a.onlyDone(r, by)
	}
	inside := false
	for _, l := range slices.Concat(r.locs, c.locs) {
		inside = inside || !a.external(l)
		for _, o := range a.ops[l] {
			if isTell(o) && (o.kind != c.kind || !a.doneAt(o, by)) && !late(o) && !a.filledBefore(o, by.promise) {
				return false
			}
		}
	}
	return inside
}

// filledBefore reports whether who closes a channel by an operation has filled the promise
// itself before, or has set something else in the object (a result, where others set an error): one of several who may.
func (a *Analysis) filledBefore(o *op, pr promise) bool {
	if o.kind != opClose || o.step < 0 {
		return false
	}
	here := o.f.BeforeStep(o.step)
	return slices.ContainsFunc(a.w.Writes(o.inst), func(at ssair.Instr) bool {
		if q, ok := relate(o.path, o.f.Addr(at)); !ok || q.ch != pr.ch {
			return false
		}
		_, z, ok := a.gap(o.inst, at)
		return ok && (z == here || z == o.f.Entry() || !o.f.Reaches(o.f.Entry(), here, ssair.NoInstr, z))
	})
}

// doneAt reports whether an operation is that of a promise in some instance, and is done
// by the same calls only.
func (a *Analysis) doneAt(o *op, by promiseOp) bool {
	if o.f.Name != by.op.f.Name || o.site != by.op.site {
		return false
	}
	of := []pta.InstID{o.inst}
	for _, s := range by.calls {
		var above []pta.InstID
		for _, i := range of {
			for _, c := range a.in.Callers(i) {
				if f := a.w.Flow(c.Inst); f == nil || f.Name != a.w.Flow(s.Inst).Name || c.At != s.At {
					return false
				}
				above = append(above, c.Inst)
			}
		}
		slices.Sort(above)
		of = slices.Compact(above)
	}
	return len(of) > 0
}

// onlyDone is onlyCloses for a WaitGroup: it is told to wait for one, and that is
// the one. That it is told before anyone can wait is (soundness: told-before), unless that is left to who is done.
func (a *Analysis) onlyDone(r *op, by promiseOp) bool {
	inside, told := false, false
	for _, l := range slices.Concat(r.locs, by.op.locs) {
		inside = inside || !a.external(l)
		for _, o := range a.ops[l] {
			switch {
			case o.lib == library.OpWGWait:
			case o.lib == library.OpWGAdd && o.has && o.delta == 1 && o.f.Innermost(o.f.BlockOf(o.f.BeforeStep(o.step))) < 0:
				if a.addedBy(a.threadsOf(by.op.inst), o) {
					return false
				}
				told = true
			case o.lib == library.OpWGDone && a.doneAt(o, by):
			default:
				return false
			}
		}
	}
	return inside && told
}

// relate returns how a channel and the datum at path p are selected from a
// common base, if the datum is part of the base itself.
func relate(channel, p flow.Path) (promise, bool) {
	ch, datum, ok := locks.Apart(channel, p)
	if !ok || ch == "" || datum == "" || flow.Through(datum) {
		return promise{}, false
	}
	return promise{ch, datum}, true
}

// gap returns where in its function an instruction acts, if that is one place.
func (a *Analysis) gap(i pta.InstID, at ssair.Instr) (*flow.Func, flow.Gap, bool) {
	f := a.w.Flow(i)
	if f == nil {
		return nil, 0, false
	}
	gs := f.Gaps(at)
	if len(gs) != 1 {
		return nil, 0, false
	}
	return f, gs[0], true
}

// received is what is known to have been received when an object is used.
type received struct {
	ops []promiseOp
	// own is set if on some way the object is one that the thread has made
	// itself, and not another's: whoever comes first makes and fills the promise,
	// the others wait for it.
	own  bool
	only bool // on all ways
	// handed has where such an object was given to a function that is called later.
	handed []pta.Site
}

// receivedBefore lists the receives, or other operations by, that come before a gap on every way to it,
// and the promises in which the datum at path p takes part with them. What comes before a
// function literal is made comes before it is called.
func (a *Analysis) receivedBefore(i pta.InstID, f *flow.Func, here flow.Gap, p flow.Path, depth int, later bool, by func(*op) bool) received {
	if depth == 0 {
		return received{}
	}
	var out received
	for _, o := range a.allOps {
		if o.inst != i || !by(o) {
			continue
		}
		named := func(ch flow.Path) {
			if pr, ok := relate(ch, p); ok && comesFirst(o, f, here) {
				out.ops = append(out.ops, promiseOp{pr, o, nil})
			}
		}
		f.NamesOf(o.path, named)
		if ch, ok := a.givenBack(i, f, o.path); ok {
			named(ch)
		}
	}
	for _, c := range a.doneByCalls()[i] {
		if pr, ok := relate(c.path, p); ok && by(c.op) && !f.Reaches(f.Entry(), here, c.site(), -1) {
			out.ops = append(out.ops, promiseOp{pr, c.op, c.calls})
		}
	}
	for _, c := range a.toldByCalls()[i] {
		if pr, ok := relate(c.path, p); ok && by(c.op) && isTold(f, c.site(), c.told, here) {
			out.ops = append(out.ops, promiseOp{pr, c.op, c.calls})
		}
	}
	if len(out.ops) > 0 {
		return out
	}
	if ways := f.Merged(p); ways != nil {
		first := true
		for _, w := range ways {
			if w.Path.Root == nilRoot {
				continue // has no object
			}
			if a.makes(i, w.Path) && !flow.Through(w.Path.Sels) && !later {
				out.own = true
				continue
			}
			first = out.join(a.receivedBefore(i, f, w.At, w.Path, depth-1, later, by), first)
		}
		return out
	}
	first := true
	for _, c := range a.in.Callers(i) {
		var more received
		if g, at, ok := a.gap(c.Inst, c.At); ok {
			if up, ok := g.UpAt(c.At, p); !ok && strings.HasPrefix(p.Root, "f") {
				return a.receivedBeforeMade(f, p, depth, by)
			} else if ok {
				more = a.receivedBefore(c.Inst, g, at, up, depth-1, later, by)
				if later && len(more.ops) == 0 && a.makes(c.Inst, up) && !flow.Through(up.Sels) {
					more = received{own: true, only: true, handed: []pta.Site{c}}
				}
			}
		}
		first = out.join(more, first)
	}
	out.only = first && out.own
	return out
}

// givenBack returns the path of what a call yields, if that is selected from what is passed to it:
//
//	func (f *future) wait() <-chan struct{} { return f.done }
//
// That is a field of what is passed itself: what else is loaded on the way may be something else by then.
func (a *Analysis) givenBack(i pta.InstID, f *flow.Func, p flow.Path) (out flow.Path, ok bool) {
	at, made := p.Made()
	if !made {
		return out, false
	}
	call, k := f.ResultOf(at)
	for n, c := range a.in.CalleesAt(i, call) {
		g := a.w.Flow(c)
		if g == nil || k >= len(g.Returned) {
			return out, false
		}
		q := g.Path(g.Returned[k])
		up, known := f.UpAt(call, flow.Path{Root: q.Root})
		up.Sels += q.Sels + p.Sels
		if !known || q.Global() || flow.Derefs(q.Sels) > 1 || n > 0 && up != out {
			return out, false
		}
		out, ok = up, true
	}
	return out, ok
}

// receivedBeforeMade is receivedBefore for what a function literal has captured.
func (a *Analysis) receivedBeforeMade(f *flow.Func, p flow.Path, depth int, by func(*op) bool) received {
	k := strings.LastIndexByte(f.Name, '$')
	if k < 0 {
		return received{}
	}
	var out received
	first := true
	for _, j := range a.w.Named(f.Name[:k]) {
		g := a.w.Flow(j)
		if g == nil || !a.in.Runs(j) {
			continue
		}
		for n := range g.Closures {
			c := &g.Closures[n]
			if c.Fn != f.Name {
				continue
			}
			var more received
			if up, ok := g.UpCaptured(c.At, p); ok {
				more = a.receivedBefore(j, g, g.GapOf(c.At), up, depth-1, true, by)
			}
			first = out.join(more, first)
		}
	}
	out.only = first && out.own
	return out
}

// join leaves what is known on another way, too; first is set if there was none yet, but
// for those with an object of the thread's own, and is returned anew.
func (r *received) join(more received, first bool) bool {
	r.own = r.own || more.own
	r.handed = append(r.handed, more.handed...)
	if more.only {
		return first
	}
	if first {
		r.ops = more.ops
		return false
	}
	r.ops = slices.DeleteFunc(slices.Clone(r.ops), func(x promiseOp) bool {
		return !slices.ContainsFunc(more.ops, func(y promiseOp) bool { return x.promise == y.promise })
	})
	if len(r.ops) > 0 {
		r.ops = append(r.ops, more.ops...)
	}
	return false
}

// closedAfter lists the closes that come after an instruction on every way from
// it, and never before it, with the promises as receivedBefore does.
func (a *Analysis) closedAfter(i pta.InstID, at ssair.Instr, p flow.Path, depth int) []promiseOp {
	if depth == 0 {
		return nil
	}
	if out := a.closedIn(i, at, p); len(out) > 0 {
		return out
	}
	if c, up, ok := a.onlyCall(i, p); ok {
		return a.closedAfter(c.Inst, c.At, up, depth-1)
	}
	return nil
}

// onlyCall returns the only call of an instance, in its thread, and a path as it is there.
func (a *Analysis) onlyCall(i pta.InstID, p flow.Path) (c pta.Site, up flow.Path, ok bool) {
	cs := a.in.Callers(i)
	if len(cs) != 1 || a.in.IsSpawn(cs[0]) {
		return c, up, false
	}
	up, ok = a.w.Flow(cs[0].Inst).UpAt(cs[0].At, p)
	return cs[0], up, ok
}

// closedIn is closedAfter for what the frame itself closes.
func (a *Analysis) closedIn(i pta.InstID, at ssair.Instr, p flow.Path) (out []promiseOp) {
	f, here, ok := a.gap(i, at)
	if !ok {
		return nil
	}
	closed := func(o *op, site ssair.Instr, path flow.Path, calls []pta.Site) {
		pr, ok := relate(path, p)
		if !ok || site == at || f.Returns(here, site) {
			return // what the call at hand does itself may come before the access
		}
		birth := birthOf(f, p, at)
		if o.kind == opClose {
			birth = foundIn(f, p, at)
		}
		for _, s := range f.StepsAt(site) {
			ok = ok && !f.Reaches(f.AfterStep(s), here, ssair.NoInstr, birth)
		}
		if ok {
			out = append(out, promiseOp{pr, o, calls})
		}
	}
	for _, o := range a.allOps {
		if o.inst == i && closing(o) {
			closed(o, o.site, o.path, nil)
		}
	}
	for _, c := range a.doneByCalls()[i] {
		if closing(c.op) {
			closed(c.op, c.site(), c.path, c.calls)
		}
	}
	return out
}

// A callOp is an operation that whatever is called at a site does, on all its ways, with the
// name that the object has there.
type callOp struct {
	op    *op
	calls []pta.Site // that lead to it, the innermost first
	path  flow.Path
	told  flow.Outcome // with which alone the call says that it is done
}

// site is that of the outermost call.
func (c *callOp) site() ssair.Instr { return c.calls[len(c.calls)-1].At }

// maxDoneBelow bounds the calls between a call and the operation that it stands for.
const maxDoneBelow = 3

// doneByCalls lists, by instance, the closes and waits that its calls stand for. The body of
// a Once does something for the first who comes only: it does not count.
func (a *Analysis) doneByCalls() map[pta.InstID][]callOp {
	if a.callOps != nil {
		return a.callOps
	}
	a.callOps = make(map[pta.InstID][]callOp)
	var climb func(o *op, i pta.InstID, at ssair.Instr, p flow.Path, calls []pta.Site)
	climb = func(o *op, i pta.InstID, at ssair.Instr, p flow.Path, calls []pta.Site) {
		f := a.w.Flow(i)
		if !p.Known() || len(calls) == maxDoneBelow || f.Returns(f.Entry(), at) {
			return
		}
		for _, c := range a.in.Callers(i) {
			if x, ok := a.doneByCall(o, i, c, p, calls); ok {
				a.callOps[c.Inst] = append(a.callOps[c.Inst], x)
				climb(x.op, c.Inst, c.At, x.path, x.calls)
			}
		}
	}
	for _, o := range a.allOps {
		if o.step >= 0 && (closing(o) || waits(o)) {
			climb(o, o.inst, o.site, o.path, nil)
		}
	}
	return a.callOps
}

// doneByCall returns an operation, to which some calls lead from instance i, and which has a path there, as it is done by a call of that.
func (a *Analysis) doneByCall(o *op, i pta.InstID, c pta.Site, p flow.Path, calls []pta.Site) (callOp, bool) {
	g := a.w.Flow(c.Inst)
	if g == nil || c.Inst == i || a.in.IsSpawn(c) {
		return callOp{}, false
	}
	above := append(slices.Clip(calls), c)
	o, ok := a.inAllCopies(o, above)
	if !ok || slices.ContainsFunc(g.StepsAt(c.At), func(k int32) bool { return g.Steps[k].Op == library.OpOnce }) {
		return callOp{}, false
	}
	up, ok := g.UpAt(c.At, p.Loose())
	return callOp{op: o, calls: above, path: up}, ok
}

// toldByCalls lists, by instance, the receives that its calls have made if they return an outcome:
//
//	func (f *future) wait(ctx context.Context) error {
//		select {
//		case <-f.done:
//			return f.err
//		case <-ctx.Done():
//			return ctx.Err()
//		}
//	}
func (a *Analysis) toldByCalls() map[pta.InstID][]callOp {
	if a.toldOps != nil {
		return a.toldOps
	}
	a.toldOps = make(map[pta.InstID][]callOp)
	for _, o := range a.allOps {
		if o.kind != opRecv || !o.path.Known() {
			continue
		}
		for _, told := range []flow.Outcome{flow.Zero, flow.NonZero} {
			if !returnsOnce(o, told) {
				continue
			}
			for _, c := range a.in.Callers(o.inst) {
				if x, ok := a.doneByCall(o, o.inst, c, o.path, nil); ok {
					x.told = told
					a.toldOps[c.Inst] = append(a.toldOps[c.Inst], x)
				}
			}
		}
	}
	return a.toldOps
}

// returnsOnce reports whether a function returns an outcome, and does so only when it has done an operation.
func returnsOnce(o *op, told flow.Outcome) bool {
	some := false
	for b := range o.f.Blocks {
		blk := &o.f.Blocks[b]
		if !blk.Exit || blk.Outcome != flow.AnyOutcome && blk.Outcome != told {
			continue
		}
		if !comesFirst(o, o.f, o.f.Last(int32(b))) {
			return false
		}
		some = true
	}
	return some
}

// isTold reports whether control comes to a gap only where a call has returned an outcome.
func isTold(f *flow.Func, call ssair.Instr, told flow.Outcome, here flow.Gap) bool {
	steps := f.StepsAt(call)
	if len(steps) == 1 && f.Demanded(steps[0]) == told {
		return !f.Reaches(f.Entry(), here, call, -1)
	}
	for b := range f.Blocks {
		for _, e := range f.Blocks[b].Succs {
			if e.Dead || !slices.ContainsFunc(e.Events, func(ev flow.Event) bool {
				return ev.Kind == flow.Returned && ev.Site == call && flow.Outcome(ev.Const) == told
			}) {
				continue
			}
			if arm := f.First(e.To); f.Entries(e.To) == 1 && (here == arm || !f.Reaches(f.Entry(), here, ssair.NoInstr, arm)) {
				return true
			}
		}
	}
	return false
}

// inAllCopies returns operation o, to which calls lead, as it is done by all instances that the
// outermost call runs: on the objects of all of them. They must be of one function, as those are
// that are told apart for the copies of a loop's body.
func (a *Analysis) inAllCopies(o *op, calls []pta.Site) (*op, bool) {
	of := []pta.InstID{calls[len(calls)-1].Inst}
	for k := len(calls) - 1; k >= 0; k-- {
		self := o.inst
		if k > 0 {
			self = calls[k-1].Inst
		}
		var below []pta.InstID
		for _, i := range of {
			for _, c := range a.in.CalleesAt(i, calls[k].At) {
				if a.w.Flow(c) != a.w.Flow(self) {
					return nil, false
				}
				below = append(below, c)
			}
		}
		slices.Sort(below)
		of = slices.Compact(below)
	}
	if len(of) == 1 {
		return o, true
	}
	all := *o
	all.locs = slices.Clone(o.locs)
	for _, i := range of {
		all.locs = append(all.locs, a.operand(i, o.site, o.k)...)
	}
	slices.Sort(all.locs)
	all.locs = slices.Compact(all.locs)
	return &all, true
}

// closeIn returns the site in the frame of instance i at which o happens, in it
// or in a function that does it, and the channel's name there.
func (a *Analysis) closeIn(i pta.InstID, o *op) (ssair.Instr, flow.Path, bool) {
	if o.inst == i {
		return o.site, o.path, true
	}
	cs := a.in.Callers(o.inst)
	if len(cs) != 1 || cs[0].Inst != i || a.in.IsSpawn(cs[0]) {
		return 0, flow.Path{}, false
	}
	f := a.w.Flow(i)
	for _, k := range f.StepsAt(cs[0].At) {
		if f.Steps[k].Op == library.OpOnce {
			return 0, flow.Path{}, false
		}
	}
	p, ok := f.UpAt(cs[0].At, o.path.Loose())
	return cs[0].At, p, ok
}
