package channel

import (
	"context"
	"net/http"
	"sync"
	"time"
)

// One goroutine runs the function literals that it is sent. Each function here sends two at
// least, so that no receive tells which send it pairs with.
type madeItem struct{ n, seen int }

var madeTotal int

// What is done before a literal is made is over when that runs.
func MD1_before() {
	ops := make(chan func(), 10)
	go func() {
		for op := range ops {
			op()
		}
	}()
	sum := 0
	ops <- func() { sum += 2 }
	x := &madeItem{}
	x.n = 1                                // norace
	ops <- func() { x.seen++; sum += x.n } // norace
}

func MD1_packageVariable() {
	ops := make(chan func(), 10)
	go func() {
		for op := range ops {
			op()
		}
	}()
	sum := 0
	ops <- func() { sum += 2 }
	madeTotal = 1                        // norace
	ops <- func() { madeTotal++; sum++ } // norace
}

// What is done after it was sent is not.
func MD1_after() {
	ops := make(chan func(), 10)
	go func() {
		for op := range ops {
			op()
		}
	}()
	sum := 0
	ops <- func() { sum += 2 }
	x := &madeItem{}
	ops <- func() { x.seen++ } // race! x.seen
	x.seen = 1                 // race! x.seen
}

// Nor is what the next round does before it sends the next one.
func MD1_inRounds() {
	ops := make(chan func(), 10)
	go func() {
		for op := range ops {
			op()
		}
	}()
	sum := 0
	ops <- func() { sum += 2 }
	x := &madeItem{}
	for i := range 10 {
		x.n = i                     // race! x.n
		ops <- func() { sum = x.n } // race! x.n
	}
}

// Each round has its own.
func MD1_ofRound() {
	ops := make(chan func(), 10)
	go func() {
		for op := range ops {
			op()
		}
	}()
	sum := 0
	ops <- func() { sum += 2 }
	for i := range 10 {
		x := &madeItem{}
		x.n = i                        // norace
		ops <- func() { x.seen = x.n } // norace
	}
}

// Another goroutine, started before, goes on.
func MD1_startedBefore() {
	ops := make(chan func(), 10)
	go func() {
		for op := range ops {
			op()
		}
	}()
	sum := 0
	ops <- func() { sum += 2 }
	x := &madeItem{}
	go func() { x.seen = 1 }() // race! x.seen
	ops <- func() { x.seen++ } // race! x.seen
}

// It is over.
func MD1_joinedBefore() {
	ops := make(chan func(), 10)
	go func() {
		for op := range ops {
			op()
		}
	}()
	sum := 0
	ops <- func() { sum += 2 }
	x := &madeItem{}
	var wg sync.WaitGroup
	wg.Go(func() { x.seen = 1 }) // norace
	wg.Wait()
	ops <- func() { x.seen++ } // norace
}

// It is made beside the goroutine, by a function that does nothing else.
func MD1_madeBeside() {
	x := &madeItem{}
	go func() { x.n = 1 }() // race! x.n
	madeFor(x)()
}

func madeFor(x *madeItem) func() {
	return func() { x.n++ } // race! x.n
}

// A handler sends one for each request, which come at the same time: each has its own item,
// and all have one variable.
func MD2_handlers() {
	ops := make(chan func(), 10)
	go func() {
		for op := range ops {
			op()
		}
	}()
	sum := 0
	ops <- func() { sum += 2 }
	served := 0
	http.HandleFunc("/", func(http.ResponseWriter, *http.Request) {
		x := &madeItem{}
		x.n = 1                      // norace
		served = x.n                 // race! served
		ops <- func() { sum += x.n } // norace
		ops <- func() { served++ }   // race! served
	})
	http.ListenAndServe(":0", nil)
}

func MD2_handlerGoesOn() {
	ops := make(chan func(), 10)
	go func() {
		for op := range ops {
			op()
		}
	}()
	sum := 0
	ops <- func() { sum += 2 }
	http.HandleFunc("/", func(http.ResponseWriter, *http.Request) {
		x := &madeItem{}
		ops <- func() { x.n++ } // race! x.n
		x.n = 1                 // race! x.n
	})
	http.ListenAndServe(":0", nil)
}

// The literal starts a goroutine, which is beside those that run later.
func MD3_startsAnother() {
	ops := make(chan func(), 10)
	go func() {
		for op := range ops {
			op()
		}
	}()
	sum := 0
	ops <- func() { sum += 2 } // race! sum
	ops <- func() {
		go func() { sum = 1 }() // race! sum
	}
	ops <- func() { sum = 3 } // race! sum
}

