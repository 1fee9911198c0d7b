package order

import "sync"

// A helper starts the goroutine for one half, and returns the channel that tells when it is over.

func startsHalf(f func()) <-chan struct{} {
	done := make(chan struct{})
	go func() {
		defer close(done)
		f()
	}()
	return done
}

func joinHalves(dst, a, b []int) {
	i, j := 0, 0
	for k := range dst {
		if j == len(b) || i < len(a) && a[i] <= b[j] { // norace
			dst[k] = a[i] // norace
			i++
		} else {
			dst[k] = b[j] // norace
			j++
		}
	}
}

func FH1_async() {
	s := make([]int, n)
	asyncSort(s, make([]int, n))
	println(s[0]) // norace
}

func asyncSort(s, tmp []int) {
	if len(s) < 2 {
		s[0]++ // norace
		return
	}
	mid := len(s) / 2
	left := startsHalf(func() { asyncSort(s[:mid], tmp[:mid]) })
	asyncSort(s[mid:], tmp[mid:])
	<-left
	joinHalves(tmp, s[:mid], s[mid:])
	copy(s, tmp) // norace
}

// The halves overlap.
func FH1b_overlap() { overlapSort(make([]int, n)) }

func startsHalf2(f func()) <-chan struct{} {
	done := make(chan struct{})
	go func() {
		defer close(done)
		f()
	}()
	return done
}

func overlapSort(s []int) {
	if len(s) < 4 {
		s[0]++ // race! s[*]
		return
	}
	mid := len(s) / 2
	left := startsHalf2(func() { overlapSort(s[:mid+1]) })
	overlapSort(s[mid:])
	<-left
}

// The whole is looked at too early.
func FH1c_early() { earlySort(make([]int, n)) }

func startsHalf3(f func()) <-chan struct{} {
	done := make(chan struct{})
	go func() {
		defer close(done)
		f()
	}()
	return done
}

func earlySort(s []int) {
	if len(s) < 2 {
		s[0]++ // race! s[*]
		return
	}
	mid := len(s) / 2
	left := startsHalf3(func() { earlySort(s[:mid]) })
	earlySort(s[mid:])
	println(s[0]) // race! s[*]
	<-left
}

// The helper does at once what it also starts.
func FH1d_twice() { twiceSort(make([]int, n)) }

func startsAndRuns(f func()) <-chan struct{} {
	done := make(chan struct{})
	go func() {
		defer close(done)
		f()
	}()
	f()
	return done
}

func twiceSort(s []int) {
	if len(s) < 2 {
		s[0]++ // race! s[*]
		return
	}
	mid := len(s) / 2
	left := startsAndRuns(func() { twiceSort(s[:mid]) })
	twiceSort(s[mid:])
	<-left
}

// Two of three parts, which the helper starts, overlap; it has so many calls that they are not told apart.
func FH1e_manyCalls() { thirdsSort(make([]int, n)) }

func startsHalf5(f func()) <-chan struct{} {
	done := make(chan struct{})
	go func() {
		defer close(done)
		f()
	}()
	return done
}

func thirdsSort(s []int) {
	if len(s) < 8 {
		s[0]++ // race! s[*]
		return
	}
	a, b := len(s)/3, len(s)/2
	one := startsHalf5(func() { thirdsSort(s[:a+1]) })
	two := startsHalf5(func() { thirdsSort(s[a:b]) })
	thirdsSort(s[b:])
	<-one
	<-two
}

func FH1e_others() {
	<-startsHalf5(func() {})
	<-startsHalf5(func() {})
	<-startsHalf5(func() {})
	<-startsHalf5(func() {})
}

// The same half is started twice.
func FH1f_inLoop() { loopSort(make([]int, n)) }

func startsHalf6(f func()) <-chan struct{} {
	done := make(chan struct{})
	go func() {
		defer close(done)
		f()
	}()
	return done
}

func loopSort(s []int) {
	if len(s) < 2 {
		s[0]++ // race! s[*]
		return
	}
	mid := len(s) / 2
	var left <-chan struct{}
	for range 2 {
		left = startsHalf6(func() { loopSort(s[:mid]) })
	}
	loopSort(s[mid:])
	<-left
}

// Where the half ends is set anew meanwhile.
func FH1g_moved() { movedSort(make([]int, n)) }

func startsHalf7(f func()) <-chan struct{} {
	done := make(chan struct{})
	go func() {
		defer close(done)
		f()
	}()
	return done
}

func movedSort(s []int) {
	if len(s) < 4 {
		s[0]++ // race! s[*]
		return
	}
	mid := len(s) / 2
	left := startsHalf7(func() { movedSort(s[:mid]) }) // race! mid
	mid--                                              // race! mid
	movedSort(s[mid:])
	<-left
}

