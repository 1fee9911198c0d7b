package pta

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/iterace/iterace/internal/ssair"
	"golang.org/x/tools/go/ssa"
)

// This file gives what a modelled function returns its content: the caller gets
// at the header of a request that http.NewRequest has made, though no code is
// seen that puts one there. So does what a decoder fills:
//
//	var conf config
//	err := json.Unmarshal(data, &conf) // conf.Rules, and what its elements point to

// The memory that a result leads to: so many pointers deep, and so much of it in
// all. What lies in elements is left out: there is one object for all elements,
// and which of them hold the same is not known. A decoder makes another one for each.
const (
	contentDepth = 2
	maxContent   = 16
	decodedDepth = 3
)

// A content is what is made for one result, or by one call that decodes: one object of each kind
// and type; what is decoded has its own for each field, and where it lies in elements one for either side, as
// for a loop that fills them.
type content struct {
	l       *lowerer
	made    map[contentKey]Node
	name    string
	decoded bool
	around  []TypeID // what is decoded, of which types what it lies in is: a tree has one level
}

type contentKey struct {
	kind LeafKind
	typ  TypeID
	side uint8
	path string // of what is decoded: no two fields share anything
}

// fillResult lets the exported fields of a result hold new memory.
func (l *lowerer) fillResult(n Node, a Alloc) {
	c := &content{l: l, made: make(map[contentKey]Node), name: a.Name}
	if a.Kind == AllocValue {
		c.made[contentKey{kind: LeafPointer, typ: a.Type}] = n
		c.fill(n, c.l.p.types.layout(a.Type), 0, "", 0)
	}
}

// decodes lets what v, an argument of a modelled call, points to hold new memory.
func (l *lowerer) decodes(v ssa.Value) {
	p, ok := ssair.Under(v.Type()).(*types.Pointer)
	n := l.val(v)
	if !ok || n == None {
		return
	}
	c := &content{l: l, made: make(map[contentKey]Node), name: describe(v), decoded: true}
	c.fill(n, l.p.types.layoutOf(p.Elem()), 0, "", 0)
}

// fill stores new memory in the fields of what n points to, which is laid out as lay says, and is called
// path. Where that lies in elements, it is those of a side.
func (c *content) fill(n Node, lay *Layout, depth int, path string, side uint8) {
	if lay.Collapsed {
		return
	}
	for i, x := range lay.Leaves {
		if !x.Ptr {
			continue
		}
		if !c.decoded {
			if exportedPath(x.Name) {
				c.put(n, int32(i), &x, depth, path, side)
			}
			continue
		}
		name := strings.TrimPrefix(strings.TrimPrefix(x.Name, "[key]"), "[*]")
		switch {
		case name != "" && !exportedPath(name):
		case name == x.Name || side != 0:
			if x.Part == partAny {
				c.put(n, int32(i), &x, depth, path, side)
			}
		case x.PartSize > 0:
			if x.Part != partAny {
				c.put(n, int32(i), &x, depth, path, x.Part)
			}
		default:
			c.put(n, int32(i), &x, depth, path, partAlpha)
			c.put(n, int32(i), &x, depth, path, partBeta)
		}
	}
}

// put stores new memory in leaf x, with number i, of what n points to.
func (c *content) put(n Node, i int32, x *Leaf, depth int, path string, side uint8) {
	l := c.l
	k := contentKey{kind: x.Kind, typ: x.Elem, side: side}
	deepest := contentDepth
	if c.decoded {
		k.path, deepest = path+x.Name, decodedDepth
		if slices.Contains(c.around, x.Elem) {
			return
		}
	}
	m, made := c.made[k]
	if !made {
		a := Alloc{Word: "result", Name: c.name + path + x.Name, Type: x.Elem}
		var inside *Layout
		switch x.Kind {
		case LeafPointer:
			a.Kind = AllocValue
			inside = l.p.types.layout(x.Elem)
		case LeafSlice:
			a.Kind = AllocArray
			if c.decoded {
				inside = l.p.types.array(x.Elem)
			}
		case LeafMap:
			a.Kind = AllocMap
			if c.decoded {
				inside = l.p.types.mapObject(x.Elem)
			}
		default:
			return
		}
		if depth == deepest || len(c.made) == maxContent {
			return
		}
		m = l.newNodes(1)
		c.made[k] = m
		at := l.addAlloc(a, l.fn.Pos())
		l.f.Allocs[at].Pos = l.p.pos(l.ir.At(l.at).Pos())
		l.emit(Constraint{Op: OpAddr, Dst: m, Arg: at})
		if inside != nil {
			c.around = append(c.around, x.Elem)
			c.fill(m, inside, depth+1, k.path, side)
			c.around = c.around[:len(c.around)-1]
		}
	}
	fact := l.fact(nil)
	l.f.Facts[fact].Sole = c.decoded
	l.emit(Constraint{Op: OpStore, Dst: n, Off: i, Src: m, Arg: fact})
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
