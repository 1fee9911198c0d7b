package heap

import "sync"

// What is taken away under a lock, and given to a goroutine, or gone through with all that it has.

type batchJob struct {
	key  int
	done bool
}

type batchJobs struct {
	mu      sync.Mutex
	pending map[int]int
	left    map[int]int
	items   map[int]*batchJob
	seen    map[int]*batchJob
}

func newJobs() *batchJobs {
	return &batchJobs{pending: map[int]int{}, left: map[int]int{}, items: map[int]*batchJob{}, seen: map[int]*batchJob{}}
}

func (j *batchJobs) each(f func(int)) {
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { f(i) })
	}
	wg.Wait()
}

// TKG1_goroutine gives it to one that has captured the variable.
func TKG1_goroutine() {
	j := newJobs()
	j.each(func(i int) {
		j.mu.Lock()
		defer j.mu.Unlock()
		j.pending[i]++ // norace
		if len(j.pending) >= 5 {
			batch := j.pending
			j.pending = make(map[int]int)
			go func() {
				delete(batch, 3) // norace
			}()
		}
	})
}

// TKG2_left leaves it where it is.
func TKG2_left() {
	j := newJobs()
	j.each(func(i int) {
		j.mu.Lock()
		defer j.mu.Unlock()
		j.pending[i]++ // race! pending[*]
		if i >= 5 {
			batch := j.pending
			go func() {
				delete(batch, 3) // race! pending[*]
			}()
		}
	})
}

// TKG3_setTwice has a variable that is set to what stays there, too.
func TKG3_setTwice() {
	j := newJobs()
	j.each(func(i int) {
		j.mu.Lock()
		defer j.mu.Unlock()
		j.left[i]++ // race! left[*]
		batch := j.left
		if i > 3 {
			batch = j.left
			j.left = make(map[int]int)
		}
		go func() {
			delete(batch, 3) // race! left[*]
		}()
	})
}

// TKG4_items goes through what only the map has that was taken away.
func TKG4_items() {
	j := newJobs()
	j.each(func(i int) {
		j.mu.Lock()
		j.items[i] = &batchJob{key: i}
		batch := j.items
		j.items = make(map[int]*batchJob)
		j.mu.Unlock()
		for _, x := range batch {
			x.done = true // norace
		}
	})
}

// TKG5_twoMaps puts each into another map, too.
func TKG5_twoMaps() {
	j := newJobs()
	j.each(func(i int) {
		j.mu.Lock()
		x := &batchJob{key: i}
		j.items[i] = x
		j.seen[i] = x
		batch := j.items
		j.items = make(map[int]*batchJob)
		first := j.seen[0]
		j.mu.Unlock()
		for _, x := range batch {
			x.done = true // race! done
		}
		if first != nil {
			first.done = true // race! done
		}
	})
}

// TKG6_again puts the same one in for each of two keys, of which one is in the next batch.
func TKG6_again() {
	j := newJobs()
	x := &batchJob{}
	j.each(func(i int) {
		j.mu.Lock()
		j.items[i] = x
		batch := j.items
		j.items = make(map[int]*batchJob)
		j.mu.Unlock()
		for _, x := range batch {
			x.done = true // race! done
		}
	})
}

// TKG7_lookedUp is found by key before, and used outside the lock.
func TKG7_lookedUp() {
	j := newJobs()
	j.each(func(i int) {
		j.mu.Lock()
		j.items[i] = &batchJob{key: i}
		j.mu.Unlock()
		j.mu.Lock()
		x := j.items[i/2]
		j.mu.Unlock()
		if x != nil {
			x.done = true // race! done
		}
		j.mu.Lock()
		batch := j.items
		j.items = make(map[int]*batchJob)
		j.mu.Unlock()
		for _, x := range batch {
			x.done = true // race! done
		}
	})
}
