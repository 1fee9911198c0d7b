package heap

import "sync"

// forwardChunks hands its function on to the helper that runs it.
func forwardChunks(f func(start, end int), n int) {
	if n > 0 {
		forwardedChunks(f, n)
	}
}

func forwardedChunks(f func(start, end int), n int) {
	var wg sync.WaitGroup
	for start := 0; start < n; start += 10 {
		wg.Go(func() { f(start, min(start+10, n)) })
	}
	wg.Wait()
}

type forwardRows struct {
	pix    []int
	stride int
}

func forwardCopy(src *forwardRows) *forwardRows {
	dst := &forwardRows{make([]int, len(src.pix)), src.stride}
	forwardChunks(func(start, end int) {
		for y := start; y < end; y++ {
			for x := range src.stride {
				dst.pix[y*dst.stride+x] = src.pix[y*src.stride+x] // norace
			}
		}
	}, 100)
	return dst
}

// HF1: functions of two calls do not run in one loop, be the helper called by another.
func HF1_forwarded() {
	a := forwardCopy(&forwardRows{make([]int, 1000), 10})
	forwardChunks(func(start, end int) {
		for i := start; i < end; i++ {
			a.pix[i]++ // norace
		}
	}, 1000)
	forwardCopy(a)
}

// HF1b: the chunks overlap by one element.
func HF1b_forwardedOverlap() {
	a := forwardCopy(&forwardRows{make([]int, 1000), 10})
	forwardChunks(func(start, end int) {
		for i := start; i <= end; i++ {
			a.pix[i]++ // race! a.pix[*]
		}
	}, 900)
}
