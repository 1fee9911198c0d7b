package pta

import (
	"go/token"
	"go/types"
	"slices"

	"github.com/iterace/iterace/internal/ssair"
	"github.com/iterace/iterace/model/library"
	"golang.org/x/tools/go/ssa"
)

// This file decides which accesses go to memory that nobody else can know of
// yet: made by this call of the function, or by a function that made it and only
// returned it, and not handed on so far.

// A web is what a function knows a piece of new memory by: the values that may
// refer to it, with their parts.
type web struct {
	made    []ssair.Instr // instructions that make it
	escapes []ssair.Instr // instructions that may hand it on
	entered []bool        // by block: it may have been handed on before
	// won lists the blocks that come after a CompareAndSwap which has handed it on:
	// where it fails it has not.
	won []*ssa.BasicBlock
	// itself is set if a function value that has captured the memory lies in it; funcs
	// are the function values, and what may hold such, that are loaded from it.
	itself bool
	funcs  []ssa.Instruction
	// inside is set if its own address, or what holds that, lies in it; held are the
	// loads of what may be such.
	inside bool
	held   []ssa.Instruction
	// puts are the stores of it into other objects of the frame, each a way to hand it
	// on: whether it is then, or when the object is, settlePuts decides. direct has what
	// hands on the memory itself, and these stores.
	puts   []putInto
	direct []ssair.Instr
	simple bool // one allocation, not chosen from others: made again, it is new again
	param  bool // of what a parameter refers to: the caller may have made it
	after  bool // it is asked only what has happened when the function returns
	wide   bool // what is put into the function's own variables is followed there, see variable.go
	asks   bool // it is made by calls of functions that are not known, too, if those make it
	asked  []Yielded
}

// A putInto is a store of new memory into an object of the frame, the holder.
type putInto struct {
	at      ssair.Instr
	holders []*ssa.Alloc  // and what that has been stored into, before anybody else has it
	escapes []ssair.Instr // instructions that may hand on a holder, or take out what it holds
	// field is the field of the first holder that it goes to, -1 if that is not known. What is done with
	// the other ones, beside, does not touch it, unless a holder holds itself.
	field  int
	beside []ssair.Instr
	inside bool
}

// A newness says whose new memory a pointer refers to.
type newness uint8

const (
	notNew    newness = iota
	newHere           // the frame made it, and has handed it on to nobody
	newPassed         // it was new if it was so where the frame was called
)

// maxWeb bounds the values of one web.
const maxWeb = 200

// beforeEscape reports whether an instruction touches or passes an object that
// the frame made, or was given, before anything in the frame could have handed
// the object on (soundness: handed-on).
func (l *lowerer) beforeEscape(addr ssa.Value, in ssa.Instruction) newness {
	for {
		switch x := addr.(type) {
		case *ssa.FieldAddr:
			addr = x.X
			continue
		case *ssa.IndexAddr:
			addr = x.X
			continue
		case *ssa.Slice:
			addr = x.X
			continue
		case *ssa.UnOp:
			if l.partBeforeEscape(x, in) {
				return newHere
			}
		}
		break
	}
	w := l.webAt(addr)
	if w == nil || w.escaped(l.ir, in) {
		w = l.webBy(webKey{v: addr, wide: true})
	}
	switch {
	case w == nil || w.escaped(l.ir, in):
		return notNew
	case w.param:
		return newPassed
	}
	return newHere
}

// yieldedBefore is beforeEscape for what calls of functions that are not known have yielded, if those have made it, as
// a method of an interface may:
//
//	x, err := s.next.load(key)
//	if err != nil {
//		return nil, err
//	}
//	x.uses++ // here
//	s.cache.Store(key, x)
//
// It lists these calls, none if it is not so.
func (l *lowerer) yieldedBefore(addr ssa.Value, in ssa.Instruction) []Yielded {
	for x := addr; x != nil; x = sameMemory(x) {
		addr = x
	}
	switch addr.(type) {
	case *ssa.Call, *ssa.Extract, *ssa.Phi:
	default:
		return nil // most accesses are to what is found, and no web is made for that
	}
	if w := l.webBy(webKey{v: addr, wide: true, asks: true}); w != nil && !w.param && !w.escaped(l.ir, in) {
		return w.asked
	}
	return nil
}

// putInParameter is beforeEscape for what the frame has made and put into a field of what a parameter refers to, and nowhere
// else, if it uses that through the field:
//
//	func (c *config) index() {
//		c.byName = make(map[string]int, len(c.names))
//		for i, name := range c.names {
//			c.byName[name] = i // here
//		}
//	}
//
// It is new if what the parameter refers to was so where the frame was called. It lists the parameter, none if it is not so.
func (l *lowerer) putInParameter(addr ssa.Value, in ssa.Instruction) []PutIn {
	for x := addr; x != nil; x = sameMemory(x) {
		addr = x
	}
	ld, ok := addr.(*ssa.UnOp)
	if !ok || ld.Op != token.MUL {
		return nil
	}
	fa, ok := ld.X.(*ssa.FieldAddr)
	if !ok {
		return nil
	}
	holder, ok := fa.X.(*ssa.Parameter)
	if !ok {
		return nil
	}
	at, ok := l.f.Flow.StoredBefore(l.ir.Num(ld))
	if !ok {
		return nil
	}
	st := l.ir.At(at).(*ssa.Store)
	w := l.webAt(st.Val)
	if w == nil || w.param || len(w.won) > 0 || !slices.Equal(w.direct, []ssair.Instr{at}) {
		return nil
	}
	if h := l.webAt(holder); h == nil || h.escaped(l.ir, in) {
		return nil
	}
	for _, r := range *holder.Referrers() {
		if l.wholeUse(r, holder) && l.ir.Reaches(st, r, nil) && l.ir.Reaches(r, in, nil) {
			return nil
		}
		if f, ok := r.(*ssa.FieldAddr); ok && f.Field == fa.Field && slices.ContainsFunc(*f.Referrers(), func(u ssa.Instruction) bool {
			return !l.usesField(u, f, cell{holder, fa.Field})
		}) {
			return nil
		}
	}
	return []PutIn{{Param: int32(slices.Index(l.fn.Params, holder))}}
}

