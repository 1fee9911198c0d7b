package analyzer

import (
	"cmp"
	"slices"

	"github.com/iterace/iterace/filters/locks"
	"github.com/iterace/iterace/internal/ssair"
	"github.com/iterace/iterace/model"
	"github.com/iterace/iterace/pta"
)

// fillPaths gives the accesses of a loop's races the shortest call path that
// leads to them: from the body for an iteration, from the spawner's function
// for the code beside it, or else from a root. Where callers differ in the locks that
// they hold it is a path that shows why none is listed: who reads that no lock is held
// beside a path that takes one does not believe the rest. It is done for what is left at
// the end, since few accesses are reported and each needs a search.
func fillPaths(v *pta.View, held *locks.Analysis, races []*model.Race) {
	f := &pathFinder{
		v: v, locks: held, spawner: make(map[pta.InstID]bool),
		memo: make(map[pathKey]callPath), pass: make(map[passKey]bool), held: make(map[calledKey]bool),
		sites: make(map[pathKey]callersFound), first: make(map[pta.InstID]model.Pos),
	}
	for _, s := range v.Spawns() {
		f.spawner[s.Inst] = true
	}
	for _, r := range races {
		f.fillRace(r)
		if r.Deep != nil {
			f.fillRace(r.Deep)
		}
	}
}

// fillRace gives both accesses of a race a path on which they reach its object;
// where one instruction races with itself, two different paths if there are.
func (f *pathFinder) fillRace(r *model.Race) {
	f.fill(r.A, r.Object, nil, false)
	f.fill(r.B, r.Object, r.Other, r.A.Pos == r.B.Pos)
}

type pathKey struct {
	inst   pta.InstID
	thread model.Thread
	obj    *model.Object // the object that the path is for
	other  *model.Loop   // that starts the thread, if it is not the one at hand
	second bool          // not by the first of several calls
}

type pathFinder struct {
	v       *pta.View
	locks   *locks.Analysis
	spawner map[pta.InstID]bool
	memo    map[pathKey]callPath
	pass    map[passKey]bool
	// What is the same for all paths. In a program with many implementations of a few large interfaces to sort the
	// callers, and to ask what is held there, was nearly all of the search.
	held  map[calledKey]bool       // see unlocked
	sites map[pathKey]callersFound // see callers, by instance and thread
	first map[pta.InstID]model.Pos // see called
}

// A calledKey is a call of an instance.
type calledKey struct {
	call   pta.Site
	callee pta.InstID
}

// A callersFound is what callers returns.
type callersFound struct {
	sites []pta.Site
	start bool
}

// A callPath is how a thread comes to an access.
type callPath struct {
	frames []model.Frame
	given  model.Pos // see model.Access
}

func (f *pathFinder) fill(a *model.Access, obj *model.Object, other *model.Loop, second bool) {
	if a.Path != nil {
		return
	}
	k := pathKey{pta.InstID(a.Inst), a.Thread, obj, other, second}
	path := known(f.memo, k, func() callPath { return f.find(k) })
	a.Path, a.Given = path.frames, path.given
}

// A step is an instance found on the way up, and the call that enters the one
// below it.
type step struct {
	inst pta.InstID
	call ssair.Instr
	next int // index of the step below
}

// find searches breadth first from an instance up to where its thread starts.
// The callers of an instance are ordered, so that the answer is always the
// same one of several.
func (f *pathFinder) find(k pathKey) callPath {
	path, ok := f.search(k, false)
	if !ok { // the calls that show best why there is a race do not lead to the other loop's start
		if other, ok := f.search(k, true); ok {
			return other
		}
	}
	return path
}

// search is find by the calls that pass the object and hold no more locks than others, or by all calls; ok is
// false if the path does not begin where it should.
func (f *pathFinder) search(k pathKey, all bool) (path callPath, ok bool) {
	steps := []step{{inst: k.inst, next: -1}}
	seen := map[pta.InstID]bool{k.inst: true}
	root := -1
	for i := 0; i < len(steps); i++ {
		callers, start := f.callers(steps[i].inst, k.thread)
		if start {
			if k.other == nil {
				return callPath{f.frames(steps, i), f.given(steps, i, k.thread)}, true
			}
			if root < 0 {
				root = i
			}
			continue
		}
		if c := slices.IndexFunc(callers, func(c pta.Site) bool { return f.starts(k.other, c) }); c >= 0 {
			steps = append(steps, step{callers[c].Inst, callers[c].At, i})
			return callPath{frames: f.frames(steps, len(steps)-1)}, true
		}
		if !all {
			callers = f.passing(callers, k.obj)
			if first := f.unlocked(callers, steps[i].inst); !k.second || i > 0 || len(callers) < 2 {
				callers = first
			} else { // one without the lock is enough
				callers = slices.DeleteFunc(slices.Clone(callers), func(c pta.Site) bool { return c == first[0] })
			}
		}
		if len(callers) == 0 && root < 0 {
			root = i
		}
		for _, c := range callers {
			if !seen[c.Inst] {
				seen[c.Inst] = true
				steps = append(steps, step{c.Inst, c.At, i})
			}
		}
	}
	if root < 0 {
		return callPath{frames: []model.Frame{}}, k.other == nil // only through recursion that nothing enters
	}
	return callPath{frames: f.frames(steps, root)}, k.other == nil
}

