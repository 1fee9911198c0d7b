package pta

import (
	"slices"

	"github.com/iterace/iterace/internal/ssair"
	"github.com/iterace/iterace/model/library"
	"github.com/iterace/iterace/pta/flow"
)

// This file is the context policy, and nothing else: which analyses of one
// function are kept apart.

// tag says which abstract thread runs a function. In the base, A and B stand
// for some parallel loop's alpha and beta, whichever the loop; in an overlay
// they are the loop's own. The values are those of the parts of an array.
type tag = uint8

const (
	tagMain tag = 0
	tagA    tag = partAlpha
	tagB    tag = partBeta
)

// A context distinguishes instances of one function.
type context struct {
	tag  tag
	fill uint8  // side of the sequential loop's copy that called a factory
	site int32  // call site, for what is cloned per call; 0 for none
	own  uint32 // parameters and free variables that hold the iteration's own index
	dyn  int32  // one more than the number of the dynamic type of the parameter that is asked for it, 0 for any: see asksType
}

// siteKey names a call site; outer is the site of the caller where chains of
// helpers are told apart.
type siteKey struct {
	fn    FuncID
	at    int32
	outer int32
}

const siteDepth = 3 // helpers that call helpers: call sites kept

type siteInfo struct {
	key   siteKey
	depth int
}

func (s *solver) site(fn FuncID, at int32, outer int32) int32 {
	t := s.sites
	k := siteKey{fn, at, outer}
	if id, ok := t.ids[k]; ok {
		return id
	}
	if t.closed {
		return noSite // which has no copy of anything
	}
	depth := 1
	if outer != 0 {
		depth += t.infos[outer].depth
	}
	if at < 0 {
		depth-- // no call
	}
	id := int32(len(t.infos))
	t.ids[k] = id
	t.infos = append(t.infos, siteInfo{k, depth})
	return id
}

// noSite is a call site that the base has not told apart.
const noSite int32 = -1

// siteTable interns call sites; the base and its overlays share one, which does not
// change once it is closed.
type siteTable struct {
	ids    map[siteKey]int32
	infos  []siteInfo
	admits map[FuncID]map[int32]bool // by function: the sites that have a copy of it
	types  map[FuncID]map[int32]bool // by function: the types that have a copy of it
	closed bool                      // the base is solved: overlays tell apart what it does
	cut    bool                      // a site was refused because of the program's size
	few    bool                      // the program is an entry, which does not have all calls that a function has
}

func newSiteTable() *siteTable {
	return &siteTable{ids: make(map[siteKey]int32), infos: make([]siteInfo, 1), admits: make(map[FuncID]map[int32]bool),
		types: make(map[FuncID]map[int32]bool)}
}

// Bounds on the sites that have a copy of one function. Sites multiply along
// calls through interfaces and chains of helpers, which a count of the calls
// that name a function does not see, and with the tags and sides of each: on the
// tests of a site generator a method of three instructions had 925 instances,
// and the whole 266 thousand. What starts goroutines for its caller is worth
// more. The bounds halve with every so many instances (soundness:
// copies-bounded).
const (
	maxCopies       = 32
	maxHelperCopies = 256
	// Of what starts a goroutine of its own for each call, and is given no function for it. Each copy is a loop, and all of
	// them do the same: the tests of a message server had 256 of one, and 1,728 loops where there are 1,039 with 8. On a WebRTC
	// library loops took 84 s with 256, 62 with 8, 53 with 4 and 47 with 2, for 250, 212, 215 and 228 race sets: what
	// is told apart less here leaves room elsewhere.
	maxStarterCopies = 4
	copiesHalve      = 40_000 // twice what the largest program without tests has
)

// copiesOf returns how many sites have a copy of a function at most. A function literal has the maker whose copies it has
// copies for, or nil; helps is set of a helper.
func (p *Program) copiesOf(f, maker *Func, helps bool) int {
	switch {
	case helps || f.Decorates || f.Runner || maker != nil && maker.Runner:
		return maxHelperCopies
	case f.begins() && !p.takesFunc(f):
		return maxStarterCopies
	case f.Wrapper:
		return maxHelperCopies
	}
	return maxCopies
}

// admit reports whether a site has its own copy of a function, of so many at most, in a program
// that has so many instances already.
func (t *siteTable) admit(f *Func, limit int, site int32, instances int) bool {
	in := t.admits[f.ID]
	if in[site] {
		return true
	}
	if t.closed {
		return false
	}
	halved := limit >> (instances / copiesHalve)
	if len(in) >= halved {
		t.cut = t.cut || len(in) < limit
		return false
	}
	if in == nil {
		in = make(map[int32]bool)
		t.admits[f.ID] = in
	}
	in[site] = true
	return true
}

