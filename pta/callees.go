package pta

import (
	"slices"
	"sync/atomic"

	"github.com/iterace/iterace/internal/ssair"
	"github.com/iterace/iterace/pta/flow"
)

// Every loop sees the base's calls, and most of them as every other does. What an
// instance of the base calls is found once for all loops, therefore.

// calleeTable has what an instance calls, by instruction and by step of its skeleton.
type calleeTable struct {
	at    []ssair.Instr // in order
	ids   [][]InstID
	steps [][]InstID
}

// calleeTables has the tables of the base's instances, nil if not asked for.
type calleeTables []atomic.Pointer[calleeTable]

// calleesOf returns what the call at an instruction of an instance of the base may
// run, in order. The list must not be changed.
func (r *Result) calleesOf(id InstID, at ssair.Instr) []InstID { return r.calleeTable(id).of(at) }

func (r *Result) calleeTable(id InstID) *calleeTable {
	t := r.callees[id].Load()
	if t == nil {
		t = newCalleeTable(r.base.s.inst(id))
		r.callees[id].Store(t) // whoever made it first made the same
	}
	return t
}

func (t *calleeTable) of(at ssair.Instr) []InstID {
	if i, ok := slices.BinarySearch(t.at, at); ok {
		return t.ids[i]
	}
	return nil
}

func newCalleeTable(in *instance) *calleeTable {
	t := new(calleeTable)
	for k := range in.fn.Calls {
		edges := in.callees[k]
		if len(edges) == 0 {
			continue
		}
		at := in.fn.Calls[k].At
		i, ok := slices.BinarySearch(t.at, at)
		if !ok {
			t.at = slices.Insert(t.at, i, at)
			t.ids = slices.Insert(t.ids, i, nil)
		}
		for _, e := range edges {
			t.ids[i] = append(t.ids[i], e.callee)
		}
	}
	for i := range t.ids {
		t.ids[i] = slices.Clip(sortedUnique(t.ids[i]))
	}
	t.steps = StepCallees(in.fn.Flow, t.of)
	return t
}

// StepCallees lists what the steps of a skeleton run, by what the calls at instructions do.
func StepCallees(f *flow.Func, at func(ssair.Instr) []InstID) [][]InstID {
	if f == nil {
		return nil
	}
	out := make([][]InstID, len(f.Steps))
	for k := range f.Steps {
		switch st := &f.Steps[k]; st.Kind {
		case flow.Call, flow.Spawn, flow.Parallel:
			out[k] = at(st.Site)
		}
	}
	return out
}
