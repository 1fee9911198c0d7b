package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// TestVetFix lets the go command apply the fixes to the programs of package fix:
// the result is the one that package expects, and go vet has nothing to say of
// it. Programs that nothing fixes stay as they are.
func TestVetFix(t *testing.T) {
	tool := vetTool(t)
	t.Run("vet", func(t *testing.T) { testVetFix(t, tool, "vet", "-vettool="+tool, "-fix", "./...") })
	t.Run("fix", func(t *testing.T) { testVetFix(t, tool, "fix", "-fixtool="+tool, "./...") })
}

func testVetFix(t *testing.T, tool string, args ...string) {
	dir := t.TempDir()
	programs := writeFixPrograms(t, dir)
	goCmd := func(args ...string) (string, bool) {
		cmd := exec.Command("go", args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GOWORK=off")
		out, err := cmd.CombinedOutput()
		return string(out), err == nil
	}
	last := len(args) - 1
	diff, ok := goCmd(append(args[:last:last], "-diff", args[last])...)
	if ok || !strings.Contains(diff, "\n+\t\twg.Add(1)\n") {
		t.Errorf("go %v -diff: %s", args, diff)
	}
	if out, ok := goCmd(args...); !ok || out != "" {
		t.Errorf("go %v: %s", args, out)
	}
	fixed := []string{"vet", "-vettool=" + tool}
	for _, p := range programs {
		got, err := os.ReadFile(filepath.Join(dir, p.name, "m.go"))
		if err != nil {
			t.Fatal(err)
		}
		want := p.text
		if p.fixed != "" {
			want = p.fixed
			fixed = append(fixed, "./"+p.name)
		}
		if string(got) != want {
			t.Errorf("%s is\n%s\nwant\n%s", p.name, got, want)
		}
	}
	if out, ok := goCmd(fixed...); !ok {
		t.Errorf("fixed programs have races:\n%s", out)
	}
}

// A fixProgram is one of package fix's, with what becomes of it; "" if nothing
// fixes it.
type fixProgram struct{ name, text, fixed string }

// writeFixPrograms makes a module of the programs, a package for each.
func writeFixPrograms(t *testing.T, dir string) (list []fixProgram) {
	t.Helper()
	archives, err := filepath.Glob("../../fix/testdata/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatalf("no programs: %v", err)
	}
	write := func(name, text string) {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("go.mod", "module example.com/m\n\ngo 1.26\n")
	for _, name := range archives {
		ar, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		p := fixProgram{name: strings.TrimSuffix(filepath.Base(name), ".txtar")}
		for _, f := range ar.Files {
			switch f.Name {
			case "m.go":
				p.text = string(f.Data)
			case "fixed.go":
				p.fixed = string(f.Data)
			}
		}
		write(p.name+"/m.go", p.text)
		list = append(list, p)
	}
	return list
}
