package index

import "sync"

// Two buffers that change places from round to round.

func SW1_captured() {
	cur, next := make([]int, n), make([]int, n)
	for range 5 {
		var wg sync.WaitGroup
		for i := range cur {
			wg.Go(func() {
				next[i] = cur[(i+1)%n] // norace
			})
		}
		wg.Wait()
		cur, next = next, cur
	}
	_ = cur[0]
}

func relax(dst, src []int) {
	var wg sync.WaitGroup
	for i := range dst {
		wg.Go(func() {
			dst[i] = src[(i+1)%len(src)] // norace
		})
	}
	wg.Wait()
}

func SW2_passed() {
	a, b := make([]int, n), make([]int, n)
	for range 5 {
		relax(b, a)
		a, b = b, a
	}
	_ = a[0]
}

// One takes the other's place, and that is all.
func SW1b_notBack() {
	cur, next := make([]int, n), make([]int, n)
	for range 5 {
		var wg sync.WaitGroup
		for i := range cur {
			wg.Go(func() {
				next[i] = cur[(i+1)%n] // race! _[*]
			})
		}
		wg.Wait()
		cur = next
	}
	_ = cur[0]
}

// They are one from the start.
func SW1c_same() {
	cur := make([]int, n)
	next := cur
	for range 5 {
		var wg sync.WaitGroup
		for i := range cur {
			wg.Go(func() {
				next[i] = cur[(i+1)%n] // race! _[*]
			})
		}
		wg.Wait()
		cur, next = next, cur
	}
	_ = cur[0]
}

// One begins anew with what the other may have got.
func SW1d_begunAgain() {
	whole := make([]int, n)
	cur, next := make([]int, n), make([]int, n)
	for range 5 {
		cur = whole
		var wg sync.WaitGroup
		for i := range cur {
			wg.Go(func() {
				next[i] = cur[(i+1)%n] // race! _[*]
			})
		}
		wg.Wait()
		cur, next = next, cur
	}
	_ = cur[0]
}

// A closure makes them one.
func SW1e_setByClosure() {
	cur, next := make([]int, n), make([]int, n)
	join := func() { next = cur }
	for k := range 5 {
		if k == 3 {
			join()
		}
		var wg sync.WaitGroup
		for i := range cur {
			wg.Go(func() {
				next[i] = cur[(i+1)%n] // race! _[*]
			})
		}
		wg.Wait()
		cur, next = next, cur
	}
	_ = cur[0]
}

func SW2b_onlyOne() {
	a, b := make([]int, n), make([]int, n)
	for k := range 5 {
		relaxed(b, a)
		if k == 2 {
			a = b
		} else {
			a, b = b, a
		}
	}
	_ = a[0] // norace
}

func relaxed(dst, src []int) {
	var wg sync.WaitGroup
	for i := range dst {
		wg.Go(func() {
			dst[i] = src[(i+1)%len(src)] // race! _[*]
		})
	}
	wg.Wait()
}

// Cut from one array.
func SW2c_oneArray() {
	whole := make([]int, 2*n)
	a, b := whole[:n], whole[1:n+1]
	for range 5 {
		var wg sync.WaitGroup
		for i := range a {
			wg.Go(func() {
				b[i] = a[i] // race! _[*]
			})
		}
		wg.Wait()
		a, b = b, a
	}
	_ = a[0] // norace
}

type sheet struct{ rows [][]int }

func newSheet() *sheet {
	f := &sheet{rows: make([][]int, n)}
	for y := range f.rows {
		f.rows[y] = make([]int, n)
	}
	return f
}

func (f *sheet) grow(from *sheet) {
	var wg sync.WaitGroup
	for y := range f.rows {
		wg.Go(func() {
			for x := range f.rows[y] {
				f.rows[y][x] = from.rows[(y+1)%n][x] // norace
			}
		})
	}
	wg.Wait()
}

// Objects that change places: what lies below them is taken to be different.
func SW3_objects() {
	a, b := newSheet(), newSheet()
	for range 5 {
		b.grow(a)
		a, b = b, a
	}
	_ = a.rows[0][0]
}

// Two buffers change places after each round.
func SW4_fields() {
	cur, next := &picture{make([]int, n)}, &picture{make([]int, n)}
	for range 4 {
		smooth(cur, next)
		cur, next = next, cur
	}
}

type picture struct{ pix []int }

func smooth(src, dst *picture) {
	var wg sync.WaitGroup
	for i := range dst.pix {
		wg.Go(func() {
			dst.pix[i] = src.pix[max(i-1, 0)] // norace
		})
	}
	wg.Wait()
}

// One of the buffers is the caller's, and the rows of the other are made here.
func SW5_given() {
	given := make([][]int, n)
	for i := range given {
		given[i] = make([]int, n)
	}
	spread(given)
	same(given, given)
}

func spread(cur [][]int) int {
	next := make([][]int, len(cur))
	for i := range next {
		next[i] = make([]int, len(cur[i]))
	}
	for range 5 {
		var wg sync.WaitGroup
		for i := 1; i < n-1; i++ {
			wg.Go(func() {
				for k := range cur[i] {
					next[i][k] = cur[i-1][k] + cur[i+1][k] // norace
				}
			})
		}
		wg.Wait()
		cur, next = next, cur
	}
	return cur[0][0]
}

