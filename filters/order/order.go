// Package order removes races between accesses that never run at the same
// time.
//
// The model is a static happens-before. Three questions are asked, each plain
// reachability on the instances' flow skeletons with some steps forbidden:
//
//	awaits(n, x)  step n completes only after access x is over
//	over(x, r)    whenever release r has happened, x cannot happen any more
//	open(g, y)    a path from spawn g to access y passes no step awaiting x
//
// and x, below spawn g, may overlap y if y is open from g and x itself does not
// wait for y. Dominance would not do: a Wait in a loop body dominates nothing
// and still joins on the path from the spawn. Cycles among the questions
// answer no.
//
// Each rule is
// pessimistic about the releases it must see all of, and says so where it rests
// on an assumption: a race that only an assumption removes is kept with low
// confidence.
//
// # Files
//
// How the three questions are asked:
//   - order, overlap, class, thread, giver, ops, meaning: the stage, its classes of accesses, threads, who of them has which object, and operations
//   - walk, frame, segment, interior, table, before, free, calm, silent, idle, again: walks over the skeletons, and what spares them
//
// What a step awaits:
//   - await, told: channels, and who tells that something is over
//   - wait, handle, once, nested, bubble, subtest, timer, registered, shutdown: groups, what is handed back to wait for, once, fork and join, bubbles, subtests, timers, what runs once something serves, and while it does
//   - count, tally, most, collect, slots, allplaces, semaphore, whole, tasks, sentphase, taskcount, drained, limit: what is counted: receives, answers, places, weights, tasks, one body at a time
//   - each, fanin: each element of a list, and what a goroutine passes on for each
//   - flag, plainflag, lastout: atomic and guarded flags, and counters of those that are done
//   - fieldlock: a channel that is the lock of an object
//   - children: what the goroutines do that are started when an access is over
//   - keeper: who has a channel that is a lock, and gives it to nobody any more, tells that all is over
//   - chain, relay, copy, sibling: each round, or run, waits for the one before; loops started by a call; goroutines of one round
//
// What keeps accesses that may overlap apart:
//   - own, web, pool, answer, delivered, tenure, asnew, misuse, content: an object that goes from thread to thread, by channels, pools and answers
//   - promise, filled, lazily, winner, lease: what is set before others are told, made by the first who asks, done by one of them, or by one at a time
//   - halves, ranges, recursion, older, oneframe, ownlist, onerun, latercall, toolate, made, replied, returned, wrapped, round: parts, runs and calls that have each their own
//   - swapped, atrest, instep: buffers in fields that change places between loops or at a barrier, what rests between its waits, and what iterations carry that go from round to round together
//   - lockstep, pairs: a goroutine and who has started it, or two that are started as a pair, followed together by what they tell each other
//   - barrier, parties, exchange, dispatched: phases of an own barrier, and of one at which all iterations wait; a server's handlers and the test that waits for their answers, or runs them itself
//   - binary: tests of different packages
//   - lent, eachway: a lock that is held for goroutines, or on some of the ways to an access
//   - home: what runs of a function have one of each, looked at by itself, and what no run leaves to others
//
// How surely:
//   - same, maybe: what is certain although pointers lead to several objects, what may order a race that would be definite
//   - running: what is waited for only where a place says that the goroutine was started
//   - turns, polled, phase: goroutines that may take turns with who started them, what is looked for under a lock until it is set, or done until then
//   - preset: goroutines that a caller may keep a function from starting
//   - asked, handson: what a goroutine does for who asks, where all that asked have been answered, and what is sent when an access is over
package order

import (
	"fmt"
	"math"
	"path"
	"path/filepath"

	"github.com/iterace/iterace/filters/internal/inview"
	"github.com/iterace/iterace/filters/locks"
	"github.com/iterace/iterace/internal/idset"
	"github.com/iterace/iterace/internal/ssair"
	"github.com/iterace/iterace/model"
	"github.com/iterace/iterace/model/library"
	"github.com/iterace/iterace/pta"
)

