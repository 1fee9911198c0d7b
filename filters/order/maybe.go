package order

import (
	"slices"

	"github.com/iterace/iterace/internal/ssair"
	"github.com/iterace/iterace/model"
	"github.com/iterace/iterace/model/library"
	"github.com/iterace/iterace/pta"
	"github.com/iterace/iterace/pta/flow"
)

// This file asks of races that would be definite whether the code has something that may
// order them, and is only not known to:
//
//	func (c *client) stop() {
//		close(c.quit) // of which client?
//		<-c.done
//		c.n = 0 // run ends with c.n++; close(c.done)
//	}
//
// What orders a race for sure removes it. Where that fails because a channel or a group has two names,
// or stands for those of many objects, because nobody is seen to have added to a group, or a goroutine tells
// that it is over in a function that others call, too, a reader finds the join, and the tool has nothing
// to say against it. Such a race is likely at most.

// A doubtful analysis takes channels and groups that may be the same for the same. What is surely
// on one channel is still asked for as elsewhere: of two goroutines that send, only one has been waited for.

// settle makes a definite race of a group likely if anything may order it. One that nothing may
// makes the race set definite, whatever the others of the group are.
func (a *Analysis) settle(r *model.Race, g group) {
	if r.Confidence != model.Definite || a.firm[g] {
		return
	}
	if why := a.doubt(r); why != "" {
		r.Confidence = model.Likely
		r.Because(model.AboutOrder, why)
	} else if !r.A.Library && !r.B.Library { // else the set is that of the calls that lead there
		if a.firm == nil {
			a.firm = make(map[group]bool)
		}
		a.firm[g] = true
	}
}

// doubt says why a race that is definite so far is not, or nothing.
func (a *Analysis) doubt(r *model.Race) string {
	if r.Apart {
		return "many calls lie between the body and an access, and the object may be handed on to one iteration at a time there"
	}
	if a.fuel < 0 {
		return ""
	}
	if a.onlyFailed(r) {
		return "one of the accesses comes only when the test has failed"
	}
	switch b := a.doubting(); {
	case b.fuel < 0:
		return undecidedDoubt
	case b.eachItsOwn(r):
		return "each of the accesses comes after another object was made"
	case b.othersOwn(r):
		return "the code beside the goroutine comes to its access when it has made an object of its own"
	case a.gotByEach(r):
		return "each of the accesses has its object from a pool by a Get of its own"
	case b.startedForEach(r):
		return "who starts the goroutine finds the object in a list, and does so once for each"
	case b.waitsForUnknown(r):
		return "between the accesses stands a wait for something of which nothing is known"
	case b.waitsForCancel(r):
		return "between the accesses stands a wait for a context, which the goroutine may cancel"
	case b.mayBeShutDown(r):
		return "a server is shut down before one of the accesses"
	case b.inPhases(r):
		return "what may be a barrier stands between the accesses"
	case b.toldInPhase(r):
		return "each of the accesses is done only where what may be a barrier has told so"
	case b.apartInPhase(r, a.compare.MeetInRound):
		return "what may be a barrier keeps the iterations in one round of a loop, and nothing shows that they meet in that"
	case b.takesTurns(r):
		return "the goroutine and the code beside it may take turns"
	case b.receivesUncounted(r):
		return "the code beside the goroutine waits for it, in a loop of which the rounds are not counted"
	case b.asksUnseen(r):
		return "it is not known that requests for which the handler runs are sent at the same time, or beside the other access"
	case b.maybeDone(r):
		return "one of the accesses is done only where nobody has done it before"
	case b.maybeAfterOnce(r):
		return "one of the accesses is done by a Once, and the other one comes after that on some ways"
	case b.mayHaveOneWinner(a.accessOf(r.A), a.accessOf(r.B)):
		return "each of the accesses is done by who sets a flag, which may be one"
	case b.mayBeLeased(a.accessOf(r.A), a.accessOf(r.B)):
		return "each of the accesses is done by who has put something in a place by a CompareAndSwap, which may be one, and puts something else there later"
	case b.polledFor(r):
		return "before one of the accesses a test under a lock may find what is set under it after the other one"
	case b.inEarlierPhase(r):
		return "one of the accesses is done under a lock as long as a place is zero, and the other one by who has set it"
	case b.keptFromStarting(r):
		return "who comes from where the goroutine is started has set a field so that it is not started there"
	case b.handedOn(r):
		return "one of the accesses has the object from a channel on which it is sent when the other one is over"
	case b.allServed(r):
		return "one of the accesses is done for who asks for it, and the other one when all that asked may have been answered"
	case b.lentByWaiter(r):
		return "a lock that is held at one access is held where the other one is waited for"
	case !b.judge(r).overlap && b.fuel >= 0:
		return "something may order the accesses, though it is not known to do so"
	case b.fuel < 0:
		return undecidedDoubt
	case a.doubtingStarts().startedBehindWait(r):
		return "one of the goroutines is started only behind a wait for the other one, as it was started before"
	case a.doubtingStarts().fuel < 0:
		return undecidedDoubt
	case a.mayEndByElement(r):
		return "a loop calls something of each element, which may wait for the goroutine"
	}
	return ""
}

