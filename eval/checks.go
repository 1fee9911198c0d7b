package main

import (
	"fmt"
	"strings"
)

// A finding is one of the things that the evaluation is to show, and whether
// it does.
type finding struct {
	ok   bool
	text string
}

func (f finding) String() string {
	if f.ok {
		return "ok       " + f.text
	}
	return "NOT MET  " + f.text
}

// findings checks what the evaluation is to show. What was not measured is not
// judged.
func (r *results) findings(ls map[string][]label) []finding {
	var out []finding
	for _, m := range r.Subjects {
		full := m.full()
		if full == nil {
			continue
		}
		if full.Failed != "" {
			out = append(out, finding{false, fmt.Sprintf("%s: everything on: %s", m.Name, full.Failed)})
			continue
		}
		if find(m.Name).clean {
			out = append(out, finding{full.Sets == 0, fmt.Sprintf("%s: nothing reported with everything on (sets: %d)", m.Name, full.Sets)})
		}
		out = append(out, m.labelled(ls[m.Name]))
		if len(m.Outcomes) > 1 {
			out = append(out, m.fewest("pairs", func(o *outcome) int { return o.Pairs }), m.fewest("sets", func(o *outcome) int { return o.Sets }))
		}
	}
	for i, t := range techniques {
		if f, ok := r.contributes(t, 1<<i); ok {
			out = append(out, f)
		}
	}
	return out
}

// labelled says whether all sets with everything on are labelled, and a sample of
// those of each other configuration.
func (m *measured) labelled(ls []label) finding {
	var short []string
	for _, c := range configs() {
		o := m.on(c)
		if o == nil || o.Failed != "" {
			continue
		}
		n := judge(ls, o.Shown)
		if c == allOn && len(n.missing) > 0 || !n.sampled() {
			short = append(short, c.String())
		}
	}
	f := finding{len(short) == 0, fmt.Sprintf("%s: all sets labelled with everything on, and a sample in the other configurations", m.Name)}
	if len(short) > 0 {
		f.text += ": not in " + strings.Join(short, ", ")
	}
	return f
}

// fewest says whether no configuration reports fewer pairs, or sets, than
// everything on. Where the analysis keeps some of the pairs only, there may be
// fewer by chance.
func (m *measured) fewest(what string, count func(*outcome) int) finding {
	full := count(m.full())
	best, name := full, ""
	for _, c := range configs() {
		if o := m.on(c); o != nil && o.Failed == "" && count(o) < best {
			best, name = count(o), c.String()
		}
	}
	f := finding{name == "", fmt.Sprintf("%s: everything on gives the fewest %s (%d)", m.Name, what, full)}
	if name != "" {
		f.text += fmt.Sprintf(": %s gives %d", name, best)
		if m.full().Bounded {
			f.text += "; not all pairs were kept"
		}
	}
	return f
}

// contributes says whether some subject has fewer pairs with a technique than
// without it, whatever the others are; not ok if nothing was measured.
func (r *results) contributes(t technique, bit config) (f finding, ok bool) {
	best, where := 0, ""
	for _, m := range r.Subjects {
		for _, c := range configs() {
			if c&bit != 0 {
				continue
			}
			d, measured := m.difference(c, c|bit)
			ok = ok || measured
			if measured && d > best {
				best, where = d, fmt.Sprintf("%s, %s", m.Name, c.row(bit))
			}
		}
	}
	if best == 0 {
		return finding{false, t.title + " makes pairs fewer somewhere"}, ok
	}
	return finding{true, fmt.Sprintf("%s makes pairs fewer, at most by %d (%s)", t.title, best, where)}, ok
}
