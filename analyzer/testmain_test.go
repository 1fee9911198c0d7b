package analyzer

import (
	"testing"
)

// TestTestMain: what TestMain makes is there beside what a test makes, with a lock
// of its own.
func TestTestMain(t *testing.T) {
	t.Parallel()
	dir := writeFiles(t, map[string]string{
		"go.mod": "module m\n\ngo 1.26\n",
		"m.go": `package m

import "sync"

type box struct {
	mu  sync.Mutex
	buf []int
}

type filler struct{ buf []int }

func (f *filler) fill() { f.buf[0]++ }

func newBox(buf []int) *box { return &box{buf: buf} }

func (b *box) once() {
	b.mu.Lock()
	f := &filler{b.buf}
	f.fill()
	b.mu.Unlock()
}
`,
		"m_test.go": `package m

import (
	"os"
	"testing"
)

var shared *box

func TestMain(m *testing.M) {
	shared = newBox(make([]int, 4))
	os.Exit(m.Run())
}

func TestBoth(t *testing.T) {
	own := newBox(shared.buf)
	for _, p := range [][2]*box{{shared, own}, {own, shared}} {
		done := make(chan bool)
		go func() {
			p[0].once()
			close(done)
		}()
		p[1].once()
		<-done
	}
}
`,
	})
	res, err := Run(&Config{Dir: dir, Patterns: []string{"./..."}, Tests: true})
	if err != nil {
		t.Fatal(err)
	}
	if len(res.Reports) == 0 {
		t.Error("the two locks are taken for one")
	}
}

// TestTestMainApart: what TestMain does is not done beside a test's parallel subtests, though it does so by a function that the
// test calls, too, and starts a goroutine, so that the test comes after it.
func TestTestMainApart(t *testing.T) {
	t.Parallel()
	dir := writeFiles(t, map[string]string{
		"go.mod": "module m\n\ngo 1.26\n",
		"m_test.go": `package m

import (
	"os"
	"testing"
)

var current, other *int

func TestMain(m *testing.M) {
	set(new(int))
	go func() { println("tests run") }()
	os.Exit(m.Run())
}

func set(n *int) { current = n }

func TestAll(t *testing.T) {
	for range 2 {
		t.Run("with one", func(t *testing.T) {
			set(new(int))
			t.Cleanup(func() { set(nil) })
			t.Run("readers", readers)
		})
	}
}

func readers(t *testing.T) {
	t.Run("a", read)
	t.Run("b", read)
}

func read(t *testing.T) {
	t.Parallel()
	println(current, other)
	other = new(int)
}
`,
	})
	res, err := Run(&Config{Dir: dir, Patterns: []string{"./..."}, Tests: true})
	if err != nil {
		t.Fatal(err)
	}
	own := false
	for _, rep := range res.Final(nil) {
		switch rep.Object.Name {
		case "current":
			t.Error("what TestMain does is reported")
		case "other":
			own = true
		}
	}
	if !own {
		t.Error("the race of two subtests is not reported")
	}
}
