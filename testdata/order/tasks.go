package order

import "sync"

// Programs about workers that live through several phases: jobs are sent, and
// wg.Wait ends the phase, though not the workers.

type phases struct {
	mu         sync.Mutex
	sum, stage int
}

// What the jobs of a phase read is changed between Wait and the next send.
func Tasks_phases() {
	p := &phases{}
	jobs := make(chan int, 4)
	var wg sync.WaitGroup
	for range 3 {
		go func() {
			for j := range jobs {
				p.mu.Lock()
				p.sum += j * p.stage // norace
				p.mu.Unlock()
				wg.Done()
			}
		}()
	}
	for range 3 {
		for j := range 10 {
			wg.Add(1)
			jobs <- j
		}
		wg.Wait()
		p.stage++ // norace
		p.sum++   // norace
	}
	close(jobs)
}

// The job is done by a function that defers Done.
func Tasks_deferred() {
	p := &phases{}
	jobs := make(chan int)
	var wg sync.WaitGroup
	work := func(j int) {
		defer wg.Done()
		p.mu.Lock()
		p.sum += j // norace
		p.mu.Unlock()
	}
	for range 3 {
		go func() {
			for {
				j, ok := <-jobs
				if !ok {
					return
				}
				work(j)
			}
		}()
	}
	for range 2 {
		for j := range 10 {
			wg.Add(1)
			jobs <- j
		}
		wg.Wait()
		println(p.sum) // norace
	}
	close(jobs)
}

// Done comes before the job is over.
func Tasks_doneEarly() {
	p := &phases{}
	jobs := make(chan int, 4)
	var wg sync.WaitGroup
	for range 3 {
		go func() {
			for j := range jobs {
				wg.Done()
				p.mu.Lock()
				p.sum += j // race! p.sum
				p.mu.Unlock()
			}
		}()
	}
	for range 3 {
		for j := range 10 {
			wg.Add(1)
			jobs <- j
		}
		wg.Wait()
		p.sum++ // race! p.sum
	}
	close(jobs)
}

// The worker looks at the stage before it has a job.
func Tasks_beforeReceive() {
	p := &phases{}
	jobs := make(chan int, 4)
	var wg sync.WaitGroup
	for range 3 {
		go func() {
			stage := p.stage // race! p.stage
			for j := range jobs {
				p.mu.Lock()
				p.sum += j * stage
				p.mu.Unlock()
				wg.Done()
			}
		}()
	}
	for range 3 {
		for j := range 10 {
			wg.Add(1)
			jobs <- j
		}
		wg.Wait()
		p.stage++ // race! p.stage
	}
	close(jobs)
}

// The last phase has no Wait.
func Tasks_noWait() {
	p := &phases{}
	jobs := make(chan int, 40)
	var wg sync.WaitGroup
	for range 3 {
		go func() {
			for j := range jobs {
				p.mu.Lock()
				p.sum += j // race! p.sum
				p.mu.Unlock()
				wg.Done()
			}
		}()
	}
	for range 3 {
		wg.Wait()
		for j := range 10 {
			wg.Add(1)
			jobs <- j
		}
	}
	p.sum++ // race! p.sum
	wg.Wait()
	close(jobs)
}

// One Add counts for two jobs.
func Tasks_oneAdd() {
	p := &phases{}
	jobs := make(chan int, 40)
	var wg sync.WaitGroup
	for range 3 {
		go func() {
			for j := range jobs {
				p.mu.Lock()
				p.sum += j // race! p.sum
				p.mu.Unlock()
				if j%2 == 0 {
					wg.Done()
				}
			}
		}()
	}
	for range 3 {
		for j := range 10 {
			if j%2 == 0 {
				wg.Add(1)
			}
			jobs <- j
		}
		wg.Wait()
		p.sum++ // race! p.sum
	}
	close(jobs)
}

// Another goroutine's Done makes up for a job's.
func Tasks_otherDone() {
	p := &phases{}
	jobs := make(chan int, 40)
	var wg sync.WaitGroup
	go func() {
		for j := range jobs {
			p.mu.Lock()
			p.sum += j // race! p.sum
			p.mu.Unlock()
		}
	}()
	for range 3 {
		wg.Add(1)
		jobs <- 1
		go func() { wg.Done() }()
		wg.Wait()
		p.sum++ // race! p.sum
	}
	close(jobs)
}

