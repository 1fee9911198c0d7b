package ssair

import (
	"go/constant"

	"golang.org/x/tools/go/ssa"
)

// This file finds what constants keep from running: go/ssa keeps the branches of
// `if debug`, whatever the constant is.

// taken returns the successor that a block always goes to, by a constant, or -1.
func taken(b *ssa.BasicBlock) int {
	if len(b.Succs) != 2 || b.Succs[0] == b.Succs[1] {
		return -1
	}
	br, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
	if !ok {
		return -1
	}
	c, ok := br.Cond.(*ssa.Const)
	if !ok || c.Value == nil || c.Value.Kind() != constant.Bool {
		return -1
	}
	if constant.BoolVal(c.Value) {
		return 0
	}
	return 1
}

// findLive fills live if a constant decides a branch of the function.
func (f *Func) findLive() {
	blocks := f.SSA.Blocks
	decided := false
	for _, b := range blocks {
		decided = decided || taken(b) >= 0
	}
	if !decided {
		return
	}
	f.live = make([]bool, len(blocks))
	work := []*ssa.BasicBlock{blocks[0]}
	if f.SSA.Recover != nil {
		work = append(work, f.SSA.Recover)
	}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if f.live[b.Index] {
			continue
		}
		f.live[b.Index] = true
		if k := taken(b); k >= 0 {
			work = append(work, b.Succs[k])
		} else {
			work = append(work, b.Succs...)
		}
	}
}

// Live reports whether constants let a block run.
func (f *Func) Live(b *ssa.BasicBlock) bool { return f.live == nil || f.live[b.Index] }

// LiveEdge reports whether constants let control come to b from its predecessor k.
func (f *Func) LiveEdge(b *ssa.BasicBlock, k int) bool {
	if f.live == nil {
		return true
	}
	from := b.Preds[k]
	to := taken(from)
	return f.live[from.Index] && (to < 0 || from.Succs[to] == b)
}
