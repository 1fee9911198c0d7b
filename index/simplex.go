package index

import "math/bits"

// A simplex decides whether linear constraints have a rational solution. It
// keeps a tableau of integer rows
//
//	den * basic = sum of coef * nonbasic
//
// and bounds with a reason each; bounds are pushed and popped, rows stay.
// The method is the general simplex of SMT solvers: all non-basic variables
// are kept within their bounds, and a basic one outside its own is pivoted
// out, or its row is the conflict. Smallest index first, so it terminates.
//
// Non-basic values sit on bounds and so are integers: no fraction is needed.
// Every number is kept below maxEntry; past that the answer is "unknown".
type simplex struct {
	vars  []svar
	rows  []srow
	cols  []int32 // column -> non-basic variable
	vals  []int64 // column -> its value
	trail []undo
	lim   int  // work left before a check gives up, about one unit a microsecond
	bad   bool // numbers grew too large in the middle of a pivot: no answer any more
}

type svar struct {
	row, col     int32 // the one it is in, the other is -1
	lo, hi       int64
	hasLo, hasHi bool
	loWhy, hiWhy int32
}

type srow struct {
	v   int32
	den int64 // > 0
	a   []int64
}

type undo struct {
	v   int32
	old svar
}

const maxEntry = 1 << 31

// answer of a check
type answer int8

const (
	unknown answer = iota
	feasible
	infeasible
)

// newVar adds a free variable.
func (s *simplex) newVar() int32 {
	v := int32(len(s.vars))
	s.vars = append(s.vars, svar{row: -1, col: int32(len(s.cols))})
	s.cols, s.vals = append(s.cols, v), append(s.vals, 0)
	for i := range s.rows {
		s.rows[i].a = append(s.rows[i].a, 0)
	}
	return v
}

type lterm struct {
	v int32
	c int64
}

// newSum adds a variable that equals the sum; false if numbers get too large.
func (s *simplex) newSum(sum []lterm) (int32, bool) {
	s.lim -= len(sum) * len(s.cols) / 100
	r := srow{v: int32(len(s.vars)), den: 1, a: make([]int64, len(s.cols))}
	for _, t := range sum {
		x := &s.vars[t.v]
		if x.row < 0 {
			if !r.addMul(r.den, t.c, int(x.col)) {
				return 0, false
			}
			continue
		}
		q := s.rows[x.row]
		// r + c*q/q.den, over the common denominator
		g := gcd(r.den, q.den)
		f, h := q.den/g, r.den/g
		if !r.combine(f, t.c*h, q.a) || !ok31(r.den*f) {
			return 0, false
		}
		r.den *= f
		if !r.reduce() {
			return 0, false
		}
	}
	s.vars = append(s.vars, svar{row: int32(len(s.rows)), col: -1})
	s.rows = append(s.rows, r)
	return r.v, true
}

// addMul adds den*c to one entry.
func (r *srow) addMul(den, c int64, col int) bool {
	if !ok31(den) || !ok31(c) {
		return false
	}
	r.a[col] += den * c
	return ok31(r.a[col])
}

// combine sets r.a to f*r.a + k*b.
func (r *srow) combine(f, k int64, b []int64) bool {
	if !ok31(f) || !ok31(k) {
		return false
	}
	for i, x := range b {
		r.a[i] = r.a[i]*f + k*x // each product is below 2^62
	}
	return true
}

// reduce divides the row by the common divisor and checks its size.
func (r *srow) reduce() bool {
	g := r.den
	for _, x := range r.a {
		if g == 1 {
			break
		}
		if x != 0 {
			g = gcd(g, x)
		}
	}
	if g > 1 {
		r.den /= g
		for i := range r.a {
			r.a[i] /= g
		}
	}
	if !ok31(r.den) {
		return false
	}
	for _, x := range r.a {
		if !ok31(x) {
			return false
		}
	}
	return true
}

func ok31(x int64) bool { return x < maxEntry && x > -maxEntry }

// mark and release bracket bounds that are taken back.
func (s *simplex) mark() int { return len(s.trail) }

func (s *simplex) release(mark int) {
	for len(s.trail) > mark {
		u := s.trail[len(s.trail)-1]
		s.trail = s.trail[:len(s.trail)-1]
		x := &s.vars[u.v]
		x.lo, x.hi, x.hasLo, x.hasHi, x.loWhy, x.hiWhy = u.old.lo, u.old.hi, u.old.hasLo, u.old.hasHi, u.old.loWhy, u.old.hiWhy
	}
}

// atLeast and atMost assert bounds. The result is the pair of reasons if the
// variable's own bounds now exclude each other.
func (s *simplex) atLeast(v int32, b int64, why int32) (clash []int32) {
	x := &s.vars[v]
	if x.hasLo && x.lo >= b {
		return nil
	}
	s.trail = append(s.trail, undo{v, *x})
	x.hasLo, x.lo, x.loWhy = true, b, why
	if x.hasHi && x.hi < b {
		return []int32{x.loWhy, x.hiWhy}
	}
	if x.row < 0 && s.vals[x.col] < b {
		s.vals[x.col] = b
	}
	return nil
}

