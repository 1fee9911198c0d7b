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
	// ChainsAgain is Chains where functions may call themselves on the way.
	ChainsAgain(t model.Thread, to pta.Site, limit int) (chains []pta.Chain, ok bool)
	// Passed reports whether an access may have got at the object of a race along
	// a chain.
	Passed(c pta.Chain, a *model.Access, o *model.Object) bool
	// Origins returns the chains to the loads of elements that may have given an
	// access its pointer to an object, if it comes from elements only.
	Origins(c pta.Chain, a *model.Access, o *model.Object) ([]pta.Chain, bool)
	// RowOrigin does so for the slice of which an access goes to an element.
	RowOrigin(c pta.Chain, access int32) (pta.Chain, bool)
	// RowAt does so for the instruction that a chain ends with.
	RowAt(c pta.Chain) (pta.Chain, bool)
	// FuncOrigin does so for the function that the first dynamic call of an
	// iteration runs, and tells which step of the chain that is.
	FuncOrigin(c pta.Chain) (from pta.Chain, call int, ok bool)
	// HeldOnce reports whether the functions that a dynamic call runs by an
	// instance are in one element each of what a load reads.
	HeldOnce(load, call pta.Site, callee pta.InstID) bool
	// SentOnce reports whether nothing that a receive may receive is seen to be
	// sent twice.
	SentOnce(recv pta.Site) bool
	// StoredOnce reports whether the object of a race lies in one element only
	// of what a load reads, because one store that runs once put it there.
	StoredOnce(load pta.Site, o *model.Object) bool
	// StoredAgain reports whether the code shows that the object of a race is put
	// more than once into what a load reads.
	StoredAgain(load pta.Site, o *model.Object) bool
	// LoopIndex returns the parallel loop's index among the natural loops of
	// the spawner, -1 for a single spawn.
	LoopIndex() int
	// InRounds reports whether an instruction of the spawner runs in the rounds
	// of the loop, or there is no loop.
	InRounds(at ssair.Instr) bool
	// Element reports whether an access goes to an element of an array or slice.
	Element(a *model.Access) bool
	// Written reports whether the parallel region may write what the load
	// reads.
	Written(load pta.Site) bool
	// Kept reports whether what a load reads, which runs before the instruction
	// next of the same function, is not written from the load until the loop that
	// next leads to is over.
	Kept(load pta.Site, next ssair.Instr) bool
	// Makes reports whether the result of the call at a site is always new memory.
	Makes(pta.Site) bool
	// Born reports whether nothing in the program stores to what a load reads, of
	// objects made as said, but what fills them there.
	Born(load pta.Site, b index.Birth) bool
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
	Injective(function string) bool
	Rising(function string) bool
}

// maxChains bounds the call chains to one access; with more than these the
// pair is not decided.
const maxChains = 6

// Filter returns the races that are not proved to touch different elements,
// and the number of those among them that were not decided because there are
// too many.
func Filter(w World, rs *model.RaceSet) (left *model.RaceSet, undecided int) {
	f := &filter{w: w, prover: index.NewProver(), known: make(map[string]index.Verdict), windows: make(map[string]*window)}
	left = rs.Filter(f.keep)
	return left, f.undecided
}

// Explain adds to the races that Filter left and nothing else removed why their
// indices may be equal. The search for a witness takes as long as the proof
// (21 s of 33 s on a module of 760 loops), so it is done for these only.
func Explain(w World, rs *model.RaceSet) {
	f := &filter{w: w, prover: index.NewProver(), explain: true, windows: make(map[string]*window)}
	for _, r := range rs.Races {
		if r.Confidence == model.Assumed || !f.element(r) {
			continue
		}
		if as, bs, ok := f.chains(r); ok {
			f.compare(r, as, bs, false)
		}
	}
}

type filter struct {
	w       World
	prover  *index.Prover
	explain bool // say why a pair is not disjoint
	// known keeps answers: two accesses are asked about for each object that
	// they may both touch, and a proof takes milliseconds.
	known     map[string]index.Verdict
	windows   map[string]*window
	undecided int
}

