package pta

// solveNaive is the textbook solver: every constraint of every instance is
// applied to the whole set of the node it watches, again and again, until a
// round changes nothing. It is the oracle of the fast solver and stays for
// ever; tests compare the two on every program.
func (s *solver) solveNaive() {
	for {
		s.changed = false
		s.instantiate()
		// The slices grow while the loop runs.
		for i := 0; i < len(s.nodes); i++ {
			st := s.nodes[i]
			if st == nil || st.pts.Empty() {
				continue
			}
			for _, dst := range st.out {
				s.addSet(dst, st.pts)
			}
			for j := 0; j < len(st.cons); j++ {
				s.apply(st, st.cons[j], st.pts.Copy())
			}
		}
		if !s.changed && len(s.pending) == 0 {
			return
		}
	}
}
