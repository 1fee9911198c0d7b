package order

import "sync"

// A handler, of which there are many at a time, leaves a goroutine running and goes on with
// what that uses.
func HD1_goesOn() {
	for range n {
		go handleOn(1)
	}
}

func handleOn(k int) {
	r := &handled{}
	go func() {
		r.n = k // race! r
	}()
	println(r.n) // race! r
}

type handled struct{ n, m int }

// It waits for the goroutine.
func HD1b_waits() {
	for range n {
		go handleAndWait(1)
	}
}

func handleAndWait(k int) {
	r := &handled{}
	done := make(chan struct{})
	go func() {
		r.n = k // norace
		close(done)
	}()
	<-done
	println(r.n) // norace
	go println(k)
}

// It is done with it before.
func HD1c_before() {
	for range n {
		go handleBefore(1)
	}
}

func handleBefore(k int) {
	r := &handled{n: k}
	r.m++ // norace
	go func() {
		println(r.n + r.m) // norace
	}()
}

// The handler is a literal.
func HD2_literal() {
	for range n {
		go func() {
			last := 0
			go func() {
				last = 1 // race! last
			}()
			println(last) // race! last
		}()
	}
}

// It is called by what is started.
func HD3_called() {
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			defer println(i)
			handleCalled(i)
		})
	}
	wg.Wait()
}

func handleCalled(k int) {
	r := &handled{}
	go func() {
		r.m = k // race! r
	}()
	r.m++ // race! r
}

// A loop inside the handler starts one for each round.
func HD4_loopInside() {
	for range n {
		go func() {
			sum := 0
			for k := range n {
				go func() {
					sum += k // race! sum
				}()
			}
			println(sum) // race! sum
		}()
	}
}

// Each has its own.
func HD5_ownInside() {
	for k := range n {
		go func() {
			for range n {
				own := &handled{n: k}
				own.m++
				go func() {
					own.n++ // norace
				}()
			}
		}()
	}
}
