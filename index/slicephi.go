package index

// This file evaluates phis of slices: cursors like src = src[k:].

// slicePhi is a phi of slices of one array.
func (f *frame) slicePhi(r vref) *ref {
	v := &f.c.vals[r]
	unknown := f.refs[r]
	var base *ref
	var check []*ref
	l := f.c.headerOf(v.blk)
	// A header phi is its entry value cut further; find the array by the
	// entries, then see whether the latches agree.
	for i, p := range f.c.blocks[v.blk].preds {
		if v.a[i] == 0 {
			return unknown
		}
		if l >= 0 && f.c.inLoop(l, p) {
			continue
		}
		x := thing{f, v.a[i], ""}.ref()
		if base == nil {
			base = x
		}
		check = append(check, x)
	}
	if base == nil || !base.ok || !base.slice {
		return unknown
	}
	y := &ref{ok: true, slice: true, place: base.place}
	f.refs[r] = y
	if l >= 0 {
		// Until the parts are known they are unknowns of the phi's own.
		y.off, y.len, y.cap = f.opaque(r, 'o'), f.opaque(r, 'l'), f.opaque(r, 'c')
		for i, p := range f.c.blocks[v.blk].preds {
			if f.c.inLoop(l, p) {
				check = append(check, f.again(v.a[i]))
			}
		}
	}
	for _, x := range check {
		if !x.ok || !samePlace(x.place, base.place) {
			f.refs[r] = unknown
			return unknown
		}
	}
	z := *y
	if l >= 0 {
		defer func() {
			for _, x := range v.a {
				f.forget(x) // they were evaluated with the unknowns
			}
		}()
	}
	z.off = f.phi(r, 'o')
	z.len = f.phi(r, 'l')
	z.cap = f.phi(r, 'c')
	f.refs[r] = &z
	return &z
}

// again evaluates a slice anew, because it was looked at before the phi that
// it depends on was known.
func (f *frame) again(r vref) *ref {
	f.forget(r)
	return thing{f, r, ""}.ref()
}

func (f *frame) forget(r vref) {
	for r = f.c.resolve(r); f.c.vals[r].op == opSlice; r = f.c.resolve(f.c.vals[r].a[0]) {
		delete(f.refs, r)
	}
}

func samePlace(p, q place) bool {
	if p.root != q.root || len(p.path) != len(q.path) {
		return false
	}
	for i, s := range p.path {
		t := q.path[i]
		if s.kind != t.kind || s.n != t.n || !s.form.equal(t.form) {
			return false
		}
	}
	return true
}
