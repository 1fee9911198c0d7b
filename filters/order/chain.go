package order

import (
	"slices"

	"github.com/iterace/iterace/internal/ssair"
	"github.com/iterace/iterace/pta"
	"github.com/iterace/iterace/pta/flow"
)

// This file is the rule for chains of channels: each round of a loop makes a
// channel, and its goroutine waits for that of the round before and then
// releases its own. So the goroutines run one after the other, as far as they
// stand between the two.

// A link is what one loop's goroutines do with a chain of channels.
type link struct {
	a     *Analysis
	spawn pta.Site
	step  int32 // of the spawn
	body  pta.InstID
	f     *flow.Func // the spawner
	chain *flow.Chain
	gives []*op // of this round's channel
}

// linksOf returns the chains in which thread t takes part, so that it releases
// its channel nowhere but behind a receive from the one before.
func (a *Analysis) linksOf(t pta.InstID) []*link {
	if ls, ok := a.links[t]; ok {
		return ls
	}
	if a.links == nil {
		a.links = make(map[pta.InstID][]*link)
	}
	a.links[t] = nil
	sites := a.spawnsOf(t)
	if len(sites) != 1 {
		return nil
	}
	f := a.w.Flow(sites[0].Inst)
	steps := f.StepsAt(sites[0].At)
	if len(steps) != 1 || f.Steps[steps[0]].Kind != flow.Spawn || f.Steps[steps[0]].Repeat {
		return nil
	}
	var out []*link
	for i, c := range f.Chains {
		k := &link{a: a, spawn: sites[0], step: steps[0], body: t, f: f, chain: &f.Chains[i]}
		if f.Innermost(f.BlockOf(f.BeforeStep(k.step))) == c.Loop && k.find() {
			out = append(out, k)
		}
	}
	a.links[t] = out
	return out
}

// find collects the releases of the round's own channel, and reports whether
// they are all made by the goroutine of its round, behind the receive.
func (k *link) find() bool {
	for _, o := range k.a.allOps {
		if o.kind != opSend && o.kind != opClose || !k.onOwn(o) {
			continue
		}
		ts := k.a.threadsOf(o.inst)
		if !slices.Contains(ts, k.body) {
			if len(ts) == 1 && k.twin(ts[0]) {
				continue
			}
			return false // someone else releases
		}
		if len(ts) != 1 || !k.is(o.inst, o.path, k.chain.Made) || k.unlinked().reachesOp(o) {
			return false
		}
		k.gives = append(k.gives, o)
	}
	return len(k.gives) > 0
}

// twin reports whether t is what the same spawn starts in another round.
func (k *link) twin(t pta.InstID) bool {
	sites := k.a.spawnsOf(t)
	return len(sites) == 1 && sites[0] == k.spawn
}

// onOwn reports whether o may operate on the channels that the rounds make.
func (k *link) onOwn(o *op) bool {
	return slices.ContainsFunc(o.locs, func(l pta.Loc) bool {
		x := k.a.w.Object(l)
		return k.a.external(l) || x.Alloc.Inst == k.spawn.Inst && x.Alloc.At == k.chain.Made
	})
}

// is reports whether a path of the body's frame is the value made at an
// instruction of the spawner's.
func (k *link) is(i pta.InstID, p flow.Path, at ssair.Instr) bool {
	j, q, ok := k.a.origin(i, p, 0)
	if !ok || j != k.spawn.Inst || q.Sels != "" {
		return false
	}
	n, ok := q.Made()
	return ok && n == at
}

// unlinked is all that the body comes to before it has received from the
// channel of the round before.
func (k *link) unlinked() *walk {
	return k.a.kept(walkKey{kind: 'l', inst: k.body, site: k.chain.Phi}, func() *walk {
		w := k.a.newWalk()
		w.toward(k.body)
		w.avoid = func(p place, _ bool) bool {
			if p.step < 0 || p.f.Steps[p.step].Kind != flow.Recv || p.inst != k.body {
				return false
			}
			return k.is(p.inst, p.f.Path(p.f.Steps[p.step].Args[0]), k.chain.Phi)
		}
		return w.fromEntry(k.body).run()
	})
}

// over reports whether x is over when the round's channel is released.
func (k *link) over(x *class) bool {
	return !slices.ContainsFunc(k.gives, func(o *op) bool { return !k.a.over(x, o) })
}

// inChain reports whether x of one round and y of another both lie between the
// receive and the release of one chain.
func (a *Analysis) inChain(x, y access) bool {
	t, ok := a.sole(x.inst)
	if !ok {
		return false
	}
	u, ok := a.sole(y.inst)
	if !ok {
		return false
	}
	for _, k := range a.linksOf(t) {
		for _, m := range a.linksOf(u) {
			if k.spawn == m.spawn && k.chain == m.chain &&
				!k.unlinked().reaches(x.inst, x.at) && !m.unlinked().reaches(y.inst, y.at) &&
				k.over(a.classOf(x)) && m.over(a.classOf(y)) {
				return true
			}
		}
	}
	return false
}

// chainEnds decides for a receive in the spawner from the last round's channel:
// all rounds are over.
func (a *Analysis) chainEnds(n *op, x *class) bool {
	if len(n.f.Chains) == 0 || len(x.threads) != 1 {
		return false
	}
	at, ok := n.path.Made()
	if !ok || n.path.Sels != "" {
		return false
	}
	for _, k := range a.linksOf(x.threads[0]) {
		// The variable of the rounds is the last one's channel if no round is
		// left behind the spawn.
		last := slices.Contains(k.chain.Ends, at) ||
			k.chain.Phi == at && !k.f.Loops[k.chain.Loop].Has(a.blockOf(n)) && k.f.StaysIn(k.step, k.chain.Loop)
		if k.spawn.Inst == n.inst && last && k.over(x) {
			return true
		}
	}
	return false
}
