package pta

import (
	"go/constant"
	"go/token"
	"go/types"
	"math"
	"slices"

	"github.com/iterace/iterace/internal/ssair"
	"golang.org/x/tools/go/ssa"
)

// This file tells stores that never run, since what they stand behind never holds:
//
//	func newVars() *vars { return &vars{om: make(map[string]int)} }
//
//	func (v *vars) set(k string, x int) {
//		if v.om == nil {
//			v.om = make(map[string]int)
//		}
//
// The test looks at the very place that is written. Stores that stand behind no test may run,
// and those whose test may hold of what is put there by stores that may run, or of zero, if the
// object's maker does not store before anyone else has the object. No other one ever runs:
// the first that did would have found what nobody had stored.
//
// All stores have to be in view, so the object has to be one that a program has made which
// is there as a whole: one from main or a test. What reflection stores is known from the
// model only (soundness: reflection).

// A Content says what is known of the value that a store puts somewhere.
type Content struct {
	Kind ContentKind
	// First is set if the store comes right after the instruction Of has made the object,
	// which nobody else has yet.
	First bool
	Of    ssair.Instr
	N     int32 // of ContentInt the value, of ContentCall the result's number, of ContentType the type's
	Call  ssair.Instr
}

// ContentKind is the kind of a Content.
type ContentKind uint8

// Kinds of content.
const (
	ContentUnknown ContentKind = iota
	ContentZero
	ContentInt     // an integer other than zero
	ContentNotZero // something other than zero
	ContentCall    // result N of the call Call
	ContentType    // an interface value of the dynamic type that has the number N
	ContentVar     // what the load Call finds in a package variable
)

// A Guard is a test of what a place holds without which a store to it does not run: the
// comparison of what instruction Load has loaded holds.
type Guard struct {
	Store, Load ssair.Instr
	Same        bool // through the same pointer, and not through one that was loaded again
	Comparison
}

// A Comparison is one with the number N, or asks for the type that has this number.
type Comparison struct {
	Op uint8
	N  int64
}

// The operators of a Comparison.
const (
	guardEQL = iota
	guardNEQ
	guardLSS
	guardLEQ
	guardGTR
	guardGEQ
	guardIs // of the dynamic type N, or one that implements it
	guardIsNot
)

var guardOps = map[token.Token]uint8{
	token.EQL: guardEQL, token.NEQ: guardNEQ, token.LSS: guardLSS, token.LEQ: guardLEQ, token.GTR: guardGTR, token.GEQ: guardGEQ,
}

// mirroredOp is the comparison with its operands exchanged, oppositeOp that which holds where
// it does not.
var (
	mirroredOp = [...]uint8{guardEQL: guardEQL, guardNEQ: guardNEQ, guardLSS: guardGTR, guardLEQ: guardGEQ, guardGTR: guardLSS, guardGEQ: guardLEQ}
	oppositeOp = [...]uint8{guardEQL: guardNEQ, guardNEQ: guardEQL, guardLSS: guardGEQ, guardLEQ: guardGTR, guardGTR: guardLEQ, guardGEQ: guardLSS,
		guardIs: guardIsNot, guardIsNot: guardIs}
)

// compare reports whether the comparison of x with the number holds; what asks for a type is asked
// of nil, which has none.
func (g Comparison) compare(x int64) bool {
	switch g.Op {
	case guardEQL:
		return x == g.N
	case guardNEQ:
		return x != g.N
	case guardLSS:
		return x < g.N
	case guardLEQ:
		return x <= g.N
	case guardGTR:
		return x > g.N
	case guardIs:
		return false
	case guardIsNot:
		return true
	}
	return x >= g.N
}

// asksType reports whether a comparison asks for a type.
func (g Comparison) asksType() bool { return g.Op >= guardIs }

// allows reports whether a comparison may hold of a content.
func (p *Program) allows(g Comparison, c *Content) bool {
	switch c.Kind {
	case ContentZero:
		return g.compare(0)
	case ContentInt:
		return g.compare(int64(c.N))
	case ContentType:
		if g.asksType() {
			return p.isOf(TypeID(c.N), TypeID(g.N)) == (g.Op == guardIs)
		}
		return g.Op != guardEQL || g.N != 0
	case ContentNotZero:
		return g.Op != guardEQL || g.N != 0
	}
	return true
}

