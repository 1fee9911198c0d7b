// Package bitset provides sparse sets of small integers as sorted blocks of
// 64 bits. Points-to sets are dense where they are not empty, because the
// leaves of one object have consecutive numbers.
package bitset

import (
	"math/bits"
	"slices"
)

type block struct {
	idx  uint32
	bits uint64
}

// A Set is a set of non-negative integers. The zero Set is empty.
type Set struct {
	blocks []block
}

// Of returns the set of the given elements.
func Of(xs ...int32) *Set {
	s := new(Set)
	for _, x := range xs {
		s.Add(x)
	}
	return s
}

func (s *Set) find(idx uint32) (int, bool) {
	n := len(s.blocks)
	if n == 0 || s.blocks[n-1].idx < idx {
		return n, false
	}
	lo, hi := 0, n
	for lo < hi {
		m := int(uint(lo+hi) >> 1)
		if s.blocks[m].idx < idx {
			lo = m + 1
		} else {
			hi = m
		}
	}
	return lo, s.blocks[lo].idx == idx
}

// Add inserts x and reports whether it is new.
func (s *Set) Add(x int32) bool {
	idx, bit := uint32(x)>>6, uint64(1)<<(uint32(x)&63)
	i, ok := s.find(idx)
	if ok {
		if s.blocks[i].bits&bit != 0 {
			return false
		}
		s.blocks[i].bits |= bit
		return true
	}
	s.blocks = slices.Insert(s.blocks, i, block{idx, bit})
	return true
}

// Has reports whether x is an element. A nil set is empty.
func (s *Set) Has(x int32) bool {
	if s == nil {
		return false
	}
	i, ok := s.find(uint32(x) >> 6)
	return ok && s.blocks[i].bits&(1<<(uint32(x)&63)) != 0
}

// HasRange reports whether an element lies in [lo, hi).
func (s *Set) HasRange(lo, hi int32) bool {
	if s == nil || lo >= hi {
		return false
	}
	for i, _ := s.find(uint32(lo) >> 6); i < len(s.blocks); i++ {
		b := s.blocks[i]
		first := int32(b.idx << 6)
		if first >= hi {
			return false
		}
		w := b.bits
		if lo > first {
			w &= ^uint64(0) << (lo - first)
		}
		if hi-first < 64 {
			w &= 1<<(hi-first) - 1
		}
		if w != 0 {
			return true
		}
	}
	return false
}

// Contains reports whether t is a subset of s.
func (s *Set) Contains(t *Set) bool {
	n, k := len(s.blocks), len(t.blocks)
	if k == 0 {
		return true
	}
	if k > n || t.blocks[0].idx < s.blocks[0].idx || t.blocks[k-1].idx > s.blocks[n-1].idx {
		return false
	}
	i := 0
	for _, b := range t.blocks {
		// Of two large sets that are asked about the one has nearly what the other has.
		if i < n && s.blocks[i].idx < b.idx {
			i = s.seek(i, b.idx)
		}
		if i == n || s.blocks[i].idx != b.idx || b.bits&^s.blocks[i].bits != 0 {
			return false
		}
		i++
	}
	return true
}

// Empty reports whether the set has no element. A nil set is empty.
func (s *Set) Empty() bool { return s == nil || len(s.blocks) == 0 }

// Len returns the number of elements.
func (s *Set) Len() int {
	if s == nil {
		return 0
	}
	n := 0
	for _, b := range s.blocks {
		n += bits.OnesCount64(b.bits)
	}
	return n
}

// Clear removes all elements but keeps the memory.
func (s *Set) Clear() { s.blocks = s.blocks[:0] }

// Copy returns a set with the same elements.
func (s *Set) Copy() *Set {
	if s == nil {
		return new(Set)
	}
	return &Set{blocks: slices.Clone(s.blocks)}
}

// Equal reports whether both sets have the same elements.
func (s *Set) Equal(t *Set) bool {
	if s.Empty() || t.Empty() {
		return s.Empty() && t.Empty()
	}
	return slices.Equal(s.blocks, t.blocks)
}

// Intersects reports whether the sets share an element.
func (s *Set) Intersects(t *Set) bool {
	if s.Empty() || t.Empty() {
		return false
	}
	i, j := 0, 0
	for i < len(s.blocks) && j < len(t.blocks) {
		a, b := s.blocks[i], t.blocks[j]
		switch {
		case a.idx < b.idx:
			i = s.seek(i, b.idx) // one of the sets is often much smaller
		case a.idx > b.idx:
			j = t.seek(j, a.idx)
		default:
			if a.bits&b.bits != 0 {
				return true
			}
			i++
			j++
		}
	}
	return false
}

// And returns the elements that the sets share.
func (s *Set) And(t *Set) *Set {
	out := new(Set)
	if s.Empty() || t.Empty() {
		return out
	}
	for i, j := 0, 0; i < len(s.blocks) && j < len(t.blocks); {
		a, b := s.blocks[i], t.blocks[j]
		switch {
		case a.idx < b.idx:
			i = s.seek(i, b.idx)
		case a.idx > b.idx:
			j = t.seek(j, a.idx)
		default:
			if w := a.bits & b.bits; w != 0 {
				out.blocks = append(out.blocks, block{a.idx, w})
			}
			i++
			j++
		}
	}
	return out
}

