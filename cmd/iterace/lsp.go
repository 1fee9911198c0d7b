package main

import (
	"fmt"
	"io"
	"slices"

	"github.com/iterace/iterace/analyzer"
	"github.com/iterace/iterace/lsp"
)

// runLSP is iterace lsp: a language server on standard input and output.
func runLSP(args []string, stdin io.ReadCloser, stdout, stderr io.Writer) int {
	if slices.ContainsFunc(args, func(a string) bool { return a == "-h" || a == "-help" || a == "--help" }) {
		io.WriteString(stdout, manual())
		return exitNothing
	}
	for _, a := range args {
		// Editors may say how they will speak; there is one way.
		if a != "--stdio" && a != "-stdio" {
			fmt.Fprintf(stderr, "iterace: lsp takes no argument %s: options come from the editor\n", a)
			return exitError
		}
	}
	models, err := envModels()
	if err == nil {
		err = lsp.Serve(stdio{stdin, stdout}, lsp.Options{Version: version(), ModelFiles: models, Log: stderr, Cache: analyzer.SideCacheDir()})
	}
	if err != nil {
		fmt.Fprintf(stderr, "iterace: %v\n", err)
		return exitError
	}
	return exitNothing
}

// stdio is a connection to the parent process.
type stdio struct {
	io.ReadCloser
	io.Writer
}
