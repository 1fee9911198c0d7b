package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// kinds is a program with a place of each kind.
const kinds = `package main

import (
	"sync"
	"sync/atomic"
)

type store struct {
	mu    sync.RWMutex
	items map[int]int
	once  sync.Once
	made  *int
	plain int64
	typed atomic.Int64
	alone sync.Mutex
}

func (s *store) put(k int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.items[k] = k
}

func (s *store) get(k int) int {
	s.mu.RLock()
	v := s.items[k]
	s.mu.RUnlock()
	return v
}

func (s *store) first() *int {
	s.once.Do(func() {
		s.made = new(int)
	})
	return s.made
}

func main() {
	s := &store{items: map[int]int{}}
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			s.put(i)
			println(s.get(i), s.first())
			atomic.AddInt64(&s.plain, 1)
			s.typed.Add(1)
		}()
	}
	wg.Wait()
	println(len(s.items), s.plain)
	s.alone.Lock()
	println("one")
	s.alone.Unlock()
	var n int
	done := make(chan bool)
	quit := make(chan bool, 1)
	go func() {
		n++
		done <- true
	}()
	<-done
	select {
	case <-quit:
	default:
	}
	println(n)
}
`

// TestRemovals takes each place of a program away. What a place protects is
// reported without it, and a lock that protects nothing is told from others.
func TestRemovals(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module kinds\n\ngo 1.26\n", "main.go": kinds} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	var b strings.Builder
	if err := run([]string{"removals", "-n", "0", dir}, &b, t.Output()); err != nil {
		t.Fatal(err)
	}
	var got []string
	for line := range strings.Lines(b.String()) {
		if f := strings.Fields(line); strings.Contains(line, "main.go:") {
			n := slices.IndexFunc(f, func(s string) bool { return strings.HasPrefix(s, "main.go:") })
			got = append(got, strings.Join(f[:n+1], " "))
		}
	}
	want := []string{
		"shown atomic main.go:14",
		"shown Lock main.go:19",
		"shown RLock for Lock main.go:19",
		"shown RLock main.go:25",
		"shown Once main.go:32",
		"shown atomic main.go:47",
		"shown Wait main.go:51",
		"apart Lock main.go:53",
		"shown receive main.go:63",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestPlain compiles what stands for each operation and type of sync/atomic.
func TestPlain(t *testing.T) {
	for _, name := range []string{"AddInt32", "LoadUint64", "StoreUintptr", "SwapInt64", "CompareAndSwapUint32"} {
		if plainOp(name) == "" {
			t.Errorf("nothing stands for %s", name)
		}
	}
	if s := plainOp("AndInt32"); s != "" {
		t.Errorf("%q stands for AndInt32", s)
	}
	for _, name := range []string{"Int32", "Int64", "Uint32", "Uint64", "Uintptr", "Bool", "Pointer", "Value"} {
		if plainType(name) == "" {
			t.Errorf("nothing stands for %s", name)
		}
	}
}

func TestSpread(t *testing.T) {
	if got := spread([]int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, 3); !slices.Equal(got, []int{1, 5, 8}) {
		t.Errorf("spread is %v", got)
	}
	if got := spread([]int{0, 1}, 3); len(got) != 2 {
		t.Errorf("spread is %v", got)
	}
}
