package order

import (
	"bytes"
	"sync"
)

// What has been put back is still in a struct that the function returns.

// PH1_held adds up what another iteration may have by then.
func PH1_held() {
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			for range 9 {
				encodeFrame(i).sum()
			}
		})
	}
	wg.Wait()
}

type scratchBuf struct{ data []byte }

type shippedFrame struct {
	seq  int
	body []byte
}

var scratchBufs = sync.Pool{New: func() any { return &scratchBuf{data: make([]byte, 0, 64)} }}

func encodeFrame(seq int) shippedFrame {
	s := scratchBufs.Get().(*scratchBuf)
	defer scratchBufs.Put(s)
	s.data = s.data[:0]
	for k := range 8 {
		s.data = append(s.data, byte(seq+k)) // race! s.data[*]
	}
	return shippedFrame{seq: seq, body: s.data}
}

func (f shippedFrame) sum() (n int) {
	for _, b := range f.body { // race! s.data[*]
		n += int(b)
	}
	return n
}

var copyBufs = sync.Pool{New: func() any { return &scratchBuf{data: make([]byte, 0, 64)} }}

func encodeCopy(seq int) shippedFrame {
	s := copyBufs.Get().(*scratchBuf)
	defer copyBufs.Put(s)
	s.data = s.data[:0]
	for k := range 8 {
		s.data = append(s.data, byte(seq+k)) // norace
	}
	return shippedFrame{seq: seq, body: bytes.Clone(s.data)}
}

// PH2_copied has a copy of it.
func PH2_copied() {
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			for range 9 {
				f := encodeCopy(i)
				for range f.body { // norace
				}
			}
		})
	}
	wg.Wait()
}

type frameNote struct {
	raw []byte
	buf *scratchBuf
}

var noteBufs = sync.Pool{New: func() any { return &scratchBuf{data: make([]byte, 0, 64)} }}

func encodeBoth(seq int) (frameNote, shippedFrame) {
	s := noteBufs.Get().(*scratchBuf)
	defer noteBufs.Put(s)
	s.data = s.data[:0]
	for k := range 8 {
		s.data = append(s.data, byte(seq+k)) // norace
	}
	t := noteBufs.Get().(*scratchBuf)
	t.data = append(t.data[:0], s.data...) // norace
	return frameNote{raw: t.data, buf: t}, shippedFrame{seq: seq, body: s.data}
}

// PH3_other uses the other one of two structs only.
func PH3_other() {
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			for range 9 {
				n, f := encodeBoth(i)
				n.sum()
				noteBufs.Put(n.buf)
				_ = f.seq
			}
		})
	}
	wg.Wait()
}

func (n frameNote) sum() (k int) {
	for _, b := range n.raw { // norace
		k += int(b)
	}
	return k
}

var setBufs = sync.Pool{New: func() any { return &scratchBuf{data: make([]byte, 0, 64)} }}

func encodeSet(seq int) shippedFrame {
	s := setBufs.Get().(*scratchBuf)
	defer setBufs.Put(s)
	s.data = s.data[:0]
	for k := range 8 {
		s.data = append(s.data, byte(seq+k)) // norace
	}
	return shippedFrame{seq: seq, body: s.data}
}

// PH4_setAgain has something else in the field before it looks.
func PH4_setAgain() {
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			for range 9 {
				f := encodeSet(i)
				t := setBufs.Get().(*scratchBuf)
				f.body = t.data[:4]
				for k := range f.body {
					f.body[k]++ // norace
				}
				setBufs.Put(t)
			}
		})
	}
	wg.Wait()
}

func frameIn(seq int, s *scratchBuf) shippedFrame {
	s.data = append(s.data[:0], byte(seq)) // norace
	return shippedFrame{seq: seq, body: s.data}
}

// PH5_otherFrame has another frame in the variable than it had when it looked.
func PH5_otherFrame() {
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			for range 9 {
				t := setBufs.Get().(*scratchBuf)
				f := frameIn(i, t)
				for k := range f.body {
					f.body[k]++ // norace
				}
				setBufs.Put(t)
				f = encodeSet(i)
				_ = f.seq
			}
		})
	}
	wg.Wait()
}

func (f *shippedFrame) set(body []byte) { f.body = body }

// PH6_setByMethod has a method put something else there.
func PH6_setByMethod() {
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			for range 9 {
				f := encodeSet(i)
				t := setBufs.Get().(*scratchBuf)
				f.set(t.data[:4])
				for k := range f.body {
					f.body[k]++ // norace
				}
				setBufs.Put(t)
			}
		})
	}
	wg.Wait()
}
