// Package inview cuts the instances of a view down to those that run in it.
//
// A view has the iterations of its loop as instances of their own. The base
// solution, which it shows for everything else, has stand-ins for the same
// iterations; they, and what only they call, do not run beside the view's own.
package inview

import (
	"slices"

	"github.com/iterace/iterace/internal/pages"
	"github.com/iterace/iterace/internal/ssair"
	"github.com/iterace/iterace/pta"
	"github.com/iterace/iterace/pta/flow"
)

// A World is what the package asks of a view, and with it the stages that look at
// what runs.
type World interface {
	Flow(pta.InstID) *flow.Func
	// Instances lists all instances of the view, Syncing those that synchronise, or
	// are what the model says is an operation.
	Instances() []pta.InstID
	Syncing() []pta.InstID
	// Callees returns what the call at an instruction runs: plain, deferred
	// and spawned callees alike.
	Callees(pta.InstID, ssair.Instr) []pta.InstID
	// StepCallees lists what the steps of an instance's skeleton may run.
	StepCallees(pta.InstID) [][]pta.InstID
	Callers(pta.InstID) []pta.Site
	// Spawns returns where the loop's iterations start, and StandIns what the base
	// has for what one of them starts, or for what another call of their frames runs.
	Spawns() []pta.Site
	StandIns(call pta.Site) []pta.InstID
}

// A Set tells which instances of a view run in it.
type Set struct {
	w       World
	spawns  []pta.Site
	all     []pta.InstID
	syncing []pta.InstID
	dead    map[pta.InstID]bool
	callers pages.Table[pta.InstID, []pta.Site]     // by instance, nil until asked for
	callees pages.Table[pta.InstID, [][]pta.InstID] // by instance and step; the same
	made    map[makersKey]madeAt
	threads threadTable
	leading leading
}

// none is what nobody calls has for callers.
var none = make([]pta.Site, 0)

// New finds the instances that run.
func New(w World) *Set {
	s := &Set{w: w, spawns: w.Spawns(), dead: make(map[pta.InstID]bool)}
	replaced := make(map[pta.Site][]pta.InstID) // what runs instead of the stand-ins
	var sites []pta.Site
	for _, i := range spawners(s.spawns) {
		f := w.Flow(i)
		if f == nil {
			continue
		}
		for k := range f.Steps {
			at := pta.Site{Inst: i, At: f.Steps[k].Site}
			if _, ok := replaced[at]; !ok && f.Steps[k].Kind != flow.Sync {
				replaced[at] = w.Callees(i, at.At)
				sites = append(sites, at)
			}
		}
	}
	var work []pta.InstID
	for _, c := range sites {
		for _, i := range w.StandIns(c) {
			if slices.Contains(replaced[c], i) {
				continue
			}
			left := slices.DeleteFunc(slices.Clone(s.Callers(i)), func(c pta.Site) bool {
				b, ok := replaced[c]
				return ok && !slices.Contains(b, i)
			})
			s.callers.Set(i, left)
			if len(left) == 0 {
				work = append(work, i)
			}
		}
	}
	for len(work) > 0 {
		i := work[len(work)-1]
		work = work[:len(work)-1]
		if s.dead[i] {
			continue
		}
		s.dead[i] = true
		f := w.Flow(i)
		if f == nil {
			continue
		}
		for k := range f.Steps {
			for _, c := range s.Callees(i, f, int32(k)) {
				left := slices.DeleteFunc(slices.Clone(s.Callers(c)), func(x pta.Site) bool { return x.Inst == i })
				s.callers.Set(c, left)
				if len(left) == 0 {
					work = append(work, c)
				}
			}
		}
	}
	s.all, s.syncing = s.running(w.Instances()), s.running(w.Syncing())
	return s
}

// spawners lists the instances that start iterations.
func spawners(spawns []pta.Site) []pta.InstID {
	var out []pta.InstID
	for _, c := range spawns {
		if !slices.Contains(out, c.Inst) {
			out = append(out, c.Inst)
		}
	}
	return out
}

// running returns those of a list that run, which may be the list.
func (s *Set) running(list []pta.InstID) []pta.InstID {
	if len(s.dead) == 0 {
		return list
	}
	return slices.DeleteFunc(slices.Clone(list), func(i pta.InstID) bool { return s.dead[i] })
}

// Runs reports whether an instance of the view runs.
func (s *Set) Runs(i pta.InstID) bool { return !s.dead[i] }

// Instances lists the instances that run. The list must not be changed.
func (s *Set) Instances() []pta.InstID { return s.all }

// Syncing lists those of them that synchronise, or are what the model says is an
// operation.
func (s *Set) Syncing() []pta.InstID { return s.syncing }

// Callers returns the sites that call or spawn an instance.
func (s *Set) Callers(i pta.InstID) []pta.Site {
	if cs := s.callers.Get(i); cs != nil {
		return cs
	}
	cs := s.w.Callers(i)
	if cs == nil {
		cs = none
	}
	s.callers.Set(i, cs)
	return cs
}

// Callees returns what step k of instance i, whose skeleton is f, may run.
func (s *Set) Callees(i pta.InstID, f *flow.Func, k int32) []pta.InstID {
	return s.StepCallees(i)[k]
}

// StepCallees lists what the steps of an instance with a skeleton may run.
func (s *Set) StepCallees(i pta.InstID) [][]pta.InstID {
	cs := s.callees.Get(i)
	if cs == nil {
		cs = s.w.StepCallees(i)
		s.callees.Set(i, cs)
	}
	return cs
}

// CalleesAt returns what the call at an instruction may run.
func (s *Set) CalleesAt(i pta.InstID, at ssair.Instr) []pta.InstID {
	f := s.w.Flow(i)
	if f == nil {
		return nil
	}
	for _, k := range f.StepsAt(at) {
		return s.Callees(i, f, k)
	}
	return nil
}
