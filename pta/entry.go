package pta

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/iterace/iterace/internal/bitset"
	"github.com/iterace/iterace/internal/ssair"
)

// This file takes a program apart into what its entry points run. A constructor that
// three hundred tests call makes one abstract object for all of them, or few, and what
// the tests put into it meets there, though each has an object of its own (soundness:
// roots-apart). A test by itself is a program of a few hundred functions.

// An Entry is what one entry point runs: a test, or main. Exported functions without
// a caller are one entry together, since one client may call them all. Before it run
// the initialisers of its package, and TestMain.
type Entry struct {
	Name    string // of the entry point
	size    int    // instances of the base
	first   int32  // number of the first root, by which entries are ordered
	before  []FuncID
	runs    []FuncID // the entry point, if it runs by itself
	called  []FuncID // exported functions
	leads   map[LoopPlace]bool
	running bool
	res     *Result // of what Entries has solved and keeps for Of, or nil
}

// A LoopPlace names a parallel loop whatever the entries that lead to it.
type LoopPlace struct {
	fn    FuncID
	split int8
	at    ssair.Instr
}

// Place returns the place of a loop.
func (r *Result) Place(loop int) LoopPlace {
	pl := r.base.loops[loop]
	return LoopPlace{pl.fn.ID, pl.split, pl.at}
}

// Bounds on what is solved for entries, as Work counts (soundness: entries-bounded).
const (
	maxEntry = 4_000 // of one entry, or an eighth of the program if that is more
	// Of all together: as much as the program itself is, within these bounds, or a
	// quarter of it if that is more.
	minEntries, maxEntries = 12_000, 50_000
	// maxKept is how many nodes those may have together that are solved once and kept.
	// The tests of a web framework have 16 thousand each, half of them of initialisers,
	// and a few hundred instances; one test of a rule manager has 430 thousand, and takes
	// three seconds.
	maxKept = 1_000_000
)

// Work says how much there is to solve: the instances, and those that each loop has
// again.
func (r *Result) Work() int {
	n := len(r.base.s.insts)
	for i := range r.base.reach {
		n += r.base.reach[i].Len()
	}
	return n
}

// Entries chooses the entries to look at by themselves, and the places of the loops
// that are looked at in these alone: those to which no entry leads that is too large.
// There are none if the program has but one entry.
func (r *Result) Entries() (list []*Entry, apart map[LoopPlace]bool) {
	if len(r.rootInsts) <= r.inits.Len()+1 {
		return nil, nil
	}
	all := make(map[int32]*Entry)
	for i := range r.Loops {
		for n := range r.scopeOf(i).roots.All() {
			r.entryOf(n, all).leads[r.Place(i)] = true
		}
	}
	list = slices.Collect(maps.Values(all))
	slices.SortFunc(list, func(a, b *Entry) int { return cmp.Or(cmp.Compare(a.size, b.size), cmp.Compare(a.first, b.first)) })
	work, apart := r.Work(), make(map[LoopPlace]bool)
	most, left := max(maxEntry, work/8), max(minEntries, min(work, maxEntries), work/4)
	for _, e := range list {
		if e.size > most || r.outgrows(e, most, work) {
			for p := range e.leads {
				apart[p] = false // without a look at what else leads there
			}
		}
	}
	open := func(p LoopPlace) bool {
		may, known := apart[p]
		return may || !known
	}
	nodes := 0
	for _, e := range list {
		if !anyPlace(e.leads, open) {
			continue
		}
		room := min(most, left)
		small := false
		if room > 0 {
			n := room
			if res := r.solveEntry(e, room); res != nil {
				n = res.Work()
				more := len(res.base.s.owners)
				if small = n <= room; small && nodes+more <= maxKept {
					e.res, nodes = res, nodes+more // to solve it again takes less room and more time
				}
			}
			left -= min(n, room)
		}
		for p := range e.leads {
			apart[p] = small && open(p)
		}
	}
	for i := range r.Loops {
		if apart[r.Place(i)] {
			r.scopeNotice(i) // nobody looks at it here
		}
	}
	return slices.DeleteFunc(list, func(e *Entry) bool {
		return !anyPlace(e.leads, func(p LoopPlace) bool { return apart[p] })
	}), apart
}

// outgrows reports whether an entry is likely to turn out too large when it is solved
// by itself, as the larger part of a program mostly is, since more calls are told apart
// there. Main of a language server has 38,739 of 42,147 instances, and loops take 73 and
// not 86 s without it; two tests of go/ssa have 3,899 of 6,228, and took a third of what
// go vet did for that package.
func (r *Result) outgrows(e *Entry, most, work int) bool {
	all := len(r.base.s.insts)
	return work > 2*most && e.size > all/4*3 || e.size > most/4*3 && e.size > all/2
}

// anyPlace reports whether one of some places is one of those that are meant.
func anyPlace(places map[LoopPlace]bool, meant func(LoopPlace) bool) bool {
	for p := range places {
		if meant(p) {
			return true
		}
	}
	return false
}

// entryOf returns the entry that a root belongs to.
func (r *Result) entryOf(n int32, all map[int32]*Entry) *Entry {
	key := min(n, r.running)
	if e := all[key]; e != nil {
		return e
	}
	e := &Entry{first: key, running: n < r.running, leads: make(map[LoopPlace]bool)}
	all[key] = e
	var roots bitset.Set
	for k, id := range r.rootInsts {
		k, fn := int32(k), r.base.s.inst(id).fn
		switch {
		case k == n && e.running:
			e.Name = fn.Name
			e.runs = append(e.runs, fn.ID)
		case r.inits.Has(k) && (!e.running || samePackage(fn.Pkg, r.base.s.inst(r.rootInsts[n]).fn.Pkg)):
			e.before = append(e.before, fn.ID)
		case k >= r.running && !e.running:
			e.Name = "exported functions"
			e.called = append(e.called, fn.ID)
		default:
			continue
		}
		roots.Add(k)
	}
	for id := range r.roots {
		if r.roots[id].Intersects(&roots) {
			e.size++
		}
	}
	return e
}

// samePackage reports whether two packages are one, or the tests of one.
func samePackage(a, b string) bool {
	return strings.TrimSuffix(a, "_test") == strings.TrimSuffix(b, "_test")
}

// Of returns the base of an entry that Entries has chosen, and lets go of it.
func (r *Result) Of(e *Entry) *Result {
	res := e.res
	e.res = nil
	if res == nil {
		res = r.solveEntry(e, 0)
	}
	return res
}

// solveEntry solves the base of an entry, all of whose functions have been lowered.
// The result is nil where it takes more than so many instances.
func (r *Result) solveEntry(e *Entry, most int) *Result {
	res := newResult(r.Prog, r.cfg)
	s := res.base.s
	s.sites.few, s.most = true, most
	for _, fn := range slices.Concat(e.before, e.runs) {
		res.addRoot(fn)
	}
	res.running = int32(res.Roots)
	for _, fn := range e.called {
		res.addRoot(fn)
	}
	s.solve()
	if s.overrun {
		return nil
	}
	res.solved()
	return res
}