// contentOf returns what is known of a value.
func (l *lowerer) contentOf(v ssa.Value, depth int) Content {
	switch v := v.(type) {
	case *ssa.MakeInterface:
		return Content{Kind: ContentType, N: int32(l.p.types.id(v.X.Type()))}
	case *ssa.Slice:
		if _, ok := ssair.Under(v.X.Type()).(*types.Pointer); ok {
			return Content{Kind: ContentNotZero}
		}
	case *ssa.ChangeType:
		return l.contentOf(v.X, depth)
	case *ssa.ChangeInterface:
		return l.contentOf(v.X, depth)
	case *ssa.UnOp:
		if _, ok := v.X.(*ssa.Global); ok && v.Op == token.MUL && v.Parent() == l.fn {
			return Content{Kind: ContentVar, Call: l.ir.Num(v)}
		}
	case *ssa.Phi:
		return l.contentOfPhi(v, depth)
	case *ssa.Call:
		return l.contentOfCall(v, 0, depth)
	case *ssa.Extract:
		if c, ok := v.Tuple.(*ssa.Call); ok {
			return l.contentOfCall(c, v.Index, depth)
		}
	}
	return plainContent(v)
}

// plainContent returns what is known of a value by itself.
func plainContent(v ssa.Value) Content {
	switch v := v.(type) {
	case *ssa.Const:
		return contentOfConst(v)
	case *ssa.ChangeType:
		return plainContent(v.X)
	case *ssa.Alloc, *ssa.MakeMap, *ssa.MakeSlice, *ssa.MakeChan, *ssa.MakeClosure,
		*ssa.Function, *ssa.Global, *ssa.FieldAddr, *ssa.IndexAddr:
		return Content{Kind: ContentNotZero}
	}
	return Content{}
}

func contentOfConst(c *ssa.Const) Content {
	if c.Value == nil {
		return Content{Kind: ContentZero}
	}
	switch c.Value.Kind() {
	case constant.Bool:
		if !constant.BoolVal(c.Value) {
			return Content{Kind: ContentZero}
		}
		return Content{Kind: ContentNotZero}
	case constant.String:
		if constant.StringVal(c.Value) == "" {
			return Content{Kind: ContentZero}
		}
		return Content{Kind: ContentNotZero}
	}
	switch n, ok := intValue(c); {
	case ok && n == 0:
		return Content{Kind: ContentZero}
	case ok && math.MinInt32 <= n && n <= math.MaxInt32:
		return Content{Kind: ContentInt, N: int32(n)}
	case constant.Sign(c.Value) != 0:
		return Content{Kind: ContentNotZero}
	}
	return Content{}
}

// contentOfPhi is what all of several values are.
func (l *lowerer) contentOfPhi(phi *ssa.Phi, depth int) (out Content) {
	if depth == 0 {
		return Content{}
	}
	for i, e := range phi.Edges {
		c := l.contentOf(e, depth-1)
		switch {
		case i == 0:
			out = c
		case c == out:
		case c.isSet() && out.isSet():
			out = Content{Kind: ContentNotZero}
		default:
			return Content{}
		}
	}
	return out
}

// isSet reports whether a content is known to be something other than zero.
func (c *Content) isSet() bool {
	return c.Kind == ContentInt || c.Kind == ContentNotZero || c.Kind == ContentType
}

// contentOfCall is what is known of a call's result. What functions of other packages return
// is known once the call is resolved.
func (l *lowerer) contentOfCall(c *ssa.Call, k, depth int) Content {
	fn := c.Call.StaticCallee()
	if c.Parent() != l.fn {
		if fn == nil || depth == 0 || fn.Blocks == nil || pkgPath(fn) != pkgPath(l.fn) || !l.neverZero(fn, k, depth-1) {
			return Content{}
		}
		return Content{Kind: ContentNotZero}
	}
	if _, ok := c.Call.Value.(*ssa.Builtin); ok {
		return Content{}
	}
	return Content{Kind: ContentCall, N: int32(k), Call: l.ir.Num(c)}
}

// neverZero reports whether a function returns something other than zero as result k.
func (l *lowerer) neverZero(fn *ssa.Function, k, depth int) bool {
	some := false
	for _, b := range fn.Blocks {
		ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		if !ok {
			continue
		}
		if c := l.contentOf(ret.Results[k], depth); fn.Recover != nil || !c.isSet() {
			return false
		}
		some = true
	}
	return some
}

// knownDepth bounds the calls and choices followed to what a value is.
const knownDepth = 4

// setResults notes which results are something other than zero.
func (l *lowerer) setResults() {
	res := l.fn.Signature.Results()
	for k := range res.Len() {
		if l.p.types.layoutOf(res.At(k).Type()).Len() == 1 && l.neverZeroHere(k) {
			l.f.RSet |= 1 << min(k, 63)
		}
	}
}

