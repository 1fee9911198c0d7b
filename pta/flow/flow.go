// Package flow holds what the analysis knows of the order in which a function
// does things: its control flow, cut down to the steps that matter for order
// (synchronisation, spawns, calls), the conditions of its branches that tell
// that another thread has done something, its loops with their trip counts,
// and symbolic paths for the places it touches.
//
// A Func is extracted from SSA once and is plain data from then on, keyed by
// instruction number. It claims nothing about callees, aliases or threads:
// filters/locks and filters/order compose it over the instance graph.
//
// The unit of position is the gap: the stretch of a block before, between or
// after two steps. Every access lies in one gap (Func.Gaps); a walk goes from
// gap to gap, through a step or along an edge.
package flow

import (
	"slices"
	"sort"
	"sync/atomic"

	"github.com/iterace/iterace/internal/ssair"
	"github.com/iterace/iterace/model/library"
)

// Kind tells what a step is.
type Kind uint8

// The kinds of step.
const (
	Call     Kind = iota // call of functions that are analysed, or run as callbacks
	Spawn                // starts goroutines: go statement, OpSpawn, OpTimerFunc
	Parallel             // starts goroutines and waits for them: OpParallel
	Send                 // channel send
	Recv                 // channel receive
	Close                // close of a channel
	Sync                 // any other operation of the library model, see Step.Op
	Mark                 // a select with a case that no edge tells of: parts what comes before and after
)

// A Step is one thing of interest that a function does.
type Step struct {
	At       ssair.Instr // where it happens
	Site     ssair.Instr // the instruction that has the operands: At, or the defer statement
	Kind     Kind
	Op       library.Op       // Sync, Spawn, Parallel, and Call for callbacks of a library operation
	Locker   library.Op       // Call: what it does to a lock if nothing is known of what is called, see locker.go
	Body     int              // operand that is run, or -1: the callee itself
	Join     bool             // Spawn: the receiver can be joined
	Later    bool             // Spawn: of what runs once something is served
	Service  string           // Spawn: the server that this is, or that what is Later waits for
	Exchange library.Exchange // its part in an exchange of requests and answers
	Dispatch bool             // Call: it runs what was registered with its first argument
	// Optional is set for a deferred call that is not registered on every
	// path: the step may be passed by.
	Optional bool
	// Repeat is set for a deferred call that a loop may register many times, and
	// for one that starts many goroutines.
	Repeat bool
	// Ignored is set for a call whose results nobody looks at.
	Ignored bool
	// Methods is set if what it runs is a method of what a library function is given, and
	// Of is the argument whose methods they are, -1 if they are of several, or of what an
	// argument holds. They are not passed the arguments.
	Methods  bool
	Of       int
	Certain  bool     // Sync: an acquisition that cannot fail, its context being one that is never done
	CommaOk  bool     // Recv: the result says whether the channel is closed
	Select   bool     // Send and Recv: a case of a select
	Operand  int      // Send and Recv: the operand number of the channel
	Args     []PathID // paths of the operands; calls: the arguments, receiver first
	Fn       PathID   // path of the called function value
	Value    PathID   // Send: what is sent
	Const    int64    // value of the constant argument: delta of an Add, stored value
	HasConst bool
	Old      int64 // Sync: what a CompareAndSwap expects to find, if HasOld
	HasOld   bool
	Differs  bool // Sync: what a CompareAndSwap stores is known not to be what it finds
}

// An EventKind tells what following an edge proves.
type EventKind uint8