// undecidedDoubt is said of a race of which it was not found out whether anything speaks against it.
const undecidedDoubt = "it was not decided whether something may order the accesses: too many paths"

// onlyFailed reports whether a race is there only when a test has been told that it has failed, and goes on:
//
//	select {
//	case <-done:
//	case <-time.After(time.Second):
//		t.Error("not done")
//	}
func (a *Analysis) onlyFailed(r *model.Race) bool {
	if a.someFail == unasked {
		a.someFail = answerOf(slices.ContainsFunc(a.in.Instances(), func(i pta.InstID) bool { return a.w.Flow(i) != nil && fails(a.w.Flow(i)) }))
	}
	if a.someFail != yes {
		return false
	}
	if a.passing == nil {
		a.passing = New(a.w, a.locksets, a.set)
		a.passing.noneFails = true
		a.passing.fuel = min(maxDoubtFuel, a.fuel)
	}
	return a.passing.fuel >= 0 && !a.passing.judge(r).overlap && a.passing.fuel >= 0
}

// fails reports whether a function tells a test that it has failed, and goes on.
func fails(f *flow.Func) bool {
	return slices.ContainsFunc(f.Blocks, func(b flow.Block) bool {
		return slices.ContainsFunc(b.Succs, func(e flow.Edge) bool {
			return slices.ContainsFunc(e.Events, func(ev flow.Event) bool { return ev.Kind == flow.Failed })
		})
	})
}

// maybeDone reports whether an access of a race runs only where a place is found empty that
// nothing in view sets back, and that is filled before the other access has its thread.
func (a *Analysis) maybeDone(r *model.Race) bool {
	done, _ := a.doneLazily(r)
	return done
}

// doubting returns the doubtful analysis, which has fuel of its own: it must not cost the other
// one an answer.
func (a *Analysis) doubting() *Analysis {
	if a.doubts == nil {
		a.doubts = a.newDoubtful()
	}
	return a.doubts
}

// doubtingStarts returns the doubtful analysis that looks at where goroutines are started, at what it can spare.
func (a *Analysis) doubtingStarts() *Analysis {
	if a.behinds == nil {
		a.behinds = a.newDoubtful()
	}
	return a.behinds
}

// mayEndByElement reports whether a race may be ordered by what a loop calls of each element, which has fuel of its own:
// where that is not decided, nothing speaks for it.
func (a *Analysis) mayEndByElement(r *model.Race) bool {
	if a.byElement == nil {
		a.byElement = a.newDoubtful()
		a.byElement.findElementCalls()
	}
	b := a.byElement
	return len(b.eachCalls) > 0 && b.fuel >= 0 && !b.judge(r).overlap && b.fuel >= 0
}

func (a *Analysis) newDoubtful() *Analysis {
	d := New(a.w, a.locksets, a.set)
	d.doubtful = true
	d.fuel = min(maxDoubtFuel, a.fuel)
	return d
}

// maxDoubtFuel bounds the nodes of walks for all such questions of a loop.
const maxDoubtFuel = 500_000

