package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/mod/modfile"

	"github.com/iterace/iterace/analyzer"
	"github.com/iterace/iterace/model/library"
)

// This file finds the main modules that go vet does not tell of.

// moduleModels returns the model files of the main modules: that of the
// directory go vet is called in or, in a workspace, of each of its modules.
func moduleModels() ([]string, error) {
	cwd, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	dirs, err := workspace(cwd)
	if err != nil {
		return nil, err
	}
	var files []string
	seen := make(map[string]bool)
	for _, dir := range append([]string{analyzer.ModuleRoot(cwd)}, dirs...) {
		if name := library.Find(dir); name != "" && !seen[name] {
			seen[name] = true
			files = append(files, name)
		}
	}
	return files, nil
}

// mainModules returns the paths of the modules of the workspace that the current
// directory is in, if any. What is wrong with it the go command has said.
func mainModules() (paths []string) {
	cwd, err := os.Getwd()
	if err != nil {
		return nil
	}
	dirs, err := workspace(cwd)
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
