package order

import (
	"sync"
	"time"
)

// Goroutines that one round of a loop starts, and what they share that is the round's own.

type pairOf struct {
	n    int
	mu   sync.Mutex
	out  []int
	jobs chan int
	done chan struct{}
}

// SB1_twoInRound starts two goroutines with one object in each round.
func SB1_twoInRound() {
	for range n {
		p := &pairOf{}
		go func() { p.n = 1 }() // race! p.n
		go func() { p.n = 2 }() // race! p.n
	}
}

// SB1b_variable shares a variable of the round, and waits for both at its end.
func SB1b_variable() {
	for range n {
		sum := 0
		var wg sync.WaitGroup
		wg.Add(2)
		go func() {
			defer wg.Done()
			sum++ // race! sum
		}()
		go func() {
			defer wg.Done()
			sum++ // race! sum
		}()
		wg.Wait()
		println(sum)
	}
}

// SB2_method starts both in a method that the round calls.
func SB2_method() {
	for range n {
		p := &pairOf{}
		p.start()
	}
}

func (p *pairOf) start() {
	go p.read()
	go p.write()
}

func (p *pairOf) read()  { p.n++ } // race! p.n
func (p *pairOf) write() { p.n++ } // race! p.n

// SB2b_served has goroutines of its own for each that it serves in a goroutine.
func SB2b_served() {
	for range n {
		go serveTwo()
	}
}

func serveTwo() {
	p := &pairOf{}
	go p.count()
	go p.count2()
}

func (p *pairOf) count()  { p.n++ } // race! p.n
func (p *pairOf) count2() { p.n++ } // race! p.n

// SB3_either starts one or the other.
func SB3_either() {
	for i := range n {
		p := &pairOf{}
		if i > 1 {
			go func() { p.n = 1 }() // norace
		} else {
			go func() { p.n = 2 }() // norace
		}
	}
}

// SB4_locked holds a lock of the round's object in both.
func SB4_locked() {
	for range n {
		p := &pairOf{}
		go p.locked()
		go p.locked()
	}
}

func (p *pairOf) locked() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.n++ // norace
}

// SB4b_lockedByOne holds it in one of them.
func SB4b_lockedByOne() {
	for range n {
		p := &pairOf{}
		go p.byLock()
		go func() { p.n++ }() // race! p.n
	}
}

func (p *pairOf) byLock() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.n++ // race! p.n
}

// SB5_joined waits for the first before it starts the second.
func SB5_joined() {
	for range n {
		p := &pairOf{}
		var wg sync.WaitGroup
		wg.Add(1)
		go func() {
			defer wg.Done()
			p.n++ // norace
		}()
		wg.Wait()
		wg.Add(1)
		go func() {
			defer wg.Done()
			p.n++ // norace
		}()
		wg.Wait()
	}
}

// SB6_oneWaits has a channel in each round by which one goroutine waits for the other.
func SB6_oneWaits() {
	for range n {
		p := &pairOf{}
		done := make(chan struct{})
		go func() {
			p.n = 1 // norace
			close(done)
		}()
		go func() {
			<-done
			p.n = 2 // norace
		}()
	}
}

// SB6d_oneOfMany has it from a list: each round its own.
func SB6d_oneOfMany() {
	dones := make([]chan struct{}, n)
	for i := range dones {
		dones[i] = make(chan struct{})
	}
	for i := range n {
		p := &pairOf{}
		done := dones[i]
		go func() {
			p.n = 1 // assumed p.n; a round has a channel of its own (S84)
			close(done)
		}()
		go func() {
			<-done
			p.n = 2 // assumed p.n; as above
		}()
	}
}

// SB6e_tooLate tells, and waits, when both are done with it.
func SB6e_tooLate() {
	for range n {
		p := &pairOf{done: make(chan struct{})}
		go func() {
			p.n = 1 // race! p.n
			close(p.done)
		}()
		go func() {
			p.n = 2 // race! p.n
			<-p.done
		}()
	}
}

