package report

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/iterace/iterace/model"
)

// A Baseline lists race sets that are known and not to be reported again, by
// ID: for those who start to use the tool on code that has some. It is a text
// file with an ID at the start of each line; what follows it is for people,
// and so are empty lines and those that begin with #.
type Baseline struct {
	Name  string         // of the file
	ids   []string       // in the order of the file
	lines map[string]int // by ID
}

var idForm = regexp.MustCompile(`^[0-9a-f]{16}(-[0-9]+)?$`)

// ReadBaseline reads a baseline file.
func ReadBaseline(name string) (*Baseline, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	b := &Baseline{Name: name, lines: make(map[string]int)}
	n := 0
	for line := range strings.Lines(string(data)) {
		n++
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		id := strings.Fields(line)[0]
		if !idForm.MatchString(id) {
			return nil, fmt.Errorf("%s:%d: %q is not the id of a race set", name, n, id)
		}
		if b.lines[id] == 0 {
			b.lines[id] = n
			b.ids = append(b.ids, id)
		}
	}
	return b, nil
}

// Line returns the line of an ID, or 0 if the baseline, which may be nil, does
// not have it.
func (b *Baseline) Line(id string) int {
	if b == nil {
		return 0
	}
	return b.lines[id]
}

// Gone returns the IDs that no report has, in order.
func (b *Baseline) Gone(reports []*model.Report) []string {
	if b == nil {
		return nil
	}
	var out []string
	for _, id := range b.ids {
		if !slices.ContainsFunc(reports, func(r *model.Report) bool { return r.ID == id }) {
			out = append(out, id)
		}
	}
	return out
}

// WriteBaseline writes the baseline that has all race sets which are shown,
// and those that an earlier baseline keeps from being shown, and returns how
// many they are. There are no lines of source in it, so that it changes only
// when race sets come or go.
func WriteBaseline(w io.Writer, reports []*model.Report, all bool) (int, error) {
	var list []*model.Report
	for _, r := range reports {
		if s := r.Suppressed; (all || r.Confidence() > model.Assumed) && (s == nil || s.By == model.ByBaseline) {
			list = append(list, r)
		}
	}
	slices.SortStableFunc(list, func(a, b *model.Report) int {
		return cmp.Or(cmp.Compare(headPos(a).File, headPos(b).File), cmp.Compare(a.ID, b.ID))
	})
	bw := bufio.NewWriter(w)
	fmt.Fprintln(bw, "# Race sets that iterace -baseline does not report; written by iterace -write-baseline.")
	for _, r := range list {
		file := func(p model.Pos) string { return p.File }
		fmt.Fprintf(bw, "%s  %s: race on %s, in %s\n", r.ID, headPos(r).File, subject(r.Object, r.Field, file), short(r.Loop.Func))
	}
	return len(list), bw.Flush()
}
