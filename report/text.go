package report

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/iterace/iterace/model"
)

// Text prints the document for people: one block for each race set, and what is folded into it, then
// one line that sums up. The first line of a block has the form of a compiler's
// message, so that editors and terminals link it.
func Text(w io.Writer, d *Document) error {
	p := newPrinter(w, d)
	shown, hidden := d.shown()
	folds := foldSets(shown)
	for _, f := range folds {
		p.block(f)
		p.println()
	}
	var notices []model.Notice
	for _, n := range d.Notices {
		if d.All || Suppressing(n) {
			notices = append(notices, n)
		}
	}
	p.notices(notices)
	p.footer(shown, len(folds), hidden)
	if list := d.suppressed(); len(list) > 0 {
		p.printf("%s\n", SuppressedLine(list))
	}
	return p.flush()
}

// A printer writes text reports. Errors of the writer surface in flush.
type printer struct {
	w   *bufio.Writer
	d   *Document
	src *sources
}

func newPrinter(w io.Writer, d *Document) *printer {
	return &printer{w: bufio.NewWriter(w), d: d, src: newSources(d)}
}

func (p *printer) printf(format string, args ...any) { fmt.Fprintf(p.w, format, args...) }
func (p *printer) println()                          { p.w.WriteByte('\n') }
func (p *printer) flush() error                      { return p.w.Flush() }

// bold marks what the eye should find first.
func (p *printer) bold(s string) string {
	if !p.d.Color {
		return s
	}
	return "\x1b[1m" + s + "\x1b[0m"
}

// field prints one labelled line of a block.
func (p *printer) field(label, format string, args ...any) {
	p.printf("    %-8s%s\n", label, fmt.Sprintf(format, args...))
}

// maxRows is how many places of a thread, and pairs of them, the short report
// prints: a set of hundreds is one mistake, seen in the first few.
const maxRows = 10

// block prints a race set, and those that are folded into it.
func (p *printer) block(f *fold) {
	n, r := f.number, f.report
	pos := p.d.pos
	p.headline(r)
	p.objects(r, false)
	p.loops(r, false)
	g := groupAccesses(r, pos)
	numbered := !g.complete()
	width := 0
	for _, row := range g.rows {
		width = max(width, len(row.kinds())+1+len(pos(row.access.Pos)))
	}
	for _, x := range g.groups {
		p.printf("    %s\n", g.title(x, pos))
		via := ""
		for i, row := range x.rows {
			if i == maxRows {
				p.printf("        … and %d more places\n", len(x.rows)-maxRows)
				break
			}
			mark := ""
			if numbered {
				mark = fmt.Sprintf("(%d) ", row.number)
			}
			if row.via != via {
				via = row.via
				p.printf("      in %s\n", via)
			}
			p.row(mark, row, width)
		}
	}
	if numbered {
		p.pairs(g)
	}
	p.inside(r)
	label := "why"
	for _, line := range whyShort(r) {
		p.field(label, "%s", line)
		label = ""
	}
	p.field("", "%s; id %s; -why=%d tells more", grade(r), r.ID, n)
	p.others(f)
}

// inside prints a pair of accesses in library code that lies behind the calls shown.
func (p *printer) inside(r *model.Report) {
	i := slices.IndexFunc(r.Races, func(x *model.Race) bool { return x.Deep != nil })
	if i < 0 {
		return
	}
	d, pos := r.Races[i].Deep, p.d.pos
	line := func(a *model.Access) string { return fmt.Sprintf("%s %s in %s", a.Kind, pos(a.Pos), short(a.Func)) }
	p.field("inside", "%s", line(d.A))
	if line(d.B) != line(d.A) {
		p.field("", "%s", line(d.B))
	}
	p.field("", "on %s", subject(d.Object, d.Field, pos))
}

// headline prints the line that every tool shows.
func (p *printer) headline(r *model.Report) {
	w, other := headline(r)
	pos := p.d.pos
	near := nearPos(w.Pos.File, pos)
	p.printf("%s: race on %s: %s\n", p.bold(pos(w.Pos)), p.bold(subject(r.Object, r.Field, near)), conflict(w, other, near))
}

// objects prints what is raced on; with the source lines of the allocations, if
// wanted.
func (p *printer) objects(r *model.Report, source bool) {
	label := "object"
	for i, o := range Objects(r) {
		if i == maxRows && !source {
			p.field("", "… and %d more", len(Objects(r))-maxRows)
			break
		}
		p.field(label, "%s", describe(o, p.d.pos))
		label = "or"
		if source {
			p.excerpt(o.Pos)
		}
	}
}

