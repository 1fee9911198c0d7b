package main

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"

	"github.com/iterace/iterace/analyzer"
	"github.com/iterace/iterace/model/library"
)

// modelVariable names the environment variable that lists model files.
const modelVariable = "ITERACE_MODEL"

// envModels returns the model files that the environment names. The names must
// be absolute, as go vet runs the command in the directory of each package.
func envModels() ([]string, error) {
	var files []string
	for _, name := range filepath.SplitList(os.Getenv(modelVariable)) {
		if name == "" {
			continue
		}
		if !filepath.IsAbs(name) {
			return nil, fmt.Errorf("%s: %s is not an absolute name", modelVariable, name)
		}
		files = append(files, name)
	}
	return files, nil
}

// toolID identifies what decides a vet result beside the code and the flags:
// this program, the modules of the workspace, their model files or that of the
// module that go vet is asked about, and those of the environment. The go command keeps results by it. A model file that
// cannot be used is an error: it is told once here, and else for each package.
func toolID() (string, error) {
	exe, err := os.Executable()
	if err != nil {
		return "", err
	}
	env, err := envModels()
	if err != nil {
		return "", err
	}
	cwd, err := os.Getwd()
	if err != nil {
		return "", err
	}
	own, err := analyzer.ModuleModels(cwd)
	if err != nil {
		return "", err
	}
	h := sha256.New()
	program, err := os.ReadFile(exe)
	if err != nil {
		return "", err
	}
	h.Write(program) // by whatever name
	for _, m := range analyzer.WorkspaceModules(cwd) {
		fmt.Fprintf(h, "module %s\n", m)
	}
	for _, name := range append(own, env...) {
		text, err := os.ReadFile(name)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(h, "%s %d\n", name, len(text))
		h.Write(text)
	}
	for _, name := range own {
		if _, err := library.Load(library.Options{ModuleDir: filepath.Dir(name), Files: env}); err != nil {
			return "", err
		}
	}
	if len(own) == 0 {
		if _, err := library.Load(library.Options{Files: env}); err != nil {
			return "", err
		}
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
