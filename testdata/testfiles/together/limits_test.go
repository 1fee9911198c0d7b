package together

import (
	"flag"
	"testing"
)

var kept *Conf

// What a test that is not parallel makes and leaves is not there for those that are.
func TestTG12_setBySerial(t *testing.T) {
	kept = &Conf{} // norace
}

func TestFN_TG12_sets(t *testing.T) {
	t.Parallel()
	kept.Level = 1 // missed kept.Level; nothing in the program of parallel tests sets kept
}

func TestFN_TG12_setsToo(t *testing.T) {
	t.Parallel()
	kept.Level = 2 // missed kept.Level; see above
}

// A variable that only a library mentions does not make tests be looked at.
func TestFN_TG13_setByLibrary(t *testing.T) {
	t.Parallel()
	flag.Set("level", "1") // missed CommandLine; flag's own variable, which nothing here mentions
}

func TestFN_TG13_setByLibraryToo(t *testing.T) {
	t.Parallel()
	flag.Set("level", "2") // missed CommandLine; see above
}

var defaults = struct {
	title string
	n     int
}{title: "a"}

// Nobody sets the title, but a test does not show that.
func TestFP_TG14_fills(t *testing.T) {
	t.Parallel()
	if defaults.title != "a" {
		defaults.n = 1 // race defaults.n; a branch on what tests do not set counts as one that may be taken
	}
}

func TestTG14_fillsToo(t *testing.T) {
	t.Parallel()
	if defaults.title != "a" {
		defaults.n = 2 // race defaults.n; see above
	}
}
