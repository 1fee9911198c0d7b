// Package index decides whether two element accesses of different iterations
// of a parallel loop can touch the same element.
//
// There is one language for all ways to partition an index space: integer
// polynomials over unknowns (parameters, round numbers of loops, values that
// are not understood) with a set of facts about them. And there is one
// question: do the facts of iteration α, the facts of iteration β, "α is
// another round than β" and "both indices are equal" have an integer solution?
// No rule knows about chunks, rows, strides or halves.
//
// Build keeps of every function what such forms may need, as plain data. At a
// query, values are evaluated along the two call chains from the spawning
// function to the accesses, which yields the two index paths and the facts;
// the prover then looks for a contradiction. "Disjoint" is always proved,
// from facts and from the assumptions that the verdict names; every other
// answer is "may be equal".
//
// # Files
//
// What is kept of a function:
//   - index, build, instr, leaf, ir, names, encode, scratch, external: code in a form of its own, packed; functions without code
//   - step, swap, swapcell, capture: what loops and closures do to values, found when it is built
//
// What a value is, in a frame of a chain of calls:
//   - env, access, place, chase, rounds, instep: the two chains, their places, and what two iterations share, or carry from round to round together
//   - int, poly, arith, unsigned, float, phi, slicephi, choice, picks: integers, and merges of them
//   - cells, born, epoch, list, feed, handout, counts, sends, takes, section, passes, popped, ticket: what variables, new objects, lists, channels and counters hold
//   - facts: what holds where an instruction runs
//
// Whether two indices are equal:
//   - overlap, prove, assemble, split, memory: the prover and its cases
//   - lp, simplex, eliminate, lemma, digits: how a contradiction is found
//   - abduce, witness, text: what is said when none is
package index

import (
	"sync"

	"github.com/iterace/iterace/internal/ssair"
)

// A Func holds what index forms need to know of one function.
type Func struct {
	Name string // as ssa.Function.String prints it
	Data []byte // the packed code, see encode.go

	once sync.Once
	code *code // unpacked when first needed
}

// A Step is one function on the way to an access. In the last step At is the
// access itself, in the others the call, go or defer instruction by which the
// next step's function is entered. Fn may be nil if nothing is known of it.
type Step struct {
	Fn *Func
	At ssair.Instr
}

// An Access is an instruction reached by a call chain.
type Access struct {
	Chain []Step
	// Arg selects what a call instruction accesses: the memory that argument
	// Arg points to, all elements of it if it is a slice. It is not used for
	// loads, stores and address computations. For copy, 0 is the destination
	// and 1 the source; for append likewise.
	Arg int
	// Write tells an append's write of new elements from its read of old ones.
	Write bool
	// WithinLen is set if a called function touches a slice argument only up
	// to its length, never beyond it up to its capacity.
	WithinLen bool
}

