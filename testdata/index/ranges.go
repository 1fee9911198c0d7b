package index

import "sync"

// A function is told by two integers which part of a slice is its own. That it keeps to that
// part is assumed (S89).

// RG1: a quicksort, both parts on goroutines.
func RG1_quicksort() {
	var wg sync.WaitGroup
	wg.Add(1)
	quickBoth(make([]int, n), 0, n-1, &wg)
	wg.Wait()
}

func quickBoth(a []int, lo, hi int, wg *sync.WaitGroup) {
	defer wg.Done()
	if lo >= hi {
		return
	}
	p := partitionOf(a, lo, hi)
	wg.Add(2)
	go quickBoth(a, lo, p-1, wg)
	go quickBoth(a, p+1, hi, wg)
}

func partitionOf(a []int, lo, hi int) int {
	last := a[hi]
	i := lo
	for j := lo; j < hi; j++ {
		if a[j] < last {
			a[i], a[j] = a[j], a[i] // assumed a[*]; see RG1
			i++
		}
	}
	a[i], a[hi] = a[hi], a[i]
	return i
}

// RG2: one part is the caller's own.
func RG2_quicksortOne() { quickOne(make([]int, n), 0, n-1) }

func quickOne(a []int, lo, hi int) {
	if lo >= hi {
		return
	}
	p := partitionOf(a, lo, hi)
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		quickOne(a, lo, p-1)
	}()
	quickOne(a, p+1, hi)
	wg.Wait()
}

// RG3: a merge sort, whose parts do not have their ends.
func RG3_mergesort() { mergeParts(make([]int, n), make([]int, n), 0, n) }

func mergeParts(a, tmp []int, lo, hi int) {
	if hi-lo < 2 {
		return
	}
	m := (lo + hi) / 2
	var wg sync.WaitGroup
	wg.Add(2)
	go func() { defer wg.Done(); mergeParts(a, tmp, lo, m) }()
	go func() { defer wg.Done(); mergeParts(a, tmp, m, hi) }()
	wg.Wait()
	i, j := lo, m
	for k := lo; k < hi; k++ {
		if j >= hi || i < m && a[i] <= a[j] { // assumed a[*]; see RG3
			tmp[k] = a[i] // assumed a[*] tmp[*]; see RG3
			i++
		} else {
			tmp[k] = a[j] // assumed a[*] tmp[*]; see RG3
			j++
		}
	}
	copy(a[lo:hi], tmp[lo:hi]) // assumed a[*] tmp[*]; see RG3
}

// RG4: a merge sort whose parts have their ends.
func RG4_mergeClosed() { mergeClosed(make([]int, n), 0, n-1) }

func mergeClosed(a []int, lo, hi int) {
	if lo < hi {
		m := lo + (hi-lo)/2
		var wg sync.WaitGroup
		wg.Go(func() { mergeClosed(a, lo, m) })
		wg.Go(func() { mergeClosed(a, m+1, hi) })
		wg.Wait()
		mergeInPlace(a, lo, m, hi)
	}
}

func mergeInPlace(a []int, lo, m, hi int) {
	var out []int
	i, j := lo, m+1
	for i <= m && j <= hi {
		if a[i] < a[j] { // assumed a[*]; see RG4
			out = append(out, a[i])
			i++
		} else {
			out = append(out, a[j])
			j++
		}
	}
	for ; i <= m; i++ {
		out = append(out, a[i])
	}
	for ; j <= hi; j++ {
		out = append(out, a[j])
	}
	for k, v := range out {
		a[lo+k] = v // assumed a[*]; see RG4
	}
}

// RG5: a sum by parts, with a literal that has arguments, and the array in a struct.
func RG5_method() { (&rangedGrid{cells: make([]int, n)}).fill(0, n, 3) }

type rangedGrid struct{ cells []int }

func (g *rangedGrid) fill(from, to, depth int) {
	if depth == 0 || to-from < 4 {
		for i := from; i < to; i++ {
			g.cells[i] = i // assumed _[*]; see RG5
		}
		return
	}
	m := (from + to) / 2
	var wg sync.WaitGroup
	wg.Go(func() { g.fill(from, m, depth-1) })
	g.fill(m, to, depth-1)
	wg.Wait()
}

