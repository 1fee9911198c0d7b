package flow

import (
	"sort"
	"strconv"
	"strings"

	"github.com/iterace/iterace/internal/ssair"
)

// A PathID names a symbolic path within a Func; 0 is "not known". Two equal
// PathIDs of one function denote the same value, as long as no loop around
// the value's definition has begun another round in between.
type PathID int32

type pathKind uint8

const (
	pathNone   pathKind = iota
	pathParam           // parameter n
	pathFree            // free variable n
	pathGlobal          // address of the global name
	pathValue           // what instruction at yields
	pathConst           // constant name
	pathLen             // length of base
	pathField           // address of field n, called name, of *base
	pathElem            // address of element idx of *base
	pathLoad            // value at address base, in version at
	pathSelf            // the closure that runs, which has n free variables
	pathHead            // base[:high], as instruction at makes it; reads as base
	pathPart            // base[low:high], as instruction at makes it; reads as what the instruction yields
	pathCap             // capacity of base, a channel
	pathFound           // base, or what was put there because it was not, as instruction at chooses; reads as what that yields
)

type pathNode struct {
	kind pathKind
	base PathID
	idx  PathID
	n    int32
	at   ssair.Instr
	name string
}

// Versions of a load that are no instruction: memory as it was on entry, and
// a cell that is assigned once.
const (
	versionEntry  ssair.Instr = -1
	versionStable ssair.Instr = -2
)

// cellValue says that cell, a variable assigned once, holds val.
type cellValue struct{ cell, val PathID }

// A Path is a symbolic path in the frame of some function: a root and what is
// selected from it. Equal Paths of one frame denote the same address or value.
// The zero Path is "not known".
type Path struct {
	Root string // "p0" parameter, "f1" free variable, "g:pkg.x" global, "v12" value of instruction 12, "c:5" constant
	Sels string // ".x" field, "[p1]" element, "*" load of a cell assigned once, "~7" load of memory in version 7
}

// Known reports whether p denotes something.
func (p Path) Known() bool { return p.Root != "" }

func (p Path) String() string { return p.Root + p.Sels }

// Path returns the path id as comparable text.
func (f *Func) Path(id PathID) Path {
	if id <= 0 {
		return Path{}
	}
	if f.growing {
		return f.text(id, false, f.Path)
	}
	texts := f.texts.Load()
	if texts == nil {
		all := make([]Path, len(f.paths))
		for i := range all[1:] {
			// What a path is made of comes before it.
			all[i+1] = f.text(PathID(i+1), false, func(id PathID) Path { return all[max(id, 0)] })
		}
		texts = &all
		f.texts.Store(texts) // or another goroutine's, which is the same
	}
	return (*texts)[id]
}

// PathOf returns the path that reads as p, 0 if there is none.
func (f *Func) PathOf(p Path) PathID {
	for id := range f.paths {
		if p.Known() && f.Path(PathID(id)) == p {
			return PathID(id)
		}
	}
	return 0
}

// wholePath is Path, but a part of a slice reads as the slice, an index into a part as
// one that is equal to no other, and what is found or made as what is found.
func (f *Func) wholePath(id PathID) Path {
	if id <= 0 {
		return Path{}
	}
	return f.text(id, true, f.wholePath)
}

// text is the text of a path, given that of those that it is made of.
func (f *Func) text(id PathID, whole bool, of func(PathID) Path) Path {
	n := &f.paths[id]
	sel := func(s string) Path {
		b := of(n.base)
		if !b.Known() {
			return Path{}
		}
		return Path{b.Root, b.Sels + s}
	}
	switch n.kind {
	case pathParam:
		return ParamPath(int(n.n))
	case pathFree:
		return Path{Root: freeVar(int(n.n))}
	case pathGlobal:
		return Path{Root: "g:" + n.name}
	case pathPart, pathFound:
		if whole {
			return of(n.base)
		}
		return Path{Root: "v" + strconv.Itoa(int(n.at))}
	case pathValue:
		return Path{Root: "v" + strconv.Itoa(int(n.at))}
	case pathConst:
		return Path{Root: "c:" + n.name}
	case pathLen:
		return sel("#")
	case pathCap:
		return sel("^")
	case pathField:
		return sel("." + n.name)
	case pathElem:
		if b := &f.paths[n.base]; whole && b.kind == pathPart {
			return sel("[:" + strconv.Itoa(int(b.at)) + "]")
		}
		index := of
		if whole {
			index = f.Path
		}
		i := index(n.idx)
		if !i.Known() {
			return Path{}
		}
		return sel("[" + i.String() + "]")
	case pathSelf:
		return Path{Root: "self"}
	case pathHead:
		return of(n.base)
	case pathLoad:
		switch n.at {
		case versionStable:
			return sel("*")
		case versionEntry:
			return sel("~e")
		}
		return sel("~" + strconv.Itoa(int(n.at)))
	}
	return Path{}
}