// The kinds of event.
const (
	CaseTaken  EventKind = iota // case Operand of the select at Site was taken
	RecvSent                    // the receive at Site got a value that was sent
	RecvClosed                  // the receive at Site saw the channel closed
	Acquired                    // TryLock or TryRLock at Site succeeded
	FlagTest                    // the atomic result at Site compares with Const as Cmp says
	PlainTest                   // the same for a plain load at Site
	MapTest                     // the same for an element of a map, or whether it is there
	ParamTest                   // the same for a parameter, which is a bool; there is no Site
	Returned                    // the call at Site returned the outcome Const, see Outcome
	Since                       // case Operand of the select at Site was taken before, see since.go
	CountTest                   // the result of an atomic operation or a plain load at Site is what has path Value, or more
	Tallied                     // tally Operand is, as Cmp says, Const more than what has path Value, or tally Delta, or than nothing: see tally.go
	Swapped                     // the CompareAndSwap at Site, which expects to find what is no constant, has succeeded
	Failed                      // a test has been told that it has failed
	Prevented                   // what instruction Const, of the function Operand levels up, would start never runs: see prevented.go
)

// An Event is something an edge proves.
type Event struct {
	Kind    EventKind
	Site    ssair.Instr
	Operand int
	Cmp     string // "==", "!=", "<", "<=", ">", ">="
	Const   int64
	Op      library.Op // operation at Site
	Path    PathID     // of the lock, flag or channel
	Value   PathID     // CaseTaken: what the case sends; CountTest: what is compared with
	Send    bool       // CaseTaken: the case sends
	Sent    bool       // CaseTaken: the receive is known to have got a value (its ok result)
	// Delta is the constant operand of an atomic add.
	Delta    int64
	HasDelta bool
}

// Allows reports whether the tested value may be v.
func (e *Event) Allows(v int64) bool {
	switch e.Cmp {
	case "==":
		return v == e.Const
	case "!=":
		return v != e.Const
	case "<":
		return v < e.Const
	case "<=":
		return v <= e.Const
	case ">":
		return v > e.Const
	case ">=":
		return v >= e.Const
	}
	return true
}

// An Edge leads from a block to a successor.
type Edge struct {
	To   int32
	Dead bool // the condition is constant
	// Counts is one more than the index of the loop that the edge leaves, or
	// passes by, because all rounds are done, if the loop synchronises; else 0.
	Counts int32
	// Last is one more than the block where the loop ends, on an edge back to
	// the head of a loop whose body runs once; else 0.
	Last   int32
	Events []Event
	// Ends is what the function returns if it takes the edge, which leads to an exit without steps:
	// where others lead there, too, the exit's own outcome may be any.
	Ends Outcome
}

// A Block is a basic block.
type Block struct {
	First ssair.Instr // number of its first instruction
	End   ssair.Instr // one past its last
	Lo    int32       // its steps are Steps[Lo:Hi]
	Hi    int32
	Succs []Edge
	Exit  bool // ends in a return
	// Outcome is what an exit returns, where callers may branch on it; where it
	// is that of a call, Tail is the call.
	Outcome Outcome
	Tail    ssair.Instr
	Nil     uint64 // has bit k set if an exit's result k is the constant nil
}

// An Outcome is what a caller learns from the result of a call that tells, a boolean or
// an error (see telling): many functions do one thing and say so, or another and say so.
type Outcome uint8

// The outcomes.
const (
	AnyOutcome Outcome = iota
	Zero               // false, or no error
	NonZero            // true, or an error
)

// A Trip is the number of times that the body of a loop runs, if it is left
// by its counting condition.
type Trip struct {
	Kind  TripKind
	N     int64  // TripConst: the number; TripBound: what is added to the bound
	Bound PathID // TripBound: path of the value that bounds the loop
}

// TripKind tells how a trip is known.
type TripKind uint8

// The kinds of trip.
const (
	TripUnknown TripKind = iota
	TripConst
	TripBound
)

// A Loop is a natural loop.
type Loop struct {
	Header int32
	Parent int32   // index of the enclosing loop, or -1
	Blocks []int32 // sorted
	Trip   Trip
	// ExitFrom and ExitTo are the edge on which the counting condition ends
	// the loop, or -1.
	ExitFrom, ExitTo int32
	// Guard is the block that decides whether there is a first round, if that is
	// tested before the loop, or -1.
	Guard    int32
	Counters []Counter
	Each     []PathID // how it has the elements of a list or map that it goes over, or what it receives, see each.go
	Drains   bool     // each round begins with a receive; the loop is left where the channel is closed and empty
}

