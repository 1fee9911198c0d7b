package order

import (
	"errors"
	"sync"
)

// What is sent is what a function has put back when it returned it.
func PU12_sentWhenPut() {
	out := make(chan []byte, 4)
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			for range 50 {
				out <- flushed(i)
			}
		})
	}
	go func() { wg.Wait(); close(out) }()
	for b := range out {
		for _, c := range b { // race! _[*]
			_ = c
		}
	}
}

type quill struct{ data []byte }

var quills = sync.Pool{New: func() any { return &quill{data: make([]byte, 0, 64)} }}

func flushed(i int) []byte {
	k := quills.Get().(*quill)
	defer quills.Put(k)
	k.data = k.data[:0]
	for j := range 8 {
		k.data = append(k.data, byte(i+j)) // race! _[*]
	}
	return k.data
}

// Goroutines of another loop receive it, it is put back by a function that keeps what is not too large, and sent by
// one that is passed it.
func PU12b_sentToWorkers() {
	out := make(chan *vellum, 4)
	var readers, writers sync.WaitGroup
	for range 2 {
		readers.Go(func() {
			for b := range out {
				_ = len(b.data) // race! _.data
			}
		})
	}
	for i := range 4 {
		writers.Go(func() {
			for range 50 {
				if v, err := inscribed(i); err == nil {
					sendVellum(out, v)
				}
			}
		})
	}
	writers.Wait()
	close(out)
	readers.Wait()
}

type vellum struct{ data []byte }

var vellums = sync.Pool{New: func() any { return &vellum{} }}

func putVellum(v *vellum) {
	if cap(v.data) < 1<<16 {
		vellums.Put(v)
	}
}

func sendVellum(out chan<- *vellum, v *vellum) { out <- v }

func inscribed(i int) (*vellum, error) {
	v := vellums.Get().(*vellum)
	v.data = v.data[:0]              // race! _.data
	v.data = append(v.data, byte(i)) // race! _.data
	if i < 0 {
		return nil, errors.New("negative")
	}
	putVellum(v)
	return v, nil
}

// It is put back only where the function fails and returns nothing.
func PU12c_putIfFailed() {
	out := make(chan []byte, 4)
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			for range 50 {
				if b, err := rolled(i); err == nil {
					out <- b
				}
			}
		})
	}
	go func() { wg.Wait(); close(out) }()
	for b := range out {
		for _, c := range b { // norace
			_ = c
		}
	}
}

type papyrus struct{ data []byte }

var papyri = sync.Pool{New: func() any { return &papyrus{data: make([]byte, 0, 64)} }}

func rolled(i int) ([]byte, error) {
	p := papyri.Get().(*papyrus)
	p.data = p.data[:0]
	if i > 2 {
		papyri.Put(p)
		return nil, errors.New("too much")
	}
	for j := range 8 {
		p.data = append(p.data, byte(i+j)) // norace
	}
	return p.data, nil
}

// So it is where a deferred function asks whether it has failed.
func PU12d_deferredIfFailed() {
	out := make(chan *scroll, 4)
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			for range 50 {
				if p, err := unrolled(i); err == nil {
					out <- p
				}
			}
		})
	}
	go func() { wg.Wait(); close(out) }()
	for p := range out {
		_ = len(p.data) // norace
	}
}

type scroll struct{ data []byte }

var scrolls = sync.Pool{New: func() any { return &scroll{} }}

func unrolled(i int) (_ *scroll, err error) {
	p := scrolls.Get().(*scroll)
	defer func() {
		if err != nil {
			scrolls.Put(p)
		}
	}()
	p.data = p.data[:0] // norace
	if i > 2 {
		return nil, errors.New("too much")
	}
	p.data = append(p.data, byte(i)) // norace
	return p, nil
}

// What is sent is a copy.
func PU12e_copySent() {
	out := make(chan []byte, 4)
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			for range 50 {
				out <- traced(i)
			}
		})
	}
	go func() { wg.Wait(); close(out) }()
	for b := range out {
		for _, c := range b { // norace
			_ = c
		}
	}
}

type stencil struct{ data []byte }

var stencils = sync.Pool{New: func() any { return &stencil{data: make([]byte, 0, 64)} }}

func traced(i int) []byte {
	k := stencils.Get().(*stencil)
	defer stencils.Put(k)
	k.data = k.data[:0]
	for j := range 8 {
		k.data = append(k.data, byte(i+j)) // norace
	}
	return append([]byte(nil), k.data...)
}

// It was put back before it is returned, whatever comes of it.
func PU12f_deferredWhenSmall() {
	out := make(chan []byte, 4)
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			for range 50 {
				if b, err := engraved(i); err == nil {
					out <- b
				}
			}
		})
	}
	go func() { wg.Wait(); close(out) }()
	for b := range out {
		for _, c := range b { // race! _[*]
			_ = c
		}
	}
}

type burin struct{ data []byte }

var burins = sync.Pool{New: func() any { return &burin{data: make([]byte, 0, 64)} }}

func engraved(i int) ([]byte, error) {
	k := burins.Get().(*burin)
	defer func() {
		if cap(k.data) < 1<<16 {
			burins.Put(k)
		}
	}()
	k.data = k.data[:0]
	if i < 0 {
		return nil, errors.New("negative")
	}
	for j := range 8 {
		k.data = append(k.data, byte(i+j)) // race! _[*]
	}
	return k.data, nil
}

// The deferred function looks at the error, and puts the object back all the same.
func PU12g_deferredEitherWay() {
	out := make(chan *tablet, 4)
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			for range 50 {
				if p, err := carved(i); err == nil {
					out <- p
				}
			}
		})
	}
	go func() { wg.Wait(); close(out) }()
	for p := range out {
		_ = len(p.data) // race! _.data
	}
}

type tablet struct{ data []byte }

var tablets = sync.Pool{New: func() any { return &tablet{} }}

func carved(i int) (_ *tablet, err error) {
	p := tablets.Get().(*tablet)
	defer func() {
		if err != nil {
			err = errors.New("carving failed")
		}
		tablets.Put(p)
	}()
	p.data = p.data[:0] // race! _.data
	if i < 0 {
		return nil, errors.New("negative")
	}
	p.data = append(p.data, byte(i)) // race! _.data
	return p, nil
}

// The deferred function looks at what it puts back, which is returned, too.
func PU12h_deferredByItself() {
	out := make(chan *slate, 4)
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			for range 50 {
				out <- chalked(i)
			}
		})
	}
	go func() { wg.Wait(); close(out) }()
	for p := range out {
		_ = len(p.data) // race! _.data
	}
}

type slate struct{ data []byte }

var slates sync.Pool

func chalked(i int) *slate {
	p, _ := slates.Get().(*slate)
	if p == nil {
		p = &slate{}
	}
	defer func() {
		if cap(p.data) < 1<<16 {
			slates.Put(p)
		}
	}()
	p.data = p.data[:0]              // race! _.data
	p.data = append(p.data, byte(i)) // race! _.data
	return p
}
