// Package loop holds programs about what is a parallel loop: the forms of
// spawning and joining, and which variables an iteration has for itself.
package loop

const n = 10

type P struct {
	x, y   int
	origin *P
}
