package index

import (
	"slices"
	"strconv"
	"strings"

	"github.com/iterace/iterace/internal/ssair"
)

// An env is one order case of one query: the unknowns, what is known of each,
// and the frames of both chains.
type env struct {
	q      *Query
	equal  int // so many of the nested parallel loops are in the same round on both sides
	nest   nest
	spawn  *nest // with filled5: the loops around the spawn; nest has those around the send
	atoms  []atomInfo
	byKey  map[string]atom
	tags   map[string]int32
	facts  []factInfo
	factNo map[string]int
	tokens []handout
	carry  []cursor
	// carrying counts the values of loops that are being looked at, carries holds
	// them until the outermost one is done.
	carrying int
	carries  []*carry
	weak     int            // which weak assumptions may be used: see the constants
	could    [attempts]bool // which would have made a difference
	apart    bool           // rows are taken to be one slice or to share no element
	below    bool           // two roots that change places are different, and so is what lies below (AssumeSwapped)
	work     *work
	picks    []pick // by which returns small callees came back, see picks.go
	wants    []want
	picked   []*frame
	receipts [2]receipt          // what the sides have received, by side
	fillings map[listOf]*filling // of lists, see list.go
	given    whySet              // what it rests on that the sides have different elements, see otherElement
}

func newEnv(q *Query, n nest, equal, weak int, w *work) *env {
	return &env{q: q, equal: equal, nest: n, weak: weak, work: w,
		byKey: make(map[string]atom), tags: make(map[string]int32), factNo: make(map[string]int)}
}

// An atomInfo says what an unknown stands for and what holds of it whenever it
// has a value. A problem includes the axioms of the atoms it mentions.
type atomInfo struct {
	name   string // in source terms
	side   int8   // 0: the same value on both sides
	loops  []loopID
	cons   []con
	ors    []disj
	app    *app
	choice *choice
	data   bool // what the program has read or computed, and no counter of a loop
	got    bool // read where something lies that a channel has handed on: on either side it may be something else
}

// A loopID is a loop of a frame.
type loopID struct {
	frame string
	loop  int32
}

// A factInfo is what to print of a fact, and the assumption it is, if any.
type factInfo struct {
	text   string
	assume string
}

// Attempts at a query: without weak assumptions, with hand-outs taken to be
// unique and tables to be rising, with tables taken to be injective, with rows
// taken to be no wider than their stride, with rows taken to be one or apart.
// The last one assumes nothing, and is tried second: what is received is seen from its sender.
const (
	plain0 = iota
	rising1
	injective2
	stride3
	apart4
	filled5
	attempts
)

// A handout is an integer that is handed out: counters, channels, unique
// parameters. Two tokens of one family are different values.
type handout struct {
	family string
	index  []poly // tokens of one family differ where all of these agree
	side   int8
	a      atom
	delta  poly // of a counter: what the add adds
	left   poly // of a take: what it leaves in its cell
	up     bool // that is no less than what it found
	why    whySet
}

// A frame is one step of a chain while values of it are evaluated.
type frame struct {
	e      *env
	c      *code
	at     ssair.Instr
	no     int    // step
	id     string // equal for the shared steps of both chains
	side   int8   // 1 or 2
	up     *frame // the caller
	chain  []Step // up to this step
	loose  bool   // closure created at an unknown time: what varies in a loop is unknown
	ints   map[part]poly
	busy   map[part]int
	refs   map[vref]*ref
	maker  *frame // where the closure was made
	made   vref
	sought bool
	subs   map[vref]*frame
	reruns []rerun
	known  map[int32]guarded // by block, twice: at its end and before at
	call   vref              // of a small callee's frame: the call
	tried  map[atom]bool
	tight  *frame // of a loose frame: the one it was made from; of a sender's, the spawner's
	ghost  *frame // of a sender's frame: the receiver's
	off    bool   // of a function that has made a list, which is no step of the chain: no is that of none
}

// A part is a value, or a part of a slice value.
type part struct {
	r    vref
	what byte // 0 the value, 'o' offset, 'l' length, 'c' capacity
}

func (e *env) newFrame(c *code, at ssair.Instr, no int, side int8, up *frame, chain []Step) *frame {
	return &frame{e: e, c: c, at: at, no: no, id: strconv.Itoa(no), side: side, up: up, chain: chain,
		ints: make(map[part]poly), busy: make(map[part]int), refs: make(map[vref]*ref)}
}

