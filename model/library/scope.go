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
// file says otherwise. Among patterns that match, the longest counts; among
// equal ones that of the later layer.
func (m *Model) Application(pkgPath string, mainModules []string) bool {
	// A test package "p.test" or "p_test" is where p is.
	pkgPath = strings.TrimSuffix(strings.TrimSuffix(pkgPath, ".test"), "_test")
	app, best := false, -1
	for _, mod := range mainModules {
		if matchPath(mod+"/...", pkgPath) {
			app = true
		}
	}
	for _, l := range m.layers {
		for _, s := range l.scopes {
			for _, p := range expand(s.pattern, mainModules) {
				if n := len(strings.TrimSuffix(p, "...")); n >= best && matchPath(p, pkgPath) {
					app, best = s.application, n
				}
			}
		}
	}
	return app
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

// below reports whether path is prefix or a field or element of it.
func below(prefix, path string) bool {
	rest, ok := strings.CutPrefix(path, prefix)
	return ok && (rest == "" || rest[0] == '.' || rest[0] == '[')
}
