package pta

import (
	"go/types"
	"iter"
	"regexp"
	"slices"

	"github.com/iterace/iterace/index"
	"github.com/iterace/iterace/internal/bitset"
	"github.com/iterace/iterace/internal/ssair"
	"github.com/iterace/iterace/model"
	"github.com/iterace/iterace/model/library"
	"github.com/iterace/iterace/pta/flow"
)

// A View is the solution as one parallel loop sees it: its overlay for what
// the iterations run, the base for everything else.
type View struct {
	res  *Result
	ov   *overlay
	loop int
	in   *scope // see scope

	flows []*flow.Func    // of the base's instances
	libs  []*library.Func // the same

	written map[int32]writing   // by canonical location, see writes
	below   map[InstID]bool     // see belowSpawner
	onward  map[Site]*aftermath // by load, see Kept
	bodies  map[model.Thread][]InstID
	feeds   map[int32]fed     // by channel, see Fed
	rounds  map[InstID][]Site // see AlphasRound
	passing *passing          // see PassedBy

	answers    map[wayKey]wayAnswer       // see waysBy
	copies     map[wayKey][]Way           // see withCopies
	puts       map[usedObject][]wayPuts   // see putsByWay
	earlies    map[earlyKey]bool          // see Early
	entered    map[FuncID][]InstID        // see instancesOf
	putting    map[int32][]point          // see putters
	leads      map[accRef]lead            // what an access leads to, see leadsTo
	around     map[accRef]uint8           // see guardOfCallers
	kept       map[InstID]bool            // see byLibrary
	cells      map[cellKey]onlyCell       // see onlyCell
	region     *region                    // of the loop, once it was asked for
	grows      map[int32]bool             // see Grown
	running    *running                   // see neverRuns
	gates      *gates                     // see looksAtGates
	behind     map[behindKey]behindAnswer // see Behind
	travellers map[int32]*traveller       // see travel.go
	journeys   map[journey]bool           // see Travels
	storesTo   map[int32]knownStores      // see StoresTo
	behinds    map[behindsKey]*behind     // see behindOf
	takenOn    map[takenKey]*Loaded       // see TakenOn
	compared   map[ownerPair][]Meeting    // see Meetings; nil where they are not known
	byStores   map[ownerPair][]Meeting    // see MeetingsByStores
	names      map[int32]*bitset.Set      // by object, see namesOf
	infos      map[Loc]ObjectInfo         // see Object
	inPlace    map[int32][]int32          // the overlay's objects by that of the base
	boxes      map[int32][]int32          // the overlay's by object
	pools      *bitset.Set                // what lies in a sync.Pool, see pooled

	held    map[heldKey]bool            // see HeldOnce
	carried map[carriedKey][]loadedFrom // see carriedFrom
	stores  *ownStores
}

// View returns the view of a loop whose overlay is solved.
func (r *Result) View(loop *model.Loop) *View {
	flows, libs := r.baseFlows()
	return &View{res: r, ov: r.overlays[loop.ID], loop: loop.ID, flows: flows, libs: libs}
}

// Unlooped returns the view of no loop: the base alone, with what it has for the iterations
// of all loops, and all entry points.
func (r *Result) Unlooped() *View {
	s := r.base.s
	ov := &overlay{solver: newSolver(s.p, s), loop: -1, described: newObjectTable(), res: r.base}
	sc := &scope{in: make([]bool, len(s.insts))}
	for i := range sc.in {
		sc.in[i] = true
	}
	sc.runs = s.runsIn(sc.in)
	flows, libs := r.baseFlows()
	return &View{res: r, ov: ov, loop: -1, in: sc, flows: flows, libs: libs}
}

