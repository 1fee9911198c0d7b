package lock

import "sync"

// What is computed once by sync.OnceValue, of which there are several.

func OV1_two() {
	all := []func() int{lazily1(), lazily1()}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { all[i%2]() })
	}
	wg.Wait()
}

func lazily1() func() int {
	count := 0
	return sync.OnceValue(func() int {
		count++ // assumed count
		return count
	})
}

// They are found by name.
func OV2_byName() {
	var all sync.Map
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			f, ok := all.Load(i % 2)
			if !ok {
				f, _ = all.LoadOrStore(i%2, lazily2())
			}
			f.(func() int)()
		})
	}
	wg.Wait()
}

func lazily2() func() int {
	count := 0
	return sync.OnceValue(func() int {
		count++ // norace
		return count
	})
}

// Two are given one function.
func OV1b_shared() {
	count := 0
	f := func() int {
		count++      // race! count
		return count // race! count
	}
	all := []func() int{sync.OnceValue(f), sync.OnceValue(f)}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { all[i%2]() })
	}
	wg.Wait()
}

// Two functions have captured one variable.
func OV1c_twoFunctions() {
	one, two := lazily3()
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			if i%2 == 0 {
				one()
			} else {
				two()
			}
		})
	}
	wg.Wait()
}

func lazily3() (one, two func() int) {
	count := 0
	one = sync.OnceValue(func() int {
		count++ // race! count
		return 1
	})
	two = sync.OnceValue(func() int {
		count++ // race! count
		return 2
	})
	return one, two
}

// The variable is that of who makes them all.
func OV1d_outer() {
	count := 0
	all := []func() int{lazily4(&count), lazily4(&count)}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { all[i%2]() })
	}
	wg.Wait()
}

func lazily4(count *int) func() int {
	return sync.OnceValue(func() int {
		*count++      // race! count
		return *count // race! count
	})
}

// The function is kept elsewhere, too, and run without a lock.
func OV1e_kept() {
	all := []func() int{lazily5(), lazily5()}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { all[i%2]() })
		wg.Go(func() { kept5() })
	}
	wg.Wait()
}

var kept5 func() int

func lazily5() func() int {
	count := 0
	kept5 = func() int {
		count++      // race! count
		return count // race! count
	}
	return sync.OnceValue(kept5)
}

// A loop makes several of one function.
func OV1f_inLoop() {
	all := lazily6()
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { all[i%2]() })
	}
	wg.Wait()
}

func lazily6() (all []func() int) {
	count := 0
	f := func() int {
		count++      // race! count
		return count // race! count
	}
	for range 2 {
		all = append(all, sync.OnceValue(f))
	}
	return all
}

// A function in an object with a lock.
func OV3_guarded() {
	all := []*guarded7{newGuarded7(), newGuarded7()}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { all[i%2].run() })
	}
	wg.Wait()
}

type guarded7 struct {
	mu sync.Mutex
	f  func()
}

func newGuarded7() *guarded7 {
	count := 0
	return &guarded7{f: func() { count++ }} // assumed count
}

func (g *guarded7) run() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.f()
}

// Two of them have one function.
func OV4_sharedFunction() {
	one, two := newGuarded8()
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			if i%2 == 0 {
				one.run()
			} else {
				two.run()
			}
		})
	}
	wg.Wait()
}

type guarded8 struct {
	mu sync.Mutex
	f  func()
}

func newGuarded8() (one, two *guarded8) {
	count := 0
	f := func() { count++ } // race! count
	return &guarded8{f: f}, &guarded8{f: f}
}

func (g *guarded8) run() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.f()
}
