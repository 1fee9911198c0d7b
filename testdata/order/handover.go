package order

import "sync"

type block struct{ n, sum int }

func newBlock() *block { return &block{} }

// A full block goes to a goroutine, and the field gets another one.
func HO1_setAnewAfter() {
	w := &blockWriter{b: newBlock(), opts: blockOptions{names: []string{"a"}}}
	for i := range n {
		w.add(i)
	}
	w.send(true)
	w.wg.Wait()
}

type blockWriter struct {
	b    *block
	wg   sync.WaitGroup
	opts blockOptions
}

type blockOptions struct {
	names []string
	done  func()
}

func newBlockOf(o blockOptions) *block { return &block{n: len(o.names)} }

func (w *blockWriter) add(x int) {
	if w.b.n >= 10 {
		w.send(false)
	}
	w.b.n++
	w.b.sum += x // assumed _.sum
}

func (w *blockWriter) send(done bool) {
	w.wg.Add(1)
	go func(b *block) {
		defer w.wg.Done()
		b.n++          // assumed _.n
		println(b.sum) // assumed _.sum
	}(w.b)
	if done {
		w.b = nil
		return
	}
	w.b = newBlockOf(w.opts)
}

// HO1b_kept keeps the block on one path.
func HO1b_kept() {
	w := &blockKeeper{b: newBlock()}
	for i := range n {
		w.b.sum += i // race! _.sum
		w.send(i%2 == 0)
	}
}

type blockKeeper struct{ b *block }

func (w *blockKeeper) send(keep bool) {
	go func(b *block) { b.sum++ }(w.b) // race! _.sum
	if !keep {
		w.b = newBlock()
	}
}

// HO1c_another puts the new block into another writer.
func HO1c_another() {
	v, w := &blockWriter2{b: newBlock()}, &blockWriter2{b: newBlock()}
	for i := range n {
		w.b.sum += i                       // race! _.sum
		go func(b *block) { b.sum++ }(w.b) // race! _.sum
		v.b = newBlock()
	}
}

type blockWriter2 struct{ b *block }

// HO1d_borrowed goes on with a block that the field had before.
func HO1d_borrowed() {
	w := &blockWriter3{b: newBlock()}
	for i := range n {
		b := w.b
		w.send()
		b.sum += i // race! _.sum
	}
}

type blockWriter3 struct{ b *block }

func (w *blockWriter3) send() {
	go func(b *block) { b.sum++ }(w.b) // race! _.sum
	w.b = newBlock()
}

// HO1e_made goes on with a block that it has put into the field.
func HO1e_made() {
	w := &blockWriter4{}
	for i := range n {
		b := newBlock()
		w.b = b
		w.send()
		b.sum += i // race! _.sum
	}
}

type blockWriter4 struct{ b *block }

func (w *blockWriter4) send() {
	go func(b *block) { b.sum++ }(w.b) // race! _.sum
	w.b = nil
}

// HO1f_returned goes on with a block that a method has returned.
func HO1f_returned() {
	w := &blockWriter5{b: newBlock()}
	b := w.block()
	w.send()
	b.sum++ // race! _.sum
}

type blockWriter5 struct{ b *block }

func (w *blockWriter5) block() *block { return w.b }

func (w *blockWriter5) send() {
	go func(b *block) { b.sum++ }(w.b) // race! _.sum
	w.b = newBlock()
}

// HO1g_twoThreads has two threads that fill the block.
func HO1g_twoThreads() {
	w := &blockWriter6{b: newBlock()}
	go w.fill()
	w.fill()
}

type blockWriter6 struct {
	mu sync.Mutex
	b  *block
}

func (w *blockWriter6) fill() {
	for i := range n {
		w.mu.Lock()
		b := w.b
		w.mu.Unlock()
		b.sum += i // race! _.sum
		w.mu.Lock()
		w.send()
		w.mu.Unlock()
	}
}

