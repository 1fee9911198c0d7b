package heap

import "sync"

// Lists of functions, each of which is run by a goroutine.

type gauge struct{ low, high int }

func (g *gauge) down() { g.low-- }  // norace
func (g *gauge) up()   { g.high++ } // norace

// Each function is in the list once.
func X82_functionsOfList() {
	g := &gauge{}
	x, y := 0, 0
	var wg sync.WaitGroup
	for _, f := range []func(){func() { x++ }, func() { y++ }, g.down, g.up} { // norace
		wg.Add(1)
		go func() {
			defer wg.Done()
			f()
		}()
	}
	wg.Wait()
	println(x, y, g.low, g.high) // norace
}

func inParallel(fs ...func()) {
	var wg sync.WaitGroup
	for _, f := range fs {
		wg.Go(f)
	}
	wg.Wait()
}

// A helper runs its arguments.
func X83_arguments() {
	g := &gauge{}
	x := 0
	inParallel(g.down, g.up, func() { x++ }) // norace
	println(x)
}

// One function is there twice.
func X82b_functionTwice() {
	x := 0
	inc := func() { x++ } // race! x
	var wg sync.WaitGroup
	for _, f := range []func(){inc, inc} {
		wg.Go(f)
	}
	wg.Wait()
}

// One function is put there again and again.
func X82c_functionRepeated() {
	x := 0
	inc := func() { x++ } // race! x
	var fs []func()
	for range n {
		fs = append(fs, inc)
	}
	var wg sync.WaitGroup
	for _, f := range fs {
		wg.Go(f)
	}
	wg.Wait()
}

// Each round makes one, but all have the same variable.
func X82d_oneVariable() {
	x := 0
	var fs []func()
	for i := range n {
		fs = append(fs, func() { x += i }) // race! x
	}
	var wg sync.WaitGroup
	for _, f := range fs {
		wg.Go(f)
	}
	wg.Wait()
}

// One method of two objects, which share a third.
func X82h_oneMethod() {
	shared := &gauge{}
	a, b := &gauges{shared}, &gauges{shared}
	var wg sync.WaitGroup
	for _, f := range []func(){a.up, b.up} {
		wg.Go(f)
	}
	wg.Wait()
}

type gauges struct{ g *gauge }

func (g *gauges) up() { g.g.high++ } // race! _.high

// Two functions of the list do the same.
func X82e_commonVariable() {
	x := 0
	var wg sync.WaitGroup
	for _, f := range []func(){func() { x++ }, func() { x-- }} { // race! x
		wg.Go(f)
	}
	wg.Wait()
}

// A goroutine runs the first one too.
func X82f_firstOne() {
	x := 0
	fs := []func(){func() { x++ }, func() {}} // race! x
	var wg sync.WaitGroup
	for range fs {
		wg.Go(fs[0])
	}
	wg.Wait()
}

// Each function is run by two goroutines.
func X82g_runTwice() {
	x := 0
	fs := []func(){func() { x++ }, func() {}} // race! x
	var wg sync.WaitGroup
	for range 2 {
		for _, f := range fs {
			wg.Go(f)
		}
	}
	wg.Wait()
}
