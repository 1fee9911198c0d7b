package pta

import "github.com/iterace/iterace/internal/bitset"

// This file keeps the points-to sets of nodes, which share their memory where they
// are equal by the way in which they came about.

// A node is the state of a constraint variable.
type node struct {
	id     int32 // its number; that of a merged node is one of its members'
	order  int32 // topological, as of the last look for cycles
	pts    *bitset.Set
	passed *bitset.Set // pts when the node last had its turn
	delta  bitset.Set  // elements of pts that have not been passed on
	owned  bool        // nobody else refers to pts: it may be changed in place
	all    bool        // no element of pts has been passed on; delta is empty then
	queued bool
	lender int32 // the node of which its first set is, and one; zero if there is none
	born   int32 // when it got that: the number of those that had one before, and one

	out     []int32
	cons    []conRef
	outSet  *numberSet // when out is long
	members []int32    // nil for a node that is not merged
}

// A numberSet is a hashed set of node numbers. As maps these were a twentieth of what
// solving took.
type numberSet struct {
	slots []int32 // numbers and one, zero where there is none, in half of them at least
	n     int
}

func newNumberSet(of []int32) *numberSet {
	x := new(numberSet)
	for x.slots = make([]int32, 4); len(x.slots) < 4*len(of); {
		x.slots = make([]int32, 2*len(x.slots))
	}
	for _, n := range of {
		x.add(n)
	}
	return x
}

// add reports whether a number is new.
func (x *numberSet) add(n int32) bool {
	if 2*x.n == len(x.slots) {
		old := x.slots
		x.slots, x.n = make([]int32, 2*len(old)), 0
		for _, m := range old {
			if m != 0 {
				x.add(m - 1)
			}
		}
	}
	mask := uint32(len(x.slots) - 1)
	for i := uint32(n) * 0x9e3779b1 >> 7 & mask; ; i = (i + 1) & mask {
		switch x.slots[i] {
		case 0:
			x.slots[i] = n + 1
			x.n++
			return true
		case n + 1:
			return false
		}
	}
}

func (s *solver) enqueue(n int32, st *node) {
	if st.born == 0 {
		s.births++
		st.born = s.births
	}
	if !st.queued && !s.naive {
		st.queued = true
		s.queue = append(s.queue, n)
	}
}

func (s *solver) addPts(n, loc int32) {
	st := s.state(n)
	if !st.pts.Has(loc) {
		st.own().Add(loc)
		if !st.all {
			st.delta.Add(loc)
		}
		s.changed = true
		s.enqueue(n, st)
	}
}

func (s *solver) addSet(n int32, set *bitset.Set) {
	if set.Empty() {
		return
	}
	s.addTo(s.state(n), set)
}

// addShared adds a set that never changes.
func (s *solver) addShared(n int32, set *bitset.Set) {
	st := s.state(n)
	switch {
	case set.Empty():
	case st.pts.Empty() && !s.naive:
		if set.Len() >= minShared {
			st.lender = s.holder(set).id + 1
		}
		st.pts, st.owned, st.all = set, false, true
		s.changed = true
		s.enqueue(st.id, st)
	default:
		s.addTo(st, set)
	}
}

func (s *solver) addTo(st *node, set *bitset.Set) {
	if st.pts != set && !st.pts.Contains(set) {
		if st.owned {
			st.pts.Union(set, st.news())
		} else {
			st.pts, st.owned = st.pts.With(set, st.news()), true
		}
		s.changed = true
		s.enqueue(st.id, st)
	}
}

// news returns what is to be told of new elements; nil if all are new anyway.
func (st *node) news() *bitset.Set {
	if st.all {
		return nil
	}
	return &st.delta
}

// own returns the node's set for a change.
func (st *node) own() *bitset.Set {
	if !st.owned {
		st.pts, st.owned = st.pts.Copy(), true
	}
	return st.pts
}

// noPts is the set of a node that points nowhere yet.
var noPts = new(bitset.Set)

// flow passes what is new in a node on along a copy edge. Most nodes have one
// source and then hold what it has passed on, in the very same memory: of 148
// million elements on a module with many tests 9 million were different.
func (s *solver) flow(from, to *node, delta *bitset.Set) {
	switch {
	case to.pts == from.pts:
	case to.pts.Empty():
		s.lend(from, to)
	case to.pts == from.passed:
		to.pts, to.owned, from.owned = from.pts, false, false
		if !to.all {
			to.delta.Union(delta, nil)
		}
		s.enqueue(to.id, to)
	case to.pts.Contains(delta):
		// In a cycle that is not found yet most of what comes round is known; this is
		// asked first, since delta is small.
	case from.pts.Contains(to.pts):
		// What to has for itself has come round to from: each append to one slice has the
		// arrays of all of them. With a copy for each node, 8,000 appends took 2.4 GB.
		if !to.all {
			to.pts.AddMissing(delta, &to.delta)
		}
		to.pts, to.owned, from.owned = from.pts, false, false
		s.changed = true
		s.enqueue(to.id, to)
	default:
		s.addTo(to, delta)
	}
}

// lend gives an empty node the set of another.
func (s *solver) lend(from, to *node) {
	to.pts, to.owned, from.owned, to.all = from.pts, false, false, true
	to.lender = from.id + 1
	s.changed = true
	s.enqueue(to.id, to)
}