// baseFlows lists the skeletons of the base's instances, and what the model says of their functions,
// once for all loops: walks ask for little else, and by way of the solver that was a twentieth of their time.
func (r *Result) baseFlows() ([]*flow.Func, []*library.Func) {
	r.onces.flows.Do(func() {
		r.flows = make([]*flow.Func, len(r.base.s.insts))
		r.libs = make([]*library.Func, len(r.base.s.insts))
		for i, in := range r.base.s.insts {
			r.flows[i], r.libs[i] = in.fn.Flow, in.fn.Lib
		}
	})
	return r.flows, r.libs
}

// Loop returns the loop of the view.
func (v *View) Loop() *model.Loop { return v.res.Loops[v.loop] }

// outer turns a spawner's instance in the overlay into the one in the base,
// which has callers.
func (v *View) outer(id InstID) InstID {
	if id >= v.ov.firstInst {
		if sp := v.ov.inst(id).spawner; sp != nil {
			return sp.base
		}
	}
	return id
}

// Func returns the template of an instance.
func (v *View) Func(id InstID) *Func { return v.ov.inst(id).fn }

// Flow returns the flow skeleton of an instance's function, or nil, as for what no instance
// has made.
func (v *View) Flow(id InstID) *flow.Func {
	if id < 0 {
		return nil
	}
	if int(id) < len(v.flows) {
		return v.flows[id]
	}
	return v.ov.inst(id).fn.Flow
}

// Instances lists the instances of the view in order; a spawner is listed as
// the base has it.
func (v *View) Instances() []InstID {
	return v.andRun(slices.Clip(v.scope().all), func(*instance) bool { return true })
}

// andRun adds to a list the instances of the overlay that iterations run, as far as they
// are wanted.
func (v *View) andRun(out []InstID, want func(*instance) bool) []InstID {
	for i, in := range v.ov.insts {
		if id := v.ov.firstInst + InstID(i); in.spawner == nil && want(in) && v.ov.ran(id) {
			out = append(out, id)
		}
	}
	return out
}

// Syncing lists those that synchronise, or are what the model says is an operation.
func (v *View) Syncing() []InstID {
	return v.andRun(slices.Clip(v.scope().syncing), (*instance).syncs)
}

// Named lists the instances of the view that run the function of a name.
func (v *View) Named(fn string) []InstID {
	r := v.res
	r.onces.named.Do(func() {
		r.named = make(map[string][]InstID)
		for i, in := range r.base.s.insts {
			if in.fn.Flow != nil {
				r.named[in.fn.Flow.Name] = append(r.named[in.fn.Flow.Name], InstID(i))
			}
		}
	})
	var out []InstID
	for _, id := range r.named[fn] {
		if v.inScope(id) {
			out = append(out, id)
		}
	}
	return v.andRun(out, func(in *instance) bool { return in.fn.Flow != nil && in.fn.Flow.Name == fn })
}

// StandIns lists the instances that the base has for what a call of the loop's frame runs:
// its iterations, and what it runs in each round.
func (v *View) StandIns(call Site) []InstID { return v.res.calleesOf(call.Inst, call.At) }

// Pos returns the position of an instruction of an instance.
func (v *View) Pos(id InstID, at ssair.Instr) model.Pos { return v.ov.inst(id).fn.InstrPos(at) }

// FuncName returns the name of an instance's function.
func (v *View) FuncName(id InstID) string { return v.ov.inst(id).fn.Name }

// Library returns the model's entry for an instance's function, or nil.
func (v *View) Library(id InstID) *library.Func {
	if int(id) < len(v.libs) {
		return v.libs[id]
	}
	return v.ov.inst(id).fn.Lib
}

// RunBy reports whether what another loop starts runs an instance of the base.
func (v *View) RunBy(id InstID, l *model.Loop) bool {
	r := v.res
	r.onces.index.Do(func() {
		r.index = make(map[*model.Loop]int, len(r.Loops))
		for i, l := range r.Loops {
			r.index[l] = i
		}
	})
	i, known := r.index[l]
	return known && r.base.reaches(id, i)
}

