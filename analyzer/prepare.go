package analyzer

import (
	"fmt"
	"go/types"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/iterace/iterace/index"
	"github.com/iterace/iterace/model/library"
	"golang.org/x/tools/go/packages"
)

// newRun checks the configuration.
func newRun(cfg *Config) (*run, error) {
	r := &run{cfg: cfg, out: &Result{}, off: make(map[string]bool), logging: new(sync.Mutex)}
	if !cfg.alone {
		r.memory = new(index.Memory)
	}
	if cfg.Timeout > 0 {
		r.due = time.Now().Add(cfg.Timeout)
	}
	for _, name := range cfg.Disable {
		if !slices.Contains(StageNames(), name) {
			return nil, fmt.Errorf("%w: unknown stage %q; stages are %s", ErrUsage, name, strings.Join(StageNames(), ", "))
		}
		r.off[name] = true
	}
	return r, nil
}

// prepare loads the code and the library models, and makes SSA. If nothing
// type-checks, the result is not built, and its errors say why; nor is it if the answer
// is there.
func prepare(cfg *Config, gc *collector) (*run, error) {
	r, err := newRun(cfg)
	if err != nil {
		return nil, err
	}
	r.gc = gc
	r.begin()
	if r.loaded, r.lib, err = load(cfg, gc); err != nil {
		return nil, err
	}
	if r.loaded.answer != nil {
		r.out = r.loaded.answer
		r.end("load", "as found before")
		return r, nil
	}
	r.out.Modules = r.loaded.modules()
	r.out.Module, r.out.Root, r.out.Errors = r.loaded.module, r.loaded.root, r.loaded.errors
	notes := fmt.Sprintf("%d packages", len(r.loaded.initial))
	if l := r.loaded.loading; l != nil {
		notes += fmt.Sprintf(", %d of %d others lowered", l.made, len(l.paths)-1)
	}
	r.end("load", notes)
	if err := r.checkModel(); err != nil {
		return nil, err
	}
	r.begin()
	if err := r.loaded.build(); err != nil {
		if len(r.out.Errors) > 0 {
			return r, nil
		}
		return nil, err
	}
	r.end("ssa", "")
	r.built = true
	return r, nil
}

// readModel loads the library models, and checks those of the user against the
// code.
func (r *run) readModel() (err error) {
	if r.lib, err = library.Load(library.Options{ModuleDir: r.loaded.modelDir, Files: r.cfg.ModelFiles}); err != nil {
		return err
	}
	if len(r.lib.Files()) > 0 {
		r.loaded.applyScopes(r.lib)
	}
	return r.checkModel()
}

// checkModel checks the user's library models against the code.
func (r *run) checkModel() error {
	if len(r.lib.Files()) == 0 {
		return nil
	}
	return r.lib.Check(r.loaded.lookup())
}

// lookup finds the types of the packages that type-check.
func (p *program) lookup() library.Lookup {
	byPath := make(map[string]*types.Package)
	packages.Visit(p.initial, nil, func(pkg *packages.Package) {
		if pkg.Types != nil && !pkg.IllTyped {
			byPath[pkg.PkgPath] = pkg.Types
		}
	})
	return func(path string) *types.Package { return byPath[path] }
}

// modules returns the paths of the main modules, or the package's, backwards:
// longer ones first.
func (p *program) modules() []string {
	list := slices.Sorted(maps.Keys(p.main))
	if len(list) == 0 {
		return []string{p.module}
	}
	slices.Reverse(list)
	return list
}

// applyScopes moves packages into the application or out of it, as the model
// files say.
func (p *program) applyScopes(lib *library.Model) {
	mains := slices.Sorted(maps.Keys(p.main))
	packages.Visit(p.initial, nil, func(pkg *packages.Package) {
		if app, said := lib.Scope(pkg.PkgPath, mains); said {
			p.own[pkg.PkgPath] = app
		}
	})
}
