// Package disjoint removes races between accesses to different elements: it
// asks package index whether the index paths of the two accesses can be equal.
//
// The filter only narrows. A pair is deleted if it is proved disjoint from
// facts and from the strong assumptions that doc/soundness.md lists (no
// wrap-around, counting loops terminate, float conversions in range); if the
// proof needs a weak one (a table is sorted, channel items are unique) the
// pair stays and its confidence falls to assumed.
package disjoint

import (
	"fmt"
	"slices"
	"strings"

	"github.com/iterace/iterace/index"
	"github.com/iterace/iterace/internal/ssair"
	"github.com/iterace/iterace/model"
	"github.com/iterace/iterace/pta"
)

// A World is what the filter asks of a points-to result.
type World interface {
	Index(pta.InstID) *index.Func
	// Chains returns call chains from outside the loop down to an instance's
	// instruction, as the given thread runs it, and the step that starts the
	// iteration; ok is false if there are more than the limit, or none is known.
	Chains(t model.Thread, to pta.Site, limit int) (chains []pta.Chain, ok bool)
	// Passed reports whether an access may have got at the object of a race along
	// a chain.
	Passed(c pta.Chain, a *model.Access, o *model.Object) bool
	// Origins returns the chains to the loads of elements that may have given an
	// access its pointer to an object, if it comes from elements only.
	Origins(c pta.Chain, a *model.Access, o *model.Object) ([]pta.Chain, bool)
	// AllOrigins returns those of all chains.
	AllOrigins(a *model.Access, o *model.Object) ([]pta.Chain, bool)
	// OwnersApart reports whether the accesses of a race get at its object only
	// through owners that are different, as apart decides by the loads of elements
	// from which the sides have them.
	OwnersApart(r *model.Race, apart func(o pta.Owner, xs, ys []pta.Chain) bool) bool
	// RowOrigin does so for the slice of which an access goes to an element.
	RowOrigin(c pta.Chain, access int32) (pta.Chain, bool)
	// RowLoad returns the load of that slice, which may also come before the rounds of the loop.
	RowLoad(c pta.Chain, access int32) (pta.Site, bool)
	// RowAt returns a chain as RowOrigin does for the instruction that a chain ends with.
	RowAt(c pta.Chain) (pta.Chain, bool)
	// RowsOnce reports whether each slice of which the instruction that a chain ends
	// with may load an element was put into one row only of what it is loaded from.
	RowsOnce(c pta.Chain) bool
	// FuncOrigin does so for the function that the first dynamic call of an
	// iteration runs, and tells which step of the chain that is.
	FuncOrigin(c pta.Chain) (from pta.Chain, call int, ok bool)
	// FromMaker returns a chain to a site that begins where a function was made that the thread has received,
	// as nobody else has, if that is one place in the run of a function that has made the object, too.
	FromMaker(t model.Thread, to pta.Site, o *model.Object) (pta.Chain, bool)
	// FromMakers is FromMaker whichever runs of the function have made the functions, and the object.
	FromMakers(t model.Thread, to pta.Site, o *model.Object) (pta.Chain, bool)
	// FromCallers returns the chains by which calls lead to the beginning of such a one.
	FromCallers(pta.Chain) []pta.Chain
	// HeldOnce reports whether two dynamic calls run one function, each by an
	// instance, which is in one element only of what a load reads.
	HeldOnce(load pta.Site, a, b pta.Run) bool
	// SentOnce reports whether nothing that a receive may receive, by one of its operands, is seen to be
	// sent twice.
	SentOnce(recv pta.Site, operand int32, o *model.Object) bool
	// StoredOnce reports whether the object of a race lies in one element only
	// of what a load reads, because one store that runs once put it there.
	StoredOnce(load pta.Site, o *model.Object) bool
	// StoredAgain reports whether the code shows that the object of a race is put
	// more than once into what a load reads.
	StoredAgain(load pta.Site, o *model.Object) bool
	// LoopIndex returns the parallel loop's index among the natural loops of
	// the spawner, -1 for a single spawn.
	LoopIndex() int
	// RoundLoop returns the one that has the spawn, which LoopIndex may be around.
	RoundLoop() int
	// InRounds reports whether an instruction of the spawner runs in the rounds
	// of the loop, or there is no loop.
	InRounds(at ssair.Instr) bool
	// StartsInRound reports whether an instruction of the spawner starts goroutines in the
	// rounds of the loop, all of one round of which are paired with each other.
	StartsInRound(at ssair.Instr) bool
	// Element reports whether an access goes to an element of an array or slice.
	Element(a *model.Access) bool
	// Beyond reports whether an access is that of a call which gets at an object through
	// what lies in a slice that the iteration has made, and next whether an element of that
	// points to it.
	Beyond(a *model.Access, o *model.Object) (yes, next bool)
	// Written reports whether the parallel region may write what the load
	// reads.
	Written(load pta.Site) bool
	// WrittenBeside reports whether what runs beside the iterations may write it; elements tells whether
	// that is asked of elements, too.
	WrittenBeside(load pta.Site, elements bool) bool
	// OtherStored and OtherBeside ask the same of what is not nil.
	OtherStored(load pta.Site) bool
	OtherBeside(load pta.Site, elements bool) bool
	// Writers returns all that may write what a load reads in the parallel region.
	Writers(load pta.Site) (writers []pta.Site, ok bool)
	// Changes returns all that may change the number that the atomic addition at a site changes.
	Changes(add pta.Site) (c pta.Changes, ok bool)
	// Kept reports whether what a load reads is not written from then until the loop is over that instruction next
	// leads to; from is the load, or the call by which the function of next comes to it.
	Kept(load, from pta.Site, next ssair.Instr) bool
	// Makes reports whether the result of the call at a site is always new memory.
	Makes(pta.Site) bool
	// GivenApart reports whether two values that an instance is given never refer to one object.
	GivenApart(i pta.InstID, p, q index.Given) bool
	// Born reports whether nothing in the program stores to what a load reads, of
	// objects made as said, but what fills them there.
	Born(load pta.Site, b index.Birth) bool
	// Filled returns what stores to what a load reads, ever; ok is false if that is much, or not all known.
	Filled(load pta.Site) (stores []pta.Site, ok bool)
	// Fed returns how the channels that a receive may receive from are fed.
	Fed(recv pta.Site) (pta.Feed, bool)
	// Callees returns what a call may run.
	Callees(id pta.InstID, at ssair.Instr) []pta.InstID
	// FuncName returns the name of an instance's function.
	FuncName(id pta.InstID) string
	// Argument returns which argument's memory a call's access touches, -1 for
	// an instruction that is no call.
	Argument(a *model.Access) int
	// WithinLen reports whether an access to a slice stays within its length.
	WithinLen(a *model.Access) bool
	// NoRoom reports whether an access is the write of an append to an object that
	// has no room for it.
	NoRoom(a *model.Access, o *model.Object) bool
	// Grown reports whether access a is the write of an append to an array of which b
	// cannot have the elements that it writes.
	Grown(a, b *model.Access, o *model.Object) bool
	Injective(function string) bool
	Rising(function string) bool
	Indices(function string) int
}

