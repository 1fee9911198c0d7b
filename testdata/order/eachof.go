package order

import (
	"fmt"
	"sync"
)

// Programs that wait for each element of a list.

type eachFuture struct{ done chan struct{} }

func eachStart(f func()) *eachFuture {
	fu := &eachFuture{done: make(chan struct{})}
	go func() {
		defer close(fu.done)
		f()
	}()
	return fu
}

func (f *eachFuture) wait() { <-f.done }

// EF1: each goroutine has closed its own channel when all have been waited for.
func EF1_futures(n int) {
	out := make([]int, n)
	var fs []*eachFuture
	for i := range n {
		fs = append(fs, eachStart(func() {
			out[i] = i // norace
		}))
	}
	for _, f := range fs {
		f.wait()
	}
	fmt.Println(out)
}

// EF2: read before.
func EF2_before(n int) {
	out := make([]int, n)
	var fs []*eachFuture
	for i := range n {
		fs = append(fs, eachStart(func() {
			out[i] = i // race! out[*]
		}))
	}
	fmt.Println(out) // race! out[*]
	for _, f := range fs {
		f.wait()
	}
}

// EF3: not the first one.
func EF3_part(n int) {
	out := make([]int, n)
	var fs []*eachFuture
	for i := range n {
		fs = append(fs, eachStart(func() {
			out[i] = i // race! out[*]
		}))
	}
	for _, f := range fs[1:] {
		f.wait()
	}
	fmt.Println(out) // race! out[*]
}

// EF4: some are passed by.
func EF4_some(n int, skip []bool) {
	out := make([]int, n)
	var fs []*eachFuture
	for i := range n {
		fs = append(fs, eachStart(func() {
			out[i] = i // race! out[*]
		}))
	}
	for i, f := range fs {
		if skip[i] {
			continue
		}
		f.wait()
	}
	fmt.Println(out) // race! out[*]
}

// EF5: the same one again and again.
func EF5_one(n int) {
	out := make([]int, n)
	var last *eachFuture
	for i := range n {
		last = eachStart(func() {
			out[i] = i // race! out[*]
		})
	}
	for range n {
		last.wait()
	}
	fmt.Println(out) // race! out[*]
}

type eachRequest struct {
	id    int
	reply chan bool
}

// EF6: the list is made first, and has structs.
func EF6_requests(n int) {
	var reqs []eachRequest
	for k := range n {
		reqs = append(reqs, eachRequest{k, make(chan bool, 1)})
	}
	var mu sync.Mutex
	sum := 0
	for _, rq := range reqs {
		go func() {
			mu.Lock()
			sum += rq.id // norace
			mu.Unlock()
			rq.reply <- true
		}()
	}
	for _, rq := range reqs {
		<-rq.reply
	}
	fmt.Println(sum)
}

// EF7: of a map, of groups.
func EF7_groups(names []string) {
	var mu sync.Mutex
	sum := 0
	groups := make(map[string]*sync.WaitGroup)
	for _, name := range names {
		wg := new(sync.WaitGroup)
		groups[name] = wg
		wg.Add(1)
		go func() {
			defer wg.Done()
			mu.Lock()
			sum += len(name) // norace
			mu.Unlock()
		}()
	}
	for _, wg := range groups {
		wg.Wait()
	}
	fmt.Println(sum)
}

// EF8: a loop may be left before it has come to all.
func EF8_leaves(n int, enough func() bool) {
	var mu sync.Mutex
	sum := 0
	done := make([]chan bool, n)
	for i := range done {
		done[i] = make(chan bool)
		go func() {
			mu.Lock()
			sum += i // race! sum
			mu.Unlock()
			close(done[i])
		}()
	}
	for i := range done {
		if enough() {
			break
		}
		<-done[i]
	}
	fmt.Println(sum) // race! sum
}

