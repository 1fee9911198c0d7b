// Package model is the vocabulary of iterace: loops, abstract threads,
// objects, accesses, locks, races and reports. It holds no algorithm.
//
// The terms are those of the IteRace paper (Radoi and Dig, Practical static
// race detection for Java parallel loops, ISSTA 2013) carried over to Go; see
// doc/design.md.
package model

import "fmt"

// A Pos is a position in a source file. The zero Pos means "unknown".
type Pos struct {
	File string `json:"file"` // relative to the module root where it lies below it
	Line int    `json:"line"` // from 1
	Col  int    `json:"col"`  // from 1, in bytes
}

func (p Pos) String() string {
	if p.File == "" {
		return "-"
	}
	if p.Line == 0 {
		return p.File
	}
	if p.Col == 0 {
		return fmt.Sprintf("%s:%d", p.File, p.Line)
	}
	return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Col)
}

// IsValid reports whether p names a place.
func (p Pos) IsValid() bool { return p.File != "" }

// Compare orders positions by file, line and column.
func (p Pos) Compare(q Pos) int {
	switch {
	case p.File != q.File:
		if p.File < q.File {
			return -1
		}
		return 1
	case p.Line != q.Line:
		return p.Line - q.Line
	}
	return p.Col - q.Col
}

// A Thread is an abstract thread of one parallel loop.
type Thread uint8

const (
	Main  Thread = iota // everything outside the body, the spawner included
	Alpha               // one arbitrary iteration
	Beta                // any other iteration
)

func (t Thread) String() string { return [...]string{"main", "alpha", "beta"}[t] }

// A Loop is a parallel loop: a loop, or a call of a parallel operator, whose
// iterations may overlap; or, where Single is set, one spawn outside any loop,
// which has an alpha but no beta.
type Loop struct {
	ID     int
	Kind   string // "go", "wg.Go", "errgroup.Go", … the spawn form; "call" where a function that the loop calls has that
	Form   string // "range slice", "range int", "for", "operator", FormTest, FormClient, "" for other Single ones
	Pos    Pos    // of the loop statement; of the spawn where Single
	Spawn  Pos    // of the go statement or call that starts an iteration
	Func   string // function that contains the spawn
	Single bool
	// Sibling is set for a spawn in a round of a loop that starts other goroutines, too,
	// which meets those of its round only.
	Sibling bool
}

// FormTest is the form of a test that runs beside other tests of its package: the goroutine is
// the test's own, which Func names. What tests share is one race set for each variable.
const FormTest = "test"

// FormClient is the form of a loop that nobody has written: the goroutines of a client that is not in view,
// which call methods of one object. Func makes that, or names its type.
const FormClient = "client"

// An Object is an abstract object: all the memory allocated at one site in
// one context.
type Object struct {
	ID   int    `json:"-"` // unique within a Result
	Kind string // "var", "new", "make", "append", "literal", "global", "parameter", "closure", "result", …
	Type string // Go type
	Pos  Pos    // of the allocation, or of the parameter's or global's declaration
	Name string // source name where it has one: variable, global, parameter path
	// Global is the name of a package-level variable with its package's path,
	// "example.com/m/cache.Hits", and FullType is Type with package paths.
	Global   string `json:"-"`
	FullType string `json:"-"`
	Map      bool   `json:"-"` // it is a map
	// Many is set when the object may stand for more than one concrete object
	// while the loop runs: allocated in a loop, per call, or symbolic.
	Many bool
	// Home is the function in each run of which iterations have one of many, "" if that is not known.
	Home string `json:"-"`
	// Thread is the abstract thread that allocated the object.
	Thread Thread
}

// AccessKind tells what an access does.
type AccessKind uint8

const (
	Read AccessKind = iota
	Write
)

func (k AccessKind) String() string {
	if k == Write {
		return "write"
	}
	return "read"
}

// A Frame is one step of a call path: function Func is entered by the call
// at Call.
type Frame struct {
	Func string `json:"function"`
	Call Pos    `json:"call"`
}

// A Lock is one lock held at an access.
type Lock struct {
	Name string `json:"name"` // as the source writes it: "s.mu"
	Mode string `json:"mode"` // "write" or "read"
	Pos  Pos    `json:"pos"`  // of the Lock call
	// Note says why the lock does not protect, if it does not: "one per
	// iteration", "may be another lock", …
	Note string `json:"note,omitempty"`
}

// An Access is an instruction that touches a field of an object.
type Access struct {
	Thread  Thread
	Kind    AccessKind
	Atomic  bool
	Pos     Pos
	Func    string  // as shown to the user
	Library bool    // outside the application
	Path    []Frame // from the loop body (or from the spawner, for Main) to Func; filled for reports
	Given   Pos     `json:"-"` // the call that has given a helper of another package the function that the iteration runs; filled for reports
	Locks   []Lock  // must-held locks; filled by the lock stages

	// Inst, Instr and Index find the access in the points-to result:
	// instance of the function, instruction number in it, index into its
	// template's accesses. No other package interprets them.
	Inst  int32 `json:"-"`
	Instr int32 `json:"-"`
	Index int32 `json:"-"`
}

