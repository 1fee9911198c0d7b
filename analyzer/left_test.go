package analyzer

import (
	"strings"
	"testing"
)

// TestLeftInPool has an entry point that leaves what it is given: in a pool, or in a variable. Who gets it from
// the pool has it alone, as what the program itself has put there (soundness: tenure).
func TestLeftInPool(t *testing.T) {
	t.Parallel()
	const text = `package p

import "sync"

var (
	rooms = sync.Pool{New: func() any { return &room{} }}
	last  *room
)

type room struct{ cursor Cursor }

type Cursor struct {
	room *room
	over *Patch
}

type Patch struct{ n int }

func open(over *Patch) *Cursor {
	r := GET
	c := &r.cursor
	*c = Cursor{room: r, over: over}
	return begin(r)
}

func begin(r *room) *Cursor {
	c := &r.cursor
	if c.over != nil {
		c.over.n++
	}
	return c
}

func (c *Cursor) Close() {
	if r := c.room; r != nil {
		*r = room{}
		LEAVE
	}
}

// Set is an entry point: it starts a goroutine.
func (c *Cursor) Set(over *Patch) {
	go print(1)
	c.over = over
	begin(c.room)
	c.Close()
}

func Use() {
	for range 3 {
		go func() { open(nil).Close() }()
	}
}
`
	for _, test := range []struct {
		leave, get string
		found      bool
	}{
		{"rooms.Put(r)", "rooms.Get().(*room)", false},
		{"last = r", "last", true},
	} {
		text := strings.NewReplacer("LEAVE", test.leave, "GET", test.get).Replace(text)
		res, err := Run(&Config{Dir: writeFiles(t, map[string]string{"go.mod": "module m\n\ngo 1.26\n", "p.go": text})})
		if err != nil {
			t.Fatal(err)
		}
		found := false
		for _, r := range res.Reports {
			found = found || r.Object.Kind == "parameter"
		}
		if found != test.found {
			t.Errorf("%s: a race on what Set is given: %t, want %t", test.leave, found, test.found)
		}
	}
}
