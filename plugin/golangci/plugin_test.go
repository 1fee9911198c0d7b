package golangci

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/golangci/plugin-module-register/register"
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/txtar"
)

// analyzers makes the linter as golangci-lint does.
func analyzers(t *testing.T, settings any) []*analysis.Analyzer {
	t.Helper()
	create, err := register.GetPlugin(Name)
	if err != nil {
		t.Fatal(err)
	}
	p, err := create(settings)
	if err != nil {
		t.Fatal(err)
	}
	if got := p.GetLoadMode(); got != register.LoadModeTypesInfo {
		t.Errorf("load mode %s", got)
	}
	list, err := p.BuildAnalyzers()
	if err != nil {
		t.Fatal(err)
	}
	if err := analysis.Validate(list); err != nil {
		t.Error(err)
	}
	return list
}

func TestSettings(t *testing.T) {
	model := filepath.Join(t.TempDir(), "model.toml")
	if err := os.WriteFile(model, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	main := analyzers(t, map[string]any{"all": true, "skip-generated": true, "models": []any{model}})[1]
	if main.Name != Name {
		t.Errorf("the linter is called %s", main.Name)
	}
	for _, name := range []string{"all", "skip-generated"} {
		if got := main.Flags.Lookup(name).Value.String(); got != "true" {
			t.Errorf("%s is %s", name, got)
		}
	}
	if got := analyzers(t, nil)[1].Flags.Lookup("all").Value.String(); got != "false" {
		t.Errorf("without settings, all is %s", got)
	}
	for _, bad := range []map[string]any{
		{"al": true},
		{"all": "yes"},
		{"models": "model.toml"},
	} {
		if _, err := New(bad); err == nil {
			t.Errorf("%v is accepted", bad)
		}
	}
}

// TestPage: the page about CI shows the settings that are tested.
func TestPage(t *testing.T) {
	page, err := os.ReadFile("../../doc/ci.md")
	if err != nil {
		t.Fatal(err)
	}
	files, err := txtar.ParseFile("testdata/module.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{fileOf(files, ".golangci.yml"), "version: " + lintVersion + "\n"} {
		if text == "" || !strings.Contains(string(page), text) {
			t.Errorf("doc/ci.md does not have\n%s", text)
		}
	}
}

// TestModelFiles: what model files hold is part of a name by which golangci-lint
// keeps results, and a file that is wrong is an error.
func TestModelFiles(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	names := make(map[string]string)
	distinct := func(when string, settings any) {
		t.Helper()
		name := analyzers(t, settings)[0].Name
		if other, ok := names[name]; ok {
			t.Errorf("%s and %s are not told apart", when, other)
		}
		names[name] = when
	}
	write("go.mod", "module example.com/m\n")
	distinct("no model", nil)
	write(".iterace.toml", "# nothing\n")
	distinct("the module's", nil)
	write(".iterace.toml", "# nothing else\n")
	distinct("another one", nil)
	write("more.toml", "# nothing\n")
	more := map[string]any{"models": []any{"more.toml"}}
	distinct("one of the settings", more)
	write("more.toml", "= nothing\n")
	p, err := New(more)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.BuildAnalyzers(); err == nil || !strings.Contains(err.Error(), "more.toml:1: ") {
		t.Errorf("a broken model file: %v", err)
	}
}
