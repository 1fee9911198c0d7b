package order

import "time"

// A teller's goroutine alone adds, and is asked and answered by channels that nobody else has.
type teller struct {
	cmds chan int
	ack  chan bool
	n    int
}

// The answer is a receive that follows the work: who sends goes on when that has begun.
func LS1_answeredByReceive() {
	k := &teller{cmds: make(chan int), ack: make(chan bool)}
	go func() {
		for c := range k.cmds {
			k.n += c // norace
			<-k.ack
		}
		close(k.ack)
	}()
	k.do(1)
	println(k.n) // norace
	k.do(2)
	println(k.n) // norace
	close(k.cmds)
	<-k.ack
	println(k.n) // norace
}

func (k *teller) do(c int) {
	k.cmds <- c
	k.ack <- true
}

// A send to a buffered channel does not wait for it.
func LS1b_answerIsBuffered() {
	k := &teller{cmds: make(chan int), ack: make(chan bool, 1)}
	go func() {
		for c := range k.cmds {
			k.n += c // race! k.n
			<-k.ack
		}
	}()
	k.doBuffered(1)
	println(k.n) // race! k.n
}

func (k *teller) doBuffered(c int) {
	k.cmds <- c
	k.ack <- true
}

// The next command is there before the look.
func LS1c_lookedAtTooLate() {
	k := &teller{cmds: make(chan int), ack: make(chan bool)}
	go func() {
		for c := range k.cmds {
			k.n += c // race! k.n
			<-k.ack
		}
	}()
	k.cmds <- 1
	k.ack <- true
	k.cmds <- 2
	println(k.n) // race! k.n
	k.ack <- true
}

// The receive comes before the work.
func LS1d_answeredTooEarly() {
	k := &teller{cmds: make(chan int), ack: make(chan bool)}
	go func() {
		for c := range k.cmds {
			<-k.ack
			k.n += c // race! k.n
		}
	}()
	k.cmds <- 1
	k.ack <- true
	println(k.n) // race! k.n
}

// The answer is sent.
func LS2_answeredBySend() {
	k := &teller{cmds: make(chan int), ack: make(chan bool)}
	go func() {
		for c := range k.cmds {
			k.n += c // norace
			k.ack <- true
		}
	}()
	for i := range 3 {
		k.cmds <- i
		<-k.ack
		println(k.n) // norace
		k.n = 0      // norace
	}
}

// Nothing is left in the buffers when the answer has come.
func LS2b_allBuffered() {
	k := &teller{cmds: make(chan int, 2), ack: make(chan bool, 2)}
	go func() {
		for c := range k.cmds {
			k.n += c // norace
			k.ack <- true
		}
	}()
	for i := range 3 {
		k.cmds <- i
		<-k.ack
		println(k.n) // norace
	}
}

// Two commands are under way, and one answer has come.
func LS2c_twoUnderWay() {
	k := &teller{cmds: make(chan int, 2), ack: make(chan bool, 2)}
	go func() {
		for c := range k.cmds {
			k.n += c // race! k.n
			k.ack <- true
		}
	}()
	k.cmds <- 1
	k.cmds <- 2
	<-k.ack
	println(k.n) // race! k.n
}

// A command was there before the goroutine was.
func LS2d_sentBefore() {
	k := &teller{cmds: make(chan int, 2), ack: make(chan bool, 2)}
	k.cmds <- 1
	go func() {
		for c := range k.cmds {
			k.n += c // race! k.n
			k.ack <- true
		}
	}()
	k.cmds <- 2
	<-k.ack
	println(k.n) // race! k.n
}

// Somebody else sends commands, too.
func LS3_anotherAsks() {
	k := &teller{cmds: make(chan int), ack: make(chan bool)}
	go func() {
		for c := range k.cmds {
			k.n += c // race! k.n
			k.ack <- true
		}
	}()
	go func() { k.cmds <- 5 }()
	k.cmds <- 1
	<-k.ack
	println(k.n) // race! k.n
}

