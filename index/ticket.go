package index

import (
	"strconv"

	"github.com/iterace/iterace/internal/ssair"
)

// This file evaluates what takes hand out, see takes.go. Of two critical
// sections of one lock one comes first, and what the later one finds in the cell
// is at least what the earlier one has left there: with counters that go up,
//
//	found by β >= left by α  or  found by α >= left by β
//
// which says of a counter that two iterations have different numbers, and of a
// cursor that they have different chunks. That all that stores to the cell while
// the loop runs are takes that go the same way, under one lock, the oracle
// knows; where the way of a take is not a matter of constants, it is assumed
// (soundness: counter-only-adds).

// ticket is what a load that belongs to a take yields; ok is false if it belongs
// to none.
func (f *frame) ticket(r vref, v *val, x *ref) (p poly, ok bool) {
	for _, b := range v.bind {
		if b.path[0] != takeFirst && f.shares(v, b) {
			return f.eval(b.v), true
		}
	}
	for _, b := range v.bind {
		if b.path[0] == takeFirst && b.path[1:] != takeHead && b.path[1:] != takeTail && f.shares(v, b) {
			p := f.opaque(r, 0)
			f.ints[part{r, 0}] = p
			f.section(x, b, p, func() poly { return f.eval(b.v) })
			return p, true
		}
	}
	return nil, false
}

// ticketRef is the slice that a load which belongs to a take yields.
func (f *frame) ticketRef(r vref, v *val, x *ref) (y *ref, ok bool) {
	for _, b := range v.bind {
		if b.path[0] != takeFirst && f.shares(v, b) {
			y := thing{f, b.v, ""}.ref()
			return y, y.ok && y.slice
		}
	}
	for _, b := range v.bind {
		how := b.path[1:]
		if b.path[0] != takeFirst || how != takeHead && how != takeTail || !f.shares(v, b) {
			continue
		}
		// The array is the one that the cell had before: nothing but parts of it
		// is stored there.
		y := f.pointee(x, kSlice)
		shape, args := y.place.shape()
		y.len, y.cap = f.opaque(r, 'l'), f.opaque(r, 'c')
		if how == takeHead {
			y.off = f.opaque(r, 'o')
		} else {
			y.off = f.e.function("off "+shape, "start of "+y.place.name, args, anyhow, func(a atom, i *atomInfo) {
				f.e.know(i, variable(a), "")
			})
		}
		f.refs[r] = y
		if how == takeHead {
			f.section(x, b, y.off, func() poly { return thing{f, b.v, ""}.ref().off })
		} else {
			f.section(x, b, y.len, func() poly { return thing{f, b.v, ""}.ref().len })
		}
		return y, true
	}
	return nil, false
}

// shares reports whether a load is part of the take that it is bound to, each time
// that its value comes to where the frame is, and the take one of those that
// share its cell out.
func (f *frame) shares(v *val, b binding) bool {
	e := f.e
	if e.q.Oracle == nil || f.sideOf(v.blk) == 0 || f.ofAnyRound(v.blk) || f.sends() || b.path != takeAfter && !f.passes(v, ssair.Instr(b.free)) {
		return false
	}
	switch e.q.Oracle.Taken(f.chainAt(v), v.at, ssair.Instr(b.free)) {
	case Yes:
		return true
	case Unknown:
		e.could[rising1] = true
		return !e.unassuming()
	}
	return false
}

// section records what a take has found, and what it leaves.
func (f *frame) section(x *ref, b binding, found poly, leaves func() poly) {
	e := f.e
	shape, args := x.place.shape()
	a := atom(found[0].m[0] - 1)
	for _, t := range e.tokens {
		if t.a == a {
			return
		}
	}
	at := f.c.blockOf(ssair.Instr(b.free))
	n := len(e.tokens)
	e.tokens = append(e.tokens, handout{family: "take " + shape, index: args, side: f.sideOf(at), a: a})
	left := leaves()
	t := &e.tokens[n]
	why := e.fact("each round takes from "+x.text()+" what no other does", "")
	up := true
	switch b.path[1:] {
	case takeUp, takeHead:
	case takeDown, takeTail:
		up = false
	default:
		why = why.or(e.fact("what is taken from "+x.text()+" only goes up", AssumeCounter))
	}
	t.left, t.up, t.why = left, up, why
}

// apart returns what two takes that share a cell imply, one for each side.
func (s *handout) apart(t *handout) ([][]literal, bool) {
	if s.left == nil || t.left == nil || s.up != t.up {
		return nil, false
	}
	x, y := variable(s.a), variable(t.a)
	if s.up {
		return [][]literal{ge(y.sub(s.left)), ge(x.sub(t.left))}, true
	}
	return [][]literal{ge(s.left.sub(y)), ge(t.left.sub(x))}, true
}

