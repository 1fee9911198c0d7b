package pta

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/iterace/iterace/internal/bitset"
	"github.com/iterace/iterace/internal/ssair"
	"github.com/iterace/iterace/model"
	"github.com/iterace/iterace/model/library"
	"golang.org/x/tools/go/ssa"
)

// This file tells branches that are never taken, by what they test:
//
//	func (c *conn) validate() {
//		if c.version == v3 {
//			c.flags |= reportable
//		}
//
// in a program that only ever stores other versions, or
//
//	func tokenize(w string, normalize bool, d *dict) int {
//		if !normalize {
//			d.add(w)
//		}
//
// where those that call it in the iterations of a loop pass true, or
//
//	func (s *state) apply(e any) {
//		switch e := e.(type) {
//		case *renamed:
//			s.name = e.name
//
// where they pass pointers to other types. What stands in such a branch does not run, and
// neither does what only such branches call or start.
//
// A parameter is what its callers pass. Of an exported function of a library others than
// those in view may call it: it counts only where it runs in an iteration, whose calls are
// all there, or in a main program. What a field or a variable may hold is what has been
// stored there (see contents) in all of a program, which has to be a main program, or what a
// function makes that gets nothing from its callers: a test does not show what others set fields to,
// and neither does a main program for the library that it comes with. A variable that its package
// does not export is set by that package's code alone, whatever the program (hidden.go):
//
//	var testHookSaved func() // set by one test
//
//	func (s *store) save() {
//		if testHookSaved != nil {
//			testHookSaved()
//			testHookSaved = nil
//		}
//
// What reflection sets is not in view (Func.Shown); all else is (soundness: reflection).

// A Gate is a test that blocks lie behind: they are not come to unless the comparison holds
// of what instruction Load has loaded, or of a parameter.
type Gate struct {
	Up    int32       // one more than the gate around it, 0 for none
	Or    int32       // how many of those that follow lead to the same blocks
	Load  ssair.Instr // ssair.NoInstr if it is of parameter Param
	Param int32
	Kept  bool // Load is of a package variable of which it never holds but by what test files store there
	Comparison
}

// A Given says what is known of an argument of a call: a constant, its dynamic type, or that it is
// the caller's own parameter N, if that is set.
type Given struct {
	Arg   int32
	Param bool
	Kind  ContentKind
	N     int32
}

// findGates notes the tests that blocks lie behind.
func (l *lowerer) findGates() {
	of := make([]int32, len(l.fn.Blocks))
	for _, b := range l.fn.DomPreorder() {
		up := int32(0)
		if d := b.Idom(); d != nil {
			up = of[d.Index]
		}
		of[b.Index] = up
		if gates := l.gatesAt(b); len(gates) > 0 {
			for i := range gates {
				gates[i].Up = up
				gates[i].Or = int32(len(gates) - 1 - i)
			}
			of[b.Index] = int32(len(l.f.Gates) + 1)
			l.f.Gates = append(l.f.Gates, gates...)
		}
	}
	if len(l.f.Gates) > 0 {
		l.f.GateOf = of
	}
}

// gatesAt returns a test for each way into a block, or nil.
func (l *lowerer) gatesAt(b *ssa.BasicBlock) (out []Gate) {
	for _, from := range b.Preds {
		branch, ok := from.Instrs[len(from.Instrs)-1].(*ssa.If)
		if !ok || from.Succs[0] == from.Succs[1] || len(out) == maxWaysIn {
			return nil
		}
		g, ok := l.gateIn(branch.Cond, b == from.Succs[0])
		if !ok {
			return nil
		}
		out = append(out, g)
	}
	return out
}

// maxWaysIn bounds the tests any of which leads to one block.
const maxWaysIn = 4

// neverParam is the Param of a gate that is never passed, whatever the values.
const neverParam = -1

func (l *lowerer) gateIn(cond ssa.Value, holds bool) (g Gate, ok bool) {
	x, cmp, ok := l.typeComparison(cond, holds)
	if !ok {
		x, cmp, ok = comparisonIn(cond, holds)
	}
	if !ok {
		return g, false
	}
	if m, made := x.(*ssa.MakeInterface); made { // of an instance of a generic function
		may := l.p.allows(cmp, &Content{Kind: ContentType, N: int32(l.p.types.id(m.X.Type()))})
		return Gate{Load: ssair.NoInstr, Param: neverParam}, !may
	}
	if k := slices.IndexFunc(l.fn.Params, func(p *ssa.Parameter) bool { return p == x }); k >= 0 {
		return Gate{Load: ssair.NoInstr, Param: int32(k), Comparison: cmp}, true
	}
	if ld, ok := x.(*ssa.UnOp); ok && ld.Op == token.MUL && !ssair.Private(ld.X) {
		return Gate{Load: l.ir.Num(ld), Kept: l.keeps(ld.X, cmp), Comparison: cmp}, true
	}
	return g, false
}

