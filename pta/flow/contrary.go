package flow

import (
	"go/constant"
	"go/token"
	"maps"
	"slices"

	"github.com/iterace/iterace/internal/ssair"
	"golang.org/x/tools/go/ssa"
)

// This file relates branches to branches. Where a value was tested, later tests of
// it, and of variables that have got it since, turn out one way only:
//
//	if h != nil {
//		go serve(c, h)
//		break
//	}
//	…
//	if h == nil {
//		put(c)
//	}
//
// Whoever comes from the go statement does not put c back. What is known is whether
// values are zero, and what the function's own variables hold, if nobody else sets
// them.

// A Contrary says which turns control does not take once it has come to a block,
// in the same run of the function; or once it comes from what a step has started, see starter.
type Contrary struct {
	Block int32
	After int32 // one more than the step after which it holds, 0 for all of the block
	Never []Turn
}

// A Told says which turns control does not take once a call has returned an outcome, until it is made again.
type Told struct {
	Step    int32
	Outcome Outcome
	Never   []Turn
}

// A Turn is an edge, by the blocks at its ends.
type Turn struct{ From, To int32 }

// Excludes reports whether control that has come by gap g does not take an edge
// out of a block.
func (f *Func) Excludes(g Gap, from, to int32) bool {
	if len(f.Contraries) == 0 {
		return false
	}
	b := f.BlockOf(g)
	i, _ := slices.BinarySearchFunc(f.Contraries, b, func(c Contrary, b int32) int { return int(c.Block - b) })
	for ; i < len(f.Contraries) && f.Contraries[i].Block == b; i++ {
		c := &f.Contraries[i]
		if (c.After == 0 || f.AfterStep(c.After-1) == g) && slices.Contains(c.Never, Turn{from, to}) {
			return true
		}
	}
	return false
}

// A test is a branch on whether a value is zero.
type test struct {
	on   ssa.Value // of a variable's content the variable
	zero int       // the successor that is taken if it is
}

// known is what is known of some values: whether they are zero.
type known map[ssa.Value]bool

// A branching is the tests of a function.
type branching struct {
	blocks  []*ssa.BasicBlock
	tests   map[*ssa.BasicBlock]test
	matters map[ssa.Value]bool // values that may tell of two tests
}

// maxContrary bounds the blocks looked at in one function, for all blocks from which
// its branches are followed.
const maxContrary = 1 << 16

// contraries fills Contraries, for the blocks that synchronise or start something, and Tolds.
func (b *builder) contraries() {
	x := &branching{blocks: b.ir.SSA.Blocks, tests: make(map[*ssa.BasicBlock]test)}
	cells := make(map[*ssa.Alloc]bool)
	for _, blk := range x.blocks {
		if t, ok := testAt(blk, cells); ok {
			x.tests[blk] = t
		}
	}
	if len(x.tests) == 0 {
		return
	}
	x.relate()
	started := b.startedOnly()
	for _, st := range started {
		x.matters[st.call] = true
	}
	if len(x.matters) == 0 {
		return
	}
	at := x.follow(x.blocks[0], nil)
	looked := 0
	for i, blk := range x.blocks {
		steps := b.Steps[b.Blocks[i].Lo:b.Blocks[i].Hi]
		if b.Sync && slices.ContainsFunc(steps, func(st Step) bool { return st.Kind != Call }) {
			if looked += len(x.blocks); looked > maxContrary {
				return
			}
			if never := b.asTaken(x.neverFrom(blk, at[blk])); len(never) > 0 {
				b.Contraries = append(b.Contraries, Contrary{int32(i), 0, never})
			}
		}
		for k := range steps {
			if looked += b.told(x, blk, b.Blocks[i].Lo+int32(k)); looked > maxContrary {
				return
			}
			for _, st := range started {
				if steps[k].Kind != Spawn || steps[k].At != st.at {
					continue
				}
				if never := b.asTaken(x.neverAfter(st.call, st.call, true)); len(never) > 0 {
					b.Contraries = append(b.Contraries, Contrary{int32(i), b.Blocks[i].Lo + int32(k) + 1, never})
				}
			}
		}
	}
}