// Stated reports whether an access is what the model says a function without code does to an
// argument, which is no instruction of its own.
func (v *View) Stated(a *model.Access) bool {
	e := v.Library(InstID(a.Inst))
	return e != nil && !e.Enters() && a.Index >= 0 && v.accessOf(a).Flags&FlagCall != 0
}

// Thread returns the abstract thread that runs an instance; everything that
// this loop's iterations do not run is Main.
func (v *View) Thread(id InstID) model.Thread {
	if id < v.ov.firstInst {
		return model.Main
	}
	return model.Thread(v.ov.inst(id).ctx.tag)
}

// Callees returns what the call at an instruction may run, in order. At this
// loop's spawn these are its iterations.
// The list must not be changed.
func (v *View) Callees(id InstID, at ssair.Instr) []InstID {
	if id < v.ov.firstInst && !v.ov.isSpawner(id) {
		return v.res.calleesOf(id, at)
	}
	var out []InstID
	collect := func(in *instance, keep func(c *Call) bool) {
		for k := range in.fn.Calls {
			if c := &in.fn.Calls[k]; c.At == at && keep(c) {
				for _, e := range in.callees[k] {
					out = append(out, e.callee)
				}
			}
		}
	}
	in := v.ov.inst(id)
	rerun := (*spawnerInfo)(nil)
	for i, sp := range v.ov.spawners {
		if sp == id {
			re := v.ov.inst(v.ov.reruns[i])
			rerun = re.spawner
			collect(re, func(*Call) bool { return true })
		}
	}
	collect(in, func(c *Call) bool { return rerun == nil || !rerun.rerunsCall(c) })
	return sortedUnique(out)
}

// StepCallees lists what each step of an instance's skeleton may run. The lists must not be changed.
func (v *View) StepCallees(id InstID) [][]InstID {
	if id < v.ov.firstInst && !v.ov.isSpawner(id) {
		return v.res.calleeTable(id).steps
	}
	return StepCallees(v.Flow(id), func(at ssair.Instr) []InstID { return v.Callees(id, at) })
}

// RunFor returns what a call of an interface's method runs where the value is a pointer to
// an object.
func (v *View) RunFor(call Site, o *model.Object) (out []InstID) {
	for _, in := range v.frames(call.Inst) {
		for k := range in.fn.Calls {
			c := &in.fn.Calls[k]
			if c.At != call.At || c.Kind != CallInvoke {
				continue
			}
			for l := range v.ov.pts(in.node(c.Fn)).All() {
				b, ok := v.ov.boxAt(l)
				if !ok || v.Object(Loc(b.loc)).Object != o {
					continue
				}
				m := v.ov.p.method(b.typ, c.Method)
				for _, e := range in.callees[k] {
					if v.ov.inst(e.callee).fn.ID == m {
						out = append(out, e.callee)
					}
				}
			}
		}
	}
	return sortedUnique(out)
}

// Callers returns the sites that call or spawn an instance. The list must not be
// changed.
func (v *View) Callers(id InstID) []Site {
	in := v.ov.inst(id)
	if id < v.ov.firstInst && !slices.ContainsFunc(in.callers, func(s Site) bool { return !v.inScope(s.Inst) }) {
		return slices.Clip(in.callers)
	}
	out := make([]Site, 0, len(in.callers))
	for _, c := range in.callers {
		if x := v.outer(c.Inst); v.inScope(x) && v.ov.ran(x) {
			out = append(out, Site{x, c.At})
		}
	}
	return out
}

// Compare orders instances by what they are, and not by when the solver met them:
// by their functions' names, and copies of one function by the calls that they are for.
func (v *View) Compare(x, y InstID) int { return v.ov.compareInstances(x, y) }

// Spawns returns where the loop's iterations start: the go statement or the
// call, in each instance that runs it. In the view of no loop there are none.
func (v *View) Spawns() []Site {
	if v.loop < 0 {
		return nil
	}
	pl := v.res.base.loops[v.loop]
	var out []Site
	for _, id := range pl.spawners {
		if v.inScope(id) {
			out = append(out, Site{id, pl.at})
		}
	}
	return out
}

