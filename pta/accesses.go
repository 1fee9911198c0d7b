package pta

import (
	"cmp"
	"go/types"
	"slices"
	"strings"
	"sync"
)

// This file lists accesses by location: those of an overlay's iterations, and
// those of the whole base.

// An accRef is an access of an instance.
type accRef struct {
	inst InstID
	idx  int32
}

func (a accRef) compare(b accRef) int {
	return cmp.Or(cmp.Compare(a.inst, b.inst), cmp.Compare(a.idx, b.idx))
}

// A use is an access to a location.
type use struct {
	loc int32
	accRef
}

// uses are the accesses to one location, apart by kind: most locations are
// only read, and then there is nothing to pair.
type uses struct {
	writes, reads []use
	hash          uint64 // of the accesses, see sum; 0 if not known
}

func (u *uses) len() int { return len(u.writes) + len(u.reads) }

// any1 returns one of the uses.
func (u *uses) any1() use {
	if len(u.writes) > 0 {
		return u.writes[0]
	}
	return u.reads[0]
}

// sum returns a hash of the accesses, whatever their location.
func (u *uses) sum() uint64 {
	if u.hash == 0 {
		h := uint64(len(u.writes)) + 1
		for _, list := range [][]use{u.writes, u.reads} {
			for _, x := range list {
				h = (h ^ uint64(uint32(x.inst))<<32 ^ uint64(uint32(x.idx))) * 0x9e3779b97f4a7c15
				h ^= h >> 29
			}
		}
		u.hash = h | 1
	}
	return u.hash
}

func (u *uses) add(x use, write bool) {
	list := &u.reads
	if write {
		list = &u.writes
	}
	if n := len(*list); n == 0 || (*list)[n-1] != x {
		*list = append(*list, x)
	}
}

// meets reports whether some pair of accesses of two lists has a write.
func (u *uses) meets(v *uses) bool {
	return len(u.writes) > 0 && len(v.writes)+len(v.reads) > 0 || len(u.reads) > 0 && len(v.writes) > 0
}

// accessTable lists accesses by location. It is filled first and read then: the
// accesses are logged as they come and sorted into one array, since lists that
// grow by location took a third of the time of pairing.
type accessTable struct {
	locs  []int32     // in the order of first use
	slots locIndex    // index into locs
	log   []*[]logged // in pieces: one list that grows is there three times while it does
	list  []uses      // by index into locs, once sealed
}

// logPiece is the number of accesses in a piece of a log.
const logPiece = 1 << 12

// logPieces are those that no log needs any more.
var logPieces = sync.Pool{New: func() any {
	piece := make([]logged, 0, logPiece)
	return &piece
}}

// logged is an access in the log of a table.
type logged struct {
	slot  int32
	write bool
	accRef
}

func newAccessTable() *accessTable { return &accessTable{} }

// add logs an access to a location.
func (t *accessTable) add(loc int32, ref accRef, write bool) {
	i := t.slots.at(loc)
	if *i == 0 {
		t.locs = append(t.locs, loc)
		*i = int32(len(t.locs))
	}
	n := len(t.log) - 1
	if n < 0 || len(*t.log[n]) == logPiece {
		t.log = append(t.log, logPieces.Get().(*[]logged))
		n++
	}
	*t.log[n] = append(*t.log[n], logged{*i - 1, write, ref})
}

// seal makes the lists; nothing can be added any more.
func (t *accessTable) seal() *accessTable {
	reads, writes := make([]int32, len(t.locs)), make([]int32, len(t.locs))
	total := 0
	for _, piece := range t.log {
		total += len(*piece)
		for i := range *piece {
			if e := &(*piece)[i]; e.write {
				writes[e.slot]++
			} else {
				reads[e.slot]++
			}
		}
	}
	room := make([]use, total)
	t.list = make([]uses, len(t.locs))
	for i := range t.list {
		t.list[i].writes, room = room[:0:writes[i]], room[writes[i]:]
		t.list[i].reads, room = room[:0:reads[i]], room[reads[i]:]
	}
	for _, piece := range t.log {
		for i := range *piece {
			e := &(*piece)[i]
			t.list[e.slot].add(use{t.locs[e.slot], e.accRef}, e.write)
		}
		*piece = (*piece)[:0]
		logPieces.Put(piece)
	}
	t.log = nil
	return t
}

