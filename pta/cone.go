package pta

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/iterace/iterace/internal/bitset"
	"github.com/iterace/iterace/internal/idset"
	"github.com/iterace/iterace/internal/pages"
	"github.com/iterace/iterace/model"
)

// maxCone is the number of instances that the overlay of a loop may have for
// each side, by the base's count. A body that reaches more is looked at
// a few calls deep: as far as its accesses count (MaxNear). What is deeper is
// graded assumed: there every pair rests on more than the analysis knows
// (soundness: deep-cone). That code is not entered, then, but what it returns and
// stores is as the base has it, see below.go. Single objects, and where
// locking lapses, are looked at however deep they are, see single.go and lapse.go.
//
// It was 2000. Of thirteen modules 200 leaves all definite race sets but one, which
// was false, and two thirds of the likely ones; of those that it leaves out, read one
// by one, nearly all were false, too: encoders, messages and buffers of a connection
// or a request, far below what serves it. A site generator takes 41 and not 74 s of CPU.
const maxCone = 200

// maxOverlay is the number of instances at which an overlay is given up and its loop
// is taken for one that reaches too much: where the base has one instance for both
// sides, or for what the overlay tells apart, its count says little. Three loops of
// the key-value store's tests had 16 thousand for 4 thousand of the base, and took a fifth
// of the time of 186 loops.
const maxOverlay = 4 * maxCone

// maxBelow is the number of instances that the overlays of all loops that reach too much may
// have together on the ways to what lies deeper, for each side and by the base's count: each
// loop has the same share, and at least maxCone. Of a message broker 297 of 510 loops reach all
// of the server, and each entered 4 to 9 thousand instances for the same 200 uses where
// locking lapses and the same 670 of single objects; elsewhere it is 50 to 1000
// in 76 loops (a site generator), 700 in 193 (a language server).
const maxBelow = 100_000

// coneLevels is how many levels of calls of such a loop are entered.
const coneLevels = MaxNear + 1

// maxAround is the number of instances at which the overlay of a loop that is known to reach
// too much is given up for one that does not enter what is called on the way to its spawns. That
// is none of the iterations', and the base's count of these does not tell how much it is: a
// removal of a message that sets a timer runs the server's callbacks, too, and made 23
// thousand instances for a loop of 558. Of a site generator's loops none has more than 1089. Two of
// a message client's have 6 thousand, and races in what their calls start
// below, on a configuration that brokers share: these must stay.
const maxAround = 10 * maxOverlay

// tooLarge reports whether the overlay has too many instances. That is for the first
// round to find out: in the second, loops ask for each other's cones.
func (ov *overlay) tooLarge() bool {
	switch c := &ov.res.cones[ov.loop]; {
	case ov.writes != nil || c.apart:
		return false
	case c.cut == nil:
		return len(ov.insts) > maxOverlay
	}
	return len(ov.insts) > maxAround
}

// A cone is what a loop's overlay enters.
type cone struct {
	cut   *idset.Set[FuncID] // functions that are not entered; nil if all are
	depth int                // the number of calls that are followed
	apart bool               // what the spawns are called through is not entered, see maxAround
	near  bool               // of what lies deeper only the nearest is entered, see maxBelow

	lapses  *bitset.Set     // where locking lapses
	singles *bitset.Set     // of single objects
	through map[FuncID]bool // functions that are entered on one way there only
}

// findCones finds the cones of all loops: each asks for those of others.
func (r *baseResult) findCones() {
	r.cones = make([]cone, len(r.loops))
	r.counts = make([]int, len(r.loops))
	for id := range r.reach {
		for l := range r.reach[id].All() {
			r.counts[l]++
		}
	}
	large := 0
	for _, n := range r.counts {
		if n > 2*maxCone {
			large++
		}
	}
	r.ways = max(maxCone, maxBelow/max(large, 1))
	for i := range r.loops {
		r.cones[i] = r.coneOf(i, false)
		r.crowded = r.crowded || r.cones[i].near
	}
	r.first = slices.Clone(r.cones)
}

// narrow makes the cone of a loop smaller whose overlay is too large.
func (r *baseResult) narrow(loop int) {
	c := r.coneOf(loop, true)
	if r.cones[loop].cut != nil {
		r.cutAround(loop, &c)
	}
	r.cones[loop] = c
}

