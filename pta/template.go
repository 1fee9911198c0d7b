package pta

import (
	"strings"

	"github.com/iterace/iterace/index"
	"github.com/iterace/iterace/internal/ssair"
	"github.com/iterace/iterace/model"
	"github.com/iterace/iterace/model/library"
	"github.com/iterace/iterace/pta/flow"
)

// FuncID is the number of a function in a Program.
type FuncID int32

// Node is a constraint variable local to a template: it stands for one leaf
// of one value. None stands for a value without pointers.
type Node int32

// None is the node of a value that holds no pointer.
const None Node = -1

// A Func is the template of one function: what the analysis knows of it after
// lowering. It refers to no SSA.
type Func struct {
	ID     FuncID
	Name   string // as go/ssa writes it
	Recv   string // type of the receiver, "" for a plain function
	Pkg    string // package path, "" for shared synthetic functions
	Pos    model.Pos
	App    bool // application code
	Test   bool // declared in a test file
	NNodes int32
	Params []Node
	Vars   []Var   // the parameters
	PLen   []int32 // leaves of each parameter
	Free   []Node
	FLen   []int32
	Result Node // first leaf of the results, as one tuple
	RLen   int32
	ROff   []int32 // first leaf of each result
	RFresh []bool
	Born   []bool  // by result: it is new memory that nobody else has been given
	RSet   uint64  // bit set over results: never zero, as far as is known
	Guards []Guard // by store
	Gates  []Gate
	GateOf []int32 // by block: one more than the gate that it lies behind, 0 for none; nil if none does
	Shown  []Node  // what reflection may set parts of, or code that is not known

	Constraints []Constraint
	TypeTests   []TypeTest // of constraints OpOfType
	Facts       []StoreFact
	Grows       []Grow
	Allocs      []Alloc
	Calls       []Call
	Accesses    []Access
	Operands    []Operand // operands of synchronisation that are not call arguments
	Received    []Received
	Lent        []Node // what is given away more than once, see handed.go
	Sent        []Node // what is sent, and not among these
	Shifted     []Node // slices that others are cut from which begin later, see shift.go
	Longer      []Node // slices that others are cut from which may end later, see grown.go
	Cut         []Node // slices, or arrays, that slices are cut from which may end earlier, see room.go
	Splits      []Split
	Spawns      []Spawn
	Notices     []model.Notice

	// What the context policy asks.
	Factory   bool // returns something fresh, or passes a parameter through
	Crowded   bool // called from so many places that they are not told apart
	Small     bool // few instructions, no calls but small ones: cheap to clone
	Decorates bool // makes a function of one that it is given, as sync.OnceFunc does: what it keeps belongs to that
	Helper    bool // spawns in a loop and takes a func
	Iterates  bool // returns an iterator
	Round     bool // spawns, and is the body of a helper's range over a function
	Linker    bool // stores one argument in another, or what they lead to, or runs or moves the functions kept there; called from few places
	Runner    bool // short, and runs a function that it is given
	Looper    bool // spawns in a loop that works on arguments; called from few places
	Wrapper   bool // leaves a goroutine running that it started outside a loop
	Recurses  bool // calls itself, through others perhaps

	Between bool // made by go/ssa: passes a call on to a method

	Yielded []Yielded // in order of their accesses
	PutIn   []PutIn   // in order of their accesses

	Flow  *flow.Func    // order and locks; nil for a function without a body
	Index *index.Func   // index forms; nil where no index form depends on the function
	Lib   *library.Func // what the model says of it, or nil
}

// Yielded says of an access that it is to what a call of a function that is not known has yielded, or to memory that is new
// otherwise, which this function has given to nobody yet.
type Yielded struct {
	Access int32
	Call   ssair.Instr
	Result int32 // of the call
}

// PutIn says of an access that it is to memory that this function has made, and put into what a parameter refers to and nowhere
// else, which the function has given to nobody yet either.
type PutIn struct {
	Access int32
	Param  int32
}

// A Var is a parameter or a captured variable.
type Var struct {
	Name string
	Type TypeID
	Pos  model.Pos
}

