package index

import (
	"sort"
	"sync"
)

// Fork and join: a function calls itself on both halves, the left one on a
// goroutine of its own.
func B10_halves() { double(make([]int, n)) }

func double(a []int) {
	if len(a) <= 4 {
		for i := range a {
			a[i] *= 2 // norace
		}
		return
	}
	m := len(a) / 2
	var wg sync.WaitGroup
	wg.Go(func() { double(a[:m]) })
	double(a[m:])
	wg.Wait()
}

// The halves share an element.
func B10_halvesOverlap() { doubleMore(make([]int, n)) }

func doubleMore(a []int) {
	if len(a) <= 4 {
		for i := range a {
			a[i] *= 2 // race! a[*]
		}
		return
	}
	m := len(a) / 2
	var wg sync.WaitGroup
	wg.Go(func() { doubleMore(a[:m+1]) })
	doubleMore(a[m:])
	wg.Wait()
}

// The function writes its slice itself while the goroutine has half of it.
func B10_halvesAndOwn() { doubleAndOwn(make([]int, n)) }

func doubleAndOwn(a []int) {
	if len(a) <= 4 {
		for i := range a {
			a[i] *= 2 // race! a[*]
		}
		return
	}
	m := len(a) / 2
	var wg sync.WaitGroup
	wg.Go(func() { doubleAndOwn(a[:m]) })
	a[0]++ // race! a[*]
	doubleAndOwn(a[m:])
	wg.Wait()
}

// Quicksort: the pivot lies between the parts.
func B10_quicksort() { quick(make([]int, n)) }

func quick(a []int) {
	if len(a) < 2 {
		return
	}
	p := partition(a)
	done := make(chan bool)
	go func() {
		quick(a[:p])
		close(done)
	}()
	quick(a[p+1:])
	<-done
}

func partition(a []int) int {
	p := 0
	for i := 1; i < len(a); i++ {
		if a[i] < a[0] { // norace
			p++
			a[i], a[p] = a[p], a[i] // norace
		}
	}
	a[0], a[p] = a[p], a[0] // norace
	return p
}

// Merge sort: a goroutine for each half, and the whole is merged when both are
// done.
func B10_mergeSort() { mergeSort(make([]int, n)) }

func mergeSort(a []int) {
	if len(a) < 2 {
		return
	}
	m := len(a) / 2
	left, right := a[:m], a[m:]
	var wg sync.WaitGroup
	wg.Add(2)
	go func() { defer wg.Done(); mergeSort(left) }()
	go func() { defer wg.Done(); mergeSort(right) }()
	wg.Wait()
	merge(a, m)
}

// One of the goroutines says early that it is done.
func B10_mergeSortEarlyDone() { mergeSortEarly(make([]int, n)) }

func mergeSortEarly(a []int) {
	if len(a) < 2 {
		return
	}
	m := len(a) / 2
	left, right := a[:m], a[m:]
	var wg sync.WaitGroup
	wg.Add(2)
	go func() { wg.Done(); mergeSortEarly(left) }()
	go func() { defer wg.Done(); mergeSortEarly(right) }()
	wg.Wait()
	for i := range a {
		a[i]++ // race! a[*]
	}
}

// Only the outermost call waits.
func B10_mergeSortNotJoined() { mergeSortOnce(make([]int, n), true) }

func mergeSortOnce(a []int, wait bool) {
	if len(a) < 2 {
		return
	}
	m := len(a) / 2
	left, right := a[:m], a[m:]
	var wg sync.WaitGroup
	wg.Add(2)
	go func() { defer wg.Done(); mergeSortOnce(left, false) }()
	go func() { defer wg.Done(); mergeSortOnce(right, false) }()
	if wait {
		wg.Wait()
	}
	for i := range a {
		a[i]++ // race! a[*]
	}
}