// loops prints what runs at the same time: the loop, and others that the races
// are with; with their source lines, if wanted.
func (p *printer) loops(r *model.Report, source bool) {
	var list []*model.Loop
	add := func(l *model.Loop) {
		if l != nil && !slices.ContainsFunc(list, func(k *model.Loop) bool { return loopKeyOf(k) == loopKeyOf(l) }) {
			list = append(list, l)
		}
	}
	add(r.Loop)
	for _, x := range r.Races {
		add(x.Loop)
		add(x.Other)
	}
	for _, l := range list {
		p.field(loopLabel(l), "%s", describeLoop(l, p.d.pos))
		if source {
			p.excerpt(l.Pos)
		}
	}
}

func loopLabel(l *model.Loop) string {
	switch {
	case l.Form == model.FormTest:
		return "test"
	case l.Form == model.FormClient:
		return "client"
	case l.Single:
		return "spawn"
	}
	return "loop"
}

// row prints one access: what it does, where, under which locks. width aligns
// the source lines.
func (p *printer) row(mark string, r *row, width int) {
	line := fmt.Sprintf("        %s%-*s", mark, width, r.kinds()+" "+p.d.pos(r.access.Pos))
	if text := p.src.excerpt(r.access.Pos); text != "" {
		line += "   " + text
	}
	p.printf("%s\n", strings.TrimRight(line, " "))
	for _, l := range r.access.Locks {
		p.printf("            holds %s\n", lockText(l, p.d.pos))
	}
}

// maxPath is how many calls of a path the short report prints; -why prints all.
const maxPath = 3

// callPath says in which function a is and through which calls it is reached,
// innermost first; or nothing if it stands in the function of the loop, or in
// a function literal there.
func callPath(a end, pos posFunc) string {
	if len(a.Path) == 0 {
		if rest, ok := strings.CutPrefix(a.Func, a.loop.Func); ok && (rest == "" || rest[0] == '$') {
			return ""
		}
	}
	var b strings.Builder
	b.WriteString(short(a.Func))
	for i := range a.Path {
		f := a.Path[len(a.Path)-1-i]
		if i == maxPath {
			fmt.Fprintf(&b, ", … (%d more calls)", len(a.Path)-maxPath)
			break
		}
		if !f.Call.IsValid() { // no line of the program calls it
			b.WriteString(", run when packages are initialised")
			break
		}
		b.WriteString(", called at " + pos(f.Call))
	}
	return b.String()
}

// lockText says which lock is held, where it was taken and, if the analysis
// knows, why it does not protect.
func lockText(l model.Lock, pos posFunc) string {
	s := l.Name
	if l.Mode == "read" {
		s += " for reading"
	}
	if l.Pos.IsValid() {
		s += " (locked at " + pos(l.Pos) + ")"
	}
	if l.Note != "" {
		s += ": " + l.Note
	}
	return s
}

// pairs lists which places race with which, where it is not each with each.
func (p *printer) pairs(g *grouping) {
	list := slices.SortedFunc(maps.Keys(g.pairs), func(a, b placePair) int {
		return cmp.Or(cmp.Compare(a.x.number, b.x.number), cmp.Compare(a.y.number, b.y.number))
	})
	var text []string
	for i, q := range list {
		if i == maxRows {
			text = append(text, fmt.Sprintf("… and %d more", len(list)-maxRows))
			break
		}
		text = append(text, fmt.Sprintf("%d-%d", q.x.number, q.y.number))
	}
	p.field("pairs", "%s", strings.Join(text, ", "))
}

// grade words the confidence of r and what it rests on.
func grade(r *model.Report) string {
	s := r.Confidence().String()
	if a := assumes(r); len(a) > 0 {
		s += " (" + strings.Join(a, ", ") + ", see doc/soundness.md)"
	}
	return s
}

// assumes lists the assumptions that r's races rest on, in order.
func assumes(r *model.Report) []string {
	var list []string
	for _, race := range r.Races {
		list = append(list, race.Assumes...)
	}
	slices.SortFunc(list, func(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b)) })
	return slices.Compact(list)
}

