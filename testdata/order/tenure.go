package order

import (
	"runtime"
	"sync"
)

// buffer is taken out of a pool, kept in memory of the iteration, and put back
// by its own method.
type buffer struct {
	n    int
	data []int
}

var buffers = sync.Pool{New: func() any { return &buffer{} }}

type chorer interface {
	run(k int)
	close()
}

func (b *buffer) run(k int) {
	b.n++                      // assumed _.n
	b.data = append(b.data, k) // assumed _.data
	b.data[len(b.data)-1] = b.n
}

func (b *buffer) close() {
	b.n = 0
	b.data = b.data[:0]
	buffers.Put(b)
}

func newChorer() chorer { return buffers.Get().(*buffer) }

type chores struct{ first, second chorer }

func newChores() chores { return chores{newChorer(), newChorer()} }

func (p *chores) close() {
	p.first.close()
	p.second.close()
}

// The objects are in a struct of the iteration's until they are put back.
func B24_keptInStruct() {
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			p := newChores()
			defer p.close()
			p.first.run(i)
			p.second.run(i)
		})
	}
	wg.Wait()
}

type boxHolder struct{ c *counterBox }

// The object is used after it was put back.
func B24_usedAfterPut() {
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			h := boxHolder{newBox()}
			h.c.close()
			h.c.inflate() // race! _.n
		})
	}
	wg.Wait()
}

// counterBox has methods of its own, so that what is expected of it differs.
type counterBox struct{ n int }

func (c *counterBox) inflate() { c.n++ } // race! _.n
func (c *counterBox) close()   { boxes.Put(c) }

var boxes = sync.Pool{New: func() any { return &counterBox{} }}

func newBox() *counterBox { return boxes.Get().(*counterBox) }

type ledger struct{ n int }

var ledgers = sync.Pool{New: func() any { return &ledger{} }}

func getLedger() *ledger  { return ledgers.Get().(*ledger) }
func putLedger(l *ledger) { ledgers.Put(l) }

var lastLedger struct {
	sync.Mutex
	l *ledger
}

// Another iteration finds the object in shared memory.
func B24_alsoRegistered() {
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			l := getLedger()
			lastLedger.Lock()
			if lastLedger.l != nil {
				lastLedger.l.n++ // race! _.n
			}
			lastLedger.l = l
			lastLedger.Unlock()
			l.n++ // race! _.n
			putLedger(l)
		})
	}
	wg.Wait()
}

type page struct{ words []int }

var pages = sync.Pool{New: func() any { return &page{words: make([]int, 8)} }}

func getPage() *page  { return pages.Get().(*page) }
func putPage(p *page) { pages.Put(p) }

// A goroutine reads what the object refers to when it was put back.
func B24_partsUsedAfterPut() {
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			h := struct{ p *page }{getPage()}
			h.p.words[0] = i // race! _[*]
			words := h.p.words
			wg.Go(func() {
				_ = words[0] // race! _[*]
			})
			putPage(h.p)
		})
	}
	wg.Wait()
}

// The object is put back twice.
func B24_putTwice() {
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			s := getSlot()
			s.release() // race! _.n
			s.release() // race! _.n
		})
	}
	wg.Wait()
}

type slot struct{ n int }

var slots = sync.Pool{New: func() any { return &slot{} }}

func getSlot() *slot { return slots.Get().(*slot) }

func (s *slot) release() {
	s.n = 0 // race! _.n
	slots.Put(s)
}

type cell struct{ n int }

var cells = sync.Pool{New: func() any { return &cell{} }}

func getCell() *cell { return cells.Get().(*cell) }

// The holders are shared, and each iteration finds there what the one before
// it got.
func B24_sharedHolder() {
	var mu sync.Mutex
	holder := struct{ c *cell }{getCell()}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			mu.Lock()
			old := holder.c
			holder.c = getCell() // norace
			now := holder.c
			mu.Unlock()
			old.n++ // race! _.n
			now.n++ // race! _.n
		})
	}
	wg.Wait()
}

type stamped struct{ n int }

var stampPool = sync.Pool{New: func() any { return &stamped{} }}

func getStamped() *stamped { return stampPool.Get().(*stamped) }

func (s *stamped) release() { stampPool.Put(s) }

// What is kept in memory is replaced by another object from the pool, and the
// old one, which was put back, is used again.
func B24_oldOneAfterPut() {
	var wg sync.WaitGroup
	for range 40 {
		wg.Go(func() {
			h := struct{ s, old *stamped }{s: getStamped()}
			h.old = h.s
			h.s.release()
			runtime.Gosched()
			h.s = getStamped()
			h.old.n++ // race! _.n
			h.s.release()
		})
	}
	wg.Wait()
}

// The struct is made anew in each round, and so is what it holds.
func B24_keptInLoop() {
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			for range 3 {
				p := newChores()
				p.second.run(i)
				p.close()
			}
		})
	}
	wg.Wait()
}

// What was put back in the round before is still at hand.
func B24_ofRoundBefore() {
	var wg sync.WaitGroup
	for range 40 {
		wg.Go(func() {
			var last *stamped
			for range 3 {
				s := getStamped()
				if last != nil {
					last.n++ // race! _.n
				}
				last = s
				s.release()
				runtime.Gosched()
			}
		})
	}
	wg.Wait()
}

// That of the round before is put back when there is a new one.
func B24_putBackInNextRound() {
	var wg sync.WaitGroup
	for i := range 40 {
		wg.Go(func() {
			var last *stamped
			for range 3 {
				s := getStamped()
				s.n = i // norace
				if last != nil {
					last.n++ // norace
					last.release()
				}
				last = s
			}
			last.release()
		})
	}
	wg.Wait()
}

// That of the round before is passed on, unless it was put back in its round.
func B24_putBackInEither() {
	var wg sync.WaitGroup
	for i := range 40 {
		wg.Go(func() {
			var last *stamped
			for k := range 9 {
				s := getStamped()
				s.n = i // race _.n; which way control took before the next round is not followed
				if last != nil {
					last.n++ // race _.n; which way control took before the next round is not followed
					last.release()
				}
				if k%3 == 0 {
					s.release()
					last = nil
				} else {
					last = s
				}
			}
		})
	}
	wg.Wait()
}

// The object of the round before is still at hand when there is a new one.
func B24_keptFromRoundBefore() {
	var wg sync.WaitGroup
	for range 40 {
		wg.Go(func() {
			var last *stamped
			for range 3 {
				h := struct{ s *stamped }{getStamped()}
				if last != nil {
					last.n++ // race! _.n
				}
				last = h.s
				h.s.release()
				runtime.Gosched()
			}
		})
	}
	wg.Wait()
}
