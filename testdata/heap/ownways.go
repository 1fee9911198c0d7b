package heap

import (
	"bytes"
	"sync"
)

// What several goroutines run is analysed once for all of them: how one of them comes by an
// object there is not how another does.

type sheaf struct {
	lines int
	buf   bytes.Buffer
}

func (s *sheaf) add(text string) {
	s.buf.WriteString(text)
	s.lines++
}

type baler struct {
	mu      sync.Mutex
	current *sheaf
	full    chan *sheaf
	free    chan *sheaf
	done    chan struct{}
	bytes   int
}

func newBaler() *baler {
	b := &baler{full: make(chan *sheaf, 3), free: make(chan *sheaf, 3), done: make(chan struct{})}
	for range 3 {
		b.free <- new(sheaf)
	}
	return b
}

func (b *baler) put(text string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.current == nil {
		b.current = <-b.free
	}
	b.current.add(text)
	if b.current.lines >= 16 {
		b.full <- b.current
		b.current = nil
	}
}

func (b *baler) fill() {
	var wg sync.WaitGroup
	for range 5 {
		wg.Go(func() {
			for range 100 {
				b.put("a")
			}
		})
	}
	wg.Wait()
	close(b.full)
	<-b.done
}

// OW1_recycled empties what it has got by a channel. Who fills a buffer may empty it, too, inside.
func OW1_recycled() {
	b := newBaler()
	go func() {
		defer close(b.done)
		for s := range b.full {
			b.bytes += len(s.buf.Bytes()) // norace
			s.lines = 0                   // norace
			s.buf.Reset()                 // norace
			b.free <- s
		}
	}()
	b.fill()
}

// OW1b_filledHere fills the current one, too, without the lock.
func OW1b_filledHere() {
	b := &binder{full: make(chan *bound, 3), done: make(chan struct{})}
	go func() {
		defer close(b.done)
		for s := range b.full {
			s.buf.Reset()                 // race s; who fills a buffer may empty it, too, inside, and has it by b.current
			if c := b.current; c != nil { // race! b.current
				c.buf.WriteString("b") // race! c
			}
		}
	}()
	var wg sync.WaitGroup
	for range 5 {
		wg.Go(func() { b.put("a") })
	}
	wg.Wait()
	close(b.full)
	<-b.done
}

type bound struct {
	lines int
	buf   bytes.Buffer
}

type binder struct {
	mu      sync.Mutex
	current *bound
	full    chan *bound
	done    chan struct{}
}

func (b *binder) put(text string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.current == nil {
		b.current = new(bound) // race! b.current
	}
	b.current.buf.WriteString(text) // race! _
	b.current.lines++
	if b.current.lines >= 16 {
		b.full <- b.current
		b.current = nil // race! b.current
	}
}
