package pta

import (
	"go/types"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/iterace/iterace/internal/ssair"
	"golang.org/x/tools/go/types/typeutil"
)

// Parts of an array. The order is the order in memory.
const (
	partAny   = 0
	partAlpha = 1
	partBeta  = 2
)

const (
	// An element with more leaves than this gets one part only: three copies
	// of a large struct cost more than the precision they bring.
	maxPartLeaves = 64
	// A type with more leaves than this is one leaf (soundness: huge-types).
	maxLeaves = 1024
)

// A Leaf is one indivisible place of a layout.
type Leaf struct {
	Name     string // path inside the object: ".buf[*].n"
	Ptr      bool   // it can hold a pointer
	Pool     bool   // a sync.Pool: it holds what was put there
	Inner    bool   // in a field of a library's type that only the library can name
	Private  bool   // in a field whose name is not exported; what is embedded is promoted
	Part     uint8  // partAny, partAlpha or partBeta
	PartSize int32  // leaves of one part, 0 outside arrays with parts
	Kind     LeafKind
	Elem     TypeID // what a pointer, slice, map or chan leaf refers to; of an interface its own type
}

// LeafKind says what a pointerful leaf refers to; only symbolic objects ask.
type LeafKind uint8

// Kinds of leaves.
const (
	LeafScalar LeafKind = iota
	LeafPointer
	LeafSlice
	LeafMap
	LeafChan
	LeafFunc
	LeafInterface
	LeafOpaque // unsafe.Pointer, sync objects
)

// printsAddress reports whether a formatter prints where a leaf points to, and not
// what is there.
func (l *Leaf) printsAddress() bool {
	return l.Kind == LeafPointer || l.Kind == LeafChan || l.Kind == LeafFunc || l.Kind == LeafOpaque
}

// A Layout is the list of leaves of a type.
type Layout struct {
	Leaves    []Leaf
	Collapsed bool // one leaf stands for the whole type
	HasArray  bool // an array of what can hold pointers, with parts, or a collapsed one lies inside
	Ptr       bool // some leaf can hold a pointer
}

// Len is the number of leaves.
func (l *Layout) Len() int32 { return int32(len(l.Leaves)) }

// TypeID is the number of a type in a Program's table.
type TypeID int32

// typeTable interns types and their layouts. Overlays that are solved at the same
// time share it, and ask very often: who has a number looks it up without a lock.
// The methods whose names end in Locked are for who holds mu.
type typeTable struct {
	mu      sync.Mutex
	ids     typeutil.Map
	n       TypeID // the number of the next one
	pages   atomic.Pointer[[]*typePage]
	backing map[TypeID]*Layout // arrays of an element type
	mapObj  map[TypeID]*Layout
	isSync  func(*types.Named) bool
	inner   func(field *types.Var) bool
}

// typePage has the types of so many numbers.
type typePage [typePageSize]typeEntry

const typePageSize = 256

type typeEntry struct {
	typ     types.Type
	layout  atomic.Pointer[Layout] // nil until somebody asks
	pointee atomic.Int32           // see pointee
}

// What is known of typeEntry.pointee before and after the type turned out to be
// something else than a pointer. Any other value is that of a TypeID, plus two.
const (
	pointeeUnknown = 0
	pointeeNone    = 1
)

func (t *typeTable) id(typ types.Type) TypeID {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.idLocked(typ)
}

func (t *typeTable) entry(id TypeID) *typeEntry {
	return &(*t.pages.Load())[id/typePageSize][id%typePageSize]
}

// typ returns the type with a number.
func (t *typeTable) typ(id TypeID) types.Type { return t.entry(id).typ }

func (t *typeTable) idLocked(typ types.Type) TypeID {
	typ = types.Unalias(typ)
	if id := t.ids.At(typ); id != nil {
		return id.(TypeID)
	}
	id := t.n
	t.n++
	t.ids.Set(typ, id)
	if id%typePageSize == 0 {
		var pages []*typePage
		if old := t.pages.Load(); old != nil {
			pages = slices.Clone(*old)
		}
		pages = append(pages, new(typePage))
		t.pages.Store(&pages)
	}
	t.entry(id).typ = typ
	return id
}