// Op is the kind of a constraint.
type Op uint8

// Constraints over local nodes d (Dst) and s (Src).
const (
	OpCopy      Op = iota // pts(d) ⊇ pts(s); Arg is the return statement of a result, oneOf, or less than that, see carriedTo
	OpAddr                // pts(d) ∋ object of Allocs[Arg], + Off
	OpGlobal              // pts(d) ∋ global Arg, + Off
	OpFunc                // pts(d) ∋ function Arg
	OpOffset              // pts(d) ⊇ { l + Off | l ∈ pts(s) }
	OpElem                // pts(d) ⊇ { l + part·Off | l ∈ pts(s) }
	OpLoad                // pts(d) ⊇ pts(l + Off) for each l ∈ pts(s)
	OpStore               // pts(l + Off) ⊇ pts(s) for each l ∈ pts(d); Arg is the store's fact
	OpBox                 // pts(d) ∋ box(type Arg, l) for each l ∈ pts(s)
	OpBoxVal              // pts(d) ∋ box(type Arg, object of Allocs[Off])
	OpBoxConst            // pts(d) ∋ box(type Arg, any value of the type), which has no pointers
	OpUnbox               // pts(d) ⊇ l for each box(type Arg, l) ∈ pts(s)
	OpUnboxVal            // pts(d) ⊇ pts(l + Off) for each box(type Arg, l) ∈ pts(s)
	OpFilter              // pts(d) ⊇ { box(T, l) ∈ pts(s) | T implements type Arg }
	OpNotMade             // pts(d) ⊇ pts(s) \ { what instruction Off of function Arg makes }
	OpNotGlobal           // pts(d) ⊇ pts(s) \ { global Arg }
	OpNotType             // pts(d) ⊇ pts(s) \ { box(type Arg, l) }
	OpOfType              // pts(d) ⊇ { l ∈ pts(s) | l passes TypeTests[Arg] }
)

// oneOf is the Arg of an OpCopy to a value that is one of several, by the way that control took.
const oneOf = -1

// carriedTo is the Arg of such a copy where the value is one of the round before of the loop that begins in a block.
func carriedTo(header int) int32 { return oneOf - 1 - int32(header) }

// carried returns the block of carriedTo.
func (c *Constraint) carried() (header int32, ok bool) {
	return oneOf - 1 - c.Arg, c.Op == OpCopy && c.Arg < oneOf
}

// Part of an OpElem or of an own load, beside the fixed parts.
const (
	partByTag = 3 // the side of the context's tag, if Mask meets the context's own bits; any otherwise
	partOfTag = 4 // the side of the context's tag, whatever the mask
	partWiden = 5 // of an OpElem: any part of that of which l is in a part
)

// A Constraint is one inclusion constraint of a template.
type Constraint struct {
	Op   Op
	Part uint8 // OpElem: which part; OpLoad: side of an own load (partAny for a plain one)
	Side uint8 // copy of the split loop's body: 0 outside, partAlpha, partBeta
	Loop int8  // split loop of the copy, -1 outside
	Dst  Node
	Src  Node
	Off  int32
	Arg  int32
	Mask uint32
}

// A Received says where an instruction has what it receives from its operand.
type Received struct {
	Node    Node
	Len     int32
	Operand int32
	At      ssair.Instr
}