// A World is what the package asks of the points-to result, as seen from one
// parallel loop.
type World interface {
	inview.World
	Library(pta.InstID) *library.Func
	App(pta.InstID) bool // whether it runs code of the application
	// Named lists the instances that run the function of a name.
	Named(fn string) []pta.InstID
	// Bodies returns the instances that the iterations of one side start in.
	Bodies(model.Thread) []pta.InstID
	Thread(pta.InstID) model.Thread
	// Compare orders instances by what they are, and not by when the solver met them.
	Compare(i, j pta.InstID) int
	Operand(i pta.InstID, at ssair.Instr, k int) []pta.Loc
	Object(pta.Loc) pta.ObjectInfo
	RunFor(call pta.Site, o *model.Object) []pta.InstID
	OfBase(pta.Loc) bool
	// AlphasRound lists where the spawner does what an access of Main is part of, if
	// that is in the round that starts alpha and nowhere else; RoundLoop is the loop.
	AlphasRound(*model.Access) ([]pta.Site, bool)
	RoundLoop() int
	// Renewed reports whether what a load reads may be written while the loop
	// runs, but by who has just made the memory.
	Renewed(load pta.Site) bool
	Replaced(load pta.Site) bool
	Cells(load pta.Site) []pta.Loc
	WritersOf(locs []pta.Loc) (writers []pta.Site, ok bool)
	WritersBeside(locs []pta.Loc) []pta.Site
	// Argument returns which argument's memory a call's access touches, -1 where
	// it is not known.
	Argument(*model.Access) int
	// Sliced is Argument for accesses to the elements of a slice, -1 for others.
	Sliced(*model.Access) int
	// WithinLen reports whether a call's access to a slice stays within its length.
	WithinLen(*model.Access) bool
	// PassedBy returns which of the pools and channels hand on an object; ok is
	// false where an iteration may come by it in another way.
	PassedBy(o *model.Object, media []pta.Loc) (by []pta.Loc, ok bool)
	Pos(pta.InstID, ssair.Instr) model.Pos
	Meetings(*model.Race) ([]pta.Meeting, bool)
	// MeetingsByStores is Meetings, where a frame has what it makes from the one place that it puts it into.
	MeetingsByStores(*model.Race) ([]pta.Meeting, bool)
	Early(x *model.Access, w, other *pta.Way) bool
	Loaded(x *model.Access, o *model.Object, up int, taken bool) (*pta.Loaded, bool)
	TakenOn(x *model.Access, o *model.Object) (*pta.Loaded, bool)
	HandedDown(call pta.Site, callee pta.InstID) ([]pta.Way, bool)
	Behind(x *model.Access, o *model.Object, owners []pta.Loc) (at []pta.Site, ok bool)
	// ByOwnFunction returns the function, kept by one of some owners, by which an access gets at an object; or -1.
	ByOwnFunction(x *model.Access, o *model.Object, owners []pta.Loc) int32
	Fetched(x *model.Access, o *model.Object, at func(pta.Site) bool) bool
	GivenOwner(i pta.InstID, locs []pta.Loc) bool
	MadeBeside(locs []pta.Loc) []pta.Loc
	// SeveralOwners reports whether the object of a race is put into several
	// objects, of each of which there is one.
	SeveralOwners(*model.Race) bool
	// Home returns a function in each run of which there is one of what a race is about,
	// and OneIn reports whether that holds of the object at a location.
	Home(*model.Race) (home pta.InstID, ok bool)
	OneIn(home pta.InstID, l pta.Loc) bool
	// KeptBy returns a function that makes the object of a race in its runs, and leaves it to nobody.
	KeptBy(*model.Race) (keeper pta.InstID, ok bool)
	// Dispatched reports whether what is registered at a site is found by who dispatches.
	Dispatched(pta.Site) bool
	// Givers returns the frames that give an access an object, or what has it; ok is false where they are not known.
	Givers(x *model.Access, o *model.Object) (frames []pta.InstID, ok bool)
	// MayPass reports whether operand k of the first call by which a way's object
	// is passed may be a pointer to it.
	MayPass(w pta.Way, k int) bool
	// MayPassObject reports whether operand k of a call may be a pointer to an
	// object.
	MayPassObject(s pta.Site, k int, o *model.Object) bool
	// MaySend reports whether what is sent at a site may be a pointer to the object of a race.
	MaySend(s pta.Site, o *model.Object) bool
	// Travels reports whether both accesses of a race go to an object that threads hand on.
	Travels(*model.Race) bool
	// FromMakers returns a chain to a site that begins where the function was made that a thread has received, as nobody
	// else has, and by which alone it comes there.
	FromMakers(t model.Thread, to pta.Site, o *model.Object) (pta.Chain, bool)
	// Swapped reports whether the accesses of a race go to different objects unless some
	// stores make fields change places meanwhile.
	Swapped(*model.Race) (s *pta.Swapping, ok bool)
	// PutTwice reports whether the code shows that an object is put into two places.
	PutTwice(*model.Object) bool
	// Apart reports whether two instances run in the programs of different entry
	// points, of which none runs before others (an initialiser, TestMain).
	Apart(i, j pta.InstID) bool
	// Next lists the entry points that run after an initialiser.
	Next(pta.InstID) []pta.InstID
	// Settled lists the stores to a place that keeps what is put there, Stored what a store
	// may be to; Before lists the initialisers that run before an entry point.
	Settled(pta.Loc) (stores []pta.Site, sure, ok bool)
	MaySettle(pta.Loc) (stores []pta.Site, ok bool)
	Stored(store pta.Site) []pta.Loc
	// Made returns where an object is made; Inst or At is -1 where that is not known.
	Made(*model.Object) pta.Site
	// MadeByOthers returns where all but the loop's iterations make what they know by the name of an object.
	MadeByOthers(*model.Object) pta.Site
	// ByElements reports whether an access has its object from elements of lists alone.
	ByElements(*model.Access, *model.Object) bool
	// StoresTo lists the stores to a place; ok is false if there are too many.
	StoresTo(pta.Loc) (stores []pta.Site, ok bool)
	Before(pta.InstID) []pta.InstID
	// Writes lists the instructions by which the function of an instance itself writes memory.
	Writes(pta.InstID) []ssair.Instr
	// Reads is Writes for the memory that it reads.
	Reads(pta.InstID) []ssair.Instr
	// ScopeRuns reports whether all entry points of the view run by themselves.
	ScopeRuns() bool
	// ScopeTests reports whether all of them are tests.
	ScopeTests() bool
	// Makes reports whether the result of the call at a site is always new memory.
	Makes(pta.Site) bool
}

