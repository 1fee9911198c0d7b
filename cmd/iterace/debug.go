package main

import "strings"

// debugHelp lists the debug aids. They are for people who work on iterace and
// may change without notice, so the manual does not list them.
func debugHelp() string {
	var b strings.Builder
	b.WriteString("debug aids for -debug=name,...:\n")
	b.WriteString("  naive  solve with the textbook solver\n")
	return b.String()
}
