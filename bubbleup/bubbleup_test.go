package bubbleup

import (
	"fmt"
	"math/rand"
	"slices"
	"testing"

	"github.com/iterace/iterace/internal/ssair"
	"github.com/iterace/iterace/model"
	"github.com/iterace/iterace/pta"
)

// A world is a call graph: the calls into each instance.
type world struct {
	app     []bool
	thread  []model.Thread
	callers [][]pta.Site
	recv    map[pta.Site][]pta.Loc
	objects []*model.Object // by location
	lines   int             // positions of calls repeat after so many; 0 for never

	internal *model.Object // what the library keeps to itself
	stated   bool          // accesses are what functions are said to do to arguments
	leads    map[*model.Access][][]pta.Site
	made     map[pta.Loc]model.Thread // by iterations; what they make has one name, 0
	runs     map[pta.InstID]bool      // what another loop starts
}

func (w *world) RunBy(id pta.InstID, _ *model.Loop) bool { return w.runs[id] }

func (w *world) Leads(a *model.Access, _ *model.Object) ([][]pta.Site, bool) {
	l, ok := w.leads[a]
	return l, ok
}

func (w *world) App(id pta.InstID) bool            { return w.app[id] }
func (w *world) Callers(id pta.InstID) []pta.Site  { return w.callers[id] }
func (w *world) Thread(id pta.InstID) model.Thread { return w.thread[id] }
func (w *world) FuncName(id pta.InstID) string     { return fmt.Sprintf("f%d", id) }
func (w *world) Receivers(s pta.Site) []pta.Loc    { return w.recv[s] }
func (w *world) Stated(a *model.Access) bool       { return w.stated }
func (w *world) Internal(o *model.Object) bool     { return o == w.internal }
func (w *world) Object(l pta.Loc) pta.ObjectInfo {
	if t, ok := w.made[l]; ok {
		return pta.ObjectInfo{Object: w.objects[l], Made: t}
	}
	return pta.ObjectInfo{Object: w.objects[l], Canon: l}
}
func (w *world) Compare(x, y pta.InstID) int { return int(x - y) }
func (w *world) Pos(id pta.InstID, at ssair.Instr) model.Pos {
	line := 1000*int(id) + int(at)
	if w.lines > 0 {
		line %= w.lines
	}
	return model.Pos{File: "f.go", Line: line + 1}
}

// add adds an instance.
func (w *world) add(app bool, t model.Thread) pta.InstID {
	w.app = append(w.app, app)
	w.thread = append(w.thread, t)
	w.callers = append(w.callers, nil)
	return pta.InstID(len(w.app) - 1)
}

// call adds a call at an instruction of the caller, with receivers.
func (w *world) call(from, to pta.InstID, at ssair.Instr, recv ...pta.Loc) pta.Site {
	s := pta.Site{Inst: from, At: at}
	w.callers[to] = append(w.callers[to], s)
	if w.recv == nil {
		w.recv = make(map[pta.Site][]pta.Loc)
	}
	w.recv[s] = recv
	return s
}

// access is one in an instance, at an instruction that is no call.
func (w *world) access(id pta.InstID, k model.AccessKind) *model.Access {
	return &model.Access{
		Thread: w.thread[id], Kind: k, Library: !w.app[id], Func: w.FuncName(id), Pos: w.Pos(id, 999), Inst: int32(id), Instr: 999, Index: 3,
	}
}

var (
	global = &model.Object{ID: 1, Kind: "global", Name: "lib.cache"}
	shared = &model.Object{ID: 2, Kind: "new", Name: "s"}
	other  = &model.Object{ID: 3, Kind: "new", Name: "o"}
	inner  = &model.Object{ID: 4, Kind: "new", Type: "lib.node", Many: true}
)

// twoCalls is a library function that alpha and beta call, each from its body,
// on the given receivers.
func twoCalls(a, b []pta.Loc) (w *world, x, y pta.Site, da, db *model.Access) {
	w = &world{objects: []*model.Object{shared, other}}
	bodyA, bodyB := w.add(true, model.Alpha), w.add(true, model.Beta)
	la, lb := w.add(false, model.Alpha), w.add(false, model.Beta)
	ia, ib := w.add(false, model.Alpha), w.add(false, model.Beta)
	x, y = w.call(bodyA, la, 1, a...), w.call(bodyB, lb, 1, b...)
	w.call(la, ia, 1)
	w.call(lb, ib, 1)
	return w, x, y, w.access(ia, model.Write), w.access(ib, model.Read)
}

