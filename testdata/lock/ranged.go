package lock

import (
	"slices"
	"strings"
	"sync"
)

// A function that runs what it is given is called with the lock and without it, each
// time with another function.
func RG1_linesUnderLock(texts []string) {
	var wg sync.WaitGroup
	lines := &lineSet{seen: map[string]int{}}
	for _, text := range texts {
		wg.Go(func() {
			size := 0
			for line := range strings.SplitSeq(text, "\n") {
				size += len(line)
			}
			lines.add(text, size)
		})
	}
	wg.Wait()
}

type lineSet struct {
	mu    sync.Mutex
	seen  map[string]int
	total int
}

func (s *lineSet) add(text string, size int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for line := range strings.SplitSeq(text, "\n") {
		s.seen[line]++ // norace
		s.count(size)
	}
}

func (s *lineSet) count(size int) { s.total += size } // norace

// The lock is that of the loop over the other lines.
func RG1b_otherLinesUnderLock(texts []string) {
	var wg sync.WaitGroup
	lines := &otherLines{seen: map[string]int{}}
	for _, text := range texts {
		wg.Go(func() { lines.add(text) })
	}
	wg.Wait()
}

type otherLines struct {
	mu   sync.Mutex
	seen map[string]int
	size int
}

func (s *otherLines) add(text string) {
	s.mu.Lock()
	for line := range strings.SplitSeq(text, "\n") {
		s.size += len(line) // norace
	}
	s.mu.Unlock()
	for line := range strings.SplitSeq(text, "\n") {
		s.seen[line]++ // race! seen[*]
	}
}

// One and the same function is handed down with the lock and without it.
func RG2_bothWays(texts []string) {
	var wg sync.WaitGroup
	var mu sync.Mutex
	longest, last := 0, ""
	for _, text := range texts {
		wg.Go(func() {
			note := func(line string) {
				longest = max(longest, len(line)) // race! longest
			}
			mu.Lock()
			eachLine(text, note)
			eachLine(text, func(line string) { last = line }) // norace
			mu.Unlock()
			eachLine(text+"\n", note)
		})
	}
	wg.Wait()
	_, _ = longest, last
}

func eachLine(text string, f func(string)) {
	for _, line := range strings.Split(text, "\n") {
		f(line)
	}
}

// A function that calls itself hands the function on that it was given.
func RG3_recursion(trees []*dirTree) {
	var wg sync.WaitGroup
	var mu sync.Mutex
	names := map[string]bool{}
	for _, t := range trees {
		wg.Go(func() {
			depth := 0
			t.walk(func(d *dirTree) { depth += len(d.subs) })
			mu.Lock()
			defer mu.Unlock()
			t.walk(func(d *dirTree) { names[d.name] = depth > 0 }) // norace
		})
	}
	wg.Wait()
}

type dirTree struct {
	name string
	subs []*dirTree
}

func (d *dirTree) walk(f func(*dirTree)) {
	f(d)
	for _, s := range d.subs {
		s.walk(f)
	}
}

// The lock is that of the other walk.
func RG3b_otherWalk(trees []*dirTree) {
	var wg sync.WaitGroup
	var mu sync.Mutex
	names, marks := map[string]bool{}, map[string]bool{}
	for _, t := range trees {
		wg.Go(func() {
			t.walk(func(d *dirTree) { names[d.name] = true }) // race! names[*]
			mu.Lock()
			t.walk(func(d *dirTree) { marks[d.name] = true }) // norace
			mu.Unlock()
		})
	}
	wg.Wait()
}

// Which function is run is chosen: either may be.
func RG4_chosen(texts []string) {
	var wg sync.WaitGroup
	var mu sync.Mutex
	short, long := 0, 0
	for _, text := range texts {
		wg.Go(func() {
			f := func(string) { short++ } // race! short
			if len(text) > 9 {
				f = func(string) { long++ } // race! long
			}
			mu.Lock()
			chosenLine(text, f)
			mu.Unlock()
			chosenLine(text, f)
		})
	}
	wg.Wait()
	_, _ = short, long
}

func chosenLine(text string, f func(string)) { f(text) }

// What sorts under the lock, and what sorts a copy of its own, compare by functions of
// their own.
func RG5_sorted(lists [][]string) {
	var wg sync.WaitGroup
	var mu sync.Mutex
	compared := 0
	for _, l := range lists {
		wg.Go(func() {
			own := slices.Clone(l)
			steps := 0
			slices.SortFunc(own, func(a, b string) int { steps++; return strings.Compare(a, b) })
			mu.Lock()
			slices.SortFunc(own, func(a, b string) int { compared++; return strings.Compare(b, a) }) // norace
			mu.Unlock()
		})
	}
	wg.Wait()
	_ = compared
}
