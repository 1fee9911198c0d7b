package index

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// This file has atomic counters that are seen to be nothing but added to, and from what number on.

func CU1_onlyAdded() {
	out := make([]int, 64)
	var next atomic.Int64
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for {
				i := next.Add(1) - 1
				if i >= 64 {
					return
				}
				out[i]++ // norace
			}
		})
	}
	wg.Wait()
}

// Before each phase the counter is set to zero, which nobody sees.
func CU2_setBetween() {
	out := make([]int, 64)
	var next int64
	for range 3 {
		next = 0
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() {
				for {
					i := atomic.AddInt64(&next, 1) - 1
					if i >= 64 {
						return
					}
					out[i]++ // assumed out
				}
			})
		}
		wg.Wait()
	}
}

// It is set before the loop.
func CU2b_setBefore() {
	out := make([]int, 64)
	var next int64
	next = 8
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for {
				i := atomic.AddInt64(&next, 1) - 1
				if i >= 64 {
					return
				}
				out[i]++ // norace
			}
		})
	}
	wg.Wait()
}

// It may be set back beside the loop, by another goroutine, without a data race: that it is not, is assumed.
func CU2c_setBeside() {
	out := make([]int, 64)
	var next atomic.Int64
	begin := make(chan bool)
	go func() {
		next.Store(0)
		close(begin)
	}()
	<-begin
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for {
				i := next.Add(1) - 1
				if i >= 64 {
					return
				}
				out[i]++ // assumed out
			}
		})
	}
	wg.Wait()
}

// So is that what is taken off again is not used any more.
func CU2d_takenOff() {
	out := make([]int, 64)
	var next atomic.Int64
	var wg sync.WaitGroup
	for range 80 {
		wg.Go(func() {
			i := next.Add(1) - 1
			if i >= 64 {
				next.Add(-1)
				return
			}
			out[i]++ // assumed out
		})
	}
	wg.Wait()
}

// And so is what a step is that the code does not show.
func CU2e_step(step int64) {
	out := make([]int, 64)
	var next atomic.Int64
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for {
				hi := next.Add(step)
				if hi > 64 {
					return
				}
				for i := hi - step; i < hi; i++ {
					out[i]++ // assumed out
				}
			}
		})
	}
	wg.Wait()
}

// A column is below the width, and not negative, as the counter begins with zero.
func CU3_columns(h int) {
	w := 20
	out := make([]int, w*h)
	var next atomic.Int32
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for {
				x := int(next.Add(1)) - 1
				if x >= w {
					return
				}
				for y := range h {
					out[y*w+x]++ // norace
				}
			}
		})
	}
	wg.Wait()
}

func CU3b_lastOneToo() {
	w, h := 20, 10
	out := make([]int, w*h+1)
	var next atomic.Int32
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for {
				x := int(next.Add(1)) - 1
				if x > w {
					return
				}
				for y := range h {
					runtime.Gosched()
					out[y*w+x]++ // race! out
				}
			}
		})
	}
	wg.Wait()
}

// The first column is one to the left: it is the last one of the row before.
func CU3c_oneToTheLeft() {
	w, h := 20, 10
	out := make([]int, w*h)
	var next atomic.Int32
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for {
				x := int(next.Add(1)) - 2
				if x >= w {
					return
				}
				for y := 1; y < h; y++ {
					runtime.Gosched()
					out[y*w+x]++ // race! out
				}
			}
		})
	}
	wg.Wait()
}

// The counter begins below zero: the first one gets 0.
func CU4_fromMinusOne() {
	w, h := 20, 10
	out := make([]int, w*h)
	next := int32(-1)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for {
				x := int(atomic.AddInt32(&next, 1))
				if x >= w {
					return
				}
				for y := range h {
					out[y*w+x]++ // norace
				}
			}
		})
	}
	wg.Wait()
}

func CU4b_fromMinusTwo() {
	w, h := 20, 10
	out := make([]int, w*h)
	next := int32(-2)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for {
				x := int(atomic.AddInt32(&next, 1))
				if x >= w {
					return
				}
				for y := 1; y < h; y++ {
					runtime.Gosched()
					out[y*w+x]++ // race! out
				}
			}
		})
	}
	wg.Wait()
}

