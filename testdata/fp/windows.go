package fp

import "sync"

// Each row is a window of one array, which ends where its room does. That what an append makes of a row lies in the
// row's own window, or in new memory, whatever the row has become meanwhile, is not known of what elements hold.
func FP_rowsInWindows(nums []int, k int) [][]int {
	n := len(nums)
	flat := make([]int, n*k)
	rows := make([][]int, k)
	var wg sync.WaitGroup
	for r := range rows {
		rows[r] = flat[r*n : r*n : (r+1)*n]
		wg.Go(func() {
			for _, v := range nums {
				if v%k == r {
					rows[r] = append(rows[r], v) // race rows[*][*]; what an element of rows holds is not followed through its own appends
				}
			}
		})
	}
	wg.Wait()
	return rows
}