// An access is a memory access as a position.
type access struct {
	inst pta.InstID
	at   ssair.Instr
	// birth is where the object of the pair at hand is made, if both sides
	// reach it by capture; a round of a loop that passes it has another
	// object. Inst is -1 otherwise.
	birth pta.Site
	// own is where the object is made that this access reaches by what it
	// captures or is passed, whichever way the other side reaches it.
	own pta.Site
	// by is the one thread of the access that is meant, plus one; 0 for all
	// that run its instance.
	by pta.InstID
	// arg is the argument of a call whose memory it touches, where that is known, plus one.
	arg int8
}

// A touch is where an access is, and which argument of a call it touches there.
type touch struct {
	pta.Site
	arg int8
}

func (x access) touch() touch { return touch{pta.Site{Inst: x.inst, At: x.at}, x.arg} }

// accessAt is what is done at a site as an access, by whichever thread, to whichever object.
func accessAt(s pta.Site) access { return access{inst: s.Inst, at: s.At, birth: noSite, own: noSite} }

// accessOf is accessAt for an access of a race.
func (a *Analysis) accessOf(m *model.Access) access {
	x := accessAt(pta.SiteOf(m))
	if k := a.w.Argument(m); k < maxArgument {
		x.arg = int8(k + 1)
	}
	return x
}

// maxArgument bounds the arguments of a call that are told apart.
const maxArgument = 100

var noSite = pta.Site{Inst: -1, At: ssair.NoInstr}