// maxTakeBlocks bounds callees that are looked into for what they take.
const maxTakeBlocks = 24

// takesFrom returns the code of the function that a call may run, if that is one
// that takes what it returns.
func (f *frame) takesFrom(v *val) *Func {
	if f.e.q.Oracle == nil || v.at < 0 {
		return nil
	}
	fn := f.e.q.Oracle.Callee(f.chainAt(v), v.at)
	c := fn.body()
	if c == nil || len(c.takes) == 0 || len(c.loops) > 0 || len(c.rets) == 0 || len(c.blocks) > maxTakeBlocks {
		return nil
	}
	return fn
}

// repeated returns the callee of which a phi holds result n, of one call before
// the loop or of another in it: for i, ok := next(); ok; i, ok = next(). It is a
// call of its own, of which nothing is known but that it has run.
func (f *frame) repeated(v *val) (s *frame, n int, ok bool) {
	if v.op != opPhi || v.at < 0 || len(v.a) == 0 {
		return nil, 0, false
	}
	var first *frame
	var calls string
	var in vref // the call that is in the loop
	for i, a := range v.a {
		a = f.c.resolve(a)
		x := &f.c.vals[a]
		k := 0
		if x.op == opExtract {
			k = int(x.n)
			a = f.c.resolve(x.a[0])
			x = &f.c.vals[a]
		}
		if x.op != opCall || i > 0 && k != n {
			return nil, 0, false
		}
		n = k
		g := f.sub(a)
		if g == nil || len(g.c.takes) == 0 || first != nil && (g.c != first.c || !f.alike(first.call, a)) {
			return nil, 0, false
		}
		if first == nil {
			first = g
		}
		if in == 0 || f.c.inner[x.blk] >= 0 {
			in = a
		}
		calls += "," + strconv.Itoa(int(a))
	}
	return f.runAgain(in, strconv.Itoa(int(v.blk))+calls), n, true
}

// alike reports whether two calls have the same function and arguments.
func (f *frame) alike(p, q vref) bool {
	x, y := f.c.vals[p].a, f.c.vals[q].a
	if len(x) != len(y) {
		return false
	}
	for i := range x {
		a, b := f.c.resolve(x[i]), f.c.resolve(y[i])
		if a == b {
			continue
		}
		if a == 0 || b == 0 {
			return false
		}
		switch k := f.c.vals[a].kind; {
		case k.isInt():
			s := f.eval(a)
			if !s.equal(f.eval(b)) {
				return false
			}
		case k == kPointer, k == kSlice:
			s, t := thing{f, a, ""}.ref(), thing{f, b, ""}.ref()
			if !s.ok || !t.ok || !samePlace(s.place, t.place) || !s.off.equal(t.off) || !s.len.equal(t.len) {
				return false
			}
		default:
			s, t := thing{f, a, ""}.chase(), thing{f, b, ""}.chase()
			if s != t || s.r == 0 {
				return false
			}
		}
	}
	return true
}

// runAgain is a run of the callee of a call that is none of those that the
// frame's own round makes.
func (f *frame) runAgain(call vref, key string) *frame {
	for _, g := range f.reruns {
		if g.key == key {
			return g.f
		}
	}
	s := f.sub(call)
	g := f.e.newFrame(s.c, -1, f.no, f.side, f, s.chain)
	g.id = f.id + "/^" + key
	g.call = call
	f.reruns = append(f.reruns, rerun{key, g})
	return g
}

// A rerun is a run of a callee besides those of the calls that are seen.
type rerun struct {
	key string
	f   *frame
}

// truth is the truth value that is result n of a callee, 0 or 1.
func (f *frame) truth(n int) atom {
	e := f.e
	return e.atom(f.key(0, "truth", n), "ok", f.sideOf(0), func(a atom, i *atomInfo) {
		i.loops = f.loopsAt(0)
		e.know(i, variable(a), "")
		e.know(i, variable(a).neg().plus(1), "")
	})
}

// told returns the callee of which a condition is a result.
func (f *frame) told(v *val) (s *frame, n int, ok bool) {
	switch {
	case v.kind != kBool:
	case v.op == opExtract:
		if s := f.sub(v.a[0]); s != nil {
			return s, int(v.n), true
		}
	case v.op == opPhi:
		return f.repeated(v)
	}
	return nil, 0, false
}
