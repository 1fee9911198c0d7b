package index

import (
	"strings"

	"github.com/iterace/iterace/internal/ssair"
)

// A thing is a value of a frame, or the field of it at path.
type thing struct {
	f    *frame
	r    vref
	path string
}

// chase follows a value to where it comes from: through parameters to the
// call's arguments, through captured variables to what they hold, through
// fields of struct values, through small callees.
func (t thing) chase() thing {
	for range 64 {
		t.r = t.f.c.resolve(t.r)
		v := &t.f.c.vals[t.r]
		next := t
		switch v.op {
		case opParam:
			arg, ok := t.f.arg(int(v.n))
			if !ok {
				return t
			}
			next = thing{arg.f, arg.r, arg.path + t.path}
		case opField:
			next = thing{t.f, v.a[0], fieldStep(int(v.n)) + t.path}
		case opStruct:
			i := 0
			if t.path == "" {
				return t
			}
			i = int([]rune(t.path)[1] - '0')
			if i >= len(v.a) || v.a[i] == 0 {
				return t
			}
			next = thing{t.f, v.a[i], dropStep(t.path)}
		case opFreeVal:
			x, ok := t.f.content(int32(v.n), v.s+t.path)
			if !ok {
				return t
			}
			next = x
		case opFree:
			m, made := t.f.closure()
			if m == nil {
				return t
			}
			next = thing{m, m.c.vals[made].a[v.n], t.path}
		case opRecv:
			x, ok := t.f.fed(t.r, v)
			if !ok {
				return t
			}
			next = thing{x.f, x.r, x.path + t.path}
		case opLoad:
			x, ok := t.f.listed(t.r, v)
			if !ok {
				return t
			}
			next = thing{x.f, x.r, x.path + t.path}
		case opEntry:
			x, ok := t.f.entry(t.r, v)
			if !ok {
				return t
			}
			next = thing{x.f, x.r, t.path}
		case opCall, opExtract:
			call, n := t.r, 0
			if v.op == opExtract {
				call, n = t.f.c.resolve(v.a[0]), int(v.n)
			}
			s := t.f.sub(call)
			if s == nil {
				return t
			}
			i, ok := s.returned(t.path != "" || !v.kind.isInt())
			if !ok {
				return t
			}
			ret := s.c.vals[s.c.rets[i]].a
			if n >= len(ret) {
				return t
			}
			next = thing{s, ret[n], t.path}
		default:
			return t
		}
		if next.r == 0 {
			return t
		}
		t = next
	}
	return t
}

// dropStep removes the first field of a path.
func dropStep(path string) string {
	if i := strings.IndexByte(path[1:], '.'); i >= 0 {
		return path[1+i:]
	}
	return ""
}

func (t thing) val() *val { return t.f.c.get(t.r) }

// sub returns the frame of a small callee that the call's code holds.
func (f *frame) sub(r vref) *frame {
	r = f.c.resolve(r)
	v := &f.c.vals[r]
	if v.op != opCall || v.n&callFlags != 0 {
		return nil
	}
	if s, ok := f.subs[r]; ok {
		return s
	}
	sub := v.sub
	if sub == nil {
		sub = f.takesFrom(v)
	}
	if f.subs == nil {
		f.subs = make(map[vref]*frame)
	}
	c := sub.body()
	if c == nil {
		f.subs[r] = nil
		return nil
	}
	last := len(f.chain) - 1
	chain := append([]Step(nil), f.chain...)
	chain[last].At = v.at
	chain = append(chain, Step{sub, -1})
	s := f.e.newFrame(c, -1, f.no, f.side, f, chain)
	s.id = f.id + "/" + string(rune(r+0x100))
	s.call = r
	f.subs[r] = s
	return s
}

// arg returns the argument that is bound to parameter n.
func (f *frame) arg(n int) (thing, bool) {
	if f.up == nil || f.up.c == nil {
		return thing{}, false
	}
	g := f.up
	r := f.call
	if r == 0 {
		r = g.c.at[g.at]
	}
	v := &g.c.vals[r]
	if v.op != opCall {
		return thing{}, false
	}
	if !f.entered(v) {
		if n == 0 {
			return f.receiver(g, v)
		}
		return thing{}, false
	}
	if v.n&callInvoke == 0 {
		n++
	}
	if n >= len(v.a) || v.a[n] == 0 || n == 0 && v.n&callInvoke == 0 {
		return thing{}, false
	}
	return thing{g, v.a[n], ""}, true
}

// receiver returns the one argument of a call whose method the frame's function is, where
// a library function calls that: sort.Sort(byAge(people[lo:hi])).
func (f *frame) receiver(g *frame, v *val) (out thing, ok bool) {
	for _, b := range v.bind {
		if !strings.HasPrefix(f.c.name, "("+b.path+").") {
			continue
		}
		if ok {
			return thing{}, false
		}
		out, ok = thing{g, b.v, ""}, true
	}
	return out, ok
}

