// Package locks removes races between accesses that a common lock protects.
//
// For every access it computes the locks that must be held there: those held
// when the function is entered, on every call path within the abstract
// thread, and those acquired since. A lock is held until it may have been
// released, so what is computed is the complement of "may be not held". A
// goroutine starts with none.
//
// A callee's effect is taken relative to its entry (what it must have acquired
// and may have released when it returns) and composed at each call, so that
// a helper called both with and without the lock does not lose the caller's
// lock (valid paths), while its own accesses have what all callers hold.
//
// Two accesses are protected if a lock of one must be a lock of the other and
// one of them holds it in write mode. The must is taken seriously: either both
// operands point to one and the same memory cell, or the lock and the datum
// lie at the same distance from one another on both sides, so that to meet at
// the datum is to meet at the lock ("p.mu guards p.x whatever p is"), or lock
// and datum are elements with the same index. An overlap of points-to sets
// is not enough.
//
// # Files
//
// What is held:
//   - locks, held, released, run, entry, common, versions: the stage, locks as frames name them, effects of calls, what is held at entry, what all loops share, and what many do
//   - given, via, near, back, when, maybe: which callers and ways count
//   - idle, exclusive: lockers that lock nothing, several names of one lock
//
// What it protects:
//   - protect, place, frame, owner, elem, either, everyof: whether the lock of one access is that of the other
//   - flag, plainflag, claim, givenback, startonce, stopped, counted, whole, lent: what is done once, claimed, given back when it is over, counted, taken away, or lent, under a lock
package locks

import (
	"errors"
	"slices"

	"github.com/iterace/iterace/filters/internal/inview"
	"github.com/iterace/iterace/internal/pages"
	"github.com/iterace/iterace/internal/ssair"
	"github.com/iterace/iterace/model"
	"github.com/iterace/iterace/model/library"
	"github.com/iterace/iterace/pta"
	"github.com/iterace/iterace/pta/flow"
)

// A World is what the package asks of the points-to result, as seen from one
// parallel loop.
type World interface {
	inview.World
	// Library returns what is known of an instance that is not analysed: a
	// call through an interface may reach (*sync.Mutex).Lock.
	Library(pta.InstID) *library.Func
	// Operand returns what the k-th operand at an instruction may point to.
	Operand(i pta.InstID, at ssair.Instr, k int) []pta.Loc
	Object(pta.Loc) pta.ObjectInfo
	// RunFor returns what a call of an interface's method runs where the value is a
	// pointer to an object.
	RunFor(call pta.Site, o *model.Object) []pta.InstID
	// OfBase reports whether a location is one of the base solution's.
	OfBase(pta.Loc) bool
	// Renewed reports whether what a load reads may be written while the loop
	// runs, but by who has just made the memory.
	Renewed(load pta.Site) bool
	// Replaced is Renewed where what is read is not zero.
	Replaced(load pta.Site) bool
	// Cells returns what a load may read, and WritersOf all that may write some
	// locations in the parallel region.
	Cells(load pta.Site) []pta.Loc
	WritersOf(locs []pta.Loc) (writers []pta.Site, ok bool)
	WritersBeside(locs []pta.Loc) (writers []pta.Site)
	// MaySettle lists all stores to a place, but for those of who has just made it; ok is
	// false if one of them stores zero.
	MaySettle(pta.Loc) (stores []pta.Site, ok bool)
	// StoresTo lists all stores to a place; ok is false if there are too many.
	StoresTo(pta.Loc) (stores []pta.Site, ok bool)
	Pos(pta.InstID, ssair.Instr) model.Pos
	// Sliced returns which argument of a call is the slice whose elements an access
	// reads or writes, -1 where there is none.
	Sliced(*model.Access) int
	Thread(pta.InstID) model.Thread
	// Meetings returns the ways in which the accesses of a race may get at one
	// object, and false if they cannot be followed.
	Meetings(*model.Race) ([]pta.Meeting, bool)
	// Early reports whether an access that gets at its object by a way of a meeting does so
	// before the other access can, by its way.
	Early(x *model.Access, w, other *pta.Way) bool
	// Loaded returns where an access has loaded the pointer to an object, and false if it
	// may come from elsewhere, or, with taken, if not all loads take it away.
	Loaded(x *model.Access, o *model.Object, up int, taken bool) (*pta.Loaded, bool)
	// TakenOn returns the loads that have taken away what an access has, directly or by what others have put it in since.
	TakenOn(x *model.Access, o *model.Object) (*pta.Loaded, bool)
	// HandedDown returns the ways in which a call gets the closure by which it runs callee,
	// and false if they cannot be followed.
	HandedDown(call pta.Site, callee pta.InstID) ([]pta.Way, bool)
	// Behind reports whether an access gets at an object through the owners of some
	// locations alone, and where it loads from them.
	Behind(x *model.Access, o *model.Object, owners []pta.Loc) (at []pta.Site, ok bool)
	// ByOwnFunction returns the function, kept by one of some owners, by which an access gets at an object; or -1.
	ByOwnFunction(x *model.Access, o *model.Object, owners []pta.Loc) int32
	// GivenOwner reports whether an instance is called with a pointer to what one of some locations lies in.
	GivenOwner(i pta.InstID, locs []pta.Loc) bool
	// MadeBeside returns what the runs of a function make once each, beside some
	// locations that they make so.
	MadeBeside(locs []pta.Loc) []pta.Loc
	// Bodies returns the instances that an iteration of the given side starts in.
	Bodies(model.Thread) []pta.InstID
	// SeveralOwners reports whether the object of a race is put into several
	// objects, of each of which there is one.
	SeveralOwners(*model.Race) bool
	// Home returns a function in each run of which there is one of what a race is about,
	// and OneIn reports whether that holds of the object at a location.
	Home(*model.Race) (home pta.InstID, ok bool)
	OneIn(home pta.InstID, l pta.Loc) bool
	// Apart reports whether two instances run in the programs of different entry
	// points, of which none runs before others (an initialiser, TestMain).
	Apart(i, j pta.InstID) bool
}

