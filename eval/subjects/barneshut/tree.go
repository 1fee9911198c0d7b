package main

import "math"

// A vector is a point or a direction in space.
type vector [3]float64

func (v vector) add(w vector) vector { return vector{v[0] + w[0], v[1] + w[1], v[2] + w[2]} }
func (v vector) sub(w vector) vector { return vector{v[0] - w[0], v[1] - w[1], v[2] - w[2]} }
func (v vector) scale(f float64) vector {
	return vector{f * v[0], f * v[1], f * v[2]}
}
func (v vector) dot(w vector) float64 { return v[0]*w[0] + v[1]*w[1] + v[2]*w[2] }

// A body is a point with a mass.
type body struct {
	id            int
	mass          float64
	pos, vel, acc vector
}

// move lets b go on for a time.
func (b *body) move(dt float64) {
	b.vel = b.vel.add(b.acc.scale(dt))
	b.pos = b.pos.add(b.vel.scale(dt))
}

// A tree is a cube of space that holds all bodies, cut into eight again and
// again until no part has more than one.
type tree struct {
	root *cell
	size float64 // edge of the root
}

// A cell is a part of space: a leaf with one body, or eight parts.
type cell struct {
	mass   float64
	centre vector // of mass
	body   *body  // of a leaf
	parts  [8]*cell
}

// newTree puts the bodies into a tree.
func newTree(bodies []*body) *tree {
	t := &tree{root: new(cell), size: 2}
	for _, b := range bodies {
		for _, x := range b.pos {
			t.size = max(t.size, 2*math.Abs(x))
		}
	}
	for _, b := range bodies {
		t.root.insert(b, vector{}, t.size/2)
	}
	t.root.summarize()
	return t
}

// insert puts b into the cube around middle whose edge is twice half. No two
// bodies may be in one place.
func (c *cell) insert(b *body, middle vector, half float64) {
	part, next := octant(b.pos, middle, half)
	switch sub := c.parts[part]; {
	case sub == nil:
		c.parts[part] = &cell{body: b}
	case sub.body == nil:
		sub.insert(b, next, half/2)
	default:
		inner := new(cell)
		c.parts[part] = inner
		inner.insert(sub.body, next, half/2)
		inner.insert(b, next, half/2)
	}
}

// octant returns which eighth of the cube around middle p is in, and its middle.
func octant(p, middle vector, half float64) (int, vector) {
	part := 0
	for i := range p {
		if p[i] >= middle[i] {
			part |= 1 << i
			middle[i] += half / 2
		} else {
			middle[i] -= half / 2
		}
	}
	return part, middle
}

// summarize computes mass and centre of c and all below it.
func (c *cell) summarize() {
	if c.body != nil {
		c.mass, c.centre = c.body.mass, c.body.pos
		return
	}
	var moment vector
	for _, part := range c.parts {
		if part != nil {
			part.summarize()
			c.mass += part.mass
			moment = moment.add(part.centre.scale(part.mass))
		}
	}
	if c.mass > 0 {
		c.centre = moment.scale(1 / c.mass)
	}
}

// A walker computes forces, and keeps what one goroutine needs to do that.
type walker struct {
	tree    *tree
	theta   float64
	stack   []visit // cells to look at; kept, so that it is not allocated anew
	visited int
	bodies  int
	far     interaction
}

// A visit is a cell to look at, and how large it is.
type visit struct {
	cell *cell
	size float64
}

// force returns the acceleration of b.
func (w *walker) force(b *body) vector {
	const soft = 0.05 // keeps the force finite where bodies meet
	var acc vector
	w.bodies++
	w.stack = append(w.stack[:0], visit{w.tree.root, w.tree.size})
	for len(w.stack) > 0 {
		top := w.stack[len(w.stack)-1]
		w.stack = w.stack[:len(w.stack)-1]
		c := top.cell
		if c.body == b {
			continue
		}
		w.visited++
		d := c.centre.sub(b.pos)
		r2 := d.dot(d) + soft*soft
		if r := math.Sqrt(r2); r > w.far.distance {
			w.far = interaction{r, b.id}
		}
		if c.body != nil || top.size*top.size < w.theta*w.theta*r2 {
			acc = acc.add(d.scale(c.mass / (r2 * math.Sqrt(r2))))
			continue
		}
		for _, part := range c.parts {
			if part != nil {
				w.stack = append(w.stack, visit{part, top.size / 2})
			}
		}
	}
	return acc
}
