package report

import (
	"encoding/json"
	"io"
	"slices"
	"strings"

	"github.com/iterace/iterace/model"
)

// The types below are the JSON document, field by field as the schema in
// doc/schema has it. They are kept apart from package model so that a change
// there cannot change what other programs read.

type jsonDocument struct {
	Version    string           `json:"version"`
	Module     string           `json:"module"`
	Races      []jsonRaceSet    `json:"races"`
	Hidden     int              `json:"hidden"` // number of race sets, at least, that -all would add
	Suppressed []jsonSuppressed `json:"suppressed"`
	Notices    []model.Notice   `json:"notices"`
	Errors     []Error          `json:"errors"`
}

// A jsonSuppressed is a race set that the user does not want to be told of.
type jsonSuppressed struct {
	ID         string    `json:"id"`
	Confidence string    `json:"confidence"`
	Message    string    `json:"message"`
	By         string    `json:"by"`
	Reason     string    `json:"reason"`
	Pos        model.Pos `json:"pos"` // of the comment or entry
}

type jsonRaceSet struct {
	ID         string       `json:"id"`
	Confidence string       `json:"confidence"`
	Message    string       `json:"message"`
	Loop       jsonLoop     `json:"loop"`
	Object     jsonObject   `json:"object"`
	Also       []jsonObject `json:"also,omitempty"` // other objects that the same accesses may touch
	Field      string       `json:"field"`
	Alpha      []jsonAccess `json:"alpha"`
	Beta       []jsonAccess `json:"beta"`
	Pairs      []jsonPair   `json:"pairs"`
	Locks      []model.Lock `json:"locks"`
	Why        []string     `json:"why"`
	Deep       []jsonDeep   `json:"deep"`
}

type jsonLoop struct {
	Pos      model.Pos  `json:"pos"`
	Kind     string     `json:"kind"`
	Form     string     `json:"form"`
	Spawn    *model.Pos `json:"spawn,omitempty"`
	Function string     `json:"function"`
	Single   bool       `json:"single"`
}

type jsonObject struct {
	Kind string     `json:"kind"`
	Type string     `json:"type"`
	Pos  *model.Pos `json:"pos,omitempty"` // left out where the object has no place in the source
	Name string     `json:"name"`
	Many bool       `json:"many"`
}

type jsonAccess struct {
	Pos      model.Pos     `json:"pos"`
	Kind     string        `json:"kind"`
	Thread   string        `json:"thread"`
	Atomic   bool          `json:"atomic,omitempty"`
	Function string        `json:"function"`
	Path     []model.Frame `json:"path"`
	Locks    []model.Lock  `json:"locks"`
}

type jsonPair struct {
	A          model.Pos `json:"a"`
	B          model.Pos `json:"b"`
	Kind       string    `json:"kind"`
	Confidence string    `json:"confidence"`
	Assumes    []string  `json:"assumes,omitempty"`
	Other      *jsonLoop `json:"other,omitempty"` // the loop whose iteration makes access b, if not the race set's
}

// A jsonDeep is a pair of accesses inside library code that a pair at
// application level stands for.
type jsonDeep struct {
	Object jsonObject `json:"object"`
	Field  string     `json:"field"`
	A      jsonAccess `json:"a"`
	B      jsonAccess `json:"b"`
}

// JSON prints the document as one JSON value, as doc/schema describes it.
func JSON(w io.Writer, d *Document) error {
	shown, hidden := d.shown()
	doc := jsonDocument{
		Version:    d.Version,
		Module:     d.Module,
		Races:      make([]jsonRaceSet, 0, len(shown)),
		Hidden:     hidden,
		Suppressed: []jsonSuppressed{},
		Notices:    nonNil(d.Notices),
		Errors:     nonNil(d.Errors),
	}
	for _, r := range shown {
		doc.Races = append(doc.Races, toJSON(r))
	}
	for _, r := range d.suppressed() {
		s := r.Suppressed
		doc.Suppressed = append(doc.Suppressed, jsonSuppressed{r.ID, r.Confidence().String(), message(r), s.By.String(), s.Reason, s.Pos})
	}
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false) // "chan<- int" stays readable; nobody pastes this into HTML
	return enc.Encode(doc)
}

