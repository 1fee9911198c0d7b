package order

import (
	"errors"
	"log"
	"os"
	"runtime"
	"sync"
	"time"
)

// A way that ends in a call that never returns needs no join, and no lock.
func NR1_log() {
	x := 0
	done := make(chan struct{})
	go func() {
		defer close(done)
		x = 1 // norace
	}()
	select {
	case <-done:
	case <-time.After(time.Second):
		log.Fatal("timed out")
	}
	uses.Add(int64(x)) // norace
}

func NR1b_logsOnly() {
	x := 0
	done := make(chan struct{})
	go func() {
		defer close(done)
		x = 1 // race! x
	}()
	select {
	case <-done:
	case <-time.After(time.Second):
		log.Print("timed out")
	}
	uses.Add(int64(x)) // race! x
}

func NR2_exit() {
	x := 0
	done := make(chan struct{})
	go func() {
		x = 1 // norace
		close(done)
	}()
	if _, err := put(1); err == nil {
		<-done
	} else {
		os.Exit(1)
	}
	uses.Add(int64(x)) // norace
}

// The goroutine ends, but not the program.
func NR3_goexit() {
	x := 0
	var wg sync.WaitGroup
	wg.Go(func() {
		x = 1 // race! x
	})
	wg.Go(func() {
		if _, err := put(1); err != nil {
			runtime.Goexit()
		}
		x = 2 // race! x
	})
	wg.Wait()
	uses.Add(int64(x)) // norace
}

// Own functions that end so on all ways, which are two.
func die(err error) {
	if errors.Is(err, os.ErrClosed) {
		giveUp()
	}
	panic(err)
}

func giveUp() { os.Exit(1) }

func dieUnlessClosed(err error) {
	if errors.Is(err, os.ErrClosed) {
		return
	}
	os.Exit(1)
}

// It panics, and returns.
func dieSoftly(err error) {
	defer func() { recover() }()
	die(err)
}

// A loop that never ends.
func serveForever(in chan func()) {
	for {
		f := <-in
		f()
	}
}

func NR4_ownFunction() {
	x := 0
	done := make(chan struct{})
	go func() {
		x = 1 // norace
		close(done)
	}()
	if _, err := put(1); err == nil {
		<-done
	} else {
		die(err)
	}
	uses.Add(int64(x)) // norace
}

func NR4b_mayReturn() {
	x := 0
	done := make(chan struct{})
	go func() {
		x = 1 // race! x
		close(done)
	}()
	if _, err := put(1); err == nil {
		<-done
	} else {
		dieUnlessClosed(err)
	}
	uses.Add(int64(x)) // race! x
}

func NR4c_recovers() {
	x := 0
	done := make(chan struct{})
	go func() {
		x = 1 // race! x
		close(done)
	}()
	if _, err := put(1); err == nil {
		<-done
	} else {
		dieSoftly(err)
	}
	uses.Add(int64(x)) // race! x
}

func NR4d_loopsForever() {
	x := 0
	done := make(chan struct{})
	go func() {
		x = 1 // norace
		close(done)
	}()
	if _, err := put(1); err == nil {
		<-done
	} else {
		serveForever(make(chan func()))
	}
	uses.Add(int64(x)) // norace
}

// It is done later, or by somebody else.
func NR5_deferred() {
	x := 0
	done := make(chan struct{})
	go func() {
		x = 1 // race! x
		close(done)
	}()
	if _, err := put(1); err == nil {
		<-done
	} else {
		defer die(err)
	}
	uses.Add(int64(x)) // race! x
}

func NR5b_started() {
	x := 0
	done := make(chan struct{})
	go func() {
		x = 1 // race! x
		close(done)
	}()
	if _, err := put(1); err == nil {
		<-done
	} else {
		go die(err)
	}
	uses.Add(int64(x)) // race! x
}

// The helper waits, or does not return.
func waitOrDie(done chan struct{}) {
	select {
	case <-done:
	case <-time.After(time.Second):
		die(os.ErrDeadlineExceeded)
	}
}

func waitOrLog(done chan struct{}) {
	select {
	case <-done:
	case <-time.After(time.Second):
		log.Print(os.ErrDeadlineExceeded)
	}
}

func NR6_helper() {
	x, y := 0, 0
	done, seen := make(chan struct{}), make(chan struct{})
	go func() {
		x = 1 // norace
		close(done)
	}()
	go func() {
		y = 1 // race! y
		close(seen)
	}()
	waitOrDie(done)
	uses.Add(int64(x)) // norace
	waitOrLog(seen)
	uses.Add(int64(y)) // race! y
}

// What is unlocked before the end is locked where it goes on.
func NR7_unlocked() {
	var mu sync.Mutex
	x, y := 0, 0
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			_, err := put(i)
			mu.Lock()
			if err != nil {
				mu.Unlock()
				log.Fatal(err)
			}
			x++ // norace
			mu.Unlock()

			mu.Lock()
			if err != nil {
				mu.Unlock()
				log.Print(err)
			}
			y++ // race! y
			if err == nil {
				mu.Unlock()
			}
		})
	}
	wg.Wait()
}
