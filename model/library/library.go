package library

import "slices"

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
	// OpSubtest runs Func.Body on a goroutine of its own and returns when the
	// body has returned or has executed an OpTestParallel, whichever is first
	// (testing's T.Run). What follows the OpTestParallel runs beside the other
	// such bodies, after the function that spawned them has returned.
	OpSubtest      Op = "subtest"
	OpTestParallel Op = "test.parallel" // testing's T.Parallel, on the receiver
	// OpTestCleanup has Func.Body run when the test is over, by the test's goroutine.
	OpTestCleanup Op = "test.cleanup"

	// OpBubble runs Func.Body and returns when it, and every goroutine started
	// below it, has ended (testing/synctest's Test). OpBubbleWait completes
	// when every goroutine started below the same body, but the own one, has
	// ended or waits for another of them, for a timer or for ever: in a channel
	// operation, a Cond, a WaitGroup or a sleep.
	OpBubble     Op = "bubble"
	OpBubbleWait Op = "bubble.wait"

	OpOnce          Op = "once"           // runs Func.Body at most once per receiver
	OpCondWait      Op = "cond.wait"      // releases and re-acquires the lock of the cond
	OpCondSignal    Op = "cond.signal"    //
	OpCondBroadcast Op = "cond.broadcast" //

	OpSemNew        Op = "sem.new"     // the result is a semaphore of weight argument 0
	OpSemAcquire    Op = "sem.acquire" // takes argument Func.Body of the receiver's weight, or fails with an error
	OpSemTryAcquire Op = "sem.try"     // takes it if the result is true
	OpSemRelease    Op = "sem.release" // gives it back

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
	OpMapTake   Op = "map.take"   // the same, and is removed there
	OpMapStore  Op = "map.store"  // stores arguments in the map
	OpMapRange  Op = "map.range"  // calls Func.Body with the map's contents
	OpTimerFunc Op = "timer.func" // runs Func.Body on its own goroutine, later
	OpFinalizer Op = "finalizer"  // runs Func.Concurrent when nobody has argument 0 any more
	OpTimerChan Op = "timer.chan" // the result, or its field C, is a channel that the runtime sends on
	// OpTimerReset starts the receiver, what an OpTimerFunc or OpTimerChan
	// returned, anew; OpTimerStop prevents it from firing, if it has not.
	OpTimerReset Op = "timer.reset"
	OpTimerStop  Op = "timer.stop"
	OpSleep      Op = "sleep"  // completes when time has passed
	OpNotify     Op = "notify" // from now on the runtime sends on argument 0
)

// ops says of every operation whether Func.Body must be given.
var ops = map[Op]struct{ body bool }{
	OpLock: {}, OpUnlock: {}, OpRLock: {}, OpRUnlock: {}, OpTryLock: {}, OpTryRLock: {},
	OpWGAdd: {}, OpWGDone: {}, OpWGWait: {},
	OpSpawn: {body: true}, OpJoin: {}, OpLimit: {}, OpParallel: {body: true},
	OpSubtest: {body: true}, OpTestParallel: {}, OpTestCleanup: {body: true}, OpBubble: {body: true}, OpBubbleWait: {},
	OpOnce: {body: true}, OpCondWait: {}, OpCondSignal: {}, OpCondBroadcast: {},
	OpSemNew: {}, OpSemAcquire: {}, OpSemTryAcquire: {}, OpSemRelease: {},
	OpAtomicLoad: {}, OpAtomicStore: {}, OpAtomicAdd: {}, OpAtomicSwap: {}, OpAtomicCAS: {},
	OpAtomicAnd: {}, OpAtomicOr: {},
	OpPoolGet: {}, OpPoolPut: {},
	OpMapLoad: {}, OpMapTake: {}, OpMapStore: {}, OpMapRange: {body: true},
	OpTimerFunc: {body: true}, OpFinalizer: {}, OpTimerChan: {}, OpTimerReset: {}, OpTimerStop: {}, OpSleep: {}, OpNotify: {},
}

// An Exchange is a part in an exchange of requests and answers in one program, as between a
// test and the server that it starts.
type Exchange string

