package order

import (
	"slices"

	"github.com/iterace/iterace/internal/idset"
	"github.com/iterace/iterace/pta/flow"
)

// A walk that stops nowhere does the same in a frame from a gap on as any other that
// comes there: so do the walks to all that may happen after an operation, or beside
// a thread. What they do there is worked out once. Of a language server's loops these walks were
// four of ten nodes.

// A segment is what a frame does from a gap on.
type segment struct {
	id     int32
	gaps   idset.Set[flow.Gap] // of the frame
	calls  []callee
	spawns []callee
	ends   []flow.Outcome // with which it may return
}

// segmentFrom returns what a frame that is entered, or returned to, at a gap does
// from there on.
func (a *Analysis) segmentFrom(fr *frame, g flow.Gap) *segment {
	if s := fr.segments[g]; s != nil {
		return s
	}
	a.frames.segments++
	s := &segment{id: a.frames.segments, gaps: idset.Sized[flow.Gap](len(fr.block))}
	var work []flow.Gap
	push := func(h flow.Gap) {
		if s.gaps.Add(h) {
			work = append(work, h)
		}
	}
segment:
	for push(g); len(work) > 0; {
		h := work[len(work)-1]
		work = work[:len(work)-1]
		for h != fr.next[h] {
			if h++; !s.gaps.Add(h) {
				continue segment
			}
		}
		b := fr.block[h]
		blk := &fr.f.Blocks[b]
		if k := int32(h) - b; k < blk.Hi {
			if s.passes(a, fr, g, k) {
				push(h + 1)
			}
			continue
		}
		for k := range blk.Succs {
			e := &blk.Succs[k]
			if to, ok := a.follows(fr.inst, fr.f, e); ok && !fr.f.Excludes(g, b, e.To) {
				push(fr.f.First(to))
			}
		}
		if blk.Exit && !slices.Contains(s.ends, blk.Outcome) {
			s.ends = append(s.ends, blk.Outcome)
		}
	}
	if fr.segments == nil {
		fr.segments = make(map[flow.Gap]*segment)
	}
	fr.segments[g], fr.parts = s, append(fr.parts, s)
	return s
}

// passes notes what a step of a segment that begins at g does, and reports whether
// control passes it. A deferred call that is registered on all ways to g is made.
func (s *segment) passes(a *Analysis, fr *frame, g flow.Gap, k int32) bool {
	st := &fr.f.Steps[k]
	passes, enter := a.freeStep(fr, k)
	passes = passes || st.Optional && !fr.f.Registered(k, g)
	for _, c := range enter {
		if st.Kind != flow.Call {
			s.spawns = append(s.spawns, callee{k, c})
			continue
		}
		s.calls = append(s.calls, callee{k, c})
		passes = a.interiorOf(c).exits || passes
	}
	return passes
}

// free reports whether a walk stops nowhere, and looks at nothing.
func (w *walk) free() bool {
	return w.avoid == nil && w.tab == nil && w.sub == nil && w.birth == noSite && w.stopAt == noSite && w.goal == noSite && w.within == noThread && !w.a.plain
}

// cameFreely reports whether a walk that is free came to a gap.
func (w *walk) cameFreely(fr *frame, g flow.Gap) bool {
	return w.segments.Words() > 0 && slices.ContainsFunc(fr.parts, func(s *segment) bool { return w.segments.Has(s.id) && s.gaps.Has(g) })
}

// roam is run for a walk that is free.
func (w *walk) roam() {
	for len(w.work) > 0 {
		w.budget--
		w.a.fuel--
		if w.budget < 0 || w.a.fuel < 0 {
			w.exhausted, w.work = true, nil
			return
		}
		n := w.work[len(w.work)-1]
		w.work = w.work[:len(w.work)-1]
		fr := w.a.frameOf(n.inst)
		s := w.a.segmentFrom(fr, n.gap)
		w.segments.Add(s.id)
		for _, c := range s.calls {
			w.absorb(c.inst)
		}
		if w.spawns {
			for _, c := range s.spawns {
				w.absorb(c.inst)
			}
		}
		for _, o := range s.ends {
			w.exit(n, fr, o)
		}
	}
}