func (w *blockWriter6) send() {
	go func(b *block) { b.sum++ }(w.b) // race! _.sum
	w.b = newBlock()
}

// HO1h hands over what the field has in each round.
func HO1h_eachRound() {
	w := &blockWriter13{b: &block{}}
	for i := range n {
		w.b.sum += i
		w.wg.Add(1)
		go func(b *block) {
			defer w.wg.Done()
			b.n++ // assumed w.b.n
		}(w.b)
		w.b = &block{}
	}
	w.wg.Wait()
}

type blockWriter13 struct {
	b  *block
	wg sync.WaitGroup
}

// The field is set anew first.
func HO2_setAnewBefore() {
	w := &blockWriter7{b: &block{}}
	for i := range n {
		w.b.sum += i // assumed _.sum
		if w.b.sum > 10 {
			b := w.b
			w.b = &block{}
			go func() { b.sum++ }() // assumed _.sum
		}
	}
}

type blockWriter7 struct{ b *block }

// HO2b_oneForAll sets the field to one that all have.
func HO2b_oneForAll() {
	w, common := &blockWriter8{b: &block{}}, &block{}
	for i := range n {
		b := w.b
		b.sum += i // race! _.sum
		w.b = common
		go func() { b.sum++ }() // race! _.sum
	}
}

type blockWriter8 struct{ b *block }

// HO2c_back puts it back.
func HO2c_back() {
	w := &blockWriter9{b: &block{}}
	for i := range n {
		b := w.b
		w.b = &block{}
		b.sum += i              // race! _.sum
		go func() { b.sum++ }() // race! _.sum
		if i == 3 {
			w.b = b
		}
	}
}

type blockWriter9 struct{ b *block }

// A variable is set anew.
func HO3_variable() {
	b := &block{}
	for i := range n {
		if b.n >= 10 { // assumed b.n
			go func(b *block) { b.n++ }(b) // assumed b.n
			b = &block{}
		}
		b.n++ // assumed b.n
		b.sum += i
	}
}

// HO3b_notAlways is set anew in most rounds.
func HO3b_notAlways() {
	b := &block{}
	for i := range n {
		go func(b *block) { b.n++ }(b) // race! b.n
		if i > 2 {
			b = &block{}
		}
		b.n++ // race! b.n
	}
}

// HO3c_firstAgain goes back to the first one.
func HO3c_firstAgain() {
	first := &block{}
	b := first
	for i := range n {
		go func(b *block) { b.n++ }(b) // race! _.n
		b = &block{}
		if i == 2 {
			b = first
		}
		b.n++ // race! _.n
	}
}

// A full list goes to a goroutine, and another one is begun.
func HO4_batches() {
	var batch []int
	for i := range n {
		batch = append(batch, i) // assumed _[*]
		if len(batch) == 10 {
			go func(b []int) { b[0]++ }(batch) // assumed _[*]
			batch = nil
		}
	}
}

// HO4b_reused begins it in the same memory.
func HO4b_reused() {
	var batch []int
	for i := range n {
		batch = append(batch, i) // race! _[*]
		if len(batch) == 10 {
			go func(b []int) { b[0]++ }(batch) // race! _[*]
			batch = batch[:0]
		}
	}
}

// HO4c_last gives the last list, which is not full, to a goroutine, too.
func HO4c_last() {
	var batch []int
	for i := range n {
		batch = append(batch, i) // assumed _[*]
		if len(batch) == 10 {
			go func(b []int) { b[0]++ }(batch) // assumed _[*]
			batch = nil
		}
	}
	go func(b []int) { b[0]++ }(batch) // assumed _[*]
}

// HO4d_lastAgain gives a full one to it again.
func HO4d_lastAgain() {
	var batch, last []int
	for i := range n {
		batch = append(batch, i) // race _[*]; the list is put away before it is appended to again, but in two places
		if len(batch) == 10 {
			go func(b []int) { b[0]++ }(batch) // race! _[*]
			last = batch
			batch = nil
		}
	}
	go func(b []int) { b[0]++ }(last) // race! _[*]
}

