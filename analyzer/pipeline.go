package analyzer

import (
	"fmt"
	"os"
	"runtime"
	"runtime/pprof"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/iterace/iterace/bubbleup"
	"github.com/iterace/iterace/filters/locks"
	"github.com/iterace/iterace/filters/order"
	"github.com/iterace/iterace/filters/owners"
	"github.com/iterace/iterace/filters/threadsafe"
	"github.com/iterace/iterace/index"
	"github.com/iterace/iterace/model"
	"github.com/iterace/iterace/model/library"
	"github.com/iterace/iterace/pta"
	"github.com/iterace/iterace/report"
)

// A stage maps the races of one loop to the next stage's.
type stage struct {
	name    string
	run     func(*loopRun, *pta.View, *model.RaceSet) *model.RaceSet
	narrows bool // the result is a subset of the argument
	// iterations is set if the stage tells two iterations apart; without
	// "twothreads" there is but one.
	iterations bool
	// explain says in the races that are left why the stage kept them, where
	// that takes too long to do for those which a later stage removes.
	explain func(*loopRun, *pta.View, *model.RaceSet)
	doc     string
}

// stages is the pipeline after points-to. "twothreads" is no stage of its own:
// it is the choice between pairing alpha with beta and alpha with itself. Neither is
// "entries": it is the choice between looking at loops in the program of each entry
// point or in all together; nor is "together": whether tests that run at the same time are
// looked at. "order" is the dearest question, so "deeplocks" and
// "disjoint" come before it; of races that are hidden anyway "order" asks for locks
// itself, as it drops most of them unseen. A lock taken inside a library is out of
// sight at the call site, so "deeplocks" comes before "bubbleup"; one around the call
// guards only the access that has bubbled up, so "applocks" comes after it.
var stages = []stage{
	{
		name: "threadsafe", narrows: true,
		doc: "what the library model calls safe for concurrent use",
		run: func(_ *loopRun, v *pta.View, rs *model.RaceSet) *model.RaceSet { return threadsafe.Filter(v, rs) },
	},
	{
		name: "deeplocks", narrows: true,
		doc: "locks held at the accesses themselves",
		run: func(r *loopRun, v *pta.View, rs *model.RaceSet) *model.RaceSet {
			l := r.locksOf(v)
			if r.off["order"] || r.off["twothreads"] {
				return l.Filter(rs) // nobody asks later, or not of all pairs
			}
			order.HideScattered(v, l, rs)
			return l.FilterShown(r.promising(rs))
		},
	},
	{
		name: "disjoint", narrows: true, iterations: true,
		doc: "index arithmetic: different elements of one array",
		run: func(r *loopRun, v *pta.View, rs *model.RaceSet) *model.RaceSet {
			rs, n := r.disjointOf(v).Filter(rs)
			if n > 0 {
				r.notice(v.Loop().Pos, "budget", fmt.Sprintf("%d pairs of elements in this loop are too many to compare: they are kept as assumed", n))
			}
			return rs
		},
		explain: func(r *loopRun, v *pta.View, rs *model.RaceSet) { r.disjointOf(v).Explain(rs) },
	},
	{
		name: "owners", narrows: true,
		doc: "containers that are known apart, and what each of them keeps to itself",
		run: func(_ *loopRun, v *pta.View, rs *model.RaceSet) *model.RaceSet { return owners.Filter(v, rs) },
	},
	{
		name: "order", narrows: true, iterations: true,
		doc: "happens-before: spawn, join, channels, Once, atomics",
		run: func(r *loopRun, v *pta.View, rs *model.RaceSet) *model.RaceSet {
			rs = r.promising(rs)
			a := order.New(v, r.locksOf(v), rs)
			if r.cfg.every {
				a.DecideAll()
			}
			if !r.off["disjoint"] {
				d := r.disjointOf(v)
				a.CompareBy(order.Comparison{OnOneBase: d.OnOneBase, InOneRound: d.InOneRound, MeetInRound: d.MeetInRound, InOnePhase: d.InOnePhase})
			}
			rs = a.Filter(rs)
			if n := a.Undecided(); n > 0 {
				r.notice(v.Loop().Pos, "budget", fmt.Sprintf("pairs of this loop that take too long to order, and are kept as assumed: %d", n))
			}
			return rs
		},
	},
	{
		name: "bubbleup",
		doc:  "library accesses to the application calls that lead to them",
		run: func(r *loopRun, v *pta.View, rs *model.RaceSet) *model.RaceSet {
			rs, r.rest = bubbleup.Filter(v, rs)
			if r.off["applocks"] {
				rs = r.rest.Settle(rs) // nobody looks at the calls that are shown
			}
			return rs
		},
	},
	{
		name: "applocks", narrows: true,
		doc: "locks held at the application's calls",
		run: func(r *loopRun, v *pta.View, rs *model.RaceSet) *model.RaceSet {
			return r.rest.Settle(r.locksOf(v).Filter(rs))
		},
	},
}

