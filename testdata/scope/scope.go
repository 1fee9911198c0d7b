// Package scope holds programs that differ only in where a variable is
// declared: outside the loop, once per iteration, in the goroutine.
package scope

import "sync/atomic"

const n = 10

type user struct{ id int }

func put(i int) (int, error) { return i, nil }

func ok(u *user) bool { return u.id != 3 }

// uses keeps results alive.
var uses atomic.Int64
