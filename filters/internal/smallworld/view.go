package smallworld

import (
	"cmp"
	"go/token"
	"slices"
	"sort"

	"golang.org/x/tools/go/ssa"

	"github.com/iterace/iterace/internal/ssair"
	"github.com/iterace/iterace/model"
	"github.com/iterace/iterace/model/library"
	"github.com/iterace/iterace/pta"
	"github.com/iterace/iterace/pta/flow"
)

// A View shows the program as seen from one spawn.
type View struct {
	*Program
	spawn pta.Site
}

// Views returns a view for each spawn, by instance and instruction.
func (p *Program) Views() []*View {
	var out []*View
	for _, i := range p.insts {
		var sites []ssair.Instr
		for _, s := range i.info.flow.Steps {
			if s.Kind == flow.Spawn || s.Kind == flow.Parallel {
				sites = append(sites, s.Site)
			}
		}
		for _, at := range sites {
			out = append(out, &View{p, pta.Site{Inst: i.id, At: at}})
		}
	}
	return out
}

func (v *View) Flow(i pta.InstID) *flow.Func       { return v.insts[i].info.flow }
func (v *View) Compare(i, j pta.InstID) int        { return cmp.Compare(i, j) }
func (v *View) FuncName(i pta.InstID) string       { return v.insts[i].fn.String() }
func (v *View) Library(i pta.InstID) *library.Func { return nil }
func (v *View) App(pta.InstID) bool                { return true }

// Swapped knows nothing of fields.
func (v *View) Swapped(*model.Race) (*pta.Swapping, bool) { return nil, false }
func (v *View) Spawns() []pta.Site                        { return []pta.Site{v.spawn} }
func (v *View) Callers(i pta.InstID) []pta.Site           { return v.insts[i].callers }
func (v *View) Pos(i pta.InstID, at ssair.Instr) model.Pos {
	return v.pos(v.insts[i].info.ir.At(at).Pos())
}

func (v *View) Instances() []pta.InstID {
	out := make([]pta.InstID, len(v.insts))
	for i := range v.insts {
		out[i] = pta.InstID(i)
	}
	return out
}

// Syncing lists all instances: that others do not synchronise shows at each.
func (v *View) Syncing() []pta.InstID { return v.Instances() }

// Named lists the instances that run the function of a name.
func (v *View) Named(fn string) []pta.InstID {
	return slices.DeleteFunc(v.Instances(), func(i pta.InstID) bool {
		f := v.Flow(i)
		return f == nil || f.Name != fn
	})
}

// StandIns lists what a spawn starts: the view has no others.
func (v *View) StandIns(spawn pta.Site) []pta.InstID { return v.insts[spawn.Inst].callees[spawn.At] }

// Callees leaves out the beta body of other spawns: there the view has one
// body for all.
func (v *View) Callees(i pta.InstID, at ssair.Instr) []pta.InstID {
	var out []pta.InstID
	for _, c := range v.insts[i].callees[at] {
		t := v.insts[c].tags
		if n := len(t); n > 0 && t[n-1].site == (pta.Site{Inst: i, At: at}) && t[n-1].side == model.Beta && t[n-1].site != v.spawn {
			continue
		}
		out = append(out, c)
	}
	slices.Sort(out)
	return out
}

func (v *View) StepCallees(i pta.InstID) [][]pta.InstID {
	return pta.StepCallees(v.Flow(i), func(at ssair.Instr) []pta.InstID { return v.Callees(i, at) })
}

func (v *View) Bodies(t model.Thread) []pta.InstID {
	var out []pta.InstID
	for _, c := range v.insts[v.spawn.Inst].callees[v.spawn.At] {
		if v.Thread(c) == t {
			out = append(out, c)
		}
	}
	slices.Sort(out)
	return out
}

func (v *View) Thread(i pta.InstID) model.Thread {
	for _, t := range v.insts[i].tags {
		if t.site == v.spawn {
			return t.side
		}
	}
	return model.Main
}

func (v *View) Operand(i pta.InstID, at ssair.Instr, k int) []pta.Loc {
	in := v.insts[i]
	var val ssa.Value
	switch x := in.info.ir.At(at).(type) {
	case *ssa.Send:
		val = x.Chan
	case *ssa.UnOp:
		val = x.X
	case *ssa.Select:
		val = x.States[k].Chan
	case *ssa.Store:
		val = x.Addr
	case ssa.CallInstruction:
		args := x.Common().Args
		if x.Common().IsInvoke() {
			args = append([]ssa.Value{x.Common().Value}, args...)
		}
		if k >= len(args) {
			return nil
		}
		val = args[k]
	default:
		return nil
	}
	out := slices.Clone(v.val(in, val).all)
	slices.Sort(out)
	return out
}

func (v *View) OfBase(pta.Loc) bool { return true }

// RunFor is not known.
func (v *View) RunFor(pta.Site, *model.Object) []pta.InstID { return nil }

