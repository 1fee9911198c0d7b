package index

import "sync"

// Two buffers that a struct's fields have, and that change places in variables of the function.

type sfLine struct{ cur, next []float64 }

func sfStep(to, from []float64) {
	var wg sync.WaitGroup
	for y := 1; y < len(from)-1; y++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			to[y] = from[y-1] + from[y+1]
		}()
	}
	wg.Wait()
}

func (s *sfLine) run(n int) []float64 {
	from, to := s.cur, s.next
	for range n {
		sfStep(to, from)
		from, to = to, from
	}
	return from
}

func SX1_fields() {
	s := &sfLine{cur: make([]float64, 9), next: make([]float64, 9)}
	println(s.run(3)[0])
}

func sfNew(n int) *sfLine { return &sfLine{make([]float64, n), make([]float64, n)} }

func SX2_byConstructor() {
	println(sfNew(9).run(3)[0])
	println(sfNew(7).run(2)[0])
}

type sfOne struct{ cur, next []float64 }

func (s *sfOne) run(n int) {
	from, to := s.cur, s.next
	for range n {
		sfStepOne(to, from)
		from, to = to, from
	}
}

// Both fields have one buffer.
func SX2b_one() {
	x := make([]float64, 9)
	(&sfOne{x, x}).run(3)
}

func sfStepOne(to, from []float64) {
	var wg sync.WaitGroup
	for y := 1; y < len(from)-1; y++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			to[y] = from[y-1] + from[y+1] // race! x[*]
		}()
	}
	wg.Wait()
}

type sfSet struct{ cur, next []float64 }

func (s *sfSet) run(n int) {
	from, to := s.cur, s.next
	for range n {
		sfStepSet(to, from)
		from, to = to, from
	}
}

// One field is set to the other's.
func SX2c_setToOther() {
	s := &sfSet{cur: make([]float64, 9), next: make([]float64, 9)}
	s.run(3)
	s.cur = s.next
	s.run(3)
}

func sfStepSet(to, from []float64) {
	var wg sync.WaitGroup
	for y := 1; y < len(from)-1; y++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			to[y] = from[y-1] + from[y+1] // race! cur[*]
		}()
	}
	wg.Wait()
}

type sfNewer struct{ cur []float64 }

func (s *sfNewer) renew(to []float64) { s.cur = to }

func (s *sfNewer) run(n int) {
	to := make([]float64, 9)
	s.renew(to)
	from := s.cur
	for range n {
		sfStepNewer(to, from)
		from, to = to, from
	}
}

// What the function makes itself lies in the field that it loads from.
func SX2d_newInField() {
	s := &sfNewer{cur: make([]float64, 9)}
	s.run(3)
}

func sfStepNewer(to, from []float64) {
	var wg sync.WaitGroup
	for y := 1; y < len(from)-1; y++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			to[y] = from[y-1] + from[y+1] // race! to[*]
		}()
	}
	wg.Wait()
}

type sfGrid struct{ cur, next [][]float64 }

func sfRows(n int) [][]float64 {
	g := make([][]float64, n)
	for i := range g {
		g[i] = make([]float64, n)
	}
	return g
}

// The goroutines have captured the variables.
func SX3_captured() {
	s := &sfGrid{cur: sfRows(8), next: sfRows(8)}
	from, to := s.cur, s.next
	for range 3 {
		var wg sync.WaitGroup
		for y := 1; y < len(from)-1; y++ {
			wg.Add(1)
			go func() {
				defer wg.Done()
				for x := range to[y] {
					to[y][x] = from[y-1][x] + from[y+1][x] // assumed from[*][*]; S69
				}
			}()
		}
		wg.Wait()
		from, to = to, from
	}
}

type sfLost struct{ cur, next [][]float64 }

// They do not change places: both are one from the second pass on.
func SX3b_notBack() {
	s := &sfLost{cur: sfRows(8), next: sfRows(8)}
	from, to := s.cur, s.next
	for range 3 {
		var wg sync.WaitGroup
		for y := 1; y < len(from)-1; y++ {
			wg.Add(1)
			go func() {
				defer wg.Done()
				for x := range to[y] {
					to[y][x] = from[y-1][x] + from[y+1][x] // race! from[*][*]
				}
			}()
		}
		wg.Wait()
		from = to
	}
}

type sfImage struct {
	w, h int
	pix  []float64
}

func sfImageOf(w, h int) *sfImage { return &sfImage{w, h, make([]float64, w*h)} }

func (m *sfImage) row(y int) []float64 { return m.pix[y*m.w : (y+1)*m.w] }
func (m *sfImage) at(x, y int) float64 { return m.pix[min(max(y, 0), m.h-1)*m.w+x] }

type sfFilter struct {
	workers int
	a, b    *sfImage
}

func (f *sfFilter) pass(dst, src *sfImage) {
	var wg sync.WaitGroup
	step := (src.h + f.workers - 1) / f.workers
	for y := 0; y < src.h; y += step {
		wg.Add(1)
		go func(lo, hi int) {
			defer wg.Done()
			for y := lo; y < hi; y++ {
				row := dst.row(y)
				for x := range row {
					row[x] = src.at(x, y-1) + src.at(x, y+1) // assumed pix[*]; S69
				}
			}
		}(y, min(y+step, src.h))
	}
	wg.Wait()
}

func (f *sfFilter) run(passes int) *sfImage {
	src, dst := f.a, f.b
	for range passes {
		f.pass(dst, src)
		src, dst = dst, src
	}
	return src
}

// Images by pointers, in passes of their own.
func SX4_images() {
	f := &sfFilter{workers: 4, a: sfImageOf(8, 8), b: sfImageOf(8, 8)}
	println(f.run(3).w)
}

type sfTwin struct{ a, b *sfPicture }

type sfPicture struct {
	w, h int
	pix  []float64
}

func (f *sfTwin) run(n int) {
	src, dst := f.a, f.b
	for range n {
		f.pass(dst, src)
		src, dst = dst, src
	}
}

// Both are one image.
func SX4b_oneImage() {
	m := &sfPicture{8, 8, make([]float64, 64)}
	f := &sfTwin{m, m}
	f.run(3)
}

func (f *sfTwin) pass(dst, src *sfPicture) {
	var wg sync.WaitGroup
	for y := range src.h {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for x := range dst.w {
				dst.pix[y*dst.w+x] = src.pix[(y+1)%src.h*src.w+x] // race! pix[*]
			}
		}()
	}
	wg.Wait()
}
