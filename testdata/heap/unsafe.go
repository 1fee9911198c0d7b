package heap

import (
	"sync"
	"unsafe"
)

// The second field is written through arithmetic on the address of the first.
// The field that is reported may be the wrong one.
func B10_unsafeArithmetic() {
	var s struct{ a, b int64 }
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			p := (*int64)(unsafe.Add(unsafe.Pointer(&s.a), 8))
			*p = int64(i) // race! s
		})
	}
	wg.Wait()
}