// An Analysis answers questions about the races of one loop.
type Analysis struct {
	w      World
	memory *index.Memory
}

// New returns the analysis of a loop. What the prover is asked of several loops, or again to explain what was not
// proved, it remembers in memory; nil is for one of its own.
func New(w World, memory *index.Memory) *Analysis {
	if memory == nil {
		memory = new(index.Memory)
	}
	return &Analysis{w, memory}
}

// OnOneBase reports whether the accesses of a race go to different elements if the slices that they have loaded are
// one. Nothing else is assumed.
func (a *Analysis) OnOneBase(r *model.Race) bool {
	f := a.comparing()
	f.oneBase = true
	assumed, ok := f.apart(r)
	return ok && len(assumed) == 0
}

// InOneRound reports whether the accesses of a race go to different elements if both iterations are in the same round
// of a loop of the function that they begin in, which begins with a block of it; and what else must be assumed.
func (a *Analysis) InOneRound(r *model.Race, header int32) (assumed []string, ok bool) {
	f := a.comparing()
	f.inStep = &index.InStep{Header: header}
	return f.apart(r)
}

// MeetInRound reports whether numbers are found for which the accesses of a race go to one element, or need none, where both iterations are in
// the same round of a loop of a function, which begins with a block of it, and the loop carries the same for both.
func (a *Analysis) MeetInRound(r *model.Race, function string, header int32) bool {
	f := a.comparing()
	if !f.ofElement(r) {
		return true
	}
	f.races, f.explain = newRaceTable(a.w, &model.RaceSet{Races: []*model.Race{r}}), true
	f.inStep = &index.InStep{Header: header, Func: function}
	s := *r
	s.Why = slices.Clip(s.Why)
	as, bs, ok := f.chains(&s)
	if !ok || !f.element(&s) {
		return true
	}
	answer, _ := f.compare(&s, as, bs, false)
	return answer != index.Disjoint && !f.data
}

// InOnePhase reports whether the accesses of a race go to different elements if the functions that both iterations have
// received were made in one run of a function, in different rounds of a loop of it or of one in that; and what else must be
// assumed.
func (a *Analysis) InOnePhase(r *model.Race, loop int) (assumed []string, ok bool) {
	f := a.comparing()
	f.phase = loop
	if r.B.Thread != model.Beta || r.Other != nil || !f.element(r) {
		return nil, false
	}
	x, okX := f.w.FromMakers(r.A.Thread, pta.SiteOf(r.A), r.Object)
	y, okY := f.w.FromMakers(r.B.Thread, pta.SiteOf(r.B), r.Object)
	if !okX || !okY || x.Sites[0] != y.Sites[0] || len(x.Taken)+len(y.Taken) > 0 {
		return nil, false
	}
	for _, x := range f.w.FromCallers(x) {
		for _, y := range f.w.FromCallers(y) {
			n := min(x.Spawn, y.Spawn)
			x, y := below(x, x.Spawn-n), below(y, y.Spawn-n)
			if !samePrefix(x, y, false) {
				continue // in no run are both made
			}
			answer, weak := f.pair(r, x, y, false)
			if answer != index.Disjoint {
				return nil, false
			}
			assumed = withAll(assumed, weak)
		}
	}
	return assumed, true
}

