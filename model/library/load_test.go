package library

import (
	"iter"
	"maps"
	"testing"
)

func mustLoad(t *testing.T) *Model {
	t.Helper()
	m, err := Load(Options{})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func mapKeys[V any](m map[string]V) iter.Seq[string] { return maps.Keys(m) }
