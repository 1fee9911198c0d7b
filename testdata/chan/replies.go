package channel

import "sync"

// A goroutine has a table, and is asked for it by requests that have a channel of their
// own for the reply. Who asks gets the very table, which its owner goes on with.
func RE1_theTableItself() {
	in := make(chan tableRequest)
	go func() {
		m := map[string]int{}
		for r := range in {
			m["asked"]++ // race! _[*]
			r.reply <- m
		}
	}()
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			r := tableRequest{make(chan map[string]int)}
			in <- r
			println((<-r.reply)["asked"]) // race! _[*]
		})
	}
	wg.Wait()
}

type tableRequest struct{ reply chan map[string]int }

// It gets a copy.
func RE1_aCopy() {
	in := make(chan tableRequest)
	go func() {
		m := map[string]int{}
		for r := range in {
			m["asked"]++ // norace
			c := make(map[string]int)
			for k, v := range m {
				c[k] = v // norace
			}
			r.reply <- c
		}
	}()
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			r := tableRequest{make(chan map[string]int)}
			in <- r
			c := <-r.reply
			c["asked"]++ // norace
		})
	}
	wg.Wait()
}

// What two who ask get is one object.
func RE2_oneForBoth() {
	in := make(chan replyRequest)
	go func() {
		one := &replied{}
		for r := range in {
			r.reply <- one
		}
	}()
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() { askForReply(in).n++ }) // race! _.n
	}
	wg.Wait()
}

// Each has one of its own, which the goroutine makes, or has filled up and replaces.
func RE2_oneForEach() {
	in := make(chan replyRequest)
	go func() {
		asked := 0
		for r := range in {
			asked++
			one := &replied{n: asked}
			one.n++
			r.reply <- one
		}
	}()
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() { askForReply(in).n++ }) // norace
	}
	wg.Wait()
}

func RE2_takenAndReplaced() {
	in := make(chan replyRequest)
	go func() {
		cur := &replied{}
		for r := range in {
			cur.n++ // norace
			if r.reply != nil {
				r.reply <- cur
				cur = &replied{}
			}
		}
	}()
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			in <- replyRequest{}
			askForReply(in).n++ // norace
		})
	}
	wg.Wait()
}

// The object has a lock.
func RE2_locked() {
	in := make(chan replyRequest)
	go func() {
		one := &replied{}
		for r := range in {
			one.mu.Lock()
			one.n++ // norace
			one.mu.Unlock()
			r.reply <- one
		}
	}()
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			one := askForReply(in)
			one.mu.Lock()
			one.n++ // norace
			one.mu.Unlock()
		})
	}
	wg.Wait()
}

type replyRequest struct{ reply chan *replied }

type replied struct {
	mu sync.Mutex
	n  int
}

func askForReply(in chan replyRequest) *replied {
	r := replyRequest{make(chan *replied, 1)}
	in <- r
	return <-r.reply
}
