package locks

import (
	"github.com/iterace/iterace/model"
	"github.com/iterace/iterace/pta"
	"github.com/iterace/iterace/pta/flow"
)

// This file is about lockers that lock nothing:
//
//	type noLock struct{}
//
//	func (noLock) Lock()   {}
//	func (noLock) Unlock() {}
//
// To call Lock of a sync.Locker is to lock whatever the value is, since the program may
// have locks of its own making, of channels or atomic operations. Of a method that does
// nothing at all it is known that it is none. Where some of the methods that a call may
// run are such, the program has chosen the value that locks nothing for what has nothing
// to exclude (soundness: left-out).

// A taking says whether a call locks what it is called for.
type taking uint8

const (
	always taking = iota
	sometimes
	never
)

// takes reports whether a call of Lock or the like at an instruction works on a lock.
func (a *Analysis) takes(s pta.Site) taking {
	t := a.takenAt(s)
	if q := a.asking; q != nil && len(a.w.Callees(s.Inst, s.At)) > 0 {
		note(&q.takes, s, t)
	}
	return t
}

func (a *Analysis) takenAt(s pta.Site) taking {
	return a.takenBy(a.w.Callees(s.Inst, s.At)) // of an operation that the model knows: through an interface
}

// takenBy reports whether a call that runs one of some methods locks anything.
func (a *Analysis) takenBy(callees []pta.InstID) taking {
	idle := 0
	for _, c := range callees {
		if a.isIdle(c) {
			idle++
		}
	}
	switch {
	case idle == 0:
		return always
	case idle < len(callees):
		return sometimes
	}
	return never
}

// isIdle reports whether an instance does nothing that could be locking: it has no
// operation, and calls only what has none.
func (a *Analysis) isIdle(i pta.InstID) bool {
	if yes, ok := a.idle[i]; ok {
		return yes
	}
	if a.idle == nil {
		a.idle = make(map[pta.InstID]bool)
	}
	a.idle[i] = false // of what calls itself nothing is known
	f := a.w.Flow(i)
	if f == nil || a.w.Library(i) != nil {
		return false
	}
	for k := range f.Steps {
		st := &f.Steps[k]
		callees := a.in.Callees(i, f, int32(k))
		if st.Kind != flow.Call || len(callees) == 0 {
			return false
		}
		for _, c := range callees {
			if !a.isIdle(c) {
				return false
			}
		}
	}
	a.idle[i] = true
	return true
}

// takenFor reports whether a lock is taken where it is the object of a race whose method has
// been called for it.
func (a *Analysis) takenFor(h *Held, o *model.Object) taking {
	if !h.perhaps {
		return always
	}
	cs := a.w.RunFor(h.Acq, o)
	if len(cs) == 0 {
		return sometimes
	}
	return a.takenBy(cs)
}