// cloned reports whether a function is analysed once per call site: what makes
// an object for its caller, what passes its argument through, what links its
// arguments to each other, or runs the functions that they keep, and what starts
// goroutines for its caller, or in a loop over what it is given. Everything else
// would cost more than it brings: factories outside the application only if they are
// small, or make a function of another. A wrapper that starts a goroutine is told apart by call where a
// loop calls it, and elsewhere if it is the application's, see begins. What is not cloned, but makes something, or is a method of what was made,
// has one copy for each side of a split loop whatever the site: on a site generator 62 and not 53
// thousand instances, for which 54 of 105 race sets are gone. What calls itself has none: it
// works through a tree, each round's part of which is not made by the round. A logger's methods
// are there for all threads, and lead to what each logger writes to. With these, mostly
// parsers', it was 70 thousand, and 1.7 million elements in sets instead of 1.1 for the same race sets.
// Where a helper is called from many places, those that give it no function share a copy
// (helper is then false): 22 of the 24 calls of a rule manager's Update in its tests do, and
// each had two loops of its own that reach half of the program.
func cloned(f *Func, helper bool) bool {
	return helper || f.Linker || f.Looper || f.forAll() || f.Factory && (f.App || f.Small || f.Decorates)
}

// helps reports whether a function is a helper, or hands a function that it is given on to one:
// a loop that runs another function for each call of either is told apart by these.
func (p *Program) helps(f *Func) bool {
	if f.Helper || f.Recurses || !p.takesFunc(f) {
		return f.Helper
	}
	if known, ok := p.helping.Load(f.ID); ok {
		return known.(bool)
	}
	helps := slices.ContainsFunc(f.Calls, func(c Call) bool {
		return c.Kind == CallStatic && c.Mode == ModePlain && slices.ContainsFunc(c.Args, func(a Arg) bool {
			return a.Root.Kind == RootParam && !a.Root.Row && HasFunc(p.types.typ(f.Vars[a.Root.K].Type))
		}) && p.helps(p.Func(c.Callee))
	})
	p.helping.Store(f.ID, helps)
	return helps
}

// chained reports whether copies of a function have copies of a callee of their own:
// chains of helpers, the iterators that they range over, what links by what it calls or lets others run a closure of
// its own, and what go/ssa puts in between.
func chained(f, callee *Func, helps bool) bool {
	return (helps || f.Helper && callee.Iterates || callee.Wrapper || (callee.Linker || callee.Runner) && f.Linker || f.Between) && !callee.Recurses
}

