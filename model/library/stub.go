package library

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// A Use is a function or method that a program calls and the model should
// know.
type Use struct {
	Name  string // in a form that Normalize takes; of a method, "(T).M" or "(*T).M"
	Count int    // calls of it
	At    string // the first of them, file:line
	Why   string // why the analysis does not know what it does
}

// A stub is the use of one function, under its name in its package.
type stub struct {
	rel string
	use Use
}

// Stub returns TOML entries to fill in for the functions that have none yet:
// packages and, in them, functions that are called most come first. Without
// types it cannot tell the package of a function from the type of a method
// except by the form that go/ssa writes, so names should come in that form.
func (m *Model) Stub(uses []Use) string {
	byPkg := make(map[string][]stub)
	total := make(map[string]int)
	for _, u := range uses {
		if m.InterfaceMethod(u.Name) != nil {
			continue // an entry for its package says nothing of an interface's method
		}
		norm := Normalize(u.Name)
		pkg := cut(norm)
		if strings.HasPrefix(u.Name, "(") {
			pkg = cut(pkg)
		}
		if pkg == "" || strings.Contains(norm, "$") {
			continue
		}
		total[pkg] += u.Count
		rel := strings.TrimPrefix(norm, pkg+".")
		if i := slices.IndexFunc(byPkg[pkg], func(s stub) bool { return s.rel == rel }); i >= 0 {
			byPkg[pkg][i].use.Count += u.Count
		} else {
			byPkg[pkg] = append(byPkg[pkg], stub{rel, u})
		}
	}
	pkgs := sortedKeys(byPkg)
	slices.SortStableFunc(pkgs, func(p, q string) int { return total[q] - total[p] })
	var b strings.Builder
	for _, pkg := range pkgs {
		fmt.Fprintf(&b, "[[package]]\npath = %q\ndoc = \"https://pkg.go.dev/%s\" # TODO: what it says about concurrent use\n\n", pkg, pkg)
		list := byPkg[pkg]
		slices.SortFunc(list, func(s, t stub) int {
			return cmp.Or(t.use.Count-s.use.Count, strings.Compare(s.rel, t.rel))
		})
		for _, s := range list {
			if s.use.Count > 0 {
				calls := "calls"
				if s.use.Count == 1 {
					calls = "call"
				}
				fmt.Fprintf(&b, "# %d %s, the first at %s: %s\n", s.use.Count, calls, s.use.At, s.use.Why)
			}
			fmt.Fprintf(&b, stubText, s.rel)
		}
	}
	return b.String()
}

// stubText is valid as it stands, and says as much as no entry would.
const stubText = `[[package.func]]
name = %q
# threadSafeOnClosure = true # neither it nor what it calls races
# threadSafe = true          # it does not race; what it calls may
# reads = [0]                # it reads the memory of its receiver or first argument
# writes = [0]               # it writes it
analyse = true               # says nothing; put one of these in its place

`