// flag is the access flag of a newness.
func (n newness) flag() uint32 { return [...]uint32{0, FlagInit, FlagPassed}[n] }

// innerBeforeEscape is beforeEscape for the object from which the frame has loaded the pointer: who
// gets at the memory by way of that object does so later.
func (l *lowerer) innerBeforeEscape(addr ssa.Value, in ssa.Instruction) newness {
	switch in.(type) {
	case *ssa.Defer, *ssa.Go:
		return notNew // it runs later
	}
	for addr != nil {
		if ld, ok := addr.(*ssa.UnOp); ok {
			if ld.Op != token.MUL {
				return notNew
			}
			if parts, off := l.partsOf(ld); parts != nil { // the object is that from which the frame has what is put there
				k := slices.IndexFunc(parts, func(p part) bool {
					return p.off == off && types.Identical(p.store.Val.Type(), ld.Type())
				})
				if k < 0 {
					return notNew
				}
				addr = parts[k].store.Val
				continue
			}
			return l.beforeEscape(ld.X, in)
		}
		addr = sameMemory(addr)
	}
	return notNew
}

// innerFlag is the access flag of what innerBeforeEscape returns.
func (n newness) innerFlag() uint32 { return [...]uint32{0, FlagInner, FlagInnerPassed}[n] }

func (l *lowerer) webAt(v ssa.Value) *web { return l.webBy(webKey{v: v}) }

func (l *lowerer) webBy(k webKey) *web {
	w, ok := l.webs[k]
	if !ok {
		w = l.webOf(k)
		l.webs[k] = w
	}
	return w
}

// A webKey names a web: of a value, with what is put into variables if it is wide, and of what calls may make if it asks.
type webKey struct {
	v          ssa.Value
	wide, asks bool
}

// partBeforeEscape is beforeEscape for what a field of such an object refers to, or
// a variable, as the map in a table that is filled before it is published: made by
// the frame too, put there and nowhere else, and only used through it.
func (l *lowerer) partBeforeEscape(ld *ssa.UnOp, in ssa.Instruction) bool {
	if ld.Op != token.MUL {
		return false
	}
	obj, ok := ld.X.(*ssa.Alloc)
	field := -1
	if fa, isField := ld.X.(*ssa.FieldAddr); isField {
		obj, ok = fa.X.(*ssa.Alloc)
		field = fa.Field
	}
	if !ok {
		return false
	}
	if w := l.webAt(obj); w == nil || w.escaped(l.ir, in) {
		return false
	}
	at := cell{obj, field}
	if l.putBeforeEscape(ld, at, in) {
		return true
	}
	filled := false
	for _, r := range *obj.Referrers() {
		if field >= 0 && l.wholeUse(r, obj) && l.ir.Reaches(r, in, obj) {
			return false
		}
		if fa, ok := r.(*ssa.FieldAddr); ok && fa.Field == field {
			for _, u := range *fa.Referrers() {
				if !l.partUse(u, fa, at, &filled, in) {
					return false
				}
			}
		} else if field < 0 && !l.partUse(r, obj, at, &filled, in) {
			return false
		}
	}
	return filled
}

// putBeforeEscape is partBeforeEscape for a variable, or a field of one, which nobody else has yet, that
// holds now new memory and now what was found, where what was put there last is new:
//
//	s := t.sessions[id]
//	if s == nil {
//		s = &session{}
//		s.limit = limit // here
//		t.sessions[id] = s
//	}
//	defer func() { s.leave() }()
//
// or
//
//	next := *c.current
//	next.flags = maps.Clone(next.flags)
//	next.flags[k] = true // here
func (l *lowerer) putBeforeEscape(ld *ssa.UnOp, at cell, in ssa.Instruction) bool {
	st := lastPut(ld, at)
	if st == nil {
		return false
	}
	w := l.webAt(st.Val)
	if w == nil || w.param || len(w.won) > 0 || !slices.Equal(w.direct, []ssair.Instr{l.ir.Num(st)}) {
		return false
	}
	var birth ssa.Instruction
	if at.field >= 0 {
		birth = at.obj.(*ssa.Alloc)
	}
	between := func(r ssa.Instruction) bool { return l.ir.Reaches(st, r, birth) && l.ir.Reaches(r, in, birth) }
	for _, r := range *at.obj.Referrers() {
		if fa, ok := r.(*ssa.FieldAddr); ok && at.field >= 0 {
			if fa.Field == at.field && slices.ContainsFunc(*fa.Referrers(), func(u ssa.Instruction) bool {
				return between(u) && !l.usesField(u, fa, at)
			}) {
				return false
			}
			continue
		}
		if !between(r) {
			continue
		}
		switch r := r.(type) {
		case *ssa.UnOp:
			if at.field >= 0 || !l.p.usedInPlace(r, at) {
				return false
			}
		case *ssa.Call, *ssa.MakeInterface:
			return false // see partUse
		case *ssa.DebugRef:
		default:
			if at.field >= 0 {
				return false
			}
		}
	}
	return true
}

// usesField reports whether a use of a field's address reads and uses in place what the field refers to,
// or puts something else there.
func (l *lowerer) usesField(u ssa.Instruction, addr ssa.Value, at cell) bool {
	switch u := u.(type) {
	case *ssa.DebugRef:
		return true
	case *ssa.UnOp:
		return l.p.usedInPlace(u, at)
	case *ssa.Store:
		return u.Addr == addr
	}
	return false
}