// ownReleases adds to over the operations of a class's threads, whoever else does them, after
// which x does not come, or not for the same task, or may not.
func (a *Analysis) ownReleases(x access, threads []pta.InstID, over map[int32]bool) {
	for _, r := range a.allOps {
		if a.isUseful(r) && a.anyRuns(threads, r.inst) && (!a.comesAfter(r, x) || a.endsEach(x, r) || a.closesThen(x, r)) {
			over[r.id] = true
		}
	}
}

// mayAwaitOne reports whether x is over after one of the releases, and after all that are surely of
// n's channel and may come before. Of those of other goroutines than the loop's it need not be over
// where n is done in a loop, and so perhaps once for each:
//
//	go put(1)
//	go put(2)
//	for range size {
//		<-errs
//	}
func (a *Analysis) mayAwaitOne(n *op, x *class, rs []*op, locs []pta.Loc, own bool) bool {
	one := false
	repeated := n.step >= 0 && n.f.Repeats(n.step)
	for _, r := range rs {
		if a.over(x, r) {
			one = one || a.mayPrecede(r, n)
		} else if a.onOtherWay(r, x) {
			continue
		} else if (!repeated || a.w.Thread(r.inst) != model.Main) && a.mustSame(n, r, locs, own) && a.mayPrecede(r, n) {
			return false
		}
	}
	return one
}

// mayBeOneOfSeveral reports whether a call is one of a function value that may be several, of which one does nothing. That
// is looked at in doubt.
func (a *Analysis) mayBeOneOfSeveral(i pta.InstID, st *flow.Step) bool {
	if !a.doubtful || st.Kind != flow.Call || st.Op != library.OpNone || st.Fn == 0 {
		return false
	}
	callees := a.in.CalleesAt(i, st.Site)
	return len(callees) > 1 && slices.ContainsFunc(callees, a.doesNothing)
}

// doesNothing reports whether a function calls nothing and writes no memory.
func (a *Analysis) doesNothing(c pta.InstID) bool {
	f := a.w.Flow(c)
	return f != nil && len(f.Steps) == 0 && len(a.w.Writes(c)) == 0
}

// oneWaits reports whether the functions that a call may be of return only when x is over, or do nothing:
//
//	if token.expires.IsZero() {
//		return func() {} // nothing was started
//	}
//	go renew(done)
//	return func() { <-done }
//
// That it is not the other one is not shown.
func (a *Analysis) oneWaits(i pta.InstID, st *flow.Step, x *class) bool {
	x.restless()
	return !slices.ContainsFunc(a.in.CalleesAt(i, st.Site), func(c pta.InstID) bool {
		if a.doesNothing(c) {
			return false
		}
		return a.w.Flow(c) == nil || slices.Contains(x.threads, c) || a.freelyEnds(c) || a.inwardOf(c, x).reachesExit(c) || !a.runOf(c).reachesExit(c)
	})
}

// runOf is all that a call of an instance may come to.
func (a *Analysis) runOf(c pta.InstID) *walk {
	return a.kept(walkKey{kind: 'R', inst: c}, func() *walk { return a.newWalk().fromEntry(c).run() })
}

// elementCalls has for loops what calls there run of which each is one of several functions that the round's element has, or is,
// and that wait for something.
type elementCalls map[frameLoop][]pta.InstID

// findElementCalls finds them for all loops.
func (a *Analysis) findElementCalls() {
	a.eachCalls = make(elementCalls)
	for _, i := range a.in.Instances() {
		f := a.w.Flow(i)
		if f == nil || !a.syncful.Has(i) {
			continue
		}
		for l := range f.Loops {
			if calls := a.callsOfElement(i, f, int32(l)); len(calls) > 0 {
				a.eachCalls[frameLoop{i, int32(l)}] = calls
			}
		}
	}
}

func (a *Analysis) callsOfElement(i pta.InstID, f *flow.Func, loop int32) (waiting []pta.InstID) {
	l := &f.Loops[loop]
	if len(l.Each) == 0 {
		return nil
	}
	for _, b := range l.Blocks {
		for s := f.Blocks[b].Lo; s < f.Blocks[b].Hi; s++ {
			st := &f.Steps[s]
			if st.Kind != flow.Call || st.Op != library.OpNone {
				continue
			}
			if callees := a.in.CalleesAt(i, st.Site); len(callees) > 1 && (hasElement(f, l, f.Path(st.Fn)) || len(st.Args) > 0 && hasElement(f, l, f.Path(st.Args[0]))) {
				waiting = append(waiting, slices.DeleteFunc(slices.Clone(callees), func(c pta.InstID) bool { return !a.waitsItself(c) })...)
			}
		}
	}
	return waiting
}