func merge(a []int, m int) {
	t := make([]int, 0, len(a))
	i, j := 0, m
	for i < m && j < len(a) {
		if a[i] < a[j] { // norace
			t = append(t, a[i])
			i++
		} else {
			t = append(t, a[j])
			j++
		}
	}
	t = append(t, a[i:m]...)
	t = append(t, a[j:]...)
	copy(a, t) // norace
}

// Large slices are halved by goroutines, small ones without, by calls of the same
// function.
func B10_halvesEitherWay() { eitherWay(make([]int, 4*n), 2) }

func eitherWay(a []int, depth int) {
	if len(a) < 2 {
		return
	}
	m := len(a) / 2
	if depth > 0 {
		var wg sync.WaitGroup
		wg.Add(2)
		go func() { defer wg.Done(); eitherWay(a[:m], depth-1) }()
		go func() { defer wg.Done(); eitherWay(a[m:], depth-1) }()
		wg.Wait()
	} else {
		eitherWay(a[:m], 0)
		eitherWay(a[m:], 0)
	}
	a[0]++ // norace
}

// Both: the calls may come while the goroutines run.
func B10_halvesBothWays() { bothWays(make([]int, 4*n), 2) }

func bothWays(a []int, depth int) {
	if len(a) < 2 {
		return
	}
	m := len(a) / 2
	var wg sync.WaitGroup
	if depth > 0 {
		wg.Add(2)
		go func() { defer wg.Done(); bothWays(a[:m], depth-1) }()
		go func() { defer wg.Done(); bothWays(a[m:], depth-1) }()
	}
	if depth < 2 {
		bothWays(a[:m], 0)
		bothWays(a[m:], 0)
	}
	wg.Wait()
	a[0]++ // race! a[*]
}

// The small ones are cut elsewhere.
func B10_halvesElsewhere() { elsewhere(make([]int, 4*n), 2) }

func elsewhere(a []int, depth int) {
	if len(a) < 3 {
		return
	}
	m := len(a) / 2
	if depth > 0 {
		var wg sync.WaitGroup
		wg.Add(2)
		go func() { defer wg.Done(); elsewhere(a[:m+1], depth-1) }()
		go func() { defer wg.Done(); elsewhere(a[m:], depth-1) }()
		wg.Wait()
	} else {
		elsewhere(a[:m], 0)
		elsewhere(a[m:], 0)
	}
	a[0]++        // race! a[*]
	a[len(a)-1]++ // race! a[*]
}

// Where to cut is counted, and stands still once the goroutines have it.
func B10_quickSort() { quickSort(make([]int, n)) }

func quickSort(a []int) {
	if len(a) < 2 {
		return
	}
	p, i := a[len(a)-1], 0
	for j := range len(a) - 1 {
		if a[j] < p {
			a[i], a[j] = a[j], a[i] // norace
			i++
		}
	}
	a[i], a[len(a)-1] = a[len(a)-1], a[i] // norace
	if len(a) < 10 {
		quickSort(a[:i])
		quickSort(a[i+1:])
		return
	}
	var wg sync.WaitGroup
	wg.Add(2)
	go func() { defer wg.Done(); quickSort(a[:i]) }()
	go func() { defer wg.Done(); quickSort(a[i+1:]) }()
	wg.Wait()
}

// It is moved while the first may not have looked yet.
func B10_quickSortMoved() { quickMoved(make([]int, n)) }

func quickMoved(a []int) {
	if len(a) < 2 {
		return
	}
	i := 0
	for j := range a {
		if a[j] < a[0] { // race! a[*]
			i++
		}
	}
	var wg sync.WaitGroup
	wg.Add(2)
	go func() { defer wg.Done(); quickMoved(a[:i]) }() // race! i
	i--                                                // race! i
	go func() { defer wg.Done(); quickMoved(a[i:]) }()
	wg.Wait()
	a[0]++ // race! a[*]
}

// The parts are sorted by a function of the library.
func B10_sortedHalves() { sortHalves(make([][2]int, n), 0, 3) }