// neverZeroHere is neverZero for the function being lowered, a call of which is looked at
// as one of another function is.
func (l *lowerer) neverZeroHere(k int) bool {
	if k > 62 || l.fn.Recover != nil {
		return false
	}
	some := false
	for _, b := range l.fn.Blocks {
		ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		if !ok {
			continue
		}
		c := l.contentOf(ret.Results[k], knownDepth)
		if c.Kind == ContentCall {
			fn := l.ir.At(c.Call).(*ssa.Call).Call.StaticCallee()
			if fn == nil || fn.Blocks == nil || fn == l.fn || pkgPath(fn) != pkgPath(l.fn) || !l.neverZero(fn, int(c.N), knownDepth) {
				return false
			}
		} else if !c.isSet() {
			return false
		}
		some = true
	}
	return some
}

// putBy returns what is known of what a store puts into its place.
func (l *lowerer) putBy(st *ssa.Store) Content {
	if l.p.types.layoutOf(st.Val.Type()).Len() != 1 {
		if c, ok := st.Val.(*ssa.Const); ok && c.Value == nil {
			return Content{Kind: ContentZero}
		}
		return Content{}
	}
	c := l.contentOf(st.Val, knownDepth)
	base := st.Addr
	for {
		fa, ok := base.(*ssa.FieldAddr)
		if !ok {
			break
		}
		base = fa.X
	}
	if a, ok := base.(*ssa.Alloc); ok && a.Block() == st.Block() && l.beforeEscape(st.Addr, st) == newHere {
		c.First, c.Of = true, l.ir.Num(a)
	}
	return c
}

// findGuards notes the tests that stores stand behind.
func (l *lowerer) findGuards() {
	for _, b := range l.fn.Blocks {
		for _, in := range b.Instrs {
			if st, ok := in.(*ssa.Store); ok && !ssair.Private(st.Addr) && l.p.types.layoutOf(st.Val.Type()).Len() == 1 {
				l.guardsOf(st)
			}
		}
	}
}

// maxGuardDepth bounds the blocks above a store in which its tests are looked for.
const maxGuardDepth = 8

func (l *lowerer) guardsOf(st *ssa.Store) {
	d := st.Block().Idom()
	for range maxGuardDepth {
		if d == nil {
			return
		}
		if branch, ok := d.Instrs[len(d.Instrs)-1].(*ssa.If); ok {
			for k, s := range d.Succs {
				if len(s.Preds) == 1 && s.Dominates(st.Block()) {
					if g, ok := guardIn(branch.Cond, k == 0, st.Addr); ok {
						g.Store, g.Load = l.ir.Num(st), l.ir.Num(g.load)
						l.f.Guards = append(l.f.Guards, g.Guard)
					}
				}
			}
		}
		d = d.Idom()
	}
}

// A foundGuard is a Guard with the load that it is about.
type foundGuard struct {
	Guard
	load *ssa.UnOp
}

// guardIn returns the guard that a condition is for what an address holds, where it turns out to be holds.
func guardIn(cond ssa.Value, holds bool, addr ssa.Value) (g foundGuard, ok bool) {
	x, cmp, ok := comparisonIn(cond, holds)
	if !ok {
		return g, false
	}
	ld, ok := x.(*ssa.UnOp)
	if !ok || ld.Op != token.MUL || !sameAddr(ld.X, addr) {
		return g, false
	}
	return foundGuard{Guard{Same: samePointer(ld.X, addr), Comparison: cmp}, ld}, true
}

// comparisonIn returns the value that a condition is about, and how it compares where the
// condition turns out to be holds.
func comparisonIn(cond ssa.Value, holds bool) (x ssa.Value, c Comparison, ok bool) {
	x, op, n := cond, uint8(guardNEQ), int64(0)
	for {
		not, ok := x.(*ssa.UnOp)
		if !ok || not.Op != token.NOT {
			break
		}
		x, holds = not.X, !holds
	}
	if cmp, ok := x.(*ssa.BinOp); ok {
		var y ssa.Value
		if op, ok = guardOps[cmp.Op]; !ok {
			return nil, c, false
		}
		x, y = cmp.X, cmp.Y
		if _, ok := y.(*ssa.Const); !ok {
			x, y, op = y, x, mirroredOp[op]
		}
		if n, ok = compared(y); !ok {
			return nil, c, false
		}
	}
	if !holds {
		op = oppositeOp[op]
	}
	if c, ok := x.(*ssa.Call); ok && ssair.IsBuiltin(c, "len") && isString(c.Call.Args[0].Type()) {
		x = c.Call.Args[0] // it has no length if and only if it is zero
	}
	for {
		conv, ok := x.(*ssa.ChangeType)
		if !ok {
			break
		}
		x = conv.X
	}
	return x, Comparison{op, n}, true
}