func at(a *model.Access) pta.Site { return pta.SiteOf(a) }

// What several goroutines run is one instance: the call is that of the goroutine at hand, or the one that starts it.
func TestOtherGoroutine(t *testing.T) {
	w := &world{objects: []*model.Object{shared}}
	body, one, two := w.add(true, model.Alpha), w.add(true, model.Main), w.add(true, model.Main)
	put, reset, inAlpha := w.add(false, model.Main), w.add(false, model.Main), w.add(false, model.Alpha)
	x := w.call(body, inAlpha, 1, 0)
	w.call(one, put, 1, 0)
	w.call(put, reset, 1, 0)
	y := w.call(two, reset, 1, 0)
	a, b := w.access(inAlpha, model.Write), w.access(reset, model.Write)
	by := &model.Loop{}
	lift := func(runs ...pta.InstID) (sites []pta.Site) {
		w.runs = map[pta.InstID]bool{}
		for _, i := range runs {
			w.runs[i] = true
		}
		out, _ := Filter(w, &model.RaceSet{Races: []*model.Race{{Object: inner, Field: ".next", A: a, B: b, Other: by}}})
		for _, r := range out.Races {
			if at(r.A) != x {
				t.Errorf("alpha at %v, want %v", at(r.A), x)
			}
			sites = append(sites, at(r.B))
		}
		return sites
	}
	if got := lift(two, reset); !slices.Equal(got, []pta.Site{y}) {
		t.Errorf("sites %v of the goroutine that calls it itself, want %v", got, y)
	}
	if got := lift(one, put, reset); !slices.Equal(got, []pta.Site{{Inst: one, At: 1}}) {
		t.Errorf("sites %v of the goroutine that calls it by another function", got)
	}
	// go put(): the body is library code.
	if got := lift(put, reset); !slices.Equal(got, []pta.Site{{Inst: one, At: 1}}) {
		t.Errorf("sites %v of a goroutine that starts in the library", got)
	}
	// Calls that lead to the object are another's.
	w.leads = map[*model.Access][][]pta.Site{b: {{{Inst: one, At: 1}, {Inst: put, At: 1}}}}
	if got := lift(two, reset); !slices.Equal(got, []pta.Site{y}) {
		t.Errorf("sites %v, led to by calls of others", got)
	}
}

// Two calls on one receiver race on it; the pair inside stays attached.
func TestReceiver(t *testing.T) {
	w, x, y, a, b := twoCalls([]pta.Loc{0}, []pta.Loc{1, 0})
	deep := &model.Race{Object: inner, Field: ".next", A: a, B: b, Confidence: model.Definite, Assumes: []string{"S1"}}
	out, _ := Filter(w, &model.RaceSet{Races: []*model.Race{deep}})
	if len(out.Races) != 1 {
		t.Fatalf("%d races, want 1", len(out.Races))
	}
	r := out.Races[0]
	if r.Object != shared || r.Field != Field || at(r.A) != x || at(r.B) != y || r.Deep != deep {
		t.Errorf("got %+v", r)
	}
	if r.A.Library || r.A.Kind != model.Write || r.B.Kind != model.Read || r.A.Thread != model.Alpha || r.B.Thread != model.Beta {
		t.Errorf("accesses %+v, %+v", r.A, r.B)
	}
	if r.Confidence != model.Likely || !slices.Equal(r.Assumes, deep.Assumes) {
		t.Errorf("%v on %v: which call runs into the pair is not certain", r.Confidence, r.Assumes)
	}
}

// What is said to be done to an argument is done to that, whatever the receiver is.
func TestStated(t *testing.T) {
	w, x, y, a, b := twoCalls([]pta.Loc{0}, []pta.Loc{0})
	w.stated = true
	deep := &model.Race{Object: inner, Field: ".next", A: a, B: b}
	out, _ := Filter(w, &model.RaceSet{Races: []*model.Race{deep}})
	if len(out.Races) != 1 {
		t.Fatalf("%d races, want 1", len(out.Races))
	}
	if r := out.Races[0]; r.Object != inner || r.Field != ".next" || at(r.A) != x || at(r.B) != y {
		t.Errorf("got %+v", r)
	}
}

