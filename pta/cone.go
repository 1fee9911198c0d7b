package pta

import (
	"fmt"

	"github.com/iterace/iterace/internal/bitset"
	"github.com/iterace/iterace/model"
)

// maxCone is the number of instances that the overlay of a loop may have for
// each side, by the base's count. A body that reaches more is looked at
// a few calls deep: as far as its accesses count (MaxNear). What is deeper is
// graded assumed: there every pair rests on more than the analysis knows
// (soundness: deep-cone). That code is not entered, then, but what it returns and
// stores is as the base has it, see below.go. Single objects, and where
// locking lapses, are looked at however deep they are, see single.go and lapse.go.
//
// It was 2000. Of thirteen modules 200 leaves all definite race sets but one, which
// was false, and two thirds of the likely ones; of those that it leaves out, read one
// by one, nearly all were false, too: encoders, messages and buffers of a connection
// or a request, far below what serves it. A site generator takes 41 and not 74 s of CPU.
const maxCone = 200

// maxOverlay is the number of instances at which an overlay is given up and its loop
// is taken for one that reaches too much: where the base has one instance for both
// sides, or for what the overlay tells apart, its count says little. Three loops of
// the key-value store's tests had 16 thousand for 4 thousand of the base, and took a fifth
// of the time of 186 loops.
const maxOverlay = 4 * maxCone

// coneLevels is how many levels of calls of such a loop are entered.
const coneLevels = MaxNear + 1

// tooLarge reports whether the overlay has too many instances. That is for the first
// round to find out: in the second, loops ask for each other's cones.
func (ov *overlay) tooLarge() bool {
	return ov.cut == nil && ov.writes == nil && len(ov.insts) > maxOverlay
}

// A cone is what a loop's overlay enters.
type cone struct {
	cut   map[FuncID]bool // functions that are not entered; nil if all are
	depth int             // the number of calls that are followed

	lapses  *bitset.Set     // where locking lapses
	singles *bitset.Set     // of single objects
	through map[FuncID]bool // functions that are entered on one way there only
}

// findCones finds the cones of all loops: each asks for those of others.
func (r *baseResult) findCones() {
	r.cones = make([]cone, len(r.loops))
	for i := range r.loops {
		r.cones[i] = r.coneOf(i, false)
	}
}

// coneOf returns the cone of a loop; with large it is known to reach too much.
func (r *baseResult) coneOf(loop int, large bool) (c cone) {
	total := 0
	for id := range r.reach {
		if r.reach[id].Has(int32(loop)) {
			total++
		}
	}
	if total <= 2*maxCone && !large {
		return c
	}
	seen := make(map[InstID]bool)
	entered := make(map[FuncID]bool)
	var level []InstID
	add := func(id InstID) {
		if !seen[id] && r.reaches(id, loop) {
			seen[id] = true
			level = append(level, id)
		}
	}
	r.bodies(loop, add)
	for len(level) > 0 && len(seen) <= 2*maxCone && c.depth < coneLevels {
		this := level
		level = nil
		c.depth++
		for _, id := range this {
			in := r.s.insts[id]
			entered[in.fn.ID] = true
			for k := range in.fn.Calls {
				for _, e := range in.callees[k] {
					add(e.callee)
				}
			}
		}
	}
	r.enterTo(loop, r.deepUses(loop, entered), entered)
	depths := r.callDepths(loop)
	var uses []InstID
	c.lapses, uses = r.lapsesOf(loop, depths)
	var more []InstID
	c.singles, more = r.singlesOf(loop, depths)
	c.through = r.waysTo(append(uses, more...), depths)
	for fn := range entered {
		delete(c.through, fn)
	}
	c.cut = make(map[FuncID]bool)
	for id := range r.reach {
		if fn := r.s.insts[id].fn.ID; r.reach[id].Has(int32(loop)) && !entered[fn] && !c.through[fn] {
			c.cut[fn] = true
		}
	}
	return c
}

// deepUses lists what iterations run that touches a variable of the spawner, and
// is not entered: what closures do to the variables that they have captured counts
// however deep it is that somebody calls them.
func (r *baseResult) deepUses(loop int, entered map[FuncID]bool) []InstID {
	vars := new(bitset.Set)
	for _, id := range r.loops[loop].spawners {
		in := r.s.insts[id]
		for k, oid := range in.objs {
			if a := &in.fn.Allocs[k]; oid >= 0 && a.isVariable() {
				o := r.s.object(oid)
				for l := o.loc; l < o.loc+o.layout.Len(); l++ {
					vars.Add(l)
				}
			}
		}
	}
	if vars.Empty() {
		return nil
	}
	var out []InstID
	for id := range r.reach {
		in := r.s.insts[id]
		if entered[in.fn.ID] || !r.reach[id].Has(int32(loop)) {
			continue
		}
		for k := range in.fn.Accesses {
			a := &in.fn.Accesses[k]
			if a.Root.outer() && r.s.pts(in.node(a.Node)).Intersects(vars) {
				out = append(out, InstID(id))
				break
			}
		}
	}
	return out
}

// enterTo adds what leads to some instances that iterations run.
func (r *baseResult) enterTo(loop int, work []InstID, entered map[FuncID]bool) {
	seen := make(map[InstID]bool)
	for len(work) > 0 {
		id := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[id] || !r.reaches(id, loop) {
			continue
		}
		seen[id] = true
		entered[r.s.insts[id].fn.ID] = true
		for _, c := range r.s.insts[id].callers {
			work = append(work, c.Inst)
		}
	}
}

// bodies calls f for the instances that a loop's iterations start in.
func (r *baseResult) bodies(loop int, f func(InstID)) {
	pl := r.loops[loop]
	for _, id := range pl.spawners {
		in := r.s.insts[id]
		info := &spawnerInfo{split: pl.split, at: int32(pl.at), p: r.s.p}
		for k := range in.fn.Calls {
			if !info.rerunsCall(&in.fn.Calls[k]) {
				continue
			}
			for _, e := range in.callees[k] {
				if in.fn.Calls[k].Mode == ModeSpawn {
					f(e.callee)
				} else {
					r.startWrapped(e.callee, f, 4)
				}
			}
		}
	}
}

// coneNotice says that a loop is not looked at to the end.
func coneNotice(l *model.Loop, depth int) model.Notice {
	return model.Notice{
		Pos: l.Pos, Code: model.SoundnessNumber("deep-cone"),
		Message: fmt.Sprintf("this loop reaches too much: of what its body calls, %d levels are looked at", depth),
	}
}
