package heap

import "sync"

// Slices that only grow: who has one may read it while others append.

// The list is read when the lock has been given back.
func GW1_snapshot() {
	t := &topic{}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { t.join(i) })
		wg.Go(func() { t.each() })
	}
	wg.Wait()
}

type topic struct {
	mu   sync.Mutex
	subs []*int
}

func (t *topic) join(i int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.subs = append(t.subs, &i) // norace
}

func (t *topic) each() {
	t.mu.Lock()
	subs := t.subs
	t.mu.Unlock()
	for _, s := range subs { // norace
		_ = *s
	}
}

// The list is now and then emptied, and its array is filled again.
func GW2_emptied() {
	t := &topicEmptied{}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { t.join(i) })
		wg.Go(func() { t.each() })
	}
	wg.Wait()
}

type topicEmptied struct {
	mu   sync.Mutex
	subs []*int
}

func (t *topicEmptied) join(i int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.subs) > 2 {
		t.subs = t.subs[:0]
	}
	t.subs = append(t.subs, &i) // race! _.subs[*]
}

func (t *topicEmptied) each() {
	t.mu.Lock()
	subs := t.subs
	t.mu.Unlock()
	for _, s := range subs { // race! _.subs[*]
		_ = *s
	}
}

// What the list was is put back.
func GW3_putBack() {
	t := &topicTried{}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { t.try(i) })
		wg.Go(func() { t.each() })
	}
	wg.Wait()
}

type topicTried struct {
	mu   sync.Mutex
	subs []*int
}

func (t *topicTried) try(i int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	old := t.subs
	t.subs = append(t.subs, &i) // race! _.subs[*]
	if i%2 == 0 {
		t.subs = old
	}
}

func (t *topicTried) each() {
	t.mu.Lock()
	subs := t.subs
	t.mu.Unlock()
	for _, s := range subs { // race! _.subs[*]
		_ = *s
	}
}

// Somebody appends to the list as it was, for himself.
func GW4_forked() {
	t := &topicForked{}
	done := make(chan bool)
	go func() {
		t.join(1)
		done <- true
	}()
	t.with(2)
	<-done
}

type topicForked struct {
	mu   sync.Mutex
	subs []*int
}

func (t *topicForked) join(i int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.subs = append(t.subs, &i) // race! _.subs[*]
}

func (t *topicForked) with(i int) {
	t.mu.Lock()
	subs := t.subs
	t.mu.Unlock()
	for _, s := range append(subs, &i) { // race! _.subs[*]
		_ = *s
	}
}

// Lists by key, and a queue whose first element is taken off.
func GW5_byKey() {
	t := &topics{subs: map[string][]*int{}}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { t.join("a", i) })
		wg.Go(func() { t.each("a") })
	}
	wg.Wait()
}

type topics struct {
	mu   sync.Mutex
	subs map[string][]*int
}

func (t *topics) join(k string, i int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.subs[k] = append(t.subs[k], &i) // norace
	if len(t.subs[k]) > 3 {
		t.subs[k] = t.subs[k][1:]
	}
}

func (t *topics) each(k string) {
	t.mu.Lock()
	subs := t.subs[k]
	t.mu.Unlock()
	for _, s := range subs { // norace
		_ = *s
	}
}

// A list goes on under another key, which has been appended to before.
func GW6_byOtherKey() {
	t := &topicsMoved{subs: map[string][]*int{}}
	done := make(chan bool)
	go func() {
		t.each("a")
		done <- true
	}()
	for i := range n {
		t.join("a", &i)
	}
	<-done
}

type topicsMoved struct {
	mu   sync.Mutex
	subs map[string][]*int
}

func (t *topicsMoved) join(k string, x *int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.subs[k] = append(t.subs["b"], x) // race! _.subs[*]
	if *x == 3 {
		t.subs["b"] = append(t.subs["b"], x) // race! _.subs[*]
	}
}

func (t *topicsMoved) each(k string) {
	t.mu.Lock()
	subs := t.subs[k]
	t.mu.Unlock()
	for _, s := range subs { // race! _.subs[*]
		_ = *s
	}
}

// An element is taken out in place.
func GW7_takenOut() {
	t := &topicLeft{subs: make([]*int, n)}
	done := make(chan bool)
	go func() {
		t.each()
		done <- true
	}()
	t.leave(1)
	<-done
}

