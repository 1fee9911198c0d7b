package index

import (
	"github.com/iterace/iterace/internal/ssair"
	"github.com/iterace/iterace/internal/wire"
)

// This file packs a code into bytes and back. Few functions of a program are
// ever part of a query, so they are kept packed: some five bytes for an
// instruction that matters.

type packer struct {
	wire.Encoder
	strs map[string]uint64 // in the order of the text; wire's table would be a second piece
}

// str packs a string, or the number of an equal one packed before.
func (p *packer) str(s string) {
	if s == "" {
		p.Uint(0)
		return
	}
	if n, ok := p.strs[s]; ok {
		p.Uint(n)
		return
	}
	n := uint64(len(p.strs)) + 2
	if p.strs == nil {
		p.strs = make(map[string]uint64)
	}
	p.strs[s] = n
	p.Uint(1)
	p.Uint(uint64(len(s)))
	p.Out = append(p.Out, s...)
}

// pack returns a function with its code packed.
func (p *packer) pack(c *code) *Func {
	p.Out, p.strs = p.Out[:0], nil
	p.code(c)
	return &Func{Name: c.name, Data: append([]byte(nil), p.Out...)}
}

func (p *packer) code(c *code) {
	p.str(c.name)
	for _, names := range [][]string{c.params, c.frees} {
		p.Uint(uint64(len(names)))
		for _, s := range names {
			p.str(s)
		}
	}
	p.Uint(uint64(len(c.blocks)))
	last := ssair.Instr(0)
	for i := range c.blocks {
		b := &c.blocks[i]
		p.Uint(uint64(b.end - last))
		last = b.end
		p.Int(int64(i) - int64(b.idom))
		p.Uint(uint64(len(b.preds)))
		for _, x := range b.preds {
			p.Int(int64(i) - int64(x))
		}
		p.Uint(uint64(len(b.succs)))
		for _, x := range b.succs {
			p.Int(int64(i) - int64(x))
		}
		p.Uint(uint64(b.cond))
	}
	p.Uint(uint64(len(c.loops)))
	for _, l := range c.loops {
		p.Uint(uint64(l.header))
		p.Int(int64(l.parent))
	}
	p.Uint(uint64(len(c.vals)))
	at := int64(0)
	for i := range c.vals {
		at = p.val(c, i, at)
	}
}

func (p *packer) val(c *code, i int, at int64) int64 {
	v := &c.vals[i]
	bits := uint64(v.op) | uint64(v.kind)<<7
	for k, has := range []bool{v.at >= 0, v.n != 0, v.s != "", len(v.bind) > 0, v.sub != nil} {
		if has {
			bits |= 1 << (12 + k)
		}
	}
	p.Uint(bits)
	if v.at >= 0 {
		p.Int(int64(v.at) - at)
		at = int64(v.at)
	} else {
		p.Uint(uint64(v.blk + 1)) // of an instruction the block follows
	}
	if v.n != 0 {
		p.Int(v.n)
	}
	if v.s != "" {
		p.str(v.s)
	}
	p.Uint(uint64(len(v.a)))
	for _, a := range v.a {
		p.operand(i, a)
	}
	if len(v.bind) > 0 {
		p.Uint(uint64(len(v.bind)))
		for _, b := range v.bind {
			p.Uint(uint64(b.free))
			p.str(b.path)
			p.operand(i, b.v)
		}
	}
	if v.sub != nil {
		p.Uint(uint64(len(v.sub.Data)))
		p.Out = append(p.Out, v.sub.Data...)
	}
	return at
}

// operand packs a reference relative to the val that holds it; 0 is unknown.
func (p *packer) operand(i int, a vref) {
	if a == 0 {
		p.Int(0)
		return
	}
	d := int64(i) - int64(a)
	if d <= 0 {
		d--
	}
	p.Int(d)
}

// An unpacker reads what a packer wrote.
type unpacker struct {
	wire.Decoder
	strs []string
}

func newUnpacker(data []byte) *unpacker { return &unpacker{Decoder: *wire.NewDecoder(data, nil)} }

func (u *unpacker) str() string {
	n := u.Uint()
	switch {
	case n == 0:
		return ""
	case n == 1:
		s := string(u.Bytes(u.Len()))
		u.strs = append(u.strs, s)
		return s
	case n-2 < uint64(len(u.strs)):
		return u.strs[n-2]
	}
	u.Fail()
	return ""
}