func CU4c_setByMethod() {
	w, h := 20, 10
	out := make([]int, w*h)
	var next atomic.Int32
	next.Store(-1)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for {
				x := int(next.Add(1)) - 1
				if x >= w {
					return
				}
				for y := 1; y < h; y++ {
					runtime.Gosched()
					out[y*w+x]++ // race! out
				}
			}
		})
	}
	wg.Wait()
}

var fromBelow int32 = -2

func CU4d_variableOfPackage() {
	w, h := 20, 10
	out := make([]int, w*h)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for {
				x := int(atomic.AddInt32(&fromBelow, 1))
				if x >= w {
					return
				}
				for y := 1; y < h; y++ {
					runtime.Gosched()
					out[y*w+x]++ // race! out
				}
			}
		})
	}
	wg.Wait()
}

// What the counter begins with is not a matter of the code in view.
func CU4e_fromAnywhere(from int32) {
	w, h := 20, 10
	out := make([]int, w*h)
	next := from
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for {
				x := int(atomic.AddInt32(&next, 1))
				if x >= w {
					return
				}
				for y := 1; y < h; y++ {
					out[y*w+x]++ // race! out
				}
			}
		})
	}
	wg.Wait()
}

func CU4f_counterGiven(next *atomic.Int32) {
	w, h := 20, 10
	out := make([]int, w*h)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for {
				x := int(next.Add(1)) - 1
				if x >= w {
					return
				}
				for y := 1; y < h; y++ {
					out[y*w+x]++ // race! out
				}
			}
		})
	}
	wg.Wait()
}

// An array that has grown has what the one before had.
func CU4g_copied() {
	w, h := 20, 10
	out := make([]int, w*h)
	counters := from(-2)
	counters = append(counters, 0)
	next := &counters[0]
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for {
				x := int(atomic.AddInt32(next, 1))
				if x >= w {
					return
				}
				for y := 1; y < h; y++ {
					runtime.Gosched()
					out[y*w+x]++ // race! out
				}
			}
		})
	}
	wg.Wait()
}

func from(least int32) []int32 {
	c := make([]int32, 1)
	c[0] = least
	return c
}

// The next column is asked for at the end of each round.
func CU5_forStatement(h int) {
	w := 20
	out := make([]int, w*h)
	var next atomic.Int32
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for x := int(next.Add(1)) - 1; x < w; x = int(next.Add(1)) - 1 {
				for y := range h {
					out[y*w+x]++ // norace
				}
			}
		})
	}
	wg.Wait()
}

func CU5b_oneToTheLeft() {
	w, h := 20, 10
	out := make([]int, w*h)
	var next atomic.Int32
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for x := int(next.Add(1)) - 2; x < w; x = int(next.Add(1)) - 2 {
				for y := 1; y < h; y++ {
					runtime.Gosched()
					out[y*w+x]++ // race! out
				}
			}
		})
	}
	wg.Wait()
}

// A matrix that is turned round: its columns are as many as the rows of the other one.
type rect struct {
	rows, cols int
	data       []int
}

func newRect(r, c int) *rect { return &rect{rows: r, cols: c, data: make([]int, r*c)} }

func (m *rect) set(i, j, v int) { m.data[i*m.cols+j] = v } // norace

func CU6_transposed(m *rect) *rect {
	t := newRect(m.cols, m.rows)
	eachRow(m.rows, func(i int) {
		for j := range m.cols {
			t.set(j, i, m.data[i*m.cols+j])
		}
	})
	return t
}

func eachRow(n int, f func(i int)) {
	var next atomic.Int64
	var wg sync.WaitGroup
	for range 4 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				f(i)
			}
		}()
	}
	wg.Wait()
}

// The other one has as many columns as this one: a matrix that is not square is written all over.
func CU6b_notTransposed() {
	m := newWideRect(12, 5)
	t := newWideRect(12, 5)
	eachWideRow(m.rows, func(i int) {
		for j := range m.cols {
			t.set(j, i, m.data[i*m.cols+j])
		}
	})
}

type wideRect struct {
	rows, cols int
	data       []int
}

func newWideRect(r, c int) *wideRect { return &wideRect{rows: r, cols: c, data: make([]int, r*c)} }

func (m *wideRect) set(i, j, v int) { m.data[i*m.cols+j] = v } // race! data

func eachWideRow(n int, f func(i int)) {
	var next atomic.Int64
	var wg sync.WaitGroup
	for range 4 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				f(i)
			}
		}()
	}
	wg.Wait()
}