// Given returns the position of the first call of interest that gives the loop
// the function that an instance is of, if the loop is a helper's of other code.
func (v *View) Given(id InstID) model.Pos {
	s, fn := v.res.base.s, v.ov.inst(id).fn.ID
	var first model.Pos
	for _, id := range v.res.base.loops[v.loop].spawners {
		in := s.inst(id)
		if s.p.here(in.fn) {
			continue
		}
		for c := range s.callsFromHere(in) {
			if pos := s.inst(c.Inst).fn.InstrPos(c.At); s.gives(c, fn) && (!first.IsValid() || pos.Compare(first) < 0) {
				first = pos
			}
		}
	}
	return first
}

// gives reports whether a call passes a function as an argument.
func (s *solver) gives(site Site, fn FuncID) bool {
	in := s.inst(site.Inst)
	for i := range in.fn.Calls {
		c := &in.fn.Calls[i]
		if c.At != site.At {
			continue
		}
		for _, a := range c.Args {
			if a.Node == None {
				continue
			}
			for l := range s.pts(in.node(a.Node)).All() {
				if oid := s.ownerOf(l); oid >= 0 && s.object(oid).fn == fn && s.object(oid).isFunc(s) {
					return true
				}
			}
		}
	}
	return false
}

// isFunc reports whether an object is a function or a closure.
func (o *object) isFunc(s *solver) bool {
	return o.kind == objFunc || o.kind == objAlloc && s.inst(o.inst).fn.Allocs[o.alloc].Kind == AllocClosure
}

// Bodies returns the instances that an iteration of the given side starts in.
func (v *View) Bodies(t model.Thread) []InstID {
	if out, ok := v.bodies[t]; ok {
		return out
	}
	var out []InstID
	for i, in := range v.ov.insts {
		if in.ctx.tag != tag(t) || in.spawner != nil {
			continue
		}
		for _, c := range in.callers {
			if v.Thread(c.Inst) == model.Main {
				out = append(out, v.ov.firstInst+InstID(i))
				break
			}
		}
	}
	if v.bodies == nil {
		v.bodies = make(map[model.Thread][]InstID)
	}
	v.bodies[t] = sortedUnique(out)
	return v.bodies[t]
}

// Operand returns what operand k of the instruction may point to: an argument
// of a call, the channel of a send or receive, the channel of a select case.
func (v *View) Operand(id InstID, at ssair.Instr, k int) []Loc {
	var out []Loc
	see := func(in *instance, n Node) {
		if n == None {
			return
		}
		for l := range v.ov.pts(in.node(n)).All() {
			out = append(out, v.unbox(l))
		}
	}
	for _, in := range v.frames(id) {
		for _, o := range in.fn.Operands {
			if o.At == at && int(o.K) == k {
				see(in, o.Node)
			}
		}
		for i := range in.fn.Calls {
			if c := &in.fn.Calls[i]; c.At == at && k < len(c.Args) {
				see(in, c.Args[k].Node)
			}
		}
	}
	return sortedUnique(out)
}

func (v *View) unbox(l int32) Loc {
	if b, ok := v.ov.boxAt(l); ok {
		return Loc(b.loc)
	}
	return Loc(l)
}

// GivenOwner reports whether an instance has a pointer to what one of some locations lies in from who calls it: as
// an argument, or captured.
func (v *View) GivenOwner(id InstID, locs []Loc) bool {
	in := v.ov.inst(id)
	if len(in.fn.Free) > 0 {
		return true // as far as is asked: variables may hold such
	}
	owners := make(map[int32]bool, len(locs))
	for _, l := range locs {
		owners[v.baseOf(int32(l))] = true
	}
	for k, n := range in.fn.Params {
		if n == None {
			continue
		}
		for j := range in.fn.PLen[k] {
			for l := range v.ov.pts(in.node(n + Node(j))).All() {
				if owners[v.baseOf(v.unboxed(l))] {
					return true
				}
			}
		}
	}
	return false
}