// RG19: the array is set anew meanwhile: what is one's part of it may be in another's.
func RG19_replaced() { (&movedGrid{cells: make([]int, n)}).fill(0, n) }

type movedGrid struct{ cells []int }

func (g *movedGrid) fill(from, to int) {
	if to-from < 4 {
		for i := from; i < to; i++ {
			g.cells[i] = i // race! _[*] g.cells
		}
		g.cells = g.cells[1:] // race! g.cells
		return
	}
	m := (from + to) / 2
	var wg sync.WaitGroup
	wg.Go(func() { g.fill(from, m) })
	g.fill(m, to)
	wg.Wait()
}

// RG20: a call has a grid of its own, of the same array.
func RG20_ofAnother() { (&shiftedGrid{cells: make([]int, n)}).fill(0, n) }

type shiftedGrid struct{ cells []int }

func (g *shiftedGrid) fill(from, to int) {
	if to-from < 4 {
		for i := from; i < to; i++ {
			g.cells[i] = i // race! _[*]
		}
		return
	}
	m := (from + to) / 2
	var wg sync.WaitGroup
	wg.Go(func() { (&shiftedGrid{cells: g.cells[2:]}).fill(from, m) })
	g.fill(m, to)
	wg.Wait()
}

// RG6: the goroutine is a literal that is told its part.
func RG6_literal() { doubleRange(make([]int, n), 0, n) }

func doubleRange(a []int, lo, hi int) {
	if hi-lo < 4 {
		for i := lo; i < hi; i++ {
			a[i] *= 2 // assumed a[*]; see RG6
		}
		return
	}
	m := (lo + hi) / 2
	var wg sync.WaitGroup
	wg.Add(1)
	go func(from, to int) {
		defer wg.Done()
		doubleRange(a, from, to)
	}(lo, m)
	doubleRange(a, m, hi)
	wg.Wait()
}

// RG7: the pivot is in both parts.
func RG7_pivotInBoth() { quickOverlap(make([]int, n), 0, n-1) }

func quickOverlap(a []int, lo, hi int) {
	if lo >= hi {
		return
	}
	p := partitionOfOverlap(a, lo, hi)
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		quickOverlap(a, lo, p)
	}()
	quickOverlap(a, p, hi)
	wg.Wait()
}

func partitionOfOverlap(a []int, lo, hi int) int {
	last := a[hi] // race! a[*]
	i := lo
	for j := lo; j < hi; j++ {
		if a[j] < last { // race! a[*]
			a[i], a[j] = a[j], a[i] // race! a[*]
			i++
		}
	}
	a[i], a[hi] = a[hi], a[i] // race! a[*]
	return i
}

// RG8: the middle is in both parts, each of which goes up to its end.
func RG8_middleInBoth() { doubleClosed(make([]int, n), 0, n-1) }

func doubleClosed(a []int, lo, hi int) {
	if hi-lo < 4 {
		for i := lo; i <= hi; i++ {
			a[i] *= 2 // race! a[*]
		}
		return
	}
	m := (lo + hi) / 2
	var wg sync.WaitGroup
	wg.Go(func() { doubleClosed(a, lo, m) })
	doubleClosed(a, m, hi)
	wg.Wait()
}

// RG9: parts of which one begins before the other ends.
func RG9_overlap() { doubleOverlap(make([]int, n), 0, n) }

func doubleOverlap(a []int, lo, hi int) {
	if hi-lo < 4 {
		for i := lo; i < hi; i++ {
			a[i] *= 2 // race! a[*]
		}
		return
	}
	m := (lo + hi) / 2
	var wg sync.WaitGroup
	wg.Go(func() { doubleOverlap(a, lo, m+1) })
	doubleOverlap(a, m, hi)
	wg.Wait()
}

// RG10: an element beyond the part.
func RG10_neighbour() { doubleNext(make([]int, n+1), 0, n) }

func doubleNext(a []int, lo, hi int) {
	if hi-lo < 4 {
		for i := lo; i < hi; i++ {
			a[i] *= 2 // race! a[*]
		}
		a[hi]++ // race! a[*]
		a[0]++  // race! a[*]
		return
	}
	m := (lo + hi) / 2
	var wg sync.WaitGroup
	wg.Go(func() { doubleNext(a, lo, m) })
	doubleNext(a, m, hi)
	wg.Wait()
}

