package lock

import (
	"errors"
	"sync"
)

// A package variable says which of two locks is taken.
func WH1_eitherLock() {
	t := &either{}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			t.mu.Lock()
			t.sum += i // norace
			t.mu.Unlock()
		})
		wg.Go(func() {
			t.mu.RLock()
			defer t.mu.RUnlock()
			println(t.sum) // norace
		})
	}
	wg.Wait()
}

var noShared bool

func allowShared() { noShared = false }

type either struct {
	mu  eitherMutex
	sum int
}

type eitherMutex struct {
	one sync.Mutex
	rw  sync.RWMutex
}

func (m *eitherMutex) Lock() {
	if noShared {
		m.one.Lock()
	} else {
		m.rw.Lock()
	}
}

func (m *eitherMutex) Unlock() {
	if noShared {
		m.one.Unlock()
	} else {
		m.rw.Unlock()
	}
}

func (m *eitherMutex) RLock() {
	if noShared {
		m.one.Lock()
	} else {
		m.rw.RLock()
	}
}

func (m *eitherMutex) RUnlock() {
	if noShared {
		m.one.Unlock()
	} else {
		m.rw.RUnlock()
	}
}

// Two readers write.
func WH1b_readersWrite() {
	t := &either{}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			t.mu.RLock()
			t.sum += i // race! t.sum
			t.mu.RUnlock()
		})
	}
	wg.Wait()
}

// The variable is set while they run.
func WH1c_changedMeanwhile() {
	c := &changing{}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			if i == 3 {
				c.own = true // race! c.own
			}
			if c.own { // race! c.own
				c.one.Lock()
			} else {
				c.two.Lock()
			}
			c.sum += i // race! c.sum
			if c.own { // race! c.own
				c.one.Unlock()
			} else {
				c.two.Unlock()
			}
		})
	}
	wg.Wait()
}

type changing struct {
	one, two sync.Mutex
	own      bool
	sum      int
}

// Two variables say so.
func WH1d_otherVariable() {
	c := &twoSwitches{a: n > 3, b: n < 3}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			if i%2 == 0 {
				if c.a {
					c.mu.Lock()
					defer c.mu.Unlock()
				}
				c.sum += i // race! c.sum
				return
			}
			if c.b {
				c.mu.Lock()
				defer c.mu.Unlock()
			}
			c.sum += i // race! c.sum
		})
	}
	wg.Wait()
}

type twoSwitches struct {
	mu   sync.Mutex
	a, b bool
	sum  int
}

// The lock is left out where a field says so.
func WH2_leftOut(safe bool) {
	c := &switched{safe: safe}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { c.add(i) })
		wg.Go(func() { println(c.get()) })
	}
	wg.Wait()
}

type switched struct {
	mu   sync.Mutex
	safe bool
	sum  int
}

func (c *switched) add(i int) {
	if c.safe {
		c.mu.Lock()
		defer c.mu.Unlock()
	}
	c.sum += i // assumed c.sum
}

func (c *switched) get() int {
	if c.safe {
		c.mu.Lock()
		defer c.mu.Unlock()
	}
	return c.sum // assumed c.sum
}

// One of them does not ask.
func WH2b_notAsked() {
	c := &switchedOnce{safe: true}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { c.add(i) })
		wg.Go(func() {
			println(c.sum) // race! c.sum
		})
	}
	wg.Wait()
}

type switchedOnce struct {
	mu   sync.Mutex
	safe bool
	sum  int
}

func (c *switchedOnce) add(i int) {
	if c.safe {
		c.mu.Lock()
		defer c.mu.Unlock()
	}
	c.sum += i // race! c.sum
}

// It is taken for one value here, and for the other there.
func WH2c_contrary() {
	c := &contrarily{safe: n > 3}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			if i%2 == 0 {
				if c.safe {
					c.mu.Lock()
					defer c.mu.Unlock()
				}
				c.sum += i // race! c.sum
				return
			}
			if !c.safe {
				c.mu.Lock()
				defer c.mu.Unlock()
			}
			c.sum += i // race! c.sum
		})
	}
	wg.Wait()
}

type contrarily struct {
	mu   sync.Mutex
	safe bool
	sum  int
}

// The lock may be nil.
func WH3_lockOrNil(mu *sync.Mutex) {
	l := &maybeLocked{mu: mu}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { l.add(i) })
	}
	wg.Wait()
}

type maybeLocked struct {
	mu  *sync.Mutex
	sum int
}

func (l *maybeLocked) add(i int) {
	if l.mu != nil {
		l.mu.Lock()
	}
	l.sum += i // assumed l.sum
	if l.mu != nil {
		l.mu.Unlock()
	}
}

// The function that locks returns what unlocks, or what does nothing.
func WH4_unlocker(pending []int) {
	l := &unlockedLog{pending: pending}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { l.add(i) })
	}
	wg.Wait()
}

type unlockedLog struct {
	mu      sync.Mutex
	pending []int
	sum     int
}

func (l *unlockedLog) lock() func() {
	if l.pending == nil {
		return func() {}
	}
	l.mu.Lock()
	return l.mu.Unlock
}

func (l *unlockedLog) add(i int) {
	defer l.lock()()
	l.sum += i // assumed l.sum
}

// It is given back before, where it was taken.
func WH4b_givenBack() {
	c := &givenBack{safe: true}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			if c.safe {
				c.mu.Lock()
			}
			println(i)
			if c.safe {
				c.mu.Unlock()
			}
			c.sum += i // race! c.sum
		})
	}
	wg.Wait()
}

