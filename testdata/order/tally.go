package order

import (
	"errors"
	"time"
)

// Goroutines that are waited for by a variable which says how many of them are under way, or have been heard of.

// TY1_underWay has four of them at most.
func TY1_underWay(xs []int) int {
	out := make([]int, len(xs))
	done := make(chan int)
	running := 0
	for i, x := range xs {
		if running == 4 {
			<-done
			running--
		}
		running++
		go func() {
			out[i] = x // norace
			done <- i
		}()
	}
	for ; running > 0; running-- {
		<-done
	}
	return out[0] // norace
}

// TY2_uncounted starts one that it does not count.
func TY2_uncounted(xs []int) int {
	out := make([]int, len(xs))
	done := make(chan int, 1)
	running := 0
	for i, x := range xs {
		if running == 4 {
			<-done
			running--
		}
		if i > 0 {
			running++
		}
		go func() {
			out[i] = x // race! out[*]
			done <- i
		}()
	}
	for ; running > 0; running-- {
		<-done
	}
	return out[0] // race! out[*]
}

// TY3_oneLeft does not wait for the last one.
func TY3_oneLeft(xs []int) int {
	out := make([]int, len(xs))
	done := make(chan int, 1)
	running := 0
	for i, x := range xs {
		running++
		go func() {
			out[i] = x // race! out[*]
			done <- i
		}()
	}
	for running > 1 {
		<-done
		running--
	}
	return out[0] // race! out[*]
}

// TY4_twoCounts compares how many were started and have ended.
func TY4_twoCounts(xs []int) int {
	out := make([]int, len(xs))
	errs := make(chan error)
	started, ended := 0, 0
	for i, x := range xs {
		if x < 0 {
			continue
		}
		started++
		go func() {
			out[i] = x // norace
			errs <- nil
		}()
		if started-ended >= 4 {
			<-errs
			ended++
		}
	}
	for ended < started {
		<-errs
		ended++
	}
	return out[0] // norace
}

// TY5_oneAhead counts one as ended that is not.
func TY5_oneAhead(xs []int) int {
	out := make([]int, len(xs))
	errs := make(chan error, 1)
	started, ended := 0, 1
	for i, x := range xs {
		started++
		go func() {
			out[i] = x // race! out[*]
			errs <- nil
		}()
	}
	for ended < started {
		<-errs
		ended++
	}
	return out[0] // race! out[*]
}

// TY6_rest waits for the rest, if it has not heard of all before it is told to stop.
func TY6_rest(xs []int, all bool, stop chan bool) int {
	out := make([]int, len(xs))
	done := make(chan bool, len(xs))
	for i, x := range xs {
		go func() {
			out[i] = x // norace
			done <- x > 3
		}()
	}
	heard := 0
wait:
	for {
		select {
		case good := <-done:
			heard++
			if !good || heard >= len(xs) {
				break wait
			}
		case <-stop:
			break wait
		}
	}
	if !all {
		return -1
	}
	for heard < len(xs) {
		<-done
		heard++
	}
	return out[0] // norace
}

// TY7_noRest does not.
func TY7_noRest(xs []int, stop chan bool) int {
	out := make([]int, len(xs))
	done := make(chan bool, len(xs))
	for i, x := range xs {
		go func() {
			out[i] = x // race! out[*]
			done <- x > 3
		}()
	}
	heard := 0
wait:
	for {
		select {
		case good := <-done:
			heard++
			if !good || heard >= len(xs) {
				break wait
			}
		case <-stop:
			break wait
		}
	}
	return out[0] // race! out[*]
}

// TY8_ranged leaves a range over what nobody closes.
func TY8_ranged(xs []int) int {
	out := make([]int, len(xs))
	done := make(chan int)
	for i, x := range xs {
		go func() {
			out[i] = x // norace
			done <- i
		}()
	}
	n := 0
	for range done {
		n++
		if n == len(xs) {
			break
		}
	}
	return out[0] // norace
}

// TY9_closed has somebody close it.
func TY9_closed(xs []int) int {
	out := make([]int, len(xs))
	done := make(chan int, len(xs))
	for i, x := range xs {
		go func() {
			defer func() { _ = recover() }()
			out[i] = x // race! out[*]
			done <- i
		}()
	}
	time.AfterFunc(time.Millisecond, func() { close(done) })
	n := 0
	for range done {
		n++
		if n == len(xs) {
			break
		}
	}
	return out[0] // race! out[*]
}

// TY10_down counts down, and goes on waiting where it takes long.
func TY10_down(xs []int) int {
	out := make([]int, len(xs))
	done := make(chan int)
	for i, x := range xs {
		go func() {
			out[i] = x // norace
			done <- i
		}()
	}
	late := 0
	for left := len(xs); left > 0; {
		select {
		case <-done:
			left--
		case <-time.After(time.Second):
			late++
		}
	}
	return out[0] + late // norace
}

