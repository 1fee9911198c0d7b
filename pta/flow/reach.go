package flow

import "github.com/iterace/iterace/internal/ssair"

// This file answers questions of reachability within one function.

// Reaches reports whether control may come from gap g to gap h without passing
// a step of site avoid, or entering gap birth, on the way; where these are -1,
// nothing is avoided.
func (f *Func) Reaches(g, h Gap, avoid ssair.Instr, birth Gap) bool {
	return f.search(g, avoid, birth, func(x Gap) bool { return x == h })
}

// Returns reports whether control may come from gap g to a return without
// passing a step of site avoid.
func (f *Func) Returns(g Gap, avoid ssair.Instr) bool {
	return f.search(g, avoid, -1, func(x Gap) bool { return f.StepAfter(x) < 0 && f.Blocks[f.BlockOf(x)].Exit })
}

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