// LoadsOf returns, for each load of changing memory on path id, the last one first, an instruction
// that does it: the first by number.
func (f *Func) LoadsOf(id PathID) []ssair.Instr {
	var out []ssair.Instr
	for id > 0 {
		n := &f.paths[id]
		if at, ok := f.loads[id]; ok && n.kind == pathLoad {
			out = append(out, at)
		}
		switch n.kind {
		case pathField, pathElem, pathLoad, pathLen, pathCap, pathHead:
			id = n.base
		default:
			id = 0
		}
	}
	return out
}

// LoadOf returns an instruction that loads what path id is, if that is loaded from changing memory.
func (f *Func) LoadOf(id PathID) (at ssair.Instr, ok bool) {
	if id <= 0 || f.paths[id].kind != pathLoad {
		return ssair.NoInstr, false
	}
	at, ok = f.loads[id]
	return at, ok
}

// IsLoadedLen reports whether a path is the length of something that is loaded.
func (f *Func) IsLoadedLen(id PathID) bool {
	return id > 0 && f.paths[id].kind == pathLen && f.paths[id].base > 0 && f.paths[f.paths[id].base].kind == pathLoad
}

// LoadsAt is LoadsOf for the address that an access has.
func (f *Func) LoadsAt(at ssair.Instr) []ssair.Instr { return f.LoadsOf(f.addrAt(at)) }

// Addr returns the path of the address that the load or store at reads or
// writes; for an operation on a map, or a builtin, that of the map or slice.
func (f *Func) Addr(at ssair.Instr) Path { return f.Path(f.addrAt(at)) }

func (f *Func) addrAt(at ssair.Instr) PathID {
	i := sort.Search(len(f.addr), func(i int) bool { return f.addr[i].at >= at })
	if i < len(f.addr) && f.addr[i].at == at {
		return f.addr[i].path
	}
	return 0
}

// Memory is Addr for who asks whose memory it is: a part of a slice reads as the
// slice, what is found or made as what is found. Of a call that touches slices it is that of argument k.
func (f *Func) Memory(at ssair.Instr, k int) Path {
	if t := f.touch(at); t != nil && k >= 0 && k < len(t.Args) {
		return f.wholePath(t.Args[k])
	}
	return f.wholePath(f.addrAt(at))
}

// Result is the path of result k, where all returns yield the same, for who asks whose memory
// it points to, as Memory does.
func (f *Func) Result(k int) Path {
	if k >= len(f.Returned) {
		return Path{}
	}
	return f.wholePath(f.Returned[k])
}

// Defined returns the instructions on which the meaning of p depends: a loop
// around one of them gives p another meaning in each round.
func (p Path) Defined() []ssair.Instr {
	var out []ssair.Instr
	s := p.Root + p.Sels
	for i := 0; i < len(s); i++ {
		if s[i] != 'v' && s[i] != '~' {
			continue
		}
		if s[i] == 'v' && i > 0 && s[i-1] != '[' {
			continue
		}
		j := i + 1
		for j < len(s) && s[j] >= '0' && s[j] <= '9' {
			j++
		}
		if n, err := strconv.Atoi(s[i+1 : j]); err == nil {
			out = append(out, ssair.Instr(n))
		}
		i = j - 1
	}
	return out
}

// Rebase returns p with its prefix from replaced by to: the path that p's
// place has in a frame where from is called to. Versions of memory have a
// meaning in one frame only.
func (p Path) Rebase(from, to Path) (Path, bool) {
	if !from.Known() || !to.Known() || p.Root != from.Root {
		return Path{}, false
	}
	rest, ok := strings.CutPrefix(p.Sels, from.Sels)
	if !ok || rest != "" && !strings.ContainsRune(".[*#~", rune(rest[0])) {
		return Path{}, false
	}
	// An index is a value of the frame; only a constant is one of both.
	for r := rest; ; {
		i := strings.IndexAny(r, "[~")
		if i < 0 {
			break
		}
		if r[i] == '~' || !strings.HasPrefix(r[i:], "[c:") {
			return Path{}, false
		}
		r = r[i+1:]
	}
	return Path{to.Root, to.Sels + rest}, true
}

