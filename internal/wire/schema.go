package wire

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"hash"
	"reflect"
	"slices"
	"unsafe"
)

// A Schema knows how to encode types. Hooks and deltas are set before its
// first use; from then on it does not change, and may be used by many
// goroutines.
type Schema struct {
	codecs map[reflect.Type]*codec
	hooks  map[reflect.Type]func(*codec)
	deltas map[reflect.Type]int
	skip   map[string]bool
	text   hash.Hash // of what the fingerprint is of
}

// A codec encodes values of one type. Values are passed by address: setting
// unexported fields of other packages' types is otherwise not possible, and
// reflection on every field of every record costs five times the time.
type codec struct {
	zero func(p unsafe.Pointer) bool
	enc  func(e *Encoder, p unsafe.Pointer)
	dec  func(d *Decoder, p unsafe.Pointer) // into a zero value
}

// NewSchema returns a schema without hooks.
func NewSchema() *Schema {
	return &Schema{
		codecs: make(map[reflect.Type]*codec), hooks: make(map[reflect.Type]func(*codec)),
		deltas: make(map[reflect.Type]int), skip: make(map[string]bool), text: sha256.New(),
	}
}

// Skip leaves out fields, written as "pkg.Type.field". Nothing is to be known
// of their values on the other side.
func (s *Schema) Skip(fields ...string) {
	for _, f := range fields {
		s.skip[f] = true
	}
}

// Delta encodes values of integer type T as differences.
func Delta[T ~int | ~int32 | ~int64](s *Schema) {
	if len(s.deltas) == maxDeltas {
		panic("too many deltas")
	}
	s.deltas[reflect.TypeFor[T]()] = len(s.deltas)
}

// Number replaces how values of type T are encoded, of which the zero value
// stands for something: a number in a table.
func Number[T any](s *Schema, enc func(e *Encoder, v T), dec func(d *Decoder) T) {
	s.hooks[reflect.TypeFor[T]()] = func(c *codec) {
		c.zero = func(unsafe.Pointer) bool { return false }
		c.enc = func(e *Encoder, p unsafe.Pointer) { enc(e, *(*T)(p)) }
		c.dec = func(d *Decoder, p unsafe.Pointer) { *(*T)(p) = dec(d) }
	}
}

// Hook replaces how values of type T are encoded. The functions get the usual
// way for T.
func Hook[T any](s *Schema, enc func(e *Encoder, v *T, usual func(*T)), dec func(d *Decoder, v *T, usual func(*T))) {
	s.hooks[reflect.TypeFor[T]()] = func(c *codec) {
		usual := *c
		c.enc = func(e *Encoder, p unsafe.Pointer) {
			enc(e, (*T)(p), func(v *T) { usual.enc(e, unsafe.Pointer(v)) })
		}
		c.dec = func(d *Decoder, p unsafe.Pointer) {
			dec(d, (*T)(p), func(v *T) { usual.dec(d, unsafe.Pointer(v)) })
		}
	}
}

// Encode appends a value.
func Encode[T any](s *Schema, e *Encoder, v *T) {
	s.of(reflect.TypeFor[T]()).enc(e, unsafe.Pointer(v))
}

// Decode reads a value.
func Decode[T any](s *Schema, d *Decoder, v *T) {
	var zero T
	*v = zero
	s.of(reflect.TypeFor[T]()).dec(d, unsafe.Pointer(v))
}

// Compile prepares a type, before the schema is used by several goroutines.
func Compile[T any](s *Schema) { s.of(reflect.TypeFor[T]()) }

// Fingerprint identifies the structure of the types compiled so far.
func (s *Schema) Fingerprint() string {
	return fmt.Sprintf("%x", s.text.Sum(nil))[:16]
}

// of returns the codec of a type.
func (s *Schema) of(t reflect.Type) *codec {
	if c := s.codecs[t]; c != nil {
		return c
	}
	c := new(codec)
	s.codecs[t] = c // before its parts: types may be recursive
	fmt.Fprintf(s.text, "%s %s;", t, t.Kind())
	s.compile(c, t)
	if hook := s.hooks[t]; hook != nil {
		hook(c)
	}
	return c
}