// App reports whether an instance runs application code.
func (v *View) App(id InstID) bool { return v.ov.inst(id).fn.App }

// Receivers returns what the first argument of a call may point to: its
// receiver, for a method. An object that stands for all values of a type, or
// for all that nothing is known of, is nobody's receiver.
func (v *View) Receivers(s Site) []Loc {
	return slices.DeleteFunc(v.Operand(s.Inst, s.At, 0), func(l Loc) bool {
		oid := v.ov.ownerOf(int32(l))
		return oid >= 0 && v.ov.object(oid).kind == objConst
	})
}

// Spawning reports whether a site starts iterations of this loop.
func (v *View) Spawning(s Site) bool {
	return s.At == v.res.base.loops[v.loop].at && v.isSpawner(s.Inst)
}

// Passes reports whether a call passes the address of an object, or of a part of
// it.
func (v *View) Passes(s Site, o *model.Object) bool {
	d := v.res.described(v.ov, o)
	if d.oid < 0 {
		return false
	}
	x := v.ov.object(d.oid)
	for in, k := range v.callsAt(s) {
		for _, a := range in.fn.Calls[k].Args {
			if a.Node == None {
				continue
			}
			set := v.ov.pts(in.node(a.Node))
			if set.HasRange(x.loc, x.loc+x.layout.Len()) || v.boxed(set, x) {
				return true
			}
		}
	}
	return false
}

// GivenApart reports whether two values that an instance is given never refer to one object.
func (v *View) GivenApart(id InstID, p, q index.Given) bool {
	a, ok := v.givenObjects(id, p)
	b, ok2 := v.givenObjects(id, q)
	return ok && ok2 && !a.Empty() && !b.Empty() && !a.Intersects(&b)
}

// givenObjects returns the objects of the base that what an instance is given may be; ok is false if not all are known.
func (v *View) givenObjects(id InstID, g index.Given) (objs bitset.Set, ok bool) {
	add := func(locs *bitset.Set) bool {
		for l := range locs.All() {
			o := v.baseOf(v.unboxed(l))
			if o < 0 {
				return false
			}
			objs.Add(o)
		}
		return true
	}
	if g.Load != ssair.NoInstr {
		for _, c := range v.Cells(Site{id, g.Load}) {
			if !add(v.ov.contents(int32(c))) {
				return objs, false
			}
		}
		return objs, true
	}
	for _, in := range v.frames(id) {
		if g.Param >= len(in.fn.Params) || in.fn.Params[g.Param] == None || in.fn.PLen[g.Param] == 0 || !add(v.ov.pts(in.node(in.fn.Params[g.Param]))) {
			return objs, false
		}
	}
	return objs, true
}

// Writes lists the instructions by which the function of an instance itself writes memory, in
// order.
func (v *View) Writes(i InstID) []ssair.Instr { return v.ownAccesses(i, FlagWrite) }

// Reads is Writes for the memory that it reads.
func (v *View) Reads(i InstID) []ssair.Instr { return v.ownAccesses(i, 0) }

// ownAccesses lists the accesses of an instance but for those of calls that are described, writes or reads.
func (v *View) ownAccesses(i InstID, write uint32) (at []ssair.Instr) {
	fn := v.ov.inst(i).fn
	for k := range fn.Accesses {
		if a := &fn.Accesses[k]; a.Flags&(FlagWrite|FlagCall) == write {
			at = append(at, a.At)
		}
	}
	slices.Sort(at)
	return slices.Compact(at)
}

