// Package fn holds programs with races that are missed today, with the reason.
// When one is found its test fails, and it moves to its topic.
package fn

import (
	"reflect"
	"runtime"
	"sync"
	"unsafe"
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

// The second field is written through arithmetic on the address of the first.
func FN_unsafeArithmetic() {
	var s struct{ a, b int64 }
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			p := (*int64)(unsafe.Add(unsafe.Pointer(&s.a), 8))
			*p = int64(i) // missed s.b; pointers made by arithmetic are not followed
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
