package analyzer

import (
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/iterace/iterace/bubbleup"
	"github.com/iterace/iterace/filters/disjoint"
	"github.com/iterace/iterace/filters/locks"
	"github.com/iterace/iterace/model"
	"github.com/iterace/iterace/pta"
)

// A loopRun is the work on one parallel loop. Loops are worked on at the same
// time; what they add up to is put together in their order.
type loopRun struct {
	*run
	loop    int
	rest    bubbleup.Rest
	locks   *locks.Analysis // see locksOf
	races   []*model.Race
	failed  *LoadError // see guard
	late    bool       // time was up when it was its turn, or before it was done
	notices []model.Notice
	stats   []StageStat // what the stages did, by stage, without names
	pairs   int         // see Result.Pairs
	apart   bool        // looked at in its entries: others ask for its overlay only
	trimmed int
	unasked int
}

// maxWorkers bounds the loops in flight: each holds an overlay, which takes some
// hundred megabytes where it reaches a whole database.
const maxWorkers = 4

// allLoops does the work on all loops but those of which apart has the place, those
// first whose overlay is final at once.
func (r *run) allLoops(apart map[pta.LoopPlace]bool) []*loopRun {
	byLoop := make([]*loopRun, len(r.res.Loops))
	final := make([]bool, len(byLoop))
	all := make([]int, len(byLoop))
	left := 0
	for i := range byLoop {
		all[i] = i
		byLoop[i] = &loopRun{run: r, loop: i, stats: make([]StageStat, len(stages)+1), apart: apart[r.res.Place(i)]}
		if !byLoop[i].apart {
			left++
		}
	}
	if left == 0 {
		return byLoop
	}
	r.common = func() *locks.Common { return nil }
	if len(byLoop) > 1 && !r.cfg.alone {
		r.common = sync.OnceValue(func() *locks.Common { return locks.NewCommon(r.res.Unlooped(), r.cfg.kept) })
	}
	var mu sync.Mutex
	done := 0
	progress := func() {
		mu.Lock()
		defer mu.Unlock()
		if r.cfg.Progress != nil {
			r.cfg.Progress("loops", done, len(byLoop))
		}
		done++
	}
	progress()
	r.each(all, func(i int) {
		byLoop[i].guard(func() {
			if r.skip != nil && r.skip(i) {
				r.res.Skip(i)
				final[i] = true
				return
			}
			if r.overdue() {
				byLoop[i].late = !byLoop[i].apart
				r.res.Skip(i)
				final[i] = true
				return
			}
			final[i] = byLoop[i].overlay() || byLoop[i].apart
			if !final[i] || byLoop[i].apart {
				r.res.Skip(i)
				if final[i] {
					r.res.Release(i)
				}
				return
			}
			byLoop[i].filter()
		})
		if final[i] = final[i] || byLoop[i].failed != nil || byLoop[i].late; final[i] {
			progress()
		}
	})
	again := slices.DeleteFunc(all, func(i int) bool { return final[i] })
	r.res.Again(again)
	r.each(again, func(i int) {
		byLoop[i].guard(func() {
			if byLoop[i].late = r.overdue(); byLoop[i].late {
				r.res.Skip(i)
				return
			}
			byLoop[i].overlay()
			byLoop[i].filter()
		})
		progress()
	})
	return byLoop
}

// overdue reports whether the time that was given is up.
func (r *run) overdue() bool { return !r.due.IsZero() && time.Now().After(r.due) }

// guard calls f. If that panics, which is a bug here, the races of this loop are not
// known, and those of all others are.
func (r *loopRun) guard(f func()) {
	defer func() {
		x := recover()
		if x == nil {
			return
		}
		r.races, r.locks, r.rest = nil, nil, bubbleup.Rest{}
		r.res.Skip(r.loop)
		if x == locks.ErrOverdue {
			r.late = true
			return
		}
		loop := r.res.Loops[r.loop]
		if r.cfg.Log != nil {
			r.logging.Lock()
			defer r.logging.Unlock()
			fmt.Fprintf(r.cfg.Log, "loop %d %s: %v\n%s", loop.ID, loop.Pos, x, debug.Stack())
		}
		r.failed = &LoadError{Pos: loop.Pos, Message: fmt.Sprintf("internal error, the races of this loop are not known: %v", x)}
	}()
	f()
}

// each calls f for each loop, in as many goroutines as there are workers, which
// take the loops in order.
func (r *run) each(loops []int, f func(loop int)) {
	workers := min(r.workers(), len(loops))
	if workers <= 1 {
		for _, i := range loops {
			f(i)
		}
		return
	}
	var wg sync.WaitGroup
	var mu sync.Mutex
	next := 0
	take := func() (int, bool) {
		mu.Lock()
		defer mu.Unlock()
		if next == len(loops) {
			return 0, false
		}
		next++
		return loops[next-1], true
	}
	for range workers {
		wg.Go(func() {
			for i, ok := take(); ok; i, ok = take() {
				f(i)
			}
		})
	}
	wg.Wait()
}

// workers returns the number of loops to work on at the same time.
func (r *run) workers() int {
	switch {
	case !r.res.Complete() || r.loaded.unit != "" || len(r.cfg.Debug) > 0:
		return 1 // templates may still be read or made, or the log is to be in order
	case r.cfg.Workers > 0:
		return r.cfg.Workers
	}
	return min(runtime.GOMAXPROCS(0), maxWorkers)
}

// overlay solves the loop and reports whether the solution is final.
//
//iterace:ignore each loop is taken once
func (r *loopRun) overlay() bool {
	begin := time.Now()
	final := r.res.Overlay(r.loop)
	r.stats[0].Wall += time.Since(begin)
	return final
}

