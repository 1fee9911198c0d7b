package pta

import (
	"slices"

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

// finalized reports whether an access of a finalizer is to the object at a location that it is run for.
func (p *pairing) finalized(loc int32, a accRef) bool {
	v := p.v
	pl := v.res.base.loops[v.loop]
	if pl.spawn < 0 || pl.fn.Spawns[pl.spawn].Op != library.OpFinalizer {
		return false
	}
	obj := v.baseOf(loc)
	ways, ok := v.ways(point{a.inst, v.access(a).Node}, obj)
	return ok && len(ways) > 0 && !slices.ContainsFunc(ways, func(w Way) bool {
		started := slices.ContainsFunc(w.Calls, func(s Site) bool { return s.At == pl.at && v.ov.inSpawner(s.Inst) })
		// A pointer that lies in an object of the same name is not the one that is passed.
		return w.loose || !started || slices.ContainsFunc(w.cells, func(c int32) bool { return v.baseOf(c) == obj })
	})
}
