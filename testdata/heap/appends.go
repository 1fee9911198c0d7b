package heap

import (
	"slices"
	"sync"
)

type leaf struct{ n int }

type holder struct{ p *leaf }

// One append adds the same object twice.
func X31_sameTwiceInOneAppend() {
	var jobs []*leaf
	for i := 0; i < n; i++ {
		o := &leaf{i}
		jobs = append(jobs, o, o)
	}
	var wg sync.WaitGroup
	for _, j := range jobs {
		wg.Go(func() { j.n++ }) // race! _.n
	}
	wg.Wait()
}

// Two appends of a round add the same object.
func X32_sameInTwoAppends() {
	var jobs []*leaf
	for i := 0; i < n; i++ {
		o := &leaf{i}
		jobs = append(jobs, o)
		jobs = append(jobs, o)
	}
	var wg sync.WaitGroup
	for _, j := range jobs {
		wg.Go(func() { j.n++ }) // race! _.n
	}
	wg.Wait()
}

// A round appends one object of its own.
func X33_oneAppend() {
	var jobs []*leaf
	for i := 0; i < n; i++ {
		jobs = append(jobs, &leaf{i})
	}
	var wg sync.WaitGroup
	for _, j := range jobs {
		wg.Go(func() { j.n++ }) // norace
	}
	wg.Wait()
}

// A round appends two objects, each its own.
func X34_twoNewInOneAppend() {
	var jobs []*leaf
	for i := 0; i < n; i++ {
		jobs = append(jobs, &leaf{i}, &leaf{i})
	}
	var wg sync.WaitGroup
	for _, j := range jobs {
		wg.Go(func() { j.n++ }) // norace
	}
	wg.Wait()
}

// The two objects that a round appends share a third.
func X35_sharedInside() {
	var jobs []*holder
	for i := 0; i < n; i++ {
		o := &leaf{i}
		jobs = append(jobs, &holder{o}, &holder{o})
	}
	var wg sync.WaitGroup
	for _, j := range jobs {
		wg.Go(func() { j.p.n++ }) // race! _.n
	}
	wg.Wait()
}

// So do those of two appends.
func X36_sharedInsideTwoAppends() {
	var jobs []*holder
	for i := 0; i < n; i++ {
		o := &leaf{i}
		jobs = append(jobs, &holder{o})
		jobs = append(jobs, &holder{o})
	}
	var wg sync.WaitGroup
	for _, j := range jobs {
		wg.Go(func() { j.p.n++ }) // race! _.n
	}
	wg.Wait()
}

// The elements are structs that share what they point to.
func X37_sharedInsideStructs() {
	var jobs []holder
	for i := 0; i < n; i++ {
		o := &leaf{i}
		jobs = append(jobs, holder{o}, holder{o})
	}
	var wg sync.WaitGroup
	for _, j := range jobs {
		wg.Go(func() { j.p.n++ }) // race! _.n
	}
	wg.Wait()
}

// A copy puts one object into two elements.
func X38_copiedInto() {
	cells := make([]*leaf, 2)
	for i := 0; i < n; i++ {
		c := &leaf{i}
		copy(cells, []*leaf{c, c})
	}
	var wg sync.WaitGroup
	for _, j := range cells {
		wg.Go(func() { j.n++ }) // race! _.n
	}
	wg.Wait()
}

// It does so although it runs once.
func X39_copiedIntoOnce() {
	cells := make([]*leaf, 2)
	c := &leaf{}
	copy(cells, []*leaf{c, c})
	var wg sync.WaitGroup
	for _, j := range cells {
		wg.Go(func() { j.n++ }) // race! _.n
	}
	wg.Wait()
}

// A copy of a list of different objects.
func X40_copiedApart() {
	from := make([]*leaf, n)
	for i := range from {
		from[i] = &leaf{i}
	}
	cells := make([]*leaf, n)
	copy(cells, from)
	var wg sync.WaitGroup
	for _, j := range cells {
		wg.Go(func() { j.n++ }) // norace
	}
	wg.Wait()
}

// The appended slice holds an object twice.
func X41_appendedSlice() {
	var jobs []*leaf
	for i := 0; i < n; i++ {
		o := &leaf{i}
		two := []*leaf{o, o}
		jobs = append(jobs, two...)
	}
	var wg sync.WaitGroup
	for _, j := range jobs {
		wg.Go(func() { j.n++ }) // race! _.n
	}
	wg.Wait()
}

// The list is a field.
func X42_fieldTwice() {
	var s struct{ jobs []*leaf }
	for i := 0; i < n; i++ {
		o := &leaf{i}
		s.jobs = append(s.jobs, o)
		s.jobs = append(s.jobs, o)
	}
	var wg sync.WaitGroup
	for _, j := range s.jobs {
		wg.Go(func() { j.n++ }) // race! _.n
	}
	wg.Wait()
}

