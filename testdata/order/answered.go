package order

import (
	"context"
	"errors"
	"sync"
	"time"
)

// Functions that wait and say in their result whether what they waited for came.

type caller struct {
	done chan struct{}
	once sync.Once
	err  error
}

func (c *caller) closeWith(err error) {
	c.once.Do(func() {
		c.err = err // norace
		close(c.done)
	})
}

// isClosed waits for nothing, but knows.
func (c *caller) isClosed() bool {
	select {
	case <-c.done:
		return true
	default:
		return false
	}
}

// AW1: who has found it closed reads what was written before.
func AW1_foundClosed() {
	c := &caller{done: make(chan struct{})}
	go func() {
		for range n {
			c.closeWith(errRun)
		}
	}()
	for range n {
		if c.isClosed() {
			println(c.err == nil) // norace
		}
	}
}

type openCaller struct {
	done chan struct{}
	err  error
}

func (c *openCaller) isClosed() bool {
	select {
	case <-c.done:
		return true
	default:
		return false
	}
}

// AW1b: who has not found it closed reads.
func AW1b_foundOpen() {
	c := &openCaller{done: make(chan struct{})}
	go func() {
		c.err = errRun // race! c.err
		close(c.done)
	}()
	if !c.isClosed() {
		println(c.err == nil) // race! c.err
	}
}

// AW1c: what comes after the test does so whatever it says.
func AW1c_readAnyway() {
	c := &openCaller{done: make(chan struct{})}
	go func() {
		c.err = errRun // race! c.err
		close(c.done)
	}()
	if c.isClosed() {
		println("closed")
	}
	println(c.err == nil) // race! c.err
}

// AW1d: what was found closed is another one.
func AW1d_anotherClosed() {
	c, d := &openCaller{done: make(chan struct{})}, &openCaller{done: make(chan struct{})}
	close(d.done)
	go func() {
		c.err = errRun // race! c.err
		close(c.done)
	}()
	if d.isClosed() {
		println(c.err == nil) // race! c.err
	}
}

// came waits for some time, and says whether it was long enough.
func came(done chan struct{}) bool {
	t := time.NewTimer(time.Millisecond)
	defer t.Stop()
	select {
	case <-done:
		return true
	case <-t.C:
		return false
	}
}

// AW2: the result is read if it came in time.
func AW2_inTime() int {
	v := 0
	done := make(chan struct{})
	go func() {
		defer close(done)
		v = 1 // norace
	}()
	if came(done) {
		return v // norace
	}
	return 0
}

// AW2b: a helper that says so in either case.
func AW2b_tooLate() int {
	v := 0
	done := make(chan struct{})
	go func() {
		defer close(done)
		time.Sleep(10 * time.Millisecond)
		v = 1 // race! v
	}()
	if cameOrNot(done) {
		return v // race! v
	}
	return 0
}

func cameOrNot(done chan struct{}) bool {
	select {
	case <-done:
		return true
	case <-time.After(time.Millisecond):
		return done != nil
	}
}

// AW2c: the answer is turned round.
func AW2c_turnedRound() int {
	v := 0
	done := make(chan struct{})
	go func() {
		defer close(done)
		time.Sleep(10 * time.Millisecond)
		v = 1 // race! v
	}()
	if late := !came(done); late {
		return v // race! v
	}
	return 0
}

// AW2d: it is asked in a round, and read in the next.
func AW2d_otherRound() int {
	sum := 0
	for range n {
		v := 0
		done := make(chan struct{})
		go func() {
			defer close(done)
			v = 1 // race! v
		}()
		sum += v // race! v
		if came(done) {
			sum += v
		}
	}
	return sum
}

// AW4: two entry points wait for goroutines of their own by one helper.
func AW4_oneHelper() int {
	sum := 0
	for range n {
		v := 0
		done := make(chan struct{})
		go func() {
			defer close(done)
			v = 1 // norace
		}()
		waitUntil(done)
		sum += v // norace
	}
	return sum
}

func AW4_oneHelperAgain() int {
	sum := 0
	for range n {
		v := 0
		done := make(chan struct{})
		go func() {
			defer close(done)
			v = 1 // norace
		}()
		waitUntil(done)
		sum += v // norace
	}
	return sum
}

func waitUntil(done chan struct{}) { <-done }

// AW4b: what the helper waits for may be another goroutine's.
func AW4b_eitherOne() int {
	sum := 0
	for k := range n {
		v := 0
		done, other := make(chan struct{}), make(chan struct{}, 1)
		other <- struct{}{}
		go func() {
			defer close(done)
			v = 1 // race! v
		}()
		if k%2 == 0 {
			waitUntil2(other)
		} else {
			waitUntil2(done)
		}
		sum += v // race! v
	}
	return sum
}

func waitUntil2(done chan struct{}) { <-done }

// A chanMutex can be locked until a context is done.
type chanMutex chan struct{}

