package index

import "sync"

// Own element, by the loop variable.
func B10_ownElement() {
	res := make([]int, n)
	var wg sync.WaitGroup
	for i := range res {
		wg.Go(func() {
			res[i] = sqrt(i) // norace
		})
	}
	wg.Wait()
}

// The next element is written, too: it is the neighbour's own.
func B10_nextElement() {
	res := make([]int, n+1)
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			res[i] = i   // race! res[*]
			res[i+1] = i // race! res[*]
		})
	}
	wg.Wait()
}

// Only the next element is written: still one per iteration.
func B10_onlyNextElement() {
	res := make([]int, n+1)
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			res[i+1] = i // norace
		})
	}
	wg.Wait()
}

// Each iteration writes element 0.
func B10_constantElement() {
	res := make([]int, n)
	var wg sync.WaitGroup
	for i := range res {
		wg.Go(func() {
			res[0] = i // race! res[*]
		})
	}
	wg.Wait()
}

// Neighbouring iterations share element i/2.
func X15_halvedIndex() {
	res := make([]int, n)
	var wg sync.WaitGroup
	for i := range res {
		wg.Go(func() {
			res[i/2] = i // race! res[*]
		})
	}
	wg.Wait()
}

// Elements 2i and 2i+1 belong to iteration i.
func B10_evenAndOdd() {
	res := make([]int, 2*n)
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			res[2*i] = i       // norace
			res[2*i+1] = i + 1 // norace
		})
	}
	wg.Wait()
}

// The slice is filled from its end.
func B10_reversed() {
	res := make([]int, n)
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			res[n-1-i] = i // norace
		})
	}
	wg.Wait()
}

// The iterations of the first half swap their element with the mirrored one.
func B10_swapEnds() {
	res := make([]int, n)
	var wg sync.WaitGroup
	for i := range len(res) / 2 {
		wg.Go(func() {
			k := len(res) - 1 - i
			res[i], res[k] = res[k], res[i] // norace
		})
	}
	wg.Wait()
}

// All iterations do: each pair is swapped twice.
func B10_swapEndsTwice() {
	res := make([]int, n)
	var wg sync.WaitGroup
	for i := range len(res) {
		wg.Go(func() {
			k := len(res) - 1 - i
			res[i], res[k] = res[k], res[i] // race! res[*]
		})
	}
	wg.Wait()
}

// A goroutine per worker takes every workers-th row.
func B10_stride() {
	const workers = 4
	res := make([]int, n)
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			for i := w; i < n; i += workers {
				res[i] = w // norace
			}
		})
	}
	wg.Wait()
}

// The stride is one short.
func B10_strideTooShort() {
	const workers = 4
	res := make([]int, n)
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			for i := w; i < n; i += workers - 1 {
				res[i] = w // race! res[*]
			}
		})
	}
	wg.Wait()
}

// Each worker has a slot of its own in the sums.
func B10_workerSlots() {
	sums := make([]int, 4)
	var wg sync.WaitGroup
	for w := range sums {
		wg.Go(func() {
			for i := w * 6; i < (w+1)*6; i++ {
				sums[w] += i // norace
			}
		})
	}
	wg.Wait()
	total := 0
	for _, s := range sums {
		total += s // norace
	}
	_ = total
}

// Each element is a byte of its own.
func S50_boolElements() {
	ok := make([]bool, n)
	var wg sync.WaitGroup
	for i := range ok {
		wg.Go(func() {
			ok[i] = true // norace
		})
	}
	wg.Wait()
}

// Bits of one word are not elements.
func S50b_bitSet() {
	bits := make([]uint64, 1+n/64)
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			bits[i/64] |= 1 << (i % 64) // race! bits[*]
		})
	}
	wg.Wait()
}

// A permutation: each result goes to one place, though the analysis cannot
// know that without being told: it is not shown by default.
func S28_permutation() {
	perm := make([]int, n)
	for i := range perm {
		perm[i] = (i*7 + 3) % n
	}
	res := make([]int, n)
	var wg sync.WaitGroup
	for i := range res {
		wg.Go(func() {
			res[perm[i]] = i // assumed res[*]
		})
	}
	wg.Wait()
}

// A hash is no permutation.
func S28b_hashed() {
	res := make([]int, 5)
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			res[hash(i)%5] = i // race! res[*]
		})
	}
	wg.Wait()
}

func hash(i int) int { return i * 31 }

// The maximum is kept in a slot that depends on the data.
func S45_scatteredMax() {
	best := make([]int, 4)
	data := make([]int, n)
	for i := range data {
		data[i] = i * 13 % 7
	}
	var wg sync.WaitGroup
	for i := range data {
		wg.Go(func() {
			slot := data[i] % 4
			if best[slot] < data[i] { // race! best[*]
				best[slot] = data[i] // race! best[*]
			}
		})
	}
	wg.Wait()
}

// The indices come from a channel that got each once.
func S33_indexFromChannel() {
	work := make(chan int)
	res := make([]int, n)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for i := range work {
				res[i] = i * i // norace
			}
		})
	}
	for i := range n {
		work <- i
	}
	close(work)
	wg.Wait()
}

// A local slot per iteration, as Java's ThreadLocal would give one per thread.
func B10_arrayOfStructs() {
	type acc struct{ sum, count int }
	accs := make([]acc, n)
	var wg sync.WaitGroup
	for i := range accs {
		wg.Go(func() {
			a := &accs[i]
			for k := range 5 {
				a.sum += k // norace
				a.count++  // norace
			}
		})
	}
	wg.Wait()
}
