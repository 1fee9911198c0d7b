package order

import (
	"net/http"
	"sync"
)

// BX1: a run starts one of two goroutines, and waits for the one of them. It leaves its writer to nobody else, however
// many runs there are, and whoever else writes by the same function has another one.
func BX1_eitherBranch() {
	done := make(chan bool)
	for i := range n {
		bxEither(i%2 == 0, done)
		bxOther(i%2 == 0)
	}
}

type bxEitherWriter struct{ n int }

func (w *bxEitherWriter) write() { w.n++ } // norace

func bxEither(stream bool, done chan bool) {
	w := &bxEitherWriter{}
	if stream {
		go func() {
			w.write()
			done <- true
		}()
		<-done
	} else {
		go func() { w.write() }()
	}
}

func bxOther(b bool) {
	a, c, d := &bxEitherWriter{}, &bxEitherWriter{}, &bxEitherWriter{}
	go func() { a.write() }()
	go func() { c.write() }()
	go func() { d.write() }()
}

// BX2: both branches may be taken.
func BX2_bothBranches() {
	for i := range n {
		bxBoth(i%2 == 0, i%3 == 0)
	}
}

type bxBothWriter struct{ n int }

func (w *bxBothWriter) write() { w.n++ } // race! w.n

func bxBoth(stream, more bool) {
	a, b, c := &bxBothWriter{}, &bxBothWriter{}, &bxBothWriter{}
	go func() { a.write() }()
	go func() { b.write() }()
	go func() { c.write() }()
	w := &bxBothWriter{}
	if stream {
		go func() { w.write() }()
	}
	if more {
		go func() { w.write() }()
	}
}

// BX3: in a loop the one branch is taken after the other.
func BX3_inLoop() {
	for range n {
		bxInLoop()
	}
}

type bxLoopWriter struct{ n int }

func (w *bxLoopWriter) write() { w.n++ } // race! w.n

func bxInLoop() {
	a, b, c := &bxLoopWriter{}, &bxLoopWriter{}, &bxLoopWriter{}
	go func() { a.write() }()
	go func() { b.write() }()
	go func() { c.write() }()
	w := &bxLoopWriter{}
	for i := range 2 {
		if i == 0 {
			go func() { w.write() }()
		} else {
			go func() { w.write() }()
		}
	}
}

// BX4: the writer is left where the next run finds it.
func BX4_leftBehind() {
	for i := range n {
		bxLast(i%2 == 0)
	}
}

var bxLastWriter *bxLeftWriter

type bxLeftWriter struct{ n int }

func (w *bxLeftWriter) write() { w.n++ } // race! w.n

func bxLast(stream bool) {
	w := bxLastWriter
	if w == nil {
		w = &bxLeftWriter{}
		bxLastWriter = w
	}
	if stream {
		go func() { w.write() }()
	} else {
		go func() { w.write() }()
	}
}

// BX5: the first goroutine is over when the second one is started.
func BX5_oneAfterOther() {
	for range n {
		bxInTurn()
	}
}

type bxTurnWriter struct{ n int }

func (w *bxTurnWriter) write() { w.n++ } // norace

func bxInTurn() {
	a, b, c := &bxTurnWriter{}, &bxTurnWriter{}, &bxTurnWriter{}
	go func() { a.write() }()
	go func() { b.write() }()
	go func() { c.write() }()
	w := &bxTurnWriter{}
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		w.write()
		wg.Done()
	}()
	wg.Wait()
	go func() { w.write() }()
}

// BX6: it is not.
func BX6_notOver() {
	for range n {
		bxAtOnce()
	}
}

type bxOnceWriter struct{ n int }

func (w *bxOnceWriter) write() { w.n++ } // race! w.n

func bxAtOnce() {
	a, b, c := &bxOnceWriter{}, &bxOnceWriter{}, &bxOnceWriter{}
	go func() { a.write() }()
	go func() { b.write() }()
	go func() { c.write() }()
	w := &bxOnceWriter{}
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		w.write()
		wg.Done()
	}()
	go func() { w.write() }()
	wg.Wait()
}

// BX7: the goroutines of one branch start others.
func BX7_nested() {
	for i := range n {
		bxNested(i%2 == 0)
	}
}

type bxNestedWriter struct{ n int }

func (w *bxNestedWriter) write() { w.n++ } // norace

func bxNested(stream bool) {
	a, b, c := &bxNestedWriter{}, &bxNestedWriter{}, &bxNestedWriter{}
	go func() { a.write() }()
	go func() { b.write() }()
	go func() { c.write() }()
	w := &bxNestedWriter{}
	if stream {
		go func() {
			go func() { w.write() }()
		}()
	} else {
		go func() {
			go func() { w.write() }()
		}()
	}
}

// BX8: one that the first goroutine starts, and one of the run.
func BX8_nestedBeside() {
	for i := range n {
		bxNestedBeside(i%2 == 0)
	}
}

type bxBesideWriter struct{ n int }

func (w *bxBesideWriter) write() { w.n++ } // race! w.n

func bxNestedBeside(stream bool) {
	a, b, c := &bxBesideWriter{}, &bxBesideWriter{}, &bxBesideWriter{}
	go func() { a.write() }()
	go func() { b.write() }()
	go func() { c.write() }()
	w := &bxBesideWriter{}
	go func() {
		if stream {
			go func() { w.write() }()
		}
	}()
	if !stream {
		return
	}
	go func() { w.write() }()
}

// BX9: a handler runs for several requests at a time, in one run of what registers it.
func BX9_handler() {
	for range n {
		bxServe()
	}
}

type bxHandledWriter struct{ n int }

func (w *bxHandledWriter) write() { w.n++ } // race! w.n

func bxServe() {
	w := &bxHandledWriter{}
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(_ http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			go func() { w.write() }()
		} else {
			go func() { w.write() }()
		}
	})
	http.ListenAndServe(":0", mux)
}

// BX10: the second goroutine is started first, and goes on.
func BX10_earlierGoesOn() {
	done := make(chan bool)
	for range n {
		bxEarlier(done)
		bxLater()
	}
}

type bxEarlierWriter struct{ n int }

func (w *bxEarlierWriter) write() { w.n++ } // race! w.n

func bxEarlier(done chan bool) {
	w := &bxEarlierWriter{}
	go func() { w.write() }()
	go func() {
		w.write()
		done <- true
	}()
	<-done
}

func bxLater() {
	a, b, c := &bxEarlierWriter{}, &bxEarlierWriter{}, &bxEarlierWriter{}
	go func() { a.write() }()
	go func() { b.write() }()
	go func() { c.write() }()
}
