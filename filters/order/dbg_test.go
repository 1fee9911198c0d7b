package order

import (
	"fmt"
	"testing"

	"github.com/iterace/iterace/filters/internal/smallworld"
)

func TestDbg(t *testing.T) {
	p, err := smallworld.Solve("Test", `package p
var sink int
func sink2(int){}
func Test() {
	ch := make(chan []byte, 4)
	go func() {
		for b := range ch {
			sink2(int(b[0]))
		}
	}()
	for i := range 10 {
		buf := make([]byte, 1)
		buf[0] = byte(i)
		ch <- buf
	}
	close(ch)
}`)
	if err != nil {
		t.Fatal(err)
	}
	v := p.Views()[0]
	a := New(v)
	rs := v.Races()
	for _, r := range rs.Races {
		fmt.Println(r.A.Pos, r.B.Pos, r.Field)
		a.Filter(rs)
		x, y := r.A, r.B
		f := v.Flow(0)
		fmt.Println(f.Addr(0), f.Allocs, len(f.Steps))
		_ = x
		fmt.Println(f.Addr(9), f.Addr(8), f.Addr(7), y.Instr)
		for k, o := range a.allOps {
			fmt.Println(k, o.kind, o.site, o.locs, a.ownBirth(access{0, 8, noSite, noSite}))
		}
		xx := access{inst: 0, at: 12}
		fmt.Println(f.Addr(12), a.ownBirth(xx))
		xx.own = a.ownBirth(xx)
		for _, o := range a.allOps {
			fmt.Println(o.site, a.over(xx, o))
		}
		fmt.Println("judge", a.judge(r))
		x2 := access{inst: 1, at: 0}
		_ = x2
		rf := v.Flow(1)
		for i := range rf.Steps {
			fmt.Println(rf.Steps[i], a.awaits(place{1, rf, int32(i), 0, 0}, xx, false))
			n := &op{inst: 1, f: rf, step: int32(i), site: rf.Steps[i].Site, kind: opRecv}
			fmt.Println(a.chanOf(n, xx, false))
			for _, o := range a.allOps {
				fmt.Println(o.site, a.overAll(xx, o, o.locs, false), a.mayPrecede(o, n), a.external(o.locs[0]))
			}
		}
	}
}
