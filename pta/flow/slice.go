package flow

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/iterace/iterace/internal/ssair"
)

// A Sub is a slice of a slice: Of[Low:High].
type Sub struct {
	At        ssair.Instr // whose value it is
	Of        PathID
	Low, High Bound
}

// A Bound is a bound of a Sub: the value at Path plus Add, or that number
// alone. Open is set where it is left out.
type Bound struct {
	Path PathID
	Add  int64
	Open bool
}

// sub notes a slice of a slice that has its elements from its base's length.
// (Where the bound is asked of cap it may go beyond.)
func (b *builder) sub(in *ssa.Slice, at ssair.Instr) {
	of := b.path(in.X)
	lo, ok1 := b.bound(in.Low)
	hi, ok2 := b.bound(in.High)
	if of > 0 && ok1 && ok2 {
		b.Subs = append(b.Subs, Sub{at, of, lo, hi})
	}
}

func (b *builder) bound(v ssa.Value) (Bound, bool) {
	if v == nil {
		return Bound{Open: true}, true
	}
	v = b.assigned(v)
	if c, ok := v.(*ssa.Call); ok && ssair.IsBuiltin(c, "cap") {
		return Bound{}, false
	}
	if n, ok := intConst(v); ok {
		return Bound{Add: n}, true
	}
	if op, ok := v.(*ssa.BinOp); ok && (op.Op == token.ADD || op.Op == token.SUB) {
		if n, ok := intConst(op.Y); ok {
			if op.Op == token.SUB {
				n = -n
			}
			p := b.path(b.assigned(op.X))
			return Bound{Path: p, Add: n}, p > 0
		}
	}
	p := b.path(v)
	return Bound{Path: p}, p > 0
}

// assigned is what the function has assigned to the variable that v is loaded from, if that is
// all that it ever holds.
func (b *builder) assigned(v ssa.Value) ssa.Value {
	if ld, ok := v.(*ssa.UnOp); ok {
		if st, ok := ssair.AssignedBefore(ld); ok && st.Parent() == b.ir.SSA {
			return st.Val
		}
	}
	return v
}

// A Rest is a variable of slices of which a loop leaves less and less, or what some of its branches have left of it:
//
//	for len(l) > 0 {
//		use(l[0])
//		l = l[1:]
//	}
//
// Whatever it holds is a part of Of, its first value.
type Rest struct {
	At ssair.Instr // the phi
	Of PathID
}

// rest notes such a variable at the head of its loop.
func (b *builder) rest(phi *ssa.Phi, at ssair.Instr) {
	if _, ok := phi.Type().Underlying().(*types.Slice); !ok {
		return
	}
	var first ssa.Value
	seen := map[*ssa.Phi]bool{phi: true}
	out := []Rest{{At: at}}
	var isPart func(v ssa.Value) bool
	isPart = func(v ssa.Value) bool {
		switch v := v.(type) {
		case *ssa.Phi:
			if !seen[v] {
				seen[v] = true
				out = append(out, Rest{At: b.ir.Num(v)})
				return !slices.ContainsFunc(v.Edges, func(e ssa.Value) bool { return !isPart(e) })
			}
			return true
		case *ssa.Slice:
			return b.shrinks(v) && isPart(v.X)
		}
		return false
	}
	head := false
	for i, e := range phi.Edges {
		switch {
		case phi.Block().Dominates(phi.Block().Preds[i]):
			if head = true; !isPart(e) {
				return
			}
		case first == nil || first == e:
			first = e
		default:
			return
		}
	}
	of := b.path(first)
	if of == 0 || !head {
		return
	}
	for _, r := range out {
		if !slices.ContainsFunc(b.Rests, func(s Rest) bool { return s.At == r.At }) {
			b.Rests = append(b.Rests, Rest{r.At, of})
		}
	}
}

// shrinks reports whether a slice of a slice ends where that ends, or earlier. Other ends may be beyond its length, and
// a variable that is cut so again and again grows.
func (b *builder) shrinks(v *ssa.Slice) bool {
	if v.High == nil {
		return true
	}
	op, ok := v.High.(*ssa.BinOp)
	if !ok || op.Op != token.SUB {
		return false
	}
	n, ok := intConst(op.Y)
	c, call := op.X.(*ssa.Call)
	if !ok || n < 0 || !call {
		return false
	}
	return ssair.IsBuiltin(c, "len") && c.Call.Args[0] == v.X
}

