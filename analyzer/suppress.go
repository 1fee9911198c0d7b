package analyzer

import (
	"cmp"
	"fmt"
	"go/types"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/iterace/iterace/model"
	"github.com/iterace/iterace/model/library"
	"github.com/iterace/iterace/report"
)

// A suppressor knows what the user asked not to be told.
type suppressor struct {
	mu       sync.Mutex // races of several loops are asked about at the same time
	comments []*ignoreComment
	ignores  []*library.Ignore
	lib      *library.Model
	lookup   library.Lookup
	p        *program
	decls    map[memory][]decl // memo of declared
	// generated has the comment that says so for each file that nobody wrote,
	// if the user does not want to hear of those.
	generated map[string]model.Pos
	// complete is set if all packages are there and type-check: else what
	// suppresses nothing now may do so when they all do.
	complete bool
}

// verdicts are what a suppressor says of the races of a result, once its types and
// comments are gone.
type verdicts struct {
	root     string
	complete bool
	marks    []mark // the comments and entries
	// by has what suppresses a race, where something does.
	by map[*model.Race]*verdict
}

// A mark is a comment or an entry.
type mark struct {
	unused model.Notice // what is said of it if it suppresses nothing; none if nothing is
	used   bool
}

// A verdict is why a race is not shown, and which marks are about it, by number.
type verdict struct {
	why   model.Suppression
	marks []int32
}

func (r *run) newSuppressor() *suppressor {
	comments, notices := r.loaded.ignoreComments()
	r.out.Notices = append(r.out.Notices, notices...)
	s := &suppressor{
		comments: comments, ignores: r.lib.Ignores(), lib: r.lib, lookup: r.loaded.lookup(), p: r.loaded,
		decls: make(map[memory][]decl), complete: len(r.out.Errors) == 0 && r.loaded.unit == "",
	}
	if r.cfg.SkipGenerated {
		s.generated = r.loaded.generated()
	}
	return s
}

// Final returns the race sets as they are shown and counted: those that users
// cannot tell apart are one, each has its id, and what is suppressed, by the
// baseline too unless that is nil, is marked. What suppresses nothing gets a
// notice.
func (res *Result) Final(base *report.Baseline) []*model.Report {
	reports := report.Merge(res.Reports)
	report.AssignIDs(res.Modules, reports)
	res.Suppress(reports, base)
	return reports
}

// Suppress applies the //iterace:ignore comments in the source, the [[ignore]]
// entries of the model files and the baseline, which may be nil, to the
// result's reports, after report.Merge and report.AssignIDs. A report loses the
// races that are suppressed; one that has no other keeps them, and is marked.
// What suppresses nothing gets a notice.
func (res *Result) Suppress(reports []*model.Report, base *report.Baseline) {
	s := res.verdicts
	if s == nil {
		return // nothing was analysed
	}
	for _, r := range reports {
		var kept []*model.Race
		var first *model.Suppression
		for _, x := range r.Races {
			if why := s.count(x); why == nil {
				kept = append(kept, x)
			} else if first == nil {
				first = why
			}
		}
		if len(kept) == 0 {
			r.Suppressed = first
		} else {
			r.Races = kept
		}
		if line := base.Line(r.ID); line > 0 && r.Suppressed == nil {
			r.Suppressed = &model.Suppression{By: model.ByBaseline, Reason: "in the baseline", Pos: placeIn(s.root, base.Name, line)}
		}
	}
	res.Notices = append(res.Notices, s.stale()...)
	res.Notices = append(res.Notices, s.gone(base, reports)...)
	slices.SortStableFunc(res.Notices, compareNotices)
	res.Notices = slices.Compact(res.Notices)
}

func compareNotices(a, b model.Notice) int {
	return cmp.Or(a.Pos.Compare(b.Pos), cmp.Compare(a.Code, b.Code), cmp.Compare(a.Message, b.Message))
}

// settle says of each race of the reports what suppresses it.
func (s *suppressor) settle(reports []*model.Report) *verdicts {
	v := &verdicts{root: s.p.root, complete: s.complete, marks: s.marks(), by: make(map[*model.Race]*verdict)}
	for _, r := range reports {
		for _, x := range r.Races {
			if why, marks := s.race(x); why != nil {
				v.by[x] = &verdict{*why, marks}
			}
		}
	}
	return v
}

