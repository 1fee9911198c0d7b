package main

import (
	"fmt"
	"math"
	"strings"
)

// This file makes the tables. Their numbers are the paper's.

// tables makes all of them.
func (r *results) tables(ls map[string][]label) []*table {
	return []*table{
		r.suite(),
		r.byConfig("Table II (time): seconds by configuration", func(o *outcome) string { return seconds(o.Seconds) },
			func(o *outcome) float64 { return o.Seconds }, "%.1f", ""),
		r.byConfig("Table II (pairs): racing pairs of accesses by configuration", (*outcome).pairsText,
			func(o *outcome) float64 { return float64(o.Pairs) }, "%.0f",
			"Upper case: on. t 2-Threads, f Filtering, b Bubble-up, s App-synchronized, d deep locks. A dash: out of time or memory.\n"+
				"+: more pairs than the analysis keeps. Mean: geometric, of each number plus one."),
		r.byConfig("Table II (sets): race sets by configuration", func(o *outcome) string { return fmt.Sprint(o.Sets) },
			func(o *outcome) float64 { return float64(o.Sets) }, "%.0f", ""),
		r.best(ls),
		r.sample(ls),
		r.effect("Table IV: effect of 2-Threads", twoThreads),
		r.effect("Table V: effect of Filtering", filtering),
		r.effect("Table VI: effect of Bubble-up", bubbleUp),
		r.locks(),
		r.goStages(),
	}
}

// suite is Table I.
func (r *results) suite() *table {
	t := &table{
		title: "Table I: subjects",
		head:  []string{"subject", "for", "what", "parallel", "SLOC app", "lib", "functions", "loops", "load s", "ssa s", "base s", "total s", "MB"},
		left:  4,
		note:  "functions: those that the analysis enters, with everything on. " + r.Machine + ".",
	}
	for _, m := range r.Subjects {
		s := find(m.Name)
		what := s.about
		if s.module != "" {
			what += ", " + s.module
		}
		row := []string{s.name, s.stands, what, s.parallel, fmt.Sprint(m.App), fmt.Sprint(m.Lib)}
		if o := m.full(); o != nil && o.Failed == "" {
			row = append(row, fmt.Sprint(o.Functions), fmt.Sprint(o.Loops), seconds(o.Load), seconds(o.SSA), seconds(o.Base),
				seconds(o.Seconds), fmt.Sprint(o.PeakMB))
		} else {
			row = append(row, "-", "-", "-", "-", "-", "-", "-")
		}
		t.add(row...)
	}
	return t
}

// byConfig is Table II for one of the things measured: the sixteen
// configurations without deep locks, and everything.
func (r *results) byConfig(title string, cell func(*outcome) string, value func(*outcome) float64, format, note string) *table {
	t := &table{title: title, head: append(append([]string{""}, r.names()...), "mean"), left: 1, note: note}
	for _, c := range configs() {
		if c&deepLocks != 0 && c != allOn {
			continue
		}
		row := []string{c.row(0)}
		var xs []float64
		for _, m := range r.Subjects {
			o := m.on(c)
			if o == nil || o.Failed != "" {
				row = append(row, "-")
				continue
			}
			row = append(row, cell(o))
			xs = append(xs, value(o))
		}
		if len(xs) == 0 {
			t.add(append(row, "-")...)
			continue
		}
		t.add(append(row, fmt.Sprintf(format, mean(xs)))...)
	}
	return t
}

// best is Table III without the peer: what a user gets, and how much of it is
// true.
func (r *results) best(ls map[string][]label) *table {
	t := &table{
		title: "Table III: everything on",
		head:  []string{"subject", "t (s)", "pairs", "sets", "labelled", "true", "% true"},
		left:  1,
		note:  "The paper compares with another tool here. Of the labelled sets, which go run . labels lists, those that are true races.",
	}
	for _, m := range r.Subjects {
		o := m.full()
		if o == nil || o.Failed != "" {
			t.add(m.Name, "-", "-", "-", "-", "-", "-")
			continue
		}
		c := judge(ls[m.Name], o.Shown)
		share := "-"
		if c.labelled() > 0 {
			share = fmt.Sprintf("%.0f", 100*float64(c.yes)/float64(c.labelled()))
		}
		t.add(m.Name, seconds(o.Seconds), o.pairsText(), fmt.Sprint(o.Sets), fmt.Sprint(c.labelled()), fmt.Sprint(c.yes), share)
	}
	return t
}

