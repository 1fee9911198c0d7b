package pta

import (
	"cmp"
	"slices"

	"github.com/iterace/iterace/internal/bitset"
)

// A holding finds the values of functions, as nodes of the frozen base, that may point to a
// location. To go through all nodes for each place that is asked about was a fourteenth of the
// loops of a site generator.
type holding struct {
	sets  lists // by location
	nodes lists // by set
}

// lists are lists of numbers by number, in one array.
type lists struct{ start, all []int32 }

func (l *lists) at(k int32) []int32 { return l.all[l.start[k]:l.start[k+1]] }

// newLists makes n lists of what each calls its argument with, which it does twice.
func newLists(n int, each func(add func(k, x int32))) lists {
	l := lists{start: make([]int32, n+1)}
	each(func(k, _ int32) { l.start[k+1]++ })
	for k := range n {
		l.start[k+1] += l.start[k]
	}
	l.all = make([]int32, l.start[n])
	next := slices.Clone(l.start)
	each(func(k, x int32) {
		l.all[next[k]] = x
		next[k]++
	})
	return l
}

// holding returns the base's.
func (r *Result) holding() *holding {
	r.onces.holds.Do(func() {
		s := r.base.s
		r.holds.sets = newLists(len(s.owners), func(add func(k, x int32)) {
			for id := range s.sets {
				for l := range s.sets[id].All() {
					add(l, int32(id))
				}
			}
		})
		r.holds.nodes = newLists(len(s.sets), func(add func(k, x int32)) {
			for _, in := range s.insts {
				for n := range Node(in.fn.NNodes) {
					if id := s.setOf[in.node(n)]; id >= 0 {
						add(id, in.node(n))
					}
				}
			}
		})
	})
	return &r.holds
}

// valueOf returns which value of which instance a node of the frozen base is.
func (s *solver) valueOf(n int32) (InstID, Node) {
	insts := s.insts // whose nodes come in their order
	k, _ := slices.BinarySearchFunc(insts, n, func(in *instance, n int32) int { return cmp.Compare(in.base+in.fn.NNodes-1, n) })
	return InstID(k), Node(n - insts[k].base)
}

// of lists the values that may point to one of some locations, by number.
func (h *holding) of(names *bitset.Set) (nodes []int32) {
	asked := make(map[int32]bool)
	for l := range names.All() {
		for _, id := range h.sets.at(l) {
			if !asked[id] {
				asked[id] = true
				nodes = append(nodes, h.nodes.at(id)...)
			}
		}
	}
	slices.Sort(nodes)
	return nodes
}

// cellsWith lists the locations of the base that may hold a pointer to a location.
func (r *Result) cellsWith(l int32) []int32 {
	return remembered(&r.mu, r.cells, l, func() (cells []int32) {
		s := r.base.s
		for c := range int32(len(s.owners)) {
			if id := s.setOf[c]; id >= 0 && s.owners[c] >= 0 && s.sets[id].Has(l) {
				cells = append(cells, c)
			}
		}
		return cells
	})
}

// localOnly reports whether nothing but values of the function that has made it may point to an object.
func (r *Result) localOnly(obj int32) bool {
	s := r.base.s
	o := s.object(obj)
	if o.kind != objAlloc || o.inst < 0 || len(r.cellsWith(o.loc)) > 0 {
		return false
	}
	var names bitset.Set
	for l := o.loc; l < o.loc+o.layout.Len(); l++ {
		names.Add(l)
	}
	return !slices.ContainsFunc(r.holding().of(&names), func(n int32) bool {
		i, _ := s.valueOf(n)
		return i != o.inst
	})
}
