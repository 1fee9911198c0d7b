// Package library is what iterace knows of code it does not analyse: for
// functions, methods and types by name, the predicates of the IteRace paper
// (thread-safe, thread-safe on closure, …), their effects on their arguments,
// and what they do to synchronise. The knowledge is data, in TOML files; the
// package loads, layers and checks them.
package library

// An Op is what a modelled function does as a synchronisation operation on its
// receiver (argument 0), or as a parallel operator.
type Op string

// The operations that the analysis gives a meaning to.
const (
	OpNone     Op = ""
	OpLock     Op = "lock"     // acquire in write mode
	OpUnlock   Op = "unlock"   // release write mode
	OpRLock    Op = "rlock"    // acquire in read mode
	OpRUnlock  Op = "runlock"  // release read mode
	OpTryLock  Op = "trylock"  // acquire in write mode if the result is true
	OpTryRLock Op = "tryrlock" // acquire in read mode if the result is true

	OpWGAdd  Op = "wg.add"  // adds argument 1 to the group's counter
	OpWGDone Op = "wg.done" // subtracts one
	OpWGWait Op = "wg.wait" // completes when the counter is zero

	// OpSpawn starts Func.Body as a goroutine of its own. With Func.Join the
	// receiver is a group, and an OpJoin on it waits for the bodies.
	OpSpawn Op = "spawn"
	// OpJoin waits for all that was spawned on the receiver.
	OpJoin Op = "join"
	// OpLimit sets the number of bodies of the receiver that may run at once
	// to argument 1 (errgroup's SetLimit).
	OpLimit Op = "limit"
	// OpParallel runs Func.Body many times at once and returns when all
	// calls have returned (client-go's ParallelizeUntil, lo/parallel).
	OpParallel Op = "parallel"

	OpOnce          Op = "once"           // runs Func.Body at most once per receiver
	OpCondWait      Op = "cond.wait"      // releases and re-acquires the lock of the cond
	OpCondSignal    Op = "cond.signal"    //
	OpCondBroadcast Op = "cond.broadcast" //

	OpAtomicLoad  Op = "atomic.load"  // atomic read of *argument 0
	OpAtomicStore Op = "atomic.store" // atomic write of argument 1 to *argument 0
	OpAtomicAdd   Op = "atomic.add"   // result is the new value
	OpAtomicSwap  Op = "atomic.swap"  // result is the old value
	OpAtomicCAS   Op = "atomic.cas"   // argument 2 replaces argument 1 if the result is true
	OpAtomicAnd   Op = "atomic.and"   // and, or: result is the old value
	OpAtomicOr    Op = "atomic.or"

	OpPoolGet Op = "pool.get" // result is owned by the caller until put back
	OpPoolPut Op = "pool.put"

	OpMapLoad   Op = "map.load"   // concurrent map: result comes from the map
	OpMapStore  Op = "map.store"  // stores arguments in the map
	OpMapRange  Op = "map.range"  // calls Func.Body with the map's contents
	OpTimerFunc Op = "timer.func" // runs Func.Body on its own goroutine, later
	OpTimerChan Op = "timer.chan" // the result, or its field C, is a channel that the runtime sends on
)

// A Func is what is known of one function or method.
type Func struct {
	// Name is as go/ssa writes it: "fmt.Println", "(*sync.Mutex).Lock",
	// "(time.Time).Add", "(io.Reader).Read" for an interface method.
	Name string

	// The four predicates of the paper.
	ThreadSafe       bool // its own instructions do not race; what it calls still may
	SafeOnClosure    bool // neither it nor anything it calls races; not entered
	ReturnsSafe      bool // what it returns may be used from many goroutines (instantiatesOnlySafeObjects)
	CirculatesUnsafe bool // safe itself, but hands out objects that are not

	Op Op

	// Effects on arguments; a method's receiver is argument 0, and -1 stands
	// for every element of the variadic argument.
	Reads         []int // what the argument points to is read
	Writes        []int // what the argument points to is written
	DeepReads     []int // everything reachable from it is read (fmt, encoding/json)
	DeepWrites    []int // everything reachable from it may be written (json.Unmarshal)
	Retains       []int // kept after the call returns
	Calls         []int // called, on this goroutine, before the call returns
	Concurrent    []int // called on other goroutines, possibly many at once
	Returns       []int // the result may be, or point into, this argument
	ReturnsCalled bool  // the result may be what the called argument returns (sync.OnceValue)

	// Body is the argument that an OpSpawn, OpParallel, OpOnce, OpMapRange or
	// OpTimerFunc runs, or -1.
	Body int
	// Unique lists the parameters of the body that differ from one
	// concurrent call to the next (the index of ParallelizeUntil).
	Unique []int
	// Join is set for an OpSpawn whose receiver can be joined.
	Join bool

	// Fresh is set when every pointer in the results is new memory. It is the
	// default for functions that are not analysed and have no Returns.
	Fresh bool

	Doc  string // the documentation the entry rests on
	File string // where the entry stands
	Line int
}

// A Type is what is known of a type.
type Type struct {
	Name string // "(*log.Logger)" and "log.Logger" are both "log.Logger"
	// ThreadSafe: its methods may be called from many goroutines at once.
	ThreadSafe bool
	// Unsafe: its methods may not, as documented ("bufio.Scanner").
	Unsafe bool
	// Sync: a synchronisation object of its own; accesses to it are no
	// accesses to data (sync.Mutex, sync.WaitGroup).
	Sync bool
	Doc  string
	File string
	Line int
}
