package locks_test

import (
	"strings"
	"testing"

	"github.com/iterace/iterace/filters/locks"
	"github.com/iterace/iterace/model"
)

const protectPrelude = `package p

import "sync"

type node struct {
	mu  sync.Mutex
	x   int
	m   map[int]int
	ptr *sync.Mutex
}

type holder struct{ n *node }

type emb struct {
	sync.Mutex
	x int
}

func (n *node) inc()      { n.mu.Lock(); defer n.mu.Unlock(); n.x++ }
func (n *node) with(f func(*int)) { n.mu.Lock(); f(&n.x); n.mu.Unlock() }
func (n *node) bump()     { n.x++ }
func copied(n node, p *int) { n.mu.Lock(); *p = 1; n.mu.Unlock() }
func rec(n *node, k int)  { n.x++; if k > 0 { rec(n, k-1) } }
func use(...any)          {}
func fresh() *sync.Mutex  { return new(sync.Mutex) }
func set(p *int)          { *p = 1 }

var flag bool

var gmu sync.Mutex

func Test() {
	var x int
	var d [4]int
	nodes := []*node{{}, {}}
	holders := []*holder{{nodes[0]}, {nodes[1]}}
	use(nodes, holders)
	BEFORE
	for i := range 10 {
		go func() {
			use(i)
			BODY
		}()
	}
	use(x, d)
}
`

// protected programs access x (or a field x, or an element of d) under a lock
// that must be the same; the others do not.
var protectTests = []struct {
	before, body string
	protected    bool
	note         string // of some lock, if unprotected
}{
	// T54, T55.
	{``, `x++`, false, ""},
	// U7, U8, U12, U16.
	{`var mu sync.Mutex`, `mu.Lock(); x++; mu.Unlock()`, true, ""},
	{`n := &node{}`, `n.mu.Lock(); n.x++; n.mu.Unlock()`, true, ""},
	{``, `gmu.Lock(); x++; gmu.Unlock()`, true, ""},
	// T56, U9: one mutex for each iteration.
	{``, `var own sync.Mutex; own.Lock(); x++; own.Unlock()`, false, "one per iteration"},
	{``, `mu := new(sync.Mutex); mu.Lock(); x++; mu.Unlock()`, false, "one per iteration"},
	// One of several, of which only one is made.
	{`var mu *sync.Mutex; if flag { mu = new(sync.Mutex) } else { mu = new(sync.Mutex) }`, `mu.Lock(); x++; mu.Unlock()`, true, ""},
	{`var mu *sync.Mutex; if flag { mu = fresh() } else { mu = fresh() }`, `mu.Lock(); x++; mu.Unlock()`, true, ""},
	{`var mu *sync.Mutex; for range 2 { if flag { mu = new(sync.Mutex) } else { mu = new(sync.Mutex) } }; var box2 [1]*sync.Mutex; box2[0] = mu`, `box2[0].Lock(); x++; box2[0].Unlock()`, false, ""},
	{`mu := new(sync.Mutex); if flag { mu = new(sync.Mutex) }; other := mu; if !flag { mu = new(sync.Mutex) }`, `if i > 5 { mu = other }; mu.Lock(); x++; mu.Unlock()`, false, ""},
	// T57.
	{`var e emb`, `e.Lock(); e.x++; e.Unlock()`, true, ""},
	// T58.
	{``, `var a, b sync.Mutex; a.Lock(); b.Lock(); b.Unlock(); x++; a.Unlock()`, false, "one per iteration"},
	// U10: beside the slice; the elements of d share one lock.
	{`var mu sync.Mutex`, `mu.Lock(); d[0]++; mu.Unlock()`, true, ""},
	// U11: a pointer that is set once.
	{`n := &node{}; n.ptr = &n.mu`, `n.ptr.Lock(); n.x++; n.ptr.Unlock()`, true, ""},
	// U13, U15: a mutex that is assigned anew.
	{`n := &node{}; n.ptr = &n.mu`, `n.ptr = new(sync.Mutex); n.ptr.Lock(); n.x++; n.ptr.Unlock()`, false, ""},
	// U17, U18, U19.
	{`n := &node{}`, `var own sync.Mutex; own.Lock(); rec(n, 3); own.Unlock()`, false, "one per iteration"},
	{`n := &node{}; var mu sync.Mutex`, `mu.Lock(); rec(n, 3); mu.Unlock(); rec(n, 1)`, false, ""},
	{`n := &node{}; var mu sync.Mutex`, `mu.Lock(); rec(n, 3); mu.Unlock()`, true, ""},
	// T70: with the lock and without.
	{`n := &node{}`, `n.mu.Lock(); n.bump(); n.mu.Unlock(); n.bump()`, false, ""},
	{`n := &node{}`, `n.inc()`, true, ""},

	// p.mu guards p.x whatever p is.
	{``, `n := nodes[i%2]; n.mu.Lock(); n.x++; n.mu.Unlock()`, true, ""},
	{``, `n := nodes[i%2]; n.inc()`, true, ""},
	{``, `n := nodes[i%2]; n.mu.Lock(); n.bump(); n.mu.Unlock()`, true, ""},
	{``, `n, k := nodes[i%2], nodes[0]; n.mu.Lock(); k.x++; n.mu.Unlock()`, false, "may be another lock"},
	{``, `n := nodes[i%2]; n.ptr = &gmu; n.ptr.Lock(); n.x++; n.ptr.Unlock(); n.ptr = &n.mu`, false, ""},
	{`nodes[0].ptr, nodes[1].ptr = new(sync.Mutex), new(sync.Mutex)`, `n := nodes[i%2]; n.ptr.Lock(); n.x++; n.ptr.Unlock()`, true, ""},
	// A pointer that is loaded again, and nobody sets.
	{``, `h := holders[i%2]; h.n.mu.Lock(); h.n.x++; h.n.mu.Unlock(); h.n.mu.Lock(); use(new(holder)); for range i { use(h.n); h.n.x++; use(i) }; h.n.mu.Unlock()`, true, ""},
	{``, `h := holders[i%2]; h.n.mu.Lock(); h.n.x++; h.n.mu.Unlock(); h.n.mu.Lock(); for range i { h.n = nodes[0]; h.n.x++; use(i) }; h.n.mu.Unlock()`, false, ""},
	// The owner's lock, held around a callback that gets a part of it.
	{``, `n := nodes[i%2]; n.with(func(p *int) { *p = 1 })`, true, ""},
	{``, `n, k := nodes[i%2], nodes[0]; n.with(func(p *int) { k.x = 1 })`, false, ""},
	// Through one helper that several callbacks call.
	{``, `n := nodes[i%2]; n.with(func(p *int) { set(p) }); n.with(func(p *int) { set(p) })`, true, ""},
	{``, `n, k := nodes[i%2], nodes[0]; n.with(func(p *int) { set(p) }); n.with(func(p *int) { set(&k.x) })`, false, ""},
	// A copy of the struct has a mutex of its own.
	{`n := node{}; use(&n)`, `copied(n, &x)`, false, "copied by value"},

	// Modes.
	{`var mu sync.RWMutex`, `mu.RLock(); x++; mu.RUnlock()`, false, "held for reading on both sides"},
	{`var mu sync.RWMutex`, `mu.Lock(); x++; mu.Unlock(); mu.RLock(); use(x); mu.RUnlock()`, true, ""},
	{`var mu sync.RWMutex`, `mu.RLock(); use(x); mu.RUnlock(); mu.RLock(); x++; mu.RUnlock()`, false, "held for reading on both sides"},

	// Lock arrays: equal index.
	{`var mus [4]sync.Mutex`, `j := i % 4; mus[j].Lock(); d[j]++; mus[j].Unlock()`, true, ""},
	{`var mus [4]sync.Mutex`, `j := i % 4; mus[j].Lock(); d[0]++; mus[j].Unlock()`, false, ""},
	{`var mus [4]sync.Mutex`, `mus[1].Lock(); x++; mus[1].Unlock()`, true, ""},

	// A lock handed over to the goroutine that releases it.
	{`n := &node{}; n.mu.Lock(); go func() { n.x++; n.mu.Unlock() }()`, `n.mu.Lock(); n.x++; n.mu.Unlock()`, true, ""},
	{`n := &node{}; n.mu.Lock(); go func() { n.mu.Unlock(); n.x++ }()`, `n.mu.Lock(); n.x++; n.mu.Unlock()`, false, ""},
	{`n := &node{}; n.mu.Lock(); go func() { n.x++; n.mu.Unlock() }(); n.x++`, `use(n)`, false, ""},
}

