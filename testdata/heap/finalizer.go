package heap

import "runtime"

// Programs about finalizers: when one is run for an object, nobody else has that any more.

type fzFile struct {
	buf    []byte
	offset int
	dir    *fzFile
	stats  *fzStats
}

type fzStats struct{ open int }

func fzNew(dir *fzFile, s *fzStats) *fzFile { return &fzFile{buf: make([]byte, 8), dir: dir, stats: s} }

// What has a finalizer is used as long as somebody has it.
func FZ1_object() {
	for range 3 {
		fzOpen().offset++
	}
}

func fzOpen() *fzFile {
	f := fzNew(nil, nil)
	runtime.SetFinalizer(f, fzClose)
	f.buf = f.buf[:4] // norace
	f.offset = 1      // norace
	return f
}

func fzClose(x any) {
	if f, ok := x.(*fzFile); ok && f.offset > 0 { // norace
		f.buf = nil // norace
	}
}

// What it shares with others they may have when it is gone.
func FZ2_shared() {
	s := &fzStats{}
	for range 3 {
		fzCounted(s)
	}
}

func fzCounted(s *fzStats) {
	f := fzNew(nil, s)
	runtime.SetFinalizer(f, func(x any) {
		x.(*fzFile).stats.open-- // race! stats.open
	})
	s.open++ // race! stats.open
}

// So they may another one of its type that it leads to.
func FZ3_parent() {
	d := fzNew(nil, nil)
	f := fzNew(d, nil)
	runtime.SetFinalizer(f, func(x any) {
		x.(*fzFile).dir.offset-- // race! dir.offset
	})
	d.offset++ // race! dir.offset
}

// A goroutine is no finalizer.
func FZ4_goroutine() {
	for range 3 {
		fzStarted().offset++ // race! f.offset
	}
}

func fzStarted() *fzFile {
	f := fzNew(nil, nil)
	go fzReset(f)
	f.offset = 1 // race! f.offset
	return f
}

func fzReset(f *fzFile) {
	f.offset = 0 // race! f.offset
}

// What leads to it may be of its name.
func FZ5_siblings() {
	d := fzChild(nil)
	for range 2 {
		fzChild(d)
	}
}

func fzChild(d *fzFile) *fzFile {
	f := &fzFile{dir: d}
	runtime.SetFinalizer(f, func(x any) {
		if up := x.(*fzFile).dir; up != nil {
			up.offset-- // race! _.offset
		}
	})
	if d != nil {
		d.offset++ // race! _.offset
	}
	return f
}

type fzHandle struct{ c *int }

func (h *fzHandle) open() bool { return h != nil && h.c != nil } // norace

func (h *fzHandle) close() {
	if h.open() {
		h.c = nil // norace
	}
}

type fzHandled struct{ h *fzHandle }

// What a cleanup is given lies in what it is run for.
func FZ6_handle() int {
	return fzHandleOf(new(int)).count()
}

func fzHandleOf(c *int) *fzHandled {
	f := &fzHandled{h: &fzHandle{c: c}}
	runtime.AddCleanup(f, func(h *fzHandle) { h.close() }, f.h)
	return f
}

func (f *fzHandled) count() int {
	if !f.h.open() {
		return 0
	}
	return *f.h.c // norace
}

// Who has the handle otherwise has it when the object is gone.
func FZ6b_handleElsewhere() int {
	h := &fzHandle2{}
	fzHandle2For(h)
	h.c++      // race! h.c
	return h.c // race! h.c
}

type fzHandle2 struct{ c int }

type fzHandled2 struct{ h *fzHandle2 }

func fzHandle2For(h *fzHandle2) *fzHandled2 {
	f := &fzHandled2{h: h}
	runtime.AddCleanup(f, func(h *fzHandle2) {
		h.c = 0 // race! h.c
	}, h)
	return f
}
