package order

import (
	"fmt"
	"testing"

	"github.com/iterace/iterace/filters/internal/smallworld"
	"github.com/iterace/iterace/internal/ssair"
	"github.com/iterace/iterace/pta"
)

func TestTmp(t *testing.T) {
	p, err := smallworld.Solve("Test", `package p
type job struct{ n int }
func Test() {
in := make(chan *job, 2); for range 2 { go func() { for j := range in { j.n++ } }() }; j := &job{1}; in <- j; in <- j; return
}`)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range p.Views() {
		rs := v.Races()
		a := New(v, rs)
		for _, r := range rs.Races {
			v := a.judge(r)
			x := access{inst: pta.InstID(r.A.Inst), at: ssair.Instr(r.A.Instr), birth: noSite, own: noSite}
			y := access{inst: pta.InstID(r.B.Inst), at: ssair.Instr(r.B.Instr), birth: noSite, own: noSite}
			c := a.classOf(x)
			fmt.Println(x, y, a.ownBirth(x), a.again, a.spawns, "sem", a.semaphores(x, y), "own", a.bothOwned(x, y), "r2", a.rounds2(x, y), a.unguarded(x, y), c.over, c.hopeless)
			fmt.Println(a.isLock(1, opRecv), a.isLock(1, opSend), a.allOps[0].locs)
			fmt.Println(r.Object.Name, r.Field, r.A.Thread, r.B.Thread, r.A.Instr, r.B.Instr, v)
		}
		for _, o := range a.allOps {
			fmt.Println(o.id, o.inst, o.kind, o.site, o.value, a.sendsOwn(o))
		}
	}
}