// RG11: the function writes its part while the goroutine has half of it.
func RG11_own() { doubleOwn(make([]int, n), 0, n) }

func doubleOwn(a []int, lo, hi int) {
	if hi-lo < 4 {
		for i := lo; i < hi; i++ {
			a[i] *= 2 // race! a[*]
		}
		return
	}
	m := (lo + hi) / 2
	var wg sync.WaitGroup
	wg.Go(func() { doubleOwn(a, lo, m) })
	a[lo]++ // race! a[*]
	doubleOwn(a, m, hi)
	wg.Wait()
}

// RG12: both have one half.
func RG12_same() { doubleSame(make([]int, n), 0, n) }

func doubleSame(a []int, lo, hi int) {
	if hi-lo < 4 {
		for i := lo; i < hi; i++ {
			a[i] *= 2 // race! a[*]
		}
		return
	}
	m := (lo + hi) / 2
	var wg sync.WaitGroup
	wg.Go(func() { doubleSame(a, lo, m) })
	doubleSame(a, lo, m)
	wg.Wait()
}

// RG13: it is waited for too late: another part is cut off elsewhere meanwhile.
func RG13_notWaited() {
	a := make([]int, n)
	doubleLeft(a, 0, n)
	doubleLeft(a, 0, n)
}

func doubleLeft(a []int, lo, hi int) {
	if hi-lo < 4 {
		for i := lo; i < hi; i++ {
			a[i] *= 2 // race! a[*]
		}
		return
	}
	m := (lo + hi) / 2
	go doubleLeft(a, lo, m)
	doubleLeft(a, m, hi)
}

// RG14: a depth and a bound are no part.
func RG14_depth() { doubleDepth(make([]int, n), 0, 3) }

func doubleDepth(a []int, from, depth int) {
	if depth == 0 {
		for i := from; i < len(a); i++ {
			a[i] *= 2 // race! a[*]
		}
		return
	}
	var wg sync.WaitGroup
	wg.Go(func() { doubleDepth(a, from, depth-1) })
	doubleDepth(a, from+1, depth-1)
	wg.Wait()
}

// RG16: a bound and more.
func RG16_beyond() { doubleBeyond(make([]int, n+2), 0, n) }

func doubleBeyond(a []int, lo, hi int) {
	if hi-lo < 4 {
		for i := lo; i < hi; i++ {
			a[i] *= 2 // race! a[*]
		}
		a[hi+1]++ // race! a[*]
		return
	}
	m := (lo + hi) / 2
	var wg sync.WaitGroup
	wg.Go(func() { doubleBeyond(a, lo, m) })
	doubleBeyond(a, m+1, hi)
	wg.Wait()
}

// RG17: the parts are named from above.
func RG17_upsideDown() { doubleDown(make([]int, n), n, 0) }

func doubleDown(a []int, hi, lo int) {
	if hi-lo < 4 {
		for i := hi - 1; i >= lo; i-- {
			a[i] *= 2 // assumed a[*]; see RG17
		}
		return
	}
	m := (lo + hi) / 2
	var wg sync.WaitGroup
	wg.Go(func() { doubleDown(a, m, lo) })
	doubleDown(a, hi, m)
	wg.Wait()
}

// RG18: a Hoare partition goes from both ends.
func RG18_hoare() { quickHoare(make([]int, n), 0, n-1) }

func quickHoare(a []int, lo, hi int) {
	if lo < hi {
		p := hoare(a, lo, hi)
		var wg sync.WaitGroup
		wg.Add(2)
		go func() { defer wg.Done(); quickHoare(a, lo, p) }()
		go func() { defer wg.Done(); quickHoare(a, p+1, hi) }()
		wg.Wait()
	}
}

func hoare(a []int, lo, hi int) int {
	pivot := a[(lo+hi)/2] // assumed a[*]; see RG18
	i, j := lo-1, hi+1
	for {
		for i++; a[i] < pivot; i++ {
		}
		for j--; a[j] > pivot; j-- {
		}
		if i >= j {
			return j
		}
		a[i], a[j] = a[j], a[i] // assumed a[*]; see RG18
	}
}