// compared returns the number that stands for a constant with which something is compared:
// an integer, or zero for the zero value of another type.
func compared(v ssa.Value) (int64, bool) {
	c, ok := v.(*ssa.Const)
	if !ok {
		return 0, false
	}
	if n, ok := intValue(c); ok && c.Value.Kind() == constant.Int {
		return n, true
	}
	return 0, contentOfConst(c).Kind == ContentZero
}

// samePointer reports whether two addresses are that of the same field of what one value points to.
func samePointer(a, b ssa.Value) bool {
	x, ok := a.(*ssa.FieldAddr)
	if !ok {
		return a == b
	}
	y, ok := b.(*ssa.FieldAddr)
	return ok && x.Field == y.Field && samePointer(x.X, y.X)
}

// maxPuts bounds the stores to one place that are looked at, maxTested the places that one
// test may be about.
const (
	maxPuts   = 200
	maxTested = 16
)

// neverRuns reports whether an access is a store to a location that never runs.
func (v *View) neverRuns(a accRef, loc int32) bool {
	if v.access(a).Flags&FlagGuarded == 0 || !v.res.Complete() {
		return false
	}
	r := v.storesRunning()
	store := use{v.canonical(loc), a}
	runs, known := r.runs[store]
	if !known {
		r.of(store.loc)
		runs = r.settled(func() bool { return r.mayRun(a, store.loc) })
		r.runs[store] = runs
	}
	return !runs
}

// storesRunning returns what is known of the stores that may run.
func (v *View) storesRunning() *running {
	if v.running == nil {
		v.running = &running{v: v, at: make(map[int32]*contents), runs: make(map[use]bool)}
	}
	return v.running
}

// settled returns what a question of the contents of places has for an answer once all that
// it is about have been looked at.
func (r *running) settled(ask func() bool) bool {
	for {
		r.settle()
		if yes := ask(); !r.more {
			return yes
		}
	}
}

// running finds what the stores put into some places that may run, beginning with those
// that stand behind no test, and going on with those of which the test may hold then.
type running struct {
	v    *View
	at   map[int32]*contents
	locs []int32      // the keys of at
	more bool         // at has places that have not been looked at
	runs map[use]bool // what neverRuns has found
}

// contents is what is known of one place.
type contents struct {
	any     bool // anything may be there
	shared  bool // it is there for all programs
	shown   bool // reflection may store there
	zero    bool // others than the object's maker may find it as it was at first
	puts    []Content
	waiting []put // stores that do not run, as far as is known
}

// A put is a store with what it puts into its place.
type put struct {
	by   accRef
	puts Content
}

// of returns the contents of a place.
func (r *running) of(loc int32) *contents {
	if c := r.at[loc]; c != nil {
		return c
	}
	c := &contents{zero: true}
	r.at[loc], r.locs, r.more = c, append(r.locs, loc), true
	v := r.v
	if loc >= v.ov.first {
		c.any = true
		return c
	}
	s := v.ov.base
	oid := s.ownerOf(loc)
	o := s.object(oid)
	c.shared, c.shown = v.res.forAll(oid), v.res.shown(oid)
	if c.any = !c.shared && (!s.madeHere(o) || !v.res.closed(oid)); c.any {
		return c
	}
	n := 0
	v.eachPut(loc, func(ref accRef, p Content) bool {
		if o.kind == objGlobal && !v.ov.done(loc, ref.inst) {
			return true
		}
		if p.First && s.madeBy(o, ref, &p) {
			c.zero = false
		}
		if s.inst(ref.inst).fn.Accesses[ref.idx].Flags&FlagGuarded != 0 {
			c.waiting = append(c.waiting, put{ref, p})
		} else {
			c.puts = append(c.puts, p)
		}
		n++
		c.any = n > maxPuts
		return !c.any
	})
	return c
}

// settle looks at the stores that wait until no other one may run.
func (r *running) settle() {
	for r.more {
		r.more = false
		changed := false
		for k := 0; k < len(r.locs); k++ {
			loc := r.locs[k]
			c := r.at[loc]
			c.waiting = slices.DeleteFunc(c.waiting, func(p put) bool {
				may := r.mayRun(p.by, loc)
				if may {
					c.puts, changed = append(c.puts, p.puts), true
				}
				return may
			})
		}
		r.more = r.more || changed
	}
}

