package order

import (
	"sync"
	"time"
)

// Goroutines each close a channel when they are done, and what they send is merged into one channel.

// FI1_merged reads when all are closed.
func FI1_merged() int {
	ns := make([]int, 3)
	var ins []chan int
	for k := range ns {
		in := make(chan int, 1)
		go func() {
			defer close(in)
			in <- k
			ns[k]++ // norace
		}()
		ins = append(ins, in)
	}
	out := make(chan int)
	var wg sync.WaitGroup
	wg.Add(len(ins))
	for _, in := range ins {
		go func() {
			defer wg.Done()
			for v := range in {
				out <- v
			}
		}()
	}
	go func() {
		wg.Wait()
		close(out)
	}()
	for range out {
	}
	return ns[1] // norace
}

// FI2_counted counts each that it starts.
func FI2_counted() int {
	ns := make([]int, 3)
	var ins []chan int
	for k := range ns {
		in := make(chan int, 1)
		go func() {
			defer close(in)
			in <- k
			ns[k]++ // norace
		}()
		ins = append(ins, in)
	}
	out := make(chan int)
	var wg sync.WaitGroup
	for _, in := range ins {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for v := range in {
				out <- v
			}
		}()
	}
	go func() {
		wg.Wait()
		close(out)
	}()
	for range out {
	}
	return ns[1] // norace
}

// FI3_passed passes the channel to a function.
func FI3_passed() int {
	ns := make([]int, 3)
	var ins []chan int
	for k := range ns {
		in := make(chan int, 1)
		go func() {
			defer close(in)
			in <- k
			ns[k]++ // norace
		}()
		ins = append(ins, in)
	}
	out := make(chan int)
	var wg sync.WaitGroup
	wg.Add(len(ins))
	forward := func(in chan int) {
		for v := range in {
			out <- v
		}
		wg.Done()
	}
	for _, in := range ins {
		go forward(in)
	}
	go func() {
		wg.Wait()
		close(out)
	}()
	for range out {
	}
	return ns[1] // norace
}

// FI4_doneFirst tells the group before.
func FI4_doneFirst() int {
	ns := make([]int, 3)
	var ins []chan int
	for k := range ns {
		in := make(chan int, 1)
		go func() {
			defer close(in)
			in <- k
			ns[k]++ // race! ns[*]
		}()
		ins = append(ins, in)
	}
	out := make(chan int)
	var wg sync.WaitGroup
	wg.Add(len(ins))
	for _, in := range ins {
		go func() {
			wg.Done()
			for v := range in {
				out <- v
			}
		}()
	}
	go func() {
		wg.Wait()
		close(out)
	}()
	for range out {
	}
	return ns[1] // race! ns[*]
}

// FI5_leaves leaves after the first.
func FI5_leaves() int {
	ns := make([]int, 3)
	var ins []chan int
	for k := range ns {
		in := make(chan int, 1)
		go func() {
			defer close(in)
			in <- k
			ns[k]++ // race! ns[*]
		}()
		ins = append(ins, in)
	}
	out := make(chan int)
	var wg sync.WaitGroup
	wg.Add(len(ins))
	for _, in := range ins {
		go func() {
			defer wg.Done()
			for v := range in {
				out <- v
				return
			}
		}()
	}
	go func() {
		wg.Wait()
		close(out)
	}()
	for range out {
	}
	return ns[1] // race! ns[*]
}

// FI6_someOnly leaves one out.
func FI6_someOnly() int {
	ns := make([]int, 3)
	var ins []chan int
	for k := range ns {
		in := make(chan int, 1)
		go func() {
			defer close(in)
			in <- k
			ns[k]++ // race! ns[*]
		}()
		ins = append(ins, in)
	}
	out := make(chan int)
	var wg sync.WaitGroup
	wg.Add(len(ins))
	for k, in := range ins {
		if k == 1 {
			wg.Done()
			continue
		}
		go func() {
			defer wg.Done()
			for v := range in {
				out <- v
			}
		}()
	}
	go func() {
		wg.Wait()
		close(out)
	}()
	for range out {
	}
	return ns[1] // race! ns[*]
}

