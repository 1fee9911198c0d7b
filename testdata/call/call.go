// Package call holds programs whose accesses lie behind calls: helpers,
// methods, interfaces, function values, callbacks, generic functions.
package call

const n = 10

type P struct {
	x, y   int
	origin *P
}

func (p *P) moveTo(x, y int) {
	p.x = x // race! _.x
	p.y = y // race! _.y
}

func compute(p *P) { p.moveTo(1, 2) }

func computeRec(p *P, depth int) {
	if depth > 0 {
		computeRec(p, depth-1)
		return
	}
	p.moveTo(1, 2)
}