// A Query asks whether two accesses can touch the same element.
type Query struct {
	A, B Access // of iteration α, of iteration β
	// Spawn is the index, in both chains, of the step whose function has the
	// parallel loop. Its At starts an iteration, or leads by plain calls to a
	// later step whose At does; the chains agree up to and including that one.
	// With MainB the chain of B ends in or leaves from step Spawn at another
	// instruction.
	Spawn int
	// Above is the number of first steps of both chains that all iterations have in common: the loops
	// in them are none that may be the parallel one.
	Above int
	// Loop is the parallel loop as an index into ssair.Func.Loops of step
	// Spawn's function. Loops around it are phases: their round is the same
	// for both iterations. With -1 any loop around the spawn, in any step up to
	// it, may be the parallel one; if there is none and Many is not set, the
	// iterations come from different calls of the outermost function and share
	// nothing.
	Loop int
	// Inner is the loop within Loop, or Loop itself, that has the spawn: a chain may end in
	// step Spawn at an instruction outside it, such as a load of what all rounds of it use.
	// Where Loop is -1 it says nothing.
	Inner int
	// Many is set if one execution of the spawn starts many iterations: a
	// parallel operator of a library. Then the spawn need not be in a loop.
	Many bool
	// Unique lists parameters of the iteration's function that differ from one
	// iteration to the next, the index that such an operator hands out.
	Unique []int
	// MainB is set if B is not an iteration but the spawner itself, running
	// beside iteration A: in A's round after the spawn, in a later round, or
	// after the loop.
	MainB bool
	// Rounds is set if A and B are of two rounds of the loop, perhaps by different
	// instructions of the spawner.
	Rounds bool
	// Away has, with MainB, where step Spawn starts iteration A, and where the spawner comes to B, if the
	// chains end at loads that were done earlier: B may use in the round what it has loaded at its beginning.
	Away *[2]ssair.Instr
	// Sibling is set, with MainB, if B is in another goroutine of the spawner's: it may have been
	// started before A, too.
	Sibling bool
	// TwoLoops is set, with Sibling, if the spawner starts A and B in two loops, or one of them in none: what
	// their rounds compute is not related. They are compared if both accesses are to memory that
	// the same run of the spawner has made.
	TwoLoops bool
	// RowsMayAlias is set if different elements of a slice of slices (or of
	// pointers) may refer to the same object: then only indices into the
	// innermost object count.
	RowsMayAlias bool
	// OneBase is set if the slices of which the accesses go to elements, as they were loaded last, are known to be one.
	OneBase bool
	// InStep is set if both iterations are known to be in the same round of a loop of the function that an iteration begins in.
	InStep *InStep
	// control asks whether both accesses happen at all, see Alone.
	control bool
	// Brief leaves out Verdict.Missing and Verdict.Witness, which take as long
	// as the answer itself.
	Brief  bool
	Oracle Oracle // nil knows nothing

	feed   *Feed              // found while the query was tried
	feeds  []*Feed            // others, of lists, see offer
	asking int                // other questions to which an answer is wanted
	asked  map[string]Verdict // by what was asked about in turn, see elementsApart
}

// InStep names a loop by the block that it begins with.
type InStep struct {
	Header int32
	// Func is set if the loop is one of the function of that name, wherever that is called. Then what the loop carries is taken to be the same
	// for both: to look for how they meet, not for a proof.
	Func string
}

// A Given is a value that a function is given: a parameter, or what an instruction loads.
type Given struct {
	Param int
	Load  ssair.Instr // or NoInstr
}

// An Oracle answers what the caller knows of the program around a query.
type Oracle interface {
	// Invariant reports whether the variable, field or element that the load
	// at instruction at of the chain's last function reads keeps its value as
	// long as the parallel loop runs. The last function may be a small callee
	// that Build has kept with its caller: then only its name is that of the
	// function, the Func is another.
	Invariant(chain []Step, at ssair.Instr) bool
	// OneOrNil reports whether a pointer or slice that the load reads is the same
	// each time, or nil.
	OneOrNil(chain []Step, at ssair.Instr) bool
	// Kept reports the same as Invariant of a load that runs before the parallel loop: that
	// the place keeps its value from then until the loop is over.
	Kept(chain []Step, at ssair.Instr) bool
	// Born reports whether nothing stores to what the load reads, of objects
	// made as said, but what fills them there.
	Born(chain []Step, at ssair.Instr, b Birth) bool
	// Filled returns the function that alone stores to what the load reads, an element of a
	// list or a field of one, whichever list it may be, and where it does; nil if that is
	// not one function.
	Filled(chain []Step, at ssair.Instr) (fn *Func, stores []ssair.Instr)
	// OnlyAdds reports what is known of the counter that the atomic add at
	// instruction at updates: that nothing else changes it while the parallel
	// loop runs but adds of the same sign.
	OnlyAdds(chain []Step, at ssair.Instr) Knowledge
	// Least returns a number that the counter is never below, if one is known.
	Least(chain []Step, at ssair.Instr) (least int64, ok bool)
	// Begins returns the one instruction that ever sets the counter, if all else that changes it, ever, adds to it.
	Begins(chain []Step, at ssair.Instr) (fn *Func, set ssair.Instr)
	// Taken reports what is known of the cell that the load at instruction at
	// reads, and that the store at instruction store of the same function, the end
	// of a take, sets: that while the parallel loop runs nothing stores to it but
	// takes that go the same way, and that a lock keeps them apart.
	Taken(chain []Step, at, store ssair.Instr) Knowledge
	// UniqueItems reports what is known of the channel that instruction at
	// receives from: that no value is sent twice while the loop runs.
	UniqueItems(chain []Step, at ssair.Instr) Knowledge
	// Callee returns the one function that the call at instruction at may run, or
	// nil.
	Callee(chain []Step, at ssair.Instr) *Func
	// Makes reports whether the call at instruction at returns new memory.
	Makes(chain []Step, at ssair.Instr) bool
	// GivenApart reports whether two values that the chain's last function is given never
	// refer to one object.
	GivenApart(chain []Step, p, q Given) bool
	// Fed reports how the channel that instruction at receives from is fed, if
	// one send does it, in the run of the spawner that has made the channel.
	Fed(chain []Step, at ssair.Instr) (Feed, bool)
	// OneRow reports whether each side finds the object that the two accesses
	// share in one element only of the innermost rows that it loads it from.
	OneRow() bool
	// Injective and Rising report whether the model declares the function to
	// give different results for different arguments, or results in the order
	// of the arguments.
	Injective(function string) bool
	Rising(function string) bool
	// Indices returns the argument of a function of which the integers that it gives
	// its callbacks are indices, or which they are below; -1 where nothing is known.
	Indices(function string) int
}

