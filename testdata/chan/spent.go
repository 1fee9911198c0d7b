package channel

import (
	"fmt"
	"sync"
)

// Programs about variables whose content is given away, and set anew or not.

// Each batch is a new slice.
func G1_setAnew() {
	ch := make(chan []int, 1)
	sums := make([]int, 3)
	var wg sync.WaitGroup
	for w := range sums {
		wg.Go(func() {
			for b := range ch {
				for _, v := range b { // norace
					sums[w] += v
				}
			}
		})
	}
	batch := make([]int, 0, 4)
	for i := range 4 * n {
		batch = append(batch, i) // norace
		if len(batch) == cap(batch) {
			ch <- batch
			batch = make([]int, 0, 4)
		}
	}
	ch <- batch
	close(ch)
	wg.Wait()
}

// Now and then the old one is filled again.
func G1b_sometimesSetAnew() {
	ch := make(chan []int, 1)
	sums := make([]int, 3)
	var wg sync.WaitGroup
	for w := range sums {
		wg.Go(func() {
			for b := range ch {
				for _, v := range b { // race! _[*]
					sums[w] += v
				}
			}
		})
	}
	batch := make([]int, 0, 4)
	for i := range 4 * n {
		batch = append(batch, i) // race! _[*]
		if len(batch) == cap(batch) {
			ch <- batch
			if i%8 == 3 {
				batch = make([]int, 0, 4)
			} else {
				batch = batch[:0]
			}
		}
	}
	close(ch)
	wg.Wait()
}

// What cannot be sent yet goes on growing.
func G1c_sentIfPossible() {
	ch := make(chan []int)
	done := make(chan int)
	go func() {
		sum := 0
		for b := range ch {
			for _, v := range b { // norace
				sum += v
			}
		}
		done <- sum
	}()
	var batch []int
	for i := range n {
		batch = append(batch, i) // norace
		select {
		case ch <- batch:
			batch = nil
		default:
		}
	}
	close(ch)
	<-done
}

// The variable is set where nothing was sent.
func G1d_setAnewInTheOtherCase() {
	ch := make(chan []int)
	done := make(chan int)
	go func() {
		sum := 0
		for b := range ch {
			for _, v := range b { // race! _[*]
				sum += v
			}
		}
		done <- sum
	}()
	batch := make([]int, 1, 2*n)
	for i := range n {
		batch = append(batch, i) // race! _[*]
		batch[0] = i             // race! _[*]
		select {
		case ch <- batch:
		default:
			batch = make([]int, 1, 2*n)
		}
	}
	close(ch)
	<-done
}

// A map for each part, which a function fills and sends.
func G2_mapOfEachPart() {
	in, out := make(chan int), make(chan map[int]int, 1)
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() { parts(in, out) })
	}
	go func() {
		for i := range n {
			in <- i
		}
		close(in)
		wg.Wait()
		close(out)
	}()
	total := 0
	for m := range out {
		for _, v := range m { // norace
			total += v
		}
	}
}

func parts(in <-chan int, out chan<- map[int]int) {
	acc := make(map[int]int)
	for i := range in {
		acc[i%3]++ // norace
		if i%4 == 0 {
			out <- acc
			acc = make(map[int]int)
		}
	}
	out <- acc
}

// The map goes on being filled.
func G2b_oneMap() {
	in, out := make(chan int), make(chan map[int]int, 1)
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() { sameParts(in, out) })
	}
	go func() {
		for i := range 10 * n {
			in <- i
		}
		close(in)
		wg.Wait()
		close(out)
	}()
	total := 0
	for m := range out {
		for _, v := range m { // race! _[*]
			total += v
		}
	}
}

func sameParts(in <-chan int, out chan<- map[int]int) {
	acc := make(map[int]int)
	for i := range in {
		acc[i%3]++ // race! _[*]
		if i%4 == 0 {
			out <- acc
		}
	}
	out <- acc
}

// The sender keeps the pointer and writes after the send.
func G3_writeAfterSend() {
	ch := make(chan *item, n)
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			for it := range ch {
				it.out++ // race! _.out
			}
		})
	}
	for i := range n {
		it := &item{id: i}
		ch <- it
		it.out = i // race! _.out
	}
	close(ch)
	wg.Wait()
}

