package order

import (
	"go/token"
	"slices"
	"strings"

	"github.com/iterace/iterace/model/library"
	"github.com/iterace/iterace/pta"
	"github.com/iterace/iterace/pta/flow"
)

// This file is the rule for weighted semaphores (M): who has taken all of the
// weight knows that whoever had some before has given it back.

// acquiredAll is the rule on an edge on which the call at n's site is known to
// have returned no error.
func (a *Analysis) acquiredAll(n *op, x *class, crossed bool) bool {
	for s := range n.f.Steps {
		st := &n.f.Steps[s]
		if st.Site != n.site || st.Kind != flow.Sync || st.Op != library.OpSemAcquire || len(st.Args) == 0 {
			continue
		}
		m := *n
		m.means = nil // of another operand
		m.step, m.lib, m.kind, m.k, m.path, m.after = int32(s), st.Op, opOther, 0, n.f.Path(st.Args[0]), nil
		return a.wholeAwaits(&m, x, crossed)
	}
	return false
}

// succeeds reports whether an acquisition cannot fail, as it is passed a context that is never done, by itself or by
// who calls its function:
//
//	func run(ctx context.Context) error {
//		if err := sem.Acquire(ctx, all); err != nil {
//			return err
//		}
//
// If main calls that with context.Background(), it may look at what has been done whatever run returns. In doubt
// no context is done.
func (a *Analysis) succeeds(i pta.InstID, st *flow.Step) bool {
	if st.Certain || a.doubtful {
		return true
	}
	k := pta.Site{Inst: i, At: st.Site}
	v := a.sureGets[k] // each walk asks
	if v == unasked {
		f := a.w.Flow(i)
		v = answerOf(slices.ContainsFunc(st.Args, func(arg flow.PathID) bool { return a.neverDone(i, f.Path(arg), maxClimb) }))
		if a.sureGets == nil {
			a.sureGets = make(map[pta.Site]answer)
		}
		a.sureGets[k] = v
	}
	return v == yes
}

// neverDone reports whether a path of an instance is that of a context that is never done. What nobody outside can
// call is called as it is seen to be.
func (a *Analysis) neverDone(i pta.InstID, p flow.Path, calls int) bool {
	if at, made := p.Made(); made {
		return p.Sels == "" && slices.Contains(a.w.Flow(i).NeverDone, at)
	}
	f := a.w.Flow(i)
	if name := f.Name[strings.LastIndexByte(f.Name, '.')+1:]; token.IsExported(name) && !a.w.ScopeRuns() {
		return false
	}
	callers := a.in.Callers(i)
	return p.Sels == "" && calls > 0 && len(callers) > 0 && !slices.ContainsFunc(callers, func(c pta.Site) bool {
		j, q, ok := a.in.Up(i, c, p)
		return !ok || !a.neverDone(j, q, calls-1)
	})
}

// wholeAwaits reports whether acquisition n, which has succeeded, takes all of the
// weight, and x's thread gives its part of that back only when x is over. The part
// must have been taken before n, by who starts the thread: what a thread takes
// itself it may take after n.
func (a *Analysis) wholeAwaits(n *op, x *class, crossed bool) bool {
	locs, own, ok := a.chanOf(n, x, crossed)
	if !ok || !a.takesAll(n, locs) {
		return false
	}
	for _, r := range a.matching(locs, func(o *op) bool { return o.lib == library.OpSemRelease }) {
		if a.mustSame(n, r, locs, own) && a.over(x, r) && !a.repeated(r, x) && a.takenBefore(n, x, locs, own, crossed) {
			return true
		}
	}
	return false
}

// takenBefore reports whether some acquisition comes before n without being x's own
// thread's.
func (a *Analysis) takenBefore(n *op, x *class, locs []pta.Loc, own, crossed bool) bool {
	for _, o := range a.matching(locs, func(o *op) bool {
		return o.lib == library.OpSemAcquire || o.lib == library.OpSemTryAcquire
	}) {
		if o.inst == n.inst && o.site == n.site || !a.mustSame(n, o, locs, own) {
			continue
		}
		if !a.ownOp(x, o) && a.toldBefore(o, n, x, crossed) {
			return true
		}
	}
	return false
}

// takesAll reports whether n takes as much as each of the semaphores was made
// with.
func (a *Analysis) takesAll(n *op, locs []pta.Loc) bool {
	st := &n.f.Steps[n.step]
	for _, l := range locs {
		at := a.w.Object(l).Alloc
		if at.At < 0 || at.Inst < 0 {
			return false
		}
		f := a.w.Flow(at.Inst)
		if f == nil {
			return false
		}
		k := slices.IndexFunc(f.Steps, func(s flow.Step) bool { return s.Site == at.At && s.Op == library.OpSemNew })
		if k < 0 || !a.sameWeight(n.inst, n.f, st, at.Inst, f, &f.Steps[k]) {
			return false
		}
	}
	return len(locs) > 0
}

// sameWeight reports whether an acquisition takes the number that the semaphore
// was made with.
func (a *Analysis) sameWeight(i pta.InstID, f *flow.Func, take *flow.Step, j pta.InstID, g *flow.Func, made *flow.Step) bool {
	if made.HasConst || take.HasConst {
		return made.HasConst && take.HasConst && made.Const == take.Const
	}
	if len(take.Args) == 0 || len(made.Args) == 0 {
		return false
	}
	p, q := f.Path(take.Args[len(take.Args)-1]), g.Path(made.Args[0])
	if i == j && p.Known() && p == q && !p.Loads() {
		return true
	}
	ip, pp, okp := a.origin(i, p, 0)
	iq, qq, okq := a.origin(j, q, 0)
	return okp && okq && ip == iq && pp == qq
}
