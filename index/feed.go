package index

import (
	"slices"

	"github.com/iterace/iterace/internal/ssair"
)

// This file evaluates what is handed out through a channel that one send in one
// run of the spawner feeds, jobs <- job{lo, hi}: two receives get the values of
// two executions of that send. So alpha and beta are two rounds of the loops
// around the send, and what each has received is evaluated in a frame of the
// sender, in its round. That the two take turns in loops of their own says
// nothing then: what varies in those is unknown.

// A Feed says how a channel gets what is received from it: by instruction At of
// the function Made in, or of the one that its instruction Go starts.
type Feed struct {
	Made   ssair.Instr // makes the channel, once in a run of the spawner
	Sender []Step      // from that step down to the send
	Closed bool        // it may be closed: then a receive may yield nothing
	list   string      // of no channel but of a list: what is taken from it, see list.go
	same   [][]int32   // loops around the steps of Sender that are in the same round for both, see filling
	step   int         // of the chains, where Sender begins: the spawner's, or that of a caller which fills a list
	alone  bool        // Sender is none of those functions, nor called by one
}

// fed returns the value that a receive yields in terms of the sender; ok is
// false if that is not known or not asked for.
func (f *frame) fed(r vref, v *val) (t thing, ok bool) {
	e := f.e
	if e.q.Oracle == nil || e.q.MainB || v.at < 0 || f.side == 0 {
		return t, false
	}
	feed, known := e.q.Oracle.Fed(f.chainAt(v), v.at)
	if !known || feed.Closed && v.n != okChecked || len(feed.Sender) == 0 {
		return t, false
	}
	ch := thing{f, v.a[0], ""}.chase()
	if ch.path != "" || ch.f.no != e.q.Spawn || ch.f.call != 0 || ch.f.sideOf(ch.val().blk) != 0 || ch.val().at != feed.Made {
		return t, false
	}
	if e.weak != filled5 {
		e.could[filled5] = true
		if e.q.feed == nil {
			feed.step = e.q.Spawn
			e.q.feed = &feed
		}
		return t, false
	}
	if e.q.feed == nil || len(e.q.feed.Sender) != len(feed.Sender) {
		return t, false
	}
	for i, s := range feed.Sender {
		if s != e.q.feed.Sender[i] {
			return t, false // of another channel
		}
	}
	if e.q.feed.list != "" {
		return t, false
	}
	g := e.sender(f, r, f.id)
	if g == nil {
		return t, false
	}
	s := g.c.get(g.c.at[g.at])
	if s.op != opSend || s.a[1] == 0 {
		return t, false
	}
	to := thing{g, s.a[0], ""}.chase()
	if to.path != "" || to.f.no != e.q.Spawn || to.val().at != feed.Made {
		return t, false
	}
	return thing{g, s.a[1], ""}, true
}

// okChecked marks a receive whose value is used only if there was one.
const okChecked = 1

// A receipt is a side's view of what it has received.
type receipt struct {
	by     string // the receive: two of them get the values of two sends
	r      vref
	frames []*frame // of the sender, by step
	loads  [][]Step // of elements of a list by indices of the iteration's own: the chains that lead to them
	of     string   // the list that it is taken from, where the sender is none of the chain's
}

// sender returns the frame of the send whose value a receive of a side yields,
// or of the append whose value a load from a list does; nil if the side has
// another receive already.
func (e *env) sender(f *frame, r vref, by string) *frame {
	x := &e.receipts[f.side-1]
	if x.frames == nil {
		first := e.q.feed.step
		chain := append(append([]Step(nil), f.chain[:first]...), e.q.feed.Sender...)
		x.by, x.r = by, r
		x.frames = e.frames(&Access{Chain: chain}, f.side)
		base := f
		for base.no > first || base.call != 0 {
			base = base.up
		}
		for _, g := range x.frames[first:] {
			if g == nil {
				x.frames = x.frames[:0]
				return nil
			}
			g.ghost = f
			if g.no == first && !e.q.feed.alone {
				g.tight = base
			}
			g.id += "^"
		}
	}
	if x.by != by || x.r != r || len(x.frames) == 0 {
		return nil
	}
	return x.frames[len(x.frames)-1]
}

// feeding returns the loops around the send instead of those around the spawn.
func (q *Query) feeding(n nest) nest {
	out := nest{last: n.last}
	for i, s := range q.feed.Sender {
		c := s.Fn.body()
		if c == nil || s.At < 0 {
			return nest{}
		}
		at := len(out.loops)
		for l := c.inner[c.blockOf(s.At)]; l >= 0; l = c.loops[l].parent {
			if i < len(q.feed.same) && slices.Contains(q.feed.same[i], l) {
				continue
			}
			out.loops = append(out.loops[:at:at], append([]parLoop{{q.feed.step + i, l}}, out.loops[at:]...)...)
		}
	}
	return out
}
