package analyzer

import (
	"bytes"
	"testing"
)

// TestWorkers: the output does not show how many loops were worked on at the same
// time, nor what they share.
func TestWorkers(t *testing.T) {
	run := func(set func(*Config)) []byte {
		p, err := runPrograms(t, set)
		if err != nil {
			t.Fatal(err)
		}
		return encode(t, p)
	}
	one := run(func(cfg *Config) { cfg.Workers = 1 })
	if four := run(func(cfg *Config) { cfg.Workers = 4 }); !bytes.Equal(one, four) {
		t.Errorf("four workers differ from one: %s", firstDifference(four, one))
	}
	if alone := run(func(cfg *Config) { cfg.Workers, cfg.alone = 1, true }); !bytes.Equal(one, alone) {
		t.Errorf("loops that share what they do to locks differ from those that do not: %s", firstDifference(one, alone))
	}
}