// maxProofs bounds the questions to the prover about one loop (soundness:
// budget).
const maxProofs = 800

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
	if len(f.known) >= maxProofs {
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
	return fmt.Sprint(x.Sites, x.Spawn, y.Sites, y.Spawn, r.B.Thread == model.Main,
		r.A.Kind, r.B.Kind, f.w.Argument(r.A), f.w.Argument(r.B))
}

// element reports whether a race is about an element of an array or slice.
func (f *filter) element(r *model.Race) bool {
	return (f.w.Element(r.A) || f.w.Element(r.B) || strings.Contains(r.Field, "[*]")) && (r.Other == nil || siblings(r))
}

// chains returns the call chains to both accesses of a race.
func (f *filter) chains(r *model.Race) (as, bs []pta.Chain, ok bool) {
	return f.chainsBy(f.w.Chains, r)
}

func (f *filter) chainsBy(chains func(model.Thread, pta.Site, int) ([]pta.Chain, bool), r *model.Race) (as, bs []pta.Chain, ok bool) {
	as, ok = chains(r.A.Thread, pta.Site{Inst: pta.InstID(r.A.Inst), At: ssair.Instr(r.A.Instr)}, maxChains)
	if ok {
		bs, ok = chains(r.B.Thread, pta.Site{Inst: pta.InstID(r.B.Inst), At: ssair.Instr(r.B.Instr)}, maxChains)
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
	if !elem && !own || r.Other != nil && !siblings(r) {
		return true
	}
	as, bs, ok := f.chains(r)
	if !ok {
		// Where a function calls itself, it may pass on the pointer that it was
		// given, and what matters is where that was loaded.
		if !own || r.B.Thread == model.Main {
			return true
		}
		elem = false
		if as, bs, ok = f.chainsBy(f.w.ChainsAgain, r); !ok {
			return true
		}
	} else if r.B.Thread == model.Beta && f.otherFunctions(r, as, bs) {
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
	}
	if own && r.Confidence > model.Assumed {
		if answer, assumed := f.compare(r, as, bs, true); answer == index.Disjoint {
			switch {
			case slices.Contains(assumed, "sent-once"):
				f.assume(r, assumed)
			case f.storedAgain(r, r.A, as) || f.storedAgain(r, r.B, bs):
			case r.Object.Many:
				f.assume(r, append(assumed, "many-objects"))
			case f.storedOnce(r, r.A, as) && f.storedOnce(r, r.B, bs):
				if len(assumed) == 0 {
					return false
				}
				f.assume(r, assumed)
			}
		}
	}
	return true
}

// storedOnce reports whether each object that an access may touch is in one
// element only of the collections that its pointer is loaded from; chains are
// the access's own.
func (f *filter) storedOnce(r *model.Race, a *model.Access, chains []pta.Chain) bool {
	return !f.someOrigin(r, a, chains, func(load pta.Site) bool { return !f.w.StoredOnce(load, r.Object) })
}

// storedAgain reports whether an object that an access may touch is put into a
// collection that its pointer is loaded from more than once.
func (f *filter) storedAgain(r *model.Race, a *model.Access, chains []pta.Chain) bool {
	return f.someOrigin(r, a, chains, func(load pta.Site) bool { return f.w.StoredAgain(load, r.Object) })
}

// someOrigin reports whether something holds of a load that gave an access its
// pointer.
func (f *filter) someOrigin(r *model.Race, a *model.Access, chains []pta.Chain, holds func(load pta.Site) bool) bool {
	for _, c := range chains {
		origins, _ := f.w.Origins(c, a, r.Object)
		for _, o := range origins {
			if holds(o.Sites[len(o.Sites)-1]) {
				return true
			}
		}
	}
	return false
}

// siblings reports whether the two goroutines of a race are started one after
// the other by one run of a function; the rounds of two loops are not related.
func siblings(r *model.Race) bool {
	return r.Loop.Single && r.Other.Single && r.Loop.Func == r.Other.Func
}

// assume lowers the confidence of a race to assumed.
func (f *filter) assume(r *model.Race, assumed []string) {
	r.Confidence = model.Assumed
	r.Assumes = append(r.Assumes, assumed...)
	r.Why = append(r.Why, "different elements, only if: "+strings.Join(assumed, ", "))
}

// compare decides a pair on all its call chains; with origins, it compares the
// elements from which the two pointers were loaded. It returns Disjoint only
// if all pairs of chains are, with the weak assumptions that this takes.
func (f *filter) compare(r *model.Race, as, bs []pta.Chain, origins bool) (index.Answer, []string) {
	var assumed []string
	compared := false
	for _, a := range as {
		for _, b := range bs {
			if !samePrefix(a, b, r.B.Thread == model.Main) {
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
			if r.B.Thread == model.Main && !f.w.InRounds(b.Sites[b.Spawn].At) {
				// After the loop its counters have other values than any round's;
				// facts of both must not be taken together.
				return index.May, nil
			}
			compared = true
			for _, x := range xs {
				for _, y := range ys {
					answer, weak := f.pair(r, x, y, origins)
					if answer != index.Disjoint {
						return answer, nil
					}
					for _, s := range weak {
						if !slices.Contains(assumed, s) {
							assumed = append(assumed, s)
						}
					}
				}
			}
		}
	}
	if !compared {
		return index.May, nil
	}
	return index.Disjoint, assumed
}

// pair decides for two chains, and tells the weak assumptions that it takes.
func (f *filter) pair(r *model.Race, x, y pta.Chain, origins bool) (index.Answer, []string) {
	if x.Recv || y.Recv {
		if !x.Recv || !y.Recv || r.B.Thread == model.Main ||
			!f.w.SentOnce(x.Sites[len(x.Sites)-1]) || !f.w.SentOnce(y.Sites[len(y.Sites)-1]) {
			return index.May, nil
		}
		// What one iteration has received no other has, as long as it is not sent
		// twice (soundness: sent-once).
		return index.Disjoint, []string{"sent-once"}
	}
	if x.Round && y.Round {
		return index.Disjoint, nil // two steps of one range over a map
	}
	if r.B.Thread != model.Main && f.rowsOfRounds(x, y, r, origins) {
		// What a map holds for two keys are two slices, as two elements of a slice
		// are (soundness: rows-distinct).
		return index.Disjoint, []string{"rows-distinct"}
	}
	v, ok := f.overlap(x, y, r)
	if !ok {
		// Not decided: the pair stays, at the lowest confidence (soundness:
		// budget).
		f.undecided++
		r.Confidence = model.Assumed
		r.Assumes = append(r.Assumes, "budget")
		r.Why = append(r.Why, "not decided whether the indices can be equal: too many pairs")
		return index.May, nil
	}
	if v.Answer != index.Disjoint {
		if f.explain && (v.FormA != "" || v.Answer == index.GaveUp) {
			r.Why = append(r.Why, why(v))
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
			if x.Recv || y.Recv || !f.w.HeldOnce(x.Sites[len(x.Sites)-1], a.Sites[na], a.Sites[na+1].Inst) ||
				!f.w.HeldOnce(y.Sites[len(y.Sites)-1], b.Sites[nb], b.Sites[nb+1].Inst) {
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
		Loop:         f.w.LoopIndex(),
		MainB:        r.B.Thread == model.Main,
		RowsMayAlias: true,
		Brief:        !f.explain,
	}
	q.Oracle = &oracle{f.w, a, b, r}
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

func why(v index.Verdict) string {
	switch {
	case v.Answer == index.GaveUp:
		return "index arithmetic gave up"
	case v.Witness != "":
		return fmt.Sprintf("indices %s and %s may be equal: %s", v.FormA, v.FormB, v.Witness)
	case v.Missing != "":
		return fmt.Sprintf("indices %s and %s may be equal; disjoint if %s", v.FormA, v.FormB, v.Missing)
	}
	return fmt.Sprintf("indices %s and %s may be equal", v.FormA, v.FormB)
}
