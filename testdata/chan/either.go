package channel

// EO1_anotherMayTell has one of two channels to receive from, and another goroutine sends on the other one.
func EO1_anotherMayTell(other bool) {
	x, done, spare := 0, make(chan bool), make(chan bool)
	tell := done
	go func() {
		x = 1 // race! x
		tell <- true
	}()
	go func() { spare <- true }()
	if other {
		done = spare
	}
	<-done
	println(x) // race! x
}

// EO2_anotherMayClose is closed the other one.
func EO2_anotherMayClose(other bool) {
	x, done, spare := 0, make(chan bool), make(chan bool)
	tell := done
	go func() {
		x = 1 // race! x
		tell <- true
	}()
	go func() { close(spare) }()
	if other {
		done = spare
	}
	<-done
	println(x) // race! x
}

// EO3_eitherWayTold is told by the same goroutine, whichever it is.
func EO3_eitherWayTold(other bool) {
	x, done, spare := 0, make(chan bool), make(chan bool)
	wait := done
	if other {
		wait = spare
	}
	go func() {
		x = 1 // norace
		close(done)
		close(spare)
	}()
	<-wait
	println(x) // norace
}