func (s *Schema) compile(c *codec, t reflect.Type) {
	switch t.Kind() {
	case reflect.Bool:
		c.zero = func(p unsafe.Pointer) bool { return !*(*bool)(p) }
		c.enc = func(e *Encoder, p unsafe.Pointer) { e.Uint(uint64(*(*uint8)(p))) }
		c.dec = func(d *Decoder, p unsafe.Pointer) { *(*bool)(p) = d.Uint() != 0 }
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		s.signed(c, t)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		unsigned(c, t)
	case reflect.String:
		c.zero = func(p unsafe.Pointer) bool { return *(*string)(p) == "" }
		c.enc = func(e *Encoder, p unsafe.Pointer) { e.String(*(*string)(p)) }
		c.dec = func(d *Decoder, p unsafe.Pointer) { *(*string)(p) = d.String() }
	case reflect.Slice:
		s.slice(c, t)
	case reflect.Pointer:
		s.pointer(c, t)
	case reflect.Struct:
		s.structure(c, t)
	case reflect.Map:
		s.mapping(c, t)
	default:
		panic("wire: " + t.String() + " is no plain data")
	}
}

func (s *Schema) signed(c *codec, t reflect.Type) {
	var get func(p unsafe.Pointer) int64
	var set func(p unsafe.Pointer, n int64)
	switch t.Size() {
	case 1:
		get = func(p unsafe.Pointer) int64 { return int64(*(*int8)(p)) }
		set = func(p unsafe.Pointer, n int64) { *(*int8)(p) = int8(n) }
	case 2:
		get = func(p unsafe.Pointer) int64 { return int64(*(*int16)(p)) }
		set = func(p unsafe.Pointer, n int64) { *(*int16)(p) = int16(n) }
	case 4:
		get = func(p unsafe.Pointer) int64 { return int64(*(*int32)(p)) }
		set = func(p unsafe.Pointer, n int64) { *(*int32)(p) = int32(n) }
	default:
		get = func(p unsafe.Pointer) int64 { return *(*int64)(p) }
		set = func(p unsafe.Pointer, n int64) { *(*int64)(p) = n }
	}
	c.zero = func(p unsafe.Pointer) bool { return get(p) == 0 }
	store := func(d *Decoder, p unsafe.Pointer, n int64) {
		if set(p, n); get(p) != n {
			d.Fail()
		}
	}
	if k, ok := s.deltas[t]; ok {
		c.enc = func(e *Encoder, p unsafe.Pointer) {
			n := get(p)
			e.Int(n - e.last[k])
			e.last[k] = n
		}
		c.dec = func(d *Decoder, p unsafe.Pointer) {
			d.last[k] += d.Int()
			store(d, p, d.last[k])
		}
		return
	}
	c.enc = func(e *Encoder, p unsafe.Pointer) { e.Int(get(p)) }
	c.dec = func(d *Decoder, p unsafe.Pointer) { store(d, p, d.Int()) }
}

func unsigned(c *codec, t reflect.Type) {
	var get func(p unsafe.Pointer) uint64
	var set func(p unsafe.Pointer, n uint64)
	switch t.Size() {
	case 1:
		get = func(p unsafe.Pointer) uint64 { return uint64(*(*uint8)(p)) }
		set = func(p unsafe.Pointer, n uint64) { *(*uint8)(p) = uint8(n) }
	case 2:
		get = func(p unsafe.Pointer) uint64 { return uint64(*(*uint16)(p)) }
		set = func(p unsafe.Pointer, n uint64) { *(*uint16)(p) = uint16(n) }
	case 4:
		get = func(p unsafe.Pointer) uint64 { return uint64(*(*uint32)(p)) }
		set = func(p unsafe.Pointer, n uint64) { *(*uint32)(p) = uint32(n) }
	default:
		get = func(p unsafe.Pointer) uint64 { return *(*uint64)(p) }
		set = func(p unsafe.Pointer, n uint64) { *(*uint64)(p) = n }
	}
	c.zero = func(p unsafe.Pointer) bool { return get(p) == 0 }
	c.enc = func(e *Encoder, p unsafe.Pointer) { e.Uint(get(p)) }
	c.dec = func(d *Decoder, p unsafe.Pointer) {
		n := d.Uint()
		if set(p, n); get(p) != n {
			d.Fail()
		}
	}
}

// sliceHeader is how a slice lies in memory.
type sliceHeader struct {
	data unsafe.Pointer
	len  int
	cap  int
}