// What it starts comes after it was made, too.
func MD3_startsAnotherLater() {
	ops := make(chan func(), 10)
	go func() {
		for op := range ops {
			op()
		}
	}()
	sum := 0
	ops <- func() { sum += 2 }
	x := &madeItem{}
	x.n = 1 // norace
	ops <- func() {
		go func() { println(x.n) }() // norace
	}
}

// The literal is in a field of what is sent.
type madeJob struct{ run func() }

func MD4_inField() {
	jobs := make(chan madeJob, 10)
	sum := 0
	go func() {
		for j := range jobs {
			j.run()
		}
	}()
	jobs <- madeJob{run: func() { sum++ }} // norace
	for i := range 10 {
		x := &madeItem{}
		x.n = i                                                   // norace
		jobs <- madeJob{run: func() { x.seen = x.n; sum += x.n }} // norace
	}
}

// Two goroutines run them.
func MD4_twoWorkers() {
	jobs := make(chan *madeJob, 10)
	sum := 0
	go madeWork(jobs)
	go madeWork(jobs)
	for i := range 10 {
		x := &madeItem{}
		x.n = i // norace
		j := &madeJob{}
		j.run = func() { x.seen = x.n; sum += x.n } // race! sum
		jobs <- j
	}
}

func madeWork(jobs chan *madeJob) {
	for j := range jobs {
		j.run()
	}
}

// Who has made a literal may run it, too.
func MD4_runByMaker() {
	ops := make(chan func(), 10)
	go func() {
		for op := range ops {
			op()
		}
	}()
	sum := 0
	ops <- func() { sum += 2 }
	x := &madeItem{}
	f := func() { x.n++ } // race! x.n
	ops <- f
	f()
}

// The literal tells when it is done.
func MD5_closes() int {
	ops := make(chan func(), 10)
	go func() {
		for op := range ops {
			op()
		}
	}()
	sum := 0
	ops <- func() { sum += 2 }
	n := 0
	done := make(chan struct{})
	ops <- func() { n = sum; close(done) } // norace
	<-done
	n++ // norace
	return n
}

func MD5_sends() int {
	ops := make(chan func(), 10)
	go func() {
		for op := range ops {
			op()
		}
	}()
	sum := 0
	ops <- func() { sum += 2 }
	n := 0
	done := make(chan bool)
	ops <- func() { n = sum; done <- true } // norace
	<-done
	n++ // norace
	return n
}

func MD5_group() int {
	ops := make(chan func(), 10)
	go func() {
		for op := range ops {
			op()
		}
	}()
	sum := 0
	ops <- func() { sum += 2 }
	n := 0
	var wg sync.WaitGroup
	for range 10 {
		wg.Add(1)
		ops <- func() { defer wg.Done(); n += sum } // norace
	}
	wg.Wait()
	n++ // norace
	return n
}

func MD5_eachRound() int {
	ops := make(chan func(), 10)
	go func() {
		for op := range ops {
			op()
		}
	}()
	sum := 0
	ops <- func() { sum += 2 }
	n := 0
	for range 10 {
		done := make(chan bool)
		ops <- func() { n += sum; done <- true } // norace
		<-done
		n++ // norace
	}
	return n
}

// What it calls does it.
func MD5_calls() int {
	ops := make(chan func(), 10)
	go func() {
		for op := range ops {
			op()
		}
	}()
	sum := 0
	ops <- func() { sum += 2 }
	x := &madeItem{}
	done := make(chan bool)
	ops <- func() {
		x.look()
		done <- true
	}
	<-done
	x.n++ // norace
	return x.n
}

func (x *madeItem) look() { x.seen = x.n } // norace

func MD6_callsAfterwards() int {
	ops := make(chan func(), 10)
	go func() {
		for op := range ops {
			op()
		}
	}()
	sum := 0
	ops <- func() { sum += 2 }
	x := &madeItem{}
	done := make(chan bool)
	ops <- func() {
		done <- true
		x.lookLate()
	}
	<-done
	x.n++ // race! x.n
	return x.n
}

func (x *madeItem) lookLate() { x.seen = x.n } // race! x.n

// It tells too early.
func MD6_early() int {
	ops := make(chan func(), 10)
	go func() {
		for op := range ops {
			op()
		}
	}()
	sum := 0
	ops <- func() { sum += 2 }
	n := 0
	done := make(chan bool)
	ops <- func() { done <- true; n = sum } // race! n
	<-done
	n++      // race! n
	return n // race! n
}

func MD6_earlyGroup() int {
	ops := make(chan func(), 10)
	go func() {
		for op := range ops {
			op()
		}
	}()
	sum := 0
	ops <- func() { sum += 2 }
	n := 0
	var wg sync.WaitGroup
	wg.Add(1)
	ops <- func() { wg.Done(); n = sum } // race! n
	wg.Wait()
	n++      // race! n
	return n // race! n
}

