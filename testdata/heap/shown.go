package heap

import "sync"

// What is put where others find it, and used on: in each round something else, but what
// lies there is always the last.

// The table is stored before it is filled.
func SH1_storedBeforeFilled() {
	b := &noticeboard{}
	done := make(chan bool)
	go func() {
		for i := range n {
			m := map[int]int{}
			b.mu.Lock()
			b.table = m
			b.mu.Unlock()
			m[i] = i // race! b.table[*]
		}
		done <- true
	}()
	for i := range n {
		b.mu.Lock()
		m := b.table
		b.mu.Unlock()
		_ = m[i] // race! b.table[*]
	}
	<-done
}

type noticeboard struct {
	mu    sync.Mutex
	table map[int]int
}

// It is filled first.
func SH2_filledBeforeStored() {
	b := &noticeboard{}
	done := make(chan bool)
	go func() {
		for i := range n {
			m := map[int]int{}
			m[i] = i // norace
			b.mu.Lock()
			b.table = m
			b.mu.Unlock()
		}
		done <- true
	}()
	for i := range n {
		b.mu.Lock()
		m := b.table
		b.mu.Unlock()
		_ = m[i] // norace
	}
	<-done
}

// An entry is found by others before it is complete.
func SH3_entryBeforeComplete() {
	d := &directory{entries: map[int]*person{}}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { d.enter(i) })
		wg.Go(func() { d.look(i) })
	}
	wg.Wait()
}

type directory struct {
	mu      sync.Mutex
	entries map[int]*person
}

type person struct{ age int }

func (d *directory) enter(i int) {
	p := &person{}
	d.mu.Lock()
	d.entries[i/2] = p
	d.mu.Unlock()
	p.age = i // race! _.age
}

func (d *directory) look(i int) {
	d.mu.Lock()
	p := d.entries[i]
	d.mu.Unlock()
	if p != nil {
		_ = p.age // race! _.age
	}
}

// Each worker has a directory of its own.
func SH4_ownPlace() {
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			d := &directory{entries: map[int]*person{}}
			p := &person{}
			d.entries[i] = p
			p.age = i // norace
			d.look(i)
		})
	}
	wg.Wait()
}

// The lock is held until it is complete.
func SH5_completeUnderLock() {
	d := &staff{entries: map[int]*person{}}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { d.enter(i) })
		wg.Go(func() { d.look(i) })
	}
	wg.Wait()
}

type staff struct {
	mu      sync.Mutex
	entries map[int]*person
}

func (d *staff) enter(i int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	p := &person{}
	d.entries[i/2] = p
	p.age = i // norace
}

func (d *staff) look(i int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if p := d.entries[i]; p != nil {
		_ = p.age // norace
	}
}

// The variable that others find it by is set anew before it is used on: what lies there
// is another one, but they may have found it before.
func SH6_replaced() {
	var mu sync.Mutex
	var current *person
	done := make(chan bool)
	go func() {
		for i := range n {
			p := &person{}
			mu.Lock()
			old := current
			current = p
			mu.Unlock()
			if old != nil {
				old.age = i // race! current.age
			}
		}
		done <- true
	}()
	for range n {
		mu.Lock()
		p := current
		mu.Unlock()
		if p != nil {
			_ = p.age // race! current.age
		}
	}
	<-done
}
