package index

// This file holds values that are one of several: merges of control flow and
// results of callees with several returns. That one of them was taken holds
// only if control got there: the code may return or break out before. So a
// choice is no axiom of its unknown; it is used where its block has executed,
// and elsewhere as part of the choice that it flows into.

// A choice says that an unknown is one of some values, each under conditions.
type choice struct {
	f   *frame
	blk int32 // where the choice is made
	d   disj  // the first literal of every alternative defines the unknown
}

// A point is a block that has been executed to its end.
type point struct {
	f   *frame
	blk int32
}

// made reports whether control got to the choice: its block dominates the
// frame's own instruction, or a block that is known to have been executed.
func (c *choice) made(also []point) bool { return reached(c.f, c.blk, also) }

func reached(f *frame, blk int32, also []point) bool {
	if f.call != 0 {
		i, ok := f.returned(false)
		return ok && f.c.dominates(blk, f.c.vals[f.c.rets[i]].blk) &&
			reached(f.up, f.up.c.vals[f.call].blk, also)
	}
	if f.at >= 0 && f.c.dominates(blk, f.c.blockOf(f.at)) {
		return true
	}
	for _, p := range also {
		if p.f.id == f.id && p.f.side == f.side && f.c.dominates(blk, p.blk) {
			return true
		}
	}
	return false
}

// maxAlts bounds the alternatives of one choice.
const maxAlts = 10

// choose records the alternatives of an unknown. Choices made on the way to
// only one of them are replaced by their alternatives.
func (f *frame) choose(a atom, blk int32, d disj) {
	e := f.e
	for again := true; again; {
		again = false
		var out [][]literal
		for _, alt := range d.alts {
			b := f.inner(alt, blk)
			if b < 0 {
				out = append(out, alt)
				continue
			}
			again = true
			c := e.atoms[b].choice
			d.why = d.why.or(c.d.why)
			for _, y := range c.d.alts {
				value := variable(b).sub(y[0].p) // y[0] is b - value = 0
				var merged []literal
				for k, x := range alt {
					p, ok := x.p.subst(b, value)
					if !ok {
						if k == 0 {
							return
						}
						continue
					}
					x.p = p
					merged = append(merged, x)
				}
				out = append(out, append(merged, y[1:]...))
			}
		}
		d.alts = out
		if len(out) > maxAlts {
			return // too many: the unknown stays one of its own
		}
	}
	e.atoms[a].choice = &choice{f, blk, d}
}

// inner returns an unknown of the alternative that is a choice of the same
// frame made on the way to blk, or -1.
func (f *frame) inner(alt []literal, blk int32) atom {
	found := atom(-1)
	for _, x := range alt {
		x.p.atoms(func(a atom) {
			c := f.e.atoms[a].choice
			if c != nil && c.f.id == f.id && c.f.side == f.side && !f.c.dominates(c.blk, blk) && found < 0 {
				found = a
			}
		})
	}
	return found
}
