package index

import (
	"bytes"
	"sync"
)

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

// It is passed down, and captured.
func RM4_passed() {
	stage := []string{"git", "add"}
	var wg sync.WaitGroup
	for _, x := range files {
		wg.Go(func() {
			batched4(stage, x)
		})
	}
	wg.Wait()
}

func batched4(cmd []string, x string) {
	for range 2 {
		run4(append(cmd, x)) // norace
	}
}

func run4(args []string) { println(args[0], len(args)) }

// One of the callers passes a part of it.
func RM4b_cutWherePassed() {
	stage := []string{"git", "add", "-f"}
	var wg sync.WaitGroup
	for _, x := range files {
		wg.Go(func() {
			batched4b(stage, x)
			batched4b(stage[:2], x)
		})
	}
	wg.Wait()
}

func batched4b(cmd []string, x string) {
	args := append(cmd, x) // race! stage[*]
	println(len(args))
}

// The function cuts what it is passed.
func RM4c_cutInside() {
	stage := []string{"git", "add", "-f"}
	var wg sync.WaitGroup
	for i, x := range files {
		wg.Go(func() {
			batched4c(stage, i, x)
		})
	}
	wg.Wait()
}

func batched4c(cmd []string, i int, x string) {
	if i > 0 {
		cmd = cmd[:1]
	}
	args := append(cmd, x) // race! stage[*]
	println(len(args))
}

// What a function returns is the whole of it, or not.
func RM5_returned() {
	stage, part := []string{"git", "add", "-f"}, []string{"go", "vet", "-x"}
	var wg sync.WaitGroup
	for _, x := range files {
		wg.Go(func() {
			args := append(same5(stage), x) // norace
			some := append(head5(part), x)  // race! part[*]
			println(len(args), len(some))
		})
	}
	wg.Wait()
}

func same5(xs []string) []string { return xs }
func head5(xs []string) []string { return xs[:1] }

// A make without a capacity of its own has no room either.
func RM7_made(n int) {
	words := make([]string, n)
	copy(words, files)
	three := make([]string, 3)
	var wg sync.WaitGroup
	for _, x := range files {
		wg.Go(func() {
			args := append(words, x) // norace
			more := append(three, x) // norace
			println(len(args), len(more))
		})
	}
	wg.Wait()
}

func RM7b_madeWithRoom(n int) {
	words := make([]string, n, n+4)
	three := make([]string, 3, 4)
	var wg sync.WaitGroup
	for _, x := range files {
		wg.Go(func() {
			args := append(words, x) // race! words[*]
			more := append(three, x) // race! three[*]
			println(len(args), len(more))
		})
	}
	wg.Wait()
}

// It is cut, and filled anew.
func RM7c_madeAndCut(n int) {
	words := make([]string, n)
	words = words[:0]
	three := make([]string, 3)[:0]
	var wg sync.WaitGroup
	for _, x := range files {
		wg.Go(func() {
			args := append(words, x) // race! words[*]
			more := append(three, x) // race! three[*]
			println(len(args), len(more))
		})
	}
	wg.Wait()
}

type made7 struct{ opts []string }

func newMade7(base []string) *made7 {
	m := &made7{opts: make([]string, len(base))}
	copy(m.opts, base)
	return m
}

// As clients keep the options that each call adds to.
func RM7d_inField() {
	m := newMade7(files)
	var wg sync.WaitGroup
	for _, x := range files {
		wg.Go(func() {
			args := append(m.opts, x) // norace
			println(len(args))
		})
	}
	wg.Wait()
}

// What is appended to a slice that was made for it fills it.
func RM6_madeForIt(base, more []func()) {
	list := make([]func(), 0, len(base)+len(more)+1)
	list = append(list, base...)
	list = append(list, more...)
	list = append(list, func() {})
	var wg sync.WaitGroup
	for _, x := range files {
		wg.Go(func() { callAll(x, list) })
	}
	wg.Wait()
}

