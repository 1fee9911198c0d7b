package order

import (
	"slices"

	"github.com/iterace/iterace/pta"
	"github.com/iterace/iterace/pta/flow"
)

// Fifty classes ask the same three thousand places of a loop, so what a place works
// on, and which operations that may pair with, is found once.

// opAt returns the operation of a step, or of event k of an edge. Those of the
// places that every class asks are kept, with what is the same for all classes.
func (a *Analysis) opAt(p place, k int) *op {
	if p.ops != nil {
		return p.ops.list[k]
	}
	return newOpAt(p, k)
}

func newOpAt(p place, k int) *op {
	if p.step >= 0 {
		st := &p.f.Steps[p.step]
		n := &op{inst: p.inst, f: p.f, step: p.step, site: st.Site, lib: st.Op, via: p.via}
		if len(st.Args) > 0 {
			n.path = p.f.Path(st.Args[0])
		}
		switch st.Kind {
		case flow.Recv:
			n.kind = opRecv
		case flow.Send:
			n.kind = opSend
		}
		return n
	}
	e := &p.f.Blocks[p.block].Succs[p.edge]
	ev := &e.Events[k]
	n := &op{inst: p.inst, f: p.f, step: -1, site: ev.Site, k: ev.Operand, path: p.f.Path(ev.Path), via: p.via}
	n.after = []flow.Gap{p.f.First(e.To)}
	switch {
	case ev.Kind == flow.CaseTaken && ev.Send:
		n.kind = opSend
	case ev.Kind == flow.CaseTaken, ev.Kind == flow.RecvSent, ev.Kind == flow.RecvClosed:
		n.kind = opRecv
	}
	return n
}

// A meaning is what an operation works on, whatever the class.
type meaning struct {
	locs        []pta.Loc
	useful, own bool
	// partners are the operations that it may pair with, in the way in which it
	// was first asked for; nil if not known. Only if the object is no round's own.
	partners []*op
	paired   bool
}

func (a *Analysis) meaningOf(n *op) *meaning {
	if n.means == nil {
		m := &meaning{locs: a.operandOf(n)}
		m.useful = slices.ContainsFunc(m.locs, func(l pta.Loc) bool { return a.useful[l] })
		if m.useful {
			for _, l := range m.locs {
				m.own = a.perRound(l) || m.own
			}
		}
		n.means = m
	}
	return n.means
}

// partners returns the operations on the objects of n that satisfy keep, which is
// the same whenever n is asked unless own is set.
func (a *Analysis) partners(n *op, locs []pta.Loc, own bool, keep func(*op) bool) []*op {
	m := n.means
	if own || m == nil {
		return a.matching(locs, keep)
	}
	if !m.paired {
		m.partners, m.paired = a.matching(locs, keep), true
	}
	return m.partners
}