// calleeContext returns the context of a callee. side is the abstract
// iteration that a spawn starts, if the call is one; closure is the function
// object called, or nil.
func (s *solver) calleeContext(caller *instance, c *Call, callee *Func, side tag, closure *object) context {
	f, cc := caller.fn, caller.ctx
	out := context{tag: cc.tag}
	if callee.initialises() {
		return out // of all that import the package one does, and the others' calls do nothing
	}
	fill := c.Side
	if fill == 0 {
		fill = cc.fill
	}
	if c.Mode == ModeSpawn && cc.tag == tagMain {
		out.tag = side
	}
	helps := s.p.helps(callee)
	helper := helps && (!c.Bare || !callee.Crowded || s.sites.few)
	if cloned(callee, helper) || callee.Wrapper && (c.Side != 0 || cc.fill != 0 || callee.begins() && !s.madePerCall(closure)) || callee.Runner && f.Linker && cc.site != 0 {
		outer := int32(0)
		if chained(f, callee, helps) && cc.site != 0 && s.sites.infos[cc.site].depth < siteDepth {
			outer = cc.site
		}
		if helper || !callee.Crowded || s.sites.few {
			out.site = s.site(f.ID, int32(c.At), outer)
		}
		if callee.forAll() && f.forAll() {
			out.site = cc.site // the application's call
		}
		out.fill = fill
		if callee.Looper && !helper && !callee.Factory && !callee.Linker {
			out.fill = 0 // rounds of a sequential loop that calls it are not iterations of its own
		}
		if callee == f {
			out.fill, out.site = 0, 0 // recursion: a side would no longer mean one round
		}
	}
	if (callee.Factory || c.Own) && !callee.Recurses && c.Mode == ModePlain && out.site == 0 && out.fill == 0 {
		out.fill = fill
	}
	if c.Mode == ModeSpawn && out.site == 0 && out.fill == 0 && cc.fill != 0 && f.App && !callee.Recurses && closure == nil && f.waits() {
		// Who waits for it has a copy for each side, too. (A literal has its maker's.) Where nobody waits
		// there, to tell them apart says nothing of who meets whom.
		if site := s.site(f.ID, roundsSite(c.At, cc.fill), cc.site); site != noSite {
			out.site = site
		}
	}
	if c.Mode == ModeSpawn && out.site == 0 && out.fill == 0 && cc.site > 0 && f.App && !callee.Recurses && closure == nil {
		out.site = cc.site // `go p.work()` in what is told apart by call, as a literal has its maker's
	}
	if c.Mode != ModeSpawn && out.site == 0 && out.fill == 0 && cc.site > 0 && f.App && closure == nil && callee.tells() {
		out.site, out.fill = cc.site, cc.fill // `g.done()` in what is told apart by call: which group it tells
	}
	var made *Func
	if closure != nil && closure.inst >= 0 {
		maker := s.inst(closure.inst)
		a := &maker.fn.Allocs[closure.alloc]
		side := a.Side
		if side == 0 {
			side = maker.ctx.fill
		}
		if (maker.ctx.site != 0 || side != 0) && out.site == 0 {
			out.site, out.fill, made = maker.ctx.site, side, maker.fn
			if c.Mode == ModeSpawn && a.Side != 0 && maker.ctx.fill != 0 && !s.p.helps(maker.fn) {
				// Made in a round of a loop by what a round of another one has called, or started: that one's
				// rounds are told apart by the site, since there is but one side. (A helper's goroutines are
				// told apart by what its callers hand on.)
				site := s.site(maker.fn.ID, roundsSite(a.At, maker.ctx.fill), out.site)
				if site != noSite && s.sites.admit(callee, s.p.copiesOf(callee, made, helps), site, len(s.insts)) {
					out.site = site
				}
			}
		}
		if callee.Between && callee.Flow != nil && callee.Flow.Sync && out.site == maker.ctx.site {
			// The method value of what synchronises (`ready.Load`): go/ssa has one function for all.
			if site := s.site(maker.fn.ID, int32(a.At), out.site); site != noSite {
				out.site = site
			}
		}
	}
	if out.site != 0 && !s.sites.admit(callee, s.p.copiesOf(callee, made, helps), out.site, len(s.insts)) {
		out.site, out.fill = 0, 0
	}
	if out.tag != tagMain {
		out.own = s.ownBits(caller, c, callee, out.tag, closure)
	}
	// Of an exported function others may be callers, too: see gate.go.
	if dyn := s.typePassed(caller, c, callee); dyn != 0 && (out.tag != tagMain || !exported(callee.Name)) && s.sites.admitType(callee, dyn, len(s.insts)) {
		out.dyn = dyn
	}
	return out
}

// tells reports whether a function is small, and there to tell a group that it is given that something is over.
func (f *Func) tells() bool {
	return f.App && f.Small && !f.Recurses && f.Flow != nil && slices.ContainsFunc(f.Flow.Steps, func(st flow.Step) bool {
		if st.Op != library.OpWGDone || len(st.Args) == 0 {
			return false
		}
		_, given := f.Flow.Path(st.Args[0]).Param()
		return given
	})
}

// waits reports whether a function itself waits for a group, or receives.
func (f *Func) waits() bool {
	return f.Flow != nil && slices.ContainsFunc(f.Flow.Steps, func(st flow.Step) bool {
		return st.Kind == flow.Recv || st.Op == library.OpWGWait || st.Op == library.OpJoin
	})
}

// roundsSite is a place in a copy for one side of another function's loop, as a call site: one for each side.
func roundsSite(at ssair.Instr, fill uint8) int32 { return -int32(at)<<1 - int32(fill) }

// maxTypes bounds the dynamic types for which a function has a copy of its own; it halves as maxCopies
// does (soundness: copies-bounded).
const maxTypes = 8

// admitType reports whether there is a copy of a function for a dynamic type, in a program that
// has so many instances already.
func (t *siteTable) admitType(f *Func, dyn int32, instances int) bool {
	in := t.types[f.ID]
	if in[dyn] {
		return true
	}
	if t.closed {
		return false
	}
	if len(in) >= maxTypes>>(instances/copiesHalve) {
		t.cut = t.cut || len(in) < maxTypes
		return false
	}
	if in == nil {
		in = make(map[int32]bool)
		t.types[f.ID] = in
	}
	in[dyn] = true
	return true
}

// asksType returns the parameter of which a function of the application asks what dynamic type it
// has, or which it hands on to one that asks, or noParameter. The function is told apart by that type
// where its callers know it. What calls itself is not: mostly it walks a tree, with as many types as
// there are kinds of nodes.
func (p *Program) asksType(f *Func) int32 {
	if !f.App || f.Recurses {
		return noParameter
	}
	if known, ok := p.asking.Load(f.ID); ok {
		return known.(int32)
	}
	asked := p.findAsked(f)
	p.asking.Store(f.ID, asked)
	return asked
}