// sort orders the locations of a part of a sealed table.
func (t *accessTable) sort(from, to int, compare func(a, b int32) int) {
	if slices.IsSortedFunc(t.locs[from:to], compare) {
		return
	}
	order := make([]int32, to-from)
	for i := range order {
		order[i] = int32(from + i)
	}
	slices.SortFunc(order, func(i, k int32) int { return compare(t.locs[i], t.locs[k]) })
	t.reorder(from, order)
}

// putLast moves some locations of a sealed table behind the others; else they stay as they are.
func (t *accessTable) putLast(last func(loc int32) bool) {
	order, behind := make([]int32, 0, len(t.locs)), []int32(nil)
	for i, loc := range t.locs {
		if last(loc) {
			behind = append(behind, int32(i))
		} else {
			order = append(order, int32(i))
		}
	}
	t.reorder(0, append(order, behind...))
}

// reorder puts locations into a part of a table, given by where they were there.
func (t *accessTable) reorder(from int, order []int32) {
	locs, list := make([]int32, len(order)), make([]uses, len(order))
	for i, k := range order {
		locs[i], list[i] = t.locs[k], t.list[k]
		*t.slots.at(locs[i]) = int32(from+i) + 1
	}
	copy(t.locs[from:], locs)
	copy(t.list[from:], list)
}

// of returns the accesses to a location, or nil.
func (t *accessTable) of(loc int32) *uses {
	if i := t.slots.get(loc); i > 0 {
		return &t.list[i-1]
	}
	return nil
}

// A locIndex maps locations to numbers from 1, 0 for none, in pages: what one
// loop touches is little of all memory, and most of that lies together.
type locIndex struct{ pages []*[1 << locBits]int32 }

const locBits = 8

func (x *locIndex) at(loc int32) *int32 {
	page := int(loc >> locBits)
	if page >= len(x.pages) {
		x.pages = append(x.pages, make([]*[1 << locBits]int32, page+1-len(x.pages))...)
	}
	p := x.pages[page]
	if p == nil {
		p = new([1 << locBits]int32)
		x.pages[page] = p
	}
	return &p[loc&(1<<locBits-1)]
}

func (x *locIndex) get(loc int32) int32 {
	page := int(loc >> locBits)
	if page >= len(x.pages) || x.pages[page] == nil {
		return 0
	}
	return x.pages[page][loc&(1<<locBits-1)]
}

// inOrder returns the instances of an overlay in an order that does not hang on when
// the solver met them: of pairs that are alike those are kept which come first.
func (ov *overlay) inOrder() []InstID {
	if ov.ordered == nil {
		depth, main := ov.depths(), ov.mainDepths()
		ov.ordered = make([]InstID, len(ov.insts))
		for i := range ov.ordered {
			ov.ordered[i] = ov.firstInst + InstID(i)
		}
		slices.SortFunc(ov.ordered, func(a, b InstID) int {
			return cmp.Or(cmp.Compare(depth.of(a), depth.of(b)), cmp.Compare(main.of(a), main.of(b)), ov.compareInstances(a, b))
		})
	}
	return ov.ordered
}

// compareInstances orders instances by what they are.
func (s *solver) compareInstances(a, b InstID) int {
	if a == b {
		return 0
	}
	x, y := s.inst(a), s.inst(b)
	return cmp.Or(strings.Compare(x.fn.Name, y.fn.Name), cmp.Compare(x.fn.ID, y.fn.ID), cmp.Compare(x.ctx.tag, y.ctx.tag), cmp.Compare(x.ctx.fill, y.ctx.fill),
		s.compareSites(x.ctx.site, y.ctx.site), cmp.Compare(x.ctx.own, y.ctx.own), s.compareTypes(x.ctx.dyn, y.ctx.dyn), cmp.Compare(a, b))
}

// compareTypes orders the dynamic types of contexts by name.
func (s *solver) compareTypes(a, b int32) int {
	if a == b || a == 0 || b == 0 {
		return cmp.Compare(a, b)
	}
	return strings.Compare(types.TypeString(s.p.types.typ(TypeID(a-1)), nil), types.TypeString(s.p.types.typ(TypeID(b-1)), nil))
}

