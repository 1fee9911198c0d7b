package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/iterace/iterace/analyzer"
)

// This file measures what an analysis costs, beside what others cost on the same
// program in the same run. Times are user CPU seconds: wall time says more of the
// machine. Each measurement is a process of its own.

// A perfProgram is a public program, pinned.
type perfProgram struct {
	name    string
	module  string
	tests   bool // the tests are the program
	pattern string
	small   bool   // measured unless others are asked for
	pointer string // go/pointer on today's go/ssa, call graph only, quiet machine
}

var perfPrograms = []*perfProgram{
	{name: "fzf", module: "github.com/junegunn/fzf@v0.65.2", pattern: "./...", small: true, pointer: "1.8"},
	{name: "gonum", module: "gonum.org/v1/gonum@v0.17.0", pattern: "./...", small: true, pointer: "3.4 (tests)"},
	{name: "bleve", module: "github.com/blevesearch/bleve/v2@v2.5.7", pattern: "./...", small: true, pointer: "9.1"},
	{name: "pebble", module: "github.com/cockroachdb/pebble/v2@v2.1.7", pattern: "./cmd/pebble", pointer: "25.4"},
	{name: "etcd", module: "go.etcd.io/etcd/server/v3@v3.7.3", pattern: "./...", pointer: "44.0"},
	{name: "gopls", module: "golang.org/x/tools/gopls@v0.23.0", pattern: ".", pointer: "119.5"},
	{name: "hugo", module: "github.com/gohugoio/hugo@v0.165.0", pattern: "./...", pointer: "> 185"},
	{name: "prometheus", module: "github.com/prometheus/prometheus@v0.315.0", pattern: "./cmd/prometheus"},
	{name: "kubernetes", module: "k8s.io/kubernetes@v1.36.3", pattern: "./cmd/kube-scheduler"},
}

func choosePerf(names string) ([]*perfProgram, error) {
	var out []*perfProgram
	var known []string
	for _, p := range perfPrograms {
		known = append(known, p.name)
		if names == "" && p.small || names == "all" {
			out = append(out, p)
		}
	}
	if names == "" || names == "all" {
		return out, nil
	}
	for name := range strings.SplitSeq(names, ",") {
		i := slices.Index(known, strings.TrimSpace(name))
		if i < 0 {
			return nil, fmt.Errorf("no program %q; there are %s", name, strings.Join(known, ", "))
		}
		out = append(out, perfPrograms[i])
	}
	return out, nil
}

// perfOptions are the flags of eval perf.
type perfOptions struct {
	programs, from, peers string
	runs                  int
	md, grow              bool
	timeout               time.Duration
}