type asked struct {
	in, out int
	done    chan bool
}

// The answer to what was sent is waited for.
func G3b_readAfterAnswer() {
	ch := make(chan *asked)
	for range 3 {
		go func() {
			for q := range ch {
				q.out = q.in * 2 // norace
				q.done <- true
			}
		}()
	}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			q := &asked{in: i, done: make(chan bool, 1)}
			ch <- q
			<-q.done
			_ = q.out // norace
		})
	}
	wg.Wait()
	close(ch)
}

// Two receivers are sent one object.
func G4_sentToTwo() {
	a, b := make(chan *item, 1), make(chan *item, 1)
	done := make(chan bool)
	go func() {
		for it := range b {
			it.out++ // race! _.out
		}
		done <- true
	}()
	go func() {
		for i := range 10 * n {
			it := &item{id: i}
			a <- it
			b <- it
		}
		close(a)
		close(b)
	}()
	for it := range a {
		it.out++ // race! _.out
	}
	<-done
}

// The second is sent a copy.
func G4b_copyToSecond() {
	a, b := make(chan *item, 1), make(chan *item, 1)
	done := make(chan bool)
	go func() {
		for it := range b {
			it.out++ // norace
		}
		done <- true
	}()
	go func() {
		for i := range 10 * n {
			it := &item{id: i}
			c := *it // norace
			a <- it
			b <- &c
		}
		close(a)
		close(b)
	}()
	for it := range a {
		it.out++ // norace
	}
	<-done
}

type shelf struct{ free chan *item }

func (s *shelf) get() *item {
	select {
	case it := <-s.free:
		return it
	default:
		return &item{}
	}
}

func (s *shelf) put(it *item) {
	it.out = 0 // norace
	select {
	case s.free <- it:
	default:
	}
}

// Objects are kept in a channel, as far as it has room.
func G5_shelf() {
	s := &shelf{make(chan *item, 2)}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range n {
				it := s.get()
				it.out++ // norace
				s.put(it)
			}
		})
	}
	wg.Wait()
}

// They are touched after they were put there.
func G5b_putTooEarly() {
	s := &shelf{make(chan *item, 2)}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 100 * n {
				s.putEarly(s.get())
			}
		})
	}
	wg.Wait()
}

func (s *shelf) putEarly(it *item) {
	select {
	case s.free <- it:
	default:
	}
	it.out = 0 // race! _.out
}

// The rest of the slice is another part of it.
func G6_partsOfOne(all []int) {
	ch := make(chan []int)
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			for part := range ch {
				part[0]++ // race _[*]; the parts are not known to be apart
			}
		})
	}
	for len(all) > 4 {
		ch <- all[:4]
		all = all[4:]
		all[0]++ // race _[*]; see there
	}
	close(ch)
	wg.Wait()
}

type errand struct {
	f    func()
	done chan bool
}

// One thing is sent, and both ways of the select lead on.
func G7_oneErrand() {
	queue, never := make(chan errand), make(chan bool)
	go func() {
		for {
			e := <-queue
			e.f()
			e.done <- true
		}
	}()
	x := 0
	done := make(chan bool, 1)
	select {
	case queue <- errand{func() { x = 1 }, done}: // norace
	case <-never:
	}
	select {
	case <-done:
	case <-never:
	}
	_ = x // norace
}

// Two things are sent, and the first of them is waited for.
func G7b_twoErrands() {
	queue, never := make(chan errand), make(chan bool)
	go func() {
		for {
			e := <-queue
			e.f()
			e.done <- true
		}
	}()
	x := 0
	done := make(chan bool, 2)
	for range 2 {
		select {
		case queue <- errand{func() { x++ }, done}: // race! x
		case <-never:
		}
	}
	<-done
	_ = x // race! x
}

// What a function value of the library reads is read before the item is sent.
func G8_shownFirst() {
	ch := make(chan *shown, n)
	for i := range n {
		go func() {
			x := &shown{i}
			show(x, fmt.Sprint)
			ch <- x
		}()
	}
	for range n {
		go func() {
			x := <-ch
			x.n++ // norace
		}()
	}
}

