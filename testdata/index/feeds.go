package index

import "sync"

// Programs about items that one send hands out to workers: two workers never
// have the item of one round of the loop that sends.

type item struct{ lo, hi int }

type sendState struct{ pos int }

// The spawner sends the bounds of chunks.
func Feed_chunks(all []int) {
	jobs := make(chan item)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for j := range jobs {
				for i := j.lo; i < j.hi; i++ {
					all[i]++ // norace
				}
			}
		})
	}
	for lo := 0; lo < len(all); lo += 10 {
		jobs <- item{lo, min(lo+10, len(all))}
	}
	close(jobs)
	wg.Wait()
}

// A goroutine of its own sends them.
func Feed_feeder(all []int) {
	jobs := make(chan item)
	go func() {
		for lo := 0; lo < len(all); lo += 10 {
			jobs <- item{lo, min(lo+10, len(all))}
		}
		close(jobs)
	}()
	var wg sync.WaitGroup
	for range 4 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for j := range jobs {
				for i := j.lo; i < j.hi; i++ {
					all[i]++ // norace
				}
			}
		}()
	}
	wg.Wait()
}

// Each item names one element.
func Feed_ids(all []int) {
	jobs := make(chan item)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for j := range jobs {
				all[j.lo]++ // norace
			}
		})
	}
	for i := range all {
		jobs <- item{lo: i}
	}
	close(jobs)
	wg.Wait()
}

// The chunks overlap by one element.
func Feed_overlapping(all []int) {
	jobs := make(chan item)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for j := range jobs {
				for i := j.lo; i < j.hi; i++ {
					all[i]++ // race! all[*]
				}
			}
		})
	}
	for lo := 0; lo+11 < len(all); lo += 10 {
		jobs <- item{lo, lo + 11}
	}
	close(jobs)
	wg.Wait()
}

// Two loops send the same chunks.
func Feed_twoFillers(all []int) {
	jobs := make(chan item)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for j := range jobs {
				for i := j.lo; i < j.hi; i++ {
					all[i]++ // race! all[*]
				}
			}
		})
	}
	for lo := 0; lo < len(all); lo += 10 {
		jobs <- item{lo, min(lo+10, len(all))}
	}
	for lo := 0; lo < len(all); lo += 10 {
		jobs <- item{lo, min(lo+10, len(all))}
	}
	close(jobs)
	wg.Wait()
}

// One loop sends them twice.
func Feed_filledTwice(all []int) {
	jobs := make(chan item)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for j := range jobs {
				for i := j.lo; i < j.hi; i++ {
					all[i]++ // race! all[*]
				}
			}
		})
	}
	for range 2 {
		for lo := 0; lo < len(all); lo += 10 {
			jobs <- item{lo, min(lo+10, len(all))}
		}
	}
	close(jobs)
	wg.Wait()
}

// Of a closed channel every receive yields the zero item.
func Feed_zeroAfterClose(all []int) {
	jobs := make(chan item)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			j := <-jobs
			all[j.lo]++ // race! all[*]
		})
	}
	for i := range 2 {
		jobs <- item{lo: i}
	}
	close(jobs)
	wg.Wait()
}

// So it does where nobody looks at ok first.
func Feed_unchecked(all []int) {
	jobs := make(chan item)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			j, ok := <-jobs
			all[j.lo]++ // race! all[*]
			if !ok {
				return
			}
		})
	}
	for i := range 2 {
		jobs <- item{lo: i}
	}
	close(jobs)
	wg.Wait()
}

// The bounds come from two items.
func Feed_twoReceives(all []int) {
	jobs := make(chan item, 10)
	for lo := 0; lo < 40; lo += 10 {
		jobs <- item{lo, lo + 10}
	}
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			a := <-jobs
			b := <-jobs
			for i := a.lo; i < b.hi; i++ {
				all[i]++ // race! all[*]
			}
		})
	}
	wg.Wait()
}

// A bound comes from the item before.
func Feed_previous(all []int) {
	jobs := make(chan item)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			last := 0
			for j := range jobs {
				for i := last; i < j.hi; i++ {
					all[i]++ // race! all[*]
				}
				last = j.hi
			}
		})
	}
	for lo := 0; lo < len(all); lo += 10 {
		jobs <- item{lo, min(lo+10, len(all))}
	}
	close(jobs)
	wg.Wait()
}