// What a round makes is at the same index of two lists.
func X43_inTwoLists() {
	var a, b []*leaf
	for i := 0; i < n; i++ {
		o := &leaf{i}
		a = append(a, o)
		b = append(b, o)
	}
	var wg sync.WaitGroup
	for _, j := range a {
		wg.Go(func() { j.n++ }) // norace
	}
	wg.Wait()
	for i := range b {
		wg.Go(func() { a[i].n++; b[i].n++ }) // norace
	}
	wg.Wait()
}

// A round comes by one of two appends.
func X44_oneOfTwoAppends() {
	var a []*leaf
	for i := 0; i < n; i++ {
		o := &leaf{i}
		if i%2 == 0 {
			a = append(a, o)
		} else {
			o.n = 2
			a = append(a, o)
		}
	}
	var wg sync.WaitGroup
	for _, j := range a {
		wg.Go(func() { j.n++ }) // norace
	}
	wg.Wait()
}

// A round stores what it appends at an index too.
func X45_storedAndAppended() {
	jobs := make([]*leaf, n)
	for i := 0; i < n; i++ {
		o := &leaf{i}
		jobs[i] = o
		jobs = append(jobs, o)
	}
	var wg sync.WaitGroup
	for _, j := range jobs {
		wg.Go(func() { j.n++ }) // race! _.n
	}
	wg.Wait()
}

// An inner loop appends the object of the outer round several times.
func X46_appendedInInnerLoop() {
	var jobs []*leaf
	for i := 0; i < n; i++ {
		o := &leaf{i}
		for range 2 {
			jobs = append(jobs, o)
		}
	}
	var wg sync.WaitGroup
	for _, j := range jobs {
		wg.Go(func() { j.n++ }) // race! _.n
	}
	wg.Wait()
}

// The base has no room left: each append copies it.
func FU1_fullBase(base []int) {
	out := make([][]int, n)
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			out[i] = append(base[:len(base):len(base)], i) // norace
		})
	}
	wg.Wait()
}

// It has room, and the appends meet there.
func FU2_baseWithRoom(base []int) {
	out := make([][]int, n)
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			out[i] = append(base[:len(base)], i) // race! base[*]
		})
	}
	wg.Wait()
}

// The copy is written to, not the base.
func FU3_clone() {
	base := []int{1, 2, 3}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			mine := append(base[:0:0], base...) // norace
			mine[0] = i                         // norace
		})
	}
	wg.Wait()
}

// What is appended to an array without elements is new.
func FU4_emptyArray() {
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			mine := append(nothing[:], byte(i)) // norace
			mine[0]++                           // norace
		})
	}
	wg.Wait()
}

var nothing [0]byte

// The capacity goes beyond the length: there is room after all.
func FU5_roomLeft() {
	base := make([]int, 10)
	out := make([][]int, n)
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			out[i] = append(base[:2:4], i) // race! base[*]
		})
	}
	wg.Wait()
}

// The list is cut at its length before each append: by its bounds, by the library, or
// once for all.
func FU6_cutAtLength(s *listing) {
	s.list = append(s.list, "base") // room is left
	var wg sync.WaitGroup
	once := s.list[:len(s.list):len(s.list)]
	for range n {
		wg.Go(func() {
			one := append(s.list[:len(s.list):len(s.list)], "one") // norace
			two := append(slices.Clip(s.list), "two")              // norace
			three := append(once, "three")                         // norace
			one[len(one)-1] = two[0] + three[0]                    // norace
		})
	}
	wg.Wait()
}

type listing struct{ list []string }

// The length is that of another list.
func FU7_cutElsewhere(s *listing) {
	s.list = append(make([]string, 0, 10), "base")
	other := make([]string, 4)
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			_ = append(s.list[:1:len(other)], "one") // race! _[*]
		})
	}
	wg.Wait()
}

// The list is new, what is in it is not.
func FU8_sameContent() {
	base := []*leaf{{1}, {2}}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			all := append(base[:len(base):len(base)], &leaf{i})
			all[0].n++ // race! _.n
		})
	}
	wg.Wait()
}

// The lengths are those of two lists.
func FU9_otherLength(s *listing) {
	s.list = append(make([]string, 0, 10), "base")
	other := make([]string, n)
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			_ = append(s.list[:len(s.list):len(other)], "one") // race! _[*]
		})
	}
	wg.Wait()
}

// The variable was filled by appends before it was cut: what the closure finds has no room.
func FU10_cutBefore(parts []int) {
	stem := make([]int, 0, 2*n)
	for _, p := range parts {
		stem = append(stem, p)
	}
	stem = stem[:len(stem):len(stem)]
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			full := append(stem, i) // norace
			full[len(full)-1]++     // norace
		})
	}
	wg.Wait()
}

