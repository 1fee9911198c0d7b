package heap

import "sync"

// What holds the address of a part of new memory, and lies in that itself, tells
// nobody of it.
func Y13_condOfItself() {
	fs := &feeds{all: make(map[int]*feed)}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			f := &feed{}
			f.cond = sync.NewCond(&f.mu) // assumed f.cond
			f.id = i                     // assumed f.id
			fs.mu.Lock()
			fs.all[i%3] = f
			g := fs.all[i%2]
			fs.mu.Unlock()
			if g != nil {
				_, _ = g.id, g.cond // norace
			}
		})
	}
	wg.Wait()
}

// feed wakes those who wait for it by a condition of its own lock.
type feed struct {
	mu   sync.Mutex
	cond *sync.Cond
	id   int
	size int
	by   *feedOwner
}

type feeds struct {
	mu  sync.Mutex
	all map[int]*feed
	few []*feedOwner
}

// What holds it is handed on.
func Y13b_holderHandedOn() {
	fs := &feeds{all: make(map[int]*feed)}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			f := &feed{}
			f.by = newFeedOwner(f)
			fs.mu.Lock()
			fs.few = append(fs.few, f.by)
			g := fs.few[0].of
			fs.mu.Unlock()
			f.size = i // race! f.size
			_ = g.size // race! _.size
		})
	}
	wg.Wait()
}

type feedOwner struct{ of *feed }

func newFeedOwner(f *feed) *feedOwner { return &feedOwner{of: f} }

// A method hands on what it finds of itself in the object.
func Y13c_selfHandedOn() {
	out := make(chan *selfish, n)
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			x := &selfish{out: out}
			x.self = x
			x.publish()
			x.n = i // race! x.n
			y := <-out
			y.n++ // race! _.n
		})
	}
	wg.Wait()
}

type selfish struct {
	self *selfish
	out  chan *selfish
	n    int
}

func (x *selfish) publish() { x.out <- x.self }
