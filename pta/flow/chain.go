package flow

import (
	"go/types"

	"github.com/iterace/iterace/internal/ssair"
	"golang.org/x/tools/go/ssa"
)

// A Chain is a variable that holds, in each round of a loop but the first, the
// channel that the round before has made:
//
//	for … { next := make(chan T); …; prev = next }
type Chain struct {
	Phi  ssair.Instr // the variable in this round
	Made ssair.Instr // the channel made in this round
	Loop int32
	Ends []ssair.Instr // the variable after the loop: what the last round made, if there was one
}

// chains finds the chains of the function.
func (b *builder) chains() {
	for _, l := range b.ir.Loops {
		for _, in := range l.Header.Instrs {
			phi, ok := in.(*ssa.Phi)
			if !ok {
				break
			}
			if _, ok := ssair.Under(phi.Type()).(*types.Chan); ok {
				b.chain(l, phi)
			}
		}
	}
}

func (b *builder) chain(l *ssair.Loop, phi *ssa.Phi) {
	first, made := b.entering(l, phi)
	if made <= 0 || b.paths[made].kind != pathValue {
		return
	}
	at := b.paths[made].at
	mk, ok := b.ir.At(at).(*ssa.MakeChan)
	if !ok || b.ir.Innermost(mk.Block()) != l {
		return // a loop inside this one would make more than one in a round
	}
	c := Chain{Phi: b.ir.Num(phi), Made: at, Loop: int32(l.Index)}
	for _, blk := range b.ir.SSA.Blocks {
		if l.Contains(blk) {
			continue
		}
		for _, in := range blk.Instrs {
			end, ok := in.(*ssa.Phi)
			if !ok {
				break
			}
			if f, m := b.entering(l, end); m == made && (f == first || f == 0) {
				c.Ends = append(c.Ends, b.ir.Num(end))
			}
		}
	}
	b.Chains = append(b.Chains, c)
}

// entering returns the paths of what a phi chooses, from outside the loop and
// from inside it; 0 for none, -1 if they differ.
func (b *builder) entering(l *ssair.Loop, phi *ssa.Phi) (out, in PathID) {
	for i, e := range phi.Edges {
		to := &out
		if l.Contains(phi.Block().Preds[i]) {
			to = &in
		}
		if p := b.path(e); p > 0 && (*to == 0 || *to == p) {
			*to = p
		} else {
			*to = -1
		}
	}
	return out, in
}

// StaysIn reports whether what follows step s in its round of loop k always
// comes to the next round's test: nothing leaves the loop on the way.
func (f *Func) StaysIn(s, k int32) bool {
	l := &f.Loops[k]
	start := f.BlockOf(f.BeforeStep(s))
	if !l.Has(start) {
		return false
	}
	seen := map[int32]bool{start: true}
	work := []int32{start}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		for _, e := range f.Blocks[b].Succs {
			switch {
			case e.Dead || e.To == l.Header || seen[e.To]:
			case !l.Has(e.To):
				return false
			default:
				seen[e.To] = true
				work = append(work, e.To)
			}
		}
	}
	return true
}
