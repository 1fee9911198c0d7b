package lock

import "sync"

// crate keeps things in order, under its lock.
type crate struct {
	mu     sync.Mutex
	things []*int
	row    []byte
}

func (c *crate) give(p *int) {
	c.mu.Lock()
	c.things = append(c.things, p)
	c.mu.Unlock()
}

// clean moves what it does not take to the front, and reads what it takes by append.
func (c *crate) clean() {
	var taken []*int
	c.mu.Lock()
	things := c.things
	k := len(things) / 2
	taken = append(taken[:0], things[:k]...) // norace
	n := copy(things, things[k:])            // norace
	for i := n; i < len(things); i++ {
		things[i] = nil
	}
	c.things = things[:n]
	c.mu.Unlock()
	for _, p := range taken {
		println(p)
	}
}

func newCrate() *crate { return &crate{things: make([]*int, 2, 8), row: make([]byte, 8)} }

// What append and copy read is guarded like what they write.
func PT1_readByAppend() {
	x, y := newCrate(), newCrate()
	for range 2 {
		for _, c := range []*crate{x, y} {
			go c.clean()
			c.give(new(int))
		}
	}
}

func (c *crate) write(k int, data []byte) {
	c.mu.Lock()
	c.row = append(c.row[:k], data...) // norace
	part := c.row[k:]
	part[0]++             // norace
	copy(c.row[k:], data) // norace
	c.mu.Unlock()
}

// A part of an array is guarded like the array.
func PT2_part() {
	x, y := newCrate(), newCrate()
	for i := range 3 {
		for _, c := range []*crate{x, y} {
			go c.write(i, []byte{1})
		}
	}
}

// The part is used once the lock is gone.
func PT2b_partKept(c *crate) {
	for range 3 {
		go func() {
			c.mu.Lock()
			part := c.row[1:]
			c.mu.Unlock()
			part[0]++ // race! c.row[*]
		}()
	}
}

// It is read without the lock.
func PT1b_readUnlocked(c *crate) {
	for range 2 {
		go func() {
			var taken []*int
			taken = append(taken, c.things...) // race! c.things[*]
			println(len(taken))
		}()
	}
	c.mu.Lock()
	copy(c.things, c.things[1:]) // race! c.things[*]
	c.mu.Unlock()
}

// What is copied is another's, and guarded by that other's lock.
func PT3_ofTwo(x, y *crate) {
	for range 2 {
		go func() {
			x.mu.Lock()
			y.things = append(x.things, nil) // race! x.things[*] y.things
			x.mu.Unlock()
		}()
		go func() {
			y.mu.Lock()
			copy(y.things[1:], y.things) // race! x.things[*] y.things
			y.mu.Unlock()
		}()
	}
}

// shelf has a lock for each row.
type shelf struct {
	mu   [8]sync.Mutex
	rows []int
}

// Each locks one row, and begins to count in another one.
func PT4_lockOfIndex(s *shelf) {
	for i := range 4 {
		go func() {
			s.mu[i].Lock()
			s.rows[i]++ // race! s.rows[*]
			s.mu[i].Unlock()
			s.mu[i].Lock()
			part := s.rows[i:]
			part[i]++ // race! s.rows[*]
			s.mu[i].Unlock()
		}()
	}
}

// Who sets one row has its lock, as who goes through all of them has, one after the other.
func PT5_lockOfRow(s *shelves, k uint64) {
	go s.put(k, 1)
	s.clear()
}

// Here he has that of the next row.
func PT5b_lockOfNextRow(s *shelves, k uint64) {
	at := k & 7
	go func() {
		s.mu[at].Lock()
		s.other[at] = 1 // race! s.other[*]
		s.mu[at].Unlock()
	}()
	for i := range s.other {
		s.mu[i+1].Lock()
		s.other[i] = 0 // race! s.other[*]
		s.mu[i+1].Unlock()
	}
}

// shelves has a lock for each row, and one more.
type shelves struct {
	mu    [9]sync.Mutex
	rows  [8]shelfRow
	other [8]int
	marks [8]rowMark
}

type shelfRow struct{ n, worn int }

func (r *shelfRow) set(n int) {
	r.n = n // norace
	r.wear()
}

// wear is called on two ways, both with the row's lock.
func (r *shelfRow) wear() { r.worn++ } // norace

func (s *shelves) put(k uint64, n int) {
	at := k & 7
	s.mu[at].Lock()
	s.rows[at].set(n)
	s.rows[at].wear()
	s.mu[at].Unlock()
}

func (s *shelves) clear() {
	for i := range s.rows {
		s.mu[i].Lock()
		s.rows[i].set(0)
		s.mu[i].Unlock()
	}
}

// PT5c_onOneWay has the row's lock on one of two ways only.
func PT5c_onOneWay(s *shelves, k uint64) {
	go s.mark(k)
	for i := range s.marks {
		s.mu[i].Lock()
		s.marks[i].set()
		s.mu[i].Unlock()
	}
}

func (s *shelves) mark(k uint64) {
	at := k & 7
	s.mu[at].Lock()
	s.marks[at].set()
	s.marks[(at+1)&7].set()
	s.mu[at].Unlock()
}

type rowMark struct{ n int }

func (m *rowMark) set() { m.n++ } // race! s.marks[*].n
