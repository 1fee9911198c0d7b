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

// Whose lock is held while it is looked at is another list's.
func SR3_appendedWhenPutBack() {
	all := new(binding)
	for range 4 {
		go func() { all.add(onFolio("hello")) }()
	}
}

var spentFolios = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func onFolio(s string) []byte {
	b := spentFolios.Get().(*bytes.Buffer)
	defer spentFolios.Put(b)
	b.Reset()
	b.WriteString(s) // race! _.buf[*]
	return b.Bytes()
}

type binding struct {
	mu    sync.Mutex
	pages []byte
}

func (b *binding) add(page []byte) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.pages = append(b.pages, page...) // race! _.buf[*]
}

var spentQuires = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// What is put back may be filled by another one when it is appended.
func SR4_appendedAfterPut() {
	var mu sync.Mutex
	var all []byte
	for range 4 {
		go func() {
			b := spentQuires.Get().(*bytes.Buffer)
			b.Reset()
			b.WriteString("hello") // race! _.buf[*]
			out := b.Bytes()
			spentQuires.Put(b)
			mu.Lock()
			all = append(all, out...) // race! _.buf[*]
			mu.Unlock()
		}()
	}
}

var spentReams = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// It is appended before it is put back.
func SR4b_appendedBeforePut() {
	var mu sync.Mutex
	var all []byte
	for range 4 {
		go func() {
			b := spentReams.Get().(*bytes.Buffer)
			b.Reset()
			b.WriteString("hello") // assumed _.buf[*]; see S66
			mu.Lock()
			all = append(all, b.Bytes()...) // assumed _.buf[*]; see S66
			mu.Unlock()
			spentReams.Put(b)
		}()
	}
}

type slate struct{ text []byte }

var spentSlates = sync.Pool{New: func() any { return &slate{make([]byte, 8)} }}

// The list that grows is the goroutine's own while it has it; what is added to it is not.
func SR5_addedAfterPut(in, out chan *slate) {
	for range 4 {
		go func() {
			last := spentSlates.Get().(*slate)
			text := last.text
			spentSlates.Put(last)
			for s := range in {
				s.text = append(s.text[:0], text...) // race! _[*]
				out <- s
			}
			l := spentSlates.Get().(*slate)
			l.text[0]++ // race! _[*]
			spentSlates.Put(l)
		}()
	}
}

var spentTablets = sync.Pool{New: func() any { return &slate{make([]byte, 8)} }}

// It is added while the goroutine has it.
func SR5b_addedBeforePut(in, out chan *slate) {
	for range 4 {
		go func() {
			l := spentTablets.Get().(*slate)
			for s := range in {
				s.text = append(s.text[:0], l.text...) // norace
				out <- s
			}
			l.text[0]++ // norace
			spentTablets.Put(l)
		}()
	}
}

var spentTapes = sync.Pool{New: func() any { s := make([]byte, 0, 64); return &s }}

// The pool has pointers to slices.
func SR6_slicePutBack() {
	var mu sync.Mutex
	var all []byte
	for range 4 {
		go func() {
			out := onTape("hello")
			mu.Lock()
			all = append(all, out...) // race! _[*]
			mu.Unlock()
		}()
	}
}

func onTape(s string) []byte {
	p := spentTapes.Get().(*[]byte)
	defer spentTapes.Put(p)
	out := append((*p)[:0], s...) // race! _[*]
	*p = out
	return out
}

var spentReels = sync.Pool{New: func() any { s := make([]byte, 0, 64); return &s }}

func SR6b_sliceCopied() {
	var mu sync.Mutex
	var all []byte
	for range 4 {
		go func() {
			out := onReel("hello")
			mu.Lock()
			all = append(all, out...) // norace
			mu.Unlock()
		}()
	}
}

func onReel(s string) []byte {
	p := spentReels.Get().(*[]byte)
	defer spentReels.Put(p)
	out := append((*p)[:0], s...) // norace
	*p = out
	return append([]byte(nil), out...) // norace
}

var spentDiscs = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// Another function appends what was put back.
func SR7_passedAfterPut() {
	all := new(folder)
	for range 4 {
		go func() {
			b := spentDiscs.Get().(*bytes.Buffer)
			b.Reset()
			b.WriteString("hello") // race! _.buf[*]
			out := b.Bytes()
			spentDiscs.Put(b)
			all.add(out)
		}()
	}
}

type folder struct {
	mu    sync.Mutex
	pages []byte
}

func (f *folder) add(page []byte) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.pages = append(f.pages, page...) // race! _.buf[*]
}
