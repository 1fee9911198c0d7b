package analyzer

import (
	"cmp"
	"encoding/hex"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// A sideCache keeps records under the user's cache directory, for drivers that
// hand facts of direct imports only and keep them where we cannot look.
//
// Records are in directories by the first byte of their hash. Each of those is
// kept small on its own: what was not wanted for the longest time goes. Nothing
// else bounds the cache, and no lock is needed: a process that reads finds a
// whole record or none.
type sideCache struct{ dir string }

// shardSize is how many bytes the records of one first byte may have: a gigabyte
// for all of them. The packages of a site generator have 29 MB, and the largest
// of them 2.7: with room for less, others of its directory were lost each time.
const shardSize = 4 << 20

// touchAfter is how old the mark of last use gets before it is renewed.
const touchAfter = time.Hour

// tempPrefix begins the names of records that are being written.
const tempPrefix = "new-"

func (c sideCache) name(h hash) string {
	name := hex.EncodeToString(h[:])
	return filepath.Join(c.dir, name[:2], name)
}

func (c sideCache) find(d dep) []byte {
	if c.dir == "" {
		return nil
	}
	name := c.name(d.hash)
	data, err := os.ReadFile(name)
	if err != nil {
		return nil
	}
	if _, sum, err := readRecord(data); err != nil || sum != d.hash {
		os.Remove(name) // so that it is written again
		return nil
	}
	c.touch(name)
	return data
}

// read returns what has a name, without looking at it, or nil.
func (c sideCache) read(h hash) []byte {
	name := c.name(h)
	data, err := os.ReadFile(name)
	if err != nil {
		return nil
	}
	c.touch(name)
	return data
}

func (c sideCache) remove(h hash) { os.Remove(c.name(h)) }

// touch marks a record as used; false if there is none.
func (c sideCache) touch(name string) bool {
	info, err := os.Stat(name)
	if err != nil {
		return false
	}
	if now := time.Now(); now.Sub(info.ModTime()) > touchAfter {
		os.Chtimes(name, now, now) // a cache that is only read loses nothing
	}
	return true
}

// put keeps a record. That it cannot be written (a sandbox, a full disk) is no
// error: who looks for it will say what is missing. Several processes may write
// the same one, so it gets its name when it is complete.
func (c sideCache) put(h hash, data []byte) {
	name := c.name(h)
	if c.dir == "" || c.touch(name) {
		return
	}
	shard := filepath.Dir(name)
	if os.MkdirAll(shard, 0o777) != nil {
		return
	}
	tmp, err := os.CreateTemp(shard, tempPrefix+"*")
	if err != nil {
		return
	}
	_, err = tmp.Write(data)
	if cerr := tmp.Close(); err != nil || cerr != nil || os.Rename(tmp.Name(), name) != nil {
		os.Remove(tmp.Name())
	}
	evict(shard, filepath.Base(name), shardSize)
}

// evict removes the records of a directory that were not used for the longest
// time until the rest has the size, but not the one to keep. What a process left
// half written counts as a record once it is too old to be under way.
func evict(shard, keep string, size int64) {
	entries, err := os.ReadDir(shard)
	if err != nil {
		return
	}
	type record struct {
		name string
		used time.Time
		size int64
	}
	var list []record
	now := time.Now()
	for _, e := range entries {
		info, err := e.Info()
		if err != nil || strings.HasPrefix(e.Name(), tempPrefix) && now.Sub(info.ModTime()) < touchAfter {
			continue
		}
		list = append(list, record{e.Name(), info.ModTime(), info.Size()})
	}
	slices.SortFunc(list, func(a, b record) int { return cmp.Or(b.used.Compare(a.used), cmp.Compare(a.name, b.name)) })
	if i := slices.IndexFunc(list, func(r record) bool { return r.name == keep }); i > 0 {
		r := list[i]
		list = slices.Insert(slices.Delete(list, i, i+1), 0, r)
	}
	var sum int64
	for i, r := range list {
		// A large one counts as half: else it would drive out the others each time
		// that it is written, and the next of those it.
		if sum += min(r.size, size/2); i > 0 && sum > size {
			os.Remove(filepath.Join(shard, r.name))
		}
	}
}