// typeComparison returns the interface value whose dynamic type a condition asks for, and what is
// asked where the condition turns out to be holds.
func (l *lowerer) typeComparison(cond ssa.Value, holds bool) (x ssa.Value, c Comparison, ok bool) {
	x, t, is, ok := typeTested(cond)
	if !ok || t == nil {
		return nil, c, false
	}
	c = Comparison{guardIs, int64(l.p.types.id(t))}
	if is != holds {
		c.Op = guardIsNot
	}
	return x, c, true
}

// given returns what is known of some arguments.
func (l *lowerer) given(args []ssa.Value) (out []Given) {
	for i, v := range args {
		switch x := sameDynamic(v).(type) {
		case *ssa.MakeInterface:
			out = append(out, Given{Arg: int32(i), Kind: ContentType, N: int32(l.p.types.id(x.X.Type()))})
		case *ssa.Const:
			if c := contentOfConst(x); c.Kind != ContentUnknown {
				out = append(out, Given{Arg: int32(i), Kind: c.Kind, N: c.N})
			}
		case *ssa.Function, *ssa.MakeClosure:
			out = append(out, Given{Arg: int32(i), Kind: ContentNotZero})
		case *ssa.Parameter:
			if k := slices.Index(l.fn.Params, x); k >= 0 && mayBeConst(x.Type()) {
				out = append(out, Given{Arg: int32(i), Param: true, N: int32(k)})
			}
		}
	}
	return out
}

// mayBeConst reports whether parameters of a type are likely to get constants, or values of known type.
func mayBeConst(t types.Type) bool {
	switch t := ssair.Under(t).(type) {
	case *types.Basic:
		return t.Info()&(types.IsBoolean|types.IsInteger) != 0
	case *types.Signature, *types.Interface:
		return true
	}
	return false
}

// shows reports whether a modelled function may set parts of what it is given that its entry
// does not tell.
func shows(e *library.Func) bool {
	return e.Partly || e.Name == "reflect.ValueOf" || e.Name == "reflect.NewAt" || e.Op == library.OpNone && !e.ThreadSafe && !e.SafeOnClosure &&
		len(e.Reads)+len(e.Writes)+len(e.DeepReads)+len(e.DeepWrites)+len(e.Calls)+len(e.CallsMethods) == 0
}

// writesBehind reports whether a modelled function writes to what interface values lead to that an
// argument is, or has for elements.
func writesBehind(e *library.Func, args []ssa.Value, k int) bool {
	t := args[k].Type()
	if s, ok := ssair.Under(t).(*types.Slice); ok {
		t = s.Elem()
	}
	return types.IsInterface(t) && (slices.Contains(e.Writes, k) || k == len(args)-1 && slices.Contains(e.Writes, -1))
}

// shown notes the arguments of a modelled function that shows them.
func (l *lowerer) shown(e *library.Func, args []ssa.Value) {
	all := shows(e)
	for k, a := range args {
		if l.val(a) != None && (all || writesBehind(e, args, k)) {
			l.f.Shown = append(l.f.Shown, l.val(a))
		}
	}
}

// shown reports whether code that is not in view, or reflection, may set parts of an object of the
// base.
func (r *Result) shown(oid int32) bool {
	r.onces.shown.Do(func() {
		s := r.base.s
		r.shownTo = new(bitset.Set)
		var work []int32
		push := func(l int32) {
			if oid := s.ownerOf(l); oid >= 0 && r.shownTo.Add(oid) {
				work = append(work, oid)
			}
		}
		for _, in := range s.insts {
			for _, n := range in.fn.Shown {
				s.behindBoxes(s.pts(in.node(n)), push)
			}
		}
		for len(work) > 0 {
			o := s.object(work[len(work)-1])
			work = work[:len(work)-1]
			for l := o.loc; l < o.loc+o.layout.Len(); l++ {
				s.behindBoxes(s.contents(l), push)
			}
		}
	})
	return r.shownTo.Has(oid)
}

// forAll reports whether an object of the base is there for all programs, and all its parts
// that initialisers set are known: a variable of the application, or what its initialisers make.
func (r *Result) forAll(oid int32) bool {
	s := r.base.s
	o := s.object(oid)
	switch o.kind {
	case objGlobal:
		return s.p.Application(s.packageOf(o))
	case objAlloc:
		fn := s.inst(o.inst).fn
		return s.madeHere(o) && r.roots[o.inst].Intersects(&r.inits) && (fn.App || !fn.initialises())
	}
	return false
}