// A StoreFact says what an overlay must know of a store.
type StoreFact struct {
	At    ssair.Instr
	Loop  int8 // split loop of the copy, -1 outside
	Side  uint8
	Again bool // the value is stored by other instructions too, or was made before the loop around the store
	Part  bool // Again holds of this pointer of a struct, or of one of the struct that is in this interface
	Once  bool // Again holds, but of a send: the value is made in the round and sent here only, and kept elsewhere
	Plain bool // in a loop that is not split, or around the split one
	Fresh bool // the stored pointer was made in this frame and round, and is stored here only
	Sole  bool // the stored pointer is new and nobody else's, or comes from the very place that it is stored to
	Back  bool // the stored slice comes from the very place that it is stored to
	Swap  bool // the store is one half of an exchange of two fields of one object, see swap.go
	// Self is set if the value is the address of a part of the very object that it
	// is stored in, SelfOff leaves from the constraint's d.
	Self    bool
	SelfOff int32
	// Several is set if the store puts something into more than one element,
	// from the slice From if all that is in one leaf.
	Several bool
	From    Node
	// Each is the slice of which the value is the element of the round, see eachOf, and Given the
	// parameter that it is, plus one; None and zero otherwise.
	Each  Node
	Given int32
	Only  bool // the value is parameter Given, and the frame puts it nowhere else
	// Yields is the result, plus one, of a call of a function that is not known, Call, where the value is
	// that, and the frame puts it nowhere else; zero otherwise.
	Yields int32
	Call   ssair.Instr
	// AfterJoin is a bit set over Spawns: the store comes after the join of
	// that spawn's loop, which lies in no loop itself.
	AfterJoin uint32
}

// AllocKind says what layout an allocation has.
type AllocKind uint8

// Kinds of allocation.
const (
	AllocValue   AllocKind = iota // layout of Type
	AllocArray                    // memory behind a slice of Type
	AllocMap                      // map of Type
	AllocChan                     // channel of Type
	AllocClosure                  // closure of Func
)

// An Alloc is an allocation site.
type Alloc struct {
	At     ssair.Instr
	Kind   AllocKind
	Side   uint8
	Loop   int8
	InLoop bool // in a loop that is not split, or not the innermost split one
	Full   bool // AllocArray of a make: with the capacity that its length is
	Held   Node // all that the function's own variable ever holds, if one store says so; None otherwise
	Type   TypeID
	Func   FuncID   // AllocClosure
	Vars   []Var    // AllocClosure: the captured variables
	Roots  []Root   // AllocClosure: where each free variable's content comes from
	Binds  []Node   // AllocClosure: first leaf of each free variable's value
	Own    uint32   // AllocClosure: free variables that hold the iteration's own index
	OwnBy  []uint32 // AllocClosure: per free variable, own bits of this function that make it own
	Gives  []bool   // AllocClosure: per free variable, the function does no more with what it refers to; nil if with none
	Word   string   // for reports: "new", "make", "append", "literal", "var", …
	Name   string   // source name
	Pos    model.Pos
}

// CallKind says how the callee is found.
type CallKind uint8

// Kinds of call.
const (
	CallStatic  CallKind = iota
	CallDynamic          // through a func value in Fn
	CallInvoke           // Method of the interface value in Fn
)

// CallMode says when the callee runs.
type CallMode uint8

// Modes of call.
const (
	ModePlain CallMode = iota
	ModeDefer
	ModeSpawn // go statement or a library call that starts a goroutine
)

// A Call is a call site; in a split loop there is one for each copy.
type Call struct {
	At     ssair.Instr
	Kind   CallKind
	Mode   CallMode
	Side   uint8
	Loop   int8
	Spawn  int8 // index into Spawns, or -1
	InLoop bool // in a loop that is not split
	Own    bool // a method of new memory of this function, or of its own receiver
	Bare   bool // it takes functions, and is given none
	Inner  bool // of an interface value: it is loaded from new memory, as Arg.Inner says
	// Literal is set where Fn is a function literal of this function, as it captures: Callee.
	Literal bool
	Callee  FuncID
	Fn      Node
	Method  MethodID
	Recv    Root        // of the receiver of an interface call, or of the function that is called
	Through ssair.Instr // loads the function from a field of what Recv yields, plus one; 0 where that is the function
	Args    []Arg
	Given   []Given // what is known of the arguments
	Result  Node    // first leaf, None where nobody looks or it has no pointers
	Pos     model.Pos
}

// known reports whether Callee is what the call runs.
func (c *Call) known() bool { return c.Kind == CallStatic || c.Literal }

// runsWrapper reports whether a call leaves a goroutine running that its callee has started.
func (p *Program) runsWrapper(c *Call) bool { return c.known() && p.Func(c.Callee).Wrapper }