// below leaves out the first steps of a chain.
func below(c pta.Chain, steps int) pta.Chain {
	c.Sites, c.Spawn = c.Sites[steps:], c.Spawn-steps
	return c
}

// comparing returns a filter that has been asked nothing yet.
func (a *Analysis) comparing() *filter {
	return &filter{w: a.w, prover: index.NewProver(a.memory), known: make(map[string]index.Verdict), windows: make(map[string]*window), phase: anyPhase}
}

// apart reports whether the accesses of a race go to different elements, and what is assumed then.
func (f *filter) apart(r *model.Race) (assumed []string, ok bool) {
	if !f.element(r) {
		return nil, false
	}
	as, bs, ok := f.chains(r)
	if !ok {
		return nil, false
	}
	answer, assumed := f.compare(r, as, bs, false)
	return assumed, answer == index.Disjoint
}

// maxChains bounds the call chains to one access; with more than these the
// pair is not decided.
const maxChains = 6

// Filter returns the races that are not proved to touch different elements,
// and the number of those among them that were not decided because there are
// too many.
func (a *Analysis) Filter(rs *model.RaceSet) (left *model.RaceSet, undecided int) {
	f := a.comparing()
	f.races = newRaceTable(a.w, rs)
	left = rs.Filter(f.keep)
	return left, f.undecided
}

// Explain adds to the races that Filter left and nothing else removed why their
// indices may be equal; where that was given up, no example of it is found, or they are not compared, they are no longer definite. The search for a witness takes as long as the proof
// (21 s of 33 s on a module of 760 loops), so it is done for these only.
func (a *Analysis) Explain(rs *model.RaceSet) {
	f := a.comparing()
	f.races, f.explain = newRaceTable(a.w, rs), true
	for _, r := range rs.Races {
		if r.Confidence == model.Assumed || !f.ofElement(r) {
			continue
		}
		elements := f.elements(r)
		if !f.element(r) {
			f.uncompared(r)
			f.doubt(r, elements)
			continue
		}
		if _, _, ok := f.made(r, true); ok {
			f.doubt(r, elements)
			continue
		}
		as, bs, ok := f.chains(r)
		if ok {
			f.compare(r, as, bs, false)
		} else if elements = elements || strings.Contains(r.Field, "[*]"); elements {
			f.data = true
			r.Because(model.AboutIndices, "the indices are not compared: the calls that lead to them cannot all be followed")
		}
		f.doubt(r, elements)
	}
}

type filter struct {
	w       World
	prover  *index.Prover
	races   raceTable
	explain bool // say why a pair is not disjoint
	// known keeps answers: two accesses are asked about for each object that
	// they may both touch, and a proof takes milliseconds.
	known     map[string]index.Verdict
	windows   map[string]*window
	undecided int
	away      *[2]ssair.Instr // see index.Query
	oneBase   bool            // see OnOneBase
	inStep    *index.InStep   // see InOneRound
	phase     int             // see InOnePhase: a loop of the function that makes functions, or anyPhase
	byLoads   bool            // the question at hand is about the loads that gave the accesses their pointers
	data      bool            // the last comparison hung on data, see index.Verdict, was given up, could not be made, or no example was found
}

// anyPhase stands for any loop around a making.
const anyPhase = -1

// maxProofs bounds the questions to the prover about one loop, and maxEffort the work
// on them (see index.Prover.Spent), half a second or so (soundness: budget). Loops of a search
// engine and of matrix code take up to a sixth of it; those of an image library, which
// shares out rows by arithmetic that is given up on again and again, took 5 to 13 s each.
const (
	maxProofs = 800
	maxEffort = 400_000
)

// overlap asks the prover, or remembers; ok is false if too much was asked.
func (f *filter) overlap(x, y pta.Chain, r *model.Race) (v index.Verdict, ok bool) {
	if f.explain {
		return f.why(x, y, r), true
	}
	k := f.key(x, y, r)
	if v, ok := f.known[k]; ok {
		return v, true
	}
	g := f.window(x, y, r)
	if g != nil && g.apart {
		return g.verdict, true
	}
	if len(f.known) >= maxProofs || f.prover.Spent() >= maxEffort {
		return v, false
	}
	v = index.Verdict{Answer: index.May}
	if g == nil || g.failed < maxAlike {
		v = f.prover.Overlap(f.query(x, y, r))
	}
	if g != nil && v.Answer != index.Disjoint {
		g.failed++
	}
	f.known[k] = v
	return v, true
}

