package testfiles

import (
	"testing"
	"testing/synctest"
	"time"
)

// A bubble is over when all in it is.
func TestB10_bubbleEnds(t *testing.T) {
	x := 0
	_ = x
	synctest.Test(t, func(t *testing.T) {
		go func() {
			x = 1 // norace
		}()
	})
	x = 2 // norace
}

// What runs in it runs side by side.
func TestB10_besideInBubble(t *testing.T) {
	x := 0
	_ = x
	synctest.Test(t, func(t *testing.T) {
		go func() {
			x = 1 // race! x
		}()
		x = 2 // race! x
	})
}

// Wait completes when the other goroutine has ended.
func TestB10_bubbleWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		x := 0
		_ = x
		go func() {
			x = 1 // norace
		}()
		synctest.Wait()
		x = 2 // norace
	})
}

// Wait completes when the other goroutine sleeps, and it goes on after that.
func TestB10_bubbleWaitForSleeper(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		x := 0
		_ = x
		go func() {
			time.Sleep(time.Second)
			x = 1 // race! x
		}()
		synctest.Wait()
		x = 2 // race! x
	})
}

// The goroutine is started by one that may block before it does so.
func TestB10_bubbleWaitForChild(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		x := 0
		_ = x
		go func() {
			time.Sleep(time.Second)
			go func() {
				x = 1 // race! x
			}()
		}()
		synctest.Wait()
		x = 2 // race! x
	})
}
