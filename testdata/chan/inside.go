package channel

// Programs in which what is sent holds the address of a part of itself.

type yfReq struct{ n int }

type yfWork struct {
	req  *yfReq
	own  yfReq
	done chan bool
}

// YfClient sends each call's work to one of its connections.
type YfClient struct{ conns []*yfConn }

type yfConn struct{ in chan *yfWork }

// YF1_inside sends what is part of the work.
func (c *YfClient) YF1_inside(n int, tick chan bool) {
	for i := range c.conns {
		cc := c.conns[i]
		in := make(chan *yfWork, 4)
		cc.in = in
		go func() {
			for w := range in {
				w.req.n++ // norace
			}
		}()
	}
	w := &yfWork{done: make(chan bool)}
	w.req = &w.own
	for {
		select {
		case c.conns[n].in <- w:
			return
		case <-tick:
		}
	}
}

// YfShared has a request that all work is about.
type YfShared struct {
	conns  []*yfSharedConn
	shared *yfSharedReq
}

type yfSharedReq struct{ n int }

type yfSharedWork struct {
	req *yfSharedReq
	own yfSharedReq
}

type yfSharedConn struct{ in chan *yfSharedWork }

// YF2_outside sends what others have, too.
func (c *YfShared) YF2_outside(n int) {
	c.shared = &yfSharedReq{}
	for i := range c.conns {
		cc := c.conns[i]
		in := make(chan *yfSharedWork, 4)
		cc.in = in
		go func() {
			for w := range in {
				w.req.n++ // race! _.n
			}
		}()
	}
	for range 4 {
		w := &yfSharedWork{req: c.shared}
		c.conns[n].in <- w
	}
}

// YfAgain sends work until it is told to stop.
type YfAgain struct{ conns []*yfAgainConn }

type yfAgainWork struct {
	req *yfAgainReq
	own yfAgainReq
}

type yfAgainReq struct{ n int }

type yfAgainConn struct{ in chan *yfAgainWork }

// YF3_again sends it to all of them.
func (c *YfAgain) YF3_again(n int, stop chan bool) {
	for i := range c.conns {
		cc := c.conns[i]
		in := make(chan *yfAgainWork, 4)
		cc.in = in
		go func() {
			for w := range in {
				w.req.n++ // race! w.own.n
			}
		}()
	}
	w := &yfAgainWork{}
	w.req = &w.own
	for {
		select {
		case c.conns[n].in <- w:
			n++
		case <-stop:
			return
		}
	}
}
