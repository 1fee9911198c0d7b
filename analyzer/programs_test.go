package analyzer

import (
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/iterace/iterace/internal/expect"
	"github.com/iterace/iterace/model"
)

// programs is one analysis of all test programs, with what they expect.
type programs struct {
	root  string // directory of the main module
	files []*expect.File
	races []*model.Race // all, the assumed ones too
	res   *Result
}

// shared is the analysis under the usual configuration: most tests look at it.
var shared struct {
	once sync.Once
	p    *programs
	err  error
}

// allPrograms analyses the programs once for all tests.
func allPrograms(t *testing.T) *programs {
	t.Helper()
	shared.once.Do(func() { shared.p, shared.err = runPrograms(t, nil) })
	if shared.err != nil {
		t.Fatal(shared.err)
	}
	return shared.p
}

// disabled are the analyses without one stage that several tests look at.
var disabled struct {
	mu     sync.Mutex
	stages map[string]func() (*programs, error)
}

// withoutStage analyses the programs without a stage, once for all tests.
func withoutStage(t *testing.T, stage string) *programs {
	t.Helper()
	disabled.mu.Lock()
	run := disabled.stages[stage]
	if run == nil {
		run = sync.OnceValues(func() (*programs, error) {
			return runPrograms(t, func(cfg *Config) { cfg.Disable, cfg.every = []string{stage}, true })
		})
		if disabled.stages == nil {
			disabled.stages = make(map[string]func() (*programs, error))
		}
		disabled.stages[stage] = run
	}
	disabled.mu.Unlock()
	p, err := run()
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// programsConfig is the configuration that the programs are written for.
func programsConfig(t *testing.T) *Config {
	t.Helper()
	dirs := programDirs(t)
	root := filepath.Dir(filepath.Dir(dirs[0]))
	cfg := &Config{Dir: root, ModelFiles: []string{filepath.Join(root, "testdata", "library", "model.toml")}}
	for _, d := range dirs {
		cfg.Patterns = append(cfg.Patterns, "./testdata/"+filepath.Base(d))
	}
	return cfg
}

// templates is where all runs of one test binary keep the templates of the standard
// library: it saves a sixth of the time of a run.
var templates struct {
	once sync.Once
	dir  string
	err  error
}

func TestMain(m *testing.M) {
	// Memory for time: what was found by many runs stays, and would be marked again and again.
	if old := debug.SetGCPercent(400); old != 100 {
		debug.SetGCPercent(old)
	} else {
		debug.SetMemoryLimit(5 << 30)
	}
	code := m.Run()
	if templates.dir != "" {
		os.RemoveAll(templates.dir)
	}
	os.Exit(code)
}

func templatesDir(t *testing.T) string {
	t.Helper()
	templates.once.Do(func() { templates.dir, templates.err = os.MkdirTemp("", "iterace-test") })
	if templates.err != nil {
		t.Fatal(templates.err)
	}
	return templates.dir
}

// runPrograms analyses all programs at once; change adapts the configuration.
func runPrograms(t *testing.T, change func(*Config)) (*programs, error) {
	t.Helper()
	cfg := programsConfig(t)
	cfg.Cache = templatesDir(t)
	if change != nil {
		change(cfg)
	}
	res, err := Run(cfg)
	if err != nil {
		return nil, err
	}
	for _, e := range res.Errors {
		t.Errorf("%s: %s", e.Pos, e.Message)
	}
	p := &programs{root: cfg.Dir, res: res}
	for _, d := range programDirs(t) {
		p.files = append(p.files, programFiles(t, d)...)
	}
	for _, rep := range res.Reports {
		p.races = append(p.races, rep.Races...)
	}
	return p, nil
}

// TestPrograms analyses the programs in testdata and compares the reports with
// the comments on their lines.
func TestPrograms(t *testing.T) {
	p := allPrograms(t)
	bad := p.complaints()
	t.Run("helpers", func(t *testing.T) { complain(t, bad[nil]) })
	for _, f := range p.files {
		t.Run(strings.TrimSuffix(f.Base(), ".go"), func(t *testing.T) {
			for _, c := range f.Cases {
				t.Run(c.Name, func(t *testing.T) {
					complain(t, bad[c])
					checkLimit(t, p, f, c)
				})
			}
		})
	}
	t.Log("\n" + caseTable(p, bad))
}

func complain(t *testing.T, bad []string) {
	t.Helper()
	for i, b := range bad {
		if i == 10 {
			t.Errorf("… and %d more", len(bad)-i)
			return
		}
		t.Error(b)
	}
}

// checkLimit checks that FP and FN in a case's name are what its lines say.
func checkLimit(t *testing.T, p *programs, f *expect.File, c *expect.Case) {
	t.Helper()
	verdicts := map[expect.Verdict]bool{}
	for _, l := range f.Lines() {
		if f.SectionAt(l) == c {
			verdicts[f.Comments[l].Verdict] = true
		}
	}
	want := map[string]expect.Verdict{"FP": expect.Race, "FN": expect.Missed}[c.Limit]
	if want != "" && !verdicts[want] {
		t.Errorf("%s without a line that says %s", c.Limit, want)
	}
	if verdicts[expect.Missed] && c.Limit != "FN" {
		t.Error("misses a race, but is not called FN")
	}
	if dir := filepath.Base(filepath.Dir(c.File)); (dir == "fp" || dir == "fn") && !strings.EqualFold(dir, c.Limit) {
		t.Errorf("in %s, but its name does not begin with %s", dir, strings.ToUpper(dir))
	}
}

// TestTestFiles does the same for programs that are tests and benchmarks.
func TestTestFiles(t *testing.T) {
	t.Parallel()
	cfg := programsConfig(t)
	cfg.Tests = true
	cfg.Patterns = []string{"./testdata/testfiles/..."}
	res, err := Run(cfg)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range res.Errors {
		t.Errorf("%s: %s", e.Pos, e.Message)
	}
	p := &programs{root: cfg.Dir, res: res}
	for _, dir := range []string{"", "together", "together/parts", "together/guarded", "served"} {
		dir = filepath.Join(cfg.Dir, "testdata", "testfiles", filepath.FromSlash(dir))
		p.files = append(p.files, parseFiles(t, append(goFiles(t, dir, false), goFiles(t, dir, true)...))...)
	}
	for _, rep := range res.Reports {
		p.races = append(p.races, rep.Races...)
	}
	bad := p.complaints()
	complain(t, bad[nil])
	for _, f := range p.files {
		for _, c := range f.Cases {
			t.Run(c.Name, func(t *testing.T) { complain(t, bad[c]) })
		}
	}
}

// TestAblation switches stages off whose effect some programs state.
func TestAblation(t *testing.T) {
	t.Parallel()
	for _, stage := range []string{"twothreads", "threadsafe"} {
		t.Run(stage, func(t *testing.T) {
			t.Parallel()
			p := withoutStage(t, stage)
			touches := p.touches()
			checked := 0
			for _, f := range p.files {
				for _, line := range f.Lines() {
					want := f.Comments[line].Without[stage]
					if want == nil {
						continue
					}
					checked++
					ts := touches[p.key(f, line)]
					for _, target := range want.Targets {
						if !slices.ContainsFunc(ts, func(t touch) bool { return matches(target, t) }) {
							t.Errorf("%s: without %s: %s %s: not reported", p.key(f, line), stage, want.Verdict, target)
						}
					}
				}
			}
			if checked == 0 {
				t.Errorf("no program says what holds without %s", stage)
			}
		})
	}
}
