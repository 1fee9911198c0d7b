package lock

import "sync"

// A text is written by so many calls that the pairs of them are too many to look
// at one by one; each of those on the chronicle's has the chronicle's lock, and those on
// texts of one goroutine's own have none.
func WR1_manyCallers() {
	j := &chronicle{prose: new(prose)}
	for i := range n {
		go func() {
			own := new(prose)
			own.add("a")
			own.add("b")
			own.line("c")
			j.record(i)
			j.note(i)
		}()
	}
}

type prose struct {
	buf  []byte
	size int
}

func (t *prose) add(s string) {
	t.size += len(s)
	t.put(s)
}

func (t *prose) line(s string) {
	t.put(s)
	t.put("\n")
}

func (t *prose) put(s string) {
	t.size++
	for i := range len(s) {
		t.push(s[i])
	}
}

func (t *prose) push(b byte) { t.buf = append(t.buf, b) }

type chronicle struct {
	mu    sync.Mutex
	prose *prose
}

func (j *chronicle) record(i int) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.prose.add("at ")
	j.prose.add("this ")
	j.prose.line("time ")
	if i > 2 {
		j.prose.add("more ")
		j.prose.line("than ")
		j.prose.add("two ")
	}
	j.prose.line("rounds")
}

func (j *chronicle) note(i int) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.prose.line("note ")
	j.prose.add("well ")
	j.prose.add("that ")
	if i > 4 {
		j.prose.line("rounds ")
		j.prose.add("are ")
	}
	j.prose.line("numbered")
}

// The same, but that one of the calls is without the lock.
func WR2_oneWithout() {
	d := &diary{page: new(page)}
	for i := range n {
		go func() {
			own := new(page)
			own.add("a")
			own.add("b")
			d.record(i)
			d.close()
		}()
	}
}

type page struct {
	buf  []byte
	size int
}

func (t *page) add(s string) {
	t.size += len(s) // race! size
	t.put(s)
}

func (t *page) line(s string) {
	t.put(s)
	t.put("\n")
}

func (t *page) put(s string) {
	t.size++ // race! size
	for i := range len(s) {
		t.push(s[i])
	}
}

func (t *page) push(b byte) { t.buf = append(t.buf, b) } // race! buf

type diary struct {
	mu   sync.Mutex
	page *page
}

func (d *diary) record(i int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.page.add("at ")
	d.page.add("this ")
	d.page.line("time ")
	if i > 2 {
		d.page.add("more ")
		d.page.line("than ")
		d.page.add("two ")
	}
	d.page.line("rounds")
}

func (d *diary) close() { d.page.add("end") }
