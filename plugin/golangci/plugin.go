// Package golangci makes iterace a linter of golangci-lint v2, as a module
// plugin: importing it registers the linter "iterace". The page doc/ci.md has
// the files that build such a golangci-lint and configure it.
package golangci

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"

	"github.com/golangci/plugin-module-register/register"
	"golang.org/x/tools/go/analysis"

	"github.com/iterace/iterace/analyzer"
	"github.com/iterace/iterace/model/library"
)

// Name is the name of the linter, and of its settings.
const Name = "iterace"

func init() { register.Plugin(Name, New) }

// Settings are what linters.settings.custom.iterace.settings may have. Other
// keys are errors.
type Settings struct {
	// All shows races that rest on an assumption too, and the notices.
	All bool `json:"all"`
	// SkipGenerated leaves out race sets that lie in generated files altogether.
	// golangci-lint has exclusions of its own, which go by the place that is
	// shown.
	SkipGenerated bool `json:"skip-generated"`
	// Models are library models to read after the shipped one and the module's
	// own; names are relative to the directory golangci-lint is run in.
	Models []string `json:"models"`
}

type plugin struct{ settings Settings }

// New makes the linter, from the settings as golangci-lint has read them.
func New(conf any) (register.LinterPlugin, error) {
	s, err := register.DecodeSettings[Settings](conf)
	if err != nil {
		return nil, err
	}
	for i, name := range s.Models {
		if s.Models[i], err = filepath.Abs(name); err != nil {
			return nil, err
		}
	}
	return plugin{s}, nil
}

// GetLoadMode says that types are needed; golangci-lint then has them for what
// is imported, too.
func (plugin) GetLoadMode() string { return register.LoadModeTypesInfo }

// BuildAnalyzers returns the analyzers. There is no need of a cache here:
// golangci-lint hands over the facts of all packages below.
func (p plugin) BuildAnalyzers() ([]*analysis.Analyzer, error) {
	cwd, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	facts, main := analyzer.New(analyzer.Driver{
		Plain:      true, // each related place would be an issue
		Mains:      analyzer.WorkspaceModules(cwd),
		ModelFiles: p.settings.Models,
	})
	main.Flags.Set("all", fmt.Sprint(p.settings.All))
	main.Flags.Set("skip-generated", fmt.Sprint(p.settings.SkipGenerated))
	// golangci-lint keeps facts and issues by the code, its configuration and
	// the names of the analyzers. So the name of one, which nobody is shown, says
	// what the model files hold.
	sum, err := modelHash(cwd, p.settings.Models)
	if err != nil {
		return nil, err
	}
	facts.Name += "_" + sum
	return []*analysis.Analyzer{facts, main}, nil
}

// modelHash tells apart contents of the model files. That one of them is wrong is
// said once here, and would else be for each package.
func modelHash(dir string, models []string) (string, error) {
	files, err := analyzer.ModuleModels(dir)
	if err != nil {
		return "", err
	}
	if _, err := library.Load(library.Options{ModuleDir: analyzer.ModuleRoot(dir), Files: models}); err != nil {
		return "", err
	}
	h := sha256.New()
	for _, name := range append(files, models...) {
		text, err := os.ReadFile(name)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(h, "%s %d\n", name, len(text))
		h.Write(text)
	}
	return fmt.Sprintf("%x", h.Sum(nil)[:8]), nil
}
