package report

import (
	"fmt"
	"strings"

	"github.com/iterace/iterace/model"
)

// This file words what the user asked not to be told.

// Suppressed returns the reports that Visible would show if they were not
// suppressed, in order.
func Suppressed(reports []*model.Report, all bool) []*model.Report {
	var out []*model.Report
	for _, r := range reports {
		if r.Suppressed != nil && (all || r.Confidence() > model.Assumed) {
			out = append(out, r)
		}
	}
	return out
}

// SuppressedLine counts suppressed reports by what suppresses them.
func SuppressedLine(list []*model.Report) string {
	var n [4]int
	for _, r := range list {
		n[r.Suppressed.By]++
	}
	var by []string
	for i, what := range [...]string{"by //iterace:ignore", "by [[ignore]] in a model file", "by the baseline", "in generated files"} {
		if n[i] > 0 {
			by = append(by, fmt.Sprintf("%d %s", n[i], what))
		}
	}
	return fmt.Sprintf("%d race %s suppressed: %s", len(list), plural(len(list), "set", "sets"), strings.Join(by, ", "))
}

// Suppressing reports whether a notice is about a suppression: about what the
// user wrote, who should see it in any case.
func Suppressing(n model.Notice) bool { return n.Code == "ignore" || n.Code == "baseline" }
