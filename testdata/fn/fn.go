// Package fn holds programs with races that are missed today, with the reason.
// When one is found its test fails, and it moves to its topic.
package fn

import (
	"io"
	"reflect"
	"runtime"
	"sync"
)

const n = 10

// The field is written through reflection.
func FN_reflectSet() {
	var s struct{ N int }
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			reflect.ValueOf(&s).Elem().Field(0).SetInt(int64(i)) // missed s.N; reflection is not followed to the field
		})
	}
	wg.Wait()
}

// A send races with the close of the channel.
func FN_sendAndClose() {
	ch := make(chan int, n+1)
	var wg sync.WaitGroup
	wg.Go(func() {
		ch <- 1 // missed ch; operations on a channel itself are no accesses
	})
	for len(ch) == 0 {
		runtime.Gosched()
	}
	close(ch) // missed ch; operations on a channel itself are no accesses
	wg.Wait()
}

// An unknown method is called on a shared interface value: it is assumed to
// take care of itself.
func FN_interfaceParameter(w io.Writer, lines [][]byte) {
	var wg sync.WaitGroup
	for _, l := range lines {
		wg.Go(func() {
			w.Write(l) // missed _; the dynamic type of a parameter is not known, and nothing is assumed of it
		})
	}
	wg.Wait()
}
