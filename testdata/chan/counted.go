package channel

// A loop starts a goroutine in some of its rounds, and counts them in a variable; as many
// results are received.

func ctWanted(i int) bool { return i%3 != 1 }

func CT1_skipped(jobs []int) {
	results := make(chan int)
	var sum int
	n := 0
	for _, j := range jobs {
		if !ctWanted(j) {
			continue
		}
		n++
		go func() {
			_ = sum // norace
			results <- j
		}()
	}
	for i := 0; i < n; i++ {
		<-results
	}
	sum = 1 // norace
}

func CT1b_countedAfterwards(jobs map[string]int) {
	results := make(chan int)
	var sum int
	n := 0
	for k, j := range jobs {
		if ctWanted(j) && k != "" {
			go func() {
				_ = sum // norace
				results <- j
			}()
			n++
		}
	}
	for n > 0 {
		<-results
		n--
	}
	sum = 1 // norace
}

func CT1c_everyRound(jobs []int) {
	results := make(chan int)
	var sum int
	n := 0
	for _, j := range jobs {
		n++
		go func() {
			_ = sum // norace
			results <- j
		}()
	}
	for range n {
		<-results
	}
	sum = 1 // norace
}

// More are counted than started.
func CT1d_others(jobs []int) {
	results := make(chan int)
	var sum int
	n := 0
	for _, j := range jobs {
		if ctWanted(j) {
			go func() {
				_ = sum // norace
				results <- j
			}()
		}
		n++
	}
	for range n {
		<-results
	}
	sum = 1 // norace
}

// A round may be left, or the loop, before it has counted.
func CT2_notCounted(jobs []int) {
	results := make(chan int)
	var sum int
	n := 0
	for _, j := range jobs {
		go func() {
			_ = sum // race! sum
			results <- j
		}()
		if !ctWanted(j) {
			continue
		}
		n++
	}
	for range n {
		<-results
	}
	sum = 1 // race! sum
}

func CT2b_left(jobs []int) {
	results := make(chan int)
	var sum int
	n := 0
	for _, j := range jobs {
		go func() {
			_ = sum // race! sum
			results <- j
		}()
		if !ctWanted(j) {
			break
		}
		n++
	}
	for range n {
		<-results
	}
	sum = 1 // race! sum
}

// The variable begins below zero, or is set back.
func CT2c_fewer(jobs []int) {
	results := make(chan int)
	var sum int
	n := -1
	for _, j := range jobs {
		n++
		go func() {
			_ = sum // race! sum
			results <- j
		}()
	}
	for range n {
		<-results
	}
	sum = 1 // race! sum
}

func CT2d_setBack(jobs []int) {
	results := make(chan int)
	var sum int
	n := 0
	for _, j := range jobs {
		if !ctWanted(j) {
			n = 0
			continue
		}
		n++
		go func() {
			_ = sum // race! sum
			results <- j
		}()
	}
	for range n {
		<-results
	}
	sum = 1 // race! sum
}

// Two are started for one that is counted.
func CT2e_two(jobs []int) {
	results := make(chan int)
	var sum int
	n := 0
	for _, j := range jobs {
		n++
		go func() {
			_ = sum // race! sum
			results <- j
		}()
		go func() { results <- j }()
	}
	for range n {
		<-results
	}
	sum = 1 // race! sum
}

// One is not received.
func CT2f_butOne(jobs []int) {
	results := make(chan int)
	var sum int
	n := 0
	for _, j := range jobs {
		n++
		go func() {
			_ = sum // race! sum
			results <- j
		}()
	}
	for i := 1; i < n; i++ {
		<-results
	}
	sum = 1 // race! sum
}

type ctPool struct {
	jobs []*ctJob
	done chan int
}

type ctJob struct{ n int }

const ctWorkers = 4

// CT3_toldHowMany starts as many as its caller says, who receives as often.
func CT3_toldHowMany() {
	p := &ctPool{done: make(chan int)}
	p.start(ctWorkers)
	for range ctWorkers {
		<-p.done
	}
	for _, j := range p.jobs {
		_ = j.n
	}
}

func (p *ctPool) start(n int) {
	for range n {
		j := &ctJob{}
		p.jobs = append(p.jobs, j)
		go func() {
			j.n = 1
			p.done <- 1
		}()
	}
}

// CT3b_oneLess receives one less than were started.
func CT3b_oneLess() {
	p := &ctPool{done: make(chan int)}
	p.startToo(ctWorkers)
	for range ctWorkers - 1 {
		<-p.done
	}
	for _, j := range p.jobs {
		_ = j.n // race j.n; many objects have one name
	}
}

func (p *ctPool) startToo(n int) {
	for range n {
		j := &ctJob{}
		p.jobs = append(p.jobs, j)
		go func() {
			j.n = 1 // race j.n; many objects have one name
			p.done <- 1
		}()
	}
}

// CT3c_twoCallers start different numbers of goroutines.
func CT3c_twoCallers() {
	p := &ctPool{done: make(chan int)}
	p.startAny(ctWorkers)
	for range ctWorkers {
		<-p.done
	}
	q := &ctPool{done: make(chan int)}
	q.startAny(ctWorkers + 1)
	for range ctWorkers {
		<-q.done
	}
	for _, j := range q.jobs {
		_ = j.n // race j.n; many objects have one name
	}
}

func (p *ctPool) startAny(n int) {
	for range n {
		j := &ctJob{}
		p.jobs = append(p.jobs, j)
		go func() {
			j.n = 1 // race j.n; many objects have one name
			p.done <- 1
		}()
	}
}
