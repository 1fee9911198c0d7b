package pta

import (
	"fmt"
	"io"
)

// WriteConstraints prints the template of every function that was lowered.
func (p *Program) WriteConstraints(w io.Writer) {
	for _, f := range p.Lowered() {
		fmt.Fprintf(w, "==== %s params %v free %v result %d factory=%v small=%v helper=%v wrapper=%v\n", f.Name, f.Params, f.Free, f.Result, f.Factory, f.Small, f.Helper, f.Wrapper)
		for i := range f.Allocs {
			a := &f.Allocs[i]
			fmt.Fprintf(w, "  alloc %d %s %q side %d inloop=%v %s own %b by %v\n", i, a.Word, a.Name, a.Side, a.InLoop, a.Pos, a.Own, a.OwnBy)
		}
		for i := range f.Constraints {
			fmt.Fprintf(w, "  %s\n", f.Constraints[i].String())
		}
		for i := range f.Calls {
			c := &f.Calls[i]
			fmt.Fprintf(w, "  call %d kind %d mode %d side %d loop %d callee %d fn n%d args %v result n%d\n", i, c.Kind, c.Mode, c.Side, c.Loop, c.Callee, c.Fn, c.Args, c.Result)
		}
		for i := range f.Accesses {
			a := &f.Accesses[i]
			fmt.Fprintf(w, "  access %s flags %b n%d+%d/%d side %d loop %d %s\n", a.Pos, a.Flags, a.Node, a.Off, a.N, a.Side, a.Loop, a.What)
		}
	}
}

var opNames = [...]string{"copy", "addr", "global", "func", "offset", "elem", "load", "store", "box", "boxval", "boxconst", "unbox", "unboxval", "filter", "notmade", "notglobal", "nottype"}

func (c *Constraint) String() string {
	return fmt.Sprintf("n%d %s n%d off %d arg %d part %d mask %b side %d loop %d", c.Dst, opNames[c.Op], c.Src, c.Off, c.Arg, c.Part, c.Mask, c.Side, c.Loop)
}

// WritePoints prints every non-empty points-to set of the base.
func (r *Result) WritePoints(w io.Writer) { r.base.s.write(w) }

func (s *solver) write(w io.Writer) {
	for i, in := range s.insts {
		fmt.Fprintf(w, "instance %d %s %+v nodes %d-%d\n", int(s.firstInst)+i, in.fn.Name, in.ctx, in.base, in.base+in.fn.NNodes)
	}
	for i := range s.objects {
		o := &s.objects[i]
		fmt.Fprintf(w, "object %d loc %d-%d kind %d inst %d alloc %d side %d %q view %d\n", int(s.firstObj)+i, o.loc, o.loc+o.layout.Len()-1, o.kind, o.inst, o.alloc, o.side, o.text, o.view)
	}
	for i := range s.owners {
		if set := s.pts(s.first + int32(i)); !set.Empty() {
			fmt.Fprintf(w, "  %d: %v\n", int(s.first)+i, set.Elems())
		}
	}
}

// WritePoints prints every non-empty points-to set of the loop's overlay.
func (v *View) WritePoints(w io.Writer) { v.ov.write(w) }
