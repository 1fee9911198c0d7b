package main

import (
	_ "embed"
	"runtime/debug"
	"strings"
)

//go:embed doc.go
var docSource string

// manual returns the package comment of this command: there is one text, which
// go doc, pkg.go.dev and -h show alike.
func manual() string {
	_, text, _ := strings.Cut(docSource, "/*\n")
	text, _, _ = strings.Cut(text, "*/")
	return text
}

// version returns the version of this command.
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}
