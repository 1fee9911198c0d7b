package lock

import (
	"sync"
	"sync/atomic"
)

// RC1: the last who has an object clears it; all others have used it before they gave it back.
func RC1_lastClears() {
	m := newCountedMessage()
	m.take()
	for range n {
		m.take()
		go func() {
			if m.text != "" { // norace
				m.giveBack()
				return
			}
			m.giveBack()
		}()
	}
	m.giveBack()
}

// RC1a: all who use it have a reference, which is taken for them.
func RC1a_takenForThem() {
	m := newCountedMessage()
	for range n {
		m.take()
		go func() {
			useCount(len(m.text)) // norace
			m.giveBack()
		}()
	}
}

// RC1b: one has no reference.
func RC1b_noReference() {
	m := newCountedMessage()
	for range n {
		m.take()
		go m.giveBack()
	}
	go func() {
		useCount(len(m.text)) // race! m.text
	}()
}

// RC1c: it is used after it was given back.
func RC1c_usedAfter() {
	m := newCountedMessage()
	for range n {
		m.take()
		go func() {
			m.giveBack()
			useCount(len(m.text)) // race! m.text
		}()
	}
}

type countedMessage struct {
	refs atomic.Int32
	text string
	part *countedPart
}

type countedPart struct{ n int }

func newCountedMessage() *countedMessage { return &countedMessage{part: &countedPart{}} }

func (m *countedMessage) take() { m.refs.Add(1) }

func (m *countedMessage) giveBack() {
	if m.refs.Add(-1) == 0 {
		m.text = "" // race! m.text
	}
}

// RC2: the same with an unsigned count, and what the object alone has.
func RC2_unsigned() {
	b := &countedBlock{part: &countedPart{}}
	var wg sync.WaitGroup
	for range n {
		atomic.AddUint32(&b.refs, 1)
		wg.Go(func() {
			defer b.release()
			useCount(b.part.n) // norace
		})
	}
	wg.Wait()
}

// RC2b: who is not the last writes, too.
func RC2b_notTheLast() {
	b := &countedBlock{part: &countedPart{}}
	for range n {
		atomic.AddUint32(&b.refs, 1)
		go func() {
			defer b.release()
			b.size++ // race! b.size
		}()
	}
}

type countedBlock struct {
	refs uint32
	size int
	part *countedPart
}

func (b *countedBlock) release() {
	if left := atomic.AddUint32(&b.refs, ^uint32(0)); left > 0 {
		return
	}
	b.clear()
}

func (b *countedBlock) clear() {
	b.part.n = 0 // race! p.n
	b.size = 0
}

// RC3: what is not there for the object alone is not the last one's.
func RC3_commonPart() {
	p := &countedPart{}
	for range n {
		b := &countedBlock{part: p}
		b.refs = 1
		for range n {
			atomic.AddUint32(&b.refs, 1)
			go func() {
				useCount(p.n) // race! p.n
				b.release()
			}()
		}
		b.release()
	}
}

// RC4: a count that only goes down has no references to take.
func RC4_countdown() {
	c := &countedDown{left: n}
	for range n {
		go func() {
			if atomic.AddInt32(&c.left, -1) == 0 {
				c.sum = 0 // race! c.sum
			}
		}()
	}
	useCount(c.sum) // race! c.sum
}

type countedDown struct {
	left int32
	sum  int
}

func useCount(int) {}
