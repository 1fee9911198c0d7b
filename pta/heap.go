package pta

// objKind says where an abstract object comes from.
type objKind uint8

const (
	objAlloc  objKind = iota // allocation alloc of instance inst
	objGlobal                // package-level variable
	objFunc                  // function without free variables
	objSym                   // parameter of a root, or what is reachable from one
	objView                  // one side's view of a many object
	objConst                 // values without pointers inside interfaces, by type
)

// An object is an abstract object: all the memory of one site in one context.
// Its leaves are the nodes loc … loc+layout.Len()-1.
type object struct {
	kind   objKind
	side   uint8 // objView: the side; objSym: side of the element it came from
	many   bool  // it may stand for several concrete objects
	loc    int32
	inst   InstID // maker, -1 for none
	alloc  int32  // index into the maker's Allocs
	layout *Layout
	global GlobalID
	fn     FuncID
	parent int32  // objSym: location it hangs on, -1 for a parameter itself
	param  int32  // objSym: parameter of inst
	view   int32  // objView: the object seen
	typ    TypeID // objSym
	lkind  LeafKind
	text   string // objSym: source path, see textOf
	refs   int32  // objSym: how many locations refer to it; 0 for one that only its parent does
	folded bool   // objSym: it stands for all nodes of a list or tree
}

// objKey names an allocation across the base and an overlay.
type objKey struct {
	fn    FuncID
	ctx   context
	alloc int32
}

// addObject creates an object with nodes for its leaves.
func (s *solver) addObject(o object) int32 {
	id := s.firstObj + int32(len(s.objects))
	o.loc = s.addNodes(o.layout.Len())
	for i := int32(0); i < o.layout.Len(); i++ {
		s.owners[o.loc-s.first+i] = id
	}
	s.objects = append(s.objects, o)
	return id
}

func (s *solver) object(id int32) *object {
	if s.base != nil && id < s.firstObj {
		return s.base.object(id)
	}
	return &s.objects[id-s.firstObj]
}

// allocated returns an object, or what it is a view of, if an instruction makes that.
func (s *solver) allocated(id int32) (o *object, ok bool) {
	o = s.object(id)
	if o.kind == objView {
		o = s.object(o.view)
	}
	return o, o.kind == objAlloc
}

// ownerOf returns the object that a location belongs to, or -1: a node of a
// local value is nobody's, and boxes are below -1.
func (s *solver) ownerOf(loc int32) int32 {
	if s.base != nil && loc < s.first {
		return s.base.ownerOf(loc)
	}
	return s.owners[loc-s.first]
}

// A box is what an interface value points to.
type box struct {
	typ TypeID
	loc int32
}

// box returns the number of a box, a node of its own without content.
func (s *solver) box(b box) int32 {
	for x := s; x != nil; x = x.base {
		if id, ok := x.boxIDs[b]; ok {
			return id
		}
	}
	id := s.addNodes(1)
	s.owners[id-s.first] = -2 - (s.firstBox + int32(len(s.boxes)))
	s.boxes = append(s.boxes, b)
	s.boxIDs[b] = id
	return id
}

// boxAt returns the box with a number, if it is one.
func (s *solver) boxAt(loc int32) (box, bool) {
	o := s.ownerOf(loc)
	if o > -2 {
		return box{}, false
	}
	i := -2 - o
	x := s
	for x.base != nil && i < x.firstBox {
		x = x.base
	}
	return x.boxes[i-x.firstBox], true
}

// layoutOfAlloc returns the layout of an allocation.
func (s *solver) layoutOfAlloc(a *Alloc) *Layout {
	t := &s.p.types
	switch a.Kind {
	case AllocArray:
		return t.array(a.Type)
	case AllocMap:
		return t.mapObject(a.Type)
	case AllocChan:
		l := *t.layout(a.Type)
		return &l
	case AllocClosure:
		return s.p.closureLayout(a)
	}
	return t.layout(a.Type)
}

// varLen returns the number of leaves of a variable that holds pointers.
func (p *Program) varLen(v Var) int32 {
	if lay := p.types.layout(v.Type); lay.Ptr {
		return lay.Len()
	}
	return 0
}

