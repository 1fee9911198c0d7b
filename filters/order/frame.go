package order

import (
	"slices"

	"github.com/iterace/iterace/internal/idset"
	"github.com/iterace/iterace/internal/pages"
	"github.com/iterace/iterace/internal/ssair"
	"github.com/iterace/iterace/model/library"
	"github.com/iterace/iterace/pta"
	"github.com/iterace/iterace/pta/flow"
)

// frameID numbers the frames of an analysis.
type frameID int32

// A frame is what walks want to know of an instance, worked out once.
type frame struct {
	id    frameID
	gaps  int32 // the gaps of all frames before this one
	marks int32 // the same for steps and edges, see awaited
	inst  pta.InstID
	f     *flow.Func
	block []int32 // by gap
	// next is, by gap, the first gap at or after it in its block that is not
	// followed by a step of no interest.
	next     []flow.Gap
	birth    []bool // by gap: an object of each round's own is made here; or nil
	call     []callStep
	inner    *interior             // made when asked for
	segments map[flow.Gap]*segment // by where they begin
	parts    []*segment            // the same, in order
	// below has the frames that the entry leads to, without and with what is
	// spawned; see belowOf.
	below [2]*idset.Set[frameID]

	returns     []returnSite // made when asked for, see returnsTo
	conditional bool         // what a walk does here hangs on where it came to the frame

	idleStep []answer // by step, see idle
	idleEdge []answer // by edge
	edge     []int32  // by block: the number of its first edge
}

// callStep is what a call leads to: the callees worth entering, and whether
// one that is not worth it returns.
type callStep struct {
	enter  []pta.InstID
	passes bool
	tells  bool // see tells
}

// A returnSite is where control goes on when a function returns to one of its callers.
type returnSite struct {
	site  pta.Site
	f     *flow.Func
	step  int32
	gap   flow.Gap
	tells bool // see tells
	late  bool // a branch further on is taken on one outcome only
}

// tells reports whether a branch right behind call k is taken on one outcome only, or control goes on with one only, or the outcome
// is passed on.
func tells(f *flow.Func, k int32) bool {
	g := f.AfterStep(k)
	return f.PassesOn(k) || f.Demanded(k) != flow.AnyOutcome || f.StepAfter(g) < 0 && slices.ContainsFunc(f.Blocks[f.BlockOf(g)].Succs, func(e flow.Edge) bool {
		return slices.ContainsFunc(e.Events, func(ev flow.Event) bool { return ev.Kind == flow.Returned && ev.Site == f.Steps[k].Site })
	})
}

// returnsTo lists where a function returns to. Walks that stop nowhere do hardly anything
// else than to return: on a language server it was a tenth of the loops' time to look for
// the steps of callers.
func (a *Analysis) returnsTo(fr *frame) []returnSite {
	if fr.returns != nil {
		return fr.returns
	}
	out := []returnSite{}
	for _, c := range a.in.Callers(fr.inst) {
		f := a.w.Flow(c.Inst)
		if f == nil {
			continue
		}
		for _, k := range f.StepsAt(c.At) {
			st := &f.Steps[k]
			if st.Kind == flow.Spawn || st.Kind == flow.Parallel {
				continue
			}
			out = append(out, returnSite{c, f, k, f.AfterStep(k), tells(f, k), f.IsLate(k)})
		}
	}
	fr.returns = out
	return out
}

// A frameTable has the frames that were asked for.
type frameTable struct {
	at       pages.Table[pta.InstID, *frame] // by instance
	list     []*frame                        // by id
	gaps     int32
	marks    int32
	below    int   // words that belowOf keeps
	exits    int32 // instances known to return, see interior.rank
	segments int32 // made
}

// noFrame stands for that of an instance without skeleton.
var noFrame = new(frame)

// frameOf returns the frame of instance i, or nil if it has no skeleton.
func (a *Analysis) frameOf(i pta.InstID) *frame {
	switch fr := a.frames.at.Get(i); fr {
	case nil:
		return a.newFrame(i)
	case noFrame:
		return nil
	default:
		return fr
	}
}