// A starter is a call that starts something only if the error that it returns is nil: who comes
// from what is started comes to no branch for the error.
type starter struct {
	call *ssa.Call
	at   ssair.Instr
}

func (b *builder) startedOnly() (out []starter) {
	for _, blk := range b.ir.SSA.Blocks {
		for _, in := range blk.Instrs {
			c, ok := in.(*ssa.Call)
			if !ok || !isError(c.Type()) {
				continue
			}
			if f := b.lib.Called(&c.Call); f != nil && f.UnlessFailed {
				out = append(out, starter{c, b.ir.Num(in)})
			}
		}
	}
	return out
}

// told notes what is known of turns after a step, if that is a call whose outcome may tell of several. It returns the
// number of blocks looked at.
func (b *builder) told(x *branching, blk *ssa.BasicBlock, step int32) int {
	st := &b.Steps[step]
	if st.Kind != Call || st.Site != st.At {
		return 0
	}
	c, ok := blk.Instrs[st.At-b.ir.Start[blk.Index]].(*ssa.Call)
	if !ok {
		return 0
	}
	v := tellingOf(c)
	if v == nil || !x.matters[v] {
		return 0
	}
	for _, o := range []Outcome{Zero, NonZero} {
		if never := b.asTaken(x.neverAfter(c, v, o == Zero)); len(never) > 0 {
			b.Tolds = append(b.Tolds, Told{step, o, never})
		}
	}
	return 2 * len(x.blocks)
}

// tellingOf returns the result of a call that tells its outcome, or nil.
func tellingOf(c *ssa.Call) ssa.Value {
	results := c.Call.Signature().Results()
	n := telling(results)
	if n < 0 || results.Len() == 1 {
		if n < 0 {
			return nil
		}
		return c
	}
	for _, r := range *c.Referrers() {
		if x, ok := r.(*ssa.Extract); ok && x.Index == n {
			return x
		}
	}
	return nil
}

// neverAfter returns the turns that are not taken after a call of which a result is zero, or is not, where the
// block of the call ends with a test of that, or goes on to one block only.
func (x *branching) neverAfter(c *ssa.Call, v ssa.Value, zero bool) (out []Turn) {
	blk := c.Block()
	k := known{v: zero}
	rest := blk.Instrs[slices.Index(blk.Instrs, ssa.Instruction(c))+1:]
	for _, in := range rest {
		if st, ok := in.(*ssa.Store); ok && x.matters[st.Addr] {
			set(k, st.Addr, st.Val, k)
		}
	}
	next := blk.Succs
	if t, ok := x.tests[blk]; ok {
		if zero, told := k[t.on]; told {
			taken := t.zero
			if !zero {
				taken = 1 - t.zero
			}
			next = blk.Succs[taken : taken+1]
			if !ssair.Reaches(next[0], blk) { // otherwise the call may be made again, and return something else
				out = append(out, Turn{int32(blk.Index), int32(blk.Succs[1-taken].Index)})
			}
		}
	}
	if len(next) == 1 {
		out = append(out, x.neverFrom(next[0], entered(blk, next[0], k))...)
	}
	return out
}

// asTaken names turns by where they lead, past branches that they decide. Where both turns
// of a block lead to one other, neither tells anything.
func (b *builder) asTaken(turns []Turn) (out []Turn) {
	for _, t := range turns {
		for i, s := range b.ir.SSA.Blocks[t.From].Succs {
			succs := b.Blocks[t.From].Succs
			if len(succs) == 0 {
				break // nobody comes to its end
			}
			if to := succs[i].To; int32(s.Index) == t.To && to != succs[1-i].To {
				out = append(out, Turn{t.From, to})
			}
		}
	}
	return out
}

