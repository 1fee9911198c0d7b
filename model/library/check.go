package library

import (
	"slices"
	"strings"
)

// This file finds entries that contradict themselves or each other.

// checkFacts reports what cannot hold of one function at once.
func checkFacts(n node, f *Func) {
	bad := func(key, format string, args ...any) { n.errorf(key, format, args...) }
	op, known := ops[f.Op]
	_, safeSet := n.val["threadSafe"]
	switch {
	case !slices.Contains([]Exchange{ExchangeNone, ExchangeServer, ExchangeWorld, ExchangeClient, ExchangeEarly, ExchangeOver}, f.Exchange):
		bad("exchange", "unknown part in an exchange %q", f.Exchange)
	case f.Exchange != ExchangeNone && f.Op != OpNone:
		bad("exchange", "exchange with an operation")
	case (f.Exchange == ExchangeServer || f.Exchange == ExchangeWorld) && len(f.Concurrent)+len(f.ConcurrentMethods) == 0 && !f.Serves():
		bad("exchange", "a server without concurrent, concurrentMethods or service")
	case f.Entered && (f.Op != OpNone || f.SafeOnClosure):
		bad("entered", "entered contradicts an operation, and threadSafeOnClosure")
	case f.Op != OpNone && !known:
		bad("op", "unknown operation %q", f.Op)
	case op.body && f.Body < 0:
		bad("op", "%s needs body, the number of the argument that it runs", f.Op)
	case f.Body >= 0 && !op.body && !semaphore(f.Op):
		bad("body", "body without an operation that runs it")
	case f.Join && f.Op != OpSpawn && len(f.Concurrent)+len(f.ConcurrentMethods) == 0:
		bad("join", "join is for op = \"spawn\", concurrent and concurrentMethods")
	case f.Until && len(f.Calls) == 0:
		bad("until", "until without calls")
	case f.UnlessFailed && len(f.Concurrent)+len(f.ConcurrentMethods) == 0:
		bad("unlessFailed", "unlessFailed without concurrent or concurrentMethods")
	case len(f.Unique) > 0 && f.Op != OpParallel:
		bad("unique", "unique is for op = \"parallel\"")
	case f.Workers >= 0 && f.Op != OpParallel:
		bad("workers", "workers is for op = \"parallel\"")
	case f.SafeOnClosure && safeSet && !f.ThreadSafe:
		bad("threadSafe", "threadSafeOnClosure contradicts threadSafe = false")
	case f.ReturnsSafe && f.CirculatesUnsafe:
		bad("circulatesUnsafeObjects", "instantiatesOnlySafeObjects contradicts circulatesUnsafeObjects")
	case f.freshSet && f.Fresh && (len(f.Returns)+len(f.Copies) > 0 || f.ReturnsCalled):
		bad("fresh", "fresh = true contradicts returns")
	case len(f.Hides) > 0 && len(f.Returns) < 2:
		bad("hides", "hides without two returns")
	case f.ReturnsCalled && len(f.Calls)+len(f.Concurrent) == 0 && f.Op != OpOnce:
		bad("returnsCalled", "returnsCalled without calls")
	case f.Many && len(f.Calls)+len(f.Concurrent)+len(f.ConcurrentMethods) == 0:
		bad("many", "many without calls, concurrent or concurrentMethods")
	case f.Later && len(f.Concurrent)+len(f.ConcurrentMethods) == 0:
		bad("later", "later without concurrent or concurrentMethods")
	case f.Serves() && len(f.Concurrent)+len(f.ConcurrentMethods) > 0:
		bad("service", "service with concurrent or concurrentMethods, but without later")
	case len(f.Dispatches) > 0 && f.Op != OpNone:
		bad("dispatches", "dispatches with an operation")
	case len(f.CallsWith) > 0 && len(f.Calls)+len(f.Concurrent) == 0 && f.Body < 0:
		bad("callsWith", "callsWith without calls, concurrent or body")
	case len(f.Indices) > 1 || len(f.Indices) > 0 && len(f.Calls) == 0:
		bad("indices", "indices is one argument, and needs calls")
	case f.SafeOnClosure && len(f.CallsMethods)+len(f.ConcurrentMethods)+len(f.Formats)+len(f.Dispatches) > 0:
		bad("threadSafeOnClosure", "threadSafeOnClosure contradicts calls of an argument's methods, which may race; leave it out")
	case f.SafeOnClosure && len(f.Calls)+len(f.Concurrent) > 0:
		bad("threadSafeOnClosure", "threadSafeOnClosure contradicts calls of an argument, which may race; leave it out")
	}
	for _, m := range f.CallsMethods {
		if slices.Contains(m.Names, AllMethods) {
			bad("callsMethods", "%q is for concurrentMethods", AllMethods)
		}
	}
	for _, i := range f.Calls {
		if slices.Contains(f.Concurrent, i) {
			bad("concurrent", "argument %d is in calls and in concurrent", i)
		}
	}
	if f.Analyse {
		g := *f
		g.Analyse = false
		if g.says() {
			bad("analyse", "analyse contradicts what else the entry says")
		}
	}
}

func semaphore(op Op) bool {
	return op == OpSemAcquire || op == OpSemTryAcquire || op == OpSemRelease
}

// validName reports whether name is one to max identifiers with dots between.
func validName(name string, max int) bool {
	parts := strings.Split(name, ".")
	if len(parts) > max {
		return false
	}
	for _, p := range parts {
		if p == "" || strings.ContainsAny(p, " \t*()[]/$") {
			return false
		}
	}
	return true
}

// addFunc enters f under its name, if the layer has no other word on it.
func (l *layer) addFunc(n node, key string, f *Func) {
	if old := l.funcs[f.Name]; old != nil {
		n.errorf(key, "%s has an entry already, at %s", f.Name, at(old.File, old.Line))
		return
	}
	if t := l.types[f.Name]; t != nil && f.Analyse {
		n.errorf(key, "%s has an entry already, at %s", f.Name, at(t.File, t.Line))
		return
	}
	f.finish()
	l.funcs[f.Name] = f
}

func (l *layer) addType(n node, t *Type) {
	if old := l.types[t.Name]; old != nil {
		n.errorf("name", "%s has an entry already, at %s", t.Name, at(old.File, old.Line))
		return
	}
	if f := l.funcs[t.Name]; f != nil && (t.Methods != nil || !f.Analyse) {
		n.errorf("name", "%s has an entry already, at %s", t.Name, at(f.File, f.Line))
		return
	}
	l.types[t.Name] = t
}

func (l *layer) addPackage(n node, p *Package) {
	if old := l.packages[p.Path]; old != nil {
		n.errorf("path", "package %s is described already, at %s", p.Path, at(old.File, old.Line))
		return
	}
	checkFacts(n, p.Funcs)
	if p.Funcs.Op != OpNone {
		n.errorf("op", "an operation belongs to one function, in [[package.func]]")
	}
	p.Funcs.finish()
	l.packages[p.Path] = p
}

func (l *layer) addScope(n node, key, pattern string) {
	for _, s := range l.scopes {
		if s.pattern == pattern && s.application != (key == "application") {
			n.errorf(key, "%q is both application and library", pattern)
			return
		}
	}
	l.scopes = append(l.scopes, scope{pattern, key == "application", at(n.src.name, n.src.line(key))})
}
