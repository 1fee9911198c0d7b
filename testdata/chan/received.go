package channel

// What is received in a round of a loop is a goroutine's, or the round's own: it is looked
// at as one of several types, or kept in another interface, and the next round has another one.

type rcEvent interface{ id() int }

type rcPing struct {
	n    int
	body *rcBody
}

type rcPong struct{ n int }

type rcBody struct{ n int }

func (*rcPing) id() int { return 1 }
func (*rcPong) id() int { return 2 }

type rcQueue struct {
	events chan rcEvent
	stop   chan struct{}
	beside bool
}

func RC1_typeSwitch(q *rcQueue) {
	for {
		select {
		case e := <-q.events:
			go rcSwitch(e)
		case <-q.stop:
			return
		}
	}
}

func rcSwitch(e any) {
	switch e := e.(type) {
	case *rcPing:
		e.n++      // assumed q.events.n
		e.body.n++ // assumed q.events.body.n
	case *rcPong:
		e.n++ // norace
	}
}

func RC1b_commaOk(q *rcQueue) {
	for {
		select {
		case e := <-q.events:
			go rcPinged(e)
		case <-q.stop:
			return
		}
	}
}

func rcPinged(e rcEvent) {
	if p, ok := e.(*rcPing); ok {
		p.body.n++ // assumed q.events.body.n
	}
}

// The list's elements are others, too.
func RC1c_elements(events []rcEvent) {
	for _, e := range events {
		go rcListed(e)
	}
}

func rcListed(e any) {
	if p, ok := e.(*rcPing); ok {
		p.n++ // norace
	}
}

type rcJob struct{ n, m, k int }

type rcJobs struct {
	jobs   chan *rcJob
	stop   chan struct{}
	beside bool
}

// The spawner does one job itself, and leaves another one to a goroutine.
func RC2_itself(q *rcJobs) {
	for {
		select {
		case j := <-q.jobs:
			if q.beside {
				go rcDo(j)
			} else {
				rcDo(j)
			}
		case <-q.stop:
			return
		}
	}
}

func rcDo(j *rcJob) { j.n++ } // assumed q.jobs.n

// It goes on with what it has left to the goroutine.
func RC2b_goesOn(q *rcJobs) {
	for {
		select {
		case j := <-q.jobs:
			go rcDoB(j)
			j.n++ // race! q.jobs.n
		case <-q.stop:
			return
		}
	}
}

func rcDoB(j *rcJob) { j.n++ } // race! q.jobs.n

// Several goroutines have what one round has received, and the spawner has it in between.
func RC2c_inner(q *rcJobs) {
	for {
		select {
		case j := <-q.jobs:
			for i := range 3 {
				if i == 1 {
					go rcDoC(j)
				} else {
					j.n++ // race! q.jobs.n
				}
			}
		case <-q.stop:
			return
		}
	}
}

func rcDoC(j *rcJob) { j.n++ } // race! q.jobs.n

// It is received before the rounds.
func RC2d_before(q *rcJobs) {
	select {
	case j := <-q.jobs:
		for range 3 {
			if q.beside {
				go rcDoD(j)
			} else {
				rcDoD(j)
			}
		}
	case <-q.stop:
	}
}

func rcDoD(j *rcJob) { j.n++ } // race! q.jobs.n
