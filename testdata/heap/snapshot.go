package heap

import (
	"maps"
	"sync"
	"time"
)

// The slice is handed out as it is, and read without the lock.
func SN1_shallowSnapshot() {
	l := &daybook{}
	for i := range n {
		l.set(i)
	}
	done := make(chan bool)
	go func() {
		for i := range 10 * n {
			l.set(i)
		}
		done <- true
	}()
	for range n {
		for _, v := range l.snapshot() { // race! rows[*]
			_ = v
		}
	}
	<-done
}

type daybook struct {
	mu   sync.Mutex
	rows []int
}

func (l *daybook) set(i int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.rows) < n {
		l.rows = append(l.rows, i)
	}
	l.rows[0] = i // race! rows[*]
}

func (l *daybook) snapshot() []int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.rows
}

// SN2: a list of what a map holds is made under the lock, and gone through without it; who has put
// something into the map goes on with it.
func SN2_listOfMap() {
	b := &dayboard{jobs: make(map[int]*chore)}
	quit := make(chan bool)
	go func() {
		for !closedNow(quit) {
			for _, c := range b.running() {
				println(c.due) // race! c.due
			}
		}
	}()
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			for k := range n {
				c := b.start(i*n + k)
				b.extend(c)
			}
		})
	}
	wg.Wait()
	close(quit)
}

func closedNow(quit chan bool) bool {
	select {
	case <-quit:
		return true
	default:
		return false
	}
}

type chore struct{ id, due int }

type dayboard struct {
	mu   sync.Mutex
	jobs map[int]*chore
}

func (b *dayboard) start(id int) *chore {
	b.mu.Lock()
	defer b.mu.Unlock()
	c := &chore{id: id}
	b.jobs[id] = c
	return c
}

func (b *dayboard) extend(c *chore) {
	b.mu.Lock()
	defer b.mu.Unlock()
	c.due++ // race! c.due
}

func (b *dayboard) running() []*chore {
	b.mu.Lock()
	defer b.mu.Unlock()
	out := make([]*chore, 0, len(b.jobs))
	for _, c := range b.jobs {
		out = append(out, c)
	}
	return out
}

// All of it is done under the lock.
func SN2b_underLock() {
	b := &dayboard{jobs: make(map[int]*chore)}
	quit := make(chan bool)
	go func() {
		for !closedNow(quit) {
			b.mu.Lock()
			var list []*chore
			for _, c := range b.jobs {
				list = append(list, c)
			}
			for _, c := range list {
				println(c.due)
			}
			b.mu.Unlock()
		}
	}()
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			c := &chore{id: i}
			b.mu.Lock()
			b.jobs[i] = c
			b.mu.Unlock()
			b.mu.Lock()
			c.due++
			b.mu.Unlock()
		})
	}
	wg.Wait()
	close(quit)
}

// What goes on has put it nowhere else.
func SN2c_ofItsOwn() {
	b := &dayboard{jobs: make(map[int]*chore)}
	quit := make(chan bool)
	go func() {
		for !closedNow(quit) {
			for _, c := range b.running() {
				println(c.id)
			}
		}
	}()
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			own := []*chore{{id: i}, {id: i + 1}}
			for _, c := range own {
				c.id++ // norace
			}
			b.start(i)
		})
	}
	wg.Wait()
	close(quit)
}

// SN3: in the function itself; the list is a part of what the watcher keeps.
func SN3_keptList() {
	b := &dayboard{jobs: make(map[int]*chore)}
	quit := make(chan bool)
	go func() {
		w := &watcherOfDay{}
		for !closedNow(quit) {
			b.mu.Lock()
			w.list = w.list[:0]
			for _, c := range b.jobs {
				w.list = append(w.list, c)
			}
			b.mu.Unlock()
			for _, c := range w.list {
				println(c.due) // race! c.due
			}
		}
	}()
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			for k := range n {
				c := &chore{id: k}
				b.mu.Lock()
				b.jobs[i*n+k] = c
				b.mu.Unlock()
				c.due++ // race! c.due
			}
		})
	}
	wg.Wait()
	close(quit)
}

