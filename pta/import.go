package pta

import (
	"encoding/binary"
	"slices"

	"github.com/iterace/iterace/internal/bitset"
)

// This file keeps what an overlay imports from the base. An overlay loads from
// thousands of locations through one pointer, and of what it finds there most is
// the same: locations that the same stores fill have the same content, and many
// contents are one set of the base. So an import is a set that is looked up by
// location and shared, not a node with an edge to every load. On a key-value
// store the nodes and edges took a third of all that loops cost.

// An importTable is what an overlay has imported so far, by base location and
// side, and the imports that the load at hand has met.
type importTable struct {
	pages   [partBeta + 1][]*importPage // by side, by location
	byStore map[importKey]imported
	sets    []*bitset.Set // by number
	numbers map[*bitset.Set]int32
	bySome  map[importKey][]importedBy // where not all stores count
	below   map[importKey]imported     // see importBelow
	answers map[importKey]imported     // see importAnswers
	joined  map[*bitset.Set]int32      // by set: the last import that it became part of
	joins   int32

	list []int32 // met by the load at hand, each once
	mark []int32 // by number: the last load that met it
	load int32

	unions map[string]*bitset.Set // by numbers, see met
	key    []byte
}

// importPage holds the imports of consecutive locations. Most locations of the
// base are never met.
type importPage [1 << importBits]imported

const importBits = 8

// imported is what one side sees in a location of the base.
type imported struct {
	number int32 // of its set, from 1; 0 for a location not met yet
	stored bool  // the loop's iterations may store there, see mayStore
}

// importKey names the imports of all locations that are filled by the same
// stores.
type importKey struct {
	list int32
	side uint8
}

// importedBy is what is seen where some of the stores of a key count.
type importedBy struct {
	counts []bool
	imported
}

func newImportTable() importTable {
	return importTable{
		byStore: make(map[importKey]imported), bySome: make(map[importKey][]importedBy),
		joined: make(map[*bitset.Set]int32), sets: []*bitset.Set{nil, noPts}, numbers: map[*bitset.Set]int32{noPts: 1}, mark: make([]int32, 2),
		unions: make(map[string]*bitset.Set),
	}
}

// begin starts a load.
func (t *importTable) begin() {
	t.load++
	t.list = t.list[:0]
}

// add notes that the load at hand meets an import.
func (t *importTable) add(e imported) {
	if t.mark[e.number] != t.load {
		t.mark[e.number] = t.load
		t.list = append(t.list, e.number)
	}
}

// met is the union of the imports that the load at hand met. The loads of one field in all copies of a
// function meet the same: on an event loop's server 56 thousand loads had 1.6 million sets to unite, and
// 58 thousand are left.
func (t *importTable) met() *bitset.Set {
	switch len(t.list) {
	case 0:
		return noPts
	case 1:
		return t.sets[t.list[0]]
	}
	t.key = t.key[:0]
	for _, n := range t.list {
		t.key = binary.LittleEndian.AppendUint32(t.key, uint32(n))
	}
	set, ok := t.unions[string(t.key)]
	if !ok {
		set = t.sets[t.list[0]].Copy()
		for _, n := range t.list[1:] {
			set.Union(t.sets[n], nil)
		}
		t.unions[string(t.key)] = set
	}
	return set
}

// at returns the entry of a location.
func (t *importTable) at(loc int32, side uint8) *imported {
	pages := &t.pages[side]
	page := int(loc >> importBits)
	if page >= len(*pages) {
		*pages = append(*pages, make([]*importPage, page+1-len(*pages))...)
	}
	p := (*pages)[page]
	if p == nil {
		p = new(importPage)
		(*pages)[page] = p
	}
	return &p[loc&(1<<importBits-1)]
}

// number numbers a set.
func (t *importTable) number(set *bitset.Set) int32 {
	if set.Empty() {
		return 1
	}
	n, ok := t.numbers[set]
	if !ok {
		n = int32(len(t.sets))
		t.numbers[set] = n
		t.sets, t.mark = append(t.sets, set), append(t.mark, 0)
	}
	return n
}

