package pta

import (
	"github.com/iterace/iterace/model"
	"github.com/iterace/iterace/model/library"
)

// wrapExternal lowers a modelled function that is called through a func value
// or an interface: its effects on its own parameters, as at a direct call.
func (l *lowerer) wrapExternal() {
	e, f := l.f.Lib, l.f
	each := func(ks []int, flags uint32) {
		for _, k := range ks {
			if k < 0 {
				k = len(f.Params) - 1
			}
			if k < 0 || k >= len(f.Params) || f.Params[k] == None {
				continue
			}
			size := l.p.types.layoutOf(deref(l.fn.Params[k].Type())).Len()
			if flags&FlagDeep != 0 {
				size = 0 // all of the object
			}
			l.access(flags|FlagCall, f.Params[k], 0, size, f.Pos, e.Name)
		}
	}
	each(e.Reads, 0)
	each(e.Writes, FlagWrite)
	each(e.DeepReads, deepFlags(e))
	each(e.DeepWrites, deepFlags(e)|FlagWrite)
	add := func(k int, mode CallMode, op library.Op) {
		if k < 0 || k >= len(f.Params) || f.Params[k] == None {
			return
		}
		c := Call{Kind: CallDynamic, Mode: mode, Fn: f.Params[k], Callee: noFunc, Result: None, Loop: -1, Spawn: -1, Pos: f.Pos}
		if mode == ModeSpawn {
			f.Spawns = append(f.Spawns, Spawn{Split: -1, Kind: shortName(e.Name), Op: op, Pos: f.Pos, Self: op == library.OpParallel || e.Many})
			c.Spawn = int8(len(f.Spawns) - 1)
		}
		f.Calls = append(f.Calls, c)
	}
	for _, k := range e.Calls {
		add(k, ModePlain, library.OpNone)
	}
	for _, k := range e.Concurrent {
		add(k, ModeSpawn, library.OpNone)
	}
	switch e.Op {
	case library.OpOnce, library.OpMapRange, library.OpBubble, library.OpTestCleanup:
		add(e.Body, ModePlain, e.Op)
	case library.OpSpawn, library.OpTimerFunc, library.OpParallel:
		add(e.Body, ModeSpawn, e.Op)
	}
}

func noBody(l *lowerer) model.Notice {
	return model.Notice{Pos: l.f.Pos, Code: "S4", Message: "no Go body and no model entry for " + l.f.Name + ": taken to do nothing (assembly or cgo)"}
}
