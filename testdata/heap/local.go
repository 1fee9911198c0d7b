package heap

import "sync"

// Two goroutines do the same, each with a buffer of its own.
func B21_buffersOfCalls() {
	var wg sync.WaitGroup
	wg.Go(func() {
		for i := range n {
			workOn(i, func(b []int) { b[1] = 1 }) // norace
		}
	})
	wg.Go(func() {
		for i := range n {
			workOn(i, func(b []int) { b[1] = 2 }) // norace
		}
	})
	wg.Wait()
}

func fillBlock(b []int, by func([]int)) {
	by(b)
	b[0]++
}

// workOn makes a buffer and hands it to what it calls, and to nobody else.
func workOn(k int, by func([]int)) int {
	b := make([]int, 10) // norace
	fillBlock(b, by)
	if k == 0 {
		return workOn(1, by)
	}
	return b[0] // norace
}

// The goroutine keeps its buffer where others find it.
func B21b_buffersKept() {
	var wg sync.WaitGroup
	wg.Go(func() {
		workOnKept()
	})
	lastBlock[0]++ // race! lastBlock lastBlock[*]
	wg.Wait()
}

var lastBlock = make([]int, 1)

func workOnKept() int {
	b := make([]int, 10)
	lastBlock = b // race! lastBlock
	b[0]++        // race! lastBlock[*]
	return len(b)
}

// The buffer is an argument of a goroutine.
func B21c_buffersHandedOver() {
	var wg sync.WaitGroup
	handOn(&wg)
	wg.Wait()
}

func handOn(wg *sync.WaitGroup) {
	b := make([]int, 10)
	wg.Add(1)
	go keepWriting(b, wg)
	b[2] = 1 // race! b[*]
}

func keepWriting(b []int, wg *sync.WaitGroup) {
	b[2] = 2 // race! b[*]
	wg.Done()
}
