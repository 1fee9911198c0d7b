package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"golang.org/x/term"

	"github.com/iterace/iterace/analyzer"
	"github.com/iterace/iterace/doc/schema"
	"github.com/iterace/iterace/model"
	"github.com/iterace/iterace/report"
)

// Exit codes, the ones of go/analysis commands.
const (
	exitNothing = 0 // no races found
	exitError   = 1 // bad usage, or code that could not be analysed
	exitRaces   = 3
)

func main() {
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

// run is the command without the process around it. Ctrl-C ends the process, and
// with it the go command it may be waiting for, at once; see interrupts for what
// is said then.
func run(args []string, stdout, stderr io.Writer) int {
	if isVetCall(args) {
		return vetUnit(args, stdout, stderr)
	}
	if len(args) > 0 && args[0] == "model" {
		return runModel(args[1:], stdout, stderr)
	}
	if len(args) > 0 && args[0] == "lsp" {
		return runLSP(args[1:], os.Stdin, stdout, stderr)
	}
	if len(args) > 0 && args[0] == "gopls" {
		return runGopls(args[1:], stdout, stderr)
	}
	fail := func(err error) int {
		fmt.Fprintf(stderr, "iterace: %v\n", err)
		return exitError
	}
	opts, err := parseFlags(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		io.WriteString(stdout, manual())
		return exitNothing
	case err != nil:
		return fail(fmt.Errorf("%w\niterace -h prints the manual", err))
	case opts.version:
		fmt.Fprintln(stdout, "iterace", version(), "built with", runtime.Version())
		return exitNothing
	case opts.schema:
		stdout.Write(schema.Report)
		return exitNothing
	case opts.debugHelp:
		io.WriteString(stdout, debugHelp())
		return exitNothing
	}

	cwd, err := os.Getwd()
	if err != nil {
		return fail(err)
	}
	if opts.dir != "" {
		// As for the go command, everything on the command line is relative
		// to the new directory.
		if err := os.Chdir(opts.dir); err != nil {
			return fail(err)
		}
	}
	var base *report.Baseline
	if opts.baseline != "" {
		if base, err = report.ReadBaseline(opts.baseline); err != nil {
			return fail(err)
		}
	}
	cfg := opts.config()
	bar := newProgress(os.Stderr)
	ints := watchInterrupts(stderr, bar.stop)
	cfg.Progress = func(phase string, done, total int) {
		bar.update(phase, done, total)
		ints.update(phase, done, total)
	}
	start := time.Now()
	res, err := analyzer.Run(cfg)
	ints.stop()
	bar.stop()
	if err != nil {
		return fail(err)
	}
	reports := res.Final(base)
	if opts.stats {
		printStats(stderr, res, report.Suppressed(reports, opts.all), time.Since(start))
	}
	return opts.print(res, reports, cwd, stdout, stderr)
}

// print writes what was found in the form asked for, and the errors of
// loading, and returns the exit code.
func (o *options) print(res *analyzer.Result, reports []*model.Report, cwd string, stdout, stderr io.Writer) int {
	d := &report.Document{
		Version:  version(),
		Module:   res.Module,
		Root:     res.Root,
		Reports:  reports,
		Notices:  res.Notices,
		All:      o.all,
		Unasked:  res.Unasked > 0,
		FileName: fileNames(res.Root, cwd),
		Color:    isTerminal(stdout) && os.Getenv("NO_COLOR") == "",
	}
	for _, e := range res.Errors {
		d.Errors = append(d.Errors, report.Error{Pos: e.Pos, Package: e.Package, Message: e.Message})
		printLoadError(stderr, e, d.FileName)
	}
	var err error
	switch {
	case o.writeBaseline != "":
		err = o.newBaseline(reports, stdout)
	case o.json:
		err = report.JSON(stdout, d)
	case o.sarif:
		err = report.SARIF(stdout, d)
	case o.why != "":
		err = report.Why(stdout, d, o.why)
	default:
		err = report.Text(stdout, d)
	}
	if err != nil {
		fmt.Fprintf(stderr, "iterace: %v\n", err)
		return exitError
	}
	if len(res.Errors) > 0 {
		return exitError
	}
	if shown, _ := report.Visible(reports, o.all); len(shown) > 0 && o.writeBaseline == "" {
		return exitRaces
	}
	return exitNothing
}

// newBaseline writes the baseline file.
func (o *options) newBaseline(reports []*model.Report, stdout io.Writer) error {
	var text bytes.Buffer
	n, err := report.WriteBaseline(&text, reports, o.all)
	if err == nil {
		err = os.WriteFile(o.writeBaseline, text.Bytes(), 0o666)
	}
	if err == nil {
		sets := "sets"
		if n == 1 {
			sets = "set"
		}
		fmt.Fprintf(stdout, "wrote %d race %s to %s\n", n, sets, o.writeBaseline)
	}
	return err
}

// printLoadError prints one error of loading on one line.
func printLoadError(w io.Writer, e analyzer.LoadError, fileName func(string) string) {
	where := e.Package
	if e.Pos.IsValid() {
		p := e.Pos
		p.File = fileName(p.File)
		where = p.String()
	}
	if where != "" {
		where += ": "
	}
	fmt.Fprintf(w, "%s%s\n", where, strings.Join(strings.Fields(e.Message), " "))
}

// fileNames returns how to show a file name that is relative to root to a user
// in cwd: whichever of the relative and the absolute name is shorter, as the
// go command does.
func fileNames(root, cwd string) func(string) string {
	return func(name string) string {
		abs := name
		if !filepath.IsAbs(abs) {
			abs = filepath.Join(root, filepath.FromSlash(name))
		}
		if rel, err := filepath.Rel(cwd, abs); err == nil && len(rel) < len(abs) {
			return rel
		}
		return abs
	}
}

// isTerminal reports whether w is a terminal.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}
