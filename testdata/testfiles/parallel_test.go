// Package testfiles holds programs whose parallel loops are tests and
// benchmarks.
package testfiles

import (
	"sync"
	"testing"
)

// Parallel subtests overlap each other.
func TestB10_parallelSubtests(t *testing.T) {
	seen := 0
	for _, name := range []string{"a", "b", "c"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			seen += len(name) // race! seen
		})
	}
}

// A parallel subtest goes on when the test has returned, and before it is
// parallel it runs alone.
func TestB10_subtestGoesOnLater(t *testing.T) {
	started, limit := 0, 0
	for _, name := range []string{"a", "b", "c"} {
		t.Run(name, func(t *testing.T) {
			started++ // norace
			t.Parallel()
			if len(name) > limit { // norace
				t.Error(name)
			}
		})
		limit++ // norace
	}
	defer func() { limit = 9 }() // norace
	if started != 3 {            // norace
		t.Error(started)
	}
}

// What the test starts does not wait for it.
func TestB10_goroutineBesideSubtests(t *testing.T) {
	limit := 0
	for _, name := range []string{"a", "b", "c"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if len(name) > limit { // race! limit
				t.Error(name)
			}
		})
	}
	go func() {
		limit = 9 // race! limit
	}()
}

// Subtests without Parallel run one after the other.
func TestB10_sequentialSubtests(t *testing.T) {
	seen := 0
	for _, name := range []string{"a", "b", "c"} {
		t.Run(name, func(t *testing.T) {
			seen += len(name) // norace
		})
	}
	if seen != 3 {
		t.Error(seen) // norace
	}
}

// Each parallel subtest has its own entry of the table.
func TestB10_tableOfSubtests(t *testing.T) {
	tests := []struct {
		name string
		got  int
	}{{"a", 0}, {"b", 0}}
	for i := range tests {
		tt := &tests[i]
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			tt.got = len(tt.name) // norace
		})
	}
}

// A parallel subtest reports through its own t, and reads shared input.
func TestB10_readOnlyInput(t *testing.T) {
	input := map[string]int{"a": 1}
	for _, name := range []string{"a", "b"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if input[name] > 1 { // norace
				t.Errorf("%s: %d", name, input[name])
			}
		})
	}
}

// RunParallel calls its body on many goroutines.
func BenchmarkB10_runParallel(b *testing.B) {
	total := 0
	b.RunParallel(func(pb *testing.PB) {
		own := 0
		for pb.Next() {
			own++   // norace
			total++ // race! total
		}
	})
}

// Each goroutine of RunParallel counts for itself, and adds under a lock.
func BenchmarkB10_runParallelLocked(b *testing.B) {
	var mu sync.Mutex
	total := 0
	b.RunParallel(func(pb *testing.PB) {
		own := 0
		for pb.Next() {
			own++ // norace
		}
		mu.Lock()
		total += own // norace
		mu.Unlock()
	})
}

// A goroutine of a test writes what the test reads after Wait.
func TestB10_goroutineInTest(t *testing.T) {
	got, early := 0, 0
	var wg sync.WaitGroup
	wg.Go(func() {
		got = 1   // norace
		early = 1 // race! early
	})
	if early > 1 { // race! early
		t.Error("early")
	}
	wg.Wait()
	if got != 1 { // norace
		t.Error(got)
	}
}

// A body that is a value of a variable is taken to run to its end in Run, even
// if one of the functions that it may be goes parallel.
func TestB10_unknownSubtest(t *testing.T) {
	seen := 0
	body := func(t *testing.T) {
		t.Parallel()
		seen++ // missed seen; the body of a subtest is looked at where the call names it
	}
	if testing.Short() {
		body = func(t *testing.T) {}
	}
	for _, name := range []string{"a", "b"} {
		t.Run(name, body)
	}
}

// A helper that gets the T may be what calls Parallel.
func TestB10_parallelInHelper(t *testing.T) {
	seen := 0
	for _, name := range []string{"a", "b"} {
		t.Run(name, func(t *testing.T) {
			setUp(t)
			seen += len(name) // race! seen
		})
	}
}

func setUp(t *testing.T) {
	t.Helper()
	t.Parallel()
}

// Who calls it has waited for the goroutines when it returns.
func BenchmarkPP1_helperWaits(b *testing.B) {
	limit := new(int)
	*limit = 3 // norace
	within(b, limit)
	*limit = 4 // norace
	for *limit = range 3 {
		func() { within(b, limit) }()
	}
}

func within(b *testing.B, limit *int) {
	b.RunParallel(func(pb *testing.PB) {
		for n := 0; pb.Next(); n++ {
			if n > *limit { // norace
				return
			}
		}
	})
	*limit = 5 // norace
}

// What those start goes on.
func BenchmarkPP1b_startedWithin(b *testing.B) {
	limit := new(int)
	startWithin(b, limit)
	*limit = 4 // race! limit
}

func startWithin(b *testing.B, limit *int) {
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			go func() {
				if *limit > 3 { // race! limit
					b.Error("more")
				}
			}()
		}
	})
}
