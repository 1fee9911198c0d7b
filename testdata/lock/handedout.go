package lock

import (
	"maps"
	"slices"
	"sync"
)

// What is kept in one place under a lock, and used without it by who has got it
// from there. There are many such things, all made by one piece of code.

type bell struct{ rung int }

type belfry struct {
	mu    sync.Mutex
	bells []*bell
}

func (b *belfry) hang(x *bell) {
	b.mu.Lock()
	b.bells = append(b.bells, x)
	b.mu.Unlock()
}

func newBelfry() *belfry {
	b := &belfry{}
	for range n {
		b.hang(&bell{})
	}
	return b
}

// The list is taken under the lock; another goroutine turns it round in place.
func HO1_turnedInPlace() {
	b := newBelfry()
	done := make(chan bool)
	go func() {
		for range 50 * n {
			b.turn()
		}
		done <- true
	}()
	for range 50 * n {
		b.each()
	}
	<-done
}

func (b *belfry) turn() {
	b.mu.Lock()
	defer b.mu.Unlock()
	slices.Reverse(b.bells) // race! bells[*]
}

func (b *belfry) each() (sum int) {
	b.mu.Lock()
	bells := b.bells
	b.mu.Unlock()
	for _, x := range bells { // race! bells[*]
		if x != nil {
			sum += x.rung
		}
	}
	return sum
}

// What is cut is a copy.
func HO1b_cutCopy() {
	b := newBelfry()
	done := make(chan bool)
	go func() {
		for k := range n {
			b.without(k)
		}
		done <- true
	}()
	for range n {
		b.all()
	}
	<-done
}

func (b *belfry) without(k int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	var keep []*bell
	for _, x := range b.bells { // norace
		if x.rung != k {
			keep = append(keep, x)
		}
	}
	b.bells = keep
}

func (b *belfry) all() (sum int) {
	b.mu.Lock()
	bells := b.bells
	b.mu.Unlock()
	for _, x := range bells { // norace
		sum += x.rung
	}
	return sum
}

// The snapshot has a map of its own, but of the same maps.
func HO2_shallow() {
	t := &tallies{of: map[string]map[int]int{"a": {}}}
	done := make(chan bool)
	go func() {
		for k := range 50 * n {
			t.book(k%n, "a")
			t.book(k%n, "b")
		}
		done <- true
	}()
	for range 10 * n {
		for _, m := range t.shallow() {
			for range m { // race! of[*]
			}
		}
	}
	<-done
}

type tallies struct {
	mu sync.Mutex
	of map[string]map[int]int
}

func (t *tallies) book(k int, name string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.of[name] == nil {
		t.of[name] = map[int]int{}
	}
	t.of[name][k]++ // race! of[*]
}

func (t *tallies) shallow() map[string]map[int]int {
	t.mu.Lock()
	defer t.mu.Unlock()
	out := make(map[string]map[int]int)
	for name, m := range t.of {
		out[name] = m
	}
	return out
}

// It has copies of those too.
func HO2b_deep() {
	t := &counts{of: map[string]map[int]int{}}
	done := make(chan bool)
	go func() {
		for k := range n {
			t.add(k, "a")
		}
		done <- true
	}()
	for range n {
		for _, m := range t.deep() {
			for range m { // norace
			}
		}
	}
	<-done
}

type counts struct {
	mu sync.Mutex
	of map[string]map[int]int
}

func (t *counts) add(k int, name string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.of[name] == nil {
		t.of[name] = map[int]int{}
	}
	t.of[name][k]++ // norace
}

func (t *counts) deep() map[string]map[int]int {
	t.mu.Lock()
	defer t.mu.Unlock()
	out := make(map[string]map[int]int)
	for name, m := range t.of {
		out[name] = maps.Clone(m) // norace
	}
	return out
}

// The slice is handed out as it is, and read without the lock.
func HO3_asItIs() {
	l := &register{}
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
		for _, v := range l.snapshot() { // race! _[*]
			_ = v
		}
	}
	<-done
}

type register struct {
	mu   sync.Mutex
	rows []int
}

func (l *register) set(i int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.rows) < n {
		l.rows = append(l.rows, i)
	}
	l.rows[0] = i // race! _[*]
}

func (l *register) snapshot() []int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.rows
}

// Each has a belfry of its own: what lies in one does not lie in another.
func HO4_apart() {
	var bs []*belfry
	for range 2 {
		bs = append(bs, newBelfry())
	}
	mine, other := bs[0], bs[1]
	done := make(chan bool)
	go func() {
		mine.bells[0] = nil // norace
		done <- true
	}()
	_ = other.bells[0] // norace
	<-done
}

// What is received was loaded from a place of the sender's, who made it.
func HO5_sent() {
	ch := make(chan *belfry)
	for range 3 {
		go func() {
			b := newBelfry()
			bells := b.bells
			bells[0].rung++ // norace
			bells[1] = nil  // norace
			ch <- b
		}()
	}
	for range 3 {
		b := <-ch
		b.bells[1] = b.bells[0] // norace
		b.bells[0].rung++       // norace
	}
}

// A goroutine looks through the visitors under the lock; who comes is looked for, and
// written down where there is none yet, under the lock, and greeted without it.
func HO6_greetedLater() {
	l := &lobby{seen: map[int]*visitor{}}
	done := make(chan bool)
	go func() {
		for range 50 * n {
			l.count()
		}
		done <- true
	}()
	for k := range 50 * n {
		l.come(k % n)
	}
	<-done
}

