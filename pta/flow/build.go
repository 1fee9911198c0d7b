package flow

import (
	"cmp"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"sort"
	"strings"

	"github.com/iterace/iterace/internal/ssair"
	"golang.org/x/tools/go/ssa"

	"github.com/iterace/iterace/model/library"
)

// A Library tells what is known of the function that is called, or nil. It is
// asked often for each call.
type Library interface {
	Called(c *ssa.CallCommon) *library.Func
}

// ByName is the Library that looks functions up by the name of CalleeName.
type ByName func(name string) *library.Func

// Called implements Library.
func (l ByName) Called(c *ssa.CallCommon) *library.Func { return l(CalleeName(c)) }

// An Outside is a Library that knows functions without code here.
type Outside interface {
	Library
	// MakesError is what the function of that name says of fn.
	MakesError(fn *ssa.Function) bool
	// GoesParallel likewise.
	GoesParallel(fn *ssa.Function) bool
	// NeverReturns is what the function of that name says of fn, which may have code.
	NeverReturns(fn *ssa.Function, depth int) bool
	// HoldsError reports whether a variable holds an error that its package's
	// initialiser makes, and nothing else of the package sets.
	HoldsError(g *ssa.Global) bool
}

type builder struct {
	*Func
	ir        *ssair.Func
	lib       Library
	made      map[pathNode]PathID
	known     map[ssa.Value]PathID
	mem       map[string]*versions
	writers   *writers // see writersOf
	typeNames map[types.Type]string
	parts     map[types.Type]*parts
	defs      []*ssa.Defer
	cleanups  []*ssa.Call
	failing   []*ssa.BasicBlock // that tell a test that it has failed
	differ    []bool            // by result: returns yield different values
	stopped   []bool            // by block: see noteStops
}

// Build extracts the skeleton of fn. It never panics on what go/ssa produces;
// what it does not understand is a step or a path that is not known.
func Build(fn *ssair.Func, lib Library) *Func {
	b := &builder{
		Func:  &Func{Name: fn.SSA.String(), paths: make([]pathNode, 1), growing: true},
		ir:    fn,
		lib:   lib,
		made:  make(map[pathNode]PathID),
		known: make(map[ssa.Value]PathID),
	}
	for _, p := range fn.SSA.Params {
		b.names.params = append(b.names.params, p.Name())
	}
	for _, v := range fn.SSA.FreeVars {
		b.names.free = append(b.names.free, v.Name())
	}
	for _, blk := range fn.SSA.Blocks {
		for _, in := range blk.Instrs {
			switch in := in.(type) {
			case *ssa.Defer:
				b.defs = append(b.defs, in)
				b.Defers = append(b.Defers, fn.Num(in))
				if cancels(&in.Call) {
					b.Cancels = append(b.Cancels, fn.Num(in))
				}
			case *ssa.Call:
				f := lib.Called(&in.Call)
				if CleansUp(in, f) {
					b.cleanups = append(b.cleanups, in)
					b.Defers = append(b.Defers, fn.Num(in))
				}
				if f != nil && f.FailsTest {
					b.failing = append(b.failing, blk)
				}
				switch {
				case f != nil && f.NeverDone:
					b.NeverDone = append(b.NeverDone, fn.Num(in))
				case tellsDone(&in.Call):
					b.Dones = append(b.Dones, fn.Num(in))
				case cancels(&in.Call):
					b.Cancels = append(b.Cancels, fn.Num(in))
				}
			}
		}
	}
	b.literals()
	b.noteStops(fn.SSA.Blocks)
	for i, blk := range fn.SSA.Blocks {
		fb := Block{First: fn.Start[i], End: fn.Start[i+1], Lo: int32(len(b.Steps)), Tail: ssair.NoInstr}
		for k, in := range blk.Instrs {
			b.instr(in, fn.Start[i]+ssair.Instr(k))
		}
		fb.Hi = int32(len(b.Steps))
		if n := len(blk.Instrs); n > 0 && !b.stopped[i] {
			var ret *ssa.Return
			if ret, fb.Exit = blk.Instrs[n-1].(*ssa.Return); fb.Exit {
				fb.Outcome = b.outcomeOf(ret)
				fb.Tail = b.tailOf(ret)
				fb.Nil = b.returns(ret)
			}
		}
		b.returnLoads(blk)
		b.Blocks = append(b.Blocks, fb)
	}
	for i, blk := range fn.SSA.Blocks {
		b.Blocks[i].Succs = b.edges(blk)
	}
	for _, blk := range fn.SSA.Blocks {
		b.tested(blk)
		b.endings(blk)
	}
	if len(fn.SSA.Blocks) == 0 {
		b.Blocks = []Block{{Exit: true}} // no body: returns at once
	}
	b.loops()
	b.tallies()
	b.polls()
	b.presets()
	b.chains()
	b.relays()
	b.fieldSizes()
	sort.Slice(b.addr, func(i, j int) bool { return b.addr[i].at < b.addr[j].at })
	sort.Slice(b.moved, func(i, j int) bool { return b.moved[i].at < b.moved[j].at })
	slices.Sort(b.phantom)
	for i := range b.Steps {
		b.Sync = b.Sync || b.Steps[i].Kind != Call || b.Steps[i].Op != library.OpNone || b.Steps[i].Locker != library.OpNone
	}
	for i := range b.Blocks {
		b.Sync = b.Sync || hasCase(&b.Blocks[i])
	}
	if b.Sync {
		b.webs()
		b.gone()
		b.sinceCases()
		b.setOnce()
		b.inFields()
		b.barriers()
	} else {
		b.Stores, b.Unsure, b.Flags, b.Merges = nil, nil, nil, nil
	}
	b.contraries()
	b.dropped()
	b.filled()
	b.ranges()
	b.countingEdges()
	b.late()
	b.demands()
	b.forward()
	b.growing = false
	return b.Func
}

