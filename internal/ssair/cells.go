package ssair

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// LastStore returns the last store before a load to the address that it loads from,
// in the same block, or nil: what a variable holds there, if nothing else can change
// it. go/ssa keeps the results of functions that defer in such variables.
func LastStore(load *ssa.UnOp) (last *ssa.Store) {
	for _, in := range load.Block().Instrs {
		if in == ssa.Instruction(load) {
			break
		}
		if st, ok := in.(*ssa.Store); ok && st.Addr == load.X {
			last = st
		}
	}
	return last
}

// HeldValue returns what a variable of the function's own, or a field, holds at a load, if that was stored in the
// same block, and nothing can change it in between: go/ssa keeps the results of functions that defer
// in variables, and what is deferred may change them, but not before the function returns.
func HeldValue(load *ssa.UnOp) (ssa.Value, bool) {
	if load.Op != token.MUL {
		return nil, false
	}
	if fa, ok := load.X.(*ssa.FieldAddr); ok {
		return justStored(load, fa)
	}
	cell, ok := load.X.(*ssa.Alloc)
	if !ok {
		return nil, false
	}
	last := LastStore(load)
	if last == nil {
		return nil, false
	}
	if !unchangedByCalls(cell) {
		return justSet(load, cell)
	}
	after := false
	for _, in := range load.Block().Instrs {
		if _, ok := in.(*ssa.RunDefers); ok && after {
			return nil, false
		}
		after = after || in == ssa.Instruction(last)
		if in == ssa.Instruction(load) {
			break
		}
	}
	return last.Val, true
}

// justSet returns what was stored in a variable right before a load of it, where the function does nothing in between (soundness: stable-base):
//
//	defer wrap(&err, "failed to read")
//	if err = s.lock(); err != nil {
func justSet(load *ssa.UnOp, cell *ssa.Alloc) (ssa.Value, bool) {
	st := storeBefore(load, func(in ssa.Instruction) bool {
		switch in.(type) {
		case *ssa.FieldAddr, *ssa.DebugRef, *ssa.Extract:
			return true
		}
		return false
	})
	if st == nil || st.Addr != cell {
		return nil, false
	}
	return st.Val, true
}

// storeBefore returns the store that comes before a load in its block, behind nothing but what is skipped; nil if there is none.
func storeBefore(load *ssa.UnOp, skip func(ssa.Instruction) bool) *ssa.Store {
	instrs := load.Block().Instrs
	for k := slices.Index(instrs, ssa.Instruction(load)) - 1; k >= 0; k-- {
		if st, ok := instrs[k].(*ssa.Store); ok {
			return st
		}
		if !skip(instrs[k]) {
			return nil
		}
	}
	return nil
}

// justStored returns what was stored in a field right before a load of it, where the function does nothing in between
// but to find the field again (soundness: stable-base):
//
//	if s.err = s.open(); s.err != nil {
func justStored(load *ssa.UnOp, field *ssa.FieldAddr) (ssa.Value, bool) {
	st := storeBefore(load, func(in ssa.Instruction) bool {
		switch in := in.(type) {
		case *ssa.FieldAddr, *ssa.DebugRef:
			return true
		case *ssa.UnOp:
			return in.Op == token.MUL
		}
		return false
	})
	if st == nil {
		return nil, false
	}
	to, ok := st.Addr.(*ssa.FieldAddr)
	if !ok || to.Field != field.Field || !sameBase(to.X, field.X) {
		return nil, false
	}
	return st.Val, true
}

// sameBase reports whether two pointers are one: what a variable holds that is assigned once, or a field of the same.
func sameBase(x, y ssa.Value) bool {
	if x == y {
		return true
	}
	switch x := x.(type) {
	case *ssa.UnOp:
		if y, ok := y.(*ssa.UnOp); ok && x.Op == token.MUL && y.Op == token.MUL && x.X == y.X {
			_, once := AssignedOnce(x.X)
			return once
		}
	case *ssa.FieldAddr:
		y, ok := y.(*ssa.FieldAddr)
		return ok && x.Field == y.Field && sameBase(x.X, y.X)
	}
	return false
}

// unchangedByCalls reports whether only the function that has a variable stores to it, and
// closures that it defers.
func unchangedByCalls(cell *ssa.Alloc) bool {
	var stores []*ssa.Store
	return onlyRead(cell, &stores, onlyDeferred)
}

// onlyDeferred reports whether a closure is made for defer statements alone.
func onlyDeferred(mc *ssa.MakeClosure) bool {
	return !slices.ContainsFunc(*mc.Referrers(), func(r ssa.Instruction) bool {
		d, ok := r.(*ssa.Defer)
		if _, debug := r.(*ssa.DebugRef); debug {
			return false
		}
		return !ok || d.Call.Value != mc || slices.Contains(d.Call.Args, ssa.Value(mc))
	})
}

// Given returns what an argument is: a slice that is given as any, as to sort.Slice, is
// that slice.
func Given(v ssa.Value) ssa.Value {
	if mi, ok := v.(*ssa.MakeInterface); ok {
		if IsSlice(mi.X.Type()) {
			return mi.X
		}
	}
	return v
}