type visitor struct{ times int }

type lobby struct {
	mu   sync.Mutex
	seen map[int]*visitor
}

func (l *lobby) count() (sum int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, v := range l.seen {
		sum += v.times // race! _.times
	}
	return sum
}

func (l *lobby) come(k int) {
	l.mu.Lock()
	v := l.seen[k]
	if v == nil {
		v = &visitor{}
		l.seen[k] = v
	}
	l.mu.Unlock()
	v.times++ // race! _.times
}

// Who comes is greeted before others can see him.
func HO6b_greetedFirst() {
	l := &foyer{seen: map[int]*caller{}}
	done := make(chan bool)
	go func() {
		for range 50 * n {
			l.count()
		}
		done <- true
	}()
	for k := range 50 * n {
		l.come(k % n)
	}
	<-done
}

type caller struct{ times int }

type foyer struct {
	mu   sync.Mutex
	seen map[int]*caller
}

func (l *foyer) count() (sum int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, v := range l.seen {
		sum += v.times // norace
	}
	return sum
}

func (l *foyer) come(k int) {
	v := &caller{}
	v.times++ // norace
	l.mu.Lock()
	defer l.mu.Unlock()
	if old := l.seen[k]; old != nil {
		v = old
	} else {
		l.seen[k] = v
	}
	v.times++ // norace
}

// What is copied out of an object under its lock has the slice that the object has.
func HO7_copyOfStruct() {
	g := &deals{hands: map[string]*hand{}}
	for _, name := range []string{"a", "b"} {
		g.hands[name] = &hand{cards: make([]int, 2)}
	}
	go g.deal("a", 1)
	for _, h := range g.all() {
		println(h.cards[0]) // race! cards[*]
	}
}

type hand struct{ cards []int }

type deals struct {
	mu    sync.Mutex
	hands map[string]*hand
}

func (g *deals) all() (out []hand) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, h := range g.hands {
		out = append(out, *h)
	}
	return out
}

func (g *deals) deal(to string, card int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.hands[to].cards[0] = card // race! cards[*]
}

// What is found by name, or made where there is none of the name, keeps a map for itself, under a lock of its own. Who
// lists all has the lock of the list.
func HO8_guests() {
	h := &hostel{rooms: make(map[string]*hostelRoom)}
	for k := range n {
		go h.stay(k)
	}
	println(h.report())
}

type hostel struct {
	mu    sync.Mutex
	rooms map[string]*hostelRoom
}

type hostelRoom struct {
	mu     sync.Mutex
	guests map[int]bool
	asked  int
}

func (h *hostel) room(name string) *hostelRoom {
	h.mu.Lock()
	defer h.mu.Unlock()
	r := h.rooms[name]
	if r == nil {
		r = &hostelRoom{guests: make(map[int]bool)}
		h.rooms[name] = r
	}
	return r
}

func (h *hostel) stay(k int) {
	for _, name := range []string{"a", "b"} {
		h.enter(name, k)
	}
}

func (h *hostel) enter(name string, k int) {
	r := h.room(name)
	r.mu.Lock()
	r.guests[k] = true // race! guests[*]
	r.asked++          // race! asked
	r.mu.Unlock()
}

func (h *hostel) report() (sum int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, r := range h.rooms {
		sum += len(r.guests) // race! guests[*]
		sum += r.asked       // race! asked
	}
	return sum
}

// The same, with the lock of each.
func HO8b_guestsLocked() {
	h := &inn{rooms: make(map[string]*innRoom)}
	for k := range n {
		go h.stay(k)
	}
	println(h.report())
}

type inn struct {
	mu    sync.Mutex
	rooms map[string]*innRoom
}

type innRoom struct {
	mu     sync.Mutex
	guests map[int]bool
}

func (h *inn) room(name string) *innRoom {
	h.mu.Lock()
	defer h.mu.Unlock()
	r := h.rooms[name]
	if r == nil {
		r = &innRoom{guests: make(map[int]bool)}
		h.rooms[name] = r
	}
	return r
}

func (h *inn) stay(k int) {
	for _, name := range []string{"a", "b"} {
		h.enter(name, k)
	}
}

func (h *inn) enter(name string, k int) {
	r := h.room(name)
	r.mu.Lock()
	r.guests[k] = true // norace
	r.mu.Unlock()
}

func (h *inn) report() (sum int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, r := range h.rooms {
		r.mu.Lock()
		sum += len(r.guests) // norace
		r.mu.Unlock()
	}
	return sum
}

// A list that lies in each of a list of shelves, two steps from the one who has all.
func HO8c_shelves() {
	s := &depotOf{}
	for range n {
		s.shelves = append(s.shelves, &rackOf{})
	}
	for k := range n {
		go s.fill(k)
	}
	println(s.empty())
}

type depotOf struct {
	shelves []*rackOf
}

type rackOf struct {
	mu    sync.Mutex
	boxes []int
}

func (s *depotOf) fill(k int) {
	for i := range s.shelves {
		s.put(i, k)
	}
}

func (s *depotOf) put(i, k int) {
	f := s.shelves[i]
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.boxes) == 0 {
		f.boxes = make([]int, n)
	}
	f.boxes[k] = k // race! boxes[*]
}

func (s *depotOf) empty() (sum int) {
	for _, f := range s.shelves {
		f.mu.Lock()
		boxes := f.boxes
		f.mu.Unlock()
		for i := range boxes {
			sum += boxes[i] // race! boxes[*]
		}
	}
	return sum
}