// lastPut returns the store to a cell that a load comes after on its only way there.
func lastPut(ld *ssa.UnOp, at cell) *ssa.Store {
	b := ld.Block()
	i := slices.Index(b.Instrs, ssa.Instruction(ld))
	for range maxWeb {
		for i--; i >= 0; i-- {
			st, ok := b.Instrs[i].(*ssa.Store)
			switch {
			case !ok:
			case at.is(st.Addr):
				return st
			case st.Addr == at.obj:
				return nil // of the whole
			}
		}
		if len(b.Preds) != 1 {
			return nil
		}
		b = b.Preds[0]
		i = len(b.Instrs)
	}
	return nil
}

// A cell is a field of a local object, or of what a parameter refers to, or with -1 a variable.
type cell struct {
	obj   ssa.Value
	field int
}

func (c cell) is(addr ssa.Value) bool {
	if fa, ok := addr.(*ssa.FieldAddr); ok {
		return c.field == fa.Field && fa.X == c.obj
	}
	return c.field < 0 && addr == c.obj
}

// wholeUse reports whether an instruction may read or write the fields of a local
// object, or one that a parameter refers to, without naming them and without handing the object on.
func (l *lowerer) wholeUse(r ssa.Instruction, obj ssa.Value) bool {
	switch r := r.(type) {
	case *ssa.Store:
		return r.Addr == obj
	case *ssa.UnOp, *ssa.Phi, *ssa.ChangeType, *ssa.Convert:
		return true
	case *ssa.Call:
		fn := r.Call.StaticCallee()
		if fn == nil || !l.p.keepsAll(&r.Call, obj) {
			return false // hands it on, as far as anyone knows
		}
		e := l.p.entry(fn)
		return e == nil || !l.p.blackHole(e)
	}
	return false
}

// partUse reports whether a use of a cell's address leaves what the cell refers to
// the frame's own before an instruction: it is read and used in place, or filled with
// new memory.
func (l *lowerer) partUse(u ssa.Instruction, addr ssa.Value, at cell, filled *bool, in ssa.Instruction) bool {
	switch u := u.(type) {
	case *ssa.DebugRef:
	case *ssa.UnOp:
		return !l.ir.Reaches(u, in, u) || l.p.usedInPlace(u, at)
	case *ssa.Store:
		if u.Addr != addr {
			return at.field < 0 // the variable is handed on: its web says when
		}
		if c, ok := u.Val.(*ssa.Const); ok && c.Value == nil {
			return true // refers to nothing
		}
		if ld, ok := u.Val.(*ssa.UnOp); ok && at.is(ld.X) {
			return true // what is there
		}
		if grown, ok := u.Val.(*ssa.Call); ok && ssair.IsBuiltin(grown, "append") {
			if ld, ok := grown.Call.Args[0].(*ssa.UnOp); ok && at.is(ld.X) {
				return true // see usedInPlace
			}
		}
		w := l.webAt(u.Val)
		if w == nil || w.param || len(w.won) > 0 || !slices.Equal(w.direct, []ssair.Instr{l.ir.Num(u)}) {
			return false
		}
		*filled = true
	case *ssa.Call, *ssa.MakeInterface:
		// Who is given the variable's address may hand on what it holds, or put something there.
		return at.field < 0 && !l.ir.Reaches(u, in, at.obj.(*ssa.Alloc))
	default:
		return at.field < 0
	}
	return true
}

// usedInPlace reports whether what v refers to is read and written only, and v not
// kept anywhere, but for a slice that grows in the cell that it was read from.
func (p *Program) usedInPlace(v ssa.Value, at cell) bool {
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.DebugRef, *ssa.Lookup, *ssa.Range, *ssa.UnOp, *ssa.BinOp:
		case *ssa.MapUpdate:
			if r.Key == v || r.Value == v {
				return false
			}
		case *ssa.Store:
			if r.Val == v && !at.is(r.Addr) {
				return false
			}
		case *ssa.IndexAddr:
			if !p.usedInPlace(r, at) {
				return false
			}
		case *ssa.FieldAddr:
			if !p.usedInPlace(r, at) {
				return false
			}
		case *ssa.Call:
			if ssair.IsBuiltin(r, "append") {
				if r.Call.Args[0] == v && !p.usedInPlace(r, at) {
					return false
				}
			} else if _, builtin := r.Call.Value.(*ssa.Builtin); !builtin && !p.keepsAll(&r.Call, v) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// escaped reports whether control may have passed a handing on before in.
func (w *web) escaped(ir *ssair.Func, in ssa.Instruction) bool {
	b := in.Block().Index
	at := ir.Num(in)
	return w.pass(ir.Start[b], at, w.entered[b])
}

// pass follows the web through the instructions from lo to before hi.
func (w *web) pass(lo, hi ssair.Instr, out bool) bool {
	last := func(list []ssair.Instr) ssair.Instr {
		i, _ := slices.BinarySearch(list, hi)
		if i > 0 && list[i-1] >= lo {
			return list[i-1]
		}
		return -1
	}
	e := last(w.escapes)
	m := ssair.Instr(-1)
	if w.simple {
		m = last(w.made)
	}
	switch {
	case e > m:
		return true
	case m >= 0:
		return false
	}
	return out
}

// webOf returns the web of v, or nil if it may refer to memory that the frame
// did not make.
func (l *lowerer) webOf(k webKey) *web {
	v := k.v
	w := &web{simple: true, wide: k.wide, asks: k.asks}
	seen := make(map[ssa.Value]bool)
	if _, ok := v.(*ssa.Parameter); ok {
		w.param, w.simple = true, false
		seen[v] = true // parts of it are it
		l.p.uses(v, w, seen, l.ir.Num, freshDepth)
	} else if !l.p.collect(v, w, seen, l.ir.Num, freshDepth) {
		return nil
	}
	w.settle(l.ir.Num)
	w.simple = w.simple && len(w.made) == 1
	w.settlePuts(l.ir)
	w.spread(l.ir)
	return w
}

// settlePuts takes it that the memory is handed on with the object that holds it, or when it
// is taken out there, where the holder is made after the memory. Then each time that the
// memory is new, so is the holder when it is put there: &item{s}.
func (w *web) settlePuts(ir *ssair.Func) {
	w.direct = slices.Clone(w.escapes)
	for _, x := range w.puts {
		w.direct = append(w.direct, x.at)
		if w.simple && !slices.ContainsFunc(x.holders, func(h *ssa.Alloc) bool { return !madeBefore(ir, w.made[0], h) }) {
			w.escapes = append(w.escapes, x.escapes...)
		} else {
			w.escapes = append(w.escapes, x.at)
		}
	}
	slices.Sort(w.direct)
}

// madeBefore reports whether an instruction comes before another on each way to that.
func madeBefore(ir *ssair.Func, at ssair.Instr, in ssa.Instruction) bool {
	b := ir.SSA.Blocks[ir.Block(at)]
	if b == in.Block() {
		return at < ir.Num(in)
	}
	return b.Dominates(in.Block())
}

// spread finds the blocks that control may enter after the web's memory was handed
// on.
func (w *web) spread(ir *ssair.Func) {
	slices.Sort(w.made)
	slices.Sort(w.escapes)
	blocks := ir.SSA.Blocks
	w.entered = make([]bool, len(blocks))
	var work []*ssa.BasicBlock
	leave := func(b *ssa.BasicBlock) {
		for _, s := range b.Succs {
			if !w.entered[s.Index] {
				w.entered[s.Index] = true
				work = append(work, s)
			}
		}
	}
	for _, b := range w.won {
		if !w.entered[b.Index] {
			w.entered[b.Index] = true
			work = append(work, b)
		}
	}
	for _, e := range w.escapes {
		i := ir.Block(e)
		if w.pass(ir.Start[i], ir.Start[i+1], false) {
			leave(blocks[i])
		}
	}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if w.pass(ir.Start[b.Index], ir.Start[b.Index+1], true) {
			leave(b)
		}
	}
}

