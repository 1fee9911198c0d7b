package index

import "sync"

// Which element an iteration takes hangs on data: that two take one is likely, and no
// more.
func DT1_bins(xs []int) {
	bins := make([]int, 5)
	var wg sync.WaitGroup
	for _, x := range xs {
		wg.Go(func() {
			bins[x%5]++ // race! bins[*]
		})
	}
	wg.Wait()
}

// An example shows that two iterations take one.
func DT2_halves() {
	out := make([]int, n)
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			out[i/2]++ // race! out[*]
		})
	}
	wg.Wait()
}

var board = make([]int, 4)

type cells struct{ xs []int }

// The prover meets functions of which it has no forms, for want of anything in them.
func DT3_byWayOfNothing() {
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			stepIn()
			c := &cells{xs: board}
			c.xs[1]++ // race! board[*]
		})
	}
	wg.Wait()
}

func stepIn() { enter() }

func enter() {
	c := &cells{xs: board}
	c.mark()
}

func (c *cells) mark() {
	c.xs[0]++ // race! board[*]
}
