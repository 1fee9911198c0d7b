package report

import (
	"encoding/json"
	"io"
	"net/url"
	"path/filepath"

	"github.com/chavacava/garif"

	"github.com/iterace/iterace/model"
)

// The rules of the SARIF output: the two ways in which code can run beside a
// body.
const (
	ruleIterations = "race-between-iterations"
	ruleBeside     = "race-with-code-beside"
)

const docURI = "https://github.com/iterace/iterace"

// SARIF prints the document as a SARIF 2.1.0 log with one run.
//
// The structures come from garif, which has only the structures: a library
// that also validates would bring an HTTP client into the command.
func SARIF(w io.Writer, d *Document) error {
	s := &sarifPrinter{d: d, src: newSources(d)}
	shown, _ := d.shown()
	results := make([]*garif.Result, 0, len(shown))
	for _, r := range shown {
		results = append(results, s.result(r))
	}
	for _, r := range d.suppressed() {
		res := s.result(r)
		res.Suppressions = []*garif.Suppression{s.suppression(r.Suppressed)}
		results = append(results, res)
	}
	tellApart(results)
	driver := garif.NewToolComponent("iterace").WithInformationUri(docURI).WithRules(rules()...)
	driver.Version = d.Version
	run := garif.NewRun(garif.NewTool(driver))
	run.ColumnKind = "utf16CodeUnits"
	run.Invocations = []*garif.Invocation{s.invocation()}

	// Embedding hides garif's Results, which vanish when empty: a run without
	// a results property means that no analysis was made.
	type sarifRun struct {
		*garif.Run
		Results []*garif.Result `json:"results"`
	}
	log := struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}{
		Schema:  "https://json.schemastore.org/sarif-2.1.0.json",
		Version: "2.1.0",
		Runs:    []sarifRun{{run, results}},
	}
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	return enc.Encode(log)
}

func rules() []*garif.ReportingDescriptor {
	rule := func(id, text, full string) *garif.ReportingDescriptor {
		r := garif.NewReportingDescriptor(id)
		r.ShortDescription = garif.NewMultiformatMessageString(text)
		r.FullDescription = garif.NewMultiformatMessageString(full)
		r.Help = garif.NewMultiformatMessageString(help)
		r.HelpUri = docURI
		return r
	}
	return []*garif.ReportingDescriptor{
		rule(ruleIterations, "Iterations of a parallel loop race",
			"Two iterations of a parallel loop may touch the same memory at the same time, and one of them writes it."),
		rule(ruleBeside, "A goroutine races with code that runs beside it",
			"The body of a parallel loop or goroutine and the code that runs beside it may touch the same memory at the same time, and one of them writes it."),
	}
}

// help is what code scanning shows beside each result.
const help = `The result is one of the two accesses, and a write. The other accesses, the loop and the object are its related locations, and its paths are the calls that lead to both accesses.

Give each iteration memory of its own, let a lock guard both accesses, or order them. "iterace" prints an id with each race set, and "iterace -why=ID" why nothing rules it out. A comment "//iterace:ignore reason" keeps it from being reported.`

// ruleOf returns the rule that r falls under, by the pair that stands for it.
func ruleOf(r *model.Report) (id string, index int) {
	w, other := headline(r)
	if r.Loop.Single || w.Thread == model.Main || other.Thread == model.Main || w.foreign || other.foreign {
		return ruleBeside, 1
	}
	return ruleIterations, 0
}

// level grades r: what rests on an assumption is a note.
func level(r *model.Report) garif.ResultLevel {
	switch r.Confidence() {
	case model.Definite:
		return "error"
	case model.Likely:
		return "warning"
	}
	return "note"
}

type sarifPrinter struct {
	d   *Document
	src *sources
}

func (s *sarifPrinter) result(r *model.Report) *garif.Result {
	w, other := headline(r)
	res := garif.NewResult(garif.NewMessageFromText(message(r)))
	res.RuleId, res.RuleIndex = ruleOf(r)
	res.Level = level(r)
	res.Locations = []*garif.Location{s.location(w.Pos, "")}
	res.PartialFingerprints = map[string]string{idFingerprint: r.ID}
	res.RelatedLocations = s.related(r)
	res.CodeFlows = []*garif.CodeFlow{garif.NewCodeFlow(s.threadFlow(r, w), s.threadFlow(r, other))}
	return res
}

