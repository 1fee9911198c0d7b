package channel

import "context"

type settings struct{ threads, sum int }

func settled(o settings) settings { return o }

// Workers answer each job, and as many answers are collected as there are jobs.
func CO1_jobsAnswered() { println(collect1(10, settings{threads: 3})) }

func collect1(total int, o settings) int {
	jobs, answers := make(chan int), make(chan int)
	go func() {
		defer close(jobs)
		for i := 1; i <= total; i++ {
			jobs <- i
		}
	}()
	for range o.threads {
		go func() {
			for j := range jobs {
				answers <- j + o.sum // norace
			}
		}()
	}
	n := 0
	for i := 1; i <= total; i++ {
		n += <-answers
	}
	o = settled(o) // norace
	return n + o.sum
}

// CO1b_oneLess does not wait for the last answer.
func CO1b_oneLess() { println(collect1b(10, settings{threads: 3})) }

func collect1b(total int, o settings) int {
	jobs, answers := make(chan int), make(chan int, total)
	go func() {
		defer close(jobs)
		for i := 1; i <= total; i++ {
			jobs <- i
		}
	}()
	for range o.threads {
		go func() {
			for j := range jobs {
				answers <- j + o.sum // race! o.sum
			}
		}()
	}
	n := 0
	for i := 1; i < total; i++ {
		n += <-answers
	}
	o = settled(o) // race! o.sum
	return n + o.sum
}

// CO1c_afterAnswer has workers that look again when they have answered.
func CO1c_afterAnswer() { println(collect1c(10, settings{threads: 3})) }

func collect1c(total int, o settings) int {
	jobs, answers := make(chan int), make(chan int)
	go func() {
		defer close(jobs)
		for i := 1; i <= total; i++ {
			jobs <- i
		}
	}()
	for range o.threads {
		go func() {
			for j := range jobs {
				answers <- j
				println(o.sum) // race! o.sum
			}
		}()
	}
	n := 0
	for i := 1; i <= total; i++ {
		n += <-answers
	}
	o = settled(o) // race! o.sum
	return n + o.sum
}

// CO1d_twoAnswers has workers that answer twice.
func CO1d_twoAnswers() { println(collect1d(10, settings{threads: 3})) }

func collect1d(total int, o settings) int {
	jobs, answers := make(chan int), make(chan int, 2*total)
	go func() {
		defer close(jobs)
		for i := 1; i <= total; i++ {
			jobs <- i
		}
	}()
	for range o.threads {
		go func() {
			for j := range jobs {
				answers <- j
				answers <- j + o.sum // race! o.sum
			}
		}()
	}
	n := 0
	for i := 1; i <= total; i++ {
		n += <-answers
	}
	o = settled(o) // race! o.sum
	return n + o.sum
}

// CO1e_oneJobMore sends another job.
func CO1e_oneJobMore() { println(collect1e(10, settings{threads: 3})) }

func collect1e(total int, o settings) int {
	jobs, answers := make(chan int), make(chan int, total+1)
	go func() {
		defer close(jobs)
		for i := 1; i <= total; i++ {
			jobs <- i
		}
		jobs <- 0
	}()
	for range o.threads {
		go func() {
			for j := range jobs {
				answers <- j + o.sum // race! o.sum
			}
		}()
	}
	n := 0
	for i := 1; i <= total; i++ {
		n += <-answers
	}
	o = settled(o) // race! o.sum
	return n + o.sum
}

// CO1f_givesUp does not collect them all.
func CO1f_givesUp() { println(collect1f(10, settings{threads: 3})) }

func collect1f(total int, o settings) int {
	jobs, answers := make(chan int), make(chan int, total)
	go func() {
		defer close(jobs)
		for i := 1; i <= total; i++ {
			jobs <- i
		}
	}()
	for range o.threads {
		go func() {
			for j := range jobs {
				answers <- j + o.sum // race! o.sum
			}
		}()
	}
	n := 0
	for i := 1; i <= total; i++ {
		if n += <-answers; n > 100 {
			break
		}
	}
	o = settled(o) // race! o.sum
	return n + o.sum
}

