package index

import "sync"

// What each job keeps to itself is nobody else's, as long as no two workers have
// the same job.

type job struct {
	id    int
	stats []int
	seen  map[int]bool
	next  *job
}

func newJob(i int) *job { return &job{id: i, stats: make([]int, 3), seen: make(map[int]bool)} }

func (j *job) work() {
	j.stats[j.id%2]++   // norace
	j.seen[j.id] = true // norace
}

func OW1_sent() {
	var wg sync.WaitGroup
	jobs := make(chan *job)
	for range 4 {
		wg.Go(func() {
			for j := range jobs {
				j.stats[0]++     // norace
				j.seen[1] = true // norace
				j.work()
			}
		})
	}
	for i := range 16 {
		jobs <- &job{id: i, stats: make([]int, 3), seen: make(map[int]bool)}
	}
	close(jobs)
	wg.Wait()
}

func OW1b_sentTwice() {
	var wg sync.WaitGroup
	jobs := make(chan *job)
	for range 4 {
		wg.Go(func() {
			for j := range jobs {
				j.stats[0]++ // race! stats
			}
		})
	}
	for i := range 16 {
		j := newJob(i)
		jobs <- j
		jobs <- j
	}
	close(jobs)
	wg.Wait()
}

func OW1c_shared() {
	var wg sync.WaitGroup
	jobs := make(chan *job)
	stats := make([]int, 3)
	for range 4 {
		wg.Go(func() {
			for j := range jobs {
				j.stats[0]++ // race! stats
			}
		})
	}
	for i := range 16 {
		jobs <- &job{id: i, stats: stats}
	}
	close(jobs)
	wg.Wait()
}

func OW2_taken() {
	jobs := make([]*job, 64)
	for i := range jobs {
		jobs[i] = newJob(i)
	}
	var wg sync.WaitGroup
	var mu sync.Mutex
	next := 0
	take := func() (int, bool) {
		mu.Lock()
		defer mu.Unlock()
		if next == len(jobs) {
			return 0, false
		}
		next++
		return next - 1, true
	}
	for range 4 {
		wg.Go(func() {
			for i, ok := take(); ok; i, ok = take() {
				jobs[i].work()
			}
		})
	}
	wg.Wait()
}

func OW2b_fromNeighbour() {
	jobs := make([]*job, 64)
	for i := range jobs {
		jobs[i] = newJob(i)
		if i%2 == 1 {
			jobs[i].stats = jobs[i-1].stats
		}
	}
	var wg sync.WaitGroup
	for i := range jobs {
		wg.Go(func() {
			jobs[i].stats[0]++ // race! stats
		})
	}
	wg.Wait()
}

func OW2c_neighbours() {
	jobs := make([]*job, 64)
	for i := range jobs {
		jobs[i] = newJob(i)
	}
	var wg sync.WaitGroup
	for i := range jobs {
		wg.Go(func() {
			jobs[i].stats[0]++               // race! stats
			jobs[(i+1)%len(jobs)].stats[0]++ // race! stats
		})
	}
	wg.Wait()
}

func OW2d_linked() {
	jobs := make([]*job, 64)
	for i := range jobs {
		jobs[i] = newJob(i)
		if i > 0 {
			jobs[i-1].next = jobs[i]
		}
	}
	var wg sync.WaitGroup
	for i := range jobs {
		wg.Go(func() {
			jobs[i].stats[0]++ // race! stats
			if n := jobs[i].next; n != nil {
				n.stats[0]++ // race! stats
			}
		})
	}
	wg.Wait()
}

func OW2e_handedOver() {
	jobs := make([]*job, 64)
	for i := range jobs {
		jobs[i] = newJob(i)
	}
	var total job
	var wg sync.WaitGroup
	var mu sync.Mutex
	for i := range jobs {
		wg.Go(func() {
			jobs[i].stats[0]++ // race! stats
			mu.Lock()
			total.stats = jobs[i].stats // race! total.stats
			mine := total.stats
			mu.Unlock()
			mine[0]++       // race! stats
			_ = total.id    // norace
			_ = total.stats // race! total.stats
		})
	}
	wg.Wait()
}