// An Analysis answers questions of order in one view.
type Analysis struct {
	w          World
	in         *inview.Set
	spawns     []pta.Site
	polls      *polls                 // once found
	ofElements map[frameLoop][]*op    // see elementOps
	sureGets   map[pta.Site]answer    // see succeeds
	syncful    *idset.Set[pta.InstID] // has a step other than a call, itself or below
	relevant   *idset.Set[pta.InstID] // has an access of the race set, itself or below
	ops        map[pta.Loc][]*op
	allOps     []*op
	byCanon    map[pta.Loc][]*op // see otherNames
	operands   map[operandKey][]pta.Loc
	births     map[pta.InstID][]ssair.Instr
	starters   map[pta.InstID]*idset.Set[pta.InstID] // by thread: those that start it, directly or not
	started    map[pta.InstID][]pta.Site             // by thread: its spawns, once all are known
	begun      begun
	served     *served                 // see unserved
	shut       *served                 // see shutDown
	exchanged  exchange                // see exchange
	dispatches map[pta.Site]dispatch   // see dispatched
	onlyTests  answer                  // see startedInTests
	testDirs   []string                // directories of the tests that lead to where the iterations start
	startSets  []startSet              // see setAtStart
	prizeLocs  []pta.Loc               // see prizes; nil if they are not known yet
	testStores map[pta.Site][]pta.Site // to what tests load; see againstStart
	forking    *idset.Set[pta.InstID]  // see mayStart
	up         map[pta.InstID]bool     // threads that the spawner belongs to, or is spawned from
	classes    map[target]*class
	byKey      map[string]*class
	threadOps  map[pta.InstID][]*op
	around     map[pta.InstID][]pta.InstID
	useful     map[pta.Loc]bool // objects by which an access may be awaited
	walks      map[walkKey]*walk
	besides    map[pta.InstID][]besides // by the first thread, see alongside
	free       map[freeKey][]freeWalk   // see freely
	earlier    []*earlier               // see before
	flags      map[pta.Site][]*op       // stores to plain flags, by where the flag is made
	tests      map[pta.Site]pta.Site    // where the flag is made that is tested
	opsByInst  map[pta.InstID][]*op     // see opsIn
	inits      map[pta.Site]initials    // see initial
	locksets   *locks.Analysis
	compare    Comparison // see CompareBy
	ownership  map[ownedKey]ownership
	bubbles    bool                                  // something waits for a bubble
	cut        map[pta.Site]bool                     // calls and spawns that walks do not enter, see halves.go
	cuts       map[string]*Analysis                  // those with cuts
	homes      map[pta.InstID]*Analysis              // of what runs of a function have one of each, see home.go
	ups        map[pta.InstID]*idset.Set[pta.InstID] // see upCalls
	inRuns     int                                   // nodes of walks in runs, see untilOverIn
	recursions map[pta.InstID]*recursion             // by thread that it starts
	joining    map[pta.InstID]answer                 // see nested.go
	premature  bool                                  // such an answer was wanted while it was looked for
	links      map[pta.InstID][]*link
	callOps    map[pta.InstID][]callOp  // see doneByCalls
	toldOps    map[pta.InstID][]callOp  // see toldByCalls
	children   map[pta.InstID][]childOp // see childOps
	collects   []*collection            // see collections; nil until asked for
	onceBodies []*onceRun               // see onceRuns; nil until asked for
	onces      []*onceGroup             // see onceGroups; nil until asked for
	belows     map[pta.InstID]*below    // see onlyBelow
	slots      map[lockKey]*slotChan
	handed     map[handedKey]answer   // see isHanded
	allOf      map[pta.Loc]*allPlaces // see placesOf
	slotsAsked bool                   // whether a loop takes all slots was to be assumed
	limits     map[pta.Loc]bool
	pools      []*op                     // on pools; nil until asked for
	gets       map[pta.Site]*op          // of pools
	madeBy     map[string][]pta.Site     // by literal's name, see makings
	takes      []*op                     // see takings; the same
	channels   []pta.Loc                 // see oneChannels; the same
	fields     []*fieldLock              // see fieldLocks; the same
	gives      []*op                     // by which a thread gives an object away; the same
	regiven    [][2]*op                  // see givenAgain; the same
	fed        map[pta.InstID][]*tasking // by feeder
	inSent     map[sentKey][]*sentTask
	blockings  []pta.Site // see blockingSteps; nil until asked for
	counters   map[pta.InstID][]taskCount
	sends      map[int32]bool
	frames     *frameTable
	tells      *idset.Set[pta.InstID]            // see telling
	locked     map[pta.InstID]answer             // see underLock
	mayWait    map[pta.Site]answer               // see lent.go
	asks       *candidates                       // see places
	crossing   map[string]*idset.Set[pta.InstID] // see crosses
	plain      bool                              // walks share nothing: for tests, see askAll and tableOf
	rounds     map[pta.Loc]bool
	runBy      map[usesKey]answer
	several    map[severalKey]answer  // see multi
	spawners   *idset.Set[pta.InstID] // see starting
	locks      map[lockKey]answer
	dead       map[nobodyKey]answer
	untold     map[untoldKey]answer // see neverReturns
	doneTo     map[pta.Loc]uint     // see doneToChan
	notified   map[pta.Loc]bool     // channels that signals are relayed to, see isTimer
	passed     map[pta.InstID]answer
	again      bool // a spawn may follow another: there is a beta
	set        *model.RaceSet
	room       int                     // pairs of a group that are decided and shown, see maxPerGroup
	bold       bool                    // what is assumed counts: that each Stop of a timer comes in time, that all slots are taken
	stopped    []stoppedTimer          // timers
	stops      map[pta.InstID]bool     // see heldUp
	stands     map[group]bool          // the bold one keeps a race of the group
	second     *Analysis               // the bold one
	doubtful   bool                    // what may be the same channel is, see maybe.go
	doubts     *Analysis               // the doubtful one
	noneFails  bool                    // no test fails
	passing    *Analysis               // the one of which that holds
	someFail   answer                  // see onlyFailed
	behinds    *Analysis               // another one, see startedBehindWait
	byElement  *Analysis               // a third one, see mayEndByElement
	eachCalls  elementCalls            // of that one: see maybe.go
	firm       map[group]bool          // see settle
	resets     map[pta.Site][]pta.Site // what starts a timer's function again, by what did first
	groups     map[group]int           // races kept so far
	renamed    map[pta.Loc]pta.Loc     // see copy.go
	copies     map[pta.InstID]pta.InstID
	copyLists  map[pta.InstID][]pta.InstID
	listed     map[string]bool // functions of whose instances copyLists has those
	mediaLocs  []pta.Loc       // pools and channels; nil until asked for
	tenures    map[touch]bool  // see tenure.go
	putBefore  map[touch]bool  // see misuse.go
	afterPuts  map[afterKey]*walk
	putRoots   map[int32][]rooted
	useRoots   map[touch][]rooted // by access
	sources    map[touch][]origin // by access, see originsOf
	lentBy     map[*model.Object]*lender
	twice      map[int32]bool      // by operation: see givenTwice
	afterAll   map[pta.Site]bool   // see toolate.go
	mediaWalks *Analysis           // see withMedia
	outer      *Analysis           // whose withMedia this is
	answerOps  []*op               // see answers
	turns      map[touch]ownership // see inTurn
	sentTurns  map[int32]bool      // by operation: see sentInTurn
	tenured    bool                // what comes out of a pool is new, see asnew.go
	newWorld   *Analysis           // that one
	seesMedia  bool
	seesConds  bool                        // walks come to what waits for conditions, and lets those go on that do, see barriers
	barred     *barriers                   // see barriers
	partied    []*party                    // see parties; nil until asked for
	talks      map[[2]pta.InstID]*talk     // see talkOf and pairOf
	pairs      map[pta.InstID][]pta.InstID // see pairsOf
	forwards   []forwarder                 // see forwarders; nil until asked for
	lazy       map[pta.Loc]*lazily         // see lazilyAt
	tested     map[pta.InstID][]pta.Loc    // see testedFor
	loadOf     map[pta.Site]pta.Loc        // see onlyCell
	made       map[string]*walk            // see afterMakings
	lentFuel   int                         // see lent.go
	lazyFuel   int                         // see lazily.go
	madeFuel   int                         // see made.go
	childFuel  int                         // see children.go
	twiceFuel  int                         // see tenure.go
	undecided  int
	fuel       int // nodes that walks may still visit for this loop
	floor      int // below that much fuel, no walk begins for the pair at hand
}