// idFingerprint is the name under which a result has the id of its race set.
const idFingerprint = "iterace/v1"

// lineHash is the fingerprint that GitHub goes by. Its uploader fills it in from
// the text of the line, and warns of one that is there already.
const lineHash = "primaryLocationLineHash"

// tellApart gives results in the same line a fingerprint of their own, since they
// would be shown as one.
func tellApart(results []*garif.Result) {
	type line struct {
		rule, file string
		number     int
	}
	where := func(r *garif.Result) line {
		l := r.Locations[0].PhysicalLocation
		x := line{rule: r.RuleId, file: l.ArtifactLocation.Uri}
		if l.Region != nil {
			x.number = l.Region.StartLine
		}
		return x
	}
	count := make(map[line]int)
	for _, r := range results {
		count[where(r)]++
	}
	for _, r := range results {
		if count[where(r)] > 1 {
			r.PartialFingerprints[lineHash] = r.PartialFingerprints[idFingerprint]
		}
	}
}

// suppression says who keeps a result from being reported: the source, or a
// file beside it.
func (s *sarifPrinter) suppression(why *model.Suppression) *garif.Suppression {
	kind := "external"
	if why.By == model.ByComment {
		kind = "inSource"
	}
	out := garif.NewSuppression(kind)
	out.Justification = why.Reason
	out.Location = s.location(why.Pos, "")
	return out
}

// related lists the other accesses, the loop and the object.
func (s *sarifPrinter) related(r *model.Report) []*garif.Location {
	var list []*garif.Location
	for i, x := range related(r) {
		l := s.location(x.Pos, x.Message)
		l.Id = i + 1
		list = append(list, l)
	}
	return list
}

// threadFlow is the way from the loop to a: its calls, locks and the access.
func (s *sarifPrinter) threadFlow(r *model.Report, a end) *garif.ThreadFlow {
	pos := model.Pos.String
	var steps []*garif.ThreadFlowLocation
	add := func(p model.Pos, text string) {
		if p.IsValid() {
			step := garif.NewThreadFlowLocation()
			step.Location = s.location(p, text)
			step.Importance = "important"
			steps = append(steps, step)
		}
	}
	if a.Thread != model.Main {
		add(a.loop.Spawn, "starts "+who(a, pos))
	}
	for _, f := range a.Path {
		add(f.Call, "calls "+short(f.Func))
	}
	for _, l := range a.Locks {
		add(l.Pos, "locks "+lockText(l, pos))
	}
	add(a.Pos, a.Kind.String()+"s "+subject(r.Object, r.Field, pos))
	if n := len(steps); n > 0 {
		steps[n-1].Importance = "essential"
	}
	return garif.NewThreadFlow(steps)
}

// location is a place with, perhaps, a text.
func (s *sarifPrinter) location(p model.Pos, text string) *garif.Location {
	l := garif.NewLocation().WithURI(s.uri(p.File))
	if p.Line > 0 {
		l = l.WithLineColumn(p.Line, s.src.utf16Column(p))
	}
	if text != "" {
		l.Message = garif.NewMessageFromText(text)
	}
	return l
}

// uri is relative, and so the same on all machines, for files of the module.
func (s *sarifPrinter) uri(file string) string {
	if filepath.IsAbs(file) {
		return (&url.URL{Scheme: "file", Path: filepath.ToSlash(file)}).String()
	}
	return (&url.URL{Path: filepath.ToSlash(file)}).EscapedPath()
}

// invocation says how the run went: what did not load, and what was not
// analysed.
func (s *sarifPrinter) invocation() *garif.Invocation {
	inv := garif.NewInvocation(len(s.d.Errors) == 0)
	add := func(level string, p model.Pos, text string) {
		n := garif.NewNotification(garif.NewMessageFromText(text))
		n.Level = level
		if p.IsValid() {
			n.Locations = []*garif.Location{s.location(p, "")}
		}
		inv.ToolExecutionNotifications = append(inv.ToolExecutionNotifications, n)
	}
	for _, e := range s.d.Errors {
		add("error", e.Pos, e.Message)
	}
	for _, n := range s.d.Notices {
		add("note", n.Pos, n.Message+" ("+n.Code+")")
	}
	return inv
}
