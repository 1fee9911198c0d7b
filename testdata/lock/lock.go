// Package lock holds programs about mutexes: which locks are held at an access,
// and whether two accesses hold the same one.
package lock

import "sync"

const n = 10

// P is a particle with a mutex of its own.
type P struct {
	xyz    int
	x, y   int
	origin *P
	mu     sync.Mutex
}

func put(i int) (int, error) { return i, nil }