func sortHalves(ps [][2]int, axis, depth int) int {
	if len(ps) == 0 {
		return 0
	}
	sort.Slice(ps, func(i, j int) bool { return ps[i][axis] < ps[j][axis] }) // norace
	m := len(ps) / 2
	var l, r int
	if depth > 0 {
		var wg sync.WaitGroup
		wg.Add(2)
		go func() { defer wg.Done(); l = sortHalves(ps[:m], 1-axis, depth-1) }()
		go func() { defer wg.Done(); r = sortHalves(ps[m+1:], 1-axis, depth-1) }()
		wg.Wait()
	} else {
		l, r = sortHalves(ps[:m], 1-axis, 0), sortHalves(ps[m+1:], 1-axis, 0)
	}
	return l + r + ps[m][axis] // norace
}

// Both halves are sorted by a group that starts them itself.
func B10_mergeSortGroup() { mergeSortGroup(make([]int, n)) }

func mergeSortGroup(a []int) {
	if len(a) < 2 {
		return
	}
	m := len(a) / 2
	var wg sync.WaitGroup
	wg.Go(func() { mergeSortGroup(a[:m]) })
	wg.Go(func() { mergeSortGroup(a[m:]) })
	wg.Wait()
	mergeGroup(a, m)
}

func mergeGroup(a []int, m int) {
	for i := range a {
		a[i] += m // norace
	}
}

// On some ways it does not wait.
func B10_mergeSortHasty() { mergeSortHasty(make([]int, n)) }

func mergeSortHasty(a []int) {
	if len(a) < 2 {
		return
	}
	m := len(a) / 2
	var wg sync.WaitGroup
	wg.Go(func() { mergeSortHasty(a[:m]) })
	wg.Go(func() { mergeSortHasty(a[m:]) })
	if m%3 == 0 {
		return
	}
	wg.Wait()
	mergeHasty(a, m)
}

func mergeHasty(a []int, m int) {
	for i := range a {
		a[i] += m // race! a[*]
	}
}

// One of the goroutines is not waited for.
func B10_mergeSortLoose() { mergeSortLoose(make([]int, n)) }

func mergeSortLoose(a []int) {
	if len(a) < 2 {
		return
	}
	m := len(a) / 2
	var wg sync.WaitGroup
	wg.Go(func() { mergeSortLoose(a[:m]) })
	go mergeSortLoose(a[m:])
	wg.Wait()
	mergeLoose(a, m)
}

func mergeLoose(a []int, m int) {
	for i := range a {
		a[i] += m // race! a[*]
	}
}

// What a goroutine starts, it does not wait for: another group does, of its starter.
func B10_mergeSortOuter() {
	var wg sync.WaitGroup
	mergeSortOuter(make([]int, n), &wg)
	wg.Wait()
}

func mergeSortOuter(a []int, wg *sync.WaitGroup) {
	if len(a) < 2 {
		return
	}
	m := len(a) / 2
	var own sync.WaitGroup
	own.Go(func() {
		wg.Go(func() { mergeSortOuter(a[:m], wg) })
		mergeSortOuter(a[m:], wg)
	})
	own.Wait()
	mergeOuter(a, m)
}

func mergeOuter(a []int, m int) {
	for i := range a {
		a[i] += m // race! a[*]
	}
}

// The same, told by hand.
func B10_mergeSortOuterDone() {
	var wg sync.WaitGroup
	mergeSortOuterDone(make([]int, n), &wg)
	wg.Wait()
}

func mergeSortOuterDone(a []int, wg *sync.WaitGroup) {
	if len(a) < 2 {
		return
	}
	m := len(a) / 2
	var own sync.WaitGroup
	own.Add(1)
	go func() {
		defer own.Done()
		wg.Add(1)
		go func() {
			defer wg.Done()
			mergeSortOuterDone(a[:m], wg)
		}()
		mergeSortOuterDone(a[m:], wg)
	}()
	own.Wait()
	mergeOuterDone(a, m)
}

