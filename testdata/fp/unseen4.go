package fp

import (
	"context"
	"sync"
)

// Causes of false alarms on modules that had not been seen, a sixth time.

// FP_lockGivenBack: a goroutine takes the lock for its starter, who has it from when the
// goroutine is over. That a lock is handed on is seen the other way round only: from who
// starts a goroutine to the goroutine.
func FP_lockGivenBack() {
	p := &throttled{}
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() { p.add(context.Background(), i > 2) })
	}
	wg.Wait()
}

type throttled struct {
	mu sync.Mutex
	n  int
}

func (p *throttled) add(ctx context.Context, full bool) {
	p.mu.Lock()
	if full {
		p.mu.Unlock()
		done := make(chan struct{})
		go func() {
			defer close(done)
			p.mu.Lock()
			println(p.n) // race p.n; the starter is not known to have the lock
		}()
		select {
		case <-done:
		case <-ctx.Done():
			<-done
			p.mu.Unlock()
			return
		}
	}
	p.n++ // race p.n; the starter is not known to have the lock
	p.mu.Unlock()
}

// FP_ownFunction: what fills the options captures them for a function that they keep, and
// goes on filling them. What is captured lies in a variable, and what is done by way of that
// is not seen to be done before the options are handed on.
func FP_ownFunction() {
	d := &dialers{m: map[string]*dialer{}}
	for range 4 {
		go func() { println(d.find("x").o.wait) }() // race _.wait; they are new, see fill
	}
}

type dialers struct {
	mu sync.Mutex
	m  map[string]*dialer
}

type dialer struct{ o *options }

type options struct {
	addr string
	dial func() string
	wait int
}

func (d *dialers) find(addr string) *dialer {
	d.mu.Lock()
	defer d.mu.Unlock()
	x, ok := d.m[addr]
	if !ok {
		x = newDialer(&options{addr: addr})
		d.m[addr] = x
	}
	return x
}

func newDialer(o *options) *dialer {
	o.fill()
	return &dialer{o}
}

func (o *options) fill() {
	if o.dial == nil {
		o.dial = func() string { return o.addr }
	}
	if o.wait == 0 {
		o.wait = 5 // race _.wait; the options are captured before
	}
}

// The lock is taken where a test says so, and the map is used where the same test does, two
// calls further down. What a method has answered is not known to be what it answers again.
// It is likely only, see the locks package's sometimes.
func FP_lockedWhereNeeded() {
	sockets := &socketTable{used: map[string]int{}}
	var wg sync.WaitGroup
	for _, k := range []string{"unix:a", "unix:b"} {
		wg.Go(func() { sockets.listen(socketAddress(k)) })
	}
	wg.Wait()
}

type socketAddress string

func (a socketAddress) unix() bool { return len(a) > 5 && a[:5] == "unix:" }

type socketTable struct {
	mu   sync.Mutex
	used map[string]int
}

func (t *socketTable) listen(a socketAddress) {
	if a.unix() {
		t.mu.Lock()
		defer t.mu.Unlock()
	}
	t.open(a)
}

func (t *socketTable) open(a socketAddress) {
	if a.unix() {
		t.used[string(a)] = 1 // race _[*]; see FP_lockedWhereNeeded
	}
}