func callAll(x string, list []func()) {
	list = append(list, func() { println(x) }) // norace
	for _, f := range list {
		f() // norace
	}
}

// There is room for one more.
func RM6b_oneMore(base, more []func()) {
	list := make([]func(), 0, len(base)+len(more)+1)
	list = append(list, base...)
	list = append(list, more...)
	var wg sync.WaitGroup
	for _, x := range files {
		wg.Go(func() {
			all := append(list, func() { println(x) }) // race! list[*]
			println(len(all))
		})
	}
	wg.Wait()
}

// There may be less than it was made for, or more, and then it has grown.
func RM6c_madeForOthers(base, more []func()) {
	list := make([]func(), 0, len(more))
	list = append(list, base...)
	var wg sync.WaitGroup
	for _, x := range files {
		wg.Go(func() {
			all := append(list, func() { println(x) }) // race! list[*]
			println(len(all))
		})
	}
	wg.Wait()
}

// The list of which it has the length is set in between.
func RM6d_setBetween(c *command) {
	list := make([]string, 0, len(c.args))
	c.args = c.args[:1]
	list = append(list, c.args...)
	var wg sync.WaitGroup
	for _, x := range files {
		wg.Go(func() {
			all := append(list, x) // race! list[*]
			println(len(all))
		})
	}
	wg.Wait()
}

type adder7 interface{ add(x string) int }

type list7 struct{ words []string }

func (l *list7) add(x string) int { return len(append(l.words, x)) } // norace

type other7 struct{ words []string }

func (o *other7) add(x string) int { return len(append(o.words, x, x)) } // norace

func newAdder7(n int) adder7 {
	if n > 3 {
		return &other7{words: make([]string, 3)}
	}
	return &list7{words: make([]string, n)}
}

// Which list it is added to is not followed by index arithmetic.
func RM7e_behindInterface(n int) {
	a := newAdder7(n)
	var wg sync.WaitGroup
	for _, x := range files {
		wg.Go(func() { println(a.add(x)) })
	}
	wg.Wait()
}

var kept7 = map[string][]string{}

// They are found in a map.
func RM7f_inMap(n int) {
	for _, x := range files {
		kept7[x] = make([]string, n)
	}
	var wg sync.WaitGroup
	for _, x := range files {
		wg.Go(func() {
			args := append(kept7["a"], x) // norace
			println(len(args))
		})
	}
	wg.Wait()
}

var roomy7 = map[string][]string{}

func RM7g_inMapWithRoom(n int) {
	for _, x := range files {
		roomy7[x] = make([]string, n, n+4)
	}
	var wg sync.WaitGroup
	for _, x := range files {
		wg.Go(func() {
			args := append(roomy7["a"], x) // race! _[*][*]
			println(len(args))
		})
	}
	wg.Wait()
}

// No slice of the array ends earlier anywhere, whatever way it takes.
func RM8_neverCut() {
	kept := map[string]any{"a": []string{"-v"}}
	words := kept["a"].([]string)
	var wg sync.WaitGroup
	for _, x := range files {
		wg.Go(func() {
			args := append(words, x) // norace
			println(len(args))
		})
	}
	wg.Wait()
}

// One does here.
func RM8b_cutOnTheWay() {
	kept := map[string]any{"a": []string{"-v", "-x"}}
	words := kept["a"].([]string)
	words = words[:1]
	var wg sync.WaitGroup
	for _, x := range files {
		wg.Go(func() {
			args := append(words, x) // race! _[*]
			println(len(args))
		})
	}
	wg.Wait()
}

// And here by a function of the library.
func RM8c_trimmed() {
	kept := map[string]any{"a": []byte{'a', ' '}}
	word := bytes.TrimSpace(kept["a"].([]byte))
	var wg sync.WaitGroup
	for _, x := range files {
		wg.Go(func() {
			args := append(word, x...) // race! _[*]
			println(len(args))
		})
	}
	wg.Wait()
}