// It is cut on one way only.
func FU10b_cutSometimes() {
	stem := make([]int, 0, 2*n)
	for i := range n {
		stem = append(stem, i)
	}
	if len(stem) > n {
		stem = stem[:len(stem):len(stem)]
	}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			full := append(stem, i) // race! stem[*]
			full[len(full)-1]++     // race! stem[*]
		})
	}
	wg.Wait()
}

// Cut to its length, it keeps its room.
func FU10c_cutToLength() {
	stem := make([]int, 0, 2*n)
	for i := range n {
		stem = append(stem, i)
	}
	stem = stem[:len(stem):cap(stem)]
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			full := append(stem, i) // race! stem[*]
			full[len(full)-1]++     // race! stem[*]
		})
	}
	wg.Wait()
}

// It gets room again after the first goroutine is started.
func FU10d_grownAfter() {
	stem := make([]int, 0, 2*n)
	stem = append(stem, 1)
	stem = stem[:len(stem):len(stem)]
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			full := append(stem, i) // race! stem[*]
			full[len(full)-1]++     // race! stem[*]
		})
		if i == 0 {
			wg.Wait()
			stem = append(make([]int, 0, 2*n), 1)
		}
	}
	wg.Wait()
}

// A goroutine gives it room.
func FU10e_grownByOne() {
	stem := make([]int, 0, 2*n)
	stem = append(stem, 1)
	stem = stem[:len(stem):len(stem)]
	grown := make(chan bool)
	go func() {
		stem = append(make([]int, 0, 2*n), 1)
		close(grown)
	}()
	<-grown
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			full := append(stem, i) // race! stem[*]
			full[len(full)-1]++     // race! stem[*]
		})
	}
	wg.Wait()
}

// The function is made when the variable is cut, and called when it is not.
func FU10f_madeBefore() {
	stem := make([]int, 0, 2*n)
	stem = append(stem, 1)
	stem = stem[:len(stem):len(stem)]
	extended := func(i int) {
		full := append(stem, i) // race! stem[*]
		full[len(full)-1]++     // race! stem[*]
	}
	stem = append(make([]int, 0, 2*n), 1)
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { extended(i) })
	}
	wg.Wait()
}

// FU11 gives its readers a view of the list which has no room: what they append is theirs, while the list grows.
func FU11_viewWithoutRoom() {
	l := &history11{}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { l.add(i) })
	}
	all := append(l.view(), -1) // norace
	for _, x := range all {     // norace
		println(x)
	}
	wg.Wait()
}

type history11 struct {
	mu  sync.RWMutex
	log []int
}

func (l *history11) add(x int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.log = append(l.log, x) // norace
}

func (l *history11) view() []int {
	l.mu.RLock()
	defer l.mu.RUnlock()
	if len(l.log) == 0 {
		return nil
	} else if len(l.log) == 1 {
		return slices.Clip(l.log)
	}
	return l.log[:len(l.log):len(l.log)]
}

// The view has room.
func FU11b_viewWithRoom() {
	l := &history11b{}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { l.add(i) })
	}
	all := append(l.view(), -1) // race! l.log[*]
	println(len(all))
	wg.Wait()
}

type history11b struct {
	mu  sync.RWMutex
	log []int
}

func (l *history11b) add(x int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.log = append(l.log, x) // race! l.log[*]
}

func (l *history11b) view() []int {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return l.log[:len(l.log)]
}

// It has none on one way only.
func FU11c_viewSometimes() {
	l := &history11c{}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { l.add(i) })
	}
	all := append(l.view(2), -1) // race! l.log[*]
	println(len(all))
	wg.Wait()
}

type history11c struct {
	mu  sync.RWMutex
	log []int
}

func (l *history11c) add(x int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.log = append(l.log, x) // race! l.log[*]
}

func (l *history11c) view(k int) []int {
	l.mu.RLock()
	defer l.mu.RUnlock()
	if len(l.log) > k {
		return l.log[:k]
	}
	return l.log[:len(l.log):len(l.log)]
}

// Nothing may be appended to it: then it is the list itself, and is written.
func FU11d_nothingAppended(more []int) {
	l := &history11d{log: []int{1, 2}}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			all := append(l.view(), more...) // race! l.log[*]
			all[0]++                         // race! l.log[*]
		})
	}
	wg.Wait()
}

type history11d struct{ log []int }

func (l *history11d) view() []int { return l.log[:len(l.log):len(l.log)] }

// The result is cut again when it has been set.
func FU11e_setByDeferred() {
	l := &history11e{}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { l.add(i) })
	}
	all := append(l.view(), -1) // race! l.log[*]
	println(len(all))
	wg.Wait()
}

type history11e struct {
	mu  sync.RWMutex
	log []int
}

func (l *history11e) add(x int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.log = append(l.log, x) // race! l.log[*]
}

func (l *history11e) view() (out []int) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	defer func() { out = out[:len(out)-1] }()
	return l.log[:len(l.log):len(l.log)]
}
