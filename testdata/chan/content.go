package channel

import "sync"

// What an object leads to is given away with it, and what a field still holds that was sent
// out of it.

type hamper struct {
	tags  map[string]string
	inner *hamper
	n     int
}

// CT1_tagsOfSent sets a tag of what it has sent.
func CT1_tagsOfSent() {
	ch := make(chan *hamper, 4)
	var wg sync.WaitGroup
	for range 2 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for p := range ch {
				println(p.tags["name"]) // race! tags[*]
			}
		}()
	}
	for range 10 {
		p := &hamper{tags: map[string]string{}}
		p.tags["name"] = "p"
		ch <- p
		p.tags["sent"] = "yes" // race! tags[*]
	}
	close(ch)
	wg.Wait()
}

// CT1b_tagsBefore is done with the tags when it sends.
func CT1b_tagsBefore() {
	ch := make(chan *hamper, 4)
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		for p := range ch {
			println(p.tags["name"])
		}
	}()
	for range 10 {
		p := &hamper{tags: map[string]string{}}
		p.tags["name"] = "p"
		ch <- p
	}
	close(ch)
	wg.Wait()
}

// CT1c_answered waits for the answer.
func CT1c_answered() {
	ch, done := make(chan *hamper), make(chan bool)
	go func() {
		for p := range ch {
			println(p.tags["name"])
			done <- true
		}
	}()
	for range 10 {
		p := &hamper{tags: map[string]string{}}
		ch <- p
		<-done
		p.tags["sent"] = "yes"
	}
	close(ch)
}

// CT2_innerOfSent goes further in, and takes it by a helper.
func CT2_innerOfSent() {
	ch := make(chan *hamper)
	go func() {
		for p := range ch {
			openHamper(p)
		}
	}()
	for range 10 {
		p := &hamper{inner: &hamper{}}
		ch <- p
		p.inner.n = 1 // race! _.n
	}
	close(ch)
}

func openHamper(p *hamper) { println(p.inner.n) } // race! _.n

// CT2b_otherField: what the goroutine looks at is by another field.
func CT2b_otherField() {
	ch := make(chan *twins)
	go func() {
		for t := range ch {
			println(t.left.n)
		}
	}()
	for range 10 {
		var two [2]*hamper
		for i := range two {
			two[i] = &hamper{}
		}
		t := &twins{two[0], two[1]}
		ch <- t
		t.right.n = 1
	}
	close(ch)
}

type twins struct{ left, right *hamper }

type gatherer struct {
	items []*hamper
	out   chan []*hamper
}

func (g *gatherer) add(p *hamper) {
	g.items = append(g.items, p) // race! _[*]
	if len(g.items) >= 10 {
		g.flush()
	}
}

func (g *gatherer) flush() {
	g.out <- g.items
	g.items = g.items[:0]
}

// CT3_sentOfField fills the array again that it has sent.
func CT3_sentOfField() {
	g := &gatherer{out: make(chan []*hamper)}
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		for items := range g.out {
			for _, p := range items { // race! _[*]
				println(p.n)
			}
		}
	}()
	for i := range 100 {
		g.add(&hamper{n: i})
	}
	close(g.out)
	wg.Wait()
}

type releaser struct {
	items []*hamper
	out   chan []*hamper
}

func (g *releaser) add(p *hamper) {
	g.items = append(g.items, p)
	if len(g.items) >= 10 {
		g.flush()
	}
}

func (g *releaser) flush() {
	g.out <- g.items
	g.items = nil
}

// CT3b_anotherInField starts from nothing.
func CT3b_anotherInField() {
	g := &releaser{out: make(chan []*hamper)}
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		for items := range g.out {
			for _, p := range items {
				println(p.n)
			}
		}
	}()
	for i := range 100 {
		g.add(&hamper{n: i})
	}
	close(g.out)
	wg.Wait()
}

type copier struct {
	items []*hamper
	out   chan []*hamper
}

func (g *copier) add(p *hamper) {
	g.items = append(g.items, p)
	if len(g.items) >= 10 {
		g.flush()
	}
}

func (g *copier) flush() {
	g.out <- append([]*hamper(nil), g.items...)
	g.items = g.items[:0]
}

// CT3c_copyOfField sends a copy.
func CT3c_copyOfField() {
	g := &copier{out: make(chan []*hamper)}
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		for items := range g.out {
			for _, p := range items {
				println(p.n)
			}
		}
	}()
	for i := range 100 {
		g.add(&hamper{n: i})
	}
	close(g.out)
	wg.Wait()
}

type waitingGatherer struct {
	items []*hamper
	out   chan []*hamper
	done  chan bool
}

func (g *waitingGatherer) add(p *hamper) {
	g.items = append(g.items, p)
	if len(g.items) >= 10 {
		g.flush()
	}
}

func (g *waitingGatherer) flush() {
	g.out <- g.items
	<-g.done
	g.items = g.items[:0]
}

// CT3d_answeredField waits until what it has sent is done with.
func CT3d_answeredField() {
	g := &waitingGatherer{out: make(chan []*hamper), done: make(chan bool)}
	go func() {
		for items := range g.out {
			for _, p := range items {
				println(p.n)
			}
			g.done <- true
		}
	}()
	for i := range 100 {
		g.add(&hamper{n: i})
	}
	close(g.out)
}

type either struct {
	items []*hamper
	out   chan []*hamper
}

func (g *either) add(p *hamper) {
	g.items = append(g.items, p)
	if len(g.items) >= 10 {
		g.flush(p.n%20 == 9)
	}
}

func (g *either) flush(last bool) {
	if last {
		g.out <- g.items
		g.items = nil
	} else {
		g.out <- append([]*hamper(nil), g.items...)
		g.items = g.items[:0]
	}
}

// CT3e_copiedOrAnother keeps the array where it sends a copy.
func CT3e_copiedOrAnother() {
	g := &either{out: make(chan []*hamper)}
	go func() {
		for items := range g.out {
			for _, p := range items {
				println(p.n)
			}
		}
	}()
	for i := range 100 {
		g.add(&hamper{n: i})
	}
	close(g.out)
}