// StageNames lists the names that Config.Disable takes, in pipeline order.
func StageNames() []string {
	names := []string{"twothreads", "entries", "together", "clients"}
	for _, s := range stages {
		names = append(names, s.name)
	}
	return names
}

// A run is one analysis under way.
type run struct {
	cfg      *Config
	lib      *library.Model
	loaded   *program
	res      *pta.Result
	out      *Result
	off      map[string]bool
	stats    []StageStat
	start    time.Time
	cpu      time.Duration
	due      time.Time            // no loop is begun afterwards, if it is set
	gc       *collector           // nil where the heap is not ours
	logging  *sync.Mutex          // loops write to the log at the same time
	built    bool                 // SSA is there: some package type-checks
	common   func() *locks.Common // what the loops of res have in common
	memory   *index.Memory        // of what loops ask about indices; nil for each on its own
	suppress *suppressor
	skip     func(loop int) bool // loops of res that nobody asks about; nil for none
	// wanted says which of the races that are left at the end are of interest; nil for all.
	wanted func(*model.Race, *locks.Analysis) bool

	together []together // programs of tests that run at the same time
	clients  []client   // programs of clients
	crowds   []crowd    // programs of clients with several goroutines
}

// Run analyses the packages. Code that does not type-check is reported in
// Result.Errors and what loads is analysed all the same; the error is for what
// stops the analysis as a whole.
func Run(cfg *Config) (*Result, error) {
	if cfg.Profile != "" {
		stop, err := startProfile(cfg.Profile)
		if err != nil {
			return nil, err
		}
		defer stop()
	}
	gc := newCollector()
	defer gc.stop()
	r, err := prepare(cfg, gc)
	if err != nil {
		return nil, err
	}
	if !r.built {
		return r.out, nil
	}
	res := r.analyse()
	r.keep()
	return res, nil
}

// startProfile has the CPU profile of what follows written to a file.
func startProfile(name string) (stop func(), err error) {
	f, err := os.Create(name)
	if err != nil {
		return nil, err
	}
	if err := pprof.StartCPUProfile(f); err != nil {
		f.Close()
		return nil, err
	}
	return func() {
		pprof.StopCPUProfile()
		f.Close()
	}, nil
}

// analyse runs the pipeline on code that has SSA, wherever it came from.
func (r *run) analyse() *Result {
	r.suppress = r.newSuppressor()
	if r.cfg.Fixes {
		r.out.sources = r.loaded.initial
	}
	r.solve()
	if r.res.Complete() && r.loaded.unit == "" {
		r.res.Prog.Forget()
		r.loaded.forget(r.cfg.Fixes)
	}
	r.races()
	r.out.verdicts = r.suppress.settle(r.out.Reports)
	r.out.Stages = r.stats
	return r.out
}

func (r *run) begin() {
	r.start = time.Now()
	r.cpu = userTime()
}

func (r *run) end(name, notes string) {
	r.out.Phases = append(r.out.Phases, Phase{
		Name: name, Wall: time.Since(r.start), CPU: userTime() - r.cpu, Peak: peakMemory(), Notes: notes,
	})
	if r.cfg.Log != nil {
		fmt.Fprintf(r.cfg.Log, "==== %s %.2fs cpu %.2fs %s\n", name, time.Since(r.start).Seconds(), (userTime() - r.cpu).Seconds(), notes)
	}
}

func userTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano())
}

func peakMemory() uint64 {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.Sys
	}
	return uint64(u.Maxrss) << 10
}

