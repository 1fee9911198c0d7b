package lock

import "sync"

// A goroutine works off a list. Who finds, under the lock, that there is none starts it, and it says
// under the lock that it ends.

type drainer struct {
	mu      sync.Mutex
	list    []int
	running bool
	sum     int
	f       func(int)
}

// DR1: the function that it calls is called by one at a time; who adds to the list is not that one.
func DR1_drained() {
	sum := 0
	d := &drainer{f: func(x int) { sum += x }} // norace
	for i := range n {
		go d.put(i)
	}
}

func (d *drainer) put(x int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.list = append(d.list, x)
	d.sum = 0 // race! d.sum
	if !d.running {
		d.running = true
		go d.drain()
	}
}

func (d *drainer) drain() {
	for {
		d.mu.Lock()
		if len(d.list) == 0 {
			d.running = false
			d.mu.Unlock()
			return
		}
		x := d.list[0]
		d.list = d.list[1:]
		d.mu.Unlock()
		d.sum += x // race! d.sum
		d.f(x)
	}
}

// DR2: by a literal; who starts it has d.sum before.
func DR2_literal() {
	d := &drainer{}
	for i := range n {
		go d.putBy(i)
	}
}

func (d *drainer) putBy(x int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	drain := func() {
		for {
			d.mu.Lock()
			if len(d.list) == 0 {
				d.running = false
				d.mu.Unlock()
				return
			}
			d.list = d.list[1:]
			d.mu.Unlock()
			d.sum++ // norace
		}
	}
	d.list = append(d.list, x)
	if !d.running {
		d.running = true
		d.sum = 0 // norace
		go drain()
	}
}

// DR3: who starts it says at once that it is over.
func DR3_saidTooEarly() {
	d := &drainer{}
	for range n {
		go d.putAndReset()
	}
}

func (d *drainer) putAndReset() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.running {
		d.running = true
		go d.work()
		d.running = false
	}
}

func (d *drainer) work() {
	d.sum++ // race! d.sum
	d.mu.Lock()
	d.running = false
	d.mu.Unlock()
}

// DR4: it has started another one, which goes on.
func DR4_nested() {
	d := &drainer{}
	for range n {
		go d.startNesting()
	}
}

func (d *drainer) startNesting() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.running {
		d.running = true
		go func() {
			go func() {
				d.sum++ // race! d.sum
			}()
			d.mu.Lock()
			d.running = false
			d.mu.Unlock()
		}()
	}
}

// DR5: it goes on itself.
func DR5_goesOn() {
	d := &drainer{}
	for range n {
		go d.startAndGoOn()
	}
}

func (d *drainer) startAndGoOn() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.running {
		d.running = true
		go func() {
			d.mu.Lock()
			d.running = false
			d.mu.Unlock()
			d.sum++ // race! d.sum
		}()
	}
}

// DR6: anyone says that it is over.
func DR6_saidByAnyone() {
	d := &drainer{}
	for range n {
		go func() {
			d.startWork()
			d.reset()
		}()
	}
}

func (d *drainer) startWork() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.running {
		d.running = true
		go func() {
			d.sum++ // race! d.sum
			d.mu.Lock()
			d.running = false
			d.mu.Unlock()
		}()
	}
}

func (d *drainer) reset() {
	d.mu.Lock()
	d.running = false
	d.mu.Unlock()
}

// DR7: there are two of them.
func DR7_two() {
	d := &drainer{}
	for range n {
		go d.startTwo()
	}
}

func (d *drainer) startTwo() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.running {
		d.running = true
		for range 2 {
			go func() {
				d.sum++ // race! d.sum
				d.mu.Lock()
				d.running = false
				d.mu.Unlock()
			}()
		}
	}
}

// DR8: who has started it goes on with what it uses.
func DR8_usedByStarter() {
	d := &drainer{}
	for range n {
		go d.startAndUse()
	}
}

func (d *drainer) startAndUse() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.running {
		d.running = true
		go func() {
			d.sum++ // race! d.sum
			d.mu.Lock()
			d.running = false
			d.mu.Unlock()
		}()
		d.sum = 0 // race! d.sum
	}
}

// DR9: it says so without the lock.
func DR9_unlocked() {
	d := &drainer{}
	for range n {
		go d.startUnlocked()
	}
}

func (d *drainer) startUnlocked() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.running { // race! d.running
		d.running = true // race! d.running
		go func() {
			d.sum++           // race! d.sum
			d.running = false // race! d.running
		}()
	}
}

// DR10: one was started before, and is said to be over.
func DR10_saidBefore() {
	d := &drainer{}
	d.startAgain()
	d.reset()
	for range n {
		go d.startAgain()
	}
}

func (d *drainer) startAgain() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.running {
		d.running = true
		go func() {
			d.sum++ // race! d.sum
			d.mu.Lock()
			d.running = false
			d.mu.Unlock()
		}()
	}
}

// DR11: so are those of a loop that is over.
func DR11_saidBetween() {
	d := &drainer{}
	var wg sync.WaitGroup
	for range n {
		wg.Go(d.startOnce)
	}
	wg.Wait()
	d.reset()
	for range n {
		go d.startOnce()
	}
}

func (d *drainer) startOnce() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.running {
		d.running = true
		go func() {
			d.sum++ // race! d.sum
			d.mu.Lock()
			d.running = false
			d.mu.Unlock()
		}()
	}
}

// DR12: a goroutine that is started beside the loop says so.
func DR12_saidBeside() {
	d := &drainer{}
	go d.sayOver()
	for range n {
		go d.startSaid()
	}
}

func (d *drainer) sayOver() {
	d.mu.Lock()
	d.running = false
	d.mu.Unlock()
}

func (d *drainer) startSaid() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.running {
		d.running = true
		go func() {
			d.sum++ // race! d.sum
			d.mu.Lock()
			d.running = false
			d.mu.Unlock()
		}()
	}
}
