package analyzer

import (
	"bytes"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/iterace/iterace/report"
)

// TestLater: templates that are made when somebody asks for them are those that are made with
// the facts, and so is what is found.
func TestLater(t *testing.T) {
	t.Parallel()
	cfg := programsConfig(t)
	cfg.ModelFiles = nil // with files of the user's nothing is made later
	now := driveUnits(t, cfg, Driver{Alone: true})
	later := driveUnits(t, cfg, Driver{Later: true, SideCache: t.TempDir()})
	made := 0
	for i, u := range later {
		checkStarters(t, cfg, u)
		var got, want bytes.Buffer
		for _, x := range []struct {
			u   *Unit
			out *bytes.Buffer
		}{{now[i], &want}, {u, &got}} {
			res, err := RunUnit(cfg, x.u)
			if err != nil {
				t.Fatal(err)
			}
			d := &report.Document{Module: res.Module, Root: res.Root, Reports: res.Final(nil), Notices: res.Notices, All: true}
			if err := report.Text(x.out, d); err != nil {
				t.Fatal(err)
			}
		}
		if diff := cmp.Diff(want.String(), got.String()); diff != "" {
			t.Errorf("%s: other findings (-now +later):\n%s", u.Pkg.Path(), diff)
		}
		for path, b := range u.source.blobs {
			if b == nil {
				continue
			}
			made++
			rec := u.source.record(path)
			if was := now[i].source.record(path).blob; !bytes.Equal(was, u.source.lower.blob(path, rec)) {
				t.Errorf("%s: other templates of %s", u.Pkg.Path(), path)
			}
		}
	}
	if made == 0 {
		t.Error("nobody has asked for templates")
	}
}

// checkStarters: which functions start goroutines is known without templates, of all that
// these say it of.
func checkStarters(t *testing.T, cfg *Config, u *Unit) {
	t.Helper()
	r, err := u.newRun(cfg)
	if err != nil {
		t.Fatal(err)
	}
	u.build(u.Files, u.Info)
	r.loaded.prog, r.loaded.funcs, r.loaded.source = u.ssa.Prog, u.funcs, u.source
	s := findStarters(u.Pkg, u.Files, u.Info, r.lib, func(fn *types.Func) bool {
		if fn.Pkg() == nil {
			return false // error.Error
		}
		rec := u.source.record(fn.Pkg().Path())
		return rec != nil && rec.source.leads(fn.FullName())
	})
	prog := r.newProgram()
	for _, fn := range u.found {
		if obj, ok := fn.Object().(*types.Func); ok {
			if starts, _ := prog.Starts(fn); starts && !s.may(obj.Origin().FullName()) {
				t.Errorf("%s starts goroutines", fn)
			}
		}
	}
}

// What has changed since is lost, and said to be.
func TestLaterChanged(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "a.go")
	if err := os.WriteFile(name, []byte("package a\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	s := &source{Name: "a", Files: []string{name}, Texts: []string{""}}
	texts, ok := s.read()
	if ok || len(texts) != 1 {
		t.Error("a file of another hash is read")
	}
	rec := &record{source: s}
	got, _, err := readRecord(rec.write())
	if err != nil || !slices.Equal(got.source.Files, s.Files) {
		t.Errorf("%+v, %v", got, err)
	}
	r := newResolver()
	r.add("a", rec.write())
	r.lower = &lowering{r: r, stock: &stock{kept: make(map[hash][]byte)}}
	if r.Blob("a") != nil || !slices.Equal(r.missing(), []string{"a"}) {
		t.Errorf("missing: %v", r.missing())
	}
}
