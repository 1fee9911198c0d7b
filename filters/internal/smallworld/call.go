package smallworld

import (
	"fmt"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/iterace/iterace/internal/ssair"
	"github.com/iterace/iterace/model"
	"github.com/iterace/iterace/model/library"
	"github.com/iterace/iterace/pta"
)

// call connects a call with its callees: what a library function runs, or
// what is called.
func (p *Program) call(i *inst, in ssa.CallInstruction, c *ssa.CallCommon, result ssa.Value) {
	at := i.info.ir.Num(in)
	spawn := false
	if _, ok := in.(*ssa.Go); ok {
		spawn = true
	}
	if b, ok := c.Value.(*ssa.Builtin); ok {
		if b.Name() == "append" {
			p.flow(p.val(i, result), p.val(i, c.Args[0]))
			p.add(p.val(i, result), p.alloc(i, result, "append", "append"))
			if len(c.Args) > 1 {
				for _, l := range p.val(i, c.Args[1]).all {
					for _, d := range p.val(i, result).all {
						p.flow(p.cell(p.sub(d, "[*]")), p.cell(p.sub(l, "[*]")))
					}
				}
			}
		}
		return
	}
	if f := p.lib.Called(c); f != nil && !spawn {
		p.modelled(i, at, f, c, result)
		return
	}
	if c.IsInvoke() {
		return
	}
	var fnv *set
	if fn := c.StaticCallee(); fn != nil && len(fn.FreeVars) == 0 {
		fnv = p.val(i, fn)
	} else {
		fnv = p.val(i, c.Value)
	}
	for _, l := range slices.Clone(fnv.all) {
		p.enter(i, at, l, c.Args, spawn)
	}
}

func (p *Program) modelled(i *inst, at ssair.Instr, f *library.Func, c *ssa.CallCommon, result ssa.Value) {
	run := -1
	switch f.Op {
	case library.OpSpawn, library.OpTimerFunc, library.OpParallel, library.OpOnce, library.OpMapRange:
		run = f.Body
	default:
		if len(f.Calls) > 0 {
			run = f.Calls[0]
		}
	}
	if result != nil {
		// What an atomic pointer or a constructor hands out.
		for _, a := range c.Args {
			p.flow(p.val(i, result), p.val(i, a))
		}
		if f.Op == library.OpNone && f.Fresh {
			p.add(p.val(i, result), p.alloc(i, result, "result", f.Name))
		}
	}
	if run < 0 || run >= len(c.Args) {
		return
	}
	spawn := f.Op == library.OpSpawn || f.Op == library.OpTimerFunc || f.Op == library.OpParallel
	for _, l := range slices.Clone(p.val(i, c.Args[run]).all) {
		p.enter(i, at, l, nil, spawn)
	}
}

// enter makes the function value at l a callee of the call at at.
func (p *Program) enter(i *inst, at ssair.Instr, l pta.Loc, args []ssa.Value, spawn bool) {
	o := p.objs[p.locs[l].obj]
	if o.fn == nil || len(o.fn.Blocks) == 0 {
		return
	}
	sides := []model.Thread{model.Main}
	if spawn {
		sides = []model.Thread{model.Alpha}
		if i.repeats || i.info.ir.Innermost(i.info.ir.At(at).Block()) != nil {
			sides = []model.Thread{model.Alpha, model.Beta}
		}
	}
	for _, side := range sides {
		ctx := fmt.Sprintf("%s/%d:%d%s", i.ctx, i.id, at, side)
		tags := i.tags
		if spawn {
			tags = append(slices.Clone(tags), tag{pta.Site{Inst: i.id, At: at}, side})
		}
		if k := slices.Index(i.stack, o.fn); k >= 0 && !spawn && len(i.stack) > 12 {
			continue
		} else if k >= 0 && !spawn {
			ctx = "rec" + i.ctx // recursion: one instance below
			if i.fn == o.fn {
				ctx = i.ctx
			}
		} else if k >= 0 && len(i.tags) > 3 {
			continue
		}
		callee := p.instance(o.fn, ctx, i, tags)
		callee.repeats = callee.repeats || !spawn && (i.repeats || i.info.ir.Innermost(i.info.ir.At(at).Block()) != nil)
		if !slices.Contains(i.callees[at], callee.id) {
			i.callees[at] = append(i.callees[at], callee.id)
			callee.callers = append(callee.callers, pta.Site{Inst: i.id, At: at})
			p.grew = true
		}
		for k, a := range args {
			if k < len(o.fn.Params) {
				p.flow(p.val(callee, o.fn.Params[k]), p.val(i, a))
			}
		}
		if o.mc != nil {
			by := p.insts[o.by]
			for k, fv := range o.fn.FreeVars {
				p.flow(p.val(callee, fv), p.val(by, o.mc.Bindings[k]))
			}
		}
	}
}
