package heap

import "sync"

// Programs about windows: sub-slices of pointers, of which each round of a loop
// cuts out one.

func apartCells() []*cell {
	cells := make([]*cell, 40)
	for i := range cells {
		cells[i] = &cell{}
	}
	return cells
}

// Each round cuts out four elements of its own.
func X47_windowApart() {
	xs := apartCells()
	var wg sync.WaitGroup
	for i := 0; i+4 <= len(xs); i += 4 {
		w := xs[i : i+4]
		wg.Go(func() {
			for _, x := range w {
				x.n++ // norace
			}
		})
	}
	wg.Wait()
}

// The second window of a round is the first of the next.
func X48_twoWindows() {
	xs := apartCells()
	var wg sync.WaitGroup
	for i := 0; i+8 <= len(xs); i += 4 {
		w := xs[i : i+4]
		u := xs[i+4 : i+8]
		wg.Go(func() {
			for _, x := range w {
				x.n++ // race! _.n
			}
			for _, x := range u {
				x.n++ // race! _.n
			}
		})
	}
	wg.Wait()
}

// Two windows per round, and a step that passes both.
func X49_twoWindowsSafe() {
	xs := apartCells()
	var wg sync.WaitGroup
	for i := 0; i+8 <= len(xs); i += 8 {
		w := xs[i : i+4]
		u := xs[i+4 : i+8]
		wg.Go(func() {
			for _, x := range w {
				x.n++ // norace
			}
			for _, x := range u {
				x.n++ // norace
			}
		})
	}
	wg.Wait()
}

// A window, and the element of the round in the same slice.
func X50_windowAndElem() {
	xs := apartCells()
	var wg sync.WaitGroup
	for i := 0; i*4+4 <= len(xs); i++ {
		w := xs[i*4 : i*4+4]
		e := xs[i]
		wg.Go(func() {
			for _, x := range w {
				x.n++ // race! _.n
			}
			e.n++ // race! _.n
		})
	}
	wg.Wait()
}

// The element lies in the window.
func X51_windowAndElemSafe() {
	xs := apartCells()
	var wg sync.WaitGroup
	for i := 0; i+4 <= len(xs); i += 4 {
		w := xs[i : i+4]
		e := xs[i]
		wg.Go(func() {
			for _, x := range w {
				_ = x.n
			}
			e.n++ // norace
		})
	}
	wg.Wait()
}

// A window has capacity for the next one.
func X52_windowBeyond() {
	xs := apartCells()
	var wg sync.WaitGroup
	for i := 0; i+8 <= len(xs); i += 4 {
		w := xs[i : i+4]
		wg.Go(func() {
			for _, x := range w[:8] {
				x.n++ // race! _.n
			}
		})
	}
	wg.Wait()
}

// So it is if the length is not known.
func X53_windowBeyondCap() {
	xs := apartCells()
	var wg sync.WaitGroup
	for i := 0; i+8 <= len(xs); i += 4 {
		w := xs[i : i+4]
		wg.Go(func() {
			w = w[:cap(w)]
			for j := range w {
				w[j].n++ // race! _.n
			}
		})
	}
	wg.Wait()
}

// What is cut from a window stays in it.
func X54_windowWithin() {
	xs := apartCells()
	var wg sync.WaitGroup
	for i := 0; i+8 <= len(xs); i += 4 {
		w := xs[i : i+4]
		wg.Go(func() {
			for _, x := range w[1:] {
				x.n++ // norace
			}
			for _, x := range w[:2] {
				x.n++ // norace
			}
		})
	}
	wg.Wait()
}

// A callee goes beyond the window.
func X55_windowBeyondInCallee() {
	xs := apartCells()
	var wg sync.WaitGroup
	for i := 0; i+8 <= len(xs); i += 4 {
		w := xs[i : i+4]
		wg.Go(func() { longer(w) })
	}
	wg.Wait()
}

// longer writes what lies behind a window of four too.
func longer(w []*cell) {
	w = w[:8]
	for _, x := range w {
		x.n++ // race! _.n
	}
}

// An append to a window writes the next one.
func X56_windowAppendBeyond() {
	xs := apartCells()
	var wg sync.WaitGroup
	for i := 0; i+8 <= len(xs); i += 4 {
		w := xs[i : i+4]
		wg.Go(func() {
			w = append(w, &cell{}) // race! w[*]
			for _, x := range w {  // race! w[*]
				x.n++ // race! _.n
			}
		})
	}
	wg.Wait()
}

// Two elements of a list hold one window.
func X57_windowKeptTwice() {
	xs := apartCells()
	var list [][]*cell
	for i := 0; i+4 <= len(xs); i += 4 {
		w := xs[i : i+4]
		list = append(list, w, w)
	}
	var wg sync.WaitGroup
	for _, w := range list {
		wg.Go(func() {
			for _, x := range w {
				x.n++ // race! _.n
			}
		})
	}
	wg.Wait()
}

// So they do after two appends.
func X58_windowKeptTwiceTwoAppends() {
	xs := apartCells()
	var list [][]*cell
	for i := 0; i+4 <= len(xs); i += 4 {
		w := xs[i : i+4]
		list = append(list, w)
		list = append(list, w)
	}
	var wg sync.WaitGroup
	for _, w := range list {
		wg.Go(func() {
			for _, x := range w {
				x.n++ // race! _.n
			}
		})
	}
	wg.Wait()
}

// A list of windows.
func X59_windowKept() {
	xs := apartCells()
	var list [][]*cell
	for i := 0; i+4 <= len(xs); i += 4 {
		list = append(list, xs[i:i+4])
	}
	var wg sync.WaitGroup
	for _, w := range list {
		wg.Go(func() {
			for _, x := range w {
				x.n++ // norace
			}
		})
	}
	wg.Wait()
}

// Windows of two slices.
func X60_windowOtherSlice() {
	xs, ys := apartCells(), apartCells()
	var wg sync.WaitGroup
	for i := 0; i+4 <= len(xs); i += 4 {
		w := xs[i : i+4]
		u := ys[i : i+4]
		wg.Go(func() {
			for _, x := range w {
				x.n++ // norace
			}
			for _, x := range u {
				x.n++ // norace
			}
		})
	}
	wg.Wait()
}

// One slice is the other from its third element on.
func X61_windowAliased() {
	xs := apartCells()
	ys := xs[2:]
	var wg sync.WaitGroup
	for i := 0; i+4 <= len(ys); i += 4 {
		w := xs[i : i+4]
		u := ys[i : i+4]
		wg.Go(func() {
			for _, x := range w {
				x.n++ // race! _.n
			}
			for _, x := range u {
				x.n++ // race! _.n
			}
		})
	}
	wg.Wait()
}
