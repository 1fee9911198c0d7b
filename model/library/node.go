package library

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A node is one table of a source.
type node struct {
	src  *source
	path string
	val  map[string]any
}

func (n node) errorf(key, format string, args ...any) {
	n.src.errorf(join(n.path, key), format, args...)
}

// keys returns the keys of the table in the order of their lines.
func (n node) keys() []string {
	var ks []string
	for k := range n.val {
		ks = append(ks, k)
	}
	slices.SortFunc(ks, func(a, b string) int {
		if d := n.src.line(join(n.path, a)) - n.src.line(join(n.path, b)); d != 0 {
			return d
		}
		return strings.Compare(a, b)
	})
	return ks
}

// tables returns the tables of an array of tables.
func (n node) tables(key string) []node {
	var out []node
	add := func(i int, v any) {
		t, ok := v.(map[string]any)
		if !ok {
			n.errorf(key, "%s must be a table, written [[%s]]", key, key)
			return
		}
		out = append(out, node{n.src, fmt.Sprintf("%s[%d]", join(n.path, key), i), t})
	}
	switch v := n.val[key].(type) {
	case []map[string]any:
		for i, t := range v {
			add(i, t)
		}
	case []any:
		for i, t := range v {
			add(i, t)
		}
	default:
		n.errorf(key, "%s must be an array of tables, written [[%s]]", key, key)
	}
	return out
}

func (n node) bool(key string) bool {
	b, ok := n.val[key].(bool)
	if !ok {
		n.errorf(key, "%s must be true or false", key)
	}
	return b
}

func (n node) str(key string) string {
	s, ok := n.val[key].(string)
	if !ok {
		n.errorf(key, "%s must be a string", key)
	}
	return s
}

// strs reads a string or a list of strings.
func (n node) strs(key string) []string {
	if s, ok := n.val[key].(string); ok {
		return []string{s}
	}
	list, ok := n.val[key].([]any)
	var out []string
	for _, v := range list {
		s, isString := v.(string)
		ok = ok && isString
		out = append(out, s)
	}
	if !ok {
		n.errorf(key, "%s must be a string or a list of strings", key)
		return nil
	}
	return out
}

func (n node) integer(key string) int {
	i, ok := n.val[key].(int64)
	if !ok || i < 0 {
		n.errorf(key, "%s must be the number of an argument, from 0", key)
	}
	return int(i)
}

// integers reads a list of argument numbers.
func (n node) integers(key string) []int {
	list, ok := n.val[key].([]any)
	var out []int
	for _, v := range list {
		i, isInt := v.(int64)
		ok = ok && isInt && i >= -1 && !slices.Contains(out, int(i))
		out = append(out, int(i))
	}
	if !ok {
		n.errorf(key, "%s must be a list of different argument numbers: 0 is the receiver or first argument, -1 every variadic one", key)
		return nil
	}
	return out
}

// byArgument calls f for each key of a table from argument numbers, as in
// callsMethods = {0 = ["Write"], 2 = ["Len", "Less"]}.
func (n node) byArgument(key, example string, f func(sub node, k string, arg int)) {
	t, ok := n.val[key].(map[string]any)
	if !ok {
		n.errorf(key, "%s must be a table by argument numbers, %s", key, example)
		return
	}
	sub := node{n.src, join(n.path, key), t}
	for _, k := range sub.keys() {
		number := k
		field := false
		if key == "callsMethods" || key == "concurrentMethods" || key == "stores" || key == "sets" {
			number, _, field = strings.Cut(k, ".")
		}
		if key == "stores" && number == "result" && field {
			f(sub, k, StoreResult)
			continue
		}
		arg, err := strconv.Atoi(number)
		if err != nil || strconv.Itoa(arg) != number || arg < -1 {
			sub.errorf(k, "%s: %q is not an argument number", key, k)
			continue
		}
		f(sub, k, arg)
	}
}

// fact reads one key of what may be said of functions into f; it reports
// whether key is one.
func (n node) fact(key string, f *Func) bool {
	switch key {
	case "threadSafe":
		f.ThreadSafe = n.bool(key)
	case "entered":
		f.Entered = n.bool(key)
	case "threadSafeOnClosure":
		f.SafeOnClosure = n.bool(key)
	case "instantiatesOnlySafeObjects":
		f.ReturnsSafe = n.bool(key)
	case "circulatesUnsafeObjects":
		f.CirculatesUnsafe = n.bool(key)
	case "op":
		f.Op = Op(n.str(key))
	case "body":
		f.Body = n.integer(key)
	case "unique":
		f.Unique = n.integers(key)
	case "join":
		f.Join = n.bool(key)
	case "workers":
		f.Workers = n.integer(key)
	case "reads":
		f.Reads = n.integers(key)
	case "writes":
		f.Writes = n.integers(key)
	case "sets":
		n.byArgument(key, `{0 = ["Process"]}`, func(sub node, k string, arg int) {
			f.Sets = append(f.Sets, FieldsOf{arg, sub.strs(k)})
		})
	case "deepReads":
		f.DeepReads = n.integers(key)
	case "deepWrites":
		f.DeepWrites = n.integers(key)
	case "exported":
		f.Exported = n.bool(key)
	case "fills":
		f.Fills = n.bool(key)
	case "partly":
		f.Partly = n.bool(key)
	case "formats":
		f.Formats = n.integers(key)
	case "retains":
		f.Retains = n.integers(key)
	case "calls":
		f.Calls = n.integers(key)
	case "concurrent":
		f.Concurrent = n.integers(key)
	case "later":
		f.Later = n.bool(key)
	case "until":
		f.Until = n.bool(key)
	case "unlessFailed":
		f.UnlessFailed = n.bool(key)
	case "service":
		f.Service = n.str(key)
	case "many":
		f.Many = n.bool(key)
	case "callsWith":
		f.CallsWith = n.integers(key)
	case "indices":
		f.Indices = n.integers(key)
	case "callsMethods":
		n.byArgument(key, `{0 = ["Write"]}`, func(sub node, k string, arg int) {
			_, field, _ := strings.Cut(k, ".")
			f.CallsMethods = append(f.CallsMethods, MethodCall{arg, sub.strs(k), field})
		})
	case "concurrentMethods":
		n.byArgument(key, `{0 = ["ServeHTTP"]}`, func(sub node, k string, arg int) {
			_, field, _ := strings.Cut(k, ".")
			f.ConcurrentMethods = append(f.ConcurrentMethods, MethodCall{arg, sub.strs(k), field})
		})
	case "dispatches":
		f.Dispatches = n.strs(key)
	case "stores":
		n.byArgument(key, `{1 = [0]}`, func(sub node, k string, arg int) {
			_, field, _ := strings.Cut(k, ".")
			f.Stores = append(f.Stores, Store{arg, sub.integers(k), field})
		})
	case "returns":
		f.Returns = n.integers(key)
	case "copies":
		f.Copies = n.integers(key)
	case "exchange":
		f.Exchange = Exchange(n.str(key))
	case "neverReturns":
		f.NeverReturns = n.bool(key)
	case "failsTest":
		f.FailsTest = n.bool(key)
	case "neverDone":
		f.NeverDone = n.bool(key)
	case "makesError":
		f.MakesError = n.bool(key)
	case "demands":
		f.Demands = n.integers(key)
	case "failsOnceDone":
		f.FailsOnceDone = n.bool(key)
	case "hides":
		f.Hides = n.integers(key)
	case "returnsCalled":
		f.ReturnsCalled = n.bool(key)
	case "fresh":
		f.Fresh, f.freshSet = n.bool(key), true
	default:
		return false
	}
	return true
}