// New prepares the analysis of the races of a view, whose locksets are given.
func New(w World, l *locks.Analysis, rs *model.RaceSet) *Analysis {
	return newAnalysis(w, l, rs, false)
}

// DecideAll lets the analysis decide all pairs of each race set, not only so many as tell what is to be told: for tests that
// compare what is left of two runs, in which others may take the room.
func (a *Analysis) DecideAll() { a.room = math.MaxInt }

// newAnalysis is New; with tenured, what comes out of a pool is new.
func newAnalysis(w World, l *locks.Analysis, rs *model.RaceSet, tenured bool) *Analysis {
	a := &Analysis{
		tenured:   tenured,
		w:         w,
		in:        l.InView(),
		locksets:  l,
		set:       rs,
		room:      maxPerGroup,
		spawns:    w.Spawns(),
		relevant:  new(idset.Set[pta.InstID]),
		syncful:   new(idset.Set[pta.InstID]),
		starters:  make(map[pta.InstID]*idset.Set[pta.InstID]),
		classes:   make(map[target]*class),
		byKey:     make(map[string]*class),
		around:    make(map[pta.InstID][]pta.InstID),
		walks:     make(map[walkKey]*walk),
		besides:   make(map[pta.InstID][]besides),
		flags:     make(map[pta.Site][]*op),
		tests:     make(map[pta.Site]pta.Site),
		ownership: make(map[ownedKey]ownership),
		sends:     make(map[int32]bool),
		frames:    new(frameTable),
		inits:     make(map[pta.Site]initials),
		rounds:    make(map[pta.Loc]bool),
		runBy:     make(map[usesKey]answer),
		several:   make(map[severalKey]answer),
		locks:     make(map[lockKey]answer),
		dead:      make(map[nobodyKey]answer),
		passed:    make(map[pta.InstID]answer),
		groups:    make(map[group]int),
		fuel:      maxFuel,
		lentFuel:  maxLentFuel,
		lazyFuel:  maxLazyFuel,
		madeFuel:  maxMadeFuel,
		childFuel: maxChildFuel,
		twiceFuel: maxTwiceFuel,
	}
	var insts []pta.InstID
	for _, r := range rs.Races {
		insts = append(insts, pta.InstID(r.A.Inst), pta.InstID(r.B.Inst))
	}
	a.in.LeadTo(a.relevant, insts)
	a.in.LeadTo(a.relevant, a.makers())
	a.findAncestors()
	a.findOps()
	a.started = make(map[pta.InstID][]pta.Site) // findOps knows the last of them
	a.findBegun()
	a.findUseful(insts)
	if tenured {
		a.seeMedia()
	}
	a.findBirths()
	if a.findAgain(); !a.again {
		a.dropBeta()
	}
	a.dropBirths()
	return a
}

// callersBy adds to set the given instances and all that lead to them by some calls and spawns.
func (a *Analysis) callersBy(set *idset.Set[pta.InstID], work []pta.InstID, by func(pta.Site) bool) {
	work = append([]pta.InstID(nil), work...)
	for _, i := range work {
		set.Add(i)
	}
	for len(work) > 0 {
		i := work[len(work)-1]
		work = work[:len(work)-1]
		for _, s := range a.in.Callers(i) {
			if by(s) && set.Add(s.Inst) {
				work = append(work, s.Inst)
			}
		}
	}
}

// A Comparison says of the accesses of a race whether they go to different elements where order shows something that is needed
// for that; nil knows nothing.
type Comparison struct {
	OnOneBase func(*model.Race) bool // what they have loaded is one slice
	// Both iterations are in one round of a loop of the function that they begin in; assumed is what it takes.
	InOneRound func(r *model.Race, header int32) (assumed []string, ok bool)
	// Both iterations are in one round of a loop of a function, and nothing shows that they go to different elements.
	MeetInRound func(r *model.Race, function string, header int32) bool
	// Both iterations run a function that was made in one run of a function, in different rounds of a loop of it.
	InOnePhase func(r *model.Race, loop int) (assumed []string, ok bool)
}

// CompareBy has a comparison asked.
func (a *Analysis) CompareBy(c Comparison) { a.compare = c }

