package heap

import "sync"

type job struct {
	id   int
	done bool
	next *job
}

type batch struct {
	first *job
	jobs  []*job
}

func newBatch() *batch { return &batch{first: &job{}} }

// A function with a parallel loop runs twice, each time on a batch of its own:
// the iterations of one run share that batch's job.
func X17_runTwiceOnOwnBatch() {
	for range 2 {
		runOn(newBatch())
	}
}

// runOn writes the job of its argument in parallel.
func runOn(b *batch) {
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			b.first.done = true // race! _.done
		})
	}
	wg.Wait()
}

func (b *batch) addAll(k int) {
	for i := range k {
		b.jobs = append(b.jobs, &job{id: i})
	}
}

// The elements come from append in a method, called twice.
func X18_appendedInMethod() {
	b := &batch{}
	b.addAll(3)
	b.addAll(4)
	var wg sync.WaitGroup
	for _, j := range b.jobs {
		wg.Go(func() {
			j.done = true // norace
		})
	}
	wg.Wait()
}

func (b *batch) add() { b.jobs = append(b.jobs, &job{}) }

// The elements come from a method that appends one, called in a loop.
func X19_appendedOneByOne() {
	b := &batch{}
	for range n {
		b.add()
	}
	var wg sync.WaitGroup
	for _, j := range b.jobs {
		wg.Go(func() {
			j.done = true // norace
		})
	}
	wg.Wait()
}

// The elements are the values of a map, fresh per key.
func X20_mapValues() {
	jobs := map[string]*job{}
	for _, k := range []string{"a", "b", "c"} {
		jobs[k] = &job{}
	}
	var wg sync.WaitGroup
	for _, j := range jobs {
		wg.Go(func() {
			j.done = true // norace
		})
	}
	wg.Wait()
}

// Workers receive jobs that were sent once each.
func X21_jobsChannel() {
	jobs := make(chan *job)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for j := range jobs {
				j.done = true // norace
			}
		})
	}
	for i := range n {
		jobs <- &job{id: i}
	}
	close(jobs)
	wg.Wait()
}

// Each job is sent twice, so that two workers may have it at once.
func X21b_jobsSentTwice() {
	jobs := make(chan *job)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for j := range jobs {
				j.done = true // race! _.done
			}
		})
	}
	for i := range n {
		j := &job{id: i}
		jobs <- j
		jobs <- j
	}
	close(jobs)
	wg.Wait()
}

type tree struct {
	kids []*tree
	sum  int
}

func newTree(depth int) *tree {
	t := &tree{sum: depth}
	if depth > 0 {
		for range 2 {
			t.kids = append(t.kids, newTree(depth-1))
		}
	}
	return t
}

// total adds the sums of the children, computed in parallel, to the node's.
func (t *tree) total() {
	var wg sync.WaitGroup
	for _, k := range t.kids {
		wg.Go(func() { k.total() })
	}
	wg.Wait()
	for _, k := range t.kids {
		t.sum += k.sum
	}
}

// A parallel loop in a recursive method walks a tree.
func X25_recursiveWalk() { newTree(3).total() }

// Parallel loops over the rows, and within a row over its cells.
func X26_nestedRowsAndCells() {
	grid := make([][]*job, n)
	for i := range grid {
		grid[i] = make([]*job, n)
		for k := range grid[i] {
			grid[i][k] = &job{}
		}
	}
	var rows sync.WaitGroup
	for i := range grid {
		rows.Go(func() {
			var cells sync.WaitGroup
			for k := range grid[i] {
				cells.Go(func() {
					grid[i][k].done = true // norace
					grid[i][k] = &job{}    // norace
					grid[i][k].id = k      // norace
				})
			}
			cells.Wait()
		})
	}
	rows.Wait()
}

// One job per column: the rows, walked in parallel, share all of them.
func X27_transposedFill() {
	grid := make([][]*job, n)
	for i := range grid {
		grid[i] = make([]*job, n)
	}
	for i := range grid {
		j := &job{}
		for k := range grid {
			grid[k][i] = j
		}
	}
	var wg sync.WaitGroup
	for _, row := range grid {
		wg.Go(func() {
			for _, j := range row {
				j.done = true // race! _.done
			}
		})
	}
	wg.Wait()
}

// A library root: each iteration has its element, which its parameter may be
// taken to hold once; what the elements point to may be assumed distinct too.
func L1_parameters(b *batch, jobs []*job) {
	var wg sync.WaitGroup
	for i, j := range jobs {
		wg.Go(func() {
			j.done = true       // norace
			jobs[i].next.id = 2 // norace
			b.first = j         // race! b.first
		})
	}
	wg.Wait()
}

// A library root: all iterations write one field of what the parameter points to.
func L2_parameterShared(b *batch, jobs []*job) {
	var wg sync.WaitGroup
	for range jobs {
		wg.Go(func() {
			b.first.done = true // race! b.first.done
		})
	}
	wg.Wait()
}
