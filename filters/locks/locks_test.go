package locks_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/iterace/iterace/filters/internal/smallworld"
	"github.com/iterace/iterace/filters/locks"
	"github.com/iterace/iterace/model"
)

// prelude is what the bodies of the tables may use.
const prelude = `package p

import "sync"

type fault struct{}

func (fault) Error() string { return "" }

var c bool
var gmu sync.Mutex

type box struct {
	mu sync.Mutex
	x  int
}

func (b *box) safe()        { b.mu.Lock(); b.x = 1; b.mu.Unlock() }
func (b *box) lock()        { b.mu.Lock() }
func (b *box) unlock()      { b.mu.Unlock() }
func locked(l *sync.Mutex, f func()) { l.Lock(); defer l.Unlock(); f() }
func nop()                  {}
func global(p *int)         { gmu.Lock(); defer gmu.Unlock(); *p = 2 }
func twice(p *int, l *sync.Mutex) { l.Lock(); *p = 3; l.Unlock() }
func bare(p *int)           { *p = 4 }
func broken(l *sync.Mutex)  { l.Unlock(); l.Lock() }
func pause(l *sync.Mutex, c bool) { if c { l.Unlock(); l.Lock() } }
func leave(l *sync.Mutex, c bool) { if c { l.Unlock(); l.Lock(); l.Unlock() } }
func got(l *sync.Mutex) bool { if c { l.Lock(); return true }; return false }
func kept(l *sync.Mutex) bool { if c { l.Unlock(); return false }; return true }
func passed(l *sync.Mutex) bool { if c { return kept(l) }; return true }
func tried(l *sync.Mutex) (int, error) { if c { return 0, fault{} }; l.Lock(); return 1, nil }
func rec(p *int, n int)     { *p = 5; if n > 0 { rec(p, n-1) } }
func recLock(l *sync.Mutex, n int)   { if n > 0 { recLock(l, n-1); return }; l.Lock() }
func recUnlock(l *sync.Mutex, n int) { if n > 0 { recUnlock(l, n-1); return }; l.Unlock() }

var _ = []any{locked, nop, global, twice, bare, broken, pause, leave, got, kept, passed, tried, rec, recLock, recUnlock}

func Test() {
	var mu, mu2 sync.Mutex
	var rw sync.RWMutex
	var l sync.Locker = &mu
	var x int
	var b box
	use(&mu, &mu2, &rw, &x, &b, l)
	for i := range 10 {
		go func() {
			_ = i
			BODY
		}()
	}
}
func use(...any) {}
`