// marks lists the comments, and then the entries.
func (s *suppressor) marks() []mark {
	var out []mark
	for _, c := range s.comments {
		out = append(out, mark{unused: model.Notice{Pos: c.pos, Code: "ignore", Message: "this //" + ignoreWord + " suppresses nothing: it can go"}})
	}
	for _, ig := range s.ignores {
		var m mark
		if s.p.declares(ig.Object) { // or the file may be for more modules than this one
			m.unused = model.Notice{
				Pos: s.place(ig.File, ig.Line), Code: "ignore",
				Message: fmt.Sprintf("this [[ignore]] of %s%s suppresses nothing: it can go", ig.Object, ig.Field),
			}
		}
		out = append(out, m)
	}
	return out
}

// count returns why a race that counts is not to be shown, or nil. All comments
// and entries that are about it are used.
func (v *verdicts) count(x *model.Race) *model.Suppression {
	by := v.by[x]
	if by == nil {
		return nil
	}
	for _, k := range by.marks {
		v.marks[k].used = true
	}
	return &by.why
}

// race returns why a race is not to be shown, or nil, and which marks are about it.
func (s *suppressor) race(x *model.Race) (why *model.Suppression, marks []int32) {
	if len(s.comments) == 0 && len(s.ignores) == 0 {
		return s.unwritten(x), nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	decls := s.declared(x.Object, x.Field)
	for i, c := range s.comments {
		if c.about(x) || slices.ContainsFunc(decls, func(d decl) bool { return c.declares(d.fieldPos) || c.declares(d.typePos) }) {
			marks = append(marks, int32(i))
			if why == nil {
				why = &model.Suppression{By: model.ByComment, Reason: c.reason, Pos: c.pos}
			}
		}
	}
	note := func(ig *library.Ignore) {
		if ig == nil {
			return
		}
		marks = append(marks, int32(len(s.comments)+slices.Index(s.ignores, ig)))
		if why == nil {
			why = &model.Suppression{By: model.ByModel, Reason: ig.Reason, Pos: s.place(ig.File, ig.Line)}
		}
	}
	note(s.lib.Ignored(x.Object.FullType, x.Object.Global, x.Field))
	for _, d := range decls {
		note(s.lib.Ignored(d.typ, "", d.field))
	}
	if why == nil {
		why = s.unwritten(x)
	}
	return why, marks
}

// told reports whether the user is to be told of a race.
func (s *suppressor) told(x *model.Race) bool {
	why, _ := s.race(x)
	return why == nil
}

// unwritten returns a suppression if both accesses and the loop of a race are
// in generated files.
func (s *suppressor) unwritten(x *model.Race) *model.Suppression {
	pos, ok := s.generated[x.A.Pos.File]
	for _, p := range []model.Pos{x.B.Pos, x.Loop.Pos, x.Loop.Spawn} {
		_, also := s.generated[p.File]
		ok = ok && (also || !p.IsValid())
	}
	if !ok {
		return nil
	}
	return &model.Suppression{By: model.ByGenerated, Reason: "the file is generated", Pos: pos}
}

// split parts what comments and model files suppress from what they do not, each
// in order.
func (s *suppressor) split(set *model.RaceSet) (told, quiet *model.RaceSet) {
	told = set.Filter(s.told)
	if told.Len() == set.Len() {
		return set, new(model.RaceSet)
	}
	is := make(map[*model.Race]bool)
	for _, x := range told.Races {
		is[x] = true
	}
	return told, set.Filter(func(x *model.Race) bool { return !is[x] })
}

// trim trims what is suppressed and what is not each on its own: pairs that
// nobody will see must not take the place of others.
func (s *suppressor) trim(set *model.RaceSet) *model.RaceSet {
	told, quiet := s.split(set)
	kept := make(map[*model.Race]bool)
	for _, part := range []*model.RaceSet{told, quiet} {
		for _, x := range trim(part).Races {
			kept[x] = true
		}
	}
	return set.Filter(func(x *model.Race) bool { return kept[x] })
}

// about reports whether the comment stands at an access of the race, at a loop
// or goroutine that makes one, or where the object is declared or made.
func (c *ignoreComment) about(x *model.Race) bool {
	return c.covers(x.A.Pos) || c.covers(x.B.Pos) || c.spawns(x.Loop) || c.declares(x.Object.Pos) || x.Other != nil && c.spawns(x.Other)
}

// A decl is a field, of those on the way from an object to what a race is on,
// with the type that has it.
type decl struct {
	typ      string    // full name of the type
	field    string    // the field and what lies below it
	typePos  model.Pos // of the declarations
	fieldPos model.Pos
}

// A memory is a field of objects of a type.
type memory struct{ fullType, field string }

// declared lists the named types in which the field of an object lies, the
// outermost first: for .stats.hits of a Server the fields Server.stats and
// Stats.hits.
func (s *suppressor) declared(o *model.Object, field string) []decl {
	k := memory{o.FullType, field}
	list, ok := s.decls[k]
	if !ok {
		list = s.findDeclared(o, field)
		s.decls[k] = list
	}
	return list
}

func (s *suppressor) findDeclared(o *model.Object, field string) []decl {
	t := s.typeNamed(o.FullType)
	if _, rest, ok := strings.Cut(field, "]"); ok && field[0] == '[' && o.FullType != "" && o.FullType[0] != '[' {
		field = rest // of what a parameter refers to the type is the elements'
	}
	var out []decl
	for t != nil {
		if n, ok := types.Unalias(t).(*types.Named); ok && n.Obj().Pkg() != nil {
			out = append(out, decl{
				typ: n.Obj().Pkg().Path() + "." + n.Obj().Name(), field: field, typePos: s.p.pos(n.Obj().Pos()),
			})
		}
		switch u := t.Underlying().(type) {
		case *types.Struct:
			name, rest := firstField(field)
			t = nil
			for f := range u.Fields() {
				if f.Name() == name {
					t, field = f.Type(), rest
					if len(out) > 0 {
						out[len(out)-1].fieldPos = s.p.pos(f.Pos())
					}
					break
				}
			}
		case *types.Slice:
			t, field = element(u.Elem(), field)
		case *types.Array:
			t, field = element(u.Elem(), field)
		default:
			return out
		}
	}
	return out
}

// firstField splits ".stats.hits" into "stats" and ".hits".
func firstField(field string) (name, rest string) {
	field, ok := strings.CutPrefix(field, ".")
	if !ok {
		return "", ""
	}
	if i := strings.IndexAny(field, ".["); i >= 0 {
		return field[:i], field[i:]
	}
	return field, ""
}

// element steps into an element, if the field is in one.
func element(t types.Type, field string) (types.Type, string) {
	if i := strings.IndexByte(field, ']'); i > 0 && field[0] == '[' {
		return t, field[i+1:]
	}
	return nil, ""
}

// typeNamed finds the type that a full type name stands for, of those that are
// package-level types, or slices or arrays of them; or nil.
func (s *suppressor) typeNamed(name string) types.Type {
	if rest, ok := strings.CutPrefix(name, "["); ok {
		if _, elem, ok := strings.Cut(rest, "]"); ok && !strings.HasPrefix(name, "[*") {
			if t := s.typeNamed(elem); t != nil {
				return types.NewSlice(t)
			}
		}
		return nil
	}
	name = library.Normalize(name)
	i := strings.LastIndexByte(name, '.')
	if i < strings.LastIndexByte(name, '/') || i < 0 {
		return nil
	}
	pkg := s.lookup(name[:i])
	if pkg == nil {
		return nil
	}
	if tn, ok := pkg.Scope().Lookup(name[i+1:]).(*types.TypeName); ok {
		return tn.Type()
	}
	return nil
}

// stale lists the comments and entries that suppress nothing.
func (v *verdicts) stale() []model.Notice {
	if !v.complete {
		return nil
	}
	var out []model.Notice
	for _, m := range v.marks {
		if !m.used && m.unused.Code != "" {
			out = append(out, m.unused)
		}
	}
	return out
}

// gone tells of baseline entries that do not occur any more.
func (v *verdicts) gone(base *report.Baseline, reports []*model.Report) []model.Notice {
	list := base.Gone(reports)
	if len(list) == 0 || !v.complete {
		return nil
	}
	msg := fmt.Sprintf("%d entries of the baseline do not occur any more", len(list))
	if len(list) == 1 {
		msg = "1 entry of the baseline does not occur any more"
	}
	return []model.Notice{{Pos: placeIn(v.root, base.Name, 0), Code: "baseline", Message: msg + ": " + strings.Join(list, ", ")}}
}

// place is a line of a file that the user named.
func (s *suppressor) place(file string, line int) model.Pos { return placeIn(s.p.root, file, line) }

func placeIn(root, file string, line int) model.Pos {
	if abs, err := filepath.Abs(file); err == nil {
		file = abs
	}
	return model.Pos{File: relativeTo(root, file), Line: line}
}
