package smallworld

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
	"sync"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"

	"github.com/iterace/iterace/model/library"
	"github.com/iterace/iterace/pta"
	"github.com/iterace/iterace/pta/flow"
)

// Library is a model of the synchronisation packages, small and fixed so that
// tests of the stages do not depend on the shipped one.
type Library struct{}

var syncOps = map[string]library.Func{
	"(*sync.Mutex).Lock":       {Op: library.OpLock},
	"(*sync.Mutex).Unlock":     {Op: library.OpUnlock},
	"(*sync.Mutex).TryLock":    {Op: library.OpTryLock},
	"(*sync.RWMutex).Lock":     {Op: library.OpLock},
	"(*sync.RWMutex).Unlock":   {Op: library.OpUnlock},
	"(*sync.RWMutex).RLock":    {Op: library.OpRLock},
	"(*sync.RWMutex).RUnlock":  {Op: library.OpRUnlock},
	"(*sync.RWMutex).TryRLock": {Op: library.OpTryRLock},
	"(sync.Locker).Lock":       {Op: library.OpLock},
	"(sync.Locker).Unlock":     {Op: library.OpUnlock},
	"(*sync.WaitGroup).Add":    {Op: library.OpWGAdd},
	"(*sync.WaitGroup).Done":   {Op: library.OpWGDone},
	"(*sync.WaitGroup).Wait":   {Op: library.OpWGWait},
	"(*sync.WaitGroup).Go":     {Op: library.OpSpawn, Body: 1, Join: true},
	"(*sync.Once).Do":          {Op: library.OpOnce, Body: 1},
	"(*sync.Cond).Wait":        {Op: library.OpCondWait},
	"(*sync.Cond).Signal":      {Op: library.OpCondSignal},
	"(*sync.Cond).Broadcast":   {Op: library.OpCondBroadcast},
	"sync.NewCond":             {Fresh: true},
	"(*sync.Pool).Get":         {Op: library.OpPoolGet},
	"(*sync.Pool).Put":         {Op: library.OpPoolPut},
	"time.AfterFunc":           {Op: library.OpTimerFunc, Body: 1, Fresh: true},
	"time.Sleep":               {},
	"runtime.Gosched":          {},
	"(*testing.common).Fatal":  {},
	"(*testing.common).Fatalf": {},
	"(*testing.common).Error":  {},
	"(*testing.common).Log":    {},
	"fmt.Println":              {},
}

// Called implements flow.Library.
func (l Library) Called(c *ssa.CallCommon) *library.Func { return l.named(flow.CalleeName(c)) }

func (Library) named(name string) *library.Func {
	if f, ok := syncOps[name]; ok {
		f.Name = name
		return &f
	}
	if strings.HasPrefix(name, "sync/atomic.") || strings.HasPrefix(name, "(*sync/atomic.") {
		f := library.Func{Name: name, Op: library.OpAtomicStore, Body: -1}
		m := name[strings.LastIndexByte(name, '.')+1:]
		for _, o := range []struct {
			prefix string
			op     library.Op
		}{{"Load", library.OpAtomicLoad}, {"Store", library.OpAtomicStore}, {"Add", library.OpAtomicAdd},
			{"Swap", library.OpAtomicSwap}, {"CompareAndSwap", library.OpAtomicCAS}} {
			if strings.HasPrefix(m, o.prefix) {
				f.Op = o.op
			}
		}
		return &f
	}
	return nil
}

var (
	mu   sync.Mutex
	imp  types.Importer
	fset = token.NewFileSet()
)

// Source builds the SSA of one package from the text of its files. It uses
// export data of the standard library.
func Source(files ...string) (*ssa.Package, error) {
	mu.Lock()
	defer mu.Unlock()
	if imp == nil {
		imp = importer.ForCompiler(fset, "source", nil)
	}
	var parsed []*ast.File
	for i, text := range files {
		f, err := parser.ParseFile(fset, string(rune('a'+i))+".go", text, 0)
		if err != nil {
			return nil, err
		}
		parsed = append(parsed, f)
	}
	pkg := types.NewPackage("p", parsed[0].Name.Name)
	conf := &types.Config{Importer: imp, GoVersion: "go1.26"}
	ssapkg, _, err := ssautil.BuildPackage(conf, fset, pkg, parsed, ssa.InstantiateGenerics)
	return ssapkg, err
}

// Solve builds source text and solves it from the functions whose names start
// with prefix.
func Solve(prefix string, files ...string) (*Program, error) {
	pkg, err := Source(files...)
	if err != nil {
		return nil, err
	}
	return Build(pkg.Prog, Functions(pkg, prefix), Library{}), nil
}

// InstancesOf returns the instances of the functions with that name.
func (v *View) InstancesOf(name string) []pta.InstID {
	var out []pta.InstID
	for _, i := range v.insts {
		if i.fn.Name() == name && v.visible(i) {
			out = append(out, i.id)
		}
	}
	return out
}
