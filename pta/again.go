package pta

import "github.com/iterace/iterace/internal/bitset"

// This file decides whether a loop is solved twice. An overlay takes a store of the
// base that other loops make too for theirs, unless it is known that they do not write
// there, which their own first rounds tell. Nearly always the guess was right: of the
// second rounds of a language server 137 of 140 found what the first had, of a site
// generator's 34 of 37, of those of x/tools, which took a third of all overlays, 17 of
// 23. So the first overlay is kept until then, and stands if each guess does.

// maxStanding is how many nodes those that are kept have together. The overlays of a
// language server that are not final at once have a million, and to keep them all takes 600 MB.
// Where one package is looked at, as under go vet, there is more room: of 41 second rounds of
// a scraper's tests 31 stood with a million, and all do if all are kept. That takes less memory than
// the million did when nodes were kept as they are while solving: 828 and not 910 MB.
const (
	maxStanding     = 300_000
	maxStandingUnit = 4_000_000
)

// keep holds on to the overlay of a first round.
//
//iterace:ignore each loop is taken once
func (r *Result) keep(loop int, ov *overlay) {
	if !ov.again || ov.stores || ov.overrun {
		return
	}
	most := maxStanding
	if r.Prog.Unit != "" {
		most = maxStandingUnit
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if n := len(ov.owners); r.standing+n <= most {
		r.standing += n
		r.firsts[loop] = ov
		ov.freezeSets()
	}
}

// stands returns the overlay of a loop's first round if a second one would be the
// same, and lets go of it otherwise.
//
//iterace:ignore each loop is taken once
func (r *Result) stands(loop int) *overlay {
	ov := r.firsts[loop]
	r.firsts[loop] = nil
	if ov == nil || !ov.guessedRight(r.writes) {
		return nil
	}
	return ov
}

// guessedRight lets an overlay know which loops write what, and reports whether that
// leaves all as it is that the overlay has imported.
func (ov *overlay) guessedRight(writes []*bitset.Set) bool {
	counts := func(loc int32, p pred, writes []*bitset.Set) bool {
		ov.writes = writes
		skip, _ := ov.skip(loc, p)
		return !skip
	}
	for _, pages := range ov.seen.pages {
		for i, page := range pages {
			if page == nil {
				continue
			}
			for k := range page {
				if page[k].number == 0 {
					continue
				}
				loc := int32(i<<importBits | k)
				for _, p := range ov.base.storesTo(loc) {
					if counts(loc, p, nil) != counts(loc, p, writes) {
						return false
					}
				}
			}
		}
	}
	ov.writes = writes
	return true
}