// ValueAt is the path of what an instruction yields, where that has no other name.
func ValueAt(at ssair.Instr) Path { return Path{Root: "v" + strconv.Itoa(int(at))} }

// A Binding relates a path of a caller's frame to the callee's name for it.
type Binding struct{ Caller, Callee Path }

// Bindings relates the frame of f to that of the function called by step s:
// its parameters, and the free variables if what is called is a closure made
// in this frame.
func (f *Func) Bindings(s *Step) []Binding {
	var out []Binding
	fn := s.Fn
	if s.Body >= 0 {
		// A callback of a library function: its arguments are the library's.
		if s.Body >= len(s.Args) {
			return nil
		}
		fn = s.Args[s.Body]
	} else {
		for k := range s.params() {
			if p, ok := f.passed(s, k); ok {
				out = append(out, Binding{p, ParamPath(k)})
			}
		}
	}
	switch {
	case fn > 0 && f.paths[fn].kind == pathValue:
		c := f.ClosureAt(f.paths[fn].at)
		if c == nil {
			return out
		}
		for k := range c.Binds {
			out = append(out, f.captured(c, k)...)
		}
		return out
	case fn > 0 && f.paths[fn].kind == pathSelf: // has captured what it had
		for k := range f.paths[fn].n {
			free := Path{Root: freeVar(int(k))}
			out = append(out, Binding{free, free})
		}
	}
	return out
}

// params is the number of the parameters, of what step s runs, that passed may know.
func (s *Step) params() int {
	switch {
	case !s.Methods:
		return len(s.Args)
	case s.Of >= 0 && s.Of < len(s.Args):
		return 1
	}
	return 0
}

// passed returns the path of what a step passes for a parameter, if it is memory of the
// frame.
func (f *Func) passed(s *Step, k int) (Path, bool) {
	if s.Methods {
		k = s.Of
	}
	p := f.Path(s.Args[k])
	return p, p.Known() && !strings.HasPrefix(p.Root, "c:")
}

// PassesZero reports whether what a step passes for a parameter of what it runs is zero,
// false or nil, where it is a constant.
func (f *Func) PassesZero(s *Step, param Path) (zero, constant bool) {
	k, ok := param.Param()
	if !ok || param.Sels != "" || s.Body >= 0 || s.Methods || k >= len(s.Args) {
		return false, false
	}
	c, ok := strings.CutPrefix(f.Path(s.Args[k]).Root, "c:")
	switch c {
	case "false", "0", "nil", `""`:
		return ok, ok
	}
	return false, ok
}

// Callee returns the path of the function value that step s runs.
func (f *Func) Callee(s *Step) Path {
	if s.Body >= 0 {
		if s.Body >= len(s.Args) {
			return Path{}
		}
		return f.Path(s.Args[s.Body])
	}
	return f.Path(s.Fn)
}

// captured relates this frame to that of a closure by what it captures as its k-th free
// variable: what the variable holds, if that is known, and the variable.
func (f *Func) captured(c *Closure, k int) (out []Binding) {
	free := freeVar(k)
	for _, cell := range f.cells {
		if cell.cell == c.Binds[k] {
			out = append(out, Binding{f.Path(cell.val), Path{free, "*"}})
		}
	}
	if p := f.Path(c.Binds[k]); p.Known() {
		out = append(out, Binding{p, Path{Root: free}})
	}
	return out
}

// ByVariable names p by a variable that is assigned once, if one holds what p begins with:
// of several, by that which holds most of it. Two paths that begin with what several hold are
// named by the same.
func (f *Func) ByVariable(p Path) Path {
	held := func(c cellValue) (cell, val Path) {
		cell = f.Path(c.cell)
		return Path{cell.Root, cell.Sels + "*"}, f.Path(c.val)
	}
	for _, c := range f.cells {
		if q, ok := p.Rebase(held(c)); ok {
			p = q
			break
		}
	}
	best, most := p, -1
	for _, c := range f.cells {
		cell, val := held(c)
		if q, ok := p.Rebase(val, cell); ok && len(val.Sels) > most {
			best, most = q, len(val.Sels)
		}
	}
	return best
}

// ParamPath is the path of the k-th parameter itself.
func ParamPath(k int) Path { return Path{Root: "p" + strconv.Itoa(k)} }

// Param returns the number of the parameter at which p begins.
func (p Path) Param() (k int, ok bool) {
	digits, ok := strings.CutPrefix(p.Root, "p")
	k, err := strconv.Atoi(digits)
	return k, ok && err == nil
}