// setOnce lists what the function may set once: it tests the same, by the names that it has for it.
func (b *builder) setOnce() {
	stored := func(p PathID, k int64) bool {
		is := func(st Store) bool { return st.Path == p && p > 0 }
		return k == 0 && slices.ContainsFunc(b.Unsure, is) || slices.ContainsFunc(b.Stores, func(st Store) bool { return st.Const != 0 && (k == 0 || k == st.Const) && is(st) })
	}
	for i := range b.Blocks {
		for _, e := range b.Blocks[i].Succs {
			for k := range e.Events {
				ev := &e.Events[k]
				if ev.Kind != PlainTest {
					continue
				}
				for _, to := range []int64{0, ev.Const} {
					if stored(ev.Path, to) {
						b.SetOnce = append(b.SetOnce, Setting{LastField(b.Path(ev.Path)), to})
					}
				}
			}
		}
	}
	slices.SortFunc(b.SetOnce, func(x, y Setting) int { return cmp.Or(cmp.Compare(x.Field, y.Field), cmp.Compare(x.To, y.To)) })
	b.SetOnce = slices.Compact(b.SetOnce)
}

// LastField is what a path selects last.
func LastField(p Path) string { return p.Sels[strings.LastIndexByte(p.Sels, '.')+1:] }

// forward finds the loads from fields of what the function itself has stored there, and nothing can have
// changed since (soundness: stable-base).
func (b *builder) forward() {
	for i, blk := range b.ir.SSA.Blocks {
		for k, in := range blk.Instrs {
			ld, ok := in.(*ssa.UnOp)
			if !ok || ld.Op != token.MUL {
				continue
			}
			if _, field := ld.X.(*ssa.FieldAddr); !field {
				continue // nobody asks about others, and versions of memory are dear
			}
			p := b.path(ld)
			if p <= 0 || b.paths[p].kind != pathLoad || b.paths[p].at < 0 {
				continue
			}
			n := &b.paths[p]
			if st, ok := b.ir.At(n.at).(*ssa.Store); ok && n.base > 0 && b.path(st.Addr) == n.base && types.Identical(st.Val.Type(), ld.Type()) {
				if b.stored == nil {
					b.stored = make(map[ssair.Instr]ssair.Instr)
				}
				b.stored[b.ir.Start[i]+ssair.Instr(k)] = n.at
			}
		}
	}
}

// StoredBefore returns the store of what a load yields, if that is the function's own and
// nothing can have changed it since. It is known only until the skeleton is stored.
func (f *Func) StoredBefore(load ssair.Instr) (store ssair.Instr, ok bool) {
	store, ok = f.stored[load]
	return store, ok
}

