package order

import (
	"slices"
	"strconv"
	"strings"

	"github.com/iterace/iterace/internal/ssair"
	"github.com/iterace/iterace/model"
	"github.com/iterace/iterace/model/library"
	"github.com/iterace/iterace/pta"
	"github.com/iterace/iterace/pta/flow"
)

// This file is about races of which nothing but a pool shows that the two sides
// meet at one object: it lies in the pool, or behind what lies there. The rule for
// tenure (tenure.go) proves of some of them that no iteration uses the object after
// it has put it back. Real code defeats the proof, with readers and buffers that go
// through interfaces, callbacks and fields of connections. A pool is there to keep
// objects apart, so the question is turned round here: the race stays only if the
// code shows that an object, or what is kept in one variable with it, is used after
// a Put, or that it is put back twice; else it is kept with low confidence
// (soundness: tenure).
//
// What an object in a pool still refers to from its last use is looked at in the
// same way: most types of the kind are filled anew by who gets them.

// misused reports whether the code shows that the object of r, which a pool hands
// on, may be used by one of the two when another has it.
func (a *Analysis) misused(r *model.Race) bool {
	p := a.lenderOf(r.Object)
	b := a.withMedia()
	b.fuel, b.floor = a.fuel, a.floor
	defer func() { a.fuel = b.fuel }()
	for _, m := range []*model.Access{r.A, r.B} {
		if b.usedAfterPut(a.accessOf(m), p.by) {
			return true
		}
	}
	if !p.asked {
		p.asked, p.twice = true, a.anyGivenTwice(p.by, false)
	}
	return p.twice
}

// A lender is by which pools an object is handed on, and whether one of them may
// be given it twice.
type lender struct {
	by           []pta.Loc
	asked, twice bool
}

// lenderOf returns the lender of an object: all pools if none is known, as of what lies
// behind one that a pool hands on.
func (a *Analysis) lenderOf(o *model.Object) *lender {
	p := a.lentBy[o]
	if p == nil {
		media := a.media()
		by, _ := a.w.PassedBy(o, media)
		if len(by) == 0 {
			by = slices.DeleteFunc(slices.Clone(media), func(l pta.Loc) bool { return !a.pooled([]pta.Loc{l}) })
		}
		p = &lender{by: by}
		if a.lentBy == nil {
			a.lentBy = make(map[*model.Object]*lender)
		}
		a.lentBy[o] = p
	}
	return p
}

// usedAfterPut reports whether x may come after a Put of its thread, to what was
// put back or to what is reached from the same variable.
func (a *Analysis) usedAfterPut(x access, by []pta.Loc) bool {
	key := x.touch()
	if v, ok := a.putBefore[key]; ok {
		return v
	}
	v := slices.ContainsFunc(a.handOvers(), func(o *op) bool {
		return o.lib == library.OpPoolPut && overlaps(o.locs, by) && a.oneSide(o.inst, x.inst) &&
			(a.w.Thread(o.inst) == a.w.Thread(x.inst) && a.spentBy(o, x) || a.keptAfter(o, x))
	})
	if a.putBefore == nil {
		a.putBefore = make(map[touch]bool)
	}
	a.putBefore[key] = v
	return v
}

// oneSide reports whether two instances may belong to one iteration, or to Main and
// what it starts.
func (a *Analysis) oneSide(i, j pta.InstID) bool {
	s, t := a.w.Thread(i), a.w.Thread(j)
	return s == t || s == model.Main || t == model.Main
}

// keptAfter reports whether x may follow o, and the object of o and that of x are
// reached from one root, which is not made anew in between.
func (a *Analysis) keptAfter(o *op, x access) bool {
	puts := a.putRootsOf(o)
	if len(puts) == 0 {
		return false
	}
	one := a.w.Thread(o.inst) == a.w.Thread(x.inst)
	for _, use := range a.useRootsOf(x) {
		for _, put := range puts {
			if !one && !put.started && !use.started {
				continue
			}
			if a.copyOf(put.Inst) == a.copyOf(use.Inst) && a.keptIn(put, use, x) {
				return true
			}
		}
	}
	return false
}