// Both are the caller's.
func same(cur, next [][]int) {
	for range 5 {
		var wg sync.WaitGroup
		for i := 1; i < n-1; i++ {
			wg.Go(func() {
				for k := range cur[i] {
					next[i][k] = cur[i-1][k] + cur[i+1][k] // race! _[*][*]
				}
			})
		}
		wg.Wait()
		cur, next = next, cur
	}
}

type animal struct {
	genes []int
	value int
}

// Each round makes a new list, and reads that of the round before. The lists are
// different; what is below them is taken to be.
func SW6_generations() {
	pop := make([]animal, n)
	for range 5 {
		next := make([]animal, n)
		var wg sync.WaitGroup
		for i := range n {
			wg.Go(func() {
				from := &pop[(i*7)%n]
				c := animal{genes: make([]int, len(from.genes)), value: from.value} // norace
				for k := range c.genes {
					c.genes[k] = from.genes[k] // norace
				}
				next[i] = c // norace
			})
		}
		wg.Wait()
		pop = next
	}
	_ = pop[0].value
}

// The list is the new one already.
func SW6b_tooEarly() {
	pop := make([]int, n)
	for range 5 {
		next := make([]int, n)
		copy(next, pop)
		pop = next
		var wg sync.WaitGroup
		for i := range n {
			wg.Go(func() {
				next[i] = pop[(i*7)%n] // race! _[*]
			})
		}
		wg.Wait()
	}
}

// Some rounds make no new one.
func SW6c_notAlways() {
	pop, next := make([]int, n), make([]int, n)
	for k := range 5 {
		if k%2 == 0 {
			next = make([]int, n)
		}
		var wg sync.WaitGroup
		for i := range n {
			wg.Go(func() {
				next[i] = pop[(i*7)%n] // race! _[*]
			})
		}
		wg.Wait()
		pop = next
	}
}

// Nobody waits for the round before.
func SW6d_unjoined() {
	pop := make([]int, n)
	var wg sync.WaitGroup
	for range 5 {
		next := make([]int, n)
		last := pop
		for i := range n {
			wg.Go(func() {
				next[i] = last[(i*7)%n] // race! _[*]
			})
		}
		pop = next
	}
	wg.Wait()
}

// The lists are handed to who fills one of them, and come back.
func SW7_passed() {
	parts := [][]int{{3}, {1}, {2}}
	for len(parts) > 1 {
		next := make([][]int, (len(parts)+1)/2)
		var wg sync.WaitGroup
		for i := range next {
			wg.Add(1)
			go func(all, out [][]int) {
				defer wg.Done()
				if 2*i+1 == len(all) {
					out[i] = all[2*i] // norace
					return
				}
				out[i] = both(all[2*i], all[2*i+1]) // norace
			}(parts, next)
		}
		wg.Wait()
		parts = next
	}
}

func both(a, b []int) []int {
	out := make([]int, 0, len(a)+len(b))
	return append(append(out, a...), b...) // norace
}

// Both are the caller's, and are passed on.
func SW5b_givenAndPassed() {
	given := make([]int, n)
	samePassed(given, given)
}

func samePassed(cur, next []int) {
	for range 5 {
		var wg sync.WaitGroup
		for i := range n {
			wg.Add(1)
			go func(cur, next []int) {
				defer wg.Done()
				next[i] = cur[(i+1)%n] // race! _[*]
			}(cur, next)
		}
		wg.Wait()
		cur, next = next, cur
	}
}

// What the inner loop begins with is the new list.
func SW7b_newAtFirst() {
	for range 5 {
		next := make([]int, n)
		cur := next
		for range 2 {
			var wg sync.WaitGroup
			for i := range n {
				wg.Add(1)
				go func(cur, next []int) {
					defer wg.Done()
					next[i] = cur[(i+1)%n] // race! _[*]
				}(cur, next)
			}
			wg.Wait()
			cur = make([]int, n)
		}
	}
}

// Both buffers are given.
func SW9_given(a, b []int) {
	for range 5 {
		var wg sync.WaitGroup
		for w := range 4 {
			wg.Go(func() {
				for i := w + 1; i < len(a)-1; i += 4 {
					b[i] = a[i-1] + a[i+1] // norace
				}
			})
		}
		wg.Wait()
		a, b = b, a
	}
}

// Both buffers are given, and are one.
func SW9b_givenTwice() {
	x := make([]int, n)
	stepTwice(x, x)
}

func stepTwice(a, b []int) {
	for range 5 {
		var wg sync.WaitGroup
		for i := 1; i < len(a)-1; i++ {
			wg.Go(func() {
				b[i] = a[i-1] + a[i+1] // race! x[*]
			})
		}
		wg.Wait()
		a, b = b, a
	}
}

// The variables change places, and are passed on to what starts the goroutines.
func SW9c_passedOn(a, b []int) {
	for range 5 {
		relax(b, a)
		a, b = b, a
	}
}

