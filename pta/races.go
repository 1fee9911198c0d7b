package pta

import (
	"cmp"
	"slices"
	"strings"

	"github.com/iterace/iterace/internal/bitset"
	"github.com/iterace/iterace/internal/ssair"
	"github.com/iterace/iterace/model"
)

// locations calls f for every location that an access may touch.
func (s *solver) locations(in *instance, a *Access, f func(loc int32)) {
	if a.Flags&FlagOpen != 0 && !s.open(in, a.Recv) {
		return
	}
	set := s.pts(in.node(a.Node))
	if a.Flags&FlagDeep != 0 {
		set, n := s.deepFrom(set, a)
		s.deepLocations(set, n, a.Flags, f)
		return
	}
	for l := range set.All() {
		if b, ok := s.boxAt(l); ok {
			if a.Flags&FlagCall == 0 {
				continue
			}
			l = b.loc
		}
		oid := s.ownerOf(l)
		if oid < 0 || !s.isData(oid) {
			continue
		}
		for i := range a.N {
			if x, ok := s.shift(l, a.Off+i); ok {
				f(x)
				if a.Flags&FlagRegion != 0 {
					s.overlapping(x, func(y int32) {
						if y != x {
							f(y)
						}
					})
				}
			}
		}
	}
}

// isData reports whether an object holds data that can race.
func (s *solver) isData(oid int32) bool {
	o := s.object(oid)
	switch o.kind {
	case objFunc, objConst:
		return false
	case objView:
		return s.isData(o.view)
	case objAlloc:
		return s.inst(o.inst).fn.Allocs[o.alloc].Kind != AllocClosure
	}
	return true
}

// contents returns what a location may hold, as far as the solution knows.
func (s *solver) contents(loc int32) *bitset.Set {
	set, own := s.parts(loc)
	switch {
	case own.Empty():
		return set
	case set.Empty():
		return own
	}
	return set.With(own, nil)
}

// parts returns what a location may hold by the base, or by the solution at hand
// where it is that one's; and what an overlay stores there. Either may be nil.
func (s *solver) parts(loc int32) (set, own *bitset.Set) {
	if s.base == nil || loc >= s.first {
		return s.pts(loc), nil
	}
	if n, ok := s.ov.shadows[loc]; ok {
		own = s.pts(n)
	}
	return s.base.pts(loc), own
}

// mayMeet calls f for every location of the other side that may be the same
// memory as loc: the location itself, what overlaps it, and across views of
// the object. Two views of different sides never meet.
func (ov *overlay) mayMeet(loc int32, f func(int32)) {
	ov.overlapping(loc, f)
	oid := ov.ownerOf(loc)
	o := ov.object(oid)
	if o.kind == objView {
		ov.overlapping(ov.object(o.view).loc+(loc-o.loc), f)
		return
	}
	if oid >= ov.firstObj {
		return
	}
	for side := uint8(partAlpha); side <= partBeta; side++ {
		if v, ok := ov.views[viewKey{oid, side}]; ok {
			ov.overlapping(ov.object(v).loc+(loc-o.loc), f)
		}
	}
}

// pairing collects the races of one loop.
type pairing struct {
	v        *View
	pairs    map[templatePair]*paired
	races    []*model.Race
	acc      map[accessKey]*model.Access
	objects  map[codePair]int // of a pair of instructions
	few      map[few]*int     // races of a field that are assumed
	lost     int
	dist     func(InstID) int // while Main is paired: its distance from the spawner
	hopDist  func(InstID) int // likewise, by hops
	region   *region
	others   []otherLoop
	depth    callDepths         // of alpha's instances, see depths
	hops     callDepths         // likewise, see there
	met      map[meetingKey]int // see meetingKey
	touched  map[int32]bool     // objects that have a race
	outer    map[InstID]bool    // see around
	twins    []answer           // by instance of the overlay, see twin
	other    *model.Loop        // the loop of b, while loops are paired with each other
	by       int                // its index
	bounds   *bounds
	sure     int          // races that rest on no assumption
	full     bool         // those are more than maxLoopPairs
	names    []objectName // what accesses call objects that have no name
	named    map[*model.Object]bool
	shared   int               // questions for the variable that an access has its object from
	itself   int               // questions whether calls pass an object itself, which leave others theirs
	takings  int               // questions about what is taken off lists
	throughs int               // see onlyByOwners
	late     []int32           // what that has returned of the pair at hand
	leaves   bool              // what is one and made by Main is left out
	left     []int32           // which that was
	owned    *owned            // see ownedAt
	evidence map[question]bool // see evident
	// evidentOf has the objects of which evidence says something else than no.
	evidentOf map[int32]bool
	findings  map[finding]bool // see foundShared
	puts      map[putKey][]point
	beside    bool // what is asked about is not two iterations
	common    bool // what all iterations of one run have in common counts, see byrun.go
	rounds    bool // what rounds of a loop make counts, see ofOneRound
	round     bool // nothing else shows that the pair at hand is on one object
}

type objectName struct {
	object *model.Object
	name   string
}

