package pta

import (
	"slices"

	"github.com/iterace/iterace/internal/ssair"
	"golang.org/x/tools/go/ssa"
)

// An overwrite is what a function does with a struct that it fills at once and of which it sets fields anew
// before anyone can look at them.
type overwrite struct {
	fill  *ssa.Store
	gone  map[int32]bool          // leaves of the struct that are set anew
	early map[*ssa.UnOp]ssa.Value // loads of such a field before that, of what has filled the struct
}

// overwritten returns the leaves of a struct, new with the store that fills it,
// that are set anew before anyone can look at them: in
//
//	d := *c
//	d.user = &user{…}
//	return &d
//
// no one ever finds c's user in d. That is so if on all ways from the store the field is
// set before it is read, and before the struct is handed on or copied; what is done with its other
// fields meanwhile makes no difference. The function itself may read the field before that, as in
// d.user = d.user.clone(): it finds what the struct was filled with.
func (l *lowerer) overwritten(in *ssa.Store) map[int32]bool {
	cell, ok := in.Addr.(*ssa.Alloc)
	if !ok {
		return nil
	}
	if o := l.overwriteOf(cell); o != nil && o.fill == in {
		return o.gone
	}
	return nil
}

// filledWith returns the value that fills the struct of which a load reads a field, if that is set anew
// afterwards, and where in the value the field is.
func (l *lowerer) filledWith(in *ssa.UnOp) (v ssa.Value, off int32) {
	at, ok := in.X.(*ssa.FieldAddr)
	if !ok {
		return nil, 0
	}
	cell, ok := at.X.(*ssa.Alloc)
	if !ok {
		return nil, 0
	}
	o := l.overwriteOf(cell)
	if o == nil || o.early[in] == nil {
		return nil, 0
	}
	return o.early[in], l.p.types.fieldOffset(deref(cell.Type()), at.Field)
}

func (l *lowerer) overwriteOf(cell *ssa.Alloc) *overwrite {
	if o, ok := l.overwrites[cell]; ok {
		return o
	}
	var o *overwrite
	u := usesOf(cell)
	for _, r := range u.whole {
		if st, ok := r.(*ssa.Store); ok && st.Addr == ssa.Value(cell) && st.Block() == cell.Block() {
			o = &overwrite{fill: st} // if there is another one, neither is hidden
			break
		}
	}
	if o != nil {
		for f, field := range u.fields {
			if len(field.stores) == 0 {
				continue
			}
			early, ok := u.hidden(o.fill, field, l.inOneCopy)
			if !ok {
				continue
			}
			if o.gone == nil {
				o.gone, o.early = make(map[int32]bool), make(map[*ssa.UnOp]ssa.Value)
			}
			from := l.p.types.fieldOffset(deref(cell.Type()), f)
			for i := range l.leaves(field.stores[0].Val.Type()) {
				o.gone[from+i] = true
			}
			for _, load := range early {
				o.early[load] = o.fill.Val
			}
		}
	}
	if l.overwrites == nil {
		l.overwrites = make(map[*ssa.Alloc]*overwrite)
	}
	l.overwrites[cell] = o
	return o
}

// inOneCopy reports whether two instructions lie in the same copies of the loops that are split.
func (l *lowerer) inOneCopy(a, b ssa.Instruction) bool {
	i, j := a.Block().Index, b.Block().Index
	return i < len(l.inner) && j < len(l.inner) && l.inner[i] == l.inner[j]
}

// structUses are the instructions that do something with a variable: with all of it, or with one of its
// fields.
type structUses struct {
	cell   *ssa.Alloc
	whole  []ssa.Instruction
	fields map[int]*fieldUses
}

type fieldUses struct {
	stores []*ssa.Store // to the field
	reads  []ssa.Instruction
}

func usesOf(cell *ssa.Alloc) *structUses {
	u := &structUses{cell: cell, fields: make(map[int]*fieldUses)}
	for _, r := range *cell.Referrers() {
		at, ok := r.(*ssa.FieldAddr)
		if !ok {
			u.whole = append(u.whole, r)
			continue
		}
		f := u.fields[at.Field]
		if f == nil {
			f = &fieldUses{}
			u.fields[at.Field] = f
		}
		for _, r := range *at.Referrers() {
			if st, ok := r.(*ssa.Store); ok && st.Addr == ssa.Value(at) && st.Val != ssa.Value(at) {
				f.stores = append(f.stores, st)
			} else {
				f.reads = append(f.reads, r)
			}
		}
	}
	return u
}

// hidden reports whether no way from a store that fills the variable leads to a read of a
// field but by a store to that, and returns the loads of the field that come before all those stores, for
// which it is enough to know what the variable was filled with. The variable is new with the store, so that
// nothing has been done with it before that.
func (u *structUses) hidden(in *ssa.Store, f *fieldUses, inOneCopy func(a, b ssa.Instruction) bool) (early []*ssa.UnOp, ok bool) {
	const (
		goesOn = iota
		set
		seen
	)
	does := make(map[ssa.Instruction]int)
	for _, r := range f.reads {
		does[r] = seen
		if load, ok := r.(*ssa.UnOp); ok && load.Block() != in.Parent().Recover && inOneCopy(in, load) && !u.setBefore(f, load) {
			does[r] = goesOn
			early = append(early, load)
		}
	}
	for _, r := range u.whole {
		does[r] = seen
	}
	for _, st := range f.stores {
		does[st] = set
	}
	does[in], does[u.cell] = goesOn, set // by another round the variable is a new one
	along := func(instrs []ssa.Instruction) int {
		for _, x := range instrs {
			if _, ok := x.(*ssa.DebugRef); !ok && does[x] != goesOn {
				return does[x]
			}
		}
		return goesOn
	}
	b := in.Block()
	at := 0
	for i, x := range b.Instrs {
		switch {
		case x == ssa.Instruction(u.cell):
			at = i + 1
		case x == ssa.Instruction(in):
			if along(b.Instrs[at:i]) != goesOn {
				return nil, false
			}
			at = i + 1
		}
	}
	if r := b.Parent().Recover; r != nil && along(r.Instrs) != goesOn {
		return nil, false // no way leads there, but a panic
	}
	work, known := []*ssa.BasicBlock{b}, make(map[*ssa.BasicBlock]bool)
	for len(work) > 0 {
		c := work[len(work)-1]
		work = work[:len(work)-1]
		switch along(c.Instrs[at:]) {
		case seen:
			return nil, false
		case goesOn:
			for _, next := range c.Succs {
				if !known[next] {
					known[next] = true
					work = append(work, next)
				}
			}
		}
		at = 0
	}
	return early, true
}

// setBefore reports whether a load of a field may come after a store to it.
func (u *structUses) setBefore(f *fieldUses, load *ssa.UnOp) bool {
	return slices.ContainsFunc(f.stores, func(st *ssa.Store) bool { return ssair.LeadsWithin(u.cell, st, load) })
}
