package call

import "sync"

// A function that many call without a hook, and some with one. What is done without
// one is done by all of these calls alike.

type bareItem struct{ n, seen int }

// Each goroutine has its own item, whoever calls.
func BC1_ownItems() {
	items := []*bareItem{{}, {}}
	bareRun(items, nil) // norace
	bareRun(items[:1], nil)
}

// All goroutines have one.
func BC2_oneItem() {
	x := &bareItem{}
	bareRunOn(x, 2, nil)
}

// Each of the calls that give a function has a copy of its own: each hook writes under its
// own lock.
func BC3_hooksApart() {
	var mu, other sync.Mutex
	var a, b int
	items := []*bareItem{{}, {}}
	bareRun(items, func(*bareItem) {
		mu.Lock()
		a++ // norace
		mu.Unlock()
	})
	bareRun(items, func(*bareItem) {
		other.Lock()
		b++ // norace
		other.Unlock()
	})
}

// As BC3, without locks.
func BC4_hookShares() {
	a := 0
	bareRun([]*bareItem{{}, {}}, func(*bareItem) {
		a++ // race! a
	})
}

// The rest of many calls.
func BC5_many() {
	for range 3 {
		bareRun([]*bareItem{{}}, nil)
		bareRun([]*bareItem{{}}, nil)
		bareRun([]*bareItem{{}}, nil)
		bareRun([]*bareItem{{}}, nil)
		bareRun([]*bareItem{{}}, nil)
		bareRun([]*bareItem{{}}, nil)
		bareRun([]*bareItem{{}}, nil)
		bareRun([]*bareItem{{}}, nil)
		bareRun([]*bareItem{{}}, nil)
		bareRun([]*bareItem{{}}, nil)
		bareRun([]*bareItem{{}}, nil)
		bareRun([]*bareItem{{}}, nil)
		bareRun([]*bareItem{{}}, nil)
		bareRun([]*bareItem{{}}, nil)
		bareRun([]*bareItem{{}}, nil)
		bareRun([]*bareItem{{}}, nil)
		bareRunOn(&bareItem{}, 3, nil)
		bareRunOn(&bareItem{}, 3, nil)
		bareRunOn(&bareItem{}, 3, nil)
		bareRunOn(&bareItem{}, 3, nil)
		bareRunOn(&bareItem{}, 3, nil)
		bareRunOn(&bareItem{}, 3, nil)
		bareRunOn(&bareItem{}, 3, nil)
		bareRunOn(&bareItem{}, 3, nil)
		bareRunOn(&bareItem{}, 3, nil)
		bareRunOn(&bareItem{}, 3, nil)
		bareRunOn(&bareItem{}, 3, nil)
		bareRunOn(&bareItem{}, 3, nil)
		bareRunOn(&bareItem{}, 3, nil)
		bareRunOn(&bareItem{}, 3, nil)
		bareRunOn(&bareItem{}, 3, nil)
		bareRunOn(&bareItem{}, 3, nil)
		bareRunOn(&bareItem{}, 3, nil)
	}
}

func bareRun(items []*bareItem, hook func(*bareItem)) {
	var wg sync.WaitGroup
	for _, it := range items {
		wg.Add(1)
		go func() {
			defer wg.Done()
			it.n++ // norace
			if hook != nil {
				hook(it)
			}
		}()
	}
	wg.Wait()
}

func bareRunOn(it *bareItem, n int, hook func(*bareItem)) {
	var wg sync.WaitGroup
	for range n {
		wg.Add(1)
		go func() {
			defer wg.Done()
			it.seen++ // race! it.seen
			if hook != nil {
				hook(it)
			}
		}()
	}
	wg.Wait()
}
