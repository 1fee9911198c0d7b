package channel

import (
	"runtime"
	"sync"
)

// A channel of capacity 1 is a mutex.
func B10_semaphoreOne() {
	sem := make(chan struct{}, 1)
	sum := 0
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			sem <- struct{}{}
			sum += i // norace
			<-sem
		})
	}
	wg.Wait()
}

// A channel of capacity 2 lets two in.
func B10_semaphoreTwo() {
	sem := make(chan struct{}, 2)
	sum := 0
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			sem <- struct{}{}
			runtime.Gosched()
			sum += i // race! sum
			<-sem
		})
	}
	wg.Wait()
}

// A token that is put in once, taken and given back.
func B10_tokenChannel() {
	token := make(chan bool, 1)
	token <- true
	sum := 0
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			<-token
			sum += i // norace
			token <- true
		})
	}
	wg.Wait()
}

// The spawner takes the only slot before go; the body gives it back at its end.
func S49_spawnerAcquiresOne() {
	sem := make(chan struct{}, 1)
	sum := 0
	for i := range n {
		sem <- struct{}{}
		go func() {
			sum += i // norace
			<-sem
		}()
	}
	sem <- struct{}{}
	_ = sum // norace
}

// With two slots, two bodies overlap.
func S49b_spawnerAcquiresTwo() {
	sem := make(chan struct{}, 2)
	sum := 0
	var wg sync.WaitGroup
	for i := range n {
		sem <- struct{}{}
		wg.Add(1)
		go func() {
			defer wg.Done()
			runtime.Gosched()
			sum += i // race! sum
			<-sem
		}()
	}
	wg.Wait()
}

// Closing a channel releases all who wait for it.
func B10_closeBroadcasts() {
	ready := make(chan struct{})
	config := 0
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			<-ready
			_ = config // norace
		})
	}
	config = 42 // norace
	close(ready)
	wg.Wait()
}

// The write comes after the close.
func B10_writeAfterClose() {
	ready := make(chan struct{})
	config := 0
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			<-ready
			_ = config + 1 // race! config
		})
	}
	close(ready)
	config = 42 // race! config
	wg.Wait()
}

// A goroutine outside any loop hands a result over by a channel.
func B10_future() {
	res := 0
	done := make(chan struct{})
	go func() {
		res = 42 // norace
		close(done)
	}()
	<-done
	_ = res // norace
}

// The select may take the other case.
func B10_selectOtherCase() {
	res := 0
	done := make(chan struct{})
	quit := make(chan struct{}, 1)
	quit <- struct{}{}
	go func() {
		res = 42 // race! res
		close(done)
	}()
	select {
	case <-done:
	case <-quit:
	}
	_ = res + 1 // race! res
	<-done
}

// Only the case that waits for the result reads it.
func B10_selectRightCase() {
	res := 0
	done := make(chan struct{})
	quit := make(chan struct{}, 1)
	quit <- struct{}{}
	go func() {
		res = 42 // norace
		close(done)
	}()
	select {
	case <-done:
		_ = res // norace
	case <-quit:
	}
	<-done
}

// Stages of a pipeline: each is the only one to touch its total.
func B10_pipeline() {
	a, b := make(chan int), make(chan int)
	go func() {
		defer close(a)
		for i := range n {
			a <- i
		}
	}()
	doubled := 0
	go func() {
		defer close(b)
		for v := range a {
			doubled += 2 * v // norace
			b <- v
		}
	}()
	sum := 0
	for v := range b {
		sum += v // norace
	}
	_ = sum + doubled // norace
}

// Each iteration waits for its predecessor.
func B10_chainOfChannels() {
	sum := 0
	prev := make(chan struct{})
	close(prev)
	for i := range n {
		next := make(chan struct{})
		go func(prev, next chan struct{}) {
			<-prev
			sum += i // norace
			close(next)
		}(prev, next)
		prev = next
	}
	<-prev
	_ = sum // norace
}

// It releases its successor before it is done.
func B10_chainReleasedEarly() {
	sum := 0
	prev := make(chan struct{})
	close(prev)
	for i := range n {
		next := make(chan struct{})
		go func(prev, next chan struct{}) {
			<-prev
			close(next)
			sum += i // race! sum
		}(prev, next)
		prev = next
	}
	<-prev
	_ = sum // race! sum
}

// It does not wait for its predecessor in every case.
func B10_chainSkipped() {
	sum := 0
	prev := make(chan struct{})
	close(prev)
	for i := range n {
		next := make(chan struct{})
		go func(prev, next chan struct{}) {
			if i%2 == 0 {
				<-prev
			}
			sum += i // race! sum
			close(next)
		}(prev, next)
		prev = next
	}
}

// A copy of the variable is captured, and the last one is not waited for where
// the loop is left early.
func B10_chainLeftEarly(stop []bool) {
	sum := 0
	prev := make(chan struct{})
	close(prev)
	for i := range stop {
		wait, next := prev, make(chan struct{})
		go func() {
			<-wait
			sum += i // race! sum
			close(next)
		}()
		if stop[i] {
			break
		}
		prev = next
	}
	<-prev
	_ = sum // race! sum
}
