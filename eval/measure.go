package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/iterace/iterace/analyzer"
	"github.com/iterace/iterace/model"
	"github.com/iterace/iterace/report"
)

// An outcome is what one analysis of a subject gave.
type outcome struct {
	Pairs   int  // of accesses that race, without those that rest on an assumption
	Sets    int  // race sets that a user is shown
	Bounded bool // there are more pairs than the analysis keeps (soundness: pairs-bounded)

	Seconds         float64 // from start to end, loading too
	Load, SSA, Base float64 // seconds of that
	PeakMB          uint64
	Functions       int // that the analysis entered
	Loops           int // parallel loops and single spawns

	Shown  []shownSet
	Errors []string `json:",omitempty"` // of code that does not load
	Failed string   `json:",omitempty"` // why there is no outcome: out of time or memory
}

// A shownSet is a race set that a user is shown.
type shownSet struct {
	ID     string
	Where  string // function that starts the iterations
	Object string
	Field  string
	At     string // the first access of the set
	Other  string // the access it races with
}

// measureCommand is the command that a measurement runs in, a process of its
// own: its time and memory are not those of an earlier one, and it can be
// stopped.
func measureCommand(args []string, stdout io.Writer) error {
	fs := flag.NewFlagSet("measure", flag.ContinueOnError)
	dir := fs.String("C", "", "directory of the code")
	tests := fs.Bool("test", false, "analyse test files too")
	disable := fs.String("disable", "", "stages to leave out, separated by commas")
	if err := fs.Parse(args); err != nil {
		return err
	}
	cfg := &analyzer.Config{Dir: *dir, Patterns: fs.Args(), Tests: *tests, Sure: true}
	if *disable != "" {
		cfg.Disable = strings.Split(*disable, ",")
	}
	out, err := measure(cfg)
	if err != nil {
		return err
	}
	return json.NewEncoder(stdout).Encode(out)
}

// measure analyses code in this process.
func measure(cfg *analyzer.Config) (*outcome, error) {
	start := time.Now()
	res, err := analyzer.Run(cfg)
	if err != nil {
		return nil, err
	}
	out := &outcome{Seconds: time.Since(start).Seconds(), Pairs: res.Pairs}
	reports := report.Merge(res.Reports)
	report.AssignIDs(res.Modules, reports)
	shown, _ := report.Visible(reports, false)
	out.Sets = len(shown)
	for _, r := range shown {
		out.Shown = append(out.Shown, describe(r))
	}
	bounded := model.SoundnessNumber("pairs-bounded")
	out.Bounded = slices.ContainsFunc(res.Notices, func(n model.Notice) bool { return n.Code == bounded })
	for _, e := range res.Errors {
		out.Errors = append(out.Errors, strings.TrimSpace(e.Pos.String()+" "+e.Message))
	}
	for _, p := range res.Phases {
		out.PeakMB = max(out.PeakMB, p.Peak>>20)
		switch s := p.Wall.Seconds(); p.Name {
		case "load":
			out.Load = s
		case "ssa":
			out.SSA = s
		case "base":
			out.Base = s
			out.Functions, out.Loops = size(p.Notes, "functions"), size(p.Notes, "loops")
		}
	}
	return out, nil
}

// size finds "12 functions" in the notes of a phase. Whoever words them anew
// is told by a test.
func size(notes, what string) int {
	m := regexp.MustCompile(`(\d+) ` + what).FindStringSubmatch(notes)
	if m == nil {
		return 0
	}
	n, _ := strconv.Atoi(m[1])
	return n
}

// describe says what a race set is on, for people to know it again. The pair is
// the first of the most certain ones.
func describe(r *model.Report) shownSet {
	first := slices.MinFunc(r.Races, func(x, y *model.Race) int { return -cmp.Compare(x.Confidence, y.Confidence) })
	name := r.Object.Name
	if name == "" {
		name = r.Object.Type
	}
	return shownSet{ID: r.ID, Where: r.Loop.Func, Object: name, Field: r.Field,
		At: accessAt(first.A), Other: accessAt(first.B)}
}

func accessAt(a *model.Access) string { return fmt.Sprintf("%s %s", a.Kind, a.Pos) }

// run analyses the subject in a process of its own. An outcome that failed is
// an outcome, as the dash in the paper's tables is.
func (s *site) run(disable []string, timeout time.Duration) (*outcome, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	args := []string{"measure", "-C", s.dir, "-disable=" + strings.Join(disable, ",")}
	if s.tests {
		args = append(args, "-test")
	}
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	var stdout, stderr bytes.Buffer
	cmd := exec.CommandContext(ctx, self, append(args, s.patterns...)...)
	cmd.Env, cmd.Stdout, cmd.Stderr = s.environ(), &stdout, &stderr
	cmd.WaitDelay = time.Second // the go command it may have started holds the pipes
	runErr := cmd.Run()
	switch {
	case ctx.Err() != nil:
		return &outcome{Failed: fmt.Sprintf("out of time: %v", timeout)}, nil
	case runErr != nil:
		return &outcome{Failed: fmt.Sprintf("%v: %s", runErr, lastLine(stderr.String()))}, nil
	}
	out := new(outcome)
	if err := json.Unmarshal(stdout.Bytes(), out); err != nil {
		return nil, errors.New("measure: " + err.Error())
	}
	return out, nil
}

func lastLine(s string) string {
	s = strings.TrimSpace(s)
	return s[strings.LastIndexByte(s, '\n')+1:]
}
