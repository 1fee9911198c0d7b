package analyzer

import (
	"strings"
	"testing"
)

// TestPathWithoutLock: of two ways to an access the shorter one holds a lock; as the access
// is said to hold none, the other way is the one that is shown.
func TestPathWithoutLock(t *testing.T) {
	found := false
	for _, r := range allPrograms(t).races {
		if r.Object.Name != "farState" {
			continue
		}
		found = true
		if n := len(r.A.Path); n == 0 || !strings.HasSuffix(r.A.Path[n-1].Func, ".farReset") || r.A.Path[n-1].Call.Line < 60 {
			t.Errorf("%v: path %v, want the one by farReset5, without the lock", r.A.Pos, r.A.Path)
		}
	}
	if !found {
		t.Error("no race on farState")
	}
}
