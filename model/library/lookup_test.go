package library

import (
	"slices"
	"strings"
	"testing"
)

func TestNormalize(t *testing.T) {
	for _, test := range [][2]string{
		{"fmt.Println", "fmt.Println"},
		{"(*sync.Mutex).Lock", "sync.Mutex.Lock"},
		{"(time.Time).Add", "time.Time.Add"},
		{"(io.Reader).Read", "io.Reader.Read"},
		{"sync.Mutex.Lock", "sync.Mutex.Lock"},
		{"(*sync/atomic.Pointer[T]).Store", "sync/atomic.Pointer.Store"},
		{"(*sync/atomic.Pointer[example.com/m.T]).Store", "sync/atomic.Pointer.Store"},
		{"(example.com/m.Map[K, map[string][]V]).Get", "example.com/m.Map.Get"},
		{"slices.SortFunc[[]int int]", "slices.SortFunc"},
		{"(*gopkg.in/yaml.v3.Decoder).Decode", "gopkg.in/yaml.v3.Decoder.Decode"},
		{"(*sync.Mutex).Lock$bound", "sync.Mutex.Lock"},
		{"(*testing.common).Log$thunk", "testing.common.Log"},
		{"fmt.Fprintf$1", "fmt.Fprintf$1"},
		{"(error).Error", "builtin.error.Error"},
		{"*log.Logger", "log.Logger"},
		{"sync/atomic.Pointer[int]", "sync/atomic.Pointer"},
	} {
		if got := Normalize(test[0]); got != test[1] {
			t.Errorf("Normalize(%q) = %q, want %q", test[0], got, test[1])
		}
		if got := Normalize(test[1]); got != test[1] {
			t.Errorf("Normalize(%q) = %q: a normal name changes", test[1], got)
		}
	}
}

// The most specific entry counts, and counts alone.
func TestMostSpecific(t *testing.T) {
	m := mustLoadText(t, `
[[package]]
path = "..."
reads = [9]

[[package]]
path = "a/..."
reads = [8]

[[package]]
path = "a/b/..."
reads = [7]

[[package]]
path = "a/b"
reads = [6]
analyse = ["Body", "Plain"]

[[package.type]]
name = "T"
reads = [5]

[[package.func]]
name = "T.M"
reads = [4]

[[package.func]]
name = "F"
threadSafe = true
`)
	for _, test := range []struct {
		name string
		want int // the argument read, or -1 for analysis
	}{
		{"(*a/b.T).M", 4},
		{"(*a/b.T).N", 5},
		{"(*a/b.U).N", 6},
		{"a/b.G", 6},
		{"a/b.Body", -1},
		{"(*a/b.Plain).N", -1},
		{"a/b/c.G", 7},
		{"(a/b/c/d.T).M", 7},
		{"a/c.G", 8},
		{"a.G", 8},
		{"ab.G", 9},
		{"example.com/x.G", 9},
	} {
		f := m.Func(test.name)
		switch {
		case f == nil && test.want >= 0:
			t.Errorf("%s: no entry", test.name)
		case f != nil && !slices.Equal(f.Reads, []int{test.want}):
			t.Errorf("%s: reads %d, want %d", test.name, f.Reads, test.want)
		}
	}
	if f := m.Func("a/b.F"); f == nil || f.Reads != nil || !f.Enters() {
		t.Errorf("a/b.F: %+v, want only threadSafe", f)
	}
	// Shipped entries for a function are more specific than a user's pattern.
	if f := m.Func("(*sync.Mutex).Lock"); f == nil || f.Op != OpLock {
		t.Errorf("Lock under a user's pattern: %+v", f)
	}
}