// Uncut returns the value of which a value is a part, cut once or oftener.
func Uncut(v ssa.Value) ssa.Value {
	for {
		s, ok := v.(*ssa.Slice)
		if !ok {
			return v
		}
		v = s.X
	}
}

// IsSlice reports whether a type is that of slices.
func IsSlice(t types.Type) bool {
	_, ok := Under(t).(*types.Slice)
	return ok
}

// IsMap reports whether a type is that of maps.
func IsMap(t types.Type) bool {
	_, ok := Under(t).(*types.Map)
	return ok
}

// AssignedBefore returns the one store to the variable that v loads, if it
// comes before the load, or before the closure that loads it is made.
func AssignedBefore(v *ssa.UnOp) (*ssa.Store, bool) {
	if v.Op != token.MUL {
		return nil, false
	}
	st, ok := AssignedOnce(v.X)
	if !ok {
		return nil, false
	}
	at := v.Block()
	fn := v.Parent()
	for fn != st.Parent() {
		up := fn.Parent()
		if up == nil {
			return nil, false
		}
		at = nil
		for _, blk := range up.Blocks {
			for _, in := range blk.Instrs {
				if mc, ok := in.(*ssa.MakeClosure); ok && mc.Fn == fn {
					if at != nil {
						return nil, false
					}
					at = blk
				}
			}
		}
		if at == nil {
			return nil, false
		}
		fn = up
	}
	if st.Block() == at {
		if fn != v.Parent() {
			return st, storedBefore(st, at)
		}
		for _, in := range at.Instrs {
			if in == ssa.Instruction(st) {
				return st, true
			}
			if in == ssa.Instruction(v) {
				return nil, false
			}
		}
	}
	return st, st.Block().Dominates(at)
}

// storedBefore reports whether st comes before every closure made in its block.
func storedBefore(st *ssa.Store, blk *ssa.BasicBlock) bool {
	for _, in := range blk.Instrs {
		if in == ssa.Instruction(st) {
			return true
		}
		if _, ok := in.(*ssa.MakeClosure); ok {
			return false
		}
	}
	return false
}

// AssignedOnce reports whether v is the address of a variable that one store
// alone ever writes, and returns that store. It looks through captures.
func AssignedOnce(v ssa.Value) (*ssa.Store, bool) {
	for depth := 0; depth < 8; depth++ {
		switch x := v.(type) {
		case *ssa.FreeVar:
			v = Binding(x)
			if v == nil {
				return nil, false
			}
			continue
		case *ssa.Alloc:
			var st *ssa.Store
			n := 0
			if !OnlyCells(x, &st, &n, 0) || n != 1 {
				return nil, false
			}
			return st, true
		}
		return nil, false
	}
	return nil, false
}

// StoredOnce reports whether a store to a variable of its function runs once at most for each one that is
// made: all ways from it back to it lead by where the variable is made.
func StoredOnce(st *ssa.Store) bool {
	cell, ok := st.Addr.(*ssa.Alloc)
	return ok && !LeadsWithin(cell, st, st)
}

// LeadsWithin reports whether a function may come from one instruction to another without making new
// memory in between, which is made before the second one.
func LeadsWithin(made *ssa.Alloc, from, to ssa.Instruction) bool {
	if b := from.Block(); b == to.Block() {
		i, j := slices.Index(b.Instrs, from), slices.Index(b.Instrs, to)
		if m := slices.Index(b.Instrs, ssa.Instruction(made)); i < j && (m < i || m > j) {
			return true
		}
	}
	seen := map[*ssa.BasicBlock]bool{made.Block(): true}
	work := []*ssa.BasicBlock{from.Block()}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		for _, s := range b.Succs {
			if seen[s] {
				continue
			}
			if s == to.Block() {
				return true
			}
			seen[s] = true
			work = append(work, s)
		}
	}
	return false
}

// Binding returns what the one MakeClosure of v's function binds v to.
func Binding(v *ssa.FreeVar) ssa.Value {
	fn := v.Parent()
	if fn.Parent() == nil {
		return nil
	}
	k := -1
	for i, f := range fn.FreeVars {
		if f == v {
			k = i
		}
	}
	var bound ssa.Value
	for _, blk := range fn.Parent().Blocks {
		for _, in := range blk.Instrs {
			if mc, ok := in.(*ssa.MakeClosure); ok && mc.Fn == fn && k >= 0 && k < len(mc.Bindings) {
				if bound != nil && bound != mc.Bindings[k] {
					return nil
				}
				bound = mc.Bindings[k]
			}
		}
	}
	return bound
}

