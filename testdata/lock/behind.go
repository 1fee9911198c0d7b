package lock

import (
	"container/heap"
	"sync"
)

// A pool of entries, each table with its own, by key and by use.
type useTable struct {
	mu    sync.Mutex
	byKey map[int]*entryOf
	order byUse
}

type entryOf struct{ key, uses, index int }

type byUse []*entryOf

func (q byUse) Len() int           { return len(q) }
func (q byUse) Less(i, j int) bool { return q[i].uses < q[j].uses } // norace
func (q byUse) Swap(i, j int) {
	q[i], q[j] = q[j], q[i]       // norace
	q[i].index, q[j].index = i, j // norace
}
func (q *byUse) Push(x any) {
	e := x.(*entryOf)
	e.index = len(*q) // norace
	*q = append(*q, e)
}
func (q *byUse) Pop() any {
	old := *q
	e := old[len(old)-1] // norace
	*q = old[:len(old)-1]
	return e
}

func (t *useTable) use(k int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	e, ok := t.byKey[k] // norace
	if !ok {
		e = &entryOf{key: k}
		t.byKey[k] = e // norace
		heap.Push(&t.order, e)
	}
	e.uses++ // norace
	heap.Fix(&t.order, e.index)
	if len(t.order) > 100 {
		old := heap.Pop(&t.order).(*entryOf)
		delete(t.byKey, old.key) // norace
	}
}

// The entries of a table are guarded by its lock, by whatever way they are found.
func BH1_entriesOfTables() {
	var ts []*useTable
	for range n {
		ts = append(ts, &useTable{byKey: map[int]*entryOf{}})
	}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			ts[i/2].use(i)
			ts[(i+1)%n].use(i)
		})
	}
	wg.Wait()
}

// One entry that two tables have is guarded by neither lock.
func BH1b_entryOfAll() {
	var ts []*openTable
	one := &openEntry{}
	for range n {
		ts = append(ts, &openTable{byKey: map[int]*openEntry{0: one}})
	}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { ts[i].use(0) })
	}
	wg.Wait()
}

type openTable struct {
	mu    sync.Mutex
	byKey map[int]*openEntry
}

type openEntry struct{ uses int }

func (t *openTable) use(k int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	e, ok := t.byKey[k]
	if !ok {
		e = &openEntry{}
		t.byKey[k] = e
	}
	e.uses++ // race! uses
}

// The entry is looked up in one table, and used under the lock of another one.
func BH1c_otherTablesLock() {
	var ts []*wrongTable
	for range n {
		ts = append(ts, &wrongTable{byKey: map[int]*wrongEntry{}})
	}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { ts[i].count(ts[(i+1)%n], i) })
	}
	wg.Wait()
}

type wrongTable struct {
	mu    sync.Mutex
	byKey map[int]*wrongEntry
}

type wrongEntry struct{ uses int }

func (t *wrongTable) count(from *wrongTable, k int) {
	e := from.get(k)
	t.mu.Lock()
	e.uses++ // race! uses
	t.mu.Unlock()
}

func (t *wrongTable) get(k int) *wrongEntry {
	t.mu.Lock()
	defer t.mu.Unlock()
	e, ok := t.byKey[k]
	if !ok {
		e = &wrongEntry{}
		t.byKey[k] = e
	}
	return e
}

// What is found through the table is also in a list that has no lock.
func BH1d_listBesideTables() {
	var ts []*listedTable
	for range n {
		ts = append(ts, &listedTable{byKey: map[int]*listedEntry{}})
	}
	all := make([]*listedEntry, 2*n)
	for i := range all {
		all[i] = &listedEntry{}
		ts[i%n].byKey[i] = all[i]
	}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			ts[i].use(i)
			ts[i].other(all[2*n-1-i])
		})
	}
	wg.Wait()
}

type listedTable struct {
	mu    sync.Mutex
	byKey map[int]*listedEntry
}

type listedEntry struct{ uses int }

func (t *listedTable) use(k int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if e, ok := t.byKey[k]; ok {
		e.uses++ // race! uses
	}
}

func (t *listedTable) other(e *listedEntry) {
	t.mu.Lock()
	defer t.mu.Unlock()
	e.uses++ // race! uses
}

// Whoever comes first fills the entry, in the body of the table's Once.
func BH2_entriesByOnce() {
	var ts []*onceTable
	for range n {
		ts = append(ts, &onceTable{})
	}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			t := ts[i/2]
			t.once.Do(t.fill)
		})
	}
	wg.Wait()
}

type onceTable struct {
	once  sync.Once
	items []*onceEntry
}

type onceEntry struct{ uses int }

func (t *onceTable) fill() {
	t.items = append(t.items, &onceEntry{}) // norace
	for i := len(t.items) - 1; i >= 0; i-- {
		e := t.items[i]
		if i > 0 {
			e = t.items[i-1]
		}
		e.uses++ // norace
	}
}

// A copy of a table shares its entries, and has a lock of its own.
func BH3_copyShares() {
	ts := []*forkedTable{newForkedTable()}
	for k := range 3 {
		ts[0].use(k)
	}
	for i := range 3 {
		ts = append(ts, ts[i].fork())
	}
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			for k := range n {
				ts[i].use(k % 3)
			}
		})
	}
	wg.Wait()
}

type forkedTable struct {
	mu sync.Mutex
	m  map[int]*forkedEntry
}

type forkedEntry struct{ uses int }

func newForkedTable() *forkedTable { return &forkedTable{m: map[int]*forkedEntry{}} }

func (t *forkedTable) use(k int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	e, ok := t.m[k]
	if !ok {
		e = &forkedEntry{}
		t.m[k] = e
	}
	t.count(e)
}

func (t *forkedTable) count(e *forkedEntry) { e.uses++ } // race! uses

func (t *forkedTable) fork() *forkedTable {
	u := newForkedTable()
	t.mu.Lock()
	defer t.mu.Unlock()
	for k, e := range t.m {
		u.m[k] = e
	}
	return u
}

// Which lock of an array is taken is a matter of the key, and so is which table is
// looked into; but there are fewer locks.
func BH4_fewerLocks() {
	var t stripes
	for i := range t.counts {
		t.counts[i] = map[int]int{}
	}
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			for k := range n {
				t.count(mixed(i * k))
			}
		})
	}
	wg.Wait()
}

type stripes struct {
	mu     [2]sync.Mutex
	counts [8]map[int]int
}

func (t *stripes) count(h int) {
	t.mu[h>>4%2].Lock()
	defer t.mu[h>>4%2].Unlock()
	t.counts[h%8][h]++ // race! counts
}

func mixed(k int) int { return k * 40503 >> 3 & 0xff }

// Each table has a lock, and is found with it.
func BH4b_lockOfEach() {
	var t striped
	for i := range t.parts {
		t.parts[i].counts = map[int]int{}
	}
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			for k := range n {
				t.count(mixed(i * k))
			}
		})
	}
	wg.Wait()
}

type striped struct {
	parts [8]struct {
		mu     sync.Mutex
		counts map[int]int
	}
}

func (t *striped) count(h int) {
	p := &t.parts[h%8]
	p.mu.Lock()
	defer p.mu.Unlock()
	p.counts[h]++ // norace
}