// waitsItself reports whether a function waits for something, or one that it calls.
func (a *Analysis) waitsItself(c pta.InstID) bool {
	f := a.w.Flow(c)
	waits := func(i pta.InstID) bool {
		return slices.ContainsFunc(a.opsIn(i), func(o *op) bool { return isWait(o) && a.isUseful(o) })
	}
	if f == nil || waits(c) {
		return f != nil
	}
	for s := range f.Steps {
		if f.Steps[s].Kind == flow.Call && slices.ContainsFunc(a.in.Callees(c, f, int32(s)), waits) {
			return true
		}
	}
	return false
}

// mayEndEach reports whether a loop calls a method of each element, or each as a function, of which one returns on some way only when
// x is over, and with no error:
//
//	for _, c := range components {
//		if err := c.Stop(ctx); err != nil {
//			return err
//		}
//	}
//
// That it is among the elements, and has returned so, is not shown.
func (a *Analysis) mayEndEach(p place, loop int32, x *class) bool {
	return slices.ContainsFunc(a.eachCalls[frameLoop{p.inst, loop}], func(c pta.InstID) bool {
		x.restless()
		if slices.Contains(x.threads, c) {
			return false
		}
		f, all, w := a.w.Flow(c), a.runOf(c), a.inwardOf(c, x)
		for b := range f.Blocks {
			blk := &f.Blocks[b]
			end := f.Last(int32(b))
			if blk.Exit && blk.Outcome != flow.NonZero && all.at(c, end) != 0 && !w.exhausted && w.at(c, end) == 0 {
				return true
			}
		}
		return false
	})
}

// onOtherWay reports whether the run of a function that starts a thread of x does not come to r: control comes to either of them.
//
//	if expires.IsZero() {
//		close(done)
//		return
//	}
//	go renew(done)
func (a *Analysis) onOtherWay(r *op, x *class) bool {
	if r.step < 0 || len(x.threads) == 0 {
		return false
	}
	return !slices.ContainsFunc(x.threads, func(t pta.InstID) bool {
		sites := a.spawnsOf(t)
		return len(sites) == 0 || slices.ContainsFunc(sites, func(s pta.Site) bool {
			if a.copyOf(s.Inst) != a.copyOf(r.inst) {
				return true
			}
			return slices.ContainsFunc(r.f.StepsAt(s.At), func(k int32) bool {
				return r.f.Reaches(r.f.AfterStep(k), r.f.BeforeStep(r.step), ssair.NoInstr, -1) || r.f.Reaches(r.f.AfterStep(r.step), r.f.BeforeStep(k), ssair.NoInstr, -1)
			})
		})
	})
}

// mayAwaitGroup is waitAwaits for any group that may be n's.
func (a *Analysis) mayAwaitGroup(n *op, x *class, locs []pta.Loc) bool {
	return slices.ContainsFunc(a.matching(locs, func(*op) bool { return true }), func(r *op) bool {
		switch {
		case r.joins:
			return a.bodiesOver(r, x)
		case ends(r):
			return a.over(x, r) && !a.addsLate(x, locs)
		}
		return false
	})
}

// endsEach reports whether the function that x is in comes to r before it returns, whenever it comes to x, and r tells a group: x is
// done for one of many tasks then, each of which tells the group.
//
//	pool.Go(func() {
//		n.Add(1)
//		wg.Done()
//	})
func (a *Analysis) endsEach(x access, r *op) bool {
	if !ends(r) || r.inst != x.inst || r.step < 0 {
		return false
	}
	f, g, ok := a.gap(x.inst, x.at)
	return ok && !f.Returns(g, r.site)
}

// closesThen reports whether r closes a channel, which is done once, and comes after x: of what was done in rounds that may
// have been the last.
//
//	for e := range events {
//		s.seen = append(s.seen, e)
//		if len(s.seen) == 3 {
//			close(s.ready)
//		}
//	}
func (a *Analysis) closesThen(x access, r *op) bool {
	return r.kind == opClose && a.since(x).reachesOp(r)
}

