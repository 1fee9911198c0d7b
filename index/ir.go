package index

import "github.com/iterace/iterace/internal/ssair"

// An op tells what a val is.
type op uint8

const (
	opNone    op = iota // unknown; a value of its own
	opAlias             // a[0]
	opConst             // n
	opParam             // parameter n
	opFree              // free variable n itself: for a captured variable its address
	opFreeVal           // what captured variable n holds at field path s, read at at; a[0] is its address
	opGlobal            // address of the global s
	opAlloc             // address of a variable; s is its name; n and a see swaps and generations
	opPhi               // a[i] from predecessor i of blk

	opAdd
	opSub
	opMul
	opQuo
	opRem
	opShl
	opShr
	opAnd
	opOr
	opXor
	opAndNot
	opNeg
	opNot // ^x
	opMin
	opMax
	opConv // integer to integer type

	opIntToFloat
	opFloatToInt
	opFloatConst // s
	opFloatAdd
	opFloatSub
	opFloatMul
	opFloatQuo
	opFloatNeg

	opLess
	opLessEq
	opGreater
	opGreaterEq
	opEqual
	opNotEqual
	opBoolNot

	opLoad      // *a[0]; n see epoch.go
	opStore     // *a[0] = a[1]
	opIndexAddr // &a[0][a[1]]; n is the length of an array, or -1
	opIndex     // a[0][a[1]] of an array value
	opFieldAddr // &a[0].s, field n
	opField     // a[0].s, field n
	opStruct    // fields a[0], a[1], …
	opSlice     // a[0][a[1]:a[2]:a[3]], 0 where left out; n as for opIndexAddr, -2 for a string
	opLen       // len(a[0])
	opCap
	opMakeSlice // make([]T, a[0], a[1])
	opClosure   // function s; a[i] is bound to free variable i, contents in binds
	opCall      // a[0] is the callee where it is no static one; s its name otherwise
	opExtract   // result n of a[0]
	opRecv      // <-a[0]; n is okChecked if what is received is used only if something was
	opCopy      // copy(a[0], a[1])
	opAppend    // append(a[0], a[1]...)
	opClear     // clear(a[0])
	opReturn
	opSend   // a[0] <- a[1]
	opNil    // a slice without memory
	opString // a constant string of n bytes
	opBool   // a truth value; n is 1 for true
	opLookup // a[0][a[1]] of a map
	opRange  // range a[0] of a map
	opKey    // the key that a step of the range a[0] yields
	opEntry  // the element that step n of the range a[0] yields
	opMakeMap
	opMapStore // a[0][a[1]] = a[2]
)

// reads reports whether an operation yields what the program has read from memory or
// elsewhere, or what a function has computed.
func (o op) reads() bool {
	switch o {
	case opLoad, opFreeVal, opField, opIndex, opLookup, opKey, opEntry, opRecv, opCall, opExtract:
		return true
	}
	return false
}

// A kind is what matters of a type.
type kind uint8

const (
	kOther kind = iota
	kInt8
	kInt16
	kInt32
	kInt // 64 bits or int
	kUint8
	kUint16
	kUint32
	kUint // 64 bits, uint, uintptr
	kFloat
	kBool
	kSlice
	kPointer
	kFunc
	kChan
	kStruct
	kString
)

func (k kind) isInt() bool      { return k >= kInt8 && k <= kUint }
func (k kind) isUnsigned() bool { return k >= kUint8 && k <= kUint }

// narrow returns the bits of a type whose arithmetic may well wrap, or 0.
func (k kind) narrow() int {
	switch k {
	case kInt8, kUint8:
		return 8
	case kInt16, kUint16:
		return 16
	}
	return 0
}

// A vref is a number of a val in its function; 0 is "unknown".
type vref int32

// Flags of an opCall.
const (
	callGo     = 1 << iota // a go statement
	callDefer              // a defer statement
	callInvoke             // a[0] is the receiver, an interface
)

// A val is a value or an instruction.
type val struct {
	op   op
	kind kind
	blk  int32 // block, -1 for parameters, free variables, constants
	at   ssair.Instr
	n    int64
	s    string
	a    []vref
	bind []binding // of an opClosure; of a load see takes.go; of an opCall the arguments that are interfaces, with their types
	sub  *Func     // of an opCall: the callee, if it is small enough to look into
}

