package inview

import (
	"slices"
	"strings"

	"github.com/iterace/iterace/pta"
	"github.com/iterace/iterace/pta/flow"
)

// maxPassed bounds the calls by which a function value is passed down.
const maxPassed = 6

// Up translates a path from the frame of instance i, which the call at c runs: to
// the frame that calls, or, for a variable that a function captures which is passed
// to a helper,
//
//	each(items, func(x item) { wg.Go(…) })
//
// to the frame that has made it and passes it down. That is one chain of calls,
// so that the variable is of the very run that is up there. What passes the helper
// other functions does not count.
func (s *Set) Up(i pta.InstID, c pta.Site, p flow.Path) (pta.InstID, flow.Path, bool) {
	f := s.w.Flow(c.Inst)
	if q, ok := f.UpAt(c.At, p); ok {
		return c.Inst, q, true
	}
	self := s.w.Flow(i)
	if f == nil || self == nil || !strings.HasPrefix(p.Root, "f") {
		return 0, p, false
	}
	steps := f.StepsAt(c.At)
	if len(steps) == 0 {
		return 0, p, false
	}
	made, ok := s.makers(c.Inst, f.Callee(&f.Steps[steps[0]]), self.Name, maxPassed)
	if !ok || len(made) != 1 {
		return 0, p, false
	}
	q, ok := s.w.Flow(made[0].Inst).UpCaptured(made[0].At, p)
	return made[0].Inst, q, ok
}

// A makersKey is a question of makers.
type makersKey struct {
	inst  pta.InstID
	fn    flow.Path
	name  string
	depth int
}

// A madeAt is an answer of makers.
type madeAt struct {
	sites []pta.Site
	ok    bool
}

// Makers returns where function literals of a name are made that a frame has as a value: made by
// it, or by what calls it and passes them down; ok is false if it may have them in another way.
func (s *Set) Makers(i pta.InstID, fn flow.Path, name string) (made []pta.Site, ok bool) {
	return s.makers(i, fn, name, maxPassed)
}

// makers returns where function literals of a name are made that a frame gets as a
// value by argument; ok is false if it may get them in another way.
func (s *Set) makers(i pta.InstID, fn flow.Path, name string, depth int) (made []pta.Site, ok bool) {
	key := makersKey{i, fn, name, depth}
	if m, ok := s.made[key]; ok {
		return m.sites, m.ok
	}
	made, ok = s.findMakers(i, fn, name, depth)
	if s.made == nil {
		s.made = make(map[makersKey]madeAt)
	}
	s.made[key] = madeAt{made, ok}
	return made, ok
}

func (s *Set) findMakers(i pta.InstID, fn flow.Path, name string, depth int) (made []pta.Site, ok bool) {
	if at, ok := fn.Made(); ok {
		c := s.w.Flow(i).ClosureAt(at)
		switch {
		case c == nil || fn.Sels != "":
			return nil, false
		case c.Fn != name:
			return nil, true
		}
		return []pta.Site{{Inst: i, At: at}}, true
	}
	callers := s.Callers(i)
	if depth == 0 || len(callers) == 0 {
		return nil, false
	}
	for _, c := range callers {
		q, ok := s.w.Flow(c.Inst).UpAt(c.At, fn)
		if !ok {
			return nil, false
		}
		more, ok := s.makers(c.Inst, q, name, depth-1)
		if !ok {
			return nil, false
		}
		for _, m := range more {
			if !slices.Contains(made, m) {
				made = append(made, m)
			}
		}
	}
	return made, true
}
