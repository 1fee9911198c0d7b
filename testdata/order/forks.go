package order

import (
	"slices"
	"sync"
)

// One half by a goroutine, the other by the caller itself, and the whole is looked
// at afterwards.

func leafWork(s []int) {
	for i := range s {
		s[i]++ // norace
	}
}

func halves(s []int) {
	if len(s) <= 2 {
		leafWork(s)
		return
	}
	m := len(s) / 2
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		halves(s[:m])
	}()
	halves(s[m:])
	wg.Wait()
}

func FJ1_waitGroup() {
	s := make([]int, n)
	halves(s)
	_ = s[0] // norace
}

func sorted(s []int) {
	if len(s) <= 2 {
		slices.Sort(s) // norace
		return
	}
	m := len(s) / 2
	done := make(chan struct{})
	go func() {
		defer close(done)
		sorted(s[:m])
	}()
	sorted(s[m:])
	<-done
	for i := range s {
		s[i]++ // norace
	}
}

func FJ2_channel() {
	s := make([]int, n)
	sorted(s)
	_ = s[0]               // norace
	_ = slices.IsSorted(s) // norace
}

// Only the outermost call waits, and for its own goroutine only.
func FJ1b_outerWaits() {
	s := make([]int, 4*n)
	var f func(s []int, depth int)
	f = func(s []int, depth int) {
		if len(s) <= 2 {
			for i := range s {
				s[i]++ // race! s[*]
			}
			return
		}
		m := len(s) / 2
		var wg sync.WaitGroup
		wg.Add(1)
		go func() {
			defer wg.Done()
			f(s[:m], depth+1)
		}()
		f(s[m:], depth+1)
		if depth == 0 {
			wg.Wait()
		}
	}
	f(s, 0)
	for _, v := range s { // race! s[*]
		_ = v
	}
}

func outerWaits(s []int, depth int) {
	if len(s) <= 2 {
		for i := range s {
			s[i]++ // race! s[*]
		}
		return
	}
	m := len(s) / 2
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		outerWaits(s[:m], depth+1)
	}()
	outerWaits(s[m:], depth+1)
	if depth == 0 {
		wg.Wait()
	}
}

func FJ1c_outerWaits() {
	s := make([]int, 4*n)
	outerWaits(s, 0)
	for _, v := range s { // race! s[*]
		_ = v
	}
}

// The goroutine tells too early.
func toldEarly(s []int) {
	if len(s) <= 2 {
		for i := range s {
			s[i]++ // race! s[*]
		}
		return
	}
	m := len(s) / 2
	done := make(chan struct{})
	go func() {
		close(done)
		toldEarly(s[:m])
	}()
	toldEarly(s[m:])
	<-done
}

func FJ2b_toldEarly() {
	s := make([]int, n)
	toldEarly(s)
	for _, v := range s { // race! s[*]
		_ = v
	}
}

// Two goroutines tell, and one of them is waited for.
func oneOfTwo(s []int) {
	if len(s) <= 2 {
		for i := range s {
			s[i]++ // race! s[*]
		}
		return
	}
	m, k := len(s)/3, 2*len(s)/3
	done := make(chan bool, 2)
	go func() {
		oneOfTwo(s[:m])
		done <- true
	}()
	go func() {
		oneOfTwo(s[m:k])
		done <- true
	}()
	oneOfTwo(s[k:])
	<-done
}

func FJ2c_oneOfTwo() {
	s := make([]int, 4*n)
	oneOfTwo(s)
	for _, v := range s { // race! s[*]
		_ = v
	}
}

// A loop starts several, with one channel.
func several(s []int) {
	if len(s) <= 2 {
		for i := range s {
			s[i]++ // race! s[*]
		}
		return
	}
	m := len(s) / 2
	done := make(chan bool, 2)
	for k := range 2 {
		go func() {
			several(s[k*m : (k+1)*m])
			done <- true
		}()
	}
	several(s[2*m:])
	<-done
}

func FJ2d_several() {
	s := make([]int, 5*n)
	several(s)
	for _, v := range s { // race! s[*]
		_ = v
	}
}

func FJ3_lookedBetween() {
	s := make([]int, n)
	for i := range s {
		s[i] = -i
	}
	looked(s)
}

