package pta

import (
	"go/token"
	"go/types"
	"slices"

	"github.com/iterace/iterace/internal/ssair"
	"github.com/iterace/iterace/model"
	"golang.org/x/tools/go/ssa"
)

// This file lowers what touches memory: loads, stores, elements, maps and
// channels; each makes constraints and accesses.

// needsNode reports whether a field address is used as a value; if all its
// users are loads, stores and further field addresses, its offset is folded
// into theirs.
func (l *lowerer) needsNode(in *ssa.FieldAddr) bool {
	for _, r := range *in.Referrers() {
		switch r := r.(type) {
		case *ssa.UnOp, *ssa.FieldAddr, *ssa.DebugRef:
			continue
		case *ssa.Store:
			if r.Val != in {
				continue
			}
		}
		return true
	}
	return false
}

// addr returns the node and the offset that make up an address.
func (l *lowerer) addr(v ssa.Value) (Node, int32) {
	of, off := l.fieldIn(v)
	return l.val(of), off
}

// fieldIn returns what an address is one in, by fields alone, and the offset of the field.
func (l *lowerer) fieldIn(addr ssa.Value) (of ssa.Value, off int32) {
	for {
		at, ok := addr.(*ssa.FieldAddr)
		if !ok {
			return addr, off
		}
		off += l.p.types.fieldOffset(deref(at.X.Type()), at.Field)
		addr = at.X
	}
}

func isElem(v ssa.Value) bool {
	_, ok := elemAddr(v)
	return ok
}

// elemAddr returns the address of the innermost element that an address lies in.
func elemAddr(v ssa.Value) (*ssa.IndexAddr, bool) {
	for {
		switch x := v.(type) {
		case *ssa.FieldAddr:
			v = x.X
		case *ssa.IndexAddr:
			return x, true
		default:
			return nil, false
		}
	}
}

// access records that n leaves at the address are touched.
func (l *lowerer) access(flags uint32, n Node, off, size int32, pos model.Pos, what string) {
	if n == None || l.init {
		return
	}
	for _, y := range l.ofCalls {
		y.Access = int32(len(l.f.Accesses))
		l.f.Yielded = append(l.f.Yielded, y)
	}
	for _, y := range l.putIn {
		y.Access = int32(len(l.f.Accesses))
		l.f.PutIn = append(l.f.PutIn, y)
	}
	l.f.Accesses = append(l.f.Accesses, Access{
		At: l.at, Flags: flags, Loop: l.loopIndex(), Side: l.side,
		Node: n, Off: off, N: size, Pos: pos, What: what, Arg: l.arg, Root: l.root, Puts: l.puts,
	})
}

// newness returns the flags of an access that say whether it is to new memory, or to what lies in such, and sets ofCalls
// and putIn where that is for calls to say.
func (l *lowerer) newness(addr ssa.Value, in ssa.Instruction) uint32 {
	flags := l.beforeEscape(addr, in).flag()
	if flags == 0 {
		l.ofCalls = l.yieldedBefore(addr, in)
		l.putIn = l.putInParameter(addr, in)
	}
	return flags | l.innerBeforeEscape(addr, in).innerFlag()
}

func (l *lowerer) accessAt(flags uint32, addr ssa.Value, t types.Type, in ssa.Instruction) {
	if l.init || ssair.Private(addr) {
		return
	}
	if isElem(addr) {
		flags |= FlagElem
	}
	if e, ok := elemAddr(addr); ok && l.fillsTable(e) {
		return
	}
	flags |= l.newness(addr, in)
	n, off := l.addr(addr)
	l.root = l.rootOfAccess(addr)
	l.access(flags, n, off, l.p.types.layoutOf(t).Len(), l.pos(in), describe(addr))
	l.root, l.ofCalls, l.putIn = Root{}, nil, nil
}

// accessElems records a read or write of all elements behind a slice (or of
// the array behind a pointer).
func (l *lowerer) accessElems(s ssa.Value, flags uint32, in ssa.Instruction) {
	if c, ok := in.(ssa.CallInstruction); ok {
		for k, a := range c.Common().Args {
			if a == s {
				l.arg = int8(k)
				defer func() { l.arg = -1 }()
				break
			}
		}
	}
	n := l.val(s)
	if n == None {
		return
	}
	lay := l.p.types.layout(l.elem(s.Type()))
	flags |= l.newness(s, in)
	l.root = l.rowRoot(s)
	l.access(flags|FlagElem|FlagRegion, n, 0, lay.Len(), l.pos(in), describe(s)+"[*]")
	l.root, l.ofCalls, l.putIn = Root{}, nil, nil
}

