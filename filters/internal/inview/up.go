package inview

import (
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
	up, fn := c.Inst, f.Callee(&f.Steps[steps[0]])
	for range maxPassed {
		var next []pta.Site
		var passed flow.Path
		for _, c := range s.Callers(up) {
			f := s.w.Flow(c.Inst)
			q, ok := f.UpAt(c.At, fn)
			if !ok {
				return 0, p, false
			}
			if at, ok := q.Made(); ok && q.Sels == "" {
				made := f.ClosureAt(at)
				if made == nil {
					return 0, p, false
				}
				if made.Fn != self.Name {
					continue
				}
			}
			next, passed = append(next, c), q
		}
		if len(next) != 1 {
			return 0, p, false
		}
		up, fn = next[0].Inst, passed
		if at, ok := fn.Made(); ok {
			q, ok := flow.Up(p, s.w.Flow(up).Captured(at))
			return up, q, ok
		}
	}
	return 0, p, false
}
