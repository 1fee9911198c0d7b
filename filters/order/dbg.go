package order

import (
	"fmt"
	"os"

	"github.com/iterace/iterace/filters/internal/inview"
	"github.com/iterace/iterace/pta"
)

var dbg = os.Getenv("DBG") != ""

func (a *Analysis) dump(x, y access) {
	if os.Getenv("DBG") != "2" {
		return
	}
	w := a.w
	fmt.Fprintln(os.Stderr, "SPAWNS", a.spawns, "again", a.again)
	var _ *inview.Set
	show := func(i pta.InstID) string {
		return fmt.Sprintf("%d %s %v threads %v callers %v", i, w.FuncName(i), w.Thread(i), a.threadsOf(i), a.in.Callers(i))
	}
	fmt.Fprintln(os.Stderr, "X", show(x.inst), x)
	fmt.Fprintln(os.Stderr, "Y", show(y.inst), y)
	for _, o := range a.allOps {
		fmt.Fprintln(os.Stderr, "  op", show(o.inst), o.site, o.kind, o.lib, o.locs, o.path)
	}
	for _, l := range []access{x, y} {
		for _, t := range a.threadsOf(l.inst) {
			fmt.Fprintln(os.Stderr, " thread", t, show(t), a.spawnsOf(t))
		}
	}
}

var nwalks, nnodes int

func (a *Analysis) statistics(n int) {
	kinds := map[string]int{}
	for k := range a.walks {
		kinds[string(k.kind)]++
	}
	us := 0
	for _, c := range a.byKey {
		us += len(c.other)
	}
	println("walks", nwalks, "nodes", nnodes, "classes", len(a.byKey), "races", n, "f", kinds["f"], "s", kinds["s"], "a", kinds["a"], "other", us, "useful", len(a.useful), "ops", len(a.allOps), "syncful", len(a.syncful), "relevant", len(a.relevant), "fuel", a.fuel, "undecided", a.undecided)
	nwalks, nnodes = 0, 0
}