func (l *lowerer) load(in *ssa.UnOp) {
	flags := uint32(0)
	if returnOnly(in) {
		flags |= FlagReturn
	}
	if zeroSize(in.Type()) || unusedArray(in) {
		return
	}
	seen := len(l.f.Accesses)
	l.accessAt(flags, in.X, in.Type(), in)
	d := l.dst(in)
	if d == None {
		return
	}
	for k := range l.f.Accesses[seen:] {
		l.f.Accesses[seen+k].Into = d + 1
	}
	if vals, ok := cellValues(in); ok {
		for _, v := range vals {
			if s := l.val(v); s != None {
				l.copyLeaves(d, s, l.leaves(in.Type()))
			}
		}
		return
	}
	taken := l.p.takes(in)
	if v := l.forwarded(in); v != nil && taken == 0 { // of what is taken away, too, the load tells more
		if s := l.val(v); s != None {
			l.copyLeaves(d, s, l.leaves(in.Type()))
		}
		return
	}
	if v, off := l.filledWith(in); v != nil {
		if s := l.val(v); s != None {
			l.copyLeaves(d, s+Node(off), l.leaves(in.Type()))
		}
		return
	}
	if parts, off := l.partsOf(in); parts != nil {
		l.copyParts(d, l.leaves(in.Type()), off, parts)
		return
	}
	n, off := l.addr(in.X)
	l.ptrLeaves(in.Type(), func(i int32) {
		l.emit(Constraint{Op: OpLoad, Dst: d + Node(i), Src: n, Off: off + i, Arg: taken})
	})
}

// cellValues returns what a load yields of a variable that only holds a result: what
// was stored last in its block, or where nothing was, whatever is stored. Functions
// that defer have such variables, most of them m.Lock(); defer m.Unlock().
func cellValues(v ssa.Value) (vals []ssa.Value, ok bool) {
	load, ok := v.(*ssa.UnOp)
	if !ok || load.Op != token.MUL {
		return nil, false
	}
	a, ok := load.X.(*ssa.Alloc)
	if !ok || a.Heap || !resultCell(a) {
		return nil, false
	}
	if last := ssair.LastStore(load); last != nil {
		return []ssa.Value{last.Val}, true
	}
	for _, r := range *a.Referrers() {
		if st, ok := r.(*ssa.Store); ok && !loads(st.Val, a) {
			vals = append(vals, st.Val)
		}
	}
	return vals, len(vals) > 0
}

func zeroSize(t types.Type) bool {
	switch u := ssair.Under(t).(type) {
	case *types.Struct:
		for i := range u.NumFields() {
			if !zeroSize(u.Field(i).Type()) {
				return false
			}
		}
		return true
	case *types.Array:
		return u.Len() == 0 || zeroSize(u.Elem())
	}
	return false
}

// unusedArray reports whether a load only serves a range over an array of
// which nothing but the length is used.
func unusedArray(in *ssa.UnOp) bool {
	_, ok := ssair.Under(in.Type()).(*types.Array)
	return ok && len(*in.Referrers()) == 0
}

// returnOnly reports whether a load only serves a return statement, so that
// the compiled program does it after the statement's calls although go/ssa
// puts it before them.
func returnOnly(in *ssa.UnOp) bool {
	refs := in.Referrers()
	if refs == nil || len(*refs) != 1 {
		return false
	}
	_, ok := (*refs)[0].(*ssa.Return)
	return ok
}

// held notes what a variable of the function holds, if a store alone says so, once for each that is made.
func (l *lowerer) held(in *ssa.Store, value Node) {
	v, ok := in.Addr.(*ssa.Alloc)
	if !ok {
		return
	}
	if st, ok := ssair.AssignedOnce(v); !ok || st != in || !ssair.StoredOnce(in) {
		return
	}
	at := l.ir.Num(v)
	for k := len(l.f.Allocs) - 1; k >= 0; k-- { // most are near by
		if a := &l.f.Allocs[k]; a.At == at && a.Side == l.side && a.Loop == l.loopIndex() {
			a.Held = value
			return
		}
	}
}

