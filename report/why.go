package report

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/iterace/iterace/model"
)

// Why prints what there is to know about some race sets: "all", the number
// that Text gave one, or an ID, or the beginning of one. It explains each pair: how each access is
// reached from the loop, with which locks, where the object comes from, and
// what each stage had to say.
func Why(w io.Writer, d *Document, which string) error {
	shown, _ := d.shown()
	p := newPrinter(w, d)
	meant, err := named(shown, which)
	if err != nil {
		return fmt.Errorf("%w%s", err, allHint(d))
	}
	for _, i := range meant {
		p.whyBlock(i+1, shown[i])
	}
	return p.flush()
}

// minPrefix is how much of an id names a set: less is taken for a number.
const minPrefix = 4

// named returns the race sets that a number, an id or the beginning of one names, or
// "all". What is the beginning of several ids names none, unless it is an id itself.
func named(shown []*model.Report, which string) ([]int, error) {
	var begins []int
	for i, r := range shown {
		switch {
		case which == strconv.Itoa(i+1) || which == r.ID:
			return []int{i}, nil
		case which == "all" || len(which) >= minPrefix && strings.HasPrefix(r.ID, which):
			begins = append(begins, i)
		}
	}
	switch {
	case which == "all" || len(begins) == 1:
		return begins, nil
	case len(begins) == 0:
		return nil, fmt.Errorf("no race set %s: there are %d", which, len(shown))
	}
	return nil, fmt.Errorf("%d race sets have ids that begin with %s", len(begins), which)
}

func allHint(d *Document) string {
	if d.All {
		return ""
	}
	return " (with -all there may be more)"
}

// whyBlock prints race set number n in full.
func (p *printer) whyBlock(n int, r *model.Report) {
	pos := p.d.pos
	p.headline(r)
	p.printf("    race set %d, id %s\n", n, r.ID)
	p.objects(r, true)
	p.loops(r, true)
	races := distinctRaces(r.Races)
	for i, race := range races {
		p.printf("    pair %d of %d, %s\n", i+1, len(races), race.Confidence)
		a, b := ends(race)
		p.whySide(a)
		p.whySide(b)
		for _, line := range texts(whyNot(race)) {
			p.printf("        why: %s\n", line)
		}
		if len(race.Assumes) > 0 {
			p.printf("        rests on %s (doc/soundness.md)\n", strings.Join(race.Assumes, ", "))
		}
		if race.Deep != nil {
			p.printf("        inside the library, on %s:\n", subject(race.Deep.Object, race.Deep.Field, pos))
			p.printf("            %s %s in %s\n", race.Deep.A.Kind, pos(race.Deep.A.Pos), short(race.Deep.A.Func))
			p.printf("            %s %s in %s\n", race.Deep.B.Kind, pos(race.Deep.B.Pos), short(race.Deep.B.Func))
		}
	}
	p.println()
}

// whySide prints one access of a pair with the way to it, outermost call first.
func (p *printer) whySide(a end) {
	pos := p.d.pos
	p.printf("        %s\n", who(a, pos))
	for _, f := range a.Path {
		if !f.Call.IsValid() { // no line of the program calls it
			p.printf("            runs %s when packages are initialised\n", short(f.Func))
			continue
		}
		p.printf("            calls %s at %s\n", short(f.Func), pos(f.Call))
		p.excerpt(f.Call)
	}
	what := a.Kind.String() + "s"
	if a.Atomic {
		what = "atomically " + what
	}
	p.printf("            %s at %s in %s\n", what, pos(a.Pos), short(a.Func))
	p.excerpt(a.Pos)
	for _, lock := range a.Locks {
		p.printf("            holding %s\n", lockText(lock, pos))
	}
	if len(a.Locks) == 0 {
		p.printf("            holding no lock\n")
	}
}

// excerpt prints the source line of pos, if there is one.
func (p *printer) excerpt(pos model.Pos) {
	if text := p.src.excerpt(pos); text != "" {
		p.printf("                | %s\n", text)
	}
}
