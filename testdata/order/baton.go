package order

import "time"

// One number goes round through a channel. Who has it sends it on by a goroutine.

// BT1_goesOn reads what all have added up when the last one tells so.
func BT1_goesOn() int {
	baton, finish := make(chan int), make(chan struct{})
	total := 0
	for range 4 {
		go func() {
			for left := range baton {
				total++ // norace
				if left == 1 {
					close(finish)
					return
				}
				go func() { baton <- left - 1 }()
			}
		}()
	}
	baton <- 10
	<-finish
	return total // norace
}

// BT2_closed closes the channel in the end, so that the others are over, too.
func BT2_closed() int {
	baton, finish := make(chan int), make(chan struct{})
	total := 0
	for range 4 {
		go func() {
			for left := range baton {
				total++ // norace
				if left == 1 {
					close(finish)
					return
				}
				go func() { baton <- left - 1 }()
			}
		}()
	}
	baton <- 10
	<-finish
	close(baton)
	return total // norace
}

// BT3_itself has each send it on by a function that it starts.
func BT3_itself() int {
	baton, finish := make(chan int), make(chan struct{})
	total := 0
	for range 4 {
		go func() {
			for left := range baton {
				total++ // norace
				if left == 1 {
					close(finish)
					return
				}
				go passBaton(baton, left-1)
			}
		}()
	}
	baton <- 10
	<-finish
	return total // norace
}

func passBaton(baton chan int, left int) { baton <- left }

// BT4_two has two numbers go round.
func BT4_two() int {
	baton, finish := make(chan int), make(chan struct{})
	total := 0
	for range 4 {
		go func() {
			for left := range baton {
				total++ // race! total
				if left == 1 {
					close(finish)
					return
				}
				go func() { baton <- left - 1 }()
			}
		}()
	}
	go func() { baton <- 10 }()
	baton <- 10
	<-finish
	return total // race! total
}

// BT5_twoFromOne has two numbers go round, that one has sent.
func BT5_twoFromOne() int {
	baton, finish := make(chan int), make(chan struct{})
	total := 0
	for range 4 {
		go func() {
			for left := range baton {
				total++ // race! total
				if left == 1 {
					finish <- struct{}{}
					return
				}
				go func() { baton <- left - 1 }()
			}
		}()
	}
	baton <- 10
	baton <- 9
	<-finish
	return total // race! total
}

// BT6_after adds up when it has been sent on.
func BT6_after() int {
	baton, finish := make(chan int), make(chan struct{})
	total := 0
	for range 4 {
		go func() {
			for left := range baton {
				if left == 1 {
					close(finish)
					return
				}
				go func() { baton <- left - 1 }()
				total++ // race! total
			}
		}()
	}
	baton <- 10
	<-finish
	return total // race! total
}

// BT7_sentTwice sends it on twice.
func BT7_sentTwice() int {
	baton, finish := make(chan int), make(chan struct{})
	total := 0
	for range 4 {
		go func() {
			for left := range baton {
				total++ // race! total
				if left == 1 {
					finish <- struct{}{}
					return
				}
				go func() {
					baton <- left - 1
					baton <- left - 1
				}()
			}
		}()
	}
	baton <- 10
	<-finish
	return total // race! total
}

// BT8_startedTwice starts two that send it on.
func BT8_startedTwice() int {
	baton, finish := make(chan int), make(chan struct{})
	total := 0
	for range 4 {
		go func() {
			for left := range baton {
				total++ // race! total
				if left == 1 {
					finish <- struct{}{}
					return
				}
				for range 2 {
					go func() { baton <- left - 1 }()
				}
			}
		}()
	}
	baton <- 10
	<-finish
	return total // race! total
}

// BT9_early tells that it is over when it is not.
func BT9_early() int {
	baton, finish := make(chan int), make(chan struct{})
	total := 0
	for range 4 {
		go func() {
			for left := range baton {
				total++ // race! total
				go func() { baton <- left - 1 }()
				if left == 10 {
					close(finish)
				}
			}
		}()
	}
	baton <- 10
	<-finish
	return total // race! total
}