const noParameter int32 = -1

func (p *Program) findAsked(f *Func) int32 {
	for k := range f.Gates {
		if g := &f.Gates[k]; g.Load == ssair.NoInstr && g.asksType() {
			return g.Param
		}
	}
	for k := range f.Calls {
		c := &f.Calls[k]
		if c.Kind != CallStatic {
			continue
		}
		for _, g := range c.Given {
			if g.Param && p.isInterface(f.Vars[g.N].Type) {
				if callee := p.Func(c.Callee); p.asksType(callee) == callee.paramOf(c, g.Arg) {
					return g.N
				}
			}
		}
	}
	return noParameter
}

// paramOf returns the parameter that has an argument of a call.
func (f *Func) paramOf(c *Call, arg int32) int32 { return arg + int32(len(f.Params)-len(c.Args)) }

// typePassed returns one more than the number of the dynamic type that a call passes to a function
// that asks for it, or 0.
func (s *solver) typePassed(caller *instance, c *Call, callee *Func) int32 {
	for _, g := range c.Given {
		if g.Kind != ContentType && (!g.Param || caller.ctx.dyn == 0) || s.p.asksType(callee) != callee.paramOf(c, g.Arg) {
			continue
		}
		if !g.Param {
			return g.N + 1
		}
		if s.p.asksType(caller.fn) == g.N {
			return caller.ctx.dyn
		}
	}
	return 0
}

// shutByType reports whether what stands at a place of an instance never runs, since the instance is there
// for another type than a test before it asks for.
func (s *solver) shutByType(in *instance, at ssair.Instr) bool {
	if in.ctx.dyn == 0 || in.fn.GateOf == nil {
		return false
	}
	asked, passed := s.p.asksType(in.fn), Content{Kind: ContentType, N: in.ctx.dyn - 1}
	return in.fn.behind(at, func(k int32) bool {
		g := &in.fn.Gates[k]
		return g.Load == ssair.NoInstr && g.Param == asked && !s.p.allows(g.Comparison, &passed)
	})
}

// begins reports whether a function starts one goroutine for each call: two calls of it
// start two, which run beside each other. Those of a function that calls or starts itself
// would each have a part, and all calls below the first have one context.
func (f *Func) begins() bool {
	return f.App && f.Wrapper && !f.Recurses && !slices.ContainsFunc(f.Spawns, func(sp Spawn) bool { return sp.Self })
}

// initialises reports whether a function is the initialiser of a package.
func (f *Func) initialises() bool { return f.Name == f.Pkg+".init" }

// madePerCall reports whether a function object is one of several that calls of its
// maker, or rounds of a loop there, have made: by that it is told apart, and not by who
// calls it.
func (s *solver) madePerCall(closure *object) bool {
	if closure == nil || closure.inst < 0 {
		return false
	}
	maker := s.inst(closure.inst)
	return maker.ctx.site != 0 || maker.ctx.fill != 0 || maker.fn.Allocs[closure.alloc].Side != 0
}

// ownBits says which parameters and free variables of a callee hold the own
// index of the iteration that runs it.
func (s *solver) ownBits(caller *instance, c *Call, callee *Func, tag tag, closure *object) uint32 {
	bits := uint32(0)
	shift := len(callee.Params) - len(c.Args) // the receiver of an interface call
	for i, a := range c.Args {
		// The index of a loop is own only to the iteration that it starts; what
		// runs as M has no iteration.
		byLoop := a.Own && c.Mode == ModeSpawn && caller.ctx.tag == tagMain && (c.Side == tag || c.Spawn >= 0 && caller.fn.Spawns[c.Spawn].Self)
		if byLoop || caller.ctx.tag == tag && a.Mask&caller.ctx.own != 0 {
			bits |= ownBit(i + shift)
		}
	}
	if closure == nil || closure.inst < 0 {
		return bits
	}
	maker := s.inst(closure.inst)
	a := &maker.fn.Allocs[closure.alloc]
	spawner := s.ov != nil && s.ov.isSpawner(closure.inst)
	if a.Side == tag && (maker.ctx.tag == tagMain || spawner) {
		bits |= a.Own
	}
	if maker.ctx.tag == tag && !spawner {
		for i, by := range a.OwnBy {
			if by&maker.ctx.own != 0 {
				bits |= ownBit(len(callee.Params) + i)
			}
		}
	}
	return bits
}
