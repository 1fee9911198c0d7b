package index

import "sync"

// Two buffers that change places from round to round.

func SW1_captured() {
	cur, next := make([]int, n), make([]int, n)
	for range 5 {
		var wg sync.WaitGroup
		for i := range cur {
			wg.Go(func() {
				next[i] = cur[(i+1)%n] // norace
			})
		}
		wg.Wait()
		cur, next = next, cur
	}
	_ = cur[0]
}

func relax(dst, src []int) {
	var wg sync.WaitGroup
	for i := range dst {
		wg.Go(func() {
			dst[i] = src[(i+1)%len(src)] // norace
		})
	}
	wg.Wait()
}

func SW2_passed() {
	a, b := make([]int, n), make([]int, n)
	for range 5 {
		relax(b, a)
		a, b = b, a
	}
	_ = a[0]
}

// One takes the other's place, and that is all.
func SW1b_notBack() {
	cur, next := make([]int, n), make([]int, n)
	for range 5 {
		var wg sync.WaitGroup
		for i := range cur {
			wg.Go(func() {
				next[i] = cur[(i+1)%n] // race! _[*]
			})
		}
		wg.Wait()
		cur = next
	}
	_ = cur[0]
}

// They are one from the start.
func SW1c_same() {
	cur := make([]int, n)
	next := cur
	for range 5 {
		var wg sync.WaitGroup
		for i := range cur {
			wg.Go(func() {
				next[i] = cur[(i+1)%n] // race! _[*]
			})
		}
		wg.Wait()
		cur, next = next, cur
	}
	_ = cur[0]
}

// One begins anew with what the other may have got.
func SW1d_begunAgain() {
	whole := make([]int, n)
	cur, next := make([]int, n), make([]int, n)
	for range 5 {
		cur = whole
		var wg sync.WaitGroup
		for i := range cur {
			wg.Go(func() {
				next[i] = cur[(i+1)%n] // race! _[*]
			})
		}
		wg.Wait()
		cur, next = next, cur
	}
	_ = cur[0]
}

// A closure makes them one.
func SW1e_setByClosure() {
	cur, next := make([]int, n), make([]int, n)
	join := func() { next = cur }
	for k := range 5 {
		if k == 3 {
			join()
		}
		var wg sync.WaitGroup
		for i := range cur {
			wg.Go(func() {
				next[i] = cur[(i+1)%n] // race! _[*]
			})
		}
		wg.Wait()
		cur, next = next, cur
	}
	_ = cur[0]
}

func SW2b_onlyOne() {
	a, b := make([]int, n), make([]int, n)
	for k := range 5 {
		relaxed(b, a)
		if k == 2 {
			a = b
		} else {
			a, b = b, a
		}
	}
	_ = a[0] // norace
}

func relaxed(dst, src []int) {
	var wg sync.WaitGroup
	for i := range dst {
		wg.Go(func() {
			dst[i] = src[(i+1)%len(src)] // race! _[*]
		})
	}
	wg.Wait()
}

// Cut from one array.
func SW2c_oneArray() {
	whole := make([]int, 2*n)
	a, b := whole[:n], whole[1:n+1]
	for range 5 {
		var wg sync.WaitGroup
		for i := range a {
			wg.Go(func() {
				b[i] = a[i] // race! _[*]
			})
		}
		wg.Wait()
		a, b = b, a
	}
	_ = a[0] // norace
}

type sheet struct{ rows [][]int }

func newSheet() *sheet {
	f := &sheet{rows: make([][]int, n)}
	for y := range f.rows {
		f.rows[y] = make([]int, n)
	}
	return f
}

func (f *sheet) grow(from *sheet) {
	var wg sync.WaitGroup
	for y := range f.rows {
		wg.Go(func() {
			for x := range f.rows[y] {
				f.rows[y][x] = from.rows[(y+1)%n][x] // norace
			}
		})
	}
	wg.Wait()
}

// Objects that change places: what lies below them is taken to be different.
func SW3_objects() {
	a, b := newSheet(), newSheet()
	for range 5 {
		b.grow(a)
		a, b = b, a
	}
	_ = a.rows[0][0]
}

// Two buffers change places after each round.
func SW4_fields() {
	cur, next := &picture{make([]int, n)}, &picture{make([]int, n)}
	for range 4 {
		smooth(cur, next)
		cur, next = next, cur
	}
}

type picture struct{ pix []int }

func smooth(src, dst *picture) {
	var wg sync.WaitGroup
	for i := range dst.pix {
		wg.Go(func() {
			dst.pix[i] = src.pix[max(i-1, 0)] // norace
		})
	}
	wg.Wait()
}