// An Analysis holds the locksets of one view.
type Analysis struct {
	w       World
	in      *inview.Set
	lockish pages.Table[pta.InstID, bool]  // acquires or releases, itself or in what it calls
	chooses map[pta.InstID]bool            // may acquire a lock or not, itself or in what it calls at once
	entries pages.Table[pta.InstID, entry] // see flow
	asked   []pta.InstID                   // those whose entry has been asked for
	summary pages.Table[pta.InstID, *summary]
	passed  map[viaKey]*state             // see via
	runs    map[runKey][]*state           // see gaps
	inherit bool                          // goroutines start with what their spawner knows to be over
	makers  map[string]maker              // by function, see makerOf
	bodies  map[pta.InstID]bool           // run by the Do of a Once
	bound   map[*flow.Step][]flow.Binding // see bindings

	changes    []change                // all atomic operations that write
	canons     map[locList][]pta.Loc   // see canonical
	points     map[pta.Site][]pta.Loc  // see operands
	few        map[locList]cells       // see fewCells
	setOnce    map[string][]int64      // by field: what some function sets it to where it finds that it is not that, see settings
	setters    []change                // those that set a flag which an atomic load tests
	flags      map[pta.Site][]pta.Loc  // by atomic load that is tested: the flag
	bodyFlags  map[pta.InstID][]change // by body of a Once: flags that it sets
	checks     []flagCheck
	claims     map[claimKey]bool    // see valid
	free       []int64              // what a flag may be when nobody has it, see claim.go
	givenBacks map[[2]claimKey]bool // see givenBack

	near map[pta.InstID]*state // what is held on entry by near ways, see byNear

	acquired map[pta.InstID][]Held    // see acquiredAbove
	handed   map[everyWayKey][]*state // what becomes of a lock that is handed down, by gap, see mayHaveReleased
	onWays   map[everyWayKey]everyWay // see onEveryWay

	distances map[distanceKey]knownDistance // see distanceVia

	lending *Analysis // see Lent
	lender  Lender    // of that one
	drops   map[pta.InstID][]*Held

	leaving   map[leavingKey]bool // see mayLeave
	lockSteps map[stepAt]Held     // see lockAt

	idle  map[pta.InstID]bool // see isIdle
	taken bool                // only what is a lock for certain counts, see judge
	home  pta.InstID          // of the race that is judged, see object
	inRun bool                // it has one

	unjudged map[*model.Race]bool // see FilterShown
	overdue  func() bool          // see EndWhen

	common   *Common                              // what is the same for all loops; nil where nothing is kept
	likeness map[*component]likeness              // see alike
	trial    *[]triedSummary                      // whose summaries are noted on trial, see tryAlike
	onTrial  map[pta.InstID]bool                  // what of an instance alone is supposed, and whether that was asked for, see tryAlike
	differ   map[pta.InstID]bool                  // see differing
	asking   *questions                           // of a Common's analysis: where questions are noted
	asks     *pages.Table[pta.InstID, *questions] // of a Common's analysis: what summaries rest on
	supposed answers                              // of a Common's analysis: those of the version at hand
}