// The parts in an exchange.
const (
	ExchangeNone   Exchange = ""
	ExchangeServer Exchange = "server" // what is called concurrently runs for requests of the program itself
	ExchangeWorld  Exchange = "world"  // what is called concurrently runs for requests of whoever sends some
	ExchangeClient Exchange = "client" // sends a request, and returns once there is an answer
	ExchangeEarly  Exchange = "early"  // sends an answer before the one who answers is done
	ExchangeOver   Exchange = "over"   // shuts its receiver, a server, down, and returns when what that runs is over
)

// A Func is what is known of one function or method, or of all those of a type
// or package that have no entry of their own.
type Func struct {
	// Name is the function as go doc writes it: "fmt.Println",
	// "sync.Mutex.Lock", "io.Reader.Read" for an interface method; see
	// Normalize. An entry that stands for all functions of a type or package
	// ends in ".*": "log.Logger.*", "strings.*", "net/http/....*".
	Name string

	// Analyse is set when the body of the function tells all there is to know.
	// Model.Func answers nil for it; Model.Lookup shows it.
	Analyse bool

	// Entered is set when the body is looked at as well: the entry says what the arguments in
	// Formats are used for, and the body is not given these.
	Entered bool

	// The four predicates of the paper.
	ThreadSafe       bool // its own instructions do not race; what it calls still may
	SafeOnClosure    bool // neither it nor anything it calls races; not entered
	ReturnsSafe      bool // what it returns may be used from many goroutines (instantiatesOnlySafeObjects)
	CirculatesUnsafe bool // safe itself, but hands out objects that are not

	Op Op

	// Effects on arguments; a method's receiver is argument 0, and -1 stands
	// for every element of the variadic argument. In an entry for many
	// functions an index that the function at hand does not have, or whose
	// type holds no pointer, means nothing.
	Reads      []int // what the argument points to is read
	Writes     []int // what the argument points to is written
	DeepReads  []int // everything reachable from it is read (fmt, encoding/json)
	DeepWrites []int // everything reachable from it may be written (json.Unmarshal)
	Exported   bool  // of those two only what exported fields lead to (encoding/json)
	Fills      bool  // what DeepWrites lists gets new memory where its exported fields have none (json.Unmarshal)
	Retains    []int // kept after the call returns
	Calls      []int // called, on this goroutine, before the call returns
	Concurrent []int // called on other goroutines, possibly many at once
	Returns    []int // a result may be, or point into, this argument if the types allow (Passes); else it is new memory
	Copies     []int // the result is new memory that holds what the argument's memory holds (maps.Clone)
	// Exchange is what it does in an exchange of requests and answers, or nothing.
	Exchange Exchange
	// NeverReturns: control does not go on after a call (log.Fatal, testing's T.FailNow).
	NeverReturns bool
	// FailsTest: the test has failed once it was called (T.Error).
	FailsTest bool
	// NeverDone: the result is a context that is never cancelled
	// (context.Background).
	NeverDone bool
	// MakesError: the result is an error, and never nil (fmt.Errorf).
	MakesError bool
	// Demands lists the arguments that are nil, if they are errors, or true, where control goes on after a call (testify's
	// require.NoError).
	Demands []int
	// FailsOnceDone: the error that the method returns is not nil once something was received
	// from what Done of the same value returns (context.Context.Err).
	FailsOnceDone bool
	// Hides lists the arguments that hide, in what is returned of the others, the
	// values of their own type (context.WithValue).
	Hides []int
	// Later: what is called runs on other goroutines not before something is served
	// (handlers that are registered).
	Later bool
	// UnlessFailed: what is called on other goroutines is so only where the function's error is nil.
	UnlessFailed bool
	// Service names the server that Later waits for, where it is not any; alone,
	// it says that the function is that server.
	Service string
	// Many: what is called runs many times after one call, on other goroutines at
	// once (net/http's handlers), else one time after the other (filepath.WalkDir).
	Many bool
	// Until: it returns when what is called has returned true, and it has failed otherwise.
	Until bool
	// ReturnsCalled: the result may be what the called argument returns
	// (singleflight's Do).
	ReturnsCalled bool

	// Partly: it does more than the entry says (reflection sets fields that only
	// the types tell); a call of it in the application gets a notice.
	Partly bool

	// Formats lists the arguments that are formatted as package fmt does it.
	// Each is in DeepReads too, which is the coarse reading. The exact one: if
	// the dynamic type has one of FormatMethods, the method is called and
	// nothing else is read. Otherwise the value is read through structs,
	// arrays, slices, maps and interfaces; of pointers only one at the top is
	// followed, those below are printed as addresses; and the same holds of
	// every exported field and of every element.
	Formats []int
	// Sets lists fields that are written of what arguments point to, where not all of that is.
	Sets []FieldsOf
	// CallsMethods lists the methods that are called on arguments, on this
	// goroutine, before the call returns. It has the FormatMethods of Formats.
	// For an argument that is in DeepReads or DeepWrites too they are called
	// at any depth, instead of reading or writing the value that has them
	// (encoding/json's MarshalJSON).
	CallsMethods []MethodCall
	// ConcurrentMethods lists those that are called on other goroutines,
	// possibly many at once (net/http's ServeHTTP); AllMethods has them be the
	// methods of a service, which only its type tells.
	ConcurrentMethods []MethodCall
	// Dispatches: what was registered with the first argument (Later) is called, on this goroutine,
	// before the call returns: functions, and of other values these methods. It gets the arguments behind the first.
	Dispatches []string
	// Stores lists arguments whose memory may hold others after the call
	// (errors.As). Each is in Writes too, but for those with a field.
	Stores []Store
	// CallsWith lists what the functions in Calls, Concurrent and Body are
	// called with: each of their parameters may be, or point into, one of
	// these arguments. Without it they are called with new memory.
	CallsWith []int
	// Indices lists the slices, or numbers, of which the integers that the functions
	// in Calls are called with are indices, or which they are below.
	Indices []int

	// Body is the argument that an OpSpawn, OpParallel, OpSubtest, OpTestCleanup, OpBubble, OpOnce,
	// OpMapRange or OpTimerFunc runs, or -1. It is not repeated in Calls or
	// Concurrent. For OpSemAcquire, OpSemTryAcquire and OpSemRelease it is the
	// argument with the weight.
	Body int
	// Unique lists the parameters of the body that differ from one
	// concurrent call to the next (the index of ParallelizeUntil).
	Unique []int
	// Join is set where an OpJoin on the receiver waits for what an OpSpawn runs, or for what
	// is called on other goroutines.
	Join bool
	// Workers is the argument of an OpParallel that says how many bodies may
	// run at once, or -1. With 1 they run one after the other.
	Workers int

	// Fresh is set when every pointer in the results is new memory. It is the
	// default for functions that are not analysed and have no Returns.
	Fresh bool

	Doc  string // the documentation the entry rests on
	File string // where the entry stands
	Line int

	freshSet bool // fresh was given, so no default
	pkg      string
	many     bool // the table is for more than one function
}