func (l *lowerer) store(in *ssa.Store) {
	t := in.Val.Type()
	if zeroSize(t) {
		return
	}
	ptr := l.p.types.layoutOf(t).Ptr
	if l.init && !ptr {
		return
	}
	flags := uint32(FlagWrite)
	if _, ok := slices.BinarySearchFunc(l.f.Guards, l.at, func(g Guard, at ssair.Instr) int { return int(g.Store - at) }); ok {
		flags |= FlagGuarded
	}
	if isNil(in.Val) {
		flags |= FlagNil
	}
	l.puts = l.putBy(in)
	l.accessAt(flags, in.Addr, t, in)
	l.puts = Content{}
	s := l.val(in.Val)
	if s == None {
		return
	}
	l.held(in, s)
	n, off := l.addr(in.Addr)
	fact := l.fact(in.Val)
	f := &l.f.Facts[fact]
	f.SelfOff, f.Self = l.within(in.Val, n)
	f.Sole = f.Self || l.storedSole(in)
	f.Swap = !f.Sole && swaps(in)
	if !f.Sole {
		f.Call, f.Yields = l.yieldedAlone(in)
	}
	if l.freshArray(in) {
		f.Fresh, f.Several = true, true
	}
	gone := l.overwritten(in)
	steps, back := l.storedBack(in)
	if f.Back = back; back {
		l.grow(in.Val, in, steps)
	}
	if s = l.addedBack(s, steps, back); s == None {
		return
	}
	lit := l.literalOf(in)
	l.ptrLeaves(t, func(i int32) {
		if gone[i] {
			return
		}
		by := fact
		if v := lit[i]; v != nil {
			if x, ok := l.within(v, n); ok {
				by = l.fact(in.Val)
				f := &l.f.Facts[by]
				f.Self, f.SelfOff, f.Sole = true, x, true
			} else if l.copiedOnce(in) && l.storedFresh(v) {
				by = l.fact(in.Val)
				l.f.Facts[by].Fresh = true
			}
		}
		l.emit(Constraint{Op: OpStore, Dst: n, Off: off + i, Src: s + Node(i), Arg: by})
	})
}

// copiedOnce reports whether a store is all that is done with the struct literal that it copies, and in the round that
// has filled it.
func (l *lowerer) copiedOnce(in *ssa.Store) bool {
	ld := in.Val.(*ssa.UnOp)
	loads := 0
	for _, r := range *ld.X.Referrers() {
		if _, ok := r.(*ssa.UnOp); ok {
			loads++
		}
	}
	return loads == 1 && timesStored(ld) <= 1 && l.ir.Innermost(ld.Block()) == l.ir.Innermost(in.Block())
}

// freshArray reports whether a store copies an array literal, of which each element is made for it:
//
//	w := &world{cells: [2][]int{make([]int, n), make([]int, n)}}
func (l *lowerer) freshArray(in *ssa.Store) bool {
	ld, ok := in.Val.(*ssa.UnOp)
	if !ok || ld.Op != token.MUL {
		return false
	}
	lit, ok := ld.X.(*ssa.Alloc)
	if !ok || lit.Heap || !l.copiedOnce(in) {
		return false
	}
	a, ok := ssair.Under(ld.Type()).(*types.Array)
	if !ok || l.leaves(a.Elem()) != 1 {
		return false
	}
	var made []ssa.Value
	for _, r := range *lit.Referrers() {
		switch r := r.(type) {
		case *ssa.DebugRef, *ssa.UnOp:
		case *ssa.IndexAddr:
			for _, u := range *r.Referrers() {
				st, ok := u.(*ssa.Store)
				if !ok || st.Addr != r || !l.storedFresh(st.Val) {
					return false
				}
				x := ssair.Uncut(st.Val)
				if slices.Contains(made, x) {
					return false // two parts of one
				}
				made = append(made, x)
			}
		default:
			return false
		}
	}
	return len(made) > 0
}

