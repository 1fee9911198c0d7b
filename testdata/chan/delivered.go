package channel

import "sync"

// Each goroutine has one of several objects to work on, and sends it when it is done.

type parcel struct {
	n, weight int
	err       error
}

func (p *parcel) weigh() error {
	p.weight += p.n // norace
	return nil
}

func parcels() (out []*parcel) {
	for i := range n {
		out = append(out, &parcel{n: i})
	}
	return out
}

func DV1_whenDone() {
	ps := parcels()
	done := make(chan *parcel)
	for _, p := range ps {
		go func() {
			p.err = p.weigh() // norace
			done <- p
		}()
	}
	for range ps {
		p := <-done
		if p.err != nil { // norace
			println(p.weight) // norace
		}
	}
}

// DV1b_goesOn touches what it has sent.
func DV1b_goesOn() {
	ps := parcels()
	done := make(chan *parcel, n)
	for _, p := range ps {
		go func() {
			done <- p
			p.n++ // race! p.n
		}()
	}
	for range ps {
		p := <-done
		println(p.n) // race! p.n
	}
}

// DV1c_sentEarly sends them itself, too.
func DV1c_sentEarly() {
	ps := parcels()
	done := make(chan *parcel, 2*n)
	for _, p := range ps {
		done <- p
		go func() {
			p.n++ // race! p.n
			done <- p
		}()
	}
	for range 2 * len(ps) {
		p := <-done
		println(p.n) // race! p.n
	}
}

// DV1d_sentByAnother starts a goroutine that sends it meanwhile.
func DV1d_sentByAnother() {
	ps := parcels()
	done := make(chan *parcel)
	for _, p := range ps {
		go func() {
			go func() { done <- p }()
			p.n++ // race! p.n
		}()
	}
	for range ps {
		p := <-done
		println(p.n) // race! p.n
	}
}

// DV1e_one sends the same object n times.
func DV1e_one() {
	one := &parcel{}
	var ps []*parcel
	for range n {
		ps = append(ps, one)
	}
	done := make(chan *parcel)
	for _, p := range ps {
		go func() {
			p.n++ // race! p.n
			done <- p
		}()
	}
	for range ps {
		p := <-done
		println(p.n) // race! p.n
	}
}

// DV1f_twice sends it between two rounds, too.
func DV1f_twice() {
	ps := parcels()
	done := make(chan *parcel, 2*n)
	for _, p := range ps {
		go func() {
			for range 2 {
				p.n++ // race! p.n
				done <- p
			}
		}()
	}
	for range 2 * len(ps) {
		p := <-done
		println(p.n) // race! p.n
	}
}

// DV1g_ofList looks at one of the list, which need not be that which was received.
func DV1g_ofList() {
	ps := parcels()
	done := make(chan *parcel)
	for _, p := range ps {
		go func() {
			p.n++ // race! p.n
			done <- p
		}()
	}
	for i := range ps {
		<-done
		println(ps[i].n) // race! p.n
	}
}

// DV1h_neighbour sends another one than it works on.
func DV1h_neighbour() {
	ps := parcels()
	done := make(chan *parcel)
	for i, p := range ps {
		go func() {
			p.n++ // race! p.n
			done <- ps[(i+1)%len(ps)]
		}()
	}
	for range ps {
		p := <-done
		println(p.n) // race! p.n
	}
}

// DV2_onSomeWays sends it where it has worked on it, to another goroutine.
func DV2_onSomeWays(quit chan struct{}) {
	ps := parcels()
	done := make(chan *parcel)
	go func() {
		for p := range done {
			p.n++ // norace
		}
	}()
	for _, p := range ps {
		go func() {
			if p.weigh() != nil {
				return
			}
			p.n = 1 // norace
			select {
			case done <- p:
			case <-quit:
			}
		}()
	}
}

// DV3_listed has them in a list that is written down.
func DV3_listed() {
	ps := []*parcel{new(parcel), {n: 1}}
	done := make(chan *parcel)
	for _, p := range ps {
		go func() {
			p.err = errLost // assumed p.err
			done <- p
		}()
	}
	for range ps {
		p := <-done
		if p.err != nil { // assumed p.err
			println(p.n)
		}
	}
}

// DV3b_goesOn touches what it has sent.
func DV3b_goesOn() {
	ps := []*parcel{new(parcel), {n: 1}}
	done := make(chan *parcel)
	for _, p := range ps {
		go func() {
			done <- p
			p.err = errLost // race! p.err
		}()
	}
	for range ps {
		p := <-done
		if p.err != nil { // race! p.err
			println(p.n)
		}
	}
}

// DV3c_otherwise reads what it has not received.
func DV3c_otherwise() {
	ps := []*parcel{new(parcel), {n: 1}}
	done := make(chan *parcel)
	for _, p := range ps {
		go func() {
			p.err = errLost // race! p.err
			done <- p
		}()
	}
	<-done
	if ps[0].err != nil { // race! p.err
		println(len(ps))
	}
}

// DV3d_twice has one of them twice in the list.
func DV3d_twice() {
	p := new(parcel)
	ps := []*parcel{p, p}
	done := make(chan *parcel)
	for _, p := range ps {
		go func() {
			p.err = errLost // race! p.err
			done <- p
		}()
	}
	for range ps {
		p := <-done
		if p.err != nil { // race! p.err
			println(p.n)
		}
	}
}

// DV3f_underLock has one of them twice in the list, and a lock where it is set.
func DV3f_underLock() {
	var mu sync.Mutex
	p := new(parcel)
	ps := []*parcel{p, p}
	done := make(chan *parcel)
	for _, p := range ps {
		go func() {
			mu.Lock()
			p.err = errLost // race! p.err
			mu.Unlock()
			done <- p
		}()
	}
	for range ps {
		p := <-done
		if p.err != nil { // race! p.err
			println(p.n)
		}
	}
}

// DV3e_again puts them into the list again, so that two elements may hold one, as far as is known.
func DV3e_again() {
	ps := []*parcel{new(parcel), {n: 1}}
	done := make(chan *parcel)
	for _, p := range ps {
		go func() {
			p.err = errLost // race p.err; likely
			done <- p
		}()
	}
	n := len(ps)
	ps = ps[:0]
	for range n {
		p := <-done
		if p.err != nil { // race p.err; likely
			println(p.n)
		}
		ps = append(ps, p)
	}
}

var errLost error
