package channel

import "fmt"

// Programs that set a channel to nil once nothing more is to come from it.

// ZN1: who leaves the loop has seen both closed.
func ZN1_closed() {
	a, b := make(chan int), make(chan int)
	var x, y int
	go znMany(a, &x)
	go znMany(b, &y)
	sum := 0
	for a != nil || b != nil {
		select {
		case v, ok := <-a:
			if !ok {
				a = nil
				continue
			}
			sum += v
		case v, ok := <-b:
			if !ok {
				b = nil
				continue
			}
			sum += v
		}
	}
	fmt.Println(sum, x, y) // norace
}

func znMany(c chan<- int, p *int) {
	defer close(c)
	for i := range 3 {
		*p += i // norace
		c <- *p
	}
}

// ZN2: one value comes from each.
func ZN2_one() {
	a, b := make(chan int), make(chan int)
	var x, y int
	go znOne(a, &x)
	go znOne(b, &y)
	sum := 0
	for a != nil || b != nil {
		select {
		case v := <-a:
			a = nil
			sum += v
		case v := <-b:
			b = nil
			sum += v
		}
	}
	fmt.Println(sum, x, y) // norace
}

func znOne(c chan<- int, p *int) {
	*p++ // norace
	c <- *p
}

// ZN3: it is left when the first of them is done.
func ZN3_first() {
	a, b := make(chan int, 1), make(chan int, 1)
	x := 0
	go znFirst(a, &x)
	go func() { b <- 1 }()
	for a != nil && b != nil {
		select {
		case <-a:
			a = nil
		case <-b:
			b = nil
		}
	}
	fmt.Println(x) // race! x
}

func znFirst(c chan<- int, p *int) {
	*p++ // race! x
	c <- *p
}

// ZN4: one is given up when nothing has come from it.
func ZN4_givenUp() {
	a, b := make(chan int, 1), make(chan int, 1)
	var x, y int
	go znGivenUp(a, &x)
	go znGivenUp(b, &y)
	for a != nil || b != nil {
		select {
		case <-a:
			a = nil
		case <-b:
			b = nil
		default:
			b = nil
		}
	}
	fmt.Println(x, y) // race! y
}

func znGivenUp(c chan<- int, p *int) {
	*p++ // race! y
	c <- *p
}

// ZN5: what comes from one ends the other.
func ZN5_other() {
	a, b := make(chan int, 1), make(chan int, 1)
	x := 0
	go znOther(a, &x)
	go func() { b <- 1 }()
	for a != nil {
		select {
		case <-a:
		case <-b:
			a = nil
		}
	}
	fmt.Println(x) // race! x
}

func znOther(c chan<- int, p *int) {
	*p++ // race! x
	c <- *p
}

// ZN6: the channel that was closed is another round's.
func ZN6_renewed(n int) {
	var a chan int
	x := 0
	for range n {
		if a == nil {
			fmt.Println(x) // race! x
		}
		a = make(chan int, 1)
		go func(c chan<- int) {
			x++ // race! x
			close(c)
		}(a)
		if _, ok := <-a; n > 2 && !ok {
			a = nil
		}
		go func(c chan<- int) {
			x++ // race! x
			close(c)
		}(make(chan int))
	}
}

// ZN7: a channel that is never set is nil, and nothing was received.
func ZN7_neverSet(late bool) {
	c := make(chan int, 1)
	x := 0
	go func() {
		x++ // race! x
		c <- 1
	}()
	var a chan int
	if late {
		a = c
	}
	for a != nil {
		<-a
		a = nil
	}
	fmt.Println(x) // race! x
}

// ZN8: what was seen closed is another round's channel.
func ZN8_otherRound(n int) {
	a := make(chan int)
	x := 0
	for range n {
		b := make(chan int)
		go znRound(b, &x)
		for a != nil {
			select {
			case <-a:
			case _, ok := <-b:
				if !ok {
					a = nil
				}
			}
		}
		fmt.Println(x) // race! x
	}
}

func znRound(c chan<- int, p *int) {
	*p++ // race! x
	close(c)
}
