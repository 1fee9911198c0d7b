package library

import (
	"bytes"
	"sort"
)

// Functions of the library that a go statement starts by themselves.

func ST1_sortedMeanwhile() {
	xs := []int{3, 1, 2}
	go sort.Ints(xs) // race! _[*]
	println(xs[0])   // race! _[*]
}

func ST2_method() {
	b := new(bytes.Buffer)
	go b.WriteString("x") // race! b
	println(b.Len())      // race! b
}

// All is done before.
func ST3_before() {
	xs := []int{3, 1, 2}
	xs[0] = 4        // norace
	go sort.Ints(xs) // norace
}

// Each round has its own.
func ST4_ofEach(rows [][]int) {
	for _, r := range rows {
		go sort.Ints(r) // norace
	}
	for range 3 {
		xs := []int{3, 1, 2}
		xs[1]++
		go sort.Ints(xs) // norace
	}
}
