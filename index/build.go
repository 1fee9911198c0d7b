package index

import (
	"go/token"
	"go/types"
	"strconv"

	"github.com/iterace/iterace/internal/ssair"
	"golang.org/x/tools/go/ssa"
)

// A builder lowers one SSA function to its code.
type builder struct {
	f           *ssair.Func
	c           *code
	byInstr     []vref
	consts      map[int64]vref
	nils        vref
	others      map[ssa.Value]vref // parameters, free variables, globals
	cells       map[ssa.Value]*cell
	reads       map[cellKey]vref
	phis        []vref       // made by reads
	allocs      []*ssa.Alloc // lowered as such
	earlies     []*ssa.UnOp  // loads of new objects that may not have been handed on yet
	ranges      map[*ssa.BasicBlock]string
	depth       int  // of callees looked into
	returnsList bool // one of the results is a slice
	takes       []take
	pointers    []*ssa.Store // of pointers
	outside     Outside
	s           *scratch
}

// Build returns what index forms need of the function, or nil if no index
// form can depend on it. The result does not refer to the SSA function.
func Build(f *ssair.Func, outside Outside) *Func {
	if !interesting(f.SSA) {
		return nil
	}
	return build(f, 0, outside)
}

// An Outside returns what Small has made of a function that has no code here,
// or nil.
type Outside func(*ssa.Function) *Func

// Small returns what callers keep of a function with their own code, or nil if
// it is not small or its results are no matter of indices.
func Small(fn *ssa.Function, outside Outside) *Func {
	b := &builder{outside: outside}
	res := fn.Signature.Results()
	if len(fn.Blocks) == 0 || res.Len() == 0 {
		return nil
	}
	if !indicesFrom(res) && !(res.Len() == 1 && types.IsInterface(res.At(0).Type())) {
		return nil
	}
	return b.small(fn)
}

func build(f *ssair.Func, depth int, outside Outside) *Func {
	s := scratches.Get().(*scratch)
	defer scratches.Put(s)
	c := lower(f, depth, outside, s)
	out := s.pack(c)
	clear(c.vals)
	s.vals, s.blocks = c.vals[:0], c.blocks[:0]
	return out
}

// interesting reports whether the function accesses memory through anything
// but globals, or passes something on. Package initialisers run before any
// loop and are the largest functions of all.
func interesting(fn *ssa.Function) bool {
	if fn.Blocks == nil || fn.Synthetic == "package initializer" {
		return false
	}
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			switch in := in.(type) {
			case *ssa.UnOp:
				if in.Op != token.MUL {
					continue
				}
				if _, global := in.X.(*ssa.Global); !global {
					return true
				}
			case *ssa.Store:
				if _, global := in.Addr.(*ssa.Global); !global {
					return true
				}
			case ssa.CallInstruction:
				if len(in.Common().Args) > 0 || in.Common().StaticCallee() == nil {
					return true
				}
			case *ssa.MakeClosure, *ssa.Send, *ssa.Lookup:
				return true
			}
		}
	}
	return false
}

