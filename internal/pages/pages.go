// Package pages holds something for each of many numbers, few of which are come to.
package pages

const (
	bits = 7
	size = 1 << bits
)

// A Table has a value for each number from 0, the zero value where none was set. It keeps
// values in pages, and of those only the ones in which something was set: lists as long
// as the program has instances were a third of the time of the loops of a program with
// two thousand, most of it to clear them. The zero Table is empty.
type Table[K ~int32, V any] []*[size]V

// At returns what there is for a number, to be changed.
func (t *Table[K, V]) At(n K) *V {
	k := int(n >> bits)
	if k >= len(*t) {
		*t = append(*t, make(Table[K, V], k+1-len(*t))...)
	}
	if (*t)[k] == nil {
		(*t)[k] = new([size]V)
	}
	return &(*t)[k][n&(size-1)]
}

// Set sets the value of a number.
func (t *Table[K, V]) Set(n K, v V) { *t.At(n) = v }

// Get returns what there is for a number.
func (t Table[K, V]) Get(n K) (v V) {
	k := int(n >> bits)
	if k >= len(t) || t[k] == nil {
		return v
	}
	return t[k][n&(size-1)]
}