// A function that is called with many objects is shown at the calls that pass the
// one that is raced on: in the application, or in the library and from there on.
func TestLeads(t *testing.T) {
	w := &world{objects: []*model.Object{shared, other}}
	body, lib, reset := w.add(true, model.Alpha), w.add(false, model.Alpha), w.add(false, model.Alpha)
	direct := w.call(body, reset, 1, 0)
	outer := w.call(body, lib, 2, 1)
	inside := w.call(lib, reset, 3, 1)
	for _, test := range []struct {
		leads [][]pta.Site
		want  []pta.Site
	}{
		{nil, []pta.Site{direct, outer}},
		{[][]pta.Site{{direct}}, []pta.Site{direct}},
		{[][]pta.Site{{inside}}, []pta.Site{outer}},
		{[][]pta.Site{{outer, inside}}, []pta.Site{outer}},
		{[][]pta.Site{{inside}, {direct}}, []pta.Site{direct, outer}},
	} {
		a := w.access(reset, model.Write)
		w.leads = map[*model.Access][][]pta.Site{}
		if test.leads != nil {
			w.leads[a] = test.leads
		}
		b := &bubbler{w: w, calls: make(map[start]*calls)}
		got, more := b.sites(a, inner, nil)
		slices.SortFunc(got, func(x, y pta.Site) int { return int(x.At) - int(y.At) })
		if !slices.Equal(got, test.want) || more {
			t.Errorf("by %v: at %v (more: %v), want %v", test.leads, got, more, test.want)
		}
	}
}

// On different receivers there is no common one: the deep object is the subject.
func TestDeepObject(t *testing.T) {
	w, x, y, a, b := twoCalls([]pta.Loc{0}, []pta.Loc{1})
	deep := &model.Race{Object: global, Field: "[*]", A: a, B: b, Confidence: model.Assumed}
	out, _ := Filter(w, &model.RaceSet{Races: []*model.Race{deep}})
	if len(out.Races) != 1 {
		t.Fatalf("%d races, want 1", len(out.Races))
	}
	if r := out.Races[0]; r.Object != global || r.Field != "[*]" || at(r.A) != x || at(r.B) != y || r.Deep != deep || r.Confidence != model.Assumed {
		t.Errorf("got %+v", r)
	}
}

// What each iteration has made for itself is no common receiver.
func TestOwnReceivers(t *testing.T) {
	for _, test := range []struct {
		b    model.Thread
		want *model.Object
	}{{model.Beta, inner}, {model.Alpha, shared}} {
		w, _, _, a, b := twoCalls([]pta.Loc{0}, []pta.Loc{1})
		w.made = map[pta.Loc]model.Thread{0: model.Alpha, 1: test.b}
		deep := &model.Race{Object: inner, Field: "[*]", A: a, B: b, Confidence: model.Likely}
		out, _ := Filter(w, &model.RaceSet{Races: []*model.Race{deep}})
		if got := out.Races[0].Object; got != test.want {
			t.Errorf("the other made by %v: a race on %v, want %v", test.b, got, test.want)
		}
	}
}

// A package variable of a library is part of no receiver.
func TestGlobalBehindReceiver(t *testing.T) {
	for _, test := range []struct {
		internal, want *model.Object
	}{{nil, global}, {global, shared}} {
		w, _, _, a, b := twoCalls([]pta.Loc{0}, []pta.Loc{0})
		w.internal = test.internal // the standard library's
		deep := &model.Race{Object: global, Field: "[*]", A: a, B: b, Confidence: model.Likely}
		out, _ := Filter(w, &model.RaceSet{Races: []*model.Race{deep}})
		if r := out.Races[0]; r.Object != test.want || r.Field != Field {
			t.Errorf("a race on %v, field %q, want %v", r.Object, r.Field, test.want)
		}
	}
}