func (v *View) Object(l pta.Loc) pta.ObjectInfo {
	x := v.locs[l]
	if x.obj < 0 {
		return pta.ObjectInfo{Object: &model.Object{ID: -1}, Canon: l}
	}
	o := v.objs[x.obj]
	info := pta.ObjectInfo{Object: &o.Object, Many: o.Many, Alloc: o.made, Field: x.path, Canon: l}
	if o.made.Inst >= 0 {
		info.Made = v.Thread(o.made.Inst)
	}
	return info
}

// AlphasRound is not known: bodies of loops are not solved twice.
func (v *View) AlphasRound(*model.Access) ([]pta.Site, bool) { return nil, false }

// RoundLoop is not asked.
func (v *View) RoundLoop() int { return -1 }

// Argument is not known.
func (v *View) Argument(*model.Access) int { return -1 }

// Sliced is not known.
func (v *View) Sliced(*model.Access) int { return -1 }

// WithinLen is not known.
func (v *View) WithinLen(*model.Access) bool { return false }

// Meetings are not known here: objects are what the tests name.
func (v *View) Meetings(*model.Race) ([]pta.Meeting, bool) { return nil, false }

// MeetingsByStores are not known either.
func (v *View) MeetingsByStores(*model.Race) ([]pta.Meeting, bool) { return nil, false }

// Early is not known here.
func (v *View) Early(*model.Access, *pta.Way, *pta.Way) bool { return false }

// SeveralOwners is not known.
func (v *View) SeveralOwners(*model.Race) bool { return false }

// Home is not known.
func (v *View) Home(*model.Race) (pta.InstID, bool) { return -1, false }

// OneIn is not known.
func (v *View) OneIn(pta.InstID, pta.Loc) bool { return false }

// KeptBy is not known.
func (v *View) KeptBy(*model.Race) (pta.InstID, bool) { return -1, false }

// ByOwnFunction is not known.
func (v *View) ByOwnFunction(*model.Access, *model.Object, []pta.Loc) int32 { return -1 }

// Dispatched is not known.
func (v *View) Dispatched(pta.Site) bool { return false }

func (v *View) Next(pta.InstID) []pta.InstID { return nil }

// Loaded is not known.
func (v *View) Loaded(*model.Access, *model.Object, int, bool) (*pta.Loaded, bool) { return nil, false }

// TakenOn is Loaded.
func (v *View) TakenOn(*model.Access, *model.Object) (*pta.Loaded, bool) { return nil, false }

// Givers is not known.
func (v *View) Givers(*model.Access, *model.Object) ([]pta.InstID, bool) { return nil, false }

// HandedDown is not known.
func (v *View) HandedDown(pta.Site, pta.InstID) ([]pta.Way, bool) { return nil, false }

// Behind is not known.
func (v *View) Behind(*model.Access, *model.Object, []pta.Loc) ([]pta.Site, bool) {
	return nil, false
}

// Fetched is not known.
func (v *View) Fetched(*model.Access, *model.Object, func(pta.Site) bool) bool { return false }

// Travels is not known.
func (v *View) Travels(*model.Race) bool { return false }

// FromMakers is not known.
func (v *View) FromMakers(model.Thread, pta.Site, *model.Object) (pta.Chain, bool) {
	return pta.Chain{}, false
}

// PutTwice is not known.
func (v *View) PutTwice(*model.Object) bool { return false }

// GivenOwner is not known: any may be.
func (v *View) GivenOwner(pta.InstID, []pta.Loc) bool { return true }

// MadeBeside is not known.
func (v *View) MadeBeside([]pta.Loc) []pta.Loc { return nil }

// Apart is not known.
func (v *View) Apart(i, j pta.InstID) bool { return false }

// MayPass is not asked.
func (v *View) MayPass(pta.Way, int) bool { return false }

// MayPassObject is not asked.
func (v *View) MayPassObject(pta.Site, int, *model.Object) bool { return true }

// MaySend is not told.
func (v *View) MaySend(pta.Site, *model.Object) bool { return true }

// PassedBy is not known.
func (v *View) PassedBy(*model.Object, []pta.Loc) ([]pta.Loc, bool) { return nil, false }

// Writes knows of none.
func (v *View) Writes(pta.InstID) []ssair.Instr { return nil }

// Reads is not asked.
func (v *View) Reads(pta.InstID) []ssair.Instr { return nil }

// ScopeRuns holds of what runs by itself.
func (v *View) ScopeRuns() bool { return true }

// ScopeTests holds of tests.
func (v *View) ScopeTests() bool { return false }

// Makes is not known here.
func (v *View) Makes(pta.Site) bool { return false }

// WritersOf knows of nothing who writes it.
func (v *View) WritersOf([]pta.Loc) ([]pta.Site, bool) { return nil, false }

// WritersBeside knows of nobody beside the iterations.
func (v *View) WritersBeside([]pta.Loc) []pta.Site { return nil }

// Settled knows of no place that it keeps what is put there.
func (v *View) Settled(pta.Loc) ([]pta.Site, bool, bool) { return nil, false, false }

// MaySettle knows of none either.
func (v *View) MaySettle(pta.Loc) ([]pta.Site, bool) { return nil, false }

