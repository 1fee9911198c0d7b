package analyzer

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"
)

// Two processes may write the same record, and a directory that cannot be
// written to is no error.
func TestSideCache(t *testing.T) {
	c := sideCache{filepath.Join(t.TempDir(), "cache")}
	data := (&record{blob: bytes.Repeat([]byte("x"), 1<<20)}).write()
	_, sum, err := readRecord(data)
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			c.put(sum, data)
			if got := c.find(dep{hash: sum}); !bytes.Equal(got, data) {
				t.Error("not the whole record")
			}
		})
	}
	wg.Wait()
	if left, _ := filepath.Glob(filepath.Join(c.dir, "*", "new-*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	bad := sideCache{filepath.Join(file, "cache")} // root may write anywhere but here
	bad.put(sum, data)
	if bad.find(dep{hash: sum}) != nil || (sideCache{}).find(dep{hash: sum}) != nil {
		t.Error("found where nothing can be")
	}
}

// TestSideCacheProcesses has several processes write the same records at once.
func TestSideCacheProcesses(t *testing.T) {
	const variable = "ITERACE_TEST_SIDECACHE"
	records := make([][]byte, 20)
	for i := range records {
		records[i] = (&record{blob: bytes.Repeat([]byte{byte(i)}, 1<<16)}).write()
	}
	if dir := os.Getenv(variable); dir != "" {
		for _, data := range records {
			sideCache{dir}.put(writtenHash(data), data)
		}
		return
	}
	dir := filepath.Join(t.TempDir(), "cache")
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			cmd := exec.Command(os.Args[0], "-test.run=^TestSideCacheProcesses$")
			cmd.Env = append(os.Environ(), variable+"="+dir)
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
	wg.Wait()
	for i, data := range records {
		if got := (sideCache{dir}).find(dep{hash: writtenHash(data)}); !bytes.Equal(got, data) {
			t.Errorf("record %d is not there, or not whole", i)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*", tempPrefix+"*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// TestEvict: what was not used for the longest time goes, with what a process
// left behind.
func TestEvict(t *testing.T) {
	dir := t.TempDir()
	write := func(name string, size int, age time.Duration) {
		name = filepath.Join(dir, name)
		if err := os.WriteFile(name, make([]byte, size), 0o666); err != nil {
			t.Fatal(err)
		}
		when := time.Now().Add(-age)
		if err := os.Chtimes(name, when, when); err != nil {
			t.Fatal(err)
		}
	}
	write("kept", 50, 5*time.Hour)
	for i := 1; i <= 4; i++ {
		write(fmt.Sprintf("used%dh", i), 20, time.Duration(i)*time.Hour)
	}
	write(tempPrefix+"now", 1000, 0)
	write(tempPrefix+"dead", 1000, 3*time.Hour)
	left := func() string {
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		names := ""
		for _, e := range entries {
			names += e.Name() + " "
		}
		return names
	}
	evict(dir, "kept", 100)
	if got, want := left(), "kept new-now used1h used2h "; got != want {
		t.Errorf("left are %s, want %s", got, want)
	}
	evict(dir, "kept", 70)
	if got, want := left(), "kept new-now used1h "; got != want {
		t.Errorf("left are %s, want %s", got, want)
	}
	write("more", 10, 4*time.Hour)
	evict(dir, "kept", 10) // two that are too large by themselves do not drive out each other
	if got, want := left(), "kept new-now used1h "; got != want {
		t.Errorf("left are %s, want %s", got, want)
	}
}

// TestSideCacheUse: a record that is read counts as used, and the cache stays
// below its bound however much is put into it.
func TestSideCacheUse(t *testing.T) {
	c := sideCache{t.TempDir()}
	data := (&record{blob: []byte("x")}).write()
	h := writtenHash(data)
	c.put(h, data)
	old := time.Now().Add(-48 * time.Hour)
	used := func() bool {
		info, err := os.Stat(c.name(h))
		return err == nil && info.ModTime().Sub(old) > time.Hour
	}
	for _, use := range []func(){
		func() { c.find(dep{hash: h}) },
		func() { c.put(h, data) },
	} {
		if err := os.Chtimes(c.name(h), old, old); err != nil {
			t.Fatal(err)
		}
		if use(); !used() {
			t.Error("a record that was used is not marked so")
		}
	}
	for i := range 20 {
		c.put(hash{h[0], byte(i)}, make([]byte, shardSize/8))
	}
	var sum int64
	files, err := filepath.Glob(filepath.Join(filepath.Dir(c.name(h)), "*"))
	if err != nil || len(files) < 7 {
		t.Fatal(files, err)
	}
	for _, f := range files {
		info, err := os.Stat(f)
		if err != nil {
			t.Fatal(err)
		}
		sum += info.Size()
	}
	if sum > shardSize {
		t.Errorf("%d bytes", sum)
	}
}
