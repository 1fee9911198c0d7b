package channel

// Programs about channels whose places, or whose content, goroutines are given and give
// back, and loops that wait for them by taking all.

// SL1: who has filled the channel has waited for all.
func SL1_fillsIt(tasks []int, width int) int {
	sem := make(chan struct{}, width)
	out := make([]int, len(tasks))
	for i, t := range tasks {
		if t == 0 {
			continue
		}
		sem <- struct{}{}
		go func() {
			defer func() { <-sem }()
			out[i] = t // norace
		}()
	}
	for i := 0; i < cap(sem); i++ {
		sem <- struct{}{}
	}
	sum := 0
	for _, v := range out { // norace
		sum += v
	}
	return sum
}

// SL1b: one place is left.
func SL1b_leavesOne(tasks []int) int {
	sem := make(chan struct{}, 4)
	out := make([]int, len(tasks))
	for i, t := range tasks {
		if t == 0 {
			continue
		}
		sem <- struct{}{}
		go func() {
			defer func() { <-sem }()
			out[i] = t // race! out[*]
		}()
	}
	for i := 0; i < cap(sem)-1; i++ {
		sem <- struct{}{}
	}
	sum := 0
	for _, v := range out { // race! out[*]
		sum += v
	}
	return sum
}

// SL2: as many rounds as the channel was made with.
func SL2_asManyRounds(in chan int, width int) []int {
	sem := make(chan struct{}, width)
	var out []*int
	for v := range in {
		p := new(int)
		out = append(out, p)
		sem <- struct{}{}
		go func() {
			*p = v // norace
			<-sem
		}()
	}
	for range width {
		sem <- struct{}{}
	}
	var all []int
	for _, p := range out {
		all = append(all, *p) // norace
	}
	return all
}

// SL2b: the place is given back too early.
func SL2b_givenBackEarly(in chan int, width int) []int {
	sem := make(chan struct{}, width)
	var out []*int
	for v := range in {
		p := new(int)
		out = append(out, p)
		sem <- struct{}{}
		go func() {
			<-sem
			*p = v // race! p
		}()
	}
	for range width {
		sem <- struct{}{}
	}
	var all []int
	for _, p := range out {
		all = append(all, *p) // race! p
	}
	return all
}

// SL3: the goroutine takes its place itself. If that is when all are taken, it never has one.
func SL3_takesItItself(in chan int, width int) []int {
	sem := make(chan struct{}, width)
	var out []*int
	for v := range in {
		p := new(int)
		out = append(out, p)
		go func() {
			sem <- struct{}{}
			*p = v // norace
			<-sem
		}()
	}
	for range width {
		sem <- struct{}{}
	}
	var all []int
	for _, p := range out {
		all = append(all, *p) // norace
	}
	return all
}

// SL3b: it may have one when all are given back.
func SL3b_takesItItself(in chan int, width int) []int {
	sem := make(chan struct{}, width)
	var out []*int
	for v := range in {
		p := new(int)
		out = append(out, p)
		go func() {
			sem <- struct{}{}
			*p = v // race! p
			<-sem
		}()
	}
	for range width {
		sem <- struct{}{}
	}
	for range width {
		<-sem
	}
	var all []int
	for _, p := range out {
		all = append(all, *p) // race! p
	}
	return all
}

// SL4b: somebody gives back what he does not have.
func SL4b_givesBackAnothers(in chan int, width int) []int {
	sem := make(chan struct{}, width)
	var out []*int
	for v := range in {
		p := new(int)
		out = append(out, p)
		sem <- struct{}{}
		if v < 0 {
			<-sem
			<-sem
			continue
		}
		go func() {
			*p = v // race! p
			<-sem
		}()
	}
	for range width {
		sem <- struct{}{}
	}
	var all []int
	for _, p := range out {
		all = append(all, *p) // race! p
	}
	return all
}

// SL5b: one goroutine for two places, one of two.
func SL5b_startedWithout(in chan int, width int) []int {
	sem := make(chan struct{}, width)
	var out []*int
	for v := range in {
		p := new(int)
		out = append(out, p)
		if v > 0 {
			sem <- struct{}{}
		}
		go func() {
			*p = v // race! p
			<-sem
		}()
	}
	for range width {
		sem <- struct{}{}
	}
	var all []int
	for _, p := range out {
		all = append(all, *p) // race! p
	}
	return all
}

