// Package library holds programs that depend on what is known of code outside
// the application: the standard library, and functions that model.toml
// declares thread-safe.
package library

const n = 10

type P struct {
	x, y   int
	origin *P
}

func (p *P) moveTo(x, y int) {
	p.x = x // race! _.x
	p.y = y // race! _.y
}
