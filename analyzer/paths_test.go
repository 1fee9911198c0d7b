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

// TestPathOfOther: the path to an access of a goroutine that another loop starts begins where that
// starts it, and not in code beside it that comes to the access by a shorter way.
func TestPathOfOther(t *testing.T) {
	begins, other := 0, 0
	for _, r := range allPrograms(t).races {
		if r.Other == nil || r.Other.Kind != "go" || len(r.B.Path) == 0 {
			continue
		}
		if r.B.Path[0].Call == r.Other.Spawn {
			begins++
			continue
		}
		if other++; other < 5 {
			t.Logf("%v with %v, started at %v: path %v", r.A.Pos, r.B.Pos, r.Other.Spawn, r.B.Path)
		}
	}
	if begins == 0 || other > 0 {
		t.Errorf("%d paths begin where the goroutine is started, %d elsewhere", begins, other)
	}
}