// sideOf returns 0 if what is computed in block blk of the frame is the same
// value for both iterations, else the frame's side.
func (f *frame) sideOf(blk int32) int8 {
	e := f.e
	switch {
	case f.call != 0:
		return f.up.sideOf(f.up.c.vals[f.call].blk)
	case f.off:
		return f.side
	case f.ghost != nil:
		if e.nest.level(f.c, f.no, blk) > e.equal {
			return f.side
		}
		return 0
	case f.loose && blk >= 0 && f.c.inner[blk] >= 0:
		return f.side
	case e.weak == filled5 && f.no <= e.nest.last:
		if e.spawn.apart || e.spawn.level(f.c, f.no, blk) > 0 {
			return f.side // a loop that has nothing to do with the sender's
		}
		return 0
	case e.nest.apart, f.no > e.nest.last, e.nest.level(f.c, f.no, blk) > e.equal:
		return f.side
	}
	return 0
}

// ofAnyRound reports whether what is computed in a block is that of some round of a loop that the spawner has left: it
// may be what the iteration of that round has.
func (f *frame) ofAnyRound(blk int32) bool {
	if f.call != 0 {
		return f.up.ofAnyRound(f.up.c.vals[f.call].blk)
	}
	return f.side == 2 && !f.off && slices.ContainsFunc(f.e.nest.left, func(l parLoop) bool { return l.step == f.no && f.c.inLoop(l.loop, blk) })
}

// key names something of the frame, on the side that it belongs to.
func (f *frame) key(blk int32, what string, n int) string {
	if (f.loose || f.ghost != nil && f.tight != nil) && (blk < 0 || f.c.inner[blk] < 0) {
		return f.tight.key(blk, what, n)
	}
	return string(rune(48+f.sideOf(blk))) + f.id + what + strconv.Itoa(n)
}

// loopsAt lists the loops of the frame that contain the block.
func (f *frame) loopsAt(blk int32) []loopID {
	if f.call != 0 {
		return f.up.loopsAt(f.up.c.vals[f.call].blk)
	}
	if blk < 0 {
		return nil
	}
	var out []loopID
	for l := f.c.inner[blk]; l >= 0; l = f.c.loops[l].parent {
		out = append(out, loopID{f.id, l})
	}
	if f.ghost != nil && len(out) > 0 {
		// The receiver gets another round's in each round of its own loops.
		x := f.e.receipts[f.side-1]
		out = append(out, f.ghost.loopsAt(f.ghost.c.vals[x.r].blk)...)
	}
	return out
}

// atom returns the unknown with a key, made by init when it is new.
func (e *env) atom(key, name string, side int8, init func(a atom, i *atomInfo)) atom {
	if a, ok := e.byKey[key]; ok {
		return a
	}
	a := atom(len(e.atoms))
	e.byKey[key] = a
	if side == 2 {
		name += "'"
	}
	e.atoms = append(e.atoms, atomInfo{name: name, side: side})
	if init != nil {
		info := atomInfo{name: name, side: side}
		init(a, &info)
		e.atoms[a] = info
	}
	return a
}

// opaque returns the unknown for a value that is not understood.
func (f *frame) opaque(r vref, what byte) poly {
	e, v := f.e, &f.c.vals[r]
	key := f.key(v.blk, "v"+string('a'+what%26), int(r))
	if a, ok := e.byKey[key]; ok {
		return variable(a)
	}
	name := f.text(r)
	switch what {
	case 'l':
		name = "len(" + name + ")"
	case 'c':
		name = "cap(" + name + ")"
	case 'o':
		name = "start of " + name
	}
	a := e.atom(key, name, f.sideOf(v.blk), func(a atom, i *atomInfo) {
		i.loops = f.loopsAt(v.blk)
		if i.data = what == 0 && v.op.reads(); what == 0 {
			e.typed(a, i, v.kind)
		} else {
			e.know(i, variable(a), "")
		}
	})
	return variable(a)
}

// typed adds what the type says of a value.
func (e *env) typed(a atom, i *atomInfo, k kind) {
	v := variable(a)
	switch k {
	case kUint8:
		e.know(i, v, "")
		e.know(i, v.neg().plus(255), "")
	case kInt8:
		e.know(i, v.plus(128), "")
		e.know(i, v.neg().plus(127), "")
	case kUint16:
		e.know(i, v, "")
		e.know(i, v.neg().plus(65535), "")
	case kUint32, kUint:
		e.know(i, v, "")
	}
}

// know adds the axiom p >= 0 of an atom.
func (e *env) know(i *atomInfo, p poly, text string) {
	i.cons = append(i.cons, con{p, e.fact(text, ""), noAtom})
}

