package heap

import "sync"

// What lies in a list that is taken away as a whole, under the lock under which others put into it, goes with it: it
// is new, and put there once.

type shipment struct {
	n     int
	attrs map[string]int
}

// BQ1: goroutines put what they have made, and whoever fills a batch starts who sends it.
func BQ1_batchOfAll() {
	o := &outbox1{}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			for k := range n {
				p := &shipment{n: i + k, attrs: map[string]int{}}
				p.attrs["made"]++ // norace
				o.put(p)
			}
		})
	}
	wg.Wait()
	o.flying.Wait()
}

type outbox1 struct {
	mu      sync.Mutex
	pending []*shipment
	sent    []*shipment
	flying  sync.WaitGroup
}

// ship uses the receiver, which makes it a variable that a goroutine has captured.
func (o *outbox1) ship() {
	batch := o.pending
	if len(batch) == 0 {
		return
	}
	o.pending = make([]*shipment, 0, n)
	o.flying.Add(1)
	go func() {
		defer o.flying.Done()
		for _, p := range batch {
			p.n++             // norace
			p.attrs["sent"]++ // norace
		}
	}()
}

func (o *outbox1) put(p *shipment) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.pending = append(o.pending, p)
	if len(o.pending) == cap(o.pending) {
		o.ship()
	}
}

// BQ2: who fills the batch sends it himself; what is put there comes through two functions.
func BQ2_sentByWhoFills() {
	o := &outbox2{}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { o.put(&shipment{n: i}) })
	}
	wg.Wait()
}

type outbox2 struct {
	mu      sync.Mutex
	pending []*shipment
}

// put has been passed what it puts by a function that has been passed it.
func (o *outbox2) put(p *shipment) {
	if p.n > 0 {
		o.enqueue(p)
	}
}

func (o *outbox2) enqueue(p *shipment) {
	o.mu.Lock()
	o.pending = append(o.pending, p)
	if len(o.pending) < n {
		o.mu.Unlock()
		return
	}
	batch := o.pending
	o.pending = nil
	o.mu.Unlock()
	for _, p := range batch {
		p.n++ // norace
	}
}

// BQ3: what is put there twice lies in two batches.
func BQ3_putTwice() {
	o := &outbox3{}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			p := &shipment{}
			o.put(p)
			o.put(p)
			o.drain()
		})
	}
	wg.Wait()
}

type outbox3 struct {
	mu      sync.Mutex
	pending []*shipment
}

func (o *outbox3) put(p *shipment) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.pending = append(o.pending, p)
}

func (o *outbox3) drain() {
	o.mu.Lock()
	batch := o.pending
	o.pending = nil
	o.mu.Unlock()
	for _, p := range batch {
		p.n++ // race! _.n
	}
}

// BQ4: one object for all rounds is put there in each.
func BQ4_oneForAll() {
	o := &outbox4{}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			p := &shipment{}
			for range n {
				o.put(p)
			}
			o.drain()
		})
	}
	wg.Wait()
}

type outbox4 struct {
	mu      sync.Mutex
	pending []*shipment
}

func (o *outbox4) put(p *shipment) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.pending = append(o.pending, p)
}

func (o *outbox4) drain() {
	o.mu.Lock()
	batch := o.pending
	o.pending = nil
	o.mu.Unlock()
	for _, p := range batch {
		p.n++ // race! _.n
	}
}

// BQ5: who has put it there uses it.
func BQ5_usedAfterPut() {
	o := &outbox5{}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			p := &shipment{}
			o.put(p)
			p.n++ // race! _.n
			o.drain()
		})
	}
	wg.Wait()
}

type outbox5 struct {
	mu      sync.Mutex
	pending []*shipment
}

func (o *outbox5) put(p *shipment) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.pending = append(o.pending, p)
}

func (o *outbox5) drain() {
	o.mu.Lock()
	batch := o.pending
	o.pending = nil
	o.mu.Unlock()
	for _, p := range batch {
		p.n++ // race! _.n
	}
}

// BQ6: the function that puts it there passes it to another one that does so, too.
func BQ6_putByTwo() {
	o := &outbox6{}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			o.put(&shipment{})
			o.drain()
		})
	}
	wg.Wait()
}

type outbox6 struct {
	mu      sync.Mutex
	pending []*shipment
}

func (o *outbox6) put(p *shipment) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.pending = append(o.pending, p)
	o.again(p)
}

func (o *outbox6) again(p *shipment) {
	if len(o.pending) == 1 {
		o.pending = append(o.pending, p)
	}
}

func (o *outbox6) drain() {
	o.mu.Lock()
	batch := o.pending
	o.pending = nil
	o.mu.Unlock()
	for _, p := range batch {
		p.n++ // race _.n; the list has it twice, but in one batch
	}
}

// BQ6b: in two critical sections.
func BQ6b_putByTwo() {
	o := &outbox6b{}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			o.put(&shipment{})
			o.drain()
		})
	}
	wg.Wait()
}

type outbox6b struct {
	mu      sync.Mutex
	pending []*shipment
}

func (o *outbox6b) put(p *shipment) {
	o.mu.Lock()
	o.pending = append(o.pending, p)
	o.mu.Unlock()
	o.again(p)
}

