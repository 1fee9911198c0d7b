// Command barneshut simulates the motion of many bodies under gravity by the
// method of Barnes and Hut.
//
// In each step the bodies are put into an oct-tree whose cells know their
// centre of mass, by one goroutine. Then the force on each body is computed by
// walking down the tree, all bodies in parallel, and then all bodies move.
package main

import (
	"flag"
	"fmt"
	"log"
	"math"
	"math/rand"
	"os"
	"runtime"
	"sort"
	"sync"
)

func main() {
	n := flag.Int("n", 4000, "bodies")
	steps := flag.Int("steps", 10, "time steps")
	seed := flag.Int64("seed", 1, "of the random numbers")
	flag.Parse()

	s := newSimulation(*n, *seed, log.New(os.Stderr, "barneshut: ", 0))
	for range *steps {
		s.step()
	}
	s.print()
}

// A simulation is the bodies, and what is counted on the way.
type simulation struct {
	bodies  []*body
	logger  *log.Logger
	theta   float64 // how far a cell must be, for its size, to count as one body
	dt      float64
	workers int

	mu    sync.Mutex // guards stats
	stats stats
}

// stats counts work.
type stats struct {
	visited  int           // cells
	byWorker map[int]int   // bodies
	far      []interaction // the largest distance each worker has seen
}

// An interaction is a body and a cell that acts on it.
type interaction struct {
	distance float64
	body     int
}

func newSimulation(n int, seed int64, logger *log.Logger) *simulation {
	s := &simulation{logger: logger, theta: 0.5, dt: 0.025, workers: runtime.GOMAXPROCS(0)}
	s.stats.byWorker = make(map[int]int)
	s.bodies = make([]*body, n)
	s.fill(seed)
	return s
}

// fill makes the bodies: each worker a part, with random numbers of its own.
func (s *simulation) fill(seed int64) {
	var wg sync.WaitGroup
	for w := range s.workers {
		wg.Add(1)
		go func() {
			defer wg.Done()
			rng := rand.New(rand.NewSource(seed + int64(w)))
			for i := w; i < len(s.bodies); i += s.workers {
				s.bodies[i] = randomBody(i, rng, 1/float64(len(s.bodies)))
			}
		}()
	}
	wg.Wait()
}

// randomBody makes a body somewhere in the ball around the origin, at rest.
func randomBody(id int, rng *rand.Rand, mass float64) *body {
	for {
		p := vector{2*rng.Float64() - 1, 2*rng.Float64() - 1, 2*rng.Float64() - 1}
		if p.dot(p) <= 1 {
			return &body{id: id, mass: mass, pos: p}
		}
	}
}

// step advances the simulation by one time step.
func (s *simulation) step() {
	t := newTree(s.bodies)
	s.forces(t)
	s.move()
}

// forces computes the acceleration of every body.
func (s *simulation) forces(t *tree) {
	var wg sync.WaitGroup
	for w := range s.workers {
		wg.Go(func() {
			walk := &walker{tree: t, theta: s.theta}
			for i := w; i < len(s.bodies); i += s.workers {
				b := s.bodies[i]
				b.acc = walk.force(b)
			}
			s.count(w, walk)
			s.logger.Printf("worker %d visited %d cells", w, walk.visited)
		})
	}
	wg.Wait()
}

// count adds the work of one worker.
func (s *simulation) count(w int, walk *walker) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stats.visited += walk.visited
	s.stats.byWorker[w] += walk.bodies
	s.stats.far = append(s.stats.far, walk.far)
}

// move lets every body go on for one time step.
func (s *simulation) move() {
	var wg sync.WaitGroup
	for _, b := range s.bodies {
		wg.Add(1)
		go func() {
			defer wg.Done()
			b.move(s.dt)
		}()
	}
	wg.Wait()
}

// print prints what was counted, and where the mass is.
func (s *simulation) print() {
	sort.Slice(s.stats.far, func(i, j int) bool { return s.stats.far[i].distance > s.stats.far[j].distance })
	fmt.Printf("%d bodies, %d cells visited, farthest interaction %.3f\n", len(s.bodies), s.stats.visited, s.stats.far[0].distance)
	var centre vector
	var energy float64
	for _, b := range s.bodies {
		centre = centre.add(b.pos.scale(b.mass))
		energy += b.mass * b.vel.dot(b.vel) / 2
	}
	fmt.Printf("centre of mass %.4f, kinetic energy %.4f\n", centre, energy)
	if math.IsNaN(energy) {
		os.Exit(1)
	}
}
