package order

// Workers are started by a constructor, and waited for by a method, which receives from each of them.

type crew struct {
	finished chan int
	parts    []int
	size     int
}

func newCrew(workers int) *crew {
	c := &crew{finished: make(chan int, workers), parts: make([]int, workers), size: workers}
	for i := range c.parts {
		go func() {
			c.parts[i]++ // norace
			c.finished <- i
		}()
	}
	return c
}

func (c *crew) drain() {
	for range cap(c.finished) {
		<-c.finished
	}
}

// There is a worker for each place of the channel.
func DC1_asManyAsPlaces(workers int) {
	c := newCrew(workers)
	c.drain()
	println(c.parts[0]) // norace
}

// How many there are is kept.
func DC2_asManyAsKept(workers int) {
	c := newCrew2(workers)
	c.drainSize()
	println(c.parts[0]) // norace
}

func newCrew2(workers int) *crew {
	c := &crew{finished: make(chan int, workers), parts: make([]int, workers), size: workers}
	for i := range c.size {
		go func() {
			c.parts[i]++ // norace
			c.finished <- i
		}()
	}
	return c
}

func (c *crew) drainSize() {
	for range c.size {
		<-c.finished
	}
}

// One of them is not waited for.
func DC3_allButOne(workers int) {
	c := newCrew3(workers)
	c.drainButOne()
	println(c.parts[0]) // race! c.parts[*]
}

func newCrew3(workers int) *crew {
	c := &crew{finished: make(chan int, workers), parts: make([]int, workers), size: workers}
	for i := range c.parts {
		go func() {
			c.parts[i]++ // race! c.parts[*]
			c.finished <- i
		}()
	}
	return c
}

func (c *crew) drainButOne() {
	for i := 1; i < cap(c.finished); i++ {
		<-c.finished
	}
}

// The number is set anew.
func DC4_setAnew(workers int) {
	c := newCrew4(workers)
	c.size = workers / 2
	for range c.size {
		<-c.finished
	}
	println(c.parts[0]) // race! c.parts[*]
}

func newCrew4(workers int) *crew {
	c := &crew{finished: make(chan int, workers), parts: make([]int, workers), size: workers}
	for i := range c.parts {
		go func() {
			c.parts[i]++ // race! c.parts[*]
			c.finished <- i
		}()
	}
	return c
}

// The number is set when it has been looked at.
func DC5_setLater(workers int) *crew {
	c := &crew{finished: make(chan int, workers), parts: make([]int, workers)}
	for i := range workers {
		go func() {
			c.parts[i]++ // race! c.parts[*]
			c.finished <- i
		}()
	}
	c.drainNow()
	c.size = workers
	return c
}

func (c *crew) drainNow() {
	for range c.size {
		<-c.finished
	}
	println(c.parts[0]) // race! c.parts[*]
}

// Those are waited for that have finished by then.
func DC6_asManyAsQueued(workers int) {
	c := newCrew6(workers)
	c.drainQueued()
	println(c.parts[0]) // race! c.parts[*]
}

func (c *crew) drainQueued() {
	for range len(c.finished) {
		<-c.finished
	}
}

func newCrew6(workers int) *crew {
	c := &crew{finished: make(chan int, workers), parts: make([]int, workers), size: workers}
	for i := range c.parts {
		go func() {
			c.parts[i]++ // race! c.parts[*]
			c.finished <- i
		}()
	}
	return c
}

// The channel is one for two turns, and only the last one is waited for.
func DC7_oneChannelForTwo(workers int) {
	done, parts := make(chan int), make([]int, workers)
	for turn := range 2 {
		oneTurn(done, parts, turn == 1)
	}
}

func startAll(done chan int, parts []int) {
	for i := range parts {
		go func() {
			parts[i]++ // race! _[*]
			done <- i
		}()
	}
}

func waitAll(done chan int, parts []int) {
	for range parts {
		<-done
	}
}

func oneTurn(done chan int, parts []int, last bool) {
	startAll(done, parts)
	if last {
		waitAll(done, parts)
		println(parts[0]) // race! _[*]
	}
}

// The functions that start them, and wait for them, are given the channel.
func DC8_byTwoFunctions(workers int) {
	done, parts := make(chan int), make([]int, workers)
	startSome(done, parts)
	waitSome(done, parts)
	println(parts[0]) // norace
}

func startSome(done chan int, parts []int) {
	for i := range parts {
		go func() {
			parts[i]++ // norace
			done <- i
		}()
	}
}

func waitSome(done chan int, parts []int) {
	for range parts {
		<-done
	}
}

// What is read before they are waited for.
func DC9_before(workers int) {
	done, parts := make(chan int), make([]int, workers)
	startThen(done, parts)
	waitAfterwards(done, parts)
}

func waitAfterwards(done chan int, parts []int) {
	println(parts[0]) // race! _[*]
	for range parts {
		<-done
	}
	println(parts[0]) // norace
}

func startThen(done chan int, parts []int) {
	for i := range parts {
		go func() {
			parts[i]++ // race! _[*]
			done <- i
		}()
	}
}

// As many are waited for as there were in the turn before.
func DC10_asManyAsBefore(workers int) {
	var q *quota
	for k := range 2 {
		q = turnOf(q, workers+k)
	}
}

type quota struct {
	size int
	next chan int
}

func startQuota(done chan int, parts []int, n int) {
	for i := range n {
		go func() {
			parts[i]++ // race! _[*]
			done <- i
		}()
	}
}

func waitQuota(done chan int, q *quota) {
	for range q.size {
		<-done
	}
}

func turnOf(before *quota, n int) *quota {
	q := &quota{size: n}
	if before == nil {
		before = q
	}
	done, parts := make(chan int), make([]int, n)
	startQuota(done, parts, n)
	waitQuota(done, before)
	println(parts[0]) // race! _[*]
	return q
}