// since is all that may come after x in its threads.
func (a *Analysis) since(x access) *walk {
	return a.kept(walkKey{kind: 'x', inst: x.inst, site: x.at}, func() *walk {
		return a.newWalk().fromGaps(pta.Site{Inst: x.inst, At: x.at}).run()
	})
}

// startedForEach reports whether what runs beside a goroutine comes to y only when the function that starts it
// is run again, which is done for objects that are found in elements:
//
//	for _, s := range c.sources {
//		s.start() // s.done = make(chan int); go s.run()
//	}
func (a *Analysis) startedForEach(r *model.Race) bool {
	if r.B.Thread != model.Main || !a.w.ByElements(r.A, r.Object) || !a.w.ByElements(r.B, r.Object) {
		return false
	}
	x, y := pta.InstID(r.A.Inst), pta.InstID(r.B.Inst)
	for _, t := range a.threadsOf(x) {
		starts := func(i pta.InstID) bool {
			return slices.ContainsFunc(a.in.Callers(t), func(c pta.Site) bool { return a.w.Flow(c.Inst) != nil && a.w.Flow(c.Inst) == a.w.Flow(i) })
		}
		for _, s := range a.spawnsOf(t) {
			w := a.newWalk()
			w.spawns = true
			w.avoid = func(p place, _ bool) bool {
				return p.step >= 0 && slices.ContainsFunc(a.in.CalleesAt(p.inst, p.f.Steps[p.step].Site), starts)
			}
			for _, c := range a.in.Callers(t) {
				if f := a.w.Flow(c.Inst); f != nil {
					w.toward(a.w.Named(f.Name)...)
				}
			}
			if w.fromSpawn(s); w.run().reaches(y, ssair.Instr(r.B.Instr)) {
				return false
			}
		}
	}
	return true
}

// waitsForUnknown reports whether the code beside a goroutine comes to y only by a wait for a channel or a group that
// nothing in view has made, where the goroutine tells such a one that it is over:
//
//	wg := groups.Get().(*sync.WaitGroup) // of a pool that another package fills
//	wg.Add(1)
//	go func() { n++; wg.Done() }()
//	wg.Wait()
func (a *Analysis) waitsForUnknown(r *model.Race) bool {
	if r.B.Thread != model.Main || r.Other != nil {
		return false
	}
	x, y := a.accessOf(r.A), a.accessOf(r.B)
	ts := a.threadsOf(x.inst)
	var waits []*op
	groups, channels := false, false // told by the goroutine
	for _, o := range a.allOps {
		if len(o.locs) > 0 || o.step < 0 {
			continue
		}
		theirs := func() bool { return a.anyRuns(ts, o.inst) }
		switch {
		case o.kind == opRecv, o.lib == library.OpWGWait:
			waits = append(waits, o)
		case o.kind == opSend, o.kind == opClose:
			channels = channels || theirs()
		case ends(o):
			groups = groups || theirs()
		}
	}
	waits = slices.DeleteFunc(waits, func(o *op) bool { return o.kind == opRecv && !channels || o.kind != opRecv && !groups })
	return len(waits) > 0 && !a.spawnsLeadTo(y, func(w *walk) { w.without(waits) })
}

// spawnsLeadTo reports whether control comes to y from where the loop's goroutines are started, by walks that are kept
// from some ways.
func (a *Analysis) spawnsLeadTo(y access, keep func(*walk)) bool {
	return slices.ContainsFunc(a.spawns, func(s pta.Site) bool {
		w := a.newWalk()
		keep(w)
		return w.fromSpawn(s).run().reaches(y.inst, y.at)
	})
}

// waitsForCancel reports whether the code beside a goroutine comes to y only when a context is done, and the goroutine
// calls what cancels one after x:
//
//	ctx, cancel := context.WithCancel(context.Background())
//	go func() {
//		got = append(got, read())
//		cancel()
//	}()
//	<-ctx.Done()
//	fmt.Println(got)
//
// Which context that is, and what else cancels it, is not followed.
func (a *Analysis) waitsForCancel(r *model.Race) bool {
	if r.B.Thread != model.Main || r.Other != nil {
		return false
	}
	var waits []*op
	for _, o := range a.allOps {
		if at, ok := o.path.Made(); o.kind == opRecv && ok && o.path.Sels == "" && slices.Contains(o.f.Dones, at) {
			waits = append(waits, o)
		}
	}
	x, y := a.accessOf(r.A), a.accessOf(r.B)
	return len(waits) > 0 && a.cancelsAfter(x) && !a.spawnsLeadTo(y, func(w *walk) { w.without(waits) })
}

