// Command em3d simulates the propagation of electromagnetic waves through
// objects in three dimensions.
//
// The electric and the magnetic field live in the nodes of a bipartite graph.
// A step first makes each electric node's value a weighted sum of the values
// of the magnetic nodes it depends on, all electric nodes in parallel, and
// then the other way round. Between the two halves all goroutines are waited
// for: that is the only synchronisation that the values need.
package main

import (
	"flag"
	"fmt"
	"log"
	"math/rand"
	"runtime"
	"sync"
)

// A Node is one point of a field.
type Node struct {
	value  float64
	from   []*Node   // nodes of the other field that it depends on
	coeffs []float64 // one for each of from
}

// update makes the value of n what the nodes of the other field say.
func (n *Node) update() {
	for i, src := range n.from {
		n.value -= n.coeffs[i] * src.value
	}
}

// newNodes makes n nodes with random values.
func newNodes(n int, rng *rand.Rand) []*Node {
	nodes := make([]*Node, n)
	for i := range nodes {
		nodes[i] = &Node{value: rng.Float64()}
	}
	return nodes
}

// connect makes each node depend on degree nodes of other.
func connect(nodes, other []*Node, degree int, rng *rand.Rand) {
	for _, n := range nodes {
		n.from = make([]*Node, degree)
		n.coeffs = make([]float64, degree)
		for i := range n.from {
			n.from[i] = other[rng.Intn(len(other))]
			n.coeffs[i] = rng.Float64() / float64(degree)
		}
	}
}

// A Graph is the two fields.
type Graph struct {
	electric, magnetic []*Node
}

func newGraph(n, degree int, seed int64) *Graph {
	rng := rand.New(rand.NewSource(seed))
	g := &Graph{electric: newNodes(n, rng), magnetic: newNodes(n, rng)}
	connect(g.electric, g.magnetic, degree, rng)
	connect(g.magnetic, g.electric, degree, rng)
	return g
}

// step advances the simulation by one time step.
func (g *Graph) step() {
	updateAll(g.electric)
	updateAll(g.magnetic)
}

// updateAll updates the nodes, a part of them in each goroutine.
func updateAll(nodes []*Node) {
	workers := runtime.GOMAXPROCS(0)
	var wg sync.WaitGroup
	for w := range workers {
		lo, hi := w*len(nodes)/workers, (w+1)*len(nodes)/workers
		wg.Go(func() {
			for _, n := range nodes[lo:hi] {
				n.update()
			}
		})
	}
	wg.Wait()
}

// A summary is what is printed of one field.
type summary struct {
	min, max, sum float64
}

// add takes one more value into account.
func (s *summary) add(v float64) {
	s.min = min(s.min, v)
	s.max = max(s.max, v)
	s.sum += v
}

// summarize looks at both fields at the same time.
func (g *Graph) summarize() [2]*summary {
	var out [2]*summary
	var wg sync.WaitGroup
	for i, nodes := range [][]*Node{g.electric, g.magnetic} {
		wg.Add(1)
		go func() {
			defer wg.Done()
			s := &summary{min: nodes[0].value, max: nodes[0].value}
			for _, n := range nodes {
				s.add(n.value)
			}
			log.Printf("field %d: %d nodes", i, len(nodes))
			out[i] = s
		}()
	}
	wg.Wait()
	return out
}

func main() {
	n := flag.Int("n", 2000, "nodes of each field")
	degree := flag.Int("degree", 100, "nodes that a node depends on")
	steps := flag.Int("steps", 100, "time steps")
	seed := flag.Int64("seed", 783, "of the random numbers")
	flag.Parse()

	g := newGraph(*n, *degree, *seed)
	for range *steps {
		g.step()
	}
	for i, s := range g.summarize() {
		fmt.Printf("%-8s min %g max %g mean %g\n", [...]string{"electric", "magnetic"}[i], s.min, s.max, s.sum/float64(*n))
	}
}