type givenBack struct {
	mu   sync.Mutex
	safe bool
	sum  int
}

// WH5: a variable says whether the lock is for writing, and for whom it is not, writes
// nothing.
func WH5_forWriting() {
	db := &modalDB{}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			tx, err := db.begin(i > 3)
			if err != nil {
				return
			}
			if tx.writable {
				tx.db.sum++ // norace
			}
			tx.end()
		})
	}
	wg.Wait()
}

// WH5a: it is not asked again what the variable says.
func WH5a_forWritingAssumed() {
	db := &modalDB{}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			tx, err := db.begin(i > 3)
			if err != nil {
				return
			}
			tx.db.other += i // assumed tx.db.other
			tx.end()
		})
	}
	wg.Wait()
}

type modalDB struct {
	mu         sync.RWMutex
	closed     bool
	sum, other int
	late       int
}

type modalTx struct {
	db       *modalDB
	writable bool
}

func (db *modalDB) begin(writable bool) (*modalTx, error) {
	tx := &modalTx{db, writable}
	tx.lock()
	if db.closed {
		tx.end()
		return nil, errModalClosed
	}
	return tx, nil
}

func (tx *modalTx) lock() {
	if tx.writable {
		tx.db.mu.Lock()
	} else {
		tx.db.mu.RLock()
	}
}

func (tx *modalTx) end() {
	if tx.writable {
		tx.db.mu.Unlock()
	} else {
		tx.db.mu.RUnlock()
	}
}

var errModalClosed = errors.New("closed")

// WH5b: it is written after the lock is given back.
func WH5b_afterModalLock() {
	db := &modalDB{}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			tx, err := db.begin(i > 3)
			if err != nil {
				return
			}
			tx.end()
			tx.db.late += i // race! tx.db.late
		})
	}
	wg.Wait()
}

// WH5c: it is written where the variable says that the lock is for reading.
func WH5c_writtenByReader(exclusive bool) {
	c := &byReader{exclusive: exclusive}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			if c.exclusive {
				c.mu.Lock()
			} else {
				c.mu.RLock()
			}
			if !c.exclusive {
				c.sum += i // race! c.sum
			} else {
				c.other += i // norace
			}
			if c.exclusive {
				c.mu.Unlock()
			} else {
				c.mu.RUnlock()
			}
		})
	}
	wg.Wait()
}

type byReader struct {
	mu         sync.RWMutex
	exclusive  bool
	sum, other int
}

// A parameter says whether the caller has the lock: true of those who have it.
func WH6_toldByParameter() {
	r := &toldRing{}
	go r.close()
	r.reset()
}

type toldRing struct {
	mu  sync.Mutex
	err int
}

func (r *toldRing) setErr(err int, locked bool) {
	if !locked {
		r.mu.Lock()
		defer r.mu.Unlock()
	}
	if r.err == 0 { // norace
		r.err = err // norace
	}
}

func (r *toldRing) close() { r.setErr(1, false) }

func (r *toldRing) reset() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.setErr(2, true)
	r.err = 0 // norace
}

// One of them has not.
func WH6a_toldWrongly() {
	r := &toldRing2{}
	go r.close()
	r.reset()
}

type toldRing2 struct {
	mu  sync.Mutex
	err int
}

func (r *toldRing2) setErr(err int, locked bool) {
	if !locked {
		r.mu.Lock()
		defer r.mu.Unlock()
	}
	r.err = err // race! r.err
}

func (r *toldRing2) close() { r.setErr(1, false) }

func (r *toldRing2) reset() { r.setErr(2, true) }

// What is passed is no constant.
func WH6b_toldByVariable(locked bool) {
	r := &toldRing3{}
	go r.close(locked)
	r.mu.Lock()
	r.err = 0 // race! r.err
	r.mu.Unlock()
}

type toldRing3 struct {
	mu  sync.Mutex
	err int
}

func (r *toldRing3) setErr(err int, locked bool) {
	if !locked {
		r.mu.Lock()
		defer r.mu.Unlock()
	}
	r.err = err // race! r.err
}

func (r *toldRing3) close(locked bool) { r.setErr(1, locked) }

// A loop passes now one and now the other constant.
func WH6c_toldBoth() {
	r := &toldRing4{}
	go func() {
		r.setErr(1, false)
		r.setErr(1, true)
	}()
	r.mu.Lock()
	r.err = 0 // race! r.err
	r.mu.Unlock()
}

type toldRing4 struct {
	mu  sync.Mutex
	err int
}

func (r *toldRing4) setErr(err int, locked bool) {
	if !locked {
		r.mu.Lock()
		defer r.mu.Unlock()
	}
	r.err = err // race! r.err
}

// For what it is taken.
func WH7_modeByParameter() {
	r := &toldModes{}
	go r.touch(true)
	r.touch(false)
}

type toldModes struct {
	mu sync.RWMutex
	n  int
}

func (r *toldModes) touch(write bool) {
	if write {
		r.mu.Lock()
		defer r.mu.Unlock()
	} else {
		r.mu.RLock()
		defer r.mu.RUnlock()
	}
	r.n++ // norace
}

// Both take it for reading.
func WH7a_readersByParameter() {
	r := &toldModes2{}
	go r.touch(false)
	r.touch(false)
}

type toldModes2 struct {
	mu sync.RWMutex
	n  int
}

func (r *toldModes2) touch(write bool) {
	if write {
		r.mu.Lock()
		defer r.mu.Unlock()
	} else {
		r.mu.RLock()
		defer r.mu.RUnlock()
	}
	r.n++ // race! r.n
}
