package heap

import (
	"runtime"
	"sync"
)

// store holds what iterations found, for other iterations.
type store struct {
	mu    sync.Mutex
	lists map[int][]int
	last  *page
}

type page struct {
	words []int
	count int
	next  *page
}

func (s *store) put(k int, list []int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lists[k] = list
}

func (s *store) get(k int) []int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.lists[k]
}

// squares builds a list and hands it on when it is complete.
func squares(k int) []int {
	out := []int{}
	for i := range k {
		if i%2 == 0 {
			out = append(out, i*i) // assumed _[*]
		} else {
			out = append(out, i) // assumed _[*]
		}
	}
	return out
}

// Y1: what an iteration puts into the store it has built before.
func Y1_builtThenShared() {
	s := &store{lists: map[int][]int{}}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			sum := 0
			for _, v := range s.get(i / 2) { // assumed _[*]
				sum += v
			}
			list := squares(i)
			if len(list) > 3 {
				list[0] = sum // assumed _[*]
			}
			s.put(i/2, list)
		})
	}
	wg.Wait()
}

// Y1b: the list grows after it was shared.
func Y1b_changedAfterSharing() {
	s := &store{lists: map[int][]int{}}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			sum := 0
			for _, v := range s.get(i / 2) { // race! _[*]
				sum += v
			}
			list := make([]int, 4)
			s.put(i/2, list)
			list[0] = sum // race! list[*]
		})
	}
	wg.Wait()
}

// Y2: each round makes a page, fills it and shares it, and does not touch it again.
func Y2_sharedInEachRound() {
	s := &store{}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			for k := range n {
				p := &page{}
				p.count = k // assumed p.count
				if k > 3 {
					p.count++ // assumed p.count
				}
				s.mu.Lock()
				sum := 0
				if s.last != nil {
					sum = s.last.count // assumed p.count
				}
				p.words = append(p.words, sum) // norace
				s.last = p
				s.mu.Unlock()
			}
		})
	}
	wg.Wait()
}

// Y2b: the page of the round before is touched again.
func Y2b_pageOfTheRoundBefore() {
	s := &store{}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			var prev *page
			for k := range n {
				p := &page{}
				if prev != nil {
					prev.count = k // race! p.count
				}
				s.mu.Lock()
				if s.last != nil {
					k += s.last.count // race! p.count
				}
				s.last = p
				s.mu.Unlock()
				prev = p
			}
		})
	}
	wg.Wait()
}

// Y3: the function that makes the page keeps it too.
func Y3_keptByItsMaker() {
	s := &store{}
	fresh := func() *page {
		p := &page{}
		s.mu.Lock()
		s.last = p
		s.mu.Unlock()
		return p
	}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			s.mu.Lock()
			if s.last != nil {
				i += s.last.count // race! p.count
			}
			s.mu.Unlock()
			p := fresh()
			p.count = i // race! p.count
		})
	}
	wg.Wait()
}

// Y10: constructors that call methods.
func Y10_builtByMethods() {
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			putBoard(i, newBoard(i))
			if b := getBoard(i + 1); b != nil {
				_ = len(b.cells) + b.size // assumed cells; assumed size
				_ = b.name                // assumed name
			}
		})
	}
	wg.Wait()
}

// A board is filled in by methods before anybody else can have it.
type board struct {
	cells []int
	size  int
	name  string
	peer  *board
}

func newBoard(k int) *board {
	b := &board{}
	b.init(k)
	b.fill()
	b.name = "board" // assumed name
	return b
}

func (b *board) init(k int) { b.size = k } // assumed size

func (b *board) fill() {
	if b.cells == nil {
		b.cells = make([]int, b.size) // assumed cells
	}
}

var boards struct {
	sync.Mutex
	all [n]*board
}

func putBoard(k int, b *board) {
	boards.Lock()
	boards.all[k%3] = b
	boards.Unlock()
}

func getBoard(k int) *board {
	boards.Lock()
	defer boards.Unlock()
	return boards.all[k%3]
}

// Y10b: the method comes after the sharing.
func Y10b_initAfterSharing() {
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			s := &sheet{}
			sheets.Lock()
			sheets.all[i%3] = s
			sheets.Unlock()
			s.init(i)
			sheets.Lock()
			t := sheets.all[(i+1)%3]
			sheets.Unlock()
			if t != nil {
				_ = t.size // race! size
			}
		})
	}
	wg.Wait()
}

// A sheet's method is called when others may have the sheet already.
type sheet struct{ size int }

func (s *sheet) init(k int) { s.size = k } // race! size

var sheets struct {
	sync.Mutex
	all [n]*sheet
}

// Y10c: the method hands the object on.
func Y10c_sharedByMethod() {
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			s := &slip{}
			s.publish(i)
			slips.Lock()
			t := slips.all[(i+1)%3]
			slips.Unlock()
			if t != nil {
				_ = t.size // race! size
			}
		})
	}
	wg.Wait()
}