func (u *unpacker) code() *code {
	c := &code{name: u.str()}
	for _, names := range []*[]string{&c.params, &c.frees} {
		for range u.Len() {
			*names = append(*names, u.str())
		}
	}
	n := u.Len()
	c.blocks = make([]block, n)
	preds := make([][]int32, n)
	block := func(i int, d int64) int32 {
		x := int64(i) - d
		if x < -1 || x >= int64(n) {
			u.Fail()
			return 0
		}
		return int32(x)
	}
	last := ssair.Instr(0)
	for i := range c.blocks {
		b := &c.blocks[i]
		last += ssair.Instr(u.Uint())
		b.end = last
		b.idom = block(i, u.Int())
		for range u.Len() {
			preds[i] = append(preds[i], block(i, u.Int()))
		}
		for range u.Len() {
			b.succs = append(b.succs, block(i, u.Int()))
		}
		b.cond = vref(u.Uint())
	}
	for range u.Len() {
		c.loops = append(c.loops, loop{header: int32(u.Uint()), parent: int32(u.Int())})
	}
	c.vals = make([]val, u.Len())
	at := int64(0)
	for i := range c.vals {
		at = u.val(c, i, at)
	}
	if u.Bad || len(c.vals) == 0 || !c.sound(preds) {
		u.Fail()
		return c
	}
	for i := range c.vals {
		if v := &c.vals[i]; v.at >= 0 {
			v.blk = c.blockOf(v.at)
		}
	}
	c.link(preds)
	return c
}

func (u *unpacker) val(c *code, i int, at int64) int64 {
	v := &c.vals[i]
	bits := u.Uint()
	v.op, v.kind = op(bits&127), kind(bits>>7&31)
	v.at, v.blk = ssair.NoInstr, -1
	if bits>>12&1 != 0 {
		at += u.Int()
		v.at = ssair.Instr(at)
	} else {
		v.blk = int32(u.Uint()) - 1
	}
	if bits>>13&1 != 0 {
		v.n = u.Int()
	}
	if bits>>14&1 != 0 {
		v.s = u.str()
	}
	if n := u.Len(); n > 0 {
		v.a = make([]vref, n)
		for k := range v.a {
			v.a[k] = u.operand(i)
		}
	}
	if bits>>15&1 != 0 {
		v.bind = make([]binding, u.Len())
		for k := range v.bind {
			v.bind[k] = binding{int32(u.Uint()), u.str(), u.operand(i)}
		}
	}
	if bits>>16&1 != 0 && !u.Bad {
		v.sub = &Func{Data: u.Bytes(u.Len())}
		v.sub.Name = newUnpacker(v.sub.Data).str()
	}
	return at
}

func (u *unpacker) operand(i int) vref {
	d := u.Int()
	if d == 0 {
		return 0
	}
	if d < 0 {
		d++
	}
	return vref(int64(i) - d)
}

// sound reports whether all references are in range, so that evaluation
// cannot run off a table.
func (c *code) sound(preds [][]int32) bool {
	n, vals := int32(len(c.blocks)), vref(len(c.vals))
	block := func(b int32) bool { return b >= 0 && b < n }
	ref := func(r vref) bool { return r >= 0 && r < vals }
	for i, b := range c.blocks {
		if b.idom >= n || b.idom == int32(i) || !ref(b.cond) {
			return false
		}
		for _, x := range append(append([]int32(nil), b.succs...), preds[i]...) {
			if !block(x) {
				return false
			}
		}
	}
	ends := make([]bool, n) // the way up the dominators ends
	for i := range c.blocks {
		steps := int32(0)
		for x := int32(i); x >= 0 && !ends[x]; x = c.blocks[x].idom {
			if steps++; steps > n {
				return false
			}
		}
		for x := int32(i); x >= 0 && !ends[x]; x = c.blocks[x].idom {
			ends[x] = true
		}
	}
	for i, l := range c.loops {
		if !block(l.header) || l.parent >= int32(i) {
			return false
		}
	}
	for i := range c.vals {
		v := &c.vals[i]
		if v.blk >= n || v.at >= 0 && (n == 0 || v.at >= c.blocks[n-1].end) {
			return false
		}
		for _, a := range v.a {
			if !ref(a) {
				return false
			}
		}
		for _, b := range v.bind {
			if !ref(b.v) || b.path == "" && (v.op == opLoad || v.op == opFreeVal) {
				return false
			}
		}
	}
	return true
}

// body returns the function's code, or nil if there is none.
func (f *Func) body() *code {
	if f == nil {
		return nil
	}
	f.once.Do(func() {
		if f.code != nil {
			return
		}
		u := newUnpacker(f.Data)
		if c := u.code(); !u.Bad {
			f.code = c
		}
	})
	return f.code
}