// TY11_givesUp counts those down, too, that it does not wait for any longer.
func TY11_givesUp(xs []int) int {
	out := make([]int, len(xs))
	done := make(chan int, len(xs))
	for i, x := range xs {
		go func() {
			out[i] = x // race! out[*]
			done <- i
		}()
	}
	for left := len(xs); left > 0; {
		select {
		case <-done:
			left--
		case <-time.After(time.Second):
			left--
		}
	}
	return out[0] // race! out[*]
}

// TY12_returned returns when it has heard of all.
func TY12_returned(xs []int) int {
	out := make([]int, len(xs))
	done := make(chan int)
	for i, x := range xs {
		go func() {
			out[i] = x // norace
			done <- i
		}()
	}
	ended, late := 0, 0
	for {
		select {
		case <-done:
			ended++
			if ended == len(xs) {
				return out[0] // norace
			}
		case <-time.After(time.Second):
			late++
		}
	}
}

// TY13_tooEarly tells before it has written.
func TY13_tooEarly(xs []int) int {
	out := make([]int, len(xs))
	done := make(chan int)
	running := 0
	for i, x := range xs {
		running++
		go func() {
			done <- i
			out[i] = x // race! out[*]
		}()
	}
	for running > 0 {
		select {
		case <-done:
			running--
		case <-time.After(time.Second):
		}
	}
	return out[0] // race! out[*]
}

// TY14_eitherWay tells at one of two places.
func TY14_eitherWay(xs []int) (int, error) {
	out := make([]int, len(xs))
	errs := make(chan error)
	running := 0
	var first error
	for i, x := range xs {
		running++
		go func() {
			out[i] = x // norace
			if x < 0 {
				errs <- errors.New("negative")
				return
			}
			errs <- nil
		}()
		if running > 2 {
			if err := <-errs; err != nil {
				first = err
			}
			running--
		}
	}
	for running > 0 {
		if err := <-errs; err != nil {
			first = err
		}
		running--
	}
	return out[0], first // norace
}

// TY15_twice tells twice.
func TY15_twice(xs []int) (int, error) {
	out := make([]int, len(xs))
	errs := make(chan error, 2*len(xs))
	running := 0
	for i, x := range xs {
		running++
		go func() {
			if x < 0 {
				errs <- errors.New("negative")
			}
			out[i] = x // race! out[*]
			errs <- nil
		}()
	}
	for running > 0 {
		if err := <-errs; err != nil {
			return 0, err
		}
		running--
	}
	return out[0], nil // race! out[*]
}

// TY16_batches has a channel and a count for each batch.
func TY16_batches(batches [][]int) (sum int) {
	for _, xs := range batches {
		out := make([]int, len(xs))
		done := make(chan int)
		running := 0
		for i, x := range xs {
			running++
			go func() {
				out[i] = x // norace
				done <- i
			}()
			if running > 4 {
				<-done
				running--
			}
		}
		for running > 0 {
			<-done
			running--
		}
		sum += out[0] // norace
	}
	return sum
}

// TY17_leftOver has one channel for all batches, and waits for four fifths of each.
func TY17_leftOver(batches [][]int) (sum int) {
	done := make(chan int, 100)
	for _, xs := range batches {
		out := make([]int, len(xs))
		running := 0
		for i, x := range xs {
			if i%5 > 0 {
				running++
			}
			go func() {
				out[i] = x // race! out[*]
				done <- i
			}()
		}
		for running > 0 {
			<-done
			running--
		}
		sum += out[0] // race! out[*]
	}
	return sum
}

// TY18_rounds hears of all that a batch has started.
func TY18_rounds(batches [][]int) (sum int) {
	for _, xs := range batches {
		out := make([]int, len(xs))
		done := make(chan int)
		for i, x := range xs {
			go func() {
				out[i] = x // norace
				done <- i
			}()
		}
		for range xs {
			<-done
		}
		sum += out[0] // norace
	}
	return sum
}

// TY19_allButOne hears of one less.
func TY19_allButOne(batches [][]int) (sum int) {
	for _, xs := range batches {
		out := make([]int, len(xs))
		done := make(chan int, 1)
		for i, x := range xs {
			go func() {
				out[i] = x // race! out[*]
				done <- i
			}()
		}
		for range len(xs) - 1 {
			<-done
		}
		sum += out[0] // race! out[*]
	}
	return sum
}

// TY20_oneChannel hears of others' ends in the first rounds.
func TY20_oneChannel(batches [][]int) (sum int) {
	done := make(chan int, 100)
	go func() { done <- 0 }()
	for _, xs := range batches {
		out := make([]int, len(xs))
		for i, x := range xs {
			go func() {
				out[i] = x // race! out[*]
				done <- i
			}()
		}
		for range xs {
			<-done
		}
		sum += out[0] // race! out[*]
	}
	return sum
}
