package call

import "sync"

// What one entry point is given, or makes, is there for another only where it has
// been left in a package variable. The methods of Link mix up the links of all who
// call them: each stores what it has where another one finds it.

// Link is a link of a chain, which has a part that leads back to it.
type Link struct {
	part part
	next *part
	hits int
}

type part struct{ of *Link }

// step gives the link behind a part a new part.
func (p *part) step() {
	l := p.of
	l.part = part{of: p.of}
	l.next = &p.of.part
}

func (p *part) hit() {
	p.of.next.of.hits++ // norace
}

func walk(s stepper) {
	s.step()
	s.hit()
}

type stepper interface {
	step()
	hit()
}

// The link is another entry point's parameter.
func TH1_given(l *Link) {
	var wg sync.WaitGroup
	wg.Go(func() { l.hits++ }) // norace
	wg.Wait()
	walk(&l.part)
}

// Each iteration has a link that it was given.
func TH2_oneEach(ls []*Link) {
	for _, l := range ls {
		walk(&l.part)
	}
	var wg sync.WaitGroup
	for _, l := range ls {
		wg.Go(l.part.hit)
	}
	wg.Wait()
}

var left struct {
	link, made *Link
	by         *part
}

// What is left is there for all.
func TH3_leave(l *Link) {
	left.link = l
	left.made = new(Link)
	p := new(part)
	left.by = p
	var wg sync.WaitGroup
	wg.Go(func() { p.of = &Link{} }) // norace
	wg.Wait()
}

// Nothing else than another entry point has put there what the iterations find.
func TH4_left(k int) {
	var wg sync.WaitGroup
	for range k {
		wg.Go(func() {
			left.link.hits++  // race! l.hits
			left.made.hits++  // race! left.made.hits
			left.by.of.hits++ // race! p.of.hits
		})
	}
	wg.Wait()
}
