package fp

import (
	"fmt"
	"os"
	"sync"
	"sync/atomic"
)

// Shrunk from a key-value store, a QUIC library, a Raft library, a task runner and an object
// store's client.

func FP_poppedOnOneBranch() {
	s := &packetQueue{queue: []*packet{{make([]byte, 10)}, {make([]byte, 20)}}}
	for range n {
		go func() {
			for f := s.pop(4); f != nil; f = s.pop(4) {
				println(len(f.data)) // race _.data; as above
			}
		}()
	}
}

type packet struct{ data []byte }

type packetQueue struct {
	mu    sync.Mutex
	queue []*packet
}

// pop takes a packet away, or a part of a larger one of which it leaves the rest.
func (s *packetQueue) pop(limit int) *packet {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.queue) == 0 {
		return nil
	}
	f := s.queue[0]
	if len(f.data) > limit {
		part := &packet{f.data[:limit]}
		f.data = f.data[limit:] // race _.data; on the other branch it stays in the queue
		return part
	}
	s.queue = s.queue[1:]
	return f
}

type packedArena struct {
	mu   sync.Mutex
	bufs [][]byte
	idx  atomic.Uint64
}

// alloc claims a place by a counter that has the number of the buffer in its upper half.
func (a *packedArena) alloc(size int) []byte {
	pos := a.idx.Add(uint64(size))
	i, end := int(pos>>32), int(pos&0xffffffff)
	return a.bufs[i][end-size : end]
}

func FP_packedCounter() {
	a := &packedArena{bufs: [][]byte{make([]byte, 1<<10)}}
	for range n {
		go func() { a.alloc(4)[0] = 1 }() // race _[*]; parts of a counter are not followed
	}
}

type tracedLink struct {
	mu    sync.Mutex
	state int
}

var tracing = os.Getenv("TRACE") != ""

func trace(format string, args ...any) {
	if tracing {
		fmt.Printf(format, args...) // race _.state; see FP_addressTraced
	}
}

// The address of an object is printed by a function of ours, which has the format as a
// parameter. Of a format that stands in the call it is known that it asks for no more.
func FP_addressTraced() {
	l := &tracedLink{}
	done := make(chan bool)
	go func() {
		l.mu.Lock()
		l.state = 1 // race _.state; the format is a parameter of the function that prints
		l.mu.Unlock()
		done <- true
	}()
	trace("(%p) waits", l)
	<-done
}

// A goroutine that the last round starts is not there in any other round. That the list is as long as when
// the loop began would have to be known of the field.
func FP_lastRound() {
	l := &launcher{cmds: []string{"prepare", "serve"}, done: make(chan string, 1)}
	for i, cmd := range l.cmds {
		if i < len(l.cmds)-1 {
			l.cmd = cmd // race l.cmd; that no round follows is not seen
			continue
		}
		l.start(cmd)
	}
	<-l.done
}

type launcher struct {
	cmds []string
	cmd  string
	done chan string
}

func (l *launcher) start(cmd string) {
	l.cmd = cmd                     // race l.cmd; as above
	go func() { l.done <- l.cmd }() // race l.cmd; as above
}

// What a goroutine puts back into the list that it was taken from is in one place at a time.
func FP_putBack() {
	collectAll([]*chore{{}, {}})
}

type chore struct {
	n   int
	err error
}

func collectAll(all []*chore) {
	done := make(chan *chore)
	for _, c := range all {
		go func() {
			c.n++ // race c.n; they are put into the list again
			done <- c
		}()
	}
	n := len(all)
	all = all[:0]
	for range n {
		all = append(all, <-done)
	}
}

// A flag that is the value itself: found set under the lock, it is there.
func FP_polledUnderLock() {
	var mu sync.Mutex
	address := ""
	go func() {
		mu.Lock()
		address = "127.0.0.1:80" // race address; what a test under the lock finds is not kept
		mu.Unlock()
	}()
	for set := false; !set; {
		mu.Lock()
		set = address != ""
		mu.Unlock()
	}
	println(address) // race address; as above
}

// Each round has a goroutine of its own that runs what a function sends it, which is looked at once for
// all rounds: it is no method of what the round has made.
func FP_sentByFunction() {
	for range 4 {
		r := &runner6{ops: make(chan func())}
		go func() {
			for f := range r.ops {
				f()
			}
		}()
		send6(r, func() { r.n++ }) // race r.n; whose literal is run is not known
	}
}

type runner6 struct {
	ops chan func()
	n   int
}

func send6(r *runner6, f func()) {
	done := make(chan struct{})
	r.ops <- func() {
		f()
		close(done)
	}
	<-done
}

// As above, and the function that sends is a method, called by another one that a literal has captured
// the receiver of: such calls are not told apart.
func FP_sentByMethod() {
	for k := range 3 {
		p := &player6{ops: make(chan func())}
		go p.run()
		p.add(k)
	}
}

type player6 struct {
	ops  chan func()
	list []int
}

func (p *player6) run() {
	for f := range p.ops {
		f()
	}
}

func (p *player6) do(f func()) {
	done := make(chan struct{})
	p.ops <- func() {
		f()
		close(done)
	}
	<-done
}

func (p *player6) add(x int) {
	p.do(func() {
		p.list = append(p.list, x) // race p.list p.list[*]; whose literal is run is not known
	})
}

// Who wraps what an element of a list keeps, and puts the wrapper back, still has what is that element's alone.
func FP_wrappedInPlace() {
	d := &deck{}
	for range 4 {
		d.add(newTape())
	}
	d.play()
}

type player interface{ next() int }

type pulses struct{ n int }

func (p *pulses) next() int {
	p.n++      // race raw.n; what is stored back into one element is not told from what is in others
	return p.n // race raw.n; as above
}

type slowly struct {
	of   player
	last int
}

func (s *slowly) next() int {
	s.last++ // race s.last; as above
	return s.of.next()
}

type tape struct {
	mu    sync.Mutex
	raw   *pulses
	sound player
}

func newTape() *tape { return &tape{raw: &pulses{}} }

func (t *tape) player() player {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.sound != nil {
		return t.sound
	}
	return t.raw
}

func (t *tape) set(p player) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.sound = p
}

type deck struct{ tapes []*tape }

func (d *deck) add(t *tape) { d.tapes = append(d.tapes, t) }

func (d *deck) play() {
	var wg sync.WaitGroup
	for _, t := range d.tapes {
		s := &slowly{of: t.player()}
		t.set(s)
		wg.Add(1)
		go func() {
			defer wg.Done()
			s.next()
		}()
	}
	wg.Wait()
}