// mayRun reports whether all tests that a store to a location stands behind may hold.
func (r *running) mayRun(a accRef, loc int32) bool {
	x, fn := r.v.access(a), r.v.ov.inst(a.inst).fn
	for k := range fn.Guards {
		if g := &fn.Guards[k]; g.Store == x.At && !r.mayHold(a.inst, g, loc) {
			return false
		}
	}
	return true
}

// mayHold reports whether a guard of a store to a location may hold.
func (r *running) mayHold(id InstID, g *Guard, loc int32) bool {
	if g.Same {
		c := r.of(loc)
		return c.shared || r.v.allow(c, g.Comparison)
	}
	return r.mayLoad(r.v.ov.inst(id), g.Load, g.Comparison, func(c *contents) bool { return !c.shared })
}

// mayLoad reports whether a comparison may hold of what an instruction of an instance loads, if what
// is stored there is known.
func (r *running) mayLoad(in *instance, load ssair.Instr, cmp Comparison, known func(*contents) bool) bool {
	n, may := 0, false
	for k := range in.fn.Accesses {
		if x := &in.fn.Accesses[k]; x.At == load && x.Flags&FlagWrite == 0 {
			r.v.ov.locations(in, x, func(l int32) {
				if n++; may || n > maxTested {
					may = true
					return
				}
				c := r.of(r.v.canonical(l))
				may = !known(c) || r.v.allow(c, cmp)
			})
		}
	}
	return may || n == 0
}

// allow reports whether a comparison may hold of a place.
func (v *View) allow(c *contents, g Comparison) bool {
	return c.any || c.zero && g.compare(0) || slices.ContainsFunc(c.puts, func(p Content) bool { return v.res.Prog.allows(g, &p) })
}

// findsSet reports whether a content is what an instance loads from a package variable that its package sets
// to something other than zero before this, and nobody to zero.
func (v *View) findsSet(id InstID, c *Content) bool {
	s := v.ov.base
	in := s.inst(id)
	n, set := 0, true
	for k := range in.fn.Accesses {
		x := &in.fn.Accesses[k]
		if x.At != c.Call || x.Flags&FlagWrite != 0 {
			continue
		}
		s.locations(in, x, func(l int32) {
			oid := s.ownerOf(l)
			o := s.object(oid)
			n++
			set = set && o.kind == objGlobal && !v.res.shown(oid) &&
				(in.fn.Pkg != s.packageOf(o) || !v.res.roots[id].Intersects(&v.res.inits)) && v.setByInit(l)
		})
	}
	return set && n == 1
}

// setByInit reports whether its package's initialiser sets a package variable, and all stores put something other than
// zero there.
func (v *View) setByInit(loc int32) bool {
	n, byInit, set := 0, false, true
	v.eachStore(loc, func(ref accRef, p Content) bool {
		byInit = byInit || v.ov.base.inst(ref.inst).fn.initialises()
		n++
		set = p.isSet() && n <= maxPuts
		return set
	})
	return set && byInit
}

// returnsSet reports whether what a call runs returns something other than zero as the result that
// a content is.
func (s *solver) returnsSet(in *instance, c *Content) bool {
	some := false
	for k := range in.fn.Calls {
		if in.fn.Calls[k].At != c.Call {
			continue
		}
		for _, e := range in.callees[k] {
			if s.inst(e.callee).fn.RSet>>min(c.N, 63)&1 == 0 {
				return false
			}
			some = true
		}
	}
	return some
}

// madeHere reports whether an object is what code in view makes, all zero.
func (s *solver) madeHere(o *object) bool {
	if o.kind != objAlloc {
		return false
	}
	a := &s.inst(o.inst).fn.Allocs[o.alloc]
	return a.Kind == AllocValue && a.Word != "result" && a.Word != "interface"
}

// closed reports whether all code that an object may come to is there: it is made by main or a
// test, or by an entry point that keeps it to itself.
func (r *Result) closed(oid int32) bool {
	p := r.presence()
	roots, ok := p.rootsOf(oid)
	if !ok {
		return false
	}
	for n := range roots.All() {
		fn := p.s.inst(r.rootInsts[n]).fn
		if !fn.Test && (len(fn.Params) > 0 || fn.RLen > 0 || !fn.isMain() && !p.left[oid].Empty()) {
			return false
		}
	}
	return true
}
