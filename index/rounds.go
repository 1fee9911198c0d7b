package index

import (
	"slices"
	"strings"

	"github.com/iterace/iterace/internal/ssair"
)

// This file tells what two iterations share: which loops make them different
// iterations, and the ways in which their rounds differ.

// A parLoop is a loop around the spawn: loop of step's function.
type parLoop struct {
	step int
	loop int32
}

// A nest is the loops whose rounds distinguish iterations, outermost first.
type nest struct {
	loops []parLoop
	// last is the last step that both chains have in common: the one whose
	// instruction starts the iteration.
	last int
	// apart is set if nothing is known to be shared: the spawn is in no loop
	// that is known, so two iterations come from two calls of the outermost
	// function.
	apart bool
	// left are loops around the spawn that the spawner has left when it comes to the other access.
	left []parLoop
}

// nest returns the parallel loops of the query; "" or what is wrong with it.
func (q *Query) nest() (n nest, wrong string) {
	a, b := q.A.Chain, q.B.Chain
	if q.Spawn < 0 || q.Spawn >= len(a) || q.Spawn >= len(b) {
		return n, "no spawn in the chains"
	}
	n.last = q.Spawn
	for !q.MainB && n.last+1 < len(a) && a[n.last].calls(a[n.last+1].Fn) {
		n.last++
	}
	if n.last == len(a)-1 {
		n.last = q.Spawn // nothing on the way starts an iteration: believe the caller
	}
	starts := !q.Many && len(q.Unique) == 0
	for i := 0; i <= n.last; i++ {
		main := (q.MainB || q.Rounds) && i == n.last
		if i >= len(b) || a[i].Fn != b[i].Fn || !main && a[i].At != b[i].At {
			return n, "the chains part before the spawn"
		}
	}
	from := q.Spawn
	if q.Loop < 0 && !q.MainB {
		from = q.Above // any loop on the way may be the parallel one
	}
	for i := from; i <= n.last; i++ {
		c := a[i].Fn.body()
		if c == nil || a[i].At < 0 {
			if i == q.Spawn {
				return n, "the spawning function is not known"
			}
			n.apart = true // its loops are not known
			continue
		}
		var own []parLoop
		if q.TwoLoops {
			if n.loops = c.twoLoops(i, a[i].At, b[i].At); n.loops == nil {
				return n, "the two loops lie in one"
			}
			continue
		}
		innermost := c.inner[c.blockOf(a[i].At)]
		if i == q.Spawn && q.Loop >= 0 && !q.MainB && c.within(int32(q.Inner), innermost) {
			innermost = int32(q.Inner)
		}
		for l := innermost; l >= 0; l = c.loops[l].parent {
			if (q.MainB || q.Rounds) && !c.loops[l].in[c.blockOf(b[i].At)] && !(q.MainB && c.lastRound(l, b[i].At)) {
				own = nil
				n.left = append(n.left, parLoop{i, l})
				if i == q.Spawn && int(l) == q.Loop {
					break
				}
				continue
			}
			own = append([]parLoop{{i, l}}, own...)
			if i == q.Spawn && int(l) == q.Loop {
				break
			}
		}
		n.loops = append(n.loops, own...)
	}
	n.apart = n.apart || len(n.loops) == 0 && starts && !q.MainB
	return n, ""
}

// twoLoops returns the loops of a step's function around one of two instructions, nil if one loop is around both
// or neither is in any.
func (c *code) twoLoops(step int, x, y ssair.Instr) (out []parLoop) {
	for _, at := range []ssair.Instr{x, y} {
		if at < 0 {
			return nil
		}
		for l := c.inner[c.blockOf(at)]; l >= 0; l = c.loops[l].parent {
			if c.loops[l].in[c.blockOf(x)] && c.loops[l].in[c.blockOf(y)] {
				return nil
			}
			out = append(out, parLoop{step, l})
		}
	}
	return out
}

// lastRound reports whether an instruction outside a loop runs in what was the loop's last round, behind a break or
// before a return: a block of the loop dominates it, what is known there was so in the round that has left the loop, and
// none comes after it. Who leaves a loop by the test in its header has begun no round.
//
//	for i := range n { if sem.Acquire(ctx, 1) != nil { errs[i] = ctx.Err(); break }; go f(i) }
func (c *code) lastRound(loop int32, at ssair.Instr) bool {
	l := &c.loops[loop]
	b := c.blockOf(at)
	for b >= 0 && !l.in[b] {
		b = c.blocks[b].idom
	}
	return b >= 0 && b != c.blockOf(at) && (b != l.header || c.testedBelow(l))
}