// sample says how many of the labelled sets of each configuration are true.
func (r *results) sample(ls map[string][]label) *table {
	t := &table{
		title: "Table III (sample): labelled race sets by configuration, true / labelled / all",
		head:  append([]string{""}, r.names()...), left: 1,
		note: fmt.Sprintf("With everything on all sets are labelled, otherwise %d at least, or all if there are fewer.", sampleSize),
	}
	for _, c := range configs() {
		if c&deepLocks != 0 && c != allOn {
			continue
		}
		row := []string{c.row(0)}
		for _, m := range r.Subjects {
			o := m.on(c)
			if o == nil || o.Failed != "" {
				row = append(row, "-")
				continue
			}
			n := judge(ls[m.Name], o.Shown)
			row = append(row, fmt.Sprintf("%d/%d/%d", n.yes, n.labelled(), o.Sets))
		}
		t.add(row...)
	}
	return t
}

// effect is one of Tables IV to VI: how many pairs fewer with a technique, for
// each choice of the others.
func (r *results) effect(title string, tech config) *table {
	t := &table{title: title + ": pairs without it less pairs with it", head: append(append([]string{""}, r.names()...), "mean"), left: 1}
	columns := make([][]float64, len(r.Subjects))
	for _, c := range configs() {
		if c&(tech|deepLocks) != 0 {
			continue
		}
		row := []string{c.row(tech | deepLocks)}
		var xs []float64
		for i, m := range r.Subjects {
			d, ok := m.difference(c, c|tech)
			row = append(row, dash(d, ok))
			if ok {
				xs = append(xs, float64(d))
				columns[i] = append(columns[i], float64(d))
			}
		}
		if len(xs) == 0 {
			t.add(append(row, "-")...)
			continue
		}
		t.add(append(row, fmt.Sprintf("%.0f", signedMean(xs)))...)
	}
	last := []string{"mean"}
	for _, xs := range columns {
		last = append(last, fmt.Sprintf("%.0f", signedMean(xs)))
	}
	t.add(append(last, "")...)
	return t
}

// locks is Table VII: how many pairs fewer with locks looked at deep, at the
// application, and at both.
func (r *results) locks() *table {
	t := &table{
		title: "Table VII: effect of synchronization: pairs without less pairs with deep / application / both",
		head:  append([]string{""}, r.names()...), left: 1,
	}
	for _, c := range configs() {
		if c&(appLocks|deepLocks) != 0 {
			continue
		}
		row := []string{c.row(appLocks | deepLocks)}
		for _, m := range r.Subjects {
			var cell []string
			for _, with := range []config{deepLocks, appLocks, deepLocks | appLocks} {
				cell = append(cell, dash(m.difference(c, c|with)))
			}
			row = append(row, strings.Join(cell, "/"))
		}
		t.add(row...)
	}
	return t
}

// goStages is for what the paper needs no stage for.
func (r *results) goStages() *table {
	t := &table{
		title: "Table VIII: effect of the stages that Go needs: pairs without it less pairs with it, all else on",
		head:  append([]string{""}, r.names()...), left: 1,
	}
	for _, stage := range ours {
		row := []string{stage.title}
		for _, m := range r.Subjects {
			full, o := m.full(), m.Outcomes[without(stage).name]
			ok := full != nil && o != nil && full.Failed == "" && o.Failed == ""
			d := 0
			if ok {
				d = o.Pairs - full.Pairs
			}
			row = append(row, dash(d, ok))
		}
		t.add(row...)
	}
	return t
}

func (r *results) names() []string {
	var out []string
	for _, m := range r.Subjects {
		out = append(out, m.Name)
	}
	return out
}

// difference is how many pairs fewer there are in one configuration than in
// another.
func (m *measured) difference(more, fewer config) (int, bool) {
	a, ok1 := m.pairs(more)
	b, ok2 := m.pairs(fewer)
	return a - b, ok1 && ok2
}

// signedMean is the mean of numbers that may be negative: those below zero and
// the others are averaged apart and the one taken from the other, each
// counting for all numbers.
func signedMean(xs []float64) float64 {
	up, down := make([]float64, len(xs)), make([]float64, len(xs))
	for i, x := range xs {
		up[i], down[i] = math.Max(x, 0), math.Max(-x, 0)
	}
	return mean(up) - mean(down)
}

// pairsText is the number of pairs; a plus says that there are more than the
// analysis keeps.
func (o *outcome) pairsText() string {
	if o.Bounded {
		return fmt.Sprintf("%d+", o.Pairs)
	}
	return fmt.Sprint(o.Pairs)
}

func seconds(s float64) string { return fmt.Sprintf("%.1f", s) }

func dash(n int, ok bool) string {
	if !ok {
		return "-"
	}
	return fmt.Sprint(n)
}
