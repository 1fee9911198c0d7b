package index

import (
	"sync"
	"sync/atomic"
)

// What the spawner does when it has left the loop that starts the iterations is compared with what these do, though
// the counters of the loop are in no round of it then.

// AO1: the element behind all of them.
func AO1_behind(k int) {
	out := make([]int, k+1)
	for i := range k {
		go func() {
			out[i] = 1 // norace
		}()
	}
	out[k] = 2 // norace
}

// AO1b: the first one.
func AO1b_first(k int) {
	out := make([]int, k+1)
	for i := range k {
		go func() {
			out[i] = 1 // race! out[*]
		}()
	}
	out[0] = 2 // race! out[*]
}

// AO1c: the last round is one of the loop's.
func AO1c_last(k int) {
	out := make([]int, k+1)
	last := 0
	for i := range k {
		go func() {
			out[i] = 1 // race! out[*]
		}()
		last = i
	}
	out[last] = 2 // race! out[*]
}

// AO1d: the iterations have the counter itself, which goes up to what the spawner uses.
func AO1d_counter(k int) {
	out := make([]int, k+1)
	i := 0
	for i < k {
		go func() {
			out[i] = 1 // race! out[*] i
		}()
		i++ // race! i
	}
	out[k] = 2 // race! out[*]
}

// AO1e: an object, by the same function that the iterations run.
func AO1e_helper(k int) {
	out := make([]int, k+1)
	for i := range k {
		go setOne(out, i)
	}
	setOne(out, k)
}

func setOne(out []int, i int) {
	out[i] = 1 // norace
}

// AO1f: one of theirs.
func AO1f_helper(k int) {
	out := make([]int, k+1)
	for i := range k {
		go setSame(out, i)
	}
	setSame(out, k-1)
}

func setSame(out []int, i int) {
	out[i] = 1 // race! out[*]
}

// AO2: the spawner takes part in the work when it has started the others.
func AO2_takesPart(out []int, workers int) {
	var next atomic.Int32
	work := func() {
		for {
			i := int(next.Add(1)) - 1
			if i >= len(out) {
				return
			}
			out[i]++ // norace
		}
	}
	var wg sync.WaitGroup
	for range workers {
		wg.Go(work)
	}
	work()
	wg.Wait()
}

// AO2b: the numbers are not everyone's own.
func AO2b_takesPart(out []int, workers int) {
	var next atomic.Int32
	work := func() {
		for {
			i := int(next.Add(1)) - 1
			if i >= len(out) {
				return
			}
			out[i/2]++ // race! out[*]
		}
	}
	var wg sync.WaitGroup
	for range workers {
		wg.Go(work)
	}
	work()
	wg.Wait()
}

// AO3: in a loop around it, each round of which waits, what goes on from round to round is the same for both.
func AO3_rounds(out []int, workers int) {
	for k := range len(out) {
		var wg sync.WaitGroup
		for w := range workers {
			wg.Go(func() {
				for i := w; i < k; i += workers {
					out[i]++ // norace
				}
			})
		}
		out[k]++ // norace
		wg.Wait()
	}
}

// AO3b: they come as far as the spawner.
func AO3b_rounds(out []int, workers int) {
	for k := range len(out) {
		var wg sync.WaitGroup
		for w := range workers {
			wg.Go(func() {
				for i := w; i <= k; i += workers {
					out[i]++ // race! out[*]
				}
			})
		}
		out[k]++ // race! out[*]
		wg.Wait()
	}
}

// AO3c: those behind the spawner's, which is one of them in another round.
func AO3c_behind(out []int, workers int) {
	for k := range len(out) {
		var wg sync.WaitGroup
		for w := range workers {
			wg.Go(func() {
				for i := k + 1 + w; i < len(out); i += workers {
					out[i]++ // norace
				}
			})
		}
		out[k]++ // norace
		wg.Wait()
	}
}

// AO3d: and no round waits.
func AO3d_behind(out []int, workers int) {
	for k := range len(out) {
		for w := range workers {
			go func() {
				for i := k + 1 + w; i < len(out); i += workers {
					out[i]++ // race! out[*]
				}
			}()
		}
		out[k]++ // race! out[*]
	}
}