// Filter returns the races of rs whose accesses may overlap in time, and says
// of each why.
func (a *Analysis) Filter(rs *model.RaceSet) *model.RaceSet {
	for _, r := range rs.Races {
		if x, y := a.accessOf(r.A), a.accessOf(r.B); r.Round && r.Confidence > model.Assumed {
			if a.sharedBirth(r, &x, &y) == noSite { // (soundness: many-objects)
				r.Confidence = model.Assumed
				r.Assumes = append(r.Assumes, "many-objects")
			}
		}
	}
	a.hideAllScattered(rs)
	// What is hidden anyway comes last: it gets the fuel that is left. Of that comes first what may be shown all the
	// same, which is there also where nobody asks for the rest.
	kept := make(map[*model.Race]bool)
	pass := func(hidden bool, of func(*model.Race) bool) {
		for _, r := range rs.Races {
			if (r.Confidence == model.Assumed) == hidden && !kept[r] && of(r) {
				kept[r] = a.withinPair(func() bool { return a.keep(r, hidden) })
			}
		}
	}
	pass(false, func(*model.Race) bool { return true })
	a.fuel = min(a.fuel, maxHidden)
	pass(true, func(r *model.Race) bool { return r.Handed })
	pass(true, func(r *model.Race) bool { return !r.Handed })
	return rs.Filter(func(r *model.Race) bool { return kept[r] })
}

// withinPair calls f, which decides on one pair. If that takes more than maxPair, the fuel of the loop is used up.
func (a *Analysis) withinPair(f func() bool) bool {
	a.floor = a.fuel - maxPair
	kept := f()
	a.floor = 0
	return kept
}

// spending lets what is done until the function is called that it returns take from fuel of its own.
func (a *Analysis) spending(own *int) (over func()) {
	fuel, floor := a.fuel, a.floor
	a.fuel, a.floor = min(fuel, *own), 0
	before := a.fuel
	return func() {
		*own -= before - a.fuel
		a.fuel, a.floor = fuel, floor
	}
}

// HideScattered hides what Filter would hide first of all, so that stages before it need not look at that.
func HideScattered(w World, l *locks.Analysis, rs *model.RaceSet) {
	a := &Analysis{w: w, in: l.InView(), spawns: w.Spawns()}
	a.hideAllScattered(rs)
}

// hideAllScattered hides the races that are hidden in the end, and of which that is seen without walks.
func (a *Analysis) hideAllScattered(rs *model.RaceSet) {
	for _, r := range rs.Races {
		if a.scattered(r) && !a.ofOneValue(r) {
			hideScattered(r)
		}
	}
}

// scattered reports whether a race is hidden in the end unless both accesses turn out to be to one object.
func (a *Analysis) scattered(r *model.Race) bool {
	return r.Scattered && r.Either && r.Confidence == model.Likely
}

// hideScattered hides such a race (soundness: many-places).
func hideScattered(r *model.Race) {
	r.Confidence = model.Assumed
	r.Assumes = append(r.Assumes, "many-places")
	r.Because(model.AboutObject, "the accesses go to one object if their pointers do, which may lead to many")
}

