package order

import (
	"slices"
	"time"

	"github.com/iterace/iterace/internal/idset"
	"github.com/iterace/iterace/internal/ssair"
	"github.com/iterace/iterace/model"
	"github.com/iterace/iterace/model/library"
	"github.com/iterace/iterace/pta"
	"github.com/iterace/iterace/pta/flow"
)

// This file is the rule for timers. To make one, or to reset it, is to send on
// its channel: what came before is over when the value is received. To reset
// one that runs a function is to start that function's goroutine again.
//
// One that is made to fire in a hundred years runs its function only when it has been reset:
//
//	t.timer = time.AfterFunc(math.MaxInt64, t.fire) // which reads t.timer
//
// A Stop takes the send back, unless it comes too late. That it does not is
// assumed, not known (its result would tell): a race that only this removes is
// kept with low confidence (soundness: timer-stop).

// timerOps gives the operations on timers their channels, and notes the
// goroutines that a Reset starts.
func (a *Analysis) timerOps() {
	chans := make(map[pta.Site][]pta.Loc) // by where the timer is made
	receivers := make(map[pta.Site][]pta.InstID)
	for _, o := range a.allOps {
		if o.kind != opRecv {
			continue
		}
		for _, l := range o.locs {
			x := a.w.Object(l)
			if !x.Timer() {
				continue
			}
			if !slices.Contains(chans[x.Alloc], l) {
				chans[x.Alloc] = append(chans[x.Alloc], l)
			}
			receivers[x.Alloc] = append(receivers[x.Alloc], o.inst)
		}
	}
	seen := make(map[pta.Site]bool)
	for _, o := range a.allOps {
		switch o.lib {
		case library.OpTimerChan:
			o.timers = []pta.Site{{Inst: o.inst, At: o.site}}
		case library.OpTimerReset, library.OpTimerStop:
			for _, l := range o.locs {
				if x := a.w.Object(l); x.Alloc.Inst >= 0 && x.Alloc.At >= 0 && !slices.Contains(o.timers, x.Alloc) {
					o.timers = append(o.timers, x.Alloc)
				}
			}
			if o.lib == library.OpTimerStop {
				for _, s := range o.timers {
					if !seen[s] {
						seen[s] = true
						a.stopped = append(a.stopped, stoppedTimer{s, receivers[s]})
					}
				}
			}
		default:
			continue
		}
		o.locs = nil
		if o.lib == library.OpTimerStop {
			continue
		}
		for _, s := range o.timers {
			o.locs = append(o.locs, chans[s]...)
			if o.lib == library.OpTimerReset && a.in.IsSpawn(s) {
				if a.resets == nil {
					a.resets = make(map[pta.Site][]pta.Site)
				}
				a.resets[s] = append(a.resets[s], pta.Site{Inst: o.inst, At: o.site})
			}
		}
		slices.Sort(o.locs)
		if len(o.locs) > 0 {
			o.kind = opSend
		}
	}
}

// A stoppedTimer is a timer that is stopped somewhere: where it is made, and who receives from its channel.
type stoppedTimer struct {
	made      pta.Site
	receivers []pta.InstID
}

// heldUp returns the threads that the Stop of a timer may hold up: those that it
// runs, and those of the receivers, which wait for its channel; and what these start.
func (a *Analysis) heldUp() map[pta.InstID]bool {
	if a.stops != nil {
		return a.stops
	}
	a.stops = make(map[pta.InstID]bool)
	for _, timer := range a.stopped {
		if a.in.IsSpawn(timer.made) {
			for _, t := range a.in.CalleesAt(timer.made.Inst, timer.made.At) {
				a.stops[t] = true
			}
		}
		var lists idset.Set[int32]
		for _, i := range timer.receivers {
			if !lists.Add(a.in.ThreadsID(i)) {
				continue
			}
			for _, t := range a.threadsOf(i) {
				a.stops[t] = !a.up[t] // what the spawner waits for is no matter of one goroutine
			}
		}
	}
	for _, t := range sortedKeys(a.stops) {
		if !a.stops[t] {
			continue
		}
		below := a.begunBy(t)
		for _, u := range a.begun.list {
			if below.Has(u) {
				a.stops[u] = true
			}
		}
	}
	return a.stops
}

// stopMatters reports whether a Stop may hold up a thread that does x.
func (a *Analysis) stopMatters(x *model.Access) bool {
	return len(a.stopped) > 0 && slices.ContainsFunc(a.threadsOf(pta.InstID(x.Inst)), func(t pta.InstID) bool { return a.heldUp()[t] })
}

// isTimer reports whether the runtime sends on l, more often than the code
// tells: on a timer's channel, or one that signals are relayed to.
func (a *Analysis) isTimer(l pta.Loc) bool {
	o := a.w.Object(l)
	return o.Timer() || a.notified[o.Canon]
}

