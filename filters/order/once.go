package order

import (
	"slices"

	"github.com/iterace/iterace/model/library"
	"github.com/iterace/iterace/pta"
)

// onceAwaits is the rule for sync.Once (O): when Do returns, what the one body
// did is over.
func (a *Analysis) onceAwaits(n *op, x *class) bool {
	return slices.ContainsFunc(a.bodiesOfOnce(n), func(c pta.InstID) bool { return slices.Contains(x.onces, c) })
}

// bodiesOfOnce returns what the calls of Do on n's Once run.
func (a *Analysis) bodiesOfOnce(n *op) []pta.InstID {
	locs := a.operand(n.inst, n.site, 0)
	var out []pta.InstID
	for _, o := range a.matching(locs, func(o *op) bool { return o.lib == library.OpOnce }) {
		if o.inst == n.inst && o.site == n.site || a.mustSame(n, o, locs, false) {
			out = append(out, a.in.CalleesAt(o.inst, o.site)...)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// onlyBelow reports whether instance i is run by nothing but a call of c.
func (a *Analysis) onlyBelow(i, c pta.InstID) bool {
	seen := map[pta.InstID]bool{i: true}
	work := []pta.InstID{i}
	for len(work) > 0 {
		j := work[len(work)-1]
		work = work[:len(work)-1]
		if j == c {
			continue
		}
		callers := a.in.Callers(j)
		if len(callers) == 0 {
			return false
		}
		for _, s := range callers {
			if a.in.IsSpawn(s) {
				return false
			}
			if !seen[s.Inst] {
				seen[s.Inst] = true
				work = append(work, s.Inst)
			}
		}
	}
	return true
}

// onceOnly reports whether r happens at most once, in the body of a Once.
func (a *Analysis) onceOnly(r *op) bool {
	for _, o := range a.allOps {
		if o.lib != library.OpOnce {
			continue
		}
		for _, c := range a.in.CalleesAt(o.inst, o.site) {
			if a.onlyBelow(r.inst, c) {
				return true
			}
		}
	}
	return false
}
