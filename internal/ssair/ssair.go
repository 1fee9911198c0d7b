// Package ssair holds what every lowering of an SSA function shares:
// dense instruction numbers and natural loops.
package ssair

import (
	"sort"

	"golang.org/x/tools/go/ssa"
)

// Instr is the number of an instruction within its function: instructions
// are numbered from 0 in block order, so an instruction number also tells
// its block and its place there. Templates, flow skeletons and index forms
// all refer to instructions by this number and by nothing else.
type Instr int32

// NoInstr stands for "no instruction", for example the entry of a function.
const NoInstr Instr = -1

// A Func adds instruction numbers and natural loops to an SSA function.
type Func struct {
	SSA   *ssa.Function
	Start []Instr // by block index: number of the block's first instruction; one more entry at the end
	Loops []*Loop // outer loops before inner ones, then by header index
	inner []*Loop // by block index: innermost loop, or nil
	live  []bool  // by block index, see Live; nil if all are
	num   map[ssa.Instruction]Instr
}

// A Loop is a natural loop: the blocks from which the header is reached
// again without leaving the blocks that the header dominates.
type Loop struct {
	Index  int
	Header *ssa.BasicBlock
	Parent *Loop             // enclosing loop, or nil
	Latch  []*ssa.BasicBlock // sources of back edges
	Blocks []bool            // by block index
}

// Contains reports whether block b belongs to the loop.
func (l *Loop) Contains(b *ssa.BasicBlock) bool { return l.Blocks[b.Index] }

// Encloses reports whether l is m or a loop around m.
func (l *Loop) Encloses(m *Loop) bool {
	for ; m != nil; m = m.Parent {
		if l == m {
			return true
		}
	}
	return false
}

// New numbers the instructions of fn and finds its loops.
func New(fn *ssa.Function) *Func {
	size := 0
	for _, b := range fn.Blocks {
		size += len(b.Instrs)
	}
	f := &Func{SSA: fn, num: make(map[ssa.Instruction]Instr, size), Start: make([]Instr, 0, len(fn.Blocks)+1)}
	n := Instr(0)
	for _, b := range fn.Blocks {
		f.Start = append(f.Start, n)
		for _, in := range b.Instrs {
			f.num[in] = n
			n++
		}
	}
	f.Start = append(f.Start, n)
	if n > 0 {
		f.findLive()
	}
	f.findLoops()
	return f
}

// Num returns the number of an instruction of the function.
func (f *Func) Num(in ssa.Instruction) Instr {
	n, ok := f.num[in]
	if !ok {
		return NoInstr
	}
	return n
}

// Block returns the index of the block that holds instruction i.
func (f *Func) Block(i Instr) int {
	return sort.Search(len(f.Start)-1, func(b int) bool { return f.Start[b+1] > i })
}

// At returns the instruction with number i.
func (f *Func) At(i Instr) ssa.Instruction {
	b := f.Block(i)
	return f.SSA.Blocks[b].Instrs[i-f.Start[b]]
}

// Innermost returns the innermost loop that contains b, or nil.
func (f *Func) Innermost(b *ssa.BasicBlock) *Loop { return f.inner[b.Index] }

func (f *Func) findLoops() {
	blocks := f.SSA.Blocks
	f.inner = make([]*Loop, len(blocks))
	byHeader := make(map[*ssa.BasicBlock]*Loop)
	for _, b := range blocks {
		for _, h := range b.Succs {
			if !h.Dominates(b) {
				continue // not a back edge; irreducible cycles have none
			}
			l := byHeader[h]
			if l == nil {
				l = &Loop{Header: h, Blocks: make([]bool, len(blocks))}
				l.Blocks[h.Index] = true
				byHeader[h] = l
				f.Loops = append(f.Loops, l)
			}
			l.Latch = append(l.Latch, b)
			// Everything that reaches the latch without passing the header.
			work := []*ssa.BasicBlock{b}
			for len(work) > 0 {
				x := work[len(work)-1]
				work = work[:len(work)-1]
				if l.Blocks[x.Index] {
					continue
				}
				l.Blocks[x.Index] = true
				work = append(work, x.Preds...)
			}
		}
	}
	size := func(l *Loop) (n int) {
		for _, in := range l.Blocks {
			if in {
				n++
			}
		}
		return n
	}
	sort.SliceStable(f.Loops, func(i, j int) bool {
		a, b := size(f.Loops[i]), size(f.Loops[j])
		if a != b {
			return a > b
		}
		return f.Loops[i].Header.Index < f.Loops[j].Header.Index
	})
	for i, l := range f.Loops {
		l.Index = i
		l.Parent = f.inner[l.Header.Index]
		for b, in := range l.Blocks {
			if in {
				f.inner[b] = l
			}
		}
	}
}

// Origin returns the generic function of which fn is an instance, or nil. Of
// function literals in instances it is nil: to find their origins go/ssa builds
// the package of the generic function, of which there may be nothing but types.
func Origin(fn *ssa.Function) *ssa.Function {
	if fn.Parent() != nil {
		return nil
	}
	return fn.Origin()
}

// Top returns the function that a function literal lies in, or fn itself.
func Top(fn *ssa.Function) *ssa.Function {
	for fn.Parent() != nil {
		fn = fn.Parent()
	}
	return fn
}

// Reaches reports whether control may come from a block to another, or is there.
func Reaches(from, to *ssa.BasicBlock) bool {
	if from == to || from.Dominates(to) {
		return true
	}
	seen := make([]bool, len(from.Parent().Blocks))
	work := []*ssa.BasicBlock{from}
	for len(work) > 0 {
		x := work[len(work)-1]
		work = work[:len(work)-1]
		if x == to {
			return true
		}
		for _, s := range x.Succs {
			if !seen[s.Index] {
				seen[s.Index] = true
				work = append(work, s)
			}
		}
	}
	return false
}

// IsBuiltin reports whether a call is one of a builtin function.
func IsBuiltin(c *ssa.Call, name string) bool {
	b, ok := c.Call.Value.(*ssa.Builtin)
	return ok && b.Name() == name
}
