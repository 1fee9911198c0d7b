package order

import (
	"errors"
	"time"
)

// Exits to which several ways lead, each of which brings another outcome along.

var (
	errBroDown  = errors.New("down")
	errBroMaybe = errors.New("perhaps")
)

func broForgive() { errBroMaybe = nil }

type broFuture struct {
	err  error
	last error
	done chan error
	down chan struct{}
	n    int
}

func (f *broFuture) answer() { // answered once
	f.n++ // race! n
	f.done <- nil
}

func (f *broFuture) answered() {
	f.n++ // norace
	f.done <- nil
}

// wait returns no error only where it has the answer.
func (f *broFuture) wait() error {
	if f.err != nil {
		return f.err
	}
	select {
	case f.err = <-f.done:
	case <-f.down:
		f.err = errBroDown
	}
	return f.err
}

func broNew(down chan struct{}) *broFuture {
	return &broFuture{done: make(chan error, 1), down: down}
}

// YE1: nil comes by the first case.
func YE1_future(down chan struct{}) {
	f := broNew(down)
	go f.answered()
	if err := f.wait(); err != nil {
		return
	}
	f.n = 0 // norace
}

// YE1b: nobody asks which of the two it was.
func YE1b_ignored(down chan struct{}) {
	f := broNew(down)
	go f.answer()
	_ = f.wait()
	f.n = 0 // race! n
}

// YE1c: who fails has not waited.
func YE1c_failed(down chan struct{}) {
	f := broNew(down)
	go f.answer()
	if err := f.wait(); err != nil {
		f.n = 0 // race! n
	}
}

// YE2: the other case leaves nil, too.
func YE2_nilBoth(down chan struct{}) {
	f := broNew(down)
	go f.answer()
	if err := f.waitNil(); err != nil {
		return
	}
	f.n = 0 // race! n
}

func (f *broFuture) waitNil() error {
	select {
	case f.err = <-f.done:
	case <-f.down:
		f.err = nil
	}
	return f.err
}

// YE2b: what has been set is set back before it is returned.
func YE2b_setBack(down chan struct{}) {
	f := broNew(down)
	go f.answer()
	if err := f.waitBack(); err != nil {
		return
	}
	f.n = 0 // race! n
}

func (f *broFuture) waitBack() error {
	select {
	case f.err = <-f.done:
	case <-f.down:
		f.err = errBroDown
		f.forget()
	}
	return f.err
}

func (f *broFuture) forget() { f.err = nil }

// YE2c: it is set back where all come by.
func YE2c_setBackByAll(down chan struct{}) {
	f := broNew(down)
	go f.answer()
	if err := f.waitBackByAll(); err != nil {
		return
	}
	f.n = 0 // race! n
}

func (f *broFuture) waitBackByAll() error {
	select {
	case f.err = <-f.done:
	case <-f.down:
		f.err = errBroDown
	}
	f.forget()
	return f.err
}

// YE2g: and another value.
func YE2g_anotherValue(down chan struct{}) {
	f := broNew(down)
	go f.answer()
	if err := f.waitValue(); err != nil {
		return
	}
	f.n = 0 // race! n
}

func (f *broFuture) waitValue() error {
	select {
	case f.err = <-f.done:
	case <-f.down:
		f.err = errBroDown
	}
	f.err = f.last
	return f.err
}

// YE2d: another field is set than is returned.
func YE2d_another(down chan struct{}) {
	f := broNew(down)
	go f.answer()
	if err := f.waitLast(); err != nil {
		return
	}
	f.n = 0 // race! n
}

func (f *broFuture) waitLast() error {
	select {
	case f.err = <-f.done:
	case <-f.down:
		f.last = errBroDown
	}
	return f.err
}

// YE2e: the field of another future is set.
func YE2e_anothers(down chan struct{}) {
	f := broNew(down)
	go f.answer()
	if err := f.waitFor(broNew(down)); err != nil {
		return
	}
	f.n = 0 // race! n
}

func (f *broFuture) waitFor(g *broFuture) error {
	select {
	case f.err = <-f.done:
	case <-f.down:
		g.err = errBroDown
	}
	return f.err
}

// YE2f: what is set may be no error by then.
func YE2f_perhaps(down chan struct{}) {
	f := broNew(down)
	go f.answer()
	if err := f.waitPerhaps(); err != nil {
		return
	}
	f.n = 0 // race! n
}

func (f *broFuture) waitPerhaps() error {
	select {
	case f.err = <-f.done:
	case <-f.down:
		f.err = errBroMaybe
	}
	return f.err
}

