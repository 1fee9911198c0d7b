package analyzer

import (
	"go/types"
	"os"

	"github.com/iterace/iterace/model/library"
	"golang.org/x/tools/go/packages"
)

// CheckModel reports names in the user's model files that their packages do
// not have. Packages that the module does not know are passed over. The error
// is a *library.Error, unless the go command fails.
func CheckModel(cfg *Config, m *library.Model) error {
	byPath, err := loadTypes(cfg, m.UserPackages())
	if err != nil {
		return err
	}
	return m.Check(func(path string) *types.Package { return byPath[path] })
}

// Missing says of a name in the model's form that its package, which the module
// knows, does not have it; or returns "".
func Missing(cfg *Config, name string) string {
	for _, path := range library.PackagesOf(name) {
		byPath, err := loadTypes(cfg, []string{path})
		if pkg := byPath[path]; err == nil && pkg != nil {
			return library.Missing(pkg, name)
		}
	}
	return ""
}

// loadTypes type-checks packages from source, what they import from export
// data, and returns those without errors.
func loadTypes(cfg *Config, paths []string) (map[string]*types.Package, error) {
	byPath := make(map[string]*types.Package)
	if len(paths) == 0 {
		return byPath, nil
	}
	env := cfg.Env
	if env == nil {
		env = os.Environ()
	}
	pkgs, err := packages.Load(&packages.Config{
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports |
			packages.NeedTypes | packages.NeedSyntax | packages.NeedTypesInfo,
		Dir: cfg.Dir, Env: env, BuildFlags: cfg.BuildFlags,
	}, paths...)
	if err != nil {
		return nil, err
	}
	for _, pkg := range pkgs {
		if len(pkg.Errors) == 0 && pkg.Types != nil && !pkg.IllTyped && len(pkg.CompiledGoFiles) > 0 {
			byPath[pkg.PkgPath] = pkg.Types
		}
	}
	return byPath, nil
}