// Makes reports whether the call at a site runs functions only that return
// nothing but new memory.
func (v *View) Makes(s Site) bool {
	made := false
	for in, k := range v.callsAt(s) {
		for _, e := range in.callees[k] {
			f := v.ov.inst(e.callee).fn
			if len(f.RFresh) != 1 || !f.RFresh[0] {
				return false
			}
			made = true
		}
	}
	return made
}

// callsAt ranges over what an instruction calls in the frames of an instance, by the numbers of the calls there.
func (v *View) callsAt(s Site) iter.Seq2[*instance, int] {
	return func(yield func(*instance, int) bool) {
		for _, in := range v.frames(s.Inst) {
			for k := range in.fn.Calls {
				if in.fn.Calls[k].At == s.At && !yield(in, k) {
					return
				}
			}
		}
	}
}

// frameIDs returns an instance's number and, for a spawner, those of its copies
// that run again.
func (v *View) frameIDs(id InstID) []InstID {
	out := []InstID{id}
	for i, sp := range v.ov.spawners {
		if sp == id {
			out = append(out, v.ov.reruns[i])
		}
	}
	return out
}

// frames returns the instances that frameIDs numbers.
func (v *View) frames(id InstID) []*instance {
	ids := v.frameIDs(id)
	out := make([]*instance, len(ids))
	for i, id := range ids {
		out[i] = v.ov.inst(id)
	}
	return out
}

// boxed reports whether one of a set's interface values holds a pointer to an
// object. Of large sets it is not asked: paths are only shown.
func (v *View) boxed(set *bitset.Set, x *object) bool {
	if set.Len() > 100 {
		return false
	}
	for l := range set.All() {
		if b, ok := v.ov.boxAt(l); ok && x.loc <= b.loc && b.loc < x.loc+x.layout.Len() {
			return true
		}
	}
	return false
}

// Param returns what parameter k of an instance may point to.
func (v *View) Param(id InstID, k int) []Loc {
	in := v.ov.inst(id)
	if k >= len(in.fn.Params) || in.fn.Params[k] == None {
		return nil
	}
	var out []Loc
	for l := range v.ov.pts(in.node(in.fn.Params[k])).All() {
		out = append(out, v.unbox(l))
	}
	return sortedUnique(out)
}

// An ObjectInfo is what filters ask of the object behind a location.
type ObjectInfo struct {
	*model.Object
	Alloc Site  // where it is allocated; Inst is -1 where that is not known
	Leaf  int32 // the location's leaf in the object
	Field string
	Made  model.Thread
	Part  uint8 // 0 for no element or any, 1 for alpha's, 2 for beta's
	Many  bool  // the object may stand for several, as far as is asked: in what follows one run of a function there may be one
	// Again is set if a call that starts the iterations has made it, which the
	// loop's solution runs again: all other code knows it as Canon.
	Again  bool
	OneRun bool // the spawner makes it once in each of its runs: iterations of one run have one
	Canon  Loc  // the location under the base's name: equal for what both sides and Main see of one object
}

// Object describes the object behind a location.
func (v *View) Object(l Loc) ObjectInfo {
	info, ok := v.infos[l]
	if !ok {
		info = v.describe(l)
		if v.infos == nil {
			v.infos = make(map[Loc]ObjectInfo)
		}
		v.infos[l] = info
	}
	return info
}

func (v *View) describe(l Loc) ObjectInfo {
	oid := v.ov.ownerOf(int32(l))
	if oid < 0 {
		return ObjectInfo{Object: &model.Object{ID: -1, Kind: "unknown"}, Alloc: Site{-1, ssair.NoInstr}, Canon: l}
	}
	o := v.ov.object(oid)
	info := ObjectInfo{Object: v.res.modelObject(v.ov, oid), Alloc: Site{-1, ssair.NoInstr}, Leaf: int32(l) - o.loc}
	if o.inst >= 0 {
		info.Alloc.Inst = v.outer(o.inst)
		if o.kind == objAlloc || o.kind == objView && v.ov.object(o.view).kind == objAlloc {
			info.Alloc.At = v.ov.inst(o.inst).fn.Allocs[o.alloc].At
		}
		info.Made = v.Thread(o.inst)
		info.OneRun = v.ov.madeOnce(oid)
		info.Again = o.kind == objAlloc && o.inst >= v.ov.firstInst && info.Made == model.Main && v.ov.inst(o.inst).spawner == nil
	}
	info.Many = info.Object.Many
	x := &o.layout.Leaves[info.Leaf]
	info.Field, info.Part = x.Name, x.Part
	info.Canon = Loc(v.canonical(int32(l)))
	return info
}