// CO1g_anotherAnswers has a goroutine that answers without a job.
func CO1g_anotherAnswers() { println(collect1g(10, settings{threads: 3})) }

func collect1g(total int, o settings) int {
	jobs, answers := make(chan int), make(chan int, total)
	go func() {
		defer close(jobs)
		for i := 1; i <= total; i++ {
			jobs <- i
		}
	}()
	for range o.threads {
		go func() {
			for j := range jobs {
				answers <- j + o.sum // race! o.sum
			}
		}()
	}
	go func() { answers <- 0 }()
	n := 0
	for i := 1; i <= total; i++ {
		n += <-answers
	}
	o = settled(o) // race! o.sum
	return n + o.sum
}

// CO1h_otherJobs has workers that are sent other jobs, too.
func CO1h_otherJobs() { println(collect1h(10, settings{threads: 3})) }

func collect1h(total int, o settings) int {
	jobs, more, answers := make(chan int), make(chan int, total), make(chan int, 2*total)
	go func() {
		for i := 1; i <= total; i++ {
			jobs <- i
		}
	}()
	go func() {
		for i := 1; i <= total; i++ {
			more <- i
		}
	}()
	for range o.threads {
		go func() {
			for {
				j := 0
				select {
				case j = <-jobs:
				case j = <-more:
				}
				answers <- j + o.sum // race! o.sum
			}
		}()
	}
	n := 0
	for i := 1; i <= total; i++ {
		n += <-answers
	}
	o = settled(o) // race! o.sum
	return n + o.sum
}

// CO1i_zeroJobs has workers that answer when there are no more jobs, too.
func CO1i_zeroJobs() { println(collect1i(10, settings{threads: 3})) }

func collect1i(total int, o settings) int {
	jobs, answers := make(chan int), make(chan int, 2*total)
	go func() {
		defer close(jobs)
		for i := 1; i <= total; i++ {
			jobs <- i
		}
	}()
	for range o.threads {
		go func() {
			for {
				j := <-jobs
				answers <- j + o.sum // race! o.sum
				if j == 0 {
					return
				}
			}
		}()
	}
	n := 0
	for i := 1; i <= total; i++ {
		n += <-answers
	}
	o = settled(o) // race! o.sum
	return n + o.sum
}

// CO2_cancelled has workers and a collector that may be stopped.
func CO2_cancelled() {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	println(collect2(ctx, 10, settings{threads: 3}))
}

func collect2(ctx context.Context, total int, o settings) int {
	jobs, answers := make(chan int), make(chan int)
	go func() {
		defer close(jobs)
		for i := 1; i <= total; i++ {
			select {
			case <-ctx.Done():
				return
			case jobs <- i:
			}
		}
	}()
	for range o.threads {
		go func() {
			for {
				var j int
				var ok bool
				select {
				case <-ctx.Done():
					return
				case j, ok = <-jobs:
					if !ok {
						return
					}
				}
				j += o.sum // norace
				select {
				case <-ctx.Done():
				case answers <- j:
				}
			}
		}()
	}
	n := 0
	for i := 1; i <= total; i++ {
		select {
		case <-ctx.Done():
			return 0
		case j := <-answers:
			n += j
		}
	}
	o = settled(o) // norace
	return n + o.sum
}

// CO2b_stoppedEarly goes on when it has been stopped.
func CO2b_stoppedEarly() {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	println(collect2b(ctx, 10, settings{threads: 3}))
}

func collect2b(ctx context.Context, total int, o settings) int {
	jobs, answers := make(chan int), make(chan int)
	go func() {
		defer close(jobs)
		for i := 1; i <= total; i++ {
			jobs <- i
		}
	}()
	for range o.threads {
		go func() {
			for j := range jobs {
				j += o.sum // race! o.sum
				select {
				case <-ctx.Done():
				case answers <- j:
				}
			}
		}()
	}
	n := 0
collecting:
	for i := 1; i <= total; i++ {
		select {
		case <-ctx.Done():
			break collecting
		case j := <-answers:
			n += j
		}
	}
	o = settled(o) // race! o.sum
	return n + o.sum
}

