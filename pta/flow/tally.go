package flow

import (
	"go/token"
	"slices"

	"github.com/iterace/iterace/internal/ssair"
	"golang.org/x/tools/go/ssa"
)

// This file finds the variables in which a function keeps count, and where it looks at them:
//
//	pending := 0
//	for _, job := range jobs {
//		if pending == limit {
//			<-done
//			pending--
//		}
//		pending++
//		go run(job, done)
//	}
//	for pending > 0 {
//		<-done
//		pending--
//	}
//
// What is counted the function does not say: that is found by comparing what it adds with what
// it does on the same ways (filters/order/tally.go).

// A Tally is a variable to which a function adds constants, and nothing else.
type Tally struct {
	Base  PathID      // what it begins with, beside constants; 0 if that is nothing
	Steps []TallyStep // where it changes, by block and in order
}

// A TallyStep is a change of a Tally.
type TallyStep struct {
	Block int32
	Succ  int32       // on this edge out of the block, after all that it does; -1 if at an instruction
	At    ssair.Instr // that one
	Sets  bool        // it begins anew, with By more than Base; else By is added
	By    int64
}

// maxTally bounds the values that one Tally has.
const maxTally = 64

// tallies finds them, in functions that receive something, and adds to edges what they prove of them.
func (b *builder) tallies() {
	if !b.receives() {
		return
	}
	t := &tallying{builder: b, of: make(map[ssa.Value]int)}
	for _, blk := range b.ir.SSA.Blocks {
		if n := len(blk.Instrs); n > 0 && len(b.Blocks[blk.Index].Succs) == 2 {
			if br, ok := blk.Instrs[n-1].(*ssa.If); ok {
				if cmp, ok := br.Cond.(*ssa.BinOp); ok {
					t.comparison(blk, cmp)
				}
			}
		}
	}
}

// receives reports whether a function receives from a channel itself.
func (b *builder) receives() bool {
	return slices.ContainsFunc(b.Steps, func(s Step) bool { return s.Kind == Recv }) ||
		slices.ContainsFunc(b.Blocks, func(x Block) bool { return hasCase(&x) })
}

// tallying is the search for tallies in one function.
type tallying struct {
	*builder
	of   map[ssa.Value]int // a value of a variable: its number in webs, -1 if it is none
	webs []*tallyWeb       // those that were found
}

// A tallyWeb is a variable as go/ssa has it: the values that it takes.
type tallyWeb struct {
	values map[ssa.Value]bool
	base   ssa.Value
	ends   []ssa.Value // by block: what the variable is when control leaves it, nil if that depends
	tally  int         // its number in the skeleton
}

// comparison notes what the edges out of a block prove that ends in a comparison.
func (t *tallying) comparison(blk *ssa.BasicBlock, cmp *ssa.BinOp) {
	if _, ok := negated[cmp.Op]; !ok || !ssair.IsInteger(cmp.X.Type()) {
		return
	}
	op, x, y := cmp.Op, cmp.X, cmp.Y
	w := t.web(x, blk)
	if w == nil {
		if w = t.web(y, blk); w == nil {
			return
		}
		op, x, y = mirrored[op], y, x
	}
	e := Event{Kind: Tallied, Site: ssair.NoInstr, Operand: w.tally}
	if k, ok := intConst(y); ok {
		e.Const = k
	} else if v := t.web(y, blk); v != nil {
		if v == w {
			return
		}
		e.Delta, e.HasDelta = int64(v.tally), true
	} else if e.Value = t.path(y); !t.Path(e.Value).Known() {
		return
	}
	succs := t.Blocks[blk.Index].Succs
	for k, op := range []token.Token{op, negated[op]} {
		add := func(cmp string, by int64) {
			ev := e
			ev.Cmp, ev.Const = cmp, e.Const+by
			succs[k].Events = append(succs[k].Events, ev)
		}
		switch op {
		case token.EQL:
			add("<=", 0)
			add(">=", 0)
		case token.LEQ:
			add("<=", 0)
		case token.LSS:
			add("<=", -1)
		case token.GEQ:
			add(">=", 0)
		case token.GTR:
			add(">=", 1)
		}
	}
}

// web returns the variable of which v is the value at the end of a block, nil if there is none.
func (t *tallying) web(v ssa.Value, blk *ssa.BasicBlock) *tallyWeb {
	k, ok := t.of[v]
	if !ok {
		k = -1
		if w := t.find(v); w != nil {
			k = len(t.webs)
			t.webs = append(t.webs, w)
			for x := range w.values {
				if _, ok := t.of[x]; !ok {
					t.of[x] = k
				}
			}
		}
		t.of[v] = k
	}
	if k < 0 || t.webs[k].ends[blk.Index] != v {
		return nil
	}
	return t.webs[k]
}