// AllMethods stands for the methods by which a service is asked.
const AllMethods = "*"

// FieldsOf names fields of what an argument points to.
type FieldsOf struct {
	Arg    int
	Fields []string
}

// A MethodCall says that a function calls methods of one of its arguments.
type MethodCall struct {
	Arg   int // -1 for every element of the variadic argument
	Names []string
	// Field is the field of what the argument points to that is meant, where it
	// is not the argument itself (a Server's Handler).
	Field string
}

// A Store says that after a call the memory that one argument points to, or the result, may
// hold other arguments, or pointers into them.
type Store struct {
	Into int // StoreResult for the result
	From []int
	// Field is the field that holds them, where it is known. That it is set is no write: who
	// has such a field synchronises what is done to it.
	Field string
}

// StoreResult is the Into of a Store into what the function returns.
const StoreResult = -2

// FormatMethods are the methods that package fmt looks for in an operand.
var FormatMethods = []string{"Error", "Format", "GoString", "String"}

// Enters reports whether the body of f is analysed in spite of the entry:
// then its own accesses do not race, and what it calls is treated as usual.
func (f *Func) Enters() bool {
	return f.Analyse || f.Entered || f.ThreadSafe && !f.SafeOnClosure && !f.hasEffects()
}

// BlackHole reports whether calls of f are described by the entry alone, so that
// its body is not entered; closed is whether a promise of safety covers what is
// handed to f.
func (f *Func) BlackHole(closed bool) bool {
	if f.Enters() {
		return false
	}
	return closed && f.SafeOnClosure || f.acts()
}