// HO4e_lastKept goes on with the last one.
func HO4e_lastKept() {
	batch := make([]int, 0, 10)
	for i := range n {
		batch = append(batch, i) // race _[*]; likewise
		if len(batch) == 10 {
			go func(b []int) { b[0]++ }(batch) // race _[*]; a full list is given up, which the last one is not
			batch = make([]int, 0, 10)
		}
	}
	go func(b []int) { b[0]++ }(batch) // race! _[*]
	batch[0]++                         // race! _[*]
}

// A helper starts the goroutine.
func HO5_helper() {
	b := &block{}
	for i := range n {
		if b.sum > 10 {
			finish(b)
			b = &block{}
		}
		b.sum += i // assumed b.sum
	}
}

func finish(b *block) {
	go func() { b.sum++ }() // assumed _.sum
}

// HO5b_usedAfter goes on with what the helper has.
func HO5b_usedAfter() {
	b := &block{}
	for i := range n {
		if b.sum > 10 { // race! b.sum
			finishToo(b)
			b.sum++ // race! b.sum
			b = &block{}
		}
		b.sum += i // race! b.sum
	}
}

func finishToo(b *block) {
	go func() { b.sum++ }() // race! _.sum
}

// HO6_deferred uses it when the function returns.
func HO6_deferred() {
	w := &blockWriter10{b: &block{}}
	w.flush()
	w.flush()
}

type blockWriter10 struct{ b *block }

func (w *blockWriter10) flush() {
	b := w.b
	defer b.close()
	go func(b *block) { b.sum++ }(b) // race! _.sum
	w.b = &block{}
}

func (b *block) close() { b.sum = 0 } // race! _.sum

// HO7_listedToo has the block in a list, too.
func HO7_listedToo() {
	w := &blockWriter11{}
	for range n {
		b := &block{}
		w.b = b
		w.all = append(w.all, b)
		go func(b *block) { b.sum++ }(w.b) // race! _.sum
		w.b = nil
	}
	for _, b := range w.all {
		println(b.sum) // race! _.sum
	}
}

type blockWriter11 struct {
	b   *block
	all []*block
}

// HO8_twoGoroutines has two goroutines for one block.
func HO8_twoGoroutines() {
	w := &blockWriter12{b: &block{}}
	for range n {
		b := w.b
		w.b = &block{}
		go func() { b.sum++ }() // race! _.sum
		go func() { b.sum++ }() // race! _.sum
	}
}

type blockWriter12 struct{ b *block }

// HO9_parts: what hangs on the block goes with it.
func HO9_parts() {
	w := &leafletWriter{p: &leaflet{b: &block{}}}
	for i := range n {
		w.p.b.sum += i // assumed _.sum
		p := w.p
		w.p = &leaflet{b: &block{}}
		go func() { p.b.sum++ }() // assumed _.sum
	}
}

type leaflet struct{ b *block }

type leafletWriter struct{ p *leaflet }

// HO9b_partKept keeps a part.
func HO9b_partKept() {
	w := &leafletWriter2{p: &leaflet2{b: &block{}}}
	for i := range n {
		w.p.b.sum += i // race! _.sum
		p := w.p
		w.p = &leaflet2{b: p.b}
		go func() { p.b.sum++ }() // race! _.sum
	}
}

type leaflet2 struct{ b *block }

type leafletWriter2 struct{ p *leaflet2 }

// Each round has a buffer of its own, made on one of two branches.
func HO10_eitherBuffer() {
	var fill bufferFiller = &manyFillers{&onesFiller{}}
	var wg sync.WaitGroup
	var buf []int
	for i := range n {
		if i == n-1 {
			buf = make([]int, n+i)
		} else {
			buf = make([]int, n)
		}
		fill.fill(buf)
		wg.Add(1)
		go func(buf []int) {
			defer wg.Done()
			_ = buf[0] // assumed buf[*]
		}(buf)
	}
	wg.Wait()
}

