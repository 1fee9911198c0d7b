// Package together has tests that run at the same time, since they call t.Parallel, and meet at
// package variables.
package together

// Conf is what TG10 sets deep below its tests.
type Conf struct{ Level int }

// Default is set by tests of TG11.
var Default int

// A Store is made by each test for itself.
type Store struct {
	n    int
	rows map[string]int
}

// NewStore makes one.
func NewStore() *Store { return &Store{rows: make(map[string]int)} }

// Add writes.
func (s *Store) Add(k string) {
	s.n++       // norace
	s.rows[k]++ // norace
}
