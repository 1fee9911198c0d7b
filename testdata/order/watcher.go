package order

import "sync"

type sensor struct {
	mu   sync.Mutex
	seen int
	hot  bool
}

type watcher struct {
	sensors []*sensor
	wg      sync.WaitGroup
}

// The watcher is started by a call, before the loop.
func WA1_startedFirst() {
	a, b := &sensor{}, &sensor{}
	w := &watcher{sensors: []*sensor{a, b}}
	w.watch()
	for _, s := range w.sensors {
		w.wg.Go(func() {
			for range n {
				s.beat()
			}
		})
	}
	w.wg.Wait()
}

func (s *sensor) beat() {
	s.mu.Lock()
	s.seen++ // race! _.seen
	s.mu.Unlock()
}

// watch looks without the lock.
func (w *watcher) watch() {
	w.wg.Add(1)
	go func() {
		defer w.wg.Done()
		for _, s := range w.sensors {
			if s.seen > 1 { // race! _.seen
				return
			}
		}
	}()
}

func (s *sensor) beatLocked() {
	s.mu.Lock()
	s.seen++ // norace
	s.mu.Unlock()
}

func (w *watcher) watchLocked() {
	w.wg.Add(1)
	go func() {
		defer w.wg.Done()
		for _, s := range w.sensors {
			s.mu.Lock()
			s.hot = s.seen > 1 // norace
			s.mu.Unlock()
		}
	}()
}

func WA1b_locked() {
	a, b := &sensor{}, &sensor{}
	w := &watcher{sensors: []*sensor{a, b}}
	w.watchLocked()
	for _, s := range w.sensors {
		w.wg.Go(func() {
			for range n {
				s.beatLocked()
			}
		})
	}
	w.wg.Wait()
}

// It is over before the loop begins.
func WA1c_watchedBefore() {
	a, b := &sensor{}, &sensor{}
	w := &watcher{sensors: []*sensor{a, b}}
	w.watchLocked()
	w.wg.Wait()
	for _, s := range w.sensors {
		w.wg.Go(func() {
			s.hot = true // norace
		})
	}
	w.wg.Wait()
}