// What the engine relies on in the shipped model.
func TestShipped(t *testing.T) {
	m := mustLoad(t)
	for _, test := range []struct {
		name string
		ok   func(*Func) bool
	}{
		{"(*sync.WaitGroup).Go", func(f *Func) bool { return f.Op == OpSpawn && f.Body == 1 && f.Join }},
		{"(*sync.WaitGroup).Wait", func(f *Func) bool { return f.Op == OpWGWait }},
		{"(*sync.RWMutex).TryRLock", func(f *Func) bool { return f.Op == OpTryRLock }},
		{"(*sync.Once).Do", func(f *Func) bool { return f.Op == OpOnce && f.Body == 1 }},
		{"(*sync/atomic.Pointer[T]).CompareAndSwap", func(f *Func) bool { return f.Op == OpAtomicCAS }},
		{"sync/atomic.AddInt64", func(f *Func) bool { return f.Op == OpAtomicAdd }},
		{"(*golang.org/x/sync/errgroup.Group).TryGo", func(f *Func) bool { return f.Op == OpSpawn && f.Body == 1 && f.Join }},
		{"(*golang.org/x/sync/errgroup.Group).Wait", func(f *Func) bool { return f.Op == OpJoin }},
		{"k8s.io/client-go/util/workqueue.ParallelizeUntil", func(f *Func) bool {
			return f.Op == OpParallel && f.Body == 3 && slices.Equal(f.Unique, []int{0}) && f.Workers == 1
		}},
		{"time.AfterFunc", func(f *Func) bool { return f.Op == OpTimerFunc && f.Body == 1 }},
		{"(*testing.B).RunParallel", func(f *Func) bool { return f.Op == OpParallel && f.Body == 1 }},
		{"(*testing.T).Run", func(f *Func) bool { return f.Op == OpSubtest && f.Body == 2 }},
		{"path/filepath.WalkDir", func(f *Func) bool { return slices.Equal(f.Calls, []int{1}) && len(f.Concurrent) == 0 }},

		// Printing is safe, what is printed is read, its methods are called.
		{"fmt.Println", func(f *Func) bool {
			return f.ThreadSafe && !f.SafeOnClosure && !f.Enters() && slices.Equal(f.DeepReads, []int{-1}) &&
				slices.Contains(f.CallsMethods[0].Names, "String")
		}},
		{"fmt.Fprintf", func(f *Func) bool { return f.CallsMethods[0].Arg == 0 && f.CallsMethods[0].Names[0] == "Write" }},
		{"fmt.Errorf", func(f *Func) bool { return slices.Equal(f.Returns, []int{-1}) && !f.Fresh }},
		{"encoding/json.Unmarshal", func(f *Func) bool { return slices.Equal(f.DeepWrites, []int{1}) }},
		{"strings.ToUpper", func(f *Func) bool { return f.SafeOnClosure && f.Fresh }},
		{"bytes.TrimSpace", func(f *Func) bool { return f.SafeOnClosure && !f.Fresh && slices.Contains(f.Returns, 0) }},

		// Safe, except where it is not.
		{"(*regexp.Regexp).FindString", func(f *Func) bool { return f.SafeOnClosure && len(f.Writes) == 0 }},
		{"(*regexp.Regexp).Longest", func(f *Func) bool { return !f.ThreadSafe && slices.Equal(f.Writes, []int{0}) }},
		{"math/rand.Intn", func(f *Func) bool { return f.SafeOnClosure }},
		{"(*net/http.Client).Do", func(f *Func) bool { return f.ThreadSafe && len(f.Writes) == 0 }},
		{"(*database/sql.DB).Ping", func(f *Func) bool { return f.SafeOnClosure }},
		{"(*database/sql.Rows).Next", func(f *Func) bool { return slices.Equal(f.Writes, []int{0}) }},
		{"(*math/big.Int).Add", func(f *Func) bool { return slices.Equal(f.Writes, []int{0}) }},
		{"(*math/big.Int).Cmp", func(f *Func) bool { return len(f.Writes) == 0 }},
		{"github.com/stretchr/testify/require.Failf", func(f *Func) bool { return f.NeverReturns }},
		{"github.com/stretchr/testify/assert.Failf", func(f *Func) bool { return f.ThreadSafe && !f.NeverReturns }},
		{"internal/poll.Sysfd", func(f *Func) bool { return f.SafeOnClosure }},
	} {
		if f := m.Func(test.name); f == nil || !test.ok(f) {
			t.Errorf("%s: %+v", test.name, f)
		}
	}
	// Left to their bodies.
	for _, name := range []string{
		"(*bytes.Buffer).Write", "(*strings.Builder).WriteString", "(*math/rand.Rand).Intn", "(*bufio.Scanner).Scan",
		"sync.OnceValue[T any]", "slices.Contains", "io.Copy", "(net/http.Header).Add", "example.com/unknown.F",
	} {
		if f := m.Func(name); f != nil {
			t.Errorf("%s: %+v, want analysis", name, f)
		}
	}
	for _, name := range []string{"sync.Mutex", "sync/atomic.Pointer[T]", "golang.org/x/sync/errgroup.Group"} {
		if !m.IsSyncType(name) {
			t.Errorf("%s does not count as synchronisation", name)
		}
	}
	if m.IsSyncType("bytes.Buffer") || !m.IsSafeType("*log.Logger") || m.IsSafeType("net/http.ResponseWriter") {
		t.Error("types: Buffer, Logger or ResponseWriter wrong")
	}
}

