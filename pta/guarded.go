package pta

import (
	"strings"

	"github.com/iterace/iterace/internal/ssair"
	"github.com/iterace/iterace/model/library"
	"github.com/iterace/iterace/pta/flow"
)

// This file finds accesses of which the function itself says that others meet it
// there: it holds a lock that has the datum's base, as s.mu for s.items. Whether
// that lock protects from another access is for the locks stage; here it tells that
// two threads share the datum, however far apart they are (soundness: far-main).

// maxGuarded is maxNear where one of the two accesses, and not the other, says that
// it is shared.
const maxGuarded = 8

// guarded reports whether an access is made under a lock of the datum's base.
func (v *View) guarded(a accRef) bool {
	fn := v.ov.inst(a.inst).fn
	list, ok := v.res.guarded.Load(fn)
	if !ok {
		list, _ = v.res.guarded.LoadOrStore(fn, guardedIn(fn))
	}
	bits := list.([]bool)
	return bits != nil && bits[a.idx]
}

// guardedIn tells of each access of a function whether it is guarded; nil if none is.
func guardedIn(fn *Func) []bool {
	f := fn.Flow
	if f == nil {
		return nil
	}
	locks := make(map[flow.Path]uint64) // each is a bit
	var owners []flow.Path              // by number
	for i := range f.Steps {
		switch s := &f.Steps[i]; s.Op {
		case library.OpLock, library.OpRLock:
			if p := lockOf(f, s); p.Known() && locks[p] == 0 && len(owners) < 64 {
				locks[p] = 1 << len(owners)
				owners = append(owners, ownerOf(p))
			}
		}
	}
	if len(locks) == 0 {
		return nil
	}
	held := heldIn(f, locks)
	out := make([]bool, len(fn.Accesses))
	for k := range fn.Accesses {
		x := &fn.Accesses[k]
		datum := f.Addr(x.At)
		by := uint64(0)
		for i, o := range owners {
			if loads, ok := loadsFrom(o, datum); ok && (loads == 0 || loads == 1 && x.Flags&(FlagElem|FlagRegion) == 0) {
				by |= 1 << i
			}
		}
		out[k] = by != 0 && held.at(f, locks, x.At)&by != 0
	}
	return out
}

func lockOf(f *flow.Func, s *flow.Step) flow.Path {
	if len(s.Args) == 0 {
		return flow.Path{}
	}
	return f.Path(s.Args[0])
}

// ownerOf is what a lock is a field of, itself or by a pointer. For a variable of a
// package it is the package's variables: "g:".
func ownerOf(lock flow.Path) flow.Path {
	dot := strings.LastIndexByte(lock.Sels, '.')
	switch {
	case dot >= 0:
		return flow.Path{Root: lock.Root, Sels: lock.Sels[:dot]}
	case strings.HasPrefix(lock.Root, "g:"):
		return flow.Path{Root: "g:"}
	}
	return lock // which has nothing but itself
}

// loadsFrom counts the pointers on the way from the owner of a lock to a datum. What
// is further away than one may have come there with a lock of its own, and so may a
// slice.
func loadsFrom(owner, datum flow.Path) (n int, ok bool) {
	rest, ok := datum.Sels, owner.Root == "g:" && strings.HasPrefix(datum.Root, "g:")
	if !ok && owner.Root == datum.Root {
		rest, ok = strings.CutPrefix(datum.Sels, owner.Sels)
	}
	return strings.Count(rest, "~") + strings.Count(rest, "*"), ok && datum.Known()
}

// heldAtEntry has, by block, the locks that the function has acquired and not given
// back on every path there.
type heldAtEntry []uint64

func heldIn(f *flow.Func, locks map[flow.Path]uint64) heldAtEntry {
	in := make(heldAtEntry, len(f.Blocks))
	for b := range in {
		in[b] = ^uint64(0)
	}
	in[0] = 0
	for work := []int32{0}; len(work) > 0; {
		b := work[0]
		work = work[1:]
		out := in.after(f, locks, b, f.Blocks[b].Hi)
		for _, e := range f.Blocks[b].Succs {
			if in[e.To]&out != in[e.To] {
				in[e.To] &= out
				work = append(work, e.To)
			}
		}
	}
	return in
}

// after returns what is held in a block before one of its steps.
func (in heldAtEntry) after(f *flow.Func, locks map[flow.Path]uint64, b, step int32) uint64 {
	held := in[b]
	for i := f.Blocks[b].Lo; i < step; i++ {
		switch s := &f.Steps[i]; s.Op {
		case library.OpLock, library.OpRLock:
			held |= locks[lockOf(f, s)]
		case library.OpUnlock, library.OpRUnlock:
			held &^= locks[lockOf(f, s)]
		}
	}
	return held
}

// at returns what is held at an instruction.
func (in heldAtEntry) at(f *flow.Func, locks map[flow.Path]uint64, at ssair.Instr) uint64 {
	for b := range f.Blocks {
		if blk := &f.Blocks[b]; blk.First <= at && at < blk.End {
			step := blk.Lo
			for step < blk.Hi && f.Steps[step].At < at {
				step++
			}
			return in.after(f, locks, int32(b), step)
		}
	}
	return 0
}
