package order

// An idSet is a set of instances or of frames. They are numbered densely, and
// walks ask at every call: as maps such sets took a seventh of their time.
type idSet[T ~int32] struct{ bits []uint64 }

func (s *idSet[T]) has(i T) bool {
	w := int(i) >> 6
	return i >= 0 && w < len(s.bits) && s.bits[w]&(1<<(i&63)) != 0
}

// add adds an element, and reports whether it is new.
func (s *idSet[T]) add(i T) bool {
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

// remove removes an element.
func (s *idSet[T]) remove(i T) { s.bits[int(i)>>6] &^= 1 << (i & 63) }

// union adds the elements of another set.
func (s *idSet[T]) union(t *idSet[T]) {
	if len(t.bits) > len(s.bits) {
		s.bits = append(s.bits, make([]uint64, len(t.bits)-len(s.bits))...)
	}
	for w, x := range t.bits {
		s.bits[w] |= x
	}
}

func (s *idSet[T]) copy() *idSet[T] { return &idSet[T]{append([]uint64(nil), s.bits...)} }
