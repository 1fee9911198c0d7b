package order

import "github.com/iterace/iterace/pta"

// What an instance leads to is asked of thousands of instances, which call each other: those
// of one strongly connected component lead to the same (Tarjan's algorithm), and have one set. A
// search from each was a third of all that a language server's loops had fuel for.

// maxBelow bounds the memory for what is kept of belowOf, in words.
const maxBelow = 4 << 20

// belowOf returns the frames that the entry of an instance leads to by calls, and
// by spawns if asked for. Every walk that looks at nothing there has the same
// use for them.
func (a *Analysis) belowOf(c pta.InstID, spawns bool) *idSet[frameID] {
	kind := 0
	if spawns {
		kind = 1
	}
	fr := a.frameOf(c)
	if fr.below[kind] == nil && a.frames.below <= maxBelow {
		b := &belows{a: a, kind: kind}
		b.find(fr)
	}
	if out := fr.below[kind]; out != nil {
		return out
	}
	out := new(idSet[frameID])
	out.add(fr.id)
	for work := []*frame{fr}; len(work) > 0; {
		fr := work[len(work)-1]
		work = work[:len(work)-1]
		for _, list := range a.entered(fr, kind) {
			for _, c := range list {
				fr := a.frameOf(c.inst)
				switch b := fr.below[kind]; {
				case out.has(fr.id):
				case b != nil:
					out.union(b)
				default:
					a.fuel--
					out.add(fr.id)
					work = append(work, fr)
				}
			}
		}
	}
	return out
}

// entered lists what a frame leads to itself.
func (a *Analysis) entered(fr *frame, kind int) [2][]callee {
	in := a.interiorOf(fr.inst)
	if kind == 0 {
		return [2][]callee{in.calls}
	}
	return [2][]callee{in.calls, in.spawns}
}

// belows finds what frames lead to, by component.
type belows struct {
	a     *Analysis
	kind  int
	met   pages[int32] // by frame: when the search came to it
	count int32
	open  []*frame // of components that are not complete
}

// A search is a frame that is being gone through.
type search struct {
	fr   *frame
	left [2][]callee
	low  int32
}

// find sets what a frame leads to, and all below it, unless that takes too much memory.
func (b *belows) find(fr *frame) {
	var path []search
	enter := func(fr *frame) {
		b.a.fuel--
		b.count++
		*b.met.at(int32(fr.id)) = b.count
		b.open = append(b.open, fr)
		path = append(path, search{fr, b.a.entered(fr, b.kind), b.count})
	}
	for enter(fr); len(path) > 0; {
		s := &path[len(path)-1]
		list := &s.left[0]
		if len(*list) == 0 {
			list = &s.left[1]
		}
		if len(*list) > 0 {
			to := b.a.frameOf((*list)[0].inst)
			*list = (*list)[1:]
			switch met := b.met.get(int32(to.id)); {
			case to.below[b.kind] != nil:
			case met > 0:
				s.low = min(s.low, met)
			default:
				enter(to)
			}
			continue
		}
		low := s.low
		if met := b.met.get(int32(s.fr.id)); low == met && !b.complete(s.fr) {
			return
		}
		if path = path[:len(path)-1]; len(path) > 0 {
			up := &path[len(path)-1]
			up.low = min(up.low, low)
		}
	}
}

// complete gives the open frames from fr on, which are a component, what they lead to; false if
// there is no room for it.
func (b *belows) complete(fr *frame) bool {
	n := len(b.open) - 1
	for b.open[n] != fr {
		n--
	}
	members := b.open[n:]
	b.open = b.open[:n]
	out := new(idSet[frameID])
	for _, m := range members {
		out.add(m.id)
	}
	for _, m := range members {
		for _, list := range b.a.entered(m, b.kind) {
			for _, c := range list {
				if to := b.a.frameOf(c.inst); !out.has(to.id) {
					out.union(to.below[b.kind])
				}
			}
		}
	}
	if b.a.frames.below += len(out.bits); b.a.frames.below > maxBelow {
		return false
	}
	for _, m := range members {
		m.below[b.kind] = out
	}
	return true
}
