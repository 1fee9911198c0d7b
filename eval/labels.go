package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/BurntSushi/toml"
)

// A label is what a person found out about a race set.
type label struct {
	ID      string `toml:"id"`
	Race    string `toml:"race"`    // what it is on, for people
	Verdict *bool  `toml:"verdict"` // true: it can happen
	Why     string `toml:"why"`     // a sentence
	// Config is a configuration that reports it, where everything on does not.
	Config string `toml:"config"`
}

// sampleSize is how many sets of each configuration are labelled, at least; with
// everything on all are.
const sampleSize = 10

// readLabels reads the labels of all subjects: labels/name.toml, if it exists.
func readLabels(dir string) (map[string][]label, error) {
	out := make(map[string][]label)
	files, err := filepath.Glob(filepath.Join(dir, "*.toml"))
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".toml")
		if find(name) == nil {
			return nil, fmt.Errorf("%s: no subject %q", file, name)
		}
		if out[name], err = readLabelFile(file); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
	}
	return out, nil
}

func readLabelFile(name string) ([]label, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	var file struct {
		Set []label `toml:"set"`
	}
	meta, err := toml.Decode(string(data), &file)
	if err != nil {
		return nil, err
	}
	if extra := meta.Undecoded(); len(extra) > 0 {
		return nil, fmt.Errorf("unknown key %s", extra[0])
	}
	seen := make(map[string]bool)
	for _, l := range file.Set {
		switch {
		case l.ID == "":
			return nil, fmt.Errorf("a set without id: %q", l.Race)
		case seen[l.ID]:
			return nil, fmt.Errorf("%s is there twice", l.ID)
		case l.Verdict == nil || l.Why == "":
			return nil, fmt.Errorf("%s: no verdict, or no reason", l.ID)
		}
		seen[l.ID] = true
	}
	return file.Set, nil
}

// A count is what labels say about the sets that are shown.
type count struct {
	yes, no int
	gone    []label    // of sets that no longer occur
	missing []shownSet // sets without a label
}

func (c *count) labelled() int { return c.yes + c.no }

// judge compares labels with the race sets that are shown.
func judge(ls []label, shown []shownSet) *count {
	c := new(count)
	byID := make(map[string]label)
	for _, l := range ls {
		byID[l.ID] = l
	}
	found := make(map[string]bool)
	for _, s := range shown {
		l, ok := byID[s.ID]
		switch {
		case !ok:
			c.missing = append(c.missing, s)
			continue
		case *l.Verdict:
			c.yes++
		default:
			c.no++
		}
		found[s.ID] = true
	}
	for _, l := range ls {
		if !found[l.ID] && l.Config == "" {
			c.gone = append(c.gone, l)
		}
	}
	return c
}

// complaints lists what is to be done about a subject's labels.
func (c *count) complaints(s *subject) []string {
	var out []string
	for _, l := range c.gone {
		out = append(out, fmt.Sprintf("%s: %s (%s) is labelled and no longer occurs", s.name, l.ID, l.Race))
	}
	if n := len(c.missing); n > 0 {
		out = append(out, fmt.Sprintf("%s: %d more sets want a label; labels -stub prints them", s.name, n))
	}
	return out
}

// sampled reports whether enough of a configuration's sets are labelled.
func (c *count) sampled() bool { return c.labelled() >= sampleSize || len(c.missing) == 0 }

// stub writes entries to fill in for sets without a label.
func (c *count) stub(w io.Writer) {
	for _, m := range c.missing {
		fmt.Fprintf(w, "[[set]]\nid = %q\nrace = %q\n# %s with %s, started in %s\nverdict =\nwhy = \"\"\n\n", m.ID, m.Object+m.Field, m.At, m.Other, m.Where)
	}
}