// A slip's method shares it, and goes on with it.
type slip struct{ size int }

func (s *slip) publish(k int) {
	slips.Lock()
	slips.all[k%3] = s
	slips.Unlock()
	runtime.Gosched()
	s.size = k // race! size
}

var slips struct {
	sync.Mutex
	all [n]*slip
}

// Y10d: the object goes by two names.
func Y10d_twoNames() {
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			c := &card{}
			register(c, c, i)
			cards.Lock()
			t := cards.all[(i+1)%3]
			cards.Unlock()
			if t != nil {
				_ = t.size // race! size
			}
		})
	}
	wg.Wait()
}

// A card comes as two arguments, of which one is handed on.
type card struct{ size int }

func register(keep, c *card, k int) {
	cards.Lock()
	cards.all[k%3] = keep
	cards.Unlock()
	runtime.Gosched()
	c.size = k // race! size
}

var cards struct {
	sync.Mutex
	all [n]*card
}

// Y10e: a deferred call comes after the sharing.
func Y10e_deferred() {
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			f := &form{}
			defer f.close(i)
			forms.Lock()
			forms.all[i%3] = f
			t := forms.all[(i+1)%3]
			forms.Unlock()
			runtime.Gosched()
			if t != nil {
				_ = t.size // race! size
			}
		})
	}
	wg.Wait()
}

// A form is set by a method that is called at the end.
type form struct{ size int }

func (f *form) close(k int) { f.size = k } // race! size

var forms struct {
	sync.Mutex
	all [n]*form
}

// Y10f: a goroutine hands the object on.
func Y10f_goroutineShares() {
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			m := &memo{}
			m.start()
			for range 5 {
				runtime.Gosched()
			}
			m.set(i)
			memos.Lock()
			t := memos.all[0]
			memos.Unlock()
			if t != nil {
				_ = t.size // race! size
			}
		})
	}
	wg.Wait()
}

// A memo's method starts a goroutine that has it.
type memo struct{ size int }

func (m *memo) start() {
	go func() {
		memos.Lock()
		memos.all[0] = m
		memos.Unlock()
	}()
}

func (m *memo) set(k int) { m.size = k } // race! size

var memos struct {
	sync.Mutex
	all [n]*memo
}

// Y40: a constructor sets fields of what its goroutines capture and what it returns;
// another call makes another one.
func Y40_capturedAndReturned() {
	for i := range n {
		newRunner(i).stop()
	}
	r := newRunner(1)
	newRunner(2)
	r.stop()
}

type runner struct {
	size int
	work chan int
	done chan bool
	name string
	end  sync.WaitGroup
}

func newRunner(k int) *runner {
	r := &runner{work: make(chan int, k)}
	r.size = k            // norace
	r.name = runtime.GOOS // norace
	r.end.Add(1)
	for range k {
		go func() {
			r.run(k)
			r.end.Done()
		}()
	}
	go func() {
		r.finish(r.done)
		r.end.Done()
	}()
	return r
}

func (r *runner) run(k int) {
	for range r.work {
		if r.name == "" { // norace
			return
		}
	}
}

func (r *runner) finish(done chan bool) {
	println(r.size, r.name) // norace
}

func (r *runner) stop() { r.end.Wait() }

// Y40b: it sets one when a goroutine runs.
func Y40b_setBesideGoroutine() {
	for i := range n {
		startRunner(i)
	}
	startRunner(n)
}

func startRunner(k int) *runner {
	r := &runner{}
	go func() { r.begin() }()
	r.name = runtime.GOOS // race! r.name
	return r
}

func (r *runner) begin() { println(r.name) } // race! r.name

// Y40c: all have one, which the first call has made and returned.
func Y40c_madeOnce() {
	for i := range n {
		onlyRunner(i)
	}
}

var theRunner *runner

func onlyRunner(k int) *runner {
	r := &runner{}
	if theRunner != nil {
		r = theRunner
	} else {
		theRunner = r
	}
	r.name = runtime.GOOS // race! r.name
	go func() { r.begins() }()
	return r
}

func (r *runner) begins() { println(r.name) } // race! r.name

type session struct {
	limit, level int
}

type sessions struct {
	mu sync.Mutex
	m  map[int]*session
}

func (t *sessions) find(id int) *session {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.m[id]
}

func (t *sessions) put(id int, s *session) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.m[id] = s
}

// Y41: a variable that a function captures later holds what was found, or what is made and
// filled where nothing was.
func Y41_filledWhereNone() {
	t := &sessions{m: map[int]*session{}}
	for i := range n {
		go func() {
			var s *session
			if s = t.find(i); s == nil {
				s = &session{}
				s.limit = i // norace
				t.put(i, s)
			}
			defer func() { println(s.limit) }() // norace
		}()
	}
}

