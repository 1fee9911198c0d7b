package order

type meter struct{ n int }

func (m *meter) watch(in chan int, done chan struct{}) {
	for range in {
		m.n++ // race! _.n
	}
	close(done)
}

// besideIt runs a function on a goroutine, and waits for it by a channel of its own.
func besideIt(f func()) {
	d := make(chan int)
	go func() { f(); close(d) }()
	<-d
}

// AS1: what a helper makes for itself says nothing of the run's own channel.
func AS1_helpersChannel() {
	runWatched()
	runWatched()
}

type gauge struct{ n int }

func (g *gauge) watch(in chan int, done chan struct{}) {
	for range in {
		g.n++ // norace
	}
	close(done)
}

func runWatched() {
	g := &gauge{}
	in := make(chan int)
	done := make(chan struct{})
	go g.watch(in, done)
	besideIt(func() { in <- 1 })
	close(in)
	<-done
	println(g.n) // norace
}

// AS2: it is the channel of the round before that is waited for.
func AS2_roundBefore() {
	m := &meter{}
	var last chan struct{}
	for range 3 {
		in := make(chan int)
		done := make(chan struct{})
		go m.watch(in, done)
		besideIt(func() { in <- 1 })
		if last != nil {
			<-last
		}
		m.n++ // race! _.n
		close(in)
		last = done
	}
}

// AS3: the helper's goroutine does it, too.
func AS3_inHelper() {
	runCounted()
	runCounted()
}

type counted struct{ n int }

func runCounted() {
	c := &counted{}
	in := make(chan int)
	done := make(chan struct{})
	go func() {
		for range in {
			c.n++ // race! c.n
		}
		close(done)
	}()
	besideIt(func() {
		in <- 1
		c.n++ // race! c.n
	})
	close(in)
	<-done
}

// AS4: the helper tells before it is done, and another run has another channel.
func AS4_toldEarly() {
	runEarly()
	runEarly()
}

func runEarly() {
	c := &counted4{}
	toldEarlyOf(func() { c.n++ }) // race! c.n
	println(c.n)                  // race! c.n
}

type counted4 struct{ n int }

func toldEarlyOf(f func()) {
	d := make(chan int)
	go func() { close(d); f() }()
	<-d
}

type pumped struct {
	send chan int
	got  int
}

func (c *pumped) pump() {
	for range c.send {
		c.got++ // norace
	}
}

// AS5: several goroutines run a method, each on an object that its starter has made and waits for.
func AS5_eachItsOwn() {
	pumpThem()
	pumpThem()
}

func pumpThem() {
	inEach(3, func() {
		c := &pumped{send: make(chan int, 4)}
		over := make(chan struct{})
		go func() { defer close(over); c.pump() }()
		close(c.send)
		<-over
		println(c.got) // norace
	})
}

type pumpedToo struct {
	send chan int
	got  int
}

func (c *pumpedToo) pump() {
	for range c.send {
		c.got++ // race! _.got
	}
}

// AS6: they have one object.
func AS6_oneForAll() {
	pumpOne()
	pumpOne()
}

// inEach runs a function on some goroutines.
func inEach(n int, f func()) {
	for range n {
		go f()
	}
}

func pumpOne() {
	c := &pumpedToo{send: make(chan int, 4)}
	for range 4 {
		c.send <- 1
	}
	inEach(3, func() {
		over := make(chan struct{})
		go func() { defer close(over); c.pump() }()
		<-over
		println(c.got) // race! _.got
	})
}

type pumpedEarly struct {
	send chan int
	got  int
}

func (c *pumpedEarly) pump(over chan struct{}) {
	close(over)
	for range c.send {
		c.got++ // race! _.got
	}
}

// AS7: each tells before it begins.
func AS7_early() {
	pumpEarly()
	pumpEarly()
}

func pumpEarly() {
	inEach(3, func() {
		c := &pumpedEarly{send: make(chan int, 4)}
		over := make(chan struct{})
		go func() { c.pump(over) }()
		close(c.send)
		<-over
		println(c.got) // race! _.got
	})
}

type gatherer struct {
	done  chan struct{}
	fast  bool
	items []int
}

func startGatherer(in <-chan int) *gatherer {
	g := &gatherer{done: make(chan struct{})}
	go func() {
		defer close(g.done)
		for v := range in {
			g.items = append(g.items, v) // race! items
		}
	}()
	return g
}

func (g *gatherer) wait() []int {
	<-g.done
	return g.items
}

func (g *gatherer) waitUnless() []int {
	if !g.fast {
		<-g.done
	}
	return g.items // race! items
}

// AS8: a method of which each copy of a loop's body has its own waits for its receiver.
func AS8_waited(in chan int) {
	gs := make([]*gatherer, 3)
	for i := range gs {
		gs[i] = startGatherer(in)
	}
	for _, g := range gs {
		println(len(g.wait())) // norace
		g.items = nil          // norace
	}
}

// AS9: on some ways only.
func AS9_waitedUnless(in chan int) {
	gs := make([]*gatherer, 3)
	for i := range gs {
		gs[i] = startGatherer(in)
	}
	for _, g := range gs {
		println(len(g.waitUnless()))
		g.items = nil // race! items
	}
}

// AS10: another one is waited for.
func AS10_waitsForFirst(in chan int) {
	gs := make([]*gatherer, 3)
	for i := range gs {
		gs[i] = startGatherer(in)
	}
	for _, g := range gs {
		println(len(gs[0].wait()))
		g.items = nil // race! items
	}
}
