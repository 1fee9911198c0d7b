package index

import (
	"slices"
	"strconv"

	"github.com/iterace/iterace/internal/ssair"
)

// This file evaluates what is taken from a list that the spawner fills before
// it spawns: jobs = append(jobs, job{lo, hi}), or jobs[k] = job{lo, hi} for all
// k, and then a round of the parallel loop for each element. Two rounds have
// two elements, and each element got its value from an execution of its own of
// what fills the list. That is what two receives from a channel have, so it is
// evaluated in the same way, see feed.go: alpha and beta are two rounds of the
// loops around the append. It may also be a caller of the spawner that fills the
// list, and hands it on: run(split(len(out)), func(p part) { … }); or somebody who
// has put it into a field long ago.

// A filling says how a list gets its elements.
type filling struct {
	by     string      // name of the function that does it
	sender []Step      // from the spawner down to the append, or to one of the stores
	at     ssair.Instr // the last of these
	// elem returns the value, or the field of it at path, that an execution puts
	// into an element.
	elem   func(path string) (vref, string, bool)
	stores []ssair.Instr
	// same has, for each step of the sender, the loops in each round of which the list is another one: all its
	// elements come from one round.
	same [][]int32
}

// A listOf is a list: a value of a step's function.
type listOf struct {
	step int
	r    vref
}

// maxList bounds the values that a list may be of one that is filled.
const maxList = 40

// listed returns what load r of an element, or of a field of one, yields in
// terms of what has filled the list; ok is false if that is not known or not
// asked for.
func (f *frame) listed(r vref, v *val) (t thing, ok bool) {
	e := f.e
	if v.op != opLoad || e.q.Oracle == nil || e.q.MainB || v.at < 0 || f.side == 0 || f.sends() {
		return t, false
	}
	path := ""
	at := thing{f, v.a[0], ""}.chase()
	for at.path == "" {
		i, ok := at.f.c.partAt(at.val())
		if !ok {
			break
		}
		path = fieldStep(i) + path
		at = thing{at.f, at.val().a[0], ""}.chase()
	}
	p := at.val()
	if at.path != "" || p.op != opIndexAddr || p.n >= 0 || p.a[0] == 0 || p.a[1] == 0 {
		return t, false
	}
	list, k := thing{at.f, p.a[0], ""}.chase(), thing{at.f, p.a[1], ""}.chase()
	// The index is the spawner's, which counts its loop, or one of the iteration's own.
	g, phi, plus, l := k.f, vref(0), vref(0), int32(-1)
	if k.path != "" {
		return t, false
	}
	by, one := e.q.oneLoop()
	if one && g.no == by.step && g.call == 0 && !g.loose {
		phi, plus, l = g.c.counts(k.r)
	}
	own := l >= 0 && l == by.loop
	feed := Feed{list: key2(phi, plus)}
	if !own {
		if !one || f.call != 0 {
			return t, false
		}
		phi = k.r
		feed.list = g.id + key2(k.r, 0)
	}
	kept := e.tailOf(list, by)
	for kept.path == "" && kept.val().op == opLoad { // a field that keeps it
		x, known := kept.f.initial(kept.val(), thing{kept.f, kept.val().a[0], ""}.ref())
		if !known || x.f == nil {
			break
		}
		kept = x.chase()
	}
	fill := f.filledInSight(kept, by, v)
	switch {
	case fill != nil:
		feed.list = "list " + key2(kept.r, vref(kept.f.no)) + key2(list.r, vref(list.f.no)) + feed.list
		feed.step = kept.f.no
	case !own:
		return t, false
	default:
		if fill = f.filledElsewhere(list, v); fill == nil {
			return t, false
		}
		feed.list = "kept " + fill.by + key2(vref(fill.at), 0) + feed.list
		feed.alone = true
	}
	if e.weak != filled5 {
		e.could[filled5] = true
		feed.Sender, feed.same = fill.sender, fill.same
		e.q.offer(&feed)
		return t, false
	}
	if e.q.feed == nil || e.q.feed.list != feed.list {
		return t, false
	}
	if !own {
		if g = f; !f.otherElement(v) {
			return t, false
		}
	}
	to := e.sender(g, phi, feed.list)
	if to == nil || feed.alone && !e.takesFrom(list, f.side) {
		return t, false
	}
	x, rest, ok := fill.elem(path)
	return thing{to, x, rest}, ok
}

