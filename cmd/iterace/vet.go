package main

import (
	"fmt"
	"io"
	"strings"
)

// This file is the seam for modular mode: go vet -vettool=iterace calls the
// command with -V=full to identify it, with -flags to learn its flags, and
// then once for each package with the name of a .cfg file.

// isVetCall reports whether the go command is calling.
func isVetCall(args []string) bool {
	if len(args) == 0 {
		return false
	}
	last := args[len(args)-1]
	return args[0] == "-V=full" || args[0] == "-flags" || strings.HasSuffix(last, ".cfg")
}

// vetUnit answers the go command.
func vetUnit(args []string, stdout, stderr io.Writer) int {
	fmt.Fprintln(stderr, "iterace: cannot run under go vet yet; run iterace ./... instead")
	return exitError
}