// takenBack returns the condition of a walk from r, an operation on a timer,
// that ends where a Stop takes r back, if that is to be assumed.
func (a *Analysis) takenBack(r *op) func(place, bool) bool {
	if !a.bold && !a.doubtful || len(r.timers) != 1 {
		return nil
	}
	// Once the timer's value is received there is nothing left to take back.
	pending := a.kept(walkKey{kind: 't', inst: r.inst, op: r.id}, func() *walk {
		w := a.newWalk()
		w.avoid = func(p place, _ bool) bool { return a.receivesFrom(p, r.locs) }
		return w.startAfter(r).run()
	})
	return func(p place, _ bool) bool {
		return a.stopsTimer(p, r.timers[0]) && pending.reachesStep(p.inst, p.step)
	}
}

// receivesFrom reports whether a place is a receive from one of some channels.
func (a *Analysis) receivesFrom(p place, chans []pta.Loc) bool {
	if p.step >= 0 {
		return p.f.Steps[p.step].Kind == flow.Recv && overlaps(a.operand(p.inst, p.f.Steps[p.step].Site, 0), chans)
	}
	for _, ev := range p.f.Blocks[p.block].Succs[p.edge].Events {
		if ev.Kind == flow.CaseTaken && !ev.Send && overlaps(a.operand(p.inst, ev.Site, ev.Operand), chans) {
			return true
		}
	}
	return false
}

// stopsTimer reports whether the step stops the timer made at s, and no other.
func (a *Analysis) stopsTimer(p place, s pta.Site) bool {
	if p.step < 0 || p.f.Steps[p.step].Op != library.OpTimerStop {
		return false
	}
	for _, o := range a.allOps {
		if o.inst == p.inst && o.step == p.step && o.lib == library.OpTimerStop {
			return len(o.timers) == 1 && o.timers[0] == s && !slices.ContainsFunc(a.operand(o.inst, o.site, 0), func(l pta.Loc) bool {
				return a.w.Object(l).Many
			})
		}
	}
	return false
}

// stopAwaits decides for the Stop of a timer that runs x's function: it will
// not run, if that is to be assumed.
func (a *Analysis) stopAwaits(n *op, x *class) bool {
	if !a.bold || len(x.threads) != 1 {
		return false
	}
	p := place{inst: n.inst, f: n.f, step: n.step}
	started := false
	for _, s := range a.in.Callers(x.threads[0]) {
		if a.in.IsSpawn(s) {
			if started = true; !a.stopsTimer(p, s) {
				return false
			}
		}
	}
	return started
}

// prevented reports whether a test in an instance tells that x never happens, since it is what a function that was
// taken back in time would have done.
func (a *Analysis) prevented(i pta.InstID, ev *flow.Event, x *class) bool {
	by := []*flow.Func{a.w.Flow(i)}
	if ev.Operand > 0 {
		by = nil
		for _, c := range a.in.Callers(i) {
			by = append(by, a.w.Flow(c.Inst)) // a literal that nobody else has, see flow
		}
	}
	started := false
	for _, t := range x.threads {
		for _, s := range a.in.Callers(t) {
			if a.in.IsSpawn(s) {
				if started = true; s.At != ssair.Instr(ev.Const) || !slices.Contains(by, a.w.Flow(s.Inst)) || len(a.resetsOf(s)) > 0 {
					return false
				}
			}
		}
	}
	return started
}

// boldly reports whether r, of group g, falls if every Stop of a timer is taken
// to come in time, and every loop that takes slots to take all. Where one of the group does not, the group is shown anyway.
func (a *Analysis) boldly(r *model.Race, g group) bool {
	if a.bold || a.stands[g] || !a.slotsAsked && !a.stopMatters(r.A) && !a.stopMatters(r.B) {
		return false
	}
	if a.second == nil {
		b := New(a.w, a.locksets, a.set)
		b.bold = true
		a.second = b
	}
	a.second.fuel = min(a.second.fuel, a.fuel)
	if a.second.judge(r).overlap {
		if a.stands == nil {
			a.stands = make(map[group]bool)
		}
		a.stands[g] = true
		return false
	}
	return true
}

// resetsOf returns the sites that start again what the spawn at s started.
func (a *Analysis) resetsOf(s pta.Site) []pta.Site { return a.resets[s] }

// farTimer is a delay after which no timer fires while the program runs: ten years.
const farTimer = 10 * 365 * 24 * time.Hour

// startedByResets reports whether what the spawn at s starts is started by the Resets in view alone, since s makes a timer
// that does not fire by itself (soundness: far-timer).
func (a *Analysis) startedByResets(s pta.Site) bool {
	f := a.w.Flow(s.Inst)
	return f != nil && len(a.resetsOf(s)) > 0 && !slices.ContainsFunc(f.StepsAt(s.At), func(k int32) bool {
		st := &f.Steps[k]
		return st.Op != library.OpTimerFunc || !st.HasConst || time.Duration(st.Const) < farTimer
	})
}
