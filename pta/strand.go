package pta

import (
	"slices"
	"strconv"

	"github.com/iterace/iterace/internal/ssair"
	"github.com/iterace/iterace/pta/flow"
)

// This file is about what one function does with the pointers to an object that it has: see
// travel.go.

// A strand is values of a frame of which one is made from the other: they may point to one
// object. What is kept in variables of the function, or in a struct that it sends as a whole, is among
// them.
type strand struct {
	f       *frameStrands
	nodes   []Node
	events  []event
	loads   []int32    // constraints: of places that are not the function's own
	stores  []keeping  // to such places
	got     []fromCall // what calls have returned
	results []Node     // by which it is returned, from the first leaf
	returns []event    // where it is
	does    uint8      // all that is done with it
	above   []touching // those that it is passed down from
	callers []touching // those that it is returned to
}

// What is done with a pointer.
const (
	doesGive   = 1 << iota // sent, put back, or handed to a goroutine
	doesKeep               // stored
	doesFirst              // the first of the accesses in question
	doesSecond             // the other
	doesSwap               // it changes places with another one
	doesAnswer             // who has sent it is told that it is done with
	doesStart              // a goroutine is started with it
	doesShare              // and it is not known that nobody else goes on with it
)

// An event is an instruction that does something with a strand.
type event struct {
	at       ssair.Instr
	operand  int // the case of a select, or -1
	does     uint8
	deferred bool
	value    Node        // the value; None for what is stored in a variable
	in       *variableOf // which it is, and where in it
	inOff    int32
	place    string // kept: where, and how far in
	off      int32
	beside   bool // of what the object keeps, by another pointer to that
	renews   bool // the variable, in, holds something else once that is over
}

// A fromCall is a strand that a call has returned to another one.
type fromCall struct {
	at   ssair.Instr
	from *strand
}

// A keeping is an event by which a strand is stored in a place that is not the function's own.
type keeping struct {
	e event
	k int32 // constraint
}

// consumes reports whether the pointer is put anywhere.
func (e *event) consumes() bool {
	return e.does&(doesGive|doesKeep) != 0 || e.does&doesStart != 0 && e.does&^(doesSwap|doesAnswer|doesStart|doesShare) != 0
}

// givenUp reports whether it is known that the function gives the object up to a goroutine that it starts.
func (e *event) givenUp() bool { return e.does&(doesStart|doesShare) == doesStart }

// A variableOf is a variable of a function, or a struct that it puts together: it is only
// loaded from, stored to and captured.
type variableOf struct {
	nodes  []Node // its address
	passed bool
}

// A frameStrands has the strands of an instance.
type frameStrands struct {
	t       *traveller
	id      InstID
	in      *instance
	union   map[Node]Node
	vars    map[Node]*variableOf
	places  map[Node]string // see placeOf
	of      map[Node]*strand
	strands []*strand
	news    map[Node][]ssair.Instr // see anew
	empties []emptier
	state   answer // yes while it is looked at, no afterwards
}

func newFrameStrands(t *traveller, h holder) *frameStrands {
	f := &frameStrands{t: t, id: h.id, in: t.s.inst(h.id), union: make(map[Node]Node), of: make(map[Node]*strand), places: make(map[Node]string), news: make(map[Node][]ssair.Instr)}
	for _, n := range h.nodes {
		f.union[n] = n
	}
	return f
}

func (f *frameStrands) root(n Node) Node {
	for f.union[n] != n {
		n = f.union[n]
	}
	return n
}

func (f *frameStrands) join(a, b Node) {
	_, ok := f.union[a]
	_, ok2 := f.union[b]
	if ok && ok2 {
		f.union[f.root(a)] = f.root(b)
	}
}

// look finds the strands of the frame and what is done with them.
func (f *frameStrands) look() {
	if f.state != unasked {
		return
	}
	f.state = yes
	fn := f.in.fn
	f.variables()
	for k := range fn.Constraints {
		switch c := &fn.Constraints[k]; c.Op {
		case OpCopy, OpOffset, OpElem, OpBox, OpUnbox, OpFilter, OpNotMade, OpNotGlobal, OpNotType, OpOfType:
			f.join(c.Dst, c.Src)
		case OpStore:
			if x := f.local(c.Dst); x != nil && !f.swaps(int32(k)) {
				f.throughVariable(c, x)
			}
		case OpLoad:
			if f.variadic(c.Src) {
				for _, n := range f.appended(c.Dst) {
					f.join(n, c.Dst)
				}
			}
		}
	}
	for k, n := range fn.Free { // variables that it shares with its maker
		for j := range fn.FLen[k] {
			f.joinLoads(n + Node(j))
		}
	}
	for k := range fn.Calls {
		f.joinResults(k)
	}
	for _, n := range f.sorted() {
		r := f.root(n)
		w := f.of[r]
		if w == nil {
			w = &strand{f: f}
			f.strands = append(f.strands, w)
			f.of[r] = w
		}
		f.of[n] = w
		w.nodes = append(w.nodes, n)
	}
	for k := range fn.Constraints {
		f.constraint(int32(k))
	}
	for k := range fn.Calls {
		f.call(k)
	}
	for k := range fn.Constraints {
		c := &fn.Constraints[k]
		if w := f.of[c.Src]; w != nil && c.Op == OpCopy && fn.Result != None && fn.Result <= c.Dst && c.Dst < fn.Result+Node(fn.RLen) {
			w.results = append(w.results, c.Dst-fn.Result)
			w.returns = append(w.returns, event{at: ssair.Instr(c.Arg), operand: -1, value: c.Src})
		}
	}
	for k := range fn.Allocs {
		if fn.Allocs[k].Kind == AllocClosure {
			f.closure(int32(k))
		}
	}
	f.answersTo()
	for _, w := range f.strands {
		for _, e := range w.events {
			w.does |= e.does
		}
	}
	f.state = no
}