type bufferFiller interface{ fill([]int) int }

type manyFillers struct{ each bufferFiller }

func (m *manyFillers) fill(buf []int) int {
	k := 0
	for k < len(buf) {
		k += m.each.fill(buf[k:])
	}
	return k
}

type onesFiller struct{}

func (*onesFiller) fill(buf []int) int {
	for i := range buf {
		buf[i] = 1 // assumed buf[*]
	}
	return len(buf)
}

// HO10b_lastAgain has the last round's buffer in some.
func HO10b_lastAgain() {
	var buf []int
	for i := range n {
		if i%2 == 0 {
			buf = make([]int, n)
		}
		buf[0] = i // race! buf[*]
		go func(buf []int) {
			_ = buf[0] // race! buf[*]
		}(buf)
	}
}

// HO11_parameter: the caller goes on with what it has passed.
func HO11_parameter() {
	b := &block{}
	for range n {
		handOn(b)
	}
}

func handOn(b *block) {
	go func(b *block) { b.n++ }(b) // race! b.n
}

// HO12_global: a variable of the package has it, too.
func HO12_global() {
	for range n {
		lastBlock = &block{}
		go func(b *block) { b.n++ }(lastBlock) // race! _.n
		println(lastBlock.n)                   // race! _.n
	}
}

var lastBlock *block

// HO13_closureBefore has a function that uses it, made before.
func HO13_closureBefore() {
	w := &blockWriter14{b: &block{}}
	for i := range n {
		b := w.b
		add := func() { b.sum += i }     // race! _.sum
		go func(b *block) { b.sum++ }(b) // race! _.sum
		w.b = &block{}
		add()
	}
}

type blockWriter14 struct{ b *block }

// HO14_taken: a method takes it out of the field.
func HO14_taken() {
	w := &blockWriter15{b: &block{}}
	for i := range n {
		w.b.sum += i // assumed _.sum
		b := w.rotate()
		go func() { b.sum++ }() // assumed _.sum
	}
}

type blockWriter15 struct{ b *block }

func (w *blockWriter15) rotate() *block {
	old := w.b
	w.b = &block{}
	return old
}

// HO14b_notTaken leaves it there.
func HO14b_notTaken() {
	w := &blockWriter16{b: &block{}}
	for i := range n {
		w.b.sum += i // race! _.sum
		b := w.current()
		go func() { b.sum++ }() // race! _.sum
	}
}

type blockWriter16 struct{ b *block }

func (w *blockWriter16) current() *block { return w.b }

// HO15_timesTwo: a goroutine hands it to another one, and keeps it.
func HO15_timesTwo() {
	w := &blockWriter17{b: &block{}}
	for range n {
		go func(b *block) {
			go func() { b.n++ }() // race! _.n
			b.n++                 // race! _.n
		}(w.b)
		w.b = &block{}
	}
}

type blockWriter17 struct{ b *block }

// HO16_twoWriters: two writers share a block.
func HO16_twoWriters() {
	b := &block{}
	v, w := &blockWriter18{b: b}, &blockWriter18{b: b}
	v.send()
	w.send()
}

type blockWriter18 struct{ b *block }

func (w *blockWriter18) send() {
	go func(b *block) { b.n++ }(w.b) // race! _.n
	w.b = nil
}

// HO14c_notAlwaysTaken leaves it there in most rounds.
func HO14c_notAlwaysTaken() {
	w := &blockWriter19{b: &block{}}
	for i := range n {
		w.b.sum += i // race! _.sum
		b := w.rotate(i > 2)
		go func() { b.sum++ }() // race! _.sum
	}
}

type blockWriter19 struct{ b *block }

func (w *blockWriter19) rotate(all bool) *block {
	old := w.b
	if all {
		w.b = &block{}
	}
	return old
}

