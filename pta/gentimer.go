package pta

import (
	"go/types"

	"github.com/iterace/iterace/internal/ssair"
	"github.com/iterace/iterace/model/library"
	"golang.org/x/tools/go/ssa"
)

// timerWord marks the channel that the runtime sends on.
const timerWord = "timer"

// Timer reports whether the object is a timer's channel: what sends on it is
// the operation that made it, at the same place.
func (o ObjectInfo) Timer() bool { return o.Kind == timerWord }

// timer lowers a call that makes a timer: the result is its channel, or a
// pointer to a struct with the channel in the field C.
func (l *lowerer) timer(e *library.Func, res ssa.Value, d Node) {
	if d == None {
		return
	}
	ch := func(t *types.Chan) int32 {
		k := l.addAlloc(Alloc{Kind: AllocChan, Type: l.p.types.id(t.Elem()), Word: timerWord, Name: "channel of " + e.Name}, l.fn.Pos())
		l.f.Allocs[k].Pos = l.p.pos(l.ir.At(l.at).Pos())
		return k
	}
	switch t := ssair.Under(res.Type()).(type) {
	case *types.Chan:
		l.emit(Constraint{Op: OpAddr, Dst: d, Arg: ch(t)})
	case *types.Pointer:
		l.newResult(d, res.Type(), e)
		st, ok := ssair.Under(t.Elem()).(*types.Struct)
		if !ok {
			return
		}
		for i := range st.NumFields() {
			c, ok := ssair.Under(st.Field(i).Type()).(*types.Chan)
			if !ok || st.Field(i).Name() != "C" {
				continue
			}
			for off, x := range l.p.types.layoutOf(t.Elem()).Leaves {
				if x.Name == ".C" {
					tmp := l.newNodes(1)
					l.emit(Constraint{Op: OpAddr, Dst: tmp, Arg: ch(c)})
					l.emit(Constraint{Op: OpStore, Dst: d, Off: int32(off), Src: tmp, Arg: l.fact(nil)})
				}
			}
		}
	}
}
