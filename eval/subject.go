package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// A subject is a program of the evaluation.
type subject struct {
	name     string
	stands   string // which of the paper's subjects it stands for
	about    string
	parallel string // what runs in parallel
	tests    bool   // the tests are the program
	clean    bool   // it has no races: nothing may be reported with everything on

	// A subject is a package of this module, subjects/name, unless it is a
	// module from the proxy. Of that a copy is made, driver, a directory in
	// subjects, becomes package iteraceval of the copy, and that is analysed.
	module  string // path@version
	driver  string
	noSum   bool   // its go.sum cannot be read: the go command is to make a new one
	pattern string // what to analyse in the copy; the driver if it is empty
}

var subjects = []*subject{
	{name: "em3d", stands: "EM3D", about: "electromagnetic waves", parallel: "update of nodes", clean: true},
	{name: "barneshut", stands: "BH", about: "Barnes-Hut simulation", parallel: "forces on bodies", clean: true},
	{name: "montecarlo", stands: "MC", about: "Monte Carlo simulation", parallel: "runs"},
	{name: "paralleltests", stands: "jUnit", about: "a package and its tests", parallel: "subtests", tests: true, clean: true},
	{name: "prose", stands: "Coref", about: "natural language", parallel: "documents (ours)",
		module: "github.com/jdkato/prose/v2@v2.0.0", driver: "_prose"},
	{name: "bleve", stands: "Lucene", about: "text search", parallel: "searches (ours)",
		module: "github.com/blevesearch/bleve/v2@v2.5.7", driver: "_bleve"},
	{name: "golearn", stands: "Weka", about: "data mining", parallel: "training of models",
		module: "github.com/sjwhitworth/golearn@v0.0.0-20221228163002-74ae077eafb2", driver: "_golearn", noSum: true},
}

// driverPackage is the directory that a driver gets in the copy of a module.
const driverPackage = "iteraceval"

// choose returns the subjects with the given names, separated by commas; all
// if there are none.
func choose(names string) ([]*subject, error) {
	if names == "" {
		return subjects, nil
	}
	var out []*subject
	for name := range strings.SplitSeq(names, ",") {
		s := find(strings.TrimSpace(name))
		if s == nil {
			return nil, fmt.Errorf("no subject %q; there are %s", name, strings.Join(subjectNames(), ", "))
		}
		out = append(out, s)
	}
	return out, nil
}

func find(name string) *subject {
	for _, s := range subjects {
		if s.name == name {
			return s
		}
	}
	return nil
}

func subjectNames() []string {
	var out []string
	for _, s := range subjects {
		out = append(out, s.name)
	}
	return out
}

// evalDir returns the directory of this module, whether the command runs there
// or in the one above it.
func evalDir() (string, error) {
	for _, dir := range []string{".", "eval"} {
		if _, err := os.Stat(filepath.Join(dir, "subjects", subjects[0].name)); err == nil {
			return filepath.Abs(dir)
		}
	}
	return "", fmt.Errorf("subjects not found: run in the directory eval, or the one above it")
}
