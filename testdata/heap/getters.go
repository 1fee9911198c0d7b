package heap

import "sync"

// Constructors that return structs, and methods that return parts of what they
// are called on, are told apart by call.

type square struct {
	n int
	d []float64
}

func newSquare(n int) square { return square{n, make([]float64, n*n)} }

func (m square) row(i int) []float64 { return m.d[i*m.n : (i+1)*m.n] }

func addRow(to, from square, i int) {
	t := to.row(i)
	for j, v := range from.row(i) {
		t[j] += v
	}
}

// Each iteration has rows of its own, and reads those of the other.
func GE1_rowsOfTwo() {
	from := newSquare(n)
	to := newSquare(n)
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			addRow(to, from, i) // norace
			addRow(to, from, i)
		})
	}
	wg.Wait()
}

// Each reads a row that another writes.
func GE2_rowsOfOne() {
	m := newSquare(n)
	var wg sync.WaitGroup
	for i := 1; i < n; i++ {
		wg.Go(func() {
			t := m.row(i)
			for j, v := range m.row(i - 1) { // race! d
				t[j] += v // race! d
			}
		})
	}
	wg.Wait()
}

// There are several squares, all of one constructor, but one is added to.
func GE3_structOfConstructor() {
	a, b := newSquare(n), newSquare(n)
	sumOf(a, b)
}

func addAll(to, from square) {
	for i := range n {
		t := to.row(i)
		for j, v := range from.row(i) {
			t[j] += v // race! d
		}
	}
}

func sumOf(a, b square) square {
	c := newSquare(a.n)
	var wg sync.WaitGroup
	for range n {
		for _, m := range []square{a, b} {
			wg.Add(1)
			go func() {
				defer wg.Done()
				addAll(c, m)
			}()
		}
	}
	wg.Wait()
	return c
}

type table struct {
	n    int
	d    []float64
	memo *square
}

func newTable(n int) *table { return &table{n: n, d: make([]float64, n*n), memo: &square{n: n}} }

func (t *table) row(i int) []float64 { return t.d[i*t.n : (i+1)*t.n] }

func (t *table) note() *square { return t.memo }

// Each iteration writes the one and reads all of the other.
func GE4_oneAndAnother() {
	from := newTable(n)
	to := newTable(n)
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			t := to.row(i)
			for k := range n {
				for j, v := range from.row(k) {
					t[j] += v // norace
				}
			}
		})
	}
	wg.Wait()
}

// What the getter returns is the same for all.
func GE5_partOfOne() {
	a, b := newTable(n), newTable(n)
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			b.note().n = a.note().n + i // race! n
		})
	}
	wg.Wait()
}