// FI7_stops stops at the second.
func FI7_stops() int {
	ns := make([]int, 3)
	var ins []chan int
	for k := range ns {
		in := make(chan int, 1)
		go func() {
			defer close(in)
			in <- k
			ns[k]++ // race! ns[*]
		}()
		ins = append(ins, in)
	}
	out := make(chan int)
	var wg sync.WaitGroup
	for k, in := range ins {
		if k == 1 {
			break
		}
		wg.Add(1)
		go func() {
			defer wg.Done()
			for v := range in {
				out <- v
			}
		}()
	}
	go func() {
		wg.Wait()
		close(out)
	}()
	for range out {
	}
	return ns[1] // race! ns[*]
}

// FI8_closedFirst closes its channel before.
func FI8_closedFirst() int {
	ns := make([]int, 3)
	var ins []chan int
	for k := range ns {
		in := make(chan int, 1)
		go func() {
			in <- k
			close(in)
			ns[k]++ // race! ns[*]
		}()
		ins = append(ins, in)
	}
	out := make(chan int)
	var wg sync.WaitGroup
	wg.Add(len(ins))
	for _, in := range ins {
		go func() {
			defer wg.Done()
			for v := range in {
				out <- v
			}
		}()
	}
	go func() {
		wg.Wait()
		close(out)
	}()
	for range out {
	}
	return ns[1] // race! ns[*]
}

// FI9_closedByOther has it closed by another.
func FI9_closedByOther() int {
	ns := make([]int, 3)
	var ins []chan int
	for k := range ns {
		in := make(chan int, 1)
		go func() {
			time.Sleep(time.Millisecond)
			ns[k]++ // race! ns[*]
		}()
		go func() {
			in <- k
			close(in)
		}()
		ins = append(ins, in)
	}
	out := make(chan int)
	var wg sync.WaitGroup
	wg.Add(len(ins))
	for _, in := range ins {
		go func() {
			defer wg.Done()
			for v := range in {
				out <- v
			}
		}()
	}
	go func() {
		wg.Wait()
		close(out)
	}()
	for range out {
	}
	return ns[1] // race! ns[*]
}

// FI10_notDrained reads after the first.
func FI10_notDrained() int {
	ns := make([]int, 3)
	var ins []chan int
	for k := range ns {
		in := make(chan int, 1)
		go func() {
			defer close(in)
			in <- k
			ns[k]++ // race! ns[*]
		}()
		ins = append(ins, in)
	}
	out := make(chan int)
	var wg sync.WaitGroup
	wg.Add(len(ins))
	for _, in := range ins {
		go func() {
			defer wg.Done()
			for v := range in {
				out <- v
			}
		}()
	}
	go func() {
		wg.Wait()
		close(out)
	}()
	<-out
	return ns[1] // race! ns[*]
}

// FI11_notWaited does not wait for the group.
func FI11_notWaited() int {
	ns := make([]int, 3)
	var ins []chan int
	for k := range ns {
		in := make(chan int, 1)
		go func() {
			defer close(in)
			in <- k
			ns[k]++ // race! ns[*]
		}()
		ins = append(ins, in)
	}
	out := make(chan int)
	var wg sync.WaitGroup
	wg.Add(len(ins))
	for _, in := range ins {
		go func() {
			defer wg.Done()
			for v := range in {
				out <- v
			}
		}()
	}
	go func() {
		time.Sleep(time.Millisecond)
		close(out)
	}()
	for range out {
	}
	return ns[1] // race! ns[*]
}

// FI12_addedLate counts each when it runs.
func FI12_addedLate() int {
	ns := make([]int, 3)
	var ins []chan int
	for k := range ns {
		in := make(chan int, 1)
		go func() {
			defer close(in)
			in <- k
			ns[k]++ // race! ns[*]
		}()
		ins = append(ins, in)
	}
	out := make(chan int)
	var wg sync.WaitGroup
	for _, in := range ins {
		go func() {
			wg.Add(1)
			defer wg.Done()
			for v := range in {
				out <- v
			}
		}()
	}
	go func() {
		wg.Wait()
		close(out)
	}()
	for range out {
	}
	return ns[1] // race! ns[*]
}

// FI13_sameOne waits for one of them several times.
func FI13_sameOne() int {
	ns := make([]int, 3)
	var ins []chan int
	for k := range ns {
		in := make(chan int, 1)
		go func() {
			defer close(in)
			in <- k
			ns[k]++ // race! ns[*]
		}()
		ins = append(ins, in)
	}
	out := make(chan int)
	var wg sync.WaitGroup
	wg.Add(len(ins))
	for range ins {
		go func() {
			defer wg.Done()
			for v := range ins[0] {
				out <- v
			}
		}()
	}
	go func() {
		wg.Wait()
		close(out)
	}()
	for range out {
	}
	return ns[1] // race! ns[*]
}

