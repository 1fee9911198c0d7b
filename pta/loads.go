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

// minShared is the number of objects from which loads are shared.
const minShared = 8

// A loadKey names what is loaded by a node.
type loadKey struct{ node, off int32 }

// A sharedLoad is a constraint of the solver itself: dst ⊇ what is loaded by the node that it
// watches.
type sharedLoad struct{ off, dst int32 }

// sharedInst is the instance of constraints that are shared loads.
const sharedInst InstID = -1

// load makes dst ⊇ what is loaded, at an offset, by new elements of a node.
func (s *solver) load(st *node, off, dst int32, news *bitset.Set) {
	from := s.lender(st)
	if from == nil {
		s.loadEach(off, dst, news, nil)
		return
	}
	s.addEdge(s.loadedBy(from, off), dst)
	if from.pts != st.pts {
		s.loadEach(off, dst, news, from.pts)
	}
}

// loadEach loads by each location of a set that is not in another one.
func (s *solver) loadEach(off, dst int32, set, but *bitset.Set) {
	for l := range set.All() {
		if but.Has(l) {
			continue
		}
		if x, ok := s.shift(l, off); ok {
			s.loadEdges(x, dst, partAny)
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

// loadedBy returns the node that has what is loaded by another at an offset.
func (s *solver) loadedBy(st *node, off int32) int32 {
	k := loadKey{st.id, off}
	n, ok := s.loaded[k]
	if !ok {
		n = s.addNodes(1)
		if s.loaded == nil {
			s.loaded = make(map[loadKey]int32)
		}
		s.loaded[k] = n
		s.shared = append(s.shared, sharedLoad{off, n})
		s.watch(st.id, conRef{sharedInst, int32(len(s.shared) - 1)})
	}
	return n
}
