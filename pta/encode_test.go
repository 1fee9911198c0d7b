package pta

import (
	"bytes"
	"go/types"
	"math/rand"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/iterace/iterace/index"
	"github.com/iterace/iterace/internal/wire"
	"github.com/iterace/iterace/model/library"
	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"
)

// lowered returns the templates of all functions of the test programs, and of
// what they import.
func lowered(t *testing.T) (*Program, []FuncID) {
	t.Helper()
	prog, err := testPrograms()
	if err != nil {
		t.Fatal(err)
	}
	lib, err := library.Load(library.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p := NewProgram(prog, Options{
		Library: lib, Closed: true,
		Application: func(path string) bool { return strings.Contains(path, "/testdata/") },
	})
	var fns []*ssa.Function
	for fn := range ssautil.AllFunctions(prog) {
		if fn.Blocks != nil && (fn.TypeParams().Len() == 0 || len(fn.TypeArgs()) > 0) {
			fns = append(fns, fn)
		}
	}
	slices.SortFunc(fns, func(a, b *ssa.Function) int { return strings.Compare(a.String(), b.String()) })
	var ids []FuncID
	for i, fn := range fns {
		if pkg := pkgPath(fn); strings.Contains(pkg, "/testdata/") || i%20 == 0 {
			ids = append(ids, p.FuncID(fn))
		}
	}
	return p, ids
}

// A template that is stored and read back is equal.
func TestStoreAndRead(t *testing.T) {
	p, ids := lowered(t)
	opts := cmp.Options{
		// Type parameters are made anew.
		cmp.Comparer(func(a, b TypeID) bool {
			return a == b || types.TypeString(p.types.typ(a), nil) == types.TypeString(p.types.typ(b), nil)
		}),
		cmp.Exporter(func(reflect.Type) bool { return true }),
		cmpopts.IgnoreUnexported(index.Func{}),
		cmpopts.IgnoreFields(library.Func{}, "File", "Line"),
	}
	bad := 0
	for _, id := range ids {
		f := p.Func(id)
		got := p.storeAndRead(f)
		if identical(f, got) {
			continue // most are, and to be told so by cmp takes 20 times as long
		}
		if d := cmp.Diff(f, got, opts); d != "" {
			t.Errorf("%s: stored (-), read (+)\n%s", f.Name, d)
			if bad++; bad > 5 {
				t.Fatal("and more")
			}
		}
	}
	t.Logf("%d templates", len(ids))
}

// identical reports whether two templates are equal without any leave, but that the code of an index form may be unpacked in one.
func identical(f, g *Func) bool {
	a, b := *f, *g
	if a.Index != nil && b.Index != nil {
		if a.Index.Name != b.Index.Name || !bytes.Equal(a.Index.Data, b.Index.Data) {
			return false
		}
		b.Index = a.Index
	}
	return reflect.DeepEqual(&a, &b)
}

// Blobs are the same on every run, and a blob with a flipped byte that unpacks
// all the same makes nothing panic.
func TestBadBlob(t *testing.T) {
	p, ids := lowered(t)
	var own []FuncID
	for _, id := range ids {
		if strings.HasSuffix(pkgPath(p.fns[id]), "/testdata/loop") {
			own = append(own, id)
		}
	}
	pkg := pkgPath(p.fns[own[0]])
	data := p.Encode(pkg, own)
	if !bytes.Equal(data, p.Encode(pkg, own)) {
		t.Error("two blobs of one package differ")
	}
	d := wire.NewDecoder(data[len(Format()):], nil)
	var halves [2][]byte
	for i := range halves {
		var err error
		if halves[i], err = zstdDecoder().DecodeAll(d.Bytes(d.Len()), nil); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d functions, %d and %d bytes, %d packed", len(own), len(halves[0]), len(halves[1]), len(data))
	rng := rand.New(rand.NewSource(1))
	broken := 0
	for k := range 300 {
		x := halves
		h := &x[k%2]
		*h = bytes.Clone(*h)
		for range 1 + rng.Intn(3) {
			(*h)[rng.Intn(len(*h))] = byte(rng.Int())
		}
		b, err := OpenBlob(packBlob(x[0], x[1]))
		if err != nil {
			broken++
			continue
		}
		l := newLinked(NewProgram(p.ssa, p.Options), b, pkg, "")
		for i := range b.names {
			l.summary(i)
			if l.read(i) == nil {
				broken++
			}
		}
	}
	if broken == 0 {
		t.Error("nothing was broken")
	}
	if _, err := OpenBlob([]byte("12345678")); err != ErrFormat {
		t.Errorf("another version: %v", err)
	}
	if _, err := OpenBlob(data[:len(data)/2]); err != ErrBlob {
		t.Errorf("half a blob: %v", err)
	}
}

// A map whose type is declared in a package of which nothing is left is one of
// any keys and elements.
func TestLostMap(t *testing.T) {
	p, _ := lowered(t)
	got := p.types.mapObject(p.types.id(anyType))
	want := p.types.mapObject(p.types.id(types.NewMap(anyType, anyType)))
	if got.Len() != want.Len() {
		t.Errorf("%d leaves, want %d", got.Len(), want.Len())
	}
}