// What a library keeps to itself is hidden, unless the calls have one receiver.
func TestInternal(t *testing.T) {
	for _, test := range []struct {
		b    pta.Loc
		want model.Confidence
	}{{1, model.Assumed}, {0, model.Likely}} {
		w, _, _, a, b := twoCalls([]pta.Loc{0}, []pta.Loc{test.b})
		w.internal = inner
		deep := &model.Race{Object: inner, Field: ".next", A: a, B: b, Confidence: model.Likely}
		out, _ := Filter(w, &model.RaceSet{Races: []*model.Race{deep}})
		if len(out.Races) != 1 {
			t.Fatalf("%d races, want 1", len(out.Races))
		}
		r := out.Races[0]
		if r.Confidence != test.want || slices.Contains(r.Assumes, "library-internals") != (test.want == model.Assumed) {
			t.Errorf("receivers 0 and %d: %v on %v", test.b, r.Confidence, r.Assumes)
		}
	}
}

// Races that one deep race comes up as have lists of their own, which later stages change.
func TestOwnLists(t *testing.T) {
	w, _, _, a, b := twoCalls([]pta.Loc{0}, []pta.Loc{0})
	w.call(1, 3, 2, 0) // beta calls twice
	deep := &model.Race{Object: inner, A: a, B: b, Confidence: model.Assumed, Why: []model.Reason{{Text: "x"}}, Assumes: []string{"many-objects"}}
	out, _ := Filter(w, &model.RaceSet{Races: []*model.Race{deep}})
	if len(out.Races) != 2 {
		t.Fatalf("%d races, want 2", len(out.Races))
	}
	out.Races[0].Assumes[0], out.Races[0].Why[0].Text = "", ""
	if r := out.Races[1]; r.Assumes[0] == "" || r.Why[0].Text == "" {
		t.Errorf("why %q, assumes %q", r.Why, r.Assumes)
	}
}

// A library's global races whatever the receivers: its pair stays, for calls
// on others. Anything else is taken to belong to the receiver, where calls have
// one in common.
func TestSomeCommon(t *testing.T) {
	for _, test := range []struct {
		obj  *model.Object
		want int
	}{{global, 2}, {inner, 1}, {shared, 1}} {
		w, _, _, a, b := twoCalls([]pta.Loc{0}, []pta.Loc{0})
		w.call(1, 3, 2, 1) // beta calls on another receiver, too
		deep := &model.Race{Object: test.obj, A: a, B: b, Confidence: model.Likely}
		out, rest := Filter(w, &model.RaceSet{Races: []*model.Race{deep}})
		if len(out.Races) != test.want {
			t.Errorf("%s: %d races, want %d", test.obj.Kind, len(out.Races), test.want)
			continue
		}
		if test.want == 2 && (out.Races[1] != deep || rest.Settle(out).Len() != 1) {
			t.Errorf("got %+v", out.Races[1])
		}
	}
}

// An access of the application stays, and so does one that no call leads to.
func TestStays(t *testing.T) {
	w, _, y, _, b := twoCalls([]pta.Loc{0}, []pta.Loc{0})
	own := w.access(0, model.Write)
	lost := w.access(w.add(false, model.Alpha), model.Write)
	both := &model.Race{Object: global, A: own, B: w.access(1, model.Read), Confidence: model.Definite}
	in := &model.RaceSet{Races: []*model.Race{
		both,
		{Object: global, A: own, B: b, Confidence: model.Likely},
		{Object: global, A: lost, B: b, Confidence: model.Likely},
	}}
	set, _ := Filter(w, in)
	out := set.Races
	if len(out) != 3 || out[0] != both || out[1].A != own || at(out[1].B) != y || out[2].A != lost || at(out[2].B) != y {
		t.Errorf("got %+v", out)
	}
}

// A body that is library code is shown at its go statement.
func TestSpawn(t *testing.T) {
	w := &world{}
	spawner, bodyA, bodyB := w.add(true, model.Main), w.add(false, model.Alpha), w.add(false, model.Beta)
	s := w.call(spawner, bodyA, 7)
	w.call(spawner, bodyB, 7)
	out, _ := Filter(w, &model.RaceSet{Races: []*model.Race{{Object: global, A: w.access(bodyA, model.Write), B: w.access(bodyB, model.Write)}}})
	if len(out.Races) != 1 || at(out.Races[0].A) != s || out.Races[0].A.Thread != model.Alpha || at(out.Races[0].B) != s {
		t.Errorf("got %+v", out.Races)
	}
}