func (f *filter) key(x, y pta.Chain, r *model.Race) string {
	return fmt.Sprint(x.Sites, x.Spawn, y.Sites, y.Spawn, r.B.Thread == model.Main, r.Other != nil, f.away,
		r.A.Kind, r.B.Kind, f.w.Argument(r.A), f.w.Argument(r.B))
}

// element reports whether a race is about an element of an array or slice.
func (f *filter) element(r *model.Race) bool {
	beyond, _ := f.beyond(r)
	return f.ofElement(r) && (r.Other == nil || siblings(r) || twoLoops(r)) && !beyond
}

// beyond reports whether an access of a race gets at the object through a slice that the
// iteration has made, and next whether that is by a pointer in it.
func (f *filter) beyond(r *model.Race) (yes, next bool) {
	yesA, nextA := f.w.Beyond(r.A, r.Object)
	yesB, nextB := f.w.Beyond(r.B, r.Object)
	return yesA || yesB, nextA || nextB
}

// elements reports whether both accesses of a race go to elements, also by pointers to those of
// a slice or array.
func (f *filter) elements(r *model.Race) bool {
	return f.w.Element(r.A) && f.w.Element(r.B) || strings.Contains(r.Field, "[*]") && !r.Object.Map
}

// ofElement is element whatever B's loop is.
func (f *filter) ofElement(r *model.Race) bool {
	return f.w.Element(r.A) || f.w.Element(r.B) || strings.Contains(r.Field, "[*]")
}

// appended reports whether an access is the write of an append that writes nothing, or
// where the other one does not reach.
func (f *filter) appended(r *model.Race) bool {
	return f.ofElement(r) && (f.w.NoRoom(r.A, r.Object) || f.w.NoRoom(r.B, r.Object) || f.w.Grown(r.A, r.B, r.Object) || f.w.Grown(r.B, r.A, r.Object))
}

// chains returns the call chains to both accesses of a race.
func (f *filter) chains(r *model.Race) (as, bs []pta.Chain, ok bool) {
	as, ok = f.w.Chains(r.A.Thread, pta.SiteOf(r.A), maxChains)
	if ok {
		bs, ok = f.w.Chains(r.B.Thread, pta.SiteOf(r.B), maxChains)
	}
	return f.passed(as, r.A, r), f.passed(bs, r.B, r), ok
}

// passed returns the chains along which an access may have got at the object of
// a race; all of them if it seems that there is none.
func (f *filter) passed(chains []pta.Chain, a *model.Access, r *model.Race) []pta.Chain {
	var out []pta.Chain
	for _, c := range chains {
		if f.w.Passed(c, a, r.Object) {
			out = append(out, c)
		}
	}
	if len(out) == 0 {
		return chains
	}
	return out
}

func (f *filter) keep(r *model.Race) bool {
	elem := f.element(r)
	// Different elements are most likely different objects, where the object
	// of the race stands for many (soundness: many-objects).
	own := r.Confidence > model.Assumed
	if f.appended(r) {
		return false
	}
	if _, next := f.beyond(r); next && strings.Contains(r.Field, "[*]") {
		// Which element a pointer in a slice leads to is not followed (soundness: many-objects).
		f.assume(r, []string{"many-objects"})
		return true
	}
	if answer, assumed, ok := f.made(r, elem); ok && answer == index.Disjoint {
		return f.keepAssumed(r, assumed)
	}
	if loads, assumed, ok := f.madeApart(r); ok && own {
		return f.keepApart(r, assumed, loads)
	}
	if !elem && !own || r.Other != nil && !siblings(r) && !twoLoops(r) {
		return true
	}
	as, bs, ok := f.chains(r)
	if !ok {
		if own {
			return f.keepFar(r)
		}
		return true
	}
	if r.B.Thread == model.Beta && (f.otherFunctions(r, as, bs) || f.alone(r, as, bs)) {
		return false
	}
	if elem {
		if answer, assumed := f.compare(r, as, bs, false); answer == index.Disjoint {
			if len(assumed) == 0 {
				return false
			}
			f.assume(r, assumed)
			return true
		}
		f.doubt(r, f.elements(r))
	}
	if own && r.Confidence > model.Assumed {
		if answer, assumed := f.compare(r, as, bs, true); answer == index.Disjoint {
			return f.keepApart(r, assumed, append(f.origins(r, r.A, as), f.origins(r, r.B, bs)...))
		}
		f.doubt(r, true)
		if assumed, ok := f.ownersApart(r); ok {
			return f.keepAssumed(r, assumed)
		}
	}
	return true
}

