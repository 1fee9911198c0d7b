package main

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

// This file compares the two scopes on real modules: the whole program, as
// iterace sees it, and one package at a time with the facts of what it imports,
// as go vet asks for. Race sets are the same if their ids are: an id is made of
// the object, the field and the functions that access it.

// A scopeModule is a module that both scopes are compared on, pinned.
type scopeModule struct {
	name   string
	module string
	// why the scopes do not find the same; "" where they must.
	why string
}

var scopeModules = []*scopeModule{
	{name: "fzf", module: "github.com/junegunn/fzf@v0.65.2",
		why: "1 set, a false one, is in the whole program only: a callback of another package is taken for one that the test passes"},
	{name: "ttlcache", module: "github.com/ReneKroon/ttlcache@v1.6.0",
		why: "1 set, a true one, is in the unit only: with the program in bench in view the whole program does not find it; of that loop more call paths lead to pairs than are kept (S23)"},
	{name: "gin", module: "github.com/gin-gonic/gin@v1.4.0"},
	{name: "workerpool", module: "github.com/gammazero/workerpool@v1.0.0"},
	{name: "hey", module: "github.com/rakyll/hey@v0.1.5"},
	{name: "memberlist", module: "github.com/hashicorp/memberlist@v0.7.0"},
	{name: "ants", module: "github.com/panjf2000/ants/v2@v2.12.1",
		why: "9 sets are on pools that tests of an external test package start and reboot: the loop lies in a package of which a unit does not know these callers. " +
			"1 is the same under another id: a generic type is named by its type parameter (S64)"},
	{name: "minio", module: "github.com/minio/minio-go/v7@v7.4.1",
		why: "12 sets are the same under another id: its singleflight is generic, and a unit names what the body makes by the type parameter (S64). " +
			"Of the 3 that only the whole program has, 1 is on that body in its own package, 1 on a hash function behind an interface and 1 on what a test reads of requests; why these are not found in the unit was not looked into"},
}

// scopeResult is what the scopes find in one module.
type scopeResult struct {
	whole, vet []string // ids
	facts      []int64  // bytes, by package
	errors     int      // of code that does not load, in the whole program
}

// both counts the ids that both have.
func (r *scopeResult) both() int {
	n := 0
	for _, id := range r.whole {
		if slices.Contains(r.vet, id) {
			n++
		}
	}
	return n
}

func (r *scopeResult) same() bool { return r.both() == len(r.whole) && r.both() == len(r.vet) }

func scopesCommand(args []string, stdout, stderr io.Writer) error {
	fs := flag.NewFlagSet("eval scopes", flag.ContinueOnError)
	fs.SetOutput(stderr)
	var o options
	fs.DurationVar(&o.timeout, "timeout", 10*time.Minute, "of one analysis")
	fs.StringVar(&o.out, "o", "", "`file` to write to, instead of standard output")
	names := fs.String("module", "", "modules to look at, separated by `commas`; all if empty")
	md := fs.Bool("md", false, "write markdown")
	if err := fs.Parse(args); err != nil {
		return err
	}
	eval, err := evalDir()
	if err != nil {
		return err
	}
	tmp, err := os.MkdirTemp("", "iterace-scopes-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	tool := filepath.Join(tmp, "iterace")
	build := exec.Command("go", "build", "-o", tool, "./cmd/iterace")
	build.Dir = filepath.Dir(eval)
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("go build: %w\n%s", err, out)
	}
	t := &table{
		title: "Scopes: the whole program and one package at a time (go vet -vettool), race sets, tests too",
		head:  []string{"module", "whole", "vet", "both", "packages", "fact KB", "median", "largest", "differences"},
		left:  1,
		note:  "Facts: bytes of the fact files of all packages that are loaded, the standard library's too. " + machine() + ".",
	}
	var wrong []string
	for _, m := range scopeModules {
		if *names != "" && !slices.Contains(strings.Split(*names, ","), m.name) {
			continue
		}
		fmt.Fprintf(stderr, "%s: %s\n", m.name, m.module)
		r, err := m.compare(tmp, tool, &o)
		if err != nil {
			return fmt.Errorf("%s: %w", m.name, err)
		}
		why := m.why
		switch {
		case !r.same() && why == "":
			why = "NOT EXPLAINED"
			wrong = append(wrong, m.name)
		case r.same():
			why = "none"
		}
		slices.Sort(r.facts)
		var sum, median, most int64
		for _, n := range r.facts {
			sum += n
		}
		if n := len(r.facts); n > 0 {
			median, most = r.facts[n/2], r.facts[n-1]
		}
		t.add(m.module, fmt.Sprint(len(r.whole)), fmt.Sprint(len(r.vet)), fmt.Sprint(r.both()), fmt.Sprint(len(r.facts)),
			kilo(sum), kilo(median), kilo(most), why)
	}
	w, done, err := o.open(stdout)
	if err != nil {
		return err
	}
	print := t.text
	if *md {
		print = t.markdown
	}
	if err := print(w); err != nil {
		return err
	}
	if len(wrong) > 0 {
		return fmt.Errorf("the scopes differ on %s, and no reason is given", strings.Join(wrong, ", "))
	}
	return done()
}

