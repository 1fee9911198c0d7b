package order

import (
	"context"
	"errors"
	"log"
)

// Functions that return on one outcome only of what they are given.

type demandedRec struct{ n int }

func fillOrGiveUp(ctx context.Context, fill func()) error {
	done := make(chan struct{})
	go func() {
		fill()
		close(done)
	}()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// XR1: who is given up on ends the program.
func XR1_must(ctx context.Context) {
	for range n {
		var r demandedRec
		err := fillOrGiveUp(ctx, func() {
			r.n = 1 // norace
		})
		mustBeNil1(err)
		_ = r.n // norace
	}
}

func mustBeNil1(err error) {
	if err != nil {
		panic(err)
	}
}

// XR2: it is told only.
func XR2_told(ctx context.Context) {
	for range n {
		var r demandedRec
		err := fillOrGiveUp(ctx, func() {
			r.n = 1 // race! _.n
		})
		tellUnlessNil2(err)
		_ = r.n // race! _.n
	}
}

func tellUnlessNil2(err error) {
	if err != nil {
		log.Print(err)
	}
}

// XR3: another error is asked for.
func XR3_another(ctx context.Context) {
	for range n {
		other := errors.Join()
		var r demandedRec
		err := fillOrGiveUp(ctx, func() {
			r.n = 1 // race! _.n
		})
		mustBeNil1(other)
		_ = r.n // race! _.n
		_ = err
	}
}

// XR4: what is used before the error is asked for.
func XR4_before(ctx context.Context) {
	for range n {
		var r demandedRec
		err := fillOrGiveUp(ctx, func() {
			r.n = 1 // race! _.n
		})
		sum := r.n // race! _.n
		mustBeNil1(err)
		_ = sum
	}
}

// XR5: who asks for it recovers.
func XR5_recovers(ctx context.Context) {
	for range n {
		var r demandedRec
		err := fillOrGiveUp(ctx, func() {
			r.n = 1 // race! _.n
		})
		tryToBeNil5(err)
		_ = r.n // race! _.n
	}
}

func tryToBeNil5(err error) {
	defer func() { _ = recover() }()
	if err != nil {
		panic(err)
	}
}

// XR6: it has to be an error.
func XR6_failed(ctx context.Context) {
	for range n {
		var r demandedRec
		err := fillOrGiveUp(ctx, func() {
			r.n = 1 // race! _.n
		})
		mustBeError6(err)
		_ = r.n // race! _.n
	}
}

func mustBeError6(err error) {
	if err == nil {
		panic("no error")
	}
}

// XR7: a boolean.
func XR7_inTime(ctx context.Context) {
	for range n {
		done := make(chan struct{})
		var r demandedRec
		go func() {
			r.n = 1 // norace
			close(done)
		}()
		mustBeTrue7(told7(ctx, done), "late")
		_ = r.n // norace
	}
}

func told7(ctx context.Context, done <-chan struct{}) bool {
	select {
	case <-done:
		return true
	case <-ctx.Done():
		return false
	}
}

func mustBeTrue7(ok bool, what string) {
	if !ok {
		log.Fatal(what)
	}
}
