package pta

import "github.com/iterace/iterace/internal/bitset"

// A sharing tells which objects of the base can be known to more than one
// goroutine: those that can be reached from memory that nobody has made in view
// (package variables, what entry points are called with), from what is handed
// over where a goroutine starts, and from memory that is known itself. Whatever
// else a goroutine touches it has made itself, and has passed on to what it calls
// or keeps in memory that it has made, however many goroutines do the same with
// an object of the same name. That some memory holds an object is not enough: a
// connection whose handlers are closures over it is held by these alone.
type sharing struct {
	known bitset.Set // the allocated ones among them
	firm  bitset.Set // the part of known that no pool is needed for
}

// shared reports whether an object may be known to several goroutines.
func (r *baseResult) isShared(in *sharing, oid int32) bool {
	return r.s.object(oid).kind != objAlloc || in.known.Has(oid)
}

// byPools reports whether an object is shared in no other way than by lying in a
// pool, or behind what lies there.
func (sh *sharing) byPools(oid int32) bool { return sh.known.Has(oid) && !sh.firm.Has(oid) }

// maxSharing is up to which number of objects times loops the goroutines of each
// program of a module are looked at apart, about half a second.
const maxSharing = 5_000_000

// sharingIn returns the sharing in the programs that run some instances. Other
// programs of the module may start goroutines with objects of the same name.
func (r *baseResult) sharingIn(in []bool) *sharing {
	if len(r.s.objects)*len(r.loops) > maxSharing {
		return r.shared
	}
	return r.findShared(in)
}

// findShared finds what is shared where some instances run, all if in is nil.
func (r *baseResult) findShared(in []bool) *sharing {
	sh := new(sharing)
	s := r.s
	looked := make([]bool, len(s.sets))
	var work, pools []int32 // objects whose memory is to be looked at, and the pools among it
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
			if oid := s.ownerOf(l); oid >= 0 && sh.known.Add(oid) && s.object(oid).kind == objAlloc {
				work = append(work, oid)
			}
		}
	}
	for oid := range s.objects {
		if s.objects[oid].kind != objAlloc {
			work = append(work, int32(oid))
		}
	}
	for id, x := range s.insts {
		if in != nil && !in[id] {
			continue
		}
		for k := range x.fn.Calls {
			c := &x.fn.Calls[k]
			if c.Mode != ModeSpawn {
				continue
			}
			if c.Fn != None && c.Kind != CallStatic {
				hold(x.node(c.Fn))
			}
			for _, a := range c.Args {
				if a.Node == None {
					continue
				}
				for j := range a.Len {
					hold(x.node(a.Node + Node(j)))
				}
			}
		}
	}
	follow := func() {
		for len(work) > 0 {
			o := s.object(work[len(work)-1])
			work = work[:len(work)-1]
			for i := range o.layout.Leaves {
				if l := o.loc + int32(i); o.layout.Leaves[i].Pool {
					pools = append(pools, l)
				} else {
					hold(l)
				}
			}
		}
	}
	follow()
	sh.firm.Union(&sh.known, nil)
	for len(pools) > 0 {
		l := pools[len(pools)-1]
		pools = pools[:len(pools)-1]
		hold(l)
		follow()
	}
	return sh
}