func kilo(n int64) string { return fmt.Sprintf("%.1f", float64(n)/1024) }

// compare analyses a copy of the module in both scopes.
func (m *scopeModule) compare(tmp, tool string, o *options) (*scopeResult, error) {
	cached, err := download(m.module)
	if err != nil {
		return nil, err
	}
	dir := filepath.Join(tmp, m.name)
	if err := copyModule(dir, cached); err != nil {
		return nil, err
	}
	env := append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod")
	r := new(scopeResult)
	out, err := o.output(dir, env, tool, "-test", "-json", "./...")
	if err != nil {
		return nil, err
	}
	if r.whole, r.errors, err = wholeIDs(out); err != nil {
		return nil, err
	}
	if r.errors > 0 {
		return nil, fmt.Errorf("%d errors in code that does not load", r.errors)
	}
	w, err := newVetWrapper(tmp, tool)
	if err != nil {
		return nil, err
	}
	out, err = o.output(dir, append(env, vetWrapperEnv+"="+tool), "go", "vet", "-vettool="+w.path, "-json", "./...")
	if err != nil {
		return nil, err
	}
	r.vet = vetIDs(out)
	r.facts, err = w.sizes()
	return r, err
}

// output runs a program and returns what it prints, on either stream. That it
// fails is no error: a race is a failure, too.
func (o *options) output(dir string, env []string, program string, args ...string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(context.Background(), o.timeout)
	defer cancel()
	var out, stderr bytes.Buffer
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = dir, env, &out, &stderr
	err := cmd.Run()
	if ctx.Err() != nil {
		return nil, fmt.Errorf("%s: out of time", program)
	}
	if cmd.ProcessState == nil {
		return nil, err
	}
	// go vet -json prints its findings on standard error before Go 1.25.
	return append(out.Bytes(), stderr.Bytes()...), nil
}

// wholeIDs reads iterace -json.
func wholeIDs(out []byte) (ids []string, errors int, err error) {
	var doc struct {
		Races  []struct{ ID string }
		Errors []json.RawMessage
	}
	if err := json.NewDecoder(bytes.NewReader(out)).Decode(&doc); err != nil {
		return nil, 0, fmt.Errorf("iterace -json: %w\n%s", err, lastLine(string(out)))
	}
	for _, x := range doc.Races {
		ids = append(ids, x.ID)
	}
	return distinct(ids), len(doc.Errors), nil
}

var idInMessage = regexp.MustCompile(`\((?:definite|likely); id ([0-9a-f]+(?:-\d+)?)\)`)

// vetIDs reads go vet -json: an object for each package, with comments between. A
// file that is in a package and in its test variant is reported once.
func vetIDs(out []byte) []string {
	var ids []string
	for _, m := range idInMessage.FindAllSubmatch(out, -1) {
		ids = append(ids, string(m[1]))
	}
	return distinct(ids)
}

func distinct(ids []string) []string {
	slices.Sort(ids)
	return slices.Compact(ids)
}