// countingEdges marks the edges on which loops that synchronise are done.
func (b *builder) countingEdges() {
	for k := range b.Loops {
		l := &b.Loops[k]
		if l.ExitFrom < 0 {
			continue
		}
		b.fewRounds(l)
		if !slices.ContainsFunc(l.Blocks, func(i int32) bool { x := &b.Blocks[i]; return x.Hi > x.Lo || hasCase(x) }) {
			continue
		}
		l.Each = b.each(b.ir.Loops[k], l)
		if l.Trip.Kind == TripUnknown && len(l.Each) == 0 {
			continue
		}
		for i := range b.Blocks[l.ExitFrom].Succs {
			if e := &b.Blocks[l.ExitFrom].Succs[i]; e.To == l.ExitTo {
				e.Counts = int32(k) + 1
			}
		}
		if l.Guard >= 0 {
			for i := range b.Blocks[l.Guard].Succs {
				if e := &b.Blocks[l.Guard].Succs[i]; e.To != l.Header {
					e.Counts = int32(k) + 1
				}
			}
		}
	}
}

// fewRounds cuts the edges that loops of no or one round do not take.
func (b *builder) fewRounds(l *Loop) {
	if l.Trip.Kind != TripConst || l.Trip.N > 1 {
		return
	}
	if l.Trip.N == 0 {
		for i := range b.Blocks[l.Header].Succs {
			if e := &b.Blocks[l.Header].Succs[i]; l.ExitFrom == l.Header && l.Has(e.To) {
				e.Dead = true
			}
		}
		return
	}
	for _, blk := range l.Blocks {
		for i := range b.Blocks[blk].Succs {
			if e := &b.Blocks[blk].Succs[i]; e.To == l.Header {
				e.Last = l.ExitTo + 1
			}
		}
	}
}

// untested notes the cases of a select that no edge tells of, as events, and
// marks where it stands. (go/ssa leaves out the test of a case with nothing in
// it.)
func (b *builder) untested(sel *ssa.Select) {
	tested := make([]bool, len(sel.States))
	for _, r := range *sel.Referrers() {
		x, ok := r.(*ssa.Extract)
		if !ok || x.Index != 0 {
			continue
		}
		for _, r := range *x.Referrers() {
			cmp, ok := r.(*ssa.BinOp)
			if !ok || cmp.Op != token.EQL {
				continue
			}
			if k, ok := intConst(cmp.Y); ok && k >= 0 && int(k) < len(tested) && branches(cmp) {
				tested[k] = true
			}
		}
	}
	for k, t := range tested {
		if !t {
			b.Untested = append(b.Untested, b.caseOf(sel, k))
		}
	}
	if at := b.ir.Num(sel); len(b.Untested) > 0 && b.Untested[len(b.Untested)-1].Site == at {
		b.step(Step{At: at, Site: ssair.NoInstr, Kind: Mark, Body: -1})
	}
}

// branches reports whether control depends on a comparison.
func branches(cmp *ssa.BinOp) bool {
	return slices.ContainsFunc(*cmp.Referrers(), func(in ssa.Instruction) bool { _, ok := in.(*ssa.If); return ok })
}

func hasCase(b *Block) bool {
	for _, e := range b.Succs {
		for _, ev := range e.Events {
			if ev.Kind == CaseTaken {
				return true
			}
		}
	}
	return false
}

// literals notes where function literals are used that capture nothing: go/ssa has no
// instruction that makes them.
func (b *builder) literals() {
	for _, fn := range b.ir.SSA.AnonFuncs {
		if len(fn.FreeVars) > 0 {
			continue
		}
		for _, r := range *fn.Referrers() {
			if _, debug := r.(*ssa.DebugRef); !debug && r.Parent() == b.ir.SSA {
				b.Literals = append(b.Literals, Literal{b.ir.Num(r), fn.String()})
			}
		}
	}
}

