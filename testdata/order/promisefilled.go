package order

import (
	"errors"
	"sync"
)

// What a promise has is filled as it lies there, and then told.

type filledText struct{ n int }

type textPromise struct {
	done chan struct{}
	text *filledText
	next *filledText
	prev *textPromise
	err  error
}

type texts struct {
	mu    sync.Mutex
	loads map[int]*textPromise
	fetch func(int) (*filledText, error)
	last  *filledText
}

// claim returns the promise of a key, and whether it is the caller's to keep.
func (l *texts) claim(key int) (*textPromise, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if c, ok := l.loads[key]; ok {
		return c, false
	}
	c := &textPromise{done: make(chan struct{})}
	l.loads[key] = c
	return c, true
}

func count(t *filledText) { t.n++ }

// check may set what the promise has.
func check(c *textPromise) {
	if c.text == nil {
		c.text = &filledText{}
	}
}

// Who loads a text fills it through what others wait for, and find it by.
func PF1_filledThroughPromise() {
	l := &texts{loads: make(map[int]*textPromise)}
	var wg sync.WaitGroup
	for i := range 10 {
		wg.Go(func() {
			print(l.pf1(i % 3).n) // norace
		})
	}
	wg.Wait()
}

func (l *texts) pf1(key int) *filledText {
	l.mu.Lock()
	if c, ok := l.loads[key]; ok {
		l.mu.Unlock()
		<-c.done
		return c.text
	}
	c := &textPromise{done: make(chan struct{})}
	l.loads[key] = c
	l.mu.Unlock()
	c.text = &filledText{}
	c.text.n++ // norace
	close(c.done)
	return c.text
}

// Filled when that was told.
func PF1b_filledLater() {
	l := &texts{loads: make(map[int]*textPromise)}
	var wg sync.WaitGroup
	for i := range 10 {
		wg.Go(func() {
			print(l.pf1b(i % 3).n) // race! _.n
		})
	}
	wg.Wait()
}

func (l *texts) pf1b(key int) *filledText {
	l.mu.Lock()
	if c, ok := l.loads[key]; ok {
		l.mu.Unlock()
		<-c.done
		return c.text
	}
	c := &textPromise{done: make(chan struct{})}
	l.loads[key] = c
	l.mu.Unlock()
	c.text = &filledText{}
	close(c.done)
	c.text.n++ // race! _.n
	return c.text
}

// Loaded before it is waited for: what is found there is filled all the same, which is not looked at.
func PF1c_foundEarly() {
	l := &texts{loads: make(map[int]*textPromise)}
	var wg sync.WaitGroup
	for i := range 10 {
		wg.Go(func() {
			print(l.pf1c(i % 3).n) // race _.n; so here
		})
	}
	wg.Wait()
}

func (l *texts) pf1c(key int) *filledText {
	l.mu.Lock()
	if c, ok := l.loads[key]; ok {
		l.mu.Unlock()
		t := c.text
		<-c.done
		return t
	}
	c := &textPromise{done: make(chan struct{}), text: &filledText{}}
	l.loads[key] = c
	l.mu.Unlock()
	c.text.n++ // race _.n; the pointer is there before, and used after the receive
	close(c.done)
	return c.text
}

// Looked at before it is waited for.
func PF1d_lookedAtEarly() {
	l := &texts{loads: make(map[int]*textPromise)}
	var wg sync.WaitGroup
	for i := range 10 {
		wg.Go(func() {
			print(l.pf1d(i % 3).n) // race! _.n
		})
	}
	wg.Wait()
}

func (l *texts) pf1d(key int) *filledText {
	l.mu.Lock()
	if c, ok := l.loads[key]; ok {
		l.mu.Unlock()
		if t := c.text; t.n == 0 { // race! _.n
			return t
		}
		<-c.done
		return c.text
	}
	c := &textPromise{done: make(chan struct{}), text: &filledText{}}
	l.loads[key] = c
	l.mu.Unlock()
	c.text.n++ // race! _.n
	close(c.done)
	return c.text
}

