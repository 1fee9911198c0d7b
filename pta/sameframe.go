package pta

import (
	"slices"

	"github.com/iterace/iterace/internal/ssair"
)

// sharedVariable reports whether a pair is about a variable of the function that
// starts the goroutine: the function itself touches it, and the goroutine has it
// by capture or as an argument. The variable of a function that is called twice
// is two, but the goroutine shares the one of the call that has started it.
func (p *pairing) sharedVariable(oid int32, a, b accRef) bool {
	return (p.v.ov.inSpawner(b.inst) || p.around(b.inst)) && p.fromSpawner(oid, a)
}

// fromSpawner reports whether alpha's access a is to a variable of the spawner
// that it has by capture or as an argument.
func (p *pairing) fromSpawner(oid int32, a accRef) bool {
	return p.spawnersVariable(oid) && p.v.access(a).Root.outer()
}

// outer reports whether a frame has something by capture or as an argument.
func (r Root) outer() bool { return !r.Row && (r.Kind == RootFree || r.Kind == RootParam) }

// isVariable reports whether an allocation is a variable, one for each call, or for each round of a loop around
// the one whose rounds are told apart.
func (a *Alloc) isVariable() bool {
	return a.Kind == AllocValue && a.Word == "var" && a.Side == 0
}

// spawnersVariable reports whether an object is a variable of the spawner, of
// which each call of it has one.
func (p *pairing) spawnersVariable(oid int32) bool {
	ov := p.v.ov
	o := ov.object(oid)
	if !p.madeBySpawner(oid) {
		return false
	}
	return ov.inst(o.inst).fn.Allocs[o.alloc].isVariable()
}

// maxShared bounds the questions, in one loop, for the variable that an access
// has its object from.
const maxShared = 2000

// sharedThrough reports whether a pair is about what a variable of the spawner
// points to: both the goroutine and the spawner have loaded the pointer from it,
// and it is given its value once. What made the object may have been called for
// others too. What the spawner does before it starts the goroutine is over then;
// in its next call, and in the next round of a loop in which the variable is declared,
// it is another one. Whoever calls the spawner, and how often, is no matter.
func (p *pairing) sharedThrough(loc int32, a, b accRef) bool {
	x, ok := p.variableOf(loc, a)
	if !ok {
		return false
	}
	y, ok := p.variableOf(loc, b)
	return ok && x.cell == y.cell && p.v.ov.inSpawner(y.by.Inst) && p.afterSpawn(y.by, x.cell)
}

// A variableUse is a variable of the spawner, and where a frame that has it does
// something to what it points to.
type variableUse struct {
	cell int32
	by   Site
}

// variableOf returns the variable of the spawner from which alone an access has
// the pointer to the object at a location.
func (p *pairing) variableOf(loc int32, a accRef) (u variableUse, ok bool) {
	if p.shared++; p.shared > maxShared {
		return u, false
	}
	v := p.v
	ways, known := v.ways(point{a.inst, v.access(a).Node}, v.baseOf(loc))
	if !known || len(ways) != 1 || len(ways[0].cells) == 0 || !ways[0].open {
		return u, false
	}
	u.by = Site{a.inst, v.access(a).At}
	if len(ways[0].Calls) > 0 {
		u.by = ways[0].Calls[0]
	}
	u.cell = v.canonical(ways[0].cells[0])
	for _, c := range ways[0].cells[1:] {
		if v.canonical(c) != u.cell { // a view of one variable is the same one
			return u, false
		}
	}
	return u, p.roundsVariable(v.ov.ownerOf(u.cell)) && len(v.ov.base.storesTo(u.cell)) == 1
}

// sharedArgument reports whether a pair is about what the spawner itself has made and
// passes to the goroutine, and then uses, as sharedThrough has it for what lies in a variable.
func (p *pairing) sharedArgument(loc int32, a, b accRef) bool {
	v := p.v
	oid := v.ov.ownerOf(v.canonical(loc))
	if !p.ofStartersRound(oid) {
		return false
	}
	if x := p.passed(loc, a, byStart); len(x) != 1 || x[0].At != v.res.base.loops[v.loop].at {
		return false
	}
	// What the spawner uses on may be what it has found, as well: c := m[k]; if c == nil { c = new(call); go c.run() }.
	return slices.ContainsFunc(p.passed(loc, b, byCalls), func(y Site) bool {
		return y.At != ssair.NoInstr && p.afterSpawn(y, v.canonical(loc))
	})
}

