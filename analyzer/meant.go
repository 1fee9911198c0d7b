package analyzer

import (
	"go/ast"
	"go/types"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/iterace/iterace/filters/locks"
	"github.com/iterace/iterace/internal/ssair"
	"github.com/iterace/iterace/model"
	"golang.org/x/tools/go/ssa"
)

// This file asks of two accesses by goroutines of a client whether the code itself says that they are
// made at the same time (soundness: many-clients). A type with a lock has fields that the lock does not
// guard: set before others have the object, used by one goroutine at a time, handed from one to another.
// So it is not enough that they may be made at the same time; a lock must be there which would make
// no sense otherwise.

// An evidence is what the code of functions says, by their names (see ofAnyType) and positions.
type evidence struct {
	locking map[string]bool    // functions that lock a mutex in a field, or call one of the same type that does
	itself  map[string]bool    // those that lock one themselves
	puts    map[fieldOf]bool   // the fields that they replace, or that what they call of the same type does
	alone   map[string]bool    // those that are documented as not for several goroutines
	spawns  map[model.Pos]bool // where goroutines start
	atomics map[string]bool    // functions that read something atomically, or call one of the same type that does
}

// A fieldOf is a field that a function replaces.
type fieldOf struct{ fn, field string }

// evidence looks at all functions.
func (r *run) evidence(g *references) *evidence {
	e := &evidence{
		locking: make(map[string]bool), itself: make(map[string]bool), puts: make(map[fieldOf]bool), alone: make(map[string]bool),
		spawns: make(map[model.Pos]bool), atomics: make(map[string]bool),
	}
	puts := make([][]string, len(g.funcs))
	for i, fn := range g.funcs {
		top := ofAnyType(ssair.Top(fn).String())
		if d, ok := fn.Syntax().(*ast.FuncDecl); ok && saysAlone(d.Doc) {
			e.alone[top] = true
		}
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				if r.loaded.maySpawn(r.lib, in) {
					e.spawns[r.loaded.pos(in.Pos())] = true
				}
				if field, ok := replaces(in); ok {
					puts[i] = append(puts[i], field)
					e.puts[fieldOf{top, field}] = true
				}
				if readsAtomically(in) {
					e.atomics[top] = true
				}
				if locksField(fn, in) {
					e.locking[top], e.itself[top] = true, true
				}
			}
		}
	}
	below := &evidence{locking: maps.Clone(e.locking), atomics: maps.Clone(e.atomics)}
	for i, fn := range g.funcs {
		name := ofAnyType(fn.String())
		for _, k := range g.to[i] {
			if !ofOneType(fn, g.funcs[k]) {
				continue
			}
			callee := ofAnyType(g.funcs[k].String())
			e.locking[name] = e.locking[name] || below.locking[callee]
			e.atomics[name] = e.atomics[name] || below.atomics[callee]
			for _, field := range puts[k] {
				e.puts[fieldOf{name, field}] = true
			}
		}
	}
	return e
}

// ofOneType reports whether two functions are methods of one type.
func ofOneType(a, b *ssa.Function) bool {
	x, y := a.Signature.Recv(), b.Signature.Recv()
	return x != nil && y != nil && types.Identical(x.Type(), y.Type())
}

// replaces reports whether an instruction stores to a field what is not, as the code shows, a part of what
// was there, or grown from it.
func replaces(in ssa.Instruction) (field string, ok bool) {
	st, ok := in.(*ssa.Store)
	if !ok {
		return "", false
	}
	f, ok := st.Addr.(*ssa.FieldAddr)
	if !ok {
		return "", false
	}
	switch v := st.Val.(type) {
	case *ssa.Slice:
		if _, fresh := v.X.(*ssa.Alloc); !fresh {
			return "", false
		}
	case *ssa.Call:
		if b, ok := v.Call.Value.(*ssa.Builtin); ok && b.Name() == "append" {
			return "", false
		}
	}
	return fieldName(f), true
}

// fieldName returns the name of a field.
func fieldName(f *ssa.FieldAddr) string {
	return f.X.Type().Underlying().(*types.Pointer).Elem().Underlying().(*types.Struct).Field(f.Field).Name()
}