// freeVar is the root of what begins at the k-th free variable.
func freeVar(k int) string { return "f" + strconv.Itoa(k) }

// freeIndex is the number of the free variable at which p begins.
func (p Path) freeIndex() (int, bool) {
	if p.Root == "" || p.Root[0] != 'f' {
		return 0, false
	}
	k, err := strconv.Atoi(p.Root[1:])
	return k, err == nil
}

// UpCaptured translates p from the frame of the closure made at an instruction. All that is
// captured but what p begins at is for others; bindings of all of it, made for each question,
// were 7 % of the samples of a fuzzy finder's second run.
func (f *Func) UpCaptured(at ssair.Instr, p Path) (Path, bool) {
	if k, ok := p.freeIndex(); ok {
		if c := f.ClosureAt(at); c != nil && k < len(c.Binds) {
			return Up(p, f.captured(c, k))
		}
	}
	return p, p.Global()
}

// Down translates p into the callee's frame.
func Down(p Path, bs []Binding) (Path, bool) {
	best, found := Path{}, false
	n := -1
	for _, b := range bs {
		if q, ok := p.Rebase(b.Caller, b.Callee); ok && len(b.Caller.Sels) > n {
			best, found, n = q, true, len(b.Caller.Sels)
		}
	}
	if !found && p.Global() {
		return p, true
	}
	return best, found
}

// Up translates p from the callee's frame.
func Up(p Path, bs []Binding) (Path, bool) {
	for _, b := range bs {
		if q, ok := p.Rebase(b.Callee, b.Caller); ok {
			return q, true
		}
	}
	return p, p.Global()
}

// UpAt translates p from the frame of what the call at an instruction of f runs,
// if there is a call. f may be nil: of a function without a skeleton nothing is
// known.
func (f *Func) UpAt(at ssair.Instr, p Path) (Path, bool) {
	if f == nil {
		return Path{}, false
	}
	steps := f.StepsAt(at)
	if len(steps) == 0 {
		return Path{}, false
	}
	s := &f.Steps[steps[0]]
	k, param := p.Param()
	if !param {
		if _, ok := p.freeIndex(); !ok {
			return p, p.Global() // nothing of this frame is bound to it
		}
		if fn := s.Fn; s.Body < 0 && fn > 0 && f.paths[fn].kind == pathValue {
			return f.UpCaptured(f.paths[fn].at, p)
		}
		return Up(p, f.Bindings(s))
	}
	// All bindings but this one are for others, and there are many callers to ask.
	if s.Body < 0 && k < s.params() {
		if from, ok := f.passed(s, k); ok {
			return Up(p, []Binding{{from, Path{Root: p.Root}}})
		}
	}
	return p, false
}

// Global reports whether p is the address of a global or part of one: it
// means the same in every frame.
func (p Path) Global() bool {
	return strings.HasPrefix(p.Root, "g:") && !strings.ContainsAny(p.Sels, "~[")
}

// Display returns path id as the source might write it: "s.mu".
func (f *Func) Display(id PathID) string {
	if id <= 0 {
		return ""
	}
	n := &f.paths[id]
	switch n.kind {
	case pathParam:
		if int(n.n) < len(f.names.params) {
			return f.names.params[n.n]
		}
	case pathFree:
		if int(n.n) < len(f.names.free) {
			return f.names.free[n.n]
		}
	case pathGlobal:
		return n.name[strings.LastIndexByte(n.name, '.')+1:]
	case pathValue, pathPart, pathFound, pathConst:
		return n.name
	case pathLen:
		return "len(" + f.Display(n.base) + ")"
	case pathCap:
		return "cap(" + f.Display(n.base) + ")"
	case pathField:
		if b := f.Display(n.base); b != "" {
			return b + "." + n.name
		}
		return n.name
	case pathElem:
		i := f.Display(n.idx)
		if i == "" {
			i = "…"
		}
		return f.Display(n.base) + "[" + i + "]"
	case pathLoad, pathHead:
		return f.Display(n.base)
	}
	return ""
}

// rootNames are the source names of parameters and free variables.
type rootNames struct{ params, free []string }

// Loose returns p without the versions of its loads and with the constant
// indices alone: what it selects, whenever it is looked at.
func (p Path) Loose() Path { return p.without(true) }

// Unversioned returns p without the versions of its loads, those in its indices too.
func (p Path) Unversioned() Path { return p.without(false) }