// why lists, without repetition, what the stages say about the races of r that give it its
// confidence: what makes others less sure would contradict that.
func why(r *model.Report) []model.Reason {
	var surest []*model.Race
	for _, x := range r.Races {
		if x.Confidence == r.Confidence() {
			surest = append(surest, x)
		}
	}
	list := whyNot(surest...)
	if len(list) == 0 && !anyLock(r) {
		list = append(list, model.Reason{About: model.AboutLocks, Text: "no lock is held at any of these accesses"})
	}
	return list
}

// maxReasons is how many reasons of other pairs the short report has of each kind.
const maxReasons = 2

// whyShort lists the reasons of each kind that one pair has, and what the kind has of other pairs, which these would contradict, in a line.
func whyShort(r *model.Report) []string {
	var lines []string
	list := why(r)
	for len(list) > 0 {
		first := list[0]
		var of []model.Reason // of a pair that has the first
		if k := slices.IndexFunc(r.Races, func(x *model.Race) bool { return x.Confidence == r.Confidence() && slices.Contains(x.Why, first) }); k >= 0 {
			of = r.Races[k].Why
		}
		lines = append(lines, first.Text)
		var others []string
		var rest []model.Reason
		for _, x := range list[1:] {
			switch {
			case x.About != first.About:
				rest = append(rest, x)
			case slices.Contains(of, x):
				lines = append(lines, x.Text)
			default:
				others = append(others, x.Text)
			}
		}
		if n := len(others) - maxReasons; n > 0 {
			others = append(others[:maxReasons], fmt.Sprintf("%d more", n))
		}
		if len(others) > 0 {
			lines = append(lines, "(of other pairs: "+strings.Join(others, "; ")+")")
		}
		list = rest
	}
	return lines
}

// whyNot lists, without repetition, what the stages say about why nothing
// removes the races; two stages may say the same.
func whyNot(races ...*model.Race) []model.Reason {
	var list []model.Reason
	for _, race := range races {
		for _, x := range race.Why {
			if !slices.ContainsFunc(list, func(y model.Reason) bool { return y.Text == x.Text }) {
				list = append(list, x)
			}
		}
	}
	return list
}

// texts returns the lines of reasons.
func texts(list []model.Reason) []string {
	lines := make([]string, len(list))
	for i, x := range list {
		lines[i] = x.Text
	}
	return lines
}

func anyLock(r *model.Report) bool {
	return slices.ContainsFunc(r.Races, func(x *model.Race) bool { return len(x.A.Locks)+len(x.B.Locks) > 0 })
}

// notices prints what was not analysed, or only under an assumption.
func (p *printer) notices(list []model.Notice) {
	for _, n := range list {
		p.printf("%s: note: %s (%s)\n", p.d.pos(n.Pos), n.Message, n.Code)
	}
	if len(list) > 0 {
		p.println()
	}
}

// footer sums up.
func (p *printer) footer(reports []*model.Report, folds, hidden int) {
	shown := len(reports)
	if shown == 0 {
		p.printf("no races found")
		if len(p.d.Errors) > 0 {
			p.printf(" in what was analysed")
		}
	} else {
		p.printf("%d race %s (%s)", shown, plural(shown, "set", "sets"), byConfidence(reports))
		if folds < shown {
			p.printf(", %d of them in full", folds)
		}
	}
	if hidden > 0 || p.d.Unasked {
		// How many is not known: few of a kind are kept.
		p.printf("; what rests on an assumption is left out (-all shows it)")
	}
	n := 0
	for _, x := range p.d.Notices {
		if !Suppressing(x) {
			n++
		}
	}
	if n > 0 && !p.d.All {
		p.printf("; %d %s on what was not analysed (-all or -json)", n, plural(n, "notice", "notices"))
	}
	if shown > 0 && len(p.d.Errors) > 0 {
		p.printf("; some code was not analysed")
	}
	p.println()
}

// byConfidence says of what confidence reports are, the surest first: "definite", or "2 definite, 1 likely".
func byConfidence(reports []*model.Report) string {
	var parts []string
	if c := reports[0].Confidence(); c == reports[len(reports)-1].Confidence() {
		return c.String()
	}
	for len(reports) > 0 {
		c := reports[0].Confidence()
		n := slices.IndexFunc(reports, func(r *model.Report) bool { return r.Confidence() != c })
		if n < 0 {
			n = len(reports)
		}
		parts = append(parts, fmt.Sprintf("%d %s", n, c))
		reports = reports[n:]
	}
	return strings.Join(parts, ", ")
}

func plural(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}