// A function literal has the safety of the function around it, and nothing of
// what a call of that function does.
func TestLiteral(t *testing.T) {
	m := mustLoad(t)
	if f := m.Func("regexp.MustCompile$1$2"); f == nil || !f.SafeOnClosure || f.ReturnsSafe {
		t.Errorf("literal in a closed function: %+v", f)
	}
	if f := m.Func("sort.Slice$1"); f != nil {
		t.Errorf("literal in a function with effects: %+v", f)
	}
	if f := m.Func("(*bytes.Buffer).Write$1"); f != nil {
		t.Errorf("literal in an analysed function: %+v", f)
	}
}

// What a package's code is said to be says nothing of those who implement its
// interfaces.
func TestInterfaceMethod(t *testing.T) {
	m := mustLoad(t)
	if f := m.InterfaceMethod("(net/http.Handler).ServeHTTP"); f != nil {
		t.Errorf("Handler.ServeHTTP: %+v", f)
	}
	if f := m.InterfaceMethod("(net.Conn).Read"); f == nil || !f.SafeOnClosure || !slices.Contains(f.Writes, 1) {
		t.Errorf("Conn.Read: %+v", f)
	}
	if f := m.InterfaceMethod("(context.Context).Done"); f == nil || !f.SafeOnClosure {
		t.Errorf("Context.Done: %+v", f)
	}
	if f := m.InterfaceMethod("(io.Writer).Write"); f == nil || f.ThreadSafe || !slices.Contains(f.Reads, 1) {
		t.Errorf("Writer.Write: %+v", f)
	}
	if f := m.InterfaceMethod("(io.Seeker).Seek"); f != nil {
		t.Errorf("Seeker.Seek: %+v", f)
	}
}

func TestApplication(t *testing.T) {
	m := mustLoadText(t, `
application = ["example.com/shared/...", "golang.org/x/tools/go/ssa", "./third_party/own"]
library = ["./third_party/...", "example.com/shared/vendored/...", "./third_party/own/..."]
`)
	mods := []string{"example.com/m"}
	for path, want := range map[string]bool{
		"example.com/m":                   true,
		"example.com/m/a/b":               true,
		"example.com/m_test":              true,
		"example.com/m.test":              true,
		"example.com/mm":                  false,
		"example.com/m/third_party":       false,
		"example.com/m/third_party/x":     false,
		"example.com/m/third_party/own":   true,
		"example.com/m/third_party/own/x": false,
		"example.com/shared/pool":         true,
		"example.com/shared/vendored/x":   false,
		"golang.org/x/tools/go/ssa":       true,
		"golang.org/x/tools/go/ssa/inner": false,
		"fmt":                             false,
	} {
		if got := m.Application(path, mods); got != want {
			t.Errorf("Application(%s) = %v", path, got)
		}
	}
}

