package flow

import (
	"github.com/iterace/iterace/internal/ssair"
	"golang.org/x/tools/go/ssa"
)

// OfCall returns the skeleton of a function without code that runs what it is given, as if it passed
// its parameters on at instruction 0.
func OfCall(fn *ssa.Function, lib Library) *Func {
	b := &builder{
		Func:  &Func{Name: fn.String(), paths: make([]pathNode, 1), growing: true},
		ir:    &ssair.Func{SSA: fn},
		lib:   lib,
		made:  make(map[pathNode]PathID),
		known: make(map[ssa.Value]PathID),
	}
	c := ssa.CallCommon{Value: fn}
	for _, p := range fn.Params {
		c.Args = append(c.Args, p)
		b.names.params = append(b.names.params, p.Name())
	}
	b.call(&c, 0, 0, func(*Step) {})
	b.touches(0, c.Args, false)
	b.Blocks = []Block{{End: 1, Hi: int32(len(b.Steps)), Exit: true, Tail: ssair.NoInstr}}
	for i := range b.Steps {
		b.Sync = b.Sync || b.Steps[i].Kind != Call
	}
	b.growing = false
	return b.Func
}
