package lock

import (
	"errors"
	"sync"
)

// TF1: a function tells by its error whether it still has the lock, and its caller keeps that in a field before he looks.
func TF1_keptInField() {
	f := &toldFile{}
	for i := range n {
		go func() {
			f.write(i)
			f.writeAll(i)
		}()
	}
}

type toldFile struct {
	mu   sync.Mutex
	size int
}

type toldWriter struct{ err error }

func (f *toldFile) begin(k int) error {
	f.mu.Lock()
	if k > 3 {
		f.mu.Unlock()
		return errors.New("too many")
	}
	return nil
}

func (f *toldFile) write(k int) {
	w := &toldWriter{}
	if w.err = f.begin(k); w.err != nil {
		return
	}
	f.size += k // norace
	f.mu.Unlock()
}

func (f *toldFile) writeAll(k int) {
	w := &toldWriter{}
	func() {
		if w.err = f.begin(k); w.err == nil {
			f.size = k // norace
			f.mu.Unlock()
		}
	}()
}

// TF2: in the field of another one.
func TF2_otherOwner() {
	f := &otherFile{}
	for i := range n {
		go func() { f.write(i) }()
	}
}

type otherFile struct {
	toldFile
	count int
}

func (f *otherFile) write(k int) {
	v, w := &toldWriter{}, &toldWriter{}
	if w.err = f.begin(k); v.err != nil {
		return
	}
	f.count++ // race! f.count
	f.mu.Unlock()
}

// TF3: what is called meanwhile may change the field.
func TF3_changedMeanwhile() {
	f := &resetFile{}
	for i := range n {
		go func() { f.write(i) }()
	}
}

type resetFile struct {
	toldFile
	count int
}

func (w *toldWriter) reset() { w.err = nil }

func (f *resetFile) write(k int) {
	w := &toldWriter{}
	w.err = f.begin(k)
	w.reset()
	if w.err != nil {
		return
	}
	f.count++ // race! f.count
	if k < 3 {
		f.mu.Unlock()
	}
}

// TF4: another field.
func TF4_otherField() {
	f := &secondFile{}
	for i := range n {
		go func() { f.write(i) }()
	}
}

type secondFile struct {
	toldFile
	count int
}

type twoErrors struct{ first, last error }

func (f *secondFile) write(k int) {
	w := &twoErrors{}
	if w.first = f.begin(k); w.last != nil {
		return
	}
	f.count++ // race! f.count
	f.mu.Unlock()
}

// TF5: the variable that leads to the field is set anew.
func TF5_otherObject() {
	f := &thirdFile{}
	for i := range n {
		go func() { f.write(i) }()
	}
}

type thirdFile struct {
	toldFile
	count int
}

func (f *thirdFile) write(k int) {
	w := &toldWriter{}
	next := func() error {
		err := f.begin(k)
		w = &toldWriter{}
		return err
	}
	if w.err = next(); w.err != nil {
		return
	}
	f.count++ // race! f.count
	f.mu.Unlock()
}