// Made by a function that is given, and filled by one that is called.
func PF2_fetched() {
	l := &texts{loads: make(map[int]*textPromise), fetch: func(key int) (*filledText, error) {
		if key < 0 {
			return nil, errors.New("no such text")
		}
		return &filledText{}, nil
	}}
	var wg sync.WaitGroup
	for i := range 10 {
		wg.Go(func() {
			if t, err := l.pf2(i % 3); err == nil {
				print(t.n) // norace
			}
		})
	}
	wg.Wait()
}

func (l *texts) pf2(key int) (*filledText, error) {
	c, mine := l.claim(key)
	if !mine {
		<-c.done
		return c.text, c.err
	}
	c.text, c.err = l.fetch(key)
	if c.err == nil {
		count(c.text) // norace
	}
	close(c.done)
	return c.text, c.err
}

// The function yields the text of another key.
func PF2b_fetchedShared() {
	shared := &filledText{}
	l := &texts{loads: make(map[int]*textPromise), fetch: func(key int) (*filledText, error) { return shared, nil }}
	var wg sync.WaitGroup
	for i := range 10 {
		wg.Go(func() {
			if t, err := l.pf2b(i % 3); err == nil {
				print(t.n) // race! _.n
			}
		})
	}
	wg.Wait()
}

func (l *texts) pf2b(key int) (*filledText, error) {
	c, mine := l.claim(key)
	if !mine {
		<-c.done
		return c.text, c.err
	}
	c.text, c.err = l.fetch(key)
	if c.err == nil {
		c.text.n++ // race! _.n
	}
	close(c.done)
	return c.text, c.err
}

// One text is put into several promises.
func PF2c_inSeveral() {
	l := &texts{loads: make(map[int]*textPromise), fetch: func(key int) (*filledText, error) { return &filledText{}, nil }}
	var wg sync.WaitGroup
	for i := range 10 {
		wg.Go(func() {
			print(l.pf2c(i % 3).n) // race! _.n
		})
	}
	wg.Wait()
}

func (l *texts) pf2c(key int) *filledText {
	c, mine := l.claim(key)
	if !mine {
		<-c.done
		return c.text
	}
	t, _ := l.fetch(key)
	l.mu.Lock()
	if l.last == nil {
		l.last = t
	}
	c.text = l.last
	l.mu.Unlock()
	c.text.n++ // race! _.n
	close(c.done)
	return c.text
}

// It is put elsewhere, too, before it is filled.
func PF2d_putElsewhere() {
	l := &texts{loads: make(map[int]*textPromise), fetch: func(key int) (*filledText, error) { return &filledText{}, nil }}
	var wg sync.WaitGroup
	for i := range 10 {
		wg.Go(func() {
			print(l.pf2d(i % 3).n) // race _.n; what is put elsewhere is not one promise's alone
			l.mu.Lock()
			t := l.last
			l.mu.Unlock()
			if t != nil {
				print(t.n) // race! _.n
			}
		})
	}
	wg.Wait()
}

func (l *texts) pf2d(key int) *filledText {
	c, mine := l.claim(key)
	if !mine {
		<-c.done
		return c.text
	}
	t, _ := l.fetch(key)
	c.text = t
	l.mu.Lock()
	l.last = t
	l.mu.Unlock()
	c.text.n++ // race! _.n
	close(c.done)
	return c.text
}

// Who has made the promise hands on what is in it, and fills that afterwards.
func PF3_handedOnEarly() {
	l := &texts{loads: make(map[int]*textPromise)}
	var wg sync.WaitGroup
	for i := range 10 {
		wg.Go(func() {
			l.pf3(i % 3)
		})
	}
	wg.Wait()
}

func (l *texts) pf3(key int) {
	l.mu.Lock()
	if c, ok := l.loads[key]; ok {
		l.mu.Unlock()
		<-c.done
		showText(c.text)
		return
	}
	c := &textPromise{done: make(chan struct{})}
	l.loads[key] = c
	l.mu.Unlock()
	check(c)
	go showText(c.text)
	c.text.n++ // race! _.n
	close(c.done)
}

