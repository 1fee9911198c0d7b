package index

import (
	"encoding/binary"
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"
)

// An atom is the number of an integer unknown of one query.
type atom int32

// maxDegree bounds the monomials: what has a higher degree becomes opaque.
const maxDegree = 4

// A mono is a product of at most maxDegree atoms: atom numbers plus one, in
// descending order, padded with zeros. The zero mono is the constant 1.
type mono [maxDegree]int32

// one returns the monomial that is the atom alone.
func one(a atom) mono { return mono{int32(a) + 1} }

func (m mono) degree() int {
	for i, x := range m {
		if x == 0 {
			return i
		}
	}
	return maxDegree
}

func (m mono) less(n mono) bool {
	for i := range m {
		if m[i] != n[i] {
			return m[i] < n[i]
		}
	}
	return false
}

// has reports whether a is a factor of m.
func (m mono) has(a atom) bool {
	for _, x := range m {
		if x == int32(a)+1 {
			return true
		}
	}
	return false
}

// without returns m divided by one factor a, which it must have.
func (m mono) without(a atom) mono {
	var r mono
	j, gone := 0, false
	for _, x := range m {
		if !gone && x == int32(a)+1 {
			gone = true
			continue
		}
		if j < maxDegree {
			r[j] = x
			j++
		}
	}
	return r
}

// times returns the product, and false if its degree is too high.
func (m mono) times(n mono) (mono, bool) {
	if m.degree()+n.degree() > maxDegree {
		return mono{}, false
	}
	var r mono
	i, j := 0, 0
	for k := range r {
		if m[i] >= n[j] {
			r[k] = m[i]
			i++
		} else {
			r[k] = n[j]
			j++
		}
		if i == maxDegree || j == maxDegree {
			break
		}
	}
	return r, true
}

type term struct {
	m mono
	c int64
}

// A poly is a sum of terms ordered by monomial, no coefficient zero.
// Polynomials are values: no operation changes its operands.
type poly []term

// giveUp is the panic value by which arithmetic that leaves the safe range of
// int64 abandons a query; Overlap turns it into GaveUp.
type giveUp struct{ why string }

// maxCoef bounds coefficients, so that sums and products of two stay in int64.
const maxCoef = 1 << 53

func checked(c int64) int64 {
	if c > maxCoef || c < -maxCoef {
		panic(giveUp{"coefficients too large"})
	}
	return c
}

func mulCoef(a, b int64) int64 {
	if a == 0 || b == 0 {
		return 0
	}
	r := a * b
	if r/b != a || r > maxCoef || r < -maxCoef {
		panic(giveUp{"coefficients too large"})
	}
	return r
}

func number(c int64) poly {
	if c == 0 {
		return nil
	}
	return poly{{c: checked(c)}}
}

func variable(a atom) poly { return poly{{m: one(a), c: 1}} }

// isConst returns the value of a constant polynomial.
func (p poly) isConst() (int64, bool) {
	switch {
	case len(p) == 0:
		return 0, true
	case len(p) == 1 && p[0].m == mono{}:
		return p[0].c, true
	}
	return 0, false
}

// constTerm is the coefficient of the monomial 1.
func (p poly) constTerm() int64 {
	if len(p) > 0 && p[0].m == (mono{}) {
		return p[0].c
	}
	return 0
}

// addScaled returns p + k*q.
func (p poly) addScaled(q poly, k int64) poly {
	if k == 0 || len(q) == 0 {
		return p
	}
	r := make(poly, 0, len(p)+len(q))
	i, j := 0, 0
	for i < len(p) || j < len(q) {
		switch {
		case j == len(q) || i < len(p) && p[i].m.less(q[j].m):
			r = append(r, p[i])
			i++
		case i == len(p) || q[j].m.less(p[i].m):
			r = append(r, term{q[j].m, mulCoef(q[j].c, k)})
			j++
		default:
			if c := checked(p[i].c + mulCoef(q[j].c, k)); c != 0 {
				r = append(r, term{p[i].m, c})
			}
			i++
			j++
		}
	}
	return r
}

func (p poly) add(q poly) poly    { return p.addScaled(q, 1) }
func (p poly) sub(q poly) poly    { return p.addScaled(q, -1) }
func (p poly) neg() poly          { return poly(nil).addScaled(p, -1) }
func (p poly) plus(c int64) poly  { return p.addScaled(number(c), 1) }
func (p poly) scale(k int64) poly { return poly(nil).addScaled(p, k) }
func (p poly) equal(q poly) bool  { return slices.Equal(p, q) }
func (p poly) atMost(q poly) poly { return q.sub(p) }          // p <= q as a polynomial >= 0
func (p poly) below(q poly) poly  { return q.sub(p).plus(-1) } // p < q
func (p poly) mentions(a atom) (n int) { // number of terms with a factor a
	for _, t := range p {
		if t.m.has(a) {
			n++
		}
	}
	return n
}

