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

// Who waits has slept for as long, and what does not sleep at all is not stopped by it.
func TestB11_sleptAsLong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		x, y := 0, 0
		go func() {
			time.Sleep(time.Second)
			x = 1 // norace
		}()
		go func() {
			time.Sleep(0)
			y = 1 // norace
		}()
		time.Sleep(2 * time.Second)
		synctest.Wait()
		println(x, y) // norace
	})
}

// Not as long, or before the goroutine is there, or on one way only.
func TestB11_sleptLess(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		x, y, z := 0, 0, 0
		time.Sleep(time.Second)
		go func() {
			time.Sleep(time.Second)
			x = 1 // race! x
		}()
		go func() {
			time.Sleep(time.Second)
			time.Sleep(time.Second)
			y = 1 // race! y
		}()
		if t.Failed() {
			time.Sleep(2 * time.Second)
		}
		go func() {
			for range 3 {
				time.Sleep(time.Second)
			}
			z = 1 // race! z
		}()
		time.Sleep(time.Second - 1)
		synctest.Wait()
		println(x) // race! x
		println(y) // race! y
		println(z) // race! z
	})
}

// What the goroutine waited for was sent before.
func TestB12_received(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		x, y := 0, 0
		c, stop := make(chan int), make(chan int)
		go func() {
			<-c
			x = 1 // norace
		}()
		for range 2 {
			go func() {
				<-stop
				println(y) // norace
			}()
		}
		c <- 1
		close(stop)
		synctest.Wait()
		println(x) // norace
		y = 1      // norace
	})
}

// It waits once more, somebody else may have received it, or it is sent later.
func TestB12_notReceived(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		x, y, z := 0, 0, 0
		_, _ = x, z
		c, d, e := make(chan int), make(chan int), make(chan int, 1)
		go func() {
			<-c
			<-c
			x = 1 // race! x
		}()
		for range 2 {
			go func() {
				<-d
				println(y) // race! y
			}()
		}
		go func() {
			<-e
			z = 1 // race! z
		}()
		go func() {
			time.Sleep(time.Second)
			e <- 1
			c <- 1
		}()
		c <- 1
		d <- 1
		synctest.Wait()
		x = 2 // race! x
		y = 2 // race! y
		z = 2 // race! z
	})
}
