package library

import (
	"crypto/cipher"
	"io"
	"sync"
)

// The functions of this file are roots, and what they are given implements an
// interface nobody knows how. The model says what a method does to its arguments
// whatever implements it.

// All iterations read into one buffer, through a function of the library.
func O1_unknownReaders(rs []io.Reader, buf []byte) {
	var wg sync.WaitGroup
	for i := range rs {
		wg.Go(func() {
			io.ReadFull(rs[i], buf) // race! buf[*]
		})
	}
	wg.Wait()
}

// The method is called directly, and the reader may also be one that is known.
func O1b_unknownOrKnown(rs []io.Reader) {
	buf := make([]byte, 100)
	var wg sync.WaitGroup
	for _, r := range rs {
		if r == nil {
			r = eof{}
		}
		wg.Go(func() {
			r.Read(buf) // race! buf[*]
		})
	}
	wg.Wait()
}

type eof struct{}

func (eof) Read(p []byte) (int, error) { return 0, io.EOF }

// Each iteration reads into a buffer of its own.
func O2_ownBuffers(rs []io.Reader) {
	var wg sync.WaitGroup
	for _, r := range rs {
		wg.Go(func() {
			own := make([]byte, 10)
			r.Read(own) // norace
		})
	}
	wg.Wait()
}

// Each iteration reads into its own part of one buffer. A reader does not look
// beyond the length of what it is given.
func O2b_ownParts(rs []io.Reader, buf []byte) {
	var wg sync.WaitGroup
	for i, r := range rs {
		wg.Go(func() {
			io.ReadFull(r, buf[i*10:i*10+10]) // norace
		})
	}
	wg.Wait()
}

// The parts overlap by one byte.
func O2c_partsOverlap(rs []io.Reader, buf []byte) {
	var wg sync.WaitGroup
	for i, r := range rs {
		wg.Go(func() {
			io.ReadFull(r, buf[i*10:i*10+11]) // race! buf[*]
		})
	}
	wg.Wait()
}

// A cipher appends to what it is given, up to its capacity.
func O2d_partsAppended(a cipher.AEAD, buf, nonce []byte) {
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			a.Seal(buf[i*10:i*10+10], nonce, nonce, nil) // race! buf[*]
		})
	}
	wg.Wait()
}

// Writers only read what they are given.
func O3_unknownWriters(ws []io.Writer, buf []byte) {
	var wg sync.WaitGroup
	for _, w := range ws {
		wg.Go(func() {
			w.Write(buf) // norace
		})
	}
	wg.Wait()
}

// Where all that a call may run is seen, the code tells: this reader writes nothing.
func O4_knownReader() {
	var r io.Reader = eof{}
	buf := make([]byte, 10)
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			r.Read(buf) // norace
		})
	}
	wg.Wait()
}

// Nobody outside the package can implement filler: what comes in is one of the
// package's types.
func O5_sealed(fs []filler) {
	buf := make([]byte, 10)
	var wg sync.WaitGroup
	for _, f := range fs {
		wg.Go(func() {
			f.fill(buf)
		})
	}
	wg.Wait()
}

type filler interface{ fill(b []byte) }

type first struct{ calls int }

func (*first) fill(b []byte) { b[0] = 1 } // race! buf[*]

type last struct{ count *counter }

type counter struct{ n int }

// Each filler has a counter of its own.
func (l last) fill(b []byte) { l.count.n++ } // norace

// One filler is everybody's.
func O7_sealedShared(f sharer) {
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() { f.share() })
	}
	wg.Wait()
}

type sharer interface{ share() }

type shared struct{ n int }

func (s *shared) share() { s.n++ } // race! f.n