func (m chanMutex) Lock(ctx context.Context) error {
	select {
	case m <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (m chanMutex) Unlock() {
	select {
	case <-m:
	default:
		panic("not locked")
	}
}

// AW3: who is told of no error has locked it, since the context says why it is done.
func AW3_lockedOrDone(ctx context.Context) {
	m, k := make(chanMutex, 1), 0
	for range n {
		go func() {
			if err := m.Lock(ctx); err != nil {
				return
			}
			defer m.Unlock()
			k++ // norace
		}()
	}
}

// AW3b: the error is that of another context, which may not be done.
func AW3b_anotherContext(ctx, other context.Context) {
	m, k := make(chan struct{}, 1), 0
	lock := func() error {
		select {
		case m <- struct{}{}:
			return nil
		case <-other.Done():
			return ctx.Err()
		}
	}
	for range n {
		go func() {
			if err := lock(); err != nil {
				return
			}
			k++ // race! k
			select {
			case <-m:
			default:
			}
		}()
	}
}

// AW3c: it is not known to be done.
func AW3c_notDone(ctx context.Context) {
	m, k := make(chan struct{}, 1), 0
	lock := func() error {
		select {
		case m <- struct{}{}:
			return nil
		default:
			return ctx.Err()
		}
	}
	for range n {
		go func() {
			if err := lock(); err != nil {
				return
			}
			k++ // race! k
			select {
			case <-m:
			default:
			}
		}()
	}
}

// AW3d: the error is asked for before it is done.
func AW3d_askedBefore(ctx context.Context) {
	m, k := make(chan struct{}, 1), 0
	lock := func() error {
		err := ctx.Err()
		select {
		case m <- struct{}{}:
			return nil
		case <-ctx.Done():
			return err
		}
	}
	for range n {
		go func() {
			if err := lock(); err != nil {
				return
			}
			k++ // race! k
			select {
			case <-m:
			default:
			}
		}()
	}
}

// AW3e: who was told of the error goes on.
func AW3e_goesOn(ctx context.Context) {
	m, k := make(chanMutex, 1), 0
	for range n {
		go func() {
			if err := m.Lock(ctx); errors.Is(err, context.Canceled) {
				return
			}
			k++ // race! k
			select {
			case <-m:
			default:
			}
		}()
	}
}

// AW3f: an error that a field says is not one of Done.
func AW3f_ownErr(ctx context.Context) {
	m, k := make(chan struct{}, 1), 0
	q := &quitter{ctx: ctx}
	lock := func() error {
		select {
		case m <- struct{}{}:
			return nil
		case <-q.Done():
			return q.Err()
		}
	}
	for range n {
		go func() {
			if err := lock(); err != nil {
				return
			}
			k++ // race! k
			select {
			case <-m:
			default:
			}
		}()
	}
}

type quitter struct {
	ctx context.Context
	err error
}

func (q *quitter) Done() <-chan struct{} { return q.ctx.Done() }
func (q *quitter) Err() error            { return q.err }

// AW5: a variable says whether it came.
func AW5_variable() int {
	v := 0
	done := make(chan struct{})
	go func() {
		defer close(done)
		v = 1 // norace
	}()
	if cameInTwo(done) {
		return v // norace
	}
	return 0
}

func cameInTwo(done chan struct{}) bool {
	there := false
	select {
	case <-done:
		there = true
	case <-time.After(time.Millisecond):
	}
	if !there {
		println("too late")
		return false
	}
	rest := 0
	select {
	case <-time.After(time.Millisecond):
		rest = 1
	default:
	}
	println(rest)
	return true
}

// AW5b: the variable is set in either case.
func AW5b_eitherCase() int {
	v := 0
	done := make(chan struct{})
	go func() {
		defer close(done)
		time.Sleep(10 * time.Millisecond)
		v = 1 // race! v
	}()
	there := false
	select {
	case <-done:
		there = true
	case <-time.After(time.Millisecond):
		there = true
	}
	if there {
		return v // race! v
	}
	return 0
}

// AW5c: the variable is what an earlier one was.
func AW5c_earlier() int {
	v := 0
	done := make(chan struct{})
	there := false
	for range 2 {
		if there {
			return v // race! v
		}
		go func() {
			defer close(done)
			time.Sleep(10 * time.Millisecond)
			v = 1 // race! v
		}()
		select {
		case <-done:
		case <-time.After(time.Millisecond):
			there = true
		}
	}
	return 0
}

// AW5d: what stands between the two is done by both.
func AW5d_between() int {
	v := 0
	done := make(chan struct{})
	go func() {
		defer close(done)
		time.Sleep(10 * time.Millisecond)
		v = 1 // race! v
	}()
	there := false
	select {
	case <-done:
		there = true
	case <-time.After(time.Millisecond):
	}
	v++ // race! v
	if there {
		return v // norace
	}
	return 0
}

// AW5e: two that come together.
func AW5e_together(k int) int {
	v := 0
	done := make(chan struct{})
	go func() {
		defer close(done)
		time.Sleep(10 * time.Millisecond)
		v = 1 // race! v
	}()
	there := k > 0
	if k > 3 {
		<-done
		there = true
	}
	if there {
		return v // race! v
	}
	return 0
}
