package order

import (
	"errors"
	"sync"
)

// Goroutines that are started by way of functions which recover for them: what each
// call of these runs is the function that it is given.

func safely(f func()) { _ = trying(func() error { f(); return nil }) }

func trying(f func() error) (err error) {
	defer func() {
		if recover() != nil {
			err = errors.New("panic")
		}
	}()
	return f()
}

// SY1: what is waited for starts others the same way.
func SY1_throughTwo() int {
	var wg sync.WaitGroup
	sum := 0
	wg.Add(1)
	go safely(func() {
		defer wg.Done()
		sum = safeParts() // norace
	})
	wg.Wait()
	return sum // norace
}

func safeParts() int {
	var wg sync.WaitGroup
	a, b := 0, 0
	wg.Add(2)
	go safely(func() {
		defer wg.Done()
		a = 1 // norace
	})
	go safely(func() {
		defer wg.Done()
		b = 2 // norace
	})
	wg.Wait()
	return a + b // norace
}

// SY1b: one of those is not waited for.
func SY1b_oneTooFew() int {
	var wg sync.WaitGroup
	sum := 0
	wg.Add(1)
	go safely(func() {
		defer wg.Done()
		sum = fewerParts() // norace
	})
	wg.Wait()
	return sum // norace
}

func fewerParts() int {
	var wg sync.WaitGroup
	a, b := 0, 0
	wg.Add(1)
	go safely(func() {
		defer wg.Done()
		a = 1 // norace
	})
	go safely(func() {
		b = 2 // race! b
	})
	wg.Wait()
	return a + b // race! b
}

// SY1c: it tells before it is over.
func SY1c_toldEarly() int {
	var wg sync.WaitGroup
	sum := 0
	wg.Add(1)
	go safely(func() {
		wg.Done()
		sum = safeParts() // race! sum
	})
	wg.Wait()
	return sum // race! sum
}