// useRootsOf returns the roots of what an access touches.
func (a *Analysis) useRootsOf(x access) []rooted {
	k := x.touch()
	uses, known := a.useRoots[k]
	if !known {
		if a.useRoots == nil {
			a.useRoots = make(map[touch][]rooted)
		}
		uses = a.roots(x.inst, a.addr(x), x.at)
		a.useRoots[k] = uses
	}
	return uses
}

// putRootsOf returns the roots of what an operation gives away.
func (a *Analysis) putRootsOf(o *op) []rooted {
	puts, known := a.putRoots[o.id]
	if !known {
		if a.putRoots == nil {
			a.putRoots = make(map[int32][]rooted)
		}
		puts = a.roots(o.inst, o.value, o.site)
		a.putRoots[o.id] = puts
	}
	return puts
}

// keptIn is keptAfter in a frame that both the Put and the access lead up to. What
// is forgotten beside the Put can still be at hand where it was loaded before. Where
// a goroutine that is started there does the one or the other, it does so at any time
// from then on until it is waited for.
func (a *Analysis) keptIn(put, use rooted, x access) bool {
	birth := noSite
	switch at, made := (flow.Path{Root: put.root}).Made(); {
	case put.root == use.root:
		if made {
			birth = pta.Site{Inst: a.copyOf(put.Inst), At: at}
		}
	case !a.derived(use.Inst, use.root, put.root):
		return false
	}
	if put.dropped || put.replaced {
		switch {
		case strings.HasPrefix(flow.Path{Sels: use.here}.Loose().Sels, put.sels):
			if !a.loadedBefore(put, use) {
				return false
			}
		case put.dropped:
			return false
		case strings.HasPrefix(use.sels, put.sels) && !use.started:
			return false // what is called afterwards, a closure say, loads it
		}
	}
	// Another run of the function has another one, if each takes its own.
	inFrame := false
	if at, made := (flow.Path{Root: put.root}).Made(); made {
		_, inFrame = a.taken(pta.Site{Inst: put.Inst, At: at}, maxTaken)
	}
	if a.after(put.Site, birth, inFrame).reaches(use.Inst, use.At) {
		return true
	}
	if !use.started || put.started && put.Site == use.Site {
		return false
	}
	c := a.outer.classOf(x)
	a.outer.solve(c)
	w := a.outer.newWalk().until(c)
	w.birth = birth
	return w.fromSite(use.Site).run().reaches(put.Inst, put.At)
}

// returnedSpent reports whether one of the two uses what a function has returned after
// it had put it back.
func (a *Analysis) returnedSpent(r *model.Race) bool {
	by := a.lenderOf(r.Object).by
	a = a.withMedia()
	for _, m := range []*model.Access{r.A, r.B} {
		x := a.accessOf(m)
		uses := a.useRootsOf(x)
		for _, o := range a.handOvers() {
			if o.lib != library.OpPoolPut || !overlaps(o.locs, by) || a.w.Thread(o.inst) != a.w.Thread(x.inst) {
				continue
			}
			if a.returnedInto(o, uses) {
				return true
			}
		}
	}
	return false
}

// returnedInto reports whether some roots are what a function has returned after a Put.
func (a *Analysis) returnedInto(put *op, uses []rooted) bool {
	return slices.ContainsFunc(a.putRootsOf(put), func(r rooted) bool {
		return slices.ContainsFunc(uses, func(use rooted) bool { return a.returnedFrom(put, r, use) })
	})
}