// usedBy returns the only instruction that uses a value, NoInstr if there are others.
func (b *builder) usedBy(v ssa.Value) ssair.Instr {
	use := ssa.Instruction(nil)
	for _, r := range *v.Referrers() {
		if _, debug := r.(*ssa.DebugRef); debug {
			continue
		}
		if use != nil {
			return ssair.NoInstr
		}
		use = r
	}
	switch in := use.(type) {
	case nil:
		return ssair.NoInstr
	case *ssa.ChangeType:
		return b.usedBy(in)
	}
	return b.ir.Num(use)
}

func (b *builder) instr(in ssa.Instruction, at ssair.Instr) {
	switch in := in.(type) {
	case *ssa.Alloc, *ssa.MakeMap, *ssa.MakeSlice:
		b.Allocs = append(b.Allocs, at)
		if cell, ok := in.(*ssa.Alloc); ok {
			b.spill(cell, at)
		}
	case *ssa.Extract:
		switch t := in.Tuple.(type) {
		case *ssa.UnOp:
			if t.Op == token.ARROW && in.Index == 0 {
				b.Receives = append(b.Receives, Received{at, b.ir.Num(t)})
			}
		case *ssa.Call:
			b.Extracts = append(b.Extracts, Extracted{at, b.ir.Num(t), in.Index})
		case *ssa.Select:
			if in.Index >= 2 {
				b.Receives = append(b.Receives, Received{at, b.ir.Num(t)})
			}
		}
	case *ssa.Phi:
		b.loopVar(in, at)
		b.rest(in, at)
		b.merge(in, at)
	case *ssa.Slice:
		b.sub(in, at)
	case *ssa.Store:
		if b.part(in.Addr) {
			break
		}
		b.access(at, in.Addr)
		if n, ok := scalarConst(in.Val); ok {
			b.Stores = append(b.Stores, Store{at, b.path(in.Addr), n})
		} else if fills(in.Val.Type()) || isError(in.Val.Type()) && b.valueOutcome(in.Val, in.Block()) == NonZero { // (soundness: once-reset)
			b.Stores = append(b.Stores, Store{at, b.path(in.Addr), 1})
		} else if isError(in.Val.Type()) {
			b.Unsure = append(b.Unsure, Store{At: at, Path: b.path(in.Addr)})
		}
	case *ssa.UnOp:
		switch in.Op {
		case token.MUL:
			if !b.part(in.X) {
				b.access(at, in.X)
			}
		case token.ARROW:
			b.step(Step{At: at, Site: at, Kind: Recv, CommaOk: in.CommaOk, Args: []PathID{b.path(in.X)}})
		}
	case *ssa.Convert:
		if ssair.IsSlice(in.X.Type()) { // string(b) reads b
			b.access(at, in.X)
		}
	case *ssa.MapUpdate:
		b.access(at, in.Map)
		b.mapStore(at, in.Map, in.Key, in.Value)
	case *ssa.Select:
		b.untested(in)
	case *ssa.Send:
		b.step(Step{At: at, Site: at, Kind: Send, Args: []PathID{b.path(in.Chan)}, Value: b.sent(in.X)})
	case *ssa.MakeChan:
		c := int64(-1)
		if n, ok := intConst(in.Size); ok {
			c = n
		}
		b.Makes = append(b.Makes, Make{at, c, b.path(in.Size)})
		b.Allocs = append(b.Allocs, at)
	case *ssa.MakeClosure:
		c := Closure{At: at, Fn: in.Fn.String(), Used: b.usedBy(in)}
		for k, v := range in.Bindings {
			c.Binds = append(c.Binds, b.path(v))
			if a, ok := v.(*ssa.Alloc); ok && !b.cell(a) && k < 64 && b.ir.Settled(in, a) {
				c.Settled |= 1 << k
			}
		}
		b.Closures = append(b.Closures, c)
		b.Allocs = append(b.Allocs, at)
	case *ssa.Lookup:
		b.access(at, in.X)
	case *ssa.Range:
		b.access(at, in.X)
	case *ssa.Next:
		if r, ok := in.Iter.(*ssa.Range); ok {
			b.access(at, r.X)
		}
	case *ssa.Call:
		if bi, ok := in.Call.Value.(*ssa.Builtin); ok && len(in.Call.Args) > 0 {
			if bi.Name() == "delete" {
				b.mapStore(at, in.Call.Args[0], in.Call.Args[1], nil)
			}
			switch bi.Name() {
			case "append", "copy", "delete", "clear", "len":
				b.access(at, in.Call.Args[0])
				if len(in.Call.Args) == 2 && bi.Name() != "delete" || bi.Name() == "clear" && ssair.IsSlice(in.Call.Args[0].Type()) {
					b.touches(at, in.Call.Args, true)
				}
			}
		} else if f := b.lib.Called(&in.Call); f != nil && !in.Call.IsInvoke() && slices.ContainsFunc(append(f.Reads[:len(f.Reads):len(f.Reads)], f.Writes...), func(k int) bool {
			return k >= 0 && k < len(in.Call.Args) && ssair.IsSlice(ssair.Given(in.Call.Args[k]).Type())
		}) {
			b.touches(at, in.Call.Args, false)
		}
		if !slices.Contains(b.cleanups, in) {
			b.call(&in.Call, at, at, func(s *Step) { s.Ignored = ignored(in) })
		}
	case *ssa.Return:
		b.runCleanups(in)
	case *ssa.Go:
		b.call(&in.Call, at, at, func(s *Step) { s.Kind = Spawn })
	case *ssa.RunDefers:
		b.runDefers(in)
	}
}

