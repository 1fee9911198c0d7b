package wire

import (
	"math/rand"
	"reflect"
	"testing"
	"testing/quick"
)

type place struct {
	file string
	line int32
}

type near int32

type record struct {
	A     int8
	b     uint16
	C     []near
	names []string
	at    place
	deep  *record
	bytes []byte
	loads map[near]int64
	flags []bool
	out   int
}

func testSchema() *Schema {
	s := NewSchema()
	Delta[near](s)
	s.Skip("wire.record.out")
	Hook(s, func(e *Encoder, v *place, usual func(*place)) {
		v2 := *v
		v2.line -= 5
		usual(&v2)
	}, func(d *Decoder, v *place, usual func(*place)) {
		usual(v)
		v.line += 5
	})
	Compile[record](s)
	return s
}

func random(rng *rand.Rand, depth int) *record {
	r := &record{A: int8(rng.Int()), b: uint16(rng.Int()), at: place{"f", int32(rng.Intn(10))}}
	for range rng.Intn(4) {
		r.C = append(r.C, near(rng.Int31()-1<<30))
		r.names = append(r.names, string(rune('a'+rng.Intn(3))))
		r.flags = append(r.flags, rng.Intn(2) == 0)
		if r.loads == nil {
			r.loads = make(map[near]int64)
		}
		r.loads[near(rng.Intn(9))] = rng.Int63()
	}
	if rng.Intn(2) == 0 {
		r.bytes = []byte{}
	}
	if depth > 0 && rng.Intn(2) == 0 {
		r.deep = random(rng, depth-1)
	}
	return r
}

// What is decoded is what was encoded, and all of the input is used.
func TestRoundTrip(t *testing.T) {
	s := testSchema()
	same := func(seed int64) bool {
		want := random(rand.New(rand.NewSource(seed)), 3)
		var e Encoder
		Encode(s, &e, want)
		strings := (&Decoder{In: e.Strings()}).ReadStrings()
		d := NewDecoder(e.Out, strings)
		var got record
		Decode(s, d, &got)
		return reflect.DeepEqual(want, &got) && !d.Bad && len(d.In) == 0
	}
	if err := quick.Check(same, nil); err != nil {
		t.Error(err)
	}
}

// Skipped fields are left alone.
func TestSkip(t *testing.T) {
	s := testSchema()
	var e Encoder
	Encode(s, &e, &record{out: 3, A: 1})
	var got record
	Decode(s, NewDecoder(e.Out, nil), &got)
	if got.out != 0 || got.A != 1 {
		t.Errorf("got %+v", got)
	}
}

// Whatever the input, decoding ends, without a panic.
func TestBadInput(t *testing.T) {
	s := testSchema()
	var e Encoder
	Encode(s, &e, random(rand.New(rand.NewSource(1)), 4))
	table := e.Strings()
	rng := rand.New(rand.NewSource(2))
	bad := 0
	for range 20000 {
		in := append([]byte(nil), e.Out...)
		tab := append([]byte(nil), table...)
		in = in[:rng.Intn(len(in))+1]
		in[rng.Intn(len(in))] = byte(rng.Int())
		tab[rng.Intn(len(tab))] = byte(rng.Int())
		d := NewDecoder(in, (&Decoder{In: tab}).ReadStrings())
		var got record
		if Decode(s, d, &got); d.Bad {
			bad++
		}
	}
	if bad == 0 {
		t.Error("no input was bad")
	}
}

// A fingerprint tells types with other fields apart.
func TestFingerprint(t *testing.T) {
	type one struct{ a, b int }
	type two struct{ a, c int }
	s1, s2, s3 := NewSchema(), NewSchema(), NewSchema()
	Compile[one](s1)
	Compile[two](s2)
	Compile[one](s3)
	if s1.Fingerprint() == s2.Fingerprint() || s1.Fingerprint() != s3.Fingerprint() {
		t.Error(s1.Fingerprint(), s2.Fingerprint(), s3.Fingerprint())
	}
}

func BenchmarkEncode(b *testing.B) {
	s := testSchema()
	r := random(rand.New(rand.NewSource(7)), 4)
	for b.Loop() {
		var e Encoder
		Encode(s, &e, r)
	}
}