// Of two pairs that come up at the same calls the more certain one is told,
// in whatever order they come.
func TestMostCertain(t *testing.T) {
	w, _, _, a, b := twoCalls([]pta.Loc{0}, []pta.Loc{0})
	weak := &model.Race{Object: inner, Field: ".a", A: a, B: b, Confidence: model.Assumed, Assumes: []string{"S7"}}
	strong := &model.Race{Object: inner, Field: ".b", A: a, B: b, Confidence: model.Definite}
	for _, in := range [][]*model.Race{{weak, strong}, {strong, weak}} {
		out, _ := Filter(w, &model.RaceSet{Races: in})
		if len(out.Races) != 1 || out.Races[0].Confidence != model.Likely || out.Races[0].Deep != strong || len(out.Races[0].Assumes) > 0 {
			t.Errorf("got %+v", out.Races[0])
		}
	}
}

// Where there are more calls than are shown, the deep pair stays for the others:
// those that are shown may all be locked. If one of them is not, it goes.
func TestManyCalls(t *testing.T) {
	w, _, _, a, b := twoCalls([]pta.Loc{0}, []pta.Loc{0})
	for i := range maxCalls {
		w.call(1, 3, ssair.Instr(10+i), 0)
	}
	deep := &model.Race{Object: global, A: a, B: b, Confidence: model.Likely}
	out, rest := Filter(w, &model.RaceSet{Races: []*model.Race{deep}})
	if len(out.Races) != maxCalls+1 || out.Races[maxCalls] != deep {
		t.Fatalf("%d races, want %d, the last the deep one", len(out.Races), maxCalls+1)
	}
	some := out.Filter(func(r *model.Race) bool { return r == deep || r == out.Races[2] })
	if got := rest.Settle(some).Races; len(got) != 1 || got[0] != out.Races[2] {
		t.Errorf("with a call left: %v", got)
	}
	locked := out.Filter(func(r *model.Race) bool { return r == deep })
	if got := rest.Settle(locked).Races; len(got) != 1 || got[0] != deep {
		t.Errorf("with no call left: %v", got)
	}
	// One call in many contexts is one to the reader.
	w.lines = 1
	out, rest = Filter(w, &model.RaceSet{Races: []*model.Race{deep}})
	if slices.Contains(out.Races, deep) || len(rest) > 0 {
		t.Error("the deep pair stays, though all calls are shown")
	}
}

// The property that the package promises, on random call graphs.
func TestNoRaceLost(t *testing.T) {
	for seed := range int64(3000) {
		rng := rand.New(rand.NewSource(seed))
		w, in := randomWorld(rng)
		out, rest := Filter(w, &model.RaceSet{Races: in})
		if bad := lost(w, in, out.Races); bad != "" {
			t.Fatalf("seed %d: %s", seed, bad)
		}
		// Whatever a later stage removes, Settle takes none that is the last of
		// its deep pair.
		some := out.Filter(func(r *model.Race) bool { return rng.Intn(3) > 0 })
		left := rest.Settle(some).Races
		for _, r := range some.Races {
			if !slices.Contains(left, r) && !slices.ContainsFunc(rest[r], func(up *model.Race) bool { return slices.Contains(left, up) }) {
				t.Fatalf("seed %d: %v is settled, and nothing is left of it", seed, r)
			}
		}
		again, _ := Filter(w, &model.RaceSet{Races: in})
		if !slices.EqualFunc(out.Races, again.Races, func(r, s *model.Race) bool {
			return at(r.A) == at(s.A) && at(r.B) == at(s.B) && r.Object == s.Object && r.Field == s.Field && r.Confidence == s.Confidence
		}) {
			t.Fatalf("seed %d: two runs differ", seed)
		}
	}
}

