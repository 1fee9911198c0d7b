package heap

import "sync"

// What a method of an interface yields is new if all do that may be called there: it is filled before it is published.

type place struct {
	visits int
	notes  []string
}

type placeFinder interface{ find(key int) *place }

type placeMaker struct{}

func (placeMaker) find(int) *place { return &place{} }

// YN1: the cache's own method implements the interface, too, and yields what others have.
func YN1_filledThenKept() {
	c := &placeCache1{next: placeMaker{}}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			p := c.find(i % 2)
			_ = p.visits     // norace
			_ = len(p.notes) // norace
		})
	}
	wg.Wait()
}

type placeCache1 struct {
	next placeFinder
	kept sync.Map
}

func (c *placeCache1) find(key int) *place {
	if v, ok := c.kept.Load(key); ok {
		return v.(*place)
	}
	p := c.next.find(key)
	p.visits++                        // norace
	p.notes = append(p.notes, "kept") // norace
	c.kept.Store(key, p)
	return p
}

// YN2: one of two methods yields what it has kept.
func YN2_oneKeeps() {
	var wg sync.WaitGroup
	old := &placeKeeper2{last: &place{}}
	for i := range n {
		wg.Go(func() {
			var next placeFinder = placeMaker{}
			if i > 0 {
				next = old
			}
			p := next.find(i)
			p.visits++ // race! _.visits
		})
	}
	wg.Wait()
}

type placeKeeper2 struct{ last *place }

func (k *placeKeeper2) find(int) *place { return k.last }

// YN3: it is changed once it is published.
func YN3_changedAfter() {
	c := &placeCache3{next: placeMaker{}}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			p := c.find(i % 2)
			_ = p.visits // race! _.visits
		})
	}
	wg.Wait()
}

type placeCache3 struct {
	next placeFinder
	kept sync.Map
}

func (c *placeCache3) find(key int) *place {
	if v, ok := c.kept.Load(key); ok {
		return v.(*place)
	}
	p := c.next.find(key)
	c.kept.Store(key, p)
	p.visits++ // race! _.visits
	return p
}

// YN4: who makes it has kept it.
func YN4_makerKeeps() {
	c := &placeCache4{next: &placeKeeper4{}}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			p := c.find(i % 2)
			_ = p.visits // race! _.visits
		})
	}
	wg.Wait()
}

type placeKeeper4 struct {
	mu  sync.Mutex
	all map[int]*place
}

func (k *placeKeeper4) find(key int) *place {
	k.mu.Lock()
	defer k.mu.Unlock()
	if p, ok := k.all[key]; ok {
		return p
	}
	if k.all == nil {
		k.all = make(map[int]*place)
	}
	p := &place{}
	k.all[key] = p
	return p
}

type placeCache4 struct {
	next placeFinder
	kept sync.Map
}

func (c *placeCache4) find(key int) *place {
	p := c.next.find(key)
	p.visits++ // race! _.visits
	c.kept.Store(key, p)
	return p
}

// YN5: a function that a field holds makes it, with an error beside.
func YN5_byFunction() {
	c := &placeCache5{load: func(int) (*place, error) { return &place{}, nil }}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			if p, err := c.find(i % 2); err == nil {
				_ = p.visits // norace
			}
		})
	}
	wg.Wait()
}

type placeCache5 struct {
	load func(int) (*place, error)
	kept sync.Map
}

func (c *placeCache5) find(key int) (*place, error) {
	if v, ok := c.kept.Load(key); ok {
		return v.(*place), nil
	}
	p, err := c.load(key)
	if err != nil {
		return nil, err
	}
	p.visits++ // norace
	c.kept.Store(key, p)
	return p, nil
}

// YN6: where nothing is made it is what all have.
func YN6_orTheDefault() {
	var fallback place
	c := &placeCache6{next: placeMaker{}, fallback: &fallback}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			p := c.find(i % 2)
			_ = p.visits // race! _.visits
		})
	}
	wg.Wait()
}

type placeCache6 struct {
	next     placeFinder
	fallback *place
}

func (c *placeCache6) find(key int) *place {
	p := c.fallback
	if key > 1 {
		p = c.next.find(key)
	}
	p.visits++ // race! _.visits
	return p
}
