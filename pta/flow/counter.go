package flow

import (
	"slices"

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
		var missed []missedEdge
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

// A missedEdge is an edge of a round that has not counted by then, and will not.
type missedEdge struct{ from, to *ssa.BasicBlock }

// countedIn looks at what phi, the variable at the head of l or what it is where ways through a
// round meet, may be at the end of a round. It returns on how many ways a round counts, and adds
// to missed where the others go on.
func (b *builder) countedIn(l *ssair.Loop, head, phi *ssa.Phi, missed *[]missedEdge, depth int) (n int, ok bool) {
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
			*missed = append(*missed, missedEdge{from, phi.Block()})
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

// countedBlocks returns the blocks of a loop that no round comes by which takes one of some edges, or
// leaves the loop.
func (b *builder) countedBlocks(l *ssair.Loop, missed []missedEdge) []int32 {
	not := make([]bool, len(b.ir.SSA.Blocks))
	var work []*ssa.BasicBlock
	mark := func(x *ssa.BasicBlock, next func(*ssa.BasicBlock) []*ssa.BasicBlock) {
		seen := make(map[*ssa.BasicBlock]bool)
		for work = append(work[:0], x); len(work) > 0; {
			x := work[len(work)-1]
			work = work[:len(work)-1]
			if !seen[x] && l.Contains(x) {
				seen[x], not[x.Index] = true, true
				work = append(work, next(x)...)
			}
		}
	}
	// What comes before the header is another round, and so is what comes at it.
	before := func(x *ssa.BasicBlock) []*ssa.BasicBlock {
		if x == l.Header {
			return nil
		}
		return x.Preds
	}
	after := func(x *ssa.BasicBlock) []*ssa.BasicBlock {
		return slices.DeleteFunc(slices.Clone(x.Succs), func(s *ssa.BasicBlock) bool { return s == l.Header })
	}
	for i, in := range l.Blocks {
		if x := b.ir.SSA.Blocks[i]; in && slices.ContainsFunc(x.Succs, func(s *ssa.BasicBlock) bool { return !l.Contains(s) }) {
			mark(x, before)
		}
	}
	for _, e := range missed {
		mark(e.from, before)
		if e.to != l.Header {
			mark(e.to, after)
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
