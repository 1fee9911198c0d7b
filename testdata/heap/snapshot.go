package heap

import "sync"

// The slice is handed out as it is, and read without the lock.
func SN1_shallowSnapshot() {
	l := &daybook{}
	for i := range n {
		l.set(i)
	}
	done := make(chan bool)
	go func() {
		for i := range 10 * n {
			l.set(i)
		}
		done <- true
	}()
	for range n {
		for _, v := range l.snapshot() { // race! rows[*]
			_ = v
		}
	}
	<-done
}

type daybook struct {
	mu   sync.Mutex
	rows []int
}

func (l *daybook) set(i int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.rows) < n {
		l.rows = append(l.rows, i)
	}
	l.rows[0] = i // race! rows[*]
}

func (l *daybook) snapshot() []int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.rows
}
