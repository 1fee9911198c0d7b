package pta

import (
	"slices"

	"github.com/iterace/iterace/internal/bitset"
)

// This file finds what deep accesses touch: a formatter's of its operands, say.

// maxDeep bounds the objects that a deep access looks at (soundness: deep-reads).
const maxDeep = 200

// An extent is a range of leaves of an object. It is hidden if it is a part of it whose own name
// is not exported: a pointer to that shows what lies in it all the same.
type extent struct {
	from, to int32
	hidden   bool
}

// covers reports whether who has looked at an extent has looked at another.
func (x extent) covers(y extent) bool {
	return x.from <= y.from && y.to <= x.to && (x.hidden || !y.hidden)
}

// wholeArrays widens an extent that begins or ends inside an array to all of the array: one
// of its elements stands for any. A field that has an array in it is no more than the field.
func (l *Layout) wholeArrays(x extent) extent {
	for x.from > 0 && l.sameArray(x.from-1) {
		x.from--
	}
	for x.to < l.Len() && l.sameArray(x.to-1) {
		x.to++
	}
	return x
}

// sameArray reports whether leaf i and the next are of one array: it has its parts one
// after the other.
func (l *Layout) sameArray(i int32) bool {
	x, y := &l.Leaves[i], &l.Leaves[i+1]
	return x.PartSize != 0 && y.PartSize == x.PartSize && x.Part <= y.Part
}

// deepLocations calls f for what can be reached from the pointers in set, which
// are to n leaves each; 0 stands for the whole object. A pointer into an object, or
// a slice of an array in it, leads to what it points to, as far as its type is known,
// and not to what lies beside it. What a library's type has behind fields of its own (a
// message's descriptor, say) is the library's affair.
// The flags of the access tell which of it is touched.
func (s *solver) deepLocations(set *bitset.Set, n int32, flags uint32, f func(loc int32)) {
	format := flags&FlagFormat != 0
	seen := make(map[int32][]extent) // by object, as offsets
	objects := 0
	type part struct {
		oid int32
		extent
	}
	var work []part
	type pointers struct {
		set *bitset.Set
		n   int32
	}
	followed := make(map[pointers]bool) // many fields and elements hold the same
	push := func(l, n int32) {
		if b, ok := s.boxAt(l); ok {
			l, n = b.loc, s.p.types.extentOf(b.typ)
		}
		oid := s.ownerOf(l)
		if oid < 0 || !s.isData(oid) {
			return
		}
		o := s.object(oid)
		x := extent{from: l - o.loc, to: l - o.loc + n}
		if n == 0 || x.to > o.layout.Len() || o.layout.Collapsed {
			x = extent{to: o.layout.Len()}
		} else {
			x.hidden = n < o.layout.Len() && !slices.ContainsFunc(o.layout.Leaves[x.from:x.to], func(l Leaf) bool { return !l.Private })
			x = o.layout.wholeArrays(x)
		}
		if len(seen[oid]) == 0 {
			if objects == maxDeep {
				return
			}
			objects++
		}
		if slices.ContainsFunc(seen[oid], func(y extent) bool { return y.covers(x) }) {
			return
		}
		seen[oid] = append(seen[oid], x)
		work = append(work, part{oid, x})
	}
	for l := range set.All() {
		if b, ok := s.boxAt(l); ok && format && s.p.formats(b.typ) {
			continue
		}
		push(l, n)
	}
	for len(work) > 0 {
		x := work[0]
		work = work[1:]
		o := *s.object(x.oid)
		for i := x.from; i < x.to; i++ {
			loc, leaf := o.loc+i, &o.layout.Leaves[i]
			if leaf.Private && !x.hidden && flags&FlagPublic != 0 {
				continue
			}
			if leaf.Kind != LeafOpaque {
				f(loc)
			}
			if !leaf.Ptr || leaf.Inner || flags&FlagBlank != 0 || format && leaf.printsAddress() {
				continue
			}
			n := int32(0)
			if leaf.Kind == LeafPointer || leaf.Kind == LeafSlice {
				n = s.p.types.layout(leaf.Elem).Len()
			}
			if to := (pointers{s.contents(loc), n}); !followed[to] {
				followed[to] = true
				for l := range to.set.All() {
					if b, ok := s.boxAt(l); ok && format && s.p.types.isAddress(b.typ) && !s.p.formats(b.typ) {
						continue
					}
					push(l, n)
				}
			}
		}
	}
}

// deepFrom returns the pointers from which a deep access sets out, and to how many
// leaves each is: a formatter's are the operands, what the elements of its variadic
// argument hold.
func (s *solver) deepFrom(set *bitset.Set, a *Access) (*bitset.Set, int32) {
	switch {
	case a.Flags&FlagFormat != 0:
		top := new(bitset.Set)
		for l := range set.All() {
			if b, ok := s.boxAt(l); ok {
				top.Add(b.loc)
			} else if s.ownerOf(l) >= 0 {
				s.overlapping(l, func(x int32) { top.Union(s.contents(x), nil) })
			}
		}
		return top, 0
	case a.Flags&FlagMap != 0:
		return set, 0
	}
	return set, a.N
}

// A deepTable finds what deep accesses touch once a solution is there, once for all
// that set out from the same: calls of a formatter have arguments of their own, with
// the same values in them. Of 1,065 calls in a program that reaches all of go/ssa 186
// set out from something else.
type deepTable struct {
	s    *solver
	sets map[uint64][]*bitset.Set // different ones, by hash
	at   map[deepKey]int32        // index into locs
	locs [][]int32
}

type deepKey struct {
	set   *bitset.Set
	n     int32
	flags uint32
}

func newDeepTable(s *solver) *deepTable {
	return &deepTable{s: s, sets: make(map[uint64][]*bitset.Set), at: make(map[deepKey]int32)}
}

// of returns the index into locs of what a deep access touches, -1 for nothing.
func (t *deepTable) of(in *instance, a *Access) int32 {
	if a.Flags&FlagOpen != 0 && !t.s.open(in, a.Recv) {
		return -1
	}
	set, n := t.s.deepFrom(t.s.pts(in.node(a.Node)), a)
	if set.Empty() {
		return -1
	}
	sum := set.Hash()
	i := slices.IndexFunc(t.sets[sum], set.Equal)
	if i >= 0 {
		set = t.sets[sum][i]
	} else {
		t.sets[sum] = append(t.sets[sum], set)
	}
	k := deepKey{set, n, a.Flags & (FlagFormat | FlagPublic | FlagBlank)}
	x, ok := t.at[k]
	if !ok {
		var locs []int32
		t.s.deepLocations(set, n, a.Flags, func(loc int32) { locs = append(locs, loc) })
		x = int32(len(t.locs))
		t.at[k] = x
		t.locs = append(t.locs, locs)
	}
	return x
}