// testAt returns the test that ends a block.
func testAt(blk *ssa.BasicBlock, cells map[*ssa.Alloc]bool) (test, bool) {
	if len(blk.Instrs) == 0 {
		return test{}, false
	}
	in, ok := blk.Instrs[len(blk.Instrs)-1].(*ssa.If)
	if !ok || blk.Succs[0] == blk.Succs[1] {
		return test{}, false
	}
	t := test{in.Cond, 1}
	for {
		switch v := t.on.(type) {
		case *ssa.UnOp:
			if v.Op == token.NOT {
				t = test{v.X, 1 - t.zero}
				continue
			}
			if cell := contentAt(v, blk, cells); cell != nil {
				t.on = cell
			}
		case *ssa.BinOp:
			x := v.X
			if nilConst(v.X) {
				x = v.Y
			} else if !nilConst(v.Y) {
				return t, true
			}
			switch v.Op {
			case token.EQL:
				t = test{x, 1 - t.zero}
			case token.NEQ:
				t = test{x, t.zero}
			default:
				return t, true
			}
			if nilConst(x) {
				return t, true
			}
			continue
		}
		return t, true
	}
}

// contentAt returns the variable of the function of which v is what it holds at the
// end of a block, if no other function sets it.
func contentAt(v *ssa.UnOp, blk *ssa.BasicBlock, cells map[*ssa.Alloc]bool) *ssa.Alloc {
	cell, ok := v.X.(*ssa.Alloc)
	if !ok || v.Op != token.MUL || v.Block() != blk {
		return nil
	}
	own, known := cells[cell]
	if !known {
		var writes []FlagWrite
		own = cellStores(cell, &writes, 0) &&
			!slices.ContainsFunc(writes, func(w FlagWrite) bool { return w.Fn != blk.Parent().String() })
		cells[cell] = own
	}
	loaded := false
	for _, in := range blk.Instrs {
		st, ok := in.(*ssa.Store)
		own = own && !(loaded && ok && st.Addr == cell)
		loaded = loaded || in == ssa.Instruction(v)
	}
	if !own {
		return nil
	}
	return cell
}

// relate finds the values that may tell of two tests: those that are tested twice,
// those that a variable may have when it is tested, and what is set in sight.
func (x *branching) relate() {
	leader := make(map[ssa.Value]ssa.Value)
	find := func(v ssa.Value) ssa.Value {
		for leader[v] != v {
			v = leader[v]
		}
		return v
	}
	var work []ssa.Value
	add := func(v ssa.Value) {
		if leader[v] == nil {
			leader[v] = v
			work = append(work, v)
		}
	}
	x.matters = make(map[ssa.Value]bool)
	told := make(map[ssa.Value]bool) // which some way to it settles
	for _, blk := range x.blocks {
		if t, ok := x.tests[blk]; ok {
			add(t.on)
		}
	}
	for len(work) > 0 {
		v := work[len(work)-1]
		work = work[:len(work)-1]
		phi, ok := v.(*ssa.Phi)
		if !ok {
			continue
		}
		for _, e := range phi.Edges {
			if _, set := isZero(e, nil); set {
				told[v] = true
			} else {
				e, _ = compared(e)
				add(e)
				leader[find(e)] = find(v)
			}
		}
	}
	count := make(map[ssa.Value]int)
	for _, t := range x.tests {
		count[find(t.on)]++
	}
	for v := range told {
		count[find(v)]++
	}
	for v := range leader {
		if _, cell := v.(*ssa.Alloc); cell || count[find(v)] > 1 {
			x.matters[v] = true
		}
	}
}