// SL6: a channel is filled with tickets, and they are all taken out of it.
func SL6_tickets() int {
	x := 0
	o := newOffice(n)
	o.do(func() { x = 1 }) // norace
	o.wait()
	return x // norace
}

type office struct {
	limit   int
	tickets chan int
}

func newOffice(limit int) *office {
	o := &office{limit: limit, tickets: make(chan int, limit)}
	for i := 0; i < o.limit; i++ {
		o.tickets <- i
	}
	return o
}

func (o *office) do(job func()) {
	ticket, open := <-o.tickets
	if !open {
		return
	}
	go func() {
		defer func() { o.tickets <- ticket }()
		job()
	}()
}

func (o *office) wait() {
	for i := 0; i < o.limit; i++ {
		<-o.tickets
	}
	close(o.tickets)
}

// SL6b: without a ticket the job is done all the same.
func SL6b_withoutTicket() int {
	x := 0
	o := newHastyOffice(n)
	o.do(func() { x = 1 }) // race! x
	o.wait()
	return x // race! x
}

type hastyOffice struct {
	limit   int
	tickets chan int
}

func newHastyOffice(limit int) *hastyOffice {
	o := &hastyOffice{limit: limit, tickets: make(chan int, limit)}
	for i := 0; i < o.limit; i++ {
		o.tickets <- i
	}
	return o
}

func (o *hastyOffice) do(job func()) {
	select {
	case ticket := <-o.tickets:
		go func() {
			defer func() { o.tickets <- ticket }()
			job()
		}()
	default:
		go job()
	}
}

func (o *hastyOffice) wait() {
	for i := 0; i < o.limit; i++ {
		<-o.tickets
	}
}

// SL7b: nobody takes the places back. The loop that takes them gives them to goroutines.
func SL7b_neverTakenBack() int {
	sem := make(chan struct{}, 4)
	out := make([]int, 2*n)
	for i := range out {
		sem <- struct{}{}
		go func() {
			defer func() { <-sem }()
			out[i] = i // race! out[*]
		}()
	}
	sum := 0
	for _, v := range out { // race! out[*]
		sum += v
	}
	return sum
}

// SL7c: who gives up has not taken all.
func SL7c_givesUp(stop chan bool) int {
	sem := make(chan struct{}, 4)
	out := make([]int, 2*n)
	for i := range out {
		sem <- struct{}{}
		go func() {
			defer func() { <-sem }()
			out[i] = i // race! out[*]
		}()
	}
	for range 4 {
		select {
		case sem <- struct{}{}:
		case <-stop:
		}
	}
	sum := 0
	for _, v := range out { // race! out[*]
		sum += v
	}
	return sum
}

// SL8: the width is kept in a field beside the channel; which it is, is taken on trust (S78).
func SL8_widthInField() {
	c := newCrawler(n)
	for i := range 2 * n {
		c.fetch(i)
	}
	for i := 0; i < c.width; i++ {
		c.sem <- struct{}{}
	}
	for _, p := range c.pages {
		_ = p.links // assumed links
	}
}

// SL8b: the loop begins with one.
func SL8b_oneTooFew() {
	c := newCrawler(n)
	for i := range 2 * n {
		c.fetchTo(i)
	}
	for i := 1; i < c.width; i++ {
		c.sem <- struct{}{}
	}
	for _, p := range c.pages {
		_ = p.words // race! words
	}
}

type crawled struct{ links, words int }

type crawler struct {
	sem   chan struct{}
	width int
	pages []*crawled
}

func newCrawler(width int) *crawler {
	return &crawler{sem: make(chan struct{}, width), width: width}
}

func (c *crawler) fetch(i int) {
	p := &crawled{}
	c.pages = append(c.pages, p)
	c.sem <- struct{}{}
	go func() {
		defer func() { <-c.sem }()
		p.links = i // assumed links
	}()
}

func (c *crawler) fetchTo(i int) {
	p := &crawled{}
	c.pages = append(c.pages, p)
	c.sem <- struct{}{}
	go func() {
		defer func() { <-c.sem }()
		p.words = i // race! words
	}()
}

