package order

import (
	"strings"

	"github.com/iterace/iterace/model/library"
	"github.com/iterace/iterace/pta"
	"github.com/iterace/iterace/pta/flow"
)

// This file is about what leads to objects that a thread has given away, and what these lead
// to: with an object it has given away that, too.
//
//	ch <- j                for j := range ch {
//	j.tags["sent"] = "1"       print(j.tags["name"])
//	                       }
//
// Both sides come to the map by the same fields of one object. That another map was put
// there in between would be a race on the field.

// contentUsed reports whether x comes to something, after o, that the object of o leads
// to, and y by the same way to what the object leads to that its thread has taken. Of pools
// that is asked elsewhere, see misuse.go.
func (a *Analysis) contentUsed(o *op, x, y access) bool {
	return o.lib != library.OpPoolPut && a.reachedLater(a.putRootsOf(o), x, func(g, use rooted) bool {
		content, ok := contentOf(use, g.sels)
		return ok && a.takesContent(o, y, content)
	})
}

// keptInField reports whether x comes, after o, to what o gives away by the field that it
// was found in, and that still holds it:
//
//	b.out <- b.items
//	b.items = b.items[:0]
func (a *Analysis) keptInField(o *op, x access) bool {
	if !o.f.KeepsGone(o.site, o.k) {
		return false
	}
	return a.reachedLater(a.putRootsOf(o), x, func(g, use rooted) bool { return strings.HasPrefix(use.sels, g.sels) })
}

// takesContent reports whether y comes to something by a way from what its thread has
// taken where o gives it.
func (a *Analysis) takesContent(o *op, y access, content string) bool {
	for _, use := range a.useRootsOf(y) {
		at, made := (flow.Path{Root: use.root}).Made()
		if way, ok := contentOf(use, ""); !made || !ok || way != content {
			continue
		}
		if r := a.receivedFrom(pta.Site{Inst: use.Inst, At: at}); r != nil && overlaps(o.locs, r.locs) {
			return true
		}
	}
	return false
}

// contentOf returns the way by which a use comes from an object that it has at a path to
// the object that it touches; ok is false if that is the same.
func contentOf(use rooted, object string) (way string, ok bool) {
	way, ok = strings.CutPrefix(use.sels, object)
	end := strings.LastIndexByte(way, '*')
	return way[:end+1], ok && end >= 0
}
