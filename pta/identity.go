package pta

// This file finds what functions return of what they are given: methods that return their
// receiver, so that calls can be chained, and what wraps these. Through their results
// alone all callers would share what one of them passes. A call has its own argument back
// instead, without a copy of the callee.

// identityDepth bounds the calls that are followed in a row to what a function returns.
const identityDepth = 4

// A paramLeaf is a leaf of a parameter; index is -1 for none.
type paramLeaf struct{ index, leaf int32 }

var noParam = paramLeaf{-1, 0}

// identity returns, for each leaf of a function's results, the leaf of a parameter that it always is
// if it is not nil; nil if there is no such leaf.
func (p *Program) identity(f *Func) []paramLeaf { return p.identityWithin(f, identityDepth) }

// An identityKey is a question: a function, and how many calls in a row are followed at most.
type identityKey struct {
	fn    FuncID
	depth int
}

// identityWithin is identity with at most so many calls in a row. Each answer is kept: asked
// anew for each leaf of each result on the way, structs of a hundred fields that four functions
// pass on took longer than all else.
func (p *Program) identityWithin(f *Func, depth int) []paramLeaf {
	if f.RLen == 0 || len(f.Params) == 0 {
		return nil
	}
	key := identityKey{f.ID, depth}
	p.mu.RLock()
	out, ok := p.identities[key]
	p.mu.RUnlock()
	if ok {
		return out
	}
	for j := range f.RLen {
		d := identityFinder{p: p, f: f, depth: depth}
		if l, ok := d.from(f.Result + Node(j)); ok && l != noParam {
			if out == nil {
				out = make([]paramLeaf, f.RLen)
				for i := range out {
					out[i] = noParam
				}
			}
			out[j] = l
		}
	}
	p.mu.Lock()
	p.identities[key] = out
	p.mu.Unlock()
	return out
}

// identityFinder follows a value of one function back to a parameter.
type identityFinder struct {
	p     *Program
	f     *Func
	depth int
	seen  []Node // values on the way: a loop's variable may be itself
}

// from returns the only leaf of a parameter that a value may be; noParam for a value that is
// only one that is being followed already.
func (d *identityFinder) from(n Node) (paramLeaf, bool) {
	f := d.f
	for i, p := range f.Params {
		if p != None && p <= n && n < p+Node(f.PLen[i]) {
			return paramLeaf{int32(i), int32(n - p)}, true
		}
	}
	for _, s := range d.seen {
		if s == n {
			return noParam, true
		}
	}
	if len(d.seen) > 8 {
		return noParam, false
	}
	d.seen = append(d.seen, n)
	is, defined := noParam, false
	for i := range f.Constraints {
		c := &f.Constraints[i]
		if c.Dst != n || c.Op == OpStore {
			continue
		}
		if c.Op != OpCopy {
			return noParam, false
		}
		l, ok := d.from(c.Src)
		if !ok || l != noParam && is != noParam && l != is {
			return noParam, false
		}
		if l != noParam {
			is = l
		}
		defined = true
	}
	if defined {
		return is, true
	}
	for k := range f.Calls {
		c := &f.Calls[k]
		if c.Kind != CallStatic || c.Mode != ModePlain || c.Result == None || n < c.Result || d.depth == 0 {
			continue
		}
		callee := d.p.Func(c.Callee)
		j := int32(n - c.Result)
		if callee.Result == None || j >= callee.RLen {
			continue
		}
		of := d.p.identityWithin(callee, d.depth-1)
		if of == nil || of[j] == noParam || int(of[j].index) >= len(c.Args) {
			return noParam, false
		}
		a := c.Args[of[j].index]
		if a.Node == None || of[j].leaf >= a.Len {
			return noParam, false
		}
		return d.from(a.Node + Node(of[j].leaf))
	}
	return noParam, false
}

// passBack gives a call what its callee returns of what it is given, and returns the
// leaves of the result for which that is all; recv is as in bind.
func (s *solver) passBack(in *instance, k int32, callee *Func, recv int32) []paramLeaf {
	c := &in.fn.Calls[k]
	if c.Result == None || callee.Result == None {
		return nil
	}
	is := s.p.identity(callee)
	for j, l := range is {
		if l == noParam {
			continue
		}
		dst := in.node(c.Result) + int32(j)
		if recv >= 0 {
			if l.index == 0 {
				if s.p.pointerLike(callee) {
					s.addPts(dst, recv)
				} else if x, ok := s.shift(recv, l.leaf); ok && s.leafAt(x).Ptr {
					s.loadEdges(x, dst, 0)
				}
				continue
			}
			l.index--
		}
		if int(l.index) < len(c.Args) {
			if a := c.Args[l.index]; a.Node != None && l.leaf < a.Len {
				s.addEdge(s.source(in, a.Node+Node(l.leaf)), dst)
			}
		}
	}
	return is
}
