package fp

import "sync"

// Chunks are counted first, and from the sums of the counts each knows where its part of the result begins: that it puts
// there as many as it has counted, by the marks that it has made then, is a matter of what both loops compute.
func FP_compacted(in []int) []int {
	marks := make([]bool, len(in))
	ends := make([]int, 5)
	var wg sync.WaitGroup
	for k := range 4 {
		wg.Go(func() {
			for i := k * len(in) / 4; i < (k+1)*len(in)/4; i++ {
				if marks[i] = in[i]%2 == 0; marks[i] {
					ends[k+1]++
				}
			}
		})
	}
	wg.Wait()
	for k := 1; k < len(ends); k++ {
		ends[k] += ends[k-1]
	}
	out := make([]int, ends[4])
	for k := range 4 {
		wg.Go(func() {
			at := ends[k]
			for i := k * len(in) / 4; i < (k+1)*len(in)/4; i++ {
				if marks[i] {
					out[at] = in[i] // race out; the sums of what was counted are not related to what is put there
					at++
				}
			}
		})
	}
	wg.Wait()
	return out
}