// Two goroutines send jobs, and one does not wait for the other's.
func Tasks_twoFeeders() {
	p := &phases{}
	jobs := make(chan int, 4)
	var wg sync.WaitGroup
	for range 3 {
		go func() {
			for j := range jobs {
				p.mu.Lock()
				p.sum += j // race! p.sum
				p.mu.Unlock()
				wg.Done()
			}
		}()
	}
	fed := make(chan bool)
	go func() {
		for j := range 10 {
			wg.Add(1)
			jobs <- j
		}
		fed <- true
	}()
	for range 3 {
		for j := range 10 {
			wg.Add(1)
			jobs <- j
		}
		wg.Wait()
		p.sum++ // race! p.sum
	}
	<-fed
	close(jobs)
}

// Waiting is for another group.
func Tasks_otherGroup() {
	p := &phases{}
	jobs := make(chan int, 4)
	var wg, other sync.WaitGroup
	for range 3 {
		go func() {
			for j := range jobs {
				p.mu.Lock()
				p.sum += j // race! p.sum
				p.mu.Unlock()
				wg.Done()
			}
		}()
	}
	for range 3 {
		for j := range 10 {
			wg.Add(1)
			jobs <- j
		}
		other.Wait()
		p.sum++ // race! p.sum
	}
	wg.Wait()
	close(jobs)
}

// What a worker does after the channel is closed belongs to no job.
func Tasks_afterClose() {
	p := &phases{}
	jobs := make(chan int, 4)
	var wg sync.WaitGroup
	for range 3 {
		go func() {
			for j := range jobs {
				p.mu.Lock()
				p.sum += j
				p.mu.Unlock()
				wg.Done()
			}
			p.stage = 0 // race! p.stage
		}()
	}
	for range 3 {
		for j := range 10 {
			wg.Add(1)
			jobs <- j
		}
		wg.Wait()
	}
	close(jobs)
	p.stage++ // race! p.stage
}

// A closed channel yields jobs that nobody has sent.
func Tasks_zeroJobs() {
	p := &phases{}
	jobs := make(chan int, 4)
	var wg sync.WaitGroup
	for range 3 {
		go func() {
			for range 40 {
				j := <-jobs
				p.mu.Lock()
				p.sum += j // race! p.sum
				p.mu.Unlock()
				if j > 0 {
					wg.Done()
				}
			}
		}()
	}
	for range 3 {
		for j := range 10 {
			wg.Add(1)
			jobs <- j + 1
		}
		wg.Wait()
	}
	close(jobs)
	p.sum++ // race! p.sum
}

// The number of jobs is known before.
func Tasks_numbered(n int) {
	sum := 0
	var mu sync.Mutex
	var wg sync.WaitGroup
	jobs := make(chan int)
	wg.Add(n)
	for range 3 {
		go func() {
			for j := range jobs {
				mu.Lock()
				sum += j // norace
				mu.Unlock()
				wg.Done()
			}
		}()
	}
	for j := range n {
		jobs <- j
	}
	wg.Wait()
	println(sum)
}

// A job that is told of first may not be done when all have been told of.
func Tasks_numberedTooEarly(n int) {
	sum := 0
	var mu sync.Mutex
	var wg sync.WaitGroup
	jobs := make(chan int)
	wg.Add(n)
	for range 3 {
		go func() {
			for j := range jobs {
				wg.Done()
				mu.Lock()
				sum += j // race! sum
				mu.Unlock()
			}
		}()
	}
	for j := range n {
		jobs <- j
	}
	wg.Wait()
	println(sum) // race! sum
}

// Who waits does not come after jobs that another goroutine adds meanwhile.
func Tasks_addedBeside(n int) {
	sum := 0
	var mu sync.Mutex
	var wg sync.WaitGroup
	jobs := make(chan int)
	wg.Add(n)
	for range 3 {
		go func() {
			for j := range jobs {
				mu.Lock()
				sum += j // race! sum
				mu.Unlock()
				wg.Done()
			}
		}()
	}
	go func() {
		for j := range n {
			jobs <- j
		}
		for j := range n {
			wg.Add(1)
			jobs <- j
		}
	}()
	wg.Wait()
	println(sum) // race! sum
}
