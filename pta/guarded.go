package pta

import (
	"strings"

	"github.com/iterace/iterace/internal/ssair"
	"github.com/iterace/iterace/model/library"
	"github.com/iterace/iterace/pta/flow"
)

// This file finds accesses of which the function itself says that others meet it
// there: it is atomic, or holds a lock of the datum's owner, as s.mu for s.items. Whether
// that lock protects from another access is for the locks stage; here it tells that
// two threads share the datum, however far apart they are (soundness: far-main).

// maxGuarded is MaxNear where one of the two accesses says that it is shared.
const maxGuarded = 8

// How an access is guarded.
const (
	guardRead   = 1 << iota // by a lock in read mode
	guardWrite              // in write mode
	guardAtomic             // it is atomic
	guardHeld               // the function holds a lock, whatever of

	guardLock = guardRead | guardWrite
)

// saidShared reports whether one of two accesses is guarded, and not both by a lock
// that might exclude the other.
func (v *View) saidShared(a, b accRef) bool {
	x, y := v.guard(a)&^guardHeld, v.guard(b)&^guardHeld
	return x|y != 0 && (x&guardLock == 0 || y&guardLock == 0 || (x|y)&guardWrite == 0)
}

// bothLocked reports whether each of two accesses is in a function that holds a lock there.
func (v *View) bothLocked(a, b accRef) bool { return v.guard(a)&v.guard(b)&guardHeld != 0 }

// guard tells how an access is guarded.
func (v *View) guard(a accRef) (how uint8) {
	fn := v.ov.inst(a.inst).fn
	if fn.Accesses[a.idx].Flags&FlagAtomic != 0 {
		how = guardAtomic
	}
	list, ok := v.res.guards.Load(fn)
	if !ok {
		list, _ = v.res.guards.LoadOrStore(fn, guardsIn(fn))
	}
	if all := list.([]uint8); all != nil {
		how |= all[a.idx]
	}
	return how
}

// guardsIn tells of each access of a function which locks guard it; nil if none does.
func guardsIn(fn *Func) []uint8 {
	f := fn.Flow
	if f == nil {
		return nil
	}
	ls := locksIn(f)
	if len(ls) == 0 {
		return nil
	}
	held := heldIn(f, ls)
	out := make([]uint8, len(fn.Accesses))
	for k := range fn.Accesses {
		x := &fn.Accesses[k]
		datum, here := f.Addr(x.At), held.at(f, ls, x.At)
		if here != 0 {
			out[k] = guardHeld
		}
		for i := range ls {
			loads, ok := loadsFrom(ls[i].owner, datum)
			if !ok || loads > 1 || loads == 1 && x.Flags&(FlagElem|FlagRegion) != 0 {
				continue
			}
			if here&(1<<i) != 0 {
				out[k] |= ls[i].mode
			}
		}
	}
	return out
}

// A guard is a lock of a function, in one mode.
type guard struct {
	path, owner flow.Path
	mode        uint8
}

// guards are the locks of a function by number, 63 at most: a block that is not reached yet holds one more.
type guards []guard

func locksIn(f *flow.Func) guards {
	var ls guards
	for i := range f.Steps {
		s := &f.Steps[i]
		if s.Op != library.OpLock && s.Op != library.OpRLock || len(s.Args) == 0 {
			continue
		}
		if p := f.Path(s.Args[0]); p.Known() && ls.bit(p, s.Op) == 0 && len(ls) < 63 {
			ls = append(ls, guard{p, ownerOf(p), modeOf(s.Op)})
		}
	}
	return ls
}

func modeOf(op library.Op) uint8 {
	if op == library.OpRLock || op == library.OpRUnlock {
		return guardRead
	}
	return guardWrite
}

// bit returns the lock that an operation acquires or releases.
func (ls guards) bit(p flow.Path, op library.Op) uint64 {
	for i := range ls {
		if ls[i].path == p && ls[i].mode == modeOf(op) {
			return 1 << i
		}
	}
	return 0
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

func heldIn(f *flow.Func, ls guards) heldAtEntry {
	in := make(heldAtEntry, len(f.Blocks))
	for b := range in {
		in[b] = ^uint64(0) // as of a block that nothing has reached
	}
	in[0] = 0
	for work := []int32{0}; len(work) > 0; {
		b := work[0]
		work = work[1:]
		out := in.before(f, ls, b, f.Blocks[b].Hi)
		for _, e := range f.Blocks[b].Succs {
			if in[e.To]&out != in[e.To] {
				in[e.To] &= out
				work = append(work, e.To)
			}
		}
	}
	return in
}

// before returns what is held in a block before one of its steps.
func (in heldAtEntry) before(f *flow.Func, ls guards, b, step int32) uint64 {
	held := in[b]
	for i := f.Blocks[b].Lo; i < step; i++ {
		s := &f.Steps[i]
		if len(s.Args) == 0 {
			continue
		}
		switch s.Op {
		case library.OpLock, library.OpRLock:
			held |= ls.bit(f.Path(s.Args[0]), s.Op)
		case library.OpUnlock, library.OpRUnlock:
			held &^= ls.bit(f.Path(s.Args[0]), s.Op)
		}
	}
	return held
}

// at returns what is held at an instruction.
func (in heldAtEntry) at(f *flow.Func, ls guards, at ssair.Instr) uint64 {
	for b := range f.Blocks {
		if blk := &f.Blocks[b]; blk.First <= at && at < blk.End {
			step := blk.Lo
			for step < blk.Hi && f.Steps[step].At < at {
				step++
			}
			return in.before(f, ls, int32(b), step)
		}
	}
	return 0
}
