package pta

import (
	"fmt"
	"iter"
	"math/rand"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/iterace/iterace/internal/bitset"
	"github.com/iterace/iterace/model"
	"github.com/iterace/iterace/model/library"
	"github.com/iterace/iterace/pta/flow"
	"golang.org/x/tools/go/ssa"
)

// A Config says from where to solve and how.
type Config struct {
	// Roots are the entries: main, init, tests; in a library, functions
	// without callers. Their parameters are symbolic.
	Roots []*ssa.Function
	// More become roots too, unless the roots reach them. Each list is tried
	// when the ones before it are solved.
	More [][]*ssa.Function
	// Cut names the functions that more entries lead to than Roots and More have.
	Cut    map[string]bool
	Naive  bool
	Seed   int64 // shuffles the worklist; 0 keeps its order
	Budget int   // solver steps allowed for one loop; 0 is the default
	// BaseBudget is the number of solver steps allowed for the base; 0 is the default.
	BaseBudget int
	// Sure leaves out pairs of accesses whose confidence would be assumed.
	Sure bool
}

// defaultBaseBudget bounds the steps of the base. The tests of a key-value store
// of 1.6 million instructions, the largest program measured, took more than 4
// million before entry points were chosen.
const defaultBaseBudget = 20_000_000

// defaultBudget bounds the steps of one overlay. A loop that exceeds it keeps
// what was found and says so in a notice (soundness: budget).
const defaultBudget = 20_000_000

// A Result is the solution: the base and one overlay per parallel loop.
type Result struct {
	Prog    *Program
	Loops   []*model.Loop
	Notices []model.Notice
	Roots   int

	base     *baseResult
	overlays []*overlay   // by loop; nil if the base shows that there is no race
	roots    []bitset.Set // by instance of the base: the roots that lead to it
	inits    bitset.Set   // roots that run before others: initialisers of packages, TestMain and what calls it
	// rootNumber numbers the roots in the order in which they were given.
	rootNumber map[InstID]int32
	rootInsts  []InstID          // by number
	next       map[int32][]int32 // what runs after those of inits that start goroutines, see next.go
	running    int32             // those below run by themselves: main, tests
	scopes     []*scope          // by loop, made on first use
	sameRoots  map[string]*scope // by the roots
	tables     []*loopTable      // by loop: kept for loops that it may run beside
	beside     []int             // by loop: how many loops to come those are
	mainTable  *baseTable        // accesses of the base by location
	ranks      []int32           // by instance of the base, see rankOf
	writes     []*bitset.Set     // by loop, after its first round
	firsts     []*overlay        // by loop: what its first round has solved, see keep
	cfg        *Config
	together   bool   // see Together
	spent      int    // instances of such programs, so far
	driver     int32  // the number of the entry then
	told       []bool // by loop: its races are asked for; nil for all, see Tell

	// mu guards what loops share that are solved at the same time: Notices, scopes
	// and what follows.
	mu          sync.RWMutex
	typed       sync.Map                    // see typeNames
	standing    int                         // nodes of the overlays in firsts, when they were kept
	definitions map[FuncID]map[Node][]int32 // see defs
	readers     map[FuncID]map[Node][]int32 // see usesOf
	holders     map[int32]*holders          // see holdersOf
	holds       holding                     // see holding
	soles       map[soleKey]bool            // see sole
	stores      map[soleKey][]pred          // see storers
	handings    handings                    // see handedOver
	cells       map[int32][]int32           // see cellsWith
	turns       turns
	onces       struct{ main, boxes, beside, lent, given, handed, longer, cut, made, makers, pools, shifted, flows, touches, named, presence, shown, left, swap, ranks, holds, index sync.Once }
	index       map[*model.Loop]int // the number of each loop
	shifted     map[int32]bool      // arrays of which there are slices that begin later, see shift.go
	longer      map[int32]bool      // arrays of which slices may be made longer, see grown.go
	cut         map[int32]bool      // arrays of which slices may end before they do, see room.go
	given       *bitset.Set         // see givenAway
	handed      *bitset.Set         // see handedOver
	lent        map[int32]uint8     // how objects are given away, see handed.go
	boxes       map[int32][]int32   // the base's by object
	pools       []int32             // see poolLeaves
	makers      map[FuncID][]InstID // see literalMakers
	made        map[madeAt][]int32
	closures    []int32 // objects of the base, see madeAt
	callees     calleeTables
	flows       []*flow.Func              // see baseFlows
	libs        []*library.Func           // the same
	named       map[string][]InstID       // the base's by function, see View.Named
	touches     []atomic.Pointer[[]touch] // by instance of the base, see singleTouches
	present     *presence                 // see presence
	guards      sync.Map                  // *Func to *guarding, see guarded.go
	shownTo     *bitset.Set               // objects of the base, see shown
	left        *bitset.Set               // likewise, see leftByTests
	swap        bool                      // see swaps
}