func showText(t *filledText) {
	print(t.n) // race! _.n
}

// A goroutine fills it, and who has made the promise does not wait.
func PF4_filledBeside() {
	l := &texts{loads: make(map[int]*textPromise)}
	var wg sync.WaitGroup
	for i := range 10 {
		wg.Go(func() {
			print(l.pf4(i % 3).n) // race! _.n
		})
	}
	wg.Wait()
}

func (l *texts) pf4(key int) *filledText {
	c := &textPromise{done: make(chan struct{}), text: &filledText{}}
	l.mu.Lock()
	l.loads[key] = c
	l.mu.Unlock()
	go func() {
		c.text.n++ // race! _.n
		close(c.done)
	}()
	return c.text
}

// Of what the promise has, one thing is filled when that was told.
func PF5_otherField() {
	l := &texts{loads: make(map[int]*textPromise)}
	var wg sync.WaitGroup
	for i := range 10 {
		wg.Go(func() {
			if t := l.pf5(i % 3); t != nil {
				print(t.n) // race! _.n
			}
		})
	}
	wg.Wait()
}

func (l *texts) pf5(key int) *filledText {
	c, mine := l.claim(key)
	if !mine {
		<-c.done
		return c.next
	}
	c.text, c.next = &filledText{}, &filledText{}
	c.text.n++
	close(c.done)
	c.next.n++ // race! _.n
	return nil
}

// A group tells.
func PF6_group() {
	g := &textCalls{m: make(map[int]*textCall)}
	var wg sync.WaitGroup
	for i := range 10 {
		wg.Go(func() {
			print(g.do(i % 3).n) // norace
		})
	}
	wg.Wait()
}

type textCall struct {
	wg   sync.WaitGroup
	text *filledText
}

type textCalls struct {
	mu sync.Mutex
	m  map[int]*textCall
}

func (g *textCalls) do(key int) *filledText {
	g.mu.Lock()
	if c, ok := g.m[key]; ok {
		g.mu.Unlock()
		c.wg.Wait()
		return c.text
	}
	c := new(textCall)
	c.wg.Add(1)
	g.m[key] = c
	g.mu.Unlock()
	c.text = &filledText{}
	count(c.text) // norace
	c.wg.Done()
	return c.text
}

// It tells before, too.
func PF6b_groupTwice() {
	g := &textCalls{m: make(map[int]*textCall)}
	var wg sync.WaitGroup
	for i := range 10 {
		wg.Go(func() {
			print(g.doTwice(i % 3).n) // race! _.n
		})
	}
	wg.Wait()
}

func (g *textCalls) doTwice(key int) *filledText {
	g.mu.Lock()
	if c, ok := g.m[key]; ok {
		g.mu.Unlock()
		c.wg.Wait()
		return c.text
	}
	c := &textCall{text: &filledText{}}
	c.wg.Add(1)
	g.m[key] = c
	g.mu.Unlock()
	c.wg.Done()
	c.wg.Add(1)
	c.text.n++ // race! _.n
	c.wg.Done()
	return c.text
}

// The close is deferred.
func PF7_deferred() {
	l := &texts{loads: make(map[int]*textPromise)}
	var wg sync.WaitGroup
	for i := range 10 {
		wg.Go(func() {
			print(l.pf7(i % 3).n) // race _.n; so here
		})
	}
	wg.Wait()
}

func (l *texts) pf7(key int) *filledText {
	c, mine := l.claim(key)
	if !mine {
		<-c.done
		return c.text
	}
	defer close(c.done)
	c.text = &filledText{}
	c.text.n++ // race _.n; the pointer is loaded before the close, and that the promise is the caller's own is not known
	return c.text
}

// Each closes what it has claimed.
func PF8_closesOwn() {
	l := &texts{loads: make(map[int]*textPromise)}
	var wg sync.WaitGroup
	for i := range 10 {
		wg.Go(func() { l.pf8(i % 3) })
	}
	wg.Wait()
}