// nameRest names the objects that have no name and no race that is more than
// assumed: those that have one are called the same whether the assumed ones are
// there or not.
func (p *pairing) nameRest() {
	for _, n := range p.names {
		if !p.named[n.object] && n.object.Name == "" {
			n.object.Name = n.name
		}
	}
}

type accessKey struct {
	ref accRef
	t   model.Thread
}

type templatePair struct {
	obj int32
	codePair
}

type codePair struct {
	fa, fb FuncID
	ia, ib int32
}

type few struct {
	obj, leaf int32
	handed    bool // those that may be shown all the same do not hang on how many others there are, which nobody may ask for
}

func (p *pairing) fewOf(k few) *int {
	n := p.few[k]
	if n == nil {
		n = new(int)
		p.few[k] = n
	}
	return n
}

// paired is what is kept of a pair of instructions on one object. It is looked
// up for every pair of accesses, of which most are not kept, so one look has to
// do.
type paired struct {
	kept  int
	races []contextPair
}

type contextPair struct {
	a, b accRef
	race *model.Race
}

func (p *paired) find(a, b accRef) *model.Race {
	for i := range p.races {
		if c := &p.races[i]; c.a == a && c.b == b {
			return c.race
		}
	}
	return nil
}

// bounds say how many pairs are kept of what is alike.
type bounds struct {
	contexts int // of a pair of instructions on one object: they differ in the call paths only
	// objects on which one pair of instructions is kept: a function of a
	// library is called with the objects of all its callers.
	objects           int
	partners, further int // see product
}

// pairBounds are tried one after the other until a loop has no more than
// maxLoopPairs pairs, or there are none left. Three loops of a key-value store's
// tests had 450 thousand pairs each, of which 24 are shown of each of 900 race
// sets, and all stages together took 20 s for each of them. The objects stay as many
// as they were: with 3 and 2 of them, and half of maxLoopPairs, 175 of 544 sets of three
// loops were gone.
var pairBounds = []bounds{
	{maxContexts, maxObjects, maxPartners, maxFurther},
	{2, maxObjects, 8, 3},
	{1, maxObjects, 6, 2},
}

// maxLoopPairs is the number of pairs that rest on no assumption beyond which a loop is looked at more
// coarsely (soundness: pairs-bounded).
const maxLoopPairs = 100_000

// maxContexts bounds how many contexts of one pair of instructions on one
// object are kept: they differ in the call paths only.
const maxContexts = 4

// maxObjects bounds the objects on which one pair of instructions is kept: a
// function of a library is called with the objects of all its callers.
const maxObjects = 8

// maxFar bounds the accesses of one location that are compared with those of a
// loop that is far away.
const maxFar = 6

// maxAssumed bounds the pairs kept of one field of an object that stands for
// many, where nothing shows that both accesses touch the same one.
const maxAssumed = 2

// Tell says of which loops the races are asked for: of their own, and with each other
// loop. Pairs of others are not formed, and no bound counts them.
func (r *Result) Tell(loop func(*model.Loop) bool) {
	r.told = make([]bool, len(r.Loops))
	for i, l := range r.Loops {
		r.told[i] = loop(l)
	}
}

// tells reports whether a loop is one of those.
func (r *Result) tells(loop int) bool { return r.told == nil || r.told[loop] }

// Races pairs the accesses of a loop: two that may touch the same memory, one
// of them writing, by alpha and beta or by an iteration and Main.
//
// With oneThread the iterations are not told apart, as in the IteRace paper's
// ablation: alpha is paired with itself, and everything that the loop touches
// races with itself.
//
// It waits for the loops that come before, whose overlays must be on the way.
func (r *Result) Races(loop *model.Loop, oneThread bool) *model.RaceSet {
	v := r.View(loop)
	if v.ov == nil {
		r.turns.settle(r.turns.rank[loop.ID])
		return &model.RaceSet{}
	}
	depth, hops, region := v.ov.depths(), v.ov.hops(), v.beside()
	alpha := v.ov.collect(tagA, r.cfg.Sure)
	beta := alpha
	if !loop.Single && !oneThread && r.tells(v.loop) {
		beta = v.ov.collect(tagB, r.cfg.Sure)
	}
	shared := r.sharedWith(v, alpha)
	r.settle(v, shared, region)
	r.turns.await(r.turns.rank[v.loop])
	others := r.otherLoops(v, region)
	var p *pairing
	for k := range pairBounds {
		p = newPairing(v, &pairBounds[k])
		p.depth, p.hops, p.region, p.others = depth, hops, region, others
		r.pair(p, alpha, beta, shared)
		if !p.full {
			break
		}
	}
	p.nameRest()
	r.finished(v.loop)
	if p.lost > 0 || p.bounds != &pairBounds[0] {
		r.notice(model.Notice{Pos: loop.Pos, Code: "S23", Message: "more call paths lead to some pairs of accesses of this loop than are kept"})
	}
	return &model.RaceSet{Races: p.races}
}

