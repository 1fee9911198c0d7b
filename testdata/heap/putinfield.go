package heap

import (
	"sync"
	"sync/atomic"
)

// What a method makes and puts into a field of its receiver is new as long as the receiver is: it may be filled, by the field, before
// the receiver is published.

type hostTable struct {
	hosts []string
	names map[string]int
}

type hostWatcher struct {
	current atomic.Pointer[hostTable]
	source  func() []string
	last    map[string]int
}

// MF1: the table is new where it is filled, whoever calls.
func MF1_filledThenPublished() {
	w := newHostWatcher1()
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			t := w.current.Load()
			_ = t.names["a"] // norace
		})
	}
	for range n {
		w.reload1()
	}
	wg.Wait()
}

func newHostWatcher1() *hostWatcher {
	w := &hostWatcher{source: func() []string { return []string{"a", "b"} }}
	w.reload1()
	return w
}

func (w *hostWatcher) reload1() {
	next := &hostTable{hosts: w.source()}
	next.index1()
	w.current.Store(next)
}

func (t *hostTable) index1() {
	t.names = make(map[string]int)
	for i, h := range t.hosts {
		t.names[h] = i // norace
	}
	t.seal1()
}

func (t *hostTable) seal1() { t.hosts = nil }

// MF2: the table is published before it is filled.
func MF2_filledAfter() {
	w := newHostWatcher2()
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			t := w.current.Load()
			_ = t.names["a"] // race! _.names _.names[*]
		})
	}
	for range n {
		w.reload2()
	}
	wg.Wait()
}

func newHostWatcher2() *hostWatcher {
	w := &hostWatcher{source: func() []string { return []string{"a", "b"} }}
	w.reload2()
	return w
}

func (w *hostWatcher) reload2() {
	next := &hostTable{hosts: w.source()}
	w.current.Store(next)
	next.index2()
}

func (t *hostTable) index2() {
	t.names = make(map[string]int) // race! _.names
	for i, h := range t.hosts {
		t.names[h] = i // race! t.names[*]
	}
}

// MF3: the method itself publishes the table, before it has filled it.
func MF3_publishedMeanwhile() {
	w := newHostWatcher3()
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			t := w.current.Load()
			_ = t.names["a"] // race! _.names[*]
		})
	}
	for range n {
		w.reload3()
	}
	wg.Wait()
}

func newHostWatcher3() *hostWatcher {
	w := &hostWatcher{source: func() []string { return []string{"a", "b"} }}
	w.reload3()
	return w
}

func (w *hostWatcher) reload3() {
	next := &hostTable{hosts: w.source()}
	next.index3(w)
}

func (t *hostTable) index3(w *hostWatcher) {
	t.names = make(map[string]int)
	w.current.Store(t)
	for i, h := range t.hosts {
		t.names[h] = i // race! t.names[*]
	}
}

// MF4: what is made is put elsewhere, too.
func MF4_putElsewhere() {
	w := newHostWatcher4()
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			_ = w.last["a"] // race! _.last _[*]
		})
	}
	for range n {
		w.reload4()
	}
	wg.Wait()
}

func newHostWatcher4() *hostWatcher {
	w := &hostWatcher{source: func() []string { return []string{"a", "b"} }}
	w.reload4()
	return w
}

func (w *hostWatcher) reload4() {
	next := &hostTable{hosts: w.source()}
	next.index4(w)
	w.current.Store(next)
}

func (t *hostTable) index4(w *hostWatcher) {
	m := make(map[string]int)
	t.names = m
	w.last = m // race! _.last
	for i, h := range t.hosts {
		t.names[h] = i // race! t.names[*]
	}
}

// MF5: it is taken out by the field.
func MF5_takenOut() {
	w := &hostWatcher{source: func() []string { return []string{"a", "b"} }}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			_ = w.last["a"] // race! _.last _[*]
		})
	}
	w.reload5()
	wg.Wait()
}

func (w *hostWatcher) reload5() {
	next := &hostTable{hosts: w.source()}
	next.index5(w)
	w.current.Store(next)
}

func (t *hostTable) index5(w *hostWatcher) {
	t.names = make(map[string]int)
	w.last = t.names // race! _.last
	for i, h := range t.hosts {
		t.names[h] = i // race! t.names[*]
	}
}

// MF6: it is taken out where the table has another name.
func MF6_otherName() {
	w := &hostWatcher{source: func() []string { return []string{"a", "b"} }}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			_ = w.last["a"] // race! _.last _[*]
		})
	}
	w.reload6()
	wg.Wait()
}

func (w *hostWatcher) reload6() {
	next := &hostTable{hosts: w.source()}
	next.index6(w)
	w.current.Store(next)
}

func (t *hostTable) index6(w *hostWatcher) {
	t.names = make(map[string]int)
	from := t
	if len(t.hosts) == 0 {
		from = &hostTable{}
	}
	w.last = from.names // race! _.last
	for i, h := range t.hosts {
		t.names[h] = i // race! t.names[*]
	}
}

// MF7: the table may have had one before, which others have.
func MF7_foundThere() {
	w := newHostWatcher7()
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			t := w.current.Load()
			_ = t.names["a"] // race! _.names[*]
		})
	}
	for range n {
		w.reload7()
	}
	wg.Wait()
}

func newHostWatcher7() *hostWatcher {
	w := &hostWatcher{source: func() []string { return []string{"a", "b"} }}
	w.reload7()
	return w
}

func (w *hostWatcher) reload7() {
	next := &hostTable{hosts: w.source()}
	if old := w.current.Load(); old != nil {
		next.names = old.names
	}
	next.index7()
	w.current.Store(next)
}

func (t *hostTable) index7() {
	if t.names == nil {
		t.names = make(map[string]int)
	}
	for i, h := range t.hosts {
		t.names[h] = i // race! t.names[*]
	}
}
