package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/iterace/iterace/analyzer"
)

// A debugAid is one name that -debug takes.
type debugAid struct {
	name, help string
	set        func(*analyzer.Config)
}

// debugAids are for people who work on iterace and may change without notice,
// so the manual does not list them.
var debugAids = []debugAid{
	{"naive", "solve with the textbook solver", func(c *analyzer.Config) { c.Naive = true }},
	{"shuffle", "visit the solver's worklist in another order; the output must not change",
		func(c *analyzer.Config) { c.Shuffle = 1 }},
	{"trace", "log phases and loops on standard error", logged("")},
	{"constraints", "log the constraints of each function", logged("constraints")},
	{"profile", "write a CPU profile to iterace.pprof", func(c *analyzer.Config) { c.Profile = "iterace.pprof" }},
	{"pts", "log the points-to sets, of the base and of each loop", logged("pts")},
}

// logged returns what switches on an aid of the analyzer that writes to the
// log.
func logged(name string) func(*analyzer.Config) {
	return func(c *analyzer.Config) {
		c.Log = os.Stderr
		if name != "" {
			c.Debug = append(c.Debug, name)
		}
	}
}

// debugHelp lists the debug aids.
func debugHelp() string {
	var b strings.Builder
	b.WriteString("debug aids, for -debug=name,...\n")
	for _, a := range debugAids {
		fmt.Fprintf(&b, "  %-11s %s\n", a.name, a.help)
	}
	return b.String()
}

// findDebugAid returns the aid called name, or an error that lists all.
func findDebugAid(name string) (*debugAid, error) {
	var names []string
	for i := range debugAids {
		if debugAids[i].name == name {
			return &debugAids[i], nil
		}
		names = append(names, debugAids[i].name)
	}
	return nil, fmt.Errorf("unknown debug aid %q; known are %s", name, strings.Join(names, ", "))
}
