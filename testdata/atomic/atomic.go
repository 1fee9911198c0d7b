// Package atomics holds programs with atomic operations: as data, as the
// source of unique indices, as flags that order plain accesses.
package atomics

const n = 10

type node struct {
	id   int
	next *node
}
