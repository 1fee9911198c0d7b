package library

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"slices"
	"sort"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// Formatting reads what its argument points to.
func B10_formattedWhileWritten() {
	shared := &P{}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			shared.x = i                  // race! shared.x
			_ = fmt.Sprintf("%v", shared) // race! shared
		})
	}
	wg.Wait()
}

// What an atomic pointer in it points to is not read, and what a slice holds is.
func B10_formattedAddress() {
	q := &formattedAddress{counts: make([]int, n)}
	q.next.Store(&P{})
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			q.mu.Lock()
			p := q.next.Load()
			p.x = i         // norace
			q.counts[0] = i // race! counts[*]
			q.mu.Unlock()
			_ = fmt.Sprint(q) // race! counts[*]
		})
	}
	wg.Wait()
}

type formattedAddress struct {
	mu     sync.Mutex
	next   atomic.Pointer[P]
	counts []int
}

// Marshalling reads, unmarshalling writes, each to its own.
func B10_jsonOwn() {
	outs := make([]P, n)
	var wg sync.WaitGroup
	for i := range outs {
		wg.Go(func() {
			data, _ := json.Marshal(map[string]int{"x": i})
			_ = json.Unmarshal(data, &outs[i]) // norace
		})
	}
	wg.Wait()
}

type exported struct{ X, Y int }

// All unmarshal into one object.
func B10_jsonShared() {
	var out exported
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			_ = json.Unmarshal([]byte(`{"X": 1}`), &out) // race! out
		})
	}
	wg.Wait()
}

// Sorting writes the argument.
func B10_sortShared() {
	xs := []int{3, 1, 2}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			sort.Ints(xs) // race! xs
		})
	}
	wg.Wait()
}

// Each sorts its own row.
func B10_sortOwn() {
	rows := make([][]int, n)
	for i := range rows {
		rows[i] = []int{3, 1, 2}
	}
	var wg sync.WaitGroup
	for _, r := range rows {
		wg.Go(func() {
			slices.Sort(r) // norace
			sort.Ints(r)   // norace
		})
	}
	wg.Wait()
}

// Searching only reads.
func B10_searchShared() {
	xs := []int{1, 2, 3}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			_, _ = slices.BinarySearch(xs, i)
			_ = strings.Contains("abc", "b")
		})
	}
	wg.Wait()
}

// A logger serialises its calls.
func B10_loggerShared() {
	l := log.New(io.Discard, "", 0)
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			l.Printf("%d", i)
			log.SetFlags(0)
		})
	}
	wg.Wait()
}

// Contexts and timers are made for this.
func B10_contextShared() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			select {
			case <-ctx.Done():
			case <-time.After(time.Microsecond):
			}
			_ = ctx.Err()
		})
	}
	wg.Wait()
}

// Fprintf writes its writer once: as safe as that is.
func B10_fprintfToBuffer() {
	var buf bytes.Buffer
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			fmt.Fprintf(&buf, "%d", i) // race! buf
		})
	}
	wg.Wait()
}

// A builder per iteration.
func B10_builderPerIteration() {
	own := make([]string, n)
	var wg sync.WaitGroup
	for i := range own {
		wg.Go(func() {
			var b strings.Builder
			b.WriteString("x")
			fmt.Fprintf(&b, "%d", i)
			own[i] = b.String() // norace
		})
	}
	wg.Wait()
}

// A format that asks for the type alone does not look at what is formatted.
func K1_typeOnly() {
	shared := &P{}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			shared.x = i                                  // race! shared.x
			_ = fmt.Sprintf("got %T, %5.1[1]p%%", shared) // norace
			if i > n {
				panic(fmt.Sprintf("%T: %v", shared, shared)) // race! shared
			}
		})
	}
	wg.Wait()
}

// So it is where numbers and strings stand beside it.
func K1b_typeAndNumbers(name string) {
	shared := &P{}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			shared.x = i                                      // race! shared.x
			_ = fmt.Sprintf("number %d: %T", i, shared)       // norace
			_ = fmt.Errorf("%T of %q, %-3d", shared, name, i) // norace
			if len(name) > 10 {
				_ = fmt.Sprintf("%v of %T", shared, name) // race! shared
			}
		})
	}
	wg.Wait()
}

// What stands beside it is looked into, and it is not.
func K1c_typeAndOther(failed error) {
	shared, other := &named{}, &P{}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			shared.x = i                                        // race! shared.x
			other.x = i                                         // race! other.x
			_ = fmt.Errorf("%T: %w", shared, failed)            // norace
			_ = fmt.Sprintf("%s, %+v", "it is", other)          // race! other
			_ = fmt.Sprintf("%d%% of %p: %v", i, shared, other) // race! other
		})
	}
	wg.Wait()
}

type named struct{ x int }

// It is looked into by another verb: at its place, by a number, behind one for a width, or where there is none left.
func K1d_otherVerbs(failed error) {
	a, b, c, d := &verb1{}, &verb2{}, &verb3{}, &verb4{}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			a.x = i                                     // race! a.x
			b.x = i                                     // race! b.x
			c.x = i                                     // race! c.x
			d.x = i                                     // race! d.x
			_ = fmt.Sprintf("%v of %T", a, failed)      // race! a
			_ = fmt.Sprintf("%T, %[1]v %v", b, failed)  // race! b
			_ = fmt.Sprintf("%*v %T", i, c, failed)     // race! c
			_ = fmt.Sprintf("%T %v", failed, failed, d) // race! d
		})
	}
	wg.Wait()
}

type (
	verb1 struct{ x int }
	verb2 struct{ x int }
	verb3 struct{ x int }
	verb4 struct{ x int }
)

type decoded struct{ X int }
