package loop

import (
	"io/fs"
	"path/filepath"
	"sync"
)

// Goroutines that are started by a function which another one calls in rounds are
// many, as in a loop: here by the library.
func CB1_walk(dir string) []string {
	var wg sync.WaitGroup
	var names []string
	_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		wg.Go(func() { names = append(names, path) }) // race! names names[*]
		return nil
	})
	wg.Wait()
	return names
}

// With a lock.
func CB2_walkLocked(dir string) []string {
	var mu sync.Mutex
	var wg sync.WaitGroup
	var names []string
	_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		wg.Go(func() {
			mu.Lock()
			defer mu.Unlock()
			names = append(names, path) // norace
		})
		return nil
	})
	wg.Wait()
	return names // norace
}

// By a range over a map of the library.
func CB3_rangeOfMap(m *sync.Map) int {
	var wg sync.WaitGroup
	sum := 0
	m.Range(func(k, v any) bool {
		wg.Go(func() { sum += v.(int) }) // race! sum
		return true
	})
	wg.Wait()
	return sum
}

// By a helper, in a function that is called twice.
func CB4_helper() { _ = summed([]int{1, 2}) + summed([]int{3}) }

func applyAll(xs []int, f func(int)) {
	for _, x := range xs {
		f(x)
	}
}

func summed(xs []int) int {
	var wg sync.WaitGroup
	sum := 0
	applyAll(xs, func(x int) {
		wg.Go(func() { sum += x }) // race! sum
	})
	wg.Wait()
	return sum
}

// By a helper that calls itself.
func CB5_tree(t *twig) int {
	var wg sync.WaitGroup
	depth := 0
	t.visit(func(t *twig) {
		wg.Go(func() { depth = max(depth, t.n) }) // race! depth
	})
	wg.Wait()
	return depth
}

type twig struct {
	n           int
	left, right *twig
}

func (t *twig) visit(f func(*twig)) {
	if t == nil {
		return
	}
	t.left.visit(f)
	f(t)
	t.right.visit(f)
}

// By a range over a function, in a function that is called twice.
func CB6_rangeOverFunc() { _ = counted(odd) + counted(odd) }

func odd(yield func(int) bool) {
	for i := 1; yield(i); i += 2 {
	}
}

func counted(seq func(func(int) bool)) int {
	var wg sync.WaitGroup
	sum := 0
	for x := range seq {
		wg.Go(func() { sum += x }) // race! sum
		if x > 9 {
			break
		}
	}
	wg.Wait()
	return sum
}

// The helper hands out a number to each call.
func CB7_ownElements() {
	_ = indexed(3)
	_ = indexed(4)
}

func indexed(n int) []int {
	var wg sync.WaitGroup
	out := make([]int, n)
	numbered(n, func(i int) {
		wg.Go(func() { out[i] = i }) // norace
	})
	wg.Wait()
	return out // norace
}

func numbered(n int, f func(int)) { between(0, n, f) }

func between(lo, hi int, f func(int)) {
	for i := lo; i < hi; i++ {
		f(i)
	}
}

// The function is called once in each call, whose variable is its own.
func CB8_calledOnce(xs []int) {
	for range xs {
		underCallLock(func() {
			n := 0
			done := make(chan bool)
			go func() {
				n++ // norace
				done <- true
			}()
			<-done
			n++ // norace
		})
	}
	onceOnly(func() int { return 1 })
	onceOnly(func() int { return 2 })
}

var callLock sync.Mutex

func underCallLock(f func()) {
	callLock.Lock()
	defer callLock.Unlock()
	f()
}

func onceOnly(f func() int) int {
	n := 0
	result := make(chan int, 1)
	underCallLock(func() {
		go func() {
			n += f() // norace
			result <- n
		}()
	})
	return <-result
}
