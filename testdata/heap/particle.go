// Package heap holds programs about what two iterations of a parallel loop
// can reach: elements, fields, chains of pointers, objects handed around.
//
// Functions T… and U… restate the cases of the IteRace tool's own test suite,
// X… and L… are about points-to precision. A line's comment says what must be
// reported there; a function without comments must stay silent.
package heap

const n = 10

// P is the particle of the IteRace paper.
type P struct {
	x, y, m, vX     int
	origin, origin1 *P
}

func (p *P) moveTo(x, y int) {
	p.x = x // race! _.x
	p.y = y // race! _.y
}

// link makes q the origin of p.
func link(p, q *P) { p.origin = q }

// same is the identity, which callers with different arguments share.
func same(p *P) *P { return p }

func newParticles() []*P {
	ps := make([]*P, n)
	for i := range ps {
		ps[i] = &P{}
	}
	return ps
}