// cutAround cuts what is called where a loop's iterations are started by calls, but for what
// starts them.
func (r *baseResult) cutAround(loop int, c *cone) {
	c.apart = true
	enters := make(map[FuncID]bool)
	for id := range r.reach {
		if fn := r.fns[id]; r.reach[id].Has(int32(loop)) && !c.cut.Has(fn) {
			enters[fn] = true
		}
	}
	seen := make(map[InstID]bool)
	var work []InstID
	add := func(id InstID) {
		if !seen[id] {
			seen[id] = true
			work = append(work, id)
		}
	}
	r.starts(loop, func(id InstID) {
		enters[r.fns[id]] = true
		add(id)
	}, func(InstID) {})
	for len(work) > 0 {
		id := work[len(work)-1]
		work = work[:len(work)-1]
		in := r.s.insts[id]
		for k := range in.fn.Calls {
			if in.fn.Calls[k].Mode != ModeSpawn {
				for _, e := range in.callees[k] {
					add(e.callee)
				}
			}
		}
	}
	for id := range seen {
		if fn := r.fns[id]; !enters[fn] {
			c.cut.Add(fn)
		}
	}
}

// coneOf returns the cone of a loop; with large it is known to reach too much.
func (r *baseResult) coneOf(loop int, large bool) (c cone) {
	if r.counts[loop] <= 2*maxCone && !large {
		return c
	}
	seen := make(map[InstID]bool)
	entered := make(map[FuncID]bool)
	var level []InstID
	add := func(id InstID) {
		if !seen[id] && r.reaches(id, loop) {
			seen[id] = true
			level = append(level, id)
		}
	}
	r.bodies(loop, add)
	for len(level) > 0 && len(seen) <= 2*maxCone && c.depth < coneLevels {
		this := level
		level = nil
		c.depth++
		for _, id := range this {
			in := r.s.insts[id]
			entered[in.fn.ID] = true
			for k := range in.fn.Calls {
				for _, e := range in.callees[k] {
					add(e.callee)
				}
			}
		}
	}
	depths, all := r.callDepths(loop)
	var runs pages.Table[FuncID, int32]
	for _, id := range all {
		*runs.At(r.fns[id])++
	}
	deep := r.deepUses(loop, depths, entered)
	ways := ways{r: r, depths: depths, runs: runs, entered: entered, room: r.ways}
	ways.enterAll(loop, deep)
	var lapses, singles []InstID
	c.lapses, lapses = r.lapsesOf(loop, depths)
	c.singles, singles = r.singlesOf(loop, depths)
	c.through = ways.to(deep, slices.Concat(lapses, singles))
	c.near = ways.full
	c.cut = new(idset.Set[FuncID])
	for _, id := range all {
		if fn := r.fns[id]; !c.cut.Has(fn) && !entered[fn] && !c.through[fn] {
			c.cut.Add(fn)
		}
	}
	return c
}

// deepUses lists what iterations run that touches a variable of the spawner, and
// is not entered: what closures do to the variables that they have captured counts
// however deep it is that somebody calls them.
func (r *baseResult) deepUses(loop int, depths callDepths, entered map[FuncID]bool) (out []InstID) {
	r.outer.once.Do(func() { r.outer.find(r) })
	r.variables(loop, func(loc int32) {
		for _, id := range r.outer.uses[loc] {
			if depths.known(id) && !entered[r.fns[id]] {
				out = append(out, id)
			}
		}
	})
	return sortedUnique(out)
}

// variables calls f for the locations of the variables of a loop's spawners.
func (r *baseResult) variables(loop int, f func(loc int32)) {
	for _, id := range r.loops[loop].spawners {
		in := r.s.insts[id]
		for k, oid := range in.objs {
			if a := &in.fn.Allocs[k]; oid >= 0 && a.isVariable() {
				o := r.s.object(oid)
				for l := o.loc; l < o.loc+o.layout.Len(); l++ {
					f(l)
				}
			}
		}
	}
}

// outerUses has, for each variable of some loop's spawner, the instances that touch it by what
// they have captured or are passed.
type outerUses struct {
	once sync.Once
	uses map[int32][]InstID
}

func (u *outerUses) find(r *baseResult) {
	vars := new(bitset.Set)
	for i := range r.loops {
		r.variables(i, func(loc int32) { vars.Add(loc) })
	}
	u.uses = make(map[int32][]InstID)
	for id := range r.reach {
		if r.reach[id].Empty() {
			continue
		}
		in := r.s.insts[id]
		for k := range in.fn.Accesses {
			a := &in.fn.Accesses[k]
			if !a.Root.outer() {
				continue
			}
			for loc := range r.s.pts(in.node(a.Node)).And(vars).All() {
				if uses := u.uses[loc]; len(uses) == 0 || uses[len(uses)-1] != InstID(id) {
					u.uses[loc] = append(uses, InstID(id))
				}
			}
		}
	}
}