func newPairing(v *View, b *bounds) *pairing {
	return &pairing{
		v: v, bounds: b,
		pairs: make(map[templatePair]*paired), acc: make(map[accessKey]*model.Access), objects: make(map[codePair]int),
		few: make(map[few]*int), met: make(map[meetingKey]int), touched: make(map[int32]bool),
		named: make(map[*model.Object]bool), evidentOf: make(map[int32]bool),
	}
}

// pair pairs alpha's accesses with beta's and with what runs beside the loop.
func (r *Result) pair(p *pairing, alpha, beta *accessTable, shared []meeting) {
	if pl := r.base.loops[p.v.loop]; r.tells(p.v.loop) && (!pl.sibling || pl.nested) {
		if !pl.sibling {
			r.pairIterations(p, alpha, beta)
		}
		r.pairMain(p, shared)
	}
	r.pairLoops(p, shared)
}

// pairIterations pairs alpha's accesses with beta's.
func (r *Result) pairIterations(p *pairing, alpha, beta *accessTable) {
	v := p.v
	shallow := func(u *uses) *uses { return u }
	if r.cfg.Sure && v.ov.cut != nil {
		known := make(map[*uses]*uses) // what beta does to a location meets what alpha does to many
		shallow = func(u *uses) *uses {
			out := known[u]
			if out == nil {
				out = u.filter(func(x use) bool { return p.depth.of(x.inst) <= MaxNear || v.lapsesAt(x.loc) || v.singleAt(x.loc) })
				known[u] = out
			}
			return out
		}
	}
	if !v.Loop().Single {
		for i, la := range alpha.locs {
			as := shallow(&alpha.list[i])
			meet := func(lb int32) {
				if bs := beta.of(lb); bs != nil && as.meets(bs) {
					p.meet(as, shallow(bs), model.Beta)
				}
			}
			v.ov.mayMeet(la, meet)
			if p.shiftedArray(la) {
				p.otherPart(la, meet)
			}
		}
	}
}

// meet pairs the accesses of alpha to a location with another thread's to one
// that may be the same memory.
func (p *pairing) meet(as, bs *uses, other model.Thread) {
	add := func(a, b use) { p.add(a.loc, a.accRef, b.accRef, other) }
	ov := p.v.ov
	k, oid, ok := p.meetingKey(as, bs, other)
	if p.full {
		return
	}
	if ok && p.met[k] >= p.bounds.objects && !p.touched[oid] {
		p.lost++
		return
	}
	if n := len(p.races); ok {
		defer func() {
			if len(p.races) > n {
				p.met[k]++
			}
		}()
	}
	if other == model.Beta && p.unevident(as, bs) {
		if add = passOver(p, add); add == nil && p.lost > 0 {
			return // it is known that pairs are left out, and nothing else is found out here
		}
	}
	aw, ar, bw, br := coded{list: as.writes}, coded{list: as.reads}, coded{list: bs.writes}, coded{list: bs.reads}
	cut := ov.product(&aw, &bw, p.bounds, add)
	cut = ov.product(&aw, &br, p.bounds, add) || cut
	cut = ov.product(&ar, &bw, p.bounds, add) || cut
	if cut {
		p.lost++
	}
}

// passOver is what is done with pairs that cannot matter: nothing, but in tests.
var passOver = func(p *pairing, add func(a, b use)) func(a, b use) { return nil }

// A meetingKey stands for two lists of accesses that meet at a location. Where a
// pointer may point to five hundred objects, the same lists meet five hundred
// times, and pairs of the same instructions are kept for maxObjects objects only:
// once these lists have met as often and the pairs rested on nothing that is the
// object's own, there is nothing to keep on others. (A loop of a scraper tried 30 million pairs to
// keep 191 thousand.)
type meetingKey struct {
	as, bs uint64
	other  model.Thread
	loop   *model.Loop
}

// minLists is the length of two lists from which it pays to look.
const minLists = 16

// meetingKey returns the key of two lists and the object that they meet at; ok is
// false where that decides nothing.
func (p *pairing) meetingKey(as, bs *uses, other model.Thread) (k meetingKey, oid int32, ok bool) {
	if !p.v.res.cfg.Sure || as.len()+bs.len() < minLists || as.len() == 0 {
		return k, 0, false
	}
	loc := as.any1().loc
	if as.any(func(u use) bool { return u.loc != loc }) {
		return k, 0, false // under several names
	}
	oid = p.v.ov.ownerOf(loc)
	if p.v.ov.manyObject(oid) && (other != model.Beta || bs.len() == 0 || p.v.ov.ownerOf(bs.any1().loc) != oid) {
		return k, 0, false // it depends on the object what the pairs rest on
	}
	return meetingKey{as.sum(), bs.sum(), other, p.other}, oid, true
}

func (v *View) access(a accRef) *Access { return &v.ov.inst(a.inst).fn.Accesses[a.idx] }

// maxPooledContexts bounds the contexts of one pair of instructions where nothing
// but a pool shows that both touch one object: whether one uses it after a Put
// depends on the code more than on the calls (soundness: pairs-bounded). Four were
// 380 thousand pairs in a client of a message queue, of which 11 thousand stayed.
const maxPooledContexts = 1

