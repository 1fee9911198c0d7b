package analyzer

import (
	"flag"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/iterace/iterace/model"
	"github.com/iterace/iterace/model/library"
	"github.com/iterace/iterace/report"
	"golang.org/x/tools/go/analysis"
)

// Facts and Analyzer are iterace for drivers of go/analysis: go vet,
// golangci-lint, gopls, nogo. There are two since drivers run an analyzer that
// has facts on every package below the ones to be looked at, the standard
// library included: Facts makes SSA and templates there and says nothing,
// Analyzer solves and reports, and runs where reports are wanted only.
var Facts, Analyzer = New(Driver{SideCache: SideCacheDir()})

// A Driver is what the program that runs the analyzers knows and a pass does
// not tell.
type Driver struct {
	// FactsOnly is set if nothing will be reported: nothing is solved then.
	FactsOnly bool
	// Unimported is set if no package can import this one: nobody will ask for facts.
	Unimported bool
	// FactFiles has for each direct import the file with its facts, under go
	// vet. The go command keeps them by the hash of their content in
	// BuildCache, unless that is "".
	FactFiles  map[string]string
	BuildCache string
	// Plain leaves out related information, for drivers that show each piece as a
	// finding of its own.
	Plain bool
	// ModelFiles are library models to read after the shipped one and the
	// module's own, and FixedModels that there is no flag to add to them: go vet
	// keeps results by the names in flags, and would not see the files change.
	ModelFiles  []string
	FixedModels bool
	// Mains are the paths of the modules of a workspace.
	Mains []string
	// SideCache is the directory for templates where there is no BuildCache;
	// "" is for none.
	SideCache string
	// Alone is set if no other analyzer looks at the files.
	Alone bool
	// Later is set if templates are made when somebody asks for them, and not with the
	// facts: where the same process sees one package and what lies below it, from
	// source, on this machine.
	Later bool
}

const analyzerDoc = `report data races between iterations of parallel loops

The iterace analyzer finds memory that two iterations of a parallel loop, or a
goroutine and the code that runs beside it, may touch at the same time, one of
them writing. It looks at one package at a time; the command iterace looks at
whole programs.`

const analyzerURL = "https://github.com/iterace/iterace"

// New returns a pair of analyzers like Facts and Analyzer, with flags of their
// own.
func New(d Driver) (facts, main *analysis.Analyzer) {
	v := &vet{driver: d, models: d.ModelFiles}
	facts = &analysis.Analyzer{
		Name:       "iteracefacts",
		Doc:        "lower functions for the iterace analyzer; it reports nothing",
		URL:        analyzerURL,
		Run:        v.makeFacts,
		ResultType: reflect.TypeFor[*Unit](),
		FactTypes:  []analysis.Fact{new(PackageFact)},
	}
	v.facts = facts
	main = &analysis.Analyzer{
		Name:     "iterace",
		Doc:      analyzerDoc,
		URL:      analyzerURL,
		Flags:    *flag.NewFlagSet("iterace", flag.ContinueOnError),
		Run:      v.run,
		Requires: []*analysis.Analyzer{facts},
	}
	main.Flags.BoolVar(&v.all, "all", false, "show races that rest on an assumption too, and the notices")
	main.Flags.BoolVar(&v.skipGenerated, "skip-generated", false, "leave out race sets that lie in generated files altogether")
	main.Flags.BoolVar(&v.lost, "lost", true, "tell if what was kept of another package is gone, and could matter")
	if !d.FixedModels {
		// Neither is needed where the go command keeps facts.
		main.Flags.BoolVar(&v.carry, "carry", false, "put what the packages below do into facts, and use no cache: for drivers that keep facts where there is no such directory")
		main.Flags.StringVar(&v.driver.SideCache, "cache", d.SideCache, "`directory` in which to keep what packages do for those that import packages that import them")
		main.Flags.Func("module", "`path` of a module that is the application, where the driver does not tell; may be repeated", func(s string) error {
			v.driver.Mains = append(slices.Clip(v.driver.Mains), s)
			return nil
		})
		main.Flags.Func("model", "read a library model `file`, after the shipped one and the module's own; may be repeated", func(s string) error {
			v.models = append(v.models, s)
			return nil
		})
	}
	return facts, main
}

// cacheVariable names the environment variable with the directory of the side
// cache, and NoCache is what it says for none.
const (
	cacheVariable = "ITERACE_CACHE"
	NoCache       = "off"
)

// SideCacheDir returns where templates are kept between runs, "" for nowhere.
func SideCacheDir() string {
	switch dir := os.Getenv(cacheVariable); dir {
	case "":
	case NoCache:
		return ""
	default:
		return dir
	}
	dir, err := os.UserCacheDir()
	if err != nil {
		return "" // no home: what is not in memory is unknown
	}
	return filepath.Join(dir, "iterace")
}