// RG15: what each has is not told by its part.
func RG15_all() { doubleAll(make([]int, n), 0, n) }

func doubleAll(a []int, lo, hi int) {
	if hi-lo < 4 {
		for i := range a {
			a[i] *= 2 // race! a[*]
		}
		return
	}
	m := (lo + hi) / 2
	var wg sync.WaitGroup
	wg.Go(func() { doubleAll(a, lo, m) })
	doubleAll(a, m, hi)
	wg.Wait()
}

// RG21: a literal calls itself, and has captured the slice.
func RG21_literal() {
	a := make([]int, n)
	var double func(lo, hi int)
	double = func(lo, hi int) {
		if hi-lo < 4 {
			for i := lo; i < hi; i++ {
				a[i] *= 2 // assumed a[*]; see RG21
			}
			return
		}
		m := (lo + hi) / 2
		var wg sync.WaitGroup
		wg.Add(1)
		go func() {
			defer wg.Done()
			double(lo, m)
		}()
		double(m, hi)
		wg.Wait()
	}
	double(0, n)
}

// RG22: so does this one, with parts that overlap.
func RG22_literalOverlap() {
	a := make([]int, n)
	var double func(lo, hi int)
	double = func(lo, hi int) {
		if hi-lo < 4 {
			for i := lo; i < hi; i++ {
				a[i] *= 2 // race! a[*]
			}
			return
		}
		m := (lo + hi) / 2
		var wg sync.WaitGroup
		wg.Add(1)
		go func() {
			defer wg.Done()
			double(lo, m+1)
		}()
		double(m, hi)
		wg.Wait()
	}
	double(0, n)
}

// RG23: what is captured is set anew.
func RG23_literalMoves() {
	a := make([]int, 2*n)
	var double func(lo, hi int)
	double = func(lo, hi int) {
		if hi-lo < 4 {
			for i := lo; i < hi; i++ {
				a[i] *= 2 // race! a[*] a
			}
			a = a[2:] // race! a
			return
		}
		m := (lo + hi) / 2
		var wg sync.WaitGroup
		wg.Add(1)
		go func() {
			defer wg.Done()
			double(lo, m)
		}()
		double(m, hi)
		wg.Wait()
	}
	double(0, n)
}

// RG24: the goroutine has the slice from another element on, so that its indices mean others.
func RG24_shifted() { doubleShifted(make([]int, n), 0, n-1) }

func doubleShifted(a []int, lo, hi int) {
	if hi-lo < 4 {
		for i := lo; i < hi; i++ {
			a[i] *= 2 // race! a[*]
		}
		return
	}
	m := (lo + hi) / 2
	var wg sync.WaitGroup
	wg.Go(func() { doubleShifted(a[1:], lo, m) })
	doubleShifted(a, m, hi)
	wg.Wait()
}

// RG25: so has the call.
func RG25_callShifted() { doubleCallShifted(make([]int, n), 0, n-1) }

func doubleCallShifted(a []int, lo, hi int) {
	if hi-lo < 4 {
		for i := lo; i < hi; i++ {
			a[i] *= 2 // race! a[*]
		}
		return
	}
	m := (lo + hi) / 2
	var wg sync.WaitGroup
	wg.Go(func() { doubleCallShifted(a, m, hi) })
	doubleCallShifted(a[3:], lo, m)
	wg.Wait()
}

// RG26: a part of an array in a struct is cleared as a whole.
func RG26_clearedByField() { (&clearedGrid{cells: make([]int, n)}).fill(0, n) }

type clearedGrid struct{ cells []int }

func (g *clearedGrid) fill(lo, hi int) {
	if hi-lo < 2 {
		return
	}
	m := (lo + hi) / 2
	var wg sync.WaitGroup
	wg.Go(func() { g.fill(lo, m) })
	g.fill(m, hi)
	wg.Wait()
	clear(g.cells[lo:hi]) // assumed _[*]; see RG26
}

// RG27: a merge sort by methods, which copies back.
func RG27_mergesortByField() { (&sortedGrid{make([]int, n), make([]int, n)}).sort(0, n) }

