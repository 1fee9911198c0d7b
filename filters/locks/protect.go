package locks

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/iterace/iterace/internal/ssair"
	"github.com/iterace/iterace/model"
	"github.com/iterace/iterace/pta"
	"github.com/iterace/iterace/pta/flow"
)

// verdict grades a protection.
type verdict uint8

const (
	unprotected verdict = iota
	early               // only by who has made the object, see pta.View.Early
	byMarks             // if nobody claims with the mark of a free flag, see claim.go
	byMode              // if who writes has a lock for writing that a variable may say he has for reading
	leftOut             // if what a lock is left out for happens alone, see when.go
	assumed             // if what is reached through the lock's owner is reached through it alone
	paired              // the same, but each datum has an owner of its own: no more is to be asked of which owner it is
	proven
)

// A side is one access of a race, with the locks held there.
type side struct {
	*model.Access
	held  []Held
	calls []pta.Site // that lead to it, the outermost first; none: whatever leads to it
	way   *pta.Way   // by which it gets at the object, if one is in question
}

// protected reports whether a lock of one side of a race must be one of the
// other.
func (a *Analysis) protected(r *model.Race, x, y side) verdict {
	best := unprotected
	var parts []halves
	for i := range x.held {
		for k := range y.held {
			g, h := a.ofElement(&x.held[i], x), a.ofElement(&y.held[k], y)
			if !a.forWriting(x, g) && !a.forWriting(y, h) {
				continue // two readers do not exclude one another
			}
			if g.Once != h.Once || g.Flag != h.Flag || g.Claim != h.Claim {
				continue
			}
			stopped := g.Claim && !a.bothValid(g, h)
			if stopped && !a.stoppedBetween(x, g, y, h) {
				continue
			}
			if g.Flag && (g.Write == h.Write || g.plain != h.plain || g.Write && !a.guarded(g) || h.Write && !a.guarded(h)) {
				continue
			}
			if t := max(a.takenFor(g, r.Object), a.takenFor(h, r.Object)); t == never || t == sometimes && a.taken {
				continue
			}
			v := proven
			if !a.oneLock(g, h) {
				if v = a.byPath(r, x, g, y, h); v == unprotected && a.byOwner(r, x, g, y, h) {
					v = assumed // (soundness: owner-lock)
				}
				if v == unprotected && a.byOwnFunction(r, x, g, y, h) {
					v = paired // (soundness: owner-lock)
				}
			}
			if v > unprotected && (g.Claim || g.plain != "") && !stopped && a.givenBack(g, h) {
				continue
			}
			if g.Claim && v > byMarks && (a.ownMarks(g) || a.ownMarks(h)) {
				v = byMarks
			}
			if !g.Write && !h.Write && v > unprotected {
				v = byMode
			}
			if g.conditional() || h.conditional() {
				if v > byMode && len(g.lent)+len(h.lent) == 0 {
					parts = a.half(parts, g, h, v)
				}
				continue
			}
			if v <= best || len(g.lent)+len(h.lent) > 0 && !a.lentApart(x, g, y, h) {
				continue
			}
			if best = v; best == proven {
				return proven
			}
		}
	}
	for k := range parts {
		best = max(best, parts[k].whole(x.held, y.held))
	}
	return best
}

// byPath decides whether to meet at the datum is to meet at the lock.
func (a *Analysis) byPath(r *model.Race, x side, g *Held, y side, h *Held) verdict {
	dx, dy := a.addr(x.Access), a.addr(y.Access)
	if !dx.Known() || !dy.Known() {
		return unprotected
	}
	gx, okx := a.distance(x, dx, g)
	hy, oky := a.distance(y, dy, h)
	if gx.lock != hy.lock || !sameOwned(gx.datum, hy.datum) {
		gx, hy = a.shortened(gx, g), a.shortened(hy, h)
	}
	if !okx || !oky || gx.lock != hy.lock || !sameOwned(gx.datum, hy.datum) || gx.frame != hy.frame || strings.Contains(gx.lock, "[") && !gx.fixed {
		return max(a.byIndex(x.Access, dx, g, y.Access, dy, h), a.byKey(dx, g, dy, h))
	}
	if through(gx.lock) && (a.reset(g) || a.reset(h)) {
		return unprotected // the lock is behind a pointer that is set anew
	}
	if gx.loose || hy.loose || through(gx.datum) && !a.owned(r, flow.Derefs(gx.datum)) {
		return assumed // (soundness: owner-lock)
	}
	return proven
}