func (f *frameStrands) sorted() []Node {
	var out []Node
	for n := range f.union {
		out = append(out, n)
	}
	slices.Sort(out)
	return out
}

func (w *strand) add(e event) {
	if e.does != 0 && !slices.Contains(w.events, e) {
		w.events = append(w.events, e)
	}
}

// passes notes that an event passes a strand down to another one, and whether it is given up by that.
func (w *strand) passes(e event, down *strand, gives bool) {
	if (e.does|down.does)&doesStart != 0 && !gives {
		e.does |= doesShare
	}
	if up := (touching{w, e}); !slices.Contains(down.above, up) {
		down.above = append(down.above, up)
	}
	e.does |= down.does
	w.add(e)
}

// variables finds the variables of the function.
func (f *frameStrands) variables() {
	fn := f.in.fn
	uses := f.t.v.res.usesOf(fn)
	byAt := make(map[ssair.Instr]*variableOf)
	f.vars = make(map[Node]*variableOf)
	var work []Node
	for k := range fn.Constraints {
		c := &fn.Constraints[k]
		if c.Op != OpAddr || c.Off != 0 || fn.Allocs[c.Arg].Kind != AllocValue {
			continue
		}
		at := fn.Allocs[c.Arg].At
		if byAt[at] == nil {
			byAt[at] = new(variableOf)
		}
		if f.vars[c.Dst] == nil {
			f.vars[c.Dst] = byAt[at]
			work = append(work, c.Dst)
		}
	}
	for len(work) > 0 {
		n := work[len(work)-1]
		work = work[:len(work)-1]
		x := f.vars[n]
		x.nodes = append(x.nodes, n)
		for _, k := range uses[n] {
			switch c := &fn.Constraints[k]; {
			case c.Src != n || c.Op == OpLoad:
			case fn.Result != None && fn.Result <= c.Dst && c.Dst < fn.Result+Node(fn.RLen) && c.Op == OpCopy:
				x.passed = true // what it has put there is its caller's
			case c.Op == OpCopy && f.vars[c.Dst] == nil: // of a copy of a loop's body
				f.vars[c.Dst] = x
				work = append(work, c.Dst)
			case c.Op != OpCopy || f.vars[c.Dst] != x:
				x.passed = true
			}
		}
	}
	for k := range fn.Calls {
		c := &fn.Calls[k]
		if x := f.vars[c.Fn]; x != nil && c.Kind == CallInvoke {
			x.passed = true
		}
		for _, a := range c.Args {
			for j := range Node(a.Len) {
				if x := f.vars[a.Node+j]; x != nil && a.Node != None {
					x.passed = true
				}
			}
		}
	}
	for _, x := range f.vars {
		slices.Sort(x.nodes)
	}
}

// local returns the variable of which a node is the address, or nil.
func (f *frameStrands) local(n Node) *variableOf {
	if x := f.vars[n]; x != nil && !x.passed {
		return x
	}
	return nil
}

// throughVariable joins what is stored in a variable with what is loaded from it.
func (f *frameStrands) throughVariable(st *Constraint, x *variableOf) {
	fn := f.in.fn
	for _, n := range x.nodes {
		for _, k := range f.t.v.res.usesOf(fn)[n] {
			if c := &fn.Constraints[k]; c.Src == n && c.Op == OpLoad && c.Off == st.Off {
				f.join(st.Src, c.Dst)
			}
		}
	}
}

// placeOf names an address: two of one name are equal, as long as nothing is assigned to what
// leads there (soundness: stable-base).
func (f *frameStrands) placeOf(n Node) string { return f.placeAt(n, maxPlace) }

// maxPlace bounds the loads that lead to a place.
const maxPlace = 4

func (f *frameStrands) placeAt(n Node, depth int) string {
	if s, ok := f.places[n]; ok {
		return s
	}
	s := "n" + strconv.Itoa(int(n))
	defs := f.t.v.res.defs(f.in.fn)[n]
	if x := f.vars[n]; x != nil {
		s = "v" + strconv.Itoa(int(x.nodes[0]))
	} else if len(defs) > 0 && depth > 0 {
		for i, k := range defs {
			c := &f.in.fn.Constraints[k]
			var from string
			switch c.Op {
			case OpCopy:
				from = f.placeAt(c.Src, depth-1)
			case OpLoad:
				from = f.placeAt(c.Src, depth-1) + "~" + strconv.Itoa(int(c.Off))
			case OpOffset:
				from = f.placeAt(c.Src, depth-1) + "+" + strconv.Itoa(int(c.Off))
			case OpGlobal:
				from = "g" + strconv.Itoa(int(c.Arg)) + "+" + strconv.Itoa(int(c.Off))
			}
			if from == "" || i > 0 && from != s {
				s = "n" + strconv.Itoa(int(n))
				break
			}
			s = from
		}
	}
	f.places[n] = s
	return s
}

// swaps reports whether a store is one half of x, y = y, x for two variables, or elements of one
// list: what one of them holds is in the other one then, and no more in its own.
func (f *frameStrands) swaps(k int32) bool {
	fn := f.in.fn
	c := &fn.Constraints[k]
	x := f.loadOf(c.Src)
	if c.Arg < 0 || x == nil {
		return false
	}
	to, from := f.spotOf(c.Dst, c.Off), f.spotOf(x.Src, x.Off)
	if to == "" || from == "" {
		return false
	}
	near := ssair.Instr(1) // with no load in between
	if to == from {
		near = 2 // but the address of the element
	}
	for j := range fn.Constraints {
		d := &fn.Constraints[j]
		if d.Op != OpStore || d.Arg < 0 || d == c {
			continue
		}
		n := fn.Facts[d.Arg].At - fn.Facts[c.Arg].At
		if y := f.loadOf(d.Src); -near <= n && n <= near && y != nil && f.spotOf(d.Dst, d.Off) == from && f.spotOf(y.Src, y.Off) == to {
			return true
		}
	}
	return false
}