// Has reports whether block b belongs to the loop.
func (l *Loop) Has(b int32) bool {
	i := sort.Search(len(l.Blocks), func(i int) bool { return l.Blocks[i] >= b })
	return i < len(l.Blocks) && l.Blocks[i] == b
}

// A Make is the creation of a channel.
type Make struct {
	At   ssair.Instr
	Cap  int64  // -1 if not constant
	Size PathID // path of the capacity
}

// A Store is a plain store of a constant to a scalar, or of nil or something else to a
// pointer, map, channel or interface, noted in functions that synchronise: that of a flag.
// What is stored there and is not the constant nil counts as 1. An element of a map that
// comes to be there, or is deleted, counts as two: what it holds, and 1 or 0 for whether it
// is there.
type Store struct {
	At    ssair.Instr
	Path  PathID
	Const int64
}

// A Setting is a store to a field, by the last selector of its path: of a constant, or of something that is not zero
// if To is zero.
type Setting struct {
	Field string
	To    int64
}

// A Flag is a variable that is tested, and is only ever loaded, stored to and
// captured, with all stores to it.
type Flag struct {
	Test   ssair.Instr // the load that is tested
	Writes []FlagWrite
}

// A FlagWrite is a store to a flag, in the function named Fn.
type FlagWrite struct {
	Fn    string
	At    ssair.Instr
	Const int64
	Has   bool  // the stored value is Const
	Adds  int64 // what is added to what the variable holds, if it is not 0
}

// A Closure is the creation of a function value.
type Closure struct {
	At    ssair.Instr
	Fn    string
	Binds []PathID
	// Settled has bit k set if nothing is stored to the variable that is bound to free
	// variable k once the closure is made.
	Settled uint64
	Used    ssair.Instr // what uses it, if that is one instruction; NoInstr otherwise
}

// A Literal is a use of a function literal that captures nothing, which is where it is made.
type Literal struct {
	At ssair.Instr
	Fn string
}