// Made is not known.
func (v *View) Made(*model.Object) pta.Site { return pta.Site{Inst: -1, At: ssair.NoInstr} }

// MadeByOthers is not known.
func (v *View) MadeByOthers(*model.Object) pta.Site { return pta.Site{Inst: -1, At: ssair.NoInstr} }

// ByElements is not asked.
func (v *View) ByElements(*model.Access, *model.Object) bool { return false }

// StoresTo is not asked.
func (v *View) StoresTo(pta.Loc) ([]pta.Site, bool) { return nil, false }

// Stored is not asked.
func (v *View) Stored(pta.Site) []pta.Loc { return nil }

// Before is not asked.
func (v *View) Before(pta.InstID) []pta.InstID { return nil }

// Cells knows of no load what it reads.
func (v *View) Cells(pta.Site) []pta.Loc { return nil }

// Replaced knows nothing of what is set where it is zero.
func (v *View) Replaced(load pta.Site) bool { return v.Renewed(load) }

// Renewed reports whether an iteration may write what the load reads.
func (v *View) Renewed(load pta.Site) bool {
	ld, ok := v.insts[load.Inst].info.ir.At(load.At).(*ssa.UnOp)
	if !ok {
		return true
	}
	read := v.val(v.insts[load.Inst], ld.X)
	for _, i := range v.insts {
		if v.Thread(i.id) == model.Main {
			continue
		}
		for _, b := range i.fn.Blocks {
			for _, in := range b.Instrs {
				if st, ok := in.(*ssa.Store); ok {
					for _, l := range v.val(i, st.Addr).all {
						if read.has[l] {
							return true
						}
					}
				}
			}
		}
	}
	return false
}

// Races pairs the accesses of alpha with those of beta and main.
func (v *View) Races() *model.RaceSet {
	type acc struct {
		*model.Access
		obj  *model.Object
		path string
	}
	byLoc := make(map[loc][]acc)
	var order []loc
	for _, i := range v.insts {
		if !v.visible(i) {
			continue
		}
		for n := ssair.Instr(0); n < i.info.ir.Start[len(i.fn.Blocks)]; n++ {
			addr, kind := touched(i.info.ir.At(n))
			if addr == nil {
				continue
			}
			for _, l := range v.val(i, addr).all {
				x := v.locs[l]
				if v.objs[x.obj].fn != nil {
					continue
				}
				if byLoc[x] == nil {
					order = append(order, x)
				}
				byLoc[x] = append(byLoc[x], acc{&model.Access{
					Thread: v.Thread(i.id), Kind: kind, Pos: v.Pos(i.id, n), Func: i.fn.String(),
					Inst: int32(i.id), Instr: int32(n),
				}, &v.objs[x.obj].Object, x.path})
			}
		}
	}
	out := &model.RaceSet{}
	lp := &model.Loop{Spawn: v.Pos(v.spawn.Inst, v.spawn.At)}
	for _, x := range order {
		as := byLoc[x]
		for _, a := range as {
			if a.Thread != model.Alpha {
				continue
			}
			for _, b := range as {
				if b.Thread == model.Alpha || a.Kind == model.Read && b.Kind == model.Read {
					continue
				}
				out.Races = append(out.Races, &model.Race{Loop: lp, Object: a.obj, Field: a.path, A: a.Access, B: b.Access, Confidence: model.Definite})
			}
		}
	}
	sort.SliceStable(out.Races, func(i, j int) bool { return out.Races[i].A.Pos.Compare(out.Races[j].A.Pos) < 0 })
	return out
}

// Accesses returns the memory accesses of instance i that the view has.
func (v *View) Accesses(id pta.InstID) []*model.Access {
	i := v.insts[id]
	if !v.visible(i) {
		return nil
	}
	var out []*model.Access
	for n := ssair.Instr(0); n < i.info.ir.Start[len(i.fn.Blocks)]; n++ {
		if addr, kind := touched(i.info.ir.At(n)); addr != nil {
			out = append(out, &model.Access{
				Thread: v.Thread(i.id), Kind: kind, Pos: v.Pos(i.id, n), Func: i.fn.String(),
				Inst: int32(i.id), Instr: int32(n),
			})
		}
	}
	return out
}

// visible reports whether the view has instance i: below other spawns it has
// the alpha copy alone.
func (v *View) visible(i *inst) bool {
	for _, t := range i.tags {
		if t.site != v.spawn && t.side == model.Beta {
			return false
		}
	}
	return true
}

func touched(in ssa.Instruction) (ssa.Value, model.AccessKind) {
	switch in := in.(type) {
	case *ssa.Store:
		return in.Addr, model.Write
	case *ssa.UnOp:
		if in.Op == token.MUL {
			return in.X, model.Read
		}
	case *ssa.MapUpdate:
		return in.Map, model.Write
	case *ssa.Lookup:
		return in.X, model.Read
	case *ssa.Call:
		if b, ok := in.Call.Value.(*ssa.Builtin); ok && len(in.Call.Args) > 0 {
			switch b.Name() {
			case "delete", "clear":
				return in.Call.Args[0], model.Write
			}
		}
	}
	return nil, 0
}
