package fp

import (
	"sync"
	"sync/atomic"
)

// Shrunk from programs that were written blind a tenth time.

// A tile is known by one number, and there are as many in a row as go into it, rounded up.
func FP_tilesRoundedUp(rows, cols int) {
	const tile = 16
	cells := make([]int, rows*cols)
	across := (cols + tile - 1) / tile
	var wg sync.WaitGroup
	for k := range across * ((rows + tile - 1) / tile) {
		wg.Go(func() {
			y, x := k/across*tile, k%across*tile
			for i := y; i < min(y+tile, rows); i++ {
				for j := x; j < min(x+tile, cols); j++ {
					cells[i*cols+j]++ // race cells; the width is both the length of a row and, divided, the number of tiles in one: that is too much work
				}
			}
		})
	}
	wg.Wait()
}

// Who claims a vertex first sets its level, from that of one which was claimed a level ago.
func FP_levelsOfClaimed(next [][]int) []int {
	claimed, level := make([]atomic.Bool, len(next)), make([]int, len(next))
	claimed[0].Store(true)
	frontier := []int{0}
	for len(frontier) > 0 {
		found := make([][]int, len(frontier))
		var wg sync.WaitGroup
		for i, u := range frontier {
			wg.Go(func() {
				for _, v := range next[u] {
					if claimed[v].CompareAndSwap(false, true) {
						level[v] = level[u] + 1 // race level; that all in the frontier are claimed already, no index tells
						found[i] = append(found[i], v)
					}
				}
			})
		}
		wg.Wait()
		frontier = nil
		for _, f := range found {
			frontier = append(frontier, f...)
		}
	}
	return level
}

// A merge sort leaves its result in one of two slices, by turns.
func FP_mergeByTurns(xs []int) { sortByTurns(xs, make([]int, len(xs)), false) }

func sortByTurns(xs, tmp []int, into bool) {
	if len(xs) < 2 {
		if into {
			copy(tmp, xs) // race xs tmp; as below
		}
		return
	}
	mid := len(xs) / 2
	var wg sync.WaitGroup
	wg.Go(func() { sortByTurns(xs[:mid], tmp[:mid], !into) })
	sortByTurns(xs[mid:], tmp[mid:], !into)
	wg.Wait()
	src, dst := tmp, xs
	if into {
		src, dst = xs, tmp
	}
	i, j := 0, mid
	for k := range dst {
		if j == len(src) || i < mid && src[i] <= src[j] { // race xs tmp; as below
			dst[k] = src[i] // race xs tmp; what is merged is one of two parameters
			i++
		} else {
			dst[k] = src[j] // race xs tmp; as above
			j++
		}
	}
}

// Parts of one array, each cut with its capacity, are appended to.
func FP_partsOfArena(bounds [][2]int, n int) [][]int {
	arena := make([]int, n)
	var parts [][]int
	lo := 0
	for _, b := range bounds {
		parts = append(parts, arena[lo:lo:lo+b[1]])
		lo += b[1]
	}
	var wg sync.WaitGroup
	for i := range parts {
		wg.Go(func() {
			for k := range bounds[i][1] {
				parts[i] = append(parts[i], k) // race arena; how far an append goes
			}
		})
	}
	wg.Wait()
	return parts
}

// What is given to a pool is wrapped by it, in rounds.
type wrappingPool struct {
	tasks chan func()
	wg    sync.WaitGroup
}

func FP_wrappedInRounds(n int) []int {
	p := &wrappingPool{tasks: make(chan func())}
	for range 4 {
		go func() {
			for t := range p.tasks {
				t()
			}
		}()
	}
	out := make([]int, n)
	for range 10 {
		for i := range out {
			p.submit(func() { out[i]++ }) // race out; what wraps is made by submit, which all rounds call
		}
		p.wg.Wait()
	}
	return out
}

func (p *wrappingPool) submit(f func()) {
	p.wg.Add(1)
	p.tasks <- func() {
		defer p.wg.Done()
		f()
	}
}