// OfBase reports whether a location is one of the base solution's, which all views have.
func (v *View) OfBase(l Loc) bool { return int32(l) < v.ov.first }

// canonical returns the base's name of a location: a view's object, the
// object of the instance tagged A or B; the location itself where the base has
// no such object.
func (v *View) canonical(l int32) int32 {
	if l < v.ov.first {
		return l
	}
	oid := v.ov.ownerOf(l)
	if oid < 0 {
		return l
	}
	o := v.ov.object(oid)
	off := l - o.loc
	switch o.kind {
	case objView:
		return v.ov.object(o.view).loc + off
	case objAlloc:
		if b := v.ov.inBase(oid); b >= 0 {
			return v.ov.base.object(b).loc + off
		}
	}
	return l
}

// inBase returns the base's object for one that the overlay's instances make, or
// -1. It is asked of the same few objects all the time.
func (ov *overlay) inBase(oid int32) int32 {
	k := int(oid - ov.firstObj)
	for len(ov.canon) <= k {
		ov.canon = append(ov.canon, unknownObject)
	}
	if ov.canon[k] == unknownObject {
		o := ov.object(oid)
		in := ov.inst(o.inst)
		ov.canon[k] = -1
		if b, ok := ov.base.byKey[objKey{in.fn.ID, ov.baseContext(in.ctx), o.alloc}]; ok {
			ov.canon[k] = b
		}
	}
	return ov.canon[k]
}

const unknownObject = -2

// baseOf returns the object of the base that a location belongs to, or an
// overlay's own object if the base has none for it; -1 for no object's.
func (v *View) baseOf(l int32) int32 { return v.ov.ownerOf(v.canonical(l)) }

// describedBase is baseOf for an object that was described to a filter.
func (v *View) describedBase(o *model.Object) (obj int32, ok bool) {
	d := v.res.described(v.ov, o)
	if d.oid < 0 {
		return -1, false
	}
	return v.baseOf(v.ov.object(d.oid).loc), true
}

// Made returns where an object is made; Inst or At is -1 where that is not known.
func (v *View) Made(o *model.Object) Site {
	d := v.res.described(v.ov, o)
	if d.oid < 0 {
		return Site{-1, ssair.NoInstr}
	}
	return v.Object(Loc(v.ov.object(d.oid).loc)).Alloc
}

// MadeByOthers returns where the base makes the object whose name it has for an object, which may be an iteration's own.
func (v *View) MadeByOthers(o *model.Object) Site {
	oid, ok := v.describedBase(o)
	if !ok || oid < 0 {
		return Site{-1, ssair.NoInstr}
	}
	return v.Object(Loc(v.ov.object(oid).loc)).Alloc
}

// An objectTable describes the objects that one loop sees, and goes with its
// overlay. What is the base's is described again for each loop: the name that an
// object has for want of a better one is that of the access at hand.
type objectTable struct {
	models map[int32]*model.Object
	of     map[*model.Object]described
}

// described is what an object's description does not say.
type described struct {
	oid   int32         // the solver's number
	maker *library.Func // the model's entry of the function that makes it, or nil
}

// next numbers an object: no two of any loop have one number.
func (t *objectTable) next(loop int) int { return (loop+1)<<24 + len(t.of) }

func newObjectTable() objectTable {
	return objectTable{make(map[int32]*model.Object), make(map[*model.Object]described)}
}