// compareLocations orders locations by what they lie in.
func (s *solver) compareLocations(a, b int32) int {
	if a == b {
		return 0
	}
	x, y := s.ownerOf(a), s.ownerOf(b)
	if x == y || x < 0 || y < 0 {
		return cmp.Compare(a, b)
	}
	o, u := s.object(x), s.object(y)
	if c := cmp.Or(cmp.Compare(o.kind, u.kind), cmp.Compare(o.side, u.side), cmp.Compare(o.alloc, u.alloc)); c != 0 {
		return c
	}
	c := 0
	switch {
	case o.kind == objView:
		c = s.compareLocations(s.object(o.view).loc, s.object(u.view).loc)
	case o.inst >= 0 && u.inst >= 0:
		c = s.compareInstances(o.inst, u.inst)
	}
	if c == 0 && o.parent >= 0 && u.parent >= 0 {
		c = s.compareLocations(o.parent, u.parent)
	}
	return cmp.Or(c, cmp.Compare(o.param, u.param), cmp.Compare(a, b))
}

// collect lists the accesses of the instances of one thread, with sure those
// only of which a pair may rest on no assumption: see confidence for what is
// done to an object before others know of it.
func (ov *overlay) collect(t tag, sure bool) *accessTable {
	tab := newAccessTable()
	deep := newDeepTable(ov.solver)
	var together []int // parts of the table's locations that one access has brought
	for _, id := range ov.inOrder() {
		in := ov.inst(id)
		if in.ctx.tag != t || in.spawner != nil || !ov.ran(id) {
			continue
		}
		for k := range in.fn.Accesses {
			a := &in.fn.Accesses[k]
			if sure && a.Flags&FlagInit != 0 {
				continue
			}
			ref, write, n := accRef{id, int32(k)}, a.Flags&FlagWrite != 0, len(tab.locs)
			if a.Flags&FlagDeep == 0 {
				ov.locations(in, a, func(loc int32) { tab.add(loc, ref, write) })
			} else if d := deep.of(in, a); d >= 0 {
				for _, loc := range deep.locs[d] {
					tab.add(loc, ref, write)
				}
			}
			if len(tab.locs) > n+1 {
				together = append(together, n, len(tab.locs))
			}
		}
	}
	tab.seal()
	for i := 0; i < len(together); i += 2 {
		tab.sort(together[i], together[i+1], ov.compareLocations)
	}
	// What stands for one object comes first: what the bounds on pairs leave out are
	// not those that are sure.
	tab.putLast(func(loc int32) bool { return ov.manyObject(ov.ownerOf(loc)) })
	return tab
}

// A loopTable is what remains of a loop when its overlay is gone: the accesses
// of an iteration by location, under the base's names and by its instances. A
// module has hundreds of loops, which all may run beside the one at hand: as
// maps of lists their tables took 12 of 16 GB on a database's tests.
type loopTable struct {
	locs  []int32  // in order
	list  []int32  // by index of locs: its list of accesses; most are those of other locations too
	start []int32  // by list, and one more: its part of refs, the writes first
	reads []int32  // by list: where its reads start
	refs  []accRef // with madeHere where the iteration has made the object
	// near is how far the spawners of other loops are from this one's, as far as
	// that is not too far.
	near map[int]int
}

// madeHere marks an access of a loopTable to an object that the loop's iterations have
// made: in its index, which no function has so many of.
const madeHere = 1 << 30

// pack makes a table of the accesses at locations.
func (t *accessTable) pack() *loopTable {
	out := &loopTable{locs: slices.Clone(t.locs), list: make([]int32, len(t.locs))}
	slices.Sort(out.locs)
	bySum := make(map[uint64][]int32)
	for i, loc := range out.locs {
		u := t.of(loc)
		sum := u.sum()
		k := slices.IndexFunc(bySum[sum], func(k int32) bool { return out.same(k, u) })
		if k >= 0 {
			out.list[i] = bySum[sum][k]
			continue
		}
		out.list[i] = int32(len(out.start))
		bySum[sum] = append(bySum[sum], out.list[i])
		out.start = append(out.start, int32(len(out.refs)))
		out.refs = appendRefs(out.refs, u.writes)
		out.reads = append(out.reads, int32(len(out.refs)))
		out.refs = appendRefs(out.refs, u.reads)
	}
	out.start = append(out.start, int32(len(out.refs)))
	out.refs = slices.Clip(out.refs)
	return out
}

