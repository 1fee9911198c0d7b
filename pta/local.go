package pta

// shared tells which objects of the base can be known to more than one
// goroutine: those that some memory holds, a closure's variables among it, or
// that are handed over where a goroutine starts. Whatever else a goroutine
// touches it has made itself, and has passed on to what it calls only, however
// many goroutines do the same with an object of the same name.
func (r *baseResult) shared(oid int32) bool {
	return r.s.object(oid).kind != objAlloc || r.known.Has(oid)
}

func (r *baseResult) findShared() {
	s := r.s
	stored := make([]bool, len(s.sets))
	hold := func(n int32) {
		if id := s.setOf[n]; id >= 0 {
			stored[id] = true
		}
	}
	for n, owner := range s.owners {
		if owner >= 0 {
			hold(int32(n))
		}
	}
	for _, in := range s.insts {
		for k := range in.fn.Calls {
			c := &in.fn.Calls[k]
			if c.Mode != ModeSpawn {
				continue
			}
			if c.Fn != None && c.Kind != CallStatic {
				hold(in.node(c.Fn))
			}
			for _, a := range c.Args {
				if a.Node == None {
					continue
				}
				for j := range a.Len {
					hold(in.node(a.Node + Node(j)))
				}
			}
		}
	}
	for id, yes := range stored {
		if !yes {
			continue
		}
		for l := range s.sets[id].All() {
			for {
				b, boxed := s.boxAt(l)
				if !boxed {
					break
				}
				l = b.loc
			}
			if oid := s.ownerOf(l); oid >= 0 {
				r.known.Add(oid)
			}
		}
	}
}
