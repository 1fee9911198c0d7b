package index

import "sync"

// Tables in two dimensions: a goroutine for each cell t[i][j], in two loops.

type square struct{ v int }

// TB1: each row is made for its place, and each cell.
func TB1_cells(n int) {
	t := make([][]*square, n)
	var wg sync.WaitGroup
	for i := range t {
		t[i] = make([]*square, n)
		for j := range t[i] {
			t[i][j] = &square{}
			wg.Go(func() {
				t[i][j].v = j // norace
			})
		}
	}
	wg.Wait()
}

// All rows are one.
func TB1b_oneRow(n int) {
	t := make([][]*square, n)
	row := make([]*square, n)
	var wg sync.WaitGroup
	for i := range t {
		t[i] = row
		for j := range t[i] {
			t[i][j] = &square{} // race! t[*][*]
			wg.Go(func() {
				t[i][j].v = j // race! v t[*][*]
			})
		}
	}
	wg.Wait()
}

// Two iterations have the same row, and the same cells of it.
func TB1c_halfTheRows(n int) {
	t := make([][]*square, n)
	for i := range t {
		t[i] = make([]*square, n)
	}
	var wg sync.WaitGroup
	for i := range t {
		for j := range t[i] {
			t[i/2][j] = &square{} // race! t[*][*]
			wg.Go(func() {
				t[i/2][j].v = j // race! v t[*][*]
			})
		}
	}
	wg.Wait()
}

// A row ends where the next but one begins.
func TB1d_rowsOverlap(n int) {
	t := make([][]*square, n)
	all := make([]*square, n*n+n)
	var wg sync.WaitGroup
	for i := range t {
		t[i] = all[i*n : i*n+2*n]
		for j := range t[i] {
			t[i][j] = &square{} // race! t[*][*]
			wg.Go(func() {
				t[i][j].v = j // race! v t[*][*]
			})
		}
	}
	wg.Wait()
}

// The cells of a row are one.
func TB1e_oneCell(n int) {
	t := make([][]*square, n)
	var wg sync.WaitGroup
	for i := range t {
		t[i] = make([]*square, n)
		c := &square{}
		for j := range t[i] {
			t[i][j] = c
			wg.Go(func() {
				t[i][j].v = j // race! v
			})
		}
	}
	wg.Wait()
}

// Two rows change places, and one of them is put back where it was.
func TB1f_rowTwice(n int) {
	t := make([][]*square, n)
	var wg sync.WaitGroup
	for i := range t {
		t[i] = make([]*square, n)
		if i > 0 {
			t[i] = t[i-1]
		}
		for j := range t[i] {
			t[i][j] = &square{} // race! t[*][*]
			wg.Go(func() {
				t[i][j].v = j // race! v t[*][*]
			})
		}
	}
	wg.Wait()
}

// TB2: maps in cells.
func TB2_maps(n int) {
	t := make([][]map[int]int, n)
	var wg sync.WaitGroup
	for i := range t {
		t[i] = make([]map[int]int, n)
		for j := range t[i] {
			t[i][j] = map[int]int{}
			wg.Go(func() {
				t[i][j][3] = 4 // norace
			})
		}
	}
	wg.Wait()
}

func TB2b_oneRow(n int) {
	t := make([][]map[int]int, n)
	row := make([]map[int]int, n)
	var wg sync.WaitGroup
	for i := range t {
		t[i] = row
		for j := range t[i] {
			t[i][j] = map[int]int{} // race! t[*][*]
			wg.Go(func() {
				t[i][j][3] = 4 // race! t[*][*][*] t[*][*]
			})
		}
	}
	wg.Wait()
}