func appendRefs(refs []accRef, list []use) []accRef {
	for _, u := range list {
		refs = append(refs, u.accRef)
	}
	return refs
}

// same reports whether list k, which may be the last one, is that of u.
func (t *loopTable) same(k int32, u *uses) bool {
	end := int32(len(t.refs))
	if int(k)+1 < len(t.start) {
		end = t.start[k+1]
	}
	equal := func(r accRef, x use) bool { return r == x.accRef }
	return slices.EqualFunc(t.refs[t.start[k]:t.reads[k]], u.writes, equal) && slices.EqualFunc(t.refs[t.reads[k]:end], u.reads, equal)
}

// at returns the accesses to the location with an index, with others only to objects
// that the loop's iterations have not made.
func (t *loopTable) at(i int, others bool) *uses {
	list := func(refs []accRef) []use {
		out := make([]use, 0, len(refs))
		for _, r := range refs {
			if others && r.idx&madeHere != 0 {
				continue
			}
			r.idx &^= madeHere
			if x := (use{t.locs[i], r}); len(out) == 0 || out[len(out)-1] != x {
				out = append(out, x)
			}
		}
		return out
	}
	k := t.list[i]
	return &uses{writes: list(t.refs[t.start[k]:t.reads[k]]), reads: list(t.refs[t.reads[k]:t.start[k+1]])}
}

// written and read report whether there are writes, and reads, at an index.
func (t *loopTable) written(i int) bool { k := t.list[i]; return t.start[k] < t.reads[k] }
func (t *loopTable) read(i int) bool    { k := t.list[i]; return t.reads[k] < t.start[k+1] }

// A baseTable finds the accesses of the base to a location. Expanding each
// access to its locations would take a hundred times the room of the points-to
// sets, of which most are shared: it goes from the location to the sets that
// hold it and from those to the accesses through them.
type baseTable struct {
	s      *solver
	sets   lists // by location: those that hold it
	groups [][]accessGroup
	calls  map[int32][]accRef // effects of library calls
	deep   map[int32][]int32  // by location: what in deepBy touches it
	deepBy [][]accRef         // deep accesses, by what they touch
}

// An accessGroup is the accesses to leaves [off, off+n) of what a set holds.
type accessGroup struct {
	off, n        int32
	write, region bool
	refs          []accRef
}

// newBaseTable indexes the accesses of a frozen solver.
func newBaseTable(s *solver) *baseTable {
	t := &baseTable{
		s: s, groups: make([][]accessGroup, len(s.sets)),
		calls: make(map[int32][]accRef), deep: make(map[int32][]int32),
	}
	deep := newDeepTable(s)
	for id, in := range s.insts {
		for k := range in.fn.Accesses {
			a := &in.fn.Accesses[k]
			ref := accRef{InstID(id), int32(k)}
			set := s.setOf[in.node(a.Node)]
			switch {
			case set < 0:
			case a.Flags&FlagDeep != 0:
				d := deep.of(in, a)
				if d < 0 {
					continue
				}
				if int(d) == len(t.deepBy) {
					t.deepBy = append(t.deepBy, nil)
					for _, loc := range deep.locs[d] {
						if list := t.deep[loc]; len(list) == 0 || list[len(list)-1] != d {
							t.deep[loc] = append(list, d)
						}
					}
				}
				t.deepBy[d] = append(t.deepBy[d], ref)
			case a.Flags&FlagCall != 0:
				s.locations(in, a, func(loc int32) {
					if list := t.calls[loc]; len(list) == 0 || list[len(list)-1] != ref {
						t.calls[loc] = append(list, ref)
					}
				})
			default:
				g := t.groupOf(set, a)
				g.refs = append(g.refs, ref)
			}
		}
	}
	t.sets = newLists(len(s.owners), func(add func(loc, set int32)) {
		for id, groups := range t.groups {
			if len(groups) == 0 {
				continue
			}
			for l := range s.sets[id].All() {
				add(l, int32(id))
			}
		}
	})
	return t
}

