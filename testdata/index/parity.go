package index

import (
	"runtime"
	"sync"
)

// Two buffers lie in an array, and which is read from and which is written to is a matter of whether the
// round's number is even. The spawner takes them out before it starts the iterations.

type twoGrids struct {
	n int
	u [2][]float64
}

func newTwoGrids(n int) *twoGrids {
	g := &twoGrids{n: n}
	for i := range g.u {
		g.u[i] = make([]float64, n)
	}
	return g
}

func PA1_byParity(steps int) {
	g := newTwoGrids(34)
	for t := range steps {
		src, dst := g.u[t&1], g.u[(t+1)&1]
		var wg sync.WaitGroup
		for w := range 4 {
			wg.Go(func() {
				for c := 1 + w*8; c < 9+w*8; c++ {
					dst[c] = src[c-1] + src[c+1] // norace
				}
			})
		}
		wg.Wait()
	}
}

func PA2_twoOfThem() {
	g := newTwoGrids(34)
	src, dst := g.u[0], g.u[1]
	var wg sync.WaitGroup
	for w := range 4 {
		wg.Go(func() {
			for c := 1 + w*8; c < 9+w*8; c++ {
				dst[c] = src[c-1] + src[c+1] // norace
			}
		})
	}
	wg.Wait()
}

// What a function is given runs for each part.
func PA3_callback(steps int) {
	g := newTwoGrids(34)
	for t := range steps {
		src, dst := g.u[t%2], g.u[1-t%2]
		inFour(func(w int) {
			for c := 1 + w*8; c < 9+w*8; c++ {
				dst[c] = src[c-1] + src[c+1] // norace
			}
		})
	}
}

func inFour(f func(w int)) {
	var wg sync.WaitGroup
	for w := range 4 {
		wg.Go(func() { f(w) })
	}
	wg.Wait()
}

// Two rounds on have the same parity.
func PA1b_sameParity() {
	g := newTwoGrids(34)
	for t := range 4 {
		src, dst := g.u[t&1], g.u[(t+2)&1]
		var wg sync.WaitGroup
		for w := range 4 {
			wg.Go(func() {
				for c := 1 + w*8; c < 9+w*8; c++ {
					runtime.Gosched()
					dst[c] = src[c-1] + src[c+1] // race! u[*][*]
				}
			})
		}
		wg.Wait()
	}
}

// Both elements have one buffer.
func PA2b_oneBuffer() {
	g := &twoGrids{n: 34}
	buf := make([]float64, 34)
	for i := range g.u {
		g.u[i] = buf
	}
	src, dst := g.u[0], g.u[1]
	var wg sync.WaitGroup
	for w := range 4 {
		wg.Go(func() {
			for c := 1 + w*8; c < 9+w*8; c++ {
				runtime.Gosched()
				dst[c] = src[c-1] + src[c+1] // race! buf[*]
			}
		})
	}
	wg.Wait()
}

// The second one gets what the first one has.
func PA2c_copiedOver() {
	g := newTwoGrids(34)
	g.u[1] = g.u[0]
	src, dst := g.u[0], g.u[1]
	var wg sync.WaitGroup
	for w := range 4 {
		wg.Go(func() {
			for c := 1 + w*8; c < 9+w*8; c++ {
				runtime.Gosched()
				dst[c] = src[c-1] + src[c+1] // race! u[*][*]
			}
		})
	}
	wg.Wait()
}

// Nobody waits for the round before, which writes what this one reads.
func PA1c_noWait() {
	g := newTwoGrids(34)
	var wg sync.WaitGroup
	for t := range 4 {
		src, dst := g.u[t&1], g.u[(t+1)&1]
		for w := range 4 {
			wg.Go(func() {
				for c := 1 + w*8; c < 9+w*8; c++ {
					runtime.Gosched()
					dst[c] = src[c-1] + src[c+1] // race! u[*][*]
				}
			})
		}
	}
	wg.Wait()
}