func toJSON(r *model.Report) jsonRaceSet {
	var also []jsonObject
	for _, o := range Objects(r)[1:] {
		also = append(also, toJSONObject(o))
	}
	return jsonRaceSet{
		ID:         r.ID,
		Confidence: r.Confidence().String(),
		Message:    message(r),
		Loop:       *toJSONLoop(r.Loop),
		Object:     toJSONObject(r.Object),
		Also:       also,
		Field:      r.Field,
		Alpha:      toJSONAccesses(r.Alpha),
		Beta:       toJSONAccesses(r.Beta),
		Pairs:      toJSONPairs(r.Races),
		Locks:      locks(r),
		Why:        texts(why(r)),
		Deep:       deep(r.Races),
	}
}

// message says what text says in the first line of a block, behind the
// position.
func message(r *model.Report) string {
	w, other := headline(r)
	near := nearPos(w.Pos.File, model.Pos.String)
	return "race on " + subject(r.Object, r.Field, near) + ": " + conflict(w, other, near)
}

func toJSONLoop(l *model.Loop) *jsonLoop {
	if l == nil {
		return nil
	}
	return &jsonLoop{Pos: l.Pos, Kind: l.Kind, Form: l.Form, Spawn: known(l.Spawn), Function: l.Func, Single: l.Single}
}

func toJSONObject(o *model.Object) jsonObject {
	return jsonObject{Kind: o.Kind, Type: o.Type, Pos: known(o.Pos), Name: o.Name, Many: o.Many}
}

func toJSONAccesses(list []*model.Access) []jsonAccess {
	out := make([]jsonAccess, 0, len(list))
	for _, a := range list {
		out = append(out, toJSONAccess(a))
	}
	return out
}

func toJSONAccess(a *model.Access) jsonAccess {
	return jsonAccess{
		Pos: a.Pos, Kind: a.Kind.String(), Thread: a.Thread.String(), Atomic: a.Atomic,
		Function: a.Func, Path: nonNil(a.Path), Locks: nonNil(a.Locks),
	}
}

// toJSONPairs lists the pairs; those that differ only in what calls lead to
// them are one.
func toJSONPairs(races []*model.Race) []jsonPair {
	type key struct {
		a, b                      model.Pos
		kind, confidence, assumes string
		other                     *model.Loop
	}
	seen := make(map[key]bool)
	pairs := make([]jsonPair, 0, len(races))
	for _, x := range races {
		p := jsonPair{A: x.A.Pos, B: x.B.Pos, Kind: "rw", Confidence: x.Confidence.String(), Assumes: x.Assumes, Other: toJSONLoop(x.Other)}
		if reads(x) == 0 {
			p.Kind = "ww"
		}
		if k := (key{p.A, p.B, p.Kind, p.Confidence, strings.Join(p.Assumes, " "), x.Other}); !seen[k] {
			seen[k] = true
			pairs = append(pairs, p)
		}
	}
	return pairs
}

// locks lists the locks held at any access of r: none of them protects it, and
// the note says why, where that is known.
func locks(r *model.Report) []model.Lock {
	list := []model.Lock{}
	for _, side := range [][]*model.Access{r.Alpha, r.Beta} {
		for _, a := range side {
			for _, l := range a.Locks {
				if !slices.Contains(list, l) {
					list = append(list, l)
				}
			}
		}
	}
	return list
}

// deep lists the library pairs behind races, each once.
func deep(races []*model.Race) []jsonDeep {
	type key struct {
		object int
		field  string
		a, b   model.Pos
	}
	seen := make(map[key]bool)
	list := []jsonDeep{}
	for _, x := range races {
		d := x.Deep
		if d == nil || seen[key{d.Object.ID, d.Field, d.A.Pos, d.B.Pos}] {
			continue
		}
		seen[key{d.Object.ID, d.Field, d.A.Pos, d.B.Pos}] = true
		list = append(list, jsonDeep{toJSONObject(d.Object), d.Field, toJSONAccess(d.A), toJSONAccess(d.B)})
	}
	return list
}

// known returns p, or nil if it names no place.
func known(p model.Pos) *model.Pos {
	if !p.IsValid() {
		return nil
	}
	return &p
}

// nonNil makes an empty list print as [] rather than null.
func nonNil[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}
