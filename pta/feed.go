package pta

import (
	"github.com/iterace/iterace/internal/ssair"
	"github.com/iterace/iterace/pta/flow"
)

// A Feed says how a channel is fed: by one send instruction in the run of the
// spawner that has made the channel.
type Feed struct {
	Made   ssair.Instr // makes the channel
	Sender []Site      // the spawner's instruction, and the send if that is in another function
	Closed bool
}

// Fed returns how the channels that a receive may receive from are fed; ok is
// false if it is not one channel per run of the spawner, or not one send.
func (v *View) Fed(recv Site) (f Feed, ok bool) {
	chans := v.Operand(recv.Inst, recv.At, 0)
	if len(chans) != 1 {
		return f, false
	}
	c := v.canonical(int32(chans[0]))
	if x, asked := v.feeds[c]; asked {
		return x.Feed, x.ok
	}
	if v.feeds == nil {
		v.feeds = make(map[int32]fed)
	}
	f, ok = v.fed(c)
	v.feeds[c] = fed{f, ok}
	return f, ok
}

type fed struct {
	Feed
	ok bool
}

func (v *View) fed(c int32) (f Feed, ok bool) {
	if c >= v.ov.first || v.ov.ownerOf(c) < 0 {
		return f, false
	}
	o := v.ov.object(v.ov.ownerOf(c))
	if o.kind != objAlloc || !v.isSpawner(o.inst) {
		return f, false
	}
	base := v.ov.base
	spawner := base.inst(o.inst)
	made := &spawner.fn.Allocs[o.alloc]
	if made.Kind != AllocChan || made.InLoop || made.Loop >= 0 {
		return f, false
	}
	f.Made = made.At
	for id := range v.ov.firstInst {
		in := base.inst(id)
		for k := range in.fn.Operands {
			x := &in.fn.Operands[k]
			if !base.pts(in.node(x.Node)).Has(c) {
				continue
			}
			switch kind, known := stepKind(in.fn.Flow, x); {
			case !known:
				return f, false
			case kind == flow.Close:
				f.Closed = true
			case kind == flow.Send:
				s, ok := v.sender(o.inst, id, x.At)
				if !ok || f.Sender != nil && !sameSites(base, f.Sender, s) {
					return f, false
				}
				f.Sender = s
			}
		}
	}
	return f, f.Sender != nil
}

// stepKind returns what an operation does with its channel; known is false if
// it is no plain send, receive or close.
func stepKind(f *flow.Func, x *Operand) (kind flow.Kind, known bool) {
	if f == nil {
		return 0, false
	}
	for i := range f.Steps {
		s := &f.Steps[i]
		if s.Site != x.At || (s.Kind == flow.Send || s.Kind == flow.Recv) && s.Operand != int(x.K) {
			continue
		}
		switch {
		case s.Kind == flow.Recv, s.Kind == flow.Close, s.Kind == flow.Send && !s.Select:
			return s.Kind, true
		}
		return 0, false
	}
	return 0, false
}

// sender returns the way from the spawner to a send: its own, or that of a
// function which it starts or calls once, and nothing else does.
func (v *View) sender(spawner, id InstID, at ssair.Instr) ([]Site, bool) {
	if id == spawner {
		return []Site{{id, at}}, true
	}
	in := v.ov.base.inst(id)
	if len(in.callers) != 1 || in.callers[0].Inst != spawner {
		return nil, false
	}
	from := in.callers[0].At
	calls := v.ov.base.inst(spawner).fn
	for k := range calls.Calls {
		if c := &calls.Calls[k]; c.At == from && (c.Loop >= 0 || c.InLoop) {
			return nil, false
		}
	}
	for _, s := range calls.Spawns {
		if s.At == from && s.Self {
			return nil, false
		}
	}
	return []Site{{spawner, from}, {id, at}}, true
}

// sameSites reports whether two ways lead to one instruction.
func sameSites(s *solver, a, b []Site) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i].At != b[i].At || s.inst(a[i].Inst).fn != s.inst(b[i].Inst).fn {
			return false
		}
	}
	return true
}