// touches notes the slices that a call reads or writes.
func (b *builder) touches(at ssair.Instr, args []ssa.Value, builtin bool) {
	t := Touch{At: at, Builtin: builtin}
	for _, a := range args {
		p := PathID(0)
		if a = ssair.Given(a); ssair.IsSlice(a.Type()) {
			p = b.path(a)
		}
		t.Args = append(t.Args, p)
	}
	b.Touches = append(b.Touches, t)
}

// loopVar notes a phi of memory that is made anew each time: the cell of a loop
// variable, or what either branch of a round has made.
func (b *builder) loopVar(phi *ssa.Phi, at ssair.Instr) {
	v := LoopVar{At: at}
	in := b.ir.Innermost(phi.Block())
	for i, e := range phi.Edges {
		made := maker(e)
		if made == nil {
			return
		}
		first := in != nil && in.Header == phi.Block() && !in.Contains(phi.Block().Preds[i])
		if b.ir.Innermost(made.Block()) != in && !first {
			return // made before the loop, and the same in each round
		}
		v.Cells = append(v.Cells, b.ir.Num(made))
	}
	b.LoopVars = append(b.LoopVars, v)
	b.Allocs = append(b.Allocs, at)
}

// maker returns the instruction that makes the memory that v is, or nil.
func maker(v ssa.Value) ssa.Instruction {
	for {
		switch x := v.(type) {
		case *ssa.Alloc:
			return x
		case *ssa.MakeSlice:
			return x
		case *ssa.MakeMap:
			return x
		case *ssa.MakeChan:
			return x
		case *ssa.Slice:
			if x.Low != nil {
				return nil
			}
			v = x.X
		case *ssa.ChangeType:
			v = x.X
		default:
			return nil
		}
	}
}

// merge notes a phi of pointers.
func (b *builder) merge(phi *ssa.Phi, at ssair.Instr) {
	if !pointer(phi.Type()) {
		return
	}
	m := Merge{At: at}
	for i, e := range phi.Edges {
		pred := phi.Block().Preds[i]
		if phi.Block().Dominates(pred) {
			return // the head of a loop
		}
		m.From = append(m.From, int32(pred.Index))
		m.In = append(m.In, b.path(e))
	}
	b.Merges = append(b.Merges, m)
}

// mergeCell notes a variable of pointers in a version that begins where stores to it meet: a phi, but
// that the variable is in memory, since closures read it.
func (b *builder) mergeCell(cell *ssa.Alloc, addr PathID, ver ssair.Instr) {
	m := Merge{At: b.ir.Num(cell), Version: ver}
	if slices.ContainsFunc(b.Merges, func(n Merge) bool { return n.At == m.At && n.Version == ver }) {
		return
	}
	blk := b.ir.SSA.Blocks[versionBlock-ver]
	if slices.ContainsFunc(blk.Preds, blk.Dominates) {
		return // the head of a loop
	}
	k := len(b.Merges)
	b.Merges = append(b.Merges, m) // in loops of another kind it may lead back to itself, of which nothing is known
	vs := b.mem[b.memClass(cell)]
	for _, pred := range blk.Preds {
		out := vs.at(b.ir.Start[pred.Index], vs.in[pred.Index], b.ir.Start[pred.Index+1])
		m.From = append(m.From, int32(pred.Index))
		m.In = append(m.In, b.inCell(cell, addr, out, pred))
	}
	b.Merges[k] = m
}

