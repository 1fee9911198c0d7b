package index

import "sync"

// The variable of a round holds a copy of an element, of which a part is set anew.

type reboundRow struct {
	sum  *reboundSum
	name string
	opts struct{ more *reboundSum }
}

type reboundSum struct{ n int }

func reboundRows() []reboundRow {
	return []reboundRow{{sum: new(reboundSum)}, {sum: new(reboundSum)}, {sum: new(reboundSum)}}
}

// The goroutine sets the round's variable.
func RB1_variable() {
	rows := []*reboundSum{new(reboundSum), new(reboundSum)}
	var wg sync.WaitGroup
	for i, s := range rows {
		wg.Go(func() {
			if i > 0 {
				s = rows[i-1]
			}
			s.n++ // race! s.n
		})
	}
	wg.Wait()
}

// It sets a field.
func RB2_field() {
	rows := reboundRows()
	var wg sync.WaitGroup
	for i, r := range rows {
		wg.Go(func() {
			if i > 0 {
				r.sum = rows[i-1].sum
			}
			r.sum.n++ // race! r.sum.n
		})
	}
	wg.Wait()
}

func (r *reboundRow) set(s *reboundSum) { r.sum = s }

// A method does.
func RB3_method() {
	rows := reboundRows()
	var wg sync.WaitGroup
	for i, r := range rows {
		wg.Go(func() {
			if i > 0 {
				r.set(rows[i-1].sum)
			}
			r.sum.n++ // race! r.sum.n
		})
	}
	wg.Wait()
}

// The copy is the iteration's own.
func RB4_own() {
	rows := reboundRows()
	var wg sync.WaitGroup
	for i := range rows {
		wg.Go(func() {
			r := rows[i]
			if i > 0 {
				r.set(rows[i-1].sum)
			}
			r.sum.n++ // race! r.sum.n
		})
	}
	wg.Wait()
}

func setSum(p **reboundSum, s *reboundSum) { *p = s }

// The field's address is passed.
func RB5_address() {
	rows := reboundRows()
	var wg sync.WaitGroup
	for i, r := range rows {
		wg.Go(func() {
			if i > 0 {
				setSum(&r.sum, rows[i-1].sum)
			}
			r.sum.n++ // race! r.sum.n
		})
	}
	wg.Wait()
}

// It is kept, and used.
func RB6_kept() {
	rows := reboundRows()
	var wg sync.WaitGroup
	for i, r := range rows {
		fields := []**reboundSum{&r.sum}
		wg.Go(func() {
			if i > 0 {
				*fields[0] = rows[i-1].sum
			}
			r.sum.n++ // race! r.sum.n
		})
	}
	wg.Wait()
}

// What is set is no pointer, and methods only read.
func RB7_name() {
	rows := reboundRows()
	var wg sync.WaitGroup
	for _, r := range rows {
		r.name += "!"
		wg.Go(func() {
			r.sum.n += len(r.title()) // norace
		})
	}
	wg.Wait()
}

func (r *reboundRow) title() string { return r.name }

// A function that has captured the variable sets it for another one.
func RB8_byOther() {
	rows := reboundRows()
	var wg sync.WaitGroup
	for i, r := range rows {
		back := func() {
			if i > 0 {
				r = rows[i-1]
			}
		}
		wg.Go(func() {
			back()
			r.sum.n++ // race! r.sum.n
		})
	}
	wg.Wait()
}

// One within another.
func RB9_inner() {
	rows := reboundRows()
	for i := range rows {
		rows[i].opts.more = new(reboundSum)
	}
	var wg sync.WaitGroup
	for i, r := range rows {
		wg.Go(func() {
			if i > 0 {
				r.opts.more = rows[i-1].opts.more
			}
			r.opts.more.n++ // race! r.opts.more.n
		})
	}
	wg.Wait()
}
