package call

import (
	"cmp"
	"slices"
	"sync"
)

// Nothing instantiates the functions of this file: as in a library, the generic
// bodies are looked at as they stand.

// The slot is the iteration's own, the count is everybody's.
func G1_mapUnused[T, R any](xs []T, f func(T) R) ([]R, int) {
	out := make([]R, len(xs))
	calls := 0
	var wg sync.WaitGroup
	for i, x := range xs {
		wg.Go(func() {
			out[i] = f(x) // norace
			calls++       // race! calls
		})
	}
	wg.Wait()
	return out, calls
}

// A constraint says what a type parameter is made of.
func G2_coreType[S ~[]E, M ~map[int]E, E any](xs S, m M) {
	var wg sync.WaitGroup
	for i := range xs {
		wg.Go(func() {
			var zero E
			xs[i] = zero // norace
			m[i] = xs[i] // race! m[*]
		})
	}
	wg.Wait()
}

// Generic functions call each other by instances of their own parameters.
func G3_genericCallees[S ~[]E, E int | float64](rows []S, all S) {
	n := 0
	var wg sync.WaitGroup
	for i := range rows {
		wg.Go(func() {
			slices.Sort(rows[i]) // norace
			slices.Sort(all)     // race! all[*]
			oneMore(&rows[i], &n)
		})
	}
	wg.Wait()
}

func oneMore[T any](x *T, n *int) { *n++ } // race! n

// The methods of a generic type are entry points too.
func G4_methods[K comparable](b *bag[K]) {}

// bag is used at no type.
type bag[K comparable] struct {
	mu sync.Mutex
	m  map[K]bool
}

// A method of a generic type locks what it writes.
func (b *bag[K]) addAll(ks []K) {
	var wg sync.WaitGroup
	for _, k := range ks {
		wg.Go(func() {
			b.mu.Lock()
			b.m[k] = true // norace
			b.mu.Unlock()
		})
	}
	wg.Wait()
}

// Its near twin does not.
func (b *bag[K]) addAllBad(ks []K) {
	var wg sync.WaitGroup
	for _, k := range ks {
		wg.Go(func() {
			b.m[k] = true // race! b.m[*]
		})
	}
	wg.Wait()
}

// A function returns an element, or a zero, whose type the constraint says to be a struct.
func G5_coreStruct[T ~struct{ at, n int }](xs []T, ys, zs []int, which func(int) bool) {
	var wg sync.WaitGroup
	for i := range xs {
		wg.Go(func() {
			x := struct{ at, n int }(elementOr(xs, i, which(i)))
			ys[i] = x.n    // norace
			zs[x.at] = x.n // race! zs[*]
		})
	}
	wg.Wait()
}

func elementOr[T ~struct{ at, n int }](xs []T, i int, has bool) T {
	if has {
		return xs[i]
	}
	var zero T
	return zero
}

// Who waits for a value looks it up by a key of any type, and whoever has made it takes it away.
func G6_promiseByKey[K comparable](g *promises[K], keys []K) {
	for _, k := range keys {
		go g.get(k)
	}
}

type promises[K comparable] struct {
	mu    sync.Mutex
	calls map[K]*promised
}

type promised struct {
	done chan struct{}
	val  int
}

func (g *promises[K]) get(key K) int {
	g.mu.Lock()
	c, ok := g.calls[key]
	if !ok {
		c = &promised{done: make(chan struct{})}
		g.calls[key] = c
		go g.run(key, c)
	}
	g.mu.Unlock()
	<-c.done
	return c.val // norace
}

func (g *promises[K]) run(key K, c *promised) {
	defer func() {
		g.mu.Lock()
		delete(g.calls, key)
		g.mu.Unlock()
		close(c.done)
	}()
	c.val = 1 // norace
}

// The largest of values of any type that has an order.
func G7_largest[T cmp.Ordered](xs []T) T {
	var wg sync.WaitGroup
	best := xs[0]
	for _, x := range xs {
		wg.Go(func() {
			best = max(best, x) // race! best
		})
	}
	wg.Wait()
	return best
}
