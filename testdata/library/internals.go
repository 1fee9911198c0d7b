package library

import (
	"bufio"
	"bytes"
	"io"
	"sync"
)

// A reader that a library makes is the application's: it has it, and hands it to
// a call on something else.
func K3b_sharedReader(r io.Reader) {
	shared := bufio.NewReader(r)
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			var own bytes.Buffer
			io.CopyN(&own, shared, 3) // race! _
		})
	}
	wg.Wait()
}