func lower(f *ssair.Func, depth int, outside Outside, s *scratch) *code {
	fn := f.SSA
	s.refs, s.ints, s.byInstr = s.refs[:0], s.ints[:0], s.byInstr[:0]
	b := &builder{
		f:       f,
		c:       &code{name: fn.String(), vals: append(s.vals, val{})},
		byInstr: arena(&s.byInstr, int(f.Start[len(f.Start)-1])),
		depth:   depth,
		outside: outside,
		s:       s,
	}
	for i := range fn.Signature.Results().Len() {
		b.returnsList = b.returnsList || kindOf(fn.Signature.Results().At(i).Type()) == kSlice
	}
	b.findTakes()
	c := b.c
	c.vals[0].at, c.vals[0].blk = -1, -1
	for _, p := range fn.Params {
		c.params = append(c.params, p.Name())
	}
	for _, p := range fn.FreeVars {
		c.frees = append(c.frees, p.Name())
	}
	for _, l := range f.Loops {
		parent := int32(-1)
		if l.Parent != nil {
			parent = int32(l.Parent.Index)
		}
		c.loops = append(c.loops, loop{header: int32(l.Header.Index), parent: parent})
	}
	c.blocks = s.blocks
	for i, blk := range fn.Blocks {
		x := block{idom: -1, end: f.Start[i+1]}
		if d := blk.Idom(); d != nil {
			x.idom = int32(d.Index)
		}
		x.succs = arena(&s.ints, len(blk.Succs))
		for k, y := range blk.Succs {
			x.succs[k] = int32(y.Index)
		}
		x.preds = arena(&s.ints, len(blk.Preds))
		for k, y := range blk.Preds {
			x.preds[k] = int32(y.Index)
		}
		c.blocks = append(c.blocks, x)
	}
	for i, blk := range fn.Blocks {
		for _, in := range blk.Instrs {
			b.root(in)
		}
		if n := len(blk.Instrs); n > 0 {
			if br, ok := blk.Instrs[n-1].(*ssa.If); ok {
				c.blocks[i].cond = b.val(br.Cond)
			}
		}
	}
	b.bindTakes()
	b.births()
	b.atLoads()
	b.swaps()
	b.generations()
	b.epochs()
	b.settle()
	return c
}

// root lowers an instruction if it is one that queries start from.
func (b *builder) root(in ssa.Instruction) {
	switch in := in.(type) {
	case *ssa.UnOp:
		if in.Op == token.MUL && b.cellLoad(in) == 0 {
			b.val(in)
		}
	case *ssa.Store:
		if b.isCell(in.Addr) {
			return
		}
		b.instr(in, val{op: opStore, a: b.list(b.val(in.Addr), b.val(in.Val))})
	case *ssa.MapUpdate:
		if _, own := in.Map.(*ssa.MakeMap); own {
			b.instr(in, val{op: opMapStore, a: b.list(b.val(in.Map), b.val(in.Key), b.val(in.Value))})
		}
	case *ssa.IndexAddr, *ssa.MakeClosure, *ssa.Lookup:
		b.val(in.(ssa.Value))
	case *ssa.Slice:
		b.val(in)
	case *ssa.Call:
		b.val(in)
	case *ssa.Go:
		b.call(in, &in.Call, callGo)
	case *ssa.Defer:
		b.call(in, &in.Call, callDefer)
	case *ssa.Send:
		b.instr(in, val{op: opSend, a: b.list(b.val(in.Chan), b.val(in.X))})
	case *ssa.Return:
		if b.depth > 0 || b.returnsList || len(b.takes) > 0 {
			x := val{op: opReturn}
			for _, r := range in.Results {
				x.a = append(x.a, b.val(r))
			}
			b.instr(in, x)
		}
	}
}

// isCell reports whether the address lies in a cell.
func (b *builder) isCell(p ssa.Value) bool {
	q, _ := cellPath(p)
	return b.cellOf(q) != nil
}

// cellPath strips field selections off an address.
func cellPath(p ssa.Value) (ssa.Value, string) {
	path := ""
	for {
		x, i, ok := partOf(p)
		if !ok {
			return p, path
		}
		p, path = x, fieldStep(i)+path
	}
}

// cellLoad lowers the load of a cell, or returns 0.
func (b *builder) cellLoad(in *ssa.UnOp) vref {
	p, path := cellPath(in.X)
	switch p.(type) {
	case *ssa.Alloc, *ssa.Phi, *ssa.UnOp:
	default:
		return 0
	}
	c := b.cellOf(p)
	if c == nil {
		if p, c = b.ownObject(p, in); c == nil {
			return 0
		}
	}
	n := int32(b.f.Num(in))
	if k, part := parts(in.Type()); part != nil {
		if k > 16 {
			return 0
		}
		return b.instr(in, b.structAt(p, c, path, in.Type(), in.Block(), n, 0))
	}
	r := b.readAt(p, c, path, in.Block(), n)
	if r == 0 {
		return 0
	}
	b.byInstr[n] = r
	return r
}

