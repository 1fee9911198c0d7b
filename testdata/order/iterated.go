package order

import (
	"errors"
	"iter"
)

// Programs about functions that tell whether to go on, and always tell the same.

func itResults(n int, f func(int) int) iter.Seq[int] {
	return func(yield func(int) bool) {
		res := make(chan int, n)
		for i := range n {
			go func() { res <- f(i) }()
		}
		for range n {
			if !yield(<-res) {
				return
			}
		}
	}
}

// IT1: the loop is never left early, so that all have been received when it is over.
func IT1_all(n int) {
	out := make([]int, n)
	for r := range itResults(n, func(i int) int {
		out[i] = i // norace
		return i
	}) {
		println(r)
	}
	println(out[0]) // norace
}

func itSome(n int, f func(int) int) iter.Seq[int] {
	return func(yield func(int) bool) {
		res := make(chan int, n)
		for i := range n {
			go func() { res <- f(i) }()
		}
		for range n {
			if !yield(<-res) {
				return
			}
		}
	}
}

// IT2: it may be.
func IT2_left(n int) {
	out := make([]int, n)
	for r := range itSome(n, func(i int) int {
		out[i] = i // race! out[*]
		return i
	}) {
		if r > 3 {
			break
		}
	}
	println(out[0]) // race! out[*]
}

func itEach(n int, work, done func(int) error) error {
	res := make(chan int, n)
	for i := range n {
		go func() {
			work(i)
			res <- i
		}()
	}
	for range n {
		if err := done(<-res); err != nil {
			return err
		}
	}
	return nil
}

// IT3: what is called for each never fails.
func IT3_neverFails(n int) {
	out := make([]int, n)
	itEach(n, func(i int) error {
		out[i] = i // norace
		return nil
	}, func(i int) error {
		println(i)
		return nil
	})
	println(out[0]) // norace
}

func itEachOr(n int, work, done func(int) error) error {
	res := make(chan int, n)
	for i := range n {
		go func() {
			work(i)
			res <- i
		}()
	}
	for range n {
		if err := done(<-res); err != nil {
			return err
		}
	}
	return nil
}

var errIt = errors.New("too many")

// IT4: it may fail.
func IT4_mayFail(n int) {
	out := make([]int, n)
	itEachOr(n, func(i int) error {
		out[i] = i // race! out[*]
		return nil
	}, func(i int) error {
		if i > 3 {
			return errIt
		}
		return nil
	})
	println(out[0]) // race! out[*]
}

func itEachOfTwo(n int, work func(int), done func(int) bool) {
	res := make(chan int, n)
	for i := range n {
		go func() {
			work(i)
			res <- i
		}()
	}
	for range n {
		if !done(<-res) {
			return
		}
	}
}

// IT5: one of two functions asks to stop.
func IT5_oneOfTwo(n int, stop bool) {
	out := make([]int, n)
	done := func(int) bool { return true }
	if stop {
		done = func(int) bool { return false }
	}
	itEachOfTwo(n, func(i int) {
		out[i] = i // race! out[*]
	}, done)
	println(out[0]) // race! out[*]
}
