package flow

import (
	"cmp"
	"slices"

	"github.com/iterace/iterace/internal/ssair"
	"golang.org/x/tools/go/ssa"
)

// A Preset is a constant that the function stores to a field right before a call that is passed the object:
//
//	s.single = true
//	s.read() // if !s.single { go s.loop() }
type Preset struct {
	Call  ssair.Instr
	Path  PathID // of the field
	Const int64
}

// presets finds the presets of the function.
func (b *builder) presets() {
	for _, blk := range b.ir.SSA.Blocks {
		set := make(map[PathID]*ssa.Store) // what the block has stored last
		for _, in := range blk.Instrs {
			switch in := in.(type) {
			case *ssa.Store:
				if _, field := in.Addr.(*ssa.FieldAddr); field {
					if p := b.path(in.Addr); p > 0 {
						set[p] = in
					}
				}
			case *ssa.Call:
				for p, st := range set {
					n, ok := scalarConst(st.Val)
					for _, arg := range in.Call.Args {
						if ok && arg == st.Addr.(*ssa.FieldAddr).X {
							b.Presets = append(b.Presets, Preset{b.ir.Num(in), p, n})
						}
					}
				}
				clear(set)
			}
		}
	}
	slices.SortFunc(b.Presets, func(p, q Preset) int { return cmp.Or(cmp.Compare(p.Call, q.Call), cmp.Compare(p.Path, q.Path)) })
}
