package analyzer

import (
	"github.com/iterace/iterace/model"
	"github.com/iterace/iterace/pta"
)

// An entry is what one entry point runs, looked at by itself.
type entry struct {
	loops  []*loopRun
	places map[*model.Loop]pta.LoopPlace
}

// entries looks at entries by themselves, and returns them with the places of the
// loops that are looked at there alone.
func (r *run) entries() (done []*entry, apart map[pta.LoopPlace]bool) {
	if r.off["entries"] || !r.res.Complete() {
		return nil, nil
	}
	list, apart := r.res.Entries()
	for _, e := range list {
		sub := *r
		sub.res, sub.gc = r.res.Solve(e, 0), nil
		x := &entry{places: make(map[*model.Loop]pta.LoopPlace)}
		for i, l := range sub.res.Loops {
			x.places[l] = sub.res.Place(i)
		}
		x.loops = sub.allLoops(nil)
		done = append(done, x)
	}
	return done, apart
}

// told returns those races of a loop in which a loop has a part that is looked at in
// entries alone: the same loops in the program as a whole do not tell of them.
func (e *entry) told(l *loopRun, apart map[pta.LoopPlace]bool) (out []*model.Race) {
	of := func(l *model.Loop) bool { return l != nil && apart[e.places[l]] }
	for _, x := range l.races {
		if of(x.Loop) || of(x.Other) {
			out = append(out, x)
		}
	}
	return out
}
