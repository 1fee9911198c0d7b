package pta

// HandedDown returns the ways in which a call gets the closure by which it runs callee; ok is
// false where it does not run it by a closure, or where one of them cannot be followed.
// Who calls the caller with another function does not make this call run callee.
func (v *View) HandedDown(call Site, callee InstID) (ways []Way, ok bool) {
	for _, id := range v.frameIDs(call.Inst) {
		in := v.ov.inst(id)
		for k := range in.fn.Calls {
			c := &in.fn.Calls[k]
			if c.At != call.At {
				continue
			}
			for _, e := range in.callees[k] {
				if e.callee != callee {
					continue
				}
				if e.obj < 0 || c.Fn == None {
					return nil, false
				}
				ws, known := v.waysBy(point{id, c.Fn}, v.baseOf(v.ov.object(e.obj).loc), throughClosures)
				if !known || len(ws) == 0 {
					return nil, false
				}
				ways = append(ways, ws...)
			}
		}
	}
	return ways, len(ways) > 0
}
