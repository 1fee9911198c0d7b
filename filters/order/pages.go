package order

// Pages hold something for each of many numbers, of which a walk comes to few.
type pages[T any] []*[1 << pageBits]T

const pageBits = 9

// at returns what there is for a number, to be changed.
func (p *pages[T]) at(n int32) *T {
	k := int(n >> pageBits)
	if k >= len(*p) {
		*p = append(*p, make(pages[T], k+1-len(*p))...)
	}
	if (*p)[k] == nil {
		(*p)[k] = new([1 << pageBits]T)
	}
	return &(*p)[k][n&(1<<pageBits-1)]
}

func (p pages[T]) get(n int32) (v T) {
	k := int(n >> pageBits)
	if k >= len(p) || p[k] == nil {
		return v
	}
	return p[k][n&(1<<pageBits-1)]
}
