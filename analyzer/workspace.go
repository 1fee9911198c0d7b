package analyzer

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/mod/modfile"

	"github.com/iterace/iterace/model/library"
)

// This file finds the main modules, which drivers that look at one package at a
// time do not tell of.

// ModuleModels returns the model files of the main modules: that of the module
// that a directory is in and, in a workspace, of all its modules.
func ModuleModels(dir string) ([]string, error) {
	dirs, err := workspace(dir)
	if err != nil {
		return nil, err
	}
	var files []string
	seen := make(map[string]bool)
	for _, dir := range append([]string{ModuleRoot(dir)}, dirs...) {
		if name := library.Find(dir); name != "" && !seen[name] {
			seen[name] = true
			files = append(files, name)
		}
	}
	return files, nil
}

// WorkspaceModules returns the paths of the modules of the workspace that a
// directory is in, if any. What is wrong with it the go command says.
func WorkspaceModules(dir string) (paths []string) {
	dirs, err := workspace(dir)
	if err != nil {
		return nil
	}
	for _, dir := range dirs {
		text, err := os.ReadFile(filepath.Join(dir, "go.mod"))
		if path := modfile.ModulePath(text); err == nil && path != "" {
			paths = append(paths, path)
		}
	}
	return paths
}

// workspace returns the directories of the modules of the workspace that a
// directory is in, if any.
func workspace(dir string) (dirs []string, err error) {
	work := workFile(dir)
	if work == "" {
		return nil, nil
	}
	text, err := os.ReadFile(work)
	if err != nil {
		return nil, err
	}
	f, err := modfile.ParseWork(work, text, nil)
	if err != nil {
		return nil, err
	}
	for _, use := range f.Use {
		dir := filepath.FromSlash(use.Path)
		if !filepath.IsAbs(dir) {
			dir = filepath.Join(filepath.Dir(work), dir)
		}
		dirs = append(dirs, dir)
	}
	return dirs, nil
}

// workFile returns the go.work file that the go command uses in a directory, or
// "". To ask it would take as long as many packages.
func workFile(dir string) string {
	switch name := os.Getenv("GOWORK"); name {
	case "off":
		return ""
	case "":
	default:
		return name
	}
	for {
		name := filepath.Join(dir, "go.work")
		if _, err := os.Stat(name); !errors.Is(err, fs.ErrNotExist) {
			return name
		}
		up := filepath.Dir(dir)
		if up == dir {
			return ""
		}
		dir = up
	}
}
