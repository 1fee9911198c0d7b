package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/iterace/iterace/analyzer"
	"github.com/iterace/iterace/model"
	"github.com/iterace/iterace/report"
	"golang.org/x/tools/go/packages"
)

// This file measures what iterace misses, on code that has no races of its own:
// it takes synchronisation away, one place at a time, and looks whether a race
// is reported that was not before.

// A verdict says what became of a place.
type verdict string

const (
	shown     verdict = "shown"     // a new race has an access where the place protected
	elsewhere verdict = "elsewhere" // there are new races, but none there
	hidden    verdict = "hidden"    // as shown, but the race rests on an assumption
	none      verdict = "none"
	apart     verdict = "apart"  // none, and nothing there is paired even if no stage narrows
	broken    verdict = "broken" // the code does not compile without it
)

// A trial is a place and what the analysis said without it.
type trial struct {
	Kind, At, Func, What string
	Verdict              verdict
	Race                 string `json:",omitempty"` // a new pair
	Assumes              string `json:",omitempty"` // what it rests on
	Why                  string `json:",omitempty"` // there is none: what narrows a pair there, and the pair
}

// A removal is a module of which synchronisation is taken away.
type removal struct {
	name     string
	dir      string
	env      []string
	patterns []string
	tests    bool
	count    int
	only     []string // parts of the positions of the places to look at
	log      io.Writer

	pkgs  []*packages.Package
	texts map[string][]byte
	root  string
	known map[string]map[string]model.Confidence // pairs of the module as it is, by what is left out of the pipeline
	loose []*model.Race                          // pairs of the module if no stage narrows; made when asked for
	bad   int                                    // errors of the module as it is
}