// times returns the product, and false if a degree is too high.
func (p poly) times(q poly) (poly, bool) {
	if len(q) == 1 { // keeps the order
		r := make(poly, 0, len(p))
		for _, t := range p {
			m, ok := t.m.times(q[0].m)
			if !ok {
				return nil, false
			}
			r = append(r, term{m, mulCoef(t.c, q[0].c)})
		}
		return r, true
	}
	var r poly
	for _, t := range p {
		row := make(poly, 0, len(q))
		for _, u := range q {
			m, ok := t.m.times(u.m)
			if !ok {
				return nil, false
			}
			row = append(row, term{m, mulCoef(t.c, u.c)})
		}
		sort.Slice(row, func(i, j int) bool { return row[i].m.less(row[j].m) })
		r = r.add(row)
	}
	return r, true
}

// subst replaces the atom by a polynomial; false if a degree is too high.
func (p poly) subst(a atom, by poly) (poly, bool) {
	if p.mentions(a) == 0 {
		return p, true
	}
	var r, keep poly
	for _, t := range p {
		if !t.m.has(a) {
			keep = append(keep, t)
			continue
		}
		rest := poly{{t.m, t.c}}
		part := poly{{c: 1}}
		for rest[0].m.has(a) {
			rest[0].m = rest[0].m.without(a)
			var ok bool
			if part, ok = part.times(by); !ok {
				return nil, false
			}
		}
		part, ok := part.times(rest)
		if !ok {
			return nil, false
		}
		r = r.add(part)
	}
	return keep.add(r), true
}

// atoms calls f for every atom of p, an atom as often as it occurs.
func (p poly) atoms(f func(atom)) {
	for _, t := range p {
		for _, x := range t.m {
			if x == 0 {
				break
			}
			f(atom(x - 1))
		}
	}
}

// content is the greatest common divisor of the coefficients of the
// non-constant terms; 0 if there are none.
func (p poly) content() int64 {
	g := int64(0)
	for _, t := range p {
		if t.m != (mono{}) {
			g = gcd(g, t.c)
		}
	}
	return g
}

// tighten divides p >= 0 by the content of p and rounds the constant down,
// which keeps exactly the integer solutions.
func (p poly) tighten() poly {
	g := p.content()
	if g <= 1 {
		return p
	}
	r := make(poly, 0, len(p))
	for _, t := range p {
		c := floorDiv(t.c, g)
		if c != 0 {
			r = append(r, term{t.m, c})
		}
	}
	return r
}

// less1 is -p - 1, which is at least 0 where p is below 0.
func (p poly) less1() poly {
	r := make(poly, 0, len(p)+1)
	if c := checked(-p.constTerm() - 1); c != 0 {
		r = append(r, term{c: c})
	}
	if p.constTerm() != 0 {
		p = p[1:]
	}
	for _, t := range p {
		r = append(r, term{t.m, -t.c})
	}
	return r
}

// appendTo appends bytes that are equal for equal polynomials only.
func (p poly) appendTo(b []byte) []byte {
	for _, t := range p {
		b = binary.AppendVarint(b, t.c)
		for _, x := range t.m {
			b = binary.AppendUvarint(b, uint64(x)) // the last one is 0, or there are maxDegree
			if x == 0 {
				break
			}
		}
	}
	return b
}

// key is a string equal for equal polynomials only.
func (p poly) key() string {
	var b strings.Builder
	for _, t := range p {
		b.WriteString(strconv.FormatInt(t.c, 36))
		for _, x := range t.m {
			if x == 0 {
				break
			}
			b.WriteByte('.')
			b.WriteString(strconv.FormatInt(int64(x), 36))
		}
		b.WriteByte(' ')
	}
	return b.String()
}

func gcd(a, b int64) int64 {
	x, y := abs(a), abs(b)
	for y > math.MaxUint32 || x > math.MaxUint32 {
		if y == 0 {
			return int64(x)
		}
		x, y = y, x%y
	}
	for u, v := uint32(x), uint32(y); ; u, v = v, u%v { // takes half as long
		if v == 0 {
			return int64(u)
		}
	}
}

// floorDiv is a/b rounded down, for b > 0.
func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}