// add records a race of alpha's access a at location loc with b.
func (p *pairing) add(loc int32, a, b accRef, other model.Thread) {
	v := p.v
	x, y := v.access(a), v.access(b)
	if x.Flags&FlagWrite == 0 && y.Flags&FlagWrite == 0 || x.Flags&y.Flags&FlagAtomic != 0 {
		return
	}
	if v.neverComes(a) || v.neverComes(b) {
		return
	}
	never := func() bool {
		return v.neverRuns(a, loc) || v.neverRuns(b, loc) || v.neverTouches(a, loc) || v.neverTouches(b, loc)
	}
	fa, fb := v.ov.inst(a.inst).fn, v.ov.inst(b.inst).fn
	if other == model.Beta {
		// The mirror image of a pair is the same race: keep one order, which must
		// not hang on the rest of the program, as functions' numbers do.
		less := fa == fb && a.idx <= b.idx || fa != fb && cmp.Or(strings.Compare(fa.Name, fb.Name), cmp.Compare(fa.ID, fb.ID)) < 0
		if !less && p.mirrored(a, b) {
			return
		}
	}
	oid := v.ov.ownerOf(loc)
	o := v.ov.object(oid)
	field := o.layout.Leaves[loc-o.loc].Name
	code := codePair{fa.ID, fb.ID, a.idx, b.idx}
	tp := templatePair{oid, code}
	st := p.pairs[tp]
	var known *model.Race // the same pair, by a name of the object or another loop by which less is certain
	if st != nil {
		if known = st.find(a, b); known != nil {
			if never() {
				return
			}
			if known.Field = commonPath(known.Field, field); known.Confidence > model.Assumed {
				return
			}
			field = known.Field
		} else if p.lost > 0 && v.res.cfg.Sure && st.kept >= p.bounds.contexts {
			return // whatever its confidence
		}
	}
	p.round, p.late = false, nil
	conf := p.confidence(loc, a, b, other)
	round := p.round && conf > model.Assumed
	surely := conf < model.Definite || v.ov.surely(a.inst) && v.ov.surely(b.inst)
	place, one := int32(-1), true
	if conf == model.Definite {
		place, one = p.certain(loc, a, b, other)
	}
	either := !one
	if either || !surely {
		if conf = model.Likely; either && (!surely || p.deep(a, b, other)) {
			conf = model.Assumed // it is one of several objects that a pointer far below leads to (soundness: far-way, deep-cone)
		}
	}
	pooled := conf > model.Assumed && p.byPools(loc, a, b, other)
	if conf == model.Definite && (pooled || v.mayCopy(loc, a) || v.mayCopy(loc, b)) {
		conf = model.Likely
	}
	handed := p.handedOn(loc, a, b, other) && (conf > model.Assumed || p.mayBeHanded(loc, a, b))
	if conf == model.Assumed && (v.res.cfg.Sure && !handed || known != nil) || never() {
		return
	}
	// Contexts of one pair of instructions differ in their call paths only;
	// where nothing shows that both touch one object, a few pairs stand for all.
	if st == nil {
		st = new(paired)
		p.pairs[tp] = st
	}
	kept, limit := &st.kept, p.bounds.contexts
	if conf == model.Assumed {
		kept, limit = p.fewOf(few{oid, loc - o.loc, handed}), maxAssumed
	} else if pooled {
		limit = maxPooledContexts
	}
	if *kept >= limit || *kept == 0 && known == nil && p.objects[code] >= p.bounds.objects {
		p.lost++
		return
	}
	if *kept == 0 && known == nil {
		p.objects[code]++
	}
	*kept++
	race := &model.Race{
		Loop:       v.Loop(),
		Other:      p.other,
		Object:     v.res.modelObject(v.ov, oid),
		Field:      field,
		A:          p.modelAccess(a, model.Alpha),
		B:          p.modelAccess(b, other),
		Confidence: conf,
		Either:     either,
		Scattered:  either && p.scattered(loc, a, b, other),
		Place:      place + 1,
		Round:      round,
	}
	if conf > model.Assumed {
		for _, oid := range p.late {
			race.Through = append(race.Through, v.res.modelObject(v.ov, oid))
		}
	}
	if conf == model.Assumed {
		race.Assumes = append(race.Assumes, p.assumption(loc, a, b))
	}
	race.Pooled = pooled
	race.Apart = conf == model.Definite && p.mayBeOther(loc, a, b, other)
	if conf > model.Assumed && p.deep(a, b, other) && !p.v.singleAt(loc) {
		if race.Lapse = race.B; v.guardedUse(loc, a).guarded {
			race.Lapse = race.A
		}
	}
	race.Handed = handed
	sure := conf > model.Assumed || handed
	if sure {
		p.named[race.Object] = true
	}
	if w := x.What; race.Object.Name == "" && strings.HasSuffix(w, field) {
		if sure {
			race.Object.Name = strings.TrimSuffix(w, field)
		} else {
			p.names = append(p.names, objectName{race.Object, strings.TrimSuffix(w, field)})
		}
	}
	p.touched[oid] = true
	if known != nil {
		*known = *race
	} else {
		st.races = append(st.races, contextPair{a, b, race})
		p.races = append(p.races, race)
	}
	if conf > model.Assumed {
		p.sure++
	}
	p.full = p.sure > maxLoopPairs && p.bounds != &pairBounds[len(pairBounds)-1]
}