func perfCommand(args []string, stdout, stderr io.Writer) error {
	fs := flag.NewFlagSet("eval perf", flag.ContinueOnError)
	fs.SetOutput(stderr)
	var o perfOptions
	fs.StringVar(&o.programs, "program", "", "programs to measure, separated by `commas`, or all; the small ones if empty")
	fs.StringVar(&o.from, "from", "", "`directory` that has checkouts of programs, by name, in place of pinned modules")
	fs.StringVar(&o.peers, "peers", "vta,vet,staticcheck", "others to measure, separated by `commas`")
	fs.IntVar(&o.runs, "runs", 3, "`number` of times to measure: the table has the medians")
	fs.BoolVar(&o.md, "md", false, "write markdown")
	fs.BoolVar(&o.grow, "grow", false, "measure generated programs of growing size instead")
	fs.DurationVar(&o.timeout, "timeout", 10*time.Minute, "of one measurement")
	if err := fs.Parse(args); err != nil {
		return err
	}
	if fs.NArg() > 0 || o.runs < 1 {
		return errors.New("eval perf takes no arguments, and at least one run")
	}
	tmp, err := os.MkdirTemp("", "iterace-perf-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	b := &perfBench{perfOptions: o, tmp: tmp, stderr: stderr}
	var t *table
	if o.grow {
		t, err = b.growth()
	} else {
		t, err = b.programTable()
	}
	if err != nil {
		return err
	}
	if o.md {
		return t.markdown(stdout)
	}
	return t.text(stdout)
}

// A perfBench is a run of eval perf.
type perfBench struct {
	perfOptions
	tmp    string
	stderr io.Writer
	caches int
	lint   string // the staticcheck command, or "" if it cannot be had
}

func (b *perfBench) peer(name string) bool {
	return slices.Contains(strings.Split(b.peers, ","), name)
}

// programTable measures the programs.
func (b *perfBench) programTable() (*table, error) {
	programs, err := choosePerf(b.programs)
	if err != nil {
		return nil, err
	}
	missing := "is not available"
	if b.peer("staticcheck") {
		if b.lint, err = installStaticcheck(b.tmp); err != nil {
			missing = "is not available: " + lastLine(err.Error())
		}
	}
	t := &table{title: fmt.Sprintf("user CPU seconds, median of %d; cold is with an empty cache, warm after an edit of one file of the program", b.runs), left: 1,
		head: []string{"program", "k instrs", "load", "SSA", "MB", "VTA", "", "cold: load", "SSA", "base", "loops", "all/(load+SSA)", "us/instr", "MB", "MB/MB", "warm: load", "SSA", "base", "loops", "all/(load+SSA)", "MB", "front/cold front", "all/cold", "", "vet", "staticcheck", "go/pointer"}}
	t.note = "load, SSA and MB of the first group are those of go/packages and go/ssa with all packages from source; the front is load and SSA, with lowering to templates where that is done. go/pointer's figures are from a quiet machine. "
	if b.lint == "" {
		t.note += "staticcheck " + missing + "."
	}
	for _, p := range programs {
		dir, err := b.checkout(p)
		if err != nil {
			t.add(p.name, "not there: "+lastLine(err.Error()))
			t.rows[len(t.rows)-1] = append(t.rows[len(t.rows)-1], make([]string, len(t.head)-2)...)
			continue
		}
		var runs []perfRun
		for i := range b.runs {
			fmt.Fprintf(b.stderr, "%s, run %d of %d\n", p.name, i+1, b.runs)
			runs = append(runs, b.measure(p, dir))
		}
		t.add(row(p, medianRun(runs))...)
	}
	return t, nil
}

// checkout returns a directory with the program's code.
func (b *perfBench) checkout(p *perfProgram) (string, error) {
	if b.from != "" {
		dir := filepath.Join(b.from, p.name)
		_, err := os.Stat(filepath.Join(dir, "go.mod"))
		return dir, err
	}
	cached, err := download(p.module)
	if err != nil {
		return "", err
	}
	dir := filepath.Join(b.tmp, p.name)
	if _, err := os.Stat(dir); err == nil {
		return dir, nil
	}
	return dir, copyModule(dir, cached)
}

// A perfRun is what one run measured, by name; what is missing failed or was not
// asked for.
type perfRun map[string]float64

// measure runs everything once on one program.
func (b *perfBench) measure(p *perfProgram, dir string) perfRun {
	out := make(perfRun)
	b.caches++
	cache := filepath.Join(b.tmp, fmt.Sprint("cache", b.caches))
	defer os.RemoveAll(cache)
	base := []string{"-C", dir}
	if p.tests {
		base = append(base, "-test")
	}
	floor := append([]string{"perf-floor"}, base...)
	if b.peer("vta") {
		floor = append(floor, "-vta")
	}
	b.self(out, "floor", append(floor, p.pattern))
	run := append([]string{"perf-run", "-cache", cache}, base...)
	b.self(out, "cold", append(run, p.pattern))
	b.self(out, "warm", append(slices.Clone(run), "-edit", p.pattern))
	if b.peer("vet") {
		// The go command keeps what vet has found, unless it is asked something new;
		// what it has compiled it keeps.
		b.other(out, "vet", dir, nil, "go", "vet", fmt.Sprintf("-printf.funcs=iteraceperf%d", time.Now().UnixNano()), p.pattern)
	}
	if b.lint != "" {
		b.other(out, "staticcheck", dir, []string{"STATICCHECK_CACHE=" + filepath.Join(cache, "staticcheck")}, b.lint, p.pattern)
	}
	return out
}

var perfEnv = []string{"GOFLAGS=-mod=mod", "GOWORK=off"}

// self runs a command of this program that prints what it has measured.
func (b *perfBench) self(out perfRun, name string, args []string) {
	self, err := os.Executable()
	if err != nil {
		return
	}
	var got perfRun
	stdout, _, err := b.start("", nil, self, args...)
	if err == nil {
		err = json.Unmarshal(stdout, &got)
	}
	if err != nil {
		fmt.Fprintf(b.stderr, "%s: %v\n", name, err)
		return
	}
	for k, v := range got {
		out[name+" "+k] = v
	}
}

// other runs another program, and measures it from outside. That it finds
// something is no failure.
func (b *perfBench) other(out perfRun, name, dir string, env []string, program string, args ...string) {
	_, state, err := b.start(dir, env, program, args...)
	if state == nil || state.ExitCode() < 0 {
		fmt.Fprintf(b.stderr, "%s: %v\n", name, err)
		return
	}
	out[name] = state.UserTime().Seconds()
}

func (b *perfBench) start(dir string, env []string, program string, args ...string) ([]byte, *os.ProcessState, error) {
	ctx, cancel := context.WithTimeout(context.Background(), b.timeout)
	defer cancel()
	var stdout, stderr bytes.Buffer
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &stdout, &stderr
	cmd.Env = slices.Concat(os.Environ(), perfEnv, env)
	cmd.WaitDelay = time.Second
	err := cmd.Run()
	if err != nil {
		err = fmt.Errorf("%v: %s", err, lastLine(stderr.String()))
	}
	return stdout.Bytes(), cmd.ProcessState, err
}

// medianRun takes the median of each figure.
func medianRun(runs []perfRun) perfRun {
	all := make(map[string][]float64)
	for _, r := range runs {
		for k, v := range r {
			all[k] = append(all[k], v)
		}
	}
	out := make(perfRun)
	for k, vs := range all {
		slices.Sort(vs)
		out[k] = vs[len(vs)/2]
	}
	return out
}

// row formats the figures of a program.
func row(p *perfProgram, r perfRun) []string {
	has := func(names ...string) bool {
		return !slices.ContainsFunc(names, func(n string) bool { _, ok := r[n]; return !ok })
	}
	num := func(format, name string) string {
		if !has(name) {
			return "-"
		}
		return fmt.Sprintf(format, r[name])
	}
	sum := func(names ...string) (s float64) {
		for _, n := range names {
			s += r[n]
		}
		return s
	}
	ratio := func(x, y float64, names ...string) string {
		if !has(names...) || y == 0 {
			return "-"
		}
		return fmt.Sprintf("%.2f", x/y)
	}
	floor := sum("floor load", "floor ssa")
	out := []string{p.name, num("%.0f", "floor kinstrs"), num("%.1f", "floor load"), num("%.1f", "floor ssa"), num("%.0f", "floor peak"), num("%.1f", "floor vta"), ""}
	for _, w := range []string{"cold", "warm"} {
		all := sum(w+" load", w+" ssa", w+" base", w+" loops")
		out = append(out, num("%.1f", w+" load"), num("%.1f", w+" ssa"), num("%.1f", w+" base"), num("%.1f", w+" loops"), ratio(all, floor, w+" loops", "floor ssa"))
		if w == "cold" {
			out = append(out, ratio(all*1e3, r["floor kinstrs"], "cold loops", "floor kinstrs"))
		}
		out = append(out, num("%.0f", w+" peak"))
		if w == "cold" {
			out = append(out, ratio(r["cold peak"], r["floor peak"], "cold peak", "floor peak"))
		}
	}
	front := func(w string) float64 { return sum(w+" load", w+" ssa") }
	all := func(w string) float64 { return front(w) + sum(w+" base", w+" loops") }
	out = append(out, ratio(front("warm"), front("cold"), "warm ssa", "cold ssa"), ratio(all("warm"), all("cold"), "warm loops", "cold loops"), "")
	pointer := p.pointer
	if pointer == "" {
		pointer = "-"
	}
	return append(out, num("%.1f", "vet"), num("%.1f", "staticcheck"), pointer)
}

// perfRunCommand is one analysis; it prints what its phases cost.
func perfRunCommand(args []string, stdout io.Writer) error {
	fs := flag.NewFlagSet("perf-run", flag.ContinueOnError)
	dir := fs.String("C", "", "directory of the code")
	tests := fs.Bool("test", false, "analyse test files too")
	cache := fs.String("cache", "", "directory of the cache")
	edit := fs.Bool("edit", false, "as if one file had a function more")
	if err := fs.Parse(args); err != nil {
		return err
	}
	cfg := &analyzer.Config{Dir: *dir, Patterns: fs.Args(), Tests: *tests, Sure: true, Cache: *cache}
	if *edit {
		name, text, err := edited(*dir, fs.Args())
		if err != nil {
			return err
		}
		cfg.Overlay = map[string][]byte{name: text}
	}
	res, err := analyzer.Run(cfg)
	if err != nil {
		return err
	}
	out := make(perfRun)
	for _, p := range res.Phases {
		out[p.Name] = p.CPU.Seconds()
		out["peak"] = max(out["peak"], float64(p.Peak>>20))
	}
	return json.NewEncoder(stdout).Encode(out)
}

// edited returns a file of the first package of a program, with a function that
// nothing calls at its end.
func edited(dir string, patterns []string) (name string, text []byte, err error) {
	cmd := exec.Command("go", append([]string{"list", "-f", "{{if .GoFiles}}{{.Dir}}/{{index .GoFiles 0}}{{end}}"}, patterns...)...)
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		return "", nil, err
	}
	name, _, _ = strings.Cut(strings.TrimSpace(string(out)), "\n")
	text, err = os.ReadFile(name)
	return name, append(text, "\nfunc iteraceEdit(x *int) { *x++ }\n"...), err
}

func userSeconds() float64 {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano()).Seconds()
}