// starts reports whether a call is where a loop starts its goroutines.
func (f *pathFinder) starts(l *model.Loop, c pta.Site) bool {
	return l != nil && f.v.Pos(c.Inst, c.At) == l.Spawn
}

// passing returns those of the calls that pass the object, or all of them if
// none does: then it is reached through something else.
func (f *pathFinder) passing(calls []pta.Site, obj *model.Object) []pta.Site {
	var out []pta.Site
	for _, c := range calls {
		if f.passes(c, obj) {
			out = append(out, c)
		}
	}
	if len(out) == 0 {
		return calls
	}
	return out
}

// unlocked returns those of the calls of an instance by which it finds no more locks held
// than by all together, or all of them if each holds one that another does not.
func (f *pathFinder) unlocked(calls []pta.Site, callee pta.InstID) []pta.Site {
	if len(calls) < 2 {
		return calls
	}
	var out []pta.Site
	for _, c := range calls {
		if known(f.held, calledKey{c, callee}, func() bool { return f.locks.HeldAlways(c, callee) }) {
			out = append(out, c)
		}
	}
	if len(out) == 0 {
		return calls
	}
	return out
}

func (f *pathFinder) passes(c pta.Site, obj *model.Object) bool {
	return known(f.pass, passKey{c, obj}, func() bool { return f.v.Passes(c, obj) })
}

// known is what a table has for a key, found first if it has nothing yet.
func known[K comparable, V any](table map[K]V, k K, find func() V) V {
	v, ok := table[k]
	if !ok {
		v = find()
		table[k] = v
	}
	return v
}

type passKey struct {
	pta.Site
	obj *model.Object
}

// callers returns the sites that call an instance on the given thread, which must not be changed; start
// is set where the thread starts in it.
func (f *pathFinder) callers(id pta.InstID, t model.Thread) (sites []pta.Site, start bool) {
	found := known(f.sites, pathKey{inst: id, thread: t}, func() (out callersFound) {
		out.sites, out.start = f.findCallers(id, t)
		return out
	})
	return found.sites, found.start
}

func (f *pathFinder) findCallers(id pta.InstID, t model.Thread) (sites []pta.Site, start bool) {
	if t == model.Main && f.spawner[id] {
		return nil, true
	}
	// What a round calls has the go statement: the path is to show it.
	within := f.v.Loop().Kind == "call"
	for _, c := range f.v.Callers(id) {
		switch {
		case f.v.Spawning(c):
			if t != model.Main {
				return nil, true
			}
		case (f.v.Thread(c.Inst) == t || within && f.v.Thread(c.Inst) == model.Main) && f.locks.InView().Runs(c.Inst): // and is no stand-in
			sites = append(sites, c)
		}
	}
	slices.SortStableFunc(sites, func(x, y pta.Site) int {
		if c := f.v.Pos(x.Inst, x.At).Compare(f.v.Pos(y.Inst, y.At)); c != 0 || x.Inst == y.Inst {
			return c
		}
		// Copies of one function, by call site; and by those further up.
		return cmp.Or(f.called(x.Inst).Compare(f.called(y.Inst)), f.v.Compare(x.Inst, y.Inst))
	})
	return sites, false
}

// called returns the first place, by position, that calls an instance.
func (f *pathFinder) called(id pta.InstID) model.Pos {
	return known(f.first, id, func() (first model.Pos) {
		for _, c := range f.v.Callers(id) {
			if p := f.v.Pos(c.Inst, c.At); !first.IsValid() || p.Compare(first) < 0 {
				first = p
			}
		}
		return first
	})
}

// given returns where the loop was given the function that the iteration starts
// with, or the one that this calls at once.
func (f *pathFinder) given(steps []step, i int, t model.Thread) model.Pos {
	if t == model.Main {
		return model.Pos{}
	}
	pos := f.v.Given(steps[i].inst)
	if next := steps[i].next; !pos.IsValid() && next >= 0 {
		pos = f.v.Given(steps[next].inst)
	}
	return pos
}

// frames turns the steps from step i down into a call path, outermost first. A
// wrapper that nobody wrote is left out: what it calls is called where it is.
func (f *pathFinder) frames(steps []step, i int) []model.Frame {
	path := []model.Frame{}
	call := i
	for next := steps[i].next; next >= 0; next = steps[next].next {
		if s := &steps[next]; s.next >= 0 && f.v.Func(s.inst).Between {
			continue
		}
		path = append(path, model.Frame{
			Func: f.v.FuncName(steps[next].inst),
			Call: f.v.Pos(steps[call].inst, steps[call].call),
		})
		call = next
	}
	return slices.Clip(path)
}