// gates is what is known of the gates of a view.
type gates struct {
	never  map[accRef]bool  // see neverComes
	closed map[gateKey]bool // never passed
	idle   map[InstID]bool  // never run
	partly map[InstID]bool  // see partlyIdles
	params map[gateKey]*contents
	whole  answer   // whether all that runs beside the loop is whole programs, see inProgram
	main   answer   // and main programs
	pkgs   []string // theirs
}

// A gateKey names a gate, or a parameter, of an instance.
type gateKey struct {
	inst InstID
	k    int32
}

// looksAtGates reports whether it is known what tests may hold: all code that may change what
// they are about is there.
func (v *View) looksAtGates() bool {
	if !v.res.Complete() {
		return false
	}
	if v.gates == nil {
		v.gates = &gates{never: make(map[accRef]bool), closed: make(map[gateKey]bool), idle: make(map[InstID]bool), partly: make(map[InstID]bool), params: make(map[gateKey]*contents)}
	}
	return true
}

// neverComes reports whether an access never happens: it lies behind a test that never holds, or
// only such calls, or go statements, lead to its instance. It is asked of both accesses of each pair, and
// in a function of hundreds of cases as many gates lie one behind another: on an interpreter 77 of
// 166 s of samples before the answers were kept.
func (v *View) neverComes(a accRef) bool {
	if !v.looksAtGates() {
		return false
	}
	never, ok := v.gates.never[a]
	if !ok {
		never = v.shut(Site{a.inst, v.access(a).At}) || v.idles(a.inst)
		v.gates.never[a] = never
	}
	return never
}

// neverTouches reports whether an access that may happen never touches a location: only calls that
// never run pass the object on to it. It is dearer to find out than most of what is asked of a pair.
func (v *View) neverTouches(a accRef, loc int32) bool {
	x := v.access(a)
	return v.looksAtGates() && x.Flags&FlagDeep == 0 && v.partlyIdles(a.inst, maxPassedBy) && v.neverPassed(point{a.inst, x.Node}, v.baseOf(loc), maxHolders)
}

// maxPassedBy bounds the calls above an access among which shut ones are looked for.
const maxPassedBy = 4

// partlyIdles reports whether a call that is shut, or an idle instance, leads to an instance.
func (v *View) partlyIdles(id InstID, depth int) bool {
	partly, ok := v.gates.partly[id]
	if !ok {
		v.gates.partly[id] = false
		for _, c := range v.Callers(id) {
			if v.shut(c) || depth > 1 && v.partlyIdles(c.Inst, depth-1) {
				partly = true
				break
			}
		}
		v.gates.partly[id] = partly
	}
	return partly
}

// maxHolders bounds the objects that are followed up from what an access touches, each of which
// has the pointer to the one before.
const maxHolders = 3

// neverPassed reports whether each way in which an object comes to a value has a call that
// never runs, or leads by an object that comes there only by such.
func (v *View) neverPassed(p point, obj int32, depth int) bool {
	if obj < 0 {
		return false
	}
	ways, ok := v.ways(p, obj)
	if !ok || len(ways) == 0 {
		return false
	}
	for i := range ways {
		w := &ways[i]
		if slices.ContainsFunc(w.Calls, v.shut) || len(w.Calls) > 0 && v.idles(w.Calls[0].Inst) {
			continue
		}
		if depth == 0 || len(w.cells) == 0 || slices.ContainsFunc(w.cells, func(c int32) bool { return !v.neverPassed(w.load, v.baseOf(c), depth-1) }) {
			return false
		}
	}
	return true
}

// shut reports whether a site lies behind a test that never holds.
func (v *View) shut(s Site) bool {
	return v.ov.inst(s.Inst).fn.behind(s.At, func(k int32) bool { return v.closes(gateKey{s.Inst, k}) })
}

// behind reports whether a place lies behind gates that are all closed.
func (fn *Func) behind(at ssair.Instr, closed func(k int32) bool) bool {
	if fn.GateOf == nil {
		return false
	}
	b := fn.Flow.Block(at)
	if int(b) >= len(fn.GateOf) {
		return false
	}
	for k := fn.GateOf[b]; k > 0; k = fn.Gates[k-1].Up {
		last := k + fn.Gates[k-1].Or
		for k <= last && closed(k-1) {
			k++
		}
		if k > last {
			return true
		}
	}
	return false
}

