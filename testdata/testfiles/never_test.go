package testfiles

import (
	"testing"
	"time"
)

// A test that has failed, or is skipped, does not go on.
func TestNR8_fatal(t *testing.T) {
	x := 0
	done := make(chan struct{})
	go func() {
		defer close(done)
		x = 1 // norace
	}()
	select {
	case <-done:
	case <-time.After(time.Second):
		t.Fatal("timed out")
	}
	t.Log(x) // norace
}

func TestNR8b_error(t *testing.T) {
	x := 0
	done := make(chan struct{})
	go func() {
		defer close(done)
		x = 1 // race! x
	}()
	select {
	case <-done:
	case <-time.After(time.Second):
		t.Error("timed out")
	}
	t.Log(x) // race! x
}

func TestNR8c_skip(t *testing.T) {
	x := 0
	done := make(chan struct{})
	go func() {
		defer close(done)
		x = 1 // norace
	}()
	if testing.Short() {
		t.SkipNow()
	} else {
		<-done
	}
	t.Log(x) // norace
}

// Through the interface, in a helper, and in another one that asks something else.
func TestNR9_helper(t *testing.T) {
	x, y := 0, 0
	done, seen := make(chan struct{}), make(chan struct{})
	go func() {
		x = 1 // norace
		close(done)
	}()
	go func() {
		y = 1 // race! y
		close(seen)
	}()
	awaitWithin(t, done)
	t.Log(x) // norace
	noted(t, seen)
	t.Log(y) // race! y
}

func awaitWithin(t testing.TB, done chan struct{}) {
	t.Helper()
	select {
	case <-done:
	case <-time.After(time.Second):
		t.Fatalf("timed out after %v", time.Second)
	}
}

func noted(t testing.TB, done chan struct{}) {
	t.Helper()
	select {
	case <-done:
	case <-time.After(time.Second):
		t.Errorf("timed out after %v", time.Second)
	}
}

// A Fatalf of one's own is what its code says.
type lenient struct{ testing.TB }

func (l lenient) Fatalf(format string, args ...any) { l.Logf(format, args...) }

func TestNR9b_ownFatal(t *testing.T) {
	x := 0
	done := make(chan struct{})
	go func() {
		x = 1 // race! x
		close(done)
	}()
	l := lenient{t}
	select {
	case <-done:
	case <-time.After(time.Second):
		l.Fatalf("timed out")
	}
	t.Log(x) // race! x
}

// What stands behind such a call never runs.
func TestNR10_skipped(t *testing.T) {
	t.Skip("flaky")
	x := 0
	_ = x
	go func() {
		x++ // norace
	}()
	x++ // norace
}

func TestNR10b_onSomeWays(t *testing.T) {
	if testing.Short() {
		t.Skip("slow")
	}
	x := 0
	_ = x
	go func() {
		x++ // race! x
	}()
	x++ // race! x
}

// What was deferred before it runs all the same.
func TestNR10c_deferred(t *testing.T) {
	x := 0
	_ = x
	go func() {
		x++ // race! x
	}()
	defer func() {
		x++ // race! x
	}()
	t.FailNow()
}
