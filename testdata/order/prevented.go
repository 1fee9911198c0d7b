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
