// Package images fills images in parallel. None of it races.
package images

import (
	"image"
	"image/color"
	"runtime"
	"sync"
)

func Mandelbrot(w, h int) *image.RGBA {
	m := image.NewRGBA(image.Rect(0, 0, w, h))
	rows := make(chan int)
	var wg sync.WaitGroup
	for range runtime.NumCPU() {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for y := range rows {
				for x := 0; x < w; x++ {
					m.SetRGBA(x, y, color.RGBA{uint8(x), uint8(y), 0, 255})
				}
			}
		}()
	}
	for y := 0; y < h; y++ {
		rows <- y
	}
	close(rows)
	wg.Wait()
	return m
}

func Gray(src image.Image) *image.Gray {
	b := src.Bounds()
	dst := image.NewGray(b)
	var wg sync.WaitGroup
	for y := b.Min.Y; y < b.Max.Y; y++ {
		wg.Add(1)
		go func(y int) {
			defer wg.Done()
			for x := b.Min.X; x < b.Max.X; x++ {
				dst.Set(x, y, src.At(x, y))
			}
		}(y)
	}
	wg.Wait()
	return dst
}

// direct on Pix
func Invert(img *image.RGBA) {
	b := img.Bounds()
	parallel(b.Dy(), func(y0, y1 int) {
		for y := y0; y < y1; y++ {
			off := y * img.Stride
			for x := 0; x < b.Dx(); x++ {
				i := off + x*4
				img.Pix[i] = 255 - img.Pix[i]
				img.Pix[i+1] = 255 - img.Pix[i+1]
				img.Pix[i+2] = 255 - img.Pix[i+2]
			}
		}
	})
}

func FlipH(img *image.NRGBA) {
	parallel(img.Rect.Dy(), func(y0, y1 int) {
		for y := y0; y < y1; y++ {
			row := img.Pix[y*img.Stride : y*img.Stride+img.Rect.Dx()*4]
			for i, j := 0, len(row)-4; i < j; i, j = i+4, j-4 {
				for k := range 4 {
					row[i+k], row[j+k] = row[j+k], row[i+k]
				}
			}
		}
	})
}

func FlipV(img *image.NRGBA) {
	h := img.Rect.Dy()
	parallel(h/2, func(y0, y1 int) {
		tmp := make([]byte, img.Stride)
		for y := y0; y < y1; y++ {
			a := img.Pix[y*img.Stride : (y+1)*img.Stride]
			b := img.Pix[(h-1-y)*img.Stride : (h-y)*img.Stride]
			copy(tmp, a)
			copy(a, b)
			copy(b, tmp)
		}
	})
}

func parallel(n int, fn func(start, end int)) {
	procs := runtime.GOMAXPROCS(0)
	if procs > n {
		procs = n
	}
	var wg sync.WaitGroup
	wg.Add(procs)
	part := n / procs
	for p := 0; p < procs; p++ {
		start := p * part
		end := start + part
		if p == procs-1 {
			end = n
		}
		go func(s, e int) {
			defer wg.Done()
			fn(s, e)
		}(start, end)
	}
	wg.Wait()
}

// separable blur
func Blur(src []float32, w, h, r int) []float32 {
	tmp, dst := make([]float32, w*h), make([]float32, w*h)
	parallel(h, func(y0, y1 int) {
		for y := y0; y < y1; y++ {
			for x := 0; x < w; x++ {
				var s float32
				for k := -r; k <= r; k++ {
					s += src[y*w+min(max(x+k, 0), w-1)]
				}
				tmp[y*w+x] = s / float32(2*r+1)
			}
		}
	})
	parallel(w, func(x0, x1 int) {
		for x := x0; x < x1; x++ {
			for y := 0; y < h; y++ {
				var s float32
				for k := -r; k <= r; k++ {
					s += tmp[min(max(y+k, 0), h-1)*w+x]
				}
				dst[y*w+x] = s / float32(2*r+1)
			}
		}
	})
	return dst
}

// histogram, private then merged under lock
func Histogram(img *image.Gray) [256]int {
	var hist [256]int
	var mu sync.Mutex
	parallel(img.Rect.Dy(), func(y0, y1 int) {
		var local [256]int
		for y := y0; y < y1; y++ {
			for _, p := range img.Pix[y*img.Stride : y*img.Stride+img.Rect.Dx()] {
				local[p]++
			}
		}
		mu.Lock()
		defer mu.Unlock()
		for i, n := range local {
			hist[i] += n
		}
	})
	return hist
}

// scanlines collected and put in order
type line struct {
	y   int
	pix []byte
}

func Collect(h, w int, f func(x, y int) byte) [][]byte {
	out := make([][]byte, h)
	ch := make(chan line)
	var wg sync.WaitGroup
	for y := range h {
		wg.Add(1)
		go func() {
			defer wg.Done()
			p := make([]byte, w)
			for x := range p {
				p[x] = f(x, y)
			}
			ch <- line{y, p}
		}()
	}
	go func() { wg.Wait(); close(ch) }()
	for l := range ch {
		out[l.y] = l.pix
	}
	return out
}

// All runs all of it.
func All() {
	m := Mandelbrot(10, 10)
	Gray(m)
	Invert(m)
	n := image.NewNRGBA(image.Rect(0, 0, 4, 4))
	FlipH(n)
	FlipV(n)
	Blur(make([]float32, 100), 10, 10, 2)
	Histogram(image.NewGray(image.Rect(0, 0, 4, 4)))
	Collect(4, 4, func(x, y int) byte { return 1 })
}
