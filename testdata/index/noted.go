package index

import (
	"context"
	"sync"

	"golang.org/x/sync/semaphore"
)

// The address of a round's number is noted; nobody sets the number.

type noted struct {
	index *int
	large bool
}

func (n *noted) look() { n.large = *n.index > 3 }

func NT1_noted(n int) []int {
	out := make([]int, n)
	var wg sync.WaitGroup
	for i := range n {
		c := &noted{index: &i}
		c.look()
		wg.Go(func() {
			out[i] = 1 // norace
			if c.large {
				out[*c.index]++ // norace
			}
		})
	}
	wg.Wait()
	return out
}

func (n *noted) halve() { *n.index /= 2 }

// The number is another one when it is used.
func NT1b_set(n int) []int {
	out := make([]int, n)
	var wg sync.WaitGroup
	for i := range n {
		c := &noted{index: &i}
		wg.Go(func() {
			c.halve()
			out[i] = 1 // race! out[*]
		})
	}
	wg.Wait()
	return out
}

// Who fails sets the list to nil: an element is one of the list, or of none.
func NT1c_setToNil(n int) []int {
	out := make([]int, n)
	var wg sync.WaitGroup
	for i := range n {
		c := &noted{index: &i}
		wg.Go(func() {
			if c.look(); c.large {
				out = nil // race! out
				return
			}
			list := out // race! out
			list[i] = 1 // norace
		})
	}
	wg.Wait()
	return out
}

// Or to another list, of which an element may be any.
func NT1d_setToPart(n int) []int {
	out := make([]int, 2*n)
	var wg sync.WaitGroup
	for i := range n {
		c := &noted{index: &i}
		wg.Go(func() {
			if c.look(); c.large {
				out = out[1:] // race! out
				return
			}
			list := out // race! out
			list[i] = 1 // race! out[*]
		})
	}
	wg.Wait()
	return out
}

// What is behind a break is done in the last round, which has started nothing.
func NT2_break(ctx context.Context, n int) []int {
	sem := semaphore.NewWeighted(2)
	out := make([]int, n)
	var wg sync.WaitGroup
	for i := range n {
		if sem.Acquire(ctx, 1) != nil {
			for j := i; j < n; j++ {
				out[j] = -1 // norace
			}
			break
		}
		wg.Go(func() {
			defer sem.Release(1)
			out[i] = 1 // norace
		})
	}
	wg.Wait()
	return out
}

func NT2_return(ctx context.Context, out []int) {
	for i := range out {
		if ctx.Err() != nil {
			out[i] = -1 // norace
			return
		}
		go func() {
			out[i] = 1 // norace
		}()
	}
}

// An earlier round's element.
func NT2b_before(ctx context.Context, n int) []int {
	sem := semaphore.NewWeighted(2)
	out := make([]int, n)
	var wg sync.WaitGroup
	for i := range n {
		if sem.Acquire(ctx, 1) != nil {
			for j := max(i-1, 0); j < n; j++ {
				out[j] = -1 // race! out[*]
			}
			break
		}
		wg.Go(func() {
			defer sem.Release(1)
			out[i] = 1 // race! out[*]
		})
	}
	wg.Wait()
	return out
}

// The last round has started its goroutine before.
func NT2c_after(ctx context.Context, out []int) {
	for i := range out {
		go func() {
			out[i] = 1 // race! out[*]
		}()
		if ctx.Err() != nil {
			out[i] = -1 // race! out[*]
			return
		}
	}
}

// Behind the loop the number is not the last round's.
func NT2d_behind(n int) []int {
	out := make([]int, n)
	i := 0
	for ; i < n; i++ {
		go func(i int) {
			out[i] = 1 // race! out[*]
		}(i)
	}
	if i > 0 {
		out[i-1] = -1 // race! out[*]
	}
	return out
}
