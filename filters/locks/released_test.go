package locks

import (
	"slices"
	"testing"

	"github.com/iterace/iterace/internal/ssair"
	"github.com/iterace/iterace/pta"
)

// TestReleased compares the union of sorted sets with that of sets of numbers.
func TestReleased(t *testing.T) {
	set := func(bits int) (out released) {
		for k := 5; k >= 0; k-- {
			if bits&(1<<k) != 0 {
				out = append(out, &Held{Acq: pta.Site{Inst: pta.InstID(k / 2), At: ssair.Instr(k % 2)}})
			}
		}
		return releasing(out)
	}
	for x := range 1 << 6 {
		for y := range 1 << 6 {
			r, s := set(x), set(y)
			got, want := r.and(s), set(x|y)
			if !slices.EqualFunc(got, want, func(g, h *Held) bool { return g.compare(h) == 0 }) {
				t.Fatalf("%b and %b: %d locks, want %d", x, y, len(got), len(want))
			}
			if x&^y == 0 && y != 0 && x == y && &got[0] != &r[0] {
				t.Fatalf("%b and itself is another set", x)
			}
			for k := range 6 {
				if h := set(1 << k)[0]; got.has(h) != ((x|y)&(1<<k) != 0) {
					t.Fatalf("%b and %b: has lock %d: %v", x, y, k, got.has(h))
				}
			}
		}
	}
	first, second := &Held{Name: "first"}, &Held{Name: "second"}
	if r := releasing([]*Held{first, second}); len(r) != 1 || r[0] != first {
		t.Error("of two that are the same the first one does not stay")
	}
	if r := (released{first}).and(released{second}); len(r) != 1 || r[0] != first {
		t.Error("what is there is replaced by what is the same")
	}
}