// The helper starts a half, or does it at once; who has called it waits for its goroutines.
func FH2_orAtOnce() {
	s := make([]int, n)
	atOnceSort(s, make(chan bool, 4))
	println(s[0]) // norace
}

func startsOrRuns(wg *sync.WaitGroup, slots chan bool, f func()) {
	select {
	case slots <- true:
		wg.Add(1)
		go func() {
			defer wg.Done()
			f()
			<-slots
		}()
	default:
		f()
	}
}

func atOnceSort(s []int, slots chan bool) {
	if len(s) < 2 {
		s[0]++ // norace
		return
	}
	mid := len(s) / 2
	var wg sync.WaitGroup
	startsOrRuns(&wg, slots, func() { atOnceSort(s[:mid], slots) })
	atOnceSort(s[mid:], slots)
	wg.Wait()
	s[0] = s[mid] // norace
}

// Nobody waits for the goroutine.
func FH2b_notWaited() { notWaitedSort(make([]int, n), make(chan bool, 4)) }

func startsOrRuns2(wg *sync.WaitGroup, slots chan bool, f func()) {
	select {
	case slots <- true:
		wg.Add(1)
		go func() {
			defer wg.Done()
			f()
			<-slots
		}()
	default:
		f()
	}
}

func notWaitedSort(s []int, slots chan bool) {
	if len(s) < 2 {
		s[0]++ // race! s[*]
		return
	}
	mid := len(s) / 2
	var wg sync.WaitGroup
	startsOrRuns2(&wg, slots, func() { notWaitedSort(s[:mid], slots) })
	notWaitedSort(s[mid:], slots)
	s[0] = s[mid] // race! s[*]
}

// What it does at once overlaps with the other half.
func FH2c_overlap() { overlapAtOnce(make([]int, n), make(chan bool, 4)) }

func startsOrRuns3(wg *sync.WaitGroup, slots chan bool, f func()) {
	select {
	case slots <- true:
		wg.Add(1)
		go func() {
			defer wg.Done()
			f()
			<-slots
		}()
	default:
		f()
	}
}

func overlapAtOnce(s []int, slots chan bool) {
	if len(s) < 4 {
		s[0]++ // race! s[*]
		return
	}
	mid := len(s) / 2
	var wg sync.WaitGroup
	startsOrRuns3(&wg, slots, func() { overlapAtOnce(s[:mid+1], slots) })
	overlapAtOnce(s[mid:], slots)
	wg.Wait()
}

// The channel that tells of it is closed by the goroutine, or by the helper.
func FH2d_channel() { channelSort(make([]int, n), make(chan bool, 4)) }

func startsOrTells(slots chan bool, f func()) <-chan struct{} {
	done := make(chan struct{})
	select {
	case slots <- true:
		go func() {
			defer close(done)
			f()
			<-slots
		}()
	default:
		f()
		close(done)
	}
	return done
}

func channelSort(s []int, slots chan bool) {
	if len(s) < 2 {
		s[0]++ // race s[*]; two close the channel, of which it is not seen that one does
		return
	}
	mid := len(s) / 2
	left := startsOrTells(slots, func() { channelSort(s[:mid], slots) })
	channelSort(s[mid:], slots)
	<-left
	s[0] = s[mid] // race s[*]; two close the channel, of which it is not seen that one does
}

// What the helper returns waits, if there is something to wait for.
func FH2e_waits() { waitsSort(make([]int, n), make(chan bool, 4)) }

func startsOrWaits(slots chan bool, f func()) (wait func()) {
	select {
	case slots <- true:
		done := make(chan struct{})
		go func() {
			defer close(done)
			f()
			<-slots
		}()
		return func() { <-done }
	default:
		f()
		return func() {}
	}
}

func waitsSort(s []int, slots chan bool) {
	if len(s) < 2 {
		s[0]++ // race s[*]; which of two functions is returned where a goroutine was started is not known
		return
	}
	mid := len(s) / 2
	wait := startsOrWaits(slots, func() { waitsSort(s[:mid], slots) })
	waitsSort(s[mid:], slots)
	wait()
	s[0] = s[mid] // race s[*]; which of two functions is returned where a goroutine was started is not known
}

// Of two calls of the helper each starts a half.
func FH3_bothHalves() {
	s := make([]int, n)
	bothSort(s)
	println(s[0]) // race s[*]; the goroutines of two calls are not looked at as those of one recursion
}

func startsHalf4(f func()) <-chan struct{} {
	done := make(chan struct{})
	go func() {
		defer close(done)
		f()
	}()
	return done
}

func bothSort(s []int) {
	if len(s) < 2 {
		s[0]++ // race s[*]; the goroutines of two calls are not looked at as those of one recursion
		return
	}
	mid := len(s) / 2
	left := startsHalf4(func() { bothSort(s[:mid]) })
	right := startsHalf4(func() { bothSort(s[mid:]) })
	<-left
	<-right
}