// tailOf returns the list of which another one is all but the first elements, cut off before the parallel loop:
// what two rounds find in jobs[1:] are two elements of jobs.
func (e *env) tailOf(list thing, by parLoop) thing {
	v := list.val()
	if list.path != "" || v.op != opSlice || v.n != -1 || v.a[2] != 0 || list.f.call != 0 || list.f.loose ||
		list.f.no > by.step || list.f.no == by.step && list.f.c.inLoop(by.loop, v.blk) {
		return list
	}
	return thing{list.f, v.a[0], ""}.chase()
}

// filledInSight finds what fills a list which the function with the parallel loop, or one of its callers, has at hand,
// before the loop, and is all that fills what load v reads.
func (f *frame) filledInSight(list thing, by parLoop, v *val) *filling {
	e, h := f.e, list.f
	if list.path != "" || h.no > by.step || h.call != 0 || h.loose {
		return nil
	}
	if e.fillings == nil {
		e.fillings = make(map[listOf]*filling)
	}
	fill, known := e.fillings[listOf{h.no, list.r}]
	if !known {
		l := by.loop
		if h.no < by.step {
			l = -1
		}
		fill = h.filledBefore(list, l)
		e.fillings[listOf{h.no, list.r}] = fill
	}
	if fill == nil || !e.q.Oracle.Born(f.chainAt(v), v.at, Birth{Maker: fill.by, At: ssair.NoInstr, Stores: fill.stores}) {
		return nil
	}
	return fill
}

// filledElsewhere finds what fills a list that lies in a field, or comes from a function that is not looked into: one
// function, which makes the list and puts into all elements what they hold, and nothing else does. A list is
// then what one run of that function has made, whoever calls it, and when; of its elements none beyond its length
// is used (soundness: kept-list).
func (f *frame) filledElsewhere(list thing, v *val) *filling {
	switch list.val().op {
	case opLoad, opFreeVal, opParam, opCall, opExtract:
	default:
		return nil
	}
	fn, stores := f.e.q.Oracle.Filled(f.chainAt(v), v.at)
	c := fn.body()
	if c == nil || len(stores) == 0 {
		return nil
	}
	r := c.at[stores[0]]
	if s := c.get(r); s.op == opStore {
		to := c.get(s.a[0])
		for to.op == opFieldAddr {
			to = c.get(to.a[0])
		}
		if to.op != opIndexAddr {
			return nil
		}
		r = c.resolve(to.a[0])
	}
	in := f.e.newFrame(c, -1, 0, f.side, nil, []Step{{fn, -1}})
	in.off = true
	fill := in.filling([]vref{r}, c.usesOf(r), -1)
	if fill == nil || slices.ContainsFunc(stores, func(at ssair.Instr) bool { return !slices.Contains(fill.stores, at) }) {
		return nil
	}
	fill.sender = []Step{{fn, fill.at}}
	return fill
}

// usesOf lists the blocks in which a new slice is handed on, so that others may see its elements: by itself, or with
// a new object that it has been put into.
func (c *code) usesOf(r vref) (blocks []int32) {
	seen := map[vref]bool{r: true}
	work := []vref{r}
	push := func(x vref) {
		if !seen[x] {
			seen[x] = true
			work = append(work, x)
		}
	}
	for len(work) > 0 {
		x := work[len(work)-1]
		work = work[:len(work)-1]
		is := func(y vref) bool { return y != 0 && c.resolve(y) == x }
		for i := range c.vals {
			v := &c.vals[i]
			if v.op == opAlias || !slices.ContainsFunc(v.a, is) && !slices.ContainsFunc(v.bind, func(b binding) bool { return v.op != opAlloc && is(b.v) }) {
				continue
			}
			switch v.op {
			case opLen, opCap, opIndexAddr:
			case opFieldAddr:
				push(vref(i))
			case opStore:
				if to := c.root(v.a[0]); !is(v.a[1]) {
				} else if c.vals[to].op == opAlloc {
					push(to)
				} else {
					blocks = append(blocks, v.blk)
				}
			case opLoad:
				if v.kind == kSlice && x != r && !c.loadsOther(v, r) {
					blocks = append(blocks, v.blk)
				}
			default:
				blocks = append(blocks, v.blk)
			}
		}
	}
	return blocks
}