// One of them may be a part of the other.
func SW9d_partOfOther(a []int) {
	b := a[1:]
	for range 5 {
		var wg sync.WaitGroup
		for i := 1; i < len(b)-1; i++ {
			wg.Go(func() {
				b[i] = a[i-1] + a[i+1] // race! a[*]
			})
		}
		wg.Wait()
		a, b = b, a
	}
}

// Two buffers in fields change places when all are done.
func SW10_inFields() {
	p := &phases{make([]int, n), make([]int, n)}
	for range 5 {
		p.step()
	}
}

type phases struct{ front, back []int }

func (p *phases) step() {
	var wg sync.WaitGroup
	for i := range p.back {
		wg.Go(func() {
			p.back[i] = p.front[(i+1)%n] // norace
		})
	}
	wg.Wait()
	p.front, p.back = p.back, p.front
}

// Both fields begin with one.
func SW10b_oneArray() {
	a := make([]int, n)
	p := &alike{a, a}
	for range 5 {
		p.step()
	}
}

type alike struct{ front, back []int }

func (p *alike) step() {
	var wg sync.WaitGroup
	for i := range p.back {
		wg.Go(func() {
			p.back[i] = p.front[(i+1)%n] // race! _[*]
		})
	}
	wg.Wait()
	p.front, p.back = p.back, p.front
}

// One takes the other's place, and that is all.
func SW10c_notBack() {
	p := &taking{make([]int, n), make([]int, n)}
	for range 5 {
		p.step()
	}
}

type taking struct{ front, back []int }

func (p *taking) step() {
	var wg sync.WaitGroup
	for i := range p.back {
		wg.Go(func() {
			p.back[i] = p.front[(i+1)%n] // race! _[*]
		})
	}
	wg.Wait()
	p.front = p.back
}

// They change places while others are at work.
func SW10d_meanwhile() {
	p := &hurried{make([]int, n), make([]int, n)}
	for range 5 {
		p.step()
	}
}

type hurried struct{ front, back []int }

func (p *hurried) step() {
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			p.back[i] = p.front[(i+1)%n] // race! _[*] p.front p.back
		})
	}
	p.front, p.back = p.back, p.front // race! p.front p.back
	wg.Wait()
}

// Another one goes on with what it has found before.
func SW10e_foundBefore() {
	p := &earlier{make([]int, n), make([]int, n)}
	for range 5 {
		p.step()
	}
}

type earlier struct{ front, back []int }

func (p *earlier) step() {
	old := p.front
	p.front, p.back = p.back, p.front
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			p.back[i] = old[(i+1)%n] // race! _[*]
		})
	}
	wg.Wait()
}

// What was in one of them is put into both.
func SW10f_onlyLike() {
	p := &mixed{make([]int, n), make([]int, n)}
	for range 5 {
		p.step()
	}
}

type mixed struct{ front, back []int }

func (p *mixed) step() {
	var wg sync.WaitGroup
	for i := range p.back {
		wg.Go(func() {
			p.back[i] = p.front[(i+1)%n] // race! _[*]
		})
	}
	wg.Wait()
	p.front = p.back
	p.back = p.front
}

// Objects in fields change places.
func SW11_grids() {
	l := &life{newColony(n), newColony(n)}
	for range 5 {
		l.step()
	}
}

type colony struct{ cells [][]bool }

func newColony(h int) *colony {
	b := &colony{make([][]bool, h)}
	for i := range b.cells {
		b.cells[i] = make([]bool, h)
	}
	return b
}

func (b *colony) alive(x, y int) bool { return b.cells[(y+n)%n][(x+n)%n] }

type life struct{ now, next *colony }

func (l *life) step() {
	var wg sync.WaitGroup
	for y := range n {
		wg.Go(func() {
			for x := range n {
				l.next.cells[y][x] = l.now.alive(x-1, y) != l.now.alive(x, y+1) // norace
			}
		})
	}
	wg.Wait()
	l.now, l.next = l.next, l.now
}

// They change places in a function that is called while others are at work.
func SW10g_calledMeanwhile() {
	p := &restless{make([]int, n), make([]int, n)}
	for range 5 {
		p.step()
	}
}

type restless struct{ front, back []int }

func (p *restless) turn() { p.front, p.back = p.back, p.front } // race! p.front p.back

func (p *restless) step() {
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			p.back[i] = p.front[(i+1)%n] // race! _[*] p.front p.back
		})
	}
	p.turn()
	wg.Wait()
}

// Two boards in fields are passed to a method.
func SW12_passedFields() {
	l := &lifeGame{w: n, now: make([]bool, n*n), next: make([]bool, n*n)}
	for range 3 {
		var wg sync.WaitGroup
		for y := range n {
			wg.Go(func() { l.row(l.now, l.next, y) })
		}
		wg.Wait()
		l.now, l.next = l.next, l.now
	}
}

type lifeGame struct {
	w         int
	now, next []bool
}

func (l *lifeGame) row(from, to []bool, y int) {
	for x := range l.w {
		up := from[(y+n-1)%n*l.w+x] // norace
		to[y*l.w+x] = up            // norace
	}
}