// AO4: what the spawner has after a range over a map is what its last round had.
func AO4_lastOfMap() {
	m := map[string]*counted{"a": {}, "b": {}}
	var last *counted
	for _, last = range m {
		go func(c *counted) {
			c.n++ // race! c.n
		}(last)
	}
	last.n++ // race! c.n
}

// AO4b: so is the number that it has taken, though every round takes another one.
func AO4b_lastTaken(k int) {
	out := make([]int, 2*k)
	var next atomic.Int32
	last := 0
	for range k {
		i := int(next.Add(1))
		go func() {
			out[i] = 1 // race! out[*]
		}()
		last = i
	}
	out[last] = 2 // race! out[*]
}

// AO4c: and what it has made.
func AO4c_lastMade(k int) {
	last := make([]int, 3)
	for range k {
		buf := make([]int, 3)
		go func() {
			buf[0] = 1 // race! buf[*]
		}()
		last = buf
	}
	last[0] = 2 // race! buf[*]
}

type counted struct{ n int }

// The indices of goroutines that different functions start are not compared, nor are those of loops of which one lies in
// the other: nothing shows that both are equal.

// AO5: two functions fill a half each.
func AO5_halves(k int) {
	out := make([]int, 2*k)
	done := make(chan bool)
	fillLow(out, k, done)
	fillHigh(out, k, done)
	for range 2 * k {
		<-done
	}
}

func fillLow(out []int, k int, done chan bool) {
	for i := range k {
		go func() {
			out[i] = 1 // race out[*]; not compared, and so not definite
			done <- true
		}()
	}
}

func fillHigh(out []int, k int, done chan bool) {
	for i := range k {
		go func() {
			out[k+i] = 2 // race out[*]; not compared, and so not definite
			done <- true
		}()
	}
}

// AO6: an inner loop.
func AO6_inner(k int) {
	out := make([]int, k*k+k)
	for i := range k {
		go func() {
			out[k*k+i] = 1 // race out[*]; not compared, and so not definite
		}()
		for j := range k {
			go func() {
				out[i*k+j] = 1 // race out[*]; not compared, and so not definite
			}()
		}
	}
}

// Rows that workers take by a counter which begins behind the one that all read.

type rowed struct {
	k int
	v []float64
}

func (m *rowed) row(i int) []float64 { return m.v[i*m.k : (i+1)*m.k] }

// AO7: an elimination, in steps.
func AO7_eliminate(m *rowed, workers int) {
	for k := range m.k - 1 {
		pivot := m.row(k)
		var ticket atomic.Int32
		ticket.Store(int32(k))
		eliminate := func() {
			for {
				i := int(ticket.Add(1))
				if i >= m.k {
					return
				}
				r := m.row(i)
				f := r[k] / pivot[k] // norace
				r[k] = f             // norace
			}
		}
		var wg sync.WaitGroup
		for range workers {
			wg.Go(eliminate)
		}
		eliminate()
		wg.Wait()
	}
}

// AO7b: the first number is that of the row that all read.
func AO7b_pivotToo(m *rowed, workers int) {
	for k := range m.k - 1 {
		pivot := m.row(k)
		var ticket atomic.Int32
		ticket.Store(int32(k - 1))
		eliminate := func() {
			for {
				i := int(ticket.Add(1))
				if i >= m.k {
					return
				}
				r := m.row(i)
				f := r[k] / pivot[k] // race! m.v[*]
				r[k] = f             // race! m.v[*]
			}
		}
		var wg sync.WaitGroup
		for range workers {
			wg.Go(eliminate)
		}
		eliminate()
		wg.Wait()
	}
}

// AO7c: somebody sets the counter back.
func AO7c_setBack(m *rowed, workers int) {
	for k := range m.k - 1 {
		pivot := m.row(k)
		var ticket atomic.Int32
		ticket.Store(int32(k))
		eliminate := func() {
			for {
				i := int(ticket.Add(1))
				if i >= m.k {
					ticket.Store(0)
					return
				}
				r := m.row(i)
				f := r[k] / pivot[k] // race! m.v[*]
				r[k] = f             // race! m.v[*]
			}
		}
		var wg sync.WaitGroup
		for range workers {
			wg.Go(eliminate)
		}
		eliminate()
		wg.Wait()
	}
}