// partAt returns which field of a struct, or element of a small array, an address is that of.
func (c *code) partAt(p *val) (i int, ok bool) {
	switch {
	case p.op == opFieldAddr:
		return int(p.n), true
	case p.op == opIndexAddr && 0 <= p.n && p.n <= maxArray && p.a[1] != 0:
		k := c.get(p.a[1])
		return int(k.n), k.op == opConst && 0 <= k.n && k.n < p.n
	}
	return 0, false
}

// root is what the address of a field is the address in.
func (c *code) root(r vref) vref {
	for r = c.resolve(r); c.vals[r].op == opFieldAddr; {
		r = c.resolve(c.vals[r].a[0])
	}
	return r
}

// loadsOther reports whether a load reads another field than those of its object that a value is stored in.
func (c *code) loadsOther(load *val, r vref) bool {
	for i := range c.vals {
		s := &c.vals[i]
		if s.op == opStore && c.resolve(s.a[1]) == r && c.root(s.a[0]) == c.root(load.a[0]) && c.get(s.a[0]).n == c.get(load.a[0]).n {
			return false
		}
	}
	return true
}

// takesFrom notes which list a side takes its element from, and reports whether that is the same one for both
// sides, as far as it is known.
func (e *env) takesFrom(list thing, side int8) bool {
	x := list.ref()
	shape, args := x.place.shape()
	if !x.ok || !x.slice || len(args) > 0 || shape[0] != '0' && shape[0] != 'g' {
		return false
	}
	of := &e.receipts[side-1].of
	if *of == "" {
		*of = shape
	}
	return *of == shape
}

// maxFeeds bounds the lists of which each is tried, where an element of one is the index into another one.
const maxFeeds = 3

// offer notes a list that values may be seen from as those of who fills it.
func (q *Query) offer(feed *Feed) {
	if q.feed == nil {
		q.feed = feed
		return
	}
	if q.feed.list != feed.list && len(q.feeds) < maxFeeds && !slices.ContainsFunc(q.feeds, func(x *Feed) bool { return x.list == feed.list }) {
		q.feeds = append(q.feeds, feed)
	}
}

// otherElement reports whether the element of a list that load v of one side reads is another one than those that the other side has
// from it: the prover is asked for each two loads. An element is then the value of another execution of what fills the list, too.
//
//	for k := w; k < len(parts); k += workers {
//		p := parts[k]
func (f *frame) otherElement(v *val) bool {
	e := f.e
	mine, theirs := &e.receipts[f.side-1], &e.receipts[2-f.side]
	for _, at := range theirs.loads {
		a, b := f.chainAt(v), at
		if f.side == 2 {
			a, b = b, a
		}
		w, ok := e.elementsApart(a, b)
		if !ok {
			return false
		}
		e.given = e.given.or(w)
	}
	mine.loads = append(mine.loads, f.chainAt(v))
	return true
}

// maxAsking bounds the questions that lie in one another.
const maxAsking = 2

// elementsApart asks whether the loads of elements at the ends of two chains, of the two sides, are of different elements.
func (e *env) elementsApart(a, b []Step) (whySet, bool) {
	if e.q.asking == maxAsking {
		return whySet{}, false
	}
	sub := *e.q
	sub.A, sub.B, sub.Brief, sub.asking = Access{Chain: a}, Access{Chain: b}, true, e.q.asking+1
	sub.feed, sub.feeds, sub.asked = nil, nil, nil
	key := chainKey(a) + chainKey(b)
	v, known := e.q.asked[key]
	if !known {
		v = e.work.prover.Overlap(&sub)
		if e.q.asked == nil {
			e.q.asked = make(map[string]Verdict)
		}
		e.q.asked[key] = v
	}
	if v.Answer != Disjoint {
		return whySet{}, false
	}
	w := e.fact("the iterations take different elements of the list", "")
	for _, why := range v.Why {
		w = w.or(e.fact(why, ""))
	}
	for _, a := range v.Assumed {
		w = w.or(e.fact("the iterations take different elements of the list", a))
	}
	return w, true
}

// chainKey names a chain of a query.
func chainKey(chain []Step) string {
	out := ""
	for _, s := range chain {
		out += " " + strconv.Itoa(int(s.At))
	}
	return out + ";"
}

