// Package parts has tests that run at the same time, of which subtests, cleanups and goroutines
// are part.
package parts

import (
	"sync"
	"testing"
)

var (
	bySubtest, inOwnSubtest, byParallel, ofSerial, cleaned, cleanedAlone, left, waited, shared int
	set                                                                                        map[string]int
)

// Subtests are part of the test.
func TestTG20_subtestWrites(t *testing.T) {
	t.Parallel()
	t.Run("a", func(t *testing.T) {
		bySubtest = 1 // race! bySubtest
	})
}

func TestTG20_reads(t *testing.T) {
	t.Parallel()
	if bySubtest > 1 { // race! bySubtest
		t.Error("set")
	}
}

// A test and its subtests run one after the other.
func TestTG20b_ownSubtests(t *testing.T) {
	t.Parallel()
	inOwnSubtest = 1 // norace
	t.Run("a", func(t *testing.T) {
		inOwnSubtest = 2 // norace
	})
	if inOwnSubtest > 1 { // norace
		t.Log("set")
	}
}

// Parallel subtests of a parallel test run beside other tests.
func TestTG21_parallelSubtest(t *testing.T) {
	t.Parallel()
	t.Run("a", func(t *testing.T) {
		t.Parallel()
		byParallel = 1 // race! byParallel
	})
}

func TestTG21_reads(t *testing.T) {
	t.Parallel()
	if byParallel > 1 { // race! byParallel
		t.Error("set")
	}
}

// Parallel subtests of one that is not parallel are over when it is.
func TestTG21b_serial(t *testing.T) {
	t.Run("a", func(t *testing.T) {
		t.Parallel()
		ofSerial = 1 // norace
	})
}

func TestTG21b_reads(t *testing.T) {
	t.Parallel()
	if ofSerial > 1 { // norace
		t.Error("set")
	}
}

// What a test registers to be cleaned up is done while others run.
func TestTG22_cleansUp(t *testing.T) {
	t.Parallel()
	t.Cleanup(func() { cleaned = 0 }) // race! cleaned
}

func TestTG22_reads(t *testing.T) {
	t.Parallel()
	if cleaned > 1 { // race! cleaned
		t.Error("set")
	}
}

// So it is if it is registered before the test is parallel.
func TestTG22b_registersBefore(t *testing.T) {
	cleanedAlone = 1                       // norace
	t.Cleanup(func() { cleanedAlone = 0 }) // race! cleanedAlone
	t.Parallel()
}

func TestTG22b_reads(t *testing.T) {
	t.Parallel()
	if cleanedAlone > 1 { // race! cleanedAlone
		t.Error("set")
	}
}

// A goroutine that is started before the test is parallel goes on meanwhile.
func TestTG23_leaves(t *testing.T) {
	go func() {
		left = 1 // race! left
	}()
	t.Parallel()
}

func TestTG23_reads(t *testing.T) {
	t.Parallel()
	if left > 1 { // race! left
		t.Error("set")
	}
}

// One that is waited for does not, but that is not looked for.
func TestTG23b_waits(t *testing.T) {
	var wg sync.WaitGroup
	wg.Go(func() {
		waited = 1 // race waited; a goroutine of the test may go on when that is parallel
	})
	wg.Wait()
	t.Parallel()
}

func TestTG23b_reads(t *testing.T) {
	t.Parallel()
	if waited > 1 { // race waited; see above
		t.Error("set")
	}
}

// A goroutine of a parallel test runs beside other tests.
func TestTG24_starts(t *testing.T) {
	t.Parallel()
	var wg sync.WaitGroup
	wg.Go(func() {
		shared++ // race! shared
	})
	wg.Wait()
}

func TestTG24_startsToo(t *testing.T) {
	t.Parallel()
	var wg sync.WaitGroup
	wg.Go(func() {
		shared++ // race! shared
	})
	wg.Wait()
}

// The variable holds what one of them has made.
func TestTG25_makes(t *testing.T) {
	t.Parallel()
	set = map[string]int{} // race! set
	set["a"] = 1           // race! set
}

func TestTG25_fills(t *testing.T) {
	t.Parallel()
	set["b"] = 2 // race! set
}
