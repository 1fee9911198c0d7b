package channel

import (
	"bufio"
	"bytes"
	"io"
	"sync"
)

// RU1_unrelatedAnswer sends a batch and fills it again. That somebody else waits for an answer says
// nothing of it.
func RU1_unrelatedAnswer() {
	r := &query{make(chan int)}
	go func() { r.reply <- 1 }()
	<-r.reply
	out := make(chan []int)
	go func() {
		defer close(out)
		var batch []int
		for v := range 50 {
			batch = append(batch, v) // race! _[*]
			if len(batch) == 8 {
				out <- batch
				batch = batch[:0]
			}
		}
	}()
	for b := range out {
		println(b[0]) // race! _[*]
	}
}

type query struct{ reply chan int }

// RU1b_unrelatedGroup has a pool of workers beside it, with a group and a channel.
func RU1b_unrelatedGroup() {
	p := &crew{jobs: make(chan string)}
	p.wg.Add(1)
	go func() {
		defer p.wg.Done()
		for range p.jobs {
		}
	}()
	close(p.jobs)
	p.wg.Wait()
	out := make(chan []int)
	go func() {
		defer close(out)
		batch := make([]int, 0, 8)
		for v := range 50 {
			batch = append(batch, v) // race! _[*]
			if v%8 == 7 {
				out <- batch
				batch = batch[:0]
			}
		}
	}()
	for b := range out {
		println(b[0]) // race! _[*]
	}
}

type crew struct {
	wg   sync.WaitGroup
	jobs chan string
}

// RU1c_sentByFunction has a function send it.
func RU1c_sentByFunction() {
	r := &query{make(chan int)}
	go func() { r.reply <- 1 }()
	<-r.reply
	out := make(chan []int)
	go func() {
		defer close(out)
		batch := make([]int, 0, 8)
		for v := range 50 {
			batch = append(batch, v) // race! _[*]
			if len(batch) == 8 {
				pass(out, batch)
				batch = batch[:0]
			}
		}
	}()
	for b := range out {
		println(b[0]) // race! _[*]
	}
}

func pass(out chan []int, b []int) { out <- b }

// RU1d_newBatch begins another one.
func RU1d_newBatch() {
	r := &query{make(chan int)}
	go func() { r.reply <- 1 }()
	<-r.reply
	out := make(chan []int)
	go func() {
		defer close(out)
		var batch []int
		for v := range 50 {
			batch = append(batch, v) // norace
			if len(batch) == 8 {
				out <- batch
				batch = nil
			}
		}
	}()
	for b := range out {
		println(b[0]) // norace
	}
}

// RU2_scanned sends what a scanner has found, and scans on.
func RU2_scanned(in io.Reader) {
	lines := make(chan []byte, 4)
	done := make(chan bool)
	go func() {
		n := 0
		for l := range lines {
			n += int(l[0]) // race! _[*]
		}
		println(n)
		done <- true
	}()
	sc := bufio.NewScanner(in)
	for sc.Scan() { // race! _[*]
		lines <- sc.Bytes()
	}
	close(lines)
	<-done
}

// RU2b_copied sends a copy.
func RU2b_copied(in io.Reader) {
	lines := make(chan []byte, 4)
	done := make(chan bool)
	go func() {
		n := 0
		for l := range lines {
			n += int(l[0]) // norace
		}
		println(n)
		done <- true
	}()
	sc := bufio.NewScanner(in)
	for sc.Scan() { // norace
		lines <- bytes.Clone(sc.Bytes())
	}
	close(lines)
	<-done
}

// RU2c_scannersOwn makes another scanner for each line.
func RU2c_scannersOwn(in []io.Reader) {
	lines := make(chan []byte, 4)
	done := make(chan bool)
	go func() {
		n := 0
		for l := range lines {
			n += int(l[0])
		}
		println(n)
		done <- true
	}()
	for _, r := range in {
		sc := bufio.NewScanner(r)
		if sc.Scan() { // norace
			lines <- sc.Bytes()
		}
	}
	close(lines)
	<-done
}

// RU2d_scansAfterAnswer scans on when the line is done with.
func RU2d_scansAfterAnswer(in io.Reader) {
	lines, done := make(chan []byte), make(chan bool)
	go func() {
		n := 0
		for l := range lines {
			n += int(l[0]) // norace
			done <- true
		}
		println(n)
	}()
	sc := bufio.NewScanner(in)
	for sc.Scan() { // norace
		lines <- sc.Bytes()
		<-done
	}
	close(lines)
}

// RU3_bufferReset sends what is in a buffer, which is filled again.
func RU3_bufferReset() {
	out := make(chan []byte, 4)
	done := make(chan bool)
	go func() {
		n := 0
		for l := range out {
			n += int(l[0]) // race! _[*]
		}
		println(n)
		done <- true
	}()
	var b bytes.Buffer
	for i := range 5 {
		b.Reset()
		b.WriteByte(byte(i)) // race! _[*]
		out <- b.Bytes()
	}
	close(out)
	<-done
}

// RU3b_buffersOwn fills another one each time.
func RU3b_buffersOwn() {
	out := make(chan []byte, 4)
	done := make(chan bool)
	go func() {
		n := 0
		for l := range out {
			n += int(l[0])
		}
		println(n)
		done <- true
	}()
	for i := range 5 {
		var b bytes.Buffer
		b.WriteByte(byte(i)) // norace
		out <- b.Bytes()
	}
	close(out)
	<-done
}