func removalsCommand(args []string, stdout, stderr io.Writer) error {
	fs := flag.NewFlagSet("eval removals", flag.ContinueOnError)
	fs.SetOutput(stderr)
	var o options
	fs.StringVar(&o.out, "o", "", "`file` to write to, instead of standard output")
	tests := fs.Bool("test", false, "analyse test files too; nothing is taken away from these")
	count := fs.Int("n", 30, "how many places of a module to try, spread evenly; 0 is all")
	only := fs.String("only", "", "try only places whose position, file:line, contains one of these `texts`, separated by commas")
	patterns := fs.String("patterns", "./...", "packages to analyse, separated by spaces")
	md := fs.Bool("md", false, "write markdown")
	save := fs.String("save", "", "`file` to write the verdicts to, as JSON")
	if err := fs.Parse(args); err != nil {
		return err
	}
	if fs.NArg() == 0 {
		return errors.New("usage: eval removals [flags] module@version|directory ...")
	}
	tmp, err := os.MkdirTemp("", "iterace-removals-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	w, done, err := o.open(stdout)
	if err != nil {
		return err
	}
	all := make(map[string][]*trial)
	for i, name := range fs.Args() {
		r := &removal{name: name, patterns: strings.Fields(*patterns), tests: *tests, count: *count, only: strings.Split(*only, ","), log: stderr,
			env: append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod")}
		if err := r.fetch(filepath.Join(tmp, fmt.Sprint(i))); err != nil {
			return err
		}
		trials, err := r.run()
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		all[name] = trials
		for _, t := range []*table{counts(name, trials), list(name, trials)} {
			print := t.text
			if *md {
				print = t.markdown
			}
			if err := print(w); err != nil {
				return err
			}
		}
		os.RemoveAll(filepath.Join(tmp, fmt.Sprint(i)))
	}
	if *save != "" {
		data, err := json.MarshalIndent(all, "", "\t")
		if err != nil {
			return err
		}
		if err := os.WriteFile(*save, data, 0o666); err != nil {
			return err
		}
	}
	return done()
}

// fetch finds the code. A module from the proxy is copied, since the go command
// may have to write its go.sum; a directory is analysed where it is.
func (r *removal) fetch(tmp string) error {
	if !strings.Contains(r.name, "@") {
		r.dir = r.name
		return nil
	}
	cached, err := download(r.name)
	if err != nil {
		return err
	}
	r.dir = tmp
	return copyModule(tmp, cached)
}

func (r *removal) run() ([]*trial, error) {
	places, err := r.places()
	if err != nil {
		return nil, err
	}
	res, err := r.analyse(nil)
	if err != nil {
		return nil, err
	}
	r.root, r.bad = res.Root, len(res.Errors)
	r.known = map[string]map[string]model.Confidence{"": pairs(res)}
	fmt.Fprintf(r.log, "%s: %d places, %d are tried; %d pairs, %d errors\n",
		r.name, len(places), len(spread(places, r.count)), len(r.known[""]), r.bad)
	var out []*trial
	for _, p := range spread(places, r.count) {
		t, err := r.try(p)
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(r.log, "%-10s %-15s %s %s %s %s%s\n", t.Verdict, t.Kind, t.At, t.Func, t.Assumes, t.Race, t.Why)
		out = append(out, t)
	}
	return out, nil
}

// places finds all places in the code that is not for tests.
func (r *removal) places() ([]*place, error) {
	pkgs, err := packages.Load(&packages.Config{
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports | packages.NeedDeps |
			packages.NeedSyntax | packages.NeedTypes | packages.NeedTypesInfo | packages.NeedTypesSizes | packages.NeedModule,
		Dir: r.dir, Env: r.env,
	}, r.patterns...)
	if err != nil {
		return nil, err
	}
	r.texts = make(map[string][]byte)
	var out []*place
	for _, pkg := range pkgs {
		for _, name := range pkg.GoFiles { // what cgo makes of files cannot be replaced
			if r.texts[name], err = os.ReadFile(name); err != nil {
				return nil, err
			}
		}
		if len(pkg.Errors) == 0 {
			out = append(out, findPlaces(pkg, r.texts)...)
		}
	}
	return slices.DeleteFunc(out, func(p *place) bool {
		at := fmt.Sprintf("%s:%d", p.file, p.line)
		return !slices.ContainsFunc(r.only, func(s string) bool { return strings.Contains(at, s) })
	}), nil
}

// spread returns n elements of a list, evenly spread over it.
func spread[T any](list []T, n int) []T {
	if n <= 0 || len(list) <= n {
		return list
	}
	var out []T
	for i := range n {
		out = append(out, list[(2*i+1)*len(list)/(2*n)])
	}
	return out
}

func (r *removal) analyse(overlay map[string][]byte, disable ...string) (*analyzer.Result, error) {
	return analyzer.Run(&analyzer.Config{Dir: r.dir, Env: r.env, Patterns: r.patterns, Tests: r.tests,
		Overlay: overlay, Disable: disable})
}

// try analyses the module without a place.
func (r *removal) try(p *place) (*trial, error) {
	file := p.file
	if rel, err := filepath.Rel(r.root, p.file); err == nil {
		file = filepath.ToSlash(rel)
	}
	t := &trial{Kind: p.kind, At: fmt.Sprintf("%s:%d", file, p.line), Func: p.fn, What: p.what, Verdict: none}
	text := p.apply(r.texts[p.file])
	if !compiles(p, text) {
		t.Verdict = broken
		return t, nil
	}
	res, err := r.analyse(map[string][]byte{p.file: text})
	if err != nil {
		return nil, err
	}
	if len(res.Errors) != r.bad {
		t.Verdict = broken
		return t, nil
	}
	tail := p.tailLine(r.texts[p.file])
	within := func(pos model.Pos) bool {
		return pos.File == file && (p.from <= pos.Line && pos.Line <= p.to || pos.Line >= tail)
	}
	var race *model.Race
	if t.Verdict, race = r.judge(res, within, nil); race != nil {
		t.Race, t.Assumes = describePair(race), strings.Join(race.Assumes, " ")
		return t, nil
	}
	if r.loose == nil {
		if res, err = r.analyse(nil, slices.Concat(narrowing...)...); err != nil {
			return nil, err
		}
		r.loose = races(res)
	}
	for _, race := range r.loose {
		if touches(race, within) {
			t.Why, err = r.narrows(map[string][]byte{p.file: text}, within)
			t.Why = cmp.Or(t.Why, "several: "+describePair(race))
			return t, err
		}
	}
	t.Verdict = apart
	return t, nil
}

// narrowing are the stages that drop races for what the code does. Locks are one
// question, which two stages ask.
var narrowing = [][]string{{"deeplocks", "applocks"}, {"disjoint"}, {"owners"}, {"order"}}

// judge says what is new in a result, and where.
func (r *removal) judge(res *analyzer.Result, within func(model.Pos) bool, disable []string) (verdict, *model.Race) {
	rank := []verdict{none, hidden, elsewhere, shown}
	var best *model.Race
	is := none
	known := r.known[strings.Join(disable, ",")]
	for _, race := range races(res) {
		if old, was := known[pairKey(race)]; was && old >= race.Confidence {
			continue
		}
		v := none
		switch in := touches(race, within); {
		case race.Confidence == model.Assumed && in:
			v = hidden
		case race.Confidence > model.Assumed && in:
			v = shown
		case race.Confidence > model.Assumed:
			v = elsewhere
		}
		if slices.Index(rank, v) > slices.Index(rank, is) {
			is, best = v, race
		}
	}
	return is, best
}

// narrows says which stage keeps the race from being reported: there is a new
// pair without it.
func (r *removal) narrows(overlay map[string][]byte, within func(model.Pos) bool) (string, error) {
	for _, stages := range narrowing {
		key := strings.Join(stages, ",")
		if r.known[key] == nil {
			res, err := r.analyse(nil, stages...)
			if err != nil {
				return "", err
			}
			r.known[key] = pairs(res)
		}
		res, err := r.analyse(overlay, stages...)
		if err != nil {
			return "", err
		}
		if v, race := r.judge(res, within, stages); v == shown || v == hidden {
			return fmt.Sprintf("%s: %s", key, describePair(race)), nil
		}
	}
	return "", nil
}

// compiles reports whether the package of a place type-checks with a file changed.
func compiles(p *place, text []byte) bool {
	fset := token.NewFileSet()
	var files []*ast.File
	for _, name := range p.pkg.CompiledGoFiles {
		var src any
		if name == p.file {
			src = text
		}
		f, err := parser.ParseFile(fset, name, src, parser.SkipObjectResolution)
		if err != nil {
			return false
		}
		files = append(files, f)
	}
	conf := types.Config{Importer: importMap(p.pkg.Imports), Sizes: p.pkg.TypesSizes, Error: func(error) {}}
	if m := p.pkg.Module; m != nil && m.GoVersion != "" {
		conf.GoVersion = "go" + m.GoVersion
	}
	_, err := conf.Check(p.pkg.PkgPath, fset, files, nil)
	return err == nil
}

// An importMap imports what is loaded.
type importMap map[string]*packages.Package

func (m importMap) Import(path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	if pkg := m[path]; pkg != nil && pkg.Types != nil {
		return pkg.Types, nil
	}
	return nil, fmt.Errorf("%s is not loaded", path)
}

// races returns the pairs of all race sets, those that rest on assumptions too.
func races(res *analyzer.Result) []*model.Race {
	var out []*model.Race
	for _, r := range report.Merge(res.Reports) {
		out = append(out, r.Races...)
	}
	return out
}

// pairs is what is known of each pair.
func pairs(res *analyzer.Result) map[string]model.Confidence {
	out := make(map[string]model.Confidence)
	for _, race := range races(res) {
		key := pairKey(race)
		out[key] = max(out[key], race.Confidence)
	}
	return out
}

// pairKey tells pairs of accesses apart as a reader does. What is before a place
// has the same position without the place.
func pairKey(r *model.Race) string {
	return fmt.Sprint(r.Loop.Spawn.File, r.Loop.Spawn.Line, r.Object.Type, r.Object.Name, r.Object.Pos.File, r.Object.Pos.Line, r.Field,
		r.A.Kind, r.A.Pos.File, r.A.Pos.Line, r.B.Kind, r.B.Pos.File, r.B.Pos.Line, r.B.Thread)
}

// touches reports whether one of the accesses, or a call that leads to it, is at
// one of the positions.
func touches(r *model.Race, within func(model.Pos) bool) bool {
	for _, a := range []*model.Access{r.A, r.B} {
		if within(a.Pos) || slices.ContainsFunc(a.Path, func(f model.Frame) bool { return within(f.Call) }) {
			return true
		}
	}
	return false
}

func describePair(r *model.Race) string {
	name := cmp.Or(r.Object.Name, r.Object.Type)
	return fmt.Sprintf("%s%s: %s / %s", name, r.Field, accessAt(r.A), accessAt(r.B))
}

var placeKinds = []string{"Lock", "RLock", "RLock for Lock", "Wait", "receive", "atomic", "Once"}

// counts counts verdicts by kind.
func counts(name string, trials []*trial) *table {
	verdicts := []verdict{shown, elsewhere, hidden, none, apart, broken}
	t := &table{title: name, head: []string{"taken away", "places"}, left: 1}
	for _, v := range verdicts {
		t.head = append(t.head, string(v))
	}
	row := func(kind string) {
		n := 0
		by := make(map[verdict]int)
		for _, x := range trials {
			if kind == "" || x.Kind == kind {
				n++
				by[x.Verdict]++
			}
		}
		if n == 0 {
			return
		}
		cells := []string{cmp.Or(kind, "all"), fmt.Sprint(n)}
		for _, v := range verdicts {
			cells = append(cells, fmt.Sprint(by[v]))
		}
		t.add(cells...)
	}
	for _, k := range placeKinds {
		row(k)
	}
	row("")
	return t
}

// list tells of each place.
func list(name string, trials []*trial) *table {
	t := &table{title: name + ": places", head: []string{"verdict", "taken away", "at", "function", "what", "pair"}, left: 6}
	for _, x := range trials {
		pair := cmp.Or(x.Race, x.Why)
		if x.Assumes != "" {
			pair += " (" + x.Assumes + ")"
		}
		t.add(string(x.Verdict), x.Kind, x.At, x.Func, x.What, pair)
	}
	return t
}