// alone reports whether no two iterations come to the two accesses of a race, by what they test of their
// numbers.
func (f *filter) alone(r *model.Race, as, bs []pta.Chain) bool {
	some := false
	for _, a := range as {
		for _, b := range bs {
			if !f.oneRun(r, a, b) {
				continue
			}
			if r.Other != nil || a.Recv || b.Recv || f.prover.Spent() >= maxEffort || !f.prover.Alone(f.query(a, b, r)) {
				return false
			}
			some = true
		}
	}
	return some
}

// doubt lowers a race of which it hangs on data, as the last comparison has found,
// whether both accesses go to one element: out[key(i)] = v.
func (f *filter) doubt(r *model.Race, elements bool) {
	if elements && f.data && r.Confidence == model.Definite {
		r.Confidence = model.Likely
	}
}

// keepFar decides for accesses to which too many chains lead, by the elements that
// their pointers come from.
func (f *filter) keepFar(r *model.Race) bool {
	xs, okA := f.w.AllOrigins(r.A, r.Object)
	ys, okB := f.w.AllOrigins(r.B, r.Object)
	var assumed []string
	if okA && okB {
		if answer, some := f.pairs(r, xs, ys, true, &assumed); answer == index.Disjoint && some {
			return f.keepApart(r, assumed, append(xs, ys...))
		}
	}
	if assumed, ok := f.ownersApart(r); ok {
		return f.keepAssumed(r, assumed)
	}
	return true
}

// keepApart decides about accesses whose pointers come from different elements, by
// loads that end the chains.
func (f *filter) keepApart(r *model.Race, assumed []string, loads []pta.Chain) bool {
	if f.groups(r, assumed) {
		if r.Confidence == model.Definite {
			r.Confidence = model.Likely // that two keys are equal is not shown
		}
		return true
	}
	o := r.Object
	again := func(load pta.Site) bool { return f.w.StoredAgain(load, o) }
	assumed, ok := different(assumed, loads, o.Many, again, func(load pta.Site) bool { return f.w.StoredOnce(load, o) })
	if ok {
		return f.keepAssumed(r, assumed)
	}
	if (r.Confidence == model.Definite || r.Either && !r.Scattered) && !holds(loads, again) {
		r.Confidence, r.Either = model.Likely, false
		r.Because(model.AboutObject, "nothing shows that two elements hold the object")
	}
	return true
}

// groups reports whether a race is about what is summed up in objects that are
// found by keys: to meet at one of them is then nothing unusual.
func (f *filter) groups(r *model.Race, assumed []string) bool {
	return (slices.Contains(assumed, index.AssumeInjectiveTable) || slices.Contains(assumed, index.AssumeInjectiveCall)) &&
		(f.sums(r.A) || f.sums(r.B))
}

func (f *filter) sums(a *model.Access) bool {
	return f.w.Index(pta.InstID(a.Inst)).Accumulates(ssair.Instr(a.Instr))
}

// keepAssumed lowers a race to the assumptions on which there is none; with none of
// these it goes.
func (f *filter) keepAssumed(r *model.Race, assumed []string) bool {
	if len(assumed) == 0 {
		return false
	}
	f.assume(r, assumed)
	return true
}

// different reports whether different elements, as the loads that end some chains
// read them, hold different objects, and the assumptions that this takes.
func different(assumed []string, loads []pta.Chain, many bool, again, once func(load pta.Site) bool) ([]string, bool) {
	switch {
	case slices.Contains(assumed, "sent-once"):
		return assumed, true
	case holds(loads, again):
		return nil, false
	case many:
		return append(assumed, "many-objects"), true
	}
	return assumed, !holds(loads, func(load pta.Site) bool { return !once(load) })
}

// holds reports whether a predicate holds for one of the loads that end some chains.
func holds(loads []pta.Chain, is func(load pta.Site) bool) bool {
	return slices.ContainsFunc(loads, func(c pta.Chain) bool { return is(c.Sites[len(c.Sites)-1]) })
}

// ownersApart reports whether each side gets at the object of a race through
// owners of its own, and the assumptions that this takes.
func (f *filter) ownersApart(r *model.Race) (assumed []string, ok bool) {
	ok = f.w.OwnersApart(r, func(o pta.Owner, xs, ys []pta.Chain) bool {
		var weak []string
		if answer, some := f.pairs(r, xs, ys, true, &weak); answer != index.Disjoint || !some {
			return false
		}
		if f.groups(r, weak) {
			return false
		}
		weak, ok := different(weak, append(xs, ys...), o.Many(), o.StoredAgain, o.StoredOnce)
		assumed = withAll(assumed, weak)
		return ok
	})
	return assumed, ok
}

// origins returns the chains to the loads that gave an access its pointer.
func (f *filter) origins(r *model.Race, a *model.Access, chains []pta.Chain) (out []pta.Chain) {
	for _, c := range chains {
		from, _ := f.w.Origins(c, a, r.Object)
		out = append(out, from...)
	}
	return out
}