func (s *Schema) slice(c *codec, t reflect.Type) {
	elem, size := s.of(t.Elem()), t.Elem().Size()
	if size == 0 {
		panic("wire: elements without size in " + t.String())
	}
	bytes := t.Elem().Kind() == reflect.Uint8
	c.zero = func(p unsafe.Pointer) bool { return (*sliceHeader)(p).data == nil }
	c.enc = func(e *Encoder, p unsafe.Pointer) {
		h := (*sliceHeader)(p)
		e.Uint(uint64(h.len))
		if bytes {
			e.Out = append(e.Out, *(*[]byte)(p)...)
			return
		}
		for i := range h.len {
			elem.enc(e, unsafe.Add(h.data, uintptr(i)*size))
		}
	}
	c.dec = func(d *Decoder, p unsafe.Pointer) {
		n := d.Len()
		if bytes {
			*(*[]byte)(p) = append(make([]byte, 0, n), d.Bytes(n)...)
			return
		}
		reflect.NewAt(t, p).Elem().Set(reflect.MakeSlice(t, n, n))
		h := (*sliceHeader)(p)
		for i := 0; i < n && !d.Bad; i++ {
			elem.dec(d, unsafe.Add(h.data, uintptr(i)*size))
		}
	}
}

func (s *Schema) pointer(c *codec, t reflect.Type) {
	elem := s.of(t.Elem())
	c.zero = func(p unsafe.Pointer) bool { return *(*unsafe.Pointer)(p) == nil }
	c.enc = func(e *Encoder, p unsafe.Pointer) {
		q := *(*unsafe.Pointer)(p)
		if q == nil {
			e.Uint(0)
			return
		}
		e.Uint(1)
		elem.enc(e, q)
	}
	c.dec = func(d *Decoder, p unsafe.Pointer) {
		if d.Uint() == 0 || d.Bad {
			return
		}
		v := reflect.New(t.Elem())
		reflect.NewAt(t, p).Elem().Set(v)
		elem.dec(d, v.UnsafePointer())
	}
}

type field struct {
	codec  *codec
	offset uintptr
}

func (s *Schema) structure(c *codec, t reflect.Type) {
	var fields []field
	for i := range t.NumField() {
		f := t.Field(i)
		if s.skip[t.String()+"."+f.Name] {
			continue
		}
		fmt.Fprintf(s.text, "%s.%s %s;", t, f.Name, f.Type)
		fields = append(fields, field{s.of(f.Type), f.Offset})
	}
	if len(fields) > 64 {
		panic("wire: too many fields in " + t.String())
	}
	c.zero = func(p unsafe.Pointer) bool {
		for i := range fields {
			if !fields[i].codec.zero(unsafe.Add(p, fields[i].offset)) {
				return false
			}
		}
		return true
	}
	c.enc = func(e *Encoder, p unsafe.Pointer) {
		set := uint64(0)
		for i := range fields {
			if !fields[i].codec.zero(unsafe.Add(p, fields[i].offset)) {
				set |= 1 << i
			}
		}
		e.Uint(set)
		for i := range fields {
			if set>>i&1 != 0 {
				fields[i].codec.enc(e, unsafe.Add(p, fields[i].offset))
			}
		}
	}
	c.dec = func(d *Decoder, p unsafe.Pointer) {
		set := d.Uint()
		if set>>1>>(len(fields)-1) != 0 && len(fields) > 0 {
			d.Fail()
			return
		}
		for i := range fields {
			if set>>i&1 != 0 && !d.Bad {
				fields[i].codec.dec(d, unsafe.Add(p, fields[i].offset))
			}
		}
	}
}

// mapping encodes a map with integer keys, by key.
func (s *Schema) mapping(c *codec, t reflect.Type) {
	if !t.Key().ConvertibleTo(reflect.TypeFor[int64]()) {
		panic("wire: keys of " + t.String() + " are not integers")
	}
	key, elem := s.of(t.Key()), s.of(t.Elem())
	c.zero = func(p unsafe.Pointer) bool { return reflect.NewAt(t, p).Elem().IsNil() }
	c.enc = func(e *Encoder, p unsafe.Pointer) {
		m := reflect.NewAt(t, p).Elem()
		keys := m.MapKeys()
		slices.SortFunc(keys, func(a, b reflect.Value) int { return cmp.Compare(a.Int(), b.Int()) })
		e.Uint(uint64(len(keys)))
		k, v := reflect.New(t.Key()), reflect.New(t.Elem())
		for _, x := range keys {
			k.Elem().Set(x)
			v.Elem().Set(m.MapIndex(x))
			key.enc(e, k.UnsafePointer())
			elem.enc(e, v.UnsafePointer())
		}
	}
	c.dec = func(d *Decoder, p unsafe.Pointer) {
		m := reflect.MakeMap(t)
		for range d.Len() {
			k, v := reflect.New(t.Key()), reflect.New(t.Elem())
			key.dec(d, k.UnsafePointer())
			elem.dec(d, v.UnsafePointer())
			m.SetMapIndex(k.Elem(), v.Elem())
		}
		reflect.NewAt(t, p).Elem().Set(m)
	}
}