// loadOf returns the load that yields a value, if it is one.
func (f *frameStrands) loadOf(n Node) *Constraint {
	defs := f.t.v.res.defs(f.in.fn)[n]
	if len(defs) != 1 || f.in.fn.Constraints[defs[0]].Op != OpLoad {
		return nil
	}
	return &f.in.fn.Constraints[defs[0]]
}

// spotOf names a variable, or all elements of a list; it is empty for other places.
func (f *frameStrands) spotOf(n Node, off int32) string {
	if _, captured := f.free(n); captured || f.local(n) != nil {
		return f.placeOf(n) + " " + strconv.Itoa(int(off))
	}
	defs := f.t.v.res.defs(f.in.fn)[n]
	if len(defs) == 1 && f.in.fn.Constraints[defs[0]].Op == OpElem {
		return f.placeOf(f.in.fn.Constraints[defs[0]].Src) + "[]" + strconv.Itoa(int(off))
	}
	return ""
}

// joinLoads joins what is loaded through a captured variable with what is stored there.
func (f *frameStrands) joinLoads(n Node) {
	fn := f.in.fn
	first := make(map[int32]Node)
	for _, k := range f.t.v.res.usesOf(fn)[n] {
		c := &fn.Constraints[k]
		x := None
		switch {
		case c.Op == OpLoad && c.Src == n:
			x = c.Dst
		case c.Op == OpStore && c.Dst == n && !f.swaps(k):
			x = c.Src
		}
		if _, ok := f.union[x]; !ok {
			continue
		}
		if y, ok := first[c.Off]; ok {
			f.join(x, y)
		} else {
			first[c.Off] = x
		}
	}
}

// free returns what variable a node is the address of that the function has captured.
func (f *frameStrands) free(n Node) (k int, ok bool) {
	for k, first := range f.in.fn.Free {
		if first != None && first <= n && n < first+Node(f.in.fn.FLen[k]) {
			return k, true
		}
	}
	return 0, false
}

// usesOf returns the constraints of a template by the node that they read, or store to.
func (r *Result) usesOf(f *Func) map[Node][]int32 {
	return remembered(&r.mu, r.readers, f.ID, func() map[Node][]int32 {
		d := make(map[Node][]int32)
		for k := range f.Constraints {
			c := &f.Constraints[k]
			switch c.Op {
			case OpAddr, OpGlobal, OpFunc, OpBoxVal, OpBoxConst:
				continue
			case OpStore:
				d[c.Dst] = append(d[c.Dst], int32(k))
			}
			d[c.Src] = append(d[c.Src], int32(k))
		}
		return d
	})
}

// passed calls do for the parameters of a callee that are passed a strand, with the
// argument.
func (f *frameStrands) passed(k int, callee *instance, do func(arg, param Node)) {
	c := &f.in.fn.Calls[k]
	pair := func(a Node, n int32, p int) {
		if a == None || p >= len(callee.fn.Params) || callee.fn.Params[p] == None {
			return
		}
		for j := range Node(min(n, callee.fn.PLen[p])) {
			do(a+j, callee.fn.Params[p]+j)
		}
	}
	first := 0
	if c.Kind == CallInvoke {
		first = 1
		if f.t.s.p.pointerLike(callee.fn) {
			pair(c.Fn, 1, 0)
		}
	}
	for i, a := range c.Args {
		pair(a.Node, a.Len, first+i)
	}
}

// joinResults joins what a call passes with what it returns.
func (f *frameStrands) joinResults(k int) {
	c := &f.in.fn.Calls[k]
	for _, e := range f.in.callees[k] {
		g := f.t.frames[e.callee]
		if g == nil || c.Result == None {
			continue
		}
		g.look()
		f.passed(k, g.in, func(arg, param Node) {
			if w := g.of[param]; w != nil {
				for _, r := range w.results {
					f.join(arg, c.Result+r)
				}
			}
		})
	}
}

// constraint notes where a strand comes from, or is stored.
func (f *frameStrands) constraint(k int32) {
	fn, s := f.in.fn, f.t.s
	c := &fn.Constraints[k]
	switch c.Op {
	case OpLoad, OpUnboxVal:
		w := f.of[c.Dst]
		if w == nil || f.local(c.Src) != nil {
			return
		}
		if _, captured := f.free(c.Src); !captured && !f.variadic(c.Src) {
			w.loads = append(w.loads, k)
		}
	case OpStore:
		w := f.of[c.Src]
		if w != nil && f.swaps(k) {
			w.add(event{at: fn.Facts[c.Arg].At, operand: -1, does: doesSwap, value: c.Src})
			return
		}
		if w == nil || f.local(c.Dst) != nil {
			return
		}
		if _, captured := f.free(c.Dst); captured {
			return
		}
		if f.variadic(c.Dst) {
			return
		}
		e := event{operand: -1, value: c.Src, place: f.placeOf(c.Dst), off: c.Off}
		for l := range s.pts(f.in.node(c.Dst)).All() {
			if x, ok := s.shift(l, c.Off); ok {
				if f.t.medium(x) {
					e.does |= doesGive
				} else {
					e.does |= doesKeep
				}
			}
		}
		if c.Arg >= 0 {
			e.at = fn.Facts[c.Arg].At
			e.operand = f.caseOf(c.Arg)
		}
		w.add(e)
		if e.does&doesKeep != 0 && c.Arg >= 0 {
			w.stores = append(w.stores, keeping{e, k})
		}
	}
}