// BT10_toldFirst tells so, and then adds to it.
func BT10_toldFirst() int {
	baton, finish := make(chan int), make(chan struct{})
	total := 0
	for range 4 {
		go func() {
			for left := range baton {
				if left == 1 {
					close(finish)
					total++ // race! total
					return
				}
				total++ // norace
				go func() { baton <- left - 1 }()
			}
		}()
	}
	baton <- 10
	<-finish
	return total // race! total
}

// BT11_toldByOther has someone else tell so, too.
func BT11_toldByOther() int {
	baton, finish := make(chan int), make(chan struct{})
	total := 0
	for range 4 {
		go func() {
			for left := range baton {
				total++ // race! total
				if left == 1 {
					finish <- struct{}{}
					return
				}
				go func() { baton <- left - 1 }()
			}
		}()
	}
	go func() {
		time.Sleep(time.Millisecond)
		finish <- struct{}{}
	}()
	baton <- 10
	<-finish
	return total // race! total
}

// BT12_atTimes does not wait for it each time.
func BT12_atTimes() int {
	baton, finish := make(chan int), make(chan struct{})
	total := 0
	for range 4 {
		go func() {
			for left := range baton {
				total++ // race! total
				if left == 1 {
					close(finish)
					return
				}
				go func() { baton <- left - 1 }()
			}
		}()
	}
	baton <- 10
	select {
	case <-finish:
	case <-time.After(time.Millisecond):
	}
	return total // race! total
}

// BT13_unchecked does not look whether the channel was closed.
func BT13_unchecked() {
	baton := make(chan int)
	total := 0
	for range 4 {
		go func() {
			left := <-baton
			total++ // race! total
			if left > 1 {
				go func() { baton <- left - 1 }()
			}
		}()
	}
	baton <- 2
	time.Sleep(time.Millisecond)
	close(baton)
}

// BT14_inCase has it in a case of a select.
func BT14_inCase(quit chan struct{}) {
	baton := make(chan int)
	total := 0
	for range 4 {
		go func() {
			select {
			case left := <-baton:
				total++ // race! total
				if left > 1 {
					go func() { baton <- left - 1 }()
				}
			case <-quit:
			}
		}()
	}
	baton <- 2
	time.Sleep(time.Millisecond)
	close(baton)
}

// BT15_okInCase looks whether that has got something.
func BT15_okInCase(quit chan struct{}) {
	baton := make(chan int)
	total := 0
	for range 4 {
		go func() {
			select {
			case left, ok := <-baton:
				if !ok {
					return
				}
				total++ // norace
				if left > 1 {
					go func() { baton <- left - 1 }()
				}
			case <-quit:
			}
		}()
	}
	baton <- 2
	time.Sleep(time.Millisecond)
	close(baton)
}

// BT16_givenOn tells so, and sends it on.
func BT16_givenOn() int {
	baton, finish := make(chan int), make(chan struct{})
	total := 0
	for range 4 {
		go func() {
			left := <-baton
			total++ // race! total
			if left == 10 {
				close(finish)
			}
			go func() { baton <- left - 1 }()
		}()
	}
	baton <- 10
	<-finish
	return total // race! total
}

// BT17_elsewhere is read by who was started before.
func BT17_elsewhere() {
	baton, finish := make(chan int), make(chan struct{})
	total := 0
	go func() {
		_ = total // race! total
		<-finish
	}()
	for range 4 {
		go func() {
			for left := range baton {
				total++ // race! total
				if left == 1 {
					close(finish)
					return
				}
				go func() { baton <- left - 1 }()
			}
		}()
	}
	baton <- 10
	<-finish
}

// BT18_runs has several, which all add to one number.
func BT18_runs() {
	for range 2 {
		go batonRun()
	}
}

var batonTotal int

func batonRun() int {
	baton, finish := make(chan int), make(chan struct{})
	for range 4 {
		go func() {
			for left := range baton {
				batonTotal++ // race! batonTotal
				if left == 1 {
					close(finish)
					return
				}
				go func() { baton <- left - 1 }()
			}
		}()
	}
	baton <- 10
	<-finish
	return batonTotal // race! batonTotal
}
