// Package scc finds the strongly connected components of a graph of which only what is asked
// about is looked at (Tarjan's algorithm).
package scc

// A Finder finds components, each once and after all that it leads to.
type Finder[N comparable] struct {
	// Next calls visit for the nodes that one leads to.
	Next func(n N, visit func(N))
	// Found is called for each component; cyclic is false for a node that does not lead to itself.
	// The list is the Finder's.
	Found func(component []N, cyclic bool)

	index map[N]int // by node that was met, from 1
	low   map[N]int // of those in open
	open  []N       // of components that are not complete
}

// Visit finds the components that a node leads to, as far as they are not known.
func (f *Finder[N]) Visit(n N) {
	if f.index == nil {
		f.index, f.low = make(map[N]int), make(map[N]int)
	}
	if f.index[n] == 0 {
		f.visit(n)
	}
}

func (f *Finder[N]) visit(n N) {
	at, first, itself := len(f.index)+1, len(f.open), false
	f.index[n], f.low[n] = at, at
	f.open = append(f.open, n)
	f.Next(n, func(m N) {
		itself = itself || m == n
		if f.index[m] == 0 {
			f.visit(m)
		}
		if low, open := f.low[m]; open {
			f.low[n] = min(f.low[n], low)
		}
	})
	if f.low[n] != at {
		return
	}
	component := f.open[first:]
	for _, m := range component {
		delete(f.low, m)
	}
	f.Found(component, itself || len(component) > 1)
	f.open = f.open[:first]
}
