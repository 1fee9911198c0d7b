package channel

import (
	"sync"
	"time"
)

// Requests come from a pool, are worked on by another goroutine, and answer by a
// channel of their own. Goroutines and the function that starts them ask.
func AN1_pooledRequests() {
	s := &oracle{make(chan *riddle)}
	go s.answer()
	var wg sync.WaitGroup
	for i := range 3 {
		wg.Go(func() { s.ask(i) })
	}
	s.ask(3)
	wg.Wait()
	close(s.in)
}

type riddle struct {
	q, a int
	done chan struct{}
}

type oracle struct{ in chan *riddle }

var riddles = sync.Pool{New: func() any { return &riddle{done: make(chan struct{}, 1)} }}

func (s *oracle) answer() {
	for r := range s.in {
		r.a = r.q // assumed _.a
		r.done <- struct{}{}
	}
}

func (s *oracle) ask(q int) int {
	r := riddles.Get().(*riddle)
	r.q = q // assumed _.q
	s.in <- r
	<-r.done
	a := r.a // assumed _.a
	r.a = 0  // assumed _.a
	riddles.Put(r)
	return a
}

// AN1b_notWaited looks before the answer has come.
func AN1b_notWaited() {
	in := make(chan *hurry)
	go func() {
		for r := range in {
			r.a = 1 // race! _.a
			r.done <- struct{}{}
		}
	}()
	r := &hurry{done: make(chan struct{}, 1)}
	in <- r
	_ = r.a // race! _.a
	<-r.done
}

type hurry struct {
	a    int
	done chan struct{}
}

// AN1c_touchedAfterAnswer has a server that goes on.
func AN1c_touchedAfterAnswer() {
	in := make(chan *linger)
	go func() {
		for r := range in {
			r.done <- struct{}{}
			r.a = 1 // race! _.a
		}
	}()
	r := &linger{done: make(chan struct{}, 1)}
	in <- r
	<-r.done
	_ = r.a // race! _.a
}

type linger struct {
	a    int
	done chan struct{}
}

// AN1d_givenUp puts a request back that has not been answered.
func AN1d_givenUp() {
	in := make(chan *order)
	go func() {
		for r := range in {
			r.a = 1 // race! _.a
			r.done <- struct{}{}
		}
	}()
	for range 3 {
		go order1(in)
	}
	order1(in)
}

type order struct {
	a    int
	done chan struct{}
}

var orders = sync.Pool{New: func() any { return &order{done: make(chan struct{}, 1)} }}

func order1(in chan *order) {
	r := orders.Get().(*order)
	r.a = 0 // race! _.a
	in <- r
	select {
	case <-r.done:
		orders.Put(r)
	case <-time.After(time.Second):
		orders.Put(r)
	}
}

// AN1e_anothersAnswer waits for the request before.
func AN1e_anothersAnswer() {
	in := make(chan *token, 2)
	go func() {
		for r := range in {
			r.a = 1 // race! _.a
			r.done <- struct{}{}
		}
	}()
	p, r := &token{done: make(chan struct{}, 1)}, &token{done: make(chan struct{}, 1)}
	in <- p
	in <- r
	<-p.done
	_ = r.a // race! _.a
}

type token struct {
	a    int
	done chan struct{}
}

// AN1f_sentToTwo has two servers at work on one request.
func AN1f_sentToTwo() {
	in := make(chan *letter, 2)
	for range 2 {
		go func() {
			for r := range in {
				r.a++ // race! _.a
				r.done <- struct{}{}
			}
		}()
	}
	r := &letter{done: make(chan struct{}, 2)}
	in <- r
	in <- r
	<-r.done
	<-r.done
}

type letter struct {
	a    int
	done chan struct{}
}

// AN2_chain has two servers, one after the other.
func AN2_chain() {
	s := &mill{make(chan *grain), make(chan *grain, 2)}
	go s.clean()
	go s.grind()
	go s.bring(1)
	s.bring(2)
}

type grain struct {
	n    int
	done chan *grain
}

