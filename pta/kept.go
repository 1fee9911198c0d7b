package pta

import (
	"slices"

	"github.com/iterace/iterace/index"
	"github.com/iterace/iterace/internal/ssair"
)

// maxOnward bounds the instances looked at between a load and the loop.
const maxOnward = 2000

// Kept reports whether what a load of Main reads is not written from then until
// the loop is over that instruction next leads to. The load is from, or in what the
// call from runs, of the function of next: what that writes may come after the load. What
// other goroutines do to it meanwhile would be a race of its own.
func (v *View) Kept(load, from Site, next ssair.Instr) bool {
	if load.Inst >= v.ov.firstInst || from.Inst >= v.ov.firstInst || v.Written(load) {
		return false
	}
	if v.isSpawner(from.Inst) && v.LoopIndex() >= 0 && v.InRounds(from.At) {
		return true // a round of a loop around this one: Written has looked at it
	}
	g := v.aftermathOf(from)
	if g == nil || !g.has(from.Inst, next) {
		return false
	}
	t := v.res.baseTable()
	kept := true
	v.eachRead(load, func(loc int32) {
		v.ov.base.overlapping(loc, func(l int32) {
			t.at(l, false, nil, func(ref accRef, _ bool) {
				a := &v.ov.base.inst(ref.inst).fn.Accesses[ref.idx]
				switch {
				case !kept || !g.has(ref.inst, a.At):
				case a.Flags&FlagInit != 0 && ref.inst != from.Inst:
					// To an object that is made there (soundness: handed-on).
				default:
					kept = false
				}
			})
		})
	})
	return kept
}

// eachRead calls f for the base's locations that a load of Main reads.
func (v *View) eachRead(load Site, f func(loc int32)) {
	in := v.ov.base.inst(load.Inst)
	for k := range in.fn.Accesses {
		if a := &in.fn.Accesses[k]; a.At == load.At && a.Flags&FlagWrite == 0 {
			v.ov.base.locations(in, a, f)
		}
	}
}

// Born reports whether nothing in the program stores to what a load reads, of
// objects made as said, but what fills them there.
func (v *View) Born(load Site, birth index.Birth) bool {
	found, born := false, true
	v.everStored(load, func(c int32) bool {
		if o := v.ov.object(v.ov.ownerOf(c)); birth.At == ssair.NoInstr {
			born = born && o.kind == objAlloc
		} else if o.kind != objAlloc ||
			v.ov.inst(o.inst).fn.Name != birth.Maker || v.ov.inst(o.inst).fn.Allocs[o.alloc].At != birth.At {
			return false
		}
		if c >= v.ov.first {
			born = false // the base has not seen it, nor who writes it
			return false
		}
		found = true
		return true
	}, func(ref accRef) {
		f := v.ov.base.inst(ref.inst).fn
		born = born && f.Name == birth.Maker && slices.Contains(birth.Stores, f.Accesses[ref.idx].At)
	})
	return found && born
}

// maxFillers bounds the stores that Filled lists.
const maxFillers = 16

// Filled returns what stores to what a load reads, ever, in objects that the program has made; ok is false if
// that is much, or if the base has not seen all.
func (v *View) Filled(load Site) (stores []Site, ok bool) {
	ok = true
	v.everStored(load, func(c int32) bool {
		ok = ok && c < v.ov.first && v.ov.object(v.ov.ownerOf(c)).kind == objAlloc
		return ok
	}, func(ref accRef) {
		s := Site{ref.inst, v.ov.base.inst(ref.inst).fn.Accesses[ref.idx].At}
		if ok && !slices.Contains(stores, s) {
			stores = append(stores, s)
			ok = len(stores) <= maxFillers
		}
	})
	return stores, ok
}

// everStored visits the places that a load reads, by their canonical names, and what the program ever stores to
// those of them that are asked about.
func (v *View) everStored(load Site, ask func(c int32) bool, store func(ref accRef)) {
	t := v.res.baseTable()
	for _, in := range v.frames(load.Inst) {
		for k := range in.fn.Accesses {
			a := &in.fn.Accesses[k]
			if a.At != load.At || a.Flags&FlagWrite != 0 {
				continue
			}
			v.ov.locations(in, a, func(loc int32) {
				if c := v.canonical(loc); ask(c) {
					v.ov.base.overlapping(c, func(l int32) {
						t.at(l, false, nil, func(ref accRef, _ bool) { store(ref) })
					})
				}
			})
		}
	}
}

// An aftermath is what an instance runs after one of its instructions.
type aftermath struct {
	from  InstID
	spans []span          // of from itself
	whole map[InstID]bool // what that calls or spawns, or the instruction itself calls
}

func (o *aftermath) has(id InstID, at ssair.Instr) bool {
	return o.whole[id] || id == o.from && within(o.spans, at)
}

// aftermathOf returns what an instance runs after one of its instructions before
// it returns, and what that and the instruction call or spawn; nil if that is too much.
func (v *View) aftermathOf(s Site) *aftermath {
	if g, ok := v.onward[s]; ok {
		return g
	}
	if v.onward == nil {
		v.onward = make(map[Site]*aftermath)
	}
	in := v.ov.base.inst(s.Inst)
	spans, _ := after(in.fn, s.At)
	g := &aftermath{from: s.Inst, spans: spans, whole: make(map[InstID]bool)}
	var work []InstID
	enter := func(in *instance, keep func(*Call) bool) {
		for k := range in.fn.Calls {
			if !keep(&in.fn.Calls[k]) {
				continue
			}
			for _, e := range in.callees[k] {
				if !g.whole[e.callee] {
					g.whole[e.callee] = true
					work = append(work, e.callee)
				}
			}
		}
	}
	enter(in, func(c *Call) bool { return within(spans, c.At) || c.At == s.At || c.Mode == ModeDefer })
	for len(work) > 0 && len(g.whole) <= maxOnward {
		id := work[len(work)-1]
		work = work[:len(work)-1]
		enter(v.ov.base.inst(id), func(*Call) bool { return true })
	}
	if len(g.whole) > maxOnward {
		g = nil
	}
	v.onward[s] = g
	return g
}
