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