// Base solves the whole scope with the tags Main, A and B.
func Base(p *Program, cfg *Config) *Result {
	kept := *cfg
	kept.Roots, kept.More = nil, nil // all SSA hangs on them, see Forget
	res := newResult(p, &kept)
	s := res.base.s
	for i, fns := range append([][]*ssa.Function{cfg.Roots}, cfg.More...) {
		for _, fn := range fns {
			if id, ok := p.ids[fn]; !ok || i == 0 || !s.runs(id) {
				res.addRoot(p.FuncID(fn))
			}
		}
		if i == 0 {
			res.running = int32(res.Roots)
		}
		s.solve()
	}
	if s.overrun {
		res.Notices = append(res.Notices, model.Notice{
			Code:    model.SoundnessNumber("budget"),
			Message: "the program is too large to solve within the budget: races may be missing anywhere; analyse fewer packages at a time",
		})
	}
	if s.sites.cut {
		res.Notices = append(res.Notices, model.Notice{
			Code:    model.SoundnessNumber("copies-bounded"),
			Message: "the program is so large that what constructors make for different callers is told apart less: more may look shared than is; analyse fewer packages at a time",
		})
	}
	res.solved()
	for _, f := range p.Lowered() {
		res.Notices = append(res.Notices, f.Notices...)
	}
	res.Notices = append(res.Notices, res.openNotices()...)
	return res
}

// newResult prepares a base that has no entry yet.
func newResult(p *Program, cfg *Config) *Result {
	s := newSolver(p, nil)
	s.naive = cfg.Naive
	if cfg.Seed != 0 {
		s.rng = rand.New(rand.NewSource(cfg.Seed))
		s.look = 50 // so that tests meet merged nodes in every program
	}
	if s.budget = cfg.BaseBudget; s.budget == 0 {
		s.budget = defaultBaseBudget
	}
	return &Result{Prog: p, cfg: cfg, base: &baseResult{s: s}, definitions: make(map[FuncID]map[Node][]int32), soles: make(map[soleKey]bool), stores: make(map[soleKey][]pred), cells: make(map[int32][]int32), readers: make(map[FuncID]map[Node][]int32), holders: make(map[int32]*holders)}
}

// addRoot makes a function an entry.
func (r *Result) addRoot(fn FuncID) {
	s := r.base.s
	id := s.instanceOf(s.p.Func(fn), context{})
	if in := s.inst(id); !in.root {
		in.root = true
		r.Roots++
		s.symbolicParams(id)
	}
}

// solved freezes the base and finds its loops.
func (r *Result) solved() {
	s, p := r.base.s, r.Prog
	s.freeze()
	s.sites.closed = true
	r.base.findLoops(func(in *instance) bool { return p.here(in.fn) || s.calledFromHere(in) || s.servesHere(in) })
	r.cfg = &Config{Naive: r.cfg.Naive, Cut: r.cfg.Cut, Budget: r.cfg.Budget, Seed: r.cfg.Seed, Sure: r.cfg.Sure}
	for i, pl := range r.base.loops {
		r.Loops = append(r.Loops, pl.model(i))
	}
	r.findRoots()
	r.findNext()
	r.callees = make(calleeTables, len(s.insts))
	r.overlays = make([]*overlay, len(r.Loops))
	r.tables = make([]*loopTable, len(r.Loops))
	r.scopes, r.sameRoots = make([]*scope, len(r.Loops)), make(map[string]*scope)
	r.writes = make([]*bitset.Set, len(r.Loops))
	r.firsts = make([]*overlay, len(r.Loops))
	r.startTurns()
}