// An element of the worker, beside those of its items.
func Feed_beside(all []int) {
	jobs := make(chan item)
	var wg sync.WaitGroup
	for w := range 4 {
		wg.Go(func() {
			for j := range jobs {
				for i := j.lo; i < j.hi; i++ {
					all[i]++ // race! all[*]
				}
			}
			all[w]++ // race! all[*]
		})
	}
	for lo := 0; lo < len(all); lo += 10 {
		jobs <- item{lo, min(lo+10, len(all))}
	}
	close(jobs)
	wg.Wait()
}

// What is sent depends on what the sender changes between two sends.
func Feed_stateful(all []int, s *sendState) {
	jobs := make(chan item)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for j := range jobs {
				all[j.lo]++ // race! all[*]
			}
		})
	}
	for i := 0; i < len(all); i++ {
		jobs <- item{lo: s.pos + i}
		s.pos--
	}
	close(jobs)
	wg.Wait()
}

// Items are sent by pointer.
func Feed_pointers(all []int) {
	jobs := make(chan *item)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for j := range jobs {
				for i := j.lo; i < j.hi; i++ {
					all[i]++ // norace
				}
			}
		})
	}
	for lo := 0; lo < len(all); lo += 10 {
		jobs <- &item{lo, min(lo+10, len(all))}
	}
	close(jobs)
	wg.Wait()
}

// The sender changes an item that it has sent.
func Feed_changedAfter(all []int) {
	jobs := make(chan *item)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for j := range jobs {
				for i := j.lo; i < j.hi; i++ { // race! _.hi
					all[i]++ // race! all[*]
				}
			}
		})
	}
	for lo := 0; lo < len(all); lo += 10 {
		j := &item{lo, min(lo+10, len(all))}
		jobs <- j
		j.hi++ // race! _.hi
	}
	close(jobs)
	wg.Wait()
}

// Items of two nested loops.
func Feed_tiles(all []int, w, h int) {
	jobs := make(chan item)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for j := range jobs {
				all[j.lo*w+j.hi]++ // norace
			}
		})
	}
	for y := 0; y < h; y++ {
		for x := 0; x < w; x++ {
			jobs <- item{y, x}
		}
	}
	close(jobs)
	wg.Wait()
}

// Two items name one element.
func Feed_halves(all []int) {
	jobs := make(chan item)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for j := range jobs {
				all[j.lo/2]++ // race! all[*]
			}
		})
	}
	for i := range all {
		jobs <- item{lo: i}
	}
	close(jobs)
	wg.Wait()
}

// A worker sends an item on.
func Feed_sentBack(all []int) {
	jobs := make(chan item, 100)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for j := range jobs {
				all[j.lo]++ // race! all[*]
				jobs <- j
			}
		})
	}
	for i := range all {
		jobs <- item{lo: i}
	}
	wg.Wait()
}

// The start of a chunk is sent, and what goes through the chunk begins there.
func Feed_startOfLoop(all []int) {
	starts := make(chan int)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for s := range starts {
				for i := s; i < min(s+16, len(all)); i++ {
					all[i]++ // norace
				}
			}
		})
	}
	for s := 0; s < len(all); s += 16 {
		starts <- s
	}
	close(starts)
	wg.Wait()
}

// A chunk takes one of the next.
func Feed_startOfLoopTooFar(all []int) {
	starts := make(chan int)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for s := range starts {
				for i := s; i <= min(s+16, len(all)-1); i++ {
					all[i]++ // race! all[*]
				}
			}
		})
	}
	for s := 0; s < len(all); s += 16 {
		starts <- s
	}
	close(starts)
	wg.Wait()
}

// Who finds the channel closed begins at 0, too.
func Feed_startAfterClose(all []int) {
	starts := make(chan int)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for {
				s, ok := <-starts
				for i := s; i < min(s+16, len(all)); i++ {
					all[i]++ // race! all[*]
				}
				if !ok {
					return
				}
			}
		})
	}
	for s := 0; s < len(all); s += 16 {
		starts <- s
	}
	close(starts)
	wg.Wait()
}
