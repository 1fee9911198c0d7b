package index

import (
	"cmp"
	"go/types"
	"slices"
	"strings"

	"github.com/iterace/iterace/internal/ssair"
	"golang.org/x/tools/go/ssa"
)

// This file resolves loads of local variables that live in memory because a
// closure captures them or a field of theirs is set: an on-demand conversion
// to SSA. It applies to variables whose address goes nowhere but to loads,
// stores and closures that only load.

// A cell is such a variable: an Alloc, or a phi of them (the per-iteration
// variable of a 3-clause loop is a phi of the first copy and the next one).
type cell struct {
	ok     bool
	name   string
	def    ssa.Instruction
	stores []cellStore       // by number
	uses   []ssa.Instruction // loads and stores

	// Of a new object that is handed on, see born.
	sought, born bool
	escapes      []escape
}

type cellStore struct {
	in   *ssa.Store
	path string
	n    int32 // of in
}

// sortStores puts the stores into the order of their numbers, which readAt looks them up by.
func (c *cell) sortStores() {
	slices.SortFunc(c.stores, func(x, y cellStore) int { return cmp.Compare(x.n, y.n) })
}

// lastIn returns the last store to the path, a part of it or what it is a part of, before
// instruction number before of a block that begins with number start; nil if there is none.
func (c *cell) lastIn(path string, start, before int32) *cellStore {
	i, _ := slices.BinarySearchFunc(c.stores, before, func(s cellStore, n int32) int { return cmp.Compare(s.n, n) })
	for i--; i >= 0 && c.stores[i].n >= start; i-- {
		if related(c.stores[i].path, path) {
			return &c.stores[i]
		}
	}
	return nil
}

type cellKey struct {
	p    ssa.Value
	path string
	blk  int
}

// cellOf returns the cell that p addresses, or nil.
func (b *builder) cellOf(p ssa.Value) *cell {
	if c, ok := b.cells[p]; ok {
		if c == nil || !c.ok {
			return nil
		}
		return c
	}
	c := &cell{}
	if b.cells == nil {
		b.cells = make(map[ssa.Value]*cell)
	}
	b.cells[p] = c
	switch p := p.(type) {
	case *ssa.Alloc:
		c.name, c.def = p.Comment, p
	case *ssa.Phi:
		c.name, c.def = p.Comment, p
		for _, e := range p.Edges {
			if a, ok := e.(*ssa.Alloc); !ok || b.cellOf(a) == nil {
				return nil
			}
		}
	default:
		return nil
	}
	if !b.cellUses(c, p, "", 0) {
		return nil
	}
	c.sortStores()
	for _, u := range *p.Referrers() {
		// From a phi on only the phi may be used to get at the copies.
		if phi, ok := u.(*ssa.Phi); ok {
			for _, u := range c.uses {
				if b.f.Reaches(phi, u, c.def) {
					return nil
				}
			}
		}
	}
	c.ok = true
	return c
}

// cellUses collects the uses of an address inside the cell; false if the
// address escapes.
func (b *builder) cellUses(c *cell, p ssa.Value, path string, depth int) bool {
	if depth > 4 || p.Referrers() == nil {
		return false
	}
	for _, u := range *p.Referrers() {
		switch u := u.(type) {
		case *ssa.DebugRef:
		case *ssa.UnOp:
			c.uses = append(c.uses, u)
		case *ssa.Store:
			if u.Addr != p || u.Val == p {
				return false
			}
			c.uses = append(c.uses, u)
			c.stores = append(c.stores, cellStore{u, path, int32(b.f.Num(u))})
		case *ssa.FieldAddr, *ssa.IndexAddr:
			_, i, ok := partOf(u.(ssa.Value))
			if !ok || !b.cellUses(c, u.(ssa.Value), path+fieldStep(i), depth+1) {
				return false
			}
		case *ssa.MakeClosure:
			if path != "" || !onlyLoads(u, p, 0) {
				return false
			}
		case *ssa.Phi:
			if path != "" || depth > 0 || u == p {
				return false
			}
			if _, isAlloc := p.(*ssa.Alloc); !isAlloc {
				return false // a phi of phis
			}
		default:
			return false
		}
	}
	return true
}

func fieldStep(i int) string { return "." + string(rune('0'+i)) }

// readAt returns what the cell p holds at path just before instruction number
// before in block blk.
func (b *builder) readAt(p ssa.Value, c *cell, path string, blk *ssa.BasicBlock, before int32) vref {
	if last := c.lastIn(path, int32(b.f.Start[blk.Index]), before); last != nil {
		switch {
		case last.path == path:
			return b.val(last.in.Val)
		case strings.HasPrefix(path, last.path):
			return b.fieldOf(b.val(last.in.Val), last.in.Val.Type(), path[len(last.path):])
		}
		return b.fresh(last.in.Val.Type(), blk) // part of what is read
	}
	if c.def.Block() == blk {
		if phi, ok := p.(*ssa.Phi); ok {
			return b.readPhi(p, path, blk, phi.Edges)
		}
		return b.zero(p, path)
	}
	return b.readEntry(p, c, path, blk)
}

// related reports whether one path is a prefix of the other.
func related(p, q string) bool { return strings.HasPrefix(p, q) || strings.HasPrefix(q, p) }

