package index

import (
	"iter"
	"sync"
)

// Helpers that start an iteration for each part that an iterator yields.

type plot struct{ idx, lo, hi int }

func plots(n, parts int) iter.Seq[plot] {
	return func(yield func(plot) bool) {
		base, extra := n/parts, n%parts
		lo := 0
		for i := 0; i < parts; i++ {
			hi := lo + base
			if i < extra {
				hi++
			}
			if !yield(plot{i, lo, hi}) {
				return
			}
			lo = hi
		}
	}
}

func overPlots(n, parts int, fn func(plot)) {
	var wg sync.WaitGroup
	for p := range plots(n, parts) {
		wg.Add(1)
		go func() {
			defer wg.Done()
			fn(p)
		}()
	}
	wg.Wait()
}

// YD1: the sums of parts, and then those before each element. The helper is called in many places.
func YD1_prefixSums(parts int) {
	for range 2 {
		xs := make([]int, 1000)
		overPlots(len(xs), parts, func(p plot) {
			for i := p.lo; i < p.hi; i++ {
				xs[i] = i // norace
			}
		})
		scanOf(xs, parts)
		overPlots(len(xs), parts, func(p plot) {
			for i := p.lo; i < p.hi; i++ {
				xs[i]-- // norace
			}
		})
		overPlots(len(xs), parts, func(p plot) {
			clear(xs[p.lo:p.hi]) // norace
		})
	}
}

func scanOf[T int | float64](xs []T, parts int) {
	sums := make([]T, parts+1)
	overPlots(len(xs), parts, func(p plot) {
		var s T
		for _, x := range xs[p.lo:p.hi] { // norace
			s += x
		}
		sums[p.idx+1] = s // norace
	})
	for i := 1; i < len(sums); i++ {
		sums[i] += sums[i-1] // norace
	}
	overPlots(len(xs), parts, func(p plot) {
		run := sums[p.idx] // norace
		for i := p.lo; i < p.hi; i++ {
			xs[i], run = run, run+xs[i] // norace
		}
	})
}

// Each iteration looks at the sum that the next one sets.
func YD1b_nextSum(parts int) {
	sums := make([]int, parts+1)
	overPlots(1000, parts, func(p plot) {
		sums[p.idx+1] = sums[p.idx] + p.hi - p.lo // race! sums[*]
	})
}

// A part takes one element of the next.
func YD1c_oneTooMany(parts int) {
	xs := make([]int, 1001)
	overPlots(1000, parts, func(p plot) {
		for i := p.lo; i <= p.hi; i++ {
			xs[i]++ // race! xs[*]
		}
	})
}

// The helper does not wait for what it has started, and the next call comes beside it.
func overPlotsLater(wg *sync.WaitGroup, n, parts int, fn func(plot)) {
	for p := range plots(n, parts) {
		wg.Add(1)
		go func() {
			defer wg.Done()
			fn(p)
		}()
	}
}

func YD2_twoBesides(parts int) {
	xs := make([]int, 1000)
	var wg sync.WaitGroup
	overPlotsLater(&wg, len(xs), parts, func(p plot) {
		for i := p.lo; i < p.hi; i++ {
			xs[i]++ // race! xs[*]
		}
	})
	overPlotsLater(&wg, len(xs), parts+1, func(p plot) {
		for i := p.lo; i < p.hi; i++ {
			xs[i]++ // race! xs[*]
		}
	})
	wg.Wait()
}

// It is called in a loop, for the same elements each time.
func YD2b_inRounds(parts int) {
	xs := make([]int, 1000)
	var wg sync.WaitGroup
	for range 2 {
		overPlotsLater(&wg, len(xs), parts, func(p plot) {
			for i := p.lo; i < p.hi; i++ {
				xs[i]++ // race! xs[*]
			}
		})
	}
	wg.Wait()
}

// It is called in a loop, for others.
func YD2c_othersEachRound(parts int) {
	xs := make([][]int, 10)
	var wg sync.WaitGroup
	for k := range xs {
		xs[k] = make([]int, 1000) // race xs[*]; another row than the iterations read
		overPlotsLater(&wg, 1000, parts, func(p plot) {
			for i := p.lo; i < p.hi; i++ {
				xs[k][i]++ // race xs[*]; the next round sets another row beside it
			}
		})
	}
	wg.Wait()
}