type mill struct{ in, next chan *grain }

func (s *mill) clean() {
	for g := range s.in {
		g.n++ // assumed _.n
		s.next <- g
	}
}

func (s *mill) grind() {
	for g := range s.next {
		g.n++ // assumed _.n
		g.done <- g
	}
}

func (s *mill) bring(n int) int {
	g := &grain{n, make(chan *grain, 1)}
	s.in <- g
	<-g.done
	return g.n // assumed _.n
}

// AN2b_afterPassingOn has one that touches what it has passed on.
func AN2b_afterPassingOn() {
	s := &press{make(chan *grape), make(chan *grape, 2)}
	go s.wash()
	go s.crush()
	go s.bring(1)
	s.bring(2)
}

type grape struct {
	n    int
	done chan *grape
}

type press struct{ in, next chan *grape }

func (s *press) wash() {
	for g := range s.in {
		s.next <- g
		g.n++ // race! _.n
	}
}

func (s *press) crush() {
	for g := range s.next {
		g.n++ // race! _.n
		g.done <- g
	}
}

func (s *press) bring(n int) int {
	g := &grape{n, make(chan *grape, 1)}
	s.in <- g
	<-g.done
	return g.n // race! _.n
}

// AN3_answersLast has a server that closes a channel of each request when it is done.
func AN3_answersLast() {
	in := make(chan *favour)
	go func() {
		for r := range in {
			r.out = append(r.out, 1) // norace
			close(r.done)
		}
	}()
	for range 5 {
		r := &favour{done: make(chan struct{})}
		in <- r
		<-r.done
		_ = len(r.out) // norace
	}
}

type favour struct {
	out  []byte
	done chan struct{}
}

// AN3b_answersFirst has one that closes it first.
func AN3b_answersFirst() {
	in := make(chan *hasty)
	go func() {
		for r := range in {
			close(r.done)
			r.out = append(r.out, 1) // race! _.out
		}
	}()
	for range 5 {
		r := &hasty{done: make(chan struct{})}
		in <- r
		<-r.done
		_ = len(r.out) // race! _.out
	}
}

type hasty struct {
	out  []byte
	done chan struct{}
}

// AN4_givesUpQuietly has a client that looks at what was answered in time.
func AN4_givesUpQuietly() {
	in := make(chan *summing, 4)
	go func() {
		for r := range in {
			r.sum++ // assumed _.sum
			r.done <- true
		}
	}()
	for range 4 {
		r := &summing{done: make(chan bool, 1)}
		in <- r
		select {
		case <-r.done:
			println(r.sum) // assumed _.sum
		case <-time.After(time.Millisecond):
		}
	}
}

type summing struct {
	sum  int
	done chan bool
}

// AN4b_looksAllTheSame has one that does not wait for the answer.
func AN4b_looksAllTheSame() {
	in := make(chan *guess, 4)
	go func() {
		for r := range in {
			r.sum++ // race! _.sum
			r.done <- true
		}
	}()
	for range 4 {
		r := &guess{done: make(chan bool, 1)}
		in <- r
		select {
		case <-r.done:
		case <-time.After(time.Millisecond):
			println(r.sum) // race! _.sum
		}
	}
}

type guess struct {
	sum  int
	done chan bool
}

// AN5_ownChannel has clients with a channel each.
func AN5_ownChannel() {
	in := make(chan *parley)
	for range 2 {
		go func() {
			for r := range in {
				r.out = 1 // norace
				r.reply <- r
			}
		}()
	}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			r := &parley{reply: make(chan *parley, 1)}
			in <- r
			<-r.reply
			println(r.out) // norace
		})
	}
	wg.Wait()
}

type parley struct {
	out   int
	reply chan *parley
}

// AN5b_oneForAll has clients with one channel for all: what comes is another's answer.
func AN5b_oneForAll() {
	in, replies := make(chan *babel), make(chan *babel, 8)
	for range 2 {
		go func() {
			for r := range in {
				r.out = 1 // race! _.out
				r.reply <- r
			}
		}()
	}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			r := &babel{reply: replies}
			in <- r
			<-r.reply
			println(r.out) // race! _.out
		})
	}
	wg.Wait()
}