// RestOf returns what p, a variable of slices, holds a part of.
func (f *Func) RestOf(p Path) (Path, bool) {
	at, ok := p.Made()
	if !ok || p.Sels != "" {
		return Path{}, false
	}
	for _, r := range f.Rests {
		if r.At == at {
			return f.Path(r.Of), true
		}
	}
	return Path{}, false
}

// SubOf returns the slice of a slice that p is, or nil: the value at its root,
// with nothing selected from it.
func (f *Func) SubOf(p Path) *Sub {
	at, ok := p.Made()
	if !ok || p.Sels != "" {
		return nil
	}
	return f.subAt(at)
}

func (f *Func) subAt(at ssair.Instr) *Sub {
	for i := range f.Subs {
		if f.Subs[i].At == at {
			return &f.Subs[i]
		}
	}
	return nil
}

// Passed returns what argument k of step s is, and, if it is a slice of a slice
// that is named like its base, which.
func (f *Func) Passed(s *Step, k int) (Path, *Sub) {
	if k < 0 || k >= len(s.Args) {
		return Path{}, nil
	}
	return f.Path(s.Args[k]), f.head(s.Args[k])
}

// CapturedAt is Passed for what the closure made at an instruction captures as
// its k-th free variable: what the captured variable holds.
func (f *Func) CapturedAt(at ssair.Instr, k int) (Path, *Sub) {
	c := f.ClosureAt(at)
	if c == nil || k < 0 || k >= len(c.Binds) {
		return Path{}, nil
	}
	for _, cell := range f.cells {
		if cell.cell == c.Binds[k] {
			return f.Path(cell.val), f.head(cell.val)
		}
	}
	return Path{}, nil
}

// SettledAt returns the path of what the k-th variable holds that the closure made at an
// instruction captures, if that is settled when the closure is made.
func (f *Func) SettledAt(at ssair.Instr, k int) (Path, bool) {
	c := f.ClosureAt(at)
	if c == nil || k < 0 || k >= len(c.Binds) || k >= 64 || c.Settled&(1<<k) == 0 {
		return Path{}, false
	}
	p := f.Path(c.Binds[k])
	p.Sels += "*"
	return p, p.Known()
}

func (f *Func) head(id PathID) *Sub {
	if id <= 0 || f.paths[id].kind != pathHead {
		return nil
	}
	return f.subAt(f.paths[id].at)
}

// Touched returns the path of the slice that is argument k of a call of append,
// copy or a library's function that reads or writes it.
func (f *Func) Touched(at ssair.Instr, k int) (p Path, builtin, ok bool) {
	t := f.touch(at)
	if t == nil {
		return Path{}, false, false
	}
	if k < 0 || k >= len(t.Args) {
		return Path{}, t.Builtin, true
	}
	return f.Path(t.Args[k]), t.Builtin, true
}

// A Region is the elements of a slice that a call touches.
type Region struct {
	Of      PathID // the slice that the argument is cut from
	Parts   []*Sub // what it is cut by, that of the argument first
	Builtin bool   // not a library's function
	Alone   bool   // no other slice limits it, as that which is copied does
}

// RegionAt returns what a call touches of its argument k.
func (f *Func) RegionAt(at ssair.Instr, k int) (Region, bool) {
	t := f.touch(at)
	if t == nil || k < 0 || k >= len(t.Args) {
		return Region{}, false
	}
	r := Region{Of: t.Args[k], Builtin: t.Builtin, Alone: len(t.Args) == 1}
	for s := f.SubOf(f.Path(r.Of)); s != nil; s = f.SubOf(f.Path(r.Of)) {
		r.Parts, r.Of = append(r.Parts, s), s.Of
	}
	return r, true
}

func (f *Func) touch(at ssair.Instr) *Touch {
	for i := range f.Touches {
		if f.Touches[i].At == at {
			return &f.Touches[i]
		}
	}
	return nil
}

// A Touch is a call that touches elements of slices.
type Touch struct {
	At      ssair.Instr
	Builtin bool // not a library's
	Args    []PathID
}
