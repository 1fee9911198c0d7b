package heap

import "sync"

type settings struct{ level int }

var (
	left, right *settings
	both        *settings
)

// Each row of a table points to a global of its own.
func S47_distinctGlobalsThroughTable() {
	var wg sync.WaitGroup
	for _, t := range []struct{ p **settings }{{&left}, {&right}} {
		wg.Go(func() {
			*t.p = &settings{} // norace
		})
	}
	wg.Wait()
}

// Two rows of the table point to one global.
func S47b_oneGlobalInTwoRows() {
	var wg sync.WaitGroup
	for _, t := range []struct{ p **settings }{{&both}, {&both}} {
		wg.Go(func() {
			*t.p = &settings{} // race! both
		})
	}
	wg.Wait()
}

type source struct {
	exports int
	wrapped int
	imports []*source
}

// Each iteration writes one field of its own element, and reads another field
// of the others.
func S48c_otherFieldOfOthers() {
	files := make([]*source, n)
	for i := range files {
		files[i] = &source{exports: i}
	}
	for _, f := range files {
		f.imports = files
	}
	var wg sync.WaitGroup
	for _, f := range files {
		wg.Go(func() {
			for _, g := range f.imports {
				f.wrapped += g.exports // norace
			}
		})
	}
	wg.Wait()
}

// The other's field is the one that its iteration writes.
func S48d_sameFieldOfOthers() {
	files := make([]*source, n)
	for i := range files {
		files[i] = &source{exports: i}
	}
	for _, f := range files {
		f.imports = files
	}
	var wg sync.WaitGroup
	for _, f := range files {
		wg.Go(func() {
			for _, g := range f.imports {
				f.wrapped += g.wrapped // race! _.wrapped
			}
		})
	}
	wg.Wait()
}

// A captured map collects particles.
func U2_capturedMap() {
	set := map[*P]bool{}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			set[&P{}] = true // race! set[*]
		})
	}
	wg.Wait()
}
