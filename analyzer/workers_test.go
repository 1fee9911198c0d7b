package analyzer

import (
	"bytes"
	"testing"
)

// TestWorkers: the output does not show how many loops were worked on at the same
// time.
func TestWorkers(t *testing.T) {
	out := make(map[int][]byte)
	for _, workers := range []int{1, 4} {
		p, err := runPrograms(t, func(cfg *Config) { cfg.Workers = workers })
		if err != nil {
			t.Fatal(err)
		}
		out[workers] = encode(t, p)
	}
	if !bytes.Equal(out[1], out[4]) {
		t.Errorf("four workers differ from one: %s", firstDifference(out[4], out[1]))
	}
}
