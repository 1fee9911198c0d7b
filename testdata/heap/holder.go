package heap

import "sync"

// What a function makes, and puts into something else that it makes, nobody knows of before
// that is handed on.

// A job's state is set when the job is there, and before it is queued.
func PI1_setInHolder() {
	q := newPIQueue()
	s := &piState{}
	j := &piJob{state: s}
	s.n = 1 // assumed s.n
	q.add(j)
}

// It is set once the job is queued.
func PI2_setWhenQueued() {
	q := newPIQueue2()
	s := &piState{}
	j := &piJob{state: s}
	q.add(j)
	s.n = 1 // race! s.n
}

// A list of jobs is a holder, too.
func PI3_list() {
	q := newPIQueue()
	s := &piState{}
	list := []*piJob{{state: s}}
	s.n = 1 // assumed s.n
	for _, j := range list {
		q.add(j)
	}
}

// So is one that has grown from nothing.
func PI3b_appended() {
	q := newPIQueue()
	s := &piState{}
	var list []*piJob
	list = append(list, &piJob{state: s})
	list = append(list, &piJob{})
	s.n = 1 // assumed s.n
	for _, j := range list {
		q.add(j)
	}
}

// It is appended to the queue's own list.
func PI3c_appendedToShared() {
	q := newPIQueue2()
	s := &piState{}
	q.mu.Lock()
	q.jobs = append(q.jobs, &piJob{state: s})
	q.mu.Unlock()
	s.n = 1 // race! s.n
}

// The list is queued, and then the state is set.
func PI4_listQueued() {
	q := newPIQueue2()
	s := &piState{}
	list := []*piJob{{state: s}}
	for _, j := range list {
		q.add(j)
	}
	s.n = 1 // race! s.n
}

// It is taken out of the job, and handed on by itself.
func PI5_takenOut() {
	p := newPIPlace()
	s := &piState{}
	j := &piJob{state: s}
	p.set(j.state)
	s.n = 1 // race! s.n
	j.tries++
}

// The job is there before the state is, and has been queued.
func PI6_holderFirst() {
	q := newPIQueue2()
	j := &piJob{}
	q.add(j)
	s := &piState{}
	q.mu.Lock()
	j.state = s
	q.mu.Unlock()
	s.n = 1 // race! s.n
}

// One job for all rounds, which has been queued in the first.
func PI7_oneHolder(rounds int) {
	q := newPIQueue2()
	j := &piJob{}
	for range rounds {
		s := &piState{}
		q.mu.Lock()
		j.state = s
		q.mu.Unlock()
		s.n = 1 // race! s.n
		q.add(j)
	}
}

// A job for each round.
func PI8_holderOfRound(rounds int) {
	q := newPIQueue()
	for range rounds {
		s := &piState{}
		j := &piJob{state: s}
		s.n = 1 // assumed s.n
		q.add(j)
	}
}

// What holds it is put into something else, which is handed on.
func PI9_holderInHolder() {
	var mu sync.Mutex
	var batch *piBatch
	done := make(chan bool)
	go func() {
		mu.Lock()
		b := batch
		mu.Unlock()
		if b != nil {
			b.job.state.n++ // race! _.n
		}
		done <- true
	}()
	s := &piState{}
	b := &piBatch{job: &piJob{state: s}}
	mu.Lock()
	batch = b
	mu.Unlock()
	s.n = 1 // race! s.n
	<-done
}

// Something else is taken out of the job.
func PI10_otherField() {
	q := newPIQueue()
	s := &piState{}
	j := &piJob{state: s, load: make([]byte, 8)}
	copy(j.load, "a job")
	s.n = 1 // assumed s.n
	q.add(j)
}

// By the other field the job itself is found, and by it the state.
func PI11_holdsItself() {
	p := newPIPlace()
	s := &piState{}
	j := &piJob{state: s}
	j.after = j
	p.set(j.after.state)
	s.n = 1 // race! s.n
}

// So it is if what the other field refers to holds the job.
func PI12_heldByOther() {
	p := newPIPlace()
	s := &piState{}
	j := &piJob{state: s}
	j.batch = &piBatch{}
	j.batch.job = j
	p.set(j.batch.job.state)
	s.n = 1 // race! s.n
}

// It is all of the job that is taken, by a part of another name.
func PI13_inPart() {
	p := newPIPlace()
	s := &piState{}
	j := &piNamed{}
	j.job.state = s
	copied := j.job
	p.set(copied.state)
	s.n = 1 // race! s.n
}

type piNamed struct {
	name *string
	job  piJob
}

type piState struct{ n int }

type piJob struct {
	state *piState
	tries int
	load  []byte
	after *piJob
	batch *piBatch
}

type piBatch struct{ job *piJob }

type piQueue struct {
	mu   sync.Mutex
	jobs []*piJob
}

func (q *piQueue) add(j *piJob) {
	q.mu.Lock()
	q.jobs = append(q.jobs, j)
	q.mu.Unlock()
}

func (q *piQueue) take() *piJob {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.jobs) == 0 {
		return nil
	}
	j := q.jobs[0]
	q.jobs = q.jobs[1:]
	return j
}

func newPIQueue() *piQueue {
	q := &piQueue{}
	go func() {
		for j := q.take(); j != nil; j = q.take() {
			if j.state != nil {
				j.state.n++
			}
		}
	}()
	return q
}

func newPIQueue2() *piQueue {
	q := &piQueue{}
	go func() {
		for j := q.take(); j != nil; j = q.take() {
			q.mu.Lock()
			s := j.state
			q.mu.Unlock()
			if s != nil {
				s.n++ // race! _.n
			}
		}
	}()
	return q
}

type piPlace struct {
	mu sync.Mutex
	s  *piState
}

func (p *piPlace) set(s *piState) {
	p.mu.Lock()
	p.s = s
	p.mu.Unlock()
}

func newPIPlace() *piPlace {
	p := &piPlace{}
	go func() {
		p.mu.Lock()
		s := p.s
		p.mu.Unlock()
		if s != nil {
			s.n++ // race! _.n
		}
	}()
	return p
}
