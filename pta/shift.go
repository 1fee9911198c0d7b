package pta

import "golang.org/x/tools/go/ssa"

// An element that an iteration reaches by its own index is its own: part alpha of
// the array, or part beta. Where there are two slices of one array and one begins
// later than the other, element i of both are different elements, and element i of one
// may be element i+1 of the other. So in an array that is cut like that the parts meet, and
// whether the elements do is the index prover's question. What the elements point to
// stays apart.

// shiftedBy notes a slice of s that may begin after s.
func (l *lowerer) shiftedBy(in *ssa.Slice, s Node) {
	if in.Low == nil || s == None {
		return
	}
	if n, ok := intValue(in.Low); ok && n == 0 {
		return
	}
	l.f.Shifted = append(l.f.Shifted, s)
}

// shiftedArray reports whether a location is one side's part of an array of which
// there are slices that begin elsewhere.
func (p *pairing) shiftedArray(loc int32) bool {
	if p.v.partOf(loc) == partAny {
		return false
	}
	r := p.v.res
	r.onces.shifted.Do(func() {
		r.shifted = r.base.s.ownersOf(func(f *Func) []Node { return f.Shifted })
	})
	c := p.v.canonical(loc)
	return c < p.v.ov.first && r.shifted[p.v.ov.base.ownerOf(c)]
}

// ownersOf lists the objects that some nodes of the functions may point to.
func (s *solver) ownersOf(nodes func(*Func) []Node) map[int32]bool {
	out := make(map[int32]bool)
	for id := range InstID(len(s.insts)) {
		in := s.inst(id)
		for _, n := range nodes(in.fn) {
			for l := range s.pts(in.node(n)).All() {
				out[s.ownerOf(l)] = true
			}
		}
	}
	return out
}

// otherPart calls f for the locations of the other side's part of a shifted array.
func (p *pairing) otherPart(loc int32, f func(int32)) {
	x := p.v.ov.leafAt(loc)
	part := uint8(partAlpha + partBeta - x.Part)
	p.v.ov.mayMeet(loc+(int32(part)-int32(x.Part))*x.PartSize, func(l int32) {
		if p.v.partOf(l) == part {
			f(l)
		}
	})
}
