package fp

import "sync"

type planes struct {
	n int
	u [2][]float64
}

// Which of two buffers is written is a matter of the round's number. The function that is run for each part uses their owner, too;
// without that, it is seen that the rows are two.
func FP_ownerCaptured(steps int) {
	g := &planes{n: 34}
	for i := range g.u {
		g.u[i] = make([]float64, g.n)
	}
	g.run(steps)
}

func (g *planes) run(steps int) {
	for t := range steps {
		src, dst := g.u[t&1], g.u[(t+1)&1]
		inParts(func(w int) {
			for c := 1 + w*8; c < min(9+w*8, g.n-1); c++ {
				dst[c] = src[c-1] + src[c+1] // race u[*][*]; the load that gave a captured slice is not found where its owner is captured beside it
			}
		})
	}
}

func inParts(f func(w int)) {
	var wg sync.WaitGroup
	for w := range 4 {
		wg.Go(func() { f(w) })
	}
	wg.Wait()
}
