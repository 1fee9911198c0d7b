package index

import (
	"strings"
	"testing"
)

// formTests are pairs of programs, one idea each: how real code partitions an
// index space, and a slip that makes it collide. The name says the verdict:
//
//	safeX  proved disjoint, under background assumptions at most
//	weakX  disjoint under an assumption that programs break
//	racyX  must not be proved: some pair of accesses may be equal
var formTests = []struct{ file, body string }{
	{"chunks", `
func safeClampMin(a []int, cs int) {
	for lo := 0; lo < len(a); lo += cs {
		hi := min(lo+cs, len(a))
		go func() { for j := lo; j < hi; j++ { a[j] = 1 } }()
	}
}
func safeClampLen(a []int, step int) {
	m := len(a)
	for i := 0; i < m; i += step {
		n := step
		if i+n > m { n = m - i }
		go func() { for j := 0; j < n; j++ { a[i+j] = 1 } }()
	}
}
func safeClampArgs(a []int, cs int) {
	for lo := 0; lo < len(a); lo += cs {
		hi := lo + cs
		if hi > len(a) { hi = len(a) }
		go func(lo, hi int) { for j := lo; j < hi; j++ { a[j] = 1 } }(lo, hi)
	}
}
func smaller(x, y int) int { if x < y { return x }; return y }
func safeClampOwnMin(a []int, cs int) {
	for lo := 0; lo < len(a); lo += cs {
		hi := smaller(lo+cs, len(a))
		go func() { for j := lo; j < hi; j++ { a[j] = 1 } }()
	}
}
func safeEqualChunks(a []int, w int) {
	n := len(a) / w
	for i := range w {
		go func() { for j := i*n; j < (i+1)*n; j++ { a[j] = 1 } }()
	}
}
func racyEqualChunksPlusOne(a []int, w int) {
	n := len(a) / w
	for i := range w {
		go func() { for j := i*n; j <= (i+1)*n; j++ { a[j] = 1 } }()
	}
}
func safeLastElse(a []int, nb, size int) {
	for j := range nb {
		start, end := j*size, 0
		if j < nb-1 { end = start + size } else { end = len(a) }
		go func() { for k := start; k < end; k++ { a[k] = 1 } }()
	}
}
func racyLastOffByOne(a []int, nb, size int) {
	for j := range nb {
		start, end := j*size, 0
		if j < nb-2 { end = start + size } else { end = len(a) }
		go func() { for k := start; k < end; k++ { a[k] = 1 } }()
	}
}
func safeProportional(a []int, w int) {
	n := len(a)
	for i := range w {
		lo, hi := i*n/w, (i+1)*n/w
		go func() { for j := lo; j < hi; j++ { a[j] = 1 } }()
	}
}
func racyProportional(a []int, w int) {
	n := len(a)
	for i := range w {
		lo, hi := i*n/w, (i+1)*n/w+1
		go func() { for j := lo; j < hi; j++ { a[j] = 1 } }()
	}
}
func safeSpreadCursor(a []int, w int) {
	d, m := len(a)/w, len(a)%w
	start := 0
	for i := range w {
		end := start + d
		if i < m { end++ }
		go func(lo, hi int) { for j := lo; j < hi; j++ { a[j] = 1 } }(start, end)
		start = end
	}
}
func racySpreadCursor(a []int, w int) {
	d, m := len(a)/w, len(a)%w
	start := 0
	for i := range w {
		end := start + d
		if i < m { end++ }
		go func(lo, hi int) { for j := lo; j < hi; j++ { a[j] = 1 } }(start, end)
		start = end - 1
	}
}
func bounds(i, d, m int) (int, int) {
	return i*d + min(i, m), (i+1)*d + min(i+1, m)
}
func lowerOf(i, d, m int) int {
	if i < m { return i * (d + 1) }
	return i*d + m
}
func safeTwoResults(a []int, w int) {
	d, m := len(a)/w, len(a)%w
	for i := range w {
		lo, hi := bounds(i, d, m)
		go func() { for j := lo; j < hi; j++ { a[j] = 1 } }()
	}
}
func racyTwoResults(a []int, w int) {
	d, m := len(a)/w, len(a)%w
	for i := range w {
		hi, lo := bounds(i, d, m)
		go func() { for j := hi; j <= lo; j++ { a[j] = 1 } }()
	}
}
func rest(n, cs int) (int, bool) { if n < cs { return n, true }; return cs, false }
func pair(i, cs, n int) (lo, hi int) { lo = i*cs; hi = smaller(lo+cs, n); return }
func safeNestedHelper(a []int, w int) {
	cs := (len(a) + w - 1) / w
	for i := range w {
		lo, hi := pair(i, cs, len(a))
		go func() { for j := lo; j < hi; j++ { a[j] = 1 } }()
	}
}
func safeSpreadHelper(a []int, w int) {
	d, m := len(a)/w, len(a)%w
	for i := range w {
		lo, hi := lowerOf(i, d, m), lowerOf(i+1, d, m)
		go func() { for j := lo; j < hi; j++ { a[j] = 1 } }()
	}
}
func racySpreadHelper(a []int, w int) {
	d, m := len(a)/w, len(a)%w
	for i := range w {
		lo, hi := lowerOf(i, d, m), lowerOf(i+2, d, m)
		go func() { for j := lo; j < hi; j++ { a[j] = 1 } }()
	}
}
func racyCapturedLater(a []int, cs int) {
	for lo := 0; lo < len(a); lo += cs {
		hi := lo + cs
		go func() { for j := lo; j < hi; j++ { a[j] = 1 } }()
		hi = len(a)
	}
}
func racyNegativeStep(a []int, w, cs int) {
	for i := range w {
		go func() { for j := i*cs; j < (i+1)*cs+1; j++ { a[j] = 1 } }()
	}
}
func safeSkipFirst(a []int, cs int) {
	for lo := 0; lo < len(a); lo += cs {
		hi := min(lo+cs, len(a))
		start := lo
		if start == 0 { start = 1 }
		go func() { for j := start; j < hi; j++ { a[j] = a[0] } }()
	}
}
func safeClampStep(a []int) {
	do, start, n := 128, 0, len(a)
	for start < n {
		if start+do > n { do = n - start }
		go func(lo, hi int) { for j := lo; j < hi; j++ { a[j] = 1 } }(start, start+do)
		start += do
	}
}
func racyClampStepShort(a []int) {
	do, start, n := 128, 0, len(a)
	for start < n {
		if start+do > n { do = n - start }
		go func(lo, hi int) { for j := lo; j < hi; j++ { a[j] = 1 } }(start, start+do)
		start += do - 1
	}
}
func racyClampStepBack(a []int) {
	do, start, n := 128, 0, len(a)
	for start < n && start >= 0 {
		if start+do > n { do = n - start - 2 }
		go func(lo, hi int) { for j := lo; j <= hi; j++ { a[j] = 1 } }(start, start)
		start += do
	}
}
func safeShrinkingStep(a []int) {
	do := 64
	for start := 0; start < len(a); {
		do = max(do/2, 1)
		go func(lo, hi int) { for j := lo; j < min(hi, len(a)); j++ { a[j] = 1 } }(start, start+do)
		start += do
	}
}
func racyShrinkingStep(a []int) {
	do := 64
	for start := 0; start < len(a); {
		do--
		go func(lo, hi int) { for j := lo; j <= hi; j++ { a[j] = 1 } }(start, start)
		start += do
	}
}
func racyNotSkipped(a []int, cs int) {
	for lo := 0; lo < len(a); lo += cs {
		hi := min(lo+cs, len(a))
		go func() { for j := lo; j < hi; j++ { a[j] = a[0] } }()
	}
}
`},
	{"descending", `
func safeFromEnd(a []int, part int) {
	for c := len(a); c > 0; c -= part {
		lo := max(c-part, 0)
		go func() { for j := lo; j < c; j++ { a[j] = 1 } }()
	}
}
func racyFromEnd(a []int, part int) {
	for c := len(a); c > 0; c -= part {
		lo := max(c-part-1, 0)
		go func() { for j := lo; j < c; j++ { a[j] = 1 } }()
	}
}
func safeDown(a []int) {
	for i := len(a) - 1; i >= 0; i-- {
		go func() { a[i] = 1 }()
	}
}
func safeReversed(a []int) {
	n := len(a)
	for i := range n {
		go func() { a[n-1-i] = 1 }()
	}
}
func safeInnerDown(a []int, cs int) {
	for lo := 0; lo < len(a); lo += cs {
		hi := min(lo+cs, len(a))
		go func() { for j := hi - 1; j >= lo; j-- { a[j] = 1 } }()
	}
}
func racyInnerDown(a []int, cs int) {
	for lo := 0; lo < len(a); lo += cs {
		hi := min(lo+cs, len(a)-1)
		go func() { for j := hi; j >= lo; j-- { a[j] = 1 } }()
	}
}
func safeSwapEnds(a []int) {
	n := len(a)
	for i := 0; i < n/2; i++ {
		go func() { a[i], a[n-1-i] = a[n-1-i], a[i] }()
	}
}
func racySwapEnds(a []int) {
	n := len(a)
	for i := 0; i < n; i++ {
		go func() { a[i], a[n-1-i] = a[n-1-i], a[i] }()
	}
}
`},
	{"float", `
func safeFloatRows(a []int, w, p int) {
	h := len(a) / w
	size := float64(h) / float64(p)
	for i := range p {
		lo, hi := int(float64(i)*size), int(float64(i+1)*size)
		go func() { for y := lo; y < hi; y++ { for x := 0; x < w; x++ { a[y*w+x] = 1 } } }()
	}
}
func racyFloatRows(a []int, w, p int) {
	h := len(a) / w
	size := float64(h) / float64(p)
	for i := range p {
		lo, hi := int(float64(i)*size), int(float64(i+1)*size)
		go func() { for y := lo; y <= hi; y++ { for x := 0; x < w; x++ { a[y*w+x] = 1 } } }()
	}
}
func racyFloatSquare(a []int, p int, f float64) {
	for i := range p {
		lo, hi := int(float64(i)*f*float64(i)), int(float64(i+1)*f*float64(i+1))
		go func() { for y := lo; y < hi; y++ { a[y] = 1 } }()
	}
}
`},
	{"tables", `
func weakTable(a, tab []int) {
	for i := 0; i+1 < len(tab); i++ {
		go func() { for j := tab[i]; j < tab[i+1]; j++ { a[j] = 1 } }()
	}
}
func racyTableInclusive(a, tab []int) {
	for i := 0; i+1 < len(tab); i++ {
		go func() { for j := tab[i]; j <= tab[i+1]; j++ { a[j] = 1 } }()
	}
}
func racyTableWritten(a, tab []int) {
	for i := 0; i+1 < len(tab); i++ {
		go func() { for j := tab[i]; j < tab[i+1]; j++ { a[j] = 1 }; tab[i] = 0 }()
	}
}
func weakPermuted(a, perm []int) {
	for i := range perm {
		go func() { a[perm[i]] = i }()
	}
}
func racyHistogram(h, bin []int) {
	for i := range bin {
		go func() { h[bin[i]]++ }()
	}
}
func mix(i int) int { for range 3 { i = i*31 + 7 }; return i }
func weakCall(a []int, n int) {
	for i := range n {
		go func() { a[mix(i)] = i }()
	}
}
func racyCallModulo(a []int, n int) {
	for i := range n {
		go func() { a[mix(i)%len(a)] = i }()
	}
}
`},
	{"rows", `
func safeRowMajor(a []int, w, h int) {
	for y := range h {
		go func() { for x := range w { a[y*w+x] = 1 } }()
	}
}
func racyRowWrongStride(a []int, w, h int) {
	for y := range h {
		go func() { for x := range w { a[y*h+x] = 1 } }()
	}
}
func safeShifted(dst []int, w, h, r, cs int) {
	for s := 0; s < h; s += cs {
		e := min(s+cs, h)
		go func() { for y := s + r; y < e+r; y++ { for x := range w { dst[(y-r)*w+x] = 1 } } }()
	}
}
func racyHaloRows(dst []int, w, h, cs int) {
	for s := 1; s < h; s += cs {
		e := min(s+cs, h)
		go func() { for y := s; y < e; y++ { for x := range w { dst[y*w+x] = dst[(y-1)*w+x] } } }()
	}
}
func safeColumns(d []int, n, c, cs int) {
	for lo := 0; lo < n; lo += cs {
		hi := min(lo+cs, n)
		go func() { for i := lo; i < hi; i++ { for k := range c { d[k*n+i] = 1 } } }()
	}
}
func racyColumnsRows(d []int, n, cs int) {
	for lo := 0; lo < n; lo += cs {
		hi := min(lo+cs, n)
		go func() { for i := lo; i < hi; i++ { for k := range n { d[k*n+i] = d[i*n+k] } } }()
	}
}
func safeMiddle(v []int, S, C, D int) {
	for c := range C {
		go func() { for s := range S { for d := range D { v[s*C*D+c*D+d] = 1 } } }()
	}
}
func racyMiddle(v []int, S, C, D int) {
	for c := range C + 1 {
		go func() { for s := range S { for d := range D { v[s*C*D+c*D+d] = 1 } } }()
	}
}
func safeTriangle(a []int, n int) {
	for i := range n {
		go func() { for j := 0; j <= i; j++ { a[i*(i+1)/2+j] = 1 } }()
	}
}
func safeBytes(pix []byte, stride, w, h int) {
	if 4*w > stride { return }
	for y := range h {
		go func() { for x := range w { i := y*stride + 4*x; pix[i] = 1; pix[i+3] = 1 } }()
	}
}
func racyBytesUnchecked(pix []byte, stride, w, h int) {
	for y := range h {
		go func() { for x := range w { i := y*stride + 4*x; pix[i] = 1; pix[i+3] = 1 } }()
	}
}
type rgba struct { pix []byte; Stride, w, h int }
func (p *rgba) offset(x, y int) int { return y*p.Stride + x*4 }
func weakStride(p *rgba) {
	for y := range p.h {
		go func() { for x := 0; x < p.w; x++ { i := y*p.Stride + 4*x; p.pix[i] = 1; p.pix[i+3] = 1 } }()
	}
}
func weakStrideOffset(p *rgba, h int) {
	for y := range h {
		go func() { for x := 0; x < p.w; x++ { i := p.offset(x, y); s := p.pix[i : i+4 : i+4]; s[0] = 1; s[3] = 1 } }()
	}
}
func racyStrideInclusive(p *rgba) {
	for y := range p.h {
		go func() { for x := 0; x <= p.w; x++ { i := y*p.Stride + 4*x; p.pix[i] = 1; p.pix[i+3] = 1 } }()
	}
}
func safePixels(pix []byte, n int) {
	for p := range n {
		go func() { for c := range 4 { pix[4*p+c] = 1 } }()
	}
}
func racyPixels(pix []byte, n int) {
	for p := range n {
		go func() { for c := range 5 { pix[4*p+c] = 1 } }()
	}
}
func safeBlocks(c []int, m, n, ld, bs int) {
	if n > ld { panic("ld") }
	for i := 0; i < m; i += bs {
		for j := 0; j < n; j += bs {
			h, w := min(bs, m-i), min(bs, n-j)
			go func() { for r := range h { for k := range w { c[(i+r)*ld+j+k] = 1 } } }()
		}
	}
}
func racyBlocks(c []int, m, n, ld, bs int) {
	for i := 0; i < m; i += bs {
		for j := 0; j < n; j += bs {
			h, w := min(bs, m-i), min(bs, n-j)
			go func() { for r := range h { for k := range w { c[(i+r)*ld+j+k] = 1 } } }()
		}
	}
}
type grid struct { data []int; w int }
func (g *grid) row(y int) []int { return g.data[y*g.w : (y+1)*g.w] }
func (g *grid) set(x, y, v int) { g.data[y*g.w+x] = v }
func safeRowMethod(g *grid, h int) {
	for y := range h {
		go func() { r := g.row(y); for x := range r { r[x] = 1 } }()
	}
}
func safeSetMethod(g *grid, h int) {
	for y := range h {
		go func() { for x := 0; x < g.w; x++ { g.set(x, y, 1) } }()
	}
}
func racySetMethod(g *grid, h int) {
	for y := range h {
		go func() { for x := 0; x <= g.w; x++ { g.set(x, y, 1) } }()
	}
}
func safeNested(rows [][]int) {
	for i := range rows {
		go func() { for j := range rows[i] { rows[i][j] = 1 } }()
	}
}
func racyNested(rows [][]int) {
	for i := range rows {
		go func() { for j := range rows { rows[j][0] = i } }()
	}
}
func safeArrayRows(m *[8][8]int) {
	for i := range 8 {
		go func() { for j := range 8 { m[i][j] = 1 } }()
	}
}
func racyArrayRows(m *[8][8]int) {
	for i := range 8 {
		go func() { for j := range 8 { m[j][i] = m[i][j] } }()
	}
}
`},
	{"aligned", `
func spanOf(total, n, i int) (int, int) { return total * i / n, total * (i + 1) / n }
func safeAlignedRows(pix []byte, w, h, n int) {
	pitch := (w + 7) &^ 7
	for i := range n {
		lo, hi := spanOf(h, n, i)
		go func() { for y := lo; y < hi; y++ { for x := range w { pix[y*pitch+x] = 1 } } }()
	}
}
func racyRoundedDown(pix []byte, w, h, n int) {
	pitch := (w - 7) &^ 7
	for i := range n {
		lo, hi := spanOf(h, n, i)
		go func() { for y := lo; y < hi; y++ { for x := range w { pix[y*pitch+x] = 1 } } }()
	}
}
func racyAlignedInclusive(pix []byte, w, h, n int) {
	pitch := (w + 6) &^ 7
	for i := range n {
		lo, hi := spanOf(h, n, i)
		go func() { for y := lo; y < hi; y++ { for x := 0; x <= w; x++ { pix[y*pitch+x] = 1 } } }()
	}
}
func safeAlignedByDivision(pix []byte, w, h, n int) {
	if w < 1 { return }
	pitch := (w + 63) / 64 * 64
	for i := range n {
		lo, hi := spanOf(h, n, i)
		go func() { for y := lo; y < hi; y++ { for x := range w { pix[y*pitch+x] = 1 } } }()
	}
}
func safeBytesOfPixels(pix []byte, w, h, n int) {
	pitch := (3*w + 3) &^ 3
	for i := range n {
		lo, hi := spanOf(h, n, i)
		go func() { for y := lo; y < hi; y++ { for x := range w { for c := range 3 { pix[y*pitch+3*x+c] = 1 } } } }()
	}
}
func racyBytesOfPixels(pix []byte, w, h, n int) {
	pitch := (3*w + 3) &^ 3
	for i := range n {
		lo, hi := spanOf(h, n, i)
		go func() { for y := lo; y < hi; y++ { for x := range w { for c := range 8 { pix[y*pitch+3*x+c] = 1 } } } }()
	}
}
type gray struct { w, h, pitch int; pix []byte }
func (g *gray) row(y int) []byte { off := y * g.pitch; return g.pix[off : off+g.w] }
func spread(total, workers int, fn func(lo, hi int)) {
	n := min(workers, total)
	for i := 0; i < n; i++ {
		lo, hi := spanOf(total, n, i)
		go fn(lo, hi)
	}
}
func safeAlignedSlices(w, h, workers int) {
	pitch := (w + 7) &^ 7
	g := &gray{w, h, pitch, make([]byte, pitch*h)}
	spread(h, workers, func(lo, hi int) { for y := lo; y < hi; y++ { out := g.row(y); for x := range out { out[x] = 1 } } })
}
func racyRoundedSlices(w, h, workers int) {
	pitch := (w - 7) &^ 7
	g := &gray{w, h, pitch, make([]byte, pitch*h)}
	spread(h, workers, func(lo, hi int) { for y := lo; y < hi; y++ { out := g.row(y); for x := range out { out[x] = 1 } } })
}
func racyNextRow(w, h, workers int) {
	pitch := (w + 7) &^ 7
	g := &gray{w, h, pitch, make([]byte, pitch*h)}
	spread(h, workers, func(lo, hi int) { for y := lo; y <= hi; y++ { out := g.row(y); for x := range out { out[x] = 1 } } })
}
func safeTwoRowsEach(pix []byte, w, h int) {
	for y := range h {
		go func() { for x := range 2*w { pix[2*w*y+x] = 1 } }()
	}
}
func racyThreeRowsEach(pix []byte, w, h int) {
	for y := range h {
		go func() { for x := range 3*w { pix[2*w*y+x] = 1 } }()
	}
}
`},
	{"behind", `
func safeCutWhenFull(a, weight []int, most int) {
	lo, sum := 0, 0
	for v, w := range weight {
		sum += w
		if sum >= most {
			lo2, hi := lo, v+1
			go func() { for j := lo2; j < hi; j++ { a[j] = 1 } }()
			lo, sum = v+1, 0
		}
	}
}
func racyCutKeepsLast(a, weight []int, most int) {
	lo, sum := 0, 0
	for v, w := range weight {
		sum += w
		if sum >= most {
			lo2, hi := lo, v+1
			go func() { for j := lo2; j < hi; j++ { a[j] = 1 } }()
			lo, sum = v, 0
		}
	}
}
func safeCutFromEnd(a, weight []int, most int) {
	hi, sum := len(weight), 0
	for v := len(weight)-1; v >= 0; v-- {
		sum += weight[v]
		if sum >= most {
			lo, hi2 := v, hi
			go func() { for j := lo; j < hi2; j++ { a[j] = 1 } }()
			hi, sum = v, 0
		}
	}
}
func racyBeginsAhead(a []int, n int, on []bool) {
	hi := 100
	for v := range n {
		if on[v] {
			lo, hi2 := v, hi+1
			go func() { for j := lo; j < hi2; j++ { a[j] = 1 } }()
			hi = v+1
		}
	}
}
func racyAheadSometimes(a []int, n int, on []int) {
	hi := 0
	for v := range n {
		lo, hi2 := v, hi+1
		go func() { for j := lo; j < hi2; j++ { a[j] = 1 } }()
		if on[v] == 1 { hi = v+1 } else if on[v] == 2 { hi = v+100 }
	}
}
func racyAheadByTable(a []int, n int, tab []int) {
	hi := 0
	for v := range n {
		d := tab[v]
		if d == 1 {
			lo, hi2 := v, hi+1
			go func() { for j := lo; j < hi2; j++ { a[j] = 1 } }()
		}
		if d > 0 { hi = v + d }
	}
}
`},
	{"strides", `
func safeStride(a []int, workers int) {
	for id := range workers {
		go func() { for y := id; y < len(a); y += workers { a[y] = 1 } }()
	}
}
func racyStride(a []int, workers int) {
	for id := range workers {
		go func() { for y := id; y < len(a); y += workers - 1 { a[y] = 1 } }()
	}
}
type team struct { workers int; xs []int }
func safeStrideField(t *team) {
	for id := range t.workers {
		go func() { for y := id; y < len(t.xs); y += t.workers { t.xs[y] = 1 } }()
	}
}
func racyStrideFieldChanged(t *team) {
	w := t.workers
	t.workers = 2
	for id := range w {
		go func() { for y := id; y < len(t.xs); y += t.workers { t.xs[y] = 1 } }()
	}
}
func racyStrideFieldShrinks(t *team) {
	for id := range t.workers {
		go func() { for y := id; y < len(t.xs); y += t.workers { t.xs[y] = 1 } }()
		t.workers--
	}
}
func safeEvenOdd(a []int, n int) {
	for i := range n {
		go func() { a[2*i] = 1; a[2*i+1] = 2 }()
	}
}
func racyHalfIndex(a []int, n int) {
	for i := range n {
		go func() { a[i/2] = 1 }()
	}
}
func safeSplitJoin(a []int, n int) {
	for i := range n {
		go func() { a[i/8*8+i%8] = 1 }()
	}
}
func safeShiftMask(a []int, n int) {
	for i := range n {
		go func() { a[i>>3<<3|i&7] = 0; a[i>>3*8+i&7] = 1 }()
	}
}
func racyBits(a []uint64, n int) {
	for i := range n {
		go func() { a[i/64] |= 1 << (i % 64) }()
	}
}
func safeButterfly(a []int, cs int) {
	m := len(a) / 2
	for lo := 0; lo < m; lo += cs {
		hi := min(lo+cs, m)
		go func() { for i := lo; i < hi; i++ { t := a[i]; a[i] = t + a[i+m]; a[i+m] = t } }()
	}
}
func racyButterfly(a []int, m, cs int) {
	for lo := 0; lo < 2*m; lo += cs {
		hi := min(lo+cs, 2*m)
		go func() { for i := lo; i < hi; i++ { a[i] = a[i+m] } }()
	}
}
func safeSlots(out []int, workers int) {
	for id := range workers {
		go func() { for k := 0; k < 100; k++ { out[id] += k } }()
	}
}
func racySlots(out []int, workers int) {
	for id := range workers {
		go func() { out[id%4]++ }()
	}
}
func safeBase(res []int, n, c int) {
	for i := 1; i < c; i++ {
		go func() { for j := range n { res[i*n+j] = res[j] } }()
	}
}
func racyBase(res []int, n, c int) {
	for i := 0; i < c; i++ {
		go func() { for j := range n { res[i*n+j] = res[j] } }()
	}
}
func safePathCondition(a []int, n int) {
	for i := range n {
		go func() { if i > 0 { a[i] = a[0] } }()
	}
}
func racyPathCondition(a []int, n int) {
	for i := range n {
		go func() { if i > 0 { a[i] = a[1] } }()
	}
}
func racyLeftEarly(a []int, x, n int) {
	for i := range n {
		go func() {
			w := 0
			if i == 7 { if x < 3 { w = 1 } else if x > 5 { w = 2 } else { return } }
			if x == 4 { a[w] = 1 }
		}()
	}
}
func safeWords(a []int) {
	for w := range a {
		go func() { for i := w * 64; i < (w+1)*64; i++ { a[i/64] |= 1 } }()
	}
}
func safeWordsShifted(a []int, n int) {
	for w := range n {
		go func() { for i := range 64 { a[(w*64+i)>>6] |= 1 } }()
	}
}
func safeWordsBelow(a []int, n int) {
	for w := -n; w < n; w++ {
		go func() { for i := w * 64; i < w*64+64; i++ { a[i>>6+n] |= 1 } }()
	}
}
func racyWordsTowardsZero(a []int, n int) {
	for w := -n; w < n; w++ {
		go func() { for i := w * 64; i < w*64+64; i++ { a[i/64+n] |= 1 } }()
	}
}
func racyOneBitMore(a []int) {
	for w := range a {
		go func() { for i := w * 64; i <= (w+1)*64; i++ { a[i/64] |= 1 } }()
	}
}
func racyOneBitBefore(a []int) {
	for w := range a {
		go func() { for i := w*64 - 1; i < (w+1)*64; i++ { a[i>>6] |= 1 } }()
	}
}
func racyBytesOfWords(a []int, n int) {
	for w := range n {
		go func() { for i := w * 8; i < (w+1)*8; i++ { a[i/64] |= 1 } }()
	}
}
func racyNotDivided(a []int, d, n int) {
	for i := range n {
		go func() {
			q := 0
			if d != 0 { q = i / d }
			if d == 0 { a[q] = 1 }
		}()
	}
}
func safeNestedMerge(a []int, n int) {
	for i := range n {
		go func() {
			w := 0
			if i > 0 { if i < 3 { w = 1 } else { w = 2 } }
			a[3*i+w] = 1
		}()
	}
}
func safeUnsigned(a []int, n uint) {
	for i := uint(0); i < n; i++ {
		go func() { a[i] = 1 }()
	}
}
func racyUnsignedSub(a []int, n uint8) {
	for i := range n {
		go func() { a[i*2] = 1 }()
	}
}
`},
	{"slices", `
func safeSub(a []int, cs int) {
	for lo := 0; lo < len(a); lo += cs {
		v := a[lo:min(lo+cs, len(a))]
		go func() { for j := range v { v[j] = 1 } }()
	}
}
func racySubLong(a []int, cs int) {
	for lo := 0; lo+cs < len(a); lo += cs {
		v := a[lo : lo+cs+1]
		go func() { for j := range v { v[j] = 1 } }()
	}
}
func fill(v []int, x int) { for i := range v { v[i] = x } }
func safeSubArg(a []int, cs int) {
	for lo := 0; lo < len(a); lo += cs {
		go fill(a[lo:min(lo+cs, len(a))], lo)
	}
}
func racySubArg(a []int, cs int) {
	for lo := 0; lo < len(a); lo += cs {
		go fill(a[lo:], lo)
	}
}
func safeCopy(dst, src []int, cs int) {
	for lo := 0; lo+cs <= len(dst); lo += cs {
		go func() { copy(dst[lo:lo+cs], src) }()
	}
}
func racyCopy(dst, src []int, cs int) {
	for lo := 0; lo+cs <= len(dst); lo += cs {
		go func() { copy(dst[lo:], src) }()
	}
}
func safeAppendCapped(a []int, cs int) {
	for lo := 0; lo+cs <= len(a); lo += cs {
		go func() { v := a[lo:lo:lo+cs]; v = append(v, 1); _ = v }()
	}
}
func racyAppend(a []int, cs int) {
	for lo := 0; lo+cs <= len(a); lo += cs {
		go func() { v := a[lo:lo+cs]; v = append(v, 1); v[0] = 2 }()
	}
}
func safeCursor(src []int, cs int) {
	for len(src) > 0 {
		seg := src[:min(len(src), cs)]
		src = src[len(seg):]
		go func() { for i := range seg { seg[i] = 1 } }()
	}
}
func racyCursor(src []int, cs int) {
	for len(src) > 1 {
		seg := src[:min(len(src), cs)]
		src = src[len(seg)-1:]
		go func() { for i := range seg { seg[i] = 1 } }()
	}
}
func safePointer(a []int) {
	for i := range a {
		p := &a[i]
		go func() { *p = 1 }()
	}
}
func racyPointer(a []int) {
	for i := range a {
		p := &a[i/2]
		go func() { *p = 1 }()
	}
}
type item struct { x, y int }
func (t *item) bump() { t.x++; t.y = t.x }
func safeElementMethod(ts []item) {
	for i := range ts {
		go func() { ts[i].bump() }()
	}
}
func safePointerArg(ts []item) {
	for i := range ts {
		go (&ts[i]).bump()
	}
}
func racyPointerArg(ts []item) {
	for i := range ts {
		go (&ts[i&1]).bump()
	}
}
type task struct { p *int; lo, hi int; buf []int }
func safeTask(a []int, cs int) {
	for lo := 0; lo < len(a); lo += cs {
		t := task{p: &a[lo], lo: lo, hi: min(lo+cs, len(a)), buf: a}
		go func() { *t.p = 0; for j := t.lo; j < t.hi; j++ { t.buf[j] = 1 } }()
	}
}
func work(t task) { for j := t.lo; j < t.hi; j++ { t.buf[j] = 1 } }
func safeTaskArg(a []int, cs int) {
	for lo := 0; lo < len(a); lo += cs {
		go work(task{lo: lo, hi: min(lo+cs, len(a)), buf: a})
	}
}
func racyTaskArg(a []int, cs int) {
	for lo := 0; lo < len(a); lo += cs {
		go work(task{lo: lo, hi: len(a), buf: a})
	}
}
`},
	{"fields", `
type seg struct { lo, hi int; v []int }
func (s *seg) run() { for i := s.lo; i < s.hi; i++ { s.v[i-s.lo] = i } }
func safeSegment(a []int, cs int) {
	for lo := 0; lo < len(a); lo += cs {
		s := &seg{lo, min(lo+cs, len(a)), a[lo:]}
		go func() { s.run() }()
	}
}
func racySegmentOverlap(a []int, cs int) {
	for lo := 0; lo < len(a); lo += cs {
		s := &seg{lo, min(lo+cs+1, len(a)), a[lo:]}
		go func() { s.run() }()
	}
}
type grown struct { lo, hi int }
func (g *grown) grow() { g.hi++ }
func racySegmentGrown(a []int, cs int) {
	for lo := 0; lo < len(a); lo += cs {
		s := &grown{lo, min(lo+cs, len(a)-1)}
		s.grow()
		go func() { for i := s.lo; i < s.hi; i++ { a[i] = 1 } }()
	}
}
type plain struct { lo, hi, none int }
func safeSetLater(a []int, cs int) {
	for lo := 0; lo < len(a); lo += cs {
		s := new(plain)
		s.lo = lo
		if s.hi = lo + cs; s.hi > len(a) { s.hi = len(a) }
		go func() { for i := s.lo; i < s.hi; i++ { a[i] = 1 } }()
	}
}
func racyZeroField(a []int, cs int) {
	for lo := 0; lo < len(a); lo += cs {
		s := &plain{lo: lo, hi: min(lo+cs, len(a))}
		go func() { for i := s.none; i < s.hi; i++ { a[i] = 1 } }()
	}
}
type pair2 struct { lo, hi int }
func newPair(lo, hi, n int) *pair2 {
	if hi > n { return &pair2{lo, n} }
	return &pair2{lo, hi}
}
func safeTwoReturns(a []int, cs int) {
	for lo := 0; lo < len(a); lo += cs {
		s := newPair(lo, lo+cs, len(a))
		go func() { for i := s.lo; i < s.hi; i++ { a[i] = 1 } }()
	}
}
func newLonger(lo, hi, n int) *pair2 {
	if hi > n { return &pair2{lo, n} }
	return &pair2{lo, hi + 1}
}
func racyTwoReturns(a []int, cs int) {
	for lo := 0; lo < len(a); lo += cs {
		s := newLonger(lo, lo+cs, len(a))
		go func() { for i := s.lo; i < min(s.hi, len(a)); i++ { a[i] = 1 } }()
	}
}
type ends struct { a, b int }
func cut(x, y ends) ends {
	if x.a < y.a { x.a = y.a }
	if x.b > y.b { x.b = y.b }
	if x.a >= x.b { return ends{} }
	return x
}
func safeStructResult(a []int, cs int) {
	for lo := 0; lo < len(a); lo += cs {
		e := cut(ends{lo, lo + cs}, ends{0, len(a)})
		go func() { for i := e.a; i < e.b; i++ { a[i] = 1 } }()
	}
}
func racyStructResult(a []int, cs int) {
	for lo := 0; lo < len(a); lo += cs {
		e := cut(ends{lo, lo + cs}, ends{1, len(a)})
		go func() { for i := e.a - 1; i < e.b; i++ { a[i] = 1 } }()
	}
}
func racyOtherCase(a []int, c bool, cs int) {
	for lo := 0; lo < len(a); lo += cs {
		hi := len(a)
		if c { hi = newPair(lo, lo+cs, len(a)).hi }
		go func() { for i := lo; i < hi; i++ { a[i] = 1 } }()
	}
}
`},
	{"handouts", `
func weakCounter(out []int, w int) {
	var next atomic.Int64
	for range w {
		go func() { for { i := int(next.Add(1)) - 1; if i >= len(out) { return }; out[i] = 1 } }()
	}
}
func weakCounterFunc(out []int, w int) {
	var next int32
	for range w {
		go func() { out[atomic.AddInt32(&next, 1)-1] = 1 }()
	}
}
func weakCounterBatch(out []int, w int) {
	var next atomic.Int64
	for range w {
		go func() { end := int(next.Add(16)); for j := end - 16; j < end; j++ { out[j] = 1 } }()
	}
}
func racyCounterBatch(out []int, w int) {
	var next atomic.Int64
	for range w {
		go func() { end := int(next.Add(16)); for j := end - 17; j < end; j++ { out[j] = 1 } }()
	}
}
func racyCounterLoad(out []int, w int) {
	var next atomic.Int64
	for range w {
		go func() { next.Add(1); out[next.Load()] = 1 }()
	}
}
func racyCounterMod(out []int, w int) {
	var next atomic.Int64
	for range w {
		go func() { out[next.Add(1)%4] = 1 }()
	}
}
func safeSteal(out []int, next []atomic.Int64, size, w int) {
	for id := range w {
		go func() { k := int(next[id].Add(1)) - 1; if 0 <= k && k < size { out[id*size+k] = 1 } }()
	}
}
func weakChannel(out []int, w int, ch chan int) {
	for range w {
		go func() { for i := range ch { out[i] = 1 } }()
	}
}
func weakChannelChunks(out []int, w, size int, ch chan int) {
	for range w {
		go func() {
			for c := range ch {
				if size > 0 { for j := c * size; j < (c+1)*size; j++ { out[j] = 1 } }
			}
		}()
	}
}
func racyChannelChunks(out []int, w, size int, ch chan int) {
	for range w {
		go func() { for c := range ch { for j := c; j < c+size; j++ { out[j] = 1 } } }()
	}
}
func weakPool(out []int, pool *sync.Pool, w int) {
	for range w {
		go func() { id := pool.Get().(int); out[id] = 1; pool.Put(id) }()
	}
}
func racyBuffer(n int) {
	buf := make([]int, 8)
	for range n {
		go func() { b := buf[:4]; b[0] = 1 }()
	}
}
`},
	{"helpers", `
func each(n int, f func(i int)) {
	var wg sync.WaitGroup
	for i := range n {
		wg.Add(1)
		go func() { defer wg.Done(); f(i) }()
	}
	wg.Wait()
}
func ranges(n int, f func(lo, hi int)) {
	procs := runtime.GOMAXPROCS(0)
	size := (n + procs - 1) / procs
	for lo := 0; lo < n; lo += size {
		go func() { f(lo, min(lo+size, n)) }()
	}
}
func safeEach(a []int) { each(len(a), func(i int) { a[i] = i }) }
func racyEach(a []int) { each(len(a), func(i int) { a[i/2] = i }) }
func safeRanges(a []int) { ranges(len(a), func(lo, hi int) { for j := lo; j < hi; j++ { a[j] = 1 } }) }
func racyRanges(a []int) { ranges(len(a)-1, func(lo, hi int) { for j := lo; j <= hi; j++ { a[j] = 1 } }) }
func safeRangesSub(a []int) { ranges(len(a), func(lo, hi int) { fill(a[lo:hi]) }) }
func fill(v []int) { for i := range v { v[i] = 1 } }
func safeWaitGroupGo(a []int) {
	var wg sync.WaitGroup
	for i := range a { wg.Go(func() { a[i] = 1 }) }
	wg.Wait()
}
type vec struct { data []int }
func (v *vec) doRange(lo, hi int) { for j := lo; j < hi; j++ { v.data[j] = 1 } }
func safeMethodValue(v *vec) {
	f := v.doRange
	ranges(len(v.data), f)
}
func safePhases(a []int, n, rounds int) {
	for r := 0; r < rounds; r++ {
		for i := range n { go func() { a[r*n+i] = a[r*n+i] + 1 }() }
	}
}
func safeGoArgs(a []int) {
	for i := 0; i < len(a); i++ { go set(a, i) }
}
func set(a []int, i int) { a[i] = i }
func racyClosureOfOtherLoop(a []int, n int) {
	var f func()
	for i := range n {
		f = func() { a[i] = 1 }
	}
	for range n { go f() }
}
`},
}