// asIndex notes what is known of an integer that a library function gives the frame's
// function, which it is handed: sort.Slice's are indices of what it sorts.
func (f *frame) asIndex(v *val, p poly) {
	g := f.up
	if g == nil || g.c == nil || f.call != 0 || f.e.q.Oracle == nil || !v.kind.isInt() || len(p) != 1 {
		return
	}
	call := g.c.get(g.c.at[g.at])
	if call.op != opCall || call.s == "" || call.n&callInvoke != 0 || f.entered(call) {
		return
	}
	k := f.e.q.Oracle.Indices(call.s)
	if k < 0 || k+1 >= len(call.a) {
		return
	}
	of := thing{g, call.a[k+1], ""}
	size, what := poly(nil), "below "+g.text(of.r)
	if t := of.chase(); t.val().kind.isInt() {
		size = t.f.eval(t.r)
	} else if x := of.ref(); x.slice {
		size, what = x.len, "an index of "+g.text(of.r)
	} else {
		return
	}
	i := &f.e.atoms[p[0].m[0]-1]
	f.e.know(i, p, i.name+" >= 0")
	f.e.know(i, p.below(size), i.name+" is "+what)
}

// entered reports whether the call enters the frame's function itself, rather
// than a library function that is handed it.
func (f *frame) entered(v *val) bool {
	args := len(v.a) - 1
	if v.n&callInvoke != 0 {
		return args+1 == len(f.c.params)
	}
	if args != len(f.c.params) {
		return false
	}
	if v.s != "" {
		return generic(v.s) == generic(f.c.name)
	}
	t := thing{f.up, v.a[0], ""}.chase()
	if t.r != 0 && t.val().op == opClosure {
		return generic(t.val().s) == generic(f.c.name)
	}
	return true
}

// generic strips type arguments from a function name.
func generic(name string) string {
	if strings.IndexByte(name, '[') < 0 {
		return name
	}
	var b strings.Builder
	depth := 0
	for _, r := range name {
		switch {
		case r == '[':
			depth++
		case r == ']':
			depth--
		case depth == 0:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// closure returns the frame that made the closure whose function this is, and
// the MakeClosure. If the closure did not get here as the called value or an
// argument of the call, the frame is one in which nothing is known of the
// round of any loop.
func (f *frame) closure() (*frame, vref) {
	if f.sought {
		return f.maker, f.made
	}
	f.sought = true
	if f.up == nil || f.up.c == nil {
		return nil, 0
	}
	r := f.call
	if r == 0 {
		r = f.up.c.at[f.up.at]
	}
	v := f.up.c.get(r)
	if f.call != 0 && v.s != "" {
		return nil, 0
	}
	if v.op == opClosure && generic(v.s) == generic(f.c.name) {
		f.maker, f.made = f.up, r // the step is not a call, but the making of what runs later
		return f.maker, f.made
	}
	if v.op == opCall {
		for _, x := range v.a {
			if x == 0 {
				continue
			}
			t := thing{f.up, x, ""}.chase()
			m := t.val()
			if t.r != 0 && m.op == opClosure && generic(m.s) == generic(f.c.name) {
				g := t.f
				if !g.loose && g.c.roundsDiffer(m.blk, g.at) {
					g = g.loosen(f)
				}
				f.maker, f.made = g, t.r
				return f.maker, f.made
			}
		}
	}
	// Search the chain for the one frame that makes it; it is taken to have
	// made this one (soundness: closure-frame).
	var found *frame
	var made vref
	for g := f.up; g != nil; g = g.up {
		if g.c == nil {
			continue
		}
		for r := range g.c.vals {
			if m := &g.c.vals[r]; m.op == opClosure && generic(m.s) == generic(f.c.name) {
				if found != nil {
					return nil, 0 // made in two places
				}
				found, made = g, vref(r)
			}
		}
	}
	if found == nil {
		return nil, 0
	}
	f.maker, f.made = found.loosen(f), made
	return f.maker, f.made
}

// roundsDiffer reports whether some loop around block mc is not around
// instruction at: then the value made in mc may be of any round.
func (c *code) roundsDiffer(mc int32, at ssair.Instr) bool {
	if at < 0 || mc < 0 {
		return false
	}
	b := c.blockOf(at)
	for l := c.inner[mc]; l >= 0; l = c.loops[l].parent {
		if !c.loops[l].in[b] {
			return true
		}
	}
	return false
}

// loosen returns a copy of the frame for a closure made in it at an unknown
// time: values that vary in a loop are unknown and belong to one side.
func (f *frame) loosen(by *frame) *frame {
	g := f.e.newFrame(f.c, f.at, f.no, by.side, f.up, f.chain)
	g.id = f.id + "~" + by.id
	g.loose = true
	g.tight = f
	g.maker, g.made, g.sought = f.maker, f.made, f.sought
	return g
}

// content returns what captured variable n holds at a field path.
func (f *frame) content(n int32, path string) (thing, bool) {
	m, made := f.closure()
	if m == nil {
		return thing{}, false
	}
	c := m.c.get(made)
	for _, b := range c.bind {
		if b.free == n && strings.HasPrefix(path, b.path) {
			return thing{m, b.v, path[len(b.path):]}, true
		}
	}
	// Captured once more, from the closure's own free variables.
	if x := m.c.get(c.a[n]); x.op == opFree && c.a[n] != 0 {
		return m.content(int32(x.n), path)
	}
	return thing{}, false
}
