// Command nbody moves particles in parallel, as the example of the IteRace
// paper does, with the same races: on the centre of mass, on the coordinates
// of the particle it points to, and on the history.
package main

import (
	"fmt"
	"sync"
)

// A Particle has a position, a speed and a mass.
type Particle struct {
	x, y, vX, vY, m float64
}

// A Sim is one simulation.
type Sim struct {
	mu           sync.Mutex
	centerOfMass *Particle
	history      []*Particle
}

const step = 0.1

// main runs one step of the simulation, a goroutine per particle (case H8).
func main() {
	particles := make([]*Particle, 10)
	for i := range particles {
		particles[i] = &Particle{x: float64(i), m: 1}
	}
	sim := &Sim{history: make([]*Particle, 0, 5)}

	var wg sync.WaitGroup
	for _, p := range particles {
		wg.Add(1)
		go func() {
			defer wg.Done()
			sim.update(p)
		}()
	}
	wg.Wait()
}

// update moves one particle and adds it to the centre of mass.
func (s *Sim) update(p *Particle) {
	p.vX += p.m * step
	p.vY += p.m * step
	p.x += p.vX * step
	p.y += p.vY * step

	if s.centerOfMass == nil { // race! sim.centerOfMass
		s.centerOfMass = &Particle{} // race! sim.centerOfMass
	}

	s.mu.Lock()
	s.centerOfMass.m += p.m // race! sim.centerOfMass
	s.mu.Unlock()

	c := s.centerOfMass   // race! sim.centerOfMass
	c.x = (c.x + p.x) / 2 // race! _.x
	c.y = (c.y + p.y) / 2 // race! _.y
	fmt.Println("moved", p.x, p.y)

	s.history = append(s.history, p) // race! sim.history _[*]
}