type sortedGrid struct{ xs, tmp []int }

func (s *sortedGrid) sort(lo, hi int) {
	if hi-lo < 2 {
		return
	}
	m := (lo + hi) / 2
	var wg sync.WaitGroup
	wg.Go(func() { s.sort(lo, m) })
	s.sort(m, hi)
	wg.Wait()
	s.merge(lo, m, hi)
}

func (s *sortedGrid) merge(lo, m, hi int) {
	i, j := lo, m
	for k := lo; k < hi; k++ {
		if j >= hi || i < m && s.xs[i] <= s.xs[j] { // assumed _[*]; see RG27
			s.tmp[k] = s.xs[i] // assumed _[*]; see RG27
			i++
		} else {
			s.tmp[k] = s.xs[j] // assumed _[*]; see RG27
			j++
		}
	}
	copy(s.xs[lo:hi], s.tmp[lo:hi]) // assumed _[*]; see RG27
}

// RG28: what is cleared goes on to the end of the array.
func RG28_clearedOn() { (&openGrid{cells: make([]int, n)}).fill(0, n) }

type openGrid struct{ cells []int }

func (g *openGrid) fill(lo, hi int) {
	if hi-lo < 2 {
		return
	}
	m := (lo + hi) / 2
	var wg sync.WaitGroup
	wg.Go(func() { g.fill(lo, m) })
	g.fill(m, hi)
	wg.Wait()
	clear(g.cells[lo:]) // race! _[*]
}

// RG29: it is all of the array.
func RG29_clearedAll() { (&wholeGrid{cells: make([]int, n)}).fill(0, n) }

type wholeGrid struct{ cells []int }

func (g *wholeGrid) fill(lo, hi int) {
	if hi-lo < 2 {
		return
	}
	m := (lo + hi) / 2
	var wg sync.WaitGroup
	wg.Go(func() { g.fill(lo, m) })
	g.fill(m, hi)
	wg.Wait()
	clear(g.cells) // race! _[*]
}

// RG30: it has one element more, or begins one earlier.
func RG30_oneMore() {
	(&longGrid{cells: make([]int, n+1)}).fill(0, n)
	(&earlyGrid{cells: make([]int, n+1)}).fill(1, n)
}

type longGrid struct{ cells []int }

func (g *longGrid) fill(lo, hi int) {
	if hi-lo < 2 {
		return
	}
	m := (lo + hi) / 2
	var wg sync.WaitGroup
	wg.Go(func() { g.fill(lo, m) })
	g.fill(m, hi)
	wg.Wait()
	clear(g.cells[lo : hi+1]) // race! _[*]
}

type earlyGrid struct{ cells []int }

func (g *earlyGrid) fill(lo, hi int) {
	if hi-lo < 2 {
		return
	}
	m := (lo + hi) / 2
	var wg sync.WaitGroup
	wg.Go(func() { g.fill(lo, m) })
	g.fill(m, hi)
	wg.Wait()
	clear(g.cells[lo-1 : hi]) // race! _[*]
}

// RG31: the array is cut meanwhile.
func RG31_cutMeanwhile() { (&cutGrid{cells: make([]int, n)}).fill(0, n) }

type cutGrid struct{ cells []int }

func (g *cutGrid) fill(lo, hi int) {
	if hi-lo < 4 {
		clear(g.cells[lo:hi]) // race! _[*] g.cells
		g.cells = g.cells[1:] // race! g.cells
		return
	}
	m := (lo + hi) / 2
	var wg sync.WaitGroup
	wg.Go(func() { g.fill(lo, m) })
	g.fill(m, hi)
	wg.Wait()
}

// RG32: a copy goes to a place of the parameter from the beginning of the array.
func RG32_copiedToFront() { (&frontGrid{make([]int, n), make([]int, n)}).fill(0, n) }

type frontGrid struct{ xs, tmp []int }

func (g *frontGrid) fill(lo, hi int) {
	if hi-lo < 2 {
		return
	}
	m := (lo + hi) / 2
	var wg sync.WaitGroup
	wg.Go(func() { g.fill(lo, m) })
	g.fill(m, hi)
	wg.Wait()
	copy(g.xs, g.tmp[lo:hi]) // race! xs[*]
}