// YE3: what was tested is loaded again, to be returned; meanwhile it has been set.
func YE3_setMeanwhile(down chan struct{}) {
	f := broNew(down)
	go f.answer()
	if err := f.waitTested(); err != nil {
		return
	}
	f.n = 0 // race! n
}

func (f *broFuture) waitTested() error {
	if f.err != nil {
		f.err = f.last
		return f.err
	}
	return <-f.done
}

// YE3b: what was tested is another field.
func YE3b_testedAnother(down chan struct{}) {
	f := broNew(down)
	go f.answer()
	if err := f.waitTestedLast(); err != nil {
		return
	}
	f.n = 0 // race! n
}

func (f *broFuture) waitTestedLast() error {
	if f.last != nil {
		return f.err
	}
	return <-f.done
}

// YE3c: between the load that is tested and the test it is set.
func YE3c_setBefore(down chan struct{}) {
	f := broNew(down)
	go f.answer()
	if err := f.waitSetBefore(); err != nil {
		return
	}
	f.n = 0 // race! n
}

func (f *broFuture) waitSetBefore() error {
	err := f.err
	f.forget()
	if err != nil {
		return f.err
	}
	return <-f.done
}

// YE4: a variable.
func YE4_variable(down chan struct{}) {
	f := broNew(down)
	go f.answered()
	if err := broWait(f); err != nil {
		return
	}
	f.n = 0 // norace
}

func broWait(f *broFuture) (err error) {
	select {
	case err = <-f.done:
	case <-time.After(time.Second):
		err = errBroDown
	}
	return err
}

// YE4b: which may hold nil either way.
func YE4b_variableNil(down chan struct{}) {
	f := broNew(down)
	go f.answer()
	if err := broWaitNil(f); err != nil {
		return
	}
	f.n = 0 // race! n
}

func broWaitNil(f *broFuture) (err error) {
	select {
	case err = <-f.done:
	case <-time.After(time.Second):
		err = f.last
	}
	return err
}

// YE5: a boolean.
func YE5_boolean(down chan struct{}) {
	f := broNew(down)
	go f.answered()
	if broWaited(f) {
		f.n = 0 // norace
	}
}

func YE5b_booleanNot(down chan struct{}) {
	f := broNew(down)
	go f.answer()
	if !broWaited(f) {
		f.n = 0 // race! n
	}
}

func broWaited(f *broFuture) bool {
	ok := false
	select {
	case <-f.done:
		ok = true
	case <-f.down:
	}
	return ok
}

// YE6: what is done at the exit is done, whatever has been brought there.
func YE6_atTheExit(down chan struct{}) {
	f := broNew(down)
	go f.fail()
	_ = f.read()
}

func (f *broFuture) fail() {
	f.last = errBroDown // race! last
	f.done <- nil
}

func (f *broFuture) read() error {
	select {
	case f.err = <-f.done:
	case <-f.down:
		f.err = errBroDown
	}
	_ = f.last // race! last
	return f.err
}

// YE7: who has no error has received: the early return yields one, too.
func YE7_cachedError() {
	reqs := make(chan *broSnapshot)
	quit := make(chan struct{})
	go func() {
		for {
			select {
			case r := <-reqs:
				r.index = 1 // norace
				r.errCh <- nil
				close(r.errCh)
			case <-quit:
				return
			}
		}
	}()
	for range 3 {
		r := &broSnapshot{broError: broError{errCh: make(chan error, 1), quit: quit}}
		reqs <- r
		if r.Error() == nil {
			println(r.index) // norace
		}
	}
	close(quit)
}

type broError struct {
	err   error
	errCh chan error
	quit  chan struct{}
}

func (d *broError) Error() error {
	if d.err != nil {
		return d.err
	}
	select {
	case d.err = <-d.errCh:
	case <-d.quit:
		d.err = errors.New("quit")
	}
	return d.err
}

type broSnapshot struct {
	broError
	index int
}

// YE8: what is returned is read where both ways come together.
func YE8_together(down chan struct{}) (int, error) {
	n := 0
	done := make(chan struct{})
	go func() {
		n++ // race! n
		close(done)
	}()
	var err error
	select {
	case <-done:
	case <-down:
		err = errBroDown
	}
	return n, err // race! n
}

// YE9: it is read when it is known what the call has returned, and nobody has asked yet.
func YE9_beforeTest(down chan struct{}) int {
	n := 0
	done := make(chan struct{})
	go func() {
		n++ // race! n
		close(done)
	}()
	err := broEither(done, down)
	m := n // race! n
	if err != nil {
		return 0
	}
	return m + n
}

func broEither(done, down chan struct{}) error {
	select {
	case <-done:
		return nil
	case <-down:
		return errBroDown
	}
}
