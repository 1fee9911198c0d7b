package main

import (
	"bytes"
	"flag"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the report in README.md")

// TestREADME: what the README shows is what the command prints.
func TestREADME(t *testing.T) {
	const (
		start = "```text\n$ iterace ./testdata/nbody\n"
		end   = "```\n"
	)
	t.Chdir("../..")
	data, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(data), start)
	if !ok {
		t.Fatalf("README.md has no block that starts with %q", start)
	}
	block, after, _ := strings.Cut(rest, end)
	var stdout, stderr bytes.Buffer
	t.Setenv("ITERACE_CACHE", "off")
	if got := run([]string{"./testdata/nbody"}, &stdout, &stderr); got != exitRaces {
		t.Fatalf("exit code %d, standard error: %s", got, &stderr)
	}
	if block == stdout.String() {
		return
	}
	if !*update {
		t.Fatalf("README.md shows\n%s\nthe command prints\n%s", block, &stdout)
	}
	if err := os.WriteFile("README.md", []byte(before+start+stdout.String()+end+after), 0o666); err != nil {
		t.Fatal(err)
	}
}