type shown struct{ n int }

func show(x *shown, f func(...any) string) { f(x) } // norace

// It is read when somebody else has it, there and here.
func G8b_sentFirst() {
	ch := make(chan *shown, n)
	for i := range n {
		go func() {
			x := &shown{i}
			ch <- x
			showSent(x, fmt.Sprint)
			_ = x.n // race! _.n
		}()
	}
	for range n {
		go func() {
			x := <-ch
			x.n++ // race! _.n
		}()
	}
}

func showSent(x *shown, f func(...any) string) { f(x) }

// What is shown after it was sent is not what the others have.
func G8c_sentElsewhere() {
	kept, given := make(chan *shown, n), make(chan *shown, n)
	for i := range n {
		go func() {
			for k := range 2 {
				x := &shown{i}
				if k == 0 {
					given <- x
					continue
				}
				kept <- x
				showKept(x, fmt.Sprint)
			}
		}()
	}
	for range n {
		go func() {
			x := <-given
			x.n++ // norace
		}()
	}
}

func showKept(x *shown, f func(...any) string) { f(x) } // norace

type sheet struct {
	n    int
	last bool
}

type sheets struct {
	cur *sheet
	out chan *sheet
}

func (s *sheets) take() *sheet {
	if s.cur == nil {
		s.cur = &sheet{}
	}
	return s.cur
}

func (s *sheets) renew() { s.cur = &sheet{} }

// The field still holds what was sent from it.
func G9_fieldStillHolds() {
	s, done := &sheets{out: make(chan *sheet, 2)}, make(chan bool)
	go lastOf(s.out, done)
	for i := range 10 {
		if s.take().n = i; i%3 == 0 {
			s.emit(i == 9)
		}
	}
	close(s.out)
	<-done
}

func (s *sheets) emit(last bool) {
	s.out <- s.cur
	s.cur.last = last // race! s.cur.last
	s.cur = nil
}

func lastOf(in <-chan *sheet, done chan<- bool) {
	for x := range in {
		if x.last { // race! _.last
			println("last")
		}
	}
	close(done)
}

// It is set anew first.
func G9b_fieldSetAnew() {
	s, done := &sheets{out: make(chan *sheet, 2)}, make(chan bool)
	go quietLastOf(s.out, done)
	for i := range 10 {
		if s.take().n = i; i%3 == 0 {
			s.emitAnew(i == 9)
		}
	}
	close(s.out)
	<-done
}

func (s *sheets) emitAnew(last bool) {
	s.out <- s.cur
	s.cur = &sheet{}
	s.cur.last = last // norace
}

func quietLastOf(in <-chan *sheet, done chan<- bool) {
	for x := range in {
		if x.last { // norace
			println("last")
		}
	}
	close(done)
}

// A function that is called sets it anew.
func G9c_fieldRenewed() {
	s, done := &sheets{out: make(chan *sheet, 2)}, make(chan bool)
	go quietLastOf(s.out, done)
	for i := range 10 {
		if s.take().n = i; i%3 == 0 {
			s.emitRenewed(i == 9)
		}
	}
	close(s.out)
	<-done
}

func (s *sheets) emitRenewed(last bool) {
	s.out <- s.cur
	s.renew()
	s.cur.last = last // norace
}

// It is set anew on one way only.
func G9d_fieldSetAnewAtTimes() {
	s, done := &sheets{out: make(chan *sheet, 2)}, make(chan bool)
	go func() {
		for x := range s.out {
			if x.last { // race! _.last
				println("last")
			}
		}
		close(done)
	}()
	for i := range 10 {
		if s.take().n = i; i%3 == 0 {
			s.emitAtTimes(i == 9)
		}
	}
	close(s.out)
	<-done
}

func (s *sheets) emitAtTimes(last bool) {
	s.out <- s.cur
	if !last {
		s.cur = &sheet{}
	}
	s.cur.last = last // race! s.cur.last
	s.cur = nil
}
