package library

import (
	"image"
	"image/color"
	"image/draw"
	"sync"
)

// Draw sets points, and leaves the image's bounds alone.
func DW1_whole() {
	dst := image.NewRGBA(image.Rect(0, 0, 8, 8))
	src := image.NewUniform(color.White)
	var wg sync.WaitGroup
	for range 2 {
		wg.Add(2)
		go func() { defer wg.Done(); draw.Draw(dst, dst.Rect, src, image.Point{}, draw.Src) }() // race! _
		go func() { defer wg.Done(); _ = dst.Rect.Dx() }()                                      // norace
	}
	wg.Wait()
}
