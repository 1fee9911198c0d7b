package library

import (
	"bytes"
	"compress/flate"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"sort"
	"strings"
	"sync"
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

// Rounds that are given one slice, or parts of it that are not apart.
func ST5_inLoop(xs []int) {
	ys := []int{3, 1, 2}
	for range 3 {
		go sort.Ints(ys) // race! _[*]
	}
	for i := 0; i+10 <= len(xs); i += 10 {
		go sort.Ints(xs[i : i+11]) // race! xs[*]
	}
}

// Parts that are apart.
func ST5_partsInLoop(xs []int) {
	for i := 0; i+10 <= len(xs); i += 10 {
		go sort.Ints(xs[i : i+10]) // norace
	}
}

// A method of what it is given is called on the goroutine.
func ST6_printed() {
	var b strings.Builder
	go fmt.Fprintf(&b, "x") // race! b
	println(b.String())     // race! b
	var c bytes.Buffer
	for range 3 {
		go fmt.Fprintln(&c, "x") // race! c
	}
}

// Each has a buffer of its own, or is over: nothing else touches it.
func ST6_ofEach() {
	for range 3 {
		var b bytes.Buffer
		b.WriteString("x")       // norace
		go fmt.Fprintln(&b, "x") // norace
	}
}

type startedRecord struct{ n int }

// What is printed is read there.
func ST6_operand() {
	r := new(startedRecord)
	go fmt.Fprintln(os.Stderr, r) // race! _.n
	r.n++                         // race! _.n
}

// Only its type is.
func ST6_type() {
	r := new(startedRecord)
	go fmt.Printf("%T", r) // norace
	r.n++                  // norace
}

type startedValue struct{ N int }

// What is decoded is written, by each round or to an element of its own.
func ST7_decoded(data []byte) {
	var v, w startedValue
	go json.Unmarshal(data, &v) // race! v.N
	println(v.N)                // race! v.N
	for range 3 {
		go json.Unmarshal(data, &w) // race! w.N
	}
	vs := make([]startedValue, 3)
	for i := range vs {
		go json.Unmarshal(data, &vs[i]) // norace
	}
}

// A function that is called through a variable does the same.
func ST8_byVariable(data []byte) {
	decode, v := json.Unmarshal, new(startedValue)
	if data == nil {
		decode = nil
	}
	for range 2 {
		go decode(data, v) // race! _.N
	}
}

// A reader of the library that is called through an interface is over when who calls it has been waited for.
func ST9_readByInterface(packed []byte) {
	var out []byte
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		out, _ = io.ReadAll(flate.NewReader(bytes.NewReader(packed))) // norace
	}()
	wg.Wait()
	println(out[0]) // norace
}

// Nobody waits.
func ST9b_readMeanwhile(packed []byte) {
	buf := make([]byte, 512)
	var r io.Reader = flate.NewReader(bytes.NewReader(packed))
	go io.ReadFull(r, buf) // race! _[*]
	println(buf[0])        // race! _[*]
}
