package scope

import "sync"

type point struct{ x, y int }

func (p *point) move() { p.x++ }

// The range value is a copy per iteration.
func B10_rangeValueCopies() {
	ps := make([]point, n)
	var wg sync.WaitGroup
	for _, p := range ps {
		wg.Go(func() {
			p.x = 1 // norace
			p.move()
		})
	}
	wg.Wait()
}

// Elements of a slice of values share one array, but are distinct.
func B10_addressOfElement() {
	ps := make([]point, n)
	var wg sync.WaitGroup
	for i := range ps {
		p := &ps[i]
		wg.Go(func() {
			p.x = 1 // norace
			p.move()
		})
	}
	wg.Wait()
}

// The address of one variable, declared outside the loop, is kept everywhere.
func B10_addressOfOuterVariable() {
	ps := make([]*point, n)
	var v point
	for i := range ps {
		v.x = i
		ps[i] = &v
	}
	var wg sync.WaitGroup
	for _, p := range ps {
		wg.Go(func() {
			p.x = 1 // race! v.x
		})
	}
	wg.Wait()
}

type config struct {
	name  string
	level int
	tags  map[string]int
	user  *user
}

// The top level of the configuration is copied per iteration.
func S44_valueCopy() {
	cfg := &config{user: &user{}}
	var wg sync.WaitGroup
	for i := range n {
		own := *cfg
		wg.Go(func() {
			own.level = i // norace
		})
	}
	wg.Wait()
}

// Copying the pointer copies nothing.
func S44b_pointerCopy() {
	cfg := &config{}
	var wg sync.WaitGroup
	for i := range n {
		own := cfg
		wg.Go(func() {
			own.level = i // race! cfg.level
		})
	}
	wg.Wait()
}

// A value copy still shares what its fields point to.
func S44c_copySharesMap() {
	cfg := &config{tags: map[string]int{}}
	var wg sync.WaitGroup
	var mu sync.Mutex
	for i := range n {
		own := *cfg
		wg.Go(func() {
			own.name = "x" // norace
			mu.Lock()
			own.level = i // norace
			mu.Unlock()
			own.tags["a"] = i // race! _[*]
		})
	}
	wg.Wait()
}

func (c *config) clone() *config {
	d := *c
	d.user = &user{id: c.user.id}
	return &d
}

// sharedFor is a clone that now and then keeps the user.
func (c *config) sharedFor(i int) *config {
	d := *c
	if i%2 == 0 {
		d.user = &user{id: i} // norace
	}
	return &d
}

// A clone that is not deep in every case.
func S44e_shallowClone() {
	cfg := &config{user: &user{}}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			own := cfg.sharedFor(i)
			own.user.id = i // race! cfg.user.id
		})
	}
	wg.Wait()
}

// The copy's user is written before it is replaced.
func S44f_writtenBeforeReplaced() {
	cfg := &config{user: &user{}}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			own := *cfg
			own.user.id = i // race! cfg.user.id
			own.user = &user{}
		})
	}
	wg.Wait()
}

// A deep clone shares nothing that is written.
func S44d_deepClone() {
	cfg := &config{user: &user{}}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			own := cfg.clone()
			own.level = i   // norace
			own.user.id = i // norace
		})
	}
	wg.Wait()
}