// variadic reports whether a node is the address of the variadic arguments of a call: who keeps
// one of them finds it in a place that he does not set anew.
func (f *frameStrands) variadic(n Node) bool { return f.argumentsAt(n) >= 0 }

// argumentsAt returns which allocation of the function the variadic arguments lie in that a node is the address of;
// -1 if it is no such address.
func (f *frameStrands) argumentsAt(n Node) int32 {
	fn := f.in.fn
	for depth := 0; depth < maxPlace; depth++ {
		defs := f.t.v.res.defs(fn)[n]
		if len(defs) == 0 {
			return -1
		}
		c := &fn.Constraints[defs[0]]
		switch c.Op {
		case OpAddr:
			if fn.Allocs[c.Arg].Word == "varargs" {
				return c.Arg
			}
			return -1
		case OpElem, OpOffset, OpCopy:
			n = c.Src
		default:
			return -1
		}
	}
	return -1
}

// loadedAt returns where a load is.
func (f *frameStrands) loadedAt(c *Constraint) []ssair.Instr {
	fn := f.in.fn
	var out []ssair.Instr
	for i := range fn.Operands {
		if o := &fn.Operands[i]; o.Node == c.Src {
			out = append(out, o.At)
		}
	}
	for i := range fn.Accesses {
		if a := &fn.Accesses[i]; a.Node == c.Src && a.Off <= c.Off && c.Off < a.Off+max(a.N, 1) && a.Flags&FlagWrite == 0 {
			out = append(out, a.At)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// caseOf returns the case of a select that a send is, -1 for other stores.
func (f *frameStrands) caseOf(fact int32) int {
	fn := f.in.fn
	if fn.Flow == nil {
		return -1
	}
	at := fn.Facts[fact].At
	var cases []int
	for b := range fn.Flow.Blocks {
		for _, e := range fn.Flow.Blocks[b].Succs {
			for _, ev := range e.Events {
				if ev.Kind == flow.CaseTaken && ev.Send && ev.Site == at && !slices.Contains(cases, ev.Operand) {
					cases = append(cases, ev.Operand)
				}
			}
		}
	}
	if len(cases) == 0 {
		return -1
	}
	slices.Sort(cases)
	n := 0 // facts of the same copy before this one
	for i := range fact {
		if x := &fn.Facts[i]; x.At == at && x.Loop == fn.Facts[fact].Loop && x.Side == fn.Facts[fact].Side {
			n++
		}
	}
	if n >= len(cases) {
		return -1
	}
	return cases[n]
}

// calling returns a call as an event.
func calling(c *Call) event {
	e := event{at: c.At, operand: -1, deferred: c.Mode == ModeDefer}
	if c.Mode == ModeSpawn {
		e.does = doesStart
	}
	return e
}

// gives reports whether the caller gives up an argument by which a call leaves a goroutine running.
func (c *Call) gives(arg Node) bool {
	return slices.ContainsFunc(c.Args, func(a Arg) bool { return a.Gives && a.Node <= arg && arg < a.Node+Node(a.Len) })
}

// call notes what a call does to what it is passed.
func (f *frameStrands) call(k int) {
	c := &f.in.fn.Calls[k]
	e := calling(c)
	for _, edge := range f.in.callees[k] {
		g := f.t.frames[edge.callee]
		if g == nil {
			continue
		}
		g.look()
		f.passed(k, g.in, func(arg, param Node) {
			if w, x := f.of[arg], g.of[param]; w != nil && x != nil {
				e.value = arg
				w.passes(e, x, c.gives(arg))
			}
		})
		if c.Result == None {
			continue
		}
		for _, x := range g.strands {
			for _, r := range x.results {
				if w := f.of[c.Result+r]; w != nil {
					w.returned(event{at: c.At, operand: -1, value: c.Result + r}, x)
				}
			}
		}
	}
}

// returned notes what a function has done with what a call of it yields, before it returned
// that.
func (w *strand) returned(e event, from *strand) {
	if up := (touching{w, e}); !slices.Contains(from.callers, up) {
		from.callers = append(from.callers, up)
		w.got = append(w.got, fromCall{e.at, from})
	}
	for i := range from.events {
		if d := &from.events[i]; from.isReturned(d) {
			e.does = d.does
			w.add(e)
		}
	}
}

// isReturned reports whether a strand is returned after an event.
func (w *strand) isReturned(e *event) bool {
	return slices.ContainsFunc(w.returns, func(r event) bool { return e.deferred || w.f.reaches(e, &r, nil) })
}

// closure notes what a closure does to what it has captured: when it is called, if it is
// called or started here, and else as soon as it is there.
func (f *frameStrands) closure(k int32) {
	fn, s := f.in.fn, f.t.s
	a := &fn.Allocs[k]
	var at []event
	var bodies []InstID
	for i := range fn.Calls {
		c := &fn.Calls[i]
		for _, e := range f.in.callees[i] {
			if s.inst(e.callee).fn.ID == a.Func {
				at = append(at, calling(c))
				bodies = append(bodies, e.callee)
			}
		}
	}
	known := at != nil
	if !known {
		for _, g := range f.t.order {
			if g.in.fn.ID == a.Func {
				at = append(at, event{at: a.At, operand: -1, does: doesStart})
				bodies = append(bodies, g.id)
			}
		}
	}
	for i, e := range at {
		g := f.t.frames[bodies[i]]
		if g == nil {
			continue
		}
		g.look()
		for j, n := range a.Binds {
			if n == None || j >= len(g.in.fn.Free) || g.in.fn.Free[j] == None {
				continue
			}
			if w, x := f.of[n], g.of[g.in.fn.Free[j]]; w != nil && x != nil {
				e.value = n
				w.passes(e, x, false)
			}
			f.shares(e, n, g, g.in.fn.Free[j], known && j < len(a.Gives) && a.Gives[j])
		}
	}
}

// shares notes what a closure does to what a variable holds that it has captured.
func (f *frameStrands) shares(e event, variable Node, g *frameStrands, captured Node, gives bool) {
	nodes := []Node{variable}
	if x := f.vars[variable]; x != nil {
		nodes = x.nodes
	}
	for _, n := range nodes {
		f.contents(n, func(w *strand, off int32) {
			g.contents(captured, func(x *strand, inner int32) {
				if off == inner {
					e.value, e.in, e.inOff = None, f.vars[n], off
					e.renews = e.does == 0 && !e.deferred && g.renews(x, captured, off)
					w.passes(e, x, gives && !f.setAfter(&e))
				}
			})
		})
	}
}

// renews reports whether the function sets a variable that it has captured to what it has just made,
// or to nil, wherever it has put away what the variable held.
func (f *frameStrands) renews(w *strand, captured Node, off int32) bool {
	fn := f.in.fn
	if fn.Flow == nil {
		return false
	}
	made := make(map[ssair.Instr][]ssair.Instr) // of what is stored, by store
	for k := range fn.Constraints {
		if c := &fn.Constraints[k]; c.Op == OpStore && c.Dst == captured && c.Off == off && c.Arg >= 0 {
			at := fn.Facts[c.Arg].At
			made[at] = append(made[at], f.anew(&event{value: c.Src})...)
		}
	}
	puts := false
	for i := range w.events {
		e := &w.events[i]
		if !e.consumes() {
			continue
		}
		puts = true
		var sets []ssair.Instr
		for k := range fn.Accesses {
			a := &fn.Accesses[k]
			if a.Node != captured || a.Flags&FlagWrite == 0 || a.Off > off || off >= a.Off+max(a.N, 1) || f.isBackAt(a.At) {
				continue
			}
			if from, stored := made[a.At]; !stored || !f.reaches(e, &event{at: a.At, operand: -1}, from) {
				sets = append(sets, a.At)
			}
		}
		if e.deferred || f.reaches(e, nil, sets) {
			return false
		}
	}
	return puts
}

// setAfter reports whether a variable may be set after an event: what the function gives up is what
// it holds then.
func (f *frameStrands) setAfter(e *event) bool {
	made := f.madeAt(e.in)
	return slices.ContainsFunc(f.assignedAt(e.in, e.inOff), func(at ssair.Instr) bool {
		return f.reaches(e, &event{at: at, operand: -1}, made)
	})
}

// contents calls do for the strands that are stored in a variable or loaded from it.
func (f *frameStrands) contents(variable Node, do func(w *strand, off int32)) {
	for _, k := range f.t.v.res.usesOf(f.in.fn)[variable] {
		c := &f.in.fn.Constraints[k]
		n := None
		switch {
		case c.Op == OpStore && c.Dst == variable:
			n = c.Src
		case c.Op == OpLoad:
			n = c.Dst
		}
		if w := f.of[n]; w != nil {
			do(w, c.Off)
		}
	}
}

// found returns where a strand is loaded from places that are not the function's own, and adds
// these.
func (w *strand) found(cells map[int32]bool) (from []touchAt) {
	f := w.f
	for _, k := range w.loads {
		if c := &f.in.fn.Constraints[k]; f.cells(k, cells) {
			for _, at := range f.loadedAt(c) {
				from = append(from, touchAt{f.in.fn.ID, c.Src, at, false})
			}
		}
	}
	return from
}

// left returns where a strand was stored in places that are not the function's own before an
// event, and adds these; and the event, at which what has the place still keeps it: who has started
// a goroutine with that may not go on with what it keeps.
func (w *strand) left(e *event, cells map[int32]bool) (from []touchAt) {
	f := w.f
	for i := range w.stores {
		st := &w.stores[i]
		if w.isBack(&st.e) || !f.reaches(&st.e, e, f.anew(e)) {
			continue
		}
		f.keptIn(st.k, cells)
		dst := f.in.fn.Constraints[st.k].Dst
		from = append(from, touchAt{f.in.fn.ID, dst, st.e.at, false}, touchAt{f.in.fn.ID, dst, e.at, true})
	}
	return from
}

// origins is found for a strand and those that calls have returned to it.
func (w *strand) origins(cells map[int32]bool, seen map[*strand]bool) (from []touchAt) {
	if seen[w] {
		return nil
	}
	seen[w] = true
	from = w.found(cells)
	for _, g := range w.got {
		from = append(from, g.from.origins(cells, seen)...)
	}
	return from
}

// keptIn adds the places that a store puts its pointer in, but for pools and channels.
func (f *frameStrands) keptIn(k int32, cells map[int32]bool) {
	s := f.t.s
	c := &f.in.fn.Constraints[k]
	for l := range s.pts(f.in.node(c.Dst)).All() {
		if x, ok := s.shift(l, c.Off); ok && !f.t.medium(x) {
			cells[x] = true
		}
	}
}

// cells adds the places that a load has its pointer from, but for pools and channels, and reports
// whether there are any.
func (f *frameStrands) cells(k int32, cells map[int32]bool) (some bool) {
	s := f.t.s
	c := &f.in.fn.Constraints[k]
	for l := range s.pts(f.in.node(c.Src)).All() {
		if b, ok := s.boxAt(l); ok {
			l = b.loc
		}
		if x, ok := s.shift(l, c.Off); ok {
			s.overlapping(x, func(y int32) {
				if f.t.holds(y) && !f.t.medium(y) {
					cells[y] = true
					some = true
				}
			})
		}
	}
	return some
}

// misused reports whether by some events the code shows that a strand is put into two places, or
// touched after it was given away. With strict, what calls return is looked at, too.
func (w *strand) misused(events []event, strict bool) bool {
	f := w.f
	if f.in.fn.Flow == nil {
		return slices.ContainsFunc(events, func(e event) bool { return e.consumes() })
	}
	for i := range events {
		e := &events[i]
		if e.does&(doesFirst|doesSecond) != 0 && w.emptied(e, strict) {
			return true
		}
		answers := e.does&doesAnswer != 0 && f.t.gives
		if !e.consumes() && !answers || w.isBack(e) {
			continue
		}
		for j := range events {
			g := &events[j]
			if e.givenUp() && !g.beside || e.renews && g.value == None && g.in == e.in && g.inOff == e.inOff {
				continue // the function does no more with it, or finds something else there
			}
			after := e.consumes() && (g.consumes() || g.does&doesSwap != 0) ||
				g.does&(doesFirst|doesSecond) != 0 && (e.does&(doesGive|doesStart) != 0 || answers)
			if !after || w.isBack(g) {
				continue
			}
			but := f.answers(e, w)
			if f.reaches(e, g, slices.Concat(but, f.anew(g), f.loadedAfter(e, g))) || f.carriedOn(e, g, but) {
				return true
			}
		}
		for _, k := range w.loads {
			if e.consumes() && !f.takes(k) && !f.setAnew(k, e) {
				return true
			}
		}
	}
	return false
}

// answersTo notes where the function tells by a channel that it is done with a strand: by one that the
// object holds, or from which it has come.
func (f *frameStrands) answersTo() {
	fn := f.in.fn
	if fn.Flow == nil {
		return
	}
	for i := range fn.Flow.Steps {
		st := &fn.Flow.Steps[i]
		if st.Kind != flow.Send && st.Kind != flow.Close {
			continue
		}
		for k := range fn.Operands {
			o := &fn.Operands[k]
			if o.At != st.Site || o.K != int32(st.Operand) && st.Kind == flow.Send {
				continue
			}
			e := event{at: st.At, operand: -1, does: doesAnswer, value: None}
			if x := f.loadOf(o.Node); x != nil && f.of[x.Src] != nil {
				f.of[x.Src].add(e)
			}
			for _, w := range f.strands {
				if slices.ContainsFunc(w.loads, func(k int32) bool { return f.placeOf(fn.Constraints[k].Src) == f.placeOf(o.Node) }) {
					w.add(e)
				}
			}
		}
	}
}

// answers lists the receives by which a thread has back what it has given away: from the
// channel that it has sent it by, or one that it holds.
func (f *frameStrands) answers(e *event, w *strand) (out []ssair.Instr) {
	fn := f.in.fn
	if e.does&doesGive == 0 || e.place == "" {
		return nil
	}
	for i := range fn.Flow.Steps {
		st := &fn.Flow.Steps[i]
		if st.Kind != flow.Recv || st.Select {
			continue
		}
		for k := range fn.Operands {
			o := &fn.Operands[k]
			if o.At != st.Site {
				continue
			}
			if x := f.loadOf(o.Node); f.placeOf(o.Node) == e.place || x != nil && f.of[x.Src] == w && !f.oneForAll(o.Node) {
				out = append(out, st.At)
			}
		}
	}
	return out
}

// oneForAll reports whether a channel may be one that all iterations of a loop which run
// the function receive from: what one of them gets may be the answer to another.
func (f *frameStrands) oneForAll(ch Node) bool {
	base := f.t.v.res.base
	if f.in.ctx.tag == tagMain || base.startedOnce(f.id) {
		return false
	}
	for l := range f.t.s.pts(f.in.node(ch)).All() {
		oid := f.t.s.ownerOf(l)
		if o := f.t.s.object(oid); o.kind == objAlloc && !base.many(oid) && o.inst != f.t.maker {
			return true
		}
	}
	return false
}

// emptied reports whether the place that a strand was found in, or put, may be emptied before an
// event: what was there is another thread's then.
func (w *strand) emptied(e *event, strict bool) bool {
	f := w.f
	for _, k := range w.loads {
		cells := make(map[int32]bool)
		f.cells(k, cells)
		for _, at := range f.loadedAt(&f.in.fn.Constraints[k]) {
			if w.emptiedBetween(at, cells, e) {
				return true
			}
		}
	}
	if strict {
		for _, g := range w.got {
			cells := make(map[int32]bool)
			g.from.origins(cells, make(map[*strand]bool))
			if w.emptiedBetween(g.at, cells, e) {
				return true
			}
		}
	}
	for i := range w.stores {
		cells := make(map[int32]bool)
		f.keptIn(w.stores[i].k, cells)
		if !w.isBack(&w.stores[i].e) && w.emptiedBetween(w.stores[i].e.at, cells, e) {
			return true
		}
	}
	return false
}

// emptiedBetween reports whether some places may be emptied after an instruction and before an event.
func (w *strand) emptiedBetween(at ssair.Instr, cells map[int32]bool, e *event) bool {
	f := w.f
	if len(cells) == 0 {
		return false
	}
	return slices.ContainsFunc(f.emptiers(), func(x emptier) bool {
		return x.meets(cells) && x.w != w && f.reaches(&event{at: at, operand: -1}, &x.e, f.anew(e)) && f.reaches(&x.e, e, f.anew(e))
	})
}

// An emptier is an event by which what lies in some places is given away.
type emptier struct {
	w     *strand // nil if that is done by a function that is called
	e     event
	cells map[int32]bool
}

func (x *emptier) meets(cells map[int32]bool) bool {
	for c := range cells {
		if x.cells[c] {
			return true
		}
	}
	return false
}

// maxEmptying bounds the calls down to what empties a place.
const maxEmptying = 4

// emptiers lists by what the function empties places.
func (f *frameStrands) emptiers() []emptier {
	if f.empties == nil {
		f.empties = []emptier{}
		for _, w := range f.strands {
			cells := make(map[int32]bool)
			w.origins(cells, make(map[*strand]bool))
			for _, e := range w.events {
				if e.does&(doesGive|doesStart) != 0 && len(cells) > 0 {
					f.empties = append(f.empties, emptier{w, e, cells})
				}
			}
		}
		for k := range f.in.fn.Calls {
			c := &f.in.fn.Calls[k]
			cells := make(map[int32]bool)
			for _, e := range f.in.callees[k] {
				f.t.emptiedBelow(e.callee, maxEmptying, cells)
			}
			if len(cells) > 0 {
				f.empties = append(f.empties, emptier{nil, event{at: c.At, operand: -1, deferred: c.Mode == ModeDefer}, cells})
			}
		}
	}
	return f.empties
}

// emptiedBelow adds the places that an instance empties, or what it calls.
func (t *traveller) emptiedBelow(id InstID, depth int, cells map[int32]bool) {
	if depth == 0 {
		return
	}
	if f := t.frames[id]; f != nil {
		for _, w := range f.strands {
			if w.does&(doesGive|doesStart) != 0 {
				w.origins(cells, make(map[*strand]bool))
			}
		}
	}
	for _, edges := range t.s.inst(id).callees {
		for _, e := range edges {
			t.emptiedBelow(e.callee, depth-1, cells)
		}
	}
}

// anew lists the instructions by which what an event goes to comes to be another object.
func (f *frameStrands) anew(e *event) []ssair.Instr {
	if e.value == None {
		return f.setAt(e.in, e.inOff)
	}
	if out, known := f.news[e.value]; known {
		return out
	}
	var out []ssair.Instr
	seen := make(map[Node]bool)
	var visit func(n Node, chosen bool)
	visit = func(n Node, chosen bool) {
		if seen[n] {
			return
		}
		seen[n] = true
		fn := f.in.fn
		defs := f.t.v.res.defs(fn)[n]
		chosen = chosen || len(defs) > 1
		for _, k := range defs {
			switch c := &fn.Constraints[k]; c.Op {
			case OpAddr, OpBoxVal:
				i := c.Arg
				if c.Op == OpBoxVal {
					i = c.Off
				}
				out = append(out, fn.Allocs[i].At)
			case OpLoad, OpUnboxVal:
				if f.variadic(c.Src) {
					if args := f.appended(n); len(args) == 1 {
						visit(args[0], chosen)
					}
					continue
				}
				_, captured := f.free(c.Src)
				if x := f.local(c.Src); x == nil && !captured {
					out = append(out, f.loadedAt(c)...)
				} else if x != nil && !chosen {
					out = append(out, f.setAt(x, c.Off)...)
				}
			case OpGlobal, OpFunc, OpBoxConst:
			default:
				visit(c.Src, chosen || c.Op == OpCopy && c.Arg <= oneOf)
			}
		}
		for k := range fn.Calls {
			if c := &fn.Calls[k]; c.Result != None && c.Result <= n {
				for _, g := range f.in.callees[k] {
					if int32(n-c.Result) < f.t.s.inst(g.callee).fn.RLen {
						out = append(out, c.At)
						break
					}
				}
			}
		}
	}
	visit(e.value, false)
	slices.Sort(out)
	f.news[e.value] = slices.Compact(out)
	return f.news[e.value]
}

// loadedAfter lists where what an event goes to is found in a variable that another one has renewed:
// what is found there from then on is something else.
func (f *frameStrands) loadedAfter(by, e *event) (out []ssair.Instr) {
	if !by.renews || by.in == nil || e.value == None {
		return nil
	}
	seen := make(map[Node]bool)
	var visit func(n Node)
	visit = func(n Node) {
		if seen[n] {
			return
		}
		seen[n] = true
		for _, k := range f.t.v.res.defs(f.in.fn)[n] {
			switch c := &f.in.fn.Constraints[k]; c.Op {
			case OpLoad:
				if f.local(c.Src) == by.in && c.Off == by.inOff {
					out = append(out, f.loadedAt(c)...)
				}
			case OpCopy, OpOffset, OpElem:
				visit(c.Src)
			}
		}
	}
	visit(e.value)
	return out
}

// setAt lists where a variable is made or set.
func (f *frameStrands) setAt(x *variableOf, off int32) []ssair.Instr {
	return append(f.madeAt(x), f.assignedAt(x, off)...)
}

// assignedAt lists the instructions that set a variable.
func (f *frameStrands) assignedAt(x *variableOf, off int32) (out []ssair.Instr) {
	if x == nil {
		return nil
	}
	fn := f.in.fn
	for _, n := range x.nodes {
		for _, k := range f.t.v.res.usesOf(fn)[n] {
			if c := &fn.Constraints[k]; c.Op == OpStore && c.Dst == n && c.Off == off && c.Arg >= 0 {
				out = append(out, fn.Facts[c.Arg].At)
			}
		}
	}
	return out
}

// madeAt lists the instructions that make a variable.
func (f *frameStrands) madeAt(x *variableOf) (out []ssair.Instr) {
	if x == nil {
		return nil
	}
	fn := f.in.fn
	for _, n := range x.nodes {
		for _, k := range f.t.v.res.defs(fn)[n] {
			if c := &fn.Constraints[k]; c.Op == OpAddr {
				out = append(out, fn.Allocs[c.Arg].At)
			}
		}
	}
	return out
}

// takes reports whether a load takes away what it yields.
func (f *frameStrands) takes(k int32) bool {
	c := &f.in.fn.Constraints[k]
	if c.Op == OpLoad && c.Arg != 0 {
		return true
	}
	return c.Op == OpUnboxVal || !f.cells(k, make(map[int32]bool))
}

// setAnew reports whether the place of a load is set anew before what was found there is
// put anywhere, or after that.
func (f *frameStrands) setAnew(k int32, e *event) bool {
	fn := f.in.fn
	c := &fn.Constraints[k]
	place := f.placeOf(c.Src)
	var sets []ssair.Instr
	for i := range fn.Accesses {
		if a := &fn.Accesses[i]; a.Flags&FlagWrite != 0 && a.Off <= c.Off && c.Off < a.Off+max(a.N, 1) && f.placeOf(a.Node) == place && !f.putsBack(a.At, place, c.Off) {
			sets = append(sets, a.At)
		}
	}
	if len(sets) == 0 {
		return false
	}
	before := false
	for _, at := range f.loadedAt(c) {
		before = before || f.reaches(&event{at: at, operand: -1}, e, sets)
	}
	return !before || !f.reaches(e, nil, sets)
}

// putsBack reports whether an instruction stores in a place what was loaded from there.
func (f *frameStrands) putsBack(at ssair.Instr, place string, off int32) bool {
	if f.isBackAt(at) {
		return true
	}
	for _, w := range f.strands {
		if slices.ContainsFunc(w.events, func(e event) bool { return e.at == at && e.place == place && e.off == off && w.isBack(&e) }) {
			return true
		}
	}
	return false
}

// isBackAt reports whether an instruction stores a slice where it comes from.
func (f *frameStrands) isBackAt(at ssair.Instr) bool {
	return slices.ContainsFunc(f.in.fn.Facts, func(x StoreFact) bool { return x.At == at && x.Back })
}

// isBack reports whether an event stores a strand where it was loaded from.
func (w *strand) isBack(e *event) bool {
	return e.does == doesKeep && slices.ContainsFunc(w.loads, func(k int32) bool {
		c := &w.f.in.fn.Constraints[k]
		return w.f.placeOf(c.Src) == e.place && c.Off == e.off
	})
}

// carriedOn reports whether what an event goes to is what another one goes to in the next round of a loop, and control may
// come from the one there without passing some instructions:
//
//	for range n {
//		x := get()
//		if last != nil {
//			last.n++
//		}
//		last = x
//		put(x)
//	}
func (f *frameStrands) carriedOn(e, g *event, but []ssair.Instr) bool {
	if e.value == None || g.value == None {
		return false
	}
	fn := f.in.fn
	seen := make(map[Node]bool)
	var back func(n Node) bool
	back = func(n Node) bool {
		if seen[n] {
			return false
		}
		seen[n] = true
		for _, k := range f.t.v.res.defs(fn)[n] {
			c := &fn.Constraints[k]
			if c.Op != OpCopy {
				continue
			}
			if h, ok := c.carried(); !ok {
				if back(c.Src) {
					return true
				}
			} else if f.onlyCopied(c.Src) == f.onlyCopied(e.value) {
				begin := event{at: fn.Flow.Blocks[h].First, operand: -1}
				return f.reaches(e, &begin, slices.Concat(but, f.anew(e))) && f.reaches(&begin, g, but)
			}
		}
		return false
	}
	return back(g.value)
}

// onlyCopied returns the value of which another one is a copy, wherever control comes from.
func (f *frameStrands) onlyCopied(n Node) Node {
	for range 8 {
		ds := f.t.v.res.defs(f.in.fn)[n]
		if len(ds) != 1 || f.in.fn.Constraints[ds[0]].Op != OpCopy || f.in.fn.Constraints[ds[0]].Arg <= oneOf {
			break
		}
		n = f.in.fn.Constraints[ds[0]].Src
	}
	return n
}

// reaches reports whether control may come from one event to another, or to the end of the
// function, without passing some instructions.
func (f *frameStrands) reaches(from, to *event, but []ssair.Instr) bool {
	if from.deferred {
		return to == nil || to.deferred && to != from
	}
	fl := f.in.fn.Flow
	seen := make([]bool, len(fl.Blocks))
	var work []int32
	// run goes through a block from behind an instruction.
	run := func(b int32, after ssair.Instr) bool {
		blk := &fl.Blocks[b]
		end := blk.End
		for _, at := range but {
			if after < at && at < end {
				end = at
			}
		}
		if to != nil && !to.deferred && after < to.at && to.at <= end && to.at < blk.End {
			return true
		}
		if end < blk.End {
			return false
		}
		if blk.Exit && (to == nil || to.deferred) {
			return true
		}
		for _, e := range blk.Succs {
			if !e.Dead {
				work = append(work, e.To)
			}
		}
		return false
	}
	started := false
	if from.operand >= 0 {
		for b := range fl.Blocks {
			for _, e := range fl.Blocks[b].Succs {
				for _, ev := range e.Events {
					if ev.Kind == flow.CaseTaken && ev.Send && ev.Site == from.at && ev.Operand == from.operand {
						work = append(work, e.To)
						started = true
					}
				}
			}
		}
	}
	if !started {
		b := slices.IndexFunc(fl.Blocks, func(b flow.Block) bool { return b.First <= from.at && from.at < b.End })
		if b < 0 || run(int32(b), from.at) {
			return true
		}
	}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[b] {
			continue
		}
		seen[b] = true
		if run(b, fl.Blocks[b].First-1) {
			return true
		}
	}
	return false
}
