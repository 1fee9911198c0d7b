// Package numeric computes with vectors, matrices and grids in parallel. None of it races.
package numeric

import (
	"math"
	"math/cmplx"
	"runtime"
	"sync"
	"sync/atomic"
)

type Matrix struct {
	Rows, Cols int
	Data       []float64
}

func New(r, c int) *Matrix { return &Matrix{r, c, make([]float64, r*c)} }

func (m *Matrix) At(i, j int) float64     { return m.Data[i*m.Cols+j] }
func (m *Matrix) Set(i, j int, v float64) { m.Data[i*m.Cols+j] = v }
func (m *Matrix) Row(i int) []float64     { return m.Data[i*m.Cols : (i+1)*m.Cols] }

func ParallelFor(n int, f func(i int)) {
	var wg sync.WaitGroup
	var next atomic.Int64
	for range runtime.NumCPU() {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				f(i)
			}
		}()
	}
	wg.Wait()
}

func Chunked(n int, f func(lo, hi int)) {
	p := runtime.NumCPU()
	step := (n + p - 1) / p
	var wg sync.WaitGroup
	for lo := 0; lo < n; lo += step {
		hi := min(lo+step, n)
		wg.Add(1)
		go func() {
			defer wg.Done()
			f(lo, hi)
		}()
	}
	wg.Wait()
}

func Mul(a, b *Matrix) *Matrix {
	c := New(a.Rows, b.Cols)
	ParallelFor(a.Rows, func(i int) {
		for j := 0; j < b.Cols; j++ {
			var s float64
			for k := 0; k < a.Cols; k++ {
				s += a.At(i, k) * b.At(k, j)
			}
			c.Set(i, j, s)
		}
	})
	return c
}

func MulRows(a, b *Matrix) *Matrix {
	c := New(a.Rows, b.Cols)
	Chunked(a.Rows, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			row := c.Row(i)
			for k, x := range a.Row(i) {
				for j, y := range b.Row(k) {
					row[j] += x * y
				}
			}
		}
	})
	return c
}

// blocked: each tile of c belongs to one goroutine
func MulBlocked(a, b *Matrix, bs int) *Matrix {
	c := New(a.Rows, b.Cols)
	var wg sync.WaitGroup
	for ii := 0; ii < a.Rows; ii += bs {
		for jj := 0; jj < b.Cols; jj += bs {
			wg.Add(1)
			go func(ii, jj int) {
				defer wg.Done()
				iEnd, jEnd := min(ii+bs, a.Rows), min(jj+bs, b.Cols)
				for i := ii; i < iEnd; i++ {
					for k := 0; k < a.Cols; k++ {
						x := a.Data[i*a.Cols+k]
						for j := jj; j < jEnd; j++ {
							c.Data[i*c.Cols+j] += x * b.Data[k*b.Cols+j]
						}
					}
				}
			}(ii, jj)
		}
	}
	wg.Wait()
	return c
}

func Transpose(a *Matrix) *Matrix {
	t := New(a.Cols, a.Rows)
	ParallelFor(a.Rows, func(i int) {
		for j := range a.Cols {
			t.Data[j*t.Cols+i] = a.Data[i*a.Cols+j]
		}
	})
	return t
}

// gaussian elimination: rows below the pivot in parallel
func Eliminate(m [][]float64) {
	n := len(m)
	for k := 0; k < n; k++ {
		var wg sync.WaitGroup
		for i := k + 1; i < n; i++ {
			wg.Add(1)
			go func(i int) {
				defer wg.Done()
				f := m[i][k] / m[k][k]
				for j := k; j < n; j++ {
					m[i][j] -= f * m[k][j]
				}
			}(i)
		}
		wg.Wait()
	}
}

// Jacobi with two buffers, error per worker
func Jacobi(grid [][]float64, eps float64) int {
	n := len(grid)
	next := make([][]float64, n)
	for i := range next {
		next[i] = make([]float64, len(grid[i]))
		copy(next[i], grid[i])
	}
	workers := 4
	iters := 0
	diffs := make([]float64, workers)
	for {
		var wg sync.WaitGroup
		for w := 0; w < workers; w++ {
			wg.Add(1)
			go func(w int) {
				defer wg.Done()
				d := 0.0
				for i := 1 + w; i < n-1; i += workers {
					for j := 1; j < len(grid[i])-1; j++ {
						v := (grid[i-1][j] + grid[i+1][j] + grid[i][j-1] + grid[i][j+1]) / 4
						d = math.Max(d, math.Abs(v-grid[i][j]))
						next[i][j] = v
					}
				}
				diffs[w] = d
			}(w)
		}
		wg.Wait()
		grid, next = next, grid
		iters++
		m := 0.0
		for _, d := range diffs {
			m = max(m, d)
		}
		if m < eps {
			return iters
		}
	}
}