// returnedFrom reports whether what is used is what a function has returned that has
// put it back, or what leads to it: return b.Bytes(), after defer pool.Put(b).
func (a *Analysis) returnedFrom(o *op, put, use rooted) bool {
	at, made := (flow.Path{Root: use.root}).Made()
	f := a.w.Flow(use.Inst)
	if !made || f == nil {
		return false
	}
	call, n := f.ResultOf(at)
	for _, c := range a.in.CalleesAt(use.Inst, call) {
		g := a.w.Flow(c)
		if a.copyOf(c) != a.copyOf(put.Inst) || g == nil || n >= len(g.Yields) {
			continue
		}
		ys := g.Yields[n]
		for _, h := range g.Holds {
			if h.Result == n {
				ys = append(slices.Clip(ys), h.Value)
			}
		}
		for _, y := range ys {
			if r := g.Path(y).Root; r != "" && (r == put.root || a.derived(c, r, put.root)) && putWhenReturned(g, n, put) && !asksOutcome(g, o, put.root) {
				return true
			}
		}
	}
	return false
}

// putWhenReturned reports whether all ways from where a function has what it puts back to where it returns its n-th result
// come by the Put, deferred perhaps:
//
//	if err := fill(b); err != nil {
//		pool.Put(b)
//		return nil, err
//	}
//	return b, nil // has not been put back
func putWhenReturned(g *flow.Func, n int, put rooted) bool {
	from := g.Entry()
	if at, made := (flow.Path{Root: put.root}).Made(); made {
		from = g.GapOf(at)
	}
	return !g.Gives(from, n, put.At)
}

// asksOutcome reports whether a Put is done on some ways only through a function literal that has captured a result of the
// function around it, which is not what it puts back: it does so where nothing is returned.
//
//	defer func() {
//		if err != nil {
//			pool.Put(b)
//		}
//	}()
func asksOutcome(g *flow.Func, put *op, object string) bool {
	if !put.f.Returns(put.f.Entry(), put.site) {
		return false
	}
	return slices.ContainsFunc(g.Closures, func(c flow.Closure) bool {
		return c.Fn == put.f.Name && slices.ContainsFunc(c.Binds, func(id flow.PathID) bool {
			root := g.Path(id).Root
			return root != "" && root != object && slices.ContainsFunc(g.Yields, func(ys []flow.PathID) bool {
				return slices.ContainsFunc(ys, func(y flow.PathID) bool { return g.Path(y).Root == root })
			})
		})
	})
}

type afterKey struct {
	call, birth pta.Site
	inFrame     bool
}

// maxAfterPuts bounds the walks that are kept.
const maxAfterPuts = 64

// after returns the walk from what follows a call, up to where an object is made
// anew, or to the end of the frame of the call. Many accesses ask for few of them.
func (a *Analysis) after(s, birth pta.Site, inFrame bool) *walk {
	k := afterKey{s, birth, inFrame}
	w := a.afterPuts[k]
	if w == nil {
		w = a.newWalk()
		w.birth = birth
		if inFrame {
			w.within = s.Inst
		}
		w.fromSite(s).run()
		if len(a.afterPuts) == maxAfterPuts {
			clear(a.afterPuts)
		}
		if a.afterPuts == nil {
			a.afterPuts = make(map[afterKey]*walk)
		}
		a.afterPuts[k] = w
	}
	return w
}

// loadedBefore reports whether what the last load on the way to a use yields may be
// what was there before a Put in the same frame. It was loaded anew if control comes
// by where the memory that it reads has its version from.
func (a *Analysis) loadedBefore(put, use rooted) bool {
	n, known := lastVersion(use.here)
	if !known {
		return true // a variable that is set once, or as it was on entry
	}
	if n == put.At {
		return false
	}
	f := a.w.Flow(put.Inst)
	return slices.ContainsFunc(f.StepsAt(put.At), func(s int32) bool {
		return slices.ContainsFunc(f.Gaps(use.At), func(g flow.Gap) bool { return f.ReachesOlder(f.AfterStep(s), g, n) })
	})
}

