package pta

import (
	"go/token"
	"go/types"

	"github.com/iterace/iterace/internal/ssair"
	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"
)

// This file uses comparisons with sentinels. Code such as
//
//	var empty = &list{}
//
//	func grow(l *list) *list {
//		if l == nil || l == empty {
//			l = new(list)
//		}
//		l.n++
//
// never writes empty: where l is known to be another pointer, its node is one
// from which that object is taken away. Points-to is not sensitive to flow
// otherwise; what is gained here is that a value has a second node in the
// blocks that only the unequal edge leads to, and where such an edge leads into
// a phi.

// A sentinel is one concrete object: what the initialiser of a package puts into
// a variable that nothing else assigns, or a variable itself.
type sentinel struct {
	made *ssa.Alloc  // in the package's initialiser; nil for a variable
	is   *ssa.Global // the variable, where what is compared is its address
}

// A ruling says that on the edge from one block to another a value is not a
// sentinel.
type ruling struct {
	not      sentinel
	from, to *ssa.BasicBlock
}

// findRulings notes the comparisons of the function with sentinels.
func (l *lowerer) findRulings() {
	for _, b := range l.fn.Blocks {
		branch, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
		if !ok || b.Succs[0] == b.Succs[1] {
			continue
		}
		cmp, ok := branch.Cond.(*ssa.BinOp)
		if !ok || cmp.Op != token.EQL && cmp.Op != token.NEQ {
			continue
		}
		unequal := b.Succs[0]
		if cmp.Op == token.EQL {
			unequal = b.Succs[1]
		}
		x, y := unwrapped(cmp.X), unwrapped(cmp.Y)
		for range 2 {
			s, ok := l.p.sentinelOf(y, l.fn)
			// A pointer of another type may point to the sentinel's first field.
			if ok = ok && (types.IsInterface(x.Type()) || types.Identical(x.Type(), y.Type())); ok {
				if l.rulings == nil {
					l.rulings = make(map[ssa.Value][]ruling)
					l.ruled = make(map[ruledKey]Node)
				}
				l.rulings[x] = append(l.rulings[x], ruling{s, b, unequal})
			}
			x, y = y, x
		}
	}
}

// unwrapped returns the value that a conversion to an interface holds: two
// interface values are equal if and only if their types and pointers are.
func unwrapped(v ssa.Value) ssa.Value {
	for {
		switch x := v.(type) {
		case *ssa.MakeInterface:
			v = x.X
		case *ssa.ChangeInterface:
			v = x.X
		case *ssa.ChangeType:
			v = x.X
		default:
			return v
		}
	}
}

// holds reports whether control is past the edge wherever it is in block b.
func (r *ruling) holds(b *ssa.BasicBlock) bool {
	return len(r.to.Preds) == 1 && r.to.Dominates(b)
}

// ruledOut returns the node of v, known as n in the copy being lowered, without
// the sentinels that v is not in block b, or on the edge from it to block to
// where that is not nil.
func (l *lowerer) ruledOut(v ssa.Value, n Node, b, to *ssa.BasicBlock) Node {
	if n == None {
		return n
	}
	for _, r := range l.rulings[v] {
		if !r.holds(b) && (to == nil || r.from != b || r.to != to) {
			continue
		}
		k := ruledKey{n, r.not, l.loop, l.side}
		d, ok := l.ruled[k]
		if !ok {
			d = l.newNodes(1)
			l.ruled[k] = d
			c := Constraint{Op: OpNotGlobal, Dst: d, Src: n}
			if r.not.made != nil {
				init := r.not.made.Parent()
				c.Op, c.Arg, c.Off = OpNotMade, int32(l.p.FuncID(init)), int32(l.p.numberIn(init, r.not.made))
			} else {
				c.Arg = int32(l.p.globalID(r.not.is))
			}
			l.emit(c)
		}
		n = d
	}
	return n
}

// A ruledKey names a node from which a sentinel is taken away, in one copy of a
// split loop's body.
type ruledKey struct {
	n    Node
	not  sentinel
	loop *splitLoop
	side uint8
}

// numberIn returns the number of an instruction of another function than the
// one being lowered.
func (p *Program) numberIn(fn *ssa.Function, x ssa.Instruction) ssair.Instr {
	n := ssair.Instr(0)
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			if in == x {
				return n
			}
			n++
		}
	}
	return ssair.NoInstr
}

// sentinelOf reports whether v, in a function, is the address of a sentinel.
func (p *Program) sentinelOf(v ssa.Value, fn *ssa.Function) (sentinel, bool) {
	switch v := v.(type) {
	case *ssa.Global:
		return sentinel{is: v}, plainStruct(v.Type())
	case *ssa.UnOp:
		g, ok := v.X.(*ssa.Global)
		// Only the package itself can assign a variable that is not exported, and
		// only for its own has every way of lowering a function all code in view.
		if !ok || v.Op != token.MUL || token.IsExported(g.Name()) || fn.Pkg != g.Pkg {
			return sentinel{}, false
		}
		made := p.sentinelIn(g)
		return sentinel{made: made}, made != nil
	}
	return sentinel{}, false
}

// plainStruct reports whether a pointer of type t cannot point into the object
// that another pointer of the type points to.
func plainStruct(t types.Type) bool {
	_, ok := ssair.Under(deref(t)).(*types.Struct)
	return ok
}

// sentinelIn returns the new struct whose address the package's initialiser assigns to a variable, to which
// nothing else is done but to load it; nil if it is no such variable.
func (p *Program) sentinelIn(g *ssa.Global) *ssa.Alloc {
	st := p.initialised(g)
	if st == nil {
		return nil
	}
	made, ok := st.Val.(*ssa.Alloc)
	if !ok || !made.Heap || !plainStruct(made.Type()) || !types.Identical(deref(g.Type()), made.Type()) {
		return nil
	}
	return made
}

// functionsOf lists the functions with code of a package, instances of generic
// ones too.
func (p *Program) functionsOf(pkg *ssa.Package) []*ssa.Function {
	if p.code == nil {
		p.code = make(map[string][]*ssa.Function)
		if p.Functions == nil {
			p.Functions = ssautil.AllFunctions(p.ssa)
		}
		for fn := range p.Functions {
			path := pkgPath(fn)
			p.code[path] = append(p.code[path], fn)
		}
	}
	return p.code[pkg.Pkg.Path()]
}

// isSentinel reports whether a location, or the pointer in an interface value, is
// what a constraint takes away.
func (s *solver) isSentinel(l int32, c *Constraint) bool {
	boxed, isBox := s.boxAt(l)
	if isBox {
		l = boxed.loc
	}
	oid := s.ownerOf(l)
	if oid < 0 {
		return false
	}
	o := s.object(oid)
	if o.loc != l {
		return false
	}
	var t TypeID
	switch {
	case c.Op == OpNotGlobal && o.kind == objGlobal && o.global == GlobalID(c.Arg):
		t = s.p.globals[c.Arg].typ
	case c.Op == OpNotMade && o.kind == objAlloc && s.inst(o.inst).fn.ID == FuncID(c.Arg):
		a := &s.inst(o.inst).fn.Allocs[o.alloc]
		if a.At != ssair.Instr(c.Off) {
			return false
		}
		t = a.Type
	default:
		return false
	}
	// In an interface, a pointer to the first field is another value.
	return !isBox || types.Identical(deref(s.p.types.typ(boxed.typ)), s.p.types.typ(t))
}
