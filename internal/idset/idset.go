// Package idset has sets of things that are numbered densely, as bits.
package idset

// A Set is a set of instances, frames or functions by number. Walks ask at every call: as
// maps such sets took a seventh of their time, and those of functions that each loop of a large
// program has a gigabyte. The zero Set is empty, and so is a nil one that is only asked.
type Set[T ~int32] struct{ bits []uint64 }

// Sized returns an empty set with room for numbers below n.
func Sized[T ~int32](n int) Set[T] { return Set[T]{make([]uint64, (n+63)/64)} }

// Words returns the number of machine words that the set takes.
func (s *Set[T]) Words() int { return len(s.bits) }

// Has reports whether the set has an element.
func (s *Set[T]) Has(i T) bool {
	w := int(i) >> 6
	return s != nil && i >= 0 && w < len(s.bits) && s.bits[w]&(1<<(i&63)) != 0
}

// Add adds an element, and reports whether it is new.
func (s *Set[T]) Add(i T) bool {
	w := int(i) >> 6
	if w >= len(s.bits) {
		s.bits = append(s.bits, make([]uint64, w+1-len(s.bits))...)
	}
	if s.bits[w]&(1<<(i&63)) != 0 {
		return false
	}
	s.bits[w] |= 1 << (i & 63)
	return true
}

// Remove removes an element that the set has.
func (s *Set[T]) Remove(i T) { s.bits[int(i)>>6] &^= 1 << (i & 63) }

// Union adds the elements of another set.
func (s *Set[T]) Union(t *Set[T]) {
	if len(t.bits) > len(s.bits) {
		s.bits = append(s.bits, make([]uint64, len(t.bits)-len(s.bits))...)
	}
	for w, x := range t.bits {
		s.bits[w] |= x
	}
}

// Copy returns a set with the same elements.
func (s *Set[T]) Copy() *Set[T] { return &Set[T]{append([]uint64(nil), s.bits...)} }
