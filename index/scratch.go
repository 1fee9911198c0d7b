package index

import "sync"

// This file holds memory that lowering uses again.

// A scratch is memory that is used again for the next function: a whole
// program has a million values, and what is kept of them are bytes.
type scratch struct {
	packer
	vals    []val
	blocks  []block
	byInstr []vref
	refs    []vref  // operands
	ints    []int32 // edges
}

var scratches = sync.Pool{New: func() any { return new(scratch) }}

// arena returns n zeros that stay valid while the function is lowered.
func arena[T any](from *[]T, n int) []T {
	if cap(*from)-len(*from) < n {
		*from = make([]T, 0, max(1024, n))
	}
	k := len(*from)
	*from = (*from)[:k+n]
	out := (*from)[k : k+n : k+n]
	clear(out)
	return out
}