// prefix sum in two passes
func Scan(a []int) []int {
	p := 4
	n := len(a)
	out := make([]int, n)
	sums := make([]int, p+1)
	size := (n + p - 1) / p
	var wg sync.WaitGroup
	for w := 0; w < p; w++ {
		wg.Add(1)
		go func(w int) {
			defer wg.Done()
			s := 0
			for i := w * size; i < min((w+1)*size, n); i++ {
				s += a[i]
				out[i] = s
			}
			sums[w+1] = s
		}(w)
	}
	wg.Wait()
	for w := 1; w <= p; w++ {
		sums[w] += sums[w-1]
	}
	for w := 1; w < p; w++ {
		wg.Add(1)
		go func(w int) {
			defer wg.Done()
			for i := w * size; i < min((w+1)*size, n); i++ {
				out[i] += sums[w]
			}
		}(w)
	}
	wg.Wait()
	return out
}

func FFT(a []complex128) []complex128 { return fft(a, 3) }

func fft(a []complex128, depth int) []complex128 {
	n := len(a)
	if n == 1 {
		return []complex128{a[0]}
	}
	even, odd := make([]complex128, n/2), make([]complex128, n/2)
	for i := range n / 2 {
		even[i], odd[i] = a[2*i], a[2*i+1]
	}
	var e, o []complex128
	if depth > 0 {
		done := make(chan struct{})
		go func() {
			e = fft(even, depth-1)
			close(done)
		}()
		o = fft(odd, depth-1)
		<-done
	} else {
		e, o = fft(even, 0), fft(odd, 0)
	}
	r := make([]complex128, n)
	for k := range n / 2 {
		t := cmplx.Rect(1, -2*math.Pi*float64(k)/float64(n)) * o[k]
		r[k], r[k+n/2] = e[k]+t, e[k]-t
	}
	return r
}

// in-place iterative fft, butterflies of a stage in parallel
func FFTInPlace(a []complex128) {
	n := len(a)
	for size := 2; size <= n; size *= 2 {
		half := size / 2
		var wg sync.WaitGroup
		for start := 0; start < n; start += size {
			wg.Add(1)
			go func() {
				defer wg.Done()
				for k := 0; k < half; k++ {
					w := cmplx.Rect(1, -2*math.Pi*float64(k)/float64(size))
					u, v := a[start+k], a[start+k+half]*w
					a[start+k] = u + v
					a[start+k+half] = u - v
				}
			}()
		}
		wg.Wait()
	}
}

// CSR sparse matrix times vector
type CSR struct {
	RowPtr, Col []int
	Val         []float64
}

func (m *CSR) MulVec(x, y []float64) {
	n := len(m.RowPtr) - 1
	Chunked(n, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			s := 0.0
			for k := m.RowPtr[i]; k < m.RowPtr[i+1]; k++ {
				s += m.Val[k] * x[m.Col[k]]
			}
			y[i] = s
		}
	})
}

func (m *CSR) Scale(f []float64) {
	n := len(m.RowPtr) - 1
	Chunked(n, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			for k := m.RowPtr[i]; k < m.RowPtr[i+1]; k++ {
				m.Val[k] *= f[i]
			}
		}
	})
}

func CG(m *CSR, b []float64) []float64 {
	n := len(b)
	x, r, p, ap := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	copy(r, b)
	copy(p, b)
	rs := dot(r, r)
	for range 50 {
		m.MulVec(p, ap)
		alpha := rs / dot(p, ap)
		axpy(alpha, p, x)
		axpy(-alpha, ap, r)
		nrs := dot(r, r)
		if nrs < 1e-10 {
			break
		}
		beta := nrs / rs
		Chunked(n, func(lo, hi int) {
			for i := lo; i < hi; i++ {
				p[i] = r[i] + beta*p[i]
			}
		})
		rs = nrs
	}
	return x
}

func axpy(a float64, x, y []float64) {
	Chunked(len(x), func(lo, hi int) {
		xs, ys := x[lo:hi], y[lo:hi]
		for i := range xs {
			ys[i] += a * xs[i]
		}
	})
}

func dot(x, y []float64) float64 {
	var mu sync.Mutex
	total := 0.0
	Chunked(len(x), func(lo, hi int) {
		s := 0.0
		for i := lo; i < hi; i++ {
			s += x[i] * y[i]
		}
		mu.Lock()
		total += s
		mu.Unlock()
	})
	return total
}