var locksetTests = []struct{ body, at, want string }{
	// T59, T62, T67: not held.
	{`x = 1`, "x = 1", "{}"},
	{`x = 1; mu.Lock(); mu.Unlock()`, "x = 1", "{}"},
	{`mu.Lock(); nop(); mu.Unlock(); x = 1; nop()`, "x = 1", "{}"},
	// T60, T71: held from the start, with a deferred unlock.
	{`mu.Lock(); defer mu.Unlock(); x = 1`, "x = 1", "{mu}"},
	// T61, T74, T75: a mutex of the iteration is held all the same.
	{`var own sync.Mutex; mine := &own; use(mine); mine.Lock(); x = 1; mine.Unlock()`, "x = 1", "{own}"},
	// T63, T64: nested.
	{`mu.Lock(); mu2.Lock(); mu2.Unlock(); x = 1; mu.Unlock()`, "x = 1", "{mu}"},
	{`mu.Lock(); mu2.Lock(); x = 1; mu2.Unlock(); mu.Unlock()`, "x = 1", "{mu mu2}"},
	// T65: one lock in the caller, one in the callee.
	{`mu.Lock(); twice(&x, &mu2); mu.Unlock()`, "*p = 3", "{l mu}"},
	// T66: the callee runs under the lock and without it; the caller's own
	// access keeps the lock (valid paths).
	{`mu.Lock(); nop(); x = 1; mu.Unlock(); nop()`, "x = 1", "{mu}"},
	{`mu.Lock(); twice(&x, &mu2); x = 1; mu.Unlock(); twice(&x, &mu2)`, "x = 1", "{mu}"},
	// T68, T69: a mutex from outside, access here and in a helper.
	{`mu.Lock(); bare(&x); mu.Unlock()`, "*p = 4", "{mu}"},
	// T72: a method that locks its receiver's own mutex.
	{`b.safe()`, "b.x = 1", "{b.mu}"},
	{`p := new(box); p.safe()`, "b.x = 1", "{b.mu}"},
	// T73: a package-level mutex.
	{`global(&x)`, "*p = 2", "{gmu}"},

	// Acquired and released by a callee.
	{`b.lock(); b.x = 2; b.unlock()`, "b.x = 2", "{b.mu}"},
	{`b.lock(); b.unlock(); b.x = 2`, "b.x = 2", "{}"},
	// A callee that unlocks and locks again leaves the lock held, on whichever path.
	{`mu.Lock(); broken(&mu); x = 1; mu.Unlock()`, "x = 1", "{mu}"},
	{`mu.Lock(); pause(&mu, c); x = 1; mu.Unlock()`, "x = 1", "{mu}"},
	{`mu.Lock(); leave(&mu, c); x = 1`, "x = 1", "{}"},
	{`mu.Lock(); leave(&mu, c); pause(&mu, c); x = 1`, "x = 1", "{}"},
	// A callee whose result says whether the lock is held.
	{`if got(&mu) { x = 1 }`, "x = 1", "{l}"},
	{`if !got(&mu) { return }; x = 1`, "x = 1", "{l}"},
	{`if got(&mu) { return }; x = 1`, "x = 1", "{}"},
	{`got(&mu); x = 1`, "x = 1", "{}"},
	{`ok := got(&mu); x = 1; _ = ok`, "x = 1", "{}"},
	{`mu.Lock(); if kept(&mu) { x = 1 }`, "x = 1", "{mu}"},
	{`mu.Lock(); if !kept(&mu) { x = 1 }`, "x = 1", "{}"},
	{`mu.Lock(); for passed(&mu) { x = 1 }`, "x = 1", "{mu}"},
	{`mu.Lock(); if passed(&mu) { return }; x = 1`, "x = 1", "{}"},
	{`if _, err := tried(&mu); err == nil { x = 1 }`, "x = 1", "{l}"},
	{`if _, err := tried(&mu); err != nil { x = 1 }`, "x = 1", "{}"},
	// Who does not look must know that it is; a result that is looked at later may tell.
	{`mu.Lock(); kept(&mu); x = 1`, "x = 1", "{mu}"},
	{`mu.Lock(); ok := kept(&mu); x = 1; if ok { mu.Unlock() }`, "x = 1", "{}"},
	// A helper that holds the lock around its callback.
	{`locked(&mu, func() { x = 1 })`, "x = 1", "{l}"},
	// Held on one path only.
	{`if c { mu.Lock() }; x = 1`, "x = 1", "{}"},
	{`mu.Lock(); if c { mu.Unlock() }; x = 1`, "x = 1", "{}"},
	{`if c { mu.Lock() } else { mu.Lock() }; x = 1`, "x = 1", "{mu}"},
	{`for c { mu.Lock(); x = 1; mu.Unlock() }`, "x = 1", "{mu}"},
	{`for c { x = 1; mu.Lock() }`, "x = 1", "{}"},
	// TryLock holds where it succeeded.
	{`if mu.TryLock() { x = 1 }`, "x = 1", "{mu}"},
	{`if !mu.TryLock() { return }; x = 1`, "x = 1", "{mu}"},
	{`if mu.TryLock() { }; x = 1`, "x = 1", "{}"},
	{`ok := mu.TryLock(); x = 1; _ = ok`, "x = 1", "{}"},
	// Read mode.
	{`rw.RLock(); x = 1; rw.RUnlock()`, "x = 1", "{rw:read}"},
	{`if c { rw.RLock() } else { rw.Lock() }; x = 1`, "x = 1", "{rw:read}"},
	{`rw.RLock(); rw.RUnlock(); rw.Lock(); x = 1`, "x = 1", "{rw}"},
	// Deferred functions run in reverse order.
	{`defer func() { x = 1 }(); mu.Lock(); defer mu.Unlock()`, "x = 1", "{}"},
	{`mu.Lock(); defer mu.Unlock(); defer func() { x = 1 }()`, "x = 1", "{mu}"},
	// A conditional unlock may have happened.
	{`mu.Lock(); defer func() { x = 1 }(); if c { defer mu.Unlock() }`, "x = 1", "{}"},
	// Through an interface value.
	{`l.Lock(); x = 1`, "x = 1", "{l}"},
	// A method value.
	{`f := mu.Unlock; mu.Lock(); defer f(); x = 1`, "x = 1", "{mu}"},
	// A goroutine starts with nothing.
	{`mu.Lock(); go func() { x = 1 }(); mu.Unlock()`, "x = 1", "{}"},
	// The body of a Once.
	{`once.Do(func() { x = 1 })`, "x = 1", "{once}"},
	// U17, U18: recursion.
	{`mu.Lock(); rec(&x, 3); mu.Unlock()`, "*p = 5", "{mu}"},
	{`mu.Lock(); rec(&x, 3); mu.Unlock(); rec(&x, 2)`, "*p = 5", "{mu} {}"},
	// S43: the recursive call has no effect, so that on the way by it nothing is
	// locked; what another way releases counts for all.
	{`recLock(&mu, 3); x = 1; mu.Unlock()`, "x = 1", "{}"},
	{`mu.Lock(); recUnlock(&mu, 3); x = 1`, "x = 1", "{}"},
}

