package order

import (
	"errors"
	"sync"
)

// Who takes all that a goroutine sends comes to its end after that has closed the channel, and so does who
// waits for the group of those.

func produce(i int) (int, error) {
	if i > 7 {
		return 0, errors.New("too many")
	}
	return i, nil
}

func DR1_drained() {
	var err error
	items := make(chan int)
	go func() {
		defer close(items)
		for i := range 10 {
			var n int
			n, err = produce(i) // norace
			if err != nil {     // norace
				return
			}
			items <- n
		}
	}()
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			for i := range items {
				println(i)
			}
		})
	}
	wg.Wait()
	println(err) // norace
}

// What they send on is taken by the spawner until somebody has closed that, too.
func DR2_sentOn() {
	var err error
	items, results := make(chan int), make(chan int)
	go func() {
		defer close(items)
		_, err = produce(8) // norace
		items <- 1
	}()
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			for i := range items {
				results <- i
			}
		})
	}
	go func() {
		wg.Wait()
		close(results)
	}()
	for r := range results {
		println(r)
	}
	println(err) // norace
}

// They end at the first negative one, whatever is still to come.
func DR3b_endsEarly() {
	var err error
	items := make(chan int, 10)
	go func() {
		defer close(items)
		items <- -1
		_, err = produce(8) // race! err
	}()
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			for i := range items {
				if i < 0 {
					return
				}
			}
		})
	}
	wg.Wait()
	println(err) // race! err
}

// The channel is closed before.
func DR4b_closedBefore() {
	var err error
	items := make(chan int)
	go func() {
		items <- 1
		close(items)
		_, err = produce(8) // race! err
	}()
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			for i := range items {
				println(i)
			}
		})
	}
	wg.Wait()
	println(err) // race! err
}

// Only one of the two who send has been waited for: it closes the channel.
func DR5b_otherSender() {
	var err error
	items := make(chan int, 10)
	go func() {
		_, err = produce(8) // race! err
		items <- 1
	}()
	go func() {
		items <- 2
		close(items)
	}()
	var wg sync.WaitGroup
	wg.Go(func() {
		for i := range items {
			println(i)
		}
	})
	wg.Wait()
	println(err) // race! err
}

// One of the functions that the group may run does not wait for anything.
func DR6b_eitherBody(idle bool) {
	var err error
	items := make(chan int, 10)
	go func() {
		defer close(items)
		items <- 1
		_, err = produce(8) // race! err
	}()
	f := func() {
		for i := range items {
			println(i)
		}
	}
	if idle {
		f = func() {}
	}
	var wg sync.WaitGroup
	wg.Go(f)
	wg.Wait()
	println(err) // race! err
}
