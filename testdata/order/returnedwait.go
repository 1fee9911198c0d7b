package order

import (
	"context"
	"errors"
	"sync"
)

// What a function returns only when the goroutine is over that it has started for it. Who is given up on may go on, but nobody has
// what it works on then.

type awaitedReply struct {
	n    int
	next *awaitedReply
}

var errGivenUp = errors.New("late")

// RY1: however many ask, and however they ask for the error.
func RY1_asked(ctx context.Context) {
	for i := range n {
		r, err := ask1(ctx, i)
		if err != nil {
			continue
		}
		r.use1()
	}
	r, err := ask1(ctx, 0)
	must1(err)
	r.use1()
	other, _ := ask1(ctx, 1)
	other.use1()
}

func must1(err error) {
	if err != nil {
		panic(err)
	}
}

func (r *awaitedReply) use1() int { return r.n } // norace

func ask1(ctx context.Context, i int) (*awaitedReply, error) {
	r := &awaitedReply{}
	return send1(ctx, r, i)
}

func send1(ctx context.Context, r *awaitedReply, i int) (*awaitedReply, error) {
	done := make(chan struct{})
	go func() {
		r.n = i // norace
		close(done)
	}()
	select {
	case <-done:
		return r, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// RY2: it returns what it has not waited for, too, and nobody asks for the error.
func RY2_returnedLate(ctx context.Context) {
	for i := range n {
		r, _ := ask2(ctx, i)
		r.use2()
	}
}

func (r *awaitedReply) use2() int { return r.n } // race! _.n

func ask2(ctx context.Context, i int) (*awaitedReply, error) {
	r := &awaitedReply{}
	done := make(chan struct{})
	go func() {
		r.n = i // race! _.n
		close(done)
	}()
	select {
	case <-done:
		return r, nil
	case <-ctx.Done():
		return r, ctx.Err()
	}
}

// RY3: one awaitedReply is tried twice.
func RY3_triedTwice(ctx context.Context) {
	for i := range n {
		r, err := ask3(ctx, i)
		if err == nil {
			r.use3()
		}
	}
}

func (r *awaitedReply) use3() int { return r.n } // race! _.n

func ask3(ctx context.Context, i int) (*awaitedReply, error) {
	r := &awaitedReply{}
	if got, err := send3(ctx, r, i); err == nil {
		return got, nil
	}
	return send3(context.Background(), r, i)
}

func send3(ctx context.Context, r *awaitedReply, i int) (*awaitedReply, error) {
	done := make(chan struct{})
	go func() {
		r.n = i // race! _.n
		close(done)
	}()
	select {
	case <-done:
		return r, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// RY4: who has made it returns it without what has waited.
func RY4_besideTheResult(ctx context.Context) {
	for i := range n {
		r := ask4(ctx, i)
		r.use4()
	}
}

func (r *awaitedReply) use4() int { return r.n } // race! _.n

func ask4(ctx context.Context, i int) *awaitedReply {
	r := &awaitedReply{}
	if got, err := send4(ctx, r, i); err == nil {
		return got
	}
	return r
}

func send4(ctx context.Context, r *awaitedReply, i int) (*awaitedReply, error) {
	done := make(chan struct{})
	go func() {
		r.n = i // race! _.n
		close(done)
	}()
	select {
	case <-done:
		return r, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// RY5: the goroutine goes on when it has told.
func RY5_goesOn(ctx context.Context) {
	for i := range n {
		r, _ := ask5(ctx, i)
		r.use5()
	}
}

func (r *awaitedReply) use5() int { return r.n } // race! _.n

func ask5(ctx context.Context, i int) (*awaitedReply, error) {
	r := &awaitedReply{}
	done := make(chan struct{})
	go func() {
		close(done)
		r.n = i // race! _.n
	}()
	select {
	case <-done:
		return r, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// RY6: what another has asked for is returned, too, and nobody has waited for that.
func RY6_asOthers(ctx context.Context) {
	a := &asked6{}
	for i := range n {
		r, _ := a.ask6(ctx, i)
		r.use6()
	}
}

type asked6 struct{ last *awaitedReply }

func (r *awaitedReply) use6() int { return r.n } // race! _.n

func (a *asked6) ask6(ctx context.Context, i int) (*awaitedReply, error) {
	if a.last != nil {
		return a.last, nil
	}
	r := &awaitedReply{}
	a.last = r
	done := make(chan struct{})
	go func() {
		r.n = i // race! _.n
		close(done)
	}()
	select {
	case <-done:
		return r, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// RY7: it tells its caller what it is told, which passes that on.
func RY7_passedOn(ctx context.Context) {
	for i := range n {
		var r awaitedReply
		if err := ask7(ctx, &r, i); err == nil {
			_ = r.n // norace
		}
	}
}

func ask7(ctx context.Context, r *awaitedReply, i int) error { return send7(ctx, r, i) }

func send7(ctx context.Context, r *awaitedReply, i int) error {
	done := make(chan struct{})
	go func() {
		r.n = i // norace
		close(done)
	}()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return errGivenUp
	}
}

// RY8: it tells its caller that all is well, whatever it was told.
func RY8_notPassedOn(ctx context.Context) {
	for i := range n {
		var r awaitedReply
		if err := ask8(ctx, &r, i); err == nil {
			_ = r.n // race! _.n
		}
	}
}

func ask8(ctx context.Context, r *awaitedReply, i int) error {
	send8(ctx, r, i)
	return nil
}

func send8(ctx context.Context, r *awaitedReply, i int) error {
	done := make(chan struct{})
	go func() {
		r.n = i // race! _.n
		close(done)
	}()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return errGivenUp
	}
}

// RY9: functions pass on to each other what they are told.
func RY9_eachToTheOther(ctx context.Context) {
	for i := range n {
		var r awaitedReply
		if err := ask9(ctx, &r, i); err == nil {
			_ = r.n // race! _.n
		}
	}
}

func ask9(ctx context.Context, r *awaitedReply, i int) error {
	if i > 1 {
		return again9(ctx, r, i-1)
	}
	done := make(chan struct{})
	go func() {
		r.n = i // race! _.n
		close(done)
	}()
	select {
	case <-done:
		return errGivenUp
	case <-ctx.Done():
		return nil
	}
}

func again9(ctx context.Context, r *awaitedReply, i int) error { return ask9(ctx, r, i-1) }

// RY10: a awaitedReply is asked for by several, each of whom has its own.
func RY10_besideEachOther(ctx context.Context) {
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			if r, err := ask10(ctx, i); err == nil {
				r.use10()
			}
		})
	}
	wg.Wait()
}

func (r *awaitedReply) use10() int { return r.n } // norace

func ask10(ctx context.Context, i int) (*awaitedReply, error) {
	r := &awaitedReply{}
	done := make(chan error, 1)
	go func() {
		r.n = i // norace
		done <- nil
	}()
	select {
	case err := <-done:
		return r, err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// RY11: the awaitedReply is in the list of all, too, where somebody looks at it.
func RY11_listed(ctx context.Context) {
	a := &asked11{}
	for i := range n {
		r, _ := a.ask11(ctx, i)
		r.use11()
		a.sum11()
	}
}

type asked11 struct{ all []*awaitedReply }

func (r *awaitedReply) use11() int { return r.n } // norace

func (a *asked11) sum11() (sum int) {
	for _, r := range a.all {
		sum += r.n // race! _.n
	}
	return sum
}

func (a *asked11) ask11(ctx context.Context, i int) (*awaitedReply, error) {
	r := &awaitedReply{}
	a.all = append(a.all, r)
	done := make(chan struct{})
	go func() {
		r.n = i // race! _.n
		close(done)
	}()
	select {
	case <-done:
		return r, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// RY12: one reply is tried again and again, from one place.
func RY12_triedAgain(ctx context.Context) {
	for i := range n {
		ask12(ctx, i)
	}
}

func (r *awaitedReply) use12() int { return r.n } // race! _.n

func ask12(ctx context.Context, i int) {
	r := &awaitedReply{}
	for range 3 {
		if got, err := send12(ctx, r, i); err == nil {
			got.use12()
		}
	}
}

func send12(ctx context.Context, r *awaitedReply, i int) (*awaitedReply, error) {
	done := make(chan struct{})
	go func() {
		r.n = i // race! _.n
		close(done)
	}()
	select {
	case <-done:
		return r, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
