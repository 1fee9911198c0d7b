package index

import (
	"crypto/sha256"
	"encoding/binary"
	"sync"
)

// A Memory remembers problems that were refuted, or not, for all provers that are given it. Its answers are
// those of the prover for the same budget, whoever has asked before and in whatever order, so that a full
// one only costs time.
type Memory struct {
	mu sync.Mutex
	m  map[question]result
}

// A question is a problem, and the budget that ended the search: it ends in the same way with the same one.
type question struct {
	sum    [sha256.Size]byte
	nodes  int // 0 for an answer that was found within the budget
	pivots int // 0 if there were some left
}

type result struct {
	why     whySet
	refuted bool
	out     bool // the budget ended before the search
	nodes   int  // what it took
	pivots  int
}

// maxKept bounds the number of problems kept: some ten megabytes.
const maxKept = 1 << 16

// get returns the answer to a problem that somebody with this budget would find.
func (m *Memory) get(sum [sha256.Size]byte, nodes, pivots int) (result, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if r, ok := m.m[question{sum: sum}]; ok && r.nodes <= nodes && r.pivots < pivots {
		return r, true
	}
	if r, ok := m.m[question{sum: sum, nodes: nodes}]; ok && r.pivots < pivots {
		return r, true
	}
	r, ok := m.m[question{sum, nodes, pivots}]
	return r, ok
}

// put keeps an answer that was found with a budget.
func (m *Memory) put(sum [sha256.Size]byte, nodes, pivots int, r result) {
	q := question{sum, nodes, pivots}
	if r.pivots < pivots {
		q.pivots = 0
		if !r.out {
			q.nodes = 0
		}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.m == nil || len(m.m) >= maxKept {
		m.m = make(map[question]result)
	}
	m.m[q] = r
}

// sum is a hash of a problem, the reasons included: what is equal has equal answers.
func (n *problem) sum(buf []byte) ([sha256.Size]byte, []byte) {
	b := buf[:0]
	num := func(x int64) { b = binary.AppendVarint(b, x) }
	flag := func(x bool) {
		if x {
			b = append(b, 1)
		} else {
			b = append(b, 0)
		}
	}
	poly := func(p poly) {
		num(int64(len(p)))
		for _, t := range p {
			num(t.c)
			for _, x := range t.m {
				num(int64(x))
			}
		}
	}
	why := func(w whySet) {
		for _, x := range w {
			b = binary.AppendUvarint(b, x)
		}
	}
	cons := func(cs []con) {
		num(int64(len(cs)))
		for _, c := range cs {
			poly(c.p)
			why(c.why)
			num(int64(c.def))
		}
	}
	cons(n.cons)
	cons(n.eqs)
	num(int64(len(n.ors)))
	for _, d := range n.ors {
		why(d.why)
		num(int64(len(d.alts)))
		for _, alt := range d.alts {
			num(int64(len(alt)))
			for _, x := range alt {
				poly(x.p)
				flag(x.eq)
				num(int64(x.def))
				num(int64(x.trend))
				num(int64(x.tag))
			}
		}
	}
	num(int64(len(n.apps)))
	for i := range n.apps {
		f := &n.apps[i]
		num(int64(f.res))
		num(int64(f.tag))
		num(int64(f.trend))
		num(f.per)
		flag(f.inj)
		flag(f.noCong)
		flag(f.floor)
		why(f.why)
		poly(f.den)
		num(int64(len(f.args)))
		for _, p := range f.args {
			poly(p)
		}
	}
	return sha256.Sum256(b), b
}