// locksField reports whether an instruction of a method locks a mutex in a field.
func locksField(fn *ssa.Function, in ssa.Instruction) bool {
	c, ok := in.(ssa.CallInstruction)
	if !ok || ssair.Top(fn).Signature.Recv() == nil {
		return false
	}
	callee := c.Common().StaticCallee()
	if callee == nil || callee.Signature.Recv() == nil || callee.Name() != "Lock" && callee.Name() != "RLock" {
		return false
	}
	if ptr, ok := types.Unalias(callee.Signature.Recv().Type()).(*types.Pointer); !ok || !isMutex(ptr.Elem()) {
		return false
	}
	x := c.Common().Args[0]
	if load, ok := x.(*ssa.UnOp); ok { // a pointer to a mutex
		x = load.X
	}
	_, ok = x.(*ssa.FieldAddr)
	return ok
}

// readsAtomically reports whether an instruction does that.
func readsAtomically(in ssa.Instruction) bool {
	c, ok := in.(ssa.CallInstruction)
	if !ok || c.Common().StaticCallee() == nil {
		return false
	}
	fn := c.Common().StaticCallee()
	if o := fn.Origin(); o != nil {
		fn = o
	}
	return fn.Pkg != nil && fn.Pkg.Pkg.Path() == "sync/atomic" && (strings.HasPrefix(fn.Name(), "Load") || strings.HasPrefix(fn.Name(), "CompareAndSwap"))
}

// forOne matches what documentation says of what is not for several goroutines, or for some time only
// (soundness: documented-alone).
var forOne = regexp.MustCompile(`(?i)\bnot\s+(be\s+)?(concurrency|concurrent|thread|goroutine)[- ]?safe\b|\bnot\s+safe\b|` +
	`\b(must|should|can|may)\s*not\s+be\s+(called|used|shared)\b|` +
	`\b((must|should)\s+(only\s+)?|(may|can)\s+only\s+)be\s+(called|set|used)\s+(only\s+)?(before|after|once|first|from|by|while|when|during|prior)\b`)

// saysAlone reports whether a comment says that.
func saysAlone(doc *ast.CommentGroup) bool { return doc != nil && forOne.MatchString(doc.Text()) }

// documentedAlone reports whether the documentation of a type says that.
func (p *program) documentedAlone(t *types.Named) bool {
	at := t.Obj().Pos()
	for _, pkg := range p.initial {
		for _, f := range pkg.Syntax {
			if at < f.FileStart || f.FileEnd <= at {
				continue
			}
			for _, d := range f.Decls {
				d, ok := d.(*ast.GenDecl)
				if !ok || at < d.Pos() || d.End() <= at {
					continue
				}
				for _, s := range d.Specs {
					if s, ok := s.(*ast.TypeSpec); ok && s.Name.Pos() == at {
						return saysAlone(s.Doc) || saysAlone(d.Doc)
					}
				}
			}
		}
	}
	return false
}

// Words with which names of methods begin that come before all others, or after them (soundness: begin-and-end).
var (
	begins = []string{"Init", "Start", "Open", "Run", "Serve", "Listen", "Connect", "Dial", "With"}
	ends   = []string{"Close", "Stop", "Shutdown", "Wait", "Reset", "Release", "Destroy", "Free"}
)

// A meant judges the races of one crowd.
type meant struct {
	*evidence
	of  string // the type of the object
	one bool   // it has one mutex, which is for all that it has, by its name
}

// meant returns what judges the races of goroutines that share an object of a type.
func (e *evidence) meant(t *types.Named) *meant {
	return &meant{e, t.Obj().Pkg().Path() + "." + t.Obj().Name(), slices.Equal(mutexes(t, 0), []string{"general"})}
}

// A side is what one access of a race shows.
type side struct {
	write, read bool     // it has a lock, for writing or reading
	names       []string // of the fields with these locks
	copied      bool     // it has a copy of the lock that is meant
	vague       bool     // what locks it has, is not known
	started     bool     // a goroutine makes it that a method has started
	locks       bool     // a function on the way to it has a lock at some time
	itself      bool     // the function that makes it has a lock at another time
	direct      bool     // the client calls that function
	swaps       bool     // that puts something else where it has found the object
	atomic      bool     // a function on the way reads something atomically, which may say that the access is safe
	alone       bool     // the method is documented as not for several goroutines
	begin, end  bool     // the method comes before, or after, all others
}