func (o *outbox6b) again(p *shipment) {
	o.mu.Lock()
	o.pending = append(o.pending, p)
	o.mu.Unlock()
}

func (o *outbox6b) drain() {
	o.mu.Lock()
	batch := o.pending
	o.pending = nil
	o.mu.Unlock()
	for _, p := range batch {
		p.n++ // race! _.n
	}
}

// BQ7: the list is taken, and emptied in another critical section.
func BQ7_emptiedLater() {
	o := &outbox7{}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			o.put(&shipment{})
			o.drain()
		})
	}
	wg.Wait()
}

type outbox7 struct {
	mu      sync.Mutex
	pending []*shipment
}

func (o *outbox7) put(p *shipment) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.pending = append(o.pending, p)
}

func (o *outbox7) drain() {
	o.mu.Lock()
	batch := o.pending
	o.mu.Unlock()
	if len(batch) > 1 {
		o.mu.Lock()
		o.pending = nil
		o.mu.Unlock()
	}
	for _, p := range batch {
		p.n++ // race! _.n
	}
}

// BQ8: a list that a goroutine has captured is used where it is not emptied, too.
func BQ8_returnedBeforeFull() {
	o := &outbox8{}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			for _, p := range o.put(&shipment{}) {
				p.n++ // race! _.n
			}
		})
	}
	wg.Wait()
	o.flying.Wait()
}

type outbox8 struct {
	mu      sync.Mutex
	pending []*shipment
	flying  sync.WaitGroup
}

func (o *outbox8) put(p *shipment) []*shipment {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.pending = append(o.pending, p)
	return o.ship()
}

func (o *outbox8) ship() []*shipment {
	batch := o.pending
	if len(batch) < 2 {
		return batch
	}
	o.pending = nil
	o.flying.Add(1)
	go func() {
		defer o.flying.Done()
		for _, p := range batch {
			p.n++ // race! _.n
		}
	}()
	return nil
}

// BQ9: one function puts it there twice.
func BQ9_twiceByOne() {
	o := &outbox9{}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			o.put(&shipment{})
			o.drain()
		})
	}
	wg.Wait()
}

type outbox9 struct {
	mu      sync.Mutex
	pending []*shipment
}

func (o *outbox9) put(p *shipment) {
	o.mu.Lock()
	o.pending = append(o.pending, p)
	o.mu.Unlock()
	o.mu.Lock()
	o.pending = append(o.pending, p)
	o.mu.Unlock()
}

func (o *outbox9) drain() {
	o.mu.Lock()
	batch := o.pending
	o.pending = nil
	o.mu.Unlock()
	for _, p := range batch {
		p.n++ // race! _.n
	}
}

// BQ10: what many rounds make before is put there by each goroutine.
func BQ10_madeBefore() {
	o := &outbox10{}
	all := &shipment{}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			o.mu.Lock()
			o.pending = append(o.pending, all)
			o.mu.Unlock()
			o.drain()
		})
	}
	wg.Wait()
}

type outbox10 struct {
	mu      sync.Mutex
	pending []*shipment
}

func (o *outbox10) drain() {
	o.mu.Lock()
	batch := o.pending
	o.pending = nil
	o.mu.Unlock()
	for _, p := range batch {
		p.n++ // race! _.n
	}
}

// BQ11: one of the arguments of an append is not new.
func BQ11_oneOfTwo() {
	o := &outbox11{last: &shipment{}}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			o.mu.Lock()
			o.pending = append(o.pending, &shipment{}, o.last)
			o.mu.Unlock()
			o.drain()
		})
	}
	wg.Wait()
}

type outbox11 struct {
	mu      sync.Mutex
	pending []*shipment
	last    *shipment
}

func (o *outbox11) drain() {
	o.mu.Lock()
	batch := o.pending
	o.pending = nil
	o.mu.Unlock()
	for _, p := range batch {
		p.n++ // race! _.n
	}
}

// BQ12: it is taken away once there is enough of it.
func BQ12_onceThereIsEnough() {
	b := &fullBatch{max: 3}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { b.add12(batchLine{n: i}) })
	}
	wg.Wait()
}

type batchLine struct{ n, sent int }

type fullBatch struct {
	mu    sync.Mutex
	lines []batchLine
	max   int
}

func (b *fullBatch) add12(x batchLine) {
	b.mu.Lock()
	b.lines = append(b.lines, x) // norace
	var full []batchLine
	if len(b.lines) >= b.max {
		full, b.lines = b.lines, nil
	}
	b.mu.Unlock()
	for i := range full {
		full[i].sent++ // norace
	}
}

// BQ13: it is not taken away whenever it is sent.
func BQ13_sentWhereItLies() {
	b := &sentBatch{max: 3}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { b.add13(batchLine{n: i}, i > 2) })
	}
	wg.Wait()
}

type sentBatch struct {
	mu    sync.Mutex
	lines []batchLine
	max   int
}

func (b *sentBatch) add13(x batchLine, empty bool) {
	b.mu.Lock()
	b.lines = append(b.lines, x) // race! _[*].sent
	var full []batchLine
	if len(b.lines) >= b.max {
		full = b.lines
		if empty {
			b.lines = nil
		}
	}
	b.mu.Unlock()
	for i := range full {
		full[i].sent++ // race! _[*].sent
	}
}
