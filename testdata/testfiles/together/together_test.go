package together

import (
	"os"
	"testing"
)

var (
	written, before, twice, either, serial, helped, inHelper, alone, config int
	table                                                                   = map[string]int{"a": 1, "b": 2}
	cache                                                                   map[string]int
	current                                                                 = &Conf{}
)

// One writes what another one reads.
func TestTG1_writes(t *testing.T) {
	t.Parallel()
	written = 1 // race! written
}

func TestTG1_reads(t *testing.T) {
	t.Parallel()
	if written > 1 { // race! written
		t.Error("set")
	}
}

// Until it calls Parallel a test runs alone.
func TestTG2_setsBefore(t *testing.T) {
	before = 1 // norace
	t.Parallel()
}

func TestTG2_setsBeforeToo(t *testing.T) {
	before = 2 // norace
	t.Parallel()
	if before > 1 { // norace
		t.Error("set")
	}
}

// What comes before and after the call is not before it.
func TestTG2b_setsBoth(t *testing.T) {
	twice = 1 // norace
	t.Parallel()
	twice = 2 // race! twice
}

func TestTG2b_reads(t *testing.T) {
	t.Parallel()
	if twice > 1 { // race! twice
		t.Error("set")
	}
}

// A test that may call Parallel may run beside others.
func TestTG2c_mayBeParallel(t *testing.T) {
	if !testing.Short() {
		t.Parallel()
	}
	either = 1 // race! either
}

func TestTG2c_reads(t *testing.T) {
	t.Parallel()
	if either > 1 { // race! either
		t.Error("set")
	}
}

// A test that does not call Parallel runs before those that do go on.
func TestTG3_serial(t *testing.T) {
	serial = 1 // norace
}

func TestTG3_reads(t *testing.T) {
	t.Parallel()
	if serial > 1 { // norace
		t.Error("set")
	}
}

func TestTG3_readsToo(t *testing.T) {
	t.Parallel()
	if serial > 1 { // norace
		t.Error("set")
	}
}

// What a helper calls counts, and what it does before that comes before.
func setup(t *testing.T) {
	t.Helper()
	inHelper++ // norace
	t.Parallel()
}

func TestTG4_writes(t *testing.T) {
	setup(t)
	helped = 1 // race! helped
}

func TestTG4_reads(t *testing.T) {
	setup(t)
	if helped > 1 { // race! helped
		t.Error("set")
	}
}

// Each has a store of its own, though one line makes them all.
func TestTG5_ownStore(t *testing.T) {
	t.Parallel()
	s := NewStore()
	s.Add("a")
}

func TestTG5_ownStoreToo(t *testing.T) {
	t.Parallel()
	s := NewStore()
	s.Add("b")
}

// All read a table that nobody writes.
func TestTG6_reads(t *testing.T) {
	t.Parallel()
	if table["a"] != 1 { // norace
		t.Error("a")
	}
}

func TestTG6_readsToo(t *testing.T) {
	t.Parallel()
	for k, v := range table { // norace
		t.Log(k, v)
	}
}

// One test does not run beside itself: -count runs it again when all are done.
func TestTG7_alone(t *testing.T) {
	t.Parallel()
	alone++ // norace
}

// What TestMain sets is there before all tests.
func TestMain(m *testing.M) {
	config = 1 // norace
	os.Exit(m.Run())
}

func TestTG8_reads(t *testing.T) {
	t.Parallel()
	if config > 1 { // norace
		t.Error("set")
	}
}

// What is made by the first who asks is made by both.
func TestTG9_asks(t *testing.T) {
	t.Parallel()
	cached("a")
}

func cached(k string) int {
	if cache == nil { // race! cache
		cache = make(map[string]int) // race! cache
	}
	return cache[k] // race! cache
}

func TestTG9_asksToo(t *testing.T) {
	t.Parallel()
	if cache == nil { // race! cache
		cached("b")
	}
}

// The code under test writes.
func TestTG10_sets(t *testing.T) {
	t.Parallel()
	setLevel(1)
}

func setLevel(n int) { current.set(n) }

func (c *Conf) set(n int) { c.Level = n } // race! current.Level

func TestTG10_asks(t *testing.T) {
	t.Parallel()
	if current.Level > 1 { // race! current.Level
		t.Error("level")
	}
}

func TestTG11_inside(t *testing.T) {
	t.Parallel()
	if Default > 1 { // race! Default
		t.Error("set")
	}
}