// SB6f_orByTime comes to it by another case of the select, too.
func SB6f_orByTime() {
	for range n {
		p := &pairOf{jobs: make(chan int)}
		go func() {
			for i := range n {
				p.n = i // race! p.n
				p.jobs <- i
			}
			close(p.jobs)
		}()
		go func() {
			for {
				select {
				case _, ok := <-p.jobs:
					if !ok {
						return
					}
				case <-time.After(time.Second):
					println(p.n) // race! p.n
				}
			}
		}()
	}
}

// SB6g_eitherCase comes to it when it has received.
func SB6g_eitherCase() {
	for range n {
		p := &pairOf{jobs: make(chan int), done: make(chan struct{})}
		go func() {
			p.n = 1
			select {
			case p.jobs <- 1:
			case <-time.After(time.Second):
			}
			close(p.done)
		}()
		go func() {
			select {
			case <-p.jobs:
			case <-p.done:
			}
			println(p.n)
		}()
	}
}

// SB6b_byField has the channel in the object.
func SB6b_byField() {
	for range n {
		p := &pairOf{done: make(chan struct{})}
		go func() {
			p.n = 1 // norace
			close(p.done)
		}()
		go func() {
			<-p.done
			p.n = 2 // norace
		}()
	}
}

// SB6c_oneForAll has a channel that has nothing to do with it.
func SB6c_oneForAll(all chan int) {
	for range n {
		p := &pairOf{}
		go func() {
			p.n = <-all // race! p.n
		}()
		go func() {
			<-all
			p.n = 2 // race! p.n
		}()
	}
}

// SB7_parts gives each its own part.
func SB7_parts() {
	for range n {
		p := &pairOf{out: make([]int, 2)}
		go func() { p.out[0] = 1 }() // norace
		go func() { p.out[1] = 1 }() // norace
	}
}

// SB7b_oneTooMany overlaps at the border.
func SB7b_oneTooMany() {
	for range n {
		p := &pairOf{out: make([]int, 10)}
		go func() {
			for i := 0; i <= 5; i++ {
				p.out[i] = 1 // race! p.out[*]
			}
		}()
		go func() {
			for i := 5; i < 10; i++ {
				p.out[i] = 1 // race! p.out[*]
			}
		}()
	}
}

// SB8_sides shares a slice out to two goroutines of each round.
func SB8_sides(xs []int) {
	var wg sync.WaitGroup
	for i := range len(xs) / 2 {
		wg.Add(2)
		go func() {
			defer wg.Done()
			xs[2*i] = 1 // norace
		}()
		go func() {
			defer wg.Done()
			xs[2*i+1] = 1 // norace
		}()
	}
	wg.Wait()
}

// SB8b_oneElement gives both the same element.
func SB8b_oneElement(xs []int) {
	for i := range xs {
		go func() { xs[i] = 1 }() // race! xs[*]
		go func() { xs[i] = 2 }() // race! xs[*]
	}
}

// SB8c_nextRounds gives the second what the first has in the next round.
func SB8c_nextRounds(xs []int) {
	for i := range len(xs) / 2 {
		go func() { xs[2*i] = 1 }()   // race! xs[*]
		go func() { xs[2*i+2] = 1 }() // race! xs[*]
	}
}

// SB9_rows has one closure or the other for all rows.
func SB9_rows(xs []int, rows, width int, log bool) {
	for i := range rows {
		if log {
			go func() {
				for j := range width {
					xs[i*width+j] = 1 // norace
				}
			}()
		} else {
			go func() {
				for j := range width {
					xs[i*width+j] = 2 // norace
				}
			}()
		}
	}
}

// SB9b_rowsTooLong has one that writes the beginning of the next row.
func SB9b_rowsTooLong(xs []int, rows, width int, log []bool) {
	for i := range rows {
		if log[i] {
			go func() {
				for j := range width {
					xs[i*width+j] = 1 // race! xs[*]
				}
			}()
		} else {
			go func() {
				for j := 0; j <= width; j++ {
					xs[i*width+j] = 2 // race! xs[*]
				}
			}()
		}
	}
}