// collect adds v, what it comes from and what comes from it to the web.
func (p *Program) collect(v ssa.Value, w *web, seen map[ssa.Value]bool, num func(ssa.Instruction) ssair.Instr, depth int) bool {
	if seen[v] {
		return true
	}
	seen[v] = true
	if len(seen) > maxWeb || depth == 0 {
		return false
	}
	more := func(x ssa.Value) bool { return p.collect(x, w, seen, num, depth) }
	switch x := v.(type) {
	case *ssa.Const:
		return x.Value == nil // refers to nothing
	case *ssa.Alloc, *ssa.MakeSlice, *ssa.MakeMap:
		w.made = append(w.made, num(x.(ssa.Instruction)))
	case *ssa.Slice:
		if emptied(x) {
			return true // refers to nothing
		}
		if !more(x.X) {
			return false
		}
	case *ssa.ChangeType, *ssa.ChangeInterface, *ssa.MakeInterface, *ssa.TypeAssert:
		if !more(sameMemory(v)) {
			return false
		}
	case *ssa.UnOp:
		w.simple = false
		if !w.wide || !p.heldIn(x, more) {
			return false
		}
	case *ssa.Phi:
		w.simple = false
		for _, e := range x.Edges {
			if !more(e) {
				return false
			}
		}
	case *ssa.Call:
		if b, ok := x.Call.Value.(*ssa.Builtin); ok {
			// What append yields is made again whenever that is made which it grows.
			if b.Name() != "append" || !more(x.Call.Args[0]) {
				return false
			}
			break
		}
		if !p.madeBy(x, 0, w, more, num, depth) {
			return false
		}
	case *ssa.Extract:
		if a, ok := x.Tuple.(*ssa.TypeAssert); ok && x.Index == 0 {
			if !more(a.X) {
				return false
			}
			break
		}
		c, ok := x.Tuple.(*ssa.Call)
		if !ok || !p.madeBy(c, x.Index, w, more, num, depth) {
			return false
		}
	default:
		return false
	}
	p.uses(v, w, seen, num, depth)
	return len(seen) <= maxWeb
}

// madeBy adds result i of a call to the web: memory that the callee has made, or an argument
// that it gives back.
func (p *Program) madeBy(c *ssa.Call, i int, w *web, more func(ssa.Value) bool, num func(ssa.Instruction) ssair.Instr, depth int) bool {
	if p.bornIn(c, i, depth) {
		w.made = append(w.made, num(c))
		return true
	}
	fn := c.Call.StaticCallee()
	if fn == nil {
		if w.asks {
			w.made = append(w.made, num(c))
			w.asked = append(w.asked, Yielded{Call: num(c), Result: int32(i)})
		}
		return w.asks
	}
	k := p.returnsParam(fn, i)
	return k >= 0 && k < len(c.Call.Args) && more(c.Call.Args[k])
}