// keep decides on r and, if it stays, says why.
func (a *Analysis) keep(r *model.Race, hidden bool) bool {
	g := groupOf(r)
	limit := a.room
	if hidden {
		g.assumed, limit = true, maxAssumed
		if a.fuel < 0 {
			return false
		}
	}
	if a.groups[g] >= limit {
		return false
	}
	if hidden && !a.locksets.KeepsHidden(r) {
		return false
	}
	v := a.judge(r)
	if !v.overlap || !hidden && a.apartInRun(r) || a.inOtherTests(r) {
		return false
	}
	// hide keeps the race as one that rests on an assumption, if there is room for one more.
	hide := func(assumes, why string) (room bool) {
		v.why, r.Confidence = why, model.Assumed
		r.Assumes = append(r.Assumes, assumes)
		hidden, g.assumed = true, true
		return a.groups[g] < maxAssumed
	}
	tenure := !hidden && a.fuel >= 0 && (a.inTenure(r) || a.atOneTenure(r) || a.throughLateOnly(r) || r.Pooled && !a.misused(r)) && !a.returnedSpent(r)
	if a.fuel >= 0 && (tenure || hidden && r.Handed) && a.handedToOther(r) && !a.answered(r) {
		r.Confidence, r.Assumes, hidden, g.assumed = model.Likely, nil, false, false
		if v.why = "the object is used after it was given away"; a.groups[g] >= a.room {
			return false
		}
	} else if tenure {
		if !hide("tenure", "each iteration has the object for itself unless it is used after it was given back") {
			return false
		}
	} else if !hidden && a.fuel >= 0 && (v.replied || a.answered(r)) {
		if !hide("answered", "each has the object in turn unless an answer comes early") {
			return false
		}
	} else if !hidden && a.fuel >= 0 && a.w.Travels(r) {
		if !hide("travels", "the object is handed on from one to the other unless something else holds it, too") {
			return false
		}
	}
	if !hidden && a.fuel >= 0 && a.unserved(r) {
		if !hide("registered", "what is registered runs only once something is served, which is later") {
			return false
		}
	}
	if only, asked := a.runsUnserved(r); only && !hidden && a.fuel >= 0 {
		if !hide("own-dispatch", "nothing serves what this is registered with: it runs where the program itself asks for it") {
			return false
		}
	} else if asked && r.Confidence == model.Definite {
		r.Confidence = model.Likely
		r.Because(model.AboutOrder, "nothing in view serves what this is registered with")
	}
	if len(v.inStep) > 0 && !hidden {
		if r.Assumes = append(r.Assumes, v.inStep[1:]...); !hide(v.inStep[0], "the iterations are in one round of a loop, or one phase, whenever they meet, and go to different elements in it unless rows overlap") {
			return false
		}
	}
	if !hidden && a.fuel >= 0 && a.shutDown(r) {
		if !hide("registered", "the server was shut down before, and waited for its handlers unless it gave up") {
			return false
		}
	}
	if !hidden && a.fuel >= 0 && a.askedByOne(r) {
		if !hide("one-asker", "the handler runs while one goroutine waits for its answer, unless it goes on after that") {
			return false
		}
	}
	if !hidden && a.fuel >= 0 {
		switch done, sure := a.doneLazily(r); {
		case sure:
			return false
		case done:
			if !hide("set-before", "it is done by the first who comes by, unless what is made there is nil") {
				return false
			}
		}
	}
	if (v.owner || v.once) && !hidden && a.fuel >= 0 {
		why := "a lock is held until the goroutine is over, unless what it guards has two owners"
		if v.once {
			why = "a Once is over that sets it up, unless it is that of another object"
		}
		if !hide("owner-lock", why) {
			return false
		}
	}
	if v.sent == mayBeDelivered && r.Confidence == model.Definite {
		r.Confidence = model.Likely
		r.Because(model.AboutObject, "nothing shows that two iterations have the object")
	}
	if v.waited && r.Confidence == model.Definite {
		r.Confidence = model.Likely
		r.Because(model.AboutOrder, "the object may be what a function returns when it has waited")
	}
	if v.sent == sentOnce && !hidden && a.fuel >= 0 {
		if !hide("sent-once", "the object is sent when the iteration is done with it, unless another one sends it, too") {
			return false
		}
	}
	if v.within && !hidden && a.fuel >= 0 {
		if !hide("within-range", "each call has another part, unless it leaves that") {
			return false
		}
	}
	if !hidden && a.fuel >= 0 && a.orderedInRound(r) {
		if !hide("round-order", "one goroutine of the round may wait for the other") {
			return false
		}
	}
	a.groups[g]++
	if a.fuel < 0 {
		// Not decided: the pair stays, at the lowest confidence
		// (soundness: budget).
		v.why = "not decided whether something orders the accesses: too many paths"
		r.Confidence = model.Assumed
		r.Assumes = append(r.Assumes, "budget")
		a.undecided++
	}
	if !hidden && a.fuel >= 0 && a.boldly(r, g) {
		v.why = "the goroutines meet only if the timer fires before it is stopped"
		r.Confidence = model.Assumed
		if a.slotsAsked {
			v.why = "the goroutines meet only if who takes their slots back leaves some"
			r.Assumes = append(r.Assumes, "all-slots")
		}
		if a.stopMatters(r.A) || a.stopMatters(r.B) {
			r.Assumes = append(r.Assumes, "timer-stop")
		}
	}
	if v.why != "" {
		r.Because(model.AboutOrder, v.why)
	}
	if r.Confidence == model.Definite && r.Place != 0 && a.doubting().placeChanges(r) {
		r.Confidence, r.Either = model.Likely, true
	}
	switch {
	case !r.Either || r.Confidence != model.Likely:
	case a.fuel >= 0 && a.oneObject(r):
		r.Confidence, r.Either = model.Definite, false
	case r.Scattered:
		hideScattered(r)
	default:
		r.Because(model.AboutObject, "the accesses go to one object if their pointers do, which may lead to several")
	}
	a.settle(r, g)
	return true
}

// Filter is the whole of it for a view of which nothing is known yet.
func Filter(w World, rs *model.RaceSet) *model.RaceSet { return New(w, locks.New(w), rs).Filter(rs) }

// Bounds on the work for one loop, in nodes of walks: counted and not timed, so
// that two runs agree.
const (
	maxFuel   = 700_000
	maxHidden = 75_000 // of that, for pairs that are hidden anyway

	// A pair that needs more than this is in a place from which walks lead through most of a large program, and nearly all
	// that needed so much used up what there was for the whole loop: 30 of 31 pairs of a language server, which took 19 of
	// the 22 million nodes of its loops.
	maxPair = 350_000

	// A race set that has this many pairs says what it has to say; deciding the
	// rest of a hundred pairs of one field would cost more than all else
	// (soundness: pairs-bounded).
	maxPerGroup = 12
	maxAssumed  = 2
)

// A group is the races of one field of what is made at one place, with the
// same other side.
type group struct {
	kind, name, field string
	pos               model.Pos
	thread            model.Thread
	other             *model.Loop
	assumed           bool
}

func groupOf(r *model.Race) group {
	return group{r.Object.Kind, r.Object.Name, r.Field, r.Object.Pos, r.B.Thread, r.Other, false}
}

// Undecided returns the number of races that were kept because deciding them
// would have taken too long.
func (a *Analysis) Undecided() int { return a.undecided }