// fact returns the reason set of a fact text; "" has none.
func (e *env) fact(text, assume string) whySet {
	if text == "" && assume == "" {
		return whySet{}
	}
	k := text + "\x00" + assume
	if n, ok := e.factNo[k]; ok {
		return whyOf(n)
	}
	if len(e.facts) >= maxFacts-1 {
		// The last number stands for all that have none of their own.
		e.facts = append(e.facts[:maxFacts-1], factInfo{text: "more facts"})
		if assume != "" {
			panic(giveUp{"too many facts"})
		}
		return whyOf(maxFacts - 1)
	}
	n := len(e.facts)
	e.facts = append(e.facts, factInfo{text, assume})
	e.factNo[k] = n
	return whyOf(n)
}

// function returns the unknown that a function symbol gives for arguments;
// equal arguments give one unknown.
func (e *env) function(tag, name string, args []poly, t trend, init func(a atom, i *atomInfo)) poly {
	key := strings.Builder{}
	key.WriteString("f")
	key.WriteString(tag)
	side := int8(0)
	for _, p := range args {
		key.WriteByte('|')
		key.WriteString(p.key())
		side = max(side, e.sideOfPoly(p))
	}
	a := e.atom(key.String(), name, 0, func(a atom, i *atomInfo) {
		i.side = side
		if side == 2 {
			i.name += "'"
		}
		for _, p := range args {
			p.atoms(func(x atom) { i.loops = append(i.loops, e.atoms[x].loops...) })
		}
		if len(args) > 0 {
			i.app = &app{res: a, tag: e.tag(tag), args: args, trend: t}
		}
		if init != nil {
			init(a, i)
		}
	})
	return variable(a)
}

func (e *env) tag(s string) int32 {
	if n, ok := e.tags[s]; ok {
		return n
	}
	n := int32(len(e.tags))
	e.tags[s] = n
	return n
}

// sideOfPoly is 0 if no atom of p belongs to a side.
func (e *env) sideOfPoly(p poly) (side int8) {
	p.atoms(func(a atom) { side = max(side, e.atoms[a].side) })
	return side
}

// variesIn reports whether p may change from round to round of the loop.
func (e *env) variesIn(p poly, l loopID) (yes bool) {
	p.atoms(func(a atom) {
		for _, x := range e.atoms[a].loops {
			yes = yes || x == l
		}
	})
	return yes
}

// invariant asks the oracle about the load at instruction at.
func (f *frame) invariant(at ssair.Instr) bool {
	o := f.e.q.Oracle
	if o == nil || at < 0 || f.sends() {
		return false
	}
	chain := f.chain
	if n := len(chain); n == 0 || chain[n-1].At != at {
		chain = append([]Step(nil), chain...)
		chain[len(chain)-1].At = at
	}
	return o.Invariant(chain, at)
}

// oneOrNil reports whether the load v of the frame finds one pointer or slice as
// long as the parallel loop runs, or nil.
func (f *frame) oneOrNil(v *val) bool {
	o := f.e.q.Oracle
	return o != nil && v.at >= 0 && f.sideOf(v.blk) != 0 && !f.sends() && o.OneOrNil(f.chainAt(v), v.at)
}

// steady reports whether the load v of the frame reads what its place holds as
// long as the parallel loop runs: a load in the loop if nothing is written
// there, one before it if nothing is written from then on.
func (f *frame) steady(v *val) bool {
	if v.op == opLoad && v.n&loadSettled != 0 {
		return true
	}
	if f.sideOf(v.blk) != 0 {
		return f.invariant(v.at)
	}
	o := f.e.q.Oracle
	return o != nil && v.at >= 0 && !f.sends() && o.Kept(f.chainAt(v), v.at)
}

// unassuming reports whether no weak assumption may be used.
func (e *env) unassuming() bool { return e.weak == plain0 || e.weak == filled5 }

// sends reports whether the frame is the sender's, or of a small callee of it:
// what happens between two sends is not what happens in the parallel loop.
func (f *frame) sends() bool {
	for ; f != nil; f = f.up {
		if f.ghost != nil {
			return true
		}
		if f.call == 0 {
			return false
		}
	}
	return false
}

// table adds what may be assumed of values read from a table that does not
// change: that they do not fall, or that they differ (soundness:
// table-monotone, table-injective).
func (e *env) table(i *atomInfo) {
	if len(i.app.args) != 1 {
		return
	}
	e.could[rising1], e.could[injective2] = true, true
	switch e.weak {
	case rising1:
		i.app.trend, i.app.why = rising, e.fact(i.name+" does not fall with the index", AssumeTable)
	case injective2:
		i.app.inj, i.app.why = true, e.fact(i.name+" differs for different indices", AssumeInjectiveTable)
	}
}