// sameOwned reports whether two data are one; or parts of what one pointer leads to: what
// it leads to has the lock, and a function that is given pointers to several of its parts
// does not tell them apart; or one is part of the other, as when a struct is copied.
func sameOwned(d, e string) bool {
	i, j := strings.LastIndexByte(d, '*')+1, strings.LastIndexByte(e, '*')+1
	return d == e || d[:i] == e[:j] && (i > 0 || partOf(d, e) || partOf(e, d))
}

// partOf reports whether d is selected from e.
func partOf(d, e string) bool {
	rest, ok := strings.CutPrefix(d, e)
	return ok && (rest == "" || rest[0] == '.' || rest[0] == '[')
}

// byOwner reports whether both accesses of a race get at its object through what
// has the lock, which may be one: at an entry through its table, if one of them has
// not made it just then.
func (a *Analysis) byOwner(r *model.Race, x side, g *Held, y side, h *Held) bool {
	if g.Flag || g.Claim || !a.twins(g, h) {
		return false
	}
	through := func(loads func(side, *model.Object, *Held) (int, bool)) bool {
		n, ok := loads(x, r.Object, g)
		if !ok {
			return false
		}
		m, ok := loads(y, r.Object, h)
		return ok && n+m > 0
	}
	return through(a.behind) || through(a.besideLock)
}

// byOwnFunction reports whether both accesses of a race are in one function that has captured its object, and has been
// given to what has the lock, by whoever has made the object.
func (a *Analysis) byOwnFunction(r *model.Race, x side, g *Held, y side, h *Held) bool {
	if g.Flag || g.Claim || !a.twins(g, h) {
		return false
	}
	fn := a.w.ByOwnFunction(x.Access, r.Object, g.Locs)
	return fn >= 0 && fn == a.w.ByOwnFunction(y.Access, r.Object, h.Locs)
}

// twins reports whether two locks may be one, or be one in the objects that two
// iterations have made alike.
func (a *Analysis) twins(g, h *Held) bool {
	return len(g.Locs) > 0 && len(h.Locs) > 0 && (mayAlias(g.Locs, h.Locs) || mayAlias(a.canonical(g.Locs), a.canonical(h.Locs)))
}

// canonical returns some locations by the base's names, sorted. Two locks of a server may be
// hundreds of locations each, and are compared for each pair of accesses.
func (a *Analysis) canonical(locs []pta.Loc) []pta.Loc {
	key := listOf(locs)
	out, ok := a.canons[key]
	if !ok {
		for _, l := range locs {
			out = append(out, a.w.Object(l).Canon)
		}
		slices.Sort(out)
		out = slices.Compact(out)
		if a.canons == nil {
			a.canons = make(map[locList][]pta.Loc)
		}
		a.canons[key] = out
	}
	return out
}

// A locList is a list of locations, which is not changed.
type locList struct {
	first *pta.Loc
	n     int
}

func listOf(locs []pta.Loc) locList { return locList{&locs[0], len(locs)} }

// behind reports whether an access gets at an object through the owner of lock h
// alone, and how many loads lead from there. Where it loads from an owner in a frame that
// has a name for the lock, it must be the owner of that name.
func (a *Analysis) behind(x side, o *model.Object, h *Held) (n int, ok bool) {
	loads, ok := a.w.Behind(x.Access, o, h.Locs)
	return len(loads), ok && !slices.ContainsFunc(loads, func(s pta.Site) bool {
		lock := h.Path
		if int32(s.Inst) != x.Inst || !lock.Known() {
			if lock = h.Orig; !a.sameFunc(s.Inst, h.Acq.Inst) {
				return false
			}
		}
		from := a.w.Flow(s.Inst).Memory(s.At, -1)
		return lock.Known() && from.Known() && !sameOwner(lock, from)
	})
}

// sameOwner reports whether a lock and what is loaded are selected from one object, of
// which the lock is a field: of an array of locks each may be that of another entry.
func sameOwner(lock, from flow.Path) bool {
	if l, _, ok := apart(lock, from); ok && !through(l) {
		return fixed(l)
	}
	if strings.Contains(lock.Sels+from.Sels, "[") {
		return false
	}
	l, _, ok := apart(lock.Loose(), from.Loose())
	return ok && !through(l)
}