// acts reports whether the entry describes something that a call does, beyond what it keeps and
// returns.
func (f *Func) acts() bool {
	return f.Op != OpNone || f.NeverReturns || f.Exchange != ExchangeNone ||
		len(f.Reads)+len(f.Writes)+len(f.DeepReads)+len(f.DeepWrites)+
			len(f.Calls)+len(f.Concurrent)+len(f.CallsMethods)+len(f.ConcurrentMethods)+len(f.Dispatches)+len(f.Stores)+len(f.Sets) > 0 || f.Serves()
}

// MakesResult reports whether what the result refers to is new memory, whatever that holds (maps.Clone).
func (f *Func) MakesResult() bool {
	return len(f.Copies) > 0 && len(f.Returns) == 0 && !f.ReturnsCalled
}

// hasEffects reports whether the entry describes what the body does, so that
// the body is not looked at.
func (f *Func) hasEffects() bool {
	return f.acts() || f.ReturnsCalled || len(f.Retains)+len(f.Returns)+len(f.Copies)+len(f.Formats) > 0
}

// says reports whether the entry says anything about the function.
func (f *Func) says() bool {
	return f.Analyse || f.Entered || f.ThreadSafe || f.SafeOnClosure || f.ReturnsSafe || f.CirculatesUnsafe ||
		f.freshSet || f.hasEffects()
}

// finish sets the fields that follow from others.
func (f *Func) finish() {
	if f.SafeOnClosure {
		f.ThreadSafe = true
	}
	for _, i := range f.Formats {
		if !slices.Contains(f.DeepReads, i) {
			f.DeepReads = append(f.DeepReads, i)
		}
		f.CallsMethods = append(f.CallsMethods, MethodCall{Arg: i, Names: FormatMethods})
	}
	for _, st := range f.Stores {
		if st.Field == "" && !slices.Contains(f.Writes, st.Into) {
			f.Writes = append(f.Writes, st.Into)
		}
	}
	if !f.freshSet {
		f.Fresh = !f.Enters() && len(f.Returns) == 0 && len(f.Copies) == 0 && !f.ReturnsCalled
	}
}

// A Type is what is known of a type.
type Type struct {
	Name string // "(*log.Logger)" and "log.Logger" are both "log.Logger"
	// ThreadSafe: its methods may be called from many goroutines at once.
	ThreadSafe bool
	// Unsafe: its methods may not, as documented ("bufio.Scanner").
	Unsafe bool
	// Sync: a synchronisation object of its own (sync.Mutex, sync.WaitGroup).
	// Unless facts say more, its methods are ThreadSafe.
	Sync bool
	// Implementers: the type is an interface whose documentation binds every
	// implementation, so the entry holds for types that implement it
	// (net.Conn, context.Context). See Resolver.
	Implementers bool
	// Methods is what holds for each method without an entry of its own, or
	// nil.
	Methods *Func

	Doc  string
	File string
	Line int

	pkg string
}

// A Package is what is known of all functions of a package, or of the packages
// that match a pattern.
type Package struct {
	Path string // "strings", "internal/..."
	// Funcs is what holds for each function and method without an entry of its
	// own or of its type, or nil.
	Funcs *Func
	Doc   string
	File  string
	Line  int
}

// An Ignore suppresses reports about an object or a field.
type Ignore struct {
	Object string // a package-level variable or a type, "example.com/m/cache.Stats"; "" is any
	Field  string // the field and what lies below it, ".hits"; "" is any
	Reason string
	File   string
	Line   int
}

// InRounds reports whether the function calls argument k again and again before it
// returns.
func (f *Func) InRounds(k int) bool {
	return f.Op == OpMapRange && f.Body == k || f.Many && slices.Contains(f.Calls, k)
}

// ServesAny reports whether a call has what it is given, or what is registered, run on other goroutines for whoever asks.
func (f *Func) ServesAny() bool {
	return f.Op == OpNone && (f.Serves() || f.ManyAtOnce() && !f.Later)
}

// Serves reports whether what is registered with a service runs from a call of the function on.
func (f *Func) Serves() bool { return f.Service != "" && !f.Later }

// ManyAtOnce reports whether one call has what it is given run on many goroutines at
// once.
func (f *Func) ManyAtOnce() bool { return f.Many && len(f.Concurrent)+len(f.ConcurrentMethods) > 0 }