type babel struct {
	out   int
	reply chan *babel
}

// AN6_newBatch sends batches when they are full or a second has passed.
func AN6_newBatch(in <-chan int) {
	out := make(chan []sample)
	go func() {
		var batch []sample
		tick := time.NewTicker(time.Second)
		for {
			select {
			case v, ok := <-in:
				if !ok {
					close(out)
					return
				}
				batch = append(batch, sample{v}) // norace
				if len(batch) < 100 {
					continue
				}
			case <-tick.C:
			}
			out <- batch
			batch = nil
		}
	}()
	sum := 0
	for b := range out {
		for _, s := range b {
			sum += s.v // norace
		}
	}
}

type sample struct{ v int }

// AN6b_batchReused fills the one that was sent. What it waits for in between is no answer.
func AN6b_batchReused() {
	in, out := make(chan int), make(chan []reading)
	go func() {
		for i := range 100 {
			in <- i
		}
		close(in)
	}()
	go func() {
		var batch []reading
		tick := time.NewTicker(time.Second)
		for {
			select {
			case v, ok := <-in:
				if !ok {
					close(out)
					return
				}
				batch = append(batch, reading{v}) // race! _[*].v
				if len(batch) < 100 {
					continue
				}
			case <-tick.C:
			}
			out <- batch
			batch = batch[:0]
		}
	}()
	sum := 0
	for b := range out {
		for _, s := range b { // race! _[*].v
			sum += s.v
		}
	}
}

type reading struct{ v int }

// AN7_methodWaits has a method that waits for the answer and then looks at it.
func AN7_methodWaits() {
	in := make(chan *wish)
	go func() {
		for r := range in {
			r.a = 1 // assumed _.a
			r.done <- true
		}
	}()
	for range 3 {
		go func() {
			r := &wish{done: make(chan bool, 1)}
			in <- r
			println(r.wait())
		}()
	}
}

type wish struct {
	a    int
	done chan bool
}

func (r *wish) wait() int {
	<-r.done
	return r.a // assumed _.a
}

// AN7b_methodLooksFirst has one that looks before it waits.
func AN7b_methodLooksFirst() {
	in := make(chan *whim)
	go func() {
		for r := range in {
			r.a = 1 // race! _.a
			r.done <- true
		}
	}()
	for range 3 {
		go func() {
			r := &whim{done: make(chan bool, 1)}
			in <- r
			println(r.wait())
		}()
	}
}

type whim struct {
	a    int
	done chan bool
}

func (r *whim) wait() int {
	a := r.a // race! _.a
	<-r.done
	return a
}

// AN7c_methodOfAnother waits for the request before.
func AN7c_methodOfAnother() {
	in := make(chan *dream)
	go func() {
		for r := range in {
			r.a = 1 // race! _.a
			r.done <- true
		}
	}()
	for range 3 {
		go func() {
			p, r := &dream{done: make(chan bool, 1)}, &dream{done: make(chan bool, 1)}
			in <- p
			in <- r
			p.wait()
			println(r.a) // race! _.a
			r.wait()
		}()
	}
}

type dream struct {
	a    int
	done chan bool
}

func (r *dream) wait() { <-r.done }

// AN7d_waitsAtTimes has a method that does not always wait.
func AN7d_waitsAtTimes() {
	in := make(chan *mood)
	go func() {
		for r := range in {
			r.a = 1 // race! _.a
			r.done <- true
		}
	}()
	for i := range 3 {
		go func() {
			r := &mood{done: make(chan bool, 1)}
			in <- r
			println(r.wait(i > 1))
		}()
	}
}

type mood struct {
	a    int
	done chan bool
}

func (r *mood) wait(long bool) int {
	if long {
		<-r.done
	}
	return r.a // race! _.a
}

