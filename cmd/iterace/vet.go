package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"

	"github.com/iterace/iterace/analyzer"
	"github.com/iterace/iterace/model/library"
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
		fmt.Fprintf(stdout, "%s version devel comments-go-here buildID=%02x\n", filepath.Base(os.Args[0]), id)
		return exitNothing
	}
	var d analyzer.Driver
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
	if d.FactsOnly {
		// It is over before much of its memory is garbage: collecting it was a
		// third of the time. To solve may take gigabytes.
		debug.SetGCPercent(800)
	}
	_, main := analyzer.New(d)
	unitchecker.Main(main)
	return exitNothing
}

// toolID identifies what decides a vet result beside the code and the flags:
// this program, and the model file of the module in whose directory go vet
// asks. The go command keeps results by it.
func toolID() ([]byte, error) {
	exe, err := os.Executable()
	if err != nil {
		return nil, err
	}
	var all bytes.Buffer
	program, err := os.ReadFile(exe)
	if err != nil {
		return nil, err
	}
	all.Write(program)
	if dir, err := os.Getwd(); err == nil {
		if text, err := os.ReadFile(library.Find(analyzer.ModuleRoot(dir))); err == nil {
			all.Write(text)
		}
	}
	sum := sha256.Sum256(all.Bytes())
	return sum[:], nil
}