// ways enters what leads deep below the body of a loop.
type ways struct {
	r       *baseResult
	depths  callDepths
	runs    pages.Table[FuncID, int32] // how many instances of a function iterations run
	entered map[FuncID]bool
	room    int  // instances that may be entered
	full    bool // there are more
}

// enterAll enters all that leads to some instances that iterations run, if there is room.
func (w *ways) enterAll(loop int, to []InstID) {
	seen := make(map[InstID]bool)
	leads := make(map[FuncID]bool)
	n := 0
	for work := slices.Clone(to); len(work) > 0; {
		id := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[id] || !w.r.reaches(id, loop) {
			continue
		}
		seen[id] = true
		if fn := w.r.fns[id]; !leads[fn] && !w.entered[fn] {
			leads[fn] = true
			if n += int(w.runs.Get(fn)); n > w.room {
				w.full = true
				return
			}
		}
		for _, c := range w.r.s.insts[id].callers {
			work = append(work, c.Inst)
		}
	}
	w.room -= n
	for fn := range leads {
		w.entered[fn] = true
	}
}

// to returns the functions on the shortest way to each of some instances that are not entered
// anyway: of several that are as short, one. All ways there would be most of what the loop
// reaches. If there is no room for all, the way to what comes first is preferred, and else the
// shorter one.
func (w *ways) to(first, then []InstID) map[FuncID]bool {
	through := make(map[FuncID]bool)
	seen := make(map[InstID]bool)
	add := func(id InstID, limit int) bool {
		var way []FuncID
		n := 0
		for !seen[id] {
			seen[id] = true
			if fn := w.r.fns[id]; !through[fn] && !w.entered[fn] && !slices.Contains(way, fn) {
				way = append(way, fn)
				n += int(w.runs.Get(fn))
			}
			id = w.above(id)
		}
		if n > limit {
			return false
		}
		for _, fn := range way {
			through[fn] = true
		}
		w.room -= n
		return true
	}
	room := w.room
	for _, id := range slices.Concat(first, then) {
		add(id, math.MaxInt)
	}
	if w.room >= 0 {
		return through
	}
	w.full, w.room = true, room
	clear(through)
	clear(seen)
	for _, to := range [][]InstID{first, then} {
		to = slices.Clone(to)
		slices.SortFunc(to, func(a, b InstID) int {
			return cmp.Or(cmp.Compare(w.depths.of(a), w.depths.of(b)), w.r.s.compareNames(a, b))
		})
		for _, id := range to {
			if !add(id, w.room) {
				return through
			}
		}
	}
	return through
}

// above returns the caller on the shortest way to an instance, or itself if it is a body.
func (w *ways) above(id InstID) InstID {
	up := id
	for _, c := range w.r.s.insts[id].callers {
		if w.depths.known(c.Inst) && w.depths.of(c.Inst) == w.depths.of(id)-1 && (up == id || w.r.s.compareNames(c.Inst, up) < 0) {
			up = c.Inst
		}
	}
	return up
}

// bodies calls f for the instances that a loop's iterations start in.
func (r *baseResult) bodies(loop int, f func(InstID)) { r.starts(loop, func(InstID) {}, f) }

// starts calls body for the instances that a loop's iterations start in, and through for those
// that the loop calls and that start them.
func (r *baseResult) starts(loop int, through, body func(InstID)) {
	pl := r.loops[loop]
	for _, id := range pl.spawners {
		in := r.s.insts[id]
		info := &spawnerInfo{split: pl.split, at: int32(pl.at), p: r.s.p}
		for k := range in.fn.Calls {
			if !info.rerunsCall(&in.fn.Calls[k]) {
				continue
			}
			for _, e := range in.callees[k] {
				if in.fn.Calls[k].Mode == ModeSpawn {
					body(e.callee)
				} else {
					r.startWrapped(e.callee, through, body, 4)
				}
			}
		}
	}
}

// coneNotice says that a loop is not looked at to the end.
func coneNotice(l *model.Loop, c *cone) model.Notice {
	n := model.Notice{
		Pos: l.Pos, Code: model.SoundnessNumber("deep-cone"),
		Message: fmt.Sprintf("this loop reaches too much: of what its body calls, %d levels are looked at", c.depth),
	}
	if c.near {
		n.Message += ", and of single objects and lapsing locks below only the nearest"
	}
	return n
}
