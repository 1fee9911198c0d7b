package analyzer

import (
	"fmt"
	"slices"

	"github.com/iterace/iterace/model/library"
	"github.com/iterace/iterace/pta"
)

// Unknown is what is not known of the library calls in parallel bodies.
type Unknown struct {
	Calls    int // library calls in parallel bodies, by place and callee
	Known    int // of those, the model describes the callee
	Analysed int // of the others, its body is analysed
	// Uses lists the callees that are neither, the most called first.
	Uses   []library.Use
	Stubs  string // model entries for them, to fill in
	Root   string // directory that file names are relative to
	Errors []LoadError
}

// Share returns the part of the calls that is known or analysed, from 0 to 1.
func (u *Unknown) Share() float64 {
	if u.Calls == 0 {
		return 1
	}
	return float64(u.Known+u.Analysed) / float64(u.Calls)
}

// FindUnknown analyses the packages up to the points-to base, which tells what
// iterations run, and looks at the library calls in there.
func FindUnknown(cfg *Config) (*Unknown, error) {
	all := *cfg
	all.whole = true // the code of callees is looked at
	r, err := prepare(&all, nil)
	if err != nil {
		return nil, err
	}
	u := &Unknown{Root: r.out.Root, Errors: r.out.Errors}
	if !r.built {
		return u, nil
	}
	r.solve()
	u.count(r.res.LibraryCalls())
	u.Stubs = r.lib.Stub(u.Uses)
	return u, nil
}

// count sorts the calls into known, analysed and neither.
func (u *Unknown) count(calls []pta.LibraryCall) {
	index := make(map[string]int)
	for _, c := range calls {
		u.Calls++
		switch {
		case c.Known:
			u.Known++
		case c.Analysed:
			u.Analysed++
		default:
			i, ok := index[c.Name]
			if !ok {
				i = len(u.Uses)
				index[c.Name] = i
				u.Uses = append(u.Uses, library.Use{Name: c.Name, At: fmt.Sprintf("%s:%d", c.Pos.File, c.Pos.Line), Why: c.Why})
			}
			u.Uses[i].Count++
		}
	}
	slices.SortStableFunc(u.Uses, func(a, b library.Use) int { return b.Count - a.Count })
}
