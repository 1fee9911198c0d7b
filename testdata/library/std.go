package library

import (
	"bufio"
	"bytes"
	"container/list"
	"encoding/json"
	"fmt"
	"io"
	"math/rand"
	"os"
	"regexp"
	"runtime/pprof"
	rtrace "runtime/trace"
	"strings"
	"sync"
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

// A profile is written to w by a goroutine that Stop waits for, and so is a trace.
func V9_profiled(w *bufio.Writer) {
	pprof.StartCPUProfile(w)
	rtrace.Start(w)
	each(func(i int) { _ = i })
	rtrace.Stop()
	pprof.StopCPUProfile()
	w.Flush() // norace
}
