// Package sorting sorts a list, in parallel: each algorithm the way one writes it. None of it races.
package sorting

import (
	"math/rand"
	"runtime"
	"slices"
	"sort"
	"sync"
)

// merge sort, both halves at once
func MergeSort(a []int) {
	buf := make([]int, len(a))
	mergeSort(a, buf, 4)
}

func mergeSort(a, buf []int, depth int) {
	if len(a) < 32 {
		sort.Ints(a)
		return
	}
	m := len(a) / 2
	if depth > 0 {
		var wg sync.WaitGroup
		wg.Add(1)
		go func() {
			defer wg.Done()
			mergeSort(a[:m], buf[:m], depth-1)
		}()
		mergeSort(a[m:], buf[m:], depth-1)
		wg.Wait()
	} else {
		mergeSort(a[:m], buf[:m], 0)
		mergeSort(a[m:], buf[m:], 0)
	}
	merge(buf, a[:m], a[m:])
	copy(a, buf)
}

func merge(dst, l, r []int) {
	i, j := 0, 0
	for k := range dst {
		if j >= len(r) || i < len(l) && l[i] <= r[j] {
			dst[k] = l[i]
			i++
		} else {
			dst[k] = r[j]
			j++
		}
	}
}

// chunks sorted in parallel, merged pairwise in rounds
func ChunkSort(a []int) []int {
	workers := runtime.GOMAXPROCS(0)
	size := (len(a) + workers - 1) / workers
	var chunks [][]int
	var wg sync.WaitGroup
	for i := 0; i < len(a); i += size {
		end := i + size
		if end > len(a) {
			end = len(a)
		}
		c := a[i:end]
		chunks = append(chunks, c)
		wg.Add(1)
		go func(c []int) {
			defer wg.Done()
			sort.Ints(c)
		}(c)
	}
	wg.Wait()
	for len(chunks) > 1 {
		next := make([][]int, (len(chunks)+1)/2)
		var wg sync.WaitGroup
		for i := range next {
			wg.Add(1)
			go func() {
				defer wg.Done()
				if 2*i+1 == len(chunks) {
					next[i] = chunks[2*i]
					return
				}
				l, r := chunks[2*i], chunks[2*i+1]
				out := make([]int, len(l)+len(r))
				merge(out, l, r)
				next[i] = out
			}()
		}
		wg.Wait()
		chunks = next
	}
	return chunks[0]
}

// odd-even transposition
func OddEven(a []int) {
	for r := range len(a) {
		var wg sync.WaitGroup
		for i := r % 2; i+1 < len(a); i += 2 {
			wg.Go(func() {
				if a[i] > a[i+1] {
					a[i], a[i+1] = a[i+1], a[i]
				}
			})
		}
		wg.Wait()
	}
}

// sample sort
func SampleSort(a []float64, p int) []float64 {
	splitters := make([]float64, p-1)
	for i := range splitters {
		splitters[i] = a[rand.Intn(len(a))]
	}
	sort.Float64s(splitters)
	local := make([][][]float64, p)
	var wg sync.WaitGroup
	for w := range p {
		wg.Add(1)
		go func() {
			defer wg.Done()
			buckets := make([][]float64, p)
			for _, v := range a[w*len(a)/p : (w+1)*len(a)/p] {
				b := sort.SearchFloat64s(splitters, v)
				buckets[b] = append(buckets[b], v)
			}
			local[w] = buckets
		}()
	}
	wg.Wait()
	out := make([][]float64, p)
	for b := range p {
		wg.Add(1)
		go func() {
			defer wg.Done()
			var all []float64
			for w := range p {
				all = append(all, local[w][b]...)
			}
			sort.Float64s(all)
			out[b] = all
		}()
	}
	wg.Wait()
	return slices.Concat(out...)
}

// All runs all of it.
func All() {
	a := make([]int, 1024)
	MergeSort(a)
	_ = ChunkSort(a)
	OddEven(a)
	_ = SampleSort(make([]float64, 1000), 4)
}