// A verdict says whether two accesses may overlap, and in a line why.
type verdict struct {
	overlap bool
	why     string
	owner   bool // unless a lock's owner alone has what is reached through it
	once    bool // unless a Do was of the object's own Once, see afterSuchOnce
	within  bool // unless a call of a recursion leaves its part, see ranges.go
	sent    delivery
	// replied is set unless a function runs again that has told that it is done, see replied.go.
	replied bool
	waited  bool     // what a function has returned that waits, or the like of it, see returned.go
	inStep  []string // what keeps iterations apart that are in one round of a loop, or one phase, see instep.go and sentphase.go
}

func (a *Analysis) judge(r *model.Race) verdict {
	x, y := a.accessOf(r.A), a.accessOf(r.B)
	for _, z := range []access{x, y} {
		f := a.w.Flow(z.inst)
		if f == nil {
			return verdict{overlap: true}
		}
		if f.Phantom(z.at) {
			return verdict{} // only go/ssa makes this access
		}
	}
	if r.B.Thread == model.Main && a.keptInRun(r, x, y, true) {
		return verdict{} // as below, and most joins are near by
	}
	a.findBirth(r, &x, &y)
	v := a.overlap(r, x, y)
	if !v.overlap {
		return v
	}
	held, owned := a.semaphores(r, x, y)
	relayed, relayOwned := a.inRelay(r, x, y)
	owned = owned || relayOwned || a.inFieldLock(x, y)
	isDelivered := func(x, y access) bool {
		v.sent = max(v.sent, a.delivered(r, x, y))
		return v.sent == delivered
	}
	if held || relayed ||
		a.bothOwned(x, y) || a.ownersOwned(r, x, y) || isDelivered(x, y) || isDelivered(y, x) ||
		a.oneWinner(x, y) || a.oneAtATime(x, y) || a.besideAllPlaces(x, y) || a.paused(r, x, y) ||
		r.B.Thread == model.Beta && a.inChain(x, y) || a.inOtherPhase(r, x, y) ||
		a.inHalves(r, x, y) || a.outsideRecursion(r, x, y) || a.besideRecursion(r, x, y) ||
		r.B.Thread == model.Main && (a.betweenPhases(x, y) || a.allAnswered(x, y) || a.toldByLast(r, x, y) || a.inLockstep(x, y)) ||
		a.promised(x, y) || a.promised(y, x) || a.closedTwice(x, y) ||
		a.filledBehind(r, x, y, r.B) || a.filledBehind(r, y, x, r.A) ||
		a.older(r, x, y, r.B) || a.older(r, y, x, r.A) ||
		a.ofOneFrame(x, y) || a.ofOneFrame(y, x) || a.swappedApart(r, x, y) || a.apartAtRest(r, x, y) ||
		a.laterThanOnce(r, r.A, y) || a.laterThanOnce(r, r.B, x) ||
		r.B.Thread == model.Main && (a.ofOwnList(r, x, y) || a.laterCall(r, x, y) || a.besideOnce(x, y) || a.givenToOthers(r, x, y) || a.keptInRun(r, x, y, false)) {
		return verdict{}
	}
	for _, z := range [][2]access{{x, y}, {y, x}} {
		all, some := a.returnedWhenOver(r, z[0], z[1])
		if all {
			return verdict{}
		}
		v.waited = v.waited || some
	}
	if assumed, apart := a.sentApart(r, x, y); apart && len(assumed) == 0 {
		return verdict{}
	} else if apart {
		v.inStep = assumed
	}
	if assumed, apart := a.apartInStep(r, x, y); apart && len(assumed) == 0 {
		return verdict{}
	} else if apart {
		v.inStep = assumed
	}
	for _, z := range [][2]access{{x, y}, {y, x}} {
		apart, sure := a.afterMade(z[0], z[1])
		if apart && sure {
			return verdict{}
		}
		v.replied = v.replied || apart
	}
	lent, ofRun := a.underRunsLock(r, x, y)
	if lent {
		return verdict{}
	}
	if lent, v.owner = a.underLent(r, x, y); lent {
		return verdict{}
	}
	apart, ofOwner := a.apartByWays(r, x, y)
	if apart && !ofOwner {
		return verdict{}
	}
	if a.madeTooLate(r, x) || r.B.Thread == model.Beta && a.madeTooLate(r, y) {
		return verdict{}
	}
	v.within = a.inRanges(r, x, y)
	v.owner = v.owner || owned || ofOwner || ofRun
	v.once = !v.owner && (a.afterSuchOnce(r, x, y) || a.afterSuchOnce(r, y, x))
	return v
}

// line names the line of an instruction, and its file where that is not the one
// of the loop.
func (a *Analysis) line(i pta.InstID, at ssair.Instr) string {
	pos := a.w.Pos(i, at)
	if len(a.spawns) > 0 && a.w.Pos(a.spawns[0].Inst, a.spawns[0].At).File != pos.File {
		return fmt.Sprintf("line %d of %s", pos.Line, path.Base(filepath.ToSlash(pos.File)))
	}
	return fmt.Sprintf("line %d", pos.Line)
}
