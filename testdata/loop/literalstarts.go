package loop

// The loop calls a function literal that starts a goroutine, and is kept in a variable.
func LS1_literalStarts() {
	p := &started{}
	start := func() {
		go func() {
			p.n++ // race! p.n
		}()
	}
	for range n {
		start()
	}
	println(p.n) // race! p.n
}

type started struct{ n int }

// What it starts has an element of its own.
func LS2_ownElement() {
	out := make([]int, n)
	done := make(chan bool)
	start := func(i int) {
		go func() {
			out[i] = i // norace
			done <- true
		}()
	}
	for i := range out {
		start(i)
	}
	for range out {
		<-done
	}
	println(out[0]) // norace
}
