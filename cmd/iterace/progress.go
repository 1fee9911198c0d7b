package main

import (
	"os"
	"sync"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
)

// progressDelay is how long a run lasts before a bar is worth the flicker.
const progressDelay = 1500 * time.Millisecond

// A progress shows a bar on a terminal while a long run lasts. On anything but
// a terminal it does nothing.
type progress struct {
	out   *os.File // nil if there is nothing to show
	timer *time.Timer

	mu          sync.Mutex // the analysis calls update from many goroutines
	phase       string     // the latest update
	done, total int
	all         *mpb.Progress // nil before progressDelay and after stop
	stopped     bool
	bar         *mpb.Bar
	shown       string // phase that bar is for
}

func newProgress(out *os.File) *progress {
	p := &progress{}
	if isTerminal(out) {
		p.out = out
		p.timer = time.AfterFunc(progressDelay, p.start)
	}
	return p
}

// start begins to show what update says.
func (p *progress) start() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.stopped {
		return
	}
	p.all = mpb.New(mpb.WithOutput(p.out), mpb.WithWidth(30))
	p.draw()
}

// update is analyzer.Config.Progress.
func (p *progress) update(phase string, done, total int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.phase, p.done, p.total = phase, done, total
	p.draw()
}

// draw brings the bar up to date; the caller holds p.mu.
func (p *progress) draw() {
	if p.all == nil || p.phase == "" {
		return
	}
	if p.shown != p.phase {
		p.drop()
		p.shown = p.phase
		p.bar = p.all.AddBar(int64(p.total),
			mpb.PrependDecorators(decor.Name(p.phase, decor.WCSyncSpaceR)),
			mpb.AppendDecorators(decor.CountersNoUnit("%d / %d")))
	}
	p.bar.SetTotal(int64(p.total), false)
	p.bar.SetCurrent(int64(p.done))
}

// drop removes the bar of the phase that is over; the caller holds p.mu.
func (p *progress) drop() {
	if p.bar != nil {
		p.bar.Abort(true)
		p.bar = nil
	}
}

// stop removes the bar. What is printed next starts on a clean line.
func (p *progress) stop() {
	if p.out == nil {
		return
	}
	p.timer.Stop() // it may have fired, and start be waiting for the lock
	p.mu.Lock()
	defer p.mu.Unlock()
	p.stopped = true
	p.drop()
	if p.all != nil {
		p.all.Wait()
		p.all = nil
	}
}
