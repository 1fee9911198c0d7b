package order

import (
	"slices"
	"strings"

	"github.com/iterace/iterace/internal/ssair"
	"github.com/iterace/iterace/pta"
	"github.com/iterace/iterace/pta/flow"
)

// This file is the rule for a channel that is the lock of an object, where there are many of both:
//
//	func (c *conn) send(ctx context.Context) error {
//		select {
//		case c.busy <- struct{}{}:
//		case <-ctx.Done():
//			return ctx.Err()
//		}
//		defer func() { <-c.busy }()
//		c.n++
//
// The channels are told apart by the field that has them, as mutexes are by their names. What is
// made at one place, of capacity one, and lies in one field that nobody sets anew guards the object
// with the field (soundness: owner-lock). So it does where methods lock and unlock by it, and where these
// are of an object of its own, to which another field leads:
//
//	err := c.writeMu.lock(ctx)
//	if err != nil {
//		return err
//	}
//	defer c.writeMu.unlock()
//	c.n++

// A fieldLock is the channels that one place makes, each for a field of an object.
type fieldLock struct {
	id    int32
	locs  []pta.Loc
	ops   []*op
	field string                    // that has them
	names map[pta.InstID][]lockName // in the frames that lock by them
}

// A lockName is what a frame calls the object that it locks by a channel in its field, and, where that is there
// for locking alone, the object of which a field leads to it.
type lockName struct {
	lock  flow.Path
	owner flow.Path // or not known
	by    string    // the field of the owner
}

// fieldLocks lists the channels of which there are many, and which are used as locks.
func (a *Analysis) fieldLocks() []*fieldLock {
	if a.fields != nil {
		return a.fields
	}
	type makingKey struct {
		fn string
		at ssair.Instr
	}
	byMaking := make(map[makingKey]*fieldLock)
	var all []*fieldLock
	for _, o := range a.allOps {
		if o.kind != opSend && o.kind != opRecv && o.kind != opClose {
			continue
		}
		for _, l := range o.locs {
			made := a.w.Object(l).Alloc
			if made.Inst < 0 || a.w.Flow(made.Inst) == nil {
				continue
			}
			f := a.w.Flow(made.Inst)
			k := makingKey{f.Name, made.At}
			g := byMaking[k]
			if g == nil {
				g = &fieldLock{id: int32(len(all))}
				byMaking[k] = g
				all = append(all, g)
			}
			if !slices.Contains(g.locs, l) {
				g.locs = append(g.locs, l)
			}
			if !slices.Contains(g.ops, o) {
				g.ops = append(g.ops, o)
			}
		}
	}
	a.fields = slices.DeleteFunc(append([]*fieldLock{}, all...), func(g *fieldLock) bool { return !a.isFieldLock(g) })
	return a.fields
}

// isFieldLock reports whether all that is done to the channels locks or unlocks them, and finds them
// in one field.
func (a *Analysis) isFieldLock(g *fieldLock) bool {
	many := len(g.locs) > 1
	for _, l := range g.locs {
		v := a.w.Object(l)
		many = many || v.Many
		if v.Part != 0 || indexed(v.Field) || a.capacity(l) != 1 || a.external(l) || a.isTimer(l) {
			return false
		}
	}
	other := func(l pta.Loc) bool { return !slices.Contains(g.locs, l) }
	if !many || slices.ContainsFunc(g.ops, func(o *op) bool { return o.kind == opClose || slices.ContainsFunc(o.locs, other) }) {
		return false
	}
	g.names = make(map[pta.InstID][]lockName)
	return !slices.ContainsFunc(g.ops, func(o *op) bool { return !a.nameField(g, o.inst, channelOf(o), o.kind == opSend, 0) }) && len(g.names) > 0 &&
		!slices.ContainsFunc(g.ops, func(o *op) bool { return o.kind == opRecv && a.unlocked(o.inst, g).reachesOp(o) })
}

// channelOf returns the path of the channel of an operation.
func channelOf(o *op) flow.PathID {
	if o.step >= 0 {
		if args := o.f.Steps[o.step].Args; len(args) > 0 {
			return args[0]
		}
		return -1
	}
	for b := range o.f.Blocks {
		for _, e := range o.f.Blocks[b].Succs {
			for k := range e.Events {
				if ev := &e.Events[k]; ev.Kind == flow.CaseTaken && ev.Site == o.site && ev.Operand == o.k {
					return ev.Path
				}
			}
		}
	}
	for k := range o.f.Untested {
		if ev := &o.f.Untested[k]; ev.Site == o.site && ev.Operand == o.k {
			return ev.Path
		}
	}
	return -1
}

// maxNamed bounds the calls between an operation and the frame that has the name of the field.
const maxNamed = 3

// nameField notes by what name an instance, or who calls it, finds a channel that has a path there, if it locks
// by that. It returns false if that is not the same field always, or one that may be set anew.
func (a *Analysis) nameField(g *fieldLock, i pta.InstID, id flow.PathID, locks bool, depth int) bool {
	f := a.w.Flow(i)
	p := f.Path(id)
	if n := strings.LastIndexAny(p.Sels, "~*"); n >= 0 && p.Pointer() == p {
		addr, loads, ok := fieldOf(f, id)
		field := flow.LastField(addr)
		if !ok || g.field != "" && g.field != field || a.w.Renewed(pta.Site{Inst: i, At: loads[0]}) {
			return false
		}
		if g.field = field; locks {
			a.nameLock(g, i, lockName{lock: addr.Pointer()}, 0)
		}
		return true
	}
	k, param := p.Param()
	callers := a.in.Callers(i)
	if !param || p.Sels != "" || depth == maxNamed || len(callers) == 0 {
		return false
	}
	return !slices.ContainsFunc(callers, func(c pta.Site) bool {
		_, arg, ok := a.argument(c, k)
		return !ok || !a.nameField(g, c.Inst, arg, locks, depth+1)
	})
}