// testedBelow reports whether a loop is left, where its rounds are over, at their ends, so that its header belongs
// to a round: so go/ssa builds a range over an integer.
func (c *code) testedBelow(l *loop) bool {
	for _, p := range c.blocks[l.header].preds {
		if l.in[p] && !slices.ContainsFunc(c.blocks[p].succs, func(s int32) bool { return !l.in[s] }) {
			return false
		}
	}
	return true
}

// within reports whether loop l lies in loop outer, or outside all where outer is -1.
func (c *code) within(l, outer int32) bool {
	for ; l >= 0; l = c.loops[l].parent {
		if l == outer {
			return true
		}
	}
	return outer < 0
}

// calls reports whether the step enters the next one's function by a plain
// call, so that the iteration is started further down: not by a go statement,
// nor by a library function that the function is handed to.
func (s Step) calls(next *Func) bool {
	c, d := s.Fn.body(), next.body()
	if c == nil || d == nil || s.At < 0 {
		return false
	}
	v := c.get(c.at[s.At])
	if v.op != opCall || v.n&callGo != 0 {
		return false
	}
	args := len(v.a) - 1
	switch {
	case v.n&callInvoke != 0:
		return args+1 == len(d.params) && strings.HasSuffix(d.name, "."+v.s)
	case args != len(d.params):
		return false
	case v.s != "":
		return generic(v.s) == generic(d.name)
	}
	if m := c.get(v.a[0]); m.op == opClosure {
		return generic(m.s) == generic(d.name)
	}
	return true
}

// level is the number of parallel loops around block blk of a step; one more than there are in a loop that the
// spawner has left, of which it has come to the end and the iteration belongs to some round.
func (n *nest) level(c *code, step int, blk int32) int {
	if slices.ContainsFunc(n.left, func(l parLoop) bool { return l.step == step && c.inLoop(l.loop, blk) }) {
		return len(n.loops) + 1
	}
	level := 0
	for _, l := range n.loops {
		if l.step < step || l.step == step && c.inLoop(l.loop, blk) {
			level++
		}
	}
	return level
}

// An orderCase is one way in which the rounds of two iterations differ: the
// first equal loops are in the same round, in the next one iteration early is
// in an earlier round than the other; 0 if the rounds say nothing.
type orderCase struct {
	equal int
	early int8
}

func (q *Query) cases(nest nest) []orderCase {
	if q.TwoLoops {
		return []orderCase{{}} // of no loop both are in one round
	}
	var out []orderCase
	n := len(nest.loops)
	if n == 0 || q.MainB && (q.sameRound(nest, q.A, q.B) || q.Sibling && (q.Away != nil || q.sameRound(nest, q.B, q.A))) {
		out = append(out, orderCase{n, 0})
	}
	for i := range n {
		out = append(out, orderCase{i, 1})
		if !q.MainB && !q.symmetric() {
			out = append(out, orderCase{i, 2})
		}
	}
	return out
}

// sameRound reports whether the spawner may come to y in the round in which it
// has started x: whether a path leads there from the spawn that does not pass
// the header of the innermost loop around both.
func (q *Query) sameRound(n nest, x, y Access) bool {
	l := n.loops[len(n.loops)-1]
	a, b := x.Chain[l.step].At, y.Chain[l.step].At
	if q.Away != nil {
		a, b = q.Away[0], q.Away[1]
	}
	if l.step != n.last || b < 0 {
		return true
	}
	return x.Chain[l.step].Fn.body().sameRound(l.loop, a, b)
}

// SameRound reports whether instruction b may follow a in one round of a loop of the function, by its index; true
// where the loop is not known.
func (fn *Func) SameRound(loop int, a, b ssair.Instr) bool {
	c := fn.body()
	return c == nil || loop < 0 || loop >= len(c.loops) || a < 0 || b < 0 || c.sameRound(int32(loop), a, b)
}

func (c *code) sameRound(loop int32, a, b ssair.Instr) bool {
	from, to := c.blockOf(a), c.blockOf(b)
	if from == to && b > a {
		return true
	}
	seen := make([]bool, len(c.blocks))
	seen[c.loops[loop].header] = true
	work := []int32{from}
	for len(work) > 0 {
		x := work[len(work)-1]
		work = work[:len(work)-1]
		for _, y := range c.blocks[x].succs {
			if seen[y] {
				continue
			}
			if y == to {
				return true
			}
			seen[y] = true
			work = append(work, y)
		}
	}
	return false
}

// symmetric reports whether both sides are the same access in the same
// context, so that one order of the iterations stands for both.
func (q *Query) symmetric() bool {
	a, b := q.A, q.B
	if len(a.Chain) != len(b.Chain) || a.Arg != b.Arg || a.Write != b.Write || a.WithinLen != b.WithinLen {
		return false
	}
	for i := range a.Chain {
		if a.Chain[i] != b.Chain[i] {
			return false
		}
	}
	return true
}
