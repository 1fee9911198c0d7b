package order

import "context"

// A method gives the channel of a promise to who waits for it.

type pledge struct {
	n      int
	kept   chan struct{}
	former *pledge
}

func newPledge() *pledge { return &pledge{kept: make(chan struct{})} }

func (p *pledge) keep(n int) {
	p.n = n // race! _.n
	close(p.kept)
}

func (p *pledge) keepWell(n int) {
	p.n = n // norace
	close(p.kept)
}

func (p *pledge) wait() <-chan struct{} { return p.kept }

func (p *pledge) waitFormer() <-chan struct{} { return p.former.kept }

func (p *pledge) waitOther(q *pledge) <-chan struct{} { return q.kept }

// PV1_waits does so by its method.
func PV1_waits(ctx context.Context) int {
	p := newPledge()
	go p.keepWell(1)
	select {
	case <-ctx.Done():
		return 0
	case <-p.wait():
		return p.n // norace
	}
}

// PV1b_found finds the promise where others have put it.
func PV1b_found(all map[string]*pledge, name string) int {
	p := all[name]
	if p == nil {
		p = newPledge()
		all[name] = p
		go p.keepWell(2)
	}
	<-p.wait()
	return p.n // norace
}

// PV2_gaveUp reads all the same.
func PV2_gaveUp(ctx context.Context) int {
	p := newPledge()
	go p.keep(1)
	select {
	case <-ctx.Done():
	case <-p.wait():
	}
	return p.n // race! _.n
}

// PV3_other waits for another one.
func PV3_other(q *pledge) int {
	p := newPledge()
	go p.keep(1)
	<-p.waitOther(q)
	return p.n // race! _.n
}

// PV4_former waits for what comes before.
func PV4_former() int {
	p := newPledge()
	p.former = newPledge()
	go p.former.keep(0)
	go p.keep(1)
	<-p.waitFormer()
	return p.n // race! _.n
}

// PV5_ofAnother waits for the one that it has itself.
func PV5_ofAnother() int {
	p, q := newPledge(), newPledge()
	go p.keep(1)
	go q.keep(2)
	<-q.wait()
	return p.n // race! _.n
}
