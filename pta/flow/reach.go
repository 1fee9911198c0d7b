package flow

import (
	"slices"

	"github.com/iterace/iterace/internal/ssair"
)

// This file answers questions of reachability within one function.

// Reaches reports whether control may come from gap g to gap h without passing
// a step of site avoid, or entering gap birth, on the way; where these are -1,
// nothing is avoided.
func (f *Func) Reaches(g, h Gap, avoid ssair.Instr, birth Gap) bool {
	return f.search(g, avoid, birth, func(x Gap) bool { return x == h })
}

// Repeats reports whether control may come from a step to it again.
func (f *Func) Repeats(step int32) bool {
	return f.Reaches(f.AfterStep(step), f.BeforeStep(step), ssair.NoInstr, -1)
}

// ReachesOlder reports whether control may come from gap g to gap h without passing
// where a version of memory begins: a call, a store, or the start of a block.
func (f *Func) ReachesOlder(g, h Gap, version ssair.Instr) bool {
	if version <= versionBlock {
		b := int32(versionBlock - version)
		return b >= int32(len(f.Blocks)) || f.Reaches(g, h, -1, f.First(b))
	}
	if len(f.StepsAt(version)) > 0 {
		return f.Reaches(g, h, version, -1)
	}
	return f.Reaches(g, h, -1, f.GapOf(version))
}

// Returns reports whether control may come from gap g to a return without
// passing a step of site avoid.
func (f *Func) Returns(g Gap, avoid ssair.Instr) bool {
	return f.search(g, avoid, -1, f.returnsAt)
}

// Gives is Returns for a return whose n-th result is not the constant nil.
func (f *Func) Gives(g Gap, n int, avoid ssair.Instr) bool {
	return f.search(g, avoid, -1, func(x Gap) bool { return f.returnsAt(x) && f.Blocks[f.BlockOf(x)].Nil&(1<<n) == 0 })
}

// ReturnsPast reports whether control may come from gap g to a return without passing another gap.
func (f *Func) ReturnsPast(g, avoid Gap) bool {
	return f.search(g, ssair.NoInstr, avoid, f.returnsAt)
}

// Entries returns the number of edges that lead to a block, and may be taken.
func (f *Func) Entries(block int32) int {
	n := 0
	for b := range f.Blocks {
		for _, e := range f.Blocks[b].Succs {
			if e.To == block && !e.Dead {
				n++
			}
		}
	}
	return n
}

// LeavesLoop reports whether control may come from gap g out of loop l, or is not in it, without passing a step of site avoid.
func (f *Func) LeavesLoop(g Gap, l int32, avoid ssair.Instr) bool {
	return f.search(g, avoid, -1, func(x Gap) bool { return !f.Loops[l].Has(f.BlockOf(x)) })
}

func (f *Func) returnsAt(g Gap) bool { return f.StepAfter(g) < 0 && f.Blocks[f.BlockOf(g)].Exit }

func (f *Func) search(from Gap, avoid ssair.Instr, birth Gap, goal func(Gap) bool) bool {
	seen := make([]bool, f.NGaps())
	work := []Gap{from}
	push := func(g Gap) {
		if g != birth && !seen[g] {
			seen[g] = true
			work = append(work, g)
		}
	}
	for len(work) > 0 {
		g := work[len(work)-1]
		work = work[:len(work)-1]
		if goal(g) {
			return true
		}
		if s := f.StepAfter(g); s >= 0 {
			if f.Steps[s].Site != avoid || f.Steps[s].Optional {
				push(f.AfterStep(s))
			}
			continue
		}
		for _, e := range f.Blocks[f.BlockOf(g)].Succs {
			if !e.Dead {
				push(f.First(e.To))
			}
		}
	}
	return false
}

// StepsBetween lists the steps that may be made after gap g and before control comes to the end of block b, without coming by
// gap g again.
func (f *Func) StepsBetween(g Gap, b int32) []int32 {
	home := f.BlockOf(g) // who comes to it again comes by g
	straight := func(steps []int32) []int32 {
		for s := int32(g) - home; s < f.Blocks[home].Hi; s++ {
			steps = append(steps, s)
		}
		return steps
	}
	if home == b {
		return straight(nil)
	}
	follow := func(from int32, visit func(to int32)) {
		for k := range f.Blocks[from].Succs {
			if e := &f.Blocks[from].Succs[k]; !e.Dead && e.To != home {
				visit(e.To)
			}
		}
	}
	after, before := make([]bool, len(f.Blocks)), make([]bool, len(f.Blocks))
	for work := []int32{home}; len(work) > 0; {
		from := work[len(work)-1]
		work = work[:len(work)-1]
		follow(from, func(to int32) {
			if !after[to] {
				after[to] = true
				work = append(work, to)
			}
		})
	}
	if !after[b] {
		return nil
	}
	before[b] = true
	for changed := true; changed; {
		changed = false
		for from := len(f.Blocks) - 1; from >= 0; from-- {
			if after[from] && !before[from] {
				follow(int32(from), func(to int32) { before[from] = before[from] || before[to] })
				changed = changed || before[from]
			}
		}
	}
	var steps []int32
	for from := range f.Blocks {
		switch {
		case int32(from) == home:
			steps = straight(steps)
		case before[from]:
			for s := f.Blocks[from].Lo; s < f.Blocks[from].Hi; s++ {
				steps = append(steps, s)
			}
		}
	}
	return steps
}

// Registered reports whether each run of the function that comes by gap g
// before step s, a deferred call, comes by its defer statement too.
func (f *Func) Registered(s int32, g Gap) bool {
	at := f.Steps[s].Site
	through, from, to := f.Block(at), f.BlockOf(g), f.BlockOf(f.BeforeStep(s))
	if from == through || from == to {
		return from == through // in one block: before or after makes no difference
	}
	return !f.avoids(0, from, through) || !f.avoids(from, to, through)
}

// avoids reports whether control may come from one block to another without
// passing a third.
func (f *Func) avoids(from, to, without int32) bool {
	if from == without {
		return false
	}
	seen := make([]bool, len(f.Blocks))
	work := []int32{from}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if b == to {
			return true
		}
		for _, e := range f.Blocks[b].Succs {
			if !e.Dead && e.To != without && !seen[e.To] {
				seen[e.To] = true
				work = append(work, e.To)
			}
		}
	}
	return false
}

// InOneRound reports whether control may come from one step to another instruction without
// beginning a new round of the innermost loop around both.
func (f *Func) InOneRound(from, to ssair.Instr) bool {
	round := Gap(-1)
	for l := f.Innermost(f.Block(from)); l >= 0; l = f.Loops[l].Parent {
		if _, both := slices.BinarySearch(f.Loops[l].Blocks, f.Block(to)); both {
			round = f.First(f.Loops[l].Header)
			break
		}
	}
	return slices.ContainsFunc(f.StepsAt(from), func(s int32) bool {
		return f.Reaches(f.AfterStep(s), f.GapOf(to), ssair.NoInstr, round)
	})
}
