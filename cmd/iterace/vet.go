package main

import (
	"encoding/json"
	"fmt"
	"go/parser"
	"go/token"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/iterace/iterace/analyzer"
	"golang.org/x/tools/go/analysis/unitchecker"
)

// This file is the command as a tool of go vet: go vet -vettool=iterace calls
// it with -V=full to identify it, with -flags to learn its flags, and then once
// for each package with the name of a .cfg file.

// isVetCall reports whether the go command is calling.
func isVetCall(args []string) bool {
	if len(args) == 0 {
		return false
	}
	last := args[len(args)-1]
	return args[0] == "-V=full" || args[0] == "-flags" || strings.HasSuffix(last, ".cfg")
}

// vetUnit answers the go command. But for -V=full it ends the process.
func vetUnit(args []string, stdout, stderr io.Writer) int {
	if args[0] == "-V=full" {
		id, err := toolID()
		if err != nil {
			fmt.Fprintf(stderr, "iterace: %v\n", err)
			return exitError
		}
		fmt.Fprintf(stdout, "%s version devel comments-go-here buildID=%s\n", filepath.Base(os.Args[0]), id)
		return exitNothing
	}
	d := analyzer.Driver{FixedModels: true, Alone: true}
	if cwd, err := os.Getwd(); err == nil {
		d.Mains = analyzer.WorkspaceModules(cwd)
	}
	d.ModelFiles, _ = envModels() // toolID has checked them
	if last := args[len(args)-1]; strings.HasSuffix(last, ".cfg") {
		var unit unitchecker.Config
		if text, err := os.ReadFile(last); err == nil && json.Unmarshal(text, &unit) == nil {
			// What cannot be read, unitchecker complains of.
			d.FactsOnly, d.FactFiles = unit.VetxOnly, unit.PackageVetx
			d.Unimported = unimported(&unit)
		}
		if os.Getenv("GOCACHEPROG") == "" {
			d.BuildCache = os.Getenv("GOCACHE") // the go command sets it
		}
		if d.BuildCache == "" {
			d.SideCache = analyzer.SideCacheDir()
		}
	}
	collectLate()
	_, main := analyzer.New(d)
	unitchecker.Main(main)
	return exitNothing
}

// unimported reports whether no package can import a unit: a command, or a package
// together with its tests, unless the directory has tests that are no part of it. Those
// may be of package p_test, which imports p, and so may what lies between them.
func unimported(unit *unitchecker.Config) bool {
	own := make(map[string]bool)
	tested := false
	for _, name := range unit.GoFiles {
		own[filepath.Base(name)] = true
		tested = tested || strings.HasSuffix(name, "_test.go")
	}
	if !tested && !isCommand(unit.GoFiles) {
		return false
	}
	files, err := os.ReadDir(unit.Dir)
	return err == nil && !slices.ContainsFunc(files, func(f os.DirEntry) bool {
		return strings.HasSuffix(f.Name(), "_test.go") && !own[f.Name()]
	})
}

// isCommand reports whether files are of package main.
func isCommand(files []string) bool {
	if len(files) == 0 {
		return false
	}
	f, err := parser.ParseFile(token.NewFileSet(), files[0], nil, parser.PackageClauseOnly)
	return err == nil && f.Name.Name == "main"
}