// A Func is the flow skeleton of one function.
type Func struct {
	Name     string
	Blocks   []Block
	Steps    []Step // in block order, then in the order in which they happen
	Loops    []Loop // outer before inner
	Makes    []Make
	Chains   []Chain
	Relays   []Relay
	Polls    []Poll
	Presets  []Preset
	Barriers []Barrier
	Sizes    []FieldSize
	Tallies  []Tally
	// NeverDone lists the calls that yield a context that is never cancelled.
	NeverDone []ssair.Instr
	// Dones lists the calls that yield the channel which tells that a context is done, and
	// Cancels those that cancel one.
	Dones, Cancels []ssair.Instr
	Subs           []Sub
	Rests          []Rest
	Touches        []Touch
	Stores         []Store
	// Unsure lists the stores of errors that may be nil; SetOnce what the function tests, and
	// stores something to.
	Unsure   []Store
	SetOnce  []Setting
	Flags    []Flag
	Closures []Closure
	Literals []Literal
	// Allocs lists the instructions that make memory, sorted. A phi of
	// allocations, the variable of a three-clause loop, counts as one.
	Allocs []ssair.Instr
	// Givens, Named and Uses tell of parts of slices between two integers, see ranges.go.
	Givens []Given
	Named  []Named
	Uses   []ParamUse
	// LoopVars relates such a phi to the allocations that it chooses from.
	LoopVars []LoopVar
	// Receives relates the values extracted from a receive to it.
	Receives []Received
	// Merges lists the pointers that depend on the way to a block, other than a
	// loop's head, in a function that synchronises.
	Merges []Merge
	// Untested lists, as events, the cases of selects after which control goes on
	// as it does after the others: no edge tells that they were taken.
	Untested []Event
	// Gone and Webs say what becomes of memory that is given away, see gone.go, in
	// a function that synchronises.
	Gone []Gone
	// Shown is what the function makes and stores where others may find it.
	Shown []Gone
	Webs  []Web
	// Dropped lists the calls that are passed the content of a place that is set to
	// nil beside the call, sorted: see dropped.go.
	Dropped []ssair.Instr
	// Replaced lists those into whose place something else is put beside the call.
	Replaced []ssair.Instr
	// Filled lists the variables that hold what the function and its literals fill, by
	// where they are made: see filled.go.
	Filled []Filled
	// InFields says in which fields of what it makes the function puts channels that it
	// makes, in a function that synchronises: see infield.go.
	InFields []InField
	// Contraries lists, by block, what turns control does not take from there on: see
	// contrary.go.
	Contraries []Contrary
	// Tolds has, by call and outcome, what turns control does not take once the call has returned so.
	Tolds []Told
	// Demands lists the calls behind which control goes on with one outcome only.
	Demands []Demand
	// Late lists the calls, as steps, of which something is done between their return and a branch that
	// is taken on one outcome only, and which are made once.
	Late []int32
	// Extracts relates the values extracted from the results of a call to it.
	Extracts []Extracted
	// Returned has the path of each result, where all returns yield the same:
	// 0 where they do not. A return of nil counts as any other.
	Returned []PathID
	// Yields has all that each result may be, or be cut from, the nil left out: -1 among it where
	// that is not known.
	Yields [][]PathID
	// Holds has what lies in the fields of each result that is a struct, filled in a variable: only of results
	// that have some.
	Holds  []Held
	Spills []Spill
	// Defers lists the defer statements, whose accesses and effects happen
	// at the end of the function.
	Defers []ssair.Instr
	// moved lists loads that really happen later: those of a return statement
	// happen after its calls.
	moved []move
	// phantom lists accesses that go/ssa makes and the program does not.
	phantom []ssair.Instr
	Sync    bool // has a step other than Call

	inner []int32 // by block: innermost loop or -1
	paths []pathNode
	addr  []addrPath
	cells []cellValue
	loads map[PathID]ssair.Instr // one load of each loaded value
	names rootNames

	stored  map[ssair.Instr]ssair.Instr // see StoredBefore; of what was just built only
	growing bool                        // Build is at work
	texts   atomic.Pointer[[]Path]      // see Path; paths are asked for again and again, by all loops
}

type move struct{ at, to ssair.Instr }

type addrPath struct {
	at   ssair.Instr
	path PathID
}

// A Held is what a result of the function has in a field.
type Held struct {
	Result int
	Value  PathID // what it is cut from, if it is cut from something
}

// A Spill is a variable, made at an instruction, that is set to a struct once, of which the function then takes fields only.
type Spill struct {
	At    ssair.Instr
	Value PathID
}

// A Gap is a position between steps. The gaps of block b are numbered from
// b + Blocks[b].Lo to b + Blocks[b].Hi.
type Gap int32

// NGaps returns the number of gaps.
func (f *Func) NGaps() int { return len(f.Steps) + len(f.Blocks) }

// Entry returns the gap at the start of the function.
func (f *Func) Entry() Gap { return 0 }

// First returns the first gap of block b.
func (f *Func) First(b int32) Gap { return Gap(b + f.Blocks[b].Lo) }

// Last returns the gap that ends block b.
func (f *Func) Last(b int32) Gap { return Gap(b + f.Blocks[b].Hi) }

// BlockOf returns the block of gap g.
func (f *Func) BlockOf(g Gap) int32 {
	lo, hi := int32(0), int32(len(f.Blocks))
	for lo < hi {
		if b := (lo + hi) / 2; Gap(b+f.Blocks[b].Hi) < g {
			lo = b + 1
		} else {
			hi = b
		}
	}
	return lo
}

// StepAfter returns the step that ends gap g, or -1 if the gap ends its block.
func (f *Func) StepAfter(g Gap) int32 {
	b := f.BlockOf(g)
	if s := int32(g) - b; s < f.Blocks[b].Hi {
		return s
	}
	return -1
}

// AfterStep returns the gap that follows step s.
func (f *Func) AfterStep(s int32) Gap { return f.BeforeStep(s) + 1 }