// AO7d: it is set when they run already.
func AO7d_setLater(m *rowed, workers int) {
	for k := range m.k - 1 {
		pivot := m.row(k)
		var ticket atomic.Int32
		eliminate := func() {
			for {
				i := int(ticket.Add(1))
				if i >= m.k {
					return
				}
				r := m.row(i)
				f := r[k] / pivot[k] // race! m.v[*]
				r[k] = f             // race! m.v[*]
			}
		}
		var wg sync.WaitGroup
		for range workers {
			wg.Go(eliminate)
		}
		ticket.Store(int32(k))
		wg.Wait()
	}
}

// AO7e: one counter for all rounds, none of which waits for the one before it.
func AO7e_oneForAll(m *rowed, workers int) {
	var ticket atomic.Int32
	for k := m.k - 1; k >= 0; k-- {
		ticket.Store(int32(k))
		pivot := m.row(k)
		for range workers {
			go func() {
				i := int(ticket.Add(1))
				if i < m.k {
					r := m.row(i)
					r[k] -= pivot[k] // race! m.v[*]
				}
			}()
		}
	}
}

// AO7f: who is done gives back more than he has taken.
func AO7f_givenBack(m *rowed, workers int) {
	for k := range m.k - 1 {
		pivot := m.row(k)
		var ticket atomic.Int32
		ticket.Store(int32(k))
		var wg sync.WaitGroup
		for range workers {
			wg.Go(func() {
				i := int(ticket.Add(1))
				if i >= m.k {
					return
				}
				r := m.row(i)
				r[k] -= pivot[k] // race! m.v[*]
				ticket.Add(-2)
			})
		}
		wg.Wait()
	}
}

// AO7g: the rows are laid out anew when the pivot has been looked up: the index says nothing of another array's.
func AO7g_otherRows(m *rowed, k, workers int) {
	pivot := m.row(k)
	m.v = m.v[1:]
	var ticket atomic.Int32
	ticket.Store(int32(k))
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			i := int(ticket.Add(1))
			if i >= m.k {
				return
			}
			r := m.row(i)
			r[0] -= pivot[m.k-1] // race! m.v[*]
		})
	}
	wg.Wait()
}

// AO7h: the function that looks it up does so.
func AO7h_otherRowsInside(m *rowed, k, workers int) {
	pivot := m.cut(k)
	var ticket atomic.Int32
	ticket.Store(int32(k))
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			i := int(ticket.Add(1))
			if i >= m.k {
				return
			}
			r := m.row(i)
			r[0] -= pivot[m.k-1] // race! m.v[*]
		})
	}
	wg.Wait()
}

func (m *rowed) cut(i int) []float64 {
	r := m.v[i*m.k : (i+1)*m.k]
	m.v = m.v[1:]
	return r
}

// AO7i: what is set is the counter of the caller, which is another run of the function.
func AO7i_callers() {
	m := &rowed{k: 6, v: make([]float64, 36)}
	countForCaller(m, new(atomic.Int32), 2)
}

func countForCaller(m *rowed, callers *atomic.Int32, deep int) {
	var ticket atomic.Int32
	callers.Store(3)
	if deep > 0 {
		countForCaller(m, &ticket, deep-1)
		return
	}
	pivot := m.row(3)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			i := int(ticket.Add(1))
			if i >= m.k {
				return
			}
			r := m.row(i)
			r[0] -= pivot[0] // race! m.v[*]
		})
	}
	wg.Wait()
}

// AO7j: it is set between two starts.
func AO7j_between(m *rowed, k int) {
	pivot := m.row(k)
	var ticket atomic.Int32
	eliminate := func() {
		i := int(ticket.Add(1))
		if i >= m.k {
			return
		}
		r := m.row(i)
		r[0] -= pivot[0] // race! m.v[*]
	}
	var wg sync.WaitGroup
	wg.Go(eliminate)
	ticket.Store(int32(k))
	eliminate()
	wg.Wait()
}