// New prepares the analysis of a view.
func New(w World) *Analysis { return NewSharing(w, nil) }

// NewSharing is New, which takes what loops have in common from c.
func NewSharing(w World, c *Common) *Analysis {
	a := &Analysis{
		common:   c,
		likeness: make(map[*component]likeness),
		w:        w,
		in:       inview.New(w),
		chooses:  make(map[pta.InstID]bool),
		bodies:   make(map[pta.InstID]bool),
		bound:    make(map[*flow.Step][]flow.Binding),
		flags:    make(map[pta.Site][]pta.Loc),
		setOnce:  make(map[string][]int64),

		bodyFlags: make(map[pta.InstID][]change),
		distances: make(map[distanceKey]knownDistance),
	}
	var work []pta.InstID
	mark := func(i pta.InstID) {
		if !a.lockish.Get(i) {
			a.lockish.Set(i, true)
			work = append(work, i)
		}
	}
	// acquires notes an acquisition, and the calls that come to it, where control may
	// also pass it by.
	acquires := func(s pta.Site) {
		note := func(c pta.Site) {
			if f := w.Flow(c.Inst); f != nil && !a.chooses[c.Inst] && a.mayPass(f, c.At) {
				a.chooses[c.Inst] = true
			}
		}
		for _, c := range a.in.Callers(s.Inst) {
			note(c)
		}
		note(s)
	}
	for _, i := range a.in.Syncing() {
		if f := w.Library(i); f != nil && isLockOp(f.Op) {
			mark(i)
			acquires(pta.Site{Inst: i, At: ssair.NoInstr})
			continue
		}
		f := w.Flow(i)
		if f == nil {
			continue
		}
		for _, set := range f.SetOnce {
			if k, known := slices.BinarySearch(a.setOnce[set.Field], set.To); !known {
				a.setOnce[set.Field] = slices.Insert(a.setOnce[set.Field], k, set.To)
			}
		}
		for s := range f.Steps {
			if isLockOp(f.Steps[s].Op) || f.Steps[s].Op == library.OpCondWait {
				mark(i)
			}
			if f.Steps[s].Locker != library.OpNone && len(a.in.Callees(i, f, int32(s))) == 0 {
				mark(i)
			}
			if op := f.Steps[s].Op; op == library.OpLock || op == library.OpRLock {
				acquires(pta.Site{Inst: i, At: f.Steps[s].Site})
			}
			if f.Steps[s].Op == library.OpOnce {
				for _, c := range a.in.Callees(i, f, int32(s)) {
					a.bodies[c] = true
				}
			}
		}
	}
	a.findFlags(mark)
	a.findClaims(mark)
	for len(work) > 0 {
		i := work[len(work)-1]
		work = work[:len(work)-1]
		for _, s := range a.in.Callers(i) {
			if !a.in.IsSpawn(s) {
				mark(s.Inst)
			}
		}
	}
	return a
}