// A Birth says how objects are made: by instruction At of the function Maker,
// whose instructions Stores fill them before they are handed on. Without At it
// says of all objects, whoever makes them, that those fill them.
type Birth struct {
	Maker  string
	At     ssair.Instr
	Stores []ssair.Instr
}

// Knowledge is an answer with a third value.
type Knowledge int8

// Answers of an oracle.
const (
	Unknown Knowledge = iota
	Yes
	No
)

// An Answer is what a query came to.
type Answer uint8

// The answers. Only Disjoint says anything for certain.
const (
	GaveUp   Answer = iota // budget, overflow, or forms that are not understood
	May                    // may be equal
	Disjoint               // cannot be equal, under Verdict.Assumed
)

func (a Answer) String() string { return [...]string{"gave up", "may be equal", "disjoint"}[a] }

// Short names of assumptions, as in doc/soundness.md.
const (
	AssumeNoWrap         = "no-wrap"              // index arithmetic does not wrap around
	AssumeTerminates     = "loop-terminates"      // counting loops advance towards their bound
	AssumeFloat          = "float-range"          // conversions from floating point stay in range
	AssumeTable          = "table-monotone"       // weak: bounds read from a table do not decrease
	AssumeInjectiveTable = "table-injective"      // weak: indices read from a table differ
	AssumeInjectiveCall  = "call-injective"       // weak: indices computed by a call differ
	AssumeStride         = "row-stride"           // weak: rows are no wider than a field called Stride
	AssumeRowsApart      = "rows-apart"           // weak: two rows are one slice or share no element
	AssumeSwapped        = "swapped-apart"        // weak: buffers that change places, or are made by different rounds, share nothing below their elements
	AssumeChannel        = "unique-channel-items" // weak: no value is received twice
	AssumeCounter        = "counter-only-adds"    // weak: a counter only changes by adds of one sign
)

// Weak reports whether an assumption is one that programs break: a verdict
// that rests on it should lower confidence, not delete.
func Weak(assumption string) bool {
	switch assumption {
	case AssumeNoWrap, AssumeTerminates, AssumeFloat:
		return false
	}
	return true
}

// A Verdict is the answer to a query, with its reasons.
type Verdict struct {
	Answer  Answer
	Why     []string // source texts of the facts that were used, or why nothing was proved
	FormA   string   // the place that A accesses, in source terms
	FormB   string
	Missing string   // a premise under which the accesses would be disjoint
	Assumed []string // assumptions that a Disjoint rests on, sorted
	Witness string   // values for which both accesses touch the same element
	Data    bool     // whether indices are equal hangs on what each iteration has read or computed
	Whole   bool     // there are no indices to compare: one place is the other, or has it in it
}

// Weak reports whether the verdict rests on a weak assumption.
func (v *Verdict) Weak() bool {
	for _, a := range v.Assumed {
		if Weak(a) {
			return true
		}
	}
	return false
}