// inCell returns the path of what a block finds in a variable to which only this function stores, in a
// version: of what was stored, 0 if that was in another round of a loop.
func (b *builder) inCell(cell *ssa.Alloc, addr PathID, ver ssair.Instr, in *ssa.BasicBlock) PathID {
	if ver <= versionBlock {
		b.mergeCell(cell, addr, ver)
		return b.intern(pathNode{kind: pathLoad, base: addr, at: ver})
	}
	if ver < 0 {
		return 0
	}
	st := b.ir.At(ver).(*ssa.Store)
	if !sameRound(b.ir, st, in) {
		return 0
	}
	if ld, ok := st.Val.(*ssa.UnOp); ok && ld.Op == token.MUL {
		if from, ok := ld.X.(*ssa.Alloc); ok && ownVariable(from) {
			return b.inCell(from, b.path(from), b.version(ld), ld.Block())
		}
	}
	return b.path(st.Val)
}

func (b *builder) step(s Step) { b.Steps = append(b.Steps, s) }

// part reports whether an address lies in a part of a literal that an initialiser puts
// together: nobody asks for its path, and tables have many.
func (b *builder) part(addr ssa.Value) bool {
	return ssair.Initialises(b.ir.SSA) && ssair.Private(addr)
}

func (b *builder) access(at ssair.Instr, addr ssa.Value) {
	if p := b.path(addr); p > 0 {
		b.addr = append(b.addr, addrPath{at, p})
	}
}

// Operands returns what a call is given, as the library model numbers it: of a method that is called
// through an interface the receiver is the first.
func Operands(c *ssa.CallCommon) []ssa.Value {
	if c.IsInvoke() {
		return append([]ssa.Value{c.Value}, c.Args...)
	}
	return c.Args
}

// CalleeName returns the name by which the library model knows what is
// called, or "".
func CalleeName(c *ssa.CallCommon) string {
	if c.IsInvoke() {
		return c.Method.FullName()
	}
	if fn := c.StaticCallee(); fn != nil {
		if o := ssair.Origin(fn); o != nil {
			fn = o
		}
		return fn.String()
	}
	return ""
}

// call adds the steps of a call at site that happens at at, as shape changes
// them. What it makes a spawn is a go statement.
func (b *builder) call(c *ssa.CallCommon, at, site ssair.Instr, shape func(*Step)) {
	s := Step{At: at, Site: site, Kind: Call, Body: -1}
	if bi, ok := c.Value.(*ssa.Builtin); ok {
		if bi.Name() == "close" && len(c.Args) == 1 {
			s.Kind = Close
			s.Args = []PathID{b.path(c.Args[0])}
			b.step(s)
		}
		return
	}
	shape(&s)
	lib := b.lib.Called(c)
	s.Methods, s.Of = methodsOf(lib)
	s.Methods = s.Methods && !(s.Kind == Spawn && lib.Entered) // its body calls them
	rounds := false                                            // the library calls its argument again and again
	if s.Kind == Spawn {
		// Of whatever it is: `go srv.Serve(l)` starts what Serve starts.
		if lib != nil {
			s.Repeat, s.Service = lib.ManyAtOnce() || lib.Serves(), lib.Service
			if lib.Exchange == library.ExchangeWorld {
				s.Exchange = lib.Exchange
			}
		}
	} else if lib != nil {
		if !b.modelled(&s, lib, c) {
			return
		}
		rounds = s.Kind == Call && lib.InRounds(s.Body)
	} else if c.IsInvoke() {
		s.Locker = lockerOp(c.Method)
	}
	if !c.IsInvoke() && (c.StaticCallee() == nil || isClosure(c.Value)) {
		s.Fn = b.path(c.Value)
	}
	for _, a := range Operands(c) {
		s.Args = append(s.Args, b.path(a))
	}
	b.step(s)
	if rounds {
		b.step(s) // twice shows that one call comes after another
	}
	if s.Kind == Call && lib != nil && lib.Until {
		b.Polls = append(b.Polls, Poll{-1, -1, []ssair.Instr{site}, true})
	}
}

