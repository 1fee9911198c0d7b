// Package wire turns plain data into bytes and back: numbers, strings, slices,
// and structs of them, also with unexported fields.
//
// A schema is compiled from Go types, so that a field that is added to a type
// is encoded without a line of code, and cannot be forgotten; types whose
// values mean something only beside a table (numbers of types, of functions)
// get a hook. Two programs understand each other if their schemas have the
// same fingerprint.
//
// The encoding is for many small records, most of whose fields are zero: a
// struct is a set of the fields that are not, then those; a string is a number
// in a table; and types chosen with Delta, whose values rise or stay close from
// one record to the next, are encoded as differences.
package wire

import (
	"encoding/binary"
)

// An Encoder collects bytes.
type Encoder struct {
	Out     []byte
	strings map[string]uint64
	table   []string
	last    [maxDeltas]int64
	// Context is for hooks.
	Context any
}

// maxDeltas is the number of types that a schema may encode as differences.
const maxDeltas = 8

// Int appends a number.
func (e *Encoder) Int(n int64) { e.Out = binary.AppendVarint(e.Out, n) }

// Uint appends a number that is never negative.
func (e *Encoder) Uint(n uint64) { e.Out = binary.AppendUvarint(e.Out, n) }

// String appends the number of a string in the table.
func (e *Encoder) String(s string) {
	n, ok := e.strings[s]
	if !ok {
		if e.strings == nil {
			e.strings = make(map[string]uint64)
		}
		n = uint64(len(e.table))
		e.strings[s] = n
		e.table = append(e.table, s)
	}
	e.Uint(n)
}

// Piece returns what f appends, instead of appending it.
func (e *Encoder) Piece(f func()) []byte {
	saved := e.Out
	e.Out = nil
	f()
	out := e.Out
	e.Out = saved
	return out
}

// Restart begins a piece that can be decoded on its own: differences start
// from zero.
func (e *Encoder) Restart() { e.last = [maxDeltas]int64{} }

// Strings returns the table of strings, as ReadStrings reads it.
func (e *Encoder) Strings() []byte {
	out := binary.AppendUvarint(nil, uint64(len(e.table)))
	for _, s := range e.table {
		out = binary.AppendUvarint(out, uint64(len(s)))
	}
	for _, s := range e.table {
		out = append(out, s...)
	}
	return out
}

// A Decoder reads what an Encoder wrote. On bad input it yields zeros, and Bad
// is set; it never reads or allocates more than the input accounts for.
type Decoder struct {
	In    []byte
	Bad   bool
	table []string
	last  [maxDeltas]int64
	// Context is for hooks.
	Context any
}

// NewDecoder returns a decoder of a piece, with the table of strings it refers
// to.
func NewDecoder(in []byte, table []string) *Decoder { return &Decoder{In: in, table: table} }

// Fail marks the input as bad.
func (d *Decoder) Fail() { d.Bad, d.In = true, nil }

// Int reads a number.
func (d *Decoder) Int() int64 {
	n, k := binary.Varint(d.In)
	if k <= 0 {
		d.Fail()
		return 0
	}
	d.In = d.In[k:]
	return n
}

// Uint reads a number that is never negative.
func (d *Decoder) Uint() uint64 {
	n, k := binary.Uvarint(d.In)
	if k <= 0 {
		d.Fail()
		return 0
	}
	d.In = d.In[k:]
	return n
}

// Len reads a number of things that take at least a byte each.
func (d *Decoder) Len() int {
	n := d.Uint()
	if n > uint64(len(d.In)) {
		d.Fail()
		return 0
	}
	return int(n)
}

// Bytes reads n bytes.
func (d *Decoder) Bytes(n int) []byte {
	if n < 0 || n > len(d.In) {
		d.Fail()
		return nil
	}
	b := d.In[:n:n]
	d.In = d.In[n:]
	return b
}

// String reads a string of the table.
func (d *Decoder) String() string {
	n := d.Uint()
	if n >= uint64(len(d.table)) {
		d.Fail()
		return ""
	}
	return d.table[n]
}

// ReadStrings reads a table of strings.
func (d *Decoder) ReadStrings() []string {
	n := d.Len()
	lens := make([]int, n)
	total := 0
	for i := range lens {
		lens[i] = int(min(d.Uint(), uint64(len(d.In))+1))
		total += lens[i]
	}
	if total > len(d.In) {
		d.Fail()
		return nil
	}
	all := string(d.Bytes(total))
	out := make([]string, n)
	for i, k := range lens {
		out[i], all = all[:k], all[k:]
	}
	return out
}
