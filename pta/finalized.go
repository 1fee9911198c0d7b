package pta

import (
	"slices"

	"github.com/iterace/iterace/internal/ssair"
	"github.com/iterace/iterace/model/library"
)

// This file is about finalizers: when one is run for an object, nobody else has that any more. If somebody will,
// the finalizer gives it to him: as with what a goroutine makes and hands on, that is what races, if anything
// does (soundness: handed-on). What hangs on the object others may have all the same.
//
//	func open() *file {
//		f := new(file)
//		runtime.SetFinalizer(f, (*file).close)
//		f.name = "x" // f is still there
//		return f
//	}
//
// What a cleanup is given instead of the object belongs to it if others have it from there:
//
//	h := &handle{open: true}
//	f := &file{h: h}
//	runtime.AddCleanup(f, (*handle).close, h)

// finalized reports whether an access of a finalizer is to the object at a location that it is run for, or that b
// has from there.
func (p *pairing) finalized(loc int32, a, b accRef) bool {
	v := p.v
	pl := v.res.base.loops[v.loop]
	if pl.spawn < 0 || pl.fn.Spawns[pl.spawn].Op != library.OpFinalizer {
		return false
	}
	obj := v.baseOf(loc)
	ways, ok := v.ways(point{a.inst, v.access(a).Node}, obj)
	if !ok || !p.hasFromFinalized(obj, pl.at, b) {
		return false
	}
	return len(ways) > 0 && !slices.ContainsFunc(ways, func(w Way) bool {
		started := slices.ContainsFunc(w.Calls, func(s Site) bool { return s.At == pl.at && v.ov.inSpawner(s.Inst) })
		// A pointer that lies in an object of the same name is not the one that is passed.
		return w.loose || !started || slices.ContainsFunc(w.cells, func(c int32) bool { return v.baseOf(c) == obj })
	})
}

// hasFromFinalized reports whether an object is what the call at an instruction of the spawner sets a finalizer for,
// or b has it from a field of that.
func (p *pairing) hasFromFinalized(obj int32, at ssair.Instr, b accRef) bool {
	v := p.v
	owners := make(map[int32]bool)
	for _, id := range v.res.base.loops[v.loop].spawners {
		in := v.ov.inst(id)
		for _, o := range in.fn.Operands {
			if o.At != at || o.K != 0 {
				continue
			}
			for l := range v.ov.pts(in.node(o.Node)).All() {
				owners[v.baseOf(int32(v.unbox(l)))] = true
			}
		}
	}
	if owners[obj] {
		return true
	}
	ways, ok := v.ways(point{b.inst, v.access(b).Node}, obj)
	return ok && len(ways) > 0 && !slices.ContainsFunc(ways, func(w Way) bool {
		return len(w.cells) == 0 || slices.ContainsFunc(w.cells, func(c int32) bool { return !owners[v.baseOf(c)] })
	})
}