// OnlyCells reports whether the cell at v is only loaded, stored to and
// captured, and counts the stores.
func OnlyCells(v ssa.Value, st **ssa.Store, n *int, depth int) bool {
	if depth > 6 || v.Referrers() == nil {
		return false
	}
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.Store:
			if r.Addr != v {
				return false
			}
			*n++
			*st = r
		case *ssa.UnOp, *ssa.DebugRef:
		case *ssa.FieldAddr, *ssa.IndexAddr:
			return false // a struct cell: its fields have versions of their own
		case *ssa.MakeClosure:
			fn, ok := r.Fn.(*ssa.Function)
			if !ok {
				return false
			}
			for i, bound := range r.Bindings {
				if bound == v && (i >= len(fn.FreeVars) || !OnlyCells(fn.FreeVars[i], st, n, depth+1)) {
					return false
				}
			}
		default:
			return false
		}
	}
	return true
}

// OnlyRead reports whether a variable is only loaded, stored to by its own
// function, and captured by closures that load it; it adds the stores.
func OnlyRead(v ssa.Value, stores *[]*ssa.Store) bool {
	return onlyRead(v, stores, func(*ssa.MakeClosure) bool { return false })
}

// onlyRead is OnlyRead but for closures that do not count.
func onlyRead(v ssa.Value, stores *[]*ssa.Store, aside func(*ssa.MakeClosure) bool) bool {
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.DebugRef:
		case *ssa.UnOp:
			if r.Op != token.MUL {
				return false
			}
		case *ssa.Store:
			if r.Addr != v || stores == nil {
				return false
			}
			*stores = append(*stores, r)
		case *ssa.MakeClosure:
			fn, ok := r.Fn.(*ssa.Function)
			if !ok {
				return false
			}
			if aside(r) {
				continue
			}
			for k, x := range r.Bindings {
				if x == v && !OnlyRead(fn.FreeVars[k], nil) {
					return false
				}
			}
		default:
			return false
		}
	}
	return true
}

// Settled reports whether what a closure finds in variable p, which it has captured, is
// what was there when it was made: nothing stores to p from then on, unless to a new
// variable.
func (f *Func) Settled(mc *ssa.MakeClosure, p *ssa.Alloc) bool {
	var stores []*ssa.Store
	return OnlyRead(p, &stores) && !slices.ContainsFunc(stores, func(st *ssa.Store) bool { return f.Reaches(mc, st, p) })
}

// Seen returns the stores of which a closure may find the value in a variable that is
// Settled when it is made: the last on each way there. others is set if there are other stores,
// whose values it cannot find. None is the last where the variable is new.
func (f *Func) Seen(mc *ssa.MakeClosure, p *ssa.Alloc) (last []*ssa.Store, others bool) {
	var stores []*ssa.Store
	if !OnlyRead(p, &stores) {
		return nil, false
	}
	seen := make([]bool, len(f.SSA.Blocks))
	work := []*ssa.BasicBlock{mc.Block()}
	for first := true; len(work) > 0; first = false {
		blk := work[len(work)-1]
		work = work[:len(work)-1]
		to := f.Start[blk.Index+1]
		if first {
			to = f.Num(mc)
		}
		var st *ssa.Store
		for _, x := range stores {
			if n := f.Num(x); n >= f.Start[blk.Index] && n < to && (st == nil || n > f.Num(st)) {
				st = x
			}
		}
		if st != nil {
			if !slices.Contains(last, st) {
				last = append(last, st)
			}
			continue
		}
		if n := f.Num(p); n >= f.Start[blk.Index] && n < to {
			continue
		}
		for _, b := range blk.Preds {
			if !seen[b.Index] {
				seen[b.Index] = true
				work = append(work, b)
			}
		}
	}
	return last, len(last) < len(stores)
}

// Reaches reports whether control can get from just after instruction from to
// instruction to without passing instruction stop. A phi counts as the start
// of its block.
func (f *Func) Reaches(from, to, stop ssa.Instruction) bool {
	seen := make([]bool, len(f.SSA.Blocks))
	blk := from.Block()
	start := f.Num(from) + 1
	work := []*ssa.BasicBlock{}
	scan := func(x *ssa.BasicBlock, first bool) bool {
		lo := f.Start[x.Index]
		if first {
			lo = start
		}
		hi := f.Start[x.Index+1]
		t, s := f.Num(to), f.Num(stop)
		inT := t >= lo && t < hi
		inS := s >= lo && s < hi
		if inT && (!inS || t < s) {
			return true
		}
		if !inS {
			for _, n := range x.Succs {
				if !seen[n.Index] {
					seen[n.Index] = true
					work = append(work, n)
				}
			}
		}
		return false
	}
	if scan(blk, true) {
		return true
	}
	for len(work) > 0 {
		x := work[len(work)-1]
		work = work[:len(work)-1]
		if scan(x, false) {
			return true
		}
	}
	return false
}

// Private reports whether only the frame itself can reach the address.
func Private(v ssa.Value) bool {
	for {
		switch x := v.(type) {
		case *ssa.FieldAddr:
			v = x.X
		case *ssa.IndexAddr:
			if IsSlice(x.X.Type()) {
				return false
			}
			v = x.X
		case *ssa.Alloc:
			return !x.Heap
		default:
			return false
		}
	}
}

// Initialises reports whether fn initialises a package's variables.
func Initialises(fn *ssa.Function) bool { return fn.Synthetic == "package initializer" }
