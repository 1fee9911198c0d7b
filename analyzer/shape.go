package analyzer

import (
	"go/ast"
	"go/token"
	"slices"
	"strconv"
)

// This file finds the packages of which a package needs function bodies:
// generic functions are lowered where they are instantiated. It looks at syntax
// only, since it must be known before types are checked; a name may mean
// something else than it seems to, and then a package more is read.

// A shape is what the declarations of a package tell.
type shape struct {
	generic map[string]bool // generic functions, and generic types that have methods
}

// shapeOf looks at the declarations of files, with bodies or without.
func shapeOf(files []*ast.File) *shape {
	s := &shape{generic: make(map[string]bool)}
	methods := make(map[string]bool)
	var params []string
	for _, f := range files {
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Recv == nil && d.Type.TypeParams != nil {
					s.generic[d.Name.Name] = true
				}
				if d.Recv != nil && len(d.Recv.List) == 1 {
					methods[receiver(d.Recv.List[0].Type)] = true
				}
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					if t, ok := spec.(*ast.TypeSpec); ok && t.TypeParams != nil {
						params = append(params, t.Name.Name)
					}
				}
			}
		}
	}
	for _, name := range params {
		s.generic[name] = s.generic[name] || methods[name]
	}
	return s
}

// receiver returns the name of a receiver's type.
func receiver(x ast.Expr) string {
	for {
		switch y := x.(type) {
		case *ast.StarExpr:
			x = y.X
		case *ast.ParenExpr:
			x = y.X
		case *ast.IndexExpr:
			x = y.X
		case *ast.IndexListExpr:
			x = y.X
		case *ast.Ident:
			return y.Name
		default:
			return ""
		}
	}
}

// mentions calls f for each package of which an expression or declaration names
// something generic.
func (l *loading) mentions(x *part, file *ast.File, n ast.Node, f func(*part)) {
	names := make(map[string]*part)
	for _, spec := range file.Imports {
		to, err := strconv.Unquote(spec.Path.Value)
		imp := l.parts[x.pkg.Imports[to]]
		if err != nil || imp == nil || len(imp.shape.generic) == 0 {
			continue
		}
		switch {
		case spec.Name == nil:
			names[imp.pkg.Name] = imp
		case spec.Name.Name == ".":
			f(imp)
		default:
			names[spec.Name.Name] = imp
		}
	}
	if len(names) == 0 {
		return
	}
	ast.Inspect(n, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := sel.X.(*ast.Ident); ok {
				if imp := names[x.Name]; imp != nil && imp.shape.generic[sel.Sel.Name] {
					f(imp)
				}
			}
		}
		return true
	})
}

// exposed calls f for each part of a package's declarations that others see:
// what they get a value of by it, they call methods of.
func exposed(file *ast.File, f func(ast.Node)) {
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Name.IsExported() {
				f(d.Type)
			}
		case *ast.GenDecl:
			if d.Tok == token.IMPORT {
				continue
			}
			for _, spec := range d.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec: // unexported ones too: they may be results
					exposedType(spec.Type, f)
				case *ast.ValueSpec:
					if slices.ContainsFunc(spec.Names, (*ast.Ident).IsExported) {
						f(spec)
					}
				}
			}
		}
	}
}

func exposedType(x ast.Expr, f func(ast.Node)) {
	st, ok := x.(*ast.StructType)
	if !ok {
		f(x)
		return
	}
	for _, field := range st.Fields.List {
		seen := len(field.Names) == 0 // embedded
		for _, name := range field.Names {
			seen = seen || name.IsExported()
		}
		if seen {
			f(field.Type)
		}
	}
}
