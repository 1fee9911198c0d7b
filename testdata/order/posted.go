package order

import "sync"

// What is made on the way between a goroutine's start and the wait for it says nothing of
// what it is waited for by, unless it is made where that is.

type letter struct {
	text string
	ack  chan string
}

var letters = make(chan letter)

func deliver() {
	for l := range letters {
		l.ack <- l.text + "!"
	}
}

func post(text string) string {
	ack := make(chan string, 1)
	letters <- letter{text, ack}
	return <-ack
}

// PT1: the goroutine and who waits for it post letters, each of which has a channel of its own.
func PT1_postsMeanwhile() {
	go deliver()
	for i := range 10 {
		postTwo(i)
	}
}

func postTwo(n int) {
	done := make(chan struct{})
	var reply string
	go func() {
		defer close(done)
		reply = post("a") // norace
	}()
	post("b")
	<-done
	println(reply, n) // norace
}

type renewal struct {
	done  chan struct{}
	reply string
}

// renew gives it another channel: whoever waits from there on does not wait for who has the one before.
func (r *renewal) renew() { r.done = make(chan struct{}) }

func (r *renewal) run(done chan struct{}) {
	r.reply = post("a") // race! _.reply; it is the next round's channel that is waited for
	close(done)
}

// PT2: what is waited for is made on the way, by a function that is called for it.
func PT2_renewed() {
	go deliver()
	r := &renewal{}
	r.renew()
	for range 10 {
		go r.run(r.done)
		r.renew()
		post("b")
		go func(done chan struct{}) { close(done) }(r.done)
		<-r.done
		println(r.reply) // race! _.reply
		r.renew()
	}
}

// PT3: what tells that all are done is made when they run.
func PT3_toldByWaiter() {
	var wg sync.WaitGroup
	var mu sync.Mutex
	total := 0
	for i := range 10 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			mu.Lock()
			defer mu.Unlock()
			total += i // norace
		}()
	}
	done := make(chan struct{})
	go func() {
		wg.Wait()
		close(done)
	}()
	<-done
	println(total) // norace
}

// PT4: in each round another group is waited for, and in some none.
func PT4_notInEachRound() {
	total := 0
	for i := range 10 {
		wg := new(sync.WaitGroup)
		wg.Add(1)
		go func() {
			defer wg.Done()
			total += i // race! total
		}()
		if i%2 == 0 {
			continue
		}
		done := make(chan struct{})
		go func() {
			wg.Wait()
			close(done)
		}()
		<-done
		println(total) // race! total
	}
}

// PT5: who tells has not waited.
func PT5_toldAtOnce() {
	var wg sync.WaitGroup
	total := 0
	for range 10 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			total++ // race! total
		}()
	}
	done := make(chan struct{})
	go func() {
		close(done)
		wg.Wait()
	}()
	<-done
	println(total) // race! total
}