func (r *run) solve() {
	r.begin()
	prog := r.newProgram()
	if r.loaded.starts == nil {
		r.loaded.starts = r.newProgram().Starts // of its own: what is asked first has the lower number
	}
	g := r.loaded.references(r.lib)
	first, more, cut := g.roots()
	r.loaded.starts = nil // it holds templates
	r.res = pta.Base(prog, &pta.Config{Roots: first, More: more, Cut: cut, Naive: r.cfg.Naive, Seed: r.cfg.Shuffle, Sure: r.cfg.Sure})
	if r.debug("constraints") {
		prog.WriteConstraints(r.cfg.Log)
	}
	if r.debug("pts") {
		r.res.WritePoints(r.cfg.Log)
	}
	st := r.res.Stats()
	r.end("base", fmt.Sprintf("%d roots, %d functions, %d instances, %d nodes, %d objects, %d sets, %d elements, %d loops",
		r.res.Roots, st.Functions, st.Instances, st.Nodes, st.Objects, st.Sets, st.Elements, len(r.res.Loops)))
	r.solveTogether(g)
	r.solveClients(g)
	r.solveCrowds(g)
}

// newProgram prepares the lowering of the code.
func (r *run) newProgram() *pta.Program {
	opt := pta.Options{
		Library: r.lib,
		Application: func(path string) bool {
			return r.loaded.application(path) || r.loaded.application(strings.TrimSuffix(path, "_test"))
		},
		Root:      r.loaded.root,
		Closed:    !r.off["threadsafe"],
		Unit:      r.loaded.unit,
		Functions: r.loaded.funcs,
		Store:     r.cfg.store,
	}
	if r.loaded.source != nil {
		opt.Source = r.loaded.source
	}
	if l := r.loaded.loading; l != nil {
		opt.Source, opt.View = l.source(), l.inView
	}
	return pta.NewProgram(r.loaded.prog, opt)
}

// races solves each loop and runs the stages on its races.
func (r *run) races() {
	r.begin()
	r.stats = make([]StageStat, len(stages)+1)
	r.stats[0].Name = "pairs"
	for i, s := range stages {
		r.stats[i+1] = StageStat{Name: s.name, Disabled: r.off[s.name]}
	}
	var all []*model.Race
	loops, late := 0, 0
	add := func(l *loopRun) {
		if loops++; l.late {
			late++
		}
		all = append(all, l.races...)
		r.out.Notices = append(r.out.Notices, l.notices...)
		if l.failed != nil {
			r.out.Errors = append(r.out.Errors, *l.failed)
		}
		r.out.Pairs += l.pairs
		r.out.Trimmed += l.trimmed
		r.out.Unasked += l.unasked
		for i, st := range l.stats {
			r.stats[i].In += st.In
			r.stats[i].Out += st.Out
			r.stats[i].Wall += st.Wall
		}
	}
	r.gc.solved()
	entries, apart := r.entries(add)
	for _, l := range r.allLoops(apart) {
		add(l)
	}
	r.testsTogether(add)
	r.lookAtClients(add)
	r.lookAtCrowds(add)
	r.end("loops", fmt.Sprintf("%d loops, %d entries by themselves", len(r.res.Loops), entries))
	if late > 0 {
		r.out.Errors = append(r.out.Errors, LoadError{Message: fmt.Sprintf("time was up after %v: %d of %d loops were not looked at", r.cfg.Timeout, late, loops)})
	}
	for _, race := range all {
		for i, a := range race.Assumes {
			race.Assumes[i] = model.SoundnessNumber(a)
		}
		slices.Sort(race.Assumes)
		race.Assumes = slices.Compact(race.Assumes)
	}
	r.out.Reports = group(all)
	report.AssignIDs(r.out.Modules, r.out.Reports)
	r.out.Notices = append(r.out.Notices, r.res.Notices...)
	r.noticeUnknown()
	slices.SortStableFunc(r.out.Notices, compareNotices)
	r.out.Notices = slices.Compact(r.out.Notices)
}

// notice adds a notice that cites an assumption by name.
func (r *run) notice(pos model.Pos, name, msg string) {
	r.out.Notices = append(r.out.Notices, model.Notice{Pos: pos, Code: model.SoundnessNumber(name), Message: msg})
}

// debug reports whether a debug aid is switched on.
func (r *run) debug(name string) bool { return r.cfg.Log != nil && slices.Contains(r.cfg.Debug, name) }
