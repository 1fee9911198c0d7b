package library

import (
	"cmp"
	"slices"
	"strings"
)

// This file finds out which name of the model a user means.

// Meant returns the names in the model's form that a name may stand for, as
// people write it: the forms of Normalize, that of a stack trace,
// "net/http.(*Client).Do", a call, "wg.Wait()", and with the package's last
// element alone, "http.Client.Do". There is more than one if several known
// packages end in that element and have an entry, or if none has.
func (m *Model) Meant(name string) []string {
	name = strings.TrimSuffix(strings.TrimSpace(name), "()")
	name = strings.TrimLeft(name, "&*")
	name = strings.NewReplacer("(*", "", "(", "", ")", "").Replace(stripBrackets(name))
	name = Normalize(name)
	if name == "" || m.packageOf(name) != "" {
		return []string{name}
	}
	first, rest, _ := strings.Cut(name, ".")
	var all, own []string
	for _, path := range m.packages() {
		if lastElement(path) != first {
			continue
		}
		full := strings.TrimSuffix(path+"."+rest, ".")
		all = append(all, full)
		if m.own(full) != nil || m.Type(full) != nil {
			own = append(own, full)
		}
	}
	switch {
	case len(own) > 0:
		return own
	case len(all) > 0:
		return all
	}
	return []string{name}
}

// packageOf returns the part of a name that is a package which some layer
// describes, or "". "gopkg.in/yaml.v3.Marshal" has more dots than one.
func (m *Model) packageOf(name string) string {
	if m.known(name) {
		return name
	}
	for outer := cut(name); outer != ""; outer = cut(outer) {
		if m.known(outer) {
			return outer
		}
	}
	return ""
}

// HasOwn reports whether some layer has an entry for the very name: of a
// function, a method, a type or a package.
func (m *Model) HasOwn(name string) bool {
	if m.Type(name) != nil || m.known(name) {
		return true
	}
	for _, l := range m.layers {
		if l.entry(name) != nil {
			return true
		}
	}
	return false
}

// packages returns the paths that layers describe, patterns apart, in order.
func (m *Model) packages() []string {
	seen := make(map[string]bool)
	for _, l := range m.layers {
		l.needAll()
		for path := range l.known {
			if !strings.HasSuffix(path, "...") {
				seen[path] = true
			}
		}
	}
	return sortedKeys(seen)
}

// lastElement is the name by which code usually knows a package: the last
// element of its path that is no version.
func lastElement(path string) string {
	for {
		i := strings.LastIndexByte(path, '/')
		last := path[i+1:]
		if i < 0 || !isVersion(last) {
			last, _, _ = strings.Cut(last, ".") // yaml.v3
			return last
		}
		path = path[:i]
	}
}

func isVersion(s string) bool {
	return len(s) > 1 && s[0] == 'v' && strings.Trim(s[1:], "0123456789") == ""
}

// Near returns up to five names of entries that are close to the given one: in
// other letter case, with a slip of the pen, or of the same name elsewhere.
func (m *Model) Near(name string) []string {
	name = Normalize(name)
	pkg := m.packageOf(name)
	rel := relName(name, pkg)
	type candidate struct {
		name string
		far  int
	}
	var list []candidate
	for _, n := range m.names() {
		p := m.packageOf(n)
		r := relName(n, p)
		if n == name || r == "" {
			continue
		}
		// Another package, or a slip in its path, is as far as one letter of
		// the name.
		far := distance(strings.ToLower(rel), strings.ToLower(r))
		if p != pkg {
			far++
			if pkg == "" && lastElement(p) != lastElement(cut(name)) {
				far++
			}
		}
		if far <= max(1, len(rel)/4) {
			list = append(list, candidate{n, far})
		}
	}
	slices.SortFunc(list, func(a, b candidate) int { return cmp.Or(a.far-b.far, strings.Compare(a.name, b.name)) })
	var out []string
	for _, c := range list[:min(5, len(list))] {
		out = append(out, c.name)
	}
	return out
}

// relName is a name without its package; of an unknown package, all behind the
// first dot of the last element.
func relName(name, pkg string) string {
	if pkg != "" {
		return strings.TrimPrefix(strings.TrimPrefix(name, pkg), ".")
	}
	_, rel, ok := strings.Cut(name[strings.LastIndexByte(name, '/')+1:], ".")
	if !ok {
		return name
	}
	return rel
}

// names returns the names of all functions and types with entries, in order.
func (m *Model) names() []string {
	seen := make(map[string]bool)
	for _, l := range m.layers {
		l.needAll()
		for n := range l.funcs {
			seen[n] = true
		}
		for n := range l.types {
			seen[n] = true
		}
	}
	return sortedKeys(seen)
}

// distance is the number of letters to insert, drop or change to turn a into
// b; two that change places count as one.
func distance(a, b string) int {
	rows := [3][]int{make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)}
	for j := range rows[1] {
		rows[1][j] = j
	}
	for i := 1; i <= len(a); i++ {
		before, last, row := rows[0], rows[1], rows[2]
		row[0] = i
		for j := 1; j <= len(b); j++ {
			d := min(last[j], row[j-1]) + 1
			if a[i-1] == b[j-1] {
				d = min(d, last[j-1])
			} else {
				d = min(d, last[j-1]+1)
			}
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d = min(d, before[j-2]+1)
			}
			row[j] = d
		}
		rows = [3][]int{last, row, before}
	}
	return rows[1][len(b)]
}
