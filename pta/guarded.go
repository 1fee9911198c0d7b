package pta

import (
	"strings"

	"github.com/iterace/iterace/internal/ssair"
	"github.com/iterace/iterace/model/library"
	"github.com/iterace/iterace/pta/flow"
)

// This file finds accesses of which the function itself says that others meet it
// there: it is atomic, or holds a lock of the datum's owner, as s.mu for s.items; so do all
// that call it, as s.setLocked is called. Whether
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
	if x|y == 0 {
		x, y = v.guardOfCallers(a), v.guardOfCallers(b)
		if !(x != 0 && v.ov.inst(a.inst).fn.App) && !(y != 0 && v.ov.inst(b.inst).fn.App) {
			return false // a library's functions are called under the locks of many owners
		}
	}
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
	h := v.res.heldOf(fn)
	if h != nil {
		how |= h.accesses[a.idx]
	}
	return how
}

// Bounds on the calls by which a lock is looked for that is held around an access.
const (
	maxLockDepth   = 4
	maxLockCallers = 8
)

// maxLoads is how many loads may lead from a lock's owner to what it guards: s.mu guards s.list[i].
const maxLoads = 1

// guardOfCallers is guard for a function that all its callers call with a lock of the owner held.
func (v *View) guardOfCallers(a accRef) uint8 {
	f := v.Flow(a.inst)
	if f == nil {
		return 0
	}
	how, ok := v.around[a]
	if !ok {
		x := v.access(a)
		datum := f.Addr(x.At)
		how = v.guardAround(a.inst, datum, x.Flags, min(flow.Derefs(datum.Sels), maxLoads), maxLockDepth)
		if v.around == nil {
			v.around = make(map[accRef]uint8)
		}
		v.around[a] = how
	}
	return how
}

// guardAround returns the modes of the locks of a datum's owner that callers of an instance, or those of
// theirs, hold as they call it: each of them holds one, and it is run by none but them. The owner is what they
// pass, and not what they have found that in, of which there may be one for each: from there loads lead to the datum in the
// function itself only.
func (v *View) guardAround(id InstID, datum flow.Path, flags uint32, loads, depth int) (how uint8) {
	in := v.ov.inst(id)
	if _, ok := datum.Param(); !ok || in.root || depth == 0 || len(in.callers) > maxLockCallers {
		return 0
	}
	for _, c := range in.callers {
		fn := v.ov.inst(c.Inst).fn
		up, ok := v.Flow(c.Inst).UpAt(c.At, datum)
		if !ok || v.ov.spawnsAt(c) {
			return 0
		}
		held := uint8(0)
		if h := v.res.heldOf(fn); h != nil {
			held = h.guards(fn.Flow, c.At, up, flags, loads)
		}
		if held&^guardHeld == 0 {
			held = v.guardAround(c.Inst, up, flags, loads, depth-1)
		}
		if held&^guardHeld == 0 {
			return 0
		}
		how |= held & guardLock
	}
	return how
}

// A guarding has the locks of a function, where they are held, and which of them guard its accesses.
type guarding struct {
	locks    guards
	held     heldAtEntry
	accesses []uint8
}

// heldOf returns that of a function, nil if it has no locks.
func (r *Result) heldOf(fn *Func) *guarding {
	h, ok := r.guards.Load(fn)
	if !ok {
		h, _ = r.guards.LoadOrStore(fn, guardsIn(fn))
	}
	return h.(*guarding)
}

func guardsIn(fn *Func) *guarding {
	f := fn.Flow
	if f == nil {
		return nil
	}
	h := &guarding{locks: locksIn(f)}
	if len(h.locks) == 0 {
		return nil
	}
	h.held = heldIn(f, h.locks)
	h.accesses = make([]uint8, len(fn.Accesses))
	for k := range fn.Accesses {
		x := &fn.Accesses[k]
		h.accesses[k] = h.guards(f, x.At, f.Addr(x.At), x.Flags, maxLoads)
	}
	return h
}

// guards tells how a datum is guarded at an instruction of the function, by locks from whose owner so many loads
// lead to the datum at most.
func (h *guarding) guards(f *flow.Func, at ssair.Instr, datum flow.Path, flags uint32, most int) (how uint8) {
	here := h.held.at(f, h.locks, at)
	if here != 0 {
		how = guardHeld
	}
	for i := range h.locks {
		loads, ok := loadsFrom(h.locks[i].owner, datum)
		if !ok || loads > most || loads == 1 && flags&(FlagElem|FlagRegion) != 0 {
			continue
		}
		if here&(1<<i) != 0 {
			how |= h.locks[i].mode
		}
	}
	return how
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
	return flow.Derefs(rest), ok && datum.Known()
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
