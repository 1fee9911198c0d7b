// Package genprog writes programs of a given size, to show how cost grows.
package genprog

import (
	"fmt"
	"strings"
)

// A Shape says how large a program is.
type Shape struct {
	Loops int // parallel loops
	Funcs int // functions that each loop reaches, its own
	Depth int // calls from a loop to the last of them
	Rest  int // functions that no loop reaches; they run before the loops
	// Shared lets the rest work on the type that loops work on, by one method. What
	// points-to sets hold then grows with the square of the program.
	Shared bool
}

// String names the shape.
func (s Shape) String() string {
	name := fmt.Sprintf("loops=%d,funcs=%d,depth=%d,rest=%d", s.Loops, s.Funcs, s.Depth, s.Rest)
	if s.Shared {
		name += ",shared"
	}
	return name
}

// Reached is the number of functions that loops reach.
func (s Shape) Reached() int { return s.Loops * s.Funcs }

// Program returns the text of a program. Each loop adds to a tree of its own,
// through layers of functions of which each calls two of the next layer; half of
// the loops lock it. So each has something to pair, to order and to lock, and
// nothing in common with the others.
func Program(s Shape) string {
	var b strings.Builder
	b.WriteString("package main\n\nimport \"sync\"\n\n")
	tree(&b, "tree")
	b.WriteString("func main() {\n")
	for i := range s.Rest {
		if i%8 == 0 { // the rest is called by these
			fmt.Fprintf(&b, "\trest%d(new(%s), %d)\n", i, s.restType(i), i)
		}
	}
	for i := range s.Loops {
		fmt.Fprintf(&b, "\tloop%d()\n", i)
	}
	b.WriteString("}\n\n")
	for i := range s.Loops {
		loop(&b, s, i)
	}
	for i := range s.Rest {
		if t := s.restType(i); i%8 == 0 && t != "tree" {
			tree(&b, t)
		}
		body := "\tt.add(n)\n\tt.part = append(t.part, n)\n"
		if (i+1)%8 != 0 && i+1 < s.Rest {
			body += fmt.Sprintf("\trest%d(t.next, n+1)\n", i+1)
		}
		fmt.Fprintf(&b, "func rest%d(t *%s, n int) {\n%s}\n\n", i, s.restType(i), body)
	}
	return b.String()
}

// restType returns the type that a function of the rest works on.
func (s Shape) restType(i int) string {
	if s.Shared {
		return "tree"
	}
	return fmt.Sprint("tree", i/8)
}

func tree(b *strings.Builder, name string) {
	fmt.Fprintf(b, "type %s struct {\n\tmu   sync.Mutex\n\tsum  int\n\tnext *%s\n\tpart []int\n}\n\n", name, name)
	fmt.Fprintf(b, "func (t *%s) add(n int) {\n\tif t.next == nil {\n\t\tt.next = &%s{part: make([]int, 8)}\n\t}\n\tt.sum += n\n}\n\n", name, name)
}

// loop writes a loop and the functions that it reaches.
func loop(b *strings.Builder, s Shape, i int) {
	depth := max(1, min(s.Depth, s.Funcs))
	fmt.Fprintf(b, "func loop%d() {\n\tt := new(tree)\n\tout := make([]int, 100)\n\tvar wg sync.WaitGroup\n\tfor i := range out {\n\t\twg.Go(func() {\n", i)
	if i%2 == 0 {
		b.WriteString("\t\t\tt.mu.Lock()\n\t\t\tdefer t.mu.Unlock()\n")
	}
	fmt.Fprintf(b, "\t\t\tout[i] = i\n\t\t\tf%d_0(t, i)\n\t\t})\n\t}\n\twg.Wait()\n}\n\n", i)
	width := func(layer int) (first, n int) { // functions of a layer
		return layer * s.Funcs / depth, (layer+1)*s.Funcs/depth - layer*s.Funcs/depth
	}
	for layer := range depth {
		first, n := width(layer)
		for k := range n {
			body := "\tt.add(n)\n"
			if k+1 < n && layer == 0 { // the loop calls the first of the first layer
				body += fmt.Sprintf("\tf%d_%d(t, n)\n", i, first+k+1)
			}
			if layer+1 < depth {
				next, m := width(layer + 1)
				for j := range 2 {
					body += fmt.Sprintf("\tf%d_%d(t, n+%d)\n", i, next+(2*k+j)%m, j)
				}
				if k+1 == n { // whom nobody has called yet
					for j := 2 * n; j < m; j++ {
						body += fmt.Sprintf("\tf%d_%d(t, n)\n", i, next+j)
					}
				}
			}
			fmt.Fprintf(b, "func f%d_%d(t *tree, n int) {\n%s}\n\n", i, first+k, body)
		}
	}
}