// confidence grades a pair by its object. Where the object stands for many
// concrete ones, nothing shows that Main and an iteration, or two views of it,
// touch the same one (soundness: many-objects).
func (p *pairing) confidence(loc int32, a, b accRef, other model.Thread) model.Confidence {
	ov := p.v.ov
	oid := ov.ownerOf(loc)
	many := ov.manyObject(oid) && !(other == model.Beta && ov.oneInRun(oid)) || other == model.Main && p.ofAnotherRound(oid) && !p.foundShared(loc, a) || p.ofOneTest(loc)
	var initial answer
	init := func() bool { // asked where nothing else settles it
		return initial.ask(func() bool { return p.initial(loc, a, b) })
	}
	if many && other == model.Main && p.sharedVariable(oid, a, b) && !init() {
		return model.Likely
	}
	switch {
	case other == model.Main && p.apart(a, b):
		// What is certain may lie further apart, by calls that arrange nothing.
		if x := p.v.access(a).Flags | p.v.access(b).Flags; !many && x&(FlagDeep|FlagOpen) == 0 && p.nearer(a, b) && !init() &&
			ov.surely(a.inst) && ov.surely(b.inst) {
			if _, one := p.certain(loc, a, b, other); one && !p.madeByBoth(loc) {
				return model.Likely // between so many functions something else may order them
			}
		}
		return model.Assumed
	case many && other == model.Main && (p.sharedThrough(loc, a, b) || p.sharedArgument(loc, a, b) || p.foundShown(loc, a, b, true) || p.ofOneFrame(loc, a, b)) && !init():
		return model.Likely
	case many && other == model.Main && p.other == nil && p.ofOneRound(loc, a, b) && !init():
		p.round = true
		return model.Likely
	case many && other == model.Main && p.ofOneRun(loc, a, b) && !init():
		return model.Likely
	case many && other == model.Main && (!p.evidentBeside(loc, a, b) || init()):
		return model.Assumed
	case many && other == model.Beta && (ov.object(oid).kind == objView && !p.nearBelow(a, b) || ov.seenApart(loc, a, b)):
		return model.Assumed
	case p.deep(a, b, other) && !p.v.singleAt(loc) && !p.v.lapse(loc, a, b):
		return model.Assumed
	case init():
		// What a function does to an object before anyone else can know of it
		// happens before what others do to it, unless the object itself is
		// handed on by a race, which is reported then (soundness: handed-on).
		return model.Assumed
	case other == model.Beta && p.takenOff(loc, a, b):
		return model.Assumed
	case many && other == model.Beta && !p.deep(a, b, other) && !p.evident(loc, a, b) && !p.yielded(loc) && !p.foundShown(loc, a, b, false): // (soundness: half-locked)
		return model.Assumed // x/tools has 69 sets by this instead of 341, a key-value store 281 instead of 375
	case many || p.deep(a, b, other) && !p.v.singleAt(loc) || (p.v.access(a).Flags|p.v.access(b).Flags)&(FlagDeep|FlagOpen) != 0:
		return model.Likely
	case p.ofSomeRound(oid) && !(ov.ofOneRound(a.inst) && ov.ofOneRound(b.inst)):
		return model.Likely
	}
	return model.Definite
}

// initial reports whether one of two accesses touches the object at a location when nobody else has it, yet or any more.
func (p *pairing) initial(loc int32, a, b accRef) bool {
	return p.v.initial(a, loc) || p.v.initial(b, loc) || p.finalized(loc, a, b)
}

// initial reports whether an access touches the object at a location before
// anyone but its maker, and those whom the maker calls with it, can know of it.
func (v *View) initial(a accRef, loc int32) bool {
	switch x := v.access(a); {
	case x.Flags&FlagInit != 0:
		return true
	case x.Flags&FlagPassed == 0:
		return v.yieldedNew(a, v.baseOf(loc)) || v.putInNew(a)
	}
	obj := v.baseOf(loc)
	ways, ok := v.givenWays(point{a.inst, v.access(a).Node}, obj)
	if !ok {
		return false
	}
	for i := range ways {
		if w := &ways[i]; w.loose || !v.passNew(w.Calls, obj) && !(len(w.Calls) == 1 && v.passesNewAs(w.Calls[0], a, obj)) {
			return false
		}
	}
	return true
}

// yieldedNew reports whether an access is to an object that a call has yielded, of which all functions that may yield that
// one make it, and that the access's function has given to nobody yet.
func (v *View) yieldedNew(a accRef, obj int32) bool {
	in := v.ov.inst(a.inst)
	i, ok := slices.BinarySearchFunc(in.fn.Yielded, a.idx, func(y Yielded, idx int32) int { return cmp.Compare(y.Access, idx) })
	if !ok {
		return false
	}
	names := v.namesOf(obj)
	some := false // what the model says that a call yields, no function makes
	for _, y := range in.fn.Yielded[i:] {
		if y.Access != a.idx {
			break
		}
		made, ok := v.madeByCallees(v.ov.inst, in, y.Call, y.Result, names)
		if !ok {
			return false
		}
		some = some || made
	}
	return some
}

