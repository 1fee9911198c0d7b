package pta

import (
	"slices"

	"github.com/iterace/iterace/model"
)

// This file is about what the spawner itself does in a round of its loop. The body
// of the loop is lowered twice, and what the two copies call is told apart where it
// makes something for them: the first copy stands for the round that starts alpha, the
// second for any other. So what only the first copy runs belongs to alpha's round,
// and what any other round does to the same memory is there once more, in the second.

// maxRound bounds the instances that are looked at for one question.
const maxRound = 64

// AlphasRound lists where the spawner does what an access of Main is part of, the
// access itself or calls that lead to it, if that is in the round of its loop that
// starts alpha and nowhere else.
func (v *View) AlphasRound(a *model.Access) (at []Site, ok bool) {
	pl := v.res.base.loops[v.loop]
	if pl.split < 0 || a.Index < 0 {
		return nil, false
	}
	acc, id := v.accessOf(a), InstID(a.Inst)
	if v.spawns(id) {
		return []Site{{v.outer(id), acc.At}}, acc.Loop == pl.split && acc.Side == tagA
	}
	if r, ok := v.rounds[id]; ok {
		return r, len(r) > 0
	}
	if v.rounds == nil {
		v.rounds = make(map[InstID][]Site)
	}
	at = v.calledInRound(id)
	v.rounds[id] = at
	return at, len(at) > 0
}

// spawns reports whether an instance is one of the spawner, in the base or run again.
func (v *View) spawns(id InstID) bool {
	return v.ov.isSpawner(id) || v.ov.inst(id).spawner != nil
}

// RoundLoop returns the index of the loop whose rounds start the iterations among the
// natural loops of the spawner's function, -1 for a single spawn. LoopIndex is that of the one
// around it whose rounds overlap, too.
func (v *View) RoundLoop() int {
	pl := v.res.base.loops[v.loop]
	if pl.split < 0 {
		return -1
	}
	return int(pl.fn.Splits[pl.split].Loop)
}

// calledInRound lists the calls of the spawner that lead to an instance, or none if
// something else than the first copy of the loop's body does.
func (v *View) calledInRound(id InstID) (at []Site) {
	pl := v.res.base.loops[v.loop]
	seen := []InstID{id}
	for i := 0; i < len(seen); i++ {
		callers := v.ov.inst(seen[i]).callers
		if len(callers) == 0 || len(seen) > maxRound {
			return nil
		}
		for _, c := range callers {
			if !v.inScope(v.outer(c.Inst)) {
				continue
			}
			in := v.ov.inst(c.Inst)
			starts := v.spawns(c.Inst)
			for k := range in.fn.Calls {
				call := &in.fn.Calls[k]
				if call.At != c.At || !slices.ContainsFunc(in.callees[k], func(e edge) bool { return e.callee == seen[i] }) {
					continue
				}
				if call.Mode != ModePlain || starts && (call.Loop != pl.split || call.Side != tagA) {
					return nil
				}
			}
			if s := (Site{v.outer(c.Inst), c.At}); !starts {
				if !slices.Contains(seen, c.Inst) {
					seen = append(seen, c.Inst)
				}
			} else if !slices.Contains(at, s) {
				at = append(at, s)
			}
		}
	}
	return at
}