// siblings reports whether the two goroutines of a race are started one after
// the other by one run of a function.
func siblings(r *model.Race) bool {
	return r.Loop.Single && r.Other.Single && r.Loop.Func == r.Other.Func
}

// twoLoops reports whether one function starts the two goroutines of a race in two loops, or one of them in a
// loop and the other one in none:
//
//	for i := range writers {
//		go func() { lat[i] = write() }()
//	}
//	for i := range readers {
//		go func() { lat[writers+i] = read() }()
//	}
//
// What the rounds of two loops compute is not related, but what one run of the function has computed before them is.
func twoLoops(r *model.Race) bool {
	return r.Other != nil && r.B.Thread == model.Main && r.Loop.Func == r.Other.Func && !(r.Loop.Single && r.Other.Single)
}

// assume lowers the confidence of a race to assumed.
func (f *filter) assume(r *model.Race, assumed []string) {
	r.Confidence = model.Assumed
	r.Assumes = append(r.Assumes, assumed...)
	r.Because(model.AboutIndices, "different elements, only if: "+strings.Join(assumed, ", "))
}

// compare decides a pair on all its call chains; with origins, it compares the
// elements from which the two pointers were loaded. It returns Disjoint only
// if all pairs of chains are, with the weak assumptions that this takes.
func (f *filter) compare(r *model.Race, as, bs []pta.Chain, origins bool) (index.Answer, []string) {
	var assumed []string
	compared := false
	f.data = false
	for _, a := range as {
		for _, b := range bs {
			if !f.oneRun(r, a, b) {
				continue
			}
			xs, ys := []pta.Chain{a}, []pta.Chain{b}
			if origins {
				var okA, okB bool
				xs, okA = f.w.Origins(a, r.A, r.Object)
				ys, okB = f.w.Origins(b, r.B, r.Object)
				if !okA || !okB {
					return index.May, nil
				}
			}
			if twoLoops(r) && f.w.LoopIndex() >= 0 && f.w.InRounds(b.Sites[b.Spawn].At) {
				return f.uncompared(r)
			}
			if origins && r.B.Thread == model.Main {
				f.away = &[2]ssair.Instr{a.Sites[a.Spawn].At, b.Sites[b.Spawn].At}
			}
			answer, some := f.pairs(r, xs, ys, origins, &assumed)
			f.away = nil
			if answer != index.Disjoint {
				return answer, nil
			}
			compared = compared || some
		}
	}
	if !compared {
		return f.uncompared(r)
	}
	return index.Disjoint, assumed
}

// uncompared is the answer about indices that are not compared: nothing shows that they are equal, nor need they be, if
// not both accesses are to all that is there.
func (f *filter) uncompared(r *model.Race) (index.Answer, []string) {
	f.data = f.w.Argument(r.A) < 0 || f.w.Argument(r.B) < 0
	return index.May, nil
}

// makers returns the chains to two accesses that begin where one function literal is made that both iterations
// have received, and that is sent once each time. Or they have taken it out of a list.
func (f *filter) makers(r *model.Race) (x, y pta.Chain, ok bool) {
	if r.B.Thread != model.Beta || r.Other != nil {
		return x, y, false
	}
	x, okX := f.w.FromMaker(r.A.Thread, pta.SiteOf(r.A), r.Object)
	y, okY := f.w.FromMaker(r.B.Thread, pta.SiteOf(r.B), r.Object)
	return x, y, okX && okY && x.Sites[0] == y.Sites[0] && f.allPopped(x.Taken) && f.allPopped(y.Taken)
}

// made decides for two accesses of functions that the iterations have received (soundness: sent-once): what two
// such functions have captured in two rounds of their maker's loop is compared as for goroutines that the
// rounds start. If there is one function in the run that has made the object, one iteration runs it.
func (f *filter) made(r *model.Race, elem bool) (answer index.Answer, assumed []string, ok bool) {
	x, y, ok := f.makers(r)
	if ok && x.Once {
		return index.Disjoint, nil, true
	}
	if !ok || !elem {
		return index.May, nil, false
	}
	answer, _ = f.pairs(r, []pta.Chain{x}, []pta.Chain{y}, false, &assumed)
	return answer, assumed, true
}

// madeApart is made for the elements that gave two such functions their pointers, as loads that end chains.
func (f *filter) madeApart(r *model.Race) (loads []pta.Chain, assumed []string, ok bool) {
	x, y, ok := f.makers(r)
	if !ok {
		return nil, nil, false
	}
	xs, okX := f.w.Origins(x, r.A, r.Object)
	ys, okY := f.w.Origins(y, r.B, r.Object)
	if !okX || !okY {
		return nil, nil, false
	}
	answer, some := f.pairs(r, xs, ys, true, &assumed)
	return append(xs, ys...), assumed, some && answer == index.Disjoint
}