// cancelsAfter reports whether a thread of x may cancel a context when it has come to x.
func (a *Analysis) cancelsAfter(x access) bool {
	for _, i := range a.in.Instances() {
		f := a.w.Flow(i)
		if f == nil || len(f.Cancels) == 0 || !a.anyRuns(a.threadsOf(x.inst), i) {
			continue
		}
		for k := range f.Steps {
			if slices.Contains(f.Cancels, f.Steps[k].Site) && a.since(x).reachesStep(i, int32(k)) {
				return true
			}
		}
	}
	return false
}

// eachItsOwn reports whether what runs beside an iteration comes to y only after it has made an
// object, where the iteration may have one that was made before:
//
//	for {
//		offset := 0
//		wait(func(e event) { offset = e.offset })
//		go func() { show(offset) }()
//	}
//
// Such objects have one name, and that both touch the same one takes a place through which it is
// handed on.
func (a *Analysis) eachItsOwn(r *model.Race) bool {
	s := a.w.Made(r.Object)
	if r.B.Thread != model.Main || s.Inst < 0 || s.At < 0 || a.w.Flow(s.Inst) == nil {
		return false
	}
	s.Inst = a.copyOf(s.Inst)
	x, y := pta.InstID(r.A.Inst), pta.InstID(r.B.Inst)
	if a.besideUnborn(x, s).reaches(y, ssair.Instr(r.B.Instr)) {
		return false
	}
	for _, t := range a.threadsOf(y) {
		if !a.up[t] && a.firstUnborn(t, s).reaches(y, ssair.Instr(r.B.Instr)) {
			return false
		}
	}
	earlier := a.withMaker(walkKey{kind: 'L'}, s, func(w *walk) {
		for _, i := range a.copiesOf(s.Inst) {
			w.fromGaps(pta.Site{Inst: i, At: s.At})
		}
	})
	for _, t := range a.threadsOf(x) {
		if !a.firstUnborn(t, s).reaches(x, ssair.Instr(r.A.Instr)) {
			return true // it makes another one itself
		}
		for _, spawn := range a.spawnsOf(t) {
			if earlier.reaches(spawn.Inst, spawn.At) {
				return true
			}
		}
	}
	return false
}

// withMaker returns a walk about what is made at s. The pairs of one object share it.
func (a *Analysis) withMaker(k walkKey, s pta.Site, from func(*walk)) *walk {
	k.own = s
	return a.kept(k, func() *walk {
		w := a.newWalk()
		w.spawns = true
		from(w)
		return w.run()
	})
}

// besideUnborn is what runs beside the threads of x, until something is made at s.
func (a *Analysis) besideUnborn(x pta.InstID, s pta.Site) *walk {
	return a.withMaker(walkKey{kind: 'B', op: a.in.ThreadsID(x)}, s, func(w *walk) { w.birth = s; w.besideThread(a.threadsOf(x)...) })
}

// firstUnborn is what a thread comes to before it makes something at s.
func (a *Analysis) firstUnborn(t pta.InstID, s pta.Site) *walk {
	return a.withMaker(walkKey{kind: 'E', inst: t}, s, func(w *walk) { w.birth = s; w.fromEntry(t) })
}

