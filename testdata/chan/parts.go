package channel

// Jobs that are sent as structs: each has its own part, unless the code shows that it is sent again.

type part struct{ n int }

type partJob struct {
	key  string
	part *part
}

func (j *partJob) work() {
	for range 3 {
		j.part.n++ // assumed q.n
	}
}

// JS1: the iteration has the job in a variable of the round.
func JS1_byAddress() {
	jobs, done := make(chan partJob), make(chan bool)
	go func() {
		for range 5 {
			q := &part{}
			jobs <- partJob{part: q}
		}
		close(done)
	}()
	for {
		select {
		case <-done:
			return
		case j := <-jobs:
			go j.work()
		}
	}
}

// JS2: all jobs have one part.
func JS2_oneForAll() {
	jobs := make(chan partJob)
	go func() {
		q := &part{}
		for range 5 {
			jobs <- partJob{part: q}
		}
		close(jobs)
	}()
	for j := range jobs {
		go workOnOne(&j)
	}
}

func workOnOne(j *partJob) {
	j.part.n++ // race! q.n
}

// JS3: two jobs have one part.
func JS3_twoJobs() {
	jobs := make(chan partJob)
	go func() {
		for range 5 {
			q := &part{}
			jobs <- partJob{key: "a", part: q}
			jobs <- partJob{key: "b", part: q}
		}
		close(jobs)
	}()
	for j := range jobs {
		go workOnTwo(&j)
	}
}

func workOnTwo(j *partJob) {
	j.part.n++ // race! q.n
}

// JS4: what is received by the second case of a select is sent again.
func JS4_secondCase() {
	parts, done := make(chan *part), make(chan bool)
	go func() {
		q := &part{}
		for range 5 {
			parts <- q
		}
		close(done)
	}()
	for {
		select {
		case <-done:
			return
		case p := <-parts:
			go func() { p.n++ }() // race! p.n
		}
	}
}

// JS5: it is not.
func JS5_sentOnce() {
	parts, done := make(chan *part), make(chan bool)
	go func() {
		for range 5 {
			parts <- &part{}
		}
		close(done)
	}()
	for {
		select {
		case <-done:
			return
		case p := <-parts:
			go func() { p.n++ }() // norace
		}
	}
}

// JS6: a literal works on the part that all jobs have.
func JS6_literal() {
	jobs := make(chan partJob)
	go func() {
		q := &part{}
		for range 5 {
			jobs <- partJob{part: q}
		}
		close(jobs)
	}()
	for j := range jobs {
		go func() { j.part.n++ }() // race! q.n
	}
}

// JS7: each job has its own, and all have one key.
func JS7_sharedBeside() {
	jobs := make(chan sharingJob)
	go func() {
		all := &part{}
		for range 5 {
			jobs <- sharingJob{all: all, own: &part{}}
		}
		close(jobs)
	}()
	for j := range jobs {
		go func() { j.own.n = j.all.n }() // norace
	}
}

type sharingJob struct{ all, own *part }

// JS8: one buffer is sent again and again, each time as part of a new message.
func JS8_buffer() {
	buf := make([]byte, 16)
	jobs := make(chan sentOn)
	for range 3 {
		go func() {
			for j := range jobs {
				j.buf[0] = byte(j.id) // race! buf[*]
			}
		}()
	}
	for i := range 10 {
		jobs <- sentOn{i, buf}
	}
	close(jobs)
}

type sentOn struct {
	id  int
	buf []byte
}

// JS9: the message is an interface.
func JS9_interface() {
	jobs := make(chan runnable)
	q := &part{}
	for range 3 {
		go func() {
			for j := range jobs {
				j.run()
			}
		}()
	}
	for range 10 {
		jobs <- adds{q}
	}
	close(jobs)
}

type runnable interface{ run() }

type adds struct{ to *part }

func (a adds) run() { a.to.n++ } // race! q.n

// JS10: each has its own.
func JS10_ownInInterface() {
	jobs := make(chan runnable)
	for range 3 {
		go func() {
			for j := range jobs {
				j.run()
			}
		}()
	}
	for range 10 {
		jobs <- addsToOwn{&part{}}
	}
	close(jobs)
}

type addsToOwn struct{ to *part }

func (a addsToOwn) run() { a.to.n++ } // norace
