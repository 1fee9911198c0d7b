package locks

import (
	"slices"
	"strings"

	"github.com/iterace/iterace/internal/ssair"
	"github.com/iterace/iterace/model/library"
	"github.com/iterace/iterace/pta"
	"github.com/iterace/iterace/pta/flow"
)

// A Held is a lock that must be held, as named in the frame of one instance.
type Held struct {
	Write   bool
	Once    bool      // not a lock: the body of a sync.Once; without Write, the body is over
	Flag    bool      // with Once: a flag, see flag.go; with Write it is not set, else it is
	Claim   bool      // not a lock: see claim.go; without Write, its flag was found to be zero
	Guard   *Held     // of a flag that is not set, or a claim: what must be held to set it
	plain   string    // of a flag without atomic operations: its guard, see plainflag.go
	open    bool      // with Flag: no flag, but that others may have had a lock meanwhile, see opened
	is      int64     // of such a flag: what it is when it is set, 0 for whatever is not zero
	Acq     pta.Site  // the call that acquired it
	Locs    []pta.Loc // what the operand may point to, sorted
	Path    flow.Path // its address in the frame at hand; zero if it has no name there
	Orig    flow.Path // its address in the frame that acquired it
	owner   owner     // what it is known by where it has no path
	either  bool      // it stands for locks of variables that were chosen, see either.go
	perhaps bool      // it may be something that locks nothing, see idle.go
	// mixed is set if several functions have acquired it, of which Acq is one.
	mixed bool
	Name  string // as the source writes it
	// Through lists loads by which the operand was found, in the frame that
	// acquired it: the pointers that must stay as they are.
	Through []pta.Site
	// Elem is set if the operand is an element of an array, by some frame's
	// path: equal locations are then not the same lock.
	Elem  bool
	key   flow.Path // of a claim: the index of the flag in the frame at hand
	delta int64     // of a claim by counting: what is added
	free  int64     // of another claim: what the flag is when nobody has it
	last  bool      // of a claim by counting: the count has come down to zero, see counted.go
	above bool      // of a claim that is not lent: a caller has acquired it
	cells []pta.Loc // of a claim: all that the flag may be
	// lent lists the spawns that a lock has come through which those who started
	// the goroutines hold, and others the acquisitions that it may be the result of
	// beside Acq, see lent.go.
	lent, others []pta.Site
	when         *when // it is held under a test only, see when.go
	writes       *when // without Write: it is held for writing under a test, and else for reading
}

// Mixed reports whether a lock may have been acquired by several functions.
func (h *Held) Mixed() bool { return h.mixed }

// outright reports whether a lock is one, and held whatever a variable says.
func (h *Held) outright() bool { return !h.Once && !h.Claim && !h.conditional() && !h.perhaps }

// state is the set of locks held at a point; nil is "not reached".
type state struct {
	held []Held
	// never is set if no way leads here: of some call on each of them no callee in view has
	// the outcome that the way asks for, or it finds a variable to be what it is not. What
	// would be held there is known all the same.
	never bool
	// missing lists what may have been released without having been acquired
	// since the entry, and has not been acquired again: a function that
	// unlocks around slow work and locks again leaves its caller's lock held.
	missing released
	// relative is set while a summary is made: what the caller holds is then
	// not in held, and a lock that is acquired again is the caller's.
	relative bool
	tests    []test // what variables have been found to be, see when.go
	due      []Held // flags that are set, or that deferred calls will set, see flag.go
	kept     bool   // this very state is known to all loops, see Common.below
}

func (s *state) clone() *state {
	return s.but(slices.Clone(s.held))
}

// but is s with other locks.
func (s *state) but(held []Held) *state {
	out := *s
	out.kept = false
	out.held = held
	return &out
}

// ifAtAll is s where no way leads.
func (s *state) ifAtAll() *state {
	if s == nil || s.never {
		return s
	}
	out := *s
	out.kept = false
	out.never = true
	return &out
}