// passed returns where the spawner, which makes the object at a location, does what an
// access to it is part of: the access or a call that passes the object on to it. There is one
// site for each way to the object; those of ways that begin elsewhere have no instruction.
func (p *pairing) passed(loc int32, a accRef, mode wayMode) (by []Site) {
	if p.shared++; p.shared > maxShared {
		return nil
	}
	v := p.v
	ways, known := v.waysBy(point{a.inst, v.access(a).Node}, v.baseOf(loc), mode)
	if !known {
		return nil
	}
	for i := range ways {
		w := &ways[i]
		s := firstCall(w, Site{a.inst, v.access(a).At})
		if len(w.cells) > 0 || len(w.returned) > 0 || !w.open || w.loose || !v.ov.inSpawner(s.Inst) {
			s.At = ssair.NoInstr
		}
		by = append(by, s)
	}
	return by
}

// ofStartersRound reports whether the spawner makes an object once in each call of it, or
// in alpha's round of the loop that starts the iterations.
func (p *pairing) ofStartersRound(oid int32) bool {
	ov := p.v.ov
	if ov.madeOnce(oid) {
		return true
	}
	o := ov.object(oid)
	if o.kind != objAlloc || !ov.inSpawner(o.inst) {
		return false
	}
	a, split := &ov.inst(o.inst).fn.Allocs[o.alloc], p.v.res.base.loops[p.v.loop].split
	return split >= 0 && !a.InLoop && a.Loop == split && a.Side == tagA
}

// roundsVariable reports whether an object is a variable of the spawner, of which each
// call of it has one, or alpha's round of the loop that starts the iterations.
func (p *pairing) roundsVariable(oid int32) bool {
	if p.spawnersVariable(oid) {
		return true
	}
	o := p.v.ov.object(oid)
	if !p.ofStartersRound(oid) {
		return false
	}
	a := &p.v.ov.inst(o.inst).fn.Allocs[o.alloc]
	return a.Kind == AllocValue && a.Word == "var"
}

// afterSpawn reports whether the spawner may come to an instruction after it has
// started the goroutine, in the same call, and before it makes the object at a
// location anew.
func (p *pairing) afterSpawn(s Site, loc int32) bool {
	o := p.v.ov.object(p.v.ov.ownerOf(loc))
	made := p.v.ov.inst(o.inst).fn.Allocs[o.alloc].At
	return p.v.ov.inst(s.Inst).fn.goesOn(p.v.res.base.loops[p.v.loop].at, s.At, made)
}

// goesOn reports whether a function may come from one instruction to another, or to a call that it defers there,
// before it comes to a third.
func (f *Func) goesOn(from, to, stop ssair.Instr) bool {
	for k := range f.Calls {
		if c := &f.Calls[k]; c.At == to && c.Mode == ModeDefer {
			return true
		}
	}
	return reachedBefore(f, from, to, stop)
}

// madeBySpawner reports whether the spawner itself makes an object, or a function
// around it a variable: a literal that is called several times has the same ones in
// all calls.
func (p *pairing) madeBySpawner(oid int32) bool {
	o := p.v.ov.object(oid)
	if o.kind != objAlloc {
		return false
	}
	return p.v.ov.inSpawner(o.inst) || p.v.ov.inst(o.inst).fn.Allocs[o.alloc].isVariable() && p.around(o.inst)
}

// around reports whether an instance is of a function of which the spawner is a
// literal, or a literal in a literal, and has made that.
func (p *pairing) around(id InstID) bool {
	if p.outer == nil {
		p.outer = make(map[InstID]bool)
		makers := p.v.res.literalMakers()
		var work []FuncID
		for _, id := range p.v.ov.spawners {
			work = append(work, p.v.ov.inst(id).fn.ID)
		}
		for len(work) > 0 {
			fn := work[len(work)-1]
			work = work[:len(work)-1]
			for _, id := range makers[fn] {
				if !p.outer[id] {
					p.outer[id] = true
					work = append(work, p.v.ov.inst(id).fn.ID)
				}
			}
		}
	}
	return p.outer[id]
}

// literalMakers lists for each function literal the instances that make it.
func (r *Result) literalMakers() map[FuncID][]InstID {
	r.onces.makers.Do(func() {
		r.makers = make(map[FuncID][]InstID)
		s := r.base.s
		for k := range s.objects {
			o := &s.objects[k]
			if o.kind != objAlloc {
				continue
			}
			if a := &s.inst(o.inst).fn.Allocs[o.alloc]; a.Kind == AllocClosure {
				r.makers[a.Func] = append(r.makers[a.Func], o.inst)
			}
		}
	})
	return r.makers
}
