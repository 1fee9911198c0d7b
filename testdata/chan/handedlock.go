package channel

// A channel of one place is a lock, which who takes it hands to the goroutine that it
// starts; what the goroutine does is exclusive until it gives the place back.
func HL1_handedLock(work, done chan int) {
	d := &written{}
	pending := make(chan struct{}, 1)
	write := func() {
		d.n++ // norace
		<-pending
	}
	for {
		select {
		case <-work:
		case pending <- struct{}{}:
			go write()
		case <-done:
			pending <- struct{}{}
			write()
			return
		}
	}
}

type written struct{ n int }

// Who takes the place may start one goroutine with it only.
func HL1b_handedTwice(work chan int) {
	d := &writtenTwice{}
	pending := make(chan struct{}, 1)
	write := func() {
		d.n++ // race! n
		<-pending
	}
	for {
		select {
		case <-work:
		case pending <- struct{}{}:
			go write()
			go write()
		}
	}
}

type writtenTwice struct{ n int }

// The last write does not wait for its place.
func HL1c_withoutPlace(work, done chan int) {
	d := &writtenLast{}
	pending := make(chan struct{}, 1)
	write := func() {
		d.n++ // race! n
		<-pending
	}
	for {
		select {
		case <-work:
		case pending <- struct{}{}:
			go write()
		case <-done:
			write()
			return
		}
	}
}

type writtenLast struct{ n int }

// What comes after the place was given back is nobody's.
func HL1d_afterwards(work chan int) {
	d := &writtenLate{}
	pending := make(chan struct{}, 1)
	write := func() {
		<-pending
		d.n++ // race! n
	}
	for {
		select {
		case <-work:
		case pending <- struct{}{}:
			go write()
		}
	}
}

type writtenLate struct{ n int }

// Who has handed its place on has none any more.
func HL1e_starterToo(work chan int) {
	d := &writtenToo{}
	pending := make(chan struct{}, 1)
	for {
		select {
		case <-work:
		case pending <- struct{}{}:
			go func() {
				d.n++ // race! n
				<-pending
			}()
			d.n++ // race! n
		}
	}
}

type writtenToo struct{ n int }

// Two places.
func HL1f_twoPlaces(work chan int) {
	d := &writtenByTwo{}
	pending := make(chan struct{}, 2)
	for {
		select {
		case <-work:
		case pending <- struct{}{}:
			go func() {
				d.n++ // race! n
				<-pending
			}()
		}
	}
}

type writtenByTwo struct{ n int }