// Somebody else takes answers, too: two commands are under way when one has come.
func LS3b_anotherIsAnswered() {
	k := &teller{cmds: make(chan int), ack: make(chan bool)}
	go func() {
		for c := range k.cmds {
			k.n += c // race! k.n
			<-k.ack
		}
	}()
	go func() { k.ack <- true }()
	k.cmds <- 1
	k.cmds <- 2
	println(k.n) // race! k.n
}

// Two goroutines take commands.
func LS3c_twoAreAsked() {
	k := &teller{cmds: make(chan int), ack: make(chan bool)}
	go k.twice()
	go k.twice()
	k.cmds <- 1
	k.cmds <- 2
	k.ack <- true
	println(k.n) // race! k.n
}

func (k *teller) twice() {
	for c := range k.cmds {
		k.n += c // race! k.n
		<-k.ack
	}
}

// The answer comes by one of two channels, of which another goroutine has one, too.
func LS4_eitherChannel(other bool) {
	k, spare := &teller{cmds: make(chan int), ack: make(chan bool)}, make(chan bool)
	go func() {
		for c := range k.cmds {
			k.n += c // race! k.n
			k.ack <- true
		}
	}()
	go func() { spare <- true }()
	ack := k.ack
	if other {
		ack = spare
	}
	k.cmds <- 1
	<-ack
	println(k.n) // race! k.n
}

// A select has no body for the case of the answer.
func LS5_selectWithoutBodies(quit chan bool) {
	k := &teller{cmds: make(chan int), ack: make(chan bool)}
	go func() {
		for c := range k.cmds {
			k.n += c // race! k.n
			<-k.ack
		}
	}()
	k.cmds <- 1
	select {
	case k.ack <- true:
	case <-quit:
	}
	println(k.n) // race! k.n
}

// Who gives up waiting has not been answered.
func LS5b_answeredOrNot() {
	k := &teller{cmds: make(chan int), ack: make(chan bool)}
	late := 0
	go func() {
		for c := range k.cmds {
			k.n += c  // norace
			late += c // race! late
			<-k.ack
		}
	}()
	k.cmds <- 1
	select {
	case k.ack <- true:
		println(k.n) // norace
	case <-time.After(time.Second):
		println(late) // race! late
	}
}

// What is received tells that there is no more.
func LS6_noMore() {
	k := &teller{cmds: make(chan int), ack: make(chan bool)}
	go func() {
		for {
			c, ok := <-k.cmds
			if !ok {
				k.n = -1 // norace
				close(k.ack)
				return
			}
			k.n += c // norace
			<-k.ack
		}
	}()
	k.cmds <- 1
	k.ack <- true
	println(k.n) // norace
	close(k.cmds)
	<-k.ack
	println(k.n) // norace
}

// The channel is closed, and the last thing is not waited for.
func LS6b_closedOnly() {
	k := &teller{cmds: make(chan int), ack: make(chan bool)}
	go func() {
		for {
			c, ok := <-k.cmds
			if !ok {
				k.n = -1 // race! k.n
				close(k.ack)
				return
			}
			k.n += c
			<-k.ack
		}
	}()
	k.cmds <- 1
	k.ack <- true
	close(k.cmds)
	println(k.n) // race! k.n
}

// The goroutine is started by another one.
func LS7_startedByAnother() {
	k := &teller{cmds: make(chan int), ack: make(chan bool)}
	go func() {
		go func() {
			k.n++ // race! k.n
			for c := range k.cmds {
				k.n += c // norace
				<-k.ack
			}
		}()
	}()
	println(k.n) // race! k.n
	k.cmds <- 1
	k.ack <- true
}

// The channels are the caller's.
func LS7b_othersChannels(cmds chan int, ack chan bool) {
	n := 0
	go func() {
		for c := range cmds {
			n += c // race! n
			<-ack
		}
	}()
	cmds <- 1
	ack <- true
	println(n) // race! n
}

