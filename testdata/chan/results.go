package channel

import (
	"sync"
	"sync/atomic"
)

// Results come back on a channel; the spawner counts them.
func B10_resultChannel() {
	results := make(chan int)
	for i := range n {
		go func() { results <- i * i }()
	}
	sum := 0
	for range n {
		sum += <-results // norace
	}
	_ = sum
}

// The receives join the goroutines: what they wrote before the send is over.
func B10_joinByReceives() {
	done := make(chan bool)
	own := make([]int, n)
	for i := range own {
		go func() {
			own[i] = i // norace
			done <- true
		}()
	}
	for range own {
		<-done
	}
	_ = own[3] // norace
}

// One receive too few: one goroutine may still write.
func B10_oneReceiveShort() {
	done := make(chan bool, n)
	own := make([]int, n)
	for i := range own {
		go func() {
			own[i] = i // race! own[*]
			done <- true
		}()
	}
	for range n - 1 {
		<-done
	}
	for i := range own {
		_ = own[i] + 1 // race! own[*]
	}
}

// Some write after their send.
func B10_writeAfterSend() {
	done := make(chan bool, n)
	own := make([]int, n)
	for i := range own {
		go func() {
			done <- true
			own[i] = i // race! own[*]
		}()
	}
	for range own {
		<-done
	}
	for i := range own {
		_ = own[i] + 1 // race! own[*]
	}
}

// A closer goroutine waits and closes; the range ends after all have written.
func S36_closer() {
	results := make(chan int)
	var wg sync.WaitGroup
	var mu sync.Mutex
	count := 0
	own := make([]int, n)
	for i := range n {
		wg.Add(1)
		go func() {
			defer wg.Done()
			own[i] = i // norace
			mu.Lock()
			count++ // norace
			mu.Unlock()
			results <- i
		}()
	}
	go func() {
		wg.Wait()
		close(results)
	}()
	sum := 0
	for r := range results {
		sum += r // norace
	}
	_ = sum + count + own[2] // norace
}

// As S36, but the range may be left before the close.
func S36b_leftBeforeClose() {
	results := make(chan int, n)
	var wg sync.WaitGroup
	var mu sync.Mutex
	count := 0
	for i := range n {
		wg.Add(1)
		go func() {
			defer wg.Done()
			mu.Lock()
			count++ // race! count
			mu.Unlock()
			results <- i
		}()
	}
	go func() {
		wg.Wait()
		close(results)
	}()
	for range results {
		break
	}
	_ = count + 1 // race! count
}

// The items belong to whom they were sent to, and back.
func S35_structThroughChannels() {
	in, out := make(chan item), make(chan item)
	for range 4 {
		go func() {
			for it := range in {
				it.out = it.id * it.id // norace
				out <- it
			}
		}()
	}
	go func() {
		for i := range n {
			in <- item{id: i}
		}
		close(in)
	}()
	for range n {
		it := <-out
		it.out++ // norace
	}
}

// The same with pointers: a worker is done with an item when it sends it on.
func B10_pointerThroughChannels() {
	in, out := make(chan *item), make(chan *item)
	for range 4 {
		go func() {
			for it := range in {
				it.out = it.id // norace
				out <- it
			}
		}()
	}
	go func() {
		for i := range n {
			in <- &item{id: i}
		}
		close(in)
	}()
	for range n {
		it := <-out
		it.out++ // norace
	}
}

// The producer sends its buffer and goes on filling it.
func S34_reuseAfterSend() {
	ch := make(chan []int, 1)
	var wg sync.WaitGroup
	sums := make([]int, 3)
	for w := range sums {
		wg.Go(func() {
			for buf := range ch {
				for _, v := range buf { // race! _[*]
					sums[w] += v // norace
				}
			}
		})
	}
	buf := make([]int, 0, 4)
	for i := range n {
		buf = append(buf, i, i) // race! _[*]
		ch <- buf
		buf = buf[:0]
	}
	close(ch)
	wg.Wait()
}

// A new buffer per send.
func S34b_newBufferPerSend() {
	ch := make(chan []int, 1)
	var wg sync.WaitGroup
	sums := make([]int, 3)
	for w := range sums {
		wg.Go(func() {
			for buf := range ch {
				for _, v := range buf { // norace
					sums[w] += v // norace
				}
			}
		})
	}
	for i := range n {
		buf := make([]int, 0, 4)
		buf = append(buf, i, i) // norace
		ch <- buf
	}
	close(ch)
	wg.Wait()
}

// Buffers come back through a second channel before they are filled again.
func S34c_recycled() {
	full, free := make(chan *item, 2), make(chan *item, 2)
	free <- &item{}
	free <- &item{}
	var wg sync.WaitGroup
	wg.Go(func() {
		for it := range full {
			_ = it.out // norace
			free <- it
		}
	})
	for i := range n {
		it := <-free
		it.out = i // norace
		full <- it
	}
	close(full)
	wg.Wait()
}

// One receive for each goroutine, counted by the length that the loop over
// them had.
func C9_receiveForEach(segs []int) int {
	out := make(chan int, len(segs))
	var bytes int64
	for _, g := range segs {
		go func() {
			atomic.AddInt64(&bytes, int64(g)) // norace
			out <- g
		}()
	}
	sum := 0
	for i := 0; i < len(segs); i++ {
		sum += <-out
	}
	return sum + int(bytes) // norace
}

// The slice has grown in between: more is received than was started, but
// shrinking it is enough to receive too little.
func C9b_receiveForFewer(segs []int) int {
	out := make(chan int, len(segs))
	var bytes int64
	for range segs {
		go func() {
			atomic.AddInt64(&bytes, 1) // race! bytes
			out <- 1
		}()
	}
	segs = segs[1:]
	for i := 0; i < len(segs); i++ {
		<-out
	}
	return int(bytes) // race! bytes
}