// pairs decides for each two of some chains that belong to one run of the loop, and
// adds the weak assumptions that this takes; some is false if there are none.
func (f *filter) pairs(r *model.Race, xs, ys []pta.Chain, origins bool, assumed *[]string) (answer index.Answer, some bool) {
	for _, x := range xs {
		for _, y := range ys {
			if !f.oneRun(r, x, y) {
				continue
			}
			some = true
			answer, weak := f.pair(r, x, y, origins)
			if answer == index.Disjoint && len(weak) > 0 && twoLoops(r) {
				answer = index.May // such assumptions are about the iterations of one loop
			}
			if answer != index.Disjoint {
				return answer, true
			}
			*assumed = withAll(*assumed, weak)
		}
	}
	return index.Disjoint, some
}

// withAll adds to a list those of another that it has not.
func withAll(list, more []string) []string {
	for _, s := range more {
		if !slices.Contains(list, s) {
			list = append(list, s)
		}
	}
	return list
}

// pair decides for two chains, and tells the weak assumptions that it takes.
func (f *filter) pair(r *model.Race, x, y pta.Chain, origins bool) (index.Answer, []string) {
	if x.Recv || y.Recv {
		if !x.Recv || !y.Recv || r.B.Thread == model.Main && !f.inOtherRound(r, x, y) ||
			!f.w.SentOnce(x.Sites[len(x.Sites)-1], x.Chan, r.Object) || !f.w.SentOnce(y.Sites[len(y.Sites)-1], y.Chan, r.Object) {
			return index.May, nil
		}
		// What one iteration has received no other has, nor the spawner that receives anew, as long
		// as it is not sent twice (soundness: sent-once).
		return index.Disjoint, []string{"sent-once"}
	}
	if x.Round && y.Round && !f.inOneStep(x) {
		return index.Disjoint, nil // two steps of one range over a map
	}
	if origins && r.B.Thread == model.Beta && f.popped(x) && f.popped(y) {
		return index.Disjoint, nil // two places of lists that are worked off
	}
	if r.B.Thread != model.Main && f.rowsOfRounds(x, y, r, origins) {
		// What a map holds for two keys are two slices, as two elements of a slice
		// are (soundness: rows-distinct).
		return index.Disjoint, []string{"rows-distinct"}
	}
	f.byLoads = origins
	v, ok := f.overlap(x, y, r)
	f.byLoads = false
	if !ok {
		// Not decided: the pair stays, at the lowest confidence (soundness:
		// budget).
		f.undecided++
		r.Confidence = model.Assumed
		r.Assumes = append(r.Assumes, "budget")
		r.Because(model.AboutIndices, "not decided whether the indices can be equal: too many pairs")
		return index.May, nil
	}
	if v.Answer != index.Disjoint {
		f.data = v.Data || f.explain && v.Witness == "" && !v.Whole && (v.Answer == index.May || f.w.Argument(r.A) < 0 || f.w.Argument(r.B) < 0)
		if f.explain && (v.FormA != "" || v.Answer == index.GaveUp) && !(v.Answer == index.GaveUp && onOneMap(r)) {
			r.Because(model.AboutIndices, why(r, v))
		}
		return v.Answer, nil
	}
	var weak []string
	for _, s := range v.Assumed {
		if index.Weak(s) {
			weak = append(weak, s)
		}
	}
	return index.Disjoint, weak
}

// inOneStep reports whether the spawner may use what a step of a range over a map yields after it has started the
// iteration for that step; x is the iteration's chain. When it has left the loop it may have what the last step has yielded.
func (f *filter) inOneStep(x pta.Chain) bool {
	return f.away != nil && (!f.w.InRounds(f.away[1]) || f.w.Index(x.Sites[x.Spawn].Inst).SameRound(f.w.RoundLoop(), f.away[0], f.away[1]))
}

// inOtherRound reports whether the spawner receives what it has in another round than it has received what the
// iteration has: it does nothing with it where it has started one.
func (f *filter) inOtherRound(r *model.Race, x, y pta.Chain) bool {
	n := x.Spawn
	return r.Other == nil && f.away != nil && f.w.RoundLoop() == f.w.LoopIndex() && len(x.Sites) == n+1 && len(y.Sites) == n+1 &&
		f.w.InRounds(x.Sites[n].At) && f.w.InRounds(y.Sites[n].At) && !f.inOneStep(x)
}