// Y41b: it is filled when it lies in the table.
func Y41b_filledLate() {
	t := &sessions{m: map[int]*session{}}
	for i := range n {
		go func() {
			var s *session
			if s = t.find(i); s == nil {
				s = &session{}
				t.put(i, s)
				s.limit = i // race! s.limit
			}
			defer func() { println(s.limit) }() // race! s.limit
		}()
	}
}

// Y41c: it goes to the table by another name.
func Y41c_byAnotherName() {
	t := &sessions{m: map[int]*session{}}
	for i := range n {
		go func() {
			var s *session
			if s = t.find(i); s == nil {
				s = &session{}
				x := s
				t.put(i, x)
				x.limit = i // race! s.limit
			}
			defer func() { println(s.limit) }() // race! s.limit
		}()
	}
}

// Y41d: so does what was found, which is filled anew.
func Y41d_foundFilled() {
	t := &sessions{m: map[int]*session{}}
	for i := range n {
		go func() {
			var s *session
			if s = t.find(i); s == nil {
				s = &session{}
				t.put(i, s)
			}
			s.level = i                         // race! s.level
			defer func() { println(s.level) }() // race! s.level
		}()
	}
}

// Y41e: who is given the variable's address puts what it holds into the table.
func Y41e_byItsAddress() {
	t := &sessions{m: map[int]*session{}}
	for i := range n {
		go func() {
			var s *session
			if s = t.find(i); s == nil {
				s = &session{}
				t.putFrom(i, &s)
				s.limit = i // race! s.limit
			}
		}()
	}
}

// Y41f: so it does with a variable that holds nothing else.
func Y41f_newByItsAddress() {
	t := &sessions{m: map[int]*session{}}
	for i := range n {
		go func() {
			s := &session{}
			t.putFrom(i/2, &s)
			s.limit = i                                 // race! s.limit
			defer func() { println(t.find(i).limit) }() // race! s.limit
		}()
	}
}

func (t *sessions) putFrom(id int, s **session) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.m[id] = *s
}

// Y42: a part that the object is made with is filled, in place and by a method, before the
// object is put where others find it.
func Y42_partFilled() {
	t := &tracks{m: map[int]*track{}}
	for i := range n {
		go func() {
			println(t.get(i / 2).mix.gain) // norace
		}()
	}
}

type tracks struct {
	mu sync.Mutex
	m  map[int]*track
}

type track struct{ mix *mix }

type mix struct{ gain int }

func (m *mix) tune(g int) error {
	m.gain = g // norace
	return nil
}

func (t *tracks) get(id int) *track {
	t.mu.Lock()
	defer t.mu.Unlock()
	x, ok := t.m[id]
	if !ok {
		x = &track{mix: &mix{}}
		x.mix.gain = 1 // norace
		if err := x.mix.tune(id); err != nil {
			return nil
		}
		t.m[id] = x
	}
	return x
}

// Y42b: it is filled when others may have found the object.
func Y42b_partFilledLate() {
	t := &lateTracks{m: map[int]*lateTrack{}}
	for i := range n {
		go func() {
			println(t.get(i / 2).mix.gain) // race! _.gain
		}()
	}
}

type lateTracks struct {
	mu sync.Mutex
	m  map[int]*lateTrack
}

type lateTrack struct{ mix *lateMix }

type lateMix struct{ gain int }

func (m *lateMix) tune(g int) {
	m.gain = g // race! _.gain
}

func (t *lateTracks) get(id int) *lateTrack {
	t.mu.Lock()
	x, ok := t.m[id]
	if !ok {
		x = &lateTrack{mix: &lateMix{}}
		t.m[id] = x
	}
	t.mu.Unlock()
	if !ok {
		x.mix.gain = 1 // race! _.gain
		x.mix.tune(id)
	}
	return x
}

// Y42c: the part is another one's.
func Y42c_partFound() {
	t := &sharedTracks{m: map[int]*sharedTrack{}, first: &sharedTrack{mix: &sharedMix{}}}
	for i := range n {
		go func() {
			println(t.get(i / 2).mix.gain) // race! _.gain
		}()
	}
}

type sharedTracks struct {
	mu    sync.Mutex
	m     map[int]*sharedTrack
	first *sharedTrack
}

type sharedTrack struct{ mix *sharedMix }

type sharedMix struct{ gain int }

func (m *sharedMix) tune(g int) {
	m.gain = g // race! _.gain
}

func (t *sharedTracks) get(id int) *sharedTrack {
	t.mu.Lock()
	defer t.mu.Unlock()
	x, ok := t.m[id]
	if !ok {
		x = &sharedTrack{mix: &sharedMix{}}
		x.mix = t.first.mix
		x.mix.gain = 1 // race! _.gain
		x.mix.tune(id)
		t.m[id] = x
	}
	return x
}
