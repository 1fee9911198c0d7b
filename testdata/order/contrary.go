package order

import (
	"context"
	"errors"
	"sync"
)

// CT1_waitIfStarted waits where there is something to wait for: the variable tells.
func CT1_waitIfStarted(parallel bool) {
	x := 0
	var wg *sync.WaitGroup
	if parallel {
		wg = new(sync.WaitGroup)
		wg.Add(1)
		go func() {
			x = 1 // norace
			wg.Done()
		}()
	}
	if wg != nil {
		wg.Wait()
	}
	x++ // norace
}

// CT1b_setToNil may have lost it.
func CT1b_setToNil(parallel, forget bool) {
	x := 0
	var wg *sync.WaitGroup
	if parallel {
		wg = new(sync.WaitGroup)
		wg.Add(1)
		go func(wg *sync.WaitGroup) {
			x = 1 // race! x
			wg.Done()
		}(wg)
	}
	if forget {
		wg = nil
	}
	if wg != nil {
		wg.Wait()
	}
	x++ // race! x
}

// CT1c_setByClosure has another function that may forget it.
func CT1c_setByClosure(parallel bool) {
	x := 0
	var wg *sync.WaitGroup
	forget := func() { wg = nil }
	if parallel {
		wg = new(sync.WaitGroup)
		wg.Add(1)
		go func(wg *sync.WaitGroup) {
			x = 1 // race! x
			wg.Done()
		}(wg)
	}
	forget()
	if wg != nil {
		wg.Wait()
	}
	x++ // race! x
}

// CT2_sameCondition asks twice.
func CT2_sameCondition(parallel bool) {
	x := 0
	done := make(chan bool)
	if parallel {
		go func() {
			x = 1 // norace
			close(done)
		}()
	}
	if parallel {
		<-done
	}
	x++ // norace
}

// CT2b_askedAgain asks something that may have changed.
func CT2b_askedAgain(parallel func() bool) {
	x := 0
	done := make(chan bool)
	if parallel() {
		go func() {
			x = 1 // race! x
			close(done)
		}()
	}
	if parallel() {
		<-done
	}
	x++ // race! x
}

// CT3_nextRound has a value for each round: that of the round before says nothing.
func CT3_nextRound(ps []*int) {
	x := 0
	var last chan bool
	for _, p := range ps {
		if p != nil {
			done := make(chan bool)
			go func() {
				x = 1 // race! x
				close(done)
			}()
			last = done
		}
		if p == nil {
			x++ // race! x
		}
	}
	if last != nil {
		<-last
	}
}

// CT4_variable of a channel that is there if a goroutine is.
func CT4_variable(parallel bool) {
	x := 0
	var done chan bool
	if parallel {
		d := make(chan bool)
		go func() {
			x = 1 // norace
			close(d)
		}()
		done = d
	}
	if done != nil {
		<-done
	}
	x++ // norace
}

// CT5: whether the variable is set is whether there was an error.
func CT5_error(accept func() bool, failed func() error) {
	var wg sync.WaitGroup
	next := 0
	var stopping bool
	for {
		if !accept() {
			stopping = failed() != nil
			if !stopping {
				break
			}
			wg.Go(func() { println(next) }) // norace
			continue
		}
		if stopping {
			continue
		}
		next++ // norace
	}
	wg.Wait()
}

// CT5b: it is set if there was none.
func CT5b_noError(accept func() bool, failed func() error) {
	var wg sync.WaitGroup
	next := 0
	var stopping bool
	for {
		if !accept() {
			err := failed()
			stopping = err == nil
			if err == nil {
				break
			}
			wg.Go(func() { println(next) }) // race! next
			continue
		}
		if stopping {
			continue
		}
		next++ // race! next
	}
	wg.Wait()
}

var errLate = errors.New("late")

type outcome struct {
	n   int
	err error
}

func (o *outcome) ask(done chan bool, failed func() error) {
	o.n = 1 // norace
	o.err = failed()
	close(done)
}

// CT6_late looks at what has come in time only.
func CT6_late(failed func() error, late <-chan bool) int {
	o, done := new(outcome), make(chan bool)
	go o.ask(done, failed)
	var err error
	select {
	case <-done:
		err = o.err
	case <-late:
		err = errLate
	}
	if err != nil {
		return 0
	}
	return o.n // norace
}

// CT6b_context asks the context why it is over.
func CT6b_context(ctx context.Context) int {
	n, done := 0, make(chan bool)
	go func() {
		n = 1 // norace
		close(done)
	}()
	var err error
	select {
	case <-done:
	case <-ctx.Done():
		err = ctx.Err()
	}
	if err == nil {
		return n // norace
	}
	return 0
}

// CT6c_mayBeNil goes on though nothing has come, if the error is nil.
func CT6c_mayBeNil(failed func() error, late <-chan bool) int {
	n, done := 0, make(chan bool)
	go func() {
		n = 1 // race! n
		close(done)
	}()
	var err error
	select {
	case <-done:
	case <-late:
		err = failed()
	}
	if err != nil {
		return 0
	}
	return n // race! n
}

// CT6d_otherwise looks at what has not come.
func CT6d_otherwise(late <-chan bool) int {
	n, done := 0, make(chan bool)
	go func() {
		n = 1 // race! n
		close(done)
	}()
	var err error
	select {
	case <-done:
	case <-late:
		err = errLate
	}
	if err == nil {
		return 0
	}
	return n // race! n
}
