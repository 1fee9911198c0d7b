package analyzer

import (
	"bytes"
	"testing"
)

// TestWorkers: the output does not show how many loops were worked on at the same
// time, nor what they share.
func TestWorkers(t *testing.T) {
	want := encode(t, allPrograms(t))
	for name, set := range map[string]func(*Config){
		"four":                    func(cfg *Config) { cfg.Workers = 4 },
		"one, and nothing shared": func(cfg *Config) { cfg.Workers, cfg.alone = 1, true },
	} {
		p, err := runPrograms(t, set)
		if err != nil {
			t.Fatal(err)
		}
		if got := encode(t, p); !bytes.Equal(got, want) {
			t.Errorf("with %s it differs: %s", name, firstDifference(got, want))
		}
	}
}
