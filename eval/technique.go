package main

import (
	"fmt"
	"slices"
	"strings"
)

// A technique is one part of the analysis that the paper switches on and off.
type technique struct {
	letter byte   // in the name of a configuration; upper case if it is on
	stage  string // as analyzer.StageNames has it
	title  string
}

// techniques in the order of the letters in the paper's rows. Deep locks, which
// the paper's Table II leaves out, come last.
var techniques = [...]technique{
	{'t', "twothreads", "2-Threads"},
	{'f', "threadsafe", "Filtering"},
	{'b', "bubbleup", "Bubble-up"},
	{'s', "applocks", "App-synchronized"},
	{'d', "deeplocks", "Deep-synchronized"},
}

// The paper's loops have an operator that waits for all iterations, and
// collections instead of indices; Go needs a stage for each. They are on in all
// of the paper's configurations.
var ours = [...]technique{
	{0, "disjoint", "Disjoint"},
	{0, "owners", "Owners"},
	{0, "order", "Order"},
	{0, "entries", "Entries"},
	{0, "together", "Together"},
	{0, "clients", "Clients"},
}

// A config is a set of techniques that are on: bit i is techniques[i].
type config uint8

const (
	twoThreads config = 1 << iota
	filtering
	bubbleUp
	appLocks
	deepLocks
	allOn = 1<<len(techniques) - 1
)

// configs lists all configurations as the paper's Table II orders its rows,
// those without deep locks first.
func configs() []config {
	var out []config
	for _, deep := range []config{0, deepLocks} {
		for i := range 16 {
			c := deep
			for k := range 4 {
				if i&(8>>k) != 0 {
					c |= 1 << k
				}
			}
			out = append(out, c)
		}
	}
	return out
}

// String is the configuration's name: "TFbSd" has no bubble-up and no deep
// locks.
func (c config) String() string {
	var b strings.Builder
	for i, t := range techniques {
		b.WriteByte(caseOf(t.letter, c&(1<<i) != 0))
	}
	return b.String()
}

func caseOf(letter byte, on bool) byte {
	if on {
		return letter - 'a' + 'A'
	}
	return letter
}

// row names the configuration without the techniques in hide, which a table
// varies.
func (c config) row(hide config) string {
	var b strings.Builder
	for i, t := range techniques {
		if hide&(1<<i) == 0 {
			b.WriteByte(caseOf(t.letter, c&(1<<i) != 0))
		}
	}
	return b.String()
}

// disable lists the stages that are off.
func (c config) disable() []string {
	var out []string
	for i, t := range techniques {
		if c&(1<<i) == 0 {
			out = append(out, t.stage)
		}
	}
	return out
}

// A variant is one way to run the analysis: one of the paper's configurations,
// or all techniques without one of ours.
type variant struct {
	name    string
	disable []string
}

func (c config) variant() variant { return variant{c.String(), c.disable()} }

// without is the variant with everything on but one of our stages.
func without(t technique) variant {
	return variant{fmt.Sprintf("%s-%s", config(allOn), t.stage), []string{t.stage}}
}

// variants lists all that the tables need.
func variants() []variant {
	var out []variant
	for _, c := range configs() {
		out = append(out, c.variant())
	}
	for _, t := range ours {
		out = append(out, without(t))
	}
	return out
}

// chooseVariants returns the variants with the given names, separated by
// commas; all if there are none.
func chooseVariants(names string) ([]variant, error) {
	all := variants()
	if names == "" {
		return all, nil
	}
	var out []variant
	for name := range strings.SplitSeq(names, ",") {
		i := slices.IndexFunc(all, func(v variant) bool { return v.name == strings.TrimSpace(name) })
		if i < 0 {
			return nil, fmt.Errorf("no configuration %q; a name is one letter for each of tfbsd, upper case if it is on", name)
		}
		out = append(out, all[i])
	}
	return out, nil
}
