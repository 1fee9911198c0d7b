package lock

import (
	"sync"
	"time"
)

// The lock is made by the first who needs it, before the goroutine is started.
func LM1_lockMadeBefore() {
	m := new(lazyMeter)
	m.add(1)
	go func() {
		for {
			m.add(1)
			time.Sleep(1)
		}
	}()
	m.add(2)
	m.reset()
}

type lazyMeter struct {
	mu    *sync.Mutex
	total int
}

func (m *lazyMeter) add(k int) {
	if m.mu == nil {
		m.mu = new(sync.Mutex)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.total += k // norace
}

// lock makes the lock, and takes it: its caller has no name for the load.
func (m *lazyMeter) lock() {
	if m.mu == nil {
		m.mu = new(sync.Mutex)
	}
	m.mu.Lock()
}

func (m *lazyMeter) unlock() { m.mu.Unlock() }

func (m *lazyMeter) reset() {
	m.lock()
	m.total = 0 // norace
	m.unlock()
}

// The goroutine sets another lock, too.
func LM1b_lockSetAnew() {
	m := &lazyMeter2{mu: new(sync.Mutex)}
	go func() {
		m.reset()
		m.mu = new(sync.Mutex) // race! m.mu
	}()
	m.reset()
}

type lazyMeter2 struct {
	mu    *sync.Mutex
	total int
}

func (m *lazyMeter2) reset() {
	if m.mu == nil { // race! m.mu
		m.mu = new(sync.Mutex)
	}
	m.mu.Lock()   // race! m.mu
	m.total = 0   // race! m.total
	m.mu.Unlock() // race! m.mu
}

// It is the other's lock that is asked for.
func LM1c_otherAsked() {
	m, o := &lazyMeter3{mu: new(sync.Mutex)}, new(lazyMeter3)
	go m.reset(o)
	m.reset(o)
}

type lazyMeter3 struct {
	mu    *sync.Mutex
	total int
}

func (m *lazyMeter3) reset(o *lazyMeter3) {
	if o.mu == nil {
		m.mu = new(sync.Mutex) // race! m.mu
	}
	m.mu.Lock()   // race! m.mu
	m.total = 0   // race! m.total
	m.mu.Unlock() // race! m.mu
}

// Nobody has made the lock before, and two make it at once: that is the race.
func LM1d_madeAtOnce() {
	m := new(lazyMeter4)
	go m.reset()
	m.reset()
}

type lazyMeter4 struct {
	mu    *sync.Mutex
	total int
}

func (m *lazyMeter4) reset() {
	if m.mu == nil { // race! m.mu
		m.mu = new(sync.Mutex) // race! m.mu
	}
	m.mu.Lock()   // race! m.mu
	m.total = 0   // norace
	m.mu.Unlock() // race! m.mu
}

// One of several locks is made: by what the helper names it, each may be another one.
func LM1e_oneOfSeveral() {
	m := &lazyMeters{mu: make([]*sync.Mutex, n)}
	for i := range n {
		go m.add(i)
	}
}

type lazyMeters struct {
	mu    []*sync.Mutex
	total int
}

func (m *lazyMeters) lock(i int) {
	if m.mu[i] == nil {
		m.mu[i] = new(sync.Mutex)
	}
	m.mu[i].Lock()
}

func (m *lazyMeters) add(i int) {
	m.lock(i)
	m.total++ // race! m.total
	m.mu[i].Unlock()
}
