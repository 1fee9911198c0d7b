package index

import "sync"

// What lies in lists of lists that come from outside: two elements are different, whichever lists they are in.

type nestedItem struct{ n int }

func NL1_pointers(rows [][]*nestedItem) {
	var wg sync.WaitGroup
	for _, r := range rows {
		for _, x := range r {
			wg.Go(func() { x.n++ }) // assumed _.n
		}
	}
	wg.Wait()
}

func NL1_elements(rows [][]int) {
	var wg sync.WaitGroup
	for _, r := range rows {
		for j := range r {
			wg.Go(func() { r[j]++ }) // norace
		}
	}
	wg.Wait()
}

func NL1_fields(rows []struct{ items []*nestedItem }) {
	var wg sync.WaitGroup
	for _, r := range rows {
		for _, x := range r.items {
			wg.Go(func() { x.n++ }) // assumed _.n
		}
	}
	wg.Wait()
}

// One list is there twice.
func NL1b_twice(row []*nestedItem) {
	rows := [][]*nestedItem{row, row}
	var wg sync.WaitGroup
	for _, r := range rows {
		for _, x := range r {
			wg.Go(func() { x.n++ }) // race! _.n
		}
	}
	wg.Wait()
}

func NL1c_appended(rows [][]*nestedItem) {
	rows = append(rows, rows[0])
	var wg sync.WaitGroup
	for _, r := range rows {
		for _, x := range r {
			wg.Go(func() { x.n++ }) // race! _.n
		}
	}
	wg.Wait()
}

// Two rounds have one element.
func NL1d_half(rows [][]int) {
	var wg sync.WaitGroup
	for _, r := range rows {
		for j := range r {
			wg.Go(func() { r[j/2]++ }) // race! rows[*][*]
		}
	}
	wg.Wait()
}

func NL1e_first(rows [][]*nestedItem) {
	var wg sync.WaitGroup
	for _, r := range rows {
		for range r {
			wg.Go(func() { r[0].n++ }) // race! _.n
		}
	}
	wg.Wait()
}
