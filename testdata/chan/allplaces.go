package channel

import "sync"

// Programs about channels of which readers take one place, and writers all.

// A board is read by who has a place, and written by who has all.
type board struct {
	sem chan struct{}
	mu  sync.Mutex
	n   int
}

func (b *board) read(f func()) {
	b.sem <- struct{}{}
	defer func() { <-b.sem }()
	f()
}

func (b *board) write(f func()) {
	b.mu.Lock()
	for range cap(b.sem) {
		b.sem <- struct{}{}
	}
	defer func() {
		for range cap(b.sem) {
			<-b.sem
		}
		b.mu.Unlock()
	}()
	f()
}

// AP1: one place, or all.
func AP1_oneOrAll() {
	b := &board{sem: make(chan struct{}, 4)}
	for range 3 {
		go b.write(func() { b.n++ }) // norace
	}
	for range 5 {
		go b.read(func() { _ = b.n }) // norace
	}
}

// AP1b: writers leave one place.
func AP1b_leavesOne() {
	sem, n := make(chan struct{}, 4), 0
	go func() {
		for range 3 {
			sem <- struct{}{}
		}
		n++ // race! n
		for range 3 {
			<-sem
		}
	}()
	for range 5 {
		go func() {
			sem <- struct{}{}
			_ = n // race! n
			<-sem
		}()
	}
}

// AP2: as many as the channel was made with, and readers in one function.
func AP2_asManyAsMade(readers, width int) {
	sem := make(chan struct{}, width)
	n := 0
	go func() {
		for i := 0; i < width; i++ {
			sem <- struct{}{}
		}
		n++ // norace
		for i := 0; i < width; i++ {
			<-sem
		}
	}()
	for range readers {
		go func() {
			select {
			case sem <- struct{}{}:
			}
			_ = n // norace
			<-sem
		}()
	}
}

// AP2b: who finds no place looks all the same.
func AP2b_looksAnyway(readers, width int) {
	sem := make(chan struct{}, width)
	n := 0
	go func() {
		for i := 0; i < width; i++ {
			sem <- struct{}{}
		}
		n++ // race! n
		for i := 0; i < width; i++ {
			<-sem
		}
	}()
	for range readers {
		go func() {
			select {
			case sem <- struct{}{}:
			default:
			}
			_ = n // race! n
		}()
	}
}

// AP3b: the place is given back before the look.
func AP3b_givenBackEarly() {
	sem, n := make(chan struct{}, 4), 0
	go func() {
		for range cap(sem) {
			sem <- struct{}{}
		}
		n++ // race! n
		for range cap(sem) {
			<-sem
		}
	}()
	for range 5 {
		go func() {
			sem <- struct{}{}
			<-sem
			_ = n // race! n
		}()
	}
}

// AP4b: all places are given back before the last write.
func AP4b_writesAfterwards() {
	sem, n := make(chan struct{}, 4), 0
	go func() {
		for range cap(sem) {
			sem <- struct{}{}
		}
		for range cap(sem) {
			<-sem
		}
		n++ // race! n
	}()
	for range 5 {
		go func() {
			sem <- struct{}{}
			_ = n // race! n
			<-sem
		}()
	}
}

// AP5b: some rounds take nothing.
func AP5b_skipsRounds(used []bool) {
	sem, n := make(chan struct{}, 4), 0
	go func() {
		for i := range cap(sem) {
			if !used[i] {
				continue
			}
			sem <- struct{}{}
		}
		n++ // race! n
	}()
	for range 5 {
		go func() {
			sem <- struct{}{}
			_ = n // race! n
			<-sem
		}()
	}
}

// AP6b: a round may give a place back again.
func AP6b_givesBackMeanwhile(used []bool) {
	sem, n := make(chan struct{}, 4), 0
	go func() {
		for i := range cap(sem) {
			sem <- struct{}{}
			if used[i] {
				release(sem)
			}
		}
		n++ // race! n
	}()
	for range 5 {
		go func() {
			sem <- struct{}{}
			_ = n // race! n
			<-sem
		}()
	}
}

func release(sem chan struct{}) { <-sem }

// AP7b: somebody gives back what he does not have.
func AP7b_givesBackTwice() {
	sem, n := make(chan struct{}, 4), 0
	go func() {
		for range cap(sem) {
			sem <- struct{}{}
		}
		n++ // race! n
		for range cap(sem) {
			<-sem
		}
	}()
	for range 5 {
		go func() {
			sem <- struct{}{}
			_ = n // race! n
			<-sem
			<-sem
		}()
	}
}

// AP8b: who has taken a few gives all back.
func AP8b_givesAllBack(few int) {
	sem, n := make(chan struct{}, 4), 0
	go func() {
		for range cap(sem) {
			sem <- struct{}{}
		}
		n++ // race! n
		for range cap(sem) {
			<-sem
		}
	}()
	for range 5 {
		go func() {
			for range few {
				sem <- struct{}{}
			}
			for range cap(sem) {
				<-sem
			}
		}()
		go func() {
			sem <- struct{}{}
			_ = n // race! n
			<-sem
		}()
	}
}

// AP9b: each has a channel of its own.
func AP9b_ownChannels() {
	n := 0
	for range 5 {
		sem := make(chan struct{}, 4)
		go func() {
			for range cap(sem) {
				sem <- struct{}{}
			}
			n++ // race! n
			for range cap(sem) {
				<-sem
			}
		}()
		go func() {
			sem <- struct{}{}
			_ = n // race! n
			<-sem
		}()
	}
}

// AP10: who has all excludes who has all.
func AP10_twoWriters() {
	sem := make(chan struct{}, 4)
	n := 0
	for range 2 {
		go func() {
			for range cap(sem) {
				sem <- struct{}{}
			}
			n++ // norace
			for range cap(sem) {
				<-sem
			}
		}()
	}
}

// AP10b: if there are any places.
func AP10b_perhapsNone(width int) {
	sem := make(chan struct{}, width)
	n := 0
	for range 2 {
		go func() {
			for range cap(sem) {
				sem <- struct{}{}
			}
			n++ // race! n
			for range cap(sem) {
				<-sem
			}
		}()
	}
}

// AP11b: the loop may be left before all are taken.
func AP11b_leftEarly(stop func() bool) {
	sem, n := make(chan struct{}, 4), 0
	go func() {
		for range cap(sem) {
			if stop() {
				break
			}
			sem <- struct{}{}
		}
		n++ // race! n
	}()
	for range 5 {
		go func() {
			sem <- struct{}{}
			_ = n // race! n
			<-sem
		}()
	}
}

// AP12b: each run of the function makes a channel.
func AP12b_oneForEachRun(runs int) {
	n := 0
	for range runs {
		begin(&n)
	}
}

func begin(n *int) {
	sem := make(chan struct{}, 4)
	for range 2 {
		go func() {
			for range cap(sem) {
				sem <- struct{}{}
			}
			*n++ // race! n
			for range cap(sem) {
				<-sem
			}
		}()
	}
}
