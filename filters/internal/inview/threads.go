package inview

import (
	"cmp"
	"encoding/binary"
	"slices"

	"github.com/iterace/iterace/internal/pages"
	"github.com/iterace/iterace/pta"
	"github.com/iterace/iterace/pta/flow"
)

// A thread is named by the instance that it starts in: a spawned body or a root.

// IsSpawn reports whether the call at c starts a goroutine.
func (s *Set) IsSpawn(c pta.Site) bool {
	f := s.w.Flow(c.Inst)
	if f == nil || !f.Sync {
		return false
	}
	for _, k := range f.StepsAt(c.At) {
		if f.Steps[k].Kind == flow.Spawn || f.Steps[k].Kind == flow.Parallel {
			return true
		}
	}
	return false
}

// Threads returns the threads that run instance i, in order. The list must not be
// changed.
func (s *Set) Threads(i pta.InstID) []pta.InstID { return s.ThreadList(s.ThreadsID(i)) }

// ThreadsID numbers what Threads returns: two instances of one number have the same
// threads. There are few lists however many instances there are.
func (s *Set) ThreadsID(i pta.InstID) int32 {
	t := &s.threads
	if n := t.of.Get(i); n > 0 {
		return n - 1
	}
	s.findThreads(i)
	return t.of.Get(i) - 1
}

// ThreadList returns the threads of the instances that ThreadsID gives a number, in order. The list must not be changed.
func (s *Set) ThreadList(n int32) []pta.InstID { return s.threads.lists[n] }

// A threadTable has the threads of instances: those of their callers, and
// themselves if they start one. Functions that call each other have the same, so
// each strongly connected component is looked at once (Tarjan's algorithm), and
// equal lists are one. A search from each instance upwards took a tenth of the time
// that a language server's loops take.
type threadTable struct {
	of     pages.Table[pta.InstID, int32] // by instance: its list, plus one
	lists  [][]pta.InstID
	byText map[string]int32
	unions map[[2]int32]int32

	met   pages.Table[pta.InstID, int32] // by instance: when the search came to it, plus one
	count int32
	open  []pta.InstID // of components that are not complete
}

// list returns the number of a list, which is sorted.
func (t *threadTable) list(ts []pta.InstID) int32 {
	key := make([]byte, 0, 4*len(ts))
	for _, i := range ts {
		key = binary.LittleEndian.AppendUint32(key, uint32(i))
	}
	n, ok := t.byText[string(key)]
	if !ok {
		if t.byText == nil {
			t.byText = make(map[string]int32)
			t.unions = make(map[[2]int32]int32)
		}
		n = int32(len(t.lists))
		t.lists = append(t.lists, ts)
		t.byText[string(key)] = n
	}
	return n
}

// union returns the number of the list with all of two.
func (t *threadTable) union(x, y int32) int32 {
	if x == y {
		return x
	}
	k := [2]int32{min(x, y), max(x, y)}
	n, ok := t.unions[k]
	if !ok {
		both := slices.Concat(t.lists[x], t.lists[y])
		slices.SortFunc(both, cmp.Compare)
		n = t.list(slices.Compact(both))
		t.unions[k] = n
	}
	return n
}

// A visit is an instance that the search for threads goes up from.
type visit struct {
	inst    pta.InstID
	callers []pta.Site
	low     int32
	list    int32
}

// findThreads finds the threads of an instance and of all above it.
func (s *Set) findThreads(i pta.InstID) {
	t := &s.threads
	none := t.list(nil)
	var path []visit
	enter := func(i pta.InstID) {
		t.count++
		t.met.Set(i, t.count)
		t.open = append(t.open, i)
		v := visit{i, s.Callers(i), t.count, none}
		if len(v.callers) == 0 || slices.ContainsFunc(v.callers, s.IsSpawn) {
			v.list = t.list([]pta.InstID{i})
		}
		path = append(path, v)
	}
	for enter(i); len(path) > 0; {
		v := &path[len(path)-1]
		if len(v.callers) > 0 {
			c := v.callers[0]
			v.callers = v.callers[1:]
			of, met := t.of.Get(c.Inst), t.met.Get(c.Inst)
			switch {
			case of > 0:
				if !s.IsSpawn(c) {
					v.list = t.union(v.list, of-1)
				}
			case s.IsSpawn(c):
			case met > 0:
				v.low = min(v.low, met)
			default:
				enter(c.Inst)
			}
			continue
		}
		if v.low == t.met.Get(v.inst) {
			for {
				j := t.open[len(t.open)-1]
				t.open = t.open[:len(t.open)-1]
				if t.of.Set(j, v.list+1); j == v.inst {
					break
				}
			}
		}
		low, list := v.low, v.list
		if path = path[:len(path)-1]; len(path) > 0 {
			up := &path[len(path)-1]
			up.low, up.list = min(up.low, low), t.union(up.list, list)
		}
	}
}
