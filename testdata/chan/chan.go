// Package channel holds programs that order or hand over by channels.
package channel

const n = 10

type item struct {
	id  int
	out int
	buf []int
}
