package order

import "sync"

// A lift is moved by a motor, and told where to go by who calls it.
type lift struct {
	floor, moved int
}

// PR1: who has told the motor to stop, and waits for that, tells that both are done.
func PR1_toAndFro(calls []int) {
	var wg sync.WaitGroup
	lifts := make([]*lift, 4)
	for i := range lifts {
		lifts[i] = &lift{}
		down, up := make(chan *lift), make(chan *lift)
		go func() {
			defer close(up)
			for l := range down {
				l.moved++ // norace
				up <- l
			}
		}()
		wg.Add(1)
		go func() {
			defer wg.Done()
			l := lifts[i]
			for range calls {
				down <- l
				l = <-up
			}
			close(down)
			<-up
		}()
	}
	wg.Wait()
	for _, l := range lifts {
		println(l.moved) // norace
	}
}

// PR1b: it does not wait for the last one.
func PR1b_lastOneUnanswered(calls []int) {
	var wg sync.WaitGroup
	lifts := make([]*lift, 4)
	for i := range lifts {
		lifts[i] = &lift{}
		down, up := make(chan *lift), make(chan *lift, 1)
		go func() {
			for l := range down {
				l.moved++ // race! _.moved
				up <- l
			}
		}()
		wg.Add(1)
		go func() {
			defer wg.Done()
			l := lifts[i]
			for range calls {
				down <- l
				l = <-up
			}
			down <- l
		}()
	}
	wg.Wait()
	for _, l := range lifts {
		println(l.moved) // race! _.moved
	}
}

// PR1c: it tells before it has the answer.
func PR1c_toldTooEarly(calls []int) {
	var wg sync.WaitGroup
	lifts := make([]*lift, 4)
	for i := range lifts {
		lifts[i] = &lift{}
		down, up := make(chan *lift), make(chan *lift)
		go func() {
			for l := range down {
				l.moved++ // race! _.moved
				up <- l
			}
		}()
		wg.Add(1)
		go func() {
			l := lifts[i]
			for k := range calls {
				down <- l
				if k == len(calls)-1 {
					wg.Done()
				}
				l = <-up
			}
			close(down)
		}()
	}
	wg.Wait()
	for _, l := range lifts {
		println(l.moved) // race! _.moved
	}
}

// PR1d: the motor goes on when it has answered.
func PR1d_goesOn(calls []int) {
	var wg sync.WaitGroup
	lifts := make([]*lift, 4)
	for i := range lifts {
		lifts[i] = &lift{}
		l := lifts[i]
		down, up := make(chan int), make(chan int)
		go func() {
			for range down {
				up <- 1
				l.moved++ // race! l.moved
			}
		}()
		wg.Add(1)
		go func() {
			defer wg.Done()
			for range calls {
				down <- 1
				<-up
			}
			close(down)
		}()
	}
	wg.Wait()
	for _, l := range lifts {
		println(l.moved) // race! l.moved
	}
}

// PR1e: not each motor has somebody who waits for it. That it moves before its first command is what others do not wait for then, and is taken to be
// told (S45); the set shows it by the other move.
func PR1e_someAlone(calls []int) {
	var wg sync.WaitGroup
	lifts := make([]*lift, 4)
	for i := range lifts {
		lifts[i] = &lift{}
		down, up := make(chan bool), make(chan bool)
		go func() {
			lifts[i].moved++
			for range down {
				lifts[i].moved++ // race lifts[*].moved; who has nobody who waits for it has no command
				up <- true
			}
		}()
		if calls[i] == 0 {
			continue
		}
		wg.Add(1)
		go func() {
			defer wg.Done()
			down <- true
			<-up
			down <- true
			<-up
		}()
	}
	wg.Wait()
	for _, l := range lifts {
		println(l.moved) // race! lifts[*].moved
	}
}

// PR1f: all pairs have the same two channels.
func PR1f_commonChannels(calls []int) {
	var wg sync.WaitGroup
	lifts := make([]*lift, 4)
	down, up := make(chan *lift), make(chan *lift)
	for i := range lifts {
		lifts[i] = &lift{}
		go func() {
			l := <-down
			up <- l
			l = <-down
			l.moved++ // race! _.moved
			up <- l
		}()
		wg.Add(1)
		go func() {
			defer wg.Done()
			l := lifts[i]
			down <- l
			l = <-up
			down <- l
			<-up
		}()
	}
	wg.Wait()
	for _, l := range lifts {
		println(l.moved) // race! _.moved
	}
}

// PR1g: somebody else answers, too.
func PR1g_othersAnswer(calls []int) {
	var wg sync.WaitGroup
	lifts := make([]*lift, 4)
	for i := range lifts {
		lifts[i] = &lift{}
		down, up := make(chan *lift), make(chan *lift)
		go func() {
			for l := range down {
				l.moved++ // race! _.moved
				up <- l
			}
		}()
		go func() { up <- &lift{} }()
		wg.Add(1)
		go func() {
			defer wg.Done()
			l := lifts[i]
			for range calls {
				down <- l
				l = <-up
			}
			close(down)
		}()
	}
	wg.Wait()
	for _, l := range lifts {
		println(l.moved) // race! _.moved
	}
}

// PR1h: the pair has the channels of the round before.
func PR1h_roundBefore(calls []int) {
	var wg sync.WaitGroup
	lifts := make([]*lift, 4)
	up := make(chan *lift, 1)
	up <- &lift{}
	for i := range lifts {
		lifts[i] = &lift{}
		wg.Add(1)
		go func(up chan *lift) {
			defer wg.Done()
			<-up
		}(up)
		up = make(chan *lift, 1)
		go func(up chan *lift) {
			lifts[i].moved++ // race! lifts[*].moved
			up <- lifts[i]
		}(up)
	}
	wg.Wait()
	for _, l := range lifts {
		println(l.moved) // race! lifts[*].moved
	}
}

// PR2: the two are started once.
func PR2_onePair(calls []int) {
	l, done := &lift{}, make(chan bool)
	down, up := make(chan int), make(chan int)
	go func() {
		for range down {
			l.moved++ // norace
			up <- l.moved
		}
	}()
	go func() {
		for range calls {
			down <- 1
			println(<-up)
		}
		done <- true
	}()
	<-done
	println(l.moved) // norace
}

// PR2b: the motor is told once more.
func PR2b_toldOnceMore(calls []int) {
	l, done := &lift{}, make(chan bool)
	down, up := make(chan int), make(chan int)
	go func() {
		for range down {
			l.moved++ // race! l.moved
			up <- 1
		}
	}()
	go func() {
		for range calls {
			down <- 1
			println(<-up)
		}
		done <- true
		down <- 1
	}()
	<-done
	println(l.moved) // race! l.moved
}

// PR3b: two motors have the channels of a pair.
func PR3b_twoMotors() {
	var wg sync.WaitGroup
	lifts := make([]*lift, 4)
	for i := range lifts {
		lifts[i] = &lift{}
		down, up := make(chan bool), make(chan bool)
		for range 2 {
			go func() {
				lifts[i].moved++ // race! lifts[*].moved
				for range down {
					lifts[i].moved++ // race! lifts[*].moved
					up <- true
				}
			}()
		}
		wg.Add(1)
		go func() {
			defer wg.Done()
			down <- true
			<-up
			down <- true
			<-up
		}()
	}
	wg.Wait()
	for _, l := range lifts {
		println(l.moved) // race! lifts[*].moved
	}
}
