package index

import "sync"

// A batch starts its workers one by one, as its constructor fills what they work on.
type batch struct {
	cells []int
	next  int
	wg    sync.WaitGroup
}

func (b *batch) launch(i int) {
	b.wg.Go(func() {
		b.cells[i]++ // norace
	})
}

// In the first round of the loop nobody else has the batch, and later on the workers do.
func BE1_launchedByMethod() {
	b := &batch{cells: make([]int, n)}
	for i := range b.cells {
		b.cells[i] = i // norace
		b.launch(i)
	}
	b.wg.Wait()
}

func (b *batch) launchNext(i int) {
	b.wg.Go(func() {
		b.cells[i+1]++ // race! _[*]
	})
}

// The worker has the cell that is filled in the next round.
func BE2_launchedForNext() {
	b := &batch{cells: make([]int, n+1)}
	for i := range n {
		b.cells[i] = i // race! _[*]
		b.launchNext(i)
	}
	b.wg.Wait()
}

func (b *batch) launchSecond() {
	b.wg.Go(func() {
		b.cells[1]++ // race! _[*] b
	})
}

func (b *batch) cut() {
	b.cells = b.cells[1:] // race! b.cells
}

// The second cell is the first one when the list has been cut.
func BE3_launchedAndCut() {
	b := &batch{cells: make([]int, n+1)}
	for i := range n {
		b.cells[0] = i // race! _[*]
		b.launchSecond()
		b.cut()
	}
	b.wg.Wait()
}

func (b *batch) launchAll(i int) {
	b.wg.Go(func() {
		b.cells[i]++ // race! _[*]
	})
}

// What the workers have is the list or a part of it.
func BE4_partOrWhole(part bool) {
	b := &batch{cells: make([]int, n+1)}
	whole := b.cells
	if part {
		b.cells = b.cells[1:]
	}
	for i := range b.cells {
		whole[i] = i // race! _[*]
		b.launchAll(i)
	}
	b.wg.Wait()
}

func (b *batch) launchAgain(i int) {
	b.wg.Go(func() {
		b.cells[i]++ // race! _[*]
	})
}

// The round that fills a cell has started the worker before.
func BE5_filledTooLate() {
	b := &batch{cells: make([]int, n)}
	for i := range b.cells {
		b.launchAgain(i)
		b.cells[i] = i // race! _[*]
	}
	b.wg.Wait()
}

func (b *batch) step() { b.next++ }

func (b *batch) launchFixed(cells []int) {
	b.wg.Go(func() {
		cells[1]++ // race! _[*]
	})
}

// The batch counts what has been filled.
func BE6_counted() {
	b, cells := &batch{}, make([]int, n)
	for range n {
		cells[b.next] = 1 // race! _[*]
		b.launchFixed(cells)
		b.step()
	}
	b.wg.Wait()
}
