package pta

import "sync"

// Loops are solved at the same time, and the output must not show which was first:
// each is paired with those that come before it in a fixed order, whose tables it
// waits for. That order is the loops' own, and after them those that are solved
// again, as if there were one worker.

// turns is the order in which loops are paired with each other.
type turns struct {
	mu      sync.Mutex
	settled *sync.Cond
	rank    []int  // by loop: its place in the order
	done    []bool // by place: the loop there has its table, or has none
	next    int    // the first place that is not done
}

// startTurns gives each loop its place.
func (r *Result) startTurns() {
	t := &r.turns
	t.settled = sync.NewCond(&t.mu)
	t.rank = make([]int, len(r.Loops))
	t.done = make([]bool, 2*len(r.Loops))
	for i := range t.rank {
		t.rank[i] = i
	}
}

// Skip takes a loop out of the order, so that no other waits for it: its overlay is not
// final, or it has failed. Again puts loops behind all others.
//
//iterace:ignore each loop is taken once
func (r *Result) Skip(loop int) {
	r.overlays[loop] = nil
	r.turns.settle(r.turns.rank[loop])
}

// Again puts loops behind all others, in this order.
func (r *Result) Again(loops []int) {
	for k, loop := range loops {
		r.turns.rank[loop] = len(r.Loops) + k
	}
}

// settle notes that the loop at a place has its table.
func (t *turns) settle(place int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.done[place] = true
	for t.next < len(t.done) && t.done[t.next] {
		t.next++
	}
	t.settled.Broadcast()
}

// await waits until all loops before a place have their tables.
func (t *turns) await(place int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for t.next < place {
		t.settled.Wait()
	}
}
