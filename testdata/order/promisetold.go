package order

import (
	"context"
	"time"
)

// Futures of a list, of which a method tells by its result whether it has waited.

type toldFuture struct {
	done chan struct{}
	n    int
	err  error
}

// QR1: who has no error has waited.
func QR1_withoutError(ctx context.Context) {
	var all []*toldFuture
	for i := range n {
		f := &toldFuture{done: make(chan struct{})}
		go func() {
			f.n = i // norace
			close(f.done)
		}()
		all = append(all, f)
	}
	for i, f := range all {
		if err := f.wait1(ctx); err == nil {
			_ = f.n // norace
		}
		_ = i
	}
}

func (f *toldFuture) wait1(ctx context.Context) error {
	select {
	case <-f.done:
		return f.err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// QR2: nobody looks at the error.
func QR2_whateverItSays(ctx context.Context) {
	var all []*toldFuture
	for i := range n {
		f := &toldFuture{done: make(chan struct{})}
		go func() {
			f.n = i // race! _.n
			close(f.done)
		}()
		all = append(all, f)
	}
	for i, f := range all {
		_ = f.wait1(ctx)
		_ = f.n // race! _.n
		_ = i
	}
}

// QR3: who has one may have been given up on.
func QR3_withError(ctx context.Context) {
	var all []*toldFuture
	for i := range n {
		f := &toldFuture{done: make(chan struct{})}
		go func() {
			f.n = i // race! _.n
			close(f.done)
		}()
		all = append(all, f)
	}
	for i, f := range all {
		if err := f.wait1(ctx); err != nil {
			_ = f.n // race! _.n
		}
		_ = i
	}
}

// QR4: who is told so has seen that it is done.
func QR4_polled(ctx context.Context) {
	var all []*toldFuture
	for i := range n {
		f := &toldFuture{done: make(chan struct{})}
		go func() {
			f.n = i // norace
			close(f.done)
		}()
		all = append(all, f)
	}
	for i, f := range all {
		for !f.ready4() {
			time.Sleep(time.Millisecond)
		}
		_ = f.n // norace
		_ = i
	}
}

func (f *toldFuture) ready4() bool {
	select {
	case <-f.done:
		return true
	default:
		return false
	}
}

// QR5: it says the same of who has been given up on.
func QR5_neverAnError(ctx context.Context) {
	var all []*toldFuture
	for i := range n {
		f := &toldFuture{done: make(chan struct{})}
		go func() {
			f.n = i // race! _.n
			close(f.done)
		}()
		all = append(all, f)
	}
	for i, f := range all {
		if err := f.wait5(ctx); err == nil {
			_ = f.n // race! _.n
		}
		_ = i
	}
}

func (f *toldFuture) wait5(ctx context.Context) error {
	select {
	case <-f.done:
		return f.err
	case <-ctx.Done():
		return nil
	}
}

// QR6: another one is waited for.
func QR6_another(ctx context.Context) {
	var all []*toldFuture
	for i := range n {
		f := &toldFuture{done: make(chan struct{})}
		go func() {
			f.n = i // race! _.n
			close(f.done)
		}()
		all = append(all, f)
	}
	for i, f := range all {
		if err := all[0].wait1(ctx); err == nil {
			_ = f.n // race! _.n
		}
		_ = i
	}
}

// QR7: who has one ends the program.
func QR7_must(ctx context.Context) {
	var all []*toldFuture
	for i := range n {
		f := &toldFuture{done: make(chan struct{})}
		go func() {
			f.n = i // norace
			close(f.done)
		}()
		all = append(all, f)
	}
	for i, f := range all {
		mustBeNil1(f.wait1(ctx))
		_ = f.n // norace
		_ = i
	}
}

// QR8: some do not look at it.
func QR8_orLate(ctx context.Context) {
	var all []*toldFuture
	for i := range n {
		f := &toldFuture{done: make(chan struct{})}
		go func() {
			f.n = i // race! _.n
			close(f.done)
		}()
		all = append(all, f)
	}
	for i, f := range all {
		if err := f.wait1(ctx); err == nil || i > 3 {
			_ = f.n // race! _.n
		}
		_ = i
	}
}

// QR9: it is used before.
func QR9_before(ctx context.Context) {
	var all []*toldFuture
	for i := range n {
		f := &toldFuture{done: make(chan struct{})}
		go func() {
			f.n = i // race! _.n
			close(f.done)
		}()
		all = append(all, f)
	}
	for i, f := range all {
		_ = f.n // race! _.n
		if err := f.wait1(ctx); err != nil {
			continue
		}
		_ = i
	}
}