// HO14d_borrowedBefore has the block from before it was taken.
func HO14d_borrowedBefore() {
	w := &blockWriter20{b: &block{}}
	for i := range n {
		mine := w.b
		b := w.rotate()
		go func() { b.sum++ }() // race! _.sum
		mine.sum += i           // race! _.sum
	}
}

type blockWriter20 struct{ b *block }

func (w *blockWriter20) rotate() *block {
	old := w.b
	w.b = &block{}
	return old
}

// HO14e_listed has those that were taken in a list.
func HO14e_listed() {
	w := &blockWriter21{b: &block{}}
	for range n {
		b := w.rotate()
		go func() { b.sum++ }() // race! _.sum
	}
	for _, b := range w.old {
		println(b.sum) // race! _.sum
	}
}

type blockWriter21 struct {
	b   *block
	old []*block
}

func (w *blockWriter21) rotate() *block {
	old := w.b
	w.b = &block{}
	w.old = append(w.old, old)
	return old
}

// HO14f_takenByTwo has two threads that take without a lock: both may get one block.
func HO14f_takenByTwo() {
	w := &blockWriter22{b: &block{}}
	for range 2 {
		go w.run()
	}
}

type blockWriter22 struct{ b *block }

func (w *blockWriter22) run() {
	b := w.rotate()
	go func() { b.sum++ }() // race! _.sum
}

func (w *blockWriter22) rotate() *block {
	old := w.b     // race! w.b
	w.b = &block{} // race! w.b
	return old
}

// HO17_underLock: two threads fill, and one of them takes, under a lock.
func HO17_underLock() {
	w := &blockWriter23{b: &block{}}
	for i := range n {
		go w.add(i)
	}
}

type blockWriter23 struct {
	mu sync.Mutex
	b  *block
}

func (w *blockWriter23) add(x int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.b.sum = x; x > 10 { // norace
		old := w.b
		w.b = &block{}
		go func() { old.sum = 0 }() // norace
	}
}

// HO18_calledBetween calls a method that uses the block before the field is set anew.
func HO18_calledBetween() {
	w := &blockWriter24{b: &block{}}
	for range n {
		w.send()
	}
}

type blockWriter24 struct{ b *block }

func (w *blockWriter24) send() {
	go func(b *block) { b.sum++ }(w.b) // race! _.sum
	w.count()
	w.b = &block{}
}

func (w *blockWriter24) count() { w.b.sum++ } // race! _.sum

// HO19_countedAfter asks for the length of a map, which is in it.
func HO19_countedAfter() {
	m := map[string]int{}
	done := make(chan bool, 1)
	go func() {
		delete(m, "a") // race! _[*]
		done <- true
	}()
	println(len(m)) // race! _[*]
	<-done
}

// A goroutine is started with what holds a counter, and who starts it keeps the counter.
func HO30_keptBesideHolder() {
	c := &heldCount{}
	r := &countHolder{c}
	go r.run()
	c.n = 1 // race! c.n
}

type heldCount struct{ n int }

type countHolder struct{ c *heldCount }

func (r *countHolder) run() { r.c.n++ } // race! r.c.n

// Who does nothing more with it has given it up.
func HO30b_notKept() {
	c := &heldCount{}
	r := &countHolder30b{c}
	c.n = 1 // norace
	go r.run()
}

type countHolder30b struct{ c *heldCount }

func (r *countHolder30b) run() { r.c.n++ } // norace

// So where a field keeps the holder, which is set anew.
func HO30c_heldByField() {
	w := &countWriter{r: &countHolder30c{&heldCount{}}}
	for range n {
		c := w.r.c
		c.n++ // assumed c.n
		r := w.r
		w.r = &countHolder30c{&heldCount{}}
		go r.run()
	}
}

type countWriter struct{ r *countHolder30c }

type countHolder30c struct{ c *heldCount }

func (r *countHolder30c) run() { r.c.n++ } // assumed r.c.n
