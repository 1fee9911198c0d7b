package flow

import "golang.org/x/tools/go/ssa"

// This file finds what a function makes to be told by, and puts into a field of something
// else that it makes:
//
//	done := make(chan struct{})
//	c := &call{done: done}
//	calls <- c
//	<-done
//	return c.result
//
// So it has two names there, as long as the function stores nothing else in the field (soundness:
// stable-base).

// An InField is a channel, and the field that the function stores it in.
type InField struct {
	Chan  PathID
	Field PathID // its address
}

// NamesOf calls visit for a channel by its path, and by the fields in which the function has
// put it.
func (f *Func) NamesOf(p Path, visit func(Path)) {
	visit(p)
	for _, x := range f.InFields {
		if at := f.Path(x.Field); at.Known() && f.Path(x.Chan) == p {
			visit(Path{at.Root, at.Sels + "*"})
		}
	}
}

// inFields fills in InFields.
func (b *builder) inFields() {
	for _, blk := range b.ir.SSA.Blocks {
		for _, in := range blk.Instrs {
			st, ok := in.(*ssa.Store)
			if !ok {
				continue
			}
			at, ok := st.Addr.(*ssa.FieldAddr)
			if !ok {
				continue
			}
			v := st.Val
			if c, ok := v.(*ssa.ChangeType); ok {
				v = c.X
			}
			c, made := v.(*ssa.MakeChan)
			owner, own := at.X.(*ssa.Alloc)
			if made && own && b.Innermost(int32(owner.Block().Index)) == b.Innermost(int32(c.Block().Index)) && storesOf(owner, at.Field) == 1 {
				b.InFields = append(b.InFields, InField{b.path(c), b.path(at)})
			}
		}
	}
}

// storesOf counts the stores to a field of what an instruction makes, and to all of it.
func storesOf(owner *ssa.Alloc, field int) (n int) {
	for _, r := range *owner.Referrers() {
		switch r := r.(type) {
		case *ssa.Store:
			if r.Addr == ssa.Value(owner) {
				n++
			}
		case *ssa.FieldAddr:
			if r.Field != field {
				continue
			}
			for _, u := range *r.Referrers() {
				if st, ok := u.(*ssa.Store); ok && st.Addr == ssa.Value(r) {
					n++
				}
			}
		}
	}
	return n
}
