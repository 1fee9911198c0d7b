// Package library is what iterace knows of code it does not analyse: for
// functions, methods, types and packages by name, the predicates of the
// IteRace paper (thread-safe, thread-safe on closure, …), their effects on
// their arguments, and what they do to synchronise. The knowledge is data, in
// TOML files; the package loads, layers and checks them.
//
// # Model files
//
// What is shipped lies in data/ and covers the standard library and popular
// third-party packages. A module adds to it, or overrules it, in a file
// .iterace.toml, looked for in the module's directory and upward; files named
// with -model come after that. An example:
//
//	application = ["./...", "example.com/shared/..."]
//	library = ["./third_party/..."]
//
//	[[package]]
//	path = "example.com/shared/pool"
//	doc = "https://pkg.go.dev/example.com/shared/pool"
//
//	[[package.func]]
//	name = "Pool.Submit"
//	op = "spawn"
//	body = 1
//	join = true
//
//	[[package.func]]
//	name = "Pool.Wait"
//	op = "join"
//
//	[[package.type]]
//	name = "Stats"
//	threadSafe = true
//
//	[[ignore]]
//	object = "example.com/m/cache.Hits"
//	reason = "an approximate counter, on purpose"
//
// # Names
//
// A [[package]] has a path, or several, and tables [[package.func]] and
// [[package.type]] with a name, or several, relative to it and written as in
// go doc: Println, Mutex.Lock, Reader.Read for a method of an interface. There
// is no difference between a pointer and a value receiver, and type parameters
// are left out. A path that ends in "/..." is a pattern, as for the go
// command; it can hold facts about all functions, but no tables.
//
// Facts written in [[package]] itself hold for all its functions and methods,
// those in [[package.type]] for all methods of the type. The most specific
// entry counts, alone: the function's own, its type's, its package's, that of
// the longest pattern. Where two layers have an entry for the same name, the
// later one counts. A function without any entry is analysed from its body.
//
// # Predicates
//
//	threadSafe                    its own instructions do not race; what it
//	                              calls still may
//	threadSafeOnClosure           neither it nor what it calls races, so its
//	                              body is not entered
//	instantiatesOnlySafeObjects   what it returns may be used from many
//	                              goroutines
//	circulatesUnsafeObjects       safe itself, but hands out objects that are
//	                              not
//	analyse                       its body tells; says so where the package or
//	                              the type says otherwise. In [[package]] it may
//	                              be a list of functions and types instead.
//
// # Effects
//
// An entry with effects, or an operation, describes the function, and its body
// is not entered. Arguments are numbered: 0 is the receiver of a method, or
// the first argument of a function; -1 stands for each variadic argument.
//
//	reads, writes          the memory that the argument points to
//	deepReads, deepWrites  all that is reachable from it
//	formats                it is printed as package fmt does: by its methods
//	                       String, Error, … where it has them
//	retains                it is kept after the call
//	calls                  it is a function, called before the call returns
//	concurrent             it is a function, called on other goroutines
//	callsWith              what the called functions get: these arguments, or
//	                       what lies in them; otherwise new memory
//	indices                with calls: the integers that the called functions get
//	                       are indices of this argument, or below it
//	callsMethods           {0 = ["Write"]}: methods of an argument are called
//	exported               of deepReads and deepWrites: exported fields only
//	fills                  of deepWrites: it puts new memory where exported fields
//	                       have none
//	partly                 it does more than the entry says; calls in the
//	                       application get a notice
//	sets                   {0 = ["Process"]}: fields of what the argument points to are
//	                       written
//	concurrentMethods      {0 = ["ServeHTTP"]}: on other goroutines;
//	                       "0.Handler" is a field of what argument 0 points to,
//	                       ["*"] stands for the methods of a service
//	many                   with calls: again and again; with concurrent and
//	                       concurrentMethods: on many goroutines at once
//	later                  not before something is served
//	until                  with calls: it returns when what it calls has returned true,
//	                       or has failed
//	unlessFailed           with concurrent and concurrentMethods: only where its error
//	                       is nil
//	join                   with them: what waits for the receiver (op = "join") waits
//	                       for what they run
//	dispatches             ["ServeHTTP"]: what was registered with argument 0 (later) is
//	                       called, functions and these methods of others, with the
//	                       arguments behind it
//	service                with later: by a server of this name; alone: this
//	                       function is the server
//	stores                 {1 = [0]}: argument 1's memory holds argument 0 now;
//	                       "0.out" and "result.out" are a field of that, which the
//	                       library takes care of: setting it is no write
//	returns                a result whose type allows it may be the argument,
//	                       or point into it; other results are new memory
//	copies                 the result is new, with what the argument's memory
//	                       holds
//	exchange               "server": what is called concurrently runs for requests
//	                       of the program itself; "client": it sends one and
//	                       returns once it is answered; "early": it answers
//	                       before who serves is done
//	neverReturns           control does not go on after a call
//	failsTest              the test has failed, and goes on
//	neverDone              the result is a context that is never cancelled
//	makesError             the result is an error, and never nil
//	demands                control goes on after a call only if these arguments
//	                       are nil, if they are errors, or true
//	failsOnceDone          the error is not nil once something was received from what Done of
//	                       the same value (of the first argument) returns
//	hides                  arguments that hide, in what is returned of others,
//	                       the values of their type (context.WithValue)
//	returnsCalled          the result may be what the called function returns
//	entered                its body is looked at as well; what it formats, the entry
//	                       tells
//	fresh                  the result is new memory; the default without the
//	                       three above
//
// In an entry for several functions, what is said of an argument that one of
// them does not have is passed over.
//
// # Operations
//
// A function or method that synchronises, or runs a function in parallel, has
// an op; the receiver is the lock, the group, the map. Where it runs a
// function, body is its argument number.
//
//	lock unlock rlock runlock trylock tryrlock
//	wg.add wg.done wg.wait
//	spawn          runs body on a goroutine of its own; with join = true, a
//	               join on the same receiver waits for it
//	join           waits for what was spawned on the receiver
//	limit          argument 1 is the number of bodies that may run at once
//	parallel       runs body many times at once, and returns when all have
//	               returned; unique lists the body's parameters that differ
//	               from call to call, workers is the argument with the limit
//	subtest, test.parallel
//	test.cleanup   has body run when the test is over
//	bubble         runs body, and returns when all that it started has ended
//	bubble.wait    completes when all others in the bubble have ended or wait
//	once           runs body at most once for each receiver
//	cond.wait cond.signal cond.broadcast
//	sem.new sem.acquire sem.try sem.release   body is the weight's argument
//	atomic.load atomic.store atomic.add atomic.swap atomic.cas atomic.and atomic.or
//	pool.get pool.put
//	map.load map.take map.store map.range
//	timer.func timer.chan timer.reset timer.stop sleep
//	finalizer      runs concurrent when nobody has argument 0 any more
//	notify         from now on the runtime sends on argument 0
//
// # Types
//
// Beside facts about its methods, a [[package.type]] says what the type is:
//
//	sync           it synchronises: unless facts say more, its methods are
//	               thread-safe
//	unsafe         its documentation does not allow many goroutines; unless
//	               facts say more, each method writes the receiver
//	implementers   it is an interface that binds those who implement it, so
//	               what it says holds for them too
//
// A method that a type has by embedding is the embedded type's method.
//
// # Application and library, ignored objects
//
// Reports are about the application: the main modules, unless application or
// library name packages otherwise. Among patterns that match, the longest
// counts; "./x" is x in each main module. An [[ignore]] drops the reports about
// an object, by the name of its type or of a package-level variable, about a
// field (".hits", with what lies below it), or about both together. It needs a
// reason.
//
// # Documentation
//
// Each entry cites the documentation it rests on in doc; where it has none,
// its package's counts. A guess is not a fact: what is not documented, and
// cannot be read in the source, is better analysed.
//
// # Errors
//
// Unknown keys, values of the wrong kind, two entries of one layer for one
// name, and facts that contradict each other stop the run, each with file and
// line. Once the program is loaded, so do functions and types that their
// package does not have, in the user's files.
package library