// entry is listed for the element that a step of a range over a map yields, where the spawner has made the map, and fills
// it in one place: tasks[name] = func() { out[i] = f(i) }. Each execution of that gives one key its element, and two
// steps of one range have two keys.
func (f *frame) entry(r vref, v *val) (t thing, ok bool) {
	e := f.e
	if e.q.Oracle == nil || e.q.MainB || f.side == 0 || f.sends() || f.call != 0 || f.loose {
		return t, false
	}
	c := f.c
	rng := c.get(v.a[0])
	l := c.inner[v.blk]
	if rng.op != opRange || l < 0 || c.inLoop(l, rng.blk) || !e.q.onlyLoop(f.no, l) {
		return t, false
	}
	m := c.resolve(rng.a[0])
	if c.vals[m].op != opMakeMap {
		return t, false
	}
	put := vref(0)
	for i := range c.vals {
		s := &c.vals[i]
		if s.op != opMapStore || c.resolve(s.a[0]) != m {
			continue
		}
		if put != 0 || s.a[2] == 0 || c.inLoop(l, s.blk) {
			return t, false
		}
		put = vref(i)
	}
	if put == 0 {
		return t, false
	}
	at := ssair.Instr(v.n)
	chain := append([]Step(nil), f.chain...)
	step := chain[len(chain)-1]
	chain[len(chain)-1].At = at
	step.At = c.vals[put].at
	if !e.q.Oracle.Born(chain, at, Birth{Maker: c.name, At: ssair.NoInstr, Stores: []ssair.Instr{step.At}}) {
		return t, false
	}
	by := "map " + key2(m, 0)
	if e.weak != filled5 {
		e.could[filled5] = true
		if e.q.feed == nil {
			e.q.feed = &Feed{Sender: []Step{step}, step: f.no, list: by}
		}
		return t, false
	}
	if e.q.feed == nil || e.q.feed.list != by {
		return t, false
	}
	to := e.sender(f, r, by)
	if to == nil {
		return t, false
	}
	return thing{to, c.vals[put].a[2], ""}, true
}

func key2(a, b vref) string { return string(rune(a+0x100)) + string(rune(b+0x100)) }

// counts takes a value apart into a counter of a loop, that another round gives
// another value, and a constant; l is the loop, or -1.
func (c *code) counts(r vref) (phi, plus vref, l int32) {
	phi = c.resolve(r)
	if v := &c.vals[phi]; v.op == opAdd && c.get(v.a[1]).op == opConst {
		phi, plus = c.resolve(v.a[0]), c.resolve(v.a[1])
	}
	v := &c.vals[phi]
	l = c.headerOf(v.blk)
	if v.op != opPhi || !v.kind.isInt() || l < 0 {
		return 0, 0, -1
	}
	step := int64(0)
	for i, p := range c.blocks[v.blk].preds {
		if !c.inLoop(l, p) {
			continue
		}
		next := c.get(v.a[i])
		if next.op != opAdd && next.op != opSub || c.resolve(next.a[0]) != phi {
			return 0, 0, -1
		}
		by := c.get(next.a[1])
		n := by.n
		if next.op == opSub {
			n = -n
		}
		if by.op != opConst || n == 0 || step != 0 && n != step {
			return 0, 0, -1
		}
		step = n
	}
	return phi, plus, l
}

// onlyLoop reports whether two iterations differ by their rounds of one loop of
// a step.
func (q *Query) onlyLoop(step int, l int32) bool {
	by, one := q.oneLoop()
	return one && by == parLoop{step, l}
}

