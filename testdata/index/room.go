package index

import "sync"

var flags = []string{"-v", "-x"}

var header = []byte("head")

var files = []string{"a", "b"}

// The array of a literal has no room behind its elements: to append copies them.
func RM1_literal() {
	var wg sync.WaitGroup
	for _, x := range files {
		wg.Go(func() {
			args := append(flags, x)     // norace
			data := append(header, x...) // norace
			println(len(args), len(data))
		})
	}
	wg.Wait()
}

type command struct{ args []string }

func RM2_inField() {
	c := &command{args: []string{"-v"}}
	var wg sync.WaitGroup
	for _, x := range files {
		wg.Go(func() {
			args := append(c.args, x) // norace
			println(len(args))
		})
	}
	wg.Wait()
}

// A slice of it ends earlier.
func RM1b_cut() {
	words := []string{"run", "fast", "now"}
	first := words[:1]
	var wg sync.WaitGroup
	for _, x := range files {
		wg.Go(func() {
			args := append(first, x) // race! words[*]
			println(len(args))
		})
	}
	wg.Wait()
}

// So it does in the field.
func RM2b_cutInField() {
	c := &command{args: []string{"-v", "-x"}}
	c.args = c.args[:1]
	var wg sync.WaitGroup
	for _, x := range files {
		wg.Go(func() {
			args := append(c.args, x) // race! args[*]
			println(len(args))
		})
	}
	wg.Wait()
}

// What append has made has room.
func RM3_grown() {
	words := append([]string{"run"}, "fast", "now")
	words = append(words, "here")
	var wg sync.WaitGroup
	for _, x := range files {
		wg.Go(func() {
			args := append(words, x) // race! words[*]
			println(len(args))
		})
	}
	wg.Wait()
}