// EF9: it comes to all.
func EF9_all(n int) {
	var mu sync.Mutex
	sum := 0
	done := make([]chan bool, n)
	for i := range done {
		done[i] = make(chan bool)
		go func() {
			mu.Lock()
			sum += i // norace
			mu.Unlock()
			close(done[i])
		}()
	}
	for i := range done {
		<-done[i]
	}
	fmt.Println(sum)
}

// EF10: in a goroutine for each request, which all have lists of their own.
func EF10_inGoroutines(sizes []int) {
	var all sync.WaitGroup
	for _, n := range sizes {
		all.Add(1)
		go func() {
			defer all.Done()
			EF1_futures(n)
		}()
	}
	all.Wait()
}

var eachIDs []int

// EF11: the list has been made by the function around, with the length of a package variable.
func EF11_captured(names []string) {
	var mu sync.Mutex
	sum := 0
	if len(names) > 9 {
		names = names[:9]
	}
	if len(names) > 1 {
		fmt.Println(names[0])
	}
	if len(names) == 0 {
		return
	}
	done := make([]chan bool, len(eachIDs))
	for i := range done {
		done[i] = make(chan bool)
		go func() {
			mu.Lock()
			sum += i // race sum; as far as the function knows the list may have other elements
			mu.Unlock()
			close(done[i])
		}()
	}
	wait := func(n int) {
		for i := 0; i < n; i++ {
			<-done[i]
		}
	}
	wait(len(done) / 2)
	fmt.Println(sum) // race sum; the same
}

// EF12: the goroutines' channels come by a channel.
func EF12_received(n int) {
	out := make([]int, n)
	answers := make(chan chan int, n)
	for i := range n {
		c := make(chan int, 1)
		answers <- c
		go func() {
			out[i] = i // norace
			c <- i
		}()
	}
	close(answers)
	sum := 0
	for c := range answers {
		sum += <-c
	}
	fmt.Println(sum, out)
}

// EF13: they have futures, and another goroutine starts them.
func EF13_futures(n int) {
	out := make([]int, n)
	started := make(chan *eachFuture)
	go func() {
		defer close(started)
		for i := range n {
			started <- eachStart(func() {
				out[i] = i // race out[*]; they are started by another goroutine
			})
		}
	}()
	for f := range started {
		f.wait()
	}
	fmt.Println(out) // race out[*]; the same
}

// EF14: another one takes some.
func EF14_taken(n int) {
	out := make([]int, n)
	answers := make(chan chan int, n)
	for i := range n {
		c := make(chan int, 1)
		answers <- c
		go func() {
			out[i] = i // race! out[*]
			c <- i
		}()
	}
	close(answers)
	go func() { <-answers }()
	for c := range answers {
		<-c
	}
	fmt.Println(out) // race! out[*]
}

// EF15: it is left early.
func EF15_left(n int) {
	out := make([]int, n)
	answers := make(chan chan int, n)
	for i := range n {
		c := make(chan int, 1)
		answers <- c
		go func() {
			out[i] = i // race! out[*]
			c <- i
		}()
	}
	close(answers)
	for c := range answers {
		if <-c > 3 {
			break
		}
	}
	fmt.Println(out) // race! out[*]
}

// EF16: some are not waited for.
func EF16_passed(n int) {
	out := make([]int, n)
	answers := make(chan chan int, n)
	for i := range n {
		c := make(chan int, 1)
		answers <- c
		go func() {
			out[i] = i // race! out[*]
			c <- i
		}()
	}
	close(answers)
	k := 0
	for c := range answers {
		if k++; k > 3 {
			<-c
		}
	}
	fmt.Println(out) // race! out[*]
}

// EF17: it is left where there is nothing for the moment.
func EF17_momentarily(n int) {
	out := make([]int, n)
	answers := make(chan chan int, n)
	go func() {
		for i := range n {
			c := make(chan int, 1)
			go func() {
				out[i] = i // race! out[*]
				c <- i
			}()
			answers <- c
		}
	}()
	for {
		select {
		case c := <-answers:
			<-c
			continue
		default:
		}
		break
	}
	fmt.Println(out) // race! out[*]
}
