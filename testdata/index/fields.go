package index

import (
	"image"
	"sync"
)

// A section is a part of an array, with where it lies.
type section struct {
	cells  []int
	lo, hi int
}

func (s *section) fill() {
	for i := s.lo; i < s.hi; i++ {
		s.cells[i-s.lo] = i // norace
	}
}

// The part that an iteration works on is kept in an object made for it.
func B10_sectionInField() {
	a := make([]int, n)
	var wg sync.WaitGroup
	for lo := 0; lo < n; lo += 3 {
		s := &section{a[lo:], lo, min(lo+3, n)}
		wg.Add(1)
		go func() {
			defer wg.Done()
			s.fill()
		}()
	}
	wg.Wait()
}

func (s *section) widen() { s.hi++ }

// After it is made, the section is made longer by one.
func B10_sectionWidened() {
	a := make([]int, n+1)
	var wg sync.WaitGroup
	for lo := 0; lo < n; lo += 3 {
		s := &section{a[lo:], lo, min(lo+3, n)}
		s.widen()
		wg.Go(func() {
			for i := s.lo; i < s.hi; i++ {
				s.cells[i-s.lo] = i // race! _[*]
			}
		})
	}
	wg.Wait()
}

type span struct{ lo, hi int }

// The bounds are read before they are set.
func B10_readBeforeFilled() {
	a := make([]int, n)
	var wg sync.WaitGroup
	for lo := range n {
		s := new(span)
		at := s.lo
		s.lo = lo
		wg.Go(func() {
			a[at] = s.lo // race! a[*]
		})
	}
	wg.Wait()
}

// The object is filled on one of two ways, and its fields are set one by one.
func B10_filledByCases() {
	a := make([]int, n)
	var wg sync.WaitGroup
	for w := range 3 {
		s := new(span)
		s.lo = w * (n / 3)
		if w == 2 {
			s.hi = n
		} else {
			s.hi = (w + 1) * (n / 3)
		}
		wg.Go(func() {
			for i := s.lo; i < s.hi; i++ {
				a[i] = w // norace
			}
		})
	}
	wg.Wait()
}

// One object for all: its bounds change while iterations read them.
func B10_oneObjectForAll() {
	a := make([]int, n)
	s := &span{0, 3}
	var wg sync.WaitGroup
	for s.lo < n {
		wg.Go(func() {
			from := s.lo // race! s.lo
			to := s.hi   // race! s.hi
			for i := from; i < min(to, n); i++ {
				a[i] = i // race! a[*]
			}
		})
		s.lo += 3 // race! s.lo
		s.hi += 3 // race! s.hi
	}
	wg.Wait()
}

func bump(p *int) { *p++ }

// A bound is changed through its address before the goroutine starts.
func B10_boundChangedByAddress() {
	a := make([]int, n+1)
	var wg sync.WaitGroup
	for lo := 0; lo < n; lo += 3 {
		s := &span{lo, min(lo+3, n)}
		bump(&s.hi)
		wg.Go(func() {
			for i := s.lo; i < s.hi; i++ {
				a[i] = i // race! a[*]
			}
		})
	}
	wg.Wait()
}

// The whole object is overwritten by a closure.
func B10_objectOverwritten() {
	a := make([]int, n+1)
	var wg sync.WaitGroup
	for lo := 0; lo < n; lo += 3 {
		s := &span{lo, min(lo+3, n)}
		set := func(p *span) { *p = span{lo, min(lo+3, n) + 1} }
		set(s)
		wg.Go(func() {
			for i := s.lo; i < s.hi; i++ {
				a[i] = i // race! a[*]
			}
		})
	}
	wg.Wait()
}

// One of two objects, of which one is too long.
func B10_oneOfTwoObjects(last bool) {
	a := make([]int, n+1)
	var wg sync.WaitGroup
	for lo := 0; lo < n; lo += 3 {
		s := &span{lo, min(lo+3, n)}
		if last {
			s = &span{lo, min(lo+3, n) + 1}
		}
		wg.Go(func() {
			for i := s.lo; i < s.hi; i++ {
				a[i] = i // race! a[*]
			}
		})
	}
	wg.Wait()
}

type shrinking struct {
	mu sync.Mutex
	w  int
}

func (s *shrinking) width() int { return s.w }

// The width that the getter returns is different each time, and zero in the end.
func B10_getterOfWhatChanges() {
	a := make([]int, n*n)
	s := &shrinking{w: n - 1}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			s.mu.Lock()
			s.w--
			w := s.width()
			s.mu.Unlock()
			a[i*max(w, 0)] = i // race! a[*]
		})
	}
	wg.Wait()
}

type field struct {
	cells             []int
	stride, y0, y1, w int
}

// rows returns the rows from y0 to y1; none, if there are none.
func (f *field) rows(y0, y1 int) *field {
	if y0 >= y1 {
		return &field{}
	}
	return &field{cells: f.cells[(y0-f.y0)*f.stride:], stride: f.stride, y0: y0, y1: y1, w: f.w}
}

// Rows are handed out by a method that returns one of two objects.
func B10_rowsByMethod() {
	const h = 30
	m := &field{cells: make([]int, 20*h), stride: 20, y1: h, w: 20}
	var wg sync.WaitGroup
	for i := range 4 {
		p := m.rows(i*h/4, (i+1)*h/4)
		wg.Go(func() {
			for y := p.y0; y < p.y1; y++ {
				for x := range p.w {
					p.cells[(y-p.y0)*p.stride+x] = 1 // norace
				}
			}
		})
	}
	wg.Wait()
}

// The method hands out one row too many.
func B10_rowsByMethodTooMany() {
	const h = 30
	m := &field{cells: make([]int, 20*h+20), stride: 20, y1: h, w: 20}
	var wg sync.WaitGroup
	for i := range 4 {
		p := m.rows(i*h/4, (i+1)*h/4+1)
		wg.Go(func() {
			for y := p.y0; y < p.y1; y++ {
				for x := range p.w {
					p.cells[(y-p.y0)*p.stride+x] = 1 // race! _[*]
				}
			}
		})
	}
	wg.Wait()
}

// Parts of an image, each an image of its own.
func B10_subImages() {
	const h = 30
	m := image.NewRGBA(image.Rect(0, 0, 20, h))
	var wg sync.WaitGroup
	for i := range 4 {
		p := m.SubImage(image.Rect(0, i*h/4, 20, (i+1)*h/4)).(*image.RGBA)
		wg.Go(func() {
			b := p.Bounds()
			for y := b.Min.Y; y < b.Max.Y; y++ {
				for x := b.Min.X; x < b.Max.X; x++ {
					p.Pix[(y-b.Min.Y)*p.Stride+(x-b.Min.X)*4] = 1 // norace
				}
			}
		})
	}
	wg.Wait()
}

// The parts overlap by one row.
func B10_subImagesOverlap() {
	const h = 30
	m := image.NewRGBA(image.Rect(0, 0, 20, h))
	var wg sync.WaitGroup
	for i := range 4 {
		p := m.SubImage(image.Rect(0, i*h/4, 20, (i+1)*h/4+1)).(*image.RGBA)
		wg.Go(func() {
			b := p.Bounds()
			for y := b.Min.Y; y < b.Max.Y; y++ {
				for x := b.Min.X; x < b.Max.X; x++ {
					p.Pix[(y-b.Min.Y)*p.Stride+(x-b.Min.X)*4] = 1 // race! _[*]
				}
			}
		})
	}
	wg.Wait()
}
