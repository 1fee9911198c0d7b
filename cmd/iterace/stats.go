package main

import (
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"github.com/iterace/iterace/analyzer"
	"github.com/iterace/iterace/model"
	"github.com/iterace/iterace/report"
)

// printStats prints the phases of the run and what each stage did to the
// races. It goes to standard error: the times differ from run to run, and what
// is on standard output does not.
func printStats(w io.Writer, res *analyzer.Result, suppressed []*model.Report, total time.Duration) {
	tw := tabwriter.NewWriter(w, 0, 8, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(tw, "phase\twall\tcpu\tpeak MB\t\n")
	var peak uint64
	for _, p := range res.Phases {
		peak = max(peak, p.Peak)
		fmt.Fprintf(tw, "%s\t%s\t%s\t%d\t  %s\n", p.Name, seconds(p.Wall), seconds(p.CPU), p.Peak>>20, p.Notes)
	}
	fmt.Fprintf(tw, "total\t%s\t\t%d\t\n", seconds(total), peak>>20)
	tw.Flush()
	fmt.Fprintln(w)
	tw = tabwriter.NewWriter(w, 0, 8, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(tw, "stage\traces in\tout\ttime\t\n")
	for _, s := range res.Stages {
		if s.Disabled {
			fmt.Fprintf(tw, "%s\t%d\t%d\tdisabled\t\n", s.Name, s.In, s.Out)
			continue
		}
		fmt.Fprintf(tw, "%s\t%d\t%d\t%s\t\n", s.Name, s.In, s.Out, seconds(s.Wall))
	}
	tw.Flush()
	if len(suppressed) > 0 {
		fmt.Fprintf(w, "\n%s\n", report.SuppressedLine(suppressed))
	}
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.2fs", d.Seconds()) }
