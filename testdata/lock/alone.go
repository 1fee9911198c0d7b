package lock

import "sync"

// A function that locks only where its caller has not, and releases by a deferred
// call what it has locked, leaves the caller the lock.
func AL1_lockedIfAlone() {
	l := &line{}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			if i > 3 {
				l.add(true)
				return
			}
			l.mu.Lock()
			defer l.mu.Unlock()
			l.add(false)
			l.m++ // norace
		})
	}
	wg.Wait()
}

type line struct {
	mu sync.Mutex
	n  int
	m  int
}

func (l *line) add(alone bool) {
	if alone {
		l.mu.Lock()
		defer l.mu.Unlock()
	}
	l.n++ // norace
}

// The deferred release is of what the caller has locked.
func AL2_releasedForCaller() {
	l := &line{}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			l.mu.Lock()
			l.drop(i > 3)
			l.m++ // race! l.m
			if i <= 3 {
				l.mu.Unlock()
			}
		})
	}
	wg.Wait()
}

func (l *line) drop(last bool) {
	if last {
		defer l.mu.Unlock()
	}
	l.n++ // norace
}

// The release that is deferred is of what was locked for the caller again.
func AL3_lockedAgain() {
	l := &line{}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			l.mu.Lock()
			l.turn(i > 3)
			l.m++ // race! l.m
			if i <= 3 {
				l.mu.Unlock()
			}
		})
	}
	wg.Wait()
}

func (l *line) turn(last bool) {
	if last {
		l.mu.Unlock()
		l.mu.Lock()
		defer l.mu.Unlock()
	}
	l.n++ // norace
}