// filledBefore finds what fills a list before parallel loop l of the frame's function, or where l is -1
// before the frame's own call, which leads to the loop: the function itself, or one that it has called for
// the list.
func (f *frame) filledBefore(list thing, l int32) *filling {
	step := f.chain[len(f.chain)-1]
	call, n := f.c.get(list.r), 0
	if call.op == opExtract {
		call, n = f.c.get(call.a[0]), int(call.n)
	}
	before := f.c.blockOf(f.at)
	if l >= 0 {
		before = f.c.loops[l].header
	}
	if call.op != opCall {
		fill := f.filling([]vref{list.r}, []int32{before}, l)
		if fill != nil {
			step.At = fill.at
			fill.sender = []Step{step}
		}
		return fill
	}
	if call.s == "" || call.n != 0 || l >= 0 && f.c.inLoop(l, call.blk) {
		return nil
	}
	fn := f.e.q.Oracle.Callee(f.chainAt(call), call.at)
	c := fn.body()
	if c == nil || c.name != call.s {
		return nil
	}
	var lists []vref
	var returns []int32
	for _, r := range c.rets {
		ret := c.vals[r].a
		if n >= len(ret) || ret[n] == 0 {
			return nil
		}
		lists, returns = append(lists, ret[n]), append(returns, c.vals[r].blk)
	}
	in := f.e.newFrame(c, -1, f.no+1, f.side, nil, []Step{{fn, -1}})
	in.off = true
	fill := in.filling(lists, returns, -1)
	if fill != nil {
		step.At = call.at
		fill.sender = []Step{step, {fn, fill.at}}
		fill.same = append([][]int32{f.c.newIn(call.blk, []int32{call.blk})}, fill.same...)
	}
	return fill
}

// filling finds what fills a list, which is one of some values, before control comes to one of some blocks, and
// not in parallel loop l.
func (f *frame) filling(lists []vref, before []int32, l int32) *filling {
	c := f.c
	var app, root vref
	var begins []int32 // where the list is empty, or new
	seen := make(map[vref]bool)
	work := append([]vref(nil), lists...)
	for len(work) > 0 {
		r := c.resolve(work[len(work)-1])
		work = work[:len(work)-1]
		if seen[r] {
			continue
		}
		if seen[r] = true; len(seen) > maxList {
			return nil
		}
		v := &c.vals[r]
		switch v.op {
		case opNil:
		case opPhi:
			for i, x := range v.a {
				if work = append(work, x); c.get(x).op == opNil {
					begins = append(begins, c.blocks[v.blk].preds[i])
				}
			}
		case opAppend:
			if app != 0 || len(v.a) != 2 || l >= 0 && c.inLoop(l, v.blk) {
				return nil
			}
			app = r
			work = append(work, v.a[0])
		case opMakeSlice:
			begins = append(begins, v.blk)
			if n := c.get(v.a[0]); n.op == opConst && n.n == 0 {
				continue
			}
			if root != 0 {
				return nil
			}
			root = r
		case opSlice:
			hi := c.get(v.a[2])
			none := v.a[2] != 0 && hi.op == opConst && hi.n == 0
			switch {
			case none: // nothing but room
				begins = append(begins, v.blk)
			case v.n == -1 && v.a[2] == 0 && (l < 0 || !c.inLoop(l, v.blk)): // each round may cut off another part
				work = append(work, v.a[0])
			case root == 0 && v.n >= 0 && v.a[1] == 0 && c.get(v.a[0]).op == opAlloc:
				root = r
				begins = append(begins, v.blk)
			default:
				return nil // elements that nothing was put into
			}
		default:
			return nil
		}
	}
	var out *filling
	switch {
	case app != 0 && root == 0:
		out = c.appends(app)
	case app == 0 && root != 0 && len(seen) == 1:
		out = f.stores(root, before)
	}
	if out != nil {
		out.same = [][]int32{c.newIn(c.blockOf(out.at), begins)}
	}
	return out
}

// newIn lists the loops around a block in each round of which a list is another one: they have all blocks where
// one begins.
func (c *code) newIn(blk int32, begins []int32) (loops []int32) {
	for l := c.inner[blk]; l >= 0 && len(begins) > 0; l = c.loops[l].parent {
		if !slices.ContainsFunc(begins, func(b int32) bool { return !c.inLoop(l, b) }) {
			loops = append(loops, l)
		}
	}
	return loops
}

// appends is what an append of one element does.
func (c *code) appends(app vref) *filling {
	v := &c.vals[app]
	more := c.get(v.a[1])
	if more.op != opSlice || more.n != 1 || c.get(more.a[0]).op != opAlloc {
		return nil
	}
	args := c.resolve(more.a[0])
	x := vref(0)
	for i := range c.vals {
		s := &c.vals[i]
		if s.op != opStore {
			continue
		}
		if to := c.get(s.a[0]); to.op == opIndexAddr && c.resolve(to.a[0]) == args {
			if x != 0 {
				return nil
			}
			x = s.a[1]
		}
	}
	if x == 0 {
		return nil
	}
	return &filling{by: c.name, at: v.at, stores: []ssair.Instr{v.at},
		elem: func(path string) (vref, string, bool) { return x, path, true }}
}

