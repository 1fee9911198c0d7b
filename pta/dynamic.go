package pta

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// This file uses tests of dynamic types. In
//
//	switch c := conn.(type) {
//	case *tcpConn, *unixConn:
//		c.Close()
//	default:
//		c.Close()
//	}
//
// the first call runs the methods of these two types, and the second one those of others. As
// where a value is compared with a sentinel (sentinel.go), it has another node in the blocks
// that the test leads to, without what the test excludes. That is about one SSA value: what
// is loaded twice may be two things.
//
// A value of unknown type stays one whatever it is found not to be.

// A TypeTest says what is known of the dynamic type of a value that is not nil: it is, or
// implements, one of Any, if there are some, and none of Not.
type TypeTest struct{ Any, Not []TypeID }

// A typeEdge says that on the edge from one block to another a value is of a type, or is not; a
// value that is nil is of none.
type typeEdge struct {
	typ      types.Type // nil for a value that is nil
	is       bool
	from, to *ssa.BasicBlock
}

// A testKey names a node of what passes a test, in one copy of a split loop's body.
type testKey struct {
	n    Node
	test int32
	loop *splitLoop
	side uint8
}

// findTypeEdges notes the tests of dynamic types of the function.
func (l *lowerer) findTypeEdges() {
	for _, b := range l.fn.Blocks {
		branch, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
		if !ok || b.Succs[0] == b.Succs[1] {
			continue
		}
		x, t, is, ok := typeTested(branch.Cond)
		if !ok {
			continue
		}
		if l.typed == nil {
			l.typed = make(map[ssa.Value][]typeEdge)
			l.tested = make(map[testKey]Node)
		}
		l.typed[x] = append(l.typed[x], typeEdge{t, is, b, b.Succs[0]}, typeEdge{t, !is, b, b.Succs[1]})
	}
}

// typeTested returns the interface value that a condition is about, and the type, nil for none at all,
// that it has if the condition turns out to be is.
func typeTested(cond ssa.Value) (x ssa.Value, t types.Type, is, ok bool) {
	is = true
	for {
		not, ok := cond.(*ssa.UnOp)
		if !ok || not.Op != token.NOT {
			break
		}
		cond, is = not.X, !is
	}
	switch c := cond.(type) {
	case *ssa.Extract:
		if a, ok := c.Tuple.(*ssa.TypeAssert); ok && c.Index == 1 {
			return sameDynamic(a.X), a.AssertedType, is, true
		}
	case *ssa.BinOp:
		if c.Op != token.EQL && c.Op != token.NEQ {
			break
		}
		x, y := c.X, c.Y
		if isNil(x) {
			x, y = y, x
		}
		if isNil(y) && types.IsInterface(x.Type()) {
			return sameDynamic(x), nil, is == (c.Op == token.EQL), true
		}
	}
	return nil, nil, false, false
}

func isNil(v ssa.Value) bool {
	c, ok := v.(*ssa.Const)
	return ok && c.IsNil()
}

// sameDynamic returns the interface value of which another one is a conversion.
func sameDynamic(v ssa.Value) ssa.Value {
	for {
		x, ok := v.(*ssa.ChangeInterface)
		if !ok {
			return v
		}
		v = x.X
	}
}

// passing returns the node of v, known as n in the copy being lowered, without what v is not in
// block b, or on the edge from it to block to where that is not nil, by its dynamic type.
func (l *lowerer) passing(v ssa.Value, n Node, b, to *ssa.BasicBlock) Node {
	if n == None || !types.IsInterface(v.Type()) {
		return n
	}
	edges := l.typed[sameDynamic(v)]
	if len(edges) == 0 {
		return n
	}
	test := l.typeTest(edges, b, to)
	if len(test.Any)+len(test.Not) == 0 {
		return n
	}
	at := slices.IndexFunc(l.f.TypeTests, func(t TypeTest) bool { return slices.Equal(t.Any, test.Any) && slices.Equal(t.Not, test.Not) })
	if at < 0 {
		at = len(l.f.TypeTests)
		l.f.TypeTests = append(l.f.TypeTests, test)
	}
	k := testKey{n, int32(at), l.loop, l.side}
	d, ok := l.tested[k]
	if !ok {
		d = l.newNodes(1)
		l.tested[k] = d
		l.emit(Constraint{Op: OpOfType, Dst: d, Src: n, Arg: int32(at)})
	}
	return d
}

// typeTest returns what edges say of a value in block b, or on the edge to block to.
func (l *lowerer) typeTest(edges []typeEdge, b, to *ssa.BasicBlock) (t TypeTest) {
	var nearest *ssa.BasicBlock // to which only edges lead on which the value is of some type
	for i := range edges {
		e := &edges[i]
		on := to != nil && e.from == b && e.to == to
		switch {
		case !e.is:
			if e.typ != nil && (on || len(e.to.Preds) == 1 && e.to.Dominates(b)) {
				t.Not = append(t.Not, l.p.types.id(e.typ))
			}
		case e.typ == nil || on && nearest == to:
		case on:
			nearest, t.Any = to, []TypeID{l.p.types.id(e.typ)}
		case e.to.Dominates(b) && (nearest == nil || nearest != e.to && nearest != to && nearest.Dominates(e.to)):
			if any, ok := l.anyOf(edges, e.to); ok {
				nearest, t.Any = e.to, any
			}
		}
	}
	return t
}

// anyOf returns the types that a value has where control comes into a block, if each way there has
// found it to be of some.
func (l *lowerer) anyOf(edges []typeEdge, b *ssa.BasicBlock) (out []TypeID, ok bool) {
	for _, from := range b.Preds {
		k := slices.IndexFunc(edges, func(e typeEdge) bool { return e.is && e.from == from && e.to == b })
		if k < 0 {
			return nil, false
		}
		if t := edges[k].typ; t != nil {
			out = append(out, l.p.types.id(t))
		}
	}
	return out, true
}

// passes reports whether a value in an interface may be of the dynamic type that a test asks for.
func (s *solver) passes(l int32, t *TypeTest) bool {
	b, ok := s.boxAt(l)
	if !ok {
		return len(t.Any) == 0
	}
	if s.p.isInterface(b.typ) {
		return true
	}
	is := func(typ TypeID) bool { return s.p.isOf(b.typ, typ) }
	return (len(t.Any) == 0 || slices.ContainsFunc(t.Any, is)) && !slices.ContainsFunc(t.Not, is)
}

// isOf reports whether an assertion that an interface value is of type t holds of one with a
// dynamic type.
func (p *Program) isOf(dynamic, t TypeID) bool {
	return dynamic == t || p.isInterface(t) && p.implements(dynamic, t)
}
