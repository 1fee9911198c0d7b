package index

import (
	"strconv"
	"strings"
	"sync"
)

// A cache remembers refuted and unrefuted problems. Its answers are those of
// the prover, so that a full cache only costs time.
type cache struct {
	mu sync.Mutex
	m  map[string]result
}

type result struct {
	why     whySet
	refuted bool
	out     bool // the budget ended before the search
	nodes   int  // what it took
	pivots  int
}

// maxCache bounds the number of problems kept.
const maxCache = 1 << 14

func (c *cache) get(key string) (result, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	r, ok := c.m[key]
	return r, ok
}

func (c *cache) put(key string, r result) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.m == nil || len(c.m) >= maxCache {
		c.m = make(map[string]result)
	}
	c.m[key] = r
}

// key renders a problem, the reasons included, so that equal keys have equal
// answers.
func (n *problem) key() string {
	var b strings.Builder
	poly := func(p poly) {
		b.WriteString(p.key())
		b.WriteByte(';')
	}
	why := func(w whySet) {
		for _, x := range w {
			b.WriteString(strconv.FormatUint(x, 36))
			b.WriteByte(',')
		}
	}
	for _, c := range n.cons {
		poly(c.p)
		why(c.why)
	}
	b.WriteByte('=')
	for _, c := range n.eqs {
		poly(c.p)
		why(c.why)
	}
	for _, d := range n.ors {
		b.WriteByte('|')
		why(d.why)
		for _, alt := range d.alts {
			b.WriteByte('/')
			for _, x := range alt {
				if x.eq {
					b.WriteString("=" + strconv.Itoa(int(x.def)) + ":")
				}
				poly(x.p)
			}
		}
	}
	for _, f := range n.apps {
		b.WriteString("f" + strconv.Itoa(int(f.tag)) + "." + strconv.Itoa(int(f.res)) + "." + strconv.Itoa(int(f.trend)))
		if f.inj {
			b.WriteByte('i')
		}
		if f.noCong {
			b.WriteByte('n')
		}
		why(f.why)
		poly(f.den)
		for _, p := range f.args {
			poly(p)
		}
	}
	return b.String()
}
