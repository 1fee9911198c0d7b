package pta

import "github.com/iterace/iterace/internal/bitset"

// This file lets loads by pointers that lead to the same objects share what they load. A copy edge
// from each cell that a pointer leads to, to each variable that is loaded by it, is what the
// textbook has; but a program may pass one pointer to thousands of functions, as an interpreter does with
// its frame, each of which looks into all objects that the pointer may have. Most nodes get their
// first set from one node, whole, along a copy edge; so a load is left to a node that loads by
// that one, once for each offset, and only what the pointer has besides is loaded by itself.
//
// Leaving loads to others ends somewhere: who lends has got its set before, and born says when. Merged
// nodes are as old as the oldest of them, and a cycle of copy edges is merged whole.

// minShared is the number of objects from which loads are shared. It is a variable for tests.
var minShared = 8

// A loadKey names what is loaded by a node; in an overlay, own is the side of an own load.
type loadKey struct {
	node, off int32
	own       uint8
}

// A sharedLoad is a constraint of the solver itself: dst ⊇ what is loaded by the node that it
// watches.
type sharedLoad struct {
	loadKey
	dst int32
}

// sharedInst is the instance of constraints that are shared loads.
const sharedInst InstID = -1

// load makes dst ⊇ what is loaded, at an offset, by new elements of a node.
func (s *solver) load(st *node, off, dst int32, own uint8, news *bitset.Set) {
	from := s.lender(st)
	if from == nil {
		s.loadEach(off, dst, own, news, nil)
		return
	}
	s.addEdge(s.loadedBy(loadKey{from.id, off, own}), dst)
	if from.pts != st.pts {
		s.loadEach(off, dst, own, news, from.pts)
	}
}

// loadEach loads by each location of a set that is not in another one.
func (s *solver) loadEach(off, dst int32, own uint8, set, but *bitset.Set) {
	if s.base != nil {
		s.ov.loadEach(off, dst, own, set, but)
		return
	}
	for l := range set.All() {
		if but.Has(l) {
			continue
		}
		if x, ok := s.shift(l, off); ok {
			s.loadEdges(x, dst, own)
		}
	}
}

// lender returns the node from which a node, through others perhaps, has had its first elements,
// the first one that has half as many; nil if there is none, or it has few.
func (s *solver) lender(st *node) *node {
	if s.naive || st.lender == 0 {
		return nil
	}
	var found *node
	half := 0
	for x := st; x.lender != 0; {
		y := s.state(x.lender - 1)
		if y.born >= x.born {
			break
		}
		if y.pts != st.pts {
			if half == 0 {
				half = max((st.pts.Len()+1)/2, minShared)
			}
			if y.pts.Len() < half {
				break
			}
		}
		found, x = y, y
	}
	if found != nil && half == 0 && found.pts.Len() < minShared {
		return nil
	}
	return found
}

// holder returns the node that has nothing but a set that never changes: nodes that are given
// one set share what they load by it.
func (s *solver) holder(set *bitset.Set) *node {
	n, ok := s.holders[set]
	if !ok {
		n = s.addNodes(1)
		if s.holders == nil {
			s.holders = make(map[*bitset.Set]int32)
		}
		s.holders[set] = n
		st := s.state(n)
		st.pts, st.all = set, true
		s.enqueue(n, st)
	}
	return s.state(n)
}

// loadedBy returns the node that has what is loaded by another.
func (s *solver) loadedBy(k loadKey) int32 {
	n, ok := s.loaded[k]
	if !ok {
		n = s.addNodes(1)
		if s.loaded == nil {
			s.loaded = make(map[loadKey]int32)
		}
		s.loaded[k] = n
		s.shared = append(s.shared, sharedLoad{k, n})
		s.watch(k.node, conRef{sharedInst, int32(len(s.shared) - 1)})
	}
	return n
}