// BeforeStep returns the gap that step s ends.
func (f *Func) BeforeStep(s int32) Gap {
	lo, hi := int32(0), int32(len(f.Blocks))
	for lo < hi {
		if b := (lo + hi) / 2; f.Blocks[b].Hi <= s {
			lo = b + 1
		} else {
			hi = b
		}
	}
	return Gap(lo + s)
}

// Block returns the block of instruction at.
func (f *Func) Block(at ssair.Instr) int32 {
	return int32(sort.Search(len(f.Blocks), func(b int) bool { return f.Blocks[b].End > at }))
}

// Innermost returns the innermost loop around block b, or -1.
func (f *Func) Innermost(b int32) int32 {
	if f.inner == nil {
		return -1
	}
	return f.inner[b]
}

// Effective returns the instruction before which the effect of at really
// happens: at itself, but for the loads of a return statement.
func (f *Func) Effective(at ssair.Instr) ssair.Instr {
	i := sort.Search(len(f.moved), func(i int) bool { return f.moved[i].at >= at })
	if i < len(f.moved) && f.moved[i].at == at {
		return f.moved[i].to
	}
	return at
}

// Phantom reports whether the access at is one that only go/ssa makes:
// `return n` of the named result n is lowered to n = n.
func (f *Func) Phantom(at ssair.Instr) bool {
	i := sort.Search(len(f.phantom), func(i int) bool { return f.phantom[i] >= at })
	return i < len(f.phantom) && f.phantom[i] == at
}

// Gaps returns the positions at which instruction at touches memory: one, but
// for a deferred call, which acts where the function returns.
func (f *Func) Gaps(at ssair.Instr) []Gap {
	if f.deferred(at) {
		var gs []Gap
		for s := range f.Steps {
			if f.Steps[s].Site == at && f.Steps[s].At != at {
				gs = append(gs, f.BeforeStep(int32(s)))
			}
		}
		return gs
	}
	return []Gap{f.GapOf(f.Effective(at))}
}

// GapOf returns the gap in which instruction at lies; an instruction that is
// a step itself lies before it.
func (f *Func) GapOf(at ssair.Instr) Gap {
	b := f.Block(at)
	if b >= int32(len(f.Blocks)) {
		b = int32(len(f.Blocks)) - 1
	}
	blk := &f.Blocks[b]
	n := sort.Search(int(blk.Hi-blk.Lo), func(i int) bool { return f.Steps[blk.Lo+int32(i)].At >= at })
	return Gap(b + blk.Lo + int32(n))
}

func (f *Func) deferred(at ssair.Instr) bool {
	if len(f.Defers) == 0 {
		return false
	}
	_, ok := slices.BinarySearch(f.Defers, at)
	return ok
}

// numbers are those of the first steps of any function, so that StepsAt need not
// make a list where steps are neighbours: it is asked by every walk for every call.
var numbers = func() []int32 {
	out := make([]int32, 1<<12)
	for i := range out {
		out[i] = int32(i)
	}
	return out
}()

// StepsAt returns the steps whose operands stand at instruction site. The list
// must not be changed.
func (f *Func) StepsAt(site ssair.Instr) []int32 {
	var out []int32
	if f.deferred(site) {
		for s := range f.Steps {
			if f.Steps[s].Site == site {
				out = append(out, int32(s))
			}
		}
		return out
	}
	i := sort.Search(len(f.Steps), func(i int) bool { return f.Steps[i].At >= site })
	n := i
	for n < len(f.Steps) && f.Steps[n].At == site && f.Steps[n].Site == site {
		n++
	}
	if n < len(f.Steps) && f.Steps[n].At == site || n > len(numbers) {
		for ; i < len(f.Steps) && f.Steps[i].At == site; i++ {
			if f.Steps[i].Site == site {
				out = append(out, int32(i))
			}
		}
		return out
	}
	return numbers[i:n:n]
}

