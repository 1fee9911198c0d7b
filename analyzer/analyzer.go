// Package analyzer runs the pipeline: it loads packages, lowers them to
// templates, solves points-to, pairs accesses, runs the stages and groups what
// is left into reports. It is the only package that knows the order of stages.
package analyzer

import (
	"errors"
	"io"
	"slices"
	"time"

	"github.com/iterace/iterace/model"
	"golang.org/x/tools/go/packages"
)

// A Config says what to analyse and how.
type Config struct {
	Dir        string   // working directory of the go command; "" is the current one
	Patterns   []string // package patterns; none means "."
	Tests      bool     // analyse test files too
	BuildFlags []string // passed to the go command: -tags=…, -mod=…
	Env        []string // environment of the go command; nil is os.Environ()
	Overlay    map[string][]byte

	Disable    []string // stages to leave out, by name; an unknown name is an error
	ModelFiles []string // extra library models, after the shipped and the module's own
	// Sure leaves out from the start the pairs of accesses that rest on an
	// assumption: three of four on large programs, and hidden by default. Others are left out as soon as they turn out to.
	Sure    bool
	Naive   bool     // solve with the textbook solver
	Debug   []string // debug aids by name, see DebugFlags
	Workers int      // loops to work on at the same time; 0 is as many as there are processors, to a bound
	Shuffle int64    // order of the solver's worklist, for tests; 0 is the usual order
	Profile string   // file to write a CPU profile of the run to; "" is for none

	// SkipGenerated suppresses race sets that lie in generated files altogether.
	SkipGenerated bool

	// Timeout is how long loops are begun with; 0 is for as long as it takes. What was left out then is an error, and
	// what was found is reported all the same.
	Timeout time.Duration

	Fixes bool // keep what Result.Fixes needs

	// Cache is the directory in which templates of packages outside the application
	// are kept; "" is for the memory of this process. It makes no difference to
	// what is found.
	Cache string
	// Answers lets what was found be kept in that directory, too, and be the result where
	// nothing has changed since: then it has no Stages, and only the phases of reading.
	Answers bool

	store bool   // let templates be stored and read back: for tests
	whole bool   // have all code in view, as if nothing could be kept
	stock *stock // instead of that in Cache: for tests
	alone bool   // let each loop find by itself what loops have in common: for tests
	kept  int    // the bound of what loops keep in common in locks; 0 for the usual one: for tests
	every bool   // let order decide all pairs of each race set: for tests

	Log      io.Writer // progress for people; nil for none. Several goroutines write
	Progress func(phase string, done, total int)
}

// closed reports whether functions that are safe with all they call are left
// unread, see pta.Options.
func (cfg *Config) closed() bool { return !slices.Contains(cfg.Disable, "threadsafe") }

// A Result is what an analysis found.
type Result struct {
	Module  string          // path of the main module, or of the first package
	Modules []string        // of all main modules, see report.AssignIDs
	Root    string          // directory that file names are relative to
	Reports []*model.Report // all, the assumed ones too; ordered
	Notices []model.Notice
	Errors  []LoadError // packages that did not load or type-check, and loops of which nothing is known
	Phases  []Phase
	Stages  []StageStat
	Trimmed int // races left out of sets that had enough to show
	Pairs   int // races that rest on no assumption, with those left out
	Unasked int // races that rest on an assumption and were not looked at to the end, see Config.Sure

	verdicts *verdicts           // on what the user asked not to be told; nil if nothing was analysed
	sources  []*packages.Package // with syntax and types, for Fixes
}

// A LoadError is one problem with the code to analyse.
type LoadError struct {
	Pos     model.Pos // zero if the go command gave none
	Package string
	Message string
}

// A Phase is one timed part of a run.
type Phase struct {
	Name  string // "load", "ssa", "templates", "base", "overlays", …
	Wall  time.Duration
	CPU   time.Duration // user time of the process, all threads
	Peak  uint64        // peak resident memory of the process so far, bytes
	Notes string        // sizes: "12047 functions, 556 k instructions"
}

// A StageStat is what one stage did.
type StageStat struct {
	Name     string
	In, Out  int // races
	Wall     time.Duration
	Disabled bool
}

// ErrUsage wraps errors that are the caller's: unknown stage, debug flag, bad pattern.
var ErrUsage = errors.New("usage")
