package heap

import "sync"

// An unfinished order has items that are made per order, deep down.
type order struct {
	id    int
	total int
	lines []*line
	head  *line
}

type line struct {
	price int
	next  *line
}

// open gives the order its first line.
func (o *order) open() { o.head = &line{} }

func newOrders() []*order {
	os := make([]*order, n)
	for i := range os {
		os[i] = &order{id: i}
	}
	return os
}

// Each iteration makes a child of its own element in a method, and writes it.
func X1_childMadeInMethod() {
	orders := newOrders()
	var wg sync.WaitGroup
	for _, o := range orders {
		wg.Go(func() {
			o.open()
			o.head.price = 1 // norace
		})
	}
	wg.Wait()
}

// One parallel loop makes the children, the next writes them.
func X2_childMadeByEarlierParallelLoop() {
	orders := newOrders()
	var wg sync.WaitGroup
	for _, o := range orders {
		wg.Go(func() { o.open() })
	}
	wg.Wait()
	for _, o := range orders {
		wg.Go(func() {
			o.head.price = 1 // norace
		})
	}
	wg.Wait()
}

// A sequential loop calls an initialising method on each element.
func X3_childMadeBySequentialMethod() {
	orders := newOrders()
	for _, o := range orders {
		o.open()
	}
	var wg sync.WaitGroup
	for _, o := range orders {
		wg.Go(func() {
			o.head.price = 1 // norace
		})
	}
	wg.Wait()
}

// What an iteration made goes to the spawner, which puts it where the other
// iterations find it, while its maker still writes.
func X4_handedOnBySpawner() {
	made := make(chan *order, 1)
	var board struct{ latest *order }
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			o := &order{}
			made <- o
			o.total = 1                      // race! _.total
			if l := board.latest; l != nil { // race! board.latest
				l.total = 2 // race! _.total
			}
		})
	}
	for range n {
		board.latest = <-made // race! board.latest
	}
	wg.Wait()
}

// As X4, where the finders only read.
func X4b_handedOnToReaders() {
	made := make(chan *order, 1)
	var board struct{ latest *order }
	sums := make([]int, n)
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			o := &order{}
			made <- o
			o.total = 1                      // race! _.total
			if l := board.latest; l != nil { // race! board.latest
				sums[i] = l.total // race! _.total
			}
		})
	}
	for range n {
		board.latest = <-made // race! board.latest
	}
	wg.Wait()
}

// shareLine gives all orders one line.
func shareLine(os []*order) {
	l := &line{}
	for _, o := range os {
		o.head = l
	}
}

// One line, fresh in a helper that runs in every round, is stored in all
// elements.
func X12_oneFreshStoredInAll() {
	for range 3 {
		orders := newOrders()
		shareLine(orders)
		var wg sync.WaitGroup
		for _, o := range orders {
			wg.Go(func() {
				o.head.price = 1 // race! _.price
			})
		}
		wg.Wait()
	}
}

// The parallel loop runs again and again over one slice: an iteration finds
// what the same index left in the round before.
func X13_earlierRound() {
	orders := make([]*order, n)
	for range 3 {
		var wg sync.WaitGroup
		for i := range orders {
			wg.Go(func() {
				if orders[i] != nil {
					orders[i].total = 1 // norace
				}
				orders[i] = &order{} // norace
				orders[i].open()
				orders[i].head.price = 2 // norace
			})
		}
		wg.Wait()
	}
}

// attach is called by both loops of X14.
func attach(o *order, l *line) { o.head = l }

// Two loops share a linking helper: the first attaches one shared line, the
// second a fresh one per element.
func X14_helperOfTwoLoops() {
	first, second := newOrders(), newOrders()
	shared := &line{}
	var wg sync.WaitGroup
	for _, o := range first {
		wg.Go(func() {
			attach(o, shared)
			o.head.price = 1 // race! shared.price
		})
	}
	wg.Wait()
	for _, o := range second {
		wg.Go(func() {
			attach(o, &line{})
			o.head.price = 1 // norace
		})
	}
	wg.Wait()
}

// grow makes the line after l if there is none, and returns it.
func (l *line) grow() *line {
	if l.next == nil {
		l.next = &line{}
	}
	return l.next
}

// A list grows below each element, in a function that runs twice.
func X16_listBelowElement() {
	for range 2 {
		growLists()
	}
}

func growLists() {
	heads := make([]*line, n)
	for i := range heads {
		heads[i] = &line{}
	}
	var wg sync.WaitGroup
	for _, h := range heads {
		wg.Go(func() {
			l := h
			for range 3 {
				l = l.grow()
			}
			l.price = 1      // norace
			h.next.price = 2 // norace
		})
	}
	wg.Wait()
	for _, h := range heads {
		wg.Go(func() {
			for l := h; l != nil; l = l.next {
				l.price++ // norace
			}
		})
	}
	wg.Wait()
}

// A fresh line is stored in two neighbouring elements.
func X29_freshStoredInNeighbours() {
	orders := newOrders()
	for i := 0; i+1 < len(orders); i += 2 {
		l := &line{}
		orders[i].head = l
		orders[i+1].head = l
	}
	var wg sync.WaitGroup
	for _, o := range orders {
		wg.Go(func() {
			o.head.price = 1 // race! _.price
		})
	}
	wg.Wait()
}

// share gives both orders one fresh line.
func share(a, b *order) {
	l := &line{}
	a.head = l
	b.head = l
}

// As X29, with the two stores in a helper.
func X30_freshStoredTwiceInHelper() {
	orders := newOrders()
	for i := 0; i+1 < len(orders); i += 2 {
		share(orders[i], orders[i+1])
	}
	var wg sync.WaitGroup
	for _, o := range orders {
		wg.Go(func() {
			o.head.price = 1 // race! _.price
		})
	}
	wg.Wait()
}
