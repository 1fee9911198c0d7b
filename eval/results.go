package main

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strings"
	"time"
)

// results are the outcomes that the tables are made of.
type results struct {
	Machine  string // "linux/amd64, 2 CPUs, go1.26.0"
	Subjects []*measured
}

// A measured is a subject with its outcomes.
type measured struct {
	Name     string
	App, Lib int                 // lines of code
	Outcomes map[string]*outcome // by the name of the variant
}

// on returns the outcome of a configuration, or nil.
func (m *measured) on(c config) *outcome { return m.Outcomes[c.String()] }

// full is the outcome with everything on.
func (m *measured) full() *outcome { return m.on(allOn) }

// pairs returns the pairs that a configuration leaves; not ok if it gave none.
func (m *measured) pairs(c config) (int, bool) {
	o := m.on(c)
	if o == nil || o.Failed != "" {
		return 0, false
	}
	return o.Pairs, true
}

// gather runs all variants on all sites, and says on log what it does. After
// each site it calls keep with what there is so far.
func gather(sites []*site, vs []variant, timeout time.Duration, log io.Writer, keep func(*results) error) (*results, error) {
	res := &results{Machine: machine()}
	n := 0
	for _, s := range sites {
		m := &measured{Name: s.name, Outcomes: make(map[string]*outcome)}
		var err error
		if m.App, m.Lib, err = s.sloc(); err != nil {
			return nil, fmt.Errorf("%s: %w", s.name, err)
		}
		for _, v := range vs {
			n++
			fmt.Fprintf(log, "[%d/%d] %s %s: ", n, len(sites)*len(vs), s.name, v.name)
			o, err := s.run(v.disable, timeout)
			if err != nil {
				return nil, fmt.Errorf("%s %s: %w", s.name, v.name, err)
			}
			m.Outcomes[v.name] = o
			if o.Failed != "" {
				fmt.Fprintln(log, o.Failed)
				continue
			}
			fmt.Fprintf(log, "%d pairs, %d sets, %.1fs\n", o.Pairs, o.Sets, o.Seconds)
			for _, e := range o.Errors {
				fmt.Fprintf(log, "\tnot analysed: %s\n", e)
			}
		}
		res.Subjects = append(res.Subjects, m)
		if err := keep(res); err != nil {
			return nil, err
		}
	}
	return res, nil
}

// mean is the geometric mean, as in the paper, of numbers that may be zero: of
// each plus one, less one.
func mean(xs []float64) float64 {
	if len(xs) == 0 {
		return 0
	}
	sum := 0.0
	for _, x := range xs {
		sum += math.Log1p(x)
	}
	return math.Expm1(sum / float64(len(xs)))
}

func (r *results) save(name string) error {
	data, err := json.MarshalIndent(r, "", "\t")
	if err != nil {
		return err
	}
	return os.WriteFile(name, append(data, '\n'), 0o666)
}

// readResults reads files that save wrote. Each subject comes from the first
// file that has it.
func readResults(names string) (*results, error) {
	out := new(results)
	for name := range strings.SplitSeq(names, ",") {
		r, err := readFile(name)
		if err != nil {
			return nil, err
		}
		if out.Machine == "" {
			out.Machine = r.Machine
		}
		for _, m := range r.Subjects {
			if !slices.ContainsFunc(out.Subjects, func(x *measured) bool { return x.Name == m.Name }) {
				out.Subjects = append(out.Subjects, m)
			}
		}
	}
	return out, nil
}

func readFile(name string) (*results, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	r := new(results)
	if err := json.Unmarshal(data, r); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	for _, m := range r.Subjects {
		if find(m.Name) == nil {
			return nil, fmt.Errorf("%s: no subject %q", name, m.Name)
		}
	}
	return r, nil
}
