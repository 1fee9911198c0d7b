package report

import (
	"fmt"
	"slices"

	"github.com/iterace/iterace/model"
)

// A Diagnostic is a race set as one message at one place: what tools show that
// look at one package at a time.
type Diagnostic struct {
	Place
	Related []Place
}

// A Place is a position and what is to be said of it.
type Place struct {
	Pos     model.Pos
	Message string
}

// Diagnose words a race set for a tool that shows what is in some files only:
// the position is that of an access there, or else of the loop, or else of the
// last call there on the way to an access, or the one that has given another
// package's loop its body. Of a set with no place there nothing
// is said; ok is false.
func Diagnose(r *model.Report, here func(model.Pos) bool) (d Diagnostic, ok bool) {
	w, other := headline(r)
	list := slices.Concat([]model.Pos{w.Pos, other.Pos, r.Loop.Pos, r.Loop.Spawn}, calls(w.Access), calls(other.Access))
	for _, x := range r.Races {
		list = append(list, x.A.Pos, x.B.Pos)
		list = slices.Concat(list, calls(x.A), calls(x.B))
	}
	for _, p := range list {
		if !p.IsValid() || !here(p) {
			continue
		}
		near := nearPos(p.File, model.Pos.String)
		d.Pos = p
		d.Message = "race on " + subject(r.Object, r.Field, near) + ": " + conflict(w, other, near)
		if p != w.Pos {
			d.Message += "; it is written at " + near(w.Pos)
		}
		d.Message += fmt.Sprintf(" (%s; id %s)", grade(r), r.ID)
		for _, x := range related(r) {
			if x.Pos != p {
				d.Related = append(d.Related, x)
			}
		}
		return d, true
	}
	return d, false
}

// calls lists the calls that lead to an access, the last one first, and the one
// that has given the loop its body.
func calls(a *model.Access) []model.Pos {
	var list []model.Pos
	for _, f := range slices.Backward(a.Path) {
		list = append(list, f.Call)
	}
	return append(list, a.Given)
}

// related lists the accesses, the loop and the object, with what each is.
func related(r *model.Report) []Place {
	pos := model.Pos.String
	var list []Place
	seen := make(map[Place]bool)
	add := func(p model.Pos, text string) {
		if x := (Place{p, text}); p.IsValid() && !seen[x] {
			seen[x] = true
			list = append(list, x)
		}
	}
	for _, x := range r.Races {
		a, b := ends(x)
		for _, e := range []end{a, b} {
			add(e.Pos, fmt.Sprintf("%s by %s, in %s", e.Kind, who(e, pos), short(e.Func)))
		}
	}
	add(r.Loop.Pos, describeLoop(r.Loop, pos))
	for _, o := range Objects(r) {
		add(o.Pos, describe(o, pos))
	}
	for _, x := range r.Races {
		if x.Deep != nil {
			add(x.Deep.A.Pos, "library code behind it: "+x.Deep.A.Kind.String()+" in "+short(x.Deep.A.Func))
			add(x.Deep.B.Pos, "library code behind it: "+x.Deep.B.Kind.String()+" in "+short(x.Deep.B.Func))
		}
	}
	return list
}