// othersOwn reports whether what runs beside an iteration comes to y only after it has made an object by the code by which the
// iteration has made what x touches:
//
//	c := p.conns[key]
//	if c == nil {
//		c = newConn()
//		p.conns[key] = c // where others find it, who do something else with it
//		c.start()        // x is in what this starts, y in this
//	}
//
// That is another one than the iteration's. All but the iteration know both by one name.
func (a *Analysis) othersOwn(r *model.Race) bool {
	made := a.w.Made(r.Object)
	if r.B.Thread != model.Main || made.Inst < 0 || a.w.Thread(made.Inst) == model.Main {
		return false
	}
	s, y := a.w.MadeByOthers(r.Object), pta.SiteOf(r.B)
	if s.Inst < 0 || s.At < 0 || a.w.Flow(s.Inst) == nil || a.w.Thread(s.Inst) != model.Main {
		return false
	}
	s.Inst = a.copyOf(s.Inst)
	if a.besideUnborn(pta.InstID(r.A.Inst), s).reaches(y.Inst, y.At) {
		return false
	}
	// Else who has started the thread has made it before.
	seen := make(map[pta.InstID]bool)
	var hasMade func(t pta.InstID, to pta.Site) bool
	hasMade = func(t pta.InstID, to pta.Site) bool {
		if !a.firstUnborn(t, s).reaches(to.Inst, to.At) || seen[t] {
			return true
		}
		seen[t] = true
		spawns := a.spawnsOf(t)
		return len(spawns) > 0 && !slices.ContainsFunc(spawns, func(s pta.Site) bool {
			return slices.ContainsFunc(a.threadsOf(s.Inst), func(u pta.InstID) bool { return !hasMade(u, s) })
		})
	}
	return !slices.ContainsFunc(a.threadsOf(y.Inst), func(t pta.InstID) bool { return !a.up[t] && !hasMade(t, y) })
}

// startedBehindWait reports whether one of two goroutines is started only by who has waited for what the other one is:
//
//	func (c *conn) reconnect() {
//		c.wg.Wait() // readLoop ends with c.wg.Done()
//		c.wg.Add(1)
//		go c.readLoop()
//	}
//
// That may be the one of another connection, or two may reconnect at a time.
func (a *Analysis) startedBehindWait(r *model.Race) bool {
	x, y := a.accessOf(r.A), a.accessOf(r.B)
	return r.B.Thread == model.Main && (a.behindWait(x, y) || a.behindWait(y, x)) && a.fuel >= 0
}

// behindWait reports whether each thread of y is started behind a wait for x.
func (a *Analysis) behindWait(x, y access) bool {
	c := a.classOf(x)
	a.solve(c)
	if c.hopeless || a.fuel < 0 {
		return false
	}
	seen := make(map[pta.InstID]bool)
	var behind func(t pta.InstID) bool
	behind = func(t pta.InstID) bool {
		if seen[t] {
			return true // it is started by itself, and begins somewhere
		}
		seen[t] = true
		spawns := a.spawnsOf(t)
		return len(spawns) > 0 && !slices.ContainsFunc(spawns, func(s pta.Site) bool {
			f := a.w.Flow(s.Inst)
			return slices.ContainsFunc(a.threadsOf(s.Inst), func(u pta.InstID) bool {
				w := a.inwardOf(u, c)
				return slices.ContainsFunc(f.StepsAt(s.At), func(k int32) bool { return w.reachesStep(s.Inst, k) }) && !behind(u)
			})
		})
	}
	return !slices.ContainsFunc(a.threadsOf(y.inst), func(t pta.InstID) bool { return !behind(t) })
}

// lentByWaiter reports whether somebody holds the lock of an access while he waits for the other
// one, and so has it for that:
//
//	func (c *client) startTLS() {
//		c.mu.Lock()
//		<-c.upgraded // by the goroutine that reads, which sets c.conn
//		c.mu.Unlock()
//	}
//
// That the other access happens only while somebody waits for it is not shown.
func (a *Analysis) lentByWaiter(r *model.Race) bool {
	for _, z := range [][2]*model.Access{{r.A, r.B}, {r.B, r.A}} {
		held := a.locksets.At(z[1])
		if len(held) == 0 {
			continue
		}
		var c *class // of what is waited for, if somebody waits with the lock
		for _, n := range a.allOps {
			if !isWait(n) || n.step < 0 || a.fuel < 0 || !a.isUseful(n) || !a.locksets.Exclude(held, a.locksets.AtSite(pta.Site{Inst: n.inst, At: n.site})) {
				continue
			}
			if c == nil {
				c = a.classOf(a.accessOf(z[0]))
				a.solve(c)
			}
			if a.awaits(place{inst: n.inst, f: n.f, step: n.step, via: n.via}, c, false) {
				return true
			}
		}
	}
	return false
}