// runs reports whether a function has an instance.
func (s *solver) runs(id FuncID) bool {
	if s.running == nil {
		s.running = make(map[FuncID]bool)
	}
	for ; s.counted < len(s.insts); s.counted++ {
		s.running[s.insts[s.counted].fn.ID] = true
	}
	return s.running[id]
}

// here reports whether the loops of a function are of interest.
func (p *Program) here(f *Func) bool { return f.App && (p.Unit == "" || f.Pkg == p.Unit) }

// callsFromHere lists the calls of interest that other code spawns for, if it is
// a helper that is called there, or by one that takes a function for it
// (soundness: operators).
func (s *solver) callsFromHere(in *instance) iter.Seq[Site] {
	return func(yield func(Site) bool) {
		if !in.fn.Helper && !in.fn.Wrapper {
			return
		}
		seen := map[*instance]bool{in: true}
		for work := []*instance{in}; len(work) > 0; work = work[1:] {
			for _, c := range work[0].callers {
				up := s.inst(c.Inst)
				if s.p.here(up.fn) {
					if !yield(c) {
						return
					}
				} else if !seen[up] && s.p.takesFunc(up.fn) {
					seen[up] = true
					work = append(work, up)
				}
			}
		}
	}
}

// calledFromHere reports whether there are such calls.
func (s *solver) calledFromHere(in *instance) bool {
	for range s.callsFromHere(in) {
		return true
	}
	return false
}

// servesHere reports whether a function of other code runs code of interest on many
// goroutines at once, by an operator of the library model: a framework's server that
// has its handlers from the application.
func (s *solver) servesHere(in *instance) bool {
	if s.p.Unit != "" {
		return false // what the framework does with the handlers is not in view
	}
	for i := range in.fn.Spawns {
		sp := &in.fn.Spawns[i]
		if !sp.Self || sp.Op != library.OpNone {
			continue
		}
		seen := make(map[InstID]bool)
		var work []InstID
		for k := range in.fn.Calls {
			if c := &in.fn.Calls[k]; c.At == sp.At && c.Mode == ModeSpawn {
				for _, e := range in.callees[k] {
					work = append(work, e.callee)
				}
			}
		}
		for len(work) > 0 {
			id := work[len(work)-1]
			work = work[:len(work)-1]
			if seen[id] {
				continue
			}
			seen[id] = true
			b := s.inst(id)
			if s.p.here(b.fn) {
				return true
			}
			for k := range b.fn.Calls {
				for _, e := range b.callees[k] {
					work = append(work, e.callee)
				}
			}
		}
	}
	return false
}

// takesFunc reports whether a function has a parameter that is one.
func (p *Program) takesFunc(f *Func) bool {
	return slices.ContainsFunc(f.Vars, func(v Var) bool { return HasFunc(p.types.typ(v.Type)) })
}

func (pl *parLoop) model(id int) *model.Loop {
	l := &model.Loop{ID: id, Func: pl.fn.Name, Single: pl.split < 0, Sibling: pl.sibling}
	if pl.spawn >= 0 {
		sp := &pl.fn.Spawns[pl.spawn]
		l.Kind, l.Spawn = sp.Kind, sp.Pos
		if sp.Self {
			l.Single, l.Form = false, "operator"
		}
	} else {
		for k := range pl.fn.Calls {
			if c := &pl.fn.Calls[k]; c.At == pl.at {
				l.Kind, l.Spawn = "call", c.Pos
			}
		}
	}
	l.Pos = l.Spawn
	if pl.split >= 0 {
		sp := &pl.fn.Splits[pl.split]
		l.Form = sp.Form
		if sp.Pos.IsValid() {
			l.Pos = sp.Pos
		}
	}
	return l
}

// findRoots finds, for every instance, the roots that lead to it. What
// different roots do is taken to happen at different times (soundness:
// roots-apart).
func (r *Result) findRoots() {
	s := r.base.s
	r.roots = make([]bitset.Set, len(s.insts))
	r.rootNumber = make(map[InstID]int32)
	n := int32(0)
	for id, in := range s.insts {
		if in.root {
			r.roots[id].Add(n)
			r.rootNumber[InstID(id)] = n
			for _, name := range []string{".init", ".TestMain", ".test.main"} {
				if strings.HasSuffix(in.fn.Name, name) {
					r.inits.Add(n)
				}
			}
			n++
			r.rootInsts = append(r.rootInsts, InstID(id))
		}
	}
	r.base.calls.down(r.roots)
}

