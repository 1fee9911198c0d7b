package library

import (
	"bufio"
	"bytes"
	"container/list"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"math/rand"
	"os"
	"regexp"
	"slices"
	"sort"
	"strings"
	"sync"
	"time"
)

// Println may be called from many goroutines.
func T106_println() {
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			fmt.Println("bla")
		})
	}
	wg.Wait()
}

// A regular expression per iteration.
func T107_regexpPerIteration() {
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			re := regexp.MustCompile("a+")
			_ = re.MatchString("baa")
		})
	}
	wg.Wait()
}

// One regular expression for all, which its documentation allows.
func T107b_regexpShared() {
	re := regexp.MustCompile("a+")
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			_ = re.FindString("baa")
		})
	}
	wg.Wait()
}

// An object with state, one per iteration.
func T108_scannerPerIteration() {
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			sc := bufio.NewScanner(strings.NewReader("a b"))
			for sc.Scan() {
				_ = sc.Text()
			}
		})
	}
	wg.Wait()
}

// A reader shared by all.
func T109_readerShared() {
	r := strings.NewReader("some text")
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			_, _ = r.ReadByte() // race! _
		})
	}
	wg.Wait()
}

// A scanner shared by all.
func T109b_scannerShared() {
	sc := bufio.NewScanner(strings.NewReader("a\nb\nc\nd\ne\n"))
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			if sc.Scan() { // race! _
				_ = sc.Text() // race! _
			}
		})
	}
	wg.Wait()
}

// A buffer shared by all.
func T109c_bufferShared() {
	var buf bytes.Buffer
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			buf.WriteByte('x') // race! _
		})
	}
	wg.Wait()
}

type safeList struct {
	mu    sync.Mutex
	items []int
}

func (l *safeList) add(v int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.items = append(l.items, v) // norace
}

// A list that locks itself.
func T110_lockedList() {
	var l safeList
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { l.add(i) })
	}
	wg.Wait()
}

// The concurrent map of the standard library.
func T110b_syncMap() {
	var m sync.Map
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			m.Store(i, i)
			_, _ = m.Load(i - 1)
		})
	}
	wg.Wait()
}

// Strings are values.
func T111_stringConcatenation() {
	shared := &P{x: 1}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			s := "tralala" + fmt.Sprint(i)
			s += fmt.Sprintf("%d", shared.x)
			_ = s
		})
	}
	wg.Wait()
}

// As T106, with what Println formats.
func T112_printlnOfValues() {
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			fmt.Println("bla", i, n)
		})
	}
	wg.Wait()
}

// A slice grows in the application's own code.
func T113_appendToCaptured() {
	var items []*P
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			items = append(items, &P{}) // race! items items[*]
		})
	}
	wg.Wait()
}

// A library's list grows: the race is shown at the call, not inside it.
func T113b_listShared() {
	l := list.New()
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			l.PushBack(i) // race! _
		})
	}
	wg.Wait()
}

// A list per iteration.
func T113c_listPerIteration() {
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			l := list.New()
			l.PushBack(i) // norace
		})
	}
	wg.Wait()
}

// Library calls that need no lock.
func U14_listedCalls() {
	var m sync.Map
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			m.Store(i, true)
			fmt.Println(i)
			if _, err := regexp.Compile("a*"); err != nil {
				os.Exit(1)
			}
		})
	}
	wg.Wait()
}

// A random source shared by all.
func S46_randShared() {
	r := rand.New(rand.NewSource(1))
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			_ = r.Intn(10) // race! _
		})
	}
	wg.Wait()
}

// A random source per goroutine, and the functions of the package.
func S46b_randPerGoroutine() {
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			r := rand.New(rand.NewSource(int64(i)))
			_ = r.Intn(10) + rand.Intn(10) // norace
		})
	}
	wg.Wait()
}

// An encoder shared by all.
func S46c_encoderShared() {
	enc := json.NewEncoder(io.Discard)
	enc.SetIndent("", " ")
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			_ = enc.Encode(i) // race! _
		})
	}
	wg.Wait()
}

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