// stores finds the stores of one block that give every element of a new slice
// its value, in a loop of their own before some blocks.
func (f *frame) stores(root vref, before []int32) *filling {
	c := f.c
	out := &filling{by: c.name, at: ssair.NoInstr}
	vals := make(map[string]vref)
	var index vref
	blk := int32(-1)
	for i := range c.vals {
		s := &c.vals[i]
		if s.op != opStore {
			continue
		}
		path := ""
		to := c.get(s.a[0])
		for {
			i, ok := c.partAt(to)
			if !ok || c.resolve(to.a[0]) == root {
				break
			}
			path = fieldStep(i) + path
			to = c.get(to.a[0])
		}
		if to.op != opIndexAddr || c.resolve(to.a[0]) != root {
			continue
		}
		k := c.resolve(to.a[1])
		if _, dup := vals[path]; dup || s.a[1] == 0 || blk >= 0 && (blk != s.blk || k != index) {
			return nil
		}
		vals[path], index, blk = s.a[1], k, s.blk
		out.at = max(out.at, s.at)
		out.stores = append(out.stores, s.at)
	}
	if blk < 0 || !f.fillsAll(root, index, blk, before) {
		return nil
	}
	out.elem = func(path string) (vref, string, bool) {
		for n := len(path); ; n-- {
			if n == 0 || n == len(path) || path[n] == '.' {
				if x, ok := vals[path[:n]]; ok {
					return x, path[n:], true
				}
			}
			if n == 0 {
				return 0, "", false
			}
		}
	}
	return out
}

// fillsAll reports whether a loop before some blocks stores to element index of a
// slice in block blk for every index.
func (f *frame) fillsAll(root, index vref, blk int32, before []int32) bool {
	c := f.c
	phi, plus, fl := c.counts(index)
	if fl < 0 || c.inner[blk] != fl {
		return false
	}
	for _, b := range before {
		if c.inLoop(fl, b) || !c.dominates(c.loops[fl].header, b) {
			return false
		}
	}
	first := int64(0)
	if plus != 0 {
		first = c.vals[plus].n
	}
	for i, p := range c.blocks[c.vals[phi].blk].preds {
		if c.inLoop(fl, p) {
			if next := c.get(c.vals[phi].a[i]); !c.dominates(blk, p) || next.op != opAdd || c.get(next.a[1]).n != 1 {
				return false
			}
			continue
		}
		if from := c.get(c.vals[phi].a[i]); from.op != opConst || from.n+first != 0 {
			return false
		}
	}
	// It is left in one place, when the next index is no index any more.
	exits := 0
	for p := range c.blocks {
		b := &c.blocks[p]
		if !c.loops[fl].in[p] {
			continue
		}
		for _, s := range b.succs {
			if c.loops[fl].in[s] {
				continue
			}
			exits++
			cond := c.get(b.cond)
			if b.cond == 0 || cond.op != opLess || b.succs[1] != s || !f.nextIndex(cond.a[0], index, phi, int32(p), fl) ||
				!f.eval(cond.a[1]).equal((thing{f, root, ""}).ref().len) {
				return false
			}
		}
	}
	return exits == 1
}

// nextIndex reports whether a value that block p of a loop compares is the index
// that the next store goes to: the index itself at the header, or the counter's
// next value where the test is at the end.
func (f *frame) nextIndex(x, index, phi vref, p, l int32) bool {
	c := f.c
	if x = c.resolve(x); p == c.loops[l].header && x == index && c.headerOf(p) == l {
		return len(c.blocks[p].succs) == 2 && c.blocks[p].succs[0] != p
	}
	for i, q := range c.blocks[c.loops[l].header].preds {
		if q == p && index == phi && c.resolve(c.vals[phi].a[i]) == x {
			return true
		}
	}
	return false
}

// oneLoop returns the loop that alone makes two iterations different, if there is one: the spawner's, or that of who
// calls the spawner in each round, with a function to run.
func (q *Query) oneLoop() (by parLoop, ok bool) {
	n, wrong := q.nest()
	if wrong != "" || n.apart || len(n.loops) != 1 {
		return by, false
	}
	return n.loops[0], true
}