// structAt reads a struct, or a small array, out of a cell, field by field.
func (b *builder) structAt(p ssa.Value, c *cell, path string, t types.Type, blk *ssa.BasicBlock, n int32, depth int) val {
	x := val{op: opStruct, kind: kStruct}
	all, part := parts(t)
	for i := range all {
		q := path + fieldStep(i)
		if k, inner := parts(part(i)); inner != nil && k <= 16 && depth < 2 {
			y := b.structAt(p, c, q, part(i), blk, n, depth+1)
			y.at, y.blk = -1, int32(blk.Index)
			x.a = append(x.a, b.add(y))
			continue
		}
		x.a = append(x.a, b.readAt(p, c, q, blk, n))
	}
	return x
}

// ownObject returns the new object that the load reads, and its cell, if the
// load certainly comes before the object is handed on.
func (b *builder) ownObject(p ssa.Value, in ssa.Instruction) (ssa.Value, *cell) {
	a := b.madeBy(p)
	if a == nil {
		return p, nil
	}
	c := b.born(a)
	if c == nil {
		return p, nil
	}
	if _, must := b.early(c, in); !must {
		return p, nil
	}
	return a, c
}

// list makes the operands of a val.
func (b *builder) list(rs ...vref) []vref {
	out := arena(&b.s.refs, len(rs))
	copy(out, rs)
	return out
}

func (b *builder) add(v val) vref {
	b.c.vals = append(b.c.vals, v)
	return vref(len(b.c.vals) - 1)
}

// instr adds the val of an instruction.
func (b *builder) instr(in ssa.Instruction, v val) vref {
	n := b.f.Num(in)
	v.at, v.blk = n, int32(in.Block().Index)
	if r := b.byInstr[n]; r != 0 { // reserved
		v.kind = b.c.vals[r].kind
		b.c.vals[r] = v
		return r
	}
	r := b.add(v)
	b.byInstr[n] = r
	return r
}

func (b *builder) resolve(r vref) vref { return b.c.resolve(r) }

func (b *builder) constant(n int64, k kind) vref {
	if r, ok := b.consts[n]; ok {
		return r
	}
	if b.consts == nil {
		b.consts = make(map[int64]vref)
	}
	r := b.add(val{op: opConst, kind: k, n: n, at: -1, blk: -1})
	b.consts[n] = r
	return r
}

// fresh adds a value that is not understood.
func (b *builder) fresh(t types.Type, blk *ssa.BasicBlock) vref {
	return b.add(val{kind: kindOf(t), at: -1, blk: int32(blk.Index)})
}

// fieldOf selects fields of a struct value of type t.
func (b *builder) fieldOf(r vref, t types.Type, path string) vref {
	for _, s := range path {
		if s == '.' {
			continue
		}
		i, name := int(s-'0'), ""
		switch st := ssair.Under(t).(type) {
		case *types.Struct:
			name = st.Field(i).Name()
		case *types.Array:
			name = "[" + strconv.Itoa(i) + "]"
		}
		t = fieldType(t, fieldStep(i))
		x := *b.c.get(r)
		if x.op == opStruct {
			if i >= len(x.a) {
				return 0
			}
			r = x.a[i]
			continue
		}
		r = b.add(val{op: opField, kind: kindOf(t), n: int64(i), s: name, a: b.list(r), at: -1, blk: x.blk})
	}
	return r
}

// val lowers a value and what it depends on.
func (b *builder) val(v ssa.Value) vref {
	in, ok := v.(ssa.Instruction)
	if !ok {
		return b.leaf(v)
	}
	n := b.f.Num(in)
	if n < 0 {
		return 0
	}
	if r := b.byInstr[n]; r != 0 {
		return r
	}
	return b.lowerInstr(v, in)
}