// pointee returns the layout of what values of a pointer type refer to; ok is
// false for any other type.
func (t *typeTable) pointee(id TypeID) (lay *Layout, ok bool) {
	e := t.entry(id)
	x := e.pointee.Load()
	if x == pointeeUnknown {
		x = pointeeNone
		if p, ok := types.Unalias(e.typ).Underlying().(*types.Pointer); ok {
			x = int32(t.id(p.Elem())) + pointeeNone + 1
		}
		e.pointee.Store(x)
	}
	if x == pointeeNone {
		return nil, false
	}
	return t.layout(TypeID(x - pointeeNone - 1)), true
}

// extentOf returns how many leaves what values of a type lead to has: of a slice, one
// element. It is 0 where that is not known, and the whole object is meant.
func (t *typeTable) extentOf(id TypeID) int32 {
	if lay, ok := t.pointee(id); ok {
		return lay.Len()
	}
	if s, ok := t.typ(id).Underlying().(*types.Slice); ok {
		return t.layoutOf(s.Elem()).Len()
	}
	return 0
}

// isAddress reports whether the values of a type are formatted as addresses, but for those
// that a formatter is given itself.
func (t *typeTable) isAddress(id TypeID) bool {
	switch t.typ(id).Underlying().(type) {
	case *types.Pointer, *types.Chan, *types.Signature:
		return true
	}
	return false
}

// layout returns the layout of values of the type.
func (t *typeTable) layout(id TypeID) *Layout {
	l := t.entry(id).layout.Load()
	if l == nil {
		t.mu.Lock()
		defer t.mu.Unlock()
		l = t.layoutLocked(id)
	}
	return l
}

func (t *typeTable) layoutLocked(id TypeID) *Layout {
	e := t.entry(id)
	if l := e.layout.Load(); l != nil {
		return l
	}
	l := t.compute(e.typ)
	e.layout.Store(l)
	return l
}

func (t *typeTable) layoutOf(typ types.Type) *Layout { return t.layout(t.id(typ)) }

func (t *typeTable) layoutOfLocked(typ types.Type) *Layout { return t.layoutLocked(t.idLocked(typ)) }

func leaf(l Leaf) *Layout {
	return &Layout{Leaves: []Leaf{l}, Ptr: l.Ptr}
}

// compute makes the layout of a type, for who holds mu.
func (t *typeTable) compute(typ types.Type) *Layout {
	if n, ok := types.Unalias(typ).(*types.Named); ok && t.isSync(n) {
		l := leaf(Leaf{Ptr: true, Kind: LeafOpaque, Pool: n.Obj().Name() == "Pool"})
		l.Collapsed = true
		return l
	}
	switch u := ssair.Under(typ).(type) {
	case *types.Basic:
		if u.Kind() == types.UnsafePointer {
			return leaf(Leaf{Ptr: true, Kind: LeafOpaque})
		}
		return leaf(Leaf{})
	case *types.Pointer:
		return leaf(Leaf{Ptr: true, Kind: LeafPointer, Elem: t.idLocked(u.Elem())})
	case *types.Slice:
		return leaf(Leaf{Ptr: true, Kind: LeafSlice, Elem: t.idLocked(u.Elem())})
	case *types.Map:
		return leaf(Leaf{Ptr: true, Kind: LeafMap, Elem: t.idLocked(u)})
	case *types.Chan:
		return leaf(Leaf{Ptr: true, Kind: LeafChan, Elem: t.idLocked(u.Elem())})
	case *types.Signature:
		return leaf(Leaf{Ptr: true, Kind: LeafFunc})
	case *types.Interface: // also type parameters, in generic bodies that are not instantiated
		return leaf(Leaf{Ptr: true, Kind: LeafInterface, Elem: t.idLocked(typ)})
	case *types.Array:
		return t.arrayLocked(t.idLocked(u.Elem()))
	case *types.Tuple:
		out := &Layout{}
		for i := range u.Len() {
			out.add("", t.layoutOfLocked(u.At(i).Type()))
		}
		return out
	case *types.Struct:
		out := &Layout{}
		for i := range u.NumFields() {
			n := len(out.Leaves)
			out.add("."+u.Field(i).Name(), t.layoutOfLocked(u.Field(i).Type()))
			private := !u.Field(i).Exported() && !u.Field(i).Embedded()
			inner := t.inner(u.Field(i))
			for k := n; k < len(out.Leaves); k++ {
				x := &out.Leaves[k]
				x.Inner, x.Private = x.Inner || inner, x.Private || private
			}
			if len(out.Leaves) > maxLeaves {
				l := leaf(Leaf{Ptr: true, Kind: LeafOpaque})
				l.Collapsed, l.HasArray = true, true
				return l
			}
		}
		if len(out.Leaves) == 0 {
			out.Leaves = []Leaf{{}} // an empty struct has an address all the same
		}
		return out
	}
	return leaf(Leaf{Ptr: true, Kind: LeafOpaque})
}

