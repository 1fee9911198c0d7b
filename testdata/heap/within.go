package heap

import "sync"

// What lies in new memory, and nowhere else, others have when that has been handed on, and not before.
// Each run has its own parcels, but one name stands for those of all runs.
func WI1_within() {
	m := &mailer{}
	for range n {
		go m.run()
	}
}

type mailer struct {
	mu   sync.Mutex
	sent []*parcel // what a run leaves is not kept in it
}

func (m *mailer) run() {
	out := make(chan *parcel, 2)
	var wg sync.WaitGroup
	wg.Go(func() { m.pack(out) })
	wg.Go(func() { m.packMore(out) })
	wg.Wait()
	close(out)
	for p := range out {
		p.head["d"] = "e" // norace
		p.body.take()
		m.mu.Lock()
		m.sent = append(m.sent, p)
		m.mu.Unlock()
	}
}

func (m *mailer) pack(out chan *parcel) {
	p := newParcel()
	p.head["a"] = "b" // norace
	p.body.add(1)
	out <- p
}

func (m *mailer) packMore(out chan *parcel) {
	p := newParcel()
	p.head.set("c")
	p.fill()
	out <- p
}

type parcel struct {
	head parcelHead
	body parcelBody
}

type parcelHead map[string]string

func (h parcelHead) set(k string) { h[k] = "" } // norace

type parcelBody interface {
	add(n int)
	take()
}

type parcelLines struct{ n int }

func (l *parcelLines) add(n int) { l.n += n } // norace

func (l *parcelLines) take() { l.n = 0 } // norace

func newParcel() *parcel { return &parcel{head: make(parcelHead), body: newParcelLines()} }

func newParcelLines() parcelBody { return &parcelLines{} }

func (p *parcel) fill() { p.head["f"] = "" } // norace

// It is written when the parcel has been handed on, by what was found there before.
func WI2_writtenLater() {
	for range n {
		go func() {
			out := make(chan *box2, 2)
			go func() {
				c := newBox2()
				h := c.head
				out <- c
				h["a"] = 1 // race! h[*]
			}()
			c := <-out
			c.head["b"] = 1 // race! c.head[*]
		}()
	}
}

type box2 struct{ head map[string]int }

func newBox2() *box2 { return &box2{head: make(map[string]int)} }

// It has been handed on by itself.
func WI3_handedOnAlone() {
	for range n {
		go func() {
			out := make(chan map[string]int, 2)
			go func() {
				c := newBox2()
				out <- c.head
				c.head["a"] = 1 // race! c.head[*]
			}()
			h := <-out
			h["b"] = 1 // race! h[*]
		}()
	}
}

// A method goes on in a goroutine.
func WI4_goesOn() {
	for range n {
		go func() {
			out := make(chan *box4, 2)
			go func() {
				c := newBox4()
				c.to.later()
				out <- c
			}()
			c := <-out
			c.to.n++ // race! c.to.n
		}()
	}
}

type box4 struct{ to *in4 }

type in4 struct{ n int }

func newBox4() *box4 { return &box4{to: &in4{}} }

func (t *in4) later() { go t.add() }

func (t *in4) add() { t.n++ } // race! t.n

// A method runs at the end.
func WI5_deferred() {
	for range n {
		go func() {
			out := make(chan *box5, 2)
			go func() {
				c := newBox5()
				defer c.to.add()
				out <- c
			}()
			c := <-out
			c.to.n++ // race! c.to.n
		}()
	}
}

type box5 struct{ to *in5 }

type in5 struct{ n int }

func newBox5() *box5 { return &box5{to: &in5{}} }

func (t *in5) add() { t.n++ } // race! t.n

// All boxes have one map.
func WI6_shared() {
	all := make(map[string]int)
	for range n {
		go func() {
			out := make(chan *box6, 2)
			go func() {
				c := &box6{head: all}
				c.head["a"] = 1 // race! all[*]
				out <- c
			}()
			c := <-out
			c.head["b"] = 1 // race! all[*]
		}()
	}
}

type box6 struct{ head map[string]int }

// Who is passed the map is passed the box, too, and hands that on.
func WI7_passedTogether() {
	for range n {
		go func() {
			out := make(chan *box7, 2)
			go func() {
				c := newBox7()
				show7(out, c, c.head)
			}()
			c := <-out
			c.head["b"] = 1 // race! c.head[*]
		}()
	}
}

type box7 struct{ head map[string]int }

func newBox7() *box7 { return &box7{head: make(map[string]int)} }

func show7(out chan *box7, c *box7, head map[string]int) {
	out <- c
	head["a"] = 1 // race! head[*]
}

// A function of which the box is an argument does so before it hands it on, or afterwards.
func WI8_inFunction() {
	for range n {
		go func() {
			out := make(chan *box8, 2)
			go func() { newBox8().show(out) }()
			c := <-out
			c.before[2] = 1 // norace
			c.after[2] = 1  // race! c.after[*]
		}()
	}
}

type box8 struct{ before, after map[int]int }

func newBox8() *box8 { return &box8{before: make(map[int]int), after: make(map[int]int)} }

func (c *box8) show(out chan *box8) {
	c.before[1] = 1 // norace
	out <- c
	c.after[1] = 1 // race! c.after[*]
}

// What lies in what lies in it.
func WI9_deeper() {
	for range n {
		go func() {
			out := make(chan *box9, 2)
			go func() {
				c := newBox9()
				c.in.head["a"] = 1 // norace
				c.in.put("b")
				out <- c
			}()
			c := <-out
			c.in.head["c"] = 1 // norace
			sent9.Lock()
			sent9.boxes = append(sent9.boxes, c)
			sent9.Unlock()
		}()
	}
}

var sent9 struct {
	sync.Mutex
	boxes []*box9
}

type box9 struct{ in *in9 }

type in9 struct{ head map[string]int }

func newBox9() *box9 { return &box9{in: newIn9()} }

func newIn9() *in9 { return &in9{head: make(map[string]int)} }

func (r *in9) put(k string) { r.head[k] = 1 } // assumed r.head[*]

// Another box has been given what lies in it.
func WI10_inAnother() {
	for range n {
		go func() {
			out := make(chan *box10, 2)
			go func() {
				c := newBox10()
				out <- &box10{head: c.head}
				c.head["a"] = 1 // race! c.head[*]
			}()
			c := <-out
			c.head["b"] = 1 // race! c.head[*]
		}()
	}
}

type box10 struct{ head map[string]int }

func newBox10() *box10 { return &box10{head: make(map[string]int)} }

// Its maker starts a goroutine with what lies in it.
func WI11_startedWith() {
	for range n {
		c, d := newBox11(), newBox11()
		go c.in.add()
		c.in.n++ // race! c.in.n
		in := d.in
		go func() { in.n++ }() // race! in.n
		d.in.n++               // race! d.in.n
	}
}

type box11 struct{ in *in11 }

type in11 struct{ n int }

func newBox11() *box11 { return &box11{in: &in11{}} }

func (t *in11) add() { t.n++ } // race! t.n