func (a *Analysis) newFrame(i pta.InstID) *frame {
	t := a.frames
	f := a.w.Flow(i)
	if f == nil {
		t.at.Set(i, noFrame)
		return nil
	}
	fr := &frame{id: frameID(len(t.list)), gaps: t.gaps, marks: t.marks, inst: i, f: f}
	numbers := make([]int32, f.NGaps()+len(f.Blocks))
	fr.block, fr.edge = numbers[:f.NGaps():f.NGaps()], numbers[f.NGaps():]
	fr.next = make([]flow.Gap, f.NGaps())
	fr.call = make([]callStep, len(f.Steps))
	fr.idleStep = make([]answer, len(f.Steps))
	edges := int32(0)
	for b := range f.Blocks {
		blk := &f.Blocks[b]
		fr.edge[b] = edges
		edges += int32(len(blk.Succs))
		last := flow.Gap(int32(b) + blk.Hi)
		fr.block[last], fr.next[last] = int32(b), last
		for s := blk.Hi - 1; s >= blk.Lo; s-- {
			g := flow.Gap(int32(b) + s)
			fr.block[g], fr.next[g] = int32(b), g
			if a.boring(fr, s) {
				fr.next[g] = fr.next[g+1]
			}
		}
	}
	fr.idleEdge = make([]answer, edges)
	a.noteBirths(fr)
	fr.conditional = len(f.Contraries) > 0 || len(f.Late) > 0 || len(f.Tolds) > 0 || slices.ContainsFunc(f.Steps, func(st flow.Step) bool { return st.Optional })
	t.at.Set(i, fr)
	t.list = append(t.list, fr)
	t.gaps += int32(f.NGaps())
	t.marks += int32(len(f.Steps)) + edges
	return fr
}

// noteBirths notes where the frame's instance makes objects of each round's own.
func (a *Analysis) noteBirths(fr *frame) {
	fr.birth = fr.gapsOf(a.births[fr.inst])
}

// gapsOf returns where some instructions of the frame are, by gap; nil if there are none.
func (fr *frame) gapsOf(ats []ssair.Instr) []bool {
	if len(ats) == 0 {
		return nil
	}
	out := make([]bool, fr.f.NGaps())
	for _, at := range ats {
		out[fr.f.GapOf(at)] = true
	}
	return out
}

// boring reports whether step s passes without doing anything of interest, and
// notes what a call leads to.
func (a *Analysis) boring(fr *frame, s int32) bool {
	st := &fr.f.Steps[s]
	if a.seesMedia && (st.Op == library.OpPoolGet || st.Op == library.OpPoolPut) {
		return false
	}
	if a.seesConds && (st.Op == library.OpCondWait || st.Op == library.OpCondBroadcast) {
		return false
	}
	switch st.Kind {
	case flow.Call:
		cs := &fr.call[s]
		callees := a.in.Callees(fr.inst, fr.f, s)
		cs.passes = len(callees) == 0
		modelled := false
		for _, c := range callees {
			if lib := a.w.Library(c); lib != nil && orders(lib.Op) {
				modelled = true
			}
			if a.w.Flow(c) != nil && a.enters(c) {
				cs.enter = append(cs.enter, c)
			} else {
				cs.passes = true
			}
		}
		cs.tells = len(cs.enter) > 0 && tells(fr.f, s)
		return len(cs.enter) == 0 && !modelled && !orders(st.Op)
	case flow.Spawn, flow.Parallel:
		for _, c := range a.in.Callees(fr.inst, fr.f, s) {
			if a.w.Flow(c) != nil && a.enters(c) {
				fr.call[s].enter = append(fr.call[s].enter, c)
			}
		}
	case flow.Sync:
		return !orders(st.Op) && !shutsDown(st)
	}
	return false
}

// enters reports whether walks go into an instance at all: something below it
// orders accesses, or is one.
func (a *Analysis) enters(i pta.InstID) bool { return a.syncful.Has(i) || a.relevant.Has(i) }