func (b *builder) readEnd(p ssa.Value, path string, blk *ssa.BasicBlock) vref {
	c := b.cellOf(p)
	if c == nil {
		if c = b.cells[p]; c == nil || !c.born {
			return 0
		}
	}
	return b.readAt(p, c, path, blk, int32(b.f.Start[blk.Index+1]))
}

// readEntry returns what the cell p holds at path where block blk begins.
func (b *builder) readEntry(p ssa.Value, c *cell, path string, blk *ssa.BasicBlock) vref {
	switch len(blk.Preds) {
	case 0:
		return b.zero(p, path)
	case 1:
		// The cases of a switch are a chain of blocks, which thousands of reads go up in a
		// parser's tables turned into code.
		if blk.Index%chainStep != 0 {
			return b.readEnd(p, path, blk.Preds[0])
		}
		key := cellKey{p, path, blk.Index}
		r, ok := b.reads[key]
		if !ok {
			r = b.readEnd(p, path, blk.Preds[0])
			b.keepRead(key, r)
		}
		return r
	}
	edges := make([]ssa.Value, len(blk.Preds))
	for i := range edges {
		edges[i] = p
	}
	return b.readPhi(p, path, blk, edges)
}

// readPhi makes the phi of what the cells edges hold at the ends of the
// predecessors.
func (b *builder) readPhi(p ssa.Value, path string, blk *ssa.BasicBlock, edges []ssa.Value) vref {
	key := cellKey{p, path, blk.Index}
	if r, ok := b.reads[key]; ok {
		return r
	}
	t := fieldType(deref(p.Type()), path)
	r := b.add(val{op: opPhi, kind: kindOf(t), blk: int32(blk.Index), at: -1, s: b.cells[p].name})
	b.keepRead(key, r)
	args := arena(&b.s.refs, len(edges))
	for i, e := range edges {
		if b.f.LiveEdge(blk, i) {
			args[i] = b.readEnd(e, path, blk.Preds[i])
		}
	}
	b.deadEdges(blk, args)
	b.c.vals[r].a = args
	b.phis = append(b.phis, r)
	b.trivial(r)
	return r
}

// chainStep says in which blocks with one predecessor reads are remembered: one in so many.
const chainStep = 16

func (b *builder) keepRead(key cellKey, r vref) {
	if b.reads == nil {
		b.reads = make(map[cellKey]vref)
	}
	b.reads[key] = r
}

// trivial makes a phi of one value and itself an alias of the value.
func (b *builder) trivial(r vref) bool {
	same := vref(0)
	for _, x := range b.c.vals[r].a {
		x = b.resolve(x)
		switch {
		case x == r || x == same:
		case same != 0 || x == 0:
			return false
		default:
			same = x
		}
	}
	if same == 0 {
		return false
	}
	b.c.vals[r] = val{op: opAlias, at: -1, blk: -1, a: b.list(same)}
	return true
}

// settle simplifies the phis that others have made trivial.
func (b *builder) settle() {
	for again := true; again; {
		again = false
		for _, r := range b.phis {
			if b.c.vals[r].op == opPhi && b.trivial(r) {
				again = true
			}
		}
	}
}

func (b *builder) zero(p ssa.Value, path string) vref {
	t := fieldType(deref(p.Type()), path)
	if kindOf(t).isInt() {
		return b.constant(0, kindOf(t))
	}
	if kindOf(t) == kSlice {
		return b.nilSlice()
	}
	return 0
}

// fieldType follows a field path.
func fieldType(t types.Type, path string) types.Type {
	for _, s := range path {
		if s == '.' {
			continue
		}
		_, part := parts(t)
		if part == nil {
			return types.Typ[types.Invalid]
		}
		t = part(int(s - '0'))
	}
	return t
}

// maxArray bounds the arrays of which each element counts as a field, as far as only constants index them: [2]int{lo, hi}.
const maxArray = 8

// parts returns the number and the types of the fields of a struct, or of the elements of a small array; part is nil for others.
func parts(t types.Type) (n int, part func(int) types.Type) {
	switch t := ssair.Under(t).(type) {
	case *types.Struct:
		return t.NumFields(), func(i int) types.Type { return t.Field(i).Type() }
	case *types.Array:
		if t.Len() <= maxArray {
			return int(t.Len()), func(int) types.Type { return t.Elem() }
		}
	}
	return 0, nil
}

// partOf returns the address of a struct, or a small array, of which p is the address of field i.
func partOf(p ssa.Value) (x ssa.Value, i int, ok bool) {
	switch p := p.(type) {
	case *ssa.FieldAddr:
		return p.X, p.Field, true
	case *ssa.IndexAddr:
		if k, is := p.Index.(*ssa.Const); is && !ssair.IsSlice(p.X.Type()) {
			if n, part := parts(deref(p.X.Type())); part != nil && 0 <= k.Int64() && k.Int64() < int64(n) {
				return p.X, int(k.Int64()), true
			}
		}
	}
	return nil, 0, false
}

func deref(t types.Type) types.Type {
	if p, ok := ssair.Under(t).(*types.Pointer); ok {
		return p.Elem()
	}
	return t
}