// randomWorld makes a call graph, recursion included, and races in it.
func randomWorld(rng *rand.Rand) (*world, []*model.Race) {
	w := &world{objects: []*model.Object{shared, other, inner}}
	if rng.Intn(2) == 0 {
		w.lines = 1 + rng.Intn(9)
	}
	n := 4 + rng.Intn(14)
	for range n {
		w.add(rng.Intn(3) == 0, model.Thread(rng.Intn(3)))
	}
	for i := range n * 3 {
		from, to := pta.InstID(rng.Intn(n)), pta.InstID(rng.Intn(n))
		if w.thread[from] == w.thread[to] || w.thread[from] == model.Main { // a call, or a spawn
			var recv []pta.Loc
			for l := range pta.Loc(3) {
				if rng.Intn(3) == 0 {
					recv = append(recv, l)
				}
			}
			w.call(from, to, ssair.Instr(i), recv...)
		}
	}
	accesses := make([]*model.Access, n)
	for i := range n {
		accesses[i] = w.access(pta.InstID(i), model.AccessKind(rng.Intn(2)))
	}
	objects := []*model.Object{global, shared, inner}
	loops := []*model.Loop{nil, nil, {ID: 1}}
	var in []*model.Race
	for range 1 + rng.Intn(8) {
		in = append(in, &model.Race{
			Object: objects[rng.Intn(3)], Field: []string{"", ".a"}[rng.Intn(2)], Other: loops[rng.Intn(3)],
			A: accesses[rng.Intn(n)], B: accesses[rng.Intn(n)], Confidence: model.Confidence(rng.Intn(3)),
		})
	}
	return w, in
}

// lost says what is wrong with the races that came up, or "".
func lost(w *world, in, out []*model.Race) string {
	for i, r := range in {
		if !r.A.Library && !r.B.Library {
			if !slices.Contains(out, r) {
				return fmt.Sprintf("race %d is the application's, and gone", i)
			}
			continue
		}
		as, bs := leads(w, r.A), leads(w, r.B)
		// stands reports whether some race is r at the two sites.
		stands := func(x, y pta.Site) bool {
			return slices.ContainsFunc(out, func(u *model.Race) bool {
				onObject := u.Object == r.Object && (u.Field == r.Field || r.Object.Kind == "global" && u.Field == Field)
				if slices.ContainsFunc(w.recv[x], func(l pta.Loc) bool { return u.Object == w.objects[l] && slices.Contains(w.recv[y], l) }) {
					onObject = onObject || u.Field == Field
				}
				return onObject && at(u.A) == x && at(u.B) == y && u.A.Kind == r.A.Kind && u.B.Kind == r.B.Kind &&
					u.A.Thread == r.A.Thread && u.B.Thread == r.B.Thread && u.Other == r.Other &&
					u.Confidence >= min(r.Confidence, model.Likely)
			})
		}
		found := false
		stays := slices.Contains(out, r)   // for calls that are not shown
		apart := r.Object.Kind != "global" // calls on different receivers do not meet
		for _, x := range as {
			for _, y := range bs {
				yes := stands(x, y)
				found = found || yes
				if !yes && !apart && !stays {
					return fmt.Sprintf("race %d: not at calls %v, %v", i, x, y)
				}
			}
		}
		if len(as) == 0 {
			as = append(as, at(r.A))
		}
		if len(bs) == 0 {
			bs = append(bs, at(r.B))
		}
		for _, x := range as {
			for _, y := range bs {
				found = found || stands(x, y)
			}
		}
		if !found {
			return fmt.Sprintf("race %d: nothing stands for it", i)
		}
	}
	for i, u := range out {
		if slices.Contains(in, u) {
			continue
		}
		if u.Deep == nil || !slices.Contains(in, u.Deep) {
			return fmt.Sprintf("result %d comes from nowhere", i)
		}
		for _, side := range [][2]*model.Access{{u.A, u.Deep.A}, {u.B, u.Deep.B}} {
			if at(side[0]) != at(side[1]) && !slices.Contains(leads(w, side[1]), at(side[0])) {
				return fmt.Sprintf("result %d: the call %v does not lead to the access", i, at(side[0]))
			}
		}
	}
	return ""
}

// leads finds, by brute force, the application calls that lead to an access
// through library code of its thread; of the application's own access, itself.
func leads(w *world, a *model.Access) []pta.Site {
	if !a.Library {
		return []pta.Site{at(a)}
	}
	inside := map[pta.InstID]bool{pta.InstID(a.Inst): true}
	var out []pta.Site
	for range w.app {
		for id := range w.app {
			if !inside[pta.InstID(id)] {
				continue
			}
			for _, c := range w.callers[id] {
				switch {
				case w.app[c.Inst]:
					if !slices.Contains(out, c) {
						out = append(out, c)
					}
				case w.thread[c.Inst] == a.Thread:
					inside[c.Inst] = true
				}
			}
		}
	}
	return out
}