type watcherOfDay struct{ list []*chore }

// SN4: the list has what was taken out of the map, since nobody has used it for long.
func SN4_takenOut() {
	f := &flock{birds: make(map[int]*bird)}
	quit := make(chan bool)
	go func() {
		for !closedNow(quit) {
			for _, b := range f.reap() {
				println(len(b.calls)) // norace
			}
		}
	}()
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			for k := range n {
				f.heard(k)
			}
		})
	}
	wg.Wait()
	close(quit)
}

type bird struct {
	seen  time.Time
	calls []int
}

type flock struct {
	mu    sync.Mutex
	birds map[int]*bird
}

func (f *flock) with(id int, use func(*bird)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	b := f.birds[id]
	if b == nil {
		b = &bird{}
		f.birds[id] = b
	}
	use(b)
}

func (f *flock) heard(id int) {
	f.with(id, func(b *bird) {
		b.seen = time.Now()
		b.calls = append(b.calls, id) // norace
	})
}

func (f *flock) reap() (out []*bird) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for id, b := range f.birds {
		if time.Since(b.seen) > time.Second {
			out = append(out, b)
			delete(f.birds, id)
		}
	}
	return out
}

// A view has the list itself, and is kept in a variable, or passed by value.
func SN5_viewInVariable() {
	s := &timetable{}
	for k := range n {
		s.add(k)
	}
	var wg sync.WaitGroup
	for k := range n {
		wg.Go(func() { s.depart(k) })
	}
	v := s.view()
	for _, d := range v.list { // race! _[*].gone
		println(d.gone)
	}
	w := s.view()
	println(w.count())
	c := s.copied()
	for _, d := range c.list {
		println(d.gone) // norace
	}
	wg.Wait()
}

type departure struct{ at, gone int }

type timetable struct {
	mu   sync.Mutex
	list []departure
}

type tableView struct {
	taken time.Time
	list  []departure
}

func (s *timetable) add(at int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.list = append(s.list, departure{at: at})
}

func (s *timetable) depart(k int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.list[k].gone++ // race! _[*].gone
}

func (s *timetable) view() tableView {
	s.mu.Lock()
	defer s.mu.Unlock()
	return tableView{time.Now(), s.list[:len(s.list):len(s.list)]}
}

func (s *timetable) copied() tableView {
	s.mu.Lock()
	defer s.mu.Unlock()
	return tableView{time.Now(), append([]departure(nil), s.list...)}
}

func (v tableView) count() (n int) {
	for _, d := range v.list { // race! _[*].gone
		n += d.gone
	}
	return n
}

// Another goroutine ranks what a copy of the map leads to: the map is its own, what lies there is not.
func SN6_copiedForAnother() {
	d := &dictionary{words: map[string]*entryCount{}}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() { d.count("a") })
	}
	due := make(chan extract)
	wg.Go(func() {
		for e := range due {
			println(e.sum())
		}
	})
	for range n {
		due <- d.cloned()
		due <- d.copied()
	}
	close(due)
	wg.Wait()
}

type entryCount struct{ n int }

type dictionary struct {
	mu    sync.RWMutex
	words map[string]*entryCount
}

type extract struct {
	taken time.Time
	words map[string]*entryCount
}

func (d *dictionary) count(w string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	e, ok := d.words[w]
	if !ok {
		e = &entryCount{}
		d.words[w] = e
	}
	e.n++ // race! _.n
}

func (d *dictionary) cloned() extract {
	d.mu.RLock()
	defer d.mu.RUnlock()
	return extract{words: maps.Clone(d.words)}
}

func (d *dictionary) copied() extract {
	d.mu.RLock()
	defer d.mu.RUnlock()
	e := extract{words: map[string]*entryCount{}}
	for k, v := range d.words {
		e.words[k] = v
	}
	return e
}

func (e extract) sum() (n int) {
	for _, c := range e.words {
		n += c.n // race! _.n
	}
	return n
}

