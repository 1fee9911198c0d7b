package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"syscall"

	"golang.org/x/tools/go/callgraph/vta"
	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"

	"github.com/iterace/iterace/internal/genprog"
)

// This file measures the peers, and programs that are generated.

// staticcheckVersion is the version that is measured.
const staticcheckVersion = "v0.8.2"

// installStaticcheck returns the command, built below a directory.
func installStaticcheck(dir string) (string, error) {
	cmd := exec.Command("go", "install", "honnef.co/go/tools/cmd/staticcheck@"+staticcheckVersion)
	cmd.Dir = dir // outside any module
	cmd.Env = append(os.Environ(), "GOBIN="+dir, "GOFLAGS=", "GOWORK=off")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%v: %s", err, out)
	}
	return filepath.Join(dir, "staticcheck"), nil
}

// perfFloorCommand loads all packages from source and builds SSA for them, which
// is the least that an analysis of the whole program does, and VTA's call graph if
// that is asked for.
func perfFloorCommand(args []string, stdout io.Writer) error {
	fs := flag.NewFlagSet("perf-floor", flag.ContinueOnError)
	dir := fs.String("C", "", "directory of the code")
	tests := fs.Bool("test", false, "load test files too")
	graph := fs.Bool("vta", false, "make a call graph")
	if err := fs.Parse(args); err != nil {
		return err
	}
	out := make(perfRun)
	last := userSeconds()
	phase := func(name string) {
		now := userSeconds()
		out[name], last = now-last, now
	}
	pkgs, err := packages.Load(&packages.Config{Mode: packages.LoadAllSyntax, Dir: *dir, Tests: *tests}, fs.Args()...)
	if err != nil {
		return err
	}
	phase("load")
	prog, _ := ssautil.AllPackages(pkgs, ssa.InstantiateGenerics)
	prog.Build()
	phase("ssa")
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return err
	}
	out["peak"] = float64(u.Maxrss >> 10)
	fns := ssautil.AllFunctions(prog)
	for fn := range fns {
		for _, b := range fn.Blocks {
			out["kinstrs"] += float64(len(b.Instrs)) / 1000
		}
	}
	if *graph {
		last = userSeconds()
		runtime.KeepAlive(vta.CallGraph(fns, nil))
		phase("vta")
	}
	return json.NewEncoder(stdout).Encode(out)
}

// growth measures generated programs, each dimension doubled on its own.
func (b *perfBench) growth() (*table, error) {
	t := &table{title: fmt.Sprintf("user CPU milliseconds on generated programs, median of %d", b.runs), left: 1,
		head: []string{"program", "reached", "load", "SSA", "base", "loops", "us/reached", "to the one before"}}
	t.note = "reached is the number of functions that loops reach. Where the rest is shared, it works on the loops' type, by one method."
	one := genprog.Shape{Loops: 16, Funcs: 32, Depth: 4}
	var lines [][]genprog.Shape
	for _, grow := range []func(s *genprog.Shape, n int){
		func(s *genprog.Shape, n int) { s.Loops *= n },
		func(s *genprog.Shape, n int) { s.Funcs *= n },
		func(s *genprog.Shape, n int) { s.Depth *= n },
		func(s *genprog.Shape, n int) { s.Rest = 1000 * n },
		func(s *genprog.Shape, n int) { s.Rest, s.Shared = 1000*n, true },
	} {
		var line []genprog.Shape
		for n := 1; n <= 8; n *= 2 {
			s := one
			grow(&s, n)
			line = append(line, s)
		}
		lines = append(lines, line)
	}
	cache := filepath.Join(b.tmp, "cache")
	for i, line := range lines {
		before := 0.0
		for k, s := range line {
			if k == 0 && i > 0 && s == one {
				continue // has its line
			}
			fmt.Fprintf(b.stderr, "%v\n", s)
			var runs []perfRun
			dir, err := b.generate(s)
			if err != nil {
				return nil, err
			}
			for n := range b.runs + 1 { // one more, that fills the cache
				out := make(perfRun)
				if b.self(out, "run", []string{"perf-run", "-C", dir, "-cache", cache, "."}); len(out) == 0 {
					return nil, errors.New("no measurement")
				}
				if n > 0 {
					runs = append(runs, out)
				}
			}
			r := medianRun(runs)
			cost := r["run base"] + r["run loops"]
			cells := []string{s.String(), fmt.Sprint(s.Reached())}
			for _, phase := range []string{"load", "ssa", "base", "loops"} {
				cells = append(cells, fmt.Sprintf("%.0f", r["run "+phase]*1e3))
			}
			cells = append(cells, fmt.Sprintf("%.0f", cost*1e6/float64(s.Reached())), "")
			if before > 0 {
				cells[len(cells)-1] = fmt.Sprintf("%.2f", cost/before)
			}
			before = cost
			t.add(cells...)
		}
	}
	return t, nil
}

// generate writes a generated program.
func (b *perfBench) generate(s genprog.Shape) (string, error) {
	dir := filepath.Join(b.tmp, s.String())
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return "", err
	}
	err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module example.com/generated\n\ngo 1.26\n"), 0o666)
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "main.go"), []byte(genprog.Program(s)), 0o666)
	}
	return dir, err
}