// uses finds where v, which refers to the web's memory or a part of it, is
// handed on.
func (p *Program) uses(v ssa.Value, w *web, seen map[ssa.Value]bool, num func(ssa.Instruction) ssair.Instr, depth int) {
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.FieldAddr:
			p.uses(r, w, seen, num, depth)
			continue
		case *ssa.IndexAddr:
			if r.X == v {
				p.uses(r, w, seen, num, depth)
				continue
			}
		case *ssa.UnOp:
			if holdsFunc(r.Type(), typeDepth) && !keptInside(r, seen, freshDepth) {
				w.funcs = append(w.funcs, r)
			}
			if p.types.layoutOf(r.Type()).Ptr {
				w.held = append(w.held, r)
			}
			continue
		case *ssa.DebugRef, *ssa.BinOp, *ssa.Lookup, *ssa.Range, *ssa.Index:
			continue
		case *ssa.Store:
			if r.Val != v {
				continue
			}
			if a, ok := r.Addr.(*ssa.Alloc); ok && w.wide && p.inVariable(a, w, seen, num, depth) {
				continue
			}
			if fa, ok := r.Addr.(*ssa.FieldAddr); seen[rootAddr(r.Addr)] && !(ok && fa.X == v) {
				w.inside = true // x.self = x is what a method may well hand on by x.self
				continue
			}
			if h, ok := rootAddr(r.Addr).(*ssa.Alloc); ok && !seen[h] {
				x := putInto{at: num(r), field: fieldIn(h, r.Addr)}
				p.holderUses(h, h, &x, w, seen, num, holderDepth)
				if x.inside {
					x.escapes = append(x.escapes, x.beside...)
				}
				w.puts = append(w.puts, x)
				continue
			}
		case *ssa.MapUpdate:
			if r.Key != v && r.Value != v {
				continue
			}
		case *ssa.MakeInterface:
			if p.lent(r) {
				continue
			}
			if p.wrapped(r, w, seen, num, depth) || p.collect(r, w, seen, num, depth) {
				continue
			}
		case *ssa.MakeClosure:
			if keptInside(r, seen, freshDepth) {
				w.itself = true
				continue
			}
			if w.wide && p.closureKeeps(r, v, false) {
				continue
			}
		case *ssa.Slice, *ssa.ChangeType, *ssa.ChangeInterface, *ssa.TypeAssert, *ssa.Phi:
			if p.collect(r.(ssa.Value), w, seen, num, depth) {
				continue
			}
		case *ssa.Extract:
			if !p.types.layoutOf(r.Type()).Ptr || p.collect(r, w, seen, num, depth) {
				continue
			}
		case *ssa.Defer:
			if p.keepsAll(&r.Call, v) {
				continue // h.mu.Unlock
			}
		case *ssa.Call:
			if b, ok := r.Call.Value.(*ssa.Builtin); ok {
				if b.Name() != "append" || r.Call.Args[0] != v || p.collect(r, w, seen, num, depth) {
					continue // others read or fill it
				}
			} else if p.keepsAll(&r.Call, v) {
				continue
			} else if b := p.swapped(r); b != nil {
				w.won = append(w.won, b)
				continue
			} else if p.wrapsAll(&r.Call, v) {
				p.uses(r, w, seen, num, depth)
				continue
			} else if p.returnsAll(&r.Call, v) && p.back(r, w, seen, num, depth) {
				continue
			}
		}
		if _, panics := r.Block().Instrs[len(r.Block().Instrs)-1].(*ssa.Panic); panics && w.after {
			continue // (soundness: panic-paths)
		}
		w.escapes = append(w.escapes, num(r))
	}
}

// holderDepth bounds the objects in objects, and their parts, that are followed.
const holderDepth = 6

// holderUses finds where what holds a web's memory is handed on, or that memory is taken out
// of it. What a holder is, or a part of it, is v.
func (p *Program) holderUses(v ssa.Value, h *ssa.Alloc, x *putInto, w *web, seen map[ssa.Value]bool, num func(ssa.Instruction) ssair.Instr, depth int) {
	if v == h {
		if slices.Contains(x.holders, h) {
			x.inside = true
			return
		}
		x.holders = append(x.holders, h)
	}
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.DebugRef, *ssa.BinOp:
			continue
		case *ssa.FieldAddr, *ssa.Slice:
			if f, ok := r.(*ssa.FieldAddr); ok && depth > 0 && v == x.holders[0] && x.field >= 0 && f.Field != x.field {
				o := putInto{holders: x.holders, field: -1}
				p.holderUses(f, h, &o, w, seen, num, depth-1)
				x.beside, x.inside = append(x.beside, o.escapes...), x.inside || o.inside
				continue
			}
			if depth > 0 {
				p.holderUses(r.(ssa.Value), h, x, w, seen, num, depth-1)
				continue
			}
		case *ssa.IndexAddr:
			if depth > 0 && r.X == v {
				p.holderUses(r, h, x, w, seen, num, depth-1)
				continue
			}
		case *ssa.UnOp:
			if !p.types.layoutOf(r.Type()).Ptr {
				continue
			}
		case *ssa.Store:
			if r.Val != v {
				continue
			}
			if seen[rootAddr(r.Addr)] {
				w.inside = true
				continue
			}
			if into, ok := rootAddr(r.Addr).(*ssa.Alloc); ok && depth > 0 {
				p.holderUses(into, into, x, w, seen, num, depth-1)
				continue
			}
		case *ssa.Call:
			if b, ok := r.Call.Value.(*ssa.Builtin); ok && (b.Name() == "len" || b.Name() == "cap") {
				continue
			}
			if ssair.IsBuiltin(r, "append") && depth > 0 && (r.Call.Args[0] == v || isNil(r.Call.Args[0])) {
				p.holderUses(r, h, x, w, seen, num, depth-1) // a list of what is there
				continue
			}
		}
		x.escapes = append(x.escapes, num(r))
	}
}

// fieldIn returns the field of h that an address lies in, or -1 if it lies in an element.
func fieldIn(h *ssa.Alloc, addr ssa.Value) int {
	for {
		switch x := addr.(type) {
		case *ssa.FieldAddr:
			if x.X == h {
				return x.Field
			}
			addr = x.X
		case *ssa.IndexAddr:
			addr = x.X
		default:
			return -1
		}
	}
}

