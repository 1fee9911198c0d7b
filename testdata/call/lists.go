package call

import "sync"

// Programs about lists of functions, each of which is run once.

// CL1: each run makes a list, which has each function once.
func CL1_listOfEachRun() {
	x, y := &listCounted{}, &listCounted{}
	x.countAll()
	y.countAll()
}

type listCounted struct{ a, b int }

func (c *listCounted) countA() { c.a++ } // norace
func (c *listCounted) countB() { c.b++ } // norace

func (c *listCounted) countAll() {
	fs := []func(){c.countA, c.countB}
	var wg sync.WaitGroup
	wg.Add(len(fs))
	runListed(fs, &wg)
	wg.Wait()
}

func runListed(fs []func(), wg *sync.WaitGroup) {
	for _, f := range fs {
		go func(f func()) {
			f()
			wg.Done()
		}(f)
	}
}

// CL1b: each run has one of them twice.
func CL1b_twiceInList() {
	x, y := &twiceCounted{}, &twiceCounted{}
	x.countAll()
	y.countAll()
}

type twiceCounted struct{ a, b int }

func (c *twiceCounted) countA() { c.a++ } // race! c.a
func (c *twiceCounted) countB() { c.b++ } // norace

func (c *twiceCounted) countAll() {
	fs := []func(){c.countA, c.countB, c.countA}
	var wg sync.WaitGroup
	wg.Add(len(fs))
	for _, f := range fs {
		go func() {
			f()
			wg.Done()
		}()
	}
	wg.Wait()
}

// CL1c: one list is filled by several runs.
func CL1c_filledByRuns() {
	x := &keptCounted{}
	x.keep(0)
	x.keep(1)
	var wg sync.WaitGroup
	wg.Add(len(keptFuncs))
	for _, f := range keptFuncs {
		go func() {
			f()
			wg.Done()
		}()
	}
	wg.Wait()
}

type keptCounted struct{ a int }

func (c *keptCounted) countA() { c.a++ } // race! c.a

var keptFuncs []func()

func (c *keptCounted) keep(i int) {
	if keptFuncs == nil {
		keptFuncs = make([]func(), 2)
	}
	keptFuncs[i] = c.countA
}

// CL2b: each of several lists has one object, which is the same.
func CL2b_oneInEachList() {
	p := &listedOnce{}
	rows := [][]*listedOnce{listOf(p), listOf(p)}
	var wg sync.WaitGroup
	for i := range rows {
		wg.Go(func() { rows[i][0].n++ }) // race! p.n
	}
	wg.Wait()
}

type listedOnce struct{ n int }

func listOf(p *listedOnce) []*listedOnce { return []*listedOnce{p} }

// CL3b: each of several lists has the function, at another place.
func CL3b_oneInEachList() {
	c := &rowCounted{}
	rows := [][]func(){c.listAt(0), c.listAt(1)}
	var wg sync.WaitGroup
	for i := range rows {
		f := rows[i][i]
		wg.Go(func() { f() })
	}
	wg.Wait()
}

type rowCounted struct{ a int }

func (c *rowCounted) count() { c.a++ } // race! c.a

func (c *rowCounted) listAt(i int) []func() {
	fs := make([]func(), 2)
	fs[i] = c.count
	return fs
}
