package testfiles

import (
	"sync"
	"testing"
)

// What a test registers to be run when it is over runs then, and not where it is registered.

func TestCU1_joinedLater(t *testing.T) {
	x, y := 0, 0
	_ = y
	var wg sync.WaitGroup
	wg.Go(func() { x = 1 })          // norace
	t.Cleanup(func() { println(x) }) // norace
	wg.Wait()
	done := make(chan int)
	go func() {
		y = 1 // norace
		close(done)
	}()
	t.Cleanup(func() { y = 0 }) // norace
	<-done
}

func TestCU1_registeredBefore(t *testing.T) {
	x := 0
	t.Cleanup(func() { println(x) }) // race! x
	go func() { x = 1 }()            // race! x
}

var cleanupHook func()

func TestCU1_hook(t *testing.T) {
	old := cleanupHook
	cleanupHook = func() {}
	t.Cleanup(func() { cleanupHook = old }) // race! cleanupHook
	go func() { cleanupHook() }()           // race! cleanupHook
}

// The last one that is registered runs first, and waits.
func TestCU2_waits(t *testing.T) {
	x := 0
	_ = x
	var wg sync.WaitGroup
	t.Cleanup(func() { x = 2 }) // norace
	wg.Go(func() { x = 1 })     // norace
	t.Cleanup(wg.Wait)
}

// The other way round nothing waits before x is set; and what the test does it does beside the goroutine.
func TestCU2_waitsTooLate(t *testing.T) {
	x, y := 0, 0
	_, _ = x, y
	var wg sync.WaitGroup
	t.Cleanup(wg.Wait)
	wg.Go(func() {
		x = 1 // race! x
		y = 1 // race! y
	})
	y = 2                       // race! y
	t.Cleanup(func() { x = 2 }) // race! x
}

// A deferred call comes before.
func TestCU2_deferred(t *testing.T) {
	x := 0
	_ = x
	var wg sync.WaitGroup
	wg.Go(func() { x = 1 })     // norace
	t.Cleanup(func() { x = 2 }) // norace
	defer wg.Wait()
}

// A subtest has its own.
func TestCU3_subtest(t *testing.T) {
	x, y := 0, 0
	_, _ = x, y
	t.Run("a", func(t *testing.T) {
		var wg sync.WaitGroup
		t.Cleanup(func() { x = 2 }) // norace
		wg.Go(func() { x = 1 })     // norace
		wg.Wait()
		t.Cleanup(func() { y = 2 }) // race! y
		go func() { y = 1 }()       // race! y
	})
	x = 3 // norace
}