func (l *texts) pf8(key int) {
	c, mine := l.claim(key)
	if !mine {
		return
	}
	c.err = errors.New("none") // norace
	close(c.done)
	if c.err != nil { // norace
		print("failed")
	}
}

// Who has not claimed it looks at it, too.
func PF8b_closesSome() {
	l := &texts{loads: make(map[int]*textPromise)}
	var wg sync.WaitGroup
	for i := range 10 {
		wg.Go(func() { l.pf8b(i % 3) })
	}
	wg.Wait()
}

func (l *texts) pf8b(key int) {
	c, mine := l.claim(key)
	if mine {
		c.err = errors.New("none") // race! _.err
		close(c.done)
	}
	if c.err != nil { // race! _.err
		print("failed")
	}
}

// Who finds it fills it, and who has made it does not wait.
func PF9_filledByFinder() {
	l := &texts{loads: make(map[int]*textPromise)}
	var wg sync.WaitGroup
	for i := range 10 {
		wg.Go(func() {
			print(l.pf9(i % 5).n) // race! _.n
		})
	}
	wg.Wait()
}

func (l *texts) pf9(key int) *filledText {
	l.mu.Lock()
	if c, ok := l.loads[key]; ok {
		l.loads[key] = nil
		l.mu.Unlock()
		if c == nil {
			return &filledText{}
		}
		c.text.n++ // race! _.n
		close(c.done)
		return c.text
	}
	c := &textPromise{done: make(chan struct{}), text: &filledText{}}
	l.loads[key] = c
	l.mu.Unlock()
	check(c)
	return c.text
}

// Who waits for one promise has not waited for the next one.
func PF10_otherPromise() {
	l := &texts{loads: make(map[int]*textPromise)}
	var wg sync.WaitGroup
	for i := range 10 {
		wg.Go(func() {
			print(l.pf10(i % 3).n) // race! _.n
		})
	}
	wg.Wait()
}

func (l *texts) pf10(key int) *filledText {
	l.mu.Lock()
	if c, ok := l.loads[key]; ok {
		l.mu.Unlock()
		if c.prev != nil {
			<-c.prev.done
		} else {
			<-c.done
		}
		return c.text
	}
	c := &textPromise{done: make(chan struct{}), text: &filledText{}, prev: l.loads[key-1]}
	l.loads[key] = c
	l.mu.Unlock()
	c.text.n++ // race! _.n
	close(c.done)
	return c.text
}

// Who has waited and who has filled it go on together.
func PF11_joined() {
	l := &texts{loads: make(map[int]*textPromise)}
	var wg sync.WaitGroup
	for i := range 10 {
		wg.Go(func() {
			print(l.pf11(i % 3).n) // norace
		})
	}
	wg.Wait()
}

func (l *texts) pf11(key int) *filledText {
	l.mu.Lock()
	c, ok := l.loads[key]
	if ok {
		l.mu.Unlock()
		<-c.done
	} else {
		c = &textPromise{done: make(chan struct{})}
		l.loads[key] = c
		l.mu.Unlock()
		c.text = &filledText{}
		c.text.n++ // norace
		close(c.done)
	}
	return c.text
}

// Another one fills it, and who has made it does not wait.
func PF11b_joinedUnfilled() {
	l := &texts{loads: make(map[int]*textPromise)}
	var wg sync.WaitGroup
	for i := range 10 {
		wg.Go(func() {
			print(l.pf11b(i % 3).n) // race! _.n
		})
	}
	wg.Wait()
}

func (l *texts) pf11b(key int) *filledText {
	l.mu.Lock()
	c, ok := l.loads[key]
	if ok {
		l.mu.Unlock()
		<-c.done
	} else {
		c = &textPromise{done: make(chan struct{}), text: &filledText{}}
		l.loads[key] = c
		l.mu.Unlock()
		go fillText(c)
	}
	return c.text
}

func fillText(c *textPromise) {
	c.text.n++ // race! _.n
	close(c.done)
}