// putInNew reports whether an access is to what its function has made and put into what a parameter refers to, and nowhere else, and all
// that call the function pass new memory there.
func (v *View) putInNew(a accRef) bool {
	in := v.ov.inst(a.inst)
	i, ok := slices.BinarySearchFunc(in.fn.PutIn, a.idx, func(x PutIn, idx int32) int { return cmp.Compare(x.Access, idx) })
	if !ok {
		return false
	}
	holder := in.fn.Params[in.fn.PutIn[i].Param]
	some := false
	for l := range v.ov.pts(in.node(holder)).All() {
		obj := v.baseOf(l)
		if obj < 0 {
			return false
		}
		ways, ok := v.givenWays(point{a.inst, holder}, obj)
		if !ok || slices.ContainsFunc(ways, func(w Way) bool { return w.loose || len(w.Calls) == 0 || !v.passNew(w.Calls, obj) }) {
			return false
		}
		some = true
	}
	return some
}

// madeByCallees reports whether a call has an object from its callees, and ok whether all of them that may yield it make it.
func (v *View) madeByCallees(inst func(InstID) *instance, in *instance, call ssair.Instr, result int32, names *bitset.Set) (made, ok bool) {
	for k := range in.fn.Calls {
		if in.fn.Calls[k].At != call {
			continue
		}
		for _, e := range in.callees[k] {
			f := inst(e.callee)
			if f.fn.Result == None || int(result) >= len(f.fn.ROff) || !v.anyMeets(f, f.fn.Result+Node(f.fn.ROff[result]), 1, names) {
				continue
			}
			if int(result) >= len(f.fn.Born) || !f.fn.Born[result] {
				return false, false
			}
			made = true
		}
	}
	return made, true
}

// passesNewAs reports whether a call passes an object as new memory by the parameter that an access of what it runs has it by. Another
// argument that may be the object is another one of its kind, if it is not new: who has new memory that nobody else has been given
// knows it for such by whatever name.
func (v *View) passesNewAs(s Site, x accRef, obj int32) bool {
	names := v.namesOf(obj)
	k := v.ov.inst(x.inst).param(v.access(x).Node)
	passed := false
	for in, i := range v.callsAt(s) {
		c := &in.fn.Calls[i]
		if c.Mode != ModePlain || c.Kind != CallStatic || k < 0 || k >= len(c.Args) || !c.Args[k].Init {
			return false
		}
		for n := range c.Args {
			if y := &c.Args[n]; n != k && y.Init && v.anyMeets(in, y.Node, y.Len, names) {
				return false // it may be passed twice
			}
		}
		passed = true
	}
	return passed
}

// param returns which parameter of the instance's function a node is, -1 for others.
func (in *instance) param(n Node) int {
	for k, first := range in.fn.Params {
		if first == n && n != None && in.fn.PLen[k] == 1 {
			return k
		}
	}
	return -1
}

// passNew reports whether each of some calls passes an object as new memory.
func (v *View) passNew(calls []Site, obj int32) bool {
	return !slices.ContainsFunc(calls, func(s Site) bool { return !v.passesNew(s, obj) })
}

// Early reports whether an access that gets at its object by a certain way, one of a meeting, does so
// before anyone but its maker, and those whom the maker calls with it, can know of it
// (soundness: handed-on). It is asked where the other access gets at the object by another way of the meeting.
func (v *View) Early(x *model.Access, w, other *Way) bool {
	if x.Index < 0 || w.loose || w.Up == 0 && v.accessOf(x).Flags&(FlagInit|FlagPassed) == 0 {
		return false
	}
	k := earlyKey{accRef{InstID(x.Inst), x.Index}, w}
	early, known := v.earlies[k]
	if !known {
		early = v.comesEarly(v.accessOf(x).Flags, w)
		if v.earlies == nil {
			v.earlies = make(map[earlyKey]bool)
		}
		v.earlies[k] = early
	}
	return early && (w.Up == 0 || v.loadsItself(other, w.obj))
}

// loadsItself reports whether the thread that comes to what lies in an object by a way has found it there
// itself: one that is started with it may have it from the object's maker.
func (v *View) loadsItself(w *Way, owner int32) bool {
	down := w.Calls
	for len(down) > 0 && v.mayPassAny(down[0], owner) {
		down = down[1:]
	}
	return !w.loose && !slices.ContainsFunc(down, v.ov.spawnsAt)
}

// An earlyKey is a question to Early; the ways of meetings stay where they are.
type earlyKey struct {
	accRef
	way *Way
}

func (v *View) comesEarly(flags uint32, w *Way) bool {
	if w.Up > 0 {
		return v.innerEarly(flags, w)
	}
	if flags&FlagPassed == 0 || len(w.Calls) == 0 {
		return flags&FlagInit != 0
	}
	return (len(w.cells) == 0 || w.open) && v.passNew(w.Calls, w.obj)
}