// SN6b_takenForAnother gives away what it has taken out; the other one alone has it.
func SN6b_takenForAnother() {
	d := &dictionary{words: map[string]*entryCount{}}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() { d.add("a") })
	}
	due := make(chan extract)
	wg.Go(func() {
		for e := range due {
			println(e.drain())
		}
	})
	for range n {
		due <- d.taken()
	}
	close(due)
	wg.Wait()
}

func (d *dictionary) add(w string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	e, ok := d.words[w]
	if !ok {
		e = &entryCount{}
		d.words[w] = e
	}
	e.n++ // norace
}

func (d *dictionary) taken() extract {
	d.mu.Lock()
	defer d.mu.Unlock()
	e := extract{words: map[string]*entryCount{}}
	for k, v := range d.words {
		e.words[k] = v
		delete(d.words, k)
	}
	return e
}

func (e extract) drain() (n int) {
	for _, c := range e.words {
		n += c.n // norace
	}
	return n
}

// SN6c_usedLater goes on with an entry, which may be taken by then, without the lock.
func SN6c_usedLater() {
	d := &lexicon{words: map[string]*lemma{}}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() { d.addAfter("b") })
	}
	for range n {
		println(d.replaced().seen())
	}
	wg.Wait()
}

func (d *lexicon) addAfter(w string) {
	d.mu.Lock()
	e, ok := d.words[w]
	if !ok {
		e = &lemma{}
		d.words[w] = e
	}
	d.mu.Unlock()
	e.n++ // race! _.n
}

func (e volume) seen() (n int) {
	for _, c := range e.words {
		n += c.n // race! _.n
	}
	return n
}

// SN6d_madeInEarlierSection puts its entry there in one section, and counts in the next, where it looks again for
// another.
func SN6d_madeInEarlierSection() {
	d := &lexicon{words: map[string]*lemma{}}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { d.addEither("a", "b", i) })
	}
	for range n {
		println(d.replaced().found())
	}
	wg.Wait()
}

func (d *lexicon) addEither(v, w string, i int) {
	d.mu.Lock()
	e := &lemma{}
	d.words[v] = e // norace
	d.mu.Unlock()
	d.mu.Lock()
	defer d.mu.Unlock()
	if f, ok := d.words[w]; ok && i > 5 {
		e = f
	}
	e.n++ // race! _.n
}

func (e volume) found() (n int) {
	for _, c := range e.words { // norace
		n += c.n // race! _.n
	}
	return n
}

// SN6e_replacedForAnother leaves a new map.
func SN6e_replacedForAnother() {
	d := &lexicon{words: map[string]*lemma{}}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() { d.add("a") })
	}
	due := make(chan volume)
	wg.Go(func() {
		for e := range due {
			println(e.drain())
		}
	})
	for range n {
		due <- d.replaced()
	}
	close(due)
	wg.Wait()
}

type lemma struct{ n int }

type lexicon struct {
	mu    sync.Mutex
	words map[string]*lemma
}

type volume struct {
	taken time.Time
	words map[string]*lemma
}

func (d *lexicon) add(w string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	e, ok := d.words[w]
	if !ok {
		e = &lemma{}
		d.words[w] = e
	}
	e.n++ // norace
}

func (d *lexicon) replaced() volume {
	d.mu.Lock()
	defer d.mu.Unlock()
	v := volume{words: d.words}
	d.words = map[string]*lemma{}
	return v
}

func (v volume) drain() (n int) {
	for _, e := range v.words {
		n += e.n // norace
	}
	return n
}

// SN6f_usedAgain goes on with it under the lock again.
func SN6f_usedAgain() {
	d := &lexicon{words: map[string]*lemma{}}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() { d.addTwice("a") })
	}
	for range n {
		println(d.replaced().looked())
	}
	wg.Wait()
}

func (d *lexicon) addTwice(w string) {
	d.mu.Lock()
	e, ok := d.words[w]
	if !ok {
		e = &lemma{}
		d.words[w] = e
	}
	d.mu.Unlock()
	d.mu.Lock()
	e.n++ // race! _.n
	d.mu.Unlock()
}

func (v volume) looked() (n int) {
	for _, e := range v.words {
		n += e.n // race! _.n
	}
	return n
}
