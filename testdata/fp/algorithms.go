package fp

import (
	"sync"
	"sync/atomic"
)

// The rest of the list is worked on by the loop that has given a part away.
func FP_restOfList() {
	var wg sync.WaitGroup
	sem := make(chan struct{}, 4)
	sortRest(make([]int, 100), &wg, sem)
	wg.Wait()
}

func sortRest(a []int, wg *sync.WaitGroup, sem chan struct{}) {
	for len(a) > 1 {
		p := len(a) / 2
		a[p]++ // race a[*]; parts that a loop cuts off one after the other, in a recursion
		left := a[:p]
		a = a[p+1:]
		select {
		case sem <- struct{}{}:
			wg.Add(1)
			go func() {
				defer func() { <-sem; wg.Done() }()
				sortRest(left, wg, sem)
			}()
		default:
			sortRest(left, wg, sem)
		}
	}
}

// Where each value goes has been counted before: the places are different.
func FP_scatter() {
	const workers = 4
	a, out := make([]uint8, 100), make([]uint8, 100)
	var counts [workers][256]int
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			for _, v := range a[w*100/workers : (w+1)*100/workers] {
				counts[w][v]++
			}
		})
	}
	wg.Wait()
	sum := 0
	for d := range 256 {
		for w := range workers {
			counts[w][d], sum = sum, sum+counts[w][d]
		}
	}
	for w := range workers {
		wg.Go(func() {
			off := &counts[w]
			for _, v := range a[w*100/workers : (w+1)*100/workers] {
				out[off[v]] = v // race out[*]; prefix sums
				off[v]++
			}
		})
	}
	wg.Wait()
}

// Of i and i^j the smaller one exchanges both.
func FP_exchange() {
	a := make([]int, 64)
	for j := 32; j > 0; j /= 2 {
		var wg sync.WaitGroup
		for i := range a {
			wg.Go(func() {
				if l := i ^ j; l > i && a[i] > a[l] { // race a[*]; bits of indices
					a[i], a[l] = a[l], a[i] // race a[*]; bits of indices
				}
			})
		}
		wg.Wait()
	}
}

// A grid is cut into tiles, which are put into a list, and come through a channel.
func FP_tiles() {
	type tile struct{ x0, y0, x1, y1 int }
	const w, h = 64, 48
	buf := make([]int, w*h)
	jobs := make(chan tile)
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			for t := range jobs {
				for y := t.y0; y < t.y1; y++ {
					for x := t.x0; x < t.x1; x++ {
						buf[y*w+x]++ // race buf[*]; parts that lie in a list, in two dimensions
					}
				}
			}
		})
	}
	var tiles []tile
	for y := 0; y < h; y += 16 {
		for x := 0; x < w; x += 16 {
			tiles = append(tiles, tile{x, y, x + 16, y + 16})
		}
	}
	for _, t := range tiles {
		jobs <- t
	}
	close(jobs)
	wg.Wait()
}

type stepOf struct {
	needs, users []*stepOf
	left         atomic.Int32
	out          int
}

// A step is sent on when all that it needs have counted down.
func FP_countedDown() {
	first, last := new(stepOf), new(stepOf)
	last.needs, first.users = []*stepOf{first}, []*stepOf{last}
	last.left.Store(1)
	ready := make(chan *stepOf, 2)
	ready <- first
	var wg, done sync.WaitGroup
	done.Add(2)
	for range 2 {
		wg.Go(func() {
			for s := range ready {
				for _, d := range s.needs {
					s.out += d.out // race first.out; the count of what is missing
				}
				s.out++ // race first.out; the count of what is missing
				for _, u := range s.users {
					if u.left.Add(-1) == 0 {
						ready <- u
					}
				}
				done.Done()
			}
		})
	}
	done.Wait()
	close(ready)
	wg.Wait()
}

// Each goroutine has a subtree, by its key.
func FP_subtrees() {
	words := map[rune][][]rune{'a': {{'b'}}, 'c': {{'d', 'e'}}}
	root := &trie{kids: make(map[rune]*trie)}
	for r := range words {
		root.kids[r] = new(trie)
	}
	var wg sync.WaitGroup
	for r, ws := range words {
		t := root.kids[r]
		wg.Go(func() {
			for _, w := range ws {
				t.add(w)
			}
		})
	}
	wg.Wait()
}

type trie struct {
	kids map[rune]*trie
	end  bool
}

func (t *trie) add(w []rune) {
	for _, r := range w {
		if t.kids == nil { // race _.kids; subtrees of different keys
			t.kids = make(map[rune]*trie) // race _.kids; subtrees of different keys
		}
		k := t.kids[r] // race _.kids t.kids[*]; subtrees of different keys
		if k == nil {
			k = new(trie)
			t.kids[r] = k // race _.kids t.kids[*]; subtrees of different keys
		}
		t = k
	}
	t.end = true // race _.end; subtrees of different keys
}