// innerEarly is comesEarly for what lies behind an object: whoever meets the access at that gets at
// it there, after the object was handed on. The maker may have handed on what lies behind it
// before, but that is another way to it, and another meeting.
func (v *View) innerEarly(flags uint32, w *Way) bool {
	if len(w.cells) > 0 && !w.open {
		return false
	}
	down := w.Calls
	for len(down) > 0 && v.passesNew(down[0], w.obj) {
		down = down[1:]
	}
	switch {
	case len(down) == 0 && len(w.Calls) == 0:
		return flags&FlagInner != 0
	case len(down) == 0:
		return flags&(FlagInner|FlagInnerPassed) != 0
	}
	return v.passesInner(down[0], w.obj, w.inner) && !slices.ContainsFunc(down[1:], v.ov.spawnsAt)
}

// passesInner reports whether a call passes an object only as what it has loaded from new memory, and
// does not pass what that lies in.
func (v *View) passesInner(s Site, owner, obj int32) bool {
	names, above := v.namesOf(obj), v.namesOf(owner)
	passed := false
	for in, i := range v.callsAt(s) {
		c := &in.fn.Calls[i]
		if c.Mode != ModePlain || c.Kind == CallDynamic {
			return false
		}
		early := true
		pass := func(n Node, inner bool) {
			pts := v.ov.pts(in.node(n))
			has := pts.Intersects(names)
			early = early && !pts.Intersects(above) && (inner || !has)
			passed = passed || has
		}
		if c.Fn != None {
			pass(c.Fn, c.Inner)
		}
		for k := range c.Args {
			x := &c.Args[k]
			for j := range x.Len {
				if x.Node != None {
					pass(x.Node+Node(j), x.Inner)
				}
			}
		}
		if !early {
			return false
		}
	}
	return passed
}

// passesNew reports whether a call passes an object once, and as new memory.
func (v *View) passesNew(s Site, obj int32) bool {
	names := v.namesOf(obj)
	passed := false
	for in, i := range v.callsAt(s) {
		c := &in.fn.Calls[i]
		if c.Mode != ModePlain || c.Kind != CallStatic && c.Fn != None && v.ov.pts(in.node(c.Fn)).Intersects(names) {
			return false // what a method's receiver is is not known to be new
		}
		here := 0
		for k := range c.Args {
			x := &c.Args[k]
			for j := range x.Len {
				if x.Node == None || !v.ov.pts(in.node(x.Node+Node(j))).Intersects(names) {
					continue
				}
				if here++; !x.Init || here > 1 {
					return false
				}
			}
		}
		passed = passed || here > 0
	}
	return passed
}

// deep reports whether one of two iterations' accesses lies too far below the body of a
// loop that reaches too much.
func (p *pairing) deep(a, b accRef, other model.Thread) bool {
	return other == model.Beta && p.v.ov.cut != nil && max(p.depth.of(a.inst), p.depth.of(b.inst)) > MaxNear
}

// apart reports whether too many calls lie between an iteration's access and
// one of Main.
func (p *pairing) apart(a, b accRef) bool {
	return p.dist != nil && p.v.farBy(p.dist(b.inst)+p.depth.of(a.inst), a, b)
}

// nearer reports whether they are few, but for those that begin what a function does. Of
// another goroutine's accesses only the way to its start has been counted. Where both
// accesses have a lock, what lies between tells whether it is one. What Main does further
// away than any pair counts is not listed where only those that do are wanted, see pairMain.
func (p *pairing) nearer(a, b accRef) bool {
	return p.other == nil && p.dist(b.inst) <= maxGuarded && !p.v.bothLocked(a, b) && !p.v.farBy(p.hopDist(b.inst)+p.hops.of(a.inst), a, b)
}

// madeByBoth reports whether iterations run what makes the object at a location, too: two runs of
// it have made two.
func (p *pairing) madeByBoth(loc int32) bool {
	v := p.v
	oid := v.baseOf(loc)
	if oid < 0 || oid >= v.ov.firstObj {
		return true
	}
	o := v.ov.object(oid)
	return o.kind == objAlloc && v.ov.res.reaches(o.inst, v.ov.loop)
}

// mayBeOther reports whether two iterations' accesses of one object may be to two all the same: they lie too far
// below the body, and the object is no variable. What a function has made that runs once may be handed on to one
// iteration at a time there (soundness: deep-cone).
func (p *pairing) mayBeOther(loc int32, a, b accRef, other model.Thread) bool {
	oid := p.v.ov.ownerOf(loc)
	return p.deep(a, b, other) && p.v.ov.object(oid).kind == objAlloc && !p.v.isVariable(oid)
}

// farBy reports whether so many calls between two accesses are too many.
func (v *View) farBy(d int, a, b accRef) bool {
	return d > maxGuarded || d > MaxNear && !v.saidShared(a, b)
}

