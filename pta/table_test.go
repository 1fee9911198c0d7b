package pta

import "testing"

// TestTables looks at what initialisers make of tables: of one without pointers there
// is the array alone, and nothing of its elements.
func TestTables(t *testing.T) {
	for _, test := range []struct {
		src                     string
		allocs, accesses, elems int
	}{
		{"var x = []row{{1, 2}, {3, 4}}", 1, 0, 0},
		{"var x = map[string][]row{`a`: {{1, 2}}, `b`: {{3, 4}}}", 3, 0, 0},
		// What the elements point to is asked for.
		{"var x = []*row{{1, 2}, {3, 4}}", 3, 6, 2},
	} {
		pkg := build(t, "package p\ntype row struct{ a, b int }\nfunc f([]row) {}\n"+test.src)
		p := NewProgram(pkg.Prog, Options{Application: func(string) bool { return true }})
		f := p.Func(p.FuncID(pkg.Func("init")))
		accesses, elems := 0, 0
		for _, a := range f.Accesses {
			if a.Flags&FlagWrite != 0 && a.Flags&FlagMap == 0 && a.What != "init$guard" && a.What != "x" {
				accesses++
			}
		}
		for _, c := range f.Constraints {
			if c.Op == OpElem {
				elems++
			}
		}
		if len(f.Allocs) != test.allocs || accesses != test.accesses || elems != test.elems {
			t.Errorf("%s: %d allocations, %d accesses, %d elements; want %d, %d, %d", test.src, len(f.Allocs), accesses, elems, test.allocs, test.accesses, test.elems)
		}
	}
}
