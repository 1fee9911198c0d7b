package index

// What the spawner reads when it has left the loop that starts the iterations, in another loop around it: it has
// come to the end of that loop, and an iteration belongs to some round.

// LF1: in a loop of lists.
func LF1_lists(lists [][]int) (sum int) {
	for _, xs := range lists {
		out := make([]int, len(xs))
		for i, x := range xs {
			go func() {
				out[i] = x // race! out[*]
			}()
		}
		sum += out[0] // race! out[*]
	}
	return sum
}

// LF2: what comes after all of them.
func LF2_after(lists [][]int) (sum int) {
	for _, xs := range lists {
		out := make([]int, len(xs)+1)
		for i, x := range xs {
			go func() {
				out[i] = x // norace
			}()
		}
		sum += out[len(xs)] // norace
	}
	return sum
}

// LF3: the last one of them.
func LF3_last(lists [][]int) (sum int) {
	for _, xs := range lists {
		out := make([]int, len(xs)+1)
		for i, x := range xs {
			go func() {
				out[i] = x // race! out[*]
			}()
		}
		sum += out[len(xs)-1] // race! out[*]
	}
	return sum
}

// LF4: what the counter of the loop says when it is left.
func LF4_counter(rows int) (sum int) {
	for range rows {
		out := make([]int, n+1)
		i := 0
		for ; i < n; i++ {
			go func(i int) {
				out[i] = i // norace
			}(i)
		}
		sum += out[i] // norace
	}
	return sum
}

// LF5: one before it.
func LF5_before(rows int) (sum int) {
	for range rows {
		out := make([]int, n+1)
		i := 0
		for ; i < n; i++ {
			go func(i int) {
				out[i] = i // race! out[*]
			}(i)
		}
		sum += out[i-1] // race! out[*]
	}
	return sum
}
