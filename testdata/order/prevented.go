package order

import (
	"context"
	"time"
)

// What was to run later is taken back, or waited for where that came too late.

type lineReader struct{ in *int }

func PV1_stoppedOrWaited(ctx context.Context) {
	r := &lineReader{}
	for range n {
		old := r.in
		r.in = new(int) // norace
		r.read(ctx)
		r.in = old // norace
	}
}

func (r *lineReader) read(ctx context.Context) {
	over := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		println(r.in != nil) // norace
		close(over)
	})
	defer func() {
		if !stop() {
			<-over
		}
	}()
	pause()
}

func pause() { time.Sleep(time.Millisecond) }

func PV1b_notWaited(ctx context.Context) {
	r := &hastyReader{}
	for range n {
		old := r.in
		r.in = new(int) // race! r.in
		r.read(ctx)
		r.in = old // race! r.in
	}
}

type hastyReader struct{ in *int }

func (r *hastyReader) read(ctx context.Context) {
	over := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		println(r.in != nil) // race! r.in
		close(over)
	})
	defer func() {
		if !stop() {
			select {
			case <-over:
			default:
			}
		}
	}()
	pause()
}

func PV2_timer() {
	x := 0
	over := make(chan struct{})
	t := time.AfterFunc(time.Millisecond, func() {
		x++ // norace
		close(over)
	})
	pause()
	if !t.Stop() {
		<-over
	}
	x++ // norace
}

func PV2b_leftBefore() {
	c := &countdown{}
	for i := range n {
		c.run(i%2 == 0)
		c.left++ // race! c.left
	}
}

type countdown struct{ left int }

func (c *countdown) run(hurry bool) {
	over := make(chan struct{})
	t := time.AfterFunc(time.Millisecond, func() {
		c.left-- // race! c.left
		close(over)
	})
	if hurry {
		return
	}
	if !t.Stop() {
		<-over
	}
}

func PV2e_laterRun() {
	s := &stopwatch{}
	for i := range n {
		s.run(i%2 == 0)
	}
}

type stopwatch struct{ laps int }

// What is taken back is what this run has arranged, not what one before it has.
func (s *stopwatch) run(hurry bool) {
	over := make(chan struct{})
	t := time.AfterFunc(time.Millisecond, func() {
		s.laps++ // race! s.laps
		close(over)
	})
	if hurry {
		return
	}
	if !t.Stop() {
		<-over
	}
	s.laps++ // race! s.laps
}

func PV2c_onlyTheLast() {
	x := 0
	over := make(chan struct{}, n)
	var t *time.Timer
	for range n {
		t = time.AfterFunc(time.Millisecond, func() {
			x++ // race! x
			over <- struct{}{}
		})
	}
	if !t.Stop() {
		<-over
	}
	x++ // assumed x; a Stop is taken to come in time (S52)
}

func PV2d_onlyIfStopped() {
	x := 0
	t := time.AfterFunc(time.Millisecond, func() {
		x++ // assumed x; a Stop is taken to come in time (S52)
	})
	pause()
	if t.Stop() {
		pause()
	}
	x++ // assumed x; a Stop is taken to come in time (S52)
}

// What is arranged on some ways only is stopped where there is something to stop.
func PV3_ifArranged(ctx context.Context) bool {
	var woke bool
	var over chan struct{}
	var stop func() bool
	if ctx.Done() != nil {
		over = make(chan struct{})
		stop = context.AfterFunc(ctx, func() {
			woke = true // norace
			close(over)
		})
	}
	pause()
	if stop != nil && !stop() {
		<-over
	}
	return woke // norace
}

func PV3b_timer(d time.Duration) (n int) {
	var t *time.Timer
	over := make(chan struct{})
	if d > 0 {
		t = time.AfterFunc(d, func() {
			n++ // norace
			close(over)
		})
	}
	pause()
	if t != nil && !t.Stop() {
		<-over
	}
	return n // norace
}

// It is not waited for.
func PV3c_onlyStopped(ctx context.Context) bool {
	var woke bool
	var stop func() bool
	if ctx.Done() != nil {
		stop = context.AfterFunc(ctx, func() {
			woke = true // race! woke
		})
	}
	pause()
	if stop != nil && !stop() {
		println("too late")
	}
	return woke // race! woke
}

// One of two is stopped.
func PV3d_oneOfTwo(ctx context.Context, other bool) bool {
	var woke bool
	over := make(chan struct{}, 2)
	f := func() {
		woke = true // race! woke
		over <- struct{}{}
	}
	context.AfterFunc(ctx, f)
	var stop func() bool
	if other {
		stop = context.AfterFunc(ctx, f)
	}
	pause()
	if stop != nil && !stop() {
		<-over
	}
	return woke // race! woke
}

// A run that leaves before may have arranged it.
func PV3e_leavesBefore(ctx context.Context) {
	s := &sprinter{}
	for i := range n {
		s.run(ctx, i)
		s.laps++ // race! s.laps
	}
}

type sprinter struct{ laps int }

func (s *sprinter) run(ctx context.Context, i int) {
	var stop func() bool
	over := make(chan struct{})
	if i > 1 {
		stop = context.AfterFunc(ctx, func() {
			s.laps-- // race! s.laps
			close(over)
		})
	}
	if i > 2 {
		return
	}
	if stop != nil && !stop() {
		<-over
	}
}
