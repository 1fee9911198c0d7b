package library

import (
	"bytes"
	"fmt"
	"sync"
)

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// each runs f on several goroutines, several times on each.
func each(f func(i int)) {
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			for range 20 {
				f(i)
			}
		})
	}
	wg.Wait()
}

// A buffer from the pool, its array with it, is one goroutine's until it is put
// back.
func V1_pooledBuffer() {
	each(func(i int) {
		b := buffers.Get().(*bytes.Buffer)
		defer buffers.Put(b)
		b.Reset()                     // norace
		fmt.Fprintf(b, "%d:", i)      // norace
		b.WriteString("x")            // norace
		out := bytes.Clone(b.Bytes()) // norace
		out[0] = 'y'                  // norace
	})
}

var lent = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// What Bytes returns is a part of the buffer, which is put back.
func V1b_bytesKept() {
	each(func(i int) {
		b := lent.Get().(*bytes.Buffer)
		b.Reset()
		fmt.Fprintf(b, "%d:", i) // race! _
		out := b.Bytes()
		lent.Put(b)
		out[0] = 'y' // race! _[*]
	})
}

type sheet struct{ text []byte }

var sheets = sync.Pool{New: func() any { return &sheet{text: make([]byte, 0, 16)} }}

// An array of the program's own, in what the pool holds.
func V2_pooledArray() {
	each(func(i int) {
		s := sheets.Get().(*sheet)
		s.text = append(s.text[:0], byte(i)) // norace
		s.text[0]++                          // norace
		sheets.Put(s)
	})
}

var early = sync.Pool{New: func() any { return &sheet{text: make([]byte, 1, 16)} }}

// The array is written after the sheet was put back.
func V2b_arrayWrittenAfterPut() {
	each(func(i int) {
		s := early.Get().(*sheet)
		text := s.text
		early.Put(s)
		text[0] = byte(i) // race! _[*]
	})
}

var common = make([]byte, 16)

var alike = sync.Pool{New: func() any { return &sheet{text: common[:0]} }}

// The sheets are each goroutine's own, but have one array.
func V2c_oneArray() {
	each(func(i int) {
		s := alike.Get().(*sheet)
		s.text = s.text[:1] // norace
		s.text[0] = byte(i) // race! _[*]
		s.text = s.text[:0] // norace
		alike.Put(s)
	})
}

// What one buffer has when it grows is new, and not what another had before: the line that
// all write has nothing in common with what each session has sent.
func V4_growsByItself() {
	sessions := make([]*bufferSession, n)
	for i := range sessions {
		sessions[i] = &bufferSession{sent: bytes.NewBuffer(make([]byte, 0, 100))}
	}
	var l lineLog
	var wg sync.WaitGroup
	for i := range sessions {
		wg.Go(func() {
			l.log("a")
			sessions[i].sent.WriteString("hello") // norace
		})
	}
	wg.Wait()
}

type bufferSession struct{ sent *bytes.Buffer }

type lineLog struct {
	mu   sync.Mutex
	line bytes.Buffer
}

func (l *lineLog) log(s string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.line.Reset()
	l.line.WriteString(s)             // norace
	fmt.Print(string(l.line.Bytes())) // norace
}

// What the line has grown to is read when the lock is released.
func V4b_readAfterUnlock() {
	var l hastyLog
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() { l.log("a") })
	}
	wg.Wait()
}

type hastyLog struct {
	mu   sync.Mutex
	line bytes.Buffer
}

func (l *hastyLog) log(s string) {
	l.mu.Lock()
	l.line.Reset()
	l.line.WriteString(s) // race! _[*]
	b := l.line.Bytes()
	l.mu.Unlock()
	fmt.Print(string(b)) // race! _[*]
}