// assumption names what a pair rests on that confidence calls assumed.
func (p *pairing) assumption(loc int32, a, b accRef) string {
	if p.initial(loc, a, b) {
		return "handed-on"
	}
	if p.apart(a, b) {
		return "far-main"
	}
	if p.deep(a, b, model.Beta) {
		return "deep-cone"
	}
	if p.takenOff(loc, a, b) {
		return "tenure"
	}
	if ov := p.v.ov; !ov.manyObject(ov.ownerOf(loc)) && !(ov.surely(a.inst) && ov.surely(b.inst)) {
		return "far-way" // see add
	}
	return "many-objects"
}

// seenApart reports whether b does not touch the location itself but only a
// view of its object.
func (ov *overlay) seenApart(loc int32, a, b accRef) bool {
	in := ov.inst(b.inst)
	x := &in.fn.Accesses[b.idx]
	if x.Flags&FlagDeep != 0 {
		return false
	}
	o := ov.object(ov.ownerOf(loc))
	set := ov.pts(in.node(x.Node))
	if set.HasRange(o.loc, o.loc+o.layout.Len()) {
		return false
	}
	if x.Flags&FlagCall != 0 {
		for l := range set.All() {
			if bx, ok := ov.boxAt(l); ok && o.loc <= bx.loc && bx.loc < o.loc+o.layout.Len() {
				return false
			}
		}
	}
	return true
}

// manyObject reports whether an object may stand for several concrete ones
// while the loop runs.
func (ov *overlay) manyObject(oid int32) bool {
	if v, ok := ov.many[oid]; ok {
		return v
	}
	v := ov.isMany(oid)
	ov.many[oid] = v
	return v
}

func (ov *overlay) isMany(oid int32) bool {
	o := ov.object(oid)
	switch {
	case o.kind == objView:
		return true
	case oid < ov.firstObj:
		return ov.res.many(oid)
	case o.kind == objAlloc:
		a := &ov.inst(o.inst).fn.Allocs[o.alloc]
		return a.InLoop || a.Side != 0 || !ov.once(o.inst, 20)
	}
	return false
}

// once reports whether an iteration runs an instance at most once.
func (ov *overlay) once(id InstID, depth int) bool {
	if id < ov.firstInst {
		return ov.res.once(id)
	}
	in := ov.inst(id)
	if len(in.callers) != 1 || depth == 0 {
		return false
	}
	c := in.callers[0]
	caller := ov.inst(c.Inst)
	if caller.spawner != nil {
		return true
	}
	for k := range caller.fn.Calls {
		if call := &caller.fn.Calls[k]; call.At == c.At && (call.InLoop || call.Side != 0) {
			return false
		}
	}
	return ov.once(c.Inst, depth-1)
}

// mirrored reports whether b's counterpart on alpha's side and a's on beta's
// exist, so that the mirror image of the pair is recorded under its own order.
func (p *pairing) mirrored(a, b accRef) bool {
	return p.twin(a.inst) && p.twin(b.inst)
}

// twin reports whether an instance exists on the other side too. It is asked of
// every pair.
func (p *pairing) twin(id InstID) bool {
	i := int(id - p.v.ov.firstInst)
	if i < 0 {
		return p.v.ov.twin(p.v.ov.inst(id))
	}
	if p.twins == nil {
		p.twins = make([]answer, len(p.v.ov.insts))
	}
	return p.twins[i].ask(func() bool { return p.v.ov.twin(p.v.ov.insts[i]) })
}

// answer is a cached yes or no.
type answer uint8

const (
	unasked answer = iota
	no
	yes
)

// ask returns it, and asks if nobody has.
func (a *answer) ask(f func() bool) bool {
	if *a == unasked {
		*a = no
		if f() {
			*a = yes
		}
	}
	return *a == yes
}

func (ov *overlay) twin(in *instance) bool {
	ctx := in.ctx
	ctx.tag = partAlpha + partBeta - ctx.tag
	_, ok := ov.byCtx[instKey{in.fn.ID, ctx}]
	return ok
}

// commonPath returns the longest common prefix of two field paths that ends
// at a field.
func commonPath(a, b string) string {
	n := 0
	for i := 0; i <= len(a) && i <= len(b); i++ {
		end := func(s string) bool { return i == len(s) || s[i] == '.' || s[i] == '[' }
		if end(a) && end(b) {
			n = i
		}
		if i == len(a) || i == len(b) || a[i] != b[i] {
			break
		}
	}
	return a[:n]
}

func (p *pairing) modelAccess(a accRef, t model.Thread) *model.Access {
	k := accessKey{a, t}
	if m := p.acc[k]; m != nil {
		return m
	}
	x := p.v.access(a)
	fn := p.v.Func(a.inst)
	m := &model.Access{
		Thread: t, Pos: x.Pos, Func: fn.Name, Library: !fn.App,
		Atomic: x.Flags&FlagAtomic != 0,
		Inst:   int32(p.v.outer(a.inst)), Instr: int32(x.At), Index: a.idx,
	}
	if x.Flags&FlagWrite != 0 {
		m.Kind = model.Write
	}
	p.acc[k] = m
	return m
}
