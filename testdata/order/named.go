package order

// What tells that it is done is a variable of who asks, too.
func NM1_doneInVariable() {
	d := &namedDesk{in: make(chan *namedAsk)}
	go d.run()
	for range 3 {
		go func() { println(d.ask()) }()
	}
}

type namedDesk struct{ in chan *namedAsk }

type namedAsk struct {
	done   chan<- struct{}
	again  chan struct{}
	answer int
	result *int
}

func (d *namedDesk) run() {
	for a := range d.in {
		d.serve(a)
	}
}

func (d *namedDesk) serve(a *namedAsk) {
	defer close(a.done)
	a.result = new(int) // norace
}

func (d *namedDesk) ask() int {
	done := make(chan struct{})
	a := &namedAsk{done: done}
	d.in <- a
	<-done
	return *a.result // norace
}

// It waits for something else.
func NM1b_anotherChannel() {
	in := make(chan *namedAsk)
	go func() {
		for a := range in {
			a.answer = 2 // race! _.answer
			close(a.done)
			close(a.again)
		}
	}()
	for range 3 {
		go func() {
			done, again, other := make(chan struct{}), make(chan struct{}), make(chan struct{})
			a := &namedAsk{done: done, again: again}
			in <- a
			go close(other)
			<-other
			println(a.answer) // race! _.answer
		}()
	}
}

// It does not always wait.
func NM1c_notAlways(wait bool) {
	in := make(chan *namedAsk)
	go func() {
		for a := range in {
			a.answer = 3 // race! _.answer
			close(a.done)
		}
	}()
	for range 3 {
		go func() {
			done := make(chan struct{})
			a := &namedAsk{done: done}
			in <- a
			if wait {
				<-done
			}
			println(a.answer) // race! _.answer
		}()
	}
}

// The channel is closed before.
func NM1d_closedFirst() {
	in := make(chan *namedAsk)
	go func() {
		for a := range in {
			close(a.done)
			a.answer = 4 // race! _.answer
		}
	}()
	for range 3 {
		go func() {
			done := make(chan struct{})
			a := &namedAsk{done: done}
			in <- a
			<-done
			println(a.answer) // race! _.answer
		}()
	}
}

// One channel is made for all.
func NM1e_oneForAll() {
	in := make(chan *namedAsk)
	go func() {
		for a := range in {
			a.answer = 5 // assumed last.answer; many objects have one name
			close(a.done)
		}
	}()
	go func() {
		done := make(chan struct{})
		var last *namedAsk
		for range 3 {
			last = &namedAsk{done: done}
			in <- last
		}
		<-done
		println(last.answer)
	}()
}

// The object is given another channel.
func NM1f_setAnew() {
	in := make(chan *namedAsk)
	go func() {
		for a := range in {
			a.finish()
		}
	}()
	for range 3 {
		go func() {
			done, other := make(chan struct{}), make(chan struct{})
			first, a := &namedAsk{done: done}, &namedAsk{done: done}
			a.done = other
			in <- first
			in <- a
			<-done
			println(a.answer) // race! _.answer
		}()
	}
}

func (a *namedAsk) finish() {
	defer close(a.done)
	a.answer = 6 // race! _.answer
}