func (s *simplex) atMost(v int32, b int64, why int32) (clash []int32) {
	x := &s.vars[v]
	if x.hasHi && x.hi <= b {
		return nil
	}
	s.trail = append(s.trail, undo{v, *x})
	x.hasHi, x.hi, x.hiWhy = true, b, why
	if x.hasLo && x.lo > b {
		return []int32{x.loWhy, x.hiWhy}
	}
	if x.row < 0 && s.vals[x.col] > b {
		s.vals[x.col] = b
	}
	return nil
}

// value returns the numerator of a row's value; false on overflow.
func (s *simplex) value(r *srow) (int64, bool) {
	sum := int64(0)
	for j, v := range s.vals[:len(r.a)] {
		c := r.a[j]
		if c == 0 || v == 0 {
			continue
		}
		p := c * v
		if !ok31(c) || !ok31(v) {
			hi, lo := bits.Mul64(abs(c), abs(v))
			if hi != 0 || lo >= 1<<62 {
				return 0, false
			}
			if p = int64(lo); (c < 0) != (v < 0) {
				p = -p
			}
		}
		sum += p
		if sum > 1<<62 || sum < -(1<<62) {
			return 0, false
		}
	}
	return sum, true
}

func abs(x int64) uint64 {
	if x < 0 {
		return uint64(-x)
	}
	return uint64(x)
}

// compare orders num/den and b.
func compare(num, den, b int64) (int, bool) {
	hi, lo := bits.Mul64(uint64(den), abs(b))
	if hi != 0 || lo >= 1<<62 {
		return 0, false
	}
	p := int64(lo)
	if b < 0 {
		p = -p
	}
	switch {
	case num < p:
		return -1, true
	case num > p:
		return 1, true
	}
	return 0, true
}

// check looks for a solution. If there is none, the second result holds the
// reasons of bounds that exclude each other.
func (s *simplex) check() (answer, []int32) {
	for {
		if s.lim <= 0 || s.bad {
			return unknown, nil
		}
		bad, below := -1, false
		for i := range s.rows {
			r := &s.rows[i]
			x := &s.vars[r.v]
			if !x.hasLo && !x.hasHi || bad >= 0 && s.rows[bad].v < r.v {
				continue
			}
			num, ok := s.value(r)
			if !ok {
				return unknown, nil
			}
			if x.hasLo {
				c, ok := compare(num, r.den, x.lo)
				if !ok {
					return unknown, nil
				}
				if c < 0 {
					bad, below = i, true
					continue
				}
			}
			if x.hasHi {
				c, ok := compare(num, r.den, x.hi)
				if !ok {
					return unknown, nil
				}
				if c > 0 {
					bad, below = i, false
				}
			}
		}
		if bad < 0 {
			return feasible, nil
		}
		s.lim -= 1 + len(s.rows)*len(s.cols)/100
		r := &s.rows[bad]
		enter := int32(-1)
		for j, c := range r.a {
			if c == 0 {
				continue
			}
			y := &s.vars[s.cols[j]]
			if (c > 0) == below { // y must grow
				if y.hasHi && s.vals[j] >= y.hi {
					continue
				}
			} else if y.hasLo && s.vals[j] <= y.lo {
				continue
			}
			if enter < 0 || s.cols[j] < s.cols[enter] {
				enter = int32(j)
			}
		}
		x := s.vars[r.v]
		if enter < 0 {
			return infeasible, s.conflict(r, x, below)
		}
		b := x.hi
		if below {
			b = x.lo
		}
		if !s.pivot(bad, int(enter), b) {
			s.bad = true
			return unknown, nil
		}
	}
}

// conflict collects the reasons of the bounds that keep the row from x's bound.
func (s *simplex) conflict(r *srow, x svar, below bool) []int32 {
	why := []int32{x.hiWhy}
	if below {
		why[0] = x.loWhy
	}
	for j, c := range r.a {
		if c == 0 {
			continue
		}
		y := &s.vars[s.cols[j]]
		if (c > 0) == below {
			why = append(why, y.hiWhy)
		} else {
			why = append(why, y.loWhy)
		}
	}
	return why
}

// pivot exchanges the basic variable of row i with the non-basic one of
// column j; the former gets the value b.
func (s *simplex) pivot(i, j int, b int64) bool {
	r := &s.rows[i]
	out, in := r.v, s.cols[j]
	c := r.a[j]
	sign := int64(1)
	if c < 0 {
		sign = -1
	}
	// c*in = den*out - rest
	for k := range r.a {
		r.a[k] *= -sign
	}
	r.a[j] = r.den * sign
	r.den = c * sign
	r.v = in
	for k := range s.rows {
		q := &s.rows[k]
		if k == i || q.a[j] == 0 {
			continue
		}
		d := q.a[j]
		q.a[j] = 0
		g := gcd(d, r.den)
		f := r.den / g
		if !q.combine(f, d/g, r.a) {
			return false
		}
		hi, lo := bits.Mul64(uint64(q.den), uint64(f))
		if hi != 0 || lo >= 1<<62 {
			return false
		}
		q.den = int64(lo)
		if !q.reduce() {
			return false
		}
	}
	if !r.reduce() {
		return false
	}
	s.cols[j] = out
	s.vals[j] = b
	s.vars[out].row, s.vars[out].col = -1, int32(j)
	s.vars[in].row, s.vars[in].col = int32(i), -1
	return true
}