// An Arg is one argument of a call.
type Arg struct {
	Node  Node
	Len   int32
	Own   bool   // the own index of the copy's loop
	Mask  uint32 // own bits of this function any of which makes it own
	Root  Root
	Init  bool // it refers to new memory, of this function or of its caller's, that nobody else has been given
	Inner bool // it is loaded from such memory
	Gives bool // of what starts a goroutine: the function does no more with what it refers to
	Alone bool // it is new, or a parameter, the function has handed it to nobody before, and does no more with it
	Each  Node // the slice of which it is the element of the round, see eachOf; None otherwise
}

// Access flags.
const (
	FlagWrite = 1 << iota
	FlagAtomic
	FlagDeep    // everything reachable from the pointer
	FlagCall    // effect of a library call on an argument
	FlagElem    // address is an element of an array or slice
	FlagRegion  // several elements: append, copy, a slice passed to a library
	FlagMap     // operation on a map
	FlagInit    // to an object that this function has just made and not given to anyone yet
	FlagFormat  // deep, but as package fmt does it: of pointers, those in an unsafe.Pointer too, only those at the top are followed
	FlagReturn  // load for a return statement: acts after the statement's calls
	FlagWithin  // of a slice, up to its length only
	FlagOpen    // only where nothing is known of the interface value Recv
	FlagPassed  // to what a parameter refers to, which this function has not given to anyone yet
	FlagPublic  // deep, but in exported fields only, as by reflection
	FlagBlank   // deep, but nothing has been put into it: only the object itself
	FlagSpent   // of what the function may have given away before
	FlagShown   // of what the function has made and may have put where others find it
	FlagGuarded // of a store behind a test of what it overwrites, see never.go
	FlagNil     // of a store of nil

	// The same as FlagInit and FlagPassed for the object from which the pointer was loaded.
	FlagInner
	FlagInnerPassed
)

// An Access is an instruction that touches leaves [Off, Off+N) of what Node
// points to. A deep one touches all that can be reached from there, and with N
// zero from anywhere in the object.
type Access struct {
	At    ssair.Instr
	Flags uint32
	Side  uint8
	Loop  int8
	Node  Node
	Off   int32
	N     int32
	Pos   model.Pos
	Root  Root
	Recv  Node // with FlagOpen
	Into  Node // of a load: what it yields, plus one; 0 where that is not told
	Puts  Content
	Arg   int8   // of a call: the argument whose memory is touched; -1 otherwise
	What  string // source text of what is accessed where known: "shared.x"; callee for FlagCall
}

// An Operand is the K-th operand of a synchronisation instruction.
type Operand struct {
	At   ssair.Instr
	K    int32
	Node Node
	Pos  model.Pos
}

// A Split is a loop whose body is lowered twice.
type Split struct {
	Loop     int32 // index in the function's loops
	Parallel bool
	Region   int32 // the outermost loop around it whose rounds may overlap: the loop itself, or one around it that does not wait in every round
	Pos      model.Pos
	Form     string
	spans    []span // instructions of the region
}

// A Spawn is an instruction that starts goroutines.
type Spawn struct {
	At    ssair.Instr
	Split int8 // the parallel loop's index into Splits, -1 outside loops
	Kind  string
	Op    library.Op // OpNone for a go statement
	Pos   model.Pos
	Self  bool // many goroutines from one call: an iteration has no round of its own in this function
	Kept  bool // of what is registered, and found by who dispatches, see dispatch.go
}

// isMain reports whether a function is a program's main function.
func (f *Func) isMain() bool { return strings.HasSuffix(f.Name, ".main") }

// InstrPos returns the position of a call, access or allocation; the
// function's for any other instruction.
func (f *Func) InstrPos(at ssair.Instr) model.Pos {
	for i := range f.Calls {
		if f.Calls[i].At == at {
			return f.Calls[i].Pos
		}
	}
	for i := range f.Operands {
		if f.Operands[i].At == at {
			return f.Operands[i].Pos
		}
	}
	for i := range f.Accesses {
		if f.Accesses[i].At == at {
			return f.Accesses[i].Pos
		}
	}
	for i := range f.Allocs {
		if f.Allocs[i].At == at {
			return f.Allocs[i].Pos
		}
	}
	return f.Pos
}