// The sorted part is looked at while it is being sorted.
func looked(s []int) {
	if len(s) <= 2 {
		slices.Sort(s) // race! s[*]
		return
	}
	m := len(s) / 2
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		looked(s[:m])
	}()
	looked(s[m:])
	_ = s[0] // race! s[*]
	wg.Wait()
}

func FJ3b_beyond() {
	s := make([]int, 64)
	for i := range s {
		s[i] = -i
	}
	beyond(s)
}

// What is sorted is more than the half.
func beyond(s []int) {
	if len(s) <= 4 {
		slices.Sort(s) // race! s[*]
		return
	}
	m := len(s) / 2
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		beyond(s[:m+1])
	}()
	beyond(s[m:])
	wg.Wait()
}

// Half of the slice is sorted by a goroutine, the other one by the function itself,
// which joins by a channel.
func FJ2e_forkAndGoOn() { forkAndGoOn(make([]int, n)) }

func forkAndGoOn(a []int) {
	if len(a) < 2 {
		return
	}
	m := len(a) / 2
	done := make(chan bool)
	go func() {
		forkAndGoOn(a[:m])
		done <- true
	}()
	forkAndGoOn(a[m:])
	<-done
	a[0]++ // norace
}

type branch struct {
	left, right *branch
	v           int
}

// The goroutine's result is in a variable of the call that has started it.
func (b *branch) sum() int {
	if b == nil {
		return 0
	}
	var l int
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		l = b.left.sum() // norace
	}()
	r := b.right.sum()
	wg.Wait()
	return l + r + b.v // norace
}

func grown(depth int) *branch {
	if depth == 0 {
		return nil
	}
	return &branch{grown(depth - 1), grown(depth - 1), depth}
}

func FJ4_resultInVariable() { _ = grown(5).sum() }

func FJ4b_addedEarly() { _ = tooEarly(grown(5)) }

// It is added up before.
func tooEarly(b *branch) int {
	if b == nil {
		return 0
	}
	var l int
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		l = tooEarly(b.left) // race! l
	}()
	r := tooEarly(b.right)
	sum := l + r // race! l
	wg.Wait()
	return sum
}

func FJ4c_oneForAll() {
	var l int
	oneForAll(grown(5), &l)
	_ = l // race l; the goroutines are waited for, but race with each other
}

// The variable is one for all calls.
func oneForAll(b *branch, l *int) {
	if b == nil {
		return
	}
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		oneForAll(b.left, l)
		*l += b.v // race! l
	}()
	oneForAll(b.right, l)
	wg.Wait()
}

// Each call has a variable of its own, whatever its goroutine calls: the sorted halves
// come back as results.
func FJ5_ownVariable() { _ = sortedCopy(make([]int, n)) }

func sortedCopy(a []int) []int {
	if len(a) < 2 {
		return append([]int(nil), a...)
	}
	m := len(a) / 2
	var l []int
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		l = sortedCopy(a[:m]) // norace
	}()
	r := sortedCopy(a[m:])
	wg.Wait()
	return append(l, r...) // norace
}

// What the call itself does before it waits is beside its goroutine.
func FJ5b_beforeTheWait() { _ = hastyCopy(make([]int, n)) }

func hastyCopy(a []int) []int {
	if len(a) < 2 {
		return append([]int(nil), a...)
	}
	m := len(a) / 2
	var l []int
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		l = hastyCopy(a[:m]) // race! l
	}()
	r := append(l, hastyCopy(a[m:])...) // race! l
	wg.Wait()
	return r
}

// The group that it waits for is told too late.
func FJ5c_toldLater() { _ = lateCopy(make([]int, n)) }

func lateCopy(a []int) []int {
	if len(a) < 2 {
		return append([]int(nil), a...)
	}
	m := len(a) / 2
	var l []int
	var wg sync.WaitGroup
	go func() {
		wg.Add(1)
		defer wg.Done()
		l = lateCopy(a[:m]) // race! l
	}()
	r := lateCopy(a[m:])
	wg.Wait()
	return append(l, r...) // race! l
}

// The second slice of a copy is the one that the goroutine writes.
func FJ6_copiedFrom() {
	a, b := make([]int, 10), make([]int, 10)
	done := make(chan bool, 1)
	go func() {
		b[5] = 1 // race! b
		done <- true
	}()
	copy(a, b) // race! b
	<-done
}
