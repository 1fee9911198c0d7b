package locks

import (
	"strings"

	"github.com/iterace/iterace/pta/flow"
)

// This file names locks that a frame has no path to. Where
//
//	c.mu.Lock()
//	c.lru.add(k)
//
// add cannot say c.mu, but it runs under the mu of whatever has its receiver for
// lru. That is true of all methods of c that call it so, though each has locked by
// itself.

// An owner names a lock by what its owner refers to: the lock is selected by lock
// from an object from which back selects base.
type owner struct {
	base flow.Path // in the frame at hand
	back string
	lock string
}

// down names a held lock in the frame of a callee.
func down(h Held, bs []flow.Binding) Held {
	h.key, _ = flow.Down(h.key, bs)
	rename := func(p flow.Path) (flow.Path, bool) { return flow.Down(p, bs) }
	h.when, h.writes = h.when.renamed(rename), h.writes.renamed(rename)
	p, ok := flow.Down(h.Path, bs)
	if ok {
		h.Path, h.owner = p, owner{}
		return h
	}
	h.owner = ownerBelow(h, bs)
	h.Path = flow.Path{}
	return h
}

func ownerBelow(h Held, bs []flow.Binding) owner {
	for _, b := range bs {
		if h.Path.Known() {
			if l, d, ok := apart(h.Path, b.Caller); ok && d != "" && nameable(l) && nameable(d) {
				return owner{b.Callee, d, l}
			}
			continue
		}
		if h.owner == (owner{}) {
			return owner{}
		}
		if l, d, ok := apart(h.owner.base, b.Caller); ok && l == "" && nameable(d) {
			return owner{b.Callee, h.owner.back + d, h.owner.lock}
		}
	}
	return owner{}
}

// nameable reports whether selectors mean the same wherever they are applied.
func nameable(sels string) bool { return !strings.ContainsAny(sels, "[#^") }

// distance relates the lock and a datum, given by its path in the same frame.
func (o owner) distance(datum flow.Path) (distance, bool) {
	if o == (owner{}) {
		return distance{}, false
	}
	l, d, ok := apart(o.base, datum)
	return distance{lock: o.lock, datum: o.back + d, fixed: true}, ok && l == ""
}