// otherFunctions reports whether the two iterations run different functions, each
// from its own element of a list that holds each function once, where both would
// have to run the same one to come to the accesses.
func (f *filter) otherFunctions(r *model.Race, as, bs []pta.Chain) bool {
	for _, a := range as {
		x, na, ok := f.w.FuncOrigin(a)
		if !ok {
			return false
		}
		for _, b := range bs {
			y, nb, ok := f.w.FuncOrigin(b)
			if !ok || !samePrefix(a, b, false) || na != nb || a.Sites[na].At != b.Sites[nb].At ||
				f.w.Index(a.Sites[na+1].Inst) == nil || f.w.Index(a.Sites[na+1].Inst) != f.w.Index(b.Sites[nb+1].Inst) {
				return false
			}
			u, w := pta.Run{Call: a.Sites[na], Callee: a.Sites[na+1].Inst}, pta.Run{Call: b.Sites[nb], Callee: b.Sites[nb+1].Inst}
			if x.Recv || y.Recv || !f.w.HeldOnce(x.Sites[len(x.Sites)-1], u, w) || !f.w.HeldOnce(y.Sites[len(y.Sites)-1], w, u) {
				return false
			}
			if x.Round && y.Round {
				continue
			}
			if v, ok := f.overlap(x, y, r); !ok || v.Answer != index.Disjoint || v.Weak() {
				return false
			}
		}
	}
	return len(as) > 0 && len(bs) > 0
}

// rowsOfRounds reports whether two chains end at elements of slices that two steps
// of one range over a map have yielded.
// The code may show that the map has one slice twice.
func (f *filter) rowsOfRounds(x, y pta.Chain, r *model.Race, origins bool) bool {
	a, okA := f.w.RowAt(x)
	b, okB := f.w.RowAt(y)
	if !okA || !okB || !a.Round || !b.Round {
		return false
	}
	return origins || !f.w.StoredAgain(a.Sites[len(a.Sites)-1], r.Object) && !f.w.StoredAgain(b.Sites[len(b.Sites)-1], r.Object)
}

// oneRun reports whether two chains are of one run of the loop: its iterations, or an iteration
// and the spawner, or two goroutines that its rounds start by different instructions. A chain may also end
// where the spawner has loaded in a round what it starts the iteration with.
func (f *filter) oneRun(r *model.Race, a, b pta.Chain) bool {
	if samePrefix(a, b, r.B.Thread == model.Main) {
		return true
	}
	ofRound := func(c pta.Chain) bool { return len(c.Sites) == c.Spawn+1 || f.w.StartsInRound(c.Sites[c.Spawn].At) }
	return r.B.Thread == model.Beta && samePrefix(a, b, true) && ofRound(a) && ofRound(b)
}

// samePrefix reports whether two chains agree up to the step that starts the
// iteration: they are then two iterations of one run of the loop.
func samePrefix(a, b pta.Chain, main bool) bool {
	if a.Spawn != b.Spawn {
		return false
	}
	for i := 0; i <= a.Spawn; i++ {
		if a.Sites[i].Inst != b.Sites[i].Inst || a.Sites[i].At != b.Sites[i].At && (!main || i < a.Spawn) {
			return false
		}
	}
	return true
}

func (f *filter) query(a, b pta.Chain, r *model.Race) *index.Query {
	q := &index.Query{
		A:            f.access(a, r.A),
		B:            f.access(b, r.B),
		Spawn:        a.Spawn,
		Above:        min(a.Above, b.Above),
		Loop:         f.w.LoopIndex(),
		Inner:        f.w.RoundLoop(),
		MainB:        r.B.Thread == model.Main,
		Rounds:       r.B.Thread == model.Beta && a.Sites[a.Spawn].At != b.Sites[b.Spawn].At,
		Sibling:      r.Other != nil,
		TwoLoops:     twoLoops(r),
		RowsMayAlias: true,
		OneBase:      f.oneBase,
		InStep:       f.inStep,
		Brief:        !f.explain,
		Away:         f.away,
	}
	if a.Made {
		q.Loop, q.Inner, q.Rounds = f.phase, -1, false // with anyPhase, rounds of any loop around the making
	}
	q.Oracle = &oracle{f.w, a, b, r, f.byLoads, f.races}
	return q
}

func (f *filter) access(c pta.Chain, a *model.Access) index.Access {
	x := index.Access{Write: a.Kind == model.Write, WithinLen: f.w.WithinLen(a)}
	for _, s := range c.Sites {
		x.Chain = append(x.Chain, index.Step{Fn: f.w.Index(s.Inst), At: s.At})
	}
	if k := f.w.Argument(a); k >= 0 {
		x.Arg = k
	}
	return x
}

// onOneMap reports whether there is one map only that the accesses may go to.
func onOneMap(r *model.Race) bool { return r.Object.Map && !r.Object.Many && !r.Either && r.Place == 0 }

func why(r *model.Race, v index.Verdict) string {
	switch {
	case v.Answer == index.GaveUp && r.Object.Map:
		return "nothing shows that the accesses are to two maps"
	case v.Answer == index.GaveUp:
		return "index arithmetic gave up"
	case v.Witness != "":
		return fmt.Sprintf("indices %s and %s may be equal: %s", v.FormA, v.FormB, v.Witness)
	case v.Missing != "":
		return fmt.Sprintf("indices %s and %s may be equal; disjoint if %s", v.FormA, v.FormB, v.Missing)
	}
	return fmt.Sprintf("indices %s and %s may be equal", v.FormA, v.FormB)
}