// literalOf returns, by leaf, the pointers of a struct literal that a store copies, as
// in c.reader = reader{of: c}.
func (l *lowerer) literalOf(in *ssa.Store) map[int32]ssa.Value {
	ld, ok := in.Val.(*ssa.UnOp)
	if !ok || ld.Op != token.MUL {
		return nil
	}
	lit, ok := ld.X.(*ssa.Alloc)
	if !ok || lit.Heap {
		return nil
	}
	t := deref(lit.Type())
	out := make(map[int32]ssa.Value)
	for _, r := range *lit.Referrers() {
		switch r := r.(type) {
		case *ssa.DebugRef, *ssa.UnOp:
		case *ssa.Store:
			if _, zero := r.Val.(*ssa.Const); !zero || r.Addr != lit {
				return nil
			}
		case *ssa.FieldAddr:
			i := l.p.types.fieldOffset(t, r.Field)
			for _, u := range *r.Referrers() {
				switch u := u.(type) {
				case *ssa.DebugRef:
				case *ssa.Store:
					if u.Addr != r || out[i] != nil || !u.Block().Dominates(ld.Block()) || l.ir.Num(u) > l.ir.Num(ld) {
						return nil
					}
					if lay := l.p.types.layoutOf(u.Val.Type()); lay.Ptr && lay.Len() == 1 {
						out[i] = u.Val
					}
				default:
					return nil
				}
			}
		default:
			return nil
		}
	}
	return out
}

// within reports whether v is an address in what node n points to, and how far in:
// as in b.buf = b.small[:0], or in l.root.next = &l.root.
func (l *lowerer) within(v ssa.Value, n Node) (off int32, ok bool) {
	for {
		switch x := v.(type) {
		case *ssa.ChangeType:
			v = x.X
			continue
		case *ssa.Slice:
			if _, array := ssair.Under(x.X.Type()).(*types.Pointer); array {
				v = x.X
				continue
			}
		}
		break
	}
	if _, ok := ssair.Under(v.Type()).(*types.Pointer); !ok {
		return 0, false
	}
	m, off := l.addr(v)
	return off, m == n
}

// fact records what an overlay must know of the store being lowered; v is the
// stored value, nil for a copy into memory that was just allocated.
func (l *lowerer) fact(v ssa.Value) int32 {
	l.f.Facts = append(l.f.Facts, StoreFact{
		At: l.at, Loop: l.loopIndex(), Side: l.side, Plain: l.inPlainLoop(),
		Fresh: v == nil || l.storedFresh(v),
		Again: v != nil && l.storedAgain(v), From: None, Each: None,
	})
	f := &l.f.Facts[len(l.f.Facts)-1]
	if v != nil {
		f.Once = f.Again && l.sentOnce(v)
		l.noteGiven(f, v)
	}
	return int32(len(l.f.Facts) - 1)
}

// factOf is fact for what a modelled call stores; of a function without code, whose arguments are its
// parameters, in is nil.
func (l *lowerer) factOf(in ssa.CallInstruction, v ssa.Value) int32 {
	if in != nil {
		return l.fact(v)
	}
	l.f.Facts = append(l.f.Facts, StoreFact{At: l.at, Loop: -1, From: None, Each: None})
	return int32(len(l.f.Facts) - 1)
}

func (l *lowerer) indexAddr(in *ssa.IndexAddr) {
	if l.fillsTable(in) {
		return
	}
	n, off := l.addr(in.X)
	if off != 0 {
		tmp := l.newNodes(1)
		l.emit(Constraint{Op: OpOffset, Dst: tmp, Src: n, Off: off})
		n = tmp
	}
	l.elemOf(l.dst(in), n, l.elem(in.X.Type()), in.Index)
}

// elemOf emits dst = &src[index].
func (l *lowerer) elemOf(dst, src Node, elem TypeID, index ssa.Value) {
	lay := l.p.types.layout(elem)
	if !splits(lay) {
		l.emit(Constraint{Op: OpElem, Dst: dst, Src: src})
		return
	}
	c := Constraint{Op: OpElem, Dst: dst, Src: src, Off: lay.Len()}
	o := l.ownOf(index)
	switch {
	case o.loop != nil && o.loop == l.loop:
		c.Part = l.side
	case o.mask != 0:
		c.Part, c.Mask = partByTag, o.mask
	}
	l.emit(c)
}

// fillsTable reports whether the address of an element, in a package's initialiser,
// only serves to store values without pointers there, before anybody else knows the
// memory; in library code, whenever. Tables are most of all initialisers.
func (l *lowerer) fillsTable(v *ssa.IndexAddr) bool {
	return ssair.Initialises(l.fn) && l.onlyPlainStores(v)
}