// methodsOf reports whether a library function, if it is one, calls methods of what it is
// given, and of which argument if all are of one.
func methodsOf(f *library.Func) (yes bool, of int) {
	if f == nil {
		return false, -1
	}
	if len(f.Dispatches) > 0 {
		return true, -1 // those of what is registered
	}
	of = -1
	for _, list := range [][]library.MethodCall{f.CallsMethods, f.ConcurrentMethods} {
		for _, m := range list {
			if m.Field != "" || yes && m.Arg != of {
				return true, -1
			}
			yes, of = true, m.Arg
		}
	}
	return yes, of
}

func isClosure(v ssa.Value) bool {
	_, ok := v.(*ssa.MakeClosure)
	return ok
}

// modelled shapes s after the library's entry and reports whether the call
// matters for order at all.
func (b *builder) modelled(s *Step, f *library.Func, c *ssa.CallCommon) bool {
	s.Op, s.Body, s.Join = f.Op, f.Body, f.Join
	switch f.Op {
	case library.OpSpawn, library.OpTimerFunc:
		s.Kind = Spawn
		if args := Operands(c); f.Op == library.OpTimerFunc && len(args) > 0 {
			s.Const, s.HasConst = intConst(args[0])
		}
	case library.OpSubtest:
		s.Kind = Call
		if Overlaps(c, f, b.lib) {
			s.Kind = Spawn
		}
	case library.OpParallel:
		s.Kind = Parallel
	case library.OpOnce, library.OpMapRange, library.OpBubble, library.OpTestCleanup:
		s.Kind = Call
	case library.OpNone, library.OpMapLoad, library.OpMapTake, library.OpMapStore, library.OpFinalizer:
		s.Op, s.Service, s.Exchange, s.Dispatch = library.OpNone, f.Service, f.Exchange, len(f.Dispatches) > 0
		switch {
		case f.Serves():
			s.Kind, s.Repeat = Spawn, true
		case f.Exchange == library.ExchangeOver:
			s.Kind = Sync
		case len(f.Concurrent) > 0:
			s.Kind, s.Body, s.Repeat, s.Later = Spawn, f.Concurrent[0], f.Many, f.Later
		case len(f.Calls) > 0:
			s.Kind, s.Body = Call, f.Calls[0]
		case len(f.ConcurrentMethods) > 0:
			s.Kind, s.Repeat, s.Later = Spawn, f.Many, f.Later
		case len(f.CallsMethods)+len(f.Dispatches) > 0 || f.Entered:
			s.Kind = Call // of a method of an argument: a Stringer's, a Writer's
		default:
			// What it calls through its arguments (a Stringer, a Writer) is
			// in the points-to result's call graph where that knows it. What is known
			// of an interface's package, that it is safe to use from many threads, is
			// nothing about who implements the interface: a handler behind another one.
			return c.IsInvoke() || f.Exchange != library.ExchangeNone
		}
	default:
		s.Kind = Sync
		args := Operands(c)
		for k := 1; k < len(args); k++ {
			if n, ok := scalarConst(args[k]); ok {
				s.Const, s.HasConst = n, true // the last constant: the new value of a CAS
			}
			if f.Op == library.OpAtomicAdd {
				s.Const, s.HasConst = addend(args[k])
			}
			if f.Op == library.OpAtomicCAS && k == len(args)-1 {
				s.Const, s.HasConst = scalarConst(args[k])
				s.Old, s.HasOld = scalarConst(args[k-1])
				s.Differs = s.HasOld && (s.HasConst && s.Const != s.Old || s.Old == 0 && nonZero(args[k]))
			}
			s.Certain = s.Certain || f.Op == library.OpSemAcquire && b.neverDone(args[k])
		}
		if (f.Op == library.OpSemNew || f.Op == library.OpSleep) && len(args) > 0 {
			s.Const, s.HasConst = intConst(args[0])
		}
	}
	return true
}

