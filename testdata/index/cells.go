package index

import "sync"

// A grid of pointers, which the function that starts the iterations has made in loops within each other.

type gridCell struct{ now, next int }

func GC1_ownRows() {
	grid := make([][]*gridCell, 4)
	for i := range grid {
		grid[i] = make([]*gridCell, 4)
		for j := range grid[i] {
			grid[i][j] = new(gridCell)
		}
	}
	var wg sync.WaitGroup
	for i := range grid {
		wg.Go(func() {
			for j := range grid[i] {
				grid[i][j].now++ // norace
			}
		})
	}
	wg.Wait()
}

func GC2_ownColumns() {
	var grid [4][4]*gridCell
	for i := range grid {
		for j := range grid[i] {
			grid[i][j] = new(gridCell)
		}
	}
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			for j := range 4 {
				grid[j][i].now++ // norace
			}
		})
	}
	wg.Wait()
}

// Each reads what others read, too.
func GC2b_neighbours() {
	grid := make([][]*gridCell, 4)
	for i := range grid {
		grid[i] = make([]*gridCell, 4)
		for j := range grid[i] {
			grid[i][j] = new(gridCell)
		}
	}
	var wg sync.WaitGroup
	for i := range 3 {
		wg.Go(func() {
			for j := range 3 {
				grid[i][j].next = grid[i+1][j].now + grid[i][j+1].now // norace
			}
		})
	}
	wg.Wait()
}

// All have the first row.
func GC3_firstRow() {
	grid := make([][]*gridCell, 4)
	for i := range grid {
		row := make([]*gridCell, 4)
		for j := range row {
			row[j] = new(gridCell)
		}
		grid[i] = row
	}
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			for j := range 4 {
				grid[0][j].now++ // race! grid[*][*].now
			}
		})
	}
	wg.Wait()
}

// Each writes its own row, and reads the next one.
func GC4_nextRow() {
	var grid [4][4]*gridCell
	for i := range grid {
		for j := range grid[i] {
			grid[i][j] = new(gridCell)
		}
	}
	var wg sync.WaitGroup
	for i := range 3 {
		wg.Go(func() {
			for j := range 4 {
				grid[i][j].now += grid[i+1][j].now // race! grid[*][*].now
			}
		})
	}
	wg.Wait()
}
