package analyzer

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"maps"
	"slices"

	"github.com/iterace/iterace/pta"
)

// A PackageFact is what Facts keeps of a package for those that import it: the
// templates of its functions, and the hashes of the facts of what it imports.
//
// Drivers hand facts of direct imports only, and run a package again only if
// one of those has changed. So the hashes are part of the fact: a change far
// below changes all facts above it. And the templates of indirect imports are
// looked up by hash; putting them into each fact takes much more space.
type PackageFact struct {
	// Data is a record, see readRecord. It is one piece, so that it can be
	// found in a file of whatever form a driver keeps facts in.
	Data []byte
	// Below has the records of all packages below, one after the other by hash,
	// where nothing but facts comes to those that import the package.
	Below []byte
}

// AFact marks a type that drivers keep.
func (*PackageFact) AFact() {}

func (f *PackageFact) String() string { return "templates" }

type hash = [sha256.Size]byte

// A record is the content of a fact.
type record struct {
	deps   []dep // direct imports that have facts, by path
	source *source
	blob   []byte // nil if it is made when somebody asks for it, see source
	sum    hash   // of the record, once it has been read
}

// A dep is a package that another one imports.
type dep struct {
	path string
	hash hash // of its record
	file hash // of the file in which go vet keeps the record; zero under other drivers
}

// recordMagic begins a record. What follows is the length of the rest, its
// hash, and the rest: a format, the number of deps, these, the source's length, the
// source, and the blob.
const recordMagic = "\x00iterace record\x02"

var errRecord = errors.New("broken record")

// write returns the record as bytes.
func (r *record) write() []byte {
	body := []byte(pta.Format())
	body = binary.AppendUvarint(body, uint64(len(r.deps)))
	for _, d := range r.deps {
		body = binary.AppendUvarint(body, uint64(len(d.path)))
		body = append(body, d.path...)
		body = append(body, d.hash[:]...)
		body = append(body, d.file[:]...)
	}
	source := r.source.write()
	body = binary.AppendUvarint(body, uint64(len(source)))
	body = append(body, source...)
	body = append(body, r.blob...)
	sum := sha256.Sum256(body)
	out := binary.LittleEndian.AppendUint64([]byte(recordMagic), uint64(len(body)))
	out = append(out, sum[:]...)
	return append(out, body...)
}

// writtenHash returns the hash of a record, from what write has returned.
func writtenHash(data []byte) hash { return hash(data[len(recordMagic)+8:]) }

// A carried is a recordStore of what facts have brought along.
type carried map[hash][]byte

func (c carried) find(d dep) []byte {
	data := c[d.hash]
	if body, sum, ok := findRecord(data); !ok || sum != d.hash || sha256.Sum256(body) != sum {
		return nil
	}
	return data
}

// add takes in the records in data, one after the other. What is broken is found
// when it is read.
func (c carried) add(data []byte) {
	const head = len(recordMagic) + 8 + sha256.Size
	for len(data) >= head {
		n := binary.LittleEndian.Uint64(data[len(recordMagic):])
		if n > uint64(len(data)-head) {
			return
		}
		size := head + int(n)
		c[writtenHash(data)] = data[:size:size]
		data = data[size:]
	}
}

// write returns all records.
func (c carried) write() []byte {
	var out []byte
	for _, h := range slices.SortedFunc(maps.Keys(c), func(a, b hash) int { return bytes.Compare(a[:], b[:]) }) {
		out = append(out, c[h]...)
	}
	return out
}

// readRecord reads the first record in data, and its hash, which it checks. The error is
// pta.ErrFormat if another version wrote it, and else says that it is broken.
func readRecord(data []byte) (*record, hash, error) {
	body, sum, ok := findRecord(data)
	if !ok || sha256.Sum256(body) != sum {
		return nil, hash{}, errRecord
	}
	rec, err := parseRecord(body, sum)
	return rec, sum, err
}

// findRecord returns the first record in data, and what is said to be its hash.
func findRecord(data []byte) (body []byte, sum hash, ok bool) {
	i := bytes.Index(data, []byte(recordMagic))
	if i < 0 {
		return nil, hash{}, false
	}
	data = data[i+len(recordMagic):]
	if len(data) < 8+sha256.Size {
		return nil, hash{}, false
	}
	n := binary.LittleEndian.Uint64(data)
	sum = hash(data[8:])
	data = data[8+sha256.Size:]
	if n > uint64(len(data)) {
		return nil, hash{}, false
	}
	return data[:n], sum, true
}

// parseRecord reads a record of which the hash is right.
func parseRecord(body []byte, sum hash) (*record, error) {
	body, ok := bytes.CutPrefix(body, []byte(pta.Format()))
	if !ok {
		return nil, pta.ErrFormat
	}
	r := &record{sum: sum}
	count, k := binary.Uvarint(body)
	if k <= 0 {
		return nil, errRecord
	}
	body = body[k:]
	for range count {
		size, k := binary.Uvarint(body)
		if k <= 0 || size > uint64(len(body)) || uint64(len(body)-k) < size+2*sha256.Size {
			return nil, errRecord
		}
		body = body[k:]
		d := dep{path: string(body[:size])}
		copy(d.hash[:], body[size:])
		copy(d.file[:], body[size+sha256.Size:])
		r.deps = append(r.deps, d)
		body = body[size+2*sha256.Size:]
	}
	size, k := binary.Uvarint(body)
	if k <= 0 || size > uint64(len(body)-k) {
		return nil, errRecord
	}
	if r.source, ok = readSource(body[k:][:size]); !ok {
		return nil, errRecord
	}
	r.blob = body[k:][size:]
	return r, nil
}
