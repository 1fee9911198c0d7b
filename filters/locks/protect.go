package locks

import (
	"fmt"
	"strings"

	"github.com/iterace/iterace/internal/ssair"
	"github.com/iterace/iterace/model"
	"github.com/iterace/iterace/pta"
	"github.com/iterace/iterace/pta/flow"
)

// verdict grades a protection.
type verdict uint8

const (
	unprotected verdict = iota
	assumed             // if what is reached through the lock's owner is reached through it alone
	proven
)

// protected reports whether a lock of x must be a lock of y.
func (a *Analysis) protected(x *model.Access, hx []Held, y *model.Access, hy []Held) verdict {
	best := unprotected
	for i := range hx {
		for k := range hy {
			g, h := &hx[i], &hy[k]
			if !g.Write && !h.Write {
				continue // two readers do not exclude one another
			}
			if g.Once != h.Once {
				continue
			}
			if a.oneCell(g, h) {
				return proven
			}
			best = max(best, a.byPath(x, g, y, h))
		}
	}
	return best
}

// byPath decides whether to meet at the datum is to meet at the lock.
func (a *Analysis) byPath(x *model.Access, g *Held, y *model.Access, h *Held) verdict {
	dx, dy := a.addr(x), a.addr(y)
	if !g.Path.Known() || !h.Path.Known() || !dx.Known() || !dy.Known() {
		return unprotected
	}
	lx, px, okx := apart(g.Path, dx)
	ly, py, oky := apart(h.Path, dy)
	if !okx || !oky || lx != ly || px != py || strings.Contains(lx, "[v") || strings.Contains(lx, "[p") {
		return a.byIndex(dx, g, dy, h)
	}
	if through(lx) {
		return unprotected // the lock is behind a pointer that may be set anew
	}
	if through(px) {
		return assumed // (soundness: owner-lock)
	}
	return proven
}

func (a *Analysis) addr(x *model.Access) flow.Path {
	f := a.w.Flow(pta.InstID(x.Inst))
	if f == nil {
		return flow.Path{}
	}
	return f.Addr(ssair.Instr(x.Instr))
}

// apart splits lock and datum at their longest common base: what is selected
// from the base on either side. Indices in the datum's part do not matter.
func apart(lock, datum flow.Path) (l, d string, ok bool) {
	if lock.Root != datum.Root {
		return "", "", false
	}
	ls, ds := selectors(lock.Sels), selectors(datum.Sels)
	n := 0
	for n < len(ls) && n < len(ds) && ls[n] == ds[n] {
		n++
	}
	for _, s := range ds[n:] {
		if s[0] == '[' {
			s = "[]"
		} else if s[0] == '~' {
			s = "*"
		}
		d += s
	}
	return strings.Join(ls[n:], ""), d, true
}

// through reports whether selecting s loads a pointer on the way.
func through(s string) bool { return strings.ContainsAny(s, "*~") }

// selectors splits ".a[v1]*.b" into ".a", "[v1]", "*", ".b".
func selectors(s string) []string {
	var out []string
	depth, start := 0, 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '[':
			if depth == 0 && i > start {
				out, start = append(out, s[start:i]), i
			}
			depth++
		case ']':
			depth--
		case '.', '*', '~', '#':
			if depth == 0 && i > start {
				out, start = append(out, s[start:i]), i
			}
		}
	}
	if start < len(s) {
		out = append(out, s[start:])
	}
	return out
}

// byIndex decides for lock arrays: mu[k] guards d[k].
func (a *Analysis) byIndex(dx flow.Path, g *Held, dy flow.Path, h *Held) verdict {
	if !g.Elem || !h.Elem || len(g.Locs) != 1 || len(h.Locs) != 1 || g.Locs[0] != h.Locs[0] {
		return unprotected
	}
	if a.w.Object(g.Locs[0]).Many {
		return unprotected
	}
	ix, iy := lastIndex(g.Path.Sels), lastIndex(h.Path.Sels)
	if ix == "" || iy == "" {
		return unprotected
	}
	if strings.HasPrefix(ix, "[c:") && ix == iy {
		return proven // the same constant element
	}
	sx, sy := selectors(dx.Sels), selectors(dy.Sels)
	if len(sx) != len(sy) {
		return unprotected
	}
	for k := range sx {
		if sx[k] == ix && sy[k] == iy {
			return proven
		}
	}
	return unprotected
}

func lastIndex(s string) string {
	sel := selectors(s)
	for i := len(sel) - 1; i >= 0; i-- {
		if sel[i][0] == '[' {
			return sel[i]
		}
	}
	return ""
}

// describe lists locks for the report, each with a note on why it does not
// protect against an access that holds the others.
func (a *Analysis) describe(x *model.Access, hs, others []Held) []model.Lock {
	var out []model.Lock
	for i := range hs {
		h := &hs[i]
		l := model.Lock{Name: h.Name, Mode: "write", Pos: a.w.Pos(h.Acq.Inst, h.Acq.At)}
		if !h.Write {
			l.Mode = "read"
		}
		if l.Name == "" {
			l.Name = "lock"
		}
		l.Note = a.note(x, h, others)
		out = append(out, l)
	}
	return out
}

func (a *Analysis) note(x *model.Access, h *Held, others []Held) string {
	own := len(h.Locs) > 0
	copied := false
	for _, l := range h.Locs {
		o := a.w.Object(l)
		own = own && (o.Made != model.Main || o.Many && x.Thread != model.Main && o.Kind == "var")
		copied = copied || o.Kind == "var" && !strings.HasPrefix(strings.TrimLeft(o.Type, "*"), "sync.")
	}
	switch {
	case own && copied:
		return "copied by value"
	case own:
		return "one per iteration"
	}
	for k := range others {
		g := &others[k]
		if a.oneCell(h, g) {
			return "held for reading on both sides"
		}
		if mayAlias(h.Locs, g.Locs) {
			return "may be another lock"
		}
	}
	return ""
}

// why says in a line what locking there is.
func why(x, y []Held) string {
	switch {
	case len(x) == 0 && len(y) == 0:
		return "no lock is held at either access"
	case len(x) == 0 || len(y) == 0:
		h := x
		if len(h) == 0 {
			h = y
		}
		return fmt.Sprintf("%s is held at one access only", nameOf(&h[0]))
	}
	return fmt.Sprintf("%s and %s need not be the same lock", nameOf(&x[0]), nameOf(&y[0]))
}

func nameOf(h *Held) string {
	if h.Name == "" {
		return "a lock"
	}
	return h.Name
}
