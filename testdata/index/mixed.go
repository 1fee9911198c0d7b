package index

import "sync"

// What an iteration has from the round that starts it, and what it finds in the list itself, may be
// elements of the list that are the same for two iterations.

type mixedRow struct{ sum *mixedSum }

type mixedSum struct{ n, m int }

func MX1_before() {
	rows := []mixedRow{{new(mixedSum)}, {new(mixedSum)}}
	var wg sync.WaitGroup
	for i, r := range rows {
		wg.Go(func() {
			s := r.sum
			if i > 0 {
				s = rows[i-1].sum
			}
			s.n++ // race! s.n
		})
	}
	wg.Wait()
}

// It finds there the same one.
func MX2_same() {
	rows := []mixedRow{{new(mixedSum)}, {new(mixedSum)}}
	var wg sync.WaitGroup
	for i, r := range rows {
		wg.Go(func() {
			s := r.sum
			if i > 0 {
				s = rows[i].sum
			}
			s.n++ // norace
		})
	}
	wg.Wait()
}

// The round has two of them.
func MX3_twoOfRound() {
	rows := []mixedRow{{new(mixedSum)}, {new(mixedSum)}, {new(mixedSum)}}
	var wg sync.WaitGroup
	for i := range len(rows) - 1 {
		a, b := rows[i].sum, rows[i+1].sum
		wg.Go(func() {
			s := a
			if s.m > 0 {
				s = b
			}
			s.n++ // race! s.n
		})
	}
	wg.Wait()
}

// They are two that no other round has.
func MX4_evenAndOdd() {
	rows := make([]mixedRow, 8)
	for i := range rows {
		rows[i].sum = new(mixedSum)
	}
	var wg sync.WaitGroup
	for i := range len(rows) / 2 {
		a, b := rows[2*i].sum, rows[2*i+1].sum
		wg.Go(func() {
			s := a
			if s.m > 0 {
				s = b
			}
			s.n++ // norace
		})
	}
	wg.Wait()
}
