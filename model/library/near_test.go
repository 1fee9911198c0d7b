package library

import (
	"slices"
	"strings"
	"testing"
)

// Names as people write them mean what the model calls so.
func TestMeant(t *testing.T) {
	m := mustLoad(t)
	for _, test := range []struct{ name, want string }{
		{"sync.Map.Load", "sync.Map.Load"},
		{"(*sync.Map).Load", "sync.Map.Load"},
		{"sync.(*Map).Load", "sync.Map.Load"},
		{"*sync.Map", "sync.Map"},
		{"net/http.Client.Do", "net/http.Client.Do"},
		{"net/http.(*Client).Do", "net/http.Client.Do"},
		{"http.Client.Do", "net/http.Client.Do"},
		{"http.Client.Do()", "net/http.Client.Do"},
		{"(*http.Client).Do", "net/http.Client.Do"},
		{"atomic.Pointer[T].Store", "sync/atomic.Pointer.Store"},
		{"errgroup.Group.Go", "golang.org/x/sync/errgroup.Group.Go"},
		{" fmt.Println ", "fmt.Println"},
		{"http", "net/http"},

		// Two packages of one name, the one with an entry counts.
		{"rand.NewPCG", "math/rand/v2.NewPCG"},

		// Not known: as it is.
		{"example.com/x.(*T).M", "example.com/x.T.M"},
		{"nosuch.F", "nosuch.F"},
		{"", ""},
	} {
		got := m.Meant(test.name)
		if !slices.Contains(got, test.want) || len(got) > 1 && !strings.HasPrefix(test.name, "rand") {
			t.Errorf("Meant(%q) = %q, want %s", test.name, got, test.want)
		}
	}
}

func TestNear(t *testing.T) {
	m := mustLoad(t)
	for _, test := range []struct{ name, want string }{
		{"sync.Mutex.lock", "sync.Mutex.Lock"},
		{"sync.Mutx.Lock", "sync.Mutex.Lock"},
		{"fmt.Pritnln", "fmt.Println"},
		{"snyc.Mutex.Lock", "sync.Mutex.Lock"},
		{"golang.org/x/errgroup.Group.Go", "golang.org/x/sync/errgroup.Group.Go"},
	} {
		got := m.Near(test.name)
		if !slices.Contains(got, test.want) || len(got) > 5 {
			t.Errorf("Near(%q) = %q, want %s", test.name, got, test.want)
		}
	}
	if got := m.Near("example.com/x.Quasiperiodic"); len(got) > 0 {
		t.Errorf("near to nothing: %q", got)
	}
}

func TestDistance(t *testing.T) {
	for _, test := range []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"", "ab", 2}, {"ab", "ab", 0}, {"ab", "ba", 1}, {"abc", "ac", 1},
		{"lock", "unlock", 2}, {"pritnln", "println", 1}, {"kitten", "sitting", 3},
	} {
		if got := distance(test.a, test.b); got != test.want {
			t.Errorf("distance(%s, %s) = %d, want %d", test.a, test.b, got, test.want)
		}
		if got := distance(test.b, test.a); got != test.want {
			t.Errorf("distance(%s, %s) = %d, want %d", test.b, test.a, got, test.want)
		}
	}
}

// A stub is a valid model file, with an entry for each unknown function; what
// is called most comes first.
func TestStub(t *testing.T) {
	m := mustLoad(t)
	text := m.Stub([]Use{
		{"fmt.Println", 9, "a.go:1", "never"},
		{"example.com/x.F", 1, "a.go:2", "no Go body"},
		{"(*example.com/x.T[int]).M", 2, "a.go:3", "no Go body"},
		{"(*example.com/x.T).M", 2, "a.go:4", "no Go body"},
		{"(*gopkg.in/y.v3.D).M", 7, "a.go:5", "no Go body"},
		{"example.com/x.F$1", 7, "a.go:6", "no Go body"},
	})
	again := mustLoadText(t, text)
	for _, name := range []string{"example.com/x.F", "example.com/x.T.M", "gopkg.in/y.v3.D.M"} {
		if !again.Known(name) {
			t.Errorf("no stub for %s:\n%s", name, text)
		}
	}
	if strings.Contains(text, "Println") || strings.Count(text, "[[package.func]]") != 3 {
		t.Errorf("stubs:\n%s", text)
	}
	last := -1
	for _, part := range []string{
		"gopkg.in/y.v3", "# 7 calls, the first at a.go:5: no Go body\n[[package.func]]\nname = \"D.M\"",
		"example.com/x", "# 4 calls, the first at a.go:3", "# 1 call, the first at a.go:2",
	} {
		i := strings.Index(text, part)
		if i <= last {
			t.Errorf("%q is missing, or not in its place:\n%s", part, text)
		}
		last = i
	}
}
