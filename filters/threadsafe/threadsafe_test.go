package threadsafe

import (
	"math/rand"
	"testing"

	"github.com/iterace/iterace/model"
	"github.com/iterace/iterace/model/library"
	"github.com/iterace/iterace/pta"
)

// A world says of some functions and makers what the model says.
type world struct {
	entries []*library.Func
	recv    []string
	makers  map[*model.Object]*library.Func
}

func (w *world) Library(id pta.InstID) *library.Func { return w.entries[id] }
func (w *world) Stated(a *model.Access) bool         { return a.Inst == libStates }
func (w *world) Maker(o *model.Object) *library.Func { return w.makers[o] }
func (w *world) Receiver(id pta.InstID) string       { return w.recv[id] }

// The instances of the world below: a function for each thing that the model
// may say, in the application and in a library.
const (
	app       = iota // the application, nothing is said of it
	appSafe          // a function of the application that the user calls safe
	lib              // library code of which nothing is said
	libSafe          // threadSafe
	libClosed        // threadSafeOnClosure
	libReads         // described by its effects only
	method           // a method of the type T
	otherM           // a method of another type
	libStates        // threadSafe, but the access is what it is said to do to an argument
)

var (
	plain = &model.Object{Type: "lib.T"}
	made  = &model.Object{Type: "lib.T"} // by a function that makes only safe objects
	mixed = &model.Object{Type: "lib.T"} // by one that is only safe itself
)

func newWorld() *world {
	return &world{
		entries: []*library.Func{
			app: nil, appSafe: {ThreadSafe: true}, lib: nil, libSafe: {ThreadSafe: true},
			libClosed: {ThreadSafe: true, SafeOnClosure: true}, libReads: {Reads: []int{0}}, method: nil, otherM: nil, libStates: {ThreadSafe: true, Reads: []int{0}},
		},
		recv: []string{method: "lib.T", otherM: "lib.U", libStates: ""},
		makers: map[*model.Object]*library.Func{
			made: {ReturnsSafe: true}, mixed: {ThreadSafe: true, CirculatesUnsafe: true},
		},
	}
}

func access(inst int) *model.Access {
	return &model.Access{Inst: int32(inst), Library: inst != app && inst != appSafe}
}

var tests = []struct {
	what string
	a, b int
	obj  *model.Object
	keep bool
}{
	{"nothing known", app, app, plain, true},
	{"library code, nothing known", lib, lib, plain, true},
	{"effects say nothing of safety", libReads, libReads, plain, true},

	{"safe against itself", libSafe, libSafe, plain, false},
	{"safe on closure", libClosed, libClosed, plain, false},
	{"the application's safe function", appSafe, appSafe, plain, false},
	{"safe against other library code", libSafe, lib, plain, false},
	{"safe functions of both", appSafe, libSafe, plain, false},

	{"what is said to be done to an argument", libStates, libStates, plain, true},
	{"safe against that", libSafe, libStates, plain, false},

	// Documentation is about calls, not about who reaches for a field.
	{"safe against the application", libSafe, app, plain, true},
	{"safe on closure against the application", libClosed, app, plain, true},
	{"the application's safe function against others of it", appSafe, app, plain, true},

	{"methods of a safe object", method, method, made, false},
	{"methods of an object whose maker is only safe itself", method, method, mixed, true},
	{"methods of an object of unknown origin", method, method, plain, true},
	{"a field of a safe object", method, app, made, true},
	{"another type's method reaches into a safe object", method, otherM, made, true},
}

func TestFilter(t *testing.T) {
	w := newWorld()
	for _, test := range tests {
		for _, r := range []*model.Race{
			{Object: test.obj, A: access(test.a), B: access(test.b)},
			{Object: test.obj, A: access(test.b), B: access(test.a)}, // alpha and beta are alike
		} {
			out := Filter(w, &model.RaceSet{Races: []*model.Race{r}})
			if keep := out.Len() == 1; keep != test.keep {
				t.Errorf("%s: kept is %v", test.what, keep)
			}
		}
	}
}

// The result is a subset, in order, of the same races; and what is done to one
// does not depend on the others.
func TestNarrows(t *testing.T) {
	w := newWorld()
	objects := []*model.Object{plain, made, mixed}
	rng := rand.New(rand.NewSource(1))
	for range 200 {
		in := new(model.RaceSet)
		for range rng.Intn(20) {
			in.Races = append(in.Races, &model.Race{
				Object: objects[rng.Intn(3)], A: access(rng.Intn(len(w.entries))), B: access(rng.Intn(len(w.entries))),
			})
		}
		out := Filter(w, in).Races
		for _, r := range in.Races {
			alone := Filter(w, &model.RaceSet{Races: []*model.Race{r}}).Len() == 1
			kept := len(out) > 0 && out[0] == r
			if kept {
				out = out[1:]
			}
			if kept != alone {
				t.Fatalf("%+v: kept among others is %v, alone %v", r, kept, alone)
			}
		}
		if len(out) > 0 {
			t.Fatalf("%d races out of order, or not from the argument", len(out))
		}
	}
}
