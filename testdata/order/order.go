// Package order holds programs about what may run beside what: the spawner
// between spawn and join, joins that do not join, phases, Once, flags.
package order

import "sync/atomic"

const n = 10

func put(i int) (int, error) { return i, nil }

// uses keeps results alive.
var uses atomic.Int64