// closureLayout returns the layout of a closure: its captured variables one
// after the other.
func (p *Program) closureLayout(a *Alloc) *Layout {
	return remembered(&p.mu, p.closures, a.Func, func() *Layout { return p.findClosureLayout(a) })
}

func (p *Program) findClosureLayout(a *Alloc) *Layout {
	out := &Layout{}
	for _, v := range a.Vars {
		if lay := p.types.layout(v.Type); lay.Ptr {
			out.add("."+v.Name, lay)
		}
	}
	if len(out.Leaves) == 0 {
		out.Leaves = []Leaf{{}}
	}
	return out
}

// allocObject returns the object of an allocation in an instance.
func (s *solver) allocObject(id InstID, k int32) int32 {
	in := s.inst(id)
	if in.objs[k] >= 0 {
		return in.objs[k]
	}
	key := objKey{in.fn.ID, in.ctx, k}
	o, ok := s.byKey[key]
	if !ok {
		a := &in.fn.Allocs[k]
		o = s.addObject(object{kind: objAlloc, inst: id, alloc: k, layout: s.layoutOfAlloc(a), fn: a.Func, parent: -1})
		s.byKey[key] = o
	} else {
		s.object(o).inst = id
	}
	in.objs[k] = o
	return o
}

func (s *solver) globalObject(g GlobalID) int32 {
	if s.base != nil {
		if o, ok := s.base.globals[g]; ok {
			return o
		}
	}
	if o, ok := s.globals[g]; ok {
		return o
	}
	o := s.addObject(object{kind: objGlobal, inst: -1, global: g, layout: s.p.types.layout(s.p.globals[g].typ), parent: -1})
	s.globals[g] = o
	if id, ok := s.p.initialiser(g); ok && s.base == nil {
		s.inst(s.instanceOf(s.p.Func(id), context{})).root = true
	}
	return o
}

func (s *solver) funcObject(f FuncID) int32 {
	if s.base != nil {
		if o, ok := s.base.funcObjs[f]; ok {
			return o
		}
	}
	if o, ok := s.funcObjs[f]; ok {
		return o
	}
	o := s.addObject(object{kind: objFunc, inst: -1, fn: f, layout: &Layout{Leaves: make([]Leaf, 1)}, parent: -1})
	s.funcObjs[f] = o
	return o
}

// constObject returns the object that stands for all values of a type without
// pointers that interfaces hold.
func (s *solver) constObject(t TypeID) int32 {
	for x := s; x != nil; x = x.base {
		if o, ok := x.consts[t]; ok {
			return o
		}
	}
	o := s.addObject(object{kind: objConst, inst: -1, typ: t, layout: s.p.types.layout(t), parent: -1})
	s.consts[t] = o
	return o
}

// symbolicParams gives the parameters of a root symbolic objects.
func (s *solver) symbolicParams(id InstID) {
	in := s.inst(id)
	for i, v := range in.fn.Vars {
		n := in.fn.Params[i]
		if n == None {
			continue
		}
		for j, x := range s.p.types.layout(v.Type).Leaves {
			for _, l := range s.outside(id, int32(i), -1, &x, v.Name+x.Name, 0) {
				s.addPts(in.node(n)+int32(j), l)
			}
		}
	}
}

// outside returns what a leaf of the unknown outside refers to: a symbolic
// object, or those that an interface value may be. Of functions and opaque
// leaves nothing can be said (soundness: symbolic-opaque).
func (s *solver) outside(inst InstID, param, parent int32, x *Leaf, text string, side uint8) []int32 {
	t := &s.p.types
	one := func(lay *Layout) (locs []int32) {
		for _, oid := range s.symbolic(inst, param, parent, x, lay, text, side) {
			locs = append(locs, s.object(oid).loc)
		}
		return locs
	}
	switch x.Kind {
	case LeafPointer, LeafChan:
		return one(t.layout(x.Elem))
	case LeafSlice:
		return one(t.array(x.Elem))
	case LeafMap:
		return one(t.mapObject(x.Elem))
	case LeafInterface:
		return s.someOf(inst, param, parent, x, text, side)
	}
	return nil
}