func TestLocksets(t *testing.T) {
	for _, tt := range locksetTests {
		src := strings.Replace(prelude, "BODY", tt.body, 1)
		src = strings.Replace(src, "var x int", "var x int; var once sync.Once; use(&once)", 1)
		v := view(t, src)
		line, from, to := find(src, tt.at)
		a := locks.New(v)
		var got []string
		for _, r := range allAccesses(v) {
			if r.Pos.Line != line || r.Pos.Col < from || r.Pos.Col > to || r.Kind != model.Write || r.Thread == model.Beta {
				continue
			}
			got = append(got, show(a.At(r)))
		}
		slices.Sort(got)
		got = slices.Compact(got) // one set for each call string
		if s := strings.Join(got, " "); s != tt.want {
			t.Errorf("%s\nat %q: got %s, want %s", tt.body, tt.at, s, tt.want)
		}
	}
}

// TestHiddenLater has races that are hidden judged when somebody asks, and no sooner: a lock that both hold then removes them.
func TestHiddenLater(t *testing.T) {
	v := view(t, strings.Replace(prelude, "BODY", "mu.Lock(); x = 1; mu.Unlock()", 1))
	line, _, _ := find(strings.Replace(prelude, "BODY", "x = 1", 1), "x = 1")
	var writes []*model.Access
	for _, x := range allAccesses(v) {
		if x.Pos.Line == line && x.Kind == model.Write && x.Thread != model.Main {
			writes = append(writes, x)
		}
	}
	if len(writes) == 0 {
		t.Fatal("no access")
	}
	pair := func(c model.Confidence) *model.Race {
		return &model.Race{A: writes[0], B: writes[len(writes)-1], Object: new(model.Object), Confidence: c}
	}
	shown, hidden := pair(model.Likely), pair(model.Assumed)
	a := locks.New(v)
	if got := a.FilterShown(&model.RaceSet{Races: []*model.Race{shown, hidden}}); len(got.Races) != 1 || got.Races[0] != hidden {
		t.Errorf("left are %d races, want the hidden one", len(got.Races))
	}
	if a.KeepsHidden(hidden) {
		t.Error("a hidden race stays that a lock removes")
	}
	if !a.KeepsHidden(hidden) {
		t.Error("what was judged is judged again")
	}
}

// find returns the place of text: in the body, or else in the prelude.
func find(src, text string) (line, from, to int) {
	start := strings.Index(src, "func Test()")
	i := strings.Index(src[start:], text)
	if i >= 0 {
		i += start
	} else {
		i = strings.Index(src, text)
	}
	line = strings.Count(src[:i], "\n") + 1
	from = i - strings.LastIndex(src[:i], "\n")
	return line, from, from + len(text)
}

func show(hs []locks.Held) string {
	var out []string
	for _, h := range hs {
		s := h.Name
		if !h.Write {
			s += ":read"
		}
		out = append(out, s)
	}
	slices.Sort(out)
	return "{" + strings.Join(out, " ") + "}"
}

func view(t *testing.T, src string) *smallworld.View { return views(t, src)[0] }

func views(t *testing.T, src string) []*smallworld.View {
	t.Helper()
	p, err := smallworld.Solve("Test", src)
	if err != nil {
		t.Fatalf("%v\n%s", err, src)
	}
	vs := p.Views()
	if len(vs) == 0 {
		t.Fatalf("no spawn in\n%s", src)
	}
	return vs
}

func allAccesses(v *smallworld.View) []*model.Access {
	var out []*model.Access
	for _, i := range v.Instances() {
		out = append(out, v.Accesses(i)...)
	}
	return out
}
