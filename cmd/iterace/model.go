package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/iterace/iterace/analyzer"
	"github.com/iterace/iterace/model/library"
)

// A modelCommand is one of iterace model's.
type modelCommand struct {
	name string
	run  func(o *options, cwd string, stdout, stderr io.Writer) error
}

var modelCommands = []modelCommand{
	{"list", listModel},
	{"check", checkModel},
	{"explain", explainModel},
	{"unknown", unknownCalls},
}

// errSaid ends a model command that has printed what is wrong.
var errSaid = errors.New("")

// runModel is iterace model: what is known of code that is not analysed.
func runModel(args []string, stdout, stderr io.Writer) int {
	err := modelMain(args, stdout, stderr)
	switch {
	case errors.Is(err, flag.ErrHelp):
		io.WriteString(stdout, manual())
		return exitNothing
	case err != nil:
		if err != errSaid {
			fmt.Fprintf(stderr, "iterace: %v\n", err)
		}
		return exitError
	}
	return exitNothing
}

func modelMain(args []string, stdout, stderr io.Writer) error {
	var names []string
	for _, c := range modelCommands {
		names = append(names, c.name)
	}
	if len(args) == 0 {
		return fmt.Errorf("which model command? There are %s", strings.Join(names, ", "))
	}
	if args[0] == "-h" || args[0] == "-help" || args[0] == "--help" {
		return flag.ErrHelp
	}
	i := slices.Index(names, args[0])
	if i < 0 {
		return fmt.Errorf("unknown model command %q; there are %s", args[0], strings.Join(names, ", "))
	}
	o, err := newOptions()
	if err != nil {
		return err
	}
	fs := flag.NewFlagSet("iterace model", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	loadFlags(fs, o)
	if err := fs.Parse(args[1:]); err != nil {
		return err
	}
	o.patterns = fs.Args()
	if err := o.check(); err != nil {
		return err
	}
	cwd, err := os.Getwd()
	if err != nil {
		return err
	}
	if o.dir != "" {
		if err := os.Chdir(o.dir); err != nil {
			return err
		}
	}
	return modelCommands[i].run(o, cwd, stdout, stderr)
}

// loadModel reads the shipped model, that of the current directory and the
// files that -model names.
func (o *options) loadModel() (*library.Model, error) {
	return library.Load(library.Options{ModuleDir: ".", Files: o.models})
}

// listModel prints one line for each entry, of the named packages or of all.
func listModel(o *options, _ string, stdout, _ io.Writer) error {
	m, err := o.loadModel()
	if err != nil {
		return err
	}
	w := tabwriter.NewWriter(stdout, 0, 8, 2, ' ', 0)
	for _, line := range m.List() {
		name := strings.Split(line, "\t")[1]
		if len(o.patterns) == 0 || slices.ContainsFunc(o.patterns, func(p string) bool { return library.Below(p, name) }) {
			fmt.Fprintln(w, line)
		}
	}
	return w.Flush()
}

// checkModel reads the model files and those that are named as arguments, and
// compares their names with the packages, as far as the module has them.
func checkModel(o *options, _ string, stdout, stderr io.Writer) error {
	o.models = append(o.models, o.patterns...)
	o.patterns = nil
	m, err := o.loadModel()
	if err == nil {
		err = analyzer.CheckModel(o.config(), m)
	}
	if e := (*library.Error)(nil); errors.As(err, &e) {
		for _, p := range e.Problems {
			fmt.Fprintln(stderr, p)
		}
		return errSaid
	}
	if err != nil {
		return err
	}
	if len(m.Files()) == 0 {
		fmt.Fprintf(stdout, "there is no %s here or above, and no file was named\n", library.FileName)
	}
	for _, name := range m.Files() {
		fmt.Fprintf(stdout, "%s: no errors\n", name)
	}
	return nil
}

// explainModel prints what is known of each name.
func explainModel(o *options, _ string, stdout, stderr io.Writer) error {
	if len(o.patterns) == 0 {
		return errors.New("explain what? Name functions, methods, types or packages")
	}
	m, err := o.loadModel()
	if err != nil {
		return err
	}
	failed := false
	for _, name := range o.patterns {
		var wrong []string // of all that the name may mean
		found := false
		for _, full := range m.Meant(name) {
			text, complaint := o.explain(m, full)
			fmt.Fprint(stdout, text)
			found = found || text != ""
			wrong = append(wrong, complaint)
		}
		if !found {
			failed = true
			fmt.Fprint(stderr, strings.Join(wrong, ""))
		}
	}
	if failed {
		return errSaid
	}
	return nil
}

// explain returns what is known of a name in the model's form, or why nothing
// is, with names that are near.
func (o *options) explain(m *library.Model, name string) (text, complaint string) {
	text, ok := m.Explain(name)
	if !ok || !m.HasOwn(name) {
		// An entry for all functions of a package is about those it has.
		complaint = analyzer.Missing(o.config(), name)
	}
	switch {
	case ok && complaint == "":
		return text, ""
	case complaint == "":
		complaint = text
	default:
		complaint += "\n"
	}
	if near := m.Near(name); len(near) > 0 {
		complaint += "  near to it: " + strings.Join(near, ", ") + "\n"
	}
	return "", complaint
}

// unknownCalls prints stubs for the library calls in parallel bodies of which
// nothing is known, and how many there are.
func unknownCalls(o *options, cwd string, stdout, stderr io.Writer) error {
	u, err := analyzer.FindUnknown(o.config())
	if err != nil {
		return err
	}
	for _, e := range u.Errors {
		printLoadError(stderr, e, fileNames(u.Root, cwd))
	}
	fmt.Fprintf(stdout, "# %d library calls in parallel bodies: %d known to the model, %d analysed; that is %.1f %%\n",
		u.Calls, u.Known, u.Analysed, 100*u.Share())
	if u.Stubs != "" {
		fmt.Fprintf(stdout, "# Of the others nothing is known. Fill in what their documentation says, and put it into %s.\n\n%s", library.FileName, u.Stubs)
	}
	if len(u.Errors) > 0 {
		return errSaid
	}
	return nil
}
