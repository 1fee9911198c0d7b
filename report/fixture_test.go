package report

import "github.com/iterace/iterace/model"

// fixture is a document such as an analysis of testdata/src/sim.go could give.
// It has one race set for each thing that printers treat differently: both
// sides alike, pairs that are not each with each, locks that do not protect, a
// call path, an object without a name, a library pair, a single goroutine, a
// pair that rests on an assumption, a pair with an iteration of another loop,
// and one for each way to suppress it.
func fixture() *Document {
	at := func(line, col int) model.Pos { return model.Pos{File: "sim.go", Line: line, Col: col} }
	const step, body, log = "(*example.com/sim.Sim).Step", "(*example.com/sim.Sim).Step$1", "(*example.com/sim.Sim).log"
	loop := &model.Loop{ID: 1, Kind: "wg.Go", Form: "range slice", Pos: at(16, 2), Spawn: at(17, 8), Func: step}
	single := &model.Loop{ID: 2, Kind: "go", Pos: at(34, 2), Spawn: at(34, 2), Func: "(*example.com/sim.Sim).Start", Single: true}
	access := func(t model.Thread, k model.AccessKind, p model.Pos, locks ...model.Lock) *model.Access {
		return &model.Access{Thread: t, Kind: k, Pos: p, Func: body, Locks: locks}
	}
	const r, w, alpha, beta = model.Read, model.Write, model.Alpha, model.Beta
	mu := model.Lock{Name: "s.mu", Mode: "write", Pos: at(20, 13), Note: "not held by the other iteration"}

	total := &model.Object{ID: 1, Kind: "var", Type: "int", Pos: at(15, 2), Name: "total"}
	s := &model.Object{ID: 2, Kind: "parameter", Type: "example.com/sim.Sim", Pos: at(13, 7), Name: "s", Many: true}
	fresh := &model.Object{ID: 3, Kind: "new", Type: "example.com/sim.particle", Pos: at(19, 12), Thread: model.Beta}
	err := &model.Object{ID: 4, Kind: "var", Type: "error", Pos: at(33, 24), Name: "err"}
	list := &model.Object{ID: 5, Kind: "append", Type: "[]*example.com/sim.particle", Pos: model.Pos{File: "/std/list.go", Line: 9, Col: 3}}

	path := []model.Frame{{Func: log, Call: at(25, 9)}}
	logged := func(t model.Thread, k model.AccessKind, col int) *model.Access {
		return &model.Access{Thread: t, Kind: k, Pos: at(31, col), Func: log, Path: path}
	}
	inside := func(t model.Thread) *model.Access {
		return &model.Access{Thread: t, Kind: w, Pos: model.Pos{File: "/std/list.go", Line: 9, Col: 3}, Func: "container/list.grow", Library: true}
	}
	race := func(l *model.Loop, o *model.Object, f string, a, b *model.Access, c model.Confidence, why ...string) *model.Race {
		x := &model.Race{Loop: l, Object: o, Field: f, A: a, B: b, Confidence: c}
		for _, line := range why {
			x.Because(model.AboutLocks, line)
		}
		return x
	}

	beside := &model.Access{Thread: model.Main, Kind: r, Pos: at(37, 2), Func: "(*example.com/sim.Sim).Start"}
	gamma := &model.Access{Thread: alpha, Kind: w, Pos: at(35, 3), Func: "(*example.com/sim.Sim).Start$1"}

	deep := race(loop, s, ".history", logged(alpha, w, 45), logged(beta, w, 45), model.Likely)
	deep.Deep = race(loop, list, "[*]", inside(alpha), inside(beta), model.Likely)

	assumed := race(loop, fresh, ".x", access(alpha, w, at(23, 4)), access(beta, r, at(23, 14)), model.Assumed)
	assumed.Assumes = []string{"S7"}

	com := "no lock is held at both accesses"
	races := [][]*model.Race{
		{ // both sides alike: count++ is a read and a write of each iteration
			race(loop, total, "", access(alpha, w, at(24, 4)), access(beta, w, at(24, 4)), model.Definite),
			race(loop, total, "", access(alpha, w, at(24, 4)), access(beta, r, at(24, 4)), model.Definite),
			race(loop, total, "", access(alpha, r, at(24, 4)), access(beta, w, at(24, 4)), model.Definite),
		},
		{ // a lock on one side
			race(loop, s, ".com", access(alpha, w, at(19, 4)), access(beta, r, at(18, 11)), model.Likely, com),
			race(loop, s, ".com", access(alpha, w, at(19, 4)), access(beta, w, at(19, 4)), model.Likely, com),
			race(loop, s, ".com", access(alpha, w, at(19, 4)), access(beta, r, at(21, 6), mu), model.Likely, com),
		},
		{deep},
		{ // not each with each: the pair 21-21 is locked
			race(loop, fresh, ".m", access(alpha, w, at(21, 4), mu), access(beta, r, at(21, 20), mu), model.Likely),
			race(loop, fresh, ".m", access(alpha, w, at(23, 4)), access(beta, w, at(21, 4), mu), model.Likely),
		},
		{assumed},
		{race(single, err, "", gamma, beside, model.Definite, "the goroutine may still run when Start returns")},
	}
	foreign := race(single, s, ".mu", &model.Access{Thread: alpha, Kind: w, Pos: at(35, 9), Func: "(*example.com/sim.Sim).Start$1"},
		access(alpha, r, at(20, 4)), model.Likely)
	foreign.Other = loop
	races = append(races, []*model.Race{foreign})
	d := &Document{
		Version: "v0.0.0-test", Module: "example.com/sim", Root: "testdata/src",
		Notices: []model.Notice{{Pos: at(3, 8), Code: "S4", Message: "body of C.f is not Go and was not analysed"}},
		Errors:  []Error{{Pos: at(40, 1), Package: "example.com/sim", Message: "undefined: x"}},
	}
	for _, list := range races {
		rep := &model.Report{Loop: list[0].Loop, Object: list[0].Object, Field: list[0].Field, Races: list}
		rep.Alpha, rep.Beta = sides(list)
		d.Reports = append(d.Reports, rep)
	}
	for _, s := range []struct {
		line int
		why  model.Suppression
	}{
		{36, model.Suppression{By: model.ByComment, Reason: "set once, then \"read\"", Pos: at(36, 20)}},
		{38, model.Suppression{By: model.ByModel, Reason: "approximate", Pos: model.Pos{File: ".iterace.toml", Line: 7}}},
		{39, model.Suppression{By: model.ByBaseline, Reason: "in the baseline", Pos: model.Pos{File: "baseline.txt", Line: 2}}},
	} {
		x := race(single, err, "", &model.Access{Thread: alpha, Kind: w, Pos: at(s.line, 3), Func: "(*example.com/sim.Sim).Start$1"}, beside, model.Likely)
		d.Reports = append(d.Reports, &model.Report{Loop: x.Loop, Object: x.Object, Races: []*model.Race{x}, Suppressed: &s.why})
	}
	AssignIDs([]string{d.Module}, d.Reports)
	return d
}