// CO3_runs collects again and again, each time from new workers.
func CO3_runs() {
	n := collect3(5, settings{threads: 1})
	for range 3 {
		n += collect3(10, settings{threads: 3})
	}
	println(n)
}

func collect3(total int, o settings) int {
	jobs, answers := make(chan int), make(chan int)
	go func() {
		defer close(jobs)
		for i := 1; i <= total; i++ {
			jobs <- i
		}
	}()
	for range o.threads {
		go func() {
			for j := range jobs {
				answers <- j + o.sum // norace
			}
		}()
	}
	n := 0
	for i := 1; i <= total; i++ {
		n += <-answers
	}
	o = settled(o) // norace
	return n + o.sum
}

// CO3a_runsBeside has several who collect, each from workers of its own.
func CO3a_runsBeside() {
	for range 3 {
		go collect3a(10, settings{threads: 3})
	}
}

func collect3a(total int, o settings) int {
	jobs, answers := make(chan int), make(chan int)
	go func() {
		defer close(jobs)
		for i := 1; i <= total; i++ {
			jobs <- i
		}
	}()
	for range o.threads {
		go func() {
			for j := range jobs {
				answers <- j + o.sum // norace
			}
		}()
	}
	n := 0
	for i := 1; i <= total; i++ {
		n += <-answers
	}
	o = settled(o) // norace
	return n + o.sum
}

// CO3b_sharedByRuns has several that share what the workers look at.
func CO3b_sharedByRuns() {
	o := &settings{threads: 3}
	for range 3 {
		go collect3b(10, o)
	}
}

func collect3b(total int, o *settings) int {
	jobs, answers := make(chan int), make(chan int)
	go func() {
		defer close(jobs)
		for i := 1; i <= total; i++ {
			jobs <- i
		}
	}()
	for range 3 {
		go func() {
			for j := range jobs {
				answers <- j + o.sum // race! o.sum
			}
		}()
	}
	n := 0
	for i := 1; i <= total; i++ {
		n += <-answers
	}
	o.sum = n // race! o.sum
	return n
}

// CO3c_sharedByLaterRun has runs after one another, of which one may leave workers behind.
func CO3c_sharedByLaterRun() {
	o := &settings{threads: 3}
	for range 3 {
		collect3c(10, o)
	}
}

func collect3c(total int, o *settings) int {
	jobs, answers := make(chan int), make(chan int, total)
	go func() {
		defer close(jobs)
		for i := 1; i <= total; i++ {
			jobs <- i
		}
	}()
	for range 3 {
		go func() {
			for j := range jobs {
				answers <- j + o.sum // race! o.sum
			}
		}()
	}
	n := 0
	for i := 1; i <= total; i++ {
		if n += <-answers; n > 10 {
			return n
		}
	}
	o.sum = n // race! o.sum
	return n
}

// CO4_ranges counts by ranges, up to what it is called with.
func CO4_ranges(total int, o settings) int {
	parts, done := make(chan int), make(chan int)
	go func() {
		defer close(parts)
		for p := range total {
			parts <- p
		}
	}()
	for range 3 {
		go func() {
			for p := range parts {
				if o.sum > 0 { // norace
					p = -p
				}
				done <- p
			}
		}()
	}
	sum := 0
	for range total {
		sum += <-done
	}
	o = settings{} // norace
	return sum + o.sum
}

// CO4b_otherRange collects up to something else.
func CO4b_otherRange(total, some int, o settings) int {
	parts, done := make(chan int), make(chan int, total)
	go func() {
		defer close(parts)
		for p := range total {
			parts <- p
		}
	}()
	for range 3 {
		go func() {
			for p := range parts {
				if o.sum > 0 { // race! o.sum
					p = -p
				}
				done <- p
			}
		}()
	}
	sum := 0
	for range some {
		sum += <-done
	}
	o = settings{} // race! o
	return sum + o.sum
}
