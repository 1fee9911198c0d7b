package pta

import (
	"go/token"
	"strings"
)

// This file gives what a modelled function returns its content: the caller gets
// at the header of a request that http.NewRequest has made, though no code is
// seen that puts one there.

// The memory that a result leads to: so many pointers deep, and so much of it in
// all. What lies in elements is left out: there is one object for all elements,
// and which of them hold the same is not known.
const (
	contentDepth = 2
	maxContent   = 16
)

// A content is what is made for one result: one object of each kind and type.
type content struct {
	l    *lowerer
	made map[contentKey]Node
	name string
}

type contentKey struct {
	kind LeafKind
	typ  TypeID
}

// fillResult lets the exported fields of a result hold new memory.
func (l *lowerer) fillResult(n Node, a Alloc) {
	c := &content{l: l, made: make(map[contentKey]Node), name: a.Name}
	if a.Kind == AllocValue {
		c.made[contentKey{LeafPointer, a.Type}] = n
		c.fill(n, a.Type, 0)
	}
}

// fill stores new memory in the fields of the struct that n points to.
func (c *content) fill(n Node, typ TypeID, depth int) {
	lay := c.l.p.types.layout(typ)
	if lay.Collapsed {
		return
	}
	for i, x := range lay.Leaves {
		if !x.Ptr || !exportedPath(x.Name) {
			continue
		}
		k := contentKey{x.Kind, x.Elem}
		m, made := c.made[k]
		if !made {
			a := Alloc{Word: "result", Name: c.name + x.Name, Type: x.Elem}
			switch x.Kind {
			case LeafPointer:
				a.Kind = AllocValue
			case LeafSlice:
				a.Kind = AllocArray
			case LeafMap:
				a.Kind = AllocMap
			default:
				continue
			}
			if depth == contentDepth || len(c.made) == maxContent {
				continue
			}
			m = c.l.newNodes(1)
			c.made[k] = m
			at := c.l.addAlloc(a, c.l.fn.Pos())
			c.l.f.Allocs[at].Pos = c.l.p.pos(c.l.ir.At(c.l.at).Pos())
			c.l.emit(Constraint{Op: OpAddr, Dst: m, Arg: at})
			if x.Kind == LeafPointer {
				c.fill(m, x.Elem, depth+1)
			}
		}
		c.l.emit(Constraint{Op: OpStore, Dst: n, Off: int32(i), Src: m, Arg: c.l.fact(nil)})
	}
}

// exportedPath reports whether every package may select a leaf.
func exportedPath(name string) bool {
	if strings.Contains(name, "[") {
		return false
	}
	for _, f := range strings.Split(strings.TrimPrefix(name, "."), ".") {
		if !token.IsExported(f) {
			return false
		}
	}
	return true
}
