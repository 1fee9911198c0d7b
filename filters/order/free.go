package order

import (
	"slices"

	"github.com/iterace/iterace/pta"
)

// Most accesses that overlap do so on a way on which nothing could be awaited,
// whatever the class: the spawner goes on, or the next round begins, and nobody
// waits for anything. A walk that stops at all that may await some class finds these
// ways. It is the same for all classes of the same threads, and where it comes to an
// access nothing need be asked of the class.

// A freeKey names such a walk, but for the threads.
type freeKey struct {
	kind  byte
	first pta.InstID // one of the threads, -1 for none
	birth pta.Site
}

// A freeWalk is one, with its threads.
type freeWalk struct {
	threads []pta.InstID
	walk    *walk
}

// freely returns the walk of a kind that has some threads and a birth, which start
// begins.
func (a *Analysis) freely(kind byte, threads []pta.InstID, birth pta.Site, start func(*walk)) *walk {
	k := freeKey{kind, -1, birth}
	if len(threads) > 0 {
		k.first = threads[0]
	}
	for _, x := range a.free[k] {
		if slices.Equal(x.threads, threads) {
			return x.walk
		}
	}
	w := a.newWalk()
	w.spawns, w.birth = true, birth
	w.avoid = func(p place, _ bool) bool { return !a.idle(p) }
	start(w)
	w.run()
	if a.free == nil {
		a.free = make(map[freeKey][]freeWalk)
	}
	a.free[k] = append(a.free[k], freeWalk{threads, w})
	return w
}

// comes reports whether a walk comes to an access, and has not given up.
func (w *walk) comes(x access) bool { return !w.exhausted && w.reaches(x.inst, x.at) }

// freelyOpen is open where nothing on the way may await anything.
func (a *Analysis) freelyOpen(x, y access) bool {
	threads := a.threadsOfAccess(x)
	return a.freely('o', threads, x.birth, func(w *walk) { w.besideThread(threads...) }).comes(y)
}

// freelyUnguarded is unguarded where nothing on the way may await anything.
func (a *Analysis) freelyUnguarded(x access) bool {
	side := a.w.Thread(x.inst)
	return a.freely('u', []pta.InstID{pta.InstID(side)}, noSite, func(w *walk) {
		for _, b := range a.w.Bodies(side) {
			w.fromEntry(b)
		}
	}).comes(x)
}

// freelyRounds is rounds2 where nothing on the way may await anything.
func (a *Analysis) freelyRounds(x, y access) bool {
	side := a.w.Thread(y.inst)
	threads := append([]pta.InstID{pta.InstID(side)}, a.threadsOf(x.inst)...)
	return a.freely('r', threads, x.birth, func(w *walk) { a.laterRounds(w, x, side) }).comes(y) && a.freelyUnguarded(x)
}

// freelyEnds reports whether a thread ends where nothing on the way may await anything.
func (a *Analysis) freelyEnds(t pta.InstID) bool {
	if a.plain {
		return false
	}
	w := a.freely('e', []pta.InstID{t}, noSite, func(w *walk) {
		w.spawns = false
		w.fromEntry(t)
	})
	return !w.exhausted && w.reachesExit(t)
}