// side looks at an access of a race.
func (m *meant) side(race *model.Race, x *model.Access) (s side) {
	for _, l := range x.Locks {
		switch l.Note {
		case locks.MayBeAnother, locks.Conditional:
			s.vague = true
		case locks.OnePerIteration:
			continue
		case locks.Copied:
			s.copied = true
		}
		s.write, s.read = s.write || l.Mode == "write", s.read || l.Mode != "write"
		s.names = append(s.names, lastName(l.Name))
	}
	fn, method := ofAnyType(x.Func), ofAnyType(x.Func)
	if len(x.Path) > 1 {
		method = ofAnyType(x.Path[0].Func)
	}
	s.itself, s.direct, s.alone = m.itself[fn], len(x.Path) < 2, m.alone[method]
	s.swaps = container(race.Object) && m.puts[fieldOf{fn, lastName(race.Object.Name)}]
	s.locks, s.atomic = m.locking[fn], m.atomics[fn]
	for _, f := range x.Path {
		s.started = s.started || m.spawns[f.Call]
		s.locks = s.locks || m.locking[ofAnyType(f.Func)]
		s.atomic = s.atomic || m.atomics[ofAnyType(f.Func)]
		s.vague = s.vague || strings.HasSuffix(f.Func, "Locked") // the lock is no mutex then
	}
	s.begin, s.end = beginsWith(lastName(method), begins), beginsWith(lastName(method), ends)
	return s
}

// lastName returns what follows the last dot of a name.
func lastName(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }

// beginsWith reports whether a name begins with one of some words.
func beginsWith(name string, words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool {
		rest, ok := strings.CutPrefix(name, w)
		return ok && (rest == "" || rest[0] < 'a' || rest[0] > 'z')
	})
}

// container reports whether an object is the elements of a slice or a map.
func container(o *model.Object) bool { return o.Map || strings.HasPrefix(o.Type, "[") }

// own reports whether an object is the one that the goroutines of a crowd share, or elements. Another one may be
// guarded otherwise.
func (m *meant) own(o *model.Object) bool { return container(o) || ofAnyType(o.FullType) == m.of }

// shown reports whether a side that has found an object says that others find it, too: it has a lock, or
// the method has just given it back. Who has made it may have done so before others could find it.
func (s *side) shown() bool { return s.locked() || s.itself && s.direct }

// together reports whether the accesses of a race are meant to be made at the same time.
func (m *meant) together(race *model.Race, held *locks.Analysis) bool {
	if race.Other != nil || race.A.Thread == model.Main || race.B.Thread == model.Main || race.Object.Many {
		return false
	}
	a, b := m.side(race, race.A), m.side(race, race.B)
	if a.bad() || b.bad() || !m.own(race.Object) && (!a.shown() || !b.shown()) {
		return false
	}
	return m.shows(race, &a, &b) && !held.OnSomeWays(race)
}

// locked reports whether a side has a lock.
func (s *side) locked() bool { return s.write || s.read }

// bad reports whether a side says that it has the object for itself, or cannot be judged.
func (s *side) bad() bool {
	return s.alone || s.vague || !s.locked() && (s.started || s.swaps || s.atomic)
}

// shows reports whether the locks of a race's accesses say that they are.
func (m *meant) shows(race *model.Race, a, b *side) bool {
	switch {
	case a.copied || b.copied:
		return true
	case a.read && b.read && !a.write && !b.write:
		return true // one of the two writes
	case a.begin || b.begin:
		return false
	case a.locked() && b.locked():
		different := !slices.ContainsFunc(a.names, func(n string) bool { return slices.Contains(b.names, n) })
		return different && a.direct && b.direct && !a.end && !b.end
	case a.locked():
		return bare(b, race.B, a)
	case b.locked():
		return bare(a, race.A, b)
	}
	return m.one && a.itself && b.itself && !a.end && !b.end
}

// bare reports whether an access without the lock that the other one has is meant to be made meanwhile. One
// that reads has forgotten the lock; one that writes may set up the object, but where it has the lock at another time.
func bare(s *side, x *model.Access, other *side) bool {
	switch {
	case s.end:
		return s.locks && other.started
	case x.Kind == model.Write:
		return s.locks
	}
	return true
}