func mergeOuterDone(a []int, m int) {
	for i := range a {
		a[i] += m // race! a[*]
	}
}

// Merge sort: what is left of both halves gets shorter and shorter while they are merged.
func B10_mergeSortRest() {
	a := make([]int, n)
	mergeSortRest(a, make([]int, len(a)))
}

func mergeSortRest(a, tmp []int) {
	if len(a) < 2 {
		return
	}
	m := len(a) / 2
	done := make(chan bool)
	go func() {
		mergeSortRest(a[:m], tmp[:m])
		close(done)
	}()
	mergeSortRest(a[m:], tmp[m:])
	<-done
	mergeRest(a, m, tmp)
}

func mergeRest(a []int, m int, tmp []int) {
	copy(tmp, a) // norace
	l, r := tmp[:m], tmp[m:]
	for i := range a {
		if len(r) == 0 || len(l) > 0 && l[0] <= r[0] {
			a[i], l = l[0], l[1:] // norace
		} else {
			a[i], r = r[0], r[1:] // norace
		}
	}
}

// What is left gets shorter at its end.
func B10_lastFirst() { lastFirst(make([]int, n)) }

func lastFirst(a []int) {
	for l := a; len(l) > 0; l = l[:len(l)-1] {
		l[len(l)-1]++ // norace
	}
	if len(a) < 2 {
		return
	}
	m := len(a) / 2
	done := make(chan bool)
	go func() {
		lastFirst(a[:m])
		close(done)
	}()
	lastFirst(a[m:])
	<-done
}

// What grows may come to what is behind the half.
func B10_growsAgain() { growsAgain(make([]int, n)) }

func growsAgain(a []int) {
	l := a[:1]
	for range 4 {
		l[len(l)-1]++ // race! a[*]
		l = l[:len(l)+1]
	}
	if len(a) < 2 {
		return
	}
	m := len(a) / 2
	done := make(chan bool)
	go func() {
		growsAgain(a[:m])
		close(done)
	}()
	growsAgain(a[m:])
	<-done
}

// In the second round it is another slice.
func B10_thenAnother() {
	a := make([]int, n)
	thenAnother(a, a)
}

func thenAnother(a, all []int) {
	l := a
	for range 2 {
		l[0]++ // race! a[*]
		l = all
	}
	if len(a) < 2 {
		return
	}
	m := len(a) / 2
	done := make(chan bool)
	go func() {
		thenAnother(a[:m], all)
		close(done)
	}()
	thenAnother(a[m:], all)
	<-done
}

// What the loop begins with is one half or the other.
func B10_eitherHalf() { eitherHalf(make([]int, n), 0, nil) }

func eitherHalf(a []int, k int, other []int) {
	l := a
	if k > 0 {
		l = other
		goto next
	}
next:
	if len(l) > 0 {
		l[0]++ // race! a[*]
		l = l[1:]
		goto next
	}
	if len(a) < 2 {
		return
	}
	m := len(a) / 2
	done := make(chan bool)
	go func() {
		eitherHalf(a[:m], 1, a[m:])
		close(done)
	}()
	eitherHalf(a[m:], 0, nil)
	<-done
}

// The same, the other way round.
func B10_otherHalf() { otherHalf(make([]int, n), 0, nil) }

func otherHalf(a []int, k int, other []int) {
	l := other
	if k == 0 {
		l = a
		goto next
	}
next:
	if len(l) > 0 {
		l[0]++ // race! a[*]
		l = l[1:]
		goto next
	}
	if len(a) < 2 {
		return
	}
	m := len(a) / 2
	done := make(chan bool)
	go func() {
		otherHalf(a[:m], 1, a[m:])
		close(done)
	}()
	otherHalf(a[m:], 0, nil)
	<-done
}