// back adds what a call that gives back the web's memory returns.
func (p *Program) back(c *ssa.Call, w *web, seen map[ssa.Value]bool, num func(ssa.Instruction) ssair.Instr, depth int) bool {
	results := []ssa.Value{c}
	if c.Call.Signature().Results().Len() > 1 {
		results = results[:0]
		for _, r := range *c.Referrers() {
			if e, ok := r.(*ssa.Extract); ok && p.types.layoutOf(e.Type()).Ptr {
				results = append(results, e)
			}
		}
	}
	for _, v := range results {
		if !seen[v] {
			seen[v] = true
			p.uses(v, w, seen, num, depth)
		}
	}
	return len(seen) <= maxWeb
}

// settle adds the loads of functions that may have captured the memory: to call one is
// to hand it on. So may be to use a pointer to it that is loaded from it.
func (w *web) settle(num func(ssa.Instruction) ssair.Instr) {
	if w.itself {
		for _, ld := range w.funcs {
			w.escapes = append(w.escapes, num(ld))
		}
	}
	if w.inside {
		for _, ld := range w.held {
			w.escapes = append(w.escapes, num(ld))
		}
	}
}

// wrapped reports whether an interface value is only passed to functions that return
// it in new memory; what is done with that counts for what it holds.
func (p *Program) wrapped(v *ssa.MakeInterface, w *web, seen map[ssa.Value]bool, num func(ssa.Instruction) ssair.Instr, depth int) bool {
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.DebugRef:
		case *ssa.Call:
			if !p.wrapsAll(&r.Call, v) {
				return false
			}
			p.uses(r, w, seen, num, depth)
		default:
			return false
		}
	}
	return true
}

// wrapsAll reports whether a call puts those of its arguments that are v into the new
// memory that it returns, and nowhere else: sync.NewCond(&x.mu).
func (p *Program) wrapsAll(c *ssa.CallCommon, v ssa.Value) bool {
	fn := c.StaticCallee()
	if fn == nil || c.Value == v || c.Signature().Results().Len() != 1 || c.Signature().Recv() != nil {
		return false
	}
	for k, a := range c.Args {
		if a == v && !p.wraps(fn, k) {
			return false
		}
	}
	return true
}