type topicLeft struct {
	mu   sync.Mutex
	subs []*int
}

func (t *topicLeft) leave(i int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if i < len(t.subs) {
		t.subs = append(t.subs[:i], t.subs[i+1:]...) // race! _.subs[*]
	}
}

func (t *topicLeft) each() {
	t.mu.Lock()
	subs := t.subs
	t.mu.Unlock()
	for _, s := range subs { // race! _.subs[*]
		_ = *s
	}
}

// An element is set in place.
func GW8_setInPlace() {
	t := &topicSet{}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { t.join(i) })
		wg.Go(func() { t.leave(i) })
		wg.Go(func() { t.each() })
	}
	wg.Wait()
}

type topicSet struct {
	mu   sync.Mutex
	subs []*int
}

func (t *topicSet) join(i int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.subs = append(t.subs, &i)
}

func (t *topicSet) leave(i int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if i < len(t.subs) {
		t.subs[i] = nil // race! _.subs[*]
	}
}

func (t *topicSet) each() {
	t.mu.Lock()
	subs := t.subs
	t.mu.Unlock()
	for _, s := range subs { // race! _.subs[*]
		_ = s
	}
}

// Two places have one array.
func GW9_twoPlaces() {
	a := make([]*int, 0, 8)
	t := &topicTwo{one: a, two: a}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { t.join(i) })
		wg.Go(func() { t.each() })
	}
	wg.Wait()
}

type topicTwo struct {
	mu       sync.Mutex
	one, two []*int
}

func (t *topicTwo) join(i int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.one = append(t.one, &i) // race! _[*]
	if i > 3 {
		t.two = append(t.two, &i) // race! _[*]
	}
}

func (t *topicTwo) each() {
	t.mu.Lock()
	subs := t.two
	t.mu.Unlock()
	for _, s := range subs { // race! _[*]
		_ = *s
	}
}

// Each level's goroutines collect the next one.
func GW10_levels(g [][]int) {
	level := []int{0}
	for len(level) > 0 {
		var mu sync.Mutex
		var next []int
		var wg sync.WaitGroup
		for _, v := range level { // norace
			wg.Go(func() {
				mu.Lock()
				next = append(next, g[v]...) // norace
				mu.Unlock()
			})
		}
		wg.Wait()
		level = next
	}
}

// One goroutine reads what the function has added so far.
func GW11_whileReading() {
	l := &growing{}
	var wg sync.WaitGroup
	wg.Go(func() {
		for _, x := range l.all() { // norace
			println(x.k)
		}
	})
	for i := range n {
		l.add(i)
	}
	wg.Wait()
}

type growing struct {
	mu   sync.RWMutex
	list []*grown
}

type grown struct{ k int }

func (l *growing) add(k int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.list = append(l.list, &grown{k}) // norace
}

func (l *growing) all() []*grown {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return l.list
}

// Goroutines of two kinds have the list, each started in a loop of its own.
func GW12_twoLoops() {
	t := &topicTwoLoops{}
	for i := range n {
		go func() { t.join(i) }()
	}
	for range n {
		go func() { t.each() }()
	}
}

type topicTwoLoops struct {
	mu   sync.Mutex
	subs []*int
}

func (t *topicTwoLoops) join(i int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.subs = append(t.subs, &i) // norace
}

func (t *topicTwoLoops) each() {
	t.mu.Lock()
	subs := t.subs
	t.mu.Unlock()
	for _, s := range subs { // norace
		_ = *s
	}
}

// The function appends and takes out beside the goroutine that reads: its list is not as
// long as the one that the goroutine has.
func GW13_beside() {
	t := &topicBeside{}
	done := make(chan bool)
	go func() {
		t.each()
		done <- true
	}()
	for i := range n {
		t.join(i)
	}
	<-done
}

type topicBeside struct {
	mu   sync.Mutex
	subs []*int
}

func (t *topicBeside) join(i int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.subs) > 3 {
		t.subs = t.subs[:1]
	}
	t.subs = append(t.subs, &i) // race! _.subs[*]
}

func (t *topicBeside) each() {
	t.mu.Lock()
	subs := t.subs
	t.mu.Unlock()
	for _, s := range subs { // race! _.subs[*]
		_ = *s
	}
}
