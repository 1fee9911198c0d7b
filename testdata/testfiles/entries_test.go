package testfiles

import (
	"sync"
	"testing"
)

// Each test has a router of its own, though one line makes them all.
type router struct{ table *table }

type table struct{ routes map[string]func() }

func newRouter() *router { return &router{newTable()} }

func newTable() *table { return &table{routes: make(map[string]func())} }

func (r *router) handle(path string, f func()) { r.table.routes[path] = f }

func (r *router) serve() {
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			if f := r.table.routes["/"]; f != nil {
				f()
			}
		})
	}
	wg.Wait()
}

func TestEN1_lockedHere(t *testing.T) {
	hits := 0
	r := newRouter()
	r.handle("/", func() { hits++ }) // norace
	var mu sync.Mutex
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			mu.Lock()
			defer mu.Unlock()
			r.table.routes["/"]()
		})
	}
	wg.Wait()
}

func TestEN1_servedThere(t *testing.T) {
	r := newRouter()
	r.handle("/", func() {})
	r.serve()
}

func TestEN1b_servedHere(t *testing.T) {
	hits := 0
	r := newRouter()
	r.handle("/", func() { hits++ }) // race! hits
	r.serve()
}

// What TestMain or an initialiser makes is there for all tests.
var common = newRouter()

var commonHits int

func init() {
	common.handle("/", func() { commonHits++ }) // race! commonHits
}

func TestEN2_madeBefore(t *testing.T) { common.serve() }

// What two subtests make, by one function, is not shared, whoever else runs it.
func TestEN3_madeByEach(t *testing.T) {
	t.Run("three", func(t *testing.T) {
		t.Parallel()
		if sum(3) != 3 {
			t.Fail()
		}
	})
	t.Run("four", func(t *testing.T) {
		t.Parallel()
		if sum(4) != 6 {
			t.Fail()
		}
	})
}

func sum(n int) int { return adder{}.sum(n) }

type adder struct{}

func (adder) sum(n int) int {
	var mu sync.Mutex
	sum := 0
	each(n, func(i int) {
		mu.Lock()
		sum += i // norace
		mu.Unlock()
	})
	return sum // norace
}

func each(n int, f func(int)) {
	i := 0
	var mu sync.Mutex
	task := func() {
		mu.Lock()
		k := i
		i++
		mu.Unlock()
		if k < n {
			f(k)
		}
	}
	var wg sync.WaitGroup
	for range n {
		wg.Go(task)
	}
	wg.Wait()
}

// One of them gives the other what it has made.
func TestEN3b_handedOver(t *testing.T) {
	var last struct {
		sync.Mutex
		list []int
	}
	t.Run("three", func(t *testing.T) {
		t.Parallel()
		list := cubes(3)
		last.Lock()
		last.list = list
		last.Unlock()
		list[1] = 0 // race! list[*]
	})
	t.Run("four", func(t *testing.T) {
		t.Parallel()
		list := cubes(4)
		last.Lock()
		if last.list != nil {
			list = last.list
		}
		last.Unlock()
		list[2]++ // race! list[*]
	})
}

func cubes(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i * i * i
	}
	return out
}