// follow returns what is known at the beginning of the blocks that control comes to
// from one, where some is known.
func (x *branching) follow(from *ssa.BasicBlock, facts known) map[*ssa.BasicBlock]known {
	at := map[*ssa.BasicBlock]known{from: maps.Clone(facts)}
	work := []*ssa.BasicBlock{from}
	for len(work) > 0 {
		blk := work[len(work)-1]
		work = work[:len(work)-1]
		end := x.atEnd(blk, at[blk])
		for i, s := range blk.Succs {
			k := end
			if t, ok := x.tests[blk]; ok && x.matters[t.on] {
				if zero, ok := end[t.on]; ok && zero != (i == t.zero) {
					continue
				}
				k = maps.Clone(end)
				k[t.on] = i == t.zero
			}
			next := entered(blk, s, k)
			if old, reached := at[s]; !reached {
				at[s] = next
			} else if n := len(old); both(old, next) == n {
				continue
			}
			work = append(work, s)
		}
	}
	return at
}

// neverFrom returns the turns that are not taken from a block on.
func (x *branching) neverFrom(from *ssa.BasicBlock, facts known) (out []Turn) {
	at := x.follow(from, facts)
	for _, blk := range x.blocks {
		t, ok := x.tests[blk]
		if _, comes := at[blk]; !ok || !comes {
			continue
		}
		if zero, ok := x.atEnd(blk, at[blk])[t.on]; ok {
			not := t.zero
			if zero {
				not = 1 - t.zero
			}
			out = append(out, Turn{int32(blk.Index), int32(blk.Succs[not].Index)})
		}
	}
	return out
}

// atEnd is what is known at the end of a block: what it computes is new.
func (x *branching) atEnd(blk *ssa.BasicBlock, k known) known {
	out := make(known, len(k))
	maps.Copy(out, k)
	for _, in := range blk.Instrs {
		switch in := in.(type) {
		case *ssa.Phi: // see entered
		case *ssa.Store:
			if x.matters[in.Addr] {
				set(out, in.Addr, in.Val, out)
			}
		case *ssa.Alloc:
			if x.matters[in] {
				out[in] = true
			}
		case ssa.Value:
			delete(out, in)
		}
	}
	return out
}

// entered is what is known in a block to which control has come from another.
func entered(from, to *ssa.BasicBlock, k known) known {
	out := maps.Clone(k)
	if out == nil {
		out = make(known)
	}
	i := slices.Index(to.Preds, from)
	for _, in := range to.Instrs {
		phi, ok := in.(*ssa.Phi)
		if !ok {
			break
		}
		set(out, phi, phi.Edges[i], k)
	}
	return out
}

// set notes in out that v becomes what another value is.
func set(out known, v, other ssa.Value, k known) {
	if zero, ok := isZero(other, k); ok {
		out[v] = zero
	} else {
		delete(out, v)
	}
}

func isZero(v ssa.Value, k known) (zero, ok bool) {
	if c, ok := v.(*ssa.Const); ok {
		if c.IsNil() {
			return true, true
		}
		is := c.Value != nil && c.Value.Kind() == constant.Bool
		return is && !constant.BoolVal(c.Value), is
	}
	if _, ok := v.(*ssa.MakeInterface); ok || nonZero(v) {
		return false, true
	}
	x, is := compared(v)
	if zero, ok = k[x]; ok && x != v {
		zero = zero != is
	}
	return zero, ok
}

// compared returns what a boolean compares with nil, and whether it says that it is nil; any
// other value itself.
func compared(v ssa.Value) (x ssa.Value, is bool) {
	c, ok := v.(*ssa.BinOp)
	if !ok || c.Op != token.EQL && c.Op != token.NEQ {
		return v, false
	}
	switch {
	case nilConst(c.Y):
		return c.X, c.Op == token.EQL
	case nilConst(c.X):
		return c.Y, c.Op == token.EQL
	}
	return v, false
}

func nilConst(v ssa.Value) bool {
	c, ok := v.(*ssa.Const)
	return ok && c.IsNil()
}

// both leaves in old what is in next too, and returns how much that is.
func both(old, next known) int {
	maps.DeleteFunc(old, func(v ssa.Value, zero bool) bool {
		z, ok := next[v]
		return !ok || z != zero
	})
	return len(old)
}
