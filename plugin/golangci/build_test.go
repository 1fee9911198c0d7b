package golangci

import (
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

var build = flag.Bool("golangci", false, "build golangci-lint with the plugin, which downloads it, and run it")

// lintVersion is the golangci-lint that doc/ci.md names.
const lintVersion = "v2.15.0"

// TestGolangciLint builds a golangci-lint with the plugin, as golangci-lint
// custom does but without cloning its repository, and runs it on a module.
func TestGolangciLint(t *testing.T) {
	if !*build {
		t.Skip("needs the network; -golangci runs it")
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	files, err := txtar.ParseFile("testdata/module.txtar")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	tool := filepath.Join(dir, "custom-gcl")
	builder, module := filepath.Join(dir, "build"), filepath.Join(dir, "module")
	write(t, builder, "go.mod", "module custom\n\ngo 1.26.0\n")
	write(t, builder, "main.go", `package main

		import (
			"fmt"
			"os"

			"github.com/golangci/golangci-lint/v2/pkg/commands"
			_ "github.com/iterace/iterace/plugin/golangci"
		)

		func main() {
			if err := commands.Execute(commands.BuildInfo{Version: "`+lintVersion+`"}); err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(3)
			}
		}`)
	run := func(dir string, want int, name string, args ...string) string {
		t.Helper()
		cmd := exec.Command(name, args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod", "GOLANGCI_LINT_CACHE="+filepath.Join(dir, "../cache"))
		out, err := cmd.CombinedOutput()
		got := 0
		if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
			got = exit.ExitCode()
		} else if err != nil {
			t.Fatal(err)
		}
		if got != want {
			t.Fatalf("%s %v: exit code %d, want %d\n%s", name, args, got, want, out)
		}
		return string(out)
	}
	run(builder, 0, "go", "mod", "edit", "-require=github.com/iterace/iterace@v0.0.0", "-replace=github.com/iterace/iterace="+root)
	run(builder, 0, "go", "get", "github.com/golangci/golangci-lint/v2@"+lintVersion)
	run(builder, 0, "go", "build", "-o", tool, ".")
	for _, f := range files.Files {
		write(t, module, f.Name, string(f.Data))
	}
	lint := func(want int, args ...string) string {
		t.Helper()
		return run(module, want, tool, append([]string{"run", "--output.text.print-issued-lines=false"}, args...)...)
	}
	contains := func(out string, lines ...string) {
		t.Helper()
		for _, line := range lines {
			if !strings.Contains(out, line) {
				t.Errorf("%q is missing in\n%s", line, out)
			}
		}
	}
	races := []string{"m.go:15:3: race on sum: ", "m.go:25:8: race on c.n: ", "m.go:40:7: race on err: ", "(iterace)", "\n3 issues:"}
	contains(lint(1), races...)
	contains(lint(1), races...) // from its cache

	// What lies packages below changes, and what model files say.
	write(t, module, "deep/deep.go", strings.Replace(fileOf(files, "deep/deep.go"), "c.n++", "", 1))
	contains(lint(1), "\n2 issues:")
	write(t, module, "deep/deep.go", fileOf(files, "deep/deep.go"))
	contains(lint(1), races...)
	write(t, module, ".iterace.toml", fileOf(files, "quiet.toml"))
	contains(lint(1), "\n2 issues:")
	write(t, module, ".iterace.toml", "= nothing")
	contains(lint(3), ".iterace.toml:1: ")
	write(t, module, ".iterace.toml", "")

	// --fix applies the fix of the one that has any.
	contains(lint(1, "--fix"), "\n2 issues:")
	text, err := os.ReadFile(filepath.Join(module, "m.go"))
	if err != nil {
		t.Fatal(err)
	}
	contains(string(text), "_, err := os.Stat(n)")

	write(t, module, ".golangci.yml", strings.Replace(fileOf(files, ".golangci.yml"), "all:", "al:", 1))
	contains(lint(3), `unknown field "al"`)
}

func fileOf(ar *txtar.Archive, name string) string {
	for _, f := range ar.Files {
		if f.Name == name {
			return string(f.Data)
		}
	}
	return ""
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	name = filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}