// same reports whether two locks of one frame must be the same.
func (a *Analysis) same(x, y *Held) bool {
	if x.Path.Known() && x.Path == y.Path {
		return true
	}
	return a.reloaded(x, y) || a.oneCell(x, y)
}

// reloaded reports whether two locks of one frame have the same name but for when the
// pointers on the way have been loaded, and these stay as they are.
func (a *Analysis) reloaded(x, y *Held) bool {
	return x.Path.Unversioned() == y.Path.Unversioned() && a.stays(x) && a.stays(y)
}

// stays reports whether the name of a lock means the same one at any time while the
// frame lasts: it begins at what the frame is given, and leads through pointers that are
// not set anew (soundness: set-once).
func (a *Analysis) stays(h *Held) bool { return atOrigin(h) && !a.reset(h) }

// atOrigin reports whether a lock is found from what the frame that has acquired it is
// given, by pointers that Through has all of, and the frame at hand is that one: versions
// of memory do not get into another.
func atOrigin(h *Held) bool {
	return h.Path == h.Orig && strings.Contains(h.Path.Sels, "~") && !strings.Contains(h.Path.Sels, "[") &&
		(given(h.Path) || h.Path.Root[0] == 'g')
}

// meet returns the locks held in both states, in the weaker mode.
func (a *Analysis) meet(x, y *state) *state {
	if x == nil || y != nil && x.never && !y.never {
		return y
	}
	if y == nil || x == y || y.never && !x.never {
		return x
	}
	out := &state{never: x.never, relative: x.relative, tests: sharedTests(x, y), due: a.dueInBoth(x, y)}
	same := len(out.tests) == len(x.tests) && a.equalDue(out, x) // out is x so far
	if !same {
		out.held = make([]Held, 0, len(x.held))
	}
	ofX, ofY := apartBy(x, y), apartBy(y, x)
	for i := range x.held {
		h, found := x.held[i], false
		for k := range y.held {
			g := &y.held[k]
			sameCode := a.sameCode(h.Acq, g.Acq)
			oneOwner := h.owner == g.owner && h.owner != owner{}
			if h.Claim != g.Claim || h.free != g.free || h.Claim && h.Write != g.Write || h.plain != g.plain {
				continue
			}
			if h.Flag && (!g.Flag || h.Write != g.Write) || !a.same(&h, g) && !(h.Path == g.Path && (sameCode || oneOwner && !h.Once && !g.Once)) {
				continue
			}
			if !oneOwner {
				h.owner = owner{}
			}
			h.mixed = h.mixed || g.mixed || !sameCode
			h.perhaps = h.perhaps || g.perhaps
			h.either = h.either || g.either
			h.last = h.last && g.last
			h.above = h.above || g.above
			h.lent = unionSites(h.lent, g.lent)
			if a.lender != nil || a.asking != nil {
				h.others = alsoBy(&h, g)
			}
			if h.Acq != g.Acq {
				h.Through = unionSites(h.Through, g.Through)
			}
			h.meetMode(g, ofX, ofY, x, y)
			if h.Path != g.Path && !a.reloaded(&h, g) {
				h.Path = flow.Path{}
			}
			if h.key != g.key {
				h.key = flow.Path{}
			}
			if !sameWhen(h.when, g.when) {
				if h.when != nil && g.when != nil {
					break
				}
				if h.when == nil {
					h.when = g.when
				}
			}
			h.Locs = union(h.Locs, g.Locs)
			h.Elem = h.Elem || g.Elem
			found = true
			break
		}
		if !found {
			found = under(&h, ofX, y)
		}
		if same && found && h.like(&x.held[i]) {
			continue
		}
		if same {
			same = false
			out.held = append(make([]Held, 0, len(x.held)), x.held[:i]...)
		}
		if found {
			out.held = append(out.held, h)
		}
	}
	if same {
		out.held = x.held
	}
	for i := range y.held {
		h := y.held[i]
		if h.when == nil && ofY == nil {
			continue
		}
		if slices.ContainsFunc(x.held, func(g Held) bool {
			return g.Claim == h.Claim && g.free == h.free && (a.same(&g, &h) || g.Path == h.Path && a.sameCode(g.Acq, h.Acq))
		}) || !under(&h, ofY, x) {
			continue
		}
		out.held, same = append(slices.Clip(out.held), h), false
		sortHeld(out.held)
	}
	if out.missing = x.missing.and(y.missing); len(out.missing) > len(x.missing) {
		same = false
	}
	if same {
		return x
	}
	return out
}