func (l *lowerer) onlyPlainStores(v ssa.Value) bool {
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.Store:
			if r.Addr == v && !l.p.types.layoutOf(r.Val.Type()).Ptr && (l.init || l.beforeEscape(v, r) == newHere) {
				continue
			}
		case *ssa.FieldAddr:
			if l.onlyPlainStores(r) {
				continue
			}
		case *ssa.IndexAddr:
			if l.onlyPlainStores(r) {
				continue
			}
		}
		return false
	}
	return true
}

// index_ lowers the indexing of an array value: all its parts flow out.
func (l *lowerer) index_(in *ssa.Index) {
	d := l.dst(in)
	if d == None {
		return
	}
	s := l.val(in.X)
	lay := l.p.types.layoutOf(in.X.Type())
	n := l.leaves(in.Type())
	for p := int32(0); p*n < lay.Len(); p++ {
		l.copyLeaves(d, s+Node(p*n), n)
	}
}

// mapLeaves returns the offsets of key and element in a map object.
func (l *lowerer) mapLeaves(t types.Type) (key, elem int32, m *types.Map) {
	m = ssair.Under(t).(*types.Map)
	return 1, 1 + l.p.types.layoutOf(m.Key()).Len(), m
}

func (l *lowerer) mapAccess(m ssa.Value, flags uint32, in ssa.Instruction) {
	flags |= l.newness(m, in)
	l.access(flags|FlagMap, l.val(m), mapHeader, 1, l.pos(in), describe(m)+"[*]")
	l.ofCalls, l.putIn = nil, nil
}

func (l *lowerer) lookup(in *ssa.Lookup) {
	if _, ok := ssair.Under(in.X.Type()).(*types.Map); !ok {
		return // a string
	}
	l.mapAccess(in.X, 0, in)
	_, elem, m := l.mapLeaves(in.X.Type())
	d, s := l.dst(in), l.val(in.X)
	if d == None || s == None {
		return
	}
	taken := l.p.takesKey(in)
	l.ptrLeaves(m.Elem(), func(i int32) {
		l.emit(Constraint{Op: OpLoad, Dst: d + Node(i), Src: s, Off: elem + i, Arg: taken})
	})
}

// loadLeaves emits d+i ⊇ *(s+off+i) for the pointerful leaves of t.
func (l *lowerer) loadLeaves(d, s Node, off int32, t types.Type, part uint8, taken int32) {
	if d == None || s == None {
		return
	}
	l.ptrLeaves(t, func(i int32) {
		l.emit(Constraint{Op: OpLoad, Dst: d + Node(i), Src: s, Off: off + i, Part: part, Arg: taken})
	})
}

func (l *lowerer) storeLeaves(d Node, off int32, s Node, t types.Type, fact int32) {
	l.storeEach(d, off, s, t, func(int32) int32 { return fact })
}

// storeEach is storeLeaves with a fact of each leaf's own.
func (l *lowerer) storeEach(d Node, off int32, s Node, t types.Type, fact func(leaf int32) int32) {
	if d == None || s == None {
		return
	}
	l.ptrLeaves(t, func(i int32) {
		l.emit(Constraint{Op: OpStore, Dst: d, Off: off + i, Src: s + Node(i), Arg: fact(i)})
	})
}

func (l *lowerer) mapUpdate(in *ssa.MapUpdate) {
	l.mapAccess(in.Map, FlagWrite, in)
	key, elem, m := l.mapLeaves(in.Map.Type())
	l.storeLeaves(l.val(in.Map), key, l.val(in.Key), m.Key(), l.fact(in.Key))
	steps, back := l.putBack(in)
	if back && sameKey(in) {
		l.grow(in.Value, in, steps)
	}
	fact := l.fact(in.Value)
	l.f.Facts[fact].Sole = l.updatedSole(in)
	l.storeLeaves(l.val(in.Map), elem, l.addedBack(l.val(in.Value), steps, back), m.Elem(), fact)
}

// next lowers one step of a range over a map; the key and element it yields
// are the round's own where all rounds are steps of one range: else another round,
// or another thread, goes through the same map.
func (l *lowerer) next(in *ssa.Next) {
	if in.IsString {
		return
	}
	rng := in.Iter.(*ssa.Range)
	l.mapAccess(rng.X, 0, rng)
	d := l.dst(in)
	if d == None {
		return
	}
	key, elem, m := l.mapLeaves(rng.X.Type())
	tup := in.Type().(*types.Tuple)
	s := l.val(rng.X)
	part := uint8(partAny)
	if l.loop != nil && l.oneRange(in) {
		part = l.side
	}
	l.loadLeaves2(d, tup, 1, s, key, m.Key(), part, 0)
	l.loadLeaves2(d, tup, 2, s, elem, m.Elem(), part, l.p.takesStep(in))
}