func TestIgnored(t *testing.T) {
	m := mustLoadText(t, `
[[ignore]]
object = "example.com/m/cache.Stats"
field = ".hits"
reason = "approximate"

[[ignore]]
object = "example.com/m.Debug"
reason = "set by hand"
`)
	for _, test := range []struct {
		typ, name, field string
		want             bool
	}{
		{"*example.com/m/cache.Stats", "s", ".hits", true},
		{"example.com/m/cache.Stats", "", ".hits[*]", true},
		{"example.com/m/cache.Stats", "", ".hitsTotal", false},
		{"example.com/m/cache.Stats", "", "", false},
		{"int", "example.com/m.Debug", "", true},
		{"int", "example.com/m.Debug2", "", false},
	} {
		if got := m.Ignored(test.typ, test.name, test.field) != nil; got != test.want {
			t.Errorf("Ignored(%q, %q, %q) = %v", test.typ, test.name, test.field, got)
		}
	}
	if ig := m.Ignored("int", "example.com/m.Debug", ""); ig.Reason != "set by hand" || ig.Line != 7 {
		t.Errorf("got %+v", ig)
	}
}

func TestExplain(t *testing.T) {
	m := mustLoad(t)
	for _, test := range []struct{ name, want string }{
		{"(*sync.Mutex).Lock", "is the operation lock"},
		{"(*sync.Mutex).Lock", "documentation: https://pkg.go.dev/sync#Mutex.Lock"},
		{"(*sync.Mutex).Lock", "from iterace/data/sync.toml:"},
		{"sync.WaitGroup.Go", "is the operation spawn of argument 1"},
		{"fmt.Println", "formats as package fmt does each variadic argument"},
		{"fmt.Fprintln", "calls Write of argument 0"},
		{"strings.ToLower", "as all of strings:"},
		{"log.Logger", "its methods may be called from many goroutines at once"},
		{"sync.Mutex", "  synchronises"},
		{"golang.org/x/sync/errgroup.Group", "  synchronises\n  its methods may be called from many goroutines at once"},
		{"bytes.Buffer.Write", "its body is analysed"},
		{"strings", "package strings"},
		{"example.com/x.F", "nothing is known"},
	} {
		got, ok := m.Explain(test.name)
		if !strings.Contains(got, test.want) {
			t.Errorf("Explain(%s) lacks %q:\n%s", test.name, test.want, got)
		}
		if known := test.want != "nothing is known"; ok != known {
			t.Errorf("Explain(%s): known is %v", test.name, ok)
		}
	}
}

// List names each entry once, in order, and is the same each time.
func TestList(t *testing.T) {
	m := mustLoadText(t, "[[package]]\npath = \"fmt\"\n[[package.func]]\nname = \"Println\"\nthreadSafeOnClosure = true\n")
	list := m.List()
	if len(list) < 500 || !slices.Equal(list, m.List()) {
		t.Errorf("%d entries, or not the same twice", len(list))
	}
	var println []string
	for _, line := range list {
		if strings.Contains(line, "\tfmt.Println\t") {
			println = append(println, line)
		}
	}
	if len(println) != 1 || !strings.Contains(println[0], "threadSafeOnClosure") || !strings.HasSuffix(println[0], "m.toml:3") {
		t.Errorf("fmt.Println: %q", println)
	}
}

// A pattern that stands for clients holds for all types of its packages, also
// for those that are not clients, such as what pages through results (S50).
func TestPatternClients(t *testing.T) {
	m := mustLoad(t)
	for name, safe := range map[string]bool{
		"(*github.com/aws/aws-sdk-go-v2/service/s3.Client).GetObject":                    true,
		"(*github.com/aws/aws-sdk-go-v2/service/s3.ListObjectsV2Paginator).NextPage":     true,
		"(*github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue.Encoder).Encode": false,
	} {
		if f := m.Func(name); (f != nil && f.SafeOnClosure) != safe {
			t.Errorf("%s: safe is %v, want %v", name, !safe, safe)
		}
	}
}
