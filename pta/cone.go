package pta

import (
	"fmt"

	"github.com/iterace/iterace/model"
)

// maxCone is the number of instances that the overlay of a loop may have for
// each side, by the base's count. A body that reaches a whole database is
// looked at as many calls deep as this allows, and what is more than a few
// calls deep (maxNear) is graded assumed: there every pair rests on more than
// the analysis knows, and such loops took longer than all else together and
// gave tens of thousands of pairs (soundness: deep-cone).
const maxCone = 2000

// cone returns the functions that a loop's overlay does not enter, because
// fewer calls do not lead to them, and the number of calls that it does follow;
// nil if it enters all.
func (r *baseResult) cone(loop int) (cut map[FuncID]bool, depth int) {
	total := 0
	for id := range r.reach {
		if r.reach[id].Has(int32(loop)) {
			total++
		}
	}
	if total <= 2*maxCone {
		return nil, 0
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
	for len(level) > 0 && len(seen) <= 2*maxCone {
		this := level
		level = nil
		depth++
		for _, id := range this {
			in := r.s.insts[id]
			entered[in.fn.ID] = true
			for k := range in.fn.Calls {
				for _, e := range in.callees[int32(k)] {
					add(e.callee)
				}
			}
		}
	}
	cut = make(map[FuncID]bool)
	for id := range r.reach {
		if fn := r.s.insts[id].fn.ID; r.reach[id].Has(int32(loop)) && !entered[fn] {
			cut[fn] = true
		}
	}
	return cut, depth
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
			for _, e := range in.callees[int32(k)] {
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