// filter pairs the accesses of the loop and runs the stages on the races.
//
//iterace:ignore each loop is taken once
func (r *loopRun) filter() {
	loop := r.res.Loops[r.loop]
	begin := time.Now()
	set := r.res.Races(loop, r.off["twothreads"])
	sortRaces(set)
	r.stats[0].Wall += time.Since(begin)
	r.stats[0].Out += set.Len()
	times := []string{fmt.Sprintf("%d pairs %.2fs", set.Len(), time.Since(begin).Seconds())}
	v := r.res.View(loop)
	// What the user does not want to be told of goes through the stages on its
	// own: some look at a few races of a set only, and those must be others.
	told, quiet := r.suppress.split(set)
	set, ran := r.narrow(v, told)
	times = append(times, ran...)
	if quiet.Len() > 0 {
		quiet, _ = r.narrow(v, quiet)
		set = &model.RaceSet{Races: slices.Concat(set.Races, quiet.Races)}
		sortRaces(set)
	}
	if r.cfg.Log != nil {
		r.trace(r.cfg.Log, loop, set, times)
	}
	if r.debug("pts") {
		v.WritePoints(r.cfg.Log)
	}
	r.pairs = set.Filter(func(race *model.Race) bool { return race.Confidence > model.Assumed }).Len()
	if kept := r.suppress.trim(set); kept.Len() < set.Len() {
		r.trimmed = set.Len() - kept.Len()
		r.notice(loop.Pos, "pairs-bounded", "more call paths lead to some pairs of accesses of this loop than are kept")
		set = kept
	}
	if set.Len() > 0 { // or locksets are prepared for nothing
		fillPaths(v, r.locksOf(v), set.Races)
	}
	if r.wanted != nil && set.Len() > 0 {
		kept := set.Filter(func(race *model.Race) bool { return r.wanted(race, r.locksOf(v)) })
		r.lessOut(set.Len() - kept.Len())
		set = kept
	}
	r.races = set.Races
	r.locks, r.rest = nil, bubbleup.Rest{}
	r.res.Release(r.loop)
}

// lessOut says that fewer races come out of all stages than of the last one.
func (r *loopRun) lessOut(n int) {
	for i, st := range slices.Backward(r.stats) {
		if st.Out > 0 {
			r.stats[i].Out -= n
			break
		}
	}
}

// locksOf returns the locksets of the loop at hand. Three stages ask for them.
func (r *loopRun) locksOf(v *pta.View) *locks.Analysis {
	if r.locks == nil {
		r.locks = locks.NewSharing(v, r.common())
		r.locks.EndWhen(r.overdue)
	}
	return r.locks
}

// disjointOf returns what answers questions about the indices of the loop at hand.
func (r *loopRun) disjointOf(v *pta.View) *disjoint.Analysis { return disjoint.New(v, r.memory) }

// narrow runs the stages on races of a loop, and returns what is left and how
// long each stage took.
func (r *loopRun) narrow(v *pta.View, set *model.RaceSet) (_ *model.RaceSet, times []string) {
	explained := false
	for j, s := range stages {
		if !s.narrows && !explained {
			r.explain(v, set) // before accesses are moved to where no index is known
			explained = true
		}
		if r.off[s.name] || set.Len() == 0 {
			continue
		}
		begin := time.Now()
		st := &r.stats[j+1]
		st.In += set.Len()
		if s.iterations && r.off["twothreads"] {
			set = r.runBeside(s, v, set)
		} else {
			set = s.run(r, v, set)
		}
		st.Out += set.Len()
		st.Wall += time.Since(begin)
		times = append(times, fmt.Sprintf("%s %d %.2fs", s.name, set.Len(), time.Since(begin).Seconds()))
	}
	return set, times
}

// promising leaves out the races that are hidden in the end, unless somebody asks for those: nearly all of a large program are.
// No later stage makes one more certain again, but order those of what code uses after it has handed it on.
func (r *loopRun) promising(set *model.RaceSet) *model.RaceSet {
	if !r.cfg.Sure {
		return set
	}
	kept := set.Filter(func(race *model.Race) bool { return race.Confidence > model.Assumed || race.Handed })
	r.unasked += set.Len() - kept.Len()
	return kept
}

// explain lets each stage say why it kept what is left.
func (r *loopRun) explain(v *pta.View, set *model.RaceSet) {
	for j, s := range stages {
		if s.explain != nil && !r.off[s.name] {
			begin := time.Now()
			s.explain(r, v, set)
			r.stats[j+1].Wall += time.Since(begin)
		}
	}
}

// runBeside runs a stage that tells two iterations apart on the pairs of an
// iteration and other code only.
func (r *loopRun) runBeside(s stage, v *pta.View, set *model.RaceSet) *model.RaceSet {
	beta := func(race *model.Race) bool { return race.B.Thread == model.Beta }
	kept := make(map[*model.Race]bool)
	for _, race := range s.run(r, v, set.Filter(func(race *model.Race) bool { return !beta(race) })).Races {
		kept[race] = true
	}
	return set.Filter(func(race *model.Race) bool { return beta(race) || kept[race] })
}

// trace says what a loop cost, stage by stage.
func (r *loopRun) trace(w io.Writer, loop *model.Loop, set *model.RaceSet, times []string) {
	r.logging.Lock()
	defer r.logging.Unlock()
	fmt.Fprintf(w, "loop %d %s %s: %d races; %s; %s\n", loop.ID, loop.Pos, loop.Kind, set.Len(), r.res.Size(loop), strings.Join(times, " "))
}

// notice adds a notice that cites an assumption by name.
func (r *loopRun) notice(pos model.Pos, name, msg string) {
	r.notices = append(r.notices, model.Notice{Pos: pos, Code: model.SoundnessNumber(name), Message: msg})
}