// lastVersion returns the version of the memory that the last load of what a path
// selects sees.
func lastVersion(sels string) (ssair.Instr, bool) {
	i := strings.LastIndexByte(sels, '~')
	if i < 0 {
		return 0, false
	}
	version := sels[i+1:]
	if k := strings.IndexAny(version, ".[*#"); k >= 0 {
		version = version[:k]
	}
	n, err := strconv.Atoi(version)
	return ssair.Instr(n), err == nil
}

// derived reports whether what a path is rooted in, in the frame of an instance, may
// be something that another root leads to: what a call yields that is passed it, or
// one of several values, of which one was found there.
func (a *Analysis) derived(i pta.InstID, root, from string) bool {
	f := a.w.Flow(i)
	at, made := (flow.Path{Root: root}).Made()
	if !made {
		return false
	}
	call, _ := f.ResultOf(at)
	for _, k := range f.StepsAt(call) {
		if slices.ContainsFunc(f.Steps[k].Args, func(id flow.PathID) bool { return f.Path(id).Root == from }) {
			return true
		}
	}
	if !f.Sync && len(f.StepsAt(call)) == 0 && !f.MakesMemory(at) {
		return true // chosen or found: what from is noted for functions that synchronise
	}
	leaves, _ := f.Leaves(at)
	return slices.ContainsFunc(leaves, func(at ssair.Instr) bool { return f.Addr(at).Root == from })
}

// A rooted is a path followed to the frame that makes its root, and where in this
// frame that is called, or is, in which the path ends.
type rooted struct {
	pta.Site
	root string
	// here is what is selected from the root in this frame, sels what is in all.
	here, sels string
	// dropped is set if a call on the way is passed what a field held that is set
	// to nil beside it, replaced if something else is put there.
	dropped, replaced bool
	// started is set if a goroutine is started on the way.
	started bool
}

const (
	maxRoots  = 32 // to which a path is followed
	maxFrames = 8  // up to each
)

// roots lists the roots of a path that ends at an instruction, whatever memory it
// leads through, up to all callers: one of them that uses what it has put back is
// enough.
func (a *Analysis) roots(i pta.InstID, p flow.Path, at ssair.Instr) []rooted {
	var out []rooted
	again := make(map[pta.InstID]bool)
	var climb func(i pta.InstID, p flow.Path, at ssair.Instr, below string, r rooted, depth int)
	climb = func(i pta.InstID, p flow.Path, at ssair.Instr, below string, r rooted, depth int) {
		f := a.w.Flow(i)
		if f == nil || !p.Known() || depth > maxFrames || len(out) >= maxRoots {
			return
		}
		p = f.Unspilled(p)
		r.Site, r.root, r.here, r.sels = pta.Site{Inst: i, At: at}, p.Root, p.Sels, p.Loose().Sels+below
		r.dropped, r.replaced = r.dropped || f.Drops(at), r.replaced || f.Replaces(at)
		switch p.Root[0] {
		case 'v', 'g':
			out = append(out, r)
			return
		case 'c':
			return
		}
		first := true
		var content string // of a variable that a closure has captured
		if strings.HasPrefix(p.Sels, "*") {
			content = "*"
		}
		below = flow.Path{Sels: p.Sels[len(content):]}.Loose().Sels + below
		for _, c := range a.in.Callers(i) {
			own := flow.Path{Root: p.Root, Sels: content}
			up, ok := a.w.Flow(c.Inst).UpAt(c.At, own)
			if ok && up == own && a.w.Flow(c.Inst) == f { // passes on what it has got, to itself
				if c.Inst == i || again[c.Inst] {
					continue
				}
				again[c.Inst] = true
			}
			next := r
			if a.in.IsSpawn(c) {
				if first {
					out = append(out, r) // what the goroutine is started with
				}
				first, next.started = false, true
			}
			if ok {
				climb(c.Inst, up, c.At, below, next, depth+1)
			}
		}
	}
	climb(i, p, at, "", rooted{}, 0)
	return out
}