// makeFacts builds the SSA of a package and stores the templates of its
// functions in a fact.
func (v *vet) makeFacts(pass *analysis.Pass) (any, error) {
	u := &Unit{Mains: v.driver.Mains, Fset: pass.Fset, Pkg: pass.Pkg, Files: pass.Files, Info: pass.TypesInfo}
	main := pass.Module == nil || pass.Module.Version == ""
	if main && pass.Module != nil {
		u.Module = pass.Module.Path
	}
	for _, m := range u.Mains {
		if u.Module == "" && inModule(pass.Pkg.Path(), m) {
			u.Module = m
		}
	}
	if len(pass.Files) > 0 {
		u.Root = ModuleRoot(filepath.Dir(pass.Fset.File(pass.Files[0].FileStart).Name()))
	}
	if main {
		u.ModelDir = u.Root
	}
	rec, below, err := v.resolve(pass, u)
	if err != nil {
		return nil, err
	}
	if !v.keeps(pass) {
		return u, nil
	}
	if err := v.fill(rec, pass, u); err != nil {
		return nil, err
	}
	fact := &PackageFact{Data: rec.write()}
	switch {
	case v.carry:
		fact.Below = below.write()
	case v.driver.BuildCache == "":
		sideCache{v.driver.SideCache}.put(writtenHash(fact.Data), fact.Data)
	}
	pass.ExportPackageFact(fact)
	return u, nil
}

// keeps reports whether anybody may ask for facts of a package. Nobody imports tests
// that are a package of their own.
func (v *vet) keeps(pass *analysis.Pass) bool {
	external := strings.HasSuffix(pass.Pkg.Name(), "_test") && strings.HasSuffix(pass.Pkg.Path(), "_test")
	return !external && !v.driver.Unimported
}

// fill puts the templates of the unit into its record, or what they can be made from.
func (v *vet) fill(rec *record, pass *analysis.Pass, u *Unit) (err error) {
	if v.driver.Later && !v.carry && pass.Pkg != types.Unsafe {
		lib, err := library.Load(library.Options{ModuleDir: u.ModelDir, Files: v.models})
		if err != nil {
			return err
		}
		if rec.source = sourceOf(pass, u, lib); rec.source != nil {
			return nil
		}
	}
	if v.driver.Alone && u.Module == "" {
		dropTables(u.Files, u.Info)
	}
	rec.blob, err = u.encode(v.models)
	return err
}

// resolve gives the unit a source of the templates that it imports, and returns
// a record that names the facts of those, and what they have brought along.
func (v *vet) resolve(pass *analysis.Pass, u *Unit) (*record, carried, error) {
	below := make(carried)
	cache := buildCache{v.driver.BuildCache}
	if v.carry {
		u.source = newResolver(below)
	} else {
		u.source = newResolver(cache, sideCache{v.driver.SideCache})
	}
	if v.driver.Later {
		u.source.lower = &lowering{
			r: u.source, stock: stockIn(v.driver.SideCache), mains: v.driver.Mains,
			fset: token.NewFileSet(), types: make(map[string]*types.Package),
		}
	}
	u.source.module = u.Module
	u.source.inView, u.source.fset, u.source.root = make(map[string]*types.Package), u.Fset, u.Root
	for _, pkg := range imports(u.Pkg) {
		u.source.inView[pkg.Path()] = pkg
	}
	rec := new(record)
	direct := make(map[string]bool)
	for _, pkg := range pass.Pkg.Imports() {
		var fact PackageFact
		if !pass.ImportPackageFact(pkg, &fact) {
			continue
		}
		direct[pkg.Path()] = true
		sum, ok := u.source.add(pkg.Path(), fact.Data)
		if !ok {
			continue
		}
		if v.carry {
			below.add(fact.Data)
			below.add(fact.Below)
		}
		d := dep{path: pkg.Path(), hash: sum}
		if file := v.driver.FactFiles[pkg.Path()]; file != "" && v.keeps(pass) {
			var err error
			if d.file, err = cache.content(file); err != nil {
				return nil, nil, err
			}
		}
		rec.deps = append(rec.deps, d)
	}
	slices.SortFunc(rec.deps, func(a, b dep) int { return strings.Compare(a.path, b.path) })
	// Some drivers have the facts of indirect imports too.
	for _, pf := range pass.AllPackageFacts() {
		if f, ok := pf.Fact.(*PackageFact); ok && !direct[pf.Package.Path()] && pf.Package != pass.Pkg {
			u.source.add(pf.Package.Path(), f.Data)
		}
	}
	return rec, below, nil
}

// vet is the main analyzer with its flags.
type vet struct {
	driver        Driver
	facts         *analysis.Analyzer
	all           bool
	skipGenerated bool
	lost          bool // tell of facts that are gone
	carry         bool // facts have all that lies below
	models        []string
}

func (v *vet) run(pass *analysis.Pass) (any, error) {
	if v.driver.FactsOnly {
		return nil, nil
	}
	u := pass.ResultOf[v.facts].(*Unit)
	res, err := RunUnit(&Config{ModelFiles: v.models, Sure: !v.all, Fixes: true, SkipGenerated: v.skipGenerated}, u)
	if err != nil {
		return nil, err
	}
	reports := res.Final(nil)
	p := newPlaces(pass.Fset, res.Root, pass.Files)
	shown, _ := report.Visible(reports, v.all)
	for _, r := range shown {
		if d, ok := report.Diagnose(r, p.here); ok {
			out := p.diagnostic(d)
			out.SuggestedFixes = suggested(res, r)
			if v.driver.Plain {
				out.Related = nil
			}
			pass.Report(out)
		}
	}
	for _, e := range res.Errors {
		p.notice(pass, model.Notice{Pos: e.Pos, Code: "error", Message: e.Message})
	}
	for _, n := range res.Notices {
		if v.all || report.Suppressing(n) || n.Code == codeFacts && v.lost {
			p.notice(pass, n)
		}
	}
	return nil, nil
}
