package analyzer

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/iterace/iterace/pta"
)

func TestRecord(t *testing.T) {
	want := &record{
		deps: []dep{{path: "a/b", hash: hash{1}, file: hash{2}}, {path: "c", hash: hash{3}}},
		blob: []byte("templates"),
	}
	data := want.write()
	// A record is found inside of whatever a driver makes of it.
	got, sum, err := readRecord(append([]byte("some header"), append(data, "more"...)...))
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got.deps, want.deps) || !bytes.Equal(got.blob, want.blob) {
		t.Errorf("got %+v", got)
	}
	// The hash tells apart what deps have changed.
	other := &record{deps: []dep{{path: "a/b", hash: hash{9}, file: hash{2}}, want.deps[1]}, blob: want.blob}
	if _, sum2, err := readRecord(other.write()); err != nil || sum == sum2 {
		t.Error("a change below does not change the hash", err)
	}
	// No byte can change, and none can be missing.
	for i := range data {
		bad := bytes.Clone(data)
		bad[i] ^= 1
		if _, _, err := readRecord(bad); err == nil {
			t.Errorf("byte %d does not count", i)
		}
		if _, _, err := readRecord(data[:i]); err == nil {
			t.Errorf("%d bytes are enough", i)
		}
	}
	// Another version's is known to be one.
	old := bytes.Clone(data)
	body := old[len(recordMagic)+8+sha256.Size:]
	body[0] ^= 1
	newSum := sha256.Sum256(body)
	copy(old[len(recordMagic)+8:], newSum[:])
	if _, _, err := readRecord(old); !errors.Is(err, pta.ErrFormat) {
		t.Errorf("another version: %v", err)
	}
}

// A chain of packages of which the first is known: the rest is found by hash,
// in either cache, or it is said to be missing.
func TestResolver(t *testing.T) {
	dir := t.TempDir()
	side, build := sideCache{filepath.Join(dir, "side")}, buildCache{filepath.Join(dir, "build")}
	inBuild := func(data []byte) hash {
		data = append([]byte("vetx: "), data...)
		sum := sha256.Sum256(data)
		name := hex.EncodeToString(sum[:])
		file := filepath.Join(build.dir, name[:2], name+"-d")
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, data, 0o666); err != nil {
			t.Fatal(err)
		}
		return sum
	}
	sumOf := func(data []byte) hash {
		_, sum, err := readRecord(data)
		if err != nil {
			t.Fatal(err)
		}
		return sum
	}
	d := (&record{blob: []byte("d")}).write()
	c := (&record{blob: []byte("c"), deps: []dep{{path: "gone", hash: hash{1}}}}).write()
	b := (&record{blob: []byte("b"), deps: []dep{{path: "c", hash: sumOf(c), file: inBuild(c)}, {path: "d", hash: sumOf(d)}}}).write()
	a := (&record{blob: []byte("a"), deps: []dep{{path: "b", hash: sumOf(b), file: inBuild(b)}}}).write()
	side.put(sumOf(d), d)

	r := newResolver(build, side)
	if _, ok := r.add("a", a); !ok {
		t.Fatal("a is broken")
	}
	for _, path := range []string{"d", "c", "b", "a"} { // d first: its hash is in b's
		if rec := r.record(path); rec == nil || string(rec.blob) != path {
			t.Errorf("%s: %+v", path, rec)
		}
	}
	if r.record("gone") != nil || r.record("never heard of") != nil {
		t.Error("found what is nowhere")
	}
	if got := r.missing(); !slices.Equal(got, []string{"gone"}) {
		t.Errorf("missing: %v", got)
	}

	// What is broken is missing.
	if err := os.WriteFile(side.name(sumOf(d)), d[:len(d)-1], 0o666); err != nil {
		t.Fatal(err)
	}
	r = newResolver(build, side)
	r.add("b", b)
	if r.record("d") != nil || !slices.Equal(r.missing(), []string{"d"}) {
		t.Errorf("a broken record is used; missing: %v", r.missing())
	}
	// So it is where facts have brought it along, and where the go command keeps it: what
	// has the name of its content is taken for that.
	all := make(carried)
	all.add(d)
	if r := resolverOf(b, all); r.record("d") == nil {
		t.Error("a record that facts have brought along is not used")
	}
	broken := bytes.Clone(d)
	broken[len(broken)-1] ^= 1
	all.add(broken)
	if r := resolverOf(b, all); r.record("d") != nil {
		t.Error("a broken record that facts have brought along is used")
	}
	sum := inBuild(c)
	kept := hex.EncodeToString(sum[:])
	if err := os.WriteFile(filepath.Join(build.dir, kept[:2], kept+"-d"), append([]byte("vetx: "), d...), 0o666); err != nil {
		t.Fatal(err)
	}
	if r := resolverOf(b, build); r.record("c") != nil {
		t.Error("a file of another content is used")
	}
	inBuild(c)
	// So is what another version left under the name, or handed in as a fact.
	old := bytes.Clone(d)
	body := old[len(recordMagic)+8+sha256.Size:]
	body[0] ^= 1
	newSum := sha256.Sum256(body)
	copy(old[len(recordMagic)+8:], newSum[:])
	if err := os.WriteFile(side.name(sumOf(d)), old, 0o666); err != nil {
		t.Fatal(err)
	}
	r2 := newResolver(build, side)
	r2.add("b", b)
	if _, ok := r2.add("old", old); ok || r2.record("d") != nil || !slices.Equal(r2.missing(), []string{"d", "old"}) {
		t.Errorf("a record of another version is used; missing: %v", r2.missing())
	}
	// A blob that does not unpack is no templates.
	if r.Blob("c") != nil || !slices.Equal(r.missing(), []string{"c", "d"}) {
		t.Errorf("a broken blob is used; missing: %v", r.missing())
	}
}

// resolverOf returns a resolver that knows one record.
func resolverOf(data []byte, store recordStore) *resolver {
	r := newResolver(store)
	r.add("b", data)
	return r
}