func (t *baseTable) groupOf(set int32, a *Access) *accessGroup {
	write, region := a.Flags&FlagWrite != 0, a.Flags&FlagRegion != 0
	for i := range t.groups[set] {
		if g := &t.groups[set][i]; g.off == a.Off && g.n == a.N && g.write == write && g.region == region {
			return g
		}
	}
	t.groups[set] = append(t.groups[set], accessGroup{off: a.Off, n: a.N, write: write, region: region})
	return &t.groups[set][len(t.groups[set])-1]
}

// A selection is what is asked of accesses of a baseTable, whatever the location. Most do not
// satisfy it, and the same lists are come to from thousands of locations, so that it is
// asked of each list once.
type selection struct {
	keep   func(accRef) bool
	groups map[*accessGroup][]accRef
	deep   map[int32][]accRef // by index into deepBy
}

func newSelection(keep func(accRef) bool) *selection {
	return &selection{keep: keep, groups: make(map[*accessGroup][]accRef), deep: make(map[int32][]accRef)}
}

// has reports whether an access satisfies it.
func (x *selection) has(ref accRef) bool { return x == nil || x.keep(ref) }

// ofGroup and ofDeep are the accesses of a list that satisfy it.
func (x *selection) ofGroup(g *accessGroup) []accRef {
	if x == nil {
		return g.refs
	}
	return selected(x, x.groups, g, g.refs)
}

func (x *selection) ofDeep(t *baseTable, d int32) []accRef {
	if x == nil {
		return t.deepBy[d]
	}
	return selected(x, x.deep, d, t.deepBy[d])
}

func selected[K comparable](x *selection, known map[K][]accRef, k K, all []accRef) []accRef {
	out, ok := known[k]
	if !ok {
		for _, ref := range all {
			if x.keep(ref) {
				out = append(out, ref)
			}
		}
		known[k] = out
	}
	return out
}

// at calls f for the accesses to a location that a selection has, all if it is nil; for
// the reads among them only if asked for. An access may come more than once.
func (t *baseTable) at(loc int32, reads bool, x *selection, f func(ref accRef, write bool)) {
	t.plain(loc, reads, false, x, f)
	// An access to a region of elements touches what overlaps its leaves too.
	t.s.overlapping(loc, func(l int32) {
		if l != loc {
			t.plain(l, reads, true, x, f)
		}
	})
	give := func(ref accRef) {
		if write := t.s.insts[ref.inst].fn.Accesses[ref.idx].Flags&FlagWrite != 0; write || reads {
			f(ref, write)
		}
	}
	for _, ref := range t.calls[loc] {
		if x.has(ref) {
			give(ref)
		}
	}
	for _, d := range t.deep[loc] {
		for _, ref := range x.ofDeep(t, d) {
			give(ref)
		}
	}
}

func (t *baseTable) plain(loc int32, reads, regions bool, x *selection, f func(ref accRef, write bool)) {
	oid := t.s.ownerOf(loc)
	if oid < 0 || !t.s.isData(oid) {
		return
	}
	o := t.s.object(oid)
	one := len(o.layout.Leaves) == 1 && o.layout.Collapsed // whatever the offset, see shift
	for l := o.loc; l <= loc; l++ {
		for _, set := range t.sets.at(l) {
			for i := range t.groups[set] {
				g := &t.groups[set][i]
				if !g.write && !reads || regions && !g.region || !one && (loc-l < g.off || loc-l >= g.off+g.n) {
					continue
				}
				for _, ref := range x.ofGroup(g) {
					f(ref, g.write)
				}
			}
		}
	}
}

// maxPartners bounds the instructions of the other side that each instruction
// is paired with on one location: enough that a lock or a join which one of
// them lacks shows, and the work grows with the accesses and not with their
// square (soundness: pairs-bounded).
const maxPartners = 12

