// Package graphs searches and builds graphs and trees in parallel. None of it races.
package graphs

import (
	"sync"
	"sync/atomic"
)

type Graph struct {
	Adj [][]int32
}

// level-synchronous BFS with CAS
func (g *Graph) BFS(src int32) []int32 {
	dist := make([]int32, len(g.Adj))
	for i := range dist {
		dist[i] = -1
	}
	dist[src] = 0
	frontier := []int32{src}
	for level := int32(1); len(frontier) > 0; level++ {
		const p = 4
		nexts := make([][]int32, p)
		var wg sync.WaitGroup
		for w := 0; w < p; w++ {
			wg.Add(1)
			go func(w int) {
				defer wg.Done()
				var local []int32
				for i := w; i < len(frontier); i += p {
					for _, v := range g.Adj[frontier[i]] {
						if atomic.CompareAndSwapInt32(&dist[v], -1, level) {
							local = append(local, v)
						}
					}
				}
				nexts[w] = local
			}(w)
		}
		wg.Wait()
		frontier = frontier[:0]
		for _, n := range nexts {
			frontier = append(frontier, n...)
		}
	}
	return dist
}

func (g *Graph) PageRank(iters int) []float64 {
	n := len(g.Adj)
	in := make([][]int32, n)
	for u, vs := range g.Adj {
		for _, v := range vs {
			in[v] = append(in[v], int32(u))
		}
	}
	cur, next := make([]float64, n), make([]float64, n)
	for i := range cur {
		cur[i] = 1 / float64(n)
	}
	for range iters {
		var wg sync.WaitGroup
		size := (n + 7) / 8
		for s := 0; s < n; s += size {
			e := s + size
			if e > n {
				e = n
			}
			wg.Add(1)
			go func(s, e int) {
				defer wg.Done()
				for v := s; v < e; v++ {
					sum := 0.0
					for _, u := range in[v] {
						sum += cur[u] / float64(len(g.Adj[u]))
					}
					next[v] = 0.15/float64(n) + 0.85*sum
				}
			}(s, e)
		}
		wg.Wait()
		cur, next = next, cur
	}
	return cur
}

// connected components by label propagation, atomics
func (g *Graph) Components() []int32 {
	n := len(g.Adj)
	label := make([]int32, n)
	for i := range label {
		label[i] = int32(i)
	}
	for {
		var changed atomic.Bool
		var wg sync.WaitGroup
		for w := range 4 {
			wg.Go(func() {
				for u := w; u < n; u += 4 {
					for _, v := range g.Adj[u] {
						for {
							lv := atomic.LoadInt32(&label[v])
							lu := atomic.LoadInt32(&label[u])
							if lu >= lv {
								break
							}
							if atomic.CompareAndSwapInt32(&label[v], lv, lu) {
								changed.Store(true)
								break
							}
						}
					}
				}
			})
		}
		wg.Wait()
		if !changed.Load() {
			break
		}
	}
	return label
}

// tree: sizes in parallel by recursion
type Node struct {
	Left, Right *Node
	Key, Size   int
}

func (n *Node) Count(depth int) int {
	if n == nil {
		return 0
	}
	var l, r int
	if depth > 0 {
		var wg sync.WaitGroup
		wg.Add(2)
		go func() { defer wg.Done(); l = n.Left.Count(depth - 1) }()
		go func() { defer wg.Done(); r = n.Right.Count(depth - 1) }()
		wg.Wait()
	} else {
		l, r = n.Left.Count(0), n.Right.Count(0)
	}
	n.Size = l + r + 1
	return n.Size
}

func Build(keys []int, depth int) *Node {
	if len(keys) == 0 {
		return nil
	}
	m := len(keys) / 2
	n := &Node{Key: keys[m]}
	if depth > 0 {
		ch := make(chan *Node)
		go func() { ch <- Build(keys[:m], depth-1) }()
		n.Right = Build(keys[m+1:], depth-1)
		n.Left = <-ch
	} else {
		n.Left, n.Right = Build(keys[:m], 0), Build(keys[m+1:], 0)
	}
	return n
}

// k-means: assignment in parallel, sums per worker
type Point struct {
	X, Y    float64
	Cluster int
}

func KMeans(ps []Point, cs []Point, rounds int) {
	const p = 4
	type acc struct {
		x, y float64
		n    int
	}
	for range rounds {
		partial := make([][]acc, p)
		var wg sync.WaitGroup
		for w := range p {
			wg.Add(1)
			go func() {
				defer wg.Done()
				sums := make([]acc, len(cs))
				part := ps[len(ps)*w/p : len(ps)*(w+1)/p]
				for i := range part {
					best, bd := 0, 1e300
					for c := range cs {
						dx, dy := part[i].X-cs[c].X, part[i].Y-cs[c].Y
						if d := dx*dx + dy*dy; d < bd {
							best, bd = c, d
						}
					}
					part[i].Cluster = best
					sums[best].x += part[i].X
					sums[best].y += part[i].Y
					sums[best].n++
				}
				partial[w] = sums
			}()
		}
		wg.Wait()
		for c := range cs {
			var t acc
			for _, s := range partial {
				t.x += s[c].x
				t.y += s[c].y
				t.n += s[c].n
			}
			if t.n > 0 {
				cs[c].X, cs[c].Y = t.x/float64(t.n), t.y/float64(t.n)
			}
		}
	}
}

// All runs all of it.
func All() {
	g := &Graph{Adj: [][]int32{{1}, {0}}}
	g.BFS(0)
	g.PageRank(5)
	g.Components()
	Build(make([]int, 64), 3).Count(3)
	KMeans(make([]Point, 10), make([]Point, 2), 3)
}