// Monte Carlo with results through a channel
func Pi(n, workers int) float64 {
	ch := make(chan int)
	for w := range workers {
		go func() {
			seed := uint64(w)*2654435761 + 1
			in := 0
			for range n / workers {
				seed = seed*6364136223846793005 + 1442695040888963407
				x := float64(seed>>40) / (1 << 24)
				seed = seed*6364136223846793005 + 1442695040888963407
				y := float64(seed>>40) / (1 << 24)
				if x*x+y*y < 1 {
					in++
				}
			}
			ch <- in
		}()
	}
	total := 0
	for range workers {
		total += <-ch
	}
	return 4 * float64(total) / float64(n)
}

// segmented sieve
func Sieve(n int) []bool {
	comp := make([]bool, n+1)
	r := int(math.Sqrt(float64(n)))
	for i := 2; i <= r; i++ {
		if !comp[i] {
			for j := i * i; j <= r; j += i {
				comp[j] = true
			}
		}
	}
	const seg = 1 << 12
	var wg sync.WaitGroup
	for lo := r + 1; lo <= n; lo += seg {
		wg.Add(1)
		go func(lo int) {
			defer wg.Done()
			hi := min(lo+seg-1, n)
			for p := 2; p <= r; p++ {
				if comp[p] {
					continue
				}
				for j := max(p*p, (lo+p-1)/p*p); j <= hi; j += p {
					comp[j] = true
				}
			}
		}(lo)
	}
	wg.Wait()
	return comp
}

// Floyd-Warshall: the pivot row does not change in its own round (d[k][k] == 0)
func Floyd(d [][]int) {
	n := len(d)
	for k := range n {
		rowk := make([]int, n)
		copy(rowk, d[k])
		Chunked(n, func(lo, hi int) {
			for i := lo; i < hi; i++ {
				row := d[i]
				dik := row[k]
				for j := range row {
					if v := dik + rowk[j]; v < row[j] {
						row[j] = v
					}
				}
			}
		})
	}
}

// Wavefront with one channel per row
func LCS(a, b string) int {
	n, m := len(a), len(b)
	dp := make([][]int, n+1)
	for i := range dp {
		dp[i] = make([]int, m+1)
	}
	for d := 2; d <= n+m; d++ { // antidiagonals
		var wg sync.WaitGroup
		lo, hi := max(1, d-m), min(n, d-1)
		for i := lo; i <= hi; i++ {
			wg.Add(1)
			go func(i int) {
				defer wg.Done()
				j := d - i
				if a[i-1] == b[j-1] {
					dp[i][j] = dp[i-1][j-1] + 1
				} else {
					dp[i][j] = max(dp[i-1][j], dp[i][j-1])
				}
			}(i)
		}
		wg.Wait()
	}
	return dp[n][m]
}

// convolution of a volume z-slices
type Volume struct {
	W, H, D int
	V       []float32
}

func (v *Volume) idx(x, y, z int) int { return (z*v.H+y)*v.W + x }

func (v *Volume) Smooth() *Volume {
	out := &Volume{v.W, v.H, v.D, make([]float32, len(v.V))}
	ParallelFor(v.D, func(z int) {
		for y := 0; y < v.H; y++ {
			for x := 0; x < v.W; x++ {
				var s, c float32
				for dz := -1; dz <= 1; dz++ {
					zz := z + dz
					if zz < 0 || zz >= v.D {
						continue
					}
					s += v.V[v.idx(x, y, zz)]
					c++
				}
				out.V[out.idx(x, y, z)] = s / c
			}
		}
	})
	return out
}

// All runs all of it.
func All() {
	x, y := New(10, 10), New(10, 10)
	Mul(x, y)
	MulRows(x, y)
	MulBlocked(x, y, 4)
	Transpose(x)
	g := make([][]float64, 10)
	for i := range g {
		g[i] = make([]float64, 10)
	}
	Eliminate(g)
	Jacobi(g, 1e-3)
	Scan(make([]int, 100))
	c := make([]complex128, 64)
	FFT(c)
	FFTInPlace(c)
	m := &CSR{RowPtr: []int{0, 1}, Col: []int{0}, Val: []float64{1}}
	CG(m, []float64{1})
	m.Scale([]float64{2})
	Pi(1000, 4)
	Sieve(10000)
	Floyd([][]int{{0, 1}, {1, 0}})
	LCS("abc", "abd")
	v := &Volume{W: 2, H: 2, D: 2, V: make([]float32, 8)}
	v.Smooth()
}
