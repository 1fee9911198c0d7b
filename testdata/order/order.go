// Package order holds programs about what may run beside what: the spawner
// between spawn and join, joins that do not join, phases, Once, flags.
package order

import (
	"os"
	"sync/atomic"
)

const n = 10

func put(i int) (int, error) {
	if len(os.Args) > 9 {
		return 0, os.ErrClosed
	}
	return i, nil
}

// uses keeps results alive.
var uses atomic.Int64