// Union adds the elements of t and reports whether any was new. Where fresh is
// not nil the new elements are also added to it.
//
// Small sets are added to large ones all the time: positions are found by
// doubling steps from the last one, and what lies between them moves as a whole.
func (s *Set) Union(t, fresh *Set) bool {
	if t.Empty() {
		return false
	}
	missing, changed := 0, false
	i := 0
	for _, b := range t.blocks {
		i = s.seek(i, b.idx)
		if i == len(s.blocks) || s.blocks[i].idx != b.idx {
			missing++
			changed = true
		} else if b.bits&^s.blocks[i].bits != 0 {
			changed = true
		}
	}
	if !changed {
		return false
	}
	if fresh != nil {
		s.AddMissing(t, fresh)
	}
	if missing == 0 {
		i = 0
		for _, b := range t.blocks {
			i = s.seek(i, b.idx)
			s.blocks[i].bits |= b.bits
		}
		return true
	}
	// From the back, so that no temporary slice is needed. [0, end) of the old
	// blocks have not moved yet; to is one past where the next goes.
	end := len(s.blocks)
	s.blocks = slices.Grow(s.blocks, missing)[:end+missing]
	to := end + missing
	for j := len(t.blocks) - 1; j >= 0; j-- {
		b := t.blocks[j]
		at := seekBack(s.blocks[:end], b.idx) // first old block not below b
		if at < end && s.blocks[at].idx == b.idx {
			s.blocks[at].bits |= b.bits
		} else {
			n := end - at
			copy(s.blocks[to-n:to], s.blocks[at:end])
			to -= n + 1
			end = at
			s.blocks[to] = b
		}
	}
	return true
}

// AddMissing adds to fresh the elements of t that are not in s.
func (s *Set) AddMissing(t, fresh *Set) {
	if len(fresh.blocks) == 0 {
		fresh.blocks = s.missing(t, fresh.blocks)
		return
	}
	var buf [32]block // most of what is new is little
	fresh.Union(&Set{blocks: s.missing(t, buf[:0])}, nil)
}

// missing appends to blocks the elements of t that are not in s.
func (s *Set) missing(t *Set, blocks []block) []block {
	i := 0
	for _, b := range t.blocks {
		i = s.seek(i, b.idx)
		w := b.bits
		if i < len(s.blocks) && s.blocks[i].idx == b.idx {
			w &^= s.blocks[i].bits
		}
		if w != 0 {
			blocks = append(blocks, block{b.idx, w})
		}
	}
	return blocks
}

// With returns the union of two sets as a new one, and adds to fresh what is in t
// only. It is a copy and a Union, without moving what was copied.
func (s *Set) With(t, fresh *Set) *Set {
	missing, i := 0, 0
	for _, b := range t.blocks {
		if i = s.seek(i, b.idx); i == len(s.blocks) || s.blocks[i].idx != b.idx {
			missing++
		}
	}
	out := &Set{blocks: make([]block, 0, len(s.blocks)+missing)}
	i = 0
	for _, b := range t.blocks {
		k := s.seek(i, b.idx)
		out.blocks = append(out.blocks, s.blocks[i:k]...)
		if i = k; k < len(s.blocks) && s.blocks[k].idx == b.idx {
			b.bits |= s.blocks[k].bits
			i++
		}
		out.blocks = append(out.blocks, b)
	}
	out.blocks = append(out.blocks, s.blocks[i:]...)
	if fresh != nil {
		s.AddMissing(t, fresh)
	}
	return out
}

// seek returns the first position from i on whose block is not below idx.
func (s *Set) seek(i int, idx uint32) int {
	n := len(s.blocks)
	if i == n || s.blocks[i].idx >= idx {
		return i
	}
	step := 1
	lo := i // s.blocks[lo] is below idx
	for lo+step < n && s.blocks[lo+step].idx < idx {
		lo += step
		step *= 2
	}
	hi := min(lo+step, n)
	for lo++; lo < hi; {
		m := int(uint(lo+hi) >> 1)
		if s.blocks[m].idx < idx {
			lo = m + 1
		} else {
			hi = m
		}
	}
	return lo
}

// seekBack is seek from the end of the blocks.
func seekBack(blocks []block, idx uint32) int {
	hi := len(blocks) // blocks[hi:] are not below idx
	step := 1
	for hi-step >= 0 && blocks[hi-step].idx >= idx {
		hi -= step
		step *= 2
	}
	lo := max(hi-step+1, 0)
	for lo < hi {
		m := int(uint(lo+hi) >> 1)
		if blocks[m].idx < idx {
			lo = m + 1
		} else {
			hi = m
		}
	}
	return lo
}

// Hash returns a hash of the elements. It is asked of each set again and again, and
// hash/maphash takes four times as long for the two words of a block.
func (s *Set) Hash() uint64 {
	h := uint64(len(s.blocks))
	for _, b := range s.blocks {
		h = (bits.RotateLeft64(h, 29) ^ b.bits ^ uint64(b.idx)<<32) * 0x9e3779b97f4a7c15
		h ^= h >> 32
	}
	return h
}

// Minus returns the elements of s that are not in t.
func (s *Set) Minus(t *Set) *Set {
	out := new(Set)
	i := 0
	for _, b := range s.blocks {
		for i < len(t.blocks) && t.blocks[i].idx < b.idx {
			i++
		}
		if i < len(t.blocks) && t.blocks[i].idx == b.idx {
			b.bits &^= t.blocks[i].bits
		}
		if b.bits != 0 {
			out.blocks = append(out.blocks, b)
		}
	}
	return out
}

// All yields the elements in increasing order; it stops when yield returns false.
func (s *Set) All() func(yield func(int32) bool) {
	return func(yield func(int32) bool) {
		if s == nil {
			return
		}
		for _, b := range s.blocks {
			for w := b.bits; w != 0; w &= w - 1 {
				if !yield(int32(b.idx<<6) + int32(bits.TrailingZeros64(w))) {
					return
				}
			}
		}
	}
}

// Elems returns the elements in increasing order.
func (s *Set) Elems() []int32 {
	out := make([]int32, 0, s.Len())
	for x := range s.All() {
		out = append(out, x)
	}
	return out
}
