package call

import (
	"io"
	"sync"
)

// The functions of this file have parameters and no callers: they are roots, as
// the exported functions of a library are.

// Server has what its methods share.
type Server struct {
	mu    sync.Mutex
	hits  int
	seen  map[string]int
	conns []*conn
	log   io.Writer
}

type conn struct {
	id   int
	peer *conn
}

// The receiver is shared by the goroutines that a method starts.
func B10_receiverOfRoot(s *Server, names []string) {
	var wg sync.WaitGroup
	for _, name := range names {
		wg.Go(func() {
			s.hits++ // race! s.hits
			s.mu.Lock()
			s.seen[name]++ // norace
			s.mu.Unlock()
		})
	}
	wg.Wait()
}

// Each element of a parameter is an iteration's own.
func B10_elementsOfParameter(s *Server) {
	var wg sync.WaitGroup
	for i, c := range s.conns {
		wg.Go(func() {
			c.id = i // norace
		})
	}
	wg.Wait()
}

// Two parameters are taken to be different objects.
func B10_twoParameters(in, out []int) {
	var wg sync.WaitGroup
	for i := range in {
		wg.Go(func() {
			out[i] = in[0] // norace
		})
	}
	wg.Wait()
}

// One parameter is read at one place and written at others.
func B10_oneParameter(buf []int) {
	var wg sync.WaitGroup
	for i := range buf {
		wg.Go(func() {
			buf[i] = buf[0] // race! buf[*]
		})
	}
	wg.Wait()
}

// A parameter's map is written without lock.
func B10_mapParameter(m map[int]int, keys []int) {
	var wg sync.WaitGroup
	for _, k := range keys {
		wg.Go(func() {
			m[k] = k // race! m[*]
		})
	}
	wg.Wait()
}

// An unknown function is called from all iterations: nothing is known of what
// it touches.
func B10_functionParameter(n int, f func(int)) {
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			f(i) // norace
		})
	}
	wg.Wait()
}

// Workers receive from a parameter.
func B10_channelParameter(jobs <-chan *conn) {
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for c := range jobs {
				c.id++ // norace
			}
		})
	}
	wg.Wait()
}

// Every iteration follows its element to a peer, and writes that. That two have
// one peer is not assumed.
func B10_peerOfElement(conns []*conn) {
	var wg sync.WaitGroup
	for i, c := range conns {
		wg.Go(func() {
			c.peer.id = i // norace
		})
	}
	wg.Wait()
}

// The named result is captured by the goroutines, which count.
func B10_resultOfRoot(items []int) (total int) {
	var wg sync.WaitGroup
	for _, it := range items {
		wg.Go(func() {
			total += it // race! total
		})
	}
	wg.Wait()
	return total
}

// The mutex and what it guards come through different parameters.
func B10_mutexParameter(mu *sync.Mutex, total *int, items []int) {
	var wg sync.WaitGroup
	for _, it := range items {
		wg.Go(func() {
			mu.Lock()
			*total += it // norace
			mu.Unlock()
		})
	}
	wg.Wait()
}

// hiddenSum is not exported and nothing here calls its method, but whoever has one
// from B10_methodOfHiddenType may.
type hiddenSum struct{ total int }

// B10_methodOfHiddenType makes what the method is called on.
func B10_methodOfHiddenType() *hiddenSum { return new(hiddenSum) }

func (t *hiddenSum) Add(xs []int) {
	var wg sync.WaitGroup
	for _, x := range xs {
		wg.Go(func() {
			t.total += x // race! t.total
		})
	}
	wg.Wait()
}

// What is called through an interface has its callers there, though the interface
// gives no names to what is passed.
func B10_calledByInterface() {
	s := &stand{}
	var c countedBy = s
	s.mu.Lock()
	c.count(1)
	s.mu.Unlock()
}

type countedBy interface{ count(int) }

type stand struct {
	mu sync.Mutex
	n  int
}

// count is called with the lock.
func (s *stand) count(by int) {
	go s.show()
	s.n += by // norace
}

func (s *stand) show() {
	s.mu.Lock()
	defer s.mu.Unlock()
	println(s.n) // norace
}

// And what they do not do is missing.
func B10_calledWithoutLock() {
	s := &standing{}
	var c countedBy = s
	c.count(1)
}

type standing struct {
	mu sync.Mutex
	n  int
}

func (s *standing) count(by int) {
	go s.show()
	s.n += by // race! s.n
}

func (s *standing) show() {
	s.mu.Lock()
	defer s.mu.Unlock()
	println(s.n) // race! s.n
}

// What a parameter leads to has an object for each way down to five pointers, and one
// for each type below: seven pointers deep there is still one if there is one way.
func B10_deepParameter(d *deep, n int) {
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			d.a.b.c.d.e.f.n++ // race! d.a.b.c.d.e.f.n
		})
	}
	wg.Wait()
}

// Two ways lead to one type there: what is reached by one of them races with itself.
func B10_deepWays(d *deep, n int) {
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			d.a.b.c.d.e.l.n++ // race _.n; not definite: the object stands for two
		})
	}
	wg.Wait()
	d.a.b.c.d.e.r.n = n
}

// What the two ways lead to has one name, and nothing shows that it is one.
func B10_deepApart(d *deep) {
	done := make(chan bool)
	go func() {
		d.a.b.c.d.e.l.n = 1 // norace
		close(done)
	}()
	println(d.a.b.c.d.e.r.n) // norace
	<-done
}

type (
	deep  struct{ a *deep1 }
	deep1 struct{ b *deep2 }
	deep2 struct{ c *deep3 }
	deep3 struct{ d *deep4 }
	deep4 struct{ e *deep5 }
	deep5 struct {
		f    *deep6
		l, r *deep7
	}
	deep6 struct{ n int }
	deep7 struct{ n int }
)

// A branch is a tree, each part of which has its own sum.
type branch struct {
	parts []*branch
	sum   int
}

// B10_treeOfParameter works on the parts of a tree at a time, and on theirs.
func B10_treeOfParameter(b *branch) {
	var wg sync.WaitGroup
	for _, p := range b.parts {
		wg.Go(func() { B10_treeOfParameter(p) })
	}
	wg.Wait()
	b.sum++ // norace
}

// B10_flatTree works on the parts of a tree, and not on theirs.
func B10_flatTree(b *branch) {
	var wg sync.WaitGroup
	for _, p := range b.parts {
		wg.Go(func() {
			for _, q := range p.parts {
				q.sum++ // norace
			}
			p.sum++ // norace
		})
	}
	wg.Wait()
	b.sum++ // norace
}

// A limb has two parts.
type limb struct {
	left, right *limb
	above       *limb
	sum         int
}

// B10_twoParts works on two parts at a time.
func B10_twoParts(l *limb) {
	if l == nil {
		return
	}
	var wg sync.WaitGroup
	wg.Go(func() { B10_twoParts(l.left) })
	wg.Go(func() { B10_twoParts(l.right) })
	wg.Wait()
	l.sum++ // norace
}

// A twig knows the stem that it is on.
type twig struct {
	stem  *twig
	twigs []*twig
	sum   int
}

// B10_stem counts in what all twigs lead to.
func B10_stem(t *twig) {
	for _, x := range t.twigs {
		go func() {
			x.stem.sum++ // race! t.sum
		}()
	}
}
