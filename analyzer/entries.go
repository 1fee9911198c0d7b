package analyzer

import (
	"github.com/iterace/iterace/model"
	"github.com/iterace/iterace/pta"
)

// entries looks at entries by themselves, one after the other, and adds the work on
// their loops, with those races in which a loop has a part that is looked at there
// alone: the same loops in the program as a whole do not tell of them. It returns the
// number of entries and the places of such loops.
func (r *run) entries(add func(*loopRun)) (n int, apart map[pta.LoopPlace]bool) {
	if r.off["entries"] || !r.res.Complete() {
		return 0, nil
	}
	list, apart := r.res.Entries()
	for _, e := range list {
		sub := *r
		sub.res = r.res.Of(e)
		places := make(map[*model.Loop]pta.LoopPlace)
		for i, l := range sub.res.Loops {
			places[l] = sub.res.Place(i)
		}
		alone := func(l *model.Loop) bool { return apart[places[l]] }
		sub.res.Tell(alone)
		for _, l := range sub.allLoops(nil) {
			add(l)
		}
	}
	return len(list), apart
}