// like reports whether h, which was g, has changed in nothing that a meet changes.
func (h *Held) like(g *Held) bool {
	return sameWhen(h.when, g.when) && sameWhen(h.writes, g.writes) && h.owner == g.owner && h.mixed == g.mixed && h.perhaps == g.perhaps && h.either == g.either && h.last == g.last && h.above == g.above && len(h.Through) == len(g.Through) && h.Write == g.Write && h.Path == g.Path &&
		h.key == g.key && len(h.Locs) == len(g.Locs) && h.Elem == g.Elem && len(h.lent) == len(g.lent) && len(h.others) == len(g.others)
}

// sameCode reports whether two sites are one line of the program, in two contexts
// perhaps. Of a lock that has no name in the frame at hand this is all that is
// known: each caller holds what that line has acquired.
func (a *Analysis) sameCode(x, y pta.Site) bool {
	return x == y || x.At == y.At && a.sameFunc(x.Inst, y.Inst)
}

func (a *Analysis) sameFunc(i, j pta.InstID) bool {
	if i == j {
		return true
	}
	f := a.w.Flow(i)
	return f != nil && f == a.w.Flow(j)
}

func unionSites(x, y []pta.Site) []pta.Site {
	if len(y) == 0 {
		return x
	}
	out := slices.Clip(x)
	for _, s := range y {
		if !slices.Contains(x, s) {
			out = append(out, s)
		}
	}
	return out
}

// miss adds a lock to what is missing. Only a summary asks for it.
func (s *state) miss(h Held) {
	if s.relative {
		s.missing = s.missing.and(released{&h})
	}
}

func union(x, y []pta.Loc) []pta.Loc {
	if slices.Equal(x, y) {
		return x
	}
	z := slices.Concat(x, y)
	slices.Sort(z)
	return slices.Compact(z)
}

func (a *Analysis) equal(x, y *state) bool {
	if x == nil || y == nil || x == y {
		return x == y
	}
	return x.never == y.never && len(x.missing) == len(y.missing) && slices.Equal(x.tests, y.tests) && a.equalDue(x, y) && slices.EqualFunc(x.held, y.held, func(g, h Held) bool {
		return sameWhen(g.when, h.when) && sameWhen(g.writes, h.writes) && g.Acq == h.Acq && g.Write == h.Write && g.Path == h.Path && g.owner == h.owner && g.mixed == h.mixed && g.perhaps == h.perhaps && g.either == h.either && g.last == h.last && g.above == h.above && len(g.Through) == len(h.Through) && g.Once == h.Once && g.Flag == h.Flag && g.Claim == h.Claim && g.key == h.key && len(g.lent) == len(h.lent) && len(g.others) == len(h.others) && slices.Equal(g.Locs, h.Locs)
	})
}

// acquire adds h to s.
func (a *Analysis) acquire(s *state, h Held) *state {
	out := s.but(nil)
	back := func(m *Held) bool { return !m.Flag && !m.Claim && !h.Claim && a.same(m, &h) }
	if slices.ContainsFunc(s.missing, back) {
		out.missing = slices.DeleteFunc(slices.Clone(s.missing), back)
	}
	if s.relative && len(out.missing) < len(s.missing) {
		out.held = s.held
		return out // the caller has it back
	}
	for i := range s.held {
		if s.held[i].Claim == h.Claim && s.held[i].free == h.free && s.held[i].plain == h.plain && a.same(&s.held[i], &h) {
			if h.Flag && h.Write && !s.held[i].Write {
				return s // a flag that is set stays set
			}
			h.Write = h.Write || s.held[i].Write && !h.Flag
			continue
		}
		out.held = append(out.held, s.held[i])
	}
	out.held = append(out.held, h)
	sortHeld(out.held)
	return out
}

