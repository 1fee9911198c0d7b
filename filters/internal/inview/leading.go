package inview

import (
	"slices"

	"github.com/iterace/iterace/internal/idset"
	"github.com/iterace/iterace/internal/pages"
	"github.com/iterace/iterace/internal/scc"
	"github.com/iterace/iterace/pta"
)

// This file finds what leads to instances: all that call or spawn them, directly or not. Order asks that of each
// operation that it forbids, some two thousand times in one loop of a program in which a quarter of two hundred
// thousand instances call each other; each time nearly all of what is found is what leads to these. Once much has
// been gone through, what leads to such a component is kept, and is the same list for all of it.

// A hub is a large component of instances that call or spawn each other, by its number plus one.
type hub int32

const (
	// minHub is how many instances make a hub. What leads to a smaller component is found as fast as it is copied.
	minHub = 256
	// maxHubs bounds the memory for what leads to hubs.
	maxHubs = 64
	// maxSpent is how many calls are looked at before it pays to look for hubs.
	maxSpent = 1_000_000
)

// A leading is what a Set knows of what leads where.
type leading struct {
	spent  int // calls that have been looked at
	hubs   pages.Table[pta.InstID, hub]
	to     []*idset.Set[pta.InstID] // by hub: its instances, and all that lead to them
	finder *scc.Finder[pta.InstID]  // nil while it does not pay
	single map[pta.InstID]*idset.Set[pta.InstID]
}

// LeadTo adds to a set some instances and all that lead to them. Of what the set has already it must have what
// leads there.
func (s *Set) LeadTo(set *idset.Set[pta.InstID], insts []pta.InstID) {
	l := &s.leading
	if l.finder == nil && l.spent > maxSpent {
		l.finder = &scc.Finder[pta.InstID]{
			Next: func(i pta.InstID, visit func(pta.InstID)) {
				for _, c := range s.Callers(i) {
					visit(c.Inst)
				}
			},
			Found: func(insts []pta.InstID, _ bool) { s.foundComponent(insts) },
		}
	}
	if l.finder != nil {
		for _, i := range insts {
			l.finder.Visit(i)
		}
	}
	s.leadTo(set, insts)
}

// foundComponent makes a hub of a component, if it is large. What leads to it is known by then.
func (s *Set) foundComponent(insts []pta.InstID) {
	l := &s.leading
	if len(insts) < minHub || len(l.to) == maxHubs {
		return
	}
	to := new(idset.Set[pta.InstID])
	s.leadTo(to, insts)
	l.to = append(l.to, to)
	for _, i := range insts {
		l.hubs.Set(i, hub(len(l.to)))
	}
}

func (s *Set) leadTo(set *idset.Set[pta.InstID], insts []pta.InstID) {
	l := &s.leading
	work := slices.Clone(insts)
	for _, i := range work {
		set.Add(i)
	}
	var done []hub
	for len(work) > 0 {
		i := work[len(work)-1]
		work = work[:len(work)-1]
		if h := l.hubs.Get(i); h > 0 {
			if !slices.Contains(done, h) {
				done = append(done, h)
				set.Union(l.to[h-1])
			}
			continue
		}
		callers := s.Callers(i)
		l.spent += len(callers)
		for _, c := range callers {
			if set.Add(c.Inst) {
				work = append(work, c.Inst)
			}
		}
	}
}

// LeadingTo returns an instance and all that lead to it. The set must not be changed; where the instance is one of many
// that lead to each other, it is the same for all of them.
func (s *Set) LeadingTo(i pta.InstID) *idset.Set[pta.InstID] {
	if h := s.leading.hubs.Get(i); h > 0 {
		return s.leading.to[h-1]
	}
	l := &s.leading
	set := l.single[i]
	if set == nil {
		set = new(idset.Set[pta.InstID])
		s.LeadTo(set, []pta.InstID{i})
		if l.single == nil {
			l.single = make(map[pta.InstID]*idset.Set[pta.InstID])
		}
		l.single[i] = set
	}
	return set
}