// Leads reports whether step s comes before step t on every path to t.
func (f *Func) Leads(s, t int32) bool {
	from, to := f.BlockOf(f.BeforeStep(s)), f.BlockOf(f.BeforeStep(t))
	if from == to {
		return s < t
	}
	// Is t reached without the block of s?
	seen := map[int32]bool{from: true}
	work := []int32{0}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[b] {
			continue
		}
		seen[b] = true
		if b == to {
			return false
		}
		for _, e := range f.Blocks[b].Succs {
			work = append(work, e.To)
		}
	}
	return true
}

// CapOf returns the capacity of the channel made at instruction at, or -1.
func (f *Func) CapOf(at ssair.Instr) int64 {
	if m := f.MakeAt(at); m != nil {
		return m.Cap
	}
	return -1
}

// MakeAt returns what makes a channel at an instruction, or nil.
func (f *Func) MakeAt(at ssair.Instr) *Make {
	for i := range f.Makes {
		if f.Makes[i].At == at {
			return &f.Makes[i]
		}
	}
	return nil
}

// IsCap reports whether a path is the capacity of the channel that another names.
func (f *Func) IsCap(id PathID, channel Path) bool {
	return id > 0 && f.paths[id].kind == pathCap && f.Path(f.paths[id].base) == channel && channel.Known()
}

// ClosureAt returns the closure made at instruction at, or nil.
func (f *Func) ClosureAt(at ssair.Instr) *Closure {
	for i := range f.Closures {
		if f.Closures[i].At == at {
			return &f.Closures[i]
		}
	}
	return nil
}

// A LoopVar is a variable with a cell for each round of a three-clause loop.
type LoopVar struct {
	At    ssair.Instr
	Cells []ssair.Instr
}

// MadeAt lists the instructions that make a function literal of f, given its name.
func (f *Func) MadeAt(fn string) (at []ssair.Instr) {
	for i := range f.Closures {
		if f.Closures[i].Fn == fn {
			at = append(at, f.Closures[i].At)
		}
	}
	for _, l := range f.Literals {
		if l.Fn == fn {
			at = append(at, l.At)
		}
	}
	return at
}

// MakesMemory reports whether instruction at makes memory.
func (f *Func) MakesMemory(at ssair.Instr) bool {
	_, ok := slices.BinarySearch(f.Allocs, at)
	return ok
}

// CellsOf returns the allocations that the loop variable at stands for.
func (f *Func) CellsOf(at ssair.Instr) []ssair.Instr {
	for _, v := range f.LoopVars {
		if v.At == at {
			return v.Cells
		}
	}
	return nil
}

// A Received is a value got from the channel operation at Op.
type Received struct{ At, Op ssair.Instr }

// A Merge is a pointer that is one of several values, by the block from which
// control comes.
type Merge struct {
	At      ssair.Instr // the phi, or where the variable is made
	Version ssair.Instr // of the variable, as loads of it have it; 0 for a phi
	From    []int32     // blocks
	In      []PathID    // what it is then
}

// An Extracted is result Index of the call at Call.
type Extracted struct {
	At, Call ssair.Instr
	Index    int
}

// ResultOf returns the call, and which of its results, that yields the value at
// an instruction: the instruction itself, or what the value is extracted from.
func (f *Func) ResultOf(at ssair.Instr) (call ssair.Instr, index int) {
	for _, x := range f.Extracts {
		if x.At == at {
			return x.Call, x.Index
		}
	}
	return at, 0
}

// ResultAt is the reverse of ResultOf: the instruction that yields result k of n of a call.
func (f *Func) ResultAt(call ssair.Instr, k, n int) (at ssair.Instr, ok bool) {
	if n == 1 {
		return call, true
	}
	for _, x := range f.Extracts {
		if x.Call == call && x.Index == k {
			return x.At, true
		}
	}
	return 0, false
}

// ReceiveOf returns the receive or select that yields the value at an
// instruction: itself, or what the value is extracted from.
func (f *Func) ReceiveOf(at ssair.Instr) ssair.Instr {
	for _, r := range f.Receives {
		if r.At == at {
			return r.Op
		}
	}
	return at
}
