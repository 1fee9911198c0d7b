package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strings"

	"golang.org/x/mod/modfile"
)

// This file builds a gopls that has the analyzer in it. gopls has no plugins
// (golang/go#59869), but it can be built from its module with one file added.

const (
	goplsModule = "golang.org/x/tools/gopls"
	toolsModule = "golang.org/x/tools"
	ownModule   = "github.com/iterace/iterace"

	// goplsVersion is the newest gopls that Go 1.26 builds.
	goplsVersion = "v0.23.0"
)

// goplsFile is what is added to gopls.
const goplsFile = "internal/settings/iterace.go"

const goplsSource = `package settings

import "github.com/iterace/iterace/analyzer"

func init() {
	_, main := analyzer.New(analyzer.Driver{SideCache: analyzer.SideCacheDir(), Later: true})
	AllAnalyzers = append(AllAnalyzers, &Analyzer{analyzer: main})
}
`

// A goplsBuild says what to build.
type goplsBuild struct {
	out     string // file to write
	version string // of gopls
	source  string // directory of iterace's module; "" for the version of this command
}

// runGopls is iterace gopls.
func runGopls(args []string, stdout, stderr io.Writer) int {
	b := new(goplsBuild)
	fs := flag.NewFlagSet("iterace gopls", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	fs.StringVar(&b.out, "o", "", "")
	fs.StringVar(&b.version, "version", goplsVersion, "")
	fs.StringVar(&b.source, "source", "", "")
	err := fs.Parse(args)
	if errors.Is(err, flag.ErrHelp) {
		io.WriteString(stdout, manual())
		return exitNothing
	}
	switch {
	case err != nil:
	case fs.NArg() > 0:
		err = fmt.Errorf("gopls takes no argument %s", fs.Arg(0))
	case b.out == "":
		err = errors.New("gopls: which file to write? Say -o file")
	default:
		err = b.run(stdout, stderr)
	}
	if err != nil {
		fmt.Fprintf(stderr, "iterace: %v\n", err)
		return exitError
	}
	return exitNothing
}

func (b *goplsBuild) run(stdout, stderr io.Writer) error {
	out, err := filepath.Abs(b.out)
	if err != nil {
		return err
	}
	version, err := b.ownVersion()
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "iterace-gopls-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	module, err := download(dir, goplsModule, b.version, stderr)
	if err != nil {
		return err
	}
	// -overlay would spare the copy, but the go command refuses to overlay files
	// of the module cache.
	dir = filepath.Join(dir, "gopls")
	if err := os.CopyFS(dir, os.DirFS(module)); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, filepath.FromSlash(goplsFile)), []byte(goplsSource), 0o666); err != nil {
		return err
	}
	tools, err := b.require(filepath.Join(dir, "go.mod"), version)
	if err != nil {
		return err
	}
	cmd := exec.Command("go", "build", "-o", out, "-ldflags=-X main.version="+b.version+"-iterace", ".")
	cmd.Dir, cmd.Stderr = dir, stderr
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod")
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("go build: %w", err)
	}
	fmt.Fprintf(stdout, "wrote %s: gopls %s with iterace %s, built with x/tools %s\n", b.out, b.version, version, tools)
	return nil
}

// ownVersion returns the version of iterace to build in.
func (b *goplsBuild) ownVersion() (string, error) {
	if b.source != "" {
		text, err := os.ReadFile(filepath.Join(b.source, "go.mod"))
		if err != nil {
			return "", err
		}
		if path := modfile.ModulePath(text); path != ownModule {
			return "", fmt.Errorf("%s is the module %s, not %s", b.source, path, ownModule)
		}
		return "v0.0.0", nil
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Path == ownModule &&
		strings.HasPrefix(info.Main.Version, "v") && !strings.Contains(info.Main.Version, "+") {
		return info.Main.Version, nil
	}
	return "", errors.New("gopls: this iterace was not installed as a version of its module; -source names the directory of its code")
}

// require makes the go.mod of gopls require iterace, and returns the version of
// x/tools. That is gopls' own, although iterace would ask for a newer one: gopls
// uses internal packages of x/tools, and works with no other.
func (b *goplsBuild) require(file, version string) (tools string, err error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	mod, err := modfile.Parse(file, text, nil)
	if err != nil {
		return "", err
	}
	for _, r := range mod.Require {
		if r.Mod.Path == toolsModule {
			tools = r.Mod.Version
		}
	}
	if tools == "" {
		return "", fmt.Errorf("gopls %s does not say which x/tools it needs", b.version)
	}
	if err := mod.AddReplace(toolsModule, "", toolsModule, tools); err != nil {
		return "", err
	}
	if err := mod.AddRequire(ownModule, version); err != nil {
		return "", err
	}
	if b.source != "" {
		source, err := filepath.Abs(b.source)
		if err != nil {
			return "", err
		}
		if err := mod.AddReplace(ownModule, "", source, ""); err != nil {
			return "", err
		}
	}
	mod.Cleanup()
	if text, err = mod.Format(); err != nil {
		return "", err
	}
	return tools, os.WriteFile(file, text, 0o666)
}

// download returns the directory of a module in the module cache.
func download(dir, path, version string, stderr io.Writer) (string, error) {
	cmd := exec.Command("go", "mod", "download", "-json", path+"@"+version)
	cmd.Dir, cmd.Stderr = dir, stderr
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod")
	var out bytes.Buffer
	cmd.Stdout = &out
	err := cmd.Run()
	var m struct{ Dir, Error string }
	if jerr := json.Unmarshal(out.Bytes(), &m); jerr == nil && m.Error != "" {
		return "", errors.New(m.Error)
	}
	if err == nil && m.Dir == "" {
		err = errors.New("no directory")
	}
	if err != nil {
		return "", fmt.Errorf("go mod download %s@%s: %w", path, version, err)
	}
	return m.Dir, nil
}