func TestProtect(t *testing.T) {
	for _, tt := range protectTests {
		src := strings.NewReplacer("BEFORE", tt.before, "BODY", tt.body).Replace(protectPrelude)
		left, pairs := 0, 0
		var notes []string
		for _, v := range views(t, src) {
			rs := v.Races().Filter(func(r *model.Race) bool {
				return r.Object.Name == "x" || r.Field == ".x" || r.Object.Name == "d"
			})
			// The initial values are written before the spawn.
			rs = rs.Filter(func(r *model.Race) bool {
				return r.B.Func != "p.Test" || strings.HasSuffix(tt.before, "n.x++") && r.Field == ".x"
			})
			pairs += rs.Len()
			for _, r := range locks.Filter(v, rs).Races {
				if r.Confidence == model.Assumed {
					continue
				}
				left++
				for _, l := range append(r.A.Locks, r.B.Locks...) {
					notes = append(notes, l.Note)
				}
			}
		}
		if pairs == 0 && !strings.Contains(tt.body, "use(n)") {
			t.Errorf("%s; %s\nno pair to protect", tt.before, tt.body)
		}
		if (left == 0) != tt.protected {
			t.Errorf("%s; %s\nprotected %v, want %v", tt.before, tt.body, left == 0, tt.protected)
		}
		if s := strings.Join(notes, ";"); tt.note != "" && !strings.Contains(s, tt.note) {
			t.Errorf("%s; %s\nnotes %q, want %q", tt.before, tt.body, s, tt.note)
		}
	}
}