// oneRange reports whether all rounds that may overlap with that of a step are steps of
// one range.
func (l *lowerer) oneRange(in *ssa.Next) bool {
	nat := l.ir.Innermost(in.Block())
	return nat != nil && !l.ir.Loops[l.region(nat)].Contains(in.Iter.(*ssa.Range).Block())
}

// loadLeaves2 loads into component i of a tuple; the component may be invalid
// where the program does not use it.
func (l *lowerer) loadLeaves2(d Node, tup *types.Tuple, i int, s Node, off int32, t types.Type, part uint8, taken int32) {
	if l.p.types.layoutOf(tup.At(i).Type()).Len() != l.p.types.layoutOf(t).Len() || !l.p.types.layoutOf(tup.At(i).Type()).Ptr {
		return
	}
	l.loadLeaves(d+Node(l.tupleOffset(tup, i)), s, off, t, part, taken)
}

// ownLoad is the part of a load that yields what is the iteration's own: a
// receive, a Get from a pool.
func (l *lowerer) ownLoad() uint8 {
	if l.side != 0 {
		return l.side
	}
	return partOfTag
}

func (l *lowerer) receive(in ssa.Value, ch ssa.Value, commaOk bool) {
	l.operand(0, l.val(ch))
	if d := l.dst(in); d != None {
		elem := ssair.Under(ch.Type()).(*types.Chan).Elem()
		l.received(d, elem, 0)
		l.loadLeaves(d, l.val(ch), 0, elem, l.ownLoad(), 0)
	}
}

// received notes where a function has what it receives.
func (l *lowerer) received(d Node, elem types.Type, operand int32) {
	l.f.Received = append(l.f.Received, Received{Node: d, Len: l.p.types.layoutOf(elem).Len(), Operand: operand, At: l.at})
}

func (l *lowerer) send(ch, x ssa.Value) {
	fact, again := l.fact(x), l.partsAgain(x)
	boxed := false // in an interface
	if m, ok := x.(*ssa.MakeInterface); ok {
		boxed = len(l.partsAgain(m.X)) > 0
	}
	l.storeEach(l.val(ch), 0, l.val(x), x.Type(), func(leaf int32) int32 {
		if !boxed && !slices.Contains(again, leaf) {
			return fact
		}
		part := l.f.Facts[fact]
		part.Part = true
		l.f.Facts = append(l.f.Facts, part)
		return int32(len(l.f.Facts) - 1)
	})
}

// partsAgain lists the leaves of a struct that the function has put together, the pointers of which it stores
// more than once: see storedAgain.
//
//	q := &queue{}
//	for _, k := range keys {
//		jobs <- job{key: k, q: q}
//	}
func (l *lowerer) partsAgain(x ssa.Value) (leaves []int32) {
	ld, ok := x.(*ssa.UnOp)
	if !ok || ld.Op != token.MUL {
		return nil
	}
	of, ok := ld.X.(*ssa.Alloc)
	if !ok {
		return nil
	}
	for _, u := range *of.Referrers() {
		fa, ok := u.(*ssa.FieldAddr)
		if !ok {
			continue
		}
		for _, w := range *fa.Referrers() {
			if st, ok := w.(*ssa.Store); ok && st.Addr == fa && l.p.types.layoutOf(st.Val.Type()).Len() == 1 && l.storedAgain(st.Val) {
				leaves = append(leaves, l.p.types.fieldOffset(deref(of.Type()), fa.Field))
			}
		}
	}
	return leaves
}

func (l *lowerer) selectStmt(in *ssa.Select) {
	d := l.dst(in)
	tup := in.Type().(*types.Tuple)
	recv := 2
	for k, st := range in.States {
		l.operand(int32(k), l.val(st.Chan))
		if st.Dir == types.SendOnly {
			l.send(st.Chan, st.Send)
			continue
		}
		elem := ssair.Under(st.Chan.Type()).(*types.Chan).Elem()
		if d != None {
			l.received(d+Node(l.tupleOffset(tup, recv)), elem, int32(k))
			l.loadLeaves(d+Node(l.tupleOffset(tup, recv)), l.val(st.Chan), 0, elem, l.ownLoad(), 0)
		}
		recv++
	}
}

