package library

import (
	"bytes"
	"sync"
)

// What a buffer of a pool held is looked at, by a function of the library, after the
// buffer was put back.

var spentSheets = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func onSheet(s string) []byte {
	b := spentSheets.Get().(*bytes.Buffer)
	b.Reset()
	b.WriteString(s) // race! _.buf[*]
	out := b.Bytes()
	spentSheets.Put(b)
	return out
}

func SR1_lookedAtWhenPutBack() {
	for range 4 {
		go func() {
			println(bytes.Count(onSheet("hello"), []byte("l"))) // race! _.buf[*]
		}()
	}
}

var spentLeaves = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func onLeaf(s string) []byte {
	b := spentLeaves.Get().(*bytes.Buffer)
	b.Reset()
	b.WriteString(s) // assumed _.buf[*]; see S66
	out := bytes.Clone(b.Bytes())
	spentLeaves.Put(b)
	return out
}

// A copy of it is looked at.
func SR2_copied() {
	for range 4 {
		go func() {
			println(bytes.Count(onLeaf("hello"), []byte("l"))) // norace
		}()
	}
}
