package order

import "time"

// A goroutine that starts itself again, and that its first run was no goroutine of: there
// are several.
func SI1_startsItself() {
	s := &selfStarter{ch: make(chan *int)}
	s.run()
	println(s.n) // race! n
	time.Sleep(time.Millisecond)
}

type selfStarter struct {
	n  int
	ch chan *int
}

func (s *selfStarter) run() {
	s.n++ // race! n
	x := new(int)
	go s.run()
	*x = 1
	s.ch <- x
	y := <-s.ch
	*y++
}