// importFrom says where an imported value comes from.
type importFrom struct {
	main  bool  // written by Main, as the loop sees it
	below bool  // by code that iterations run and the overlay does not enter
	fresh bool  // by a store of a fresh object
	side  uint8 // the side that looks
	frame bool  // by the spawner into what it makes once in a run: what it makes so, too, is this run's
}

// imp returns what side sees in a base location that something else than this
// loop put there.
func (ov *overlay) imp(loc int32, side uint8) imported {
	e := ov.seen.at(loc, side)
	if e.number == 0 {
		*e = ov.importAt(loc, side)
	}
	return *e
}

// importAt makes the import of a location.
func (ov *overlay) importAt(loc int32, side uint8) imported {
	list := ov.base.predOf[loc]
	children := ov.base.children[loc]
	k := importKey{list, side}
	if e, ok := ov.seen.byStore[k]; ok && len(children) == 0 {
		return e
	}
	var set *bitset.Set
	own := false
	ov.seen.joins++
	// Hundreds of stores of syntax trees put the same few sets into one field.
	add := func(x *bitset.Set) {
		if x.Empty() || x == set || ov.seen.joined[x] == ov.seen.joins {
			return
		}
		ov.seen.joined[x] = ov.seen.joins
		switch {
		case set == nil:
			set = x
		case own:
			set.Union(x, nil)
		default:
			set, own = set.Copy(), true
			set.Union(x, nil)
		}
	}
	// Where other loops write, a store counts at some locations only; but which
	// stores count is the same at most of them.
	preds := ov.base.predList[list]
	counts := make([]bool, len(preds))
	alike := true
	for i, p := range preds {
		skip, here := ov.skip(loc, p)
		alike = alike && !here
		counts[i] = !skip
	}
	stored := ov.stores || ov.mayStore(loc)
	if len(children) == 0 {
		for _, x := range ov.seen.bySome[k] {
			if x.stored == stored && slices.Equal(x.counts, counts) {
				return x.imported
			}
		}
	}
	for i, p := range preds {
		if !counts[i] {
			continue
		}
		w := ov.base.inst(p.inst)
		from := importFrom{main: !ov.res.reaches(p.inst, ov.loop), below: ov.isBelow(p.inst), side: side}
		if p.fact >= 0 {
			from.fresh = w.fn.Facts[p.fact].Fresh
		} else {
			from.fresh = true // a closure's free variables, written when it is made
		}
		from.frame = from.fresh && ov.isSpawner(p.inst) && ov.madeOnce(ov.base.ownerOf(loc))
		add(ov.importSet(p.src, from))
	}
	if len(children) > 0 {
		add(bitset.Of(children...))
	}
	e := imported{ov.seen.number(set), stored}
	switch {
	case len(children) > 0:
	case alike:
		ov.seen.byStore[k] = e
	default:
		ov.seen.bySome[k] = append(ov.seen.bySome[k], importedBy{counts, e})
	}
	return e
}

// store makes the content of a location ⊇ pts(src).
//
// The base knows of every store that the loop's iterations make, and a location
// to which none of them is has no shadow for loads to look at. That is no law:
// the overlay names contexts of its own. If a store shows up that the base had
// not foreseen, the overlay is solved again with a shadow for each location.
func (ov *overlay) store(loc, src int32) {
	if loc < ov.first && !ov.stores {
		if _, ok := ov.shadows[loc]; !ok {
			ov.missed = ov.missed || !ov.mayStore(loc)
		}
	}
	ov.addEdge(src, ov.shadow(loc))
}

// mayStore reports whether the base has a store of the loop's iterations, or of
// what runs again of its spawner, to a location.
func (ov *overlay) mayStore(loc int32) bool {
	for _, p := range ov.base.storesTo(loc) {
		if ov.spawns[p.inst] || ov.res.reaches(p.inst, ov.loop) {
			return true
		}
	}
	return false
}