// SL9: the callers say how many tickets there are, and how many are taken back.
func SL9_drained() {
	o := openGate(6)
	out := make([]int, 20)
	for i := range out {
		o.run(func() { out[i] = i }) // norace
	}
	o.drain(6)
	_ = out[0] // norace
}

type gate struct{ tickets chan int }

func openGate(width int) *gate {
	o := &gate{make(chan int, width)}
	for i := range width {
		o.tickets <- i
	}
	return o
}

func (o *gate) run(f func()) {
	t := <-o.tickets
	go func() { f(); o.tickets <- t }()
}

func (o *gate) drain(k int) {
	for range k {
		<-o.tickets
	}
}

// SL9b: half of them.
func SL9b_halfDrained() {
	o := openWideGate(6)
	out := make([]int, 20)
	for i := range out {
		o.run(func() { out[i] = i }) // race! out[*]
	}
	o.drain(3)
	_ = out[0] // race! out[*]
}

type wideGate struct{ tickets chan int }

func openWideGate(width int) *wideGate {
	o := &wideGate{make(chan int, width)}
	for i := range width {
		o.tickets <- i
	}
	return o
}

func (o *wideGate) run(f func()) {
	t := <-o.tickets
	go func() { f(); o.tickets <- t }()
}

func (o *wideGate) drain(k int) {
	for range k {
		<-o.tickets
	}
}

// SL10: who takes the only place has waited for who was started with it.
func SL10_onlyPlace(in chan int) {
	d, done := &leaf{}, make(chan bool)
	go func() {
		pending := make(chan struct{}, 1)
		for x := range in {
			pending <- struct{}{}
			go func() {
				d.n += x // norace
				<-pending
			}()
		}
		pending <- struct{}{}
		d.n++ // norace
		<-pending
		close(done)
	}()
	<-done
	d.n++ // norace
}

type leaf struct{ n int }

// SL10b: one of two places is free before the last goroutine has given back its own.
func SL10b_twoPlaces(in chan int) {
	d, done := &twoLeaves{}, make(chan bool)
	go func() {
		pending := make(chan struct{}, 2)
		for x := range in {
			pending <- struct{}{}
			go func() {
				d.n += x // race! d.n
				<-pending
			}()
		}
		pending <- struct{}{}
		<-pending
		close(done)
	}()
	<-done
	d.n++ // race! d.n
}

type twoLeaves struct{ n int }

// SL10c: some give the place back before they write.
func SL10c_givenBackBefore(in chan int) {
	d, done := &earlyLeaf{}, make(chan bool)
	go func() {
		pending := make(chan struct{}, 1)
		for x := range in {
			pending <- struct{}{}
			go func() {
				if x > 3 {
					<-pending
					d.add(x)
					return
				}
				d.add(x)
				<-pending
			}()
		}
		pending <- struct{}{}
		<-pending
		close(done)
	}()
	<-done
	d.n++ // race! d.n
}

type earlyLeaf struct{ n int }

func (d *earlyLeaf) add(x int) {
	d.n += x // race! d.n
}

// SL10d: what is started with a place, and what is started without one, gives one back.
func SL10d_oneWithout(in chan int) {
	d, done := &spareLeaf{}, make(chan bool)
	go func() {
		pending := make(chan struct{}, 1)
		for x := range in {
			pending <- struct{}{}
			go func() {
				d.n += x // race! d.n
				<-pending
			}()
			go func() { <-pending }()
		}
		pending <- struct{}{}
		close(done)
	}()
	<-done
	d.n++ // race! d.n
}

type spareLeaf struct{ n int }

// SL10e: each round has a place of its own.
func SL10e_placeOfRound(in chan int) {
	d, done := &roundLeaf{}, make(chan bool)
	go func() {
		for x := range in {
			pending := make(chan struct{}, 1)
			pending <- struct{}{}
			go func() {
				d.n += x // race! d.n
				<-pending
			}()
			if x > 3 {
				pending <- struct{}{}
				break
			}
		}
		close(done)
	}()
	<-done
	d.n++ // race! d.n
}

type roundLeaf struct{ n int }