func sortHeld(hs []Held) {
	slices.SortStableFunc(hs, func(x, y Held) int {
		if x.Acq.Inst != y.Acq.Inst {
			return int(x.Acq.Inst - y.Acq.Inst)
		}
		return int(x.Acq.At - y.Acq.At)
	})
}

// release removes from s what releasing h may release, and reports whether
// a lock of that very name was held. If one is, no other can be meant: had
// another name denoted the same lock, acquiring the second would have
// blocked for ever.
func (a *Analysis) release(s *state, h Held) (*state, bool) {
	s = notClaimed(notUnset(s, h)) // others may set it now
	named := func(g *Held) bool { return g.Path.Known() && g.Path == h.Path && g.Write == h.Write }
	for i := range s.held {
		if named(&s.held[i]) && !s.held[i].either {
			return s.without(func(g *Held) bool { return named(g) || eitherOf(g, &h) }), true
		}
	}
	// Where one of them is nothing that the program makes, as in code that is
	// called with nil only, it is not what the other is (soundness: nowhere-lock).
	hit := false
	return s.without(func(g *Held) bool {
		may := !g.Once && !g.Claim && g.Write == h.Write && mayAlias(g.Locs, h.Locs) && len(g.Locs) > 0 == (len(h.Locs) > 0)
		hit = hit || may && a.same(g, &h)
		return may
	}), hit
}

// without is s without some locks: s itself if it has none of them, as after nine
// of ten calls that release something.
func (s *state) without(drop func(*Held) bool) *state {
	var out *state
	for i := range s.held {
		gone := drop(&s.held[i])
		if gone && out == nil {
			out = s.but(append(make([]Held, 0, len(s.held)-1), s.held[:i]...))
		}
		if !gone && out != nil {
			out.held = append(out.held, s.held[i])
		}
	}
	if out == nil {
		return s
	}
	return out
}

// mayAlias reports whether two operands may point to the same lock; an empty
// set is one that the points-to analysis knows nothing of.
func mayAlias(x, y []pta.Loc) bool {
	if len(x) == 0 || len(y) == 0 {
		return true
	}
	for _, l := range x {
		if _, ok := slices.BinarySearch(y, l); ok {
			return true
		}
	}
	return false
}

// lock is the lock that step s of instance i operates on.
func (a *Analysis) lock(i pta.InstID, f *flow.Func, site ssair.Instr, path flow.PathID, op library.Op) Held {
	h := named(i, f, site, path)
	h.Write = op == library.OpLock || op == library.OpTryLock || op == library.OpUnlock || op == library.OpOnce
	h.Once = op == library.OpOnce
	h.Locs = a.operands(i, site)
	return h
}

// named is what a path of an instance is called where it stands at a site.
func named(i pta.InstID, f *flow.Func, site ssair.Instr, path flow.PathID) Held {
	h := Held{Acq: pta.Site{Inst: i, At: site}, Path: f.Path(path), Name: f.Display(path)}
	h.Orig = h.Path
	for _, at := range f.LoadsOf(path) {
		h.Through = append(h.Through, pta.Site{Inst: i, At: at})
	}
	h.Elem = indexed(h.Path)
	return h
}

// operands lists what the first operand at an instruction may point to, sorted. The list must
// not be changed: it is asked for whenever control comes by.
func (a *Analysis) operands(i pta.InstID, at ssair.Instr) []pta.Loc {
	s := pta.Site{Inst: i, At: at}
	locs, known := a.points[s]
	if !known {
		locs = slices.Clip(a.w.Operand(i, at, 0))
		slices.Sort(locs)
		if a.points == nil {
			a.points = make(map[pta.Site][]pta.Loc)
		}
		a.points[s] = locs
	}
	return locs
}
