package channel

import "fmt"

// Programs that keep what they send.

type ykSession struct {
	send  chan int
	wrote int
}

// YK1: what is sent once is in a list, too, from which something else is done with it.
func YK1_once() {
	h := &ykHub{make(chan *ykSession), make(chan *ykSession), map[*ykSession]bool{}}
	go h.run()
	var all []*ykSession
	for range 6 {
		s := &ykSession{send: make(chan int, 32)}
		all = append(all, s)
		h.register <- s
	}
	h.unregister <- all[2]
	fmt.Println(len(all))
}

type ykHub struct {
	register, unregister chan *ykSession
	sessions             map[*ykSession]bool
}

func (h *ykHub) run() {
	for {
		select {
		case s := <-h.register:
			h.sessions[s] = true
			go func() {
				for range s.send {
					s.wrote++ // norace
				}
			}()
		case s := <-h.unregister:
			delete(h.sessions, s)
			close(s.send)
		}
	}
}

// YK2: it is sent twice.
func YK2_twice() {
	h := &ykTwice{make(chan *ykSession2), make(chan *ykSession2), map[*ykSession2]bool{}}
	go h.run()
	var all []*ykSession2
	for range 6 {
		s := &ykSession2{send: make(chan int, 32)}
		all = append(all, s)
		h.register <- s
		h.register <- s
	}
	h.unregister <- all[2]
	fmt.Println(len(all))
}

type ykSession2 struct {
	send  chan int
	wrote int
}

type ykTwice struct {
	register, unregister chan *ykSession2
	sessions             map[*ykSession2]bool
}

func (h *ykTwice) run() {
	for {
		select {
		case s := <-h.register:
			h.sessions[s] = true
			go func() {
				for range s.send {
					s.wrote++ // race! s.wrote
				}
			}()
		case s := <-h.unregister:
			delete(h.sessions, s)
			close(s.send)
		}
	}
}

// YK3: another one finds it in the list, and sends it again.
func YK3_again() {
	h := &ykAgain{make(chan *ykSession3), make(chan *ykSession3), map[*ykSession3]bool{}}
	go h.run()
	var all []*ykSession3
	for range 6 {
		s := &ykSession3{send: make(chan int, 32)}
		all = append(all, s)
		h.register <- s
	}
	h.register <- all[1]
	h.unregister <- all[2]
	fmt.Println(len(all))
}

type ykSession3 struct {
	send  chan int
	wrote int
}

type ykAgain struct {
	register, unregister chan *ykSession3
	sessions             map[*ykSession3]bool
}

func (h *ykAgain) run() {
	for {
		select {
		case s := <-h.register:
			h.sessions[s] = true
			go func() {
				for range s.send {
					s.wrote++ // race! s.wrote
				}
			}()
		case s := <-h.unregister:
			delete(h.sessions, s)
			close(s.send)
		}
	}
}

// YK4: a loop that goes on sends it again.
func YK4_goesOn(stop chan bool) {
	h := &ykOn{make(chan *ykSession4), make(chan *ykSession4), map[*ykSession4]bool{}}
	go h.run()
	var all []*ykSession4
	for range 6 {
		s := &ykSession4{send: make(chan int, 32)}
		all = append(all, s)
		for on := true; on; {
			select {
			case h.register <- s:
			case <-stop:
				on = false
			}
		}
	}
	h.unregister <- all[2]
	fmt.Println(len(all))
}

type ykSession4 struct {
	send  chan int
	wrote int
}

type ykOn struct {
	register, unregister chan *ykSession4
	sessions             map[*ykSession4]bool
}

func (h *ykOn) run() {
	for {
		select {
		case s := <-h.register:
			h.sessions[s] = true
			go func() {
				for range s.send {
					s.wrote++ // race! s.wrote
				}
			}()
		case s := <-h.unregister:
			delete(h.sessions, s)
			close(s.send)
		}
	}
}