// FI14_onOther waits for another group.
func FI14_onOther() int {
	ns := make([]int, 3)
	var ins []chan int
	for k := range ns {
		in := make(chan int, 1)
		go func() {
			defer close(in)
			in <- k
			ns[k]++ // race! ns[*]
		}()
		ins = append(ins, in)
	}
	out := make(chan int)
	var wg sync.WaitGroup
	var other sync.WaitGroup
	wg.Add(len(ins))
	for _, in := range ins {
		go func() {
			defer wg.Done()
			for v := range in {
				out <- v
			}
		}()
	}
	go func() {
		other.Wait()
		close(out)
	}()
	for range out {
	}
	return ns[1] // race! ns[*]
}

// FI15_leavesBody leaves after the first, and is waited for as such.
func FI15_leavesBody() int {
	ns := make([]int, 3)
	var ins []chan int
	for k := range ns {
		in := make(chan int, 1)
		go func() {
			defer close(in)
			in <- k
			ns[k]++ // race! ns[*]
		}()
		ins = append(ins, in)
	}
	out := make(chan int)
	var wg sync.WaitGroup
	for _, in := range ins {
		wg.Go(func() {
			for v := range in {
				out <- v
				return
			}
		})
	}
	go func() {
		wg.Wait()
		close(out)
	}()
	for range out {
	}
	return ns[1] // race! ns[*]
}

// FI16_closedEitherWay closes its channel before on one way.
func FI16_closedEitherWay() int {
	ns := make([]int, 3)
	var ins []chan int
	for k := range ns {
		in := make(chan int, 1)
		go func() {
			in <- k
			if k > 0 {
				close(in)
				ns[k]++ // race! ns[*]
				return
			}
			close(in)
		}()
		ins = append(ins, in)
	}
	out := make(chan int)
	var wg sync.WaitGroup
	wg.Add(len(ins))
	for _, in := range ins {
		go func() {
			defer wg.Done()
			for v := range in {
				out <- v
			}
		}()
	}
	go func() {
		wg.Wait()
		close(out)
	}()
	for range out {
	}
	return ns[1] // race! ns[*]
}

// FI17_waitedAtTimes waits for the group at times.
func FI17_waitedAtTimes() int {
	ns := make([]int, 3)
	var ins []chan int
	for k := range ns {
		in := make(chan int, 1)
		go func() {
			defer close(in)
			in <- k
			ns[k]++ // race! ns[*]
		}()
		ins = append(ins, in)
	}
	out := make(chan int)
	var wg sync.WaitGroup
	wg.Add(len(ins))
	for _, in := range ins {
		go func() {
			defer wg.Done()
			for v := range in {
				out <- v
			}
		}()
	}
	go func() {
		if len(ins) > 5 {
			wg.Wait()
		}
		close(out)
	}()
	for range out {
	}
	return ns[1] // race! ns[*]
}

// FI18_part leaves the first one out.
func FI18_part() int {
	ns := make([]int, 3)
	var ins []chan int
	for k := range ns {
		in := make(chan int, 1)
		go func() {
			defer close(in)
			in <- k
			ns[k]++ // race! ns[*]
		}()
		ins = append(ins, in)
	}
	out := make(chan int)
	var wg sync.WaitGroup
	wg.Add(len(ins) - 1)
	for _, in := range ins[1:] {
		go func() {
			defer wg.Done()
			for v := range in {
				out <- v
			}
		}()
	}
	go func() {
		wg.Wait()
		close(out)
	}()
	for range out {
	}
	return ns[0] // race! ns[*]
}

// FI19_first waits for the first one each time.
func FI19_first() int {
	ns := make([]int, 3)
	var ins []chan int
	for k := range ns {
		in := make(chan int, 1)
		go func() {
			defer close(in)
			in <- k
			ns[k]++ // race! ns[*]
		}()
		ins = append(ins, in)
	}
	out := make(chan int)
	var wg sync.WaitGroup
	wg.Add(len(ins))
	for _, in := range ins {
		first := ins[0]
		_ = in
		go func() {
			defer wg.Done()
			for v := range first {
				out <- v
			}
		}()
	}
	go func() {
		wg.Wait()
		close(out)
	}()
	for range out {
	}
	return ns[1] // race! ns[*]
}
