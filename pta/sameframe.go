package pta

// sharedVariable reports whether a pair is about a variable of the function that
// starts the goroutine: the function itself touches it, and the goroutine has it
// by capture or as an argument. The variable of a function that is called twice
// is two, but the goroutine shares the one of the call that has started it.
func (p *pairing) sharedVariable(oid int32, a, b accRef) bool {
	return p.inSpawner(b.inst) && p.fromSpawner(oid, a)
}

// fromSpawner reports whether alpha's access a is to a variable of the spawner
// that it has by capture or as an argument.
func (p *pairing) fromSpawner(oid int32, a accRef) bool {
	ov := p.v.ov
	o := ov.object(oid)
	if o.kind != objAlloc || !p.inSpawner(o.inst) {
		return false
	}
	if x := &ov.inst(o.inst).fn.Allocs[o.alloc]; x.Kind != AllocValue || x.Word != "var" || x.InLoop || x.Side != 0 {
		return false
	}
	root := p.v.access(a).Root
	return !root.Row && (root.Kind == RootFree || root.Kind == RootParam)
}

// inSpawner reports whether an instance is the function that has the loop, or
// starts the goroutine.
func (p *pairing) inSpawner(id InstID) bool {
	ov := p.v.ov
	return ov.isSpawner(id) || id >= ov.firstInst && ov.inst(id).spawner != nil
}