// A binding says what a variable holds at field path path when a closure
// captures it, and for as long as the closure may run.
type binding struct {
	free int32
	path string
	v    vref
}

// A block of the control-flow graph.
type block struct {
	succs []int32
	preds []int32
	idom  int32 // -1 for the entry
	end   ssair.Instr
	cond  vref // of the branch to succs[0], else succs[1]; 0 if unknown or none
}

// A loop is a natural loop.
type loop struct {
	header int32
	parent int32 // index of the enclosing loop, -1 for none
	in     []bool
}

// A code is the part of a function that index forms need: plain data, from
// which values are evaluated in the context of a call chain.
type code struct {
	name   string
	params []string // names
	frees  []string
	blocks []block
	loops  []loop // as in ssair.Func.Loops
	inner  []int32
	vals   []val // vals[0] is "unknown"
	at     map[ssair.Instr]vref
	rets   []vref                 // the opReturns
	takes  map[ssair.Instr]string // how the takes that end with a store change their cells
}

// get returns the val behind aliases.
func (c *code) get(r vref) *val {
	return &c.vals[c.resolve(r)]
}

func (c *code) resolve(r vref) vref {
	for n := 0; c.vals[r].op == opAlias; n++ {
		if n > 100 {
			return 0
		}
		r = c.vals[r].a[0]
	}
	return r
}

// blockOf returns the block of an instruction.
func (c *code) blockOf(i ssair.Instr) int32 {
	lo, hi := 0, len(c.blocks)
	for lo < hi {
		m := (lo + hi) / 2
		if c.blocks[m].end > i {
			hi = m
		} else {
			lo = m + 1
		}
	}
	return int32(lo)
}

// dominates reports whether block a dominates block b.
func (c *code) dominates(a, b int32) bool {
	for b >= 0 {
		if a == b {
			return true
		}
		b = c.blocks[b].idom
	}
	return false
}

// inLoop reports whether block b lies in loop l.
func (c *code) inLoop(l, b int32) bool { return b >= 0 && c.loops[l].in[b] }

// InLoopWithout reports whether a loop of the function has instruction at in it, and not
// instruction other: where its rounds make something, they all have what other has made.
func (fn *Func) InLoopWithout(at, other ssair.Instr) bool {
	c := fn.body()
	if c == nil || at < 0 || other < 0 {
		return false
	}
	b := c.blockOf(other)
	for l := c.inner[c.blockOf(at)]; l >= 0; l = c.loops[l].parent {
		if !c.inLoop(l, b) {
			return true
		}
	}
	return false
}

// link fills what follows from the rest: predecessors, loop bodies, the
// instruction table.
func (c *code) link(preds [][]int32) {
	for b := range c.blocks {
		c.blocks[b].preds = preds[b]
	}
	c.inner = make([]int32, len(c.blocks))
	for b := range c.inner {
		c.inner[b] = -1
	}
	for i := range c.loops {
		l := &c.loops[i]
		l.in = make([]bool, len(c.blocks))
		l.in[l.header] = true
		var work []int32
		for _, p := range c.blocks[l.header].preds {
			if c.dominates(l.header, p) {
				work = append(work, p)
			}
		}
		for len(work) > 0 {
			x := work[len(work)-1]
			work = work[:len(work)-1]
			if !l.in[x] {
				l.in[x] = true
				work = append(work, c.blocks[x].preds...)
			}
		}
		for b, in := range l.in {
			if in {
				c.inner[b] = int32(i)
			}
		}
	}
	c.at = make(map[ssair.Instr]vref)
	for r := range c.vals {
		v := &c.vals[r]
		if v.at >= 0 && v.op != opAlias {
			if _, dup := c.at[v.at]; !dup {
				c.at[v.at] = vref(r)
			}
		}
		// What is returned after a panic is another matter (soundness: panic-paths).
		if v.op == opReturn && (v.blk == 0 || v.blk > 0 && c.blocks[v.blk].idom >= 0) {
			c.rets = append(c.rets, vref(r))
		}
		if v.op == opLoad || v.op == opFreeVal {
			for _, x := range v.bind {
				if x.path[0] == takeFirst {
					if c.takes == nil {
						c.takes = make(map[ssair.Instr]string)
					}
					c.takes[ssair.Instr(x.free)] = x.path[1:]
				}
			}
		}
	}
}