func isLockOp(op library.Op) bool {
	switch op {
	case library.OpLock, library.OpUnlock, library.OpRLock, library.OpRUnlock, library.OpTryLock, library.OpTryRLock, library.OpOnce:
		return true
	}
	return false
}

// ErrOverdue is what an analysis panics with when it is to end, see EndWhen.
var ErrOverdue = errors.New("time is up")

// EndWhen has the analysis panic with ErrOverdue once over says so, which is asked for each function that it looks at. What loops
// have in common is worked out to its end all the same, as others may be using it. One loop may take minutes in a program of which
// most functions call each other.
func (a *Analysis) EndWhen(over func() bool) { a.overdue = over }

// Filter returns the races of rs whose accesses no common lock protects, and
// fills in the locks of their accesses.
func (a *Analysis) Filter(rs *model.RaceSet) *model.RaceSet {
	a.solve(rs)
	return rs.Filter(a.keep)
}

// FilterShown is Filter for a stage that others follow: races that are hidden anyway stay until one of those asks KeepsHidden, which
// most drop without having to. Almost all pairs of programs in which most functions call each other are hidden ones.
func (a *Analysis) FilterShown(rs *model.RaceSet) *model.RaceSet {
	if a.unjudged == nil {
		a.unjudged = make(map[*model.Race]bool)
	}
	a.solve(rs.Filter(func(r *model.Race) bool { return r.Confidence > model.Assumed }))
	return rs.Filter(func(r *model.Race) bool {
		if r.Confidence == model.Assumed {
			a.unjudged[r] = true
			return true
		}
		return a.keep(r)
	})
}

// KeepsHidden is Filter for one race that FilterShown may have left for later.
func (a *Analysis) KeepsHidden(r *model.Race) bool {
	if !a.unjudged[r] {
		return true
	}
	delete(a.unjudged, r)
	a.Prepare([]pta.InstID{pta.InstID(r.A.Inst), pta.InstID(r.B.Inst)})
	return a.keep(r)
}

// keep is Filter for one race, what leads to which is prepared.
func (a *Analysis) keep(r *model.Race) bool {
	v := a.judge(r)
	if v == proven {
		return false
	}
	x, y := locksOf(a.anyOf(r.A)), locksOf(a.anyOf(r.B))
	r.A.Locks = a.describe(r.A, r.Object, x, y)
	r.B.Locks = a.describe(r.B, r.Object, y, x)
	switch {
	case v == early:
		r.Confidence = model.Assumed
		r.Assumes = append(r.Assumes, "handed-on")
	case v == assumed:
		r.Confidence = model.Assumed
		r.Assumes = append(r.Assumes, "owner-lock")
	case v == leftOut:
		r.Confidence = model.Assumed
		r.Assumes = append(r.Assumes, "left-out")
	case v == byMode:
		r.Confidence = model.Assumed
		r.Assumes = append(r.Assumes, "write-mode")
	case v == byMarks:
		r.Confidence = model.Assumed
		r.Assumes = append(r.Assumes, "own-marks")
	case r.Lapse != nil && !(r.Lapse == r.A && lapse(x, y)) && !(r.Lapse == r.B && lapse(y, x)):
		r.Confidence = model.Assumed
		r.Assumes = append(r.Assumes, "deep-cone")
	case r.Confidence > model.Assumed && a.byNear(r):
		r.Confidence = model.Assumed
		r.Assumes = append(r.Assumes, "far-way")
	case r.Confidence == model.Likely && a.byBack(r):
		r.Confidence = model.Assumed
		r.Assumes = append(r.Assumes, "back-pointer")
	case a.byCounting(r):
		r.Confidence = model.Assumed
		r.Assumes = append(r.Assumes, "counted")
	case a.byTaking(r):
		r.Confidence = model.Assumed
		r.Assumes = append(r.Assumes, "taken-whole")
	}
	if h := a.sometimes(r); h != nil {
		r.Confidence, r.Either = model.Likely, false
		r.Because(model.AboutLocks, nameOf(h)+onSomeWays)
	} else if r.Confidence == model.Definite && a.maybeOne(r) {
		r.Confidence, r.Either = model.Likely, false
		r.Because(model.AboutLocks, why(x, y))
	} else if w := why(x, y); !slices.ContainsFunc(r.Why, saysSometimes) {
		r.Because(model.AboutLocks, w)
	}
	return true
}

