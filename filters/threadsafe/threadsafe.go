// Package threadsafe removes races that the library model excludes: those
// inside functions and methods that are documented as safe for concurrent use.
//
// The rules are those of the IteRace paper, section "library thread-safety".
// A function that is safe on closure is never entered at all; what is left
// here are functions whose own instructions are safe although what they call
// may not be, and objects that come from a function which makes only safe
// ones. An access of the application to a field is never excused.
package threadsafe

import (
	"github.com/iterace/iterace/model"
	"github.com/iterace/iterace/model/library"
	"github.com/iterace/iterace/pta"
)

// A World is what the filter asks of a points-to result.
type World interface {
	Library(pta.InstID) *library.Func
	// Stated reports whether an access is what the model says a function does to
	// an argument.
	Stated(*model.Access) bool
	// Maker returns what the model says of the function that allocated an
	// object of the race, or nil.
	Maker(*model.Object) *library.Func
	// Receiver returns the type whose method an instance runs, or "".
	Receiver(pta.InstID) string
}

// Filter returns the races that the model does not exclude.
func Filter(w World, rs *model.RaceSet) *model.RaceSet {
	return rs.Filter(func(r *model.Race) bool {
		a, b := safe(w, r.A), safe(w, r.B)
		// What is documented is about calls. The application's own access to a
		// field is none, whatever the function on the other side promises.
		if (a || r.A.Library) && (b || r.B.Library) && (a || b) {
			return false
		}
		if m := w.Maker(r.Object); m != nil && m.ReturnsSafe {
			// Its own methods are trusted; who reaches for a field is not.
			t := r.Object.Type
			if w.Receiver(pta.InstID(r.A.Inst)) == t && w.Receiver(pta.InstID(r.B.Inst)) == t {
				return false
			}
		}
		return true
	})
}

// safe reports whether an access is an instruction of a function that is called safe.
func safe(w World, a *model.Access) bool {
	f := w.Library(pta.InstID(a.Inst))
	return f != nil && (f.ThreadSafe || f.SafeOnClosure) && !w.Stated(a)
}