// AN8_groupOfRequest has requests with a WaitGroup each, out of a pool.
func AN8_groupOfRequest() {
	in := make(chan *entry)
	go func() {
		for r := range in {
			r.err = r.n // assumed _.err
			r.wg.Done()
		}
	}()
	for i := range 3 {
		go func() { println(write(in, i)) }()
	}
}

type entry struct {
	n, err int
	wg     sync.WaitGroup
}

var entries = sync.Pool{New: func() any { return new(entry) }}

func write(in chan *entry, n int) int {
	r := entries.Get().(*entry)
	r.n, r.err = n, 0 // assumed _.err
	r.wg = sync.WaitGroup{}
	r.wg.Add(1)
	in <- r
	return r.wait()
}

func (r *entry) wait() int {
	r.wg.Wait()
	err := r.err // assumed _.err
	entries.Put(r)
	return err
}

// AN8a_newRequests makes them for itself.
func AN8a_newRequests() {
	in := make(chan *plea)
	go func() {
		for r := range in {
			if r.n > 3 {
				r.err = 1 // assumed _.err
			}
			r.wg.Done()
		}
	}()
	for i := range 3 {
		go func() {
			r := &plea{n: i}
			r.wg.Add(1)
			in <- r
			r.wg.Wait()
			println(r.err) // assumed _.err
		}()
	}
}

type plea struct {
	n, err int
	wg     sync.WaitGroup
}

// AN8b_doneTooEarly has a server that goes on.
func AN8b_doneTooEarly() {
	in := make(chan *haste)
	go func() {
		for r := range in {
			r.wg.Done()
			r.err = 1 // race! _.err
		}
	}()
	for range 3 {
		go func() {
			r := new(haste)
			r.wg.Add(1)
			in <- r
			r.wg.Wait()
			println(r.err) // race! _.err
		}()
	}
}

type haste struct {
	err int
	wg  sync.WaitGroup
}

// AN8c_notWaited does not always wait.
func AN8c_notWaited() {
	in := make(chan *duty)
	go func() {
		for r := range in {
			r.err = 1 // race! _.err
			r.wg.Done()
		}
	}()
	for i := range 3 {
		go func() {
			r := new(duty)
			r.wg.Add(1)
			in <- r
			if i > 1 {
				r.wg.Wait()
			}
			println(r.err) // race! _.err
		}()
	}
}

type duty struct {
	err int
	wg  sync.WaitGroup
}

// AN8d_sentToTwo has two servers at work on one request.
func AN8d_sentToTwo() {
	in := make(chan *hymn)
	for range 2 {
		go func() {
			for r := range in {
				r.err++ // race! _.err
				r.wg.Done()
			}
		}()
	}
	for range 3 {
		go func() {
			r := new(hymn)
			r.wg.Add(2)
			in <- r
			in <- r
			r.wg.Wait()
			println(r.err) // race _.err; both have answered
		}()
	}
}

type hymn struct {
	err int
	wg  sync.WaitGroup
}

// AN8e_groupOfAll waits for a group to which others have been told, too.
func AN8e_groupOfAll() {
	in := make(chan *share)
	go func() {
		for r := range in {
			r.err = 1 // race! _.err
			r.wg.Done()
		}
	}()
	var wg sync.WaitGroup
	for range 3 {
		go func() {
			r := &share{wg: &wg}
			in <- r
			wg.Add(1)
			r.wg.Wait()
			println(r.err) // race! _.err
		}()
	}
}

type share struct {
	err int
	wg  *sync.WaitGroup
}

// AN8f_anothersGroup waits for the request before.
func AN8f_anothersGroup() {
	in := make(chan *ballad)
	go func() {
		for r := range in {
			r.err = 1 // race! _.err
			r.wg.Done()
		}
	}()
	for range 3 {
		go func() {
			p, r := new(ballad), new(ballad)
			p.wg.Add(1)
			r.wg.Add(1)
			in <- p
			in <- r
			p.wait()
			println(r.err) // race! _.err
			r.wait()
		}()
	}
}

type ballad struct {
	err int
	wg  sync.WaitGroup
}

func (r *ballad) wait() { r.wg.Wait() }
