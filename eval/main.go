// Command eval measures iterace on a suite of programs, in the manner of the
// IteRace paper's evaluation.
//
//	go -C eval run . tables      the paper's Tables I to VII
//	go -C eval run . perf        what an analysis costs, beside others
//	go -C eval run . scopes      one package at a time against the whole program
//	go -C eval run . removals    what is missed if synchronisation is taken away
//	go -C eval run . labels      how many of the race sets that are shown are true
//
// README.md says more. The command is a module of its own, so that what it
// needs is not what the tool needs; that is why go run ./eval does not find it.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"time"
)

func main() {
	if tool := os.Getenv(vetWrapperEnv); tool != "" {
		os.Exit(runVetWrapper(tool, os.Args[1:]))
	}
	err := run(os.Args[1:], os.Stdout, os.Stderr)
	switch {
	case errors.Is(err, flag.ErrHelp):
		os.Exit(2)
	case err != nil:
		fmt.Fprintln(os.Stderr, "eval:", err)
		os.Exit(1)
	}
}

const usage = "usage: eval tables|labels|scopes|removals|perf [flags]; eval tables -h lists the flags"

func run(args []string, stdout, stderr io.Writer) error {
	if len(args) == 0 {
		return errors.New(usage)
	}
	switch args[0] {
	case "tables":
		return tablesCommand(args[1:], stdout, stderr)
	case "labels":
		return labelsCommand(args[1:], stdout, stderr)
	case "scopes":
		return scopesCommand(args[1:], stdout, stderr)
	case "removals":
		return removalsCommand(args[1:], stdout, stderr)
	case "perf":
		return perfCommand(args[1:], stdout, stderr)
	case "perf-run":
		return perfRunCommand(args[1:], stdout)
	case "perf-floor":
		return perfFloorCommand(args[1:], stdout)
	case "measure":
		return measureCommand(args[1:], stdout)
	}
	return fmt.Errorf("no command %q; %s", args[0], usage)
}

// options are the flags that commands share.
type options struct {
	subjects string
	timeout  time.Duration
	out      string
}

func (o *options) define(fs *flag.FlagSet) {
	fs.StringVar(&o.subjects, "subject", "", "subjects to look at, separated by `commas`; all if empty")
	fs.DurationVar(&o.timeout, "timeout", 5*time.Minute, "of one analysis")
	fs.StringVar(&o.out, "o", "", "`file` to write to, instead of standard output")
}

// open returns where to write.
func (o *options) open(stdout io.Writer) (io.Writer, func() error, error) {
	if o.out == "" {
		return stdout, func() error { return nil }, nil
	}
	f, err := os.Create(o.out)
	if err != nil {
		return nil, nil, err
	}
	return f, f.Close, nil
}

// withSites calls f on the chosen subjects, ready to be analysed, and cleans up.
func (o *options) withSites(stderr io.Writer, f func(eval string, sites []*site) error) error {
	chosen, err := choose(o.subjects)
	if err != nil {
		return err
	}
	eval, err := evalDir()
	if err != nil {
		return err
	}
	tmp, err := os.MkdirTemp("", "iterace-eval-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	var sites []*site
	for _, s := range chosen {
		fmt.Fprintf(stderr, "preparing %s\n", s.name)
		st, err := s.prepare(eval, tmp)
		if err != nil {
			return err
		}
		sites = append(sites, st)
	}
	return f(eval, sites)
}

func tablesCommand(args []string, stdout, stderr io.Writer) error {
	fs := flag.NewFlagSet("eval tables", flag.ContinueOnError)
	fs.SetOutput(stderr)
	var o options
	o.define(fs)
	names := fs.String("config", "", "configurations to measure, separated by `commas`, \"TFBSD\" is everything on; all if empty")
	md := fs.Bool("md", false, "write markdown")
	save := fs.String("save", "", "`file` to write the measurements to, after each subject")
	from := fs.String("from", "", "`files` to read measurements from, separated by commas, instead of measuring")
	if err := fs.Parse(args); err != nil {
		return err
	}
	if fs.NArg() > 0 {
		return fmt.Errorf("unexpected argument %q", fs.Arg(0))
	}
	eval, err := evalDir()
	if err != nil {
		return err
	}
	ls, err := readLabels(filepath.Join(eval, "labels"))
	if err != nil {
		return err
	}
	vs, err := chooseVariants(*names)
	if err != nil {
		return err
	}
	var res *results
	if *from != "" {
		res, err = readResults(*from)
	} else {
		err = o.withSites(stderr, func(_ string, sites []*site) error {
			res, err = gather(sites, vs, o.timeout, stderr, func(r *results) error {
				if *save == "" {
					return nil
				}
				return r.save(*save)
			})
			return err
		})
	}
	if err != nil {
		return err
	}
	w, done, err := o.open(stdout)
	if err != nil {
		return err
	}
	for _, t := range res.tables(ls) {
		print := t.text
		if *md {
			print = t.markdown
		}
		if err := print(w); err != nil {
			return err
		}
	}
	fmt.Fprintln(w, "What it is to show:")
	fmt.Fprintln(w)
	for _, f := range res.findings(ls) {
		prefix := ""
		if *md {
			prefix = "- "
		}
		fmt.Fprintf(w, "%s%s\n", prefix, f)
	}
	return done()
}

// labelsCommand analyses the subjects with everything on and counts labels. It
// fails if labels and race sets do not fit.
func labelsCommand(args []string, stdout, stderr io.Writer) error {
	fs := flag.NewFlagSet("eval labels", flag.ContinueOnError)
	fs.SetOutput(stderr)
	var o options
	o.define(fs)
	stub := fs.Bool("stub", false, "print entries to fill in for sets without a label")
	if err := fs.Parse(args); err != nil {
		return err
	}
	var complaints []string
	w, done, err := o.open(stdout)
	if err != nil {
		return err
	}
	err = o.withSites(stderr, func(eval string, sites []*site) error {
		ls, err := readLabels(filepath.Join(eval, "labels"))
		if err != nil {
			return err
		}
		t := &table{title: "Labelled race sets, everything on", head: []string{"subject", "sets", "labelled", "true", "% true"}, left: 1}
		for _, s := range sites {
			fmt.Fprintf(stderr, "%s: %s\n", s.name, s.where())
			out, err := s.run(nil, o.timeout)
			if err != nil {
				return err
			}
			if out.Failed != "" {
				return fmt.Errorf("%s: %s", s.name, out.Failed)
			}
			c := judge(ls[s.name], out.Shown)
			share := "-"
			if c.labelled() > 0 {
				share = fmt.Sprintf("%.0f", 100*float64(c.yes)/float64(c.labelled()))
			}
			t.add(s.name, fmt.Sprint(out.Sets), fmt.Sprint(c.labelled()), fmt.Sprint(c.yes), share)
			complaints = append(complaints, c.complaints(s.subject)...)
			if *stub {
				c.stub(w)
			}
		}
		return t.text(w)
	})
	if err != nil {
		return err
	}
	for _, c := range complaints {
		fmt.Fprintln(stderr, c)
	}
	if err := done(); err != nil {
		return err
	}
	if len(complaints) > 0 {
		return errors.New("labels and race sets do not fit")
	}
	return nil
}

// machine says what times were measured on.
func machine() string {
	return fmt.Sprintf("%s/%s, %d CPUs, %s", runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), runtime.Version())
}
