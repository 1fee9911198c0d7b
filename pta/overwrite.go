package pta

import (
	"golang.org/x/tools/go/ssa"
)

// overwritten returns the leaves of a struct, new with the store that fills it,
// that are set anew before anyone can look at them: in
//
//	d := *c
//	d.user = &user{…}
//	return &d
//
// no one ever finds c's user in d. That is so if on all ways from the store the field is
// set before it is read, and before the struct is handed on or copied; what is done with its other
// fields meanwhile makes no difference.
func (l *lowerer) overwritten(in *ssa.Store) map[int32]bool {
	cell, ok := in.Addr.(*ssa.Alloc)
	if !ok || cell.Block() != in.Block() {
		return nil
	}
	var out map[int32]bool
	u := usesOf(cell)
	for f, field := range u.fields {
		if len(field.stores) == 0 || !u.hidden(in, field) {
			continue
		}
		if out == nil {
			out = make(map[int32]bool)
		}
		from := l.p.types.fieldOffset(deref(cell.Type()), f)
		for i := range l.leaves(field.stores[0].Val.Type()) {
			out[from+i] = true
		}
	}
	return out
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
// field but by a store to that. The variable is new with the store, so that nothing has been
// done with it before that.
func (u *structUses) hidden(in *ssa.Store, f *fieldUses) bool {
	const (
		goesOn = iota
		set
		seen
	)
	does := make(map[ssa.Instruction]int)
	for _, r := range f.reads {
		does[r] = seen
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
				return false
			}
			at = i + 1
		}
	}
	if r := b.Parent().Recover; r != nil && along(r.Instrs) != goesOn {
		return false // no way leads there, but a panic
	}
	work, known := []*ssa.BasicBlock{b}, make(map[*ssa.BasicBlock]bool)
	for len(work) > 0 {
		c := work[len(work)-1]
		work = work[:len(work)-1]
		switch along(c.Instrs[at:]) {
		case seen:
			return false
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
	return true
}