func (l *Layout) add(name string, m *Layout) {
	for _, x := range m.Leaves {
		x.Name = name + x.Name
		l.Leaves = append(l.Leaves, x)
	}
	l.HasArray = l.HasArray || m.HasArray
	l.Ptr = l.Ptr || m.Ptr
}

// array returns the layout of an array, or of the memory behind a slice, with
// the given element type.
func (t *typeTable) array(elem TypeID) *Layout {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.arrayLocked(elem)
}

func (t *typeTable) arrayLocked(elem TypeID) *Layout {
	if l := t.backing[elem]; l != nil {
		return l
	}
	e := t.layoutLocked(elem)
	out := &Layout{HasArray: e.Ptr, Ptr: e.Ptr}
	parts := 3
	if !splits(e) {
		parts = 1
	}
	for p := range parts {
		for _, x := range e.Leaves {
			x.Name = "[*]" + x.Name
			if parts == 3 {
				x.Part, x.PartSize = uint8(p), e.Len()
			}
			out.Leaves = append(out.Leaves, x)
		}
	}
	t.backing[elem] = out
	return out
}

// splits reports whether arrays of the element have three parts. A leaf has one part, so that
// arrays inside the element have none then: those without pointers can do without, since
// their indices are compared (`hist [16]int`, or `_ [40]byte` against false sharing).
func splits(elem *Layout) bool { return !elem.HasArray && elem.Len() <= maxPartLeaves }

// Leaves of a map object: one for the map itself, on which all accesses to the
// map are recorded, then the key and the element.
const mapHeader = 0

func (t *typeTable) mapObject(id TypeID) *Layout {
	t.mu.Lock()
	defer t.mu.Unlock()
	if l := t.mapObj[id]; l != nil {
		return l
	}
	m, ok := ssair.Under(t.typ(id)).(*types.Map)
	if !ok {
		m = types.NewMap(anyType, anyType) // of a package of which what was stored is gone
	}
	out := &Layout{Leaves: []Leaf{{Name: "[*]"}}}
	out.add("[key]", t.layoutOfLocked(m.Key()))
	out.add("[*]", t.layoutOfLocked(m.Elem()))
	t.mapObj[id] = out
	return out
}

// fieldNamed returns the leaf that a named field is, of what a pointer type points
// to.
func (t *typeTable) fieldNamed(typ types.Type, name string) (int32, bool) {
	p, ok := ssair.Under(typ).(*types.Pointer)
	if !ok {
		return 0, false
	}
	for i, x := range t.layoutOf(p.Elem()).Leaves {
		if x.Name == "."+name {
			return int32(i), true
		}
	}
	return 0, false
}

// fieldOffset returns the first leaf of field i of a struct type.
func (t *typeTable) fieldOffset(typ types.Type, i int) int32 {
	if t.layoutOf(typ).Collapsed {
		return 0
	}
	st := ssair.Under(typ).(*types.Struct)
	off := int32(0)
	for j := range i {
		off += t.layoutOf(st.Field(j).Type()).Len()
	}
	return off
}
