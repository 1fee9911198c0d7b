package scope

// A function that is called from two places has a variable of its own in each
// call, which its goroutine shares with it.
func B10_calledTwice() {
	countBeside()
	countBeside()
}

func countBeside() {
	n := 0
	done := make(chan bool)
	go func() {
		n++ // race! n
		close(done)
	}()
	n++ // race! n
	<-done
	_ = n // norace
}

// Here it waits first.
func B10_calledTwiceInOrder() {
	countAfter()
	countAfter()
}

func countAfter() {
	n := 0
	done := make(chan bool)
	go func() {
		n++ // norace
		close(done)
	}()
	<-done
	n++ // norace
}

// The goroutine hands the variable down: it stays the one of its call.
func B10_calledTwiceAndPassedDown() {
	countFarDown()
	countFarDown()
}

func countFarDown() {
	n := 0
	done := make(chan bool)
	go func() {
		down1(&n)
		close(done)
	}()
	n++ // race! n
	<-done
}

func down1(p *int) { down2(p) }
func down2(p *int) { down3(p) }
func down3(p *int) { down4(p) }
func down4(p *int) { down5(p) }
func down5(p *int) { down6(p) }
func down6(p *int) {
	*p++ // race! n
}
