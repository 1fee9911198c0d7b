package channel

import (
	"context"
	"fmt"
	"sync"
)

// Methods that lock and unlock by a channel, of an object or of what is there for its lock alone.

// LM1: the object's own methods.
func LM1_ownMethods() {
	for range n {
		c := &lmCounter{busy: make(chan struct{}, 1)}
		var wg sync.WaitGroup
		for range n {
			wg.Go(func() { c.add() })
		}
		wg.Wait()
	}
}

type lmCounter struct {
	busy chan struct{}
	n    int
}

func (c *lmCounter) lock()   { c.busy <- struct{}{} }
func (c *lmCounter) unlock() { <-c.busy }

func (c *lmCounter) add() {
	c.lock()
	defer c.unlock()
	c.n++ // assumed c.n
}

// LM2: two locks, each an object of its own.
func LM2_ownObjects(ctx context.Context) {
	for range n {
		c := newLmConn()
		var wg sync.WaitGroup
		for range n {
			wg.Go(func() { c.write(ctx) })
			wg.Go(func() { c.read(ctx) })
		}
		wg.Wait()
	}
}

// lmMutex is a lock that may be waited for as long as a context allows.
type lmMutex struct {
	closed chan struct{}
	ch     chan struct{}
}

func newLmMutex(closed chan struct{}) *lmMutex {
	return &lmMutex{closed: closed, ch: make(chan struct{}, 1)}
}

func (m *lmMutex) lock(ctx context.Context) error {
	select {
	case <-m.closed:
		return fmt.Errorf("closed")
	case <-ctx.Done():
		return fmt.Errorf("not locked: %w", ctx.Err())
	case m.ch <- struct{}{}:
		select {
		case <-m.closed:
			m.unlock()
			return fmt.Errorf("closed")
		default:
		}
		return nil
	}
}

func (m *lmMutex) unlock() {
	select {
	case <-m.ch:
	default:
	}
}

type lmConn struct {
	reading, writing *lmMutex
	closed           chan struct{}
	in, out, all     int
	last             error
}

func newLmConn() *lmConn {
	c := &lmConn{closed: make(chan struct{})}
	c.reading, c.writing = newLmMutex(c.closed), newLmMutex(c.closed)
	return c
}

func (c *lmConn) write(ctx context.Context) (err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("write: %w", err)
		}
	}()
	err = c.writing.lock(ctx)
	if err != nil {
		c.last = err // race! c.last
		return err
	}
	defer c.writing.unlock()
	c.out++ // assumed c.out
	c.all++ // race! c.all; reading holds another lock
	return nil
}

func (c *lmConn) read(ctx context.Context) error {
	if err := c.reading.lock(ctx); err != nil {
		return err
	}
	defer c.reading.unlock()
	c.in++  // assumed c.in
	c.all++ // race! c.all
	return nil
}

// LM3: it is the other one's lock.
func LM3_anothersLock() {
	cs := []*lmPurse{newLmPurse()}
	for range n {
		cs = append(cs, newLmPurse())
	}
	for i := range n {
		go func() { cs[i].give(cs[i+1]) }()
		go func() { cs[i+1].give(cs[i]) }()
	}
}

type lmPurse struct {
	lk *lmMutex
	n  int
}

func newLmPurse() *lmPurse { return &lmPurse{lk: newLmMutex(nil)} }

func (c *lmPurse) give(to *lmPurse) {
	if c.lk.lock(context.Background()) == nil {
		to.n++ // race! to.n
		c.lk.unlock()
	}
}

// LM4: it gets another lock meanwhile.
func LM4_renewed() {
	for range n {
		c := newLmPurse()
		var wg sync.WaitGroup
		for range n {
			wg.Go(func() {
				c.renewed()
				c.lk = newLmMutex(nil) // race! c.lk
			})
		}
		wg.Wait()
	}
}

func (c *lmPurse) renewed() {
	lk := c.lk // race! c.lk
	if lk.lock(context.Background()) == nil {
		c.n++ // race! c.n
		lk.unlock()
	}
}

// LM5: one after the other.
func LM5_inTurn() {
	cs := []*lmPurse{newLmPurse()}
	for range n {
		cs = append(cs, newLmPurse())
	}
	for i := range n {
		go func() { cs[i].touchAndGive(cs[i+1]) }()
		go func() { cs[i+1].touchAndGive(cs[i]) }()
	}
}

func (c *lmPurse) touchAndGive(to *lmPurse) {
	if to.lk.lock(context.Background()) == nil {
		to.lk.unlock()
	}
	if c.lk.lock(context.Background()) == nil {
		to.n++ // race! to.n
		c.lk.unlock()
	}
}
