package flow

import (
	"github.com/iterace/iterace/internal/ssair"
	"golang.org/x/tools/go/ssa"
)

// This file finds the variables in which loops count what they do:
//
//	n := 0
//	for _, name := range names {
//		if skip(name) {
//			continue
//		}
//		n++
//		go load(name, done)
//	}
//	for range n {
//		<-done
//	}

// A Counter is a variable that a loop adds to in some of its rounds.
type Counter struct {
	Var PathID // after the loop
	// Blocks are those that no round passes that does not count. There is no way from
	// them that leaves the loop in the same round.
	Blocks []int32
}

// counters finds those of a loop: variables that begin with a constant, not below zero, and
// are otherwise only added to, once in a round.
func (b *builder) counters(l *ssair.Loop) []Counter {
	var out []Counter
	for _, in := range l.Header.Instrs {
		phi, ok := in.(*ssa.Phi)
		if !ok {
			break
		}
		var missed []*ssa.BasicBlock // a round that comes from here has not counted
		if n, ok := b.countedIn(l, phi, phi, &missed, 0); !ok || n == 0 {
			continue
		}
		c := Counter{Var: b.path(phi)}
		if c.Blocks = b.countedBlocks(l, missed); c.Var > 0 && len(c.Blocks) > 0 {
			out = append(out, c)
		}
	}
	return out
}

// countedIn looks at what phi, the variable at the head of l or what it is where ways through a
// round meet, may be at the end of a round. It returns on how many ways a round counts, and adds
// to missed where the others come from.
func (b *builder) countedIn(l *ssair.Loop, head, phi *ssa.Phi, missed *[]*ssa.BasicBlock, depth int) (n int, ok bool) {
	if depth > 4 {
		return 0, false
	}
	for i, e := range phi.Edges {
		from := phi.Block().Preds[i]
		if !l.Contains(from) {
			if k, ok := intConst(e); !ok || k < 0 {
				return 0, false
			}
			continue
		}
		if e == head {
			*missed = append(*missed, from)
			continue
		}
		if k, ok := increment(e, head); ok && k > 0 {
			n++
			continue
		}
		inner, ok := e.(*ssa.Phi)
		if !ok || inner == phi || !l.Contains(inner.Block()) || inner.Block() == l.Header {
			return 0, false
		}
		m, ok := b.countedIn(l, head, inner, missed, depth+1)
		if !ok {
			return 0, false
		}
		n += m
	}
	return n, true
}

// countedBlocks returns the blocks of a loop from which no way leads, in one round, to those
// given or out of the loop.
func (b *builder) countedBlocks(l *ssair.Loop, missed []*ssa.BasicBlock) []int32 {
	not := make([]bool, len(b.ir.SSA.Blocks))
	work := missed
	for i, in := range l.Blocks {
		if !in {
			continue
		}
		for _, s := range b.ir.SSA.Blocks[i].Succs {
			if !l.Contains(s) {
				work = append(work, b.ir.SSA.Blocks[i])
				break
			}
		}
	}
	for len(work) > 0 {
		x := work[len(work)-1]
		work = work[:len(work)-1]
		if not[x.Index] {
			continue
		}
		not[x.Index] = true
		if x == l.Header {
			continue // what comes before is another round
		}
		for _, p := range x.Preds {
			if l.Contains(p) {
				work = append(work, p)
			}
		}
	}
	var out []int32
	for i, in := range l.Blocks {
		if in && !not[i] {
			out = append(out, int32(i))
		}
	}
	return out
}