// idles reports whether no way from an entry point leads to an instance but by sites that
// are shut.
func (v *View) idles(id InstID) bool {
	if idle, ok := v.gates.idle[id]; ok {
		return idle
	}
	from := map[InstID]InstID{id: id}
	work := []InstID{id}
	for len(work) > 0 {
		x := work[len(work)-1]
		work = work[:len(work)-1]
		idle, known := v.gates.idle[x]
		callers := v.Callers(x)
		if known && !idle || !known && (len(callers) == 0 || v.ov.inst(x).root) {
			for v.gates.idle[x] = false; x != id; v.gates.idle[x] = false {
				x = from[x]
			}
			return false
		}
		if known {
			continue
		}
		for _, c := range callers {
			if _, ok := from[c.Inst]; !ok && !v.shut(c) {
				from[c.Inst] = x
				work = append(work, c.Inst)
			}
		}
	}
	for x := range from {
		v.gates.idle[x] = true
	}
	return true
}

// closes reports whether a gate is never passed.
func (v *View) closes(k gateKey) bool {
	closed, ok := v.gates.closed[k]
	if !ok {
		v.gates.closed[k] = false // asked for again on the way, it may be passed
		closed = !v.opens(k)
		v.gates.closed[k] = closed
	}
	return closed
}

func (v *View) opens(k gateKey) bool {
	in := v.ov.inst(k.inst)
	g := &in.fn.Gates[k.k]
	if g.Load == ssair.NoInstr {
		return g.Param != neverParam && v.allow(v.passed(gateKey{k.inst, g.Param}), g.Comparison)
	}
	program := v.inProgram(in.fn)
	if !program && !g.Kept {
		return true
	}
	r := v.storesRunning()
	known := func(c *contents) bool {
		return g.Kept || program && !c.shown && (!c.shared || v.gates.main == yes)
	}
	return r.settled(func() bool { return r.mayLoad(in, g.Load, g.Comparison, known) })
}

// inProgram reports whether what a function tests is set by the code in view only: all that
// runs beside the view's loop are entry points that get nothing from others and give them
// nothing, tests apart, and the function, or the loop, is of the package of such a one, of a library of
// others', or internal.
func (v *View) inProgram(fn *Func) bool {
	g := v.gates
	if g.whole == unasked {
		g.whole, g.main = yes, yes
		for n := range v.scope().roots.All() {
			root := v.ov.base.inst(v.res.rootInsts[n]).fn
			if root.Test || len(root.Params) > 0 || root.RLen > 0 {
				g.whole = no
			}
			if !root.isMain() {
				g.main = no
			}
			g.pkgs = append(g.pkgs, root.Pkg)
		}
	}
	return g.whole == yes && (!fn.App || strings.Contains(fn.Pkg+"/", "/internal/") ||
		slices.Contains(g.pkgs, fn.Pkg) || slices.Contains(g.pkgs, v.res.base.loops[v.loop].fn.Pkg))
}

// passed returns what is known of a parameter of an instance: what its callers pass.
func (v *View) passed(p gateKey) *contents {
	if c := v.gates.params[p]; c != nil {
		return c
	}
	c := &contents{any: true}
	v.gates.params[p] = c // for callers that pass it on in turn
	in := v.ov.inst(p.inst)
	if dyn := in.ctx.dyn; dyn != 0 && v.res.Prog.asksType(in.fn) == p.k {
		c = &contents{puts: []Content{{Kind: ContentType, N: dyn - 1}}}
		v.gates.params[p] = c
		return c
	}
	callers := v.Callers(p.inst)
	if len(callers) == 0 || in.root || v.maybeCalled(p.inst) {
		return c
	}
	var puts []Content
	for _, s := range callers {
		if v.shut(s) {
			continue
		}
		caller := v.ov.inst(s.Inst)
		for i := range caller.fn.Calls {
			call := &caller.fn.Calls[i]
			if call.At != s.At {
				continue
			}
			arg := p.k - int32(len(in.fn.Params)-len(call.Args))
			g := slices.IndexFunc(call.Given, func(g Given) bool { return g.Arg == arg })
			switch {
			case g < 0 || len(puts) > maxPuts:
				return c
			case !call.Given[g].Param:
				puts = append(puts, Content{Kind: call.Given[g].Kind, N: call.Given[g].N})
			case s.Inst == p.inst && call.Given[g].N == p.k: // handed on as it is
			default:
				up := v.passed(gateKey{s.Inst, call.Given[g].N})
				if up.any {
					return c
				}
				puts = append(puts, up.puts...)
			}
		}
	}
	c = &contents{puts: puts}
	v.gates.params[p] = c
	return c
}

// maybeCalled reports whether code that is not in view may call an instance: its function is
// exported by a library, and it runs beside a loop's iterations.
func (v *View) maybeCalled(id InstID) bool {
	in := v.ov.inst(id)
	return v.Thread(id) == model.Main && exported(in.fn.Name) && (!v.inProgram(in.fn) || v.gates.main == no)
}

// exported reports whether a function has an exported name.
func exported(name string) bool {
	if strings.Contains(name, "$") {
		return false
	}
	return token.IsExported(name[strings.LastIndexByte(name, '.')+1:])
}