// maxOutside is how many pointers deep what a parameter leads to has an object for each
// way. Below, there is one for each type: types that mention each other are unfolded
// along all ways between them, and of the 91 thousand objects of a key-value store 54
// thousand were such, up to fourteen pointers deep, five thousand of one type.
const maxOutside = 5

// A symKey names an object below maxOutside.
type symKey struct {
	inst  InstID
	param int32
	typ   TypeID
	lkind LeafKind
	side  uint8
}

// symbolic returns the objects that a leaf of the unknown outside refers to: a new one, or
// ancestors of its type.
func (s *solver) symbolic(inst InstID, param, parent int32, x *Leaf, lay *Layout, text string, side uint8) []int32 {
	made := object{
		kind: objSym, inst: inst, param: param, parent: parent, layout: lay,
		typ: x.Elem, lkind: x.Kind, text: text, side: side,
	}
	depth, joined := 0, false
	var above []int32
	for up := parent; up >= 0 && !joined; depth++ {
		o := s.object(s.ownerOf(up))
		if joined = o.refs > 0; joined {
			break // by which way it was met first is chance
		}
		// A list node's next is the node itself, its parent that or any further up: recursion
		// ends at the ancestors. But of a tree's nodes one element of children is the root of
		// another tree than the next (soundness: symbolic-distinct).
		if o.typ == x.Elem && o.lkind == x.Kind {
			switch {
			case x.Kind == LeafSlice || x.Kind == LeafMap:
				if o.side == side {
					return []int32{s.ownerOf(up)}
				}
			case x.PartSize > 0:
				if o.side != 0 || side == 0 {
					return []int32{s.ownerOf(up)}
				}
			default:
				o.folded = o.folded || depth == 0
				above = append(above, s.ownerOf(up))
			}
		}
		up = o.parent
	}
	if len(above) > 0 {
		return above
	}
	if depth < maxOutside && !joined {
		return []int32{s.addObject(made)}
	}
	k := symKey{inst, param, x.Elem, x.Kind, side}
	oid, ok := s.outsides[k]
	if !ok {
		oid = s.addObject(made)
		s.outsides[k] = oid
	}
	s.object(oid).refs++
	return []int32{oid}
}

// several reports whether an object of the unknown outside has more than one way that
// leads there.
func (o *object) several() bool { return o.refs > 1 }

// isOutside reports whether a location holds an object of the unknown outside from the
// start.
func (s *solver) isOutside(loc, oid int32) bool {
	o := s.object(oid)
	if o.kind != objSym || o.parent == loc {
		return o.kind == objSym
	}
	for _, l := range s.children[loc] {
		if b, ok := s.boxAt(l); ok {
			l = b.loc
		}
		if l == o.loc {
			return true
		}
	}
	return false
}

// textOf is how the source would come to an object of the unknown outside.
func (s *solver) textOf(oid int32) string {
	o := s.object(oid)
	switch {
	case o.several():
		return s.inst(o.inst).fn.Vars[o.param].Name + "…" + typeString(s.p.types.typ(o.typ))
	case o.refs == 1:
		return s.textOf(s.ownerOf(o.parent)) + s.leafAt(o.parent).Name
	}
	return o.text
}

// expand makes what leaf loc of a symbolic object refers to, on first use.
func (s *solver) expand(loc int32) {
	oid := s.ownerOf(loc)
	if oid < s.firstObj {
		return
	}
	o := *s.object(oid)
	if o.kind != objSym {
		return
	}
	off := loc - o.loc
	x := &o.layout.Leaves[off]
	if !x.Ptr || s.expanded[loc] {
		return
	}
	s.expanded[loc] = true
	if x.Part == partAny && x.PartSize > 0 {
		// One child per side: elements are distinct unless the code says
		// otherwise (soundness: symbolic-distinct).
		s.expand(loc + x.PartSize)
		s.expand(loc + 2*x.PartSize)
		return
	}
	side := o.side
	if x.PartSize > 0 {
		side = x.Part
	}
	s.children[loc] = s.outside(o.inst, o.param, loc, x, o.text+x.Name, side)
	for _, l := range s.children[loc] {
		s.addPts(loc, l)
	}
}