func (r *Result) notice(n model.Notice) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.Notices = append(r.Notices, n)
}

// Complete reports whether the base is solved to the end.
func (r *Result) Complete() bool { return !r.base.s.overrun }

// Overlay solves a loop on its own. It reports whether the solution is final:
// where functions are shared with other loops, a second call is more precise
// once every loop had its first.
func (r *Result) Overlay(loop int) (final bool) {
	first := r.writes[loop] == nil
	if ov := r.stands(loop); ov != nil {
		r.overlays[loop] = ov
		return true
	}
	ov := r.solveOverlay(loop, first, false)
	for ov.tooLarge() {
		r.base.narrow(loop)
		ov = r.solveOverlay(loop, first, false)
	}
	if ov.missed {
		ov = r.solveOverlay(loop, first, true)
	}
	if ov.overrun {
		r.notice(model.Notice{
			Pos: r.Loops[loop].Pos, Code: model.SoundnessNumber("budget"),
			Message: "this loop reaches too much to solve within the budget: races in it may be missing",
		})
	}
	r.overlays[loop] = ov
	if first {
		r.writes[loop] = r.written(loop)
		r.scopeNotice(loop)
		r.keep(loop, ov)
	}
	return !ov.again
}

// solveOverlay solves a loop; see overlay.store for stores.
func (r *Result) solveOverlay(loop int, first, stores bool) *overlay {
	ov := newOverlay(r.base, loop, r.presence())
	ov.stores = stores
	ov.budget = r.cfg.Budget
	if ov.budget == 0 {
		ov.budget = defaultBudget
	}
	if r.cfg.Seed != 0 {
		ov.rng = rand.New(rand.NewSource(r.cfg.Seed))
		ov.look = 50
	}
	if !first {
		ov.writes = r.writes
	}
	c := &r.base.cones[loop]
	if ov.cut = c.cut; first && ov.cut != nil && !c.apart && !stores {
		r.notice(coneNotice(r.Loops[loop], c))
	}
	ov.solve()
	return ov
}

// written lists the base locations that a loop's iterations store to; what the
// iterations made themselves counts under the base's names.
func (r *Result) written(loop int) *bitset.Set {
	v := r.View(r.Loops[loop])
	out := new(bitset.Set)
	for l, n := range v.ov.shadows {
		if !v.ov.pts(n).Empty() {
			out.Add(l)
		}
	}
	for i := range v.ov.objects {
		o := &v.ov.objects[i]
		c := v.canonical(o.loc)
		if c >= v.ov.first {
			continue
		}
		for j := int32(0); j < o.layout.Len(); j++ {
			if o.layout.Leaves[j].Ptr {
				out.Add(c + j)
			}
		}
	}
	return out
}

// Size describes the overlay of a loop, for traces.
func (r *Result) Size(loop *model.Loop) string {
	ov := r.overlays[loop.ID]
	if ov == nil {
		return "no overlay"
	}
	return fmt.Sprintf("%d spawners, %d instances, %d nodes, %d objects, %d steps", len(ov.spawners), len(ov.insts), len(ov.owners), len(ov.objects), ov.steps)
}

// Release drops a loop's overlay; its view must not be used any more.
//
//iterace:ignore each loop is taken once, and awaits its turn to look at others
func (r *Result) Release(loop int) { r.overlays[loop], r.firsts[loop] = nil, nil }

// Stats counts what was solved.
type Stats struct {
	Functions, Instances, Nodes, Objects int
	Sets, Elements                       int // different points-to sets, and their elements
}

// Stats describes the base.
func (r *Result) Stats() Stats {
	s := r.base.s
	st := Stats{Functions: len(r.Prog.Lowered()), Instances: len(s.insts), Nodes: len(s.owners), Objects: len(s.objects), Sets: len(s.sets)}
	for i := range s.sets {
		st.Elements += s.sets[i].Len()
	}
	return st
}

func sortedUnique[T ~int32](xs []T) []T {
	slices.Sort(xs)
	return slices.Compact(xs)
}
