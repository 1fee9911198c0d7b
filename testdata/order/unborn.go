package order

// What a goroutine tells before it makes an object, and what it does to the object after it
// has given it away.

type postcard struct{ note string }

// The worker says that it is idle before the postcard is there: who has waited for that does
// not know that the postcard is done with.
func UB1_idleFirst() {
	idle, done := make(chan int, n), make(chan *postcard, n)
	go func() {
		for {
			idle <- 1
			p := &postcard{}
			done <- p
			p.note = "sent" // race! _.note
		}
	}()
	for range n {
		<-idle
	}
	for range n {
		println((<-done).note) // race! _.note
	}
}

// It says so after the postcard is done with.
func UB2_toldAfterwards() {
	told, done := make(chan int), make(chan *postcard, 1)
	go func() {
		for {
			p := &postcard{}
			done <- p
			p.note = "sent" // norace
			told <- 1
		}
	}()
	for range n {
		p := <-done
		<-told
		println(p.note) // norace
	}
}

// The postcard is done with before it is sent.
func UB3_sentLast() {
	idle, done := make(chan int, n), make(chan *postcard, n)
	go func() {
		for {
			idle <- 1
			p := &postcard{}
			p.note = "sent" // norace
			done <- p
		}
	}()
	for range n {
		<-idle
	}
	for range n {
		println((<-done).note) // norace
	}
}

// The way into a goroutine is a channel that it makes itself, and tells.
func UB4_ownInbox() {
	inboxes, done := make(chan chan *postcard, 1), make(chan *postcard, n)
	go func() {
		inbox := make(chan *postcard)
		inboxes <- inbox
		for p := range inbox {
			done <- p
			p.note = "seen" // race! _.note
		}
	}()
	inbox := <-inboxes
	for range n {
		inbox <- &postcard{}
	}
	for range n {
		println((<-done).note) // race! _.note
	}
}

// The same, done with before it is sent on.
func UB5_ownInboxDone() {
	inboxes, done := make(chan chan *postcard, 1), make(chan *postcard, n)
	go func() {
		inbox := make(chan *postcard)
		inboxes <- inbox
		for p := range inbox {
			p.note = "seen" // norace
			done <- p
		}
	}()
	inbox := <-inboxes
	for range n {
		inbox <- &postcard{}
	}
	for range n {
		println((<-done).note) // norace
	}
}

// Each worker of several has an inbox, and offers it when it has nothing to do.
func UB6_offered() {
	idle, done := make(chan chan *postcard, 2), make(chan *postcard, n)
	for range 2 {
		go func() {
			inbox := make(chan *postcard)
			for {
				idle <- inbox
				p := <-inbox
				done <- p
				p.note = "seen" // race! _.note
			}
		}()
	}
	for range n {
		inbox := <-idle
		inbox <- &postcard{}
	}
	for range n {
		println((<-done).note) // race! _.note
	}
}

// What the spawner puts into an object of the goroutine's making, both have.
func UB7_putInto() {
	ready := make(chan bool)
	go func() {
		b := &mailbag{}
		theMailbag = b // race! theMailbag
		<-ready
		b.p.note = "seen" // race! _.note
	}()
	p := &postcard{}
	theMailbag.p = p // race! theMailbag
	ready <- true
	p.note = "put" // race! _.note
}

var theMailbag *mailbag

type mailbag struct{ p *postcard }

// The goroutine puts it in itself, and has it alone.
func UB8_putInItself() {
	ready := make(chan bool)
	go func() {
		b := &mailbag{}
		b.p = &postcard{}
		<-ready
		b.p.note = "seen" // norace
	}()
	p := &postcard{}
	ready <- true
	p.note = "put" // norace
}