// owned reports whether both accesses of a race get at its object through depth
// owners, each of which alone has what it leads to: to meet at the object is to
// meet at the owner.
func (a *Analysis) owned(r *model.Race, depth int) bool {
	ms, ok := a.w.Meetings(r)
	if !ok || len(ms) == 0 {
		return false
	}
	shallow := func(w pta.Way) bool { return w.Up < depth }
	return !slices.ContainsFunc(ms, func(m pta.Meeting) bool {
		return slices.ContainsFunc(m.A, shallow) || slices.ContainsFunc(m.B, shallow)
	})
}

// A distance is what is selected from the common base of a lock and a datum
// on the way to either.
type distance struct {
	lock, datum string
	loose       bool // the base itself was loaded, perhaps at another time
	fixed       bool // the lock's indices are constants
	// frame names the two variables of one frame from which lock and datum are
	// selected, if they have no base in common.
	frame string
}

// distance relates lock h and the datum of x in the frame of the access, or,
// followed up through arguments and captures, in the one that acquired h.
func (a *Analysis) distance(x side, d flow.Path, h *Held) (distance, bool) {
	if out, ok := a.distanceOf(x, d, h); ok {
		return out, true
	}
	i := pta.InstID(x.Inst)
	lock, of := a.yielded(i, h.Path)
	datum, on := a.yielded(i, d)
	if of || on {
		if out, ok := between(lock, datum); ok && (!anyOneOf(lock, out) || a.alikeCalls(i, h.Path, d)) {
			return out, true
		}
	}
	if !on {
		return distance{}, false
	}
	return a.distanceOf(x, datum, h)
}

func (a *Analysis) distanceOf(x side, d flow.Path, h *Held) (distance, bool) {
	if h.Path.Known() {
		if l, p, ok := apart(h.Path, d); ok {
			return distance{lock: l, datum: p, fixed: fixed(l)}, true
		}
		// What is found, or made and put there, has a lock of its own, by the name that
		// the frame has for either.
		if l, p, ok := apart(h.Path, a.w.Flow(pta.InstID(x.Inst)).Addr(ssair.Instr(x.Instr))); ok {
			return distance{lock: l, datum: p, fixed: fixed(l)}, true
		}
	}
	if out, ok := h.owner.distance(d); ok {
		return out, true
	}
	if h.mixed {
		return distance{}, false
	}
	if out, ok := a.distanceVia(x, d, h); ok {
		return out, true
	}
	return a.ofOneRun(x.Access, d, h)
}

// shortened leaves out of a distance what lock and datum have in common: loads at
// different times, of pointers that are not set anew.
func (a *Analysis) shortened(d distance, h *Held) distance {
	ls, ds := selectors(d.lock), selectors(d.datum)
	n := 0
	for n < len(ls) && n < len(ds) && ls[n] == ds[n] {
		n++
	}
	if d.frame == "" && n > 0 && !a.reset(h) {
		d.lock, d.datum = strings.Join(ls[n:], ""), strings.Join(ds[n:], "")
	}
	return d
}

// Exclude reports whether some lock of x must be one of y, and one of them is
// held in write mode.
func (a *Analysis) Exclude(x, y []Held) bool {
	for i := range x {
		for k := range y {
			if (x[i].Write || y[k].Write) && x[i].Once == y[k].Once && !x[i].Flag && !y[k].Flag && !x[i].Claim && !y[k].Claim && a.oneCell(&x[i], &y[k]) {
				return true
			}
		}
	}
	return false
}

// reset reports whether a pointer on the way to the lock may be replaced while
// the loop runs.
func (a *Analysis) reset(h *Held) bool {
	if len(h.Through) == 0 {
		// Not known, but where variables that are assigned once lead to the lock.
		return h.Path != h.Orig || h.Path.Loads() || !through(h.Path.Sels)
	}
	return slices.ContainsFunc(h.Through, a.replaced)
}

func (a *Analysis) addr(x *model.Access) flow.Path {
	f := a.w.Flow(pta.InstID(x.Inst))
	if f == nil {
		return flow.Path{}
	}
	at := ssair.Instr(x.Instr)
	if p := f.Memory(at, a.w.Sliced(x)); p.Known() {
		return p
	}
	for _, k := range f.StepsAt(at) {
		if st := &f.Steps[k]; st.At == at && x.Atomic && len(st.Args) > 0 {
			return f.Path(st.Args[0])
		}
	}
	return flow.Path{}
}