// described looks an object of a view up; oid is -1 for another view's.
func (r *Result) described(ov *overlay, o *model.Object) described {
	if d, ok := ov.described.of[o]; ok {
		return d
	}
	return described{oid: -1}
}

// modelObject describes an object for reports.
func (r *Result) modelObject(ov *overlay, oid int32) *model.Object {
	table := &ov.described
	if m, ok := table.models[oid]; ok {
		return m
	}
	var maker *library.Func
	o := ov.object(oid)
	p := r.Prog
	if o.kind == objView {
		m := *r.modelObject(ov, o.view)
		m.ID, m.Many = table.next(ov.loop), true
		table.models[oid], table.of[&m] = &m, described{oid, nil}
		return &m
	}
	m := &model.Object{ID: table.next(ov.loop)}
	switch o.kind {
	case objGlobal:
		g := &p.globals[o.global]
		m.Kind, m.Name, m.Pos, m.Global = "global", g.name, g.pos, g.full
		m.Type, m.FullType = r.typeNames(g.typ)
	case objFunc:
		m.Kind, m.Name = "func", p.funcName(o.fn)
	case objConst:
		m.Kind = "constant"
		m.Type, m.FullType = r.typeNames(o.typ)
	case objSym:
		m.Kind, m.Name = "parameter", ov.textOf(oid)
		m.Type, m.FullType = r.typeNames(o.typ)
		m.Pos = ov.inst(o.inst).fn.Vars[o.param].Pos
		m.Many = r.base.many(oid)
		_, m.Map = ssair.Under(p.types.typ(o.typ)).(*types.Map)
	default:
		in := ov.inst(o.inst)
		a := &in.fn.Allocs[o.alloc]
		maker = in.fn.Lib
		m.Kind, m.Name, m.Pos, m.Map = a.Word, a.Name, a.Pos, a.Kind == AllocMap
		m.Type, m.FullType = r.typeNames(a.Type)
		if a.Kind == AllocArray {
			m.Type, m.FullType = "[]"+m.Type, "[]"+m.FullType
		}
		if a.Kind == AllocChan {
			m.Type = "chan " + m.Type
		}
		m.Thread = model.Thread(in.ctx.tag)
		switch {
		case o.inst < ov.firstInst:
			m.Many = r.base.many(oid)
			m.Thread = model.Main
			if a.Side == 0 && in.ctx.fill == 0 && ov.oneInRun(oid) {
				m.Home = p.funcName(ov.base.inst(ov.homes[oid]).fn.ID)
			}
		default:
			m.Many = ov.manyObject(oid)
		}
	}
	table.models[oid], table.of[m] = m, described{oid, maker}
	return m
}

// typeNames writes a type with the names and with the paths of packages. Each loop
// describes the objects that it sees anew, and few types are all that they have.
func (r *Result) typeNames(id TypeID) (short, full string) {
	if names, ok := r.typed.Load(id); ok {
		n := names.([2]string)
		return n[0], n[1]
	}
	t := r.Prog.types.typ(id)
	short, full = oneSpelling(typeString(t)), oneSpelling(types.TypeString(t, nil))
	r.typed.Store(id, [2]string{short, full})
	return short, full
}

// typeString writes a type with package names, not paths.
func typeString(t types.Type) string {
	return types.TypeString(t, func(p *types.Package) string { return p.Name() })
}

// Identical types are one, and are written as the first that was met: in a program
// with other packages that may be another spelling, and IDs have it.
var spellings = regexp.MustCompile(`\buint8\b|\brune\b|interface\{\}`)

// oneSpelling writes the basic types of a type's name in one way.
func oneSpelling(s string) string {
	return spellings.ReplaceAllStringFunc(s, func(s string) string {
		switch s {
		case "uint8":
			return "byte"
		case "rune":
			return "int32"
		}
		return "any"
	})
}
