package heap

import "sync"

// What iterations have each made for themselves holds what they share: a list that is copied
// under a lock, a struct that works on one item of it. The items are written without it.

type sharedItem struct {
	mu         sync.Mutex
	n, m, k, s int
}

type itemStore struct {
	mu     sync.Mutex
	byName map[string]*sharedItem
	all    []*sharedItem
}

func newItemStore() *itemStore {
	st := &itemStore{byName: map[string]*sharedItem{}}
	for _, name := range []string{"a", "b", "c"} {
		st.add(name)
	}
	return st
}

func (st *itemStore) add(name string) {
	st.mu.Lock()
	defer st.mu.Unlock()
	it := &sharedItem{}
	st.byName[name] = it
	st.all = append(st.all, it)
}

func (st *itemStore) values() []*sharedItem {
	st.mu.Lock()
	defer st.mu.Unlock()
	var out []*sharedItem
	for _, it := range st.byName {
		out = append(out, it)
	}
	return out
}

func (st *itemStore) list() []*sharedItem {
	st.mu.Lock()
	defer st.mu.Unlock()
	out := make([]*sharedItem, len(st.all))
	copy(out, st.all)
	return out
}

func (st *itemStore) byValue() []sharedItem {
	st.mu.Lock()
	defer st.mu.Unlock()
	var out []sharedItem
	for _, it := range st.all {
		out = append(out, sharedItem{n: it.n})
	}
	return out
}

func PT1_valuesOfMap() {
	st := newItemStore()
	allItems(func() {
		for _, it := range st.values() {
			it.n++ // race! _.n
		}
	})
}

func PT2_copiedList() {
	st := newItemStore()
	allItems(func() {
		for _, it := range st.list() {
			it.m++ // race! _.m
		}
	})
}

// Each item has its lock.
func PT2b_itemsLocked() {
	st := newItemStore()
	allItems(func() {
		for _, it := range st.list() {
			it.mu.Lock()
			it.m++ // norace
			it.mu.Unlock()
		}
	})
}

// The items are copied, too.
func PT2c_itemsCopied() {
	st := newItemStore()
	allItems(func() {
		items := st.byValue()
		for i := range items {
			items[i].n++ // norace
		}
	})
}

// A struct of each iteration's own works on one of the items.
func PT3_worksOn() {
	st := newItemStore()
	allItems(func() {
		st.mu.Lock()
		w := &itemWorker{st.byName["a"]}
		st.mu.Unlock()
		w.work()
	})
}

type itemWorker struct{ it *sharedItem }

func (w *itemWorker) work() {
	w.it.k++ // race! _.k
}

// It has made the item, and puts it into the store when it is through.
func PT3b_madeItself() {
	st := newItemStore()
	allItems(func() {
		w := &ownItemWorker{&sharedItem{}}
		w.work()
		st.mu.Lock()
		st.all = append(st.all, w.it)
		st.mu.Unlock()
	})
}

type ownItemWorker struct{ it *sharedItem }

func (w *ownItemWorker) work() {
	w.it.s++ // norace
}

// Each worker keeps an account of a list, and two have the same.
func PT4_keptByEach() {
	for range 2 {
		as := make(map[int]*account)
		for i := range n {
			as[i] = openAccount()
		}
		var wg sync.WaitGroup
		for i := range n {
			wg.Go(func() {
				w := &clerk{}
				w.account = as[i/2]
				w.account.sum++ // race! _.sum
			})
		}
		wg.Wait()
	}
}

// Each has one of its own.
func PT4b_oneEach() {
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			w := &clerk{}
			w.account = openAccount()
			w.account.sum++ // norace
		})
	}
	wg.Wait()
}

type account struct{ sum int }

func openAccount() *account { return &account{} }

type clerk struct{ account *account }

func allItems(f func()) {
	var wg sync.WaitGroup
	for range n {
		wg.Go(f)
	}
	wg.Wait()
}