// judge says how far locks protect a race.
func (a *Analysis) judge(r *model.Race) verdict {
	a.home, a.inRun = a.w.Home(r)
	defer func() { a.inRun = false }()
	v := a.judged(r)
	if v <= leftOut {
		return v
	}
	a.taken = true
	sure := a.judged(r)
	a.taken = false
	return max(sure, leftOut)
}

// judged is judge, which takes what may be no lock for one, unless taken is set.
func (a *Analysis) judged(r *model.Race) verdict {
	x, y := a.anyOf(r.A), a.anyOf(r.B)
	v := a.protected(r, side{Access: r.A, held: x}, side{Access: r.B, held: y})
	if v == unprotected {
		v = a.byWays(r)
	}
	if v == unprotected {
		v = a.byFunctions(r)
	}
	return a.ofOneDatum(r, v, x, y)
}

// object describes the object at a location. If the race at hand is on what there is one of in each run of
// a function, what else there is one of is one: who meets has that of the same run.
func (a *Analysis) object(l pta.Loc) pta.ObjectInfo {
	o := a.w.Object(l)
	o.Many = o.Many && !(a.inRun && a.w.OneIn(a.home, l))
	return o
}

// ofOneDatum is a verdict by the locks that two accesses hold, or unprotected where datum
// and locks may not belong together.
func (a *Analysis) ofOneDatum(r *model.Race, v verdict, x, y []Held) verdict {
	switch v {
	case unprotected, early, proven:
		return v
	case paired:
		return assumed
	}
	if (!r.Object.Many || a.inRun) && r.Object.Thread == model.Main && (a.ofMany(x) || a.ofMany(y) || a.ofMany(locksOf(x)) || a.ofMany(locksOf(y)) || !meet(x, y) || a.w.SeveralOwners(r)) {
		// One datum behind several owners, each with a lock of its own: a
		// struct that is copied with its mutex, two caches of one list.
		return unprotected
	}
	if r.Object.Thread != model.Main && !meet(x, y) {
		return unprotected // one iteration has made it, and put it where another lock guards it
	}
	return v
}

// locksOf leaves out what is over: to the reader that is no lock.
func locksOf(hs []Held) []Held {
	return slices.DeleteFunc(slices.Clone(hs), func(h Held) bool { return h.Flag || h.Claim || h.Once && !h.Write })
}

// meet reports whether a lock of x may be one of y, and one of them exclude the
// other.
func meet(x, y []Held) bool {
	for i := range x {
		for k := range y {
			if (x[i].Write || y[k].Write || x[i].writes != nil || y[k].writes != nil) && x[i].Claim == y[k].Claim && mayAlias(x[i].Locs, y[k].Locs) {
				return true
			}
		}
	}
	return false
}

// lapse reports whether a lock is held at one access and none at another.
func lapse(guarded, other []Held) bool {
	mutex := func(h Held) bool { return !h.Once }
	return slices.ContainsFunc(guarded, mutex) && !slices.ContainsFunc(other, mutex)
}

// ofMany reports whether all that the locks may be belongs to objects that
// stand for many, or are made by the iteration itself.
func (a *Analysis) ofMany(hs []Held) bool {
	any := false
	for i := range hs {
		for _, l := range hs[i].Locs {
			any = true
			if o := a.object(l); !o.Many && o.Made == model.Main {
				return false
			}
		}
	}
	return any
}

// InView returns the instances that run in the view.
func (a *Analysis) InView() *inview.Set { return a.in }

// Filter is New(w).Filter(rs).
func Filter(w World, rs *model.RaceSet) *model.RaceSet { return New(w).Filter(rs) }