// wraps is wrapsAll for parameter k of a function.
func (p *Program) wraps(fn *ssa.Function, k int) bool {
	if fn.Blocks == nil {
		s, _ := p.summary(fn)
		return k < len(s.Wraps) && s.Wraps[k]
	}
	if k >= len(fn.Params) || fn.Signature.Results().Len() != 1 || !p.born(fn, 0, freshDepth) {
		return false
	}
	for _, r := range *fn.Params[k].Referrers() {
		switch r := r.(type) {
		case *ssa.DebugRef:
		case *ssa.Store:
			// What is born is the function's only allocation that leaves it.
			if a, ok := rootAddr(r.Addr).(*ssa.Alloc); !ok || r.Val != fn.Params[k] || !leaves(a) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// leaves reports whether the address of an allocation is returned.
func leaves(a *ssa.Alloc) bool {
	return slices.ContainsFunc(*a.Referrers(), func(r ssa.Instruction) bool {
		_, ok := r.(*ssa.Return)
		return ok
	})
}

// typeDepth bounds the structs in structs that are looked at for functions.
const typeDepth = 4

// holdsFunc reports whether values of a type are functions, or hold some.
func holdsFunc(t types.Type, depth int) bool {
	switch t := ssair.Under(t).(type) {
	case *types.Signature, *types.Interface:
		return true
	case *types.Struct:
		for f := range t.Fields() {
			if depth == 0 || holdsFunc(f.Type(), depth-1) {
				return true
			}
		}
	case *types.Array:
		return depth == 0 || holdsFunc(t.Elem(), depth-1)
	}
	return false
}

// keptInside reports whether a function value that has captured new memory, or a struct
// with it, goes nowhere but into that memory: c.process = c.Process. A method that is
// given it may still hand on what it finds there (soundness: handed-on).
func keptInside(v ssa.Value, made map[ssa.Value]bool, depth int) bool {
	if depth == 0 || v.Referrers() == nil {
		return false
	}
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.DebugRef:
		case *ssa.ChangeType:
			if !keptInside(r, made, depth-1) {
				return false
			}
		case *ssa.Store:
			root := rootAddr(r.Addr)
			if r.Val != v || !made[root] && !passedInside(root, made, depth-1) {
				return false
			}
		case *ssa.Call:
			if !givenToItself(&r.Call, v, made) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// passedInside reports whether an address is that of a struct which is put together to
// be copied into new memory, or to be passed to a method that does so.
func passedInside(addr ssa.Value, made map[ssa.Value]bool, depth int) bool {
	a, ok := addr.(*ssa.Alloc)
	if !ok || a.Heap {
		return false
	}
	return loadsKeptInside(a, made, depth)
}

// loadsKeptInside reports whether what is loaded from an address, or from a part of
// what lies there, is kept inside as far as it may be a function.
func loadsKeptInside(addr ssa.Value, made map[ssa.Value]bool, depth int) bool {
	for _, r := range *addr.Referrers() {
		switch r := r.(type) {
		case *ssa.UnOp:
			if holdsFunc(r.Type(), typeDepth) && !keptInside(r, made, depth) {
				return false
			}
		case *ssa.FieldAddr, *ssa.IndexAddr:
			if !loadsKeptInside(r.(ssa.Value), made, depth) {
				return false
			}
		}
	}
	return true
}

// givenToItself reports whether a call passes a value to a function that only stores
// it in new memory, which it is passed, too.
func givenToItself(c *ssa.CallCommon, v ssa.Value, made map[ssa.Value]bool) bool {
	fn := c.StaticCallee()
	if fn == nil || len(fn.Params) != len(c.Args) || c.Value == v {
		return false
	}
	for k, a := range c.Args {
		if a != v {
			continue
		}
		for _, r := range *fn.Params[k].Referrers() {
			if _, ok := r.(*ssa.DebugRef); ok {
				continue
			}
			st, ok := r.(*ssa.Store)
			if !ok || st.Val != fn.Params[k] {
				return false
			}
			into := slices.IndexFunc(fn.Params, func(p *ssa.Parameter) bool { return p == rootAddr(st.Addr) })
			if into < 0 || !made[rootAddr(c.Args[into])] {
				return false
			}
		}
	}
	return true
}

// rootAddr returns what an address is that of a part of.
func rootAddr(v ssa.Value) ssa.Value {
	for {
		switch x := v.(type) {
		case *ssa.FieldAddr:
			v = x.X
		case *ssa.IndexAddr:
			v = x.X
		default:
			return v
		}
	}
}

// swapped returns the block in which a CompareAndSwap has succeeded, if control
// depends on that at once.
func (p *Program) swapped(c *ssa.Call) *ssa.BasicBlock {
	fn := c.Call.StaticCallee()
	if fn == nil || len(*c.Referrers()) != 1 {
		return nil
	}
	branch, ok := (*c.Referrers())[0].(*ssa.If)
	if !ok {
		return nil
	}
	if e := p.entry(fn); e == nil || e.Op != library.OpAtomicCAS {
		return nil
	}
	if b := branch.Block().Succs[0]; len(b.Preds) == 1 {
		return b
	}
	return nil
}

// bornIn reports whether result i of a call is memory that the callee makes and
// hands on to nobody but its caller.
func (p *Program) bornIn(c *ssa.Call, i, depth int) bool {
	fn := c.Call.StaticCallee()
	if fn == nil || depth <= 1 {
		return false
	}
	if e := p.entry(fn); e != nil && p.blackHole(e) {
		return i == 0 && e.Op == library.OpNone && len(e.Returns) == 0 && !e.ReturnsCalled // maps.Clone
	}
	return p.born(fn, i, depth)
}

func (p *Program) born(fn *ssa.Function, i, depth int) bool {
	if fn.Blocks == nil {
		s, _ := p.summary(fn)
		return i < len(s.Born) && s.Born[i]
	}
	key := resultKey{fn, i}
	if b, ok := p.births[key]; ok {
		return b
	}
	if p.births == nil {
		p.births = make(map[resultKey]bool)
	}
	p.births[key] = false // while it is looked at: a recursive call is not known
	ok, some := true, false
	for _, b := range fn.Blocks {
		ret, isRet := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		if !isRet || i >= len(ret.Results) {
			continue
		}
		some = true
		w := &web{wide: true, after: true}
		seen := make(map[ssa.Value]bool)
		ok = p.collect(ret.Results[i], w, seen, returnOrNot, depth-1) && len(w.puts) == 0
		w.settle(returnOrNot)
		ok = ok && !slices.Contains(w.escapes, handedOver) && len(w.won) == 0
		for k, r := range ret.Results {
			_, none := r.(*ssa.Const)
			ok = ok && (k == i || none || !seen[r])
		}
		if !ok {
			break
		}
	}
	p.births[key] = ok && some
	return ok && some
}

// A handling says what a function does with what a parameter refers to.
type handling uint8

const (
	handsOn handling = iota // it may hand it on
	returns                 // it hands it on to nobody but its caller, as a result
	keeps                   // it is touched, and that is all
)

// keepsAll reports whether a call hands on none of its arguments that are v: they
// are touched, and that is all.
func (p *Program) keepsAll(c *ssa.CallCommon, v ssa.Value) bool { return p.doesWithAll(c, v) == keeps }

// returnsAll reports whether a call does no more with its arguments that are v than to
// return them.
func (p *Program) returnsAll(c *ssa.CallCommon, v ssa.Value) bool {
	return p.doesWithAll(c, v) >= returns
}

func (p *Program) doesWithAll(c *ssa.CallCommon, v ssa.Value) handling {
	fn := c.StaticCallee()
	if fn == nil {
		return handsOn
	}
	if _, closure := c.Value.(*ssa.MakeClosure); closure {
		return handsOn
	}
	does := keeps
	for k, a := range c.Args {
		if a == v {
			does = min(does, p.doesWith(fn, k))
		}
	}
	return does
}

// doesWith says what fn does with what parameter k refers to.
func (p *Program) doesWith(fn *ssa.Function, k int) handling {
	if e := p.entry(fn); e != nil {
		if k == 0 && syncsOn(e.Op) || p.keepsNothing(e) && len(e.CallsMethods) == 0 {
			return keeps
		}
		return handsOn
	}
	if fn.Blocks == nil {
		if s, _ := p.summary(fn); k < len(s.Keeps) {
			return s.Keeps[k]
		}
		return handsOn
	}
	if k >= len(fn.Params) {
		return handsOn
	}
	key := resultKey{fn, k}
	if does, ok := p.kept[key]; ok {
		return does
	}
	if p.kept == nil {
		p.kept = make(map[resultKey]handling)
	}
	p.kept[key] = handsOn // while it is looked at: a recursive call is not known
	w := &web{wide: true, after: true}
	seen := make(map[ssa.Value]bool)
	p.uses(fn.Params[k], w, seen, returnOrNot, freshDepth)
	w.settle(returnOrNot)
	switch {
	case len(seen) > maxWeb || len(w.won)+len(w.puts) > 0 || slices.Contains(w.escapes, handedOver):
	case len(w.escapes) > 0:
		p.kept[key] = returns
	default:
		p.kept[key] = keeps
	}
	return p.kept[key]
}

// What returnOrNot says of an instruction that hands memory on.
const (
	handedBack ssair.Instr = iota
	handedOver
)

// returnOrNot numbers instructions where it matters only whether memory is returned.
func returnOrNot(in ssa.Instruction) ssair.Instr {
	if _, ret := in.(*ssa.Return); ret {
		return handedBack
	}
	return handedOver
}

// returnsParam returns the parameter that result i of a function always is, if it is not nil; -1 if
// there is none.
func (p *Program) returnsParam(fn *ssa.Function, i int) int {
	if e := p.entry(fn); e != nil && p.blackHole(e) {
		return -1
	}
	if fn.Blocks == nil {
		if s, _ := p.summary(fn); i < len(s.Backs) {
			return int(s.Backs[i])
		}
		return -1
	}
	key := resultKey{fn, i}
	if k, ok := p.backs[key]; ok {
		return k
	}
	if p.backs == nil {
		p.backs = make(map[resultKey]int)
	}
	p.backs[key] = -1 // while it is looked at
	is := -1
	for _, b := range fn.Blocks {
		ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		if !ok {
			continue
		}
		if i >= len(ret.Results) {
			return -1
		}
		if _, none := ret.Results[i].(*ssa.Const); none {
			continue
		}
		k := p.paramOf(ret.Results[i], freshDepth)
		if k < 0 || is >= 0 && k != is {
			return -1
		}
		is = k
	}
	p.backs[key] = is
	return is
}

// paramOf returns the parameter that a value always is, in another form perhaps; -1 if there is none.
func (p *Program) paramOf(v ssa.Value, depth int) int {
	if depth == 0 {
		return -1
	}
	switch v := v.(type) {
	case *ssa.Parameter:
		return slices.Index(v.Parent().Params, v)
	case *ssa.ChangeType, *ssa.ChangeInterface, *ssa.MakeInterface, *ssa.TypeAssert:
		return p.paramOf(sameMemory(v), depth-1)
	case *ssa.Call:
		return p.argumentOf(v, 0, depth)
	case *ssa.Extract:
		if c, ok := v.Tuple.(*ssa.Call); ok {
			return p.argumentOf(c, v.Index, depth)
		}
	}
	return -1
}

// argumentOf is paramOf for result i of a call.
func (p *Program) argumentOf(c *ssa.Call, i, depth int) int {
	fn := c.Call.StaticCallee()
	if fn == nil {
		return -1
	}
	k := p.returnsParam(fn, i)
	if k < 0 || k >= len(c.Call.Args) {
		return -1
	}
	return p.paramOf(c.Call.Args[k], depth-1)
}

// syncsOn reports whether an operation is one on its receiver alone, which it hands to nobody.
func syncsOn(op library.Op) bool {
	switch op {
	case library.OpLock, library.OpUnlock, library.OpRLock, library.OpRUnlock, library.OpTryLock, library.OpTryRLock,
		library.OpWGAdd, library.OpWGDone, library.OpWGWait, library.OpCondWait, library.OpCondSignal, library.OpCondBroadcast,
		library.OpAtomicLoad, library.OpAtomicStore, library.OpAtomicAdd, library.OpAtomicSwap, library.OpAtomicCAS, library.OpAtomicAnd, library.OpAtomicOr:
		return true
	}
	return false
}

// keepsNothing reports whether a modelled function hands none of its arguments on,
// but to methods of theirs.
func (p *Program) keepsNothing(e *library.Func) bool {
	return p.blackHole(e) && (e.Op == library.OpNone || e.Op == library.OpLock || e.Op == library.OpUnlock) &&
		len(e.Retains)+len(e.Calls)+len(e.Concurrent)+len(e.ConcurrentMethods)+len(e.Returns)+len(e.Stores) == 0
}

// lent reports whether an interface value is only passed to library functions that
// use it until they return, as json.Unmarshal does with a type that has no method
// of its own for that, or fmt.Errorf with one whose method keeps nothing.
func (p *Program) lent(v *ssa.MakeInterface) bool {
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.DebugRef:
			continue
		case *ssa.Call:
			if r.Call.Value == v || !p.lends(&r.Call, v) {
				return false
			}
		case *ssa.Store:
			if c := passedIn(r); c == nil || !p.lends(c, v) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// lends reports whether the callee of a call is a library function that uses an argument,
// or an element of its last one, only until it returns.
func (p *Program) lends(c *ssa.CallCommon, v *ssa.MakeInterface) bool {
	fn := c.StaticCallee()
	if fn == nil {
		return false
	}
	e := p.entry(fn)
	if e == nil || !p.keepsNothing(e) {
		return false
	}
	for _, called := range e.CallsMethods {
		for _, name := range called.Names {
			m, _, _ := types.LookupFieldOrMethod(v.X.Type(), true, nil, name)
			if m == nil {
				continue
			}
			f, ok := m.(*types.Func)
			if !ok {
				return false
			}
			if of := p.ssa.FuncValue(f); of == nil || p.doesWith(of, 0) != keeps {
				return false
			}
		}
	}
	return true
}

// passedIn returns the call for which a store fills a place of the slice that is its last argument:
// fmt.Println(x, y).
func passedIn(st *ssa.Store) *ssa.CallCommon {
	at, ok := st.Addr.(*ssa.IndexAddr)
	if !ok {
		return nil
	}
	if !isVarargs(at.X) {
		return nil
	}
	var call *ssa.CallCommon
	for _, r := range *at.X.Referrers() {
		sl, ok := r.(*ssa.Slice)
		if !ok {
			continue
		}
		for _, u := range *sl.Referrers() {
			switch u := u.(type) {
			case *ssa.DebugRef:
			case *ssa.Call:
				if call != nil {
					return nil
				}
				call = &u.Call
			default:
				return nil
			}
		}
	}
	return call
}

// A resultKey names a result, or a parameter, of a function.
type resultKey struct {
	fn *ssa.Function
	i  int
}