// argument returns the path of an argument in the frame of a call.
func (a *Analysis) argument(c pta.Site, k int) (up *flow.Func, arg flow.PathID, ok bool) {
	up = a.w.Flow(c.Inst)
	if up == nil || len(up.StepsAt(c.At)) == 0 || a.in.IsSpawn(c) {
		return nil, 0, false
	}
	st := &up.Steps[up.StepsAt(c.At)[0]]
	if st.Body >= 0 || k >= len(st.Args) {
		return nil, 0, false
	}
	return up, st.Args[k], true
}

// nameLock notes by what name an instance locks, and those who call it: it may return with the lock held.
func (a *Analysis) nameLock(g *fieldLock, i pta.InstID, n lockName, depth int) {
	if slices.Contains(g.names[i], n) {
		return
	}
	g.names[i] = append(g.names[i], n)
	k, param := n.lock.Param()
	if !param || n.lock.Sels != "" || depth == maxNamed {
		return
	}
	for _, c := range a.in.Callers(i) {
		up, arg, ok := a.argument(c, k)
		if !ok {
			continue
		}
		m := lockName{lock: up.Path(arg)}
		if !m.lock.Known() {
			continue
		}
		if field, loads, ok := fieldOf(up, arg); ok && !a.w.Renewed(pta.Site{Inst: c.Inst, At: loads[0]}) {
			m.owner, m.by = field.Pointer(), flow.LastField(field)
		}
		a.nameLock(g, c.Inst, m, depth+1)
	}
}

// fieldOf returns the field from which a pointer is loaded that has a path in a frame, and the loads, the last one first.
func fieldOf(f *flow.Func, id flow.PathID) (field flow.Path, loads []ssair.Instr, ok bool) {
	p := f.Path(id)
	n := strings.LastIndexAny(p.Sels, "~*")
	if n < 0 || p.Pointer() != p {
		return flow.Path{}, nil, false
	}
	field, loads = flow.Path{Root: p.Root, Sels: p.Sels[:n]}, f.LoadsOf(id)
	return field, loads, flow.LastField(field) != "" && len(loads) > 0
}

// unlocked returns a walk over all points of the threads that run instance i at which no channel of a
// field is held.
func (a *Analysis) unlocked(i pta.InstID, g *fieldLock) *walk {
	return a.kept(walkKey{kind: 'F', inst: i, op: g.id}, func() *walk {
		w := a.newWalk()
		w.forbids(func(p place, _ bool) bool { return acquiredBy(p, g.ops, opSend) }, g.ops)
		ts := a.threadsOf(i)
		for _, t := range ts {
			w.fromEntry(t)
		}
		for _, o := range g.ops {
			if o.kind == opRecv && a.anyRuns(ts, o.inst) {
				w.startAfter(o)
			}
		}
		return w.run()
	})
}

// inFieldLock reports whether two accesses are made under the lock of the object that they are to.
func (a *Analysis) inFieldLock(x, y access) bool {
	return slices.ContainsFunc(a.fieldLocks(), func(g *fieldLock) bool {
		under := func(z access) (by string, ok bool) {
			if a.unlocked(z.inst, g).reaches(z.inst, z.at) {
				return "", false
			}
			return a.namedAbove(g, z.inst, a.addr(z), 0)
		}
		byX, okX := under(x)
		byY, okY := under(y)
		return okX && okY && byX == byY
	})
}

// maxNaming bounds the calls between the frame that locks and an access.
const maxNaming = 6

// namedAbove reports whether on all ways to an instance a frame locks by a field of the object that a path of
// the instance is a part of, and by which field that object is found to have a lock, "" for its own. A frame that
// locks by several names does not tell by which of them it does so at the time.
func (a *Analysis) namedAbove(g *fieldLock, i pta.InstID, p flow.Path, depth int) (by string, ok bool) {
	if !p.Known() {
		return "", false
	}
	part := func(q flow.Path) bool {
		rest, ok := strings.CutPrefix(p.Sels, q.Sels)
		return q.Known() && ok && p.Root == q.Root && rest != "" && (rest[0] == '.' || rest[0] == '[') && !flow.Through(rest)
	}
	if names := g.names[i]; len(names) == 1 {
		switch n := names[0]; {
		case part(n.lock):
			return "", true
		case part(n.owner):
			return n.by, true
		}
	}
	callers := a.in.Callers(i)
	if depth == maxNaming || len(callers) == 0 {
		return "", false
	}
	for k, c := range callers {
		j, q, known := a.in.Up(i, c, p)
		if !known || a.in.IsSpawn(c) {
			return "", false
		}
		above, ok := a.namedAbove(g, j, q, depth+1)
		if !ok || k > 0 && above != by {
			return "", false
		}
		by = above
	}
	return by, true
}
