package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
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
	d := analyzer.Driver{FixedModels: true}
	if cwd, err := os.Getwd(); err == nil {
		d.Mains = analyzer.WorkspaceModules(cwd)
	}
	d.ModelFiles, _ = envModels() // toolID has checked them
	if last := args[len(args)-1]; strings.HasSuffix(last, ".cfg") {
		var unit unitchecker.Config
		if text, err := os.ReadFile(last); err == nil && json.Unmarshal(text, &unit) == nil {
			// What cannot be read, unitchecker complains of.
			d.FactsOnly, d.FactFiles = unit.VetxOnly, unit.PackageVetx
		}
		if os.Getenv("GOCACHEPROG") == "" {
			d.BuildCache = os.Getenv("GOCACHE") // the go command sets it
		}
		if d.BuildCache == "" {
			d.SideCache = analyzer.SideCacheDir()
		}
	}
	startShort()
	d.Solving = startSolving
	_, main := analyzer.New(d)
	unitchecker.Main(main)
	return exitNothing
}
