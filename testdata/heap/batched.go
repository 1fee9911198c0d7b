package heap

import "sync"

// What comes from a channel is collected in a list, and the list goes to a goroutine as a whole: what lies in it is in no
// other. What is racy makes its own, or one program would tell of the others' objects, too.

// BD1: a goroutine is passed the list.
func BD1_passed() {
	var wg sync.WaitGroup
	var batch []*bundled
	for p := range bundledOnes() {
		if batch = append(batch, p); len(batch) == 10 {
			wg.Add(1)
			go func(full []*bundled) {
				defer wg.Done()
				weighBundled(full, 1)
			}(batch)
			batch = nil
		}
	}
	weighBundled(batch, 1)
	wg.Wait()
}

type bundled struct{ n, weight int }

func bundledOnes() chan *bundled {
	in := make(chan *bundled)
	go func() {
		defer close(in)
		for i := range 100 {
			in <- &bundled{n: i}
		}
	}()
	return in
}

func weighBundled(batch []*bundled, by int) {
	for _, p := range batch {
		p.weight = by // norace
	}
}

// BD2: a literal has captured a variable of the round.
func BD2_captured() {
	var wg sync.WaitGroup
	var batch []*bundled
	for p := range bundledOnes() {
		if batch = append(batch, p); len(batch) == 10 {
			full := batch
			wg.Go(func() { weighBundled(full, 2) })
			batch = nil
		}
	}
	weighBundled(batch, 2)
	wg.Wait()
}

// BD3: a function starts the goroutine.
func BD3_byFunction() {
	var wg sync.WaitGroup
	flush := func(full []*bundled) {
		wg.Add(1)
		go func() {
			defer wg.Done()
			weighBundled(full, 3)
		}()
	}
	var batch []*bundled
	for p := range bundledOnes() {
		if batch = append(batch, p); len(batch) == 10 {
			flush(batch)
			batch = nil
		}
	}
	flush(batch)
	wg.Wait()
}

// BD4: the lists are sent to workers.
func BD4_sentOn() {
	out := make(chan []*bundled)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for full := range out {
				weighBundled(full, 4)
			}
		})
	}
	batch := make([]*bundled, 0, 10)
	for p := range bundledOnes() {
		if batch = append(batch, p); len(batch) == cap(batch) {
			out <- batch
			batch = make([]*bundled, 0, 10)
		}
	}
	out <- batch
	close(out)
	wg.Wait()
}

// BD5: one that is none of the channel lies in each list.
func BD5_oneInAll() {
	var wg sync.WaitGroup
	var batch []*bundled2
	last := &bundled2{}
	in := make(chan *bundled2)
	go func() {
		defer close(in)
		for i := range 100 {
			in <- &bundled2{n: i}
		}
	}()
	for p := range in {
		if batch = append(batch, p, last); len(batch) == 10 {
			full := batch
			wg.Go(func() {
				for _, p := range full {
					p.weight++ // race! _.weight
				}
			})
			batch = nil
		}
	}
	wg.Wait()
}

// BD6: the last one of a list is the first of the next.
func BD6_carried() {
	var wg sync.WaitGroup
	var batch []*bundled2
	in := make(chan *bundled2)
	go func() {
		defer close(in)
		for i := range 100 {
			in <- &bundled2{n: i}
		}
	}()
	for p := range in {
		if batch = append(batch, p); len(batch) == 10 {
			full := batch
			wg.Go(func() {
				for _, p := range full {
					p.weight++ // race! _.weight
				}
			})
			batch = nil
			batch = append(batch, p)
		}
	}
	wg.Wait()
}

// BD7: each is put into two lists.
func BD7_twoLists() {
	var wg sync.WaitGroup
	var even, odd []*bundled2
	use := func(full []*bundled2) {
		wg.Go(func() {
			for _, p := range full {
				p.weight++ // race! _.weight
			}
		})
	}
	in := make(chan *bundled2)
	go func() {
		defer close(in)
		for i := range 100 {
			in <- &bundled2{n: i}
		}
	}()
	for p := range in {
		even = append(even, p)
		odd = append(odd, p)
		if len(even) == 10 {
			use(even)
			use(odd)
			even, odd = nil, nil
		}
	}
	wg.Wait()
}

// BD8: two goroutines have each list.
func BD8_twoHaveIt() {
	var wg sync.WaitGroup
	var batch []*bundled2
	in := make(chan *bundled2)
	go func() {
		defer close(in)
		for i := range 100 {
			in <- &bundled2{n: i}
		}
	}()
	for p := range in {
		if batch = append(batch, p); len(batch) == 10 { // race _[*]; that each round goes on with another array is not put together where two have it
			full := batch
			for range 2 {
				wg.Go(func() {
					for _, p := range full { // race _[*]; as above
						p.weight++ // race! _.weight
					}
				})
			}
			batch = nil
		}
	}
	wg.Wait()
}

// BD9: what was received a round ago is put there, too.
func BD9_fromBefore() {
	var wg sync.WaitGroup
	var batch []*bundled2
	var last *bundled2
	in := make(chan *bundled2)
	go func() {
		defer close(in)
		for i := range 100 {
			in <- &bundled2{n: i}
		}
	}()
	for p := range in {
		if last != nil {
			batch = append(batch, p, last)
		}
		if last = p; len(batch) == 10 {
			full := batch
			wg.Go(func() {
				for _, p := range full {
					p.weight++ // race! _.weight
				}
			})
			batch = nil
		}
	}
	wg.Wait()
}

type bundled2 struct{ n, weight int }
