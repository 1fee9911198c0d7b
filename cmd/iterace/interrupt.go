package main

import (
	"fmt"
	"io"
	"os"
	"os/signal"
	"sync"
	"syscall"
)

// interrupts ends the process when it is told to while an analysis lasts, and says
// how far that has come. Nothing has been written then: reports and baselines are
// when the analysis is over, and the cache renames whole files into place.
type interrupts struct {
	signals chan os.Signal

	mu          sync.Mutex
	phase       string // the latest update
	done, total int
}

// watchInterrupts begins to watch. The message comes after clean, which takes the
// progress bar away.
func watchInterrupts(stderr io.Writer, clean func()) *interrupts {
	in := &interrupts{signals: make(chan os.Signal, 1)}
	signal.Notify(in.signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		if _, ok := <-in.signals; ok {
			// A second signal finds no handler and ends the process as it is.
			signal.Stop(in.signals)
			clean()
			fmt.Fprintf(stderr, "iterace: %s\n", in.message())
			os.Exit(exitError)
		}
	}()
	return in
}

// update is analyzer.Config.Progress.
func (in *interrupts) update(phase string, done, total int) {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.phase, in.done, in.total = phase, done, total
}

func (in *interrupts) message() string {
	in.mu.Lock()
	defer in.mu.Unlock()
	if in.phase == "" || in.phase == "packages" && in.done == in.total {
		return "interrupted before the first loop: nothing is reported"
	}
	return fmt.Sprintf("interrupted when %d of %d %s were done: nothing is reported", in.done, in.total, in.phase)
}

// stop ends the watch: a signal ends the process as it does without one.
func (in *interrupts) stop() {
	signal.Stop(in.signals)
	close(in.signals)
}