// apart splits lock and datum at their longest common base: what is selected
// from the base on either side. Indices in the datum's part do not matter.
func apart(lock, datum flow.Path) (l, d string, ok bool) {
	if lock.Root != datum.Root {
		return "", "", false
	}
	ls, ds := selectors(lock.Sels), selectors(datum.Sels)
	n := 0
	for n < len(ls) && n < len(ds) && ls[n] == ds[n] {
		n++
	}
	for _, s := range ds[n:] {
		if s[0] == '[' {
			s = "[]"
		} else if s[0] == '~' {
			s = "*"
		}
		d += s
	}
	d = strings.TrimSuffix(d, "[]") // an element, or the memory as a whole
	for _, s := range ls[n:] {
		if s[0] == '~' {
			s = "*"
		}
		l += s
	}
	return l, d, true
}

// Apart is apart for others: what is selected from the longest common base of a
// path and that of a datum.
func Apart(p, datum flow.Path) (sel, d string, ok bool) { return apart(p, datum) }

func through(s string) bool { return flow.Through(s) }

// selectors splits ".a[v1]*.b" into ".a", "[v1]", "*", ".b".
func selectors(s string) []string {
	var out []string
	depth, start := 0, 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '[':
			if depth == 0 && i > start {
				out, start = append(out, s[start:i]), i
			}
			depth++
		case ']':
			depth--
		case '.', '*', '~', '#', '^':
			if depth == 0 && i > start {
				out, start = append(out, s[start:i]), i
			}
		}
	}
	if start < len(s) {
		out = append(out, s[start:])
	}
	return out
}

// describe lists locks for the report, each with a note on why it does not
// protect against an access to an object that holds the others.
func (a *Analysis) describe(x *model.Access, of *model.Object, hs, others []Held) []model.Lock {
	var out []model.Lock
	for i := range hs {
		h := &hs[i]
		if h.either {
			continue // another name of what is listed
		}
		l := model.Lock{Name: h.Name, Mode: "write", Pos: a.w.Pos(h.Acq.Inst, h.Acq.At)}
		if !h.Write {
			l.Mode = "read"
		}
		if l.Name == "" {
			l.Name = "lock"
		}
		l.Note = a.note(x, of, h, others)
		out = append(out, l)
	}
	// By place, and not by the solver's numbers, which follow its worklist.
	slices.SortStableFunc(out, func(x, y model.Lock) int {
		return cmp.Or(x.Pos.Compare(y.Pos), cmp.Compare(x.Name, y.Name), cmp.Compare(x.Mode, y.Mode))
	})
	return out
}

// Notes on locks that do not protect.
const (
	Conditional     = "only if a variable says so"
	Copied          = "copied by value"
	OnePerIteration = "one per iteration"
	MayBeAnother    = "may be another lock"
)

func (a *Analysis) note(x *model.Access, of *model.Object, h *Held, others []Held) string {
	own := len(h.Locs) > 0
	copied := false
	for _, l := range h.Locs {
		o := a.w.Object(l)
		own = own && o.Object != of // what it guards is that of the same iteration, or copy
		own = own && (o.Made != model.Main || o.Many && x.Thread != model.Main && o.Kind == "var")
		copied = copied || o.Kind == "var" && !strings.HasPrefix(strings.TrimLeft(o.Type, "*"), "sync.")
	}
	switch {
	case h.conditional():
		return Conditional
	case own && copied:
		return Copied
	case own:
		return OnePerIteration
	}
	for k := range others {
		g := &others[k]
		if a.oneCell(h, g) {
			return "held for reading on both sides"
		}
		if mayAlias(h.Locs, g.Locs) {
			return MayBeAnother
		}
	}
	return ""
}

// why says in a line what locking there is.
func why(x, y []Held) string {
	switch {
	case len(x) == 0 && len(y) == 0:
		return "no lock is held at either access"
	case len(x) == 0 || len(y) == 0:
		h := x
		if len(h) == 0 {
			h = y
		}
		return fmt.Sprintf("%s is held at one access only", nameOf(&h[0]))
	}
	if reading := func(h Held) bool { return !h.Write }; len(x) == 1 && len(y) == 1 && reading(x[0]) && reading(y[0]) && nameOf(&x[0]) == nameOf(&y[0]) {
		only := "only"
		if x[0].mixed || y[0].mixed || x[0].writes != nil || y[0].writes != nil { // for writing on some ways
			only = "perhaps only"
		}
		return fmt.Sprintf("%s is held at both accesses, but %s for reading", nameOf(&x[0]), only)
	}
	return fmt.Sprintf("%s and %s need not be the same lock", nameOf(&x[0]), nameOf(&y[0]))
}

func nameOf(h *Held) string {
	if h.Name == "" {
		return "a lock"
	}
	return h.Name
}