// maxFurther is the number of partners of an instruction beyond the first
// maxPartners: whether it lacks a lock or a join that the others have shows with
// each of them. With twelve, loops of a scraper had 200 thousand pairs, on 800
// fields of which no more than a few pairs are ever shown.
const maxFurther = 4

// product calls f for the pairs of two lists of accesses to one location. Where
// there are many, each pair of the first instructions comes in several contexts,
// and every further instruction meets the first few of them in one: in another
// context each time, so that those of one instruction all have their turn. Of the
// 259 thousand pairs of a loop of a scraper, on 800 fields, two thirds were other
// contexts of the same instructions. It reports whether some were left out. f may be
// nil.
func (ov *overlay) product(as, bs *coded, max *bounds, f func(a, b use)) (cut bool) {
	if len(as.list)*len(bs.list) <= max.partners*max.partners {
		if f == nil {
			return false
		}
		for _, a := range as.list {
			for _, b := range bs.list {
				f(a, b)
			}
		}
		return false
	}
	x, y := as.byCode(ov), bs.byCode(ov)
	for i, a := range x {
		for j, b := range y {
			if i >= max.partners && j >= max.further || j >= max.partners && i >= max.further {
				cut = true
				break // the same holds for what follows
			}
			if i >= max.partners || j >= max.partners {
				if f != nil {
					f(a[(i+j)%len(a)], b[(i+j)%len(b)])
				}
				cut = cut || len(a)*len(b) > 1
				continue
			}
			if f != nil {
				contexts(a, b, max.contexts, f)
			}
			cut = cut || len(a)*len(b) > max.contexts
		}
	}
	return cut
}

// contexts calls f for the first few pairs of two lists.
func contexts(as, bs []use, few int, f func(a, b use)) {
	for _, a := range as {
		for _, b := range bs {
			if few--; few < 0 {
				return
			}
			f(a, b)
		}
	}
}

// coded are accesses to one location that are grouped when that is asked for.
type coded struct {
	list   []use
	groups [][]use
}

// byCode groups accesses by instruction, in the order of the first of each.
func (c *coded) byCode(ov *overlay) [][]use {
	if c.groups != nil || len(c.list) == 0 {
		return c.groups
	}
	at := make(map[uint64]int, min(len(c.list), 64))
	for _, u := range c.list {
		code := uint64(ov.inst(u.inst).fn.ID)<<32 | uint64(uint32(u.idx))
		i, ok := at[code]
		if !ok {
			i = len(c.groups)
			at[code] = i
			c.groups = append(c.groups, nil)
		}
		if len(c.groups[i]) < 4*maxContexts {
			c.groups[i] = append(c.groups[i], u)
		}
	}
	return c.groups
}

// first returns the first n writes and reads.
func (u *uses) first(n int) *uses {
	return &uses{writes: u.writes[:min(len(u.writes), n)], reads: u.reads[:min(len(u.reads), n)]}
}

// filter returns the uses that satisfy keep.
func (u *uses) filter(keep func(use) bool) *uses {
	writes, reads := kept(u.writes, keep), kept(u.reads, keep)
	if len(writes) == len(u.writes) && len(reads) == len(u.reads) {
		return u
	}
	return &uses{writes: writes, reads: reads}
}

// kept returns those of a list that satisfy keep, which is asked once for each: the list itself
// if all do.
func kept(list []use, keep func(use) bool) []use {
	n := slices.IndexFunc(list, func(x use) bool { return !keep(x) })
	if n < 0 {
		return list
	}
	out := slices.Clone(list[:n])
	for _, x := range list[n+1:] {
		if keep(x) {
			out = append(out, x)
		}
	}
	return out
}

// any reports whether one of the uses satisfies f.
func (u *uses) any(f func(use) bool) bool {
	return slices.ContainsFunc(u.writes, f) || slices.ContainsFunc(u.reads, f)
}

// skipTo returns how many entries from index i on are for locations below loc.
func (t *loopTable) skipTo(i int, loc int32) int {
	step, lo := 1, i
	for lo+step <= len(t.locs) && t.locs[lo+step-1] < loc {
		lo += step
		step *= 2
	}
	n, _ := slices.BinarySearch(t.locs[lo:min(lo+step, len(t.locs))], loc)
	return lo + n - i
}