// find follows a value to all that the variable may have been before.
func (t *tallying) find(v ssa.Value) *tallyWeb {
	w := &tallyWeb{values: make(map[ssa.Value]bool)}
	constants := false
	var leaves, work []ssa.Value
	visit := func(x ssa.Value) {
		switch x := x.(type) {
		case *ssa.Phi:
		case *ssa.Const:
			constants = true
			return
		case *ssa.BinOp:
			if _, ok := increment(x, x.X); !ok {
				leaves = append(leaves, x)
				return
			}
		default:
			leaves = append(leaves, x)
			return
		}
		if !w.values[x] {
			w.values[x] = true
			work = append(work, x)
		}
	}
	visit(v)
	phis := false
	for len(work) > 0 && len(w.values) <= maxTally {
		x := work[len(work)-1]
		work = work[:len(work)-1]
		switch x := x.(type) {
		case *ssa.Phi:
			phis = true
			for _, e := range x.Edges {
				visit(e)
			}
		case *ssa.BinOp:
			visit(x.X)
		}
	}
	if len(work) > 0 || !phis {
		return nil
	}
	for _, l := range leaves {
		if constants || l != leaves[0] {
			return nil // what it counts from depends
		}
		w.base = l
	}
	if !t.follow(w) {
		return nil
	}
	return w
}

// isStart reports whether a value is one that the variable begins with, and how much more than its base.
func (w *tallyWeb) isStart(v ssa.Value) (by int64, ok bool) {
	if w.base != nil {
		return 0, v == w.base
	}
	return intConst(v)
}

// follow finds the places where a variable changes. It reports false if some value is made of another one than the
// variable has there: then they are of two variables.
func (t *tallying) follow(w *tallyWeb) bool {
	blocks := t.ir.SSA.Blocks
	phi := make([]*ssa.Phi, len(blocks))
	for i, blk := range blocks {
		for _, in := range blk.Instrs {
			if p, ok := in.(*ssa.Phi); ok && w.values[p] {
				if phi[i] != nil {
					return false
				}
				phi[i] = p
			}
		}
	}
	begins := w.spread(blocks, phi)
	tally := Tally{}
	if w.base != nil {
		if tally.Base = t.path(w.base); !t.Path(tally.Base).Known() {
			return false
		}
	}
	skipped := t.skipped()
	for i, blk := range blocks {
		cur := begins[i]
		if phi[i] != nil && skipped[blk] {
			return false
		}
		for _, in := range blk.Instrs {
			x, ok := in.(*ssa.BinOp)
			if !ok || !w.values[x] {
				continue
			}
			by, _ := increment(x, x.X)
			s := TallyStep{Block: int32(i), Succ: -1, At: t.ir.Num(x), By: by}
			if from, ok := w.isStart(x.X); ok {
				s.Sets, s.By = true, from+by
			} else if x.X != cur {
				return false
			}
			if skipped[blk] {
				return false
			}
			tally.Steps = append(tally.Steps, s)
			cur = x
		}
		for k, to := range blk.Succs {
			p := phi[to.Index]
			if p == nil {
				continue
			}
			// Two edges to one block bring along what the one or the other is said to.
			for n, from := range to.Preds {
				if from != blk {
					continue
				}
				if by, ok := w.isStart(p.Edges[n]); ok {
					if slices.Contains(to.Preds[n+1:], blk) || slices.Index(to.Preds, blk) != n {
						return false
					}
					tally.Steps = append(tally.Steps, TallyStep{Block: int32(i), Succ: int32(k), At: ssair.NoInstr, Sets: true, By: by})
				} else if p.Edges[n] != cur {
					return false
				}
			}
		}
	}
	w.tally = len(t.Tallies)
	t.Tallies = append(t.Tallies, tally)
	return true
}

// spread finds what a variable is at the end of each block, and returns what it is where control comes to one, after the
// phi of the variable: nil where that depends on the way.
func (w *tallyWeb) spread(blocks []*ssa.BasicBlock, phi []*ssa.Phi) (begins []ssa.Value) {
	var none ssa.Value = &ssa.Const{} // where it has not begun
	begins, w.ends = make([]ssa.Value, len(blocks)), make([]ssa.Value, len(blocks))
	seen := make([]bool, len(blocks))
	for changed := true; changed; {
		changed = false
		for i, blk := range blocks {
			cur, come := none, len(blk.Preds) == 0
			for _, p := range blk.Preds {
				if !seen[p.Index] {
					continue
				}
				if end := w.ends[p.Index]; !come || cur == end {
					cur = end
				} else {
					cur = nil
				}
				come = true
			}
			if !come {
				continue
			}
			if phi[i] != nil {
				cur = phi[i]
			}
			begins[i] = cur
			for _, in := range blk.Instrs {
				if x, ok := in.(*ssa.BinOp); ok && w.values[x] {
					cur = x
				}
			}
			if !seen[i] || w.ends[i] != cur {
				seen[i], w.ends[i], changed = true, cur, true
			}
		}
	}
	return begins
}

// skipped are the blocks that some edge is led past, and where it leads: what a variable is there
// the skeleton does not say.
func (t *tallying) skipped() map[*ssa.BasicBlock]bool {
	out := make(map[*ssa.BasicBlock]bool)
	for i, blk := range t.ir.SSA.Blocks {
		succs := t.Blocks[i].Succs
		if len(succs) != len(blk.Succs) {
			continue
		}
		for k, to := range blk.Succs {
			for from, at := blk, to; int32(at.Index) != succs[k].To; {
				n := t.decided(from, at)
				if n < 0 {
					break
				}
				out[at] = true
				from, at = at, at.Succs[n]
				out[at] = true
			}
		}
	}
	return out
}
