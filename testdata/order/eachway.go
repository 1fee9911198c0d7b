package order

import "sync"

// The maker closes what it has made if something fails, and has no lock for that; later it is
// closed under the lock.
func EW1_madeThenLocked(fail bool) {
	p, err := newEachPoller(fail)
	if err != nil {
		return
	}
	defer p.Close()
	go p.Close()
}

type eachRing struct{ mem []byte }

func (r *eachRing) close() { r.mem = nil } // norace

type eachPoller struct {
	mu    sync.Mutex
	rings []*eachRing
}

type eachError struct{}

func (eachError) Error() string { return "" }

func newEachPoller(fail bool) (p *eachPoller, err error) {
	var rings []*eachRing
	defer func() {
		if err != nil {
			for _, r := range rings {
				r.close()
			}
		}
	}()
	for range 3 {
		rings = append(rings, &eachRing{make([]byte, 8)})
		if fail {
			return nil, eachError{}
		}
	}
	return &eachPoller{rings: rings}, nil
}

func (p *eachPoller) Close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, r := range p.rings {
		r.close()
	}
	p.rings = nil
}

// Once more it is closed without the lock, when the goroutine runs.
func EW1b_withoutLockLater() {
	p := &eachPoller2{ring: new(eachRing2)}
	p.ring.close()
	go p.Close()
	p.ring.close()
	p.Close()
}

type eachRing2 struct{ mem []byte }

func (r *eachRing2) close() { r.mem = nil } // race! ring.mem

type eachPoller2 struct {
	mu   sync.Mutex
	ring *eachRing2
}

func (p *eachPoller2) Close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.ring.close()
}

// The goroutine has another lock.
func EW1c_otherLock() {
	p := &eachPoller3{ring: new(eachRing3)}
	p.ring.close()
	go p.shut()
	p.Close()
}

type eachRing3 struct{ mem []byte }

func (r *eachRing3) close() { r.mem = nil } // race! ring.mem

type eachPoller3 struct {
	mu, other sync.Mutex
	ring      *eachRing3
}

func (p *eachPoller3) Close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.ring.close()
}

func (p *eachPoller3) shut() {
	p.other.Lock()
	defer p.other.Unlock()
	p.ring.close()
}

// Without the lock it is closed in a loop that starts goroutines, in the next round too.
func EW1d_nextRound() {
	p := &eachPoller4{ring: new(eachRing4)}
	for range 2 {
		p.ring.close()
		go p.Close()
	}
	p.Close()
}

type eachRing4 struct{ mem []byte }

func (r *eachRing4) close() { r.mem = nil } // race! ring.mem

type eachPoller4 struct {
	mu   sync.Mutex
	ring *eachRing4
}

func (p *eachPoller4) Close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.ring.close()
}

// A goroutine that was started before closes it without the lock.
func EW1e_earlierGoroutine() {
	p := &eachPoller5{ring: new(eachRing5)}
	go p.ring.close()
	go p.Close()
	p.Close()
}

type eachRing5 struct{ mem []byte }

func (r *eachRing5) close() { r.mem = nil } // race! ring.mem

type eachPoller5 struct {
	mu   sync.Mutex
	ring *eachRing5
}

func (p *eachPoller5) Close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.ring.close()
}

// What is called under the lock, and before the spawn, is a function in between.
func EW2_throughHelper() {
	p := &eachPoller6{ring: new(eachRing6)}
	p.closeAll()
	go p.Close()
	p.Close()
}

type eachRing6 struct{ mem []byte }

func (r *eachRing6) close() { r.mem = nil } // norace

type eachPoller6 struct {
	mu   sync.Mutex
	ring *eachRing6
}

func (p *eachPoller6) closeAll() { p.ring.close() }

func (p *eachPoller6) Close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closeAll()
}

// The way through the helper comes again when the goroutine runs.
func EW2b_throughHelperLater() {
	p := &eachPoller7{ring: new(eachRing7)}
	p.closeAll()
	go p.Close()
	p.Close()
	p.closeAll()
}

type eachRing7 struct{ mem []byte }

func (r *eachRing7) close() { r.mem = nil } // race! ring.mem

type eachPoller7 struct {
	mu   sync.Mutex
	ring *eachRing7
}

func (p *eachPoller7) closeAll() { p.ring.close() }

func (p *eachPoller7) Close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closeAll()
}