func (p Path) without(indices bool) Path {
	var b strings.Builder
	for i := 0; i < len(p.Sels); i++ {
		switch c := p.Sels[i]; c {
		case '~':
			b.WriteByte('*')
			for i+1 < len(p.Sels) && !strings.ContainsRune(".[*~#", rune(p.Sels[i+1])) {
				i++
			}
		case '[':
			depth, j := 0, i
			for ; j < len(p.Sels); j++ {
				if p.Sels[j] == '[' {
					depth++
				} else if p.Sels[j] == ']' {
					if depth--; depth == 0 {
						break
					}
				}
			}
			if sel := p.Sels[i:min(j+1, len(p.Sels))]; strings.HasPrefix(sel, "[c:") {
				b.WriteString(sel)
			} else if !indices {
				b.WriteString("[" + Path{Sels: sel[1:]}.without(false).Sels)
			} else {
				b.WriteString("[c:]")
			}
			i = j
		default:
			b.WriteByte(c)
		}
	}
	return Path{p.Root, b.String()}
}

// Base returns p up to its first index, if no pointer is loaded behind that: elements are
// parts of their array, and what they point to is not.
func (p Path) Base() Path {
	if i := strings.IndexByte(p.Sels, '['); i >= 0 && i >= p.loaded() {
		p.Sels = p.Sels[:i]
	}
	return p
}

// Pointer returns p up to the last pointer that is loaded on the way: what follows is a
// part of what that points to.
func (p Path) Pointer() Path {
	p.Sels = p.Sels[:p.loaded()]
	return p
}

// Cell returns the place from which the last pointer on the way is loaded, if any is.
func (p Path) Cell() (Path, bool) {
	p.Sels = p.Sels[:p.loaded()]
	k := strings.LastIndexAny(p.Sels, "*~")
	if k < 0 {
		return Path{}, false
	}
	p.Sels = p.Sels[:k]
	return p, true
}

// Holder returns p up to the first element, or the first place whose content may change: what leads there, as
// far as that is always the same.
func (p Path) Holder() Path {
	if i := strings.IndexAny(p.Sels, "[~#"); i >= 0 {
		p.Sels = p.Sels[:i]
	}
	return p
}

// loaded returns the length of what of p.Sels leads to the last load, except those in
// indices.
func (p Path) loaded() int {
	depth, end := 0, 0
	for i := 0; i < len(p.Sels); i++ {
		switch p.Sels[i] {
		case '[':
			depth++
		case ']':
			depth--
		case '*', '~':
			for i+1 < len(p.Sels) && !strings.ContainsRune(".[]*~#", rune(p.Sels[i+1])) {
				i++ // the version
			}
			if depth == 0 {
				end = i + 1
			}
		}
	}
	return end
}

// Loads reports whether p leads through memory that may change.
func (p Path) Loads() bool { return strings.IndexByte(p.Sels, '~') >= 0 }

// Through reports whether selecting sels loads a pointer on the way.
func Through(sels string) bool { return strings.ContainsAny(sels, "*~") }

// Derefs returns the number of pointers that selecting sels loads on the way.
func Derefs(sels string) int { return strings.Count(sels, "*") + strings.Count(sels, "~") }

// Made returns the instruction whose result p is rooted in.
func (p Path) Made() (ssair.Instr, bool) {
	if len(p.Root) < 2 || p.Root[0] != 'v' {
		return 0, false
	}
	n, err := strconv.Atoi(p.Root[1:])
	return ssair.Instr(n), err == nil
}

// A Way is a path as it is at the end of a block.
type Way struct {
	At   Gap
	Path Path
}

// Merged returns what p is on each way to the block where its root is chosen, or stored if
// that is a variable; none where the root is not chosen by the way that control takes.
func (f *Func) Merged(p Path) []Way {
	at, ok := p.Made()
	if !ok {
		return nil
	}
	for k := range f.Merges {
		m := &f.Merges[k]
		if m.At != at {
			continue
		}
		rest := p.Sels
		if m.Version != 0 {
			if rest, ok = strings.CutPrefix(rest, "~"+strconv.Itoa(int(m.Version))); !ok || rest != "" && rest[0] >= '0' && rest[0] <= '9' {
				continue
			}
		}
		var out []Way
		for i, from := range m.From {
			in := f.Path(m.In[i])
			if !in.Known() {
				return nil
			}
			out = append(out, Way{Gap(from + f.Blocks[from].Hi), Path{in.Root, in.Sels + rest}})
		}
		return out
	}
	return nil
}
