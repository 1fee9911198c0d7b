package report

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/jsonschema-go/jsonschema"
	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"

	"github.com/iterace/iterace/doc/schema"
	"github.com/iterace/iterace/model"
)

var update = flag.Bool("update", false, "rewrite the golden files")

var printers = []struct {
	golden string
	all    bool
	print  func(io.Writer, *Document) error
}{
	{"text.golden", false, Text},
	{"text-all.golden", true, Text},
	{"why-2.golden", false, func(w io.Writer, d *Document) error { return Why(w, d, "2") }},
	{"why-all.golden", true, func(w io.Writer, d *Document) error { return Why(w, d, "all") }},
	{"json.golden", false, JSON},
	{"json-all.golden", true, JSON},
	{"sarif.golden", true, SARIF},
}

// TestGolden compares each printer's output with what was looked at and found
// good; -update rewrites the files.
func TestGolden(t *testing.T) {
	for _, p := range printers {
		t.Run(p.golden, func(t *testing.T) {
			d := fixture()
			d.All = p.all
			var out bytes.Buffer
			if err := p.print(&out, d); err != nil {
				t.Fatal(err)
			}
			file := filepath.Join("testdata", p.golden)
			if *update {
				if err := os.WriteFile(file, out.Bytes(), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), out.String()); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// TestGoldenKnown makes sure that no golden file is left unused.
func TestGoldenKnown(t *testing.T) {
	known := make(map[string]bool)
	for _, p := range printers {
		known[p.golden] = true
	}
	entries, err := os.ReadDir("testdata")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !e.IsDir() && !known[e.Name()] {
			t.Errorf("testdata/%s: no test reads this file", e.Name())
		}
	}
}

// TestJSONSchema checks the output against the schema that the manual prints,
// and that the schema describes it: a document with a stray key must fail.
func TestJSONSchema(t *testing.T) {
	var s jsonschema.Schema
	if err := json.Unmarshal(schema.Report, &s); err != nil {
		t.Fatal(err)
	}
	resolved, err := s.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range []*Document{fixture(), {}} {
		d.All = true
		var out bytes.Buffer
		if err := JSON(&out, d); err != nil {
			t.Fatal(err)
		}
		var doc map[string]any
		if err := json.Unmarshal(out.Bytes(), &doc); err != nil {
			t.Fatal(err)
		}
		if err := resolved.Validate(doc); err != nil {
			t.Error(err)
		}
		doc["stray"] = 1
		if resolved.Validate(doc) == nil {
			t.Error("schema accepts a document with an unknown key")
		}
	}
}

// TestSARIFSchema has another library's reader and schema check the log.
func TestSARIFSchema(t *testing.T) {
	for _, d := range []*Document{fixture(), {}} {
		d.All = true
		var out bytes.Buffer
		if err := SARIF(&out, d); err != nil {
			t.Fatal(err)
		}
		log, err := sarif.FromBytes(out.Bytes(), sarif.WithStrictValidation())
		if err != nil {
			t.Fatal(err)
		}
		if log.Runs[0].Results == nil {
			t.Error("a run without results must have an empty list")
		}
		if len(log.Runs[0].Results) != len(d.Reports) {
			t.Errorf("%d results for %d race sets", len(log.Runs[0].Results), len(d.Reports))
		}
		// The reader does not fill in all defaults, and validates with them.
		log, err = sarif.FromBytes(out.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		run := log.Runs[0]
		run.Language, run.Tool.Driver.Language, run.NewlineSequences = "en-US", "en-US", []string{"\n"}
		if err := log.Validate(); err != nil {
			t.Error(err)
		}
	}
}

// TestSARIFAlerts: GitHub takes results of one rule, file and line hash for one, and
// computes the hash from the line where there is none.
func TestSARIFAlerts(t *testing.T) {
	d := fixture()
	d.All = true
	var out bytes.Buffer
	if err := SARIF(&out, d); err != nil {
		t.Fatal(err)
	}
	log, err := sarif.FromBytes(out.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	seen, shared := make(map[string]bool), 0
	for _, r := range log.Runs[0].Results {
		key := r.PartialFingerprints[lineHash]
		if key != "" {
			shared++
		} else {
			l := r.Locations[0].PhysicalLocation
			key = fmt.Sprint(*r.RuleID, *l.ArtifactLocation.URI, *l.Region.StartLine)
		}
		if seen[key] {
			t.Errorf("two results are %s", key)
		}
		seen[key] = true
	}
	if shared < 2 {
		t.Error("no results share a line")
	}
}

// TestNothing: no races is said in words by text and is an empty list to
// machines.
func TestNothing(t *testing.T) {
	var out bytes.Buffer
	if err := Text(&out, &Document{}); err != nil {
		t.Fatal(err)
	}
	if got := out.String(); got != "no races found\n" {
		t.Errorf("text: %q", got)
	}
	out.Reset()
	if err := JSON(&out, &Document{}); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out.String(), `"races": []`) {
		t.Errorf("json: %s", &out)
	}
}

func TestWhyUnknown(t *testing.T) {
	d := fixture()
	id := d.Reports[1].ID
	for _, which := range []string{"0", "9", "x", id[:3], id + "0"} {
		if err := Why(io.Discard, d, which); err == nil {
			t.Errorf("Why(%q) found a race set", which)
		}
	}
	for _, which := range []string{id, id[:5]} {
		if err := Why(io.Discard, d, which); err != nil {
			t.Error(err)
		}
	}
}

func TestNamedByPrefix(t *testing.T) {
	shown := []*model.Report{{ID: "2abc11"}, {ID: "2abc12"}, {ID: "2abc"}, {ID: "5555"}}
	for which, want := range map[string]int{"2abc": 2, "2abc1": -1, "2abc11": 0, "2abc12": 1, "2ab": -1, "4": 3, "5555": 3, "": -1} {
		got, err := named(shown, which)
		if want < 0 && err == nil || want >= 0 && !slices.Equal(got, []int{want}) {
			t.Errorf("%q names %v, %v", which, got, err)
		}
	}
}