const formsHead = `package p
import ("sync"; "sync/atomic"; "runtime")
var _ sync.Mutex
var _ atomic.Int32
var _ = runtime.NumCPU
`

// TestForms pins precision (safe…, weak…) and soundness (racy…) on the forms.
func TestForms(t *testing.T) {
	for _, ft := range formTests {
		p := loadProgram(t, formsHead+ft.body)
		for _, name := range p.names() {
			kind := (name + "    ")[:4]
			if kind != "safe" && kind != "racy" && kind != "weak" {
				continue
			}
			t.Run(ft.file+"/"+name, func(t *testing.T) {
				o := p.judge(t, name)
				if o.disjoint+o.may == 0 {
					t.Fatal("no pair of accesses found")
				}
				switch {
				case kind == "safe" && (o.may > 0 || o.weak), kind == "weak" && o.may > 0:
					for _, v := range o.apart {
						t.Errorf("not proved: %s vs %s: %v %q; missing %q, witness %q", v.FormA, v.FormB, v.Answer, v.Why, v.Missing, v.Witness)
					}
					for _, v := range o.proved {
						if kind == "safe" && v.Weak() {
							t.Errorf("proved under %v: %s vs %s", v.Assumed, v.FormA, v.FormB)
						}
					}
				case kind == "weak" && !o.weak:
					t.Errorf("proved without an assumption: %+v", o.proved)
				case kind == "racy" && o.may == 0:
					for _, v := range o.proved {
						t.Errorf("proved disjoint: %s vs %s by %q", v.FormA, v.FormB, v.Why)
					}
				}
				for _, v := range append(o.proved, o.apart...) {
					if v.FormA == "" || strings.ContainsAny(v.FormA, "…") && kind == "safe" {
						t.Logf("form not rendered: %+v", v)
					}
				}
			})
		}
	}
}