// Confidence grades a race.
type Confidence uint8

const (
	Assumed  Confidence = iota // rests on an assumption: hidden by default
	Likely                     // one of the two accesses or their object is uncertain
	Definite                   // both accesses certain, no unproved assumption
)

func (c Confidence) String() string { return [...]string{"assumed", "likely", "definite"}[c] }

// A Race is a pair of accesses that may touch the same field of the same
// object at the same time, one of them writing.
type Race struct {
	Loop       *Loop
	Other      *Loop // the parallel loop or spawn whose iteration does B, where B is not of Loop's and not of its spawner's thread
	Object     *Object
	Field      string // path inside the object: ".x", "[*]", "" for the whole variable
	A, B       *Access
	Confidence Confidence
	// Either is set if nothing but that A's and B's pointers may lead to several objects
	// makes the race likely: they touch the same one if the pointers do.
	Either bool
	// Scattered is set of such a pair if A's and B's pointers may lead to many objects each, and
	// it is not one of two iterations.
	Scattered bool
	// Place is one more than the number of the variable or field that A and B have their pointer
	// from, if nothing else shows that they touch one object; 0 otherwise.
	Place int32 `json:"-"`
	// Round is set if a loop makes in each round what A and B touch, and they touch the same one if
	// both have it from one round, as paths of the function that has the loop must say.
	Round bool `json:"-"`
	// Through has the objects of which there is one, and which Main makes, of which one at least A and B must have what they
	// touch from, if they have it from none that they take off a list, where it would be theirs.
	Through []*Object `json:"-"`
	// Pooled is set if nothing but a pool shows that A and B touch one object.
	Pooled bool
	// Apart is set if A and B may touch two objects though there is one of the name, as many calls below
	// the body, where what they touch may be handed on to one iteration at a time.
	Apart bool `json:"-"`
	// Handed is set if the code uses what it has handed on, so that A and B may turn out to touch one object.
	Handed bool `json:"-"`
	// Lapse is A or B where these are many calls below the body, and nothing but a lock
	// that it holds, and the other does not, says that threads meet there.
	Lapse *Access
	// Assumes lists the numbered assumptions (doc/soundness.md) on which a
	// stage would have deleted the race, had it been sure: "S7".
	Assumes []string
	// Why says, for each stage that looked, why nothing removed the race.
	Why []Reason
	// Deep is the pair inside library code from which this one was bubbled
	// up, or nil.
	Deep *Race
}

// A RaceSet is a list of races in a fixed order.
type RaceSet struct {
	Races []*Race
}

// Filter returns the races of s for which keep is true, in order.
func (s *RaceSet) Filter(keep func(*Race) bool) *RaceSet {
	out := &RaceSet{Races: make([]*Race, 0, len(s.Races))}
	for _, r := range s.Races {
		if keep(r) {
			out.Races = append(out.Races, r)
		}
	}
	return out
}

// Len returns the number of races.
func (s *RaceSet) Len() int { return len(s.Races) }

// A Report is one race set as shown to the user: the races of one loop on
// one object and field.
type Report struct {
	ID     string // stable under line shifts
	Loop   *Loop
	Object *Object
	Field  string
	Alpha  []*Access // distinct accesses of the alpha side, by position
	Beta   []*Access
	Races  []*Race // the pairs, ordered; pairs, not Alpha×Beta
	// Suppressed says why the report is not shown, or is nil.
	Suppressed *Suppression
}

// A Suppression is the user's word that a report is not to be shown.
type Suppression struct {
	By     SuppressedBy
	Reason string
	Pos    Pos // of the comment, the entry or the line
}

// SuppressedBy tells where a suppression stands.
type SuppressedBy uint8

const (
	ByComment   SuppressedBy = iota // an //iterace:ignore comment in the source
	ByModel                         // an [[ignore]] entry of a model file
	ByBaseline                      // a line of the baseline
	ByGenerated                     // a "Code generated" comment of the file, where the user wants none of those
)

func (b SuppressedBy) String() string {
	return [...]string{"comment", "model", "baseline", "generated"}[b]
}

// Confidence is the highest confidence among the report's races.
func (r *Report) Confidence() Confidence {
	c := Assumed
	for _, x := range r.Races {
		c = max(c, x.Confidence)
	}
	return c
}

// A Notice says what was not analysed, or analysed under an assumption.
type Notice struct {
	Pos     Pos    `json:"pos"`
	Code    string `json:"code"` // assumption number "S4", or "ignore", "baseline", …
	Message string `json:"message"`
}

// A Reason is why a stage has not removed a race, in a line.
type Reason struct {
	About About
	Text  string
}

// About is what a reason speaks of. Of the pairs of a race set one may have a lock and another none.
type About uint8

const (
	AboutLocks About = iota
	AboutOrder
	AboutObject // whether both accesses go to one
	AboutIndices
	AboutScope // whether there is who makes an access
)

// Because adds a reason.
func (r *Race) Because(about About, text string) { r.Why = append(r.Why, Reason{about, text}) }
