package order

import "sync"

// An object of a pool is given to a goroutine, which puts it back.

type session struct {
	n    int
	next func(*session)
}

var sessions = sync.Pool{New: func() any { return &session{} }}

// PG1_handedToGoroutine puts it back itself only where it has started nothing: the
// later test is one of what was tested before.
func PG1_handedToGoroutine() {
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			for range 3 {
				attend(i)
			}
		})
	}
	wg.Wait()
}

func attend(i int) {
	s := sessions.Get().(*session)
	var next func(*session)
	for k := range 3 {
		s.n = i + k // assumed _.n
		if next = s.next; next != nil {
			s.next = nil // assumed _.next
			go func() {
				next(s)
				s.n++ // assumed _.n
				sessions.Put(s)
			}()
			break
		}
	}
	if next == nil {
		s.n = 0
		sessions.Put(s)
	}
}

// PG1b_putByBoth looks at another variable.
func PG1b_putByBoth() {
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			receive(i)
		})
	}
	wg.Wait()
}

type reception struct {
	n     int
	next  func(*reception)
	after func(*reception)
}

var receptions = sync.Pool{New: func() any { return &reception{next: goOn} }}

func goOn(*reception) {}

func receive(i int) {
	s := receptions.Get().(*reception)
	s.n = i // race! _.n
	if next := s.next; next != nil {
		go func() {
			s.n++ // race! _.n
			receptions.Put(s)
		}()
	}
	if s.after == nil {
		s.n = 0 // race! _.n
		receptions.Put(s)
	}
}

// PG1c_usedAfterGiven goes on with what a goroutine puts back.
func PG1c_usedAfterGiven() {
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			v := visits.Get().(*visit)
			go v.leave()
			v.n = i // race! _.n
		})
	}
	wg.Wait()
}

type visit struct{ n int }

func (v *visit) leave() {
	v.n++ // race! _.n
	visits.Put(v)
}

var visits = sync.Pool{New: func() any { return &visit{} }}

// PG1d_putTooEarly puts back what its goroutine still has.
func PG1d_putTooEarly() {
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			v := calls.Get().(*call)
			go v.answer(false)
			calls.Put(v)
		})
	}
	wg.Wait()
}

type call struct{ n int }

func (v *call) answer(put bool) {
	v.n++ // race! _.n
	if put {
		calls.Put(v)
	}
}

var calls = sync.Pool{New: func() any { return &call{} }}

// PG1e_usedByGoroutineAfterPut has a goroutine that goes on.
func PG1e_usedByGoroutineAfterPut() {
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			v := errands.Get().(*errand)
			v.n = 1 // race! _.n
			go func() {
				errands.Put(v)
				v.n++ // race! _.n
			}()
		})
	}
	wg.Wait()
}

type errand struct{ n int }

var errands = sync.Pool{New: func() any { return &errand{} }}

// PG1f_givenToTwo starts two goroutines with it.
func PG1f_givenToTwo() {
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			v := trips.Get().(*trip)
			for range 2 {
				go v.end()
			}
		})
	}
	wg.Wait()
}

type trip struct{ n int }

func (v *trip) end() {
	v.n++ // race! _.n
	trips.Put(v)
}

var trips = sync.Pool{New: func() any { return &trip{} }}

// PG1g_putByStarter is the loop itself that puts it back, too.
func PG1g_putByStarter() {
	for range 4 {
		v := rides.Get().(*ride)
		go v.end()
		rides.Put(v)
	}
}

type ride struct{ n int }

func (v *ride) end() {
	v.n++ // race! _.n
	rides.Put(v)
}

var rides = sync.Pool{New: func() any { return &ride{} }}

// PG2_joined puts it back when the goroutine is over; another branch leaves that to
// the goroutine.
func PG2_joined() {
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			v := walks.Get().(*walk)
			v.n = i // assumed _.n
			if i > 2 {
				go v.finish()
				return
			}
			done := make(chan bool)
			go func() {
				v.n++ // assumed _.n
				close(done)
			}()
			<-done
			walks.Put(v)
		})
	}
	wg.Wait()
}

type walk struct{ n int }

func (v *walk) finish() {
	v.n++ // assumed _.n
	walks.Put(v)
}

var walks = sync.Pool{New: func() any { return &walk{} }}