// The group is not told of it.
func MD6_notAdded() int {
	ops := make(chan func(), 10)
	go func() {
		for op := range ops {
			op()
		}
	}()
	sum := 0
	ops <- func() { sum += 2 }
	n := 0
	var wg sync.WaitGroup
	ops <- func() { defer wg.Done(); n = sum } // race! n
	wg.Wait()
	n++      // race! n
	return n // race! n
}

// It may not be waited for.
func MD6_notAlways() int {
	ops := make(chan func(), 10)
	go func() {
		for op := range ops {
			op()
		}
	}()
	sum := 0
	ops <- func() { sum += 2 }
	n := 0
	done := make(chan bool)
	ops <- func() { n = sum; close(done) } // race! n
	select {
	case <-done:
		n++ // norace
	case <-time.After(1):
		n++ // race! n
	}
	return n // race! n
}

// Someone else may have told.
func MD6_another() int {
	ops := make(chan func(), 10)
	go func() {
		for op := range ops {
			op()
		}
	}()
	sum := 0
	ops <- func() { sum += 2 }
	n := 0
	done := make(chan bool, 1)
	ops <- func() { n = sum; done <- true } // race! n
	done <- true
	<-done
	n++      // race! n
	return n // race! n
}

// One of three is done.
func MD6_oneOfThree() int {
	ops := make(chan func(), 10)
	go func() {
		for op := range ops {
			op()
		}
	}()
	sum := 0
	ops <- func() { sum += 2 }
	n := 0
	done := make(chan bool, 3)
	for range 3 {
		ops <- func() { n += sum; done <- true } // race! n
	}
	<-done
	n++      // race! n
	return n // race! n
}

// It is sent twice, and the first run tells that it is done.
func MD7_sentTwice() int {
	ops := make(chan func(), 10)
	go func() {
		for op := range ops {
			op()
		}
	}()
	sum := 0
	ops <- func() { sum += 2 }
	n := 0
	done := make(chan bool)
	f := func() { n = sum; done <- true } // race! n
	ops <- f
	ops <- f
	<-done
	n++      // race! n
	return n // race! n
}

func MD7_sentInLoop() int {
	ops := make(chan func(), 10)
	go func() {
		for op := range ops {
			op()
		}
	}()
	sum := 0
	ops <- func() { sum += 2 }
	n := 0
	done := make(chan bool)
	f := func() { n = sum; done <- true } // race! n
	for range 2 {
		ops <- f
	}
	<-done
	n++      // race! n
	return n // race! n
}

// A second run does not come to the close.
func MD7_closedInOne() int {
	ops := make(chan func(), 10)
	go func() {
		for op := range ops {
			op()
		}
	}()
	sum := 0
	ops <- func() { sum += 2 }
	n := 0
	done := make(chan bool)
	f := func() {
		n++ // race! n
		if sum > 1 {
			close(done)
		}
	}
	ops <- f
	ops <- f
	<-done
	n++      // race! n
	return n // race! n
}

// What is received is run twice, or whenever the clock ticks.
func MD7_runTwice() int {
	ops := make(chan func(), 10)
	go func() {
		for f := range ops {
			f()
			f()
		}
	}()
	n := 0
	done := make(chan bool)
	ops <- func() { n++; done <- true } // race! n
	<-done
	n++      // race! n
	return n // race! n
}

func MD7_kept() int {
	ops := make(chan func(), 10)
	go func() {
		var all []func()
		for f := range ops {
			all = append(all, f)
			for _, f := range all {
				f()
			}
		}
	}()
	n := 0
	done := make(chan bool)
	ops <- func() { n++; done <- true } // race! n
	<-done
	n++      // race! n
	return n // race! n
}

// It is handed on to be sent, and received in a select.
type actor struct{ ops chan func() }

func (a *actor) run(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case op := <-a.ops:
			a.one(op)
		}
	}
}

func (a *actor) one(op func()) { op() }

func (a *actor) do(op func()) { a.ops <- op }

func newActor() *actor {
	a := &actor{make(chan func(), 10)}
	go a.run(context.Background())
	return a
}

func MD8_receivedInSelect() int {
	a := newActor()
	n := 0
	done := make(chan bool)
	a.ops <- func() { n++; done <- true } // norace
	<-done
	n++ // norace
	return n
}

// Whether it is sent once is not known.
func MD8_handedOn() int {
	a := newActor()
	n := 0
	done := make(chan bool)
	a.do(func() { n++; done <- true }) // assumed n; S73
	<-done
	n++ // assumed n; S73
	return n
}

// If it were sent twice, it would close twice.
func MD8_handedOnCloses() int {
	a := newActor()
	n := 0
	done := make(chan bool)
	a.do(func() { n++; close(done) }) // norace
	<-done
	n++ // norace
	return n
}
