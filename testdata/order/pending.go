package order

import "sync"

// PE1: who asks waits for the answer by the channel of his own call, which the goroutine that answers
// looks up. What it finds in another round is another call, or the channel would be closed twice.
func PE1_answered() {
	c := &pendings{calls: map[int]*pending{}, net: make(chan int)}
	go c.answer()
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			p := c.ask()
			<-p.done
			println(p.reply) // norace
			println(c.wait())
		})
	}
	wg.Wait()
}

type pending struct {
	reply int
	done  chan struct{}
}

type pendings struct {
	mu    sync.Mutex
	seq   int
	calls map[int]*pending
	net   chan int
}

func (c *pendings) answer() {
	for id := range c.net {
		c.mu.Lock()
		p := c.calls[id]
		delete(c.calls, id)
		c.mu.Unlock()
		p.reply = id // norace
		close(p.done)
	}
}

func (c *pendings) ask() *pending {
	p := &pending{done: make(chan struct{})}
	c.mu.Lock()
	c.seq++
	id := c.seq
	c.calls[id] = p
	c.mu.Unlock()
	c.net <- id
	return p
}

func (c *pendings) wait() int {
	p := c.ask()
	<-p.done
	return p.reply // norace
}

// PE2: it is told before the answer is there.
func PE2_tooEarly() {
	c := &earlies{calls: map[int]*earlyCall{}, net: make(chan int)}
	go func() {
		for id := range c.net {
			c.mu.Lock()
			p := c.calls[id]
			c.mu.Unlock()
			close(p.done)
			p.reply = id // race! reply
		}
	}()
	p := &earlyCall{done: make(chan struct{})}
	c.mu.Lock()
	c.calls[1] = p
	c.mu.Unlock()
	c.net <- 1
	<-p.done
	println(p.reply) // race! reply
}

type earlyCall struct {
	reply int
	done  chan struct{}
}

type earlies struct {
	mu    sync.Mutex
	calls map[int]*earlyCall
	net   chan int
}

// PE3: what was found is used in further rounds, too, once it is told.
func PE3_keptFound() {
	c := &keepers{calls: map[int]*keptCall{}, net: make(chan int)}
	go func() {
		c.mu.Lock()
		p := c.calls[1]
		c.mu.Unlock()
		for id := range c.net {
			p.reply = id // race! reply
			p.once.Do(func() { close(p.done) })
		}
	}()
	p := &keptCall{done: make(chan struct{})}
	c.mu.Lock()
	c.calls[1] = p
	c.mu.Unlock()
	c.net <- 1
	c.net <- 2
	<-p.done
	println(p.reply) // race! reply
}

type keptCall struct {
	reply int
	once  sync.Once
	done  chan struct{}
}

type keepers struct {
	mu    sync.Mutex
	calls map[int]*keptCall
	net   chan int
}

// PE4: a group may be done twice: it says nothing of another round.
func PE4_group() {
	c := &groupeds{calls: map[int]*groupedCall{}, net: make(chan int)}
	go func() {
		for id := range c.net {
			c.mu.Lock()
			p := c.calls[id]
			c.mu.Unlock()
			p.reply = id // race! reply
			p.wg.Done()
		}
	}()
	p := new(groupedCall)
	p.wg.Add(1)
	c.mu.Lock()
	c.calls[1] = p
	c.mu.Unlock()
	c.net <- 1
	c.net <- 3
	p.wg.Wait()
	println(p.reply) // race! reply
}

type groupedCall struct {
	reply int
	wg    sync.WaitGroup
}

type groupeds struct {
	mu    sync.Mutex
	calls map[int]*groupedCall
	net   chan int
}

// PE5: it is told on some ways only, and used in the next round.
func PE5_sometimesTold() {
	c := &unsures{calls: map[int]*unsureCall{}, net: make(chan int)}
	go func() {
		for id := range c.net {
			c.mu.Lock()
			p := c.calls[id%2]
			c.mu.Unlock()
			p.reply = id // race! reply
			if id < 2 {
				close(p.done)
			}
		}
	}()
	p := &unsureCall{done: make(chan struct{})}
	c.mu.Lock()
	c.calls[1] = p
	c.mu.Unlock()
	c.net <- 1
	c.net <- 3
	<-p.done
	println(p.reply) // race! reply
}

type unsureCall struct {
	reply int
	done  chan struct{}
}

type unsures struct {
	mu    sync.Mutex
	calls map[int]*unsureCall
	net   chan int
}
