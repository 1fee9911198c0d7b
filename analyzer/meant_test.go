package analyzer

import (
	"testing"

	"github.com/iterace/iterace/model"
)

// Two locks that have one name may be one, which points-to does not know.
func TestMeantTwoLocks(t *testing.T) {
	lock := func(name string) side { return side{write: true, names: []string{name}, direct: true} }
	for _, test := range []struct {
		a, b side
		want bool
	}{
		{lock("lowMu"), lock("highMu"), true},
		{lock("mu"), lock("mu"), false},
		{side{read: true, names: []string{"mu"}, direct: true}, lock("mu"), false},
	} {
		race := &model.Race{A: &model.Access{Kind: model.Write}, B: &model.Access{Kind: model.Write}}
		m := new(meant)
		if m.shows(race, &test.a, &test.b) != test.want || m.shows(race, &test.b, &test.a) != test.want {
			t.Errorf("locks %v and %v: want %v", test.a.names, test.b.names, test.want)
		}
	}
}

func TestSaysAlone(t *testing.T) {
	for text, want := range map[string]bool{
		"It is not safe for concurrent use.":                 true,
		"A Reader is not goroutine-safe":                     true,
		"It must not be called concurrently.":                true,
		"Use must be called before Start.":                   true,
		"SetLogger should only be called once":               true,
		"It is safe for concurrent use.":                     false,
		"Get returns the value, or false if it is not there": false,
		"It may be called by several goroutines.":            false,
	} {
		if forOne.MatchString(text) != want {
			t.Errorf("%q: want %v", text, want)
		}
	}
}