// Each round has other channels, and what the last command of one does is not waited for.
func LS8_eachRoundsChannels() {
	n := 0
	for range 3 {
		cmds, ack := make(chan int), make(chan bool)
		go func() {
			for c := range cmds {
				n += c // race! n
				<-ack
			}
		}()
		cmds <- 1
		ack <- true
		println(n) // race! n
		cmds <- 2
	}
}

type question struct {
	n      int
	answer chan bool
}

// Each question has a channel for its answer.
func LS9_answerOfEach() {
	asked, n := make(chan question), 0
	go func() {
		for q := range asked {
			n += q.n // norace
			q.answer <- true
		}
	}()
	for i := range 3 {
		q := question{i, make(chan bool, 1)}
		asked <- q
		<-q.answer
		println(n) // norace
	}
}

// One answer is not asked for, so that another one is taken for it.
func LS9b_oneForAll() {
	asked, n := make(chan question), 0
	go func() {
		for q := range asked {
			n += q.n // race! n
			q.answer <- true
		}
	}()
	answer := make(chan bool, 1)
	asked <- question{0, answer}
	for i := range 3 {
		asked <- question{i, answer}
		<-answer
		println(n) // race! n
	}
}

// Runs of a function that calls itself have each their own answer to the test.
func LS10_recursion() {
	k := &teller{cmds: make(chan int), ack: make(chan bool)}
	go k.nested()
	k.cmds <- 1
	close(k.cmds)
	<-k.ack
	println(k.n) // race! k.n
}

func (k *teller) nested() {
	c, ok := <-k.cmds
	k.nestedFor(c)
	if ok {
		k.ack <- true
		k.n++ // race! k.n
	}
}

func (k *teller) nestedFor(c int) {
	if c > 0 {
		k.nested()
	}
}

// Of channels that are made for each question, one is full, and another one is not.
func LS11_othersAnswerIsFull() {
	asked, ack, n := make(chan question), make(chan bool), 0
	go func() {
		for q := range asked {
			q.answer <- true
			n++ // race! n
			<-ack
		}
	}()
	qs := twoQuestions()
	asked <- qs[0]
	ack <- true
	asked <- qs[1]
	println(n) // race! n
	ack <- true
}

func twoQuestions() (qs []question) {
	for i := range 2 {
		qs = append(qs, question{i, make(chan bool, 1)})
	}
	return qs
}

// One holds an answer, and another one is closed.
func LS11b_othersAnswerIsThere() {
	asked, n := make(chan question), 0
	go func() {
		q := <-asked
		q.answer <- true
		q = <-asked
		close(q.answer)
		n++ // race! n
	}()
	qs := twoQuestions()
	asked <- qs[0]
	asked <- qs[1]
	if _, ok := <-qs[1].answer; !ok {
		println(n) // race! n
	}
}

// A select tells whether there is more.
func LS12_selectTells(quit chan bool) {
	k := &teller{cmds: make(chan int), ack: make(chan bool)}
	late := 0
	go func() {
		for {
			select {
			case c, ok := <-k.cmds:
				if !ok {
					close(k.ack)
					return
				}
				k.n += c  // norace
				late += c // race! late
				k.ack <- true
			case <-quit:
			}
		}
	}()
	k.cmds <- 1
	println(late) // race! late
	<-k.ack
	println(k.n) // norace
	close(k.cmds)
	<-k.ack
	println(k.n) // norace
}

// There are several who each have a goroutine, and all add to one variable.
func LS13_severalPairs() {
	n := 0
	for range 3 {
		go func() {
			cmds, ack := make(chan int), make(chan bool)
			go func() {
				for c := range cmds {
					n += c // race! n
					<-ack
				}
			}()
			cmds <- 1
			ack <- true
			println(n) // race! n
		}()
	}
}

// LS14_recovered goes on when the send has failed, since the channel was closed.
func LS14_recovered() {
	n := 0
	println(n)
	c := make(chan int)
	go func() {
		n = 1 // race! n
		close(c)
	}()
	func() {
		defer func() { _ = recover() }()
		c <- 0
	}()
	n = 2 // race! n
}
