package heap

import "sync"

// What a run of a function has made, has its goroutines fill, and returns in something else that it has made.

type rowSheet struct{ rows []int }

func (s *rowSheet) sum() (n int) {
	for _, r := range s.rows { // race! s.rows[*]
		n += r
	}
	return n
}

// KR1_returned returns when one has failed, and waits for the others otherwise.
func KR1_returned(n int) {
	for range n {
		s, _ := fillSheet(n)
		s.sum()
	}
}

func fillSheet(n int) (*rowSheet, error) {
	s := &rowSheet{rows: make([]int, n)}
	errs := make(chan error, n)
	var wg sync.WaitGroup
	for i := range n {
		wg.Add(1)
		go func() {
			defer wg.Done()
			if i == 3 {
				errs <- nil
			}
			s.rows[i] = i // race! s.rows[*]
		}()
	}
	go func() {
		wg.Wait()
		close(errs)
	}()
	for err := range errs {
		return s, err
	}
	return s, nil
}

// KR2_waited waits for all.
func KR2_waited(n int) {
	for range n {
		fillWaited(n).sum()
	}
}

type waitedSheet struct{ rows []int }

func (s *waitedSheet) sum() (n int) {
	for _, r := range s.rows { // norace
		n += r
	}
	return n
}

func fillWaited(n int) *waitedSheet {
	s := &waitedSheet{rows: make([]int, n)}
	var wg sync.WaitGroup
	for i := range n {
		wg.Add(1)
		go func() {
			defer wg.Done()
			s.rows[i] = i // norace
		}()
	}
	wg.Wait()
	return s
}

// KR3_oneOfMany returns the one of several that no goroutine has.
func KR3_oneOfMany(n int) {
	for range n {
		fillOthers(n).sum()
	}
}

type firstSheet struct{ rows []int }

func (s *firstSheet) sum() (n int) {
	for _, r := range s.rows { // norace
		n += r
	}
	return n
}

func fillOthers(n int) *firstSheet {
	var first []int
	for i := range n {
		rows := make([]int, n)
		if i == 0 {
			first = rows
			continue
		}
		go func() { rows[0] = i }() // norace
	}
	return &firstSheet{rows: first}
}

// KR4_countedLate waits too early, as nobody may have counted yet.
func KR4_countedLate() (n int) {
	for i := range 4 {
		c := newPageCrawl()
		c.run(i)
		n += c.pages()
	}
	return n
}

var pageLinks [][]int

// A pageCrawl is made anew for each page, and follows them in goroutines that start others.
type pageCrawl struct {
	wg   sync.WaitGroup
	mu   sync.Mutex
	seen map[int]bool
}

func newPageCrawl() *pageCrawl { return &pageCrawl{seen: map[int]bool{}} }

func (c *pageCrawl) mark(k int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.seen[k] = true // race! c.seen[*]
}

// visit counts itself when it runs already.
func (c *pageCrawl) visit(k int) {
	c.wg.Add(1)
	defer c.wg.Done()
	c.mark(k)
	for _, i := range pageLinks[k] {
		go c.visit(i)
	}
}

func (c *pageCrawl) run(ks ...int) {
	for _, k := range ks {
		c.visit(k)
	}
	c.wg.Wait()
}

func (c *pageCrawl) pages() int { return len(c.seen) } // race! c.seen[*]

// KR5_countedBefore waits for all.
func KR5_countedBefore() (n int) {
	for i := range 4 {
		c := newToldCrawl()
		c.run(i)
		n += c.pages()
	}
	return n
}

// A toldCrawl is counted before it is started.
type toldCrawl struct {
	wg   sync.WaitGroup
	mu   sync.Mutex
	seen map[int]bool
}

func newToldCrawl() *toldCrawl { return &toldCrawl{seen: map[int]bool{}} }

func (c *toldCrawl) mark(k int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.seen[k] = true // norace
}

func (c *toldCrawl) visit(k int) {
	defer c.wg.Done()
	c.mark(k)
	for _, i := range pageLinks[k] {
		c.wg.Add(1)
		go c.visit(i)
	}
}

func (c *toldCrawl) run(ks ...int) {
	for _, k := range ks {
		c.wg.Add(1)
		c.visit(k)
	}
	c.wg.Wait()
}

func (c *toldCrawl) pages() int { return len(c.seen) } // norace

// KR6_another waits for the first one only.
func KR6_another() (n int) {
	for i := range 4 {
		seen := map[int]bool{}
		c := newSubCrawl(new(sync.Mutex), seen)
		c.visit(i)
		c.wg.Wait()
		n += len(seen) // race! seen[*]
	}
	return n
}

// A subCrawl has another one for what lies below, and the map with it.
type subCrawl struct {
	wg   sync.WaitGroup
	mu   *sync.Mutex
	seen map[int]bool
}

func newSubCrawl(mu *sync.Mutex, seen map[int]bool) *subCrawl { return &subCrawl{mu: mu, seen: seen} }

func (c *subCrawl) visit(k int) {
	c.wg.Add(1)
	go func() {
		defer c.wg.Done()
		c.mu.Lock()
		defer c.mu.Unlock()
		c.seen[k] = true // race! seen[*]
	}()
	if k > 0 {
		newSubCrawl(c.mu, c.seen).visit(k - 1)
	}
}
