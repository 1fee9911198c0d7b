package pta

// shared tells which objects of the base can be known to more than one
// goroutine: those that can be reached from memory that nobody has made in view
// (package variables, what entry points are called with), from what is handed
// over where a goroutine starts, and from memory that is known itself. Whatever
// else a goroutine touches it has made itself, and has passed on to what it calls
// or keeps in memory that it has made, however many goroutines do the same with
// an object of the same name. That some memory holds an object is not enough: a
// connection whose handlers are closures over it is held by these alone.
func (r *baseResult) shared(oid int32) bool {
	return r.s.object(oid).kind != objAlloc || r.known.Has(oid)
}

func (r *baseResult) findShared() {
	s := r.s
	looked := make([]bool, len(s.sets))
	var work []int32 // objects whose memory is to be looked at
	hold := func(n int32) {
		id := s.setOf[n]
		if id < 0 || looked[id] {
			return
		}
		looked[id] = true
		for l := range s.sets[id].All() {
			for {
				b, boxed := s.boxAt(l)
				if !boxed {
					break
				}
				l = b.loc
			}
			if oid := s.ownerOf(l); oid >= 0 && r.known.Add(oid) && s.object(oid).kind == objAlloc {
				work = append(work, oid)
			}
		}
	}
	for oid := range s.objects {
		if s.objects[oid].kind != objAlloc {
			work = append(work, int32(oid))
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
	for len(work) > 0 {
		o := s.object(work[len(work)-1])
		work = work[:len(work)-1]
		for l := o.loc; l < o.loc+o.layout.Len(); l++ {
			hold(l)
		}
	}
}