// tellsDone reports whether a call yields the channel that tells that its receiver is done, as a context does.
func tellsDone(c *ssa.CallCommon) bool {
	name := c.Method
	if !c.IsInvoke() && c.StaticCallee() != nil {
		name, _ = c.StaticCallee().Object().(*types.Func)
	}
	if name == nil || name.Name() != "Done" || len(Operands(c)) != 1 || c.Signature().Results().Len() != 1 {
		return false
	}
	_, ok := ssair.Under(c.Signature().Results().At(0).Type()).(*types.Chan)
	return ok
}

// cancels reports whether a call is one of a function that cancels a context.
func cancels(c *ssa.CallCommon) bool {
	t, ok := types.Unalias(c.Value.Type()).(*types.Named)
	if !ok || c.IsInvoke() || t.Obj().Pkg() == nil || t.Obj().Pkg().Path() != "context" {
		return false
	}
	return t.Obj().Name() == "CancelFunc" || t.Obj().Name() == "CancelCauseFunc"
}

// neverDone reports whether v is a context that the model says is never cancelled.
func (b *builder) neverDone(v ssa.Value) bool {
	c, ok := v.(*ssa.Call)
	if !ok {
		return false
	}
	f := b.lib.Called(&c.Call)
	return f != nil && f.NeverDone
}

// addend is intConst for what is added: ^uint32(0) is -1.
func addend(v ssa.Value) (int64, bool) {
	c, ok := v.(*ssa.Const)
	if !ok || c.Value == nil || c.Value.Kind() != constant.Int {
		return 0, false
	}
	if u, ok := constant.Uint64Val(c.Value); ok {
		if t, ok := ssair.Under(c.Type()).(*types.Basic); ok && t.Info()&types.IsUnsigned != 0 {
			if t.Kind() == types.Uint32 {
				return int64(int32(uint32(u))), true
			}
			return int64(u), true
		}
	}
	return constant.Int64Val(c.Value)
}

func intConst(v ssa.Value) (int64, bool) {
	c, ok := v.(*ssa.Const)
	if !ok || c.Value == nil || c.Value.Kind() != constant.Int {
		return 0, false
	}
	return constant.Int64Val(c.Value)
}

// fills reports whether a store of a value of a type puts something where nil was. That an
// error is stored shows nothing by itself: it may be nil.
func fills(t types.Type) bool {
	if isError(t) {
		return false
	}
	switch ssair.Under(t).(type) {
	case *types.Pointer, *types.Map, *types.Chan, *types.Interface, *types.Signature:
		return true
	}
	return false
}

// scalarConst is intConst, with booleans as 0 and 1 and nil as 0.
func scalarConst(v ssa.Value) (int64, bool) {
	if cv, ok := v.(*ssa.Convert); ok {
		v = cv.X
	}
	c, ok := v.(*ssa.Const)
	if !ok {
		return 0, false
	}
	if c.Value == nil {
		switch u := ssair.Under(c.Type()).(type) {
		case *types.Basic:
			return 0, u.Kind() == types.UnsafePointer || u.Kind() == types.UntypedNil
		case *types.Pointer, *types.Map, *types.Slice, *types.Chan, *types.Signature, *types.Interface:
			return 0, true
		}
		return 0, false
	}
	if c.Value.Kind() == constant.Bool {
		if constant.BoolVal(c.Value) {
			return 1, true
		}
		return 0, true
	}
	return intConst(c)
}

// runDefers adds the deferred calls that may be pending at rd, last
// registered first. (Two that exclude each other may come in either order.)
func (b *builder) runDefers(rd *ssa.RunDefers) {
	for i := len(b.defs) - 1; i >= 0; i-- {
		b.later(&b.defs[i].Call, b.defs[i], rd)
	}
}

// later adds a call that instruction d has put off to instruction to, if d may come before it.
func (b *builder) later(c *ssa.CallCommon, d, to ssa.Instruction) {
	if !ssair.Reaches(d.Block(), to.Block()) {
		return
	}
	n := len(b.Steps)
	b.call(c, b.ir.Num(to), b.ir.Num(d), func(*Step) {})
	if len(b.Steps) > n {
		s := &b.Steps[n]
		s.Optional = !d.Block().Dominates(to.Block())
		if l := b.ir.Innermost(d.Block()); l != nil && !l.Contains(to.Block()) {
			s.Repeat = true
		}
	}
}