func (l *lowerer) operand(k int32, n Node) {
	if n != None {
		l.f.Operands = append(l.f.Operands, Operand{At: l.at, K: k, Node: n, Pos: l.pos(l.ir.At(l.at))})
	}
}

// describe renders an address or value as the source names it: "s.buf[*].n".
func describe(v ssa.Value) string { return describeDepth(v, maxDescribed) }

// maxDescribed bounds the steps that lead to a value: to a field of an element of a slice in a new struct it is six.
const maxDescribed = 8

func describeDepth(v ssa.Value, depth int) string {
	if depth == 0 {
		return "…"
	}
	switch v := v.(type) {
	case *ssa.FieldAddr:
		st := ssair.Under(deref(v.X.Type())).(*types.Struct)
		return dot(describeDepth(v.X, depth-1), st.Field(v.Field).Name())
	case *ssa.Field:
		st := ssair.Under(v.X.Type()).(*types.Struct)
		return dot(describeDepth(v.X, depth-1), st.Field(v.Field).Name())
	case *ssa.IndexAddr:
		return describeDepth(v.X, depth-1) + "[*]"
	case *ssa.Index:
		return describeDepth(v.X, depth-1) + "[*]"
	case *ssa.Lookup:
		return describeDepth(v.X, depth-1) + "[*]"
	case *ssa.UnOp:
		if v.Op == token.MUL {
			return describeDepth(v.X, depth-1)
		}
	case *ssa.Slice:
		return describeDepth(v.X, depth-1)
	case *ssa.Alloc:
		if allocWord(v) == "var" {
			return v.Comment
		}
		return storedNameDepth(v, depth-1)
	case *ssa.Global:
		return v.Name()
	case *ssa.Parameter:
		return v.Name()
	case *ssa.FreeVar:
		return v.Name()
	case *ssa.Phi:
		return v.Comment
	case *ssa.ChangeType:
		return describeDepth(v.X, depth-1)
	case *ssa.MakeMap, *ssa.MakeSlice, *ssa.MakeChan:
		return storedNameDepth(v, depth-1)
	case *ssa.Extract:
		if c, ok := v.Tuple.(*ssa.Call); ok {
			return describeDepth(c, depth-1)
		}
	case *ssa.Call:
		if f := v.Call.StaticCallee(); f != nil {
			return f.Name() + "()"
		}
		if v.Call.IsInvoke() {
			return v.Call.Method.Name() + "()"
		}
	}
	return ""
}

func dot(base, field string) string {
	if base == "" {
		return "." + field
	}
	return base + "." + field
}

// allocWord says in a word what source form an Alloc comes from.
func allocWord(in *ssa.Alloc) string {
	switch in.Comment {
	case "complit", "slicelit":
		return "literal"
	case "new", "makeslice", "varargs":
		return in.Comment
	case "":
		return "new"
	}
	return "var"
}

func allocName(in *ssa.Alloc) string {
	if allocWord(in) == "var" {
		return in.Comment
	}
	return storedName(in)
}

// storedName is the name of the variable or field that a fresh value is
// stored into, if there is one.
func storedName(v ssa.Value) string { return storedNameDepth(v, maxDescribed) }

// maxNamed bounds the uses of a value that are searched for its name: tables in
// generated code have tens of thousands, and each of them asks (17 of 55 s on a
// compression library with its tests).
const maxNamed = 256

func storedNameDepth(v ssa.Value, depth int) string {
	refs := v.Referrers()
	if refs == nil || depth <= 0 {
		return ""
	}
	for _, r := range (*refs)[:min(len(*refs), maxNamed)] {
		switch r := r.(type) {
		case *ssa.Store:
			if r.Val == v {
				switch a := r.Addr.(type) {
				case *ssa.Alloc:
					if allocWord(a) == "var" {
						return a.Comment
					}
				case *ssa.Global:
					return a.Name()
				case *ssa.FreeVar:
					return a.Name()
				case *ssa.FieldAddr:
					return describeDepth(a, depth-1)
				}
			}
		case *ssa.Slice:
			if n := storedNameDepth(r, depth-1); n != "" {
				return n
			}
		case *ssa.DebugRef:
			if obj := r.Object(); obj != nil {
				return obj.Name()
			}
		}
	}
	return ""
}
