package library

import (
	"strings"
)

// A scope is a pattern of packages that the user counts to the application or
// to library code.
type scope struct {
	pattern     string
	application bool
	at          string // file:line
}

// Application reports whether the package is part of the application, whose
// code reports are about. That is the code of the main modules, unless a model
// file says otherwise (Scope).
func (m *Model) Application(pkgPath string, mainModules []string) bool {
	if app, said := m.Scope(pkgPath, mainModules); said {
		return app
	}
	pkgPath = withoutTest(pkgPath)
	for _, mod := range mainModules {
		if matchPath(mod+"/...", pkgPath) {
			return true
		}
	}
	return false
}

// Scope returns what the model files say of a package: whether it is part of
// the application; said is not set if they say nothing. Among patterns that
// match, the longest counts, of "a" and "a/..." the first; among equal ones that
// of the later layer.
func (m *Model) Scope(pkgPath string, mainModules []string) (app, said bool) {
	pkgPath = withoutTest(pkgPath)
	best := -1
	for _, l := range m.layers {
		for _, s := range l.scopes {
			for _, p := range expand(s.pattern, mainModules) {
				base, isPattern := strings.CutSuffix(strings.TrimSuffix(p, "..."), "/")
				n := 2 * len(base)
				if !isPattern && p != "..." {
					n++
				}
				if n >= best && matchPath(p, pkgPath) {
					app, said, best = s.application, true, n
				}
			}
		}
	}
	return app, said
}

// withoutTest turns the path of a test package, "p.test" or "p_test", into p,
// since it is where p is.
func withoutTest(path string) string {
	return strings.TrimSuffix(strings.TrimSuffix(path, ".test"), "_test")
}

// expand makes a pattern that starts in "." relative to each main module.
func expand(pattern string, mainModules []string) []string {
	rest, ok := strings.CutPrefix(pattern, ".")
	if !ok || pattern == "..." || rest != "" && rest[0] != '/' {
		return []string{pattern}
	}
	var out []string
	for _, mod := range mainModules {
		out = append(out, mod+rest)
	}
	return out
}

// matchPath reports whether the path is the pattern, or lies below a pattern
// that ends in "/...", as the go command has it.
func matchPath(pattern, path string) bool {
	if pattern == "..." {
		return true
	}
	if base, ok := strings.CutSuffix(pattern, "/..."); ok {
		return path == base || strings.HasPrefix(path, base+"/")
	}
	return pattern == path
}

// Ignored returns the entry that suppresses reports about the field of an
// object with the given type and, for a package-level variable, name; or nil.
func (m *Model) Ignored(typ, name, field string) *Ignore {
	typ, name = Normalize(typ), Normalize(name)
	for _, l := range m.layers {
		for i := range l.ignores {
			ig := &l.ignores[i]
			if ig.Object != "" && ig.Object != typ && ig.Object != name {
				continue
			}
			if ig.Field == "" || below(ig.Field, field) {
				return ig
			}
		}
	}
	return nil
}

// Ignores returns the entries that suppress reports, in the order in which they
// count.
func (m *Model) Ignores() []*Ignore {
	var out []*Ignore
	for _, l := range m.layers {
		for i := range l.ignores {
			out = append(out, &l.ignores[i])
		}
	}
	return out
}

// below reports whether path is prefix or a field or element of it.
func below(prefix, path string) bool {
	rest, ok := strings.CutPrefix(path, prefix)
	return ok && (rest == "" || rest[0] == '.' || rest[0] == '[')
}

// Below reports whether a name is a pattern, or lies in the package or type of
// that name, or below a pattern that ends in "/...".
func Below(pattern, name string) bool {
	if base, ok := strings.CutSuffix(pattern, "..."); ok {
		return strings.HasPrefix(name+"/", base) || strings.HasPrefix(name, strings.TrimSuffix(base, "/")+".")
	}
	rest, ok := strings.CutPrefix(name, pattern)
	return ok && (rest == "" || rest[0] == '.')
}
