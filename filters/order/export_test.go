package order

import (
	"github.com/iterace/iterace/filters/locks"
	"github.com/iterace/iterace/model"
)

// NewPlain is New with walks that find everything out for themselves: the oracle of
// those that ask first where something is awaited, and share tables.
func NewPlain(w World, l *locks.Analysis, rs *model.RaceSet) *Analysis {
	a := New(w, l, rs)
	a.plain = true
	return a
}
