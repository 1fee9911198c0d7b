package fp

import "sync"

// Causes of false alarms on modules that had not been seen, a seventh time.

// FP_lentThroughStages: a method holds a lock while its goroutines work, and leaves when the
// last of three stages is over, which ends when the first has. A lock is lent to goroutines
// whose starter waits for them by a group or a channel of theirs; that to wait for those who
// read a channel to its end is to wait for who closes it is not known.
func FP_lentThroughStages() {
	f := &stagedFile{handle: "x"}
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() { f.readAll(make([]byte, 100)) })
	}
	f.close()
	wg.Wait()
}

type stagedFile struct {
	mu     sync.RWMutex
	handle string
}

func (f *stagedFile) close() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.handle = "" // race f.handle; see FP_lentThroughStages
}

func (f *stagedFile) readAll(b []byte) {
	f.mu.RLock()
	defer f.mu.RUnlock()
	type part struct {
		handle string
		to     []byte
	}
	parts := make(chan part)
	go func() {
		defer close(parts)
		for len(b) > 0 {
			to := b
			if len(to) > 8 {
				to = to[:8]
			}
			parts <- part{f.handle, to} // race f.handle; see FP_lentThroughStages
			b = b[len(to):]
		}
	}()
	failed := make(chan int)
	var wg sync.WaitGroup
	wg.Add(4)
	for range 4 {
		go func() {
			defer wg.Done()
			for p := range parts {
				copy(p.to, p.handle)
			}
		}()
	}
	go func() {
		wg.Wait()
		close(failed)
	}()
	for range failed {
	}
}
